/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: loops whose instructions and branches are known.
 *
 *	void loop_run(unsigned long n);		2 n instructions and n branches, then a return
 *	void loop_store(unsigned long n, long *p);	3 n instructions, n branches, n stores
 *
 * loop_begin..loop_end and store_begin..store_end hold the loops themselves.
 */
	.text
	.globl	loop_run, loop_begin, loop_end
	.type	loop_run, @function
	.p2align 6
loop_run:
loop_begin:
	decq	%rdi
	jnz	loop_begin
loop_end:
	ret
	.size	loop_run, . - loop_run

	.globl	loop_store, store_begin, store_end
	.type	loop_store, @function
	.p2align 6
loop_store:
store_begin:
	movq	%rdi, (%rsi)
	decq	%rdi
	jnz	store_begin
store_end:
	ret
	.size	loop_store, . - loop_store

	.section .note.GNU-stack, "", @progbits
