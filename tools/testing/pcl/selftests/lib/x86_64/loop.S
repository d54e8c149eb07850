/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: loops whose instructions and branches are known.
 *
 *	void loop_run(unsigned long n);			2 n instructions and n branches, then a return
 *	void loop_memory(unsigned long n, long p[2]);	5 n instructions, n branches, n loads, 2 n stores
 *
 * loop_begin..loop_end and memory_begin..memory_end hold the loops themselves.
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

	.globl	loop_memory, memory_begin, memory_end
	.type	loop_memory, @function
	.p2align 6
loop_memory:
memory_begin:
	movq	%rdi, (%rsi)
	movq	(%rsi), %rax
	movq	%rdi, 8(%rsi)
	decq	%rdi
	jnz	memory_begin
memory_end:
	ret
	.size	loop_memory, . - loop_memory

	.section .note.GNU-stack, "", @progbits
