/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: loops whose instructions and branches are known.
 *
 *	void loop_run(unsigned long n);			2 n instructions and n branches, then a return
 *	void loop_memory(unsigned long n, long p[2]);	5 n instructions, n branches, n loads, 2 n stores
 *
 * Each begins with one instruction more: a branch looks at a register before the instruction behind it, which is its
 * own, has made the register one less. loop_begin..loop_end and memory_begin..memory_end hold the loops themselves.
 */
	.text
	.globl	loop_run, loop_begin, loop_end
	.type	loop_run, #function
	.align	64
loop_run:
	dec	%o0
loop_begin:
	brnz,pt	%o0, loop_begin
	 dec	%o0
loop_end:
	retl
	 nop
	.size	loop_run, . - loop_run

	.globl	loop_memory, memory_begin, memory_end
	.type	loop_memory, #function
	.align	64
loop_memory:
	dec	%o0
memory_begin:
	stx	%o0, [%o1]
	ldx	[%o1], %o2
	stx	%o0, [%o1 + 8]
	brnz,pt	%o0, memory_begin
	 dec	%o0
memory_end:
	retl
	 nop
	.size	loop_memory, . - loop_memory

	.section .note.GNU-stack, "", @progbits
