/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of code whose events are known by counting their instructions.
 */

	.text
	.align 64

/* 3,003 instructions; 1,001 branches, of which 1,000 are taken */
	.globl body_loop
body_loop:
	mov 1000, %o0
1:	subcc %o0, 1, %o0
	bne,pt %xcc, 1b
	 nop
	retl
	 nop

/* 3,002: the last of the loop's 1,000 delay slots is annulled. 1,001 branches, 1,000 taken */
	.globl body_annul
body_annul:
	mov 1000, %o0
1:	subcc %o0, 1, %o0
	bne,a,pt %xcc, 1b
	 nop
	retl
	 nop

/* 8: branches without a condition, whose delay slots are annulled or not. 5 branches, 3 taken */
	.globl body_always
body_always:
	ba,a 1f
	 nop
1:	bn,a 2f
	 nop
2:	bn 3f
	 nop
3:	brz,pt %g0, 4f
	 nop
4:	retl
	 nop

/* 13: those that change what the emulator's next block is made for */
	.globl body_states
body_states:
	wr %g0, 0x80, %asi
	wr %g0, 4, %fprs
	rdpr %pil, %o0
	wrpr %o0, 0, %pil
	rdpr %pstate, %o0
	wrpr %o0, 0, %pstate
	wrpr %g0, 0, %tl
	rd %softint, %o0
	wr %g0, 0, %clear_softint
	rd %pcr, %o0
	rd %pic, %o0
	retl
	 nop

/* 605: 100 loads, 200 stores, 101 branches */
	.globl body_memory
body_memory:
	set buffer, %o1
	mov 100, %o2
1:	ldx [%o1], %o0
	stx %o0, [%o1 + 8]
	stb %o0, [%o1 + 17]
	subcc %o2, 1, %o2
	bne,pt %xcc, 1b
	 nop
	retl
	 nop

/* 8: 3 atomic ones, 1 prefetch, which is neither load nor store */
	.globl body_atomic
body_atomic:
	set buffer, %o1
	casx [%o1], %g0, %o0
	swap [%o1], %o0
	ldstub [%o1], %o0
	prefetch [%o1], 0
	retl
	 nop

/* 6: 4 of floating point */
	.globl body_fp
body_fp:
	faddd %f0, %f2, %f4
	fmuld %f0, %f2, %f4
	fmovd %f4, %f6
	fcmpd %f0, %f2
	retl
	 nop

/* 9: 5 of the no-operation that programs count by; 1 that is the usual one */
	.globl body_software
body_software:
	.rept 5
	sethi %hi(0xfc000), %g0
	.endr
	nop
	sethi %hi(0xfc000), %o0
	retl
	 nop

/* 3,004 instructions with one that does not trap; another 1,000 that do, and are left out */
	.globl body_traps
body_traps:
	mov 1000, %o0
1:	ta 1
	subcc %o0, 1, %o0
	bne,pt %xcc, 1b
	 nop
	tn 1
	retl
	 nop

/* NAME: NR times that instruction, each on its own line of 64 bytes of the buffer, which %o1 walks through */
	.macro walk name, buffer, nr, instruction
	.globl \name
\name:
	set \buffer, %o1
	mov \nr, %o2
1:	\instruction
	add %o1, 64, %o1
	subcc %o2, 1, %o2
	bne,pt %xcc, 1b
	 nop
	retl
	 nop
	.endm

/* 256 loads, each of its own line of 64 bytes: 16 KB */
	walk body_lines, big_buffer, 256, "ldx [%o1], %o0"

/* 64 loads of 64 bytes in 4 KB, which fit every first level */
	walk body_near, big_buffer, 64, "ldx [%o1], %o0"

/* 64 stores to where body_near loads */
	walk body_near_stores, big_buffer, 64, "stx %g0, [%o1]"

/* 64 stores to where nobody loads */
	walk body_far_stores, far_buffer, 64, "stx %g0, [%o1]"

/* 3 loads that the data MMU, turned on for them, does not find (LSU control, ASI 0x45) */
	.globl body_misses
body_misses:
	ldxa [%g0] 0x45, %o1
	or %o1, 8, %o2
	set 0x2000000, %o3
	stxa %o2, [%g0] 0x45
	membar #Sync
	ldx [%o3], %o0
	ldx [%o3], %o0
	ldx [%o3 + 64], %o0
	stxa %o1, [%g0] 0x45
	membar #Sync
	retl
	 nop

	.globl body_sled, sled
body_sled:
sled:
	.rept 256
	nop
	.endr
	retl
	 nop

/* ---- user level: they end with ta 0, which traps -------------------------- */

/* 53: 50, a trap that is not taken, a branch and its delay slot */
	.globl user_nops
user_nops:
	.rept 50
	nop
	.endr
	tn 1
	ba,pt %xcc, 1f
	 nop
1:	ta 0

/* 10: the illegal one between them does not retire, nor does ta 1 */
	.globl user_faults
user_faults:
	.rept 5
	nop
	.endr
	illtrap 0
	ta 1
	.rept 5
	nop
	.endr
	ta 0

	.globl user_sled
user_sled:
	.rept 256
	nop
	.endr
	ta 0

	.globl user_rdpic, user_wrpic, user_rdpcr, user_wrpcr
user_rdpic:
	rd %pic, %o0
	set user_value, %o1
	stx %o0, [%o1]
	ta 0
user_wrpic:
	set 0x1234, %o0
	wr %o0, 0, %pic
	ta 0
user_rdpcr:
	rd %pcr, %o0
	ta 0
user_wrpcr:
	wr %g0, 7, %pcr
	ta 0

	.bss
	.balign 4096
	.globl buffer, big_buffer, far_buffer, user_value
big_buffer:	.skip 16384
far_buffer:	.skip 4096
buffer:		.skip 64
user_value:	.skip 8
