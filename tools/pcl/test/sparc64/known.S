/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: a program without a library whose every instruction is known.
 *
 * It executes 2 * KNOWN_LOOPS + 5 instructions before the trap of its exit, which does not retire. The branch looks at the register before the
 * instruction behind it, which is its own, has made it one less. loop_begin..loop_end is the loop.
 */
	.text
	.globl	_start, loop_begin, loop_end
	.type	_start, #function
	.align	64
_start:
	sethi	%hi(KNOWN_LOOPS), %o0
	or	%o0, %lo(KNOWN_LOOPS), %o0
	dec	%o0
loop_begin:
	brnz,pt	%o0, loop_begin
	 dec	%o0
loop_end:
	clr	%o0
	mov	1, %g1			/* exit(0) */
	ta	0x6d
	.size	_start, . - _start

	.section .note.GNU-stack, "", @progbits
