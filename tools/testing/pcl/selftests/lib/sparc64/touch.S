/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: page faults at one known instruction, below a frame of its own.
 *
 *	void touch_loop(volatile char *at, unsigned long nr);	a byte to each of nr pages, each at touch_begin
 */
	.text
	.globl	touch_loop, touch_begin, touch_end
	.type	touch_loop, #function
touch_loop:
	save	%sp, -176, %sp
	set	8192, %l0
	dec	%i1
touch_begin:
	stb	%l0, [%i0]
	add	%i0, %l0, %i0
	brnz,pt	%i1, touch_begin
	 dec	%i1
touch_end:
	ret
	 restore
	.size	touch_loop, . - touch_loop

	.section .note.GNU-stack, "", @progbits
