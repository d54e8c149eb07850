/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Purpose: a program without a library whose every instruction is known.
 *
 * It executes 2 * KNOWN_LOOPS + 4 instructions from its first to its exit's SYSCALL, and KNOWN_LOOPS + 1 branches:
 * SYSCALL is a far branch (Intel SDM volume 3, "Performance-Monitoring Events", BR_INST_RETIRED.FAR_BRANCH).
 * KNOWN_LOOPS comes from the Makefile. loop_begin..loop_end is the loop.
 */
	.text
	.globl	_start, loop_begin, loop_end
_start:
	movl	$KNOWN_LOOPS, %ecx
loop_begin:
	decq	%rcx
	jnz	loop_begin
loop_end:
	xorl	%edi, %edi
	movl	$60, %eax		/* exit(0) */
	syscall

	.section .note.GNU-stack, "", @progbits
