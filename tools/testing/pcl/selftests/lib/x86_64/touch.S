/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: page faults at one known instruction, below a frame of its own.
 *
 *	void touch_loop(volatile char *at, unsigned long nr);	a byte to each of nr pages, each at touch_begin
 */
	.text
	.globl	touch_loop, touch_begin, touch_end
	.type	touch_loop, @function
touch_loop:
	push	%rbp
	mov	%rsp, %rbp
touch_begin:
	movb	$1, (%rdi)
	add	$4096, %rdi
	dec	%rsi
	jnz	touch_begin
touch_end:
	pop	%rbp
	ret
	.size	touch_loop, . - touch_loop

	.section .note.GNU-stack, "", @progbits
