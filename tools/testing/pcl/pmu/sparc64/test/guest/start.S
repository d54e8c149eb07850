/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test guest's assembly: reset, traps, user level. Both MMUs are off, so an
 * address is a physical one, at user level too.
 */

	.register %g2, #scratch
	.register %g3, #scratch

#define TT_DMISS	0x68
#define TT_SPILL	0x80
#define TT_FILL		0xc0
#define TT_LEVEL_15	0x4f
#define TT_USER_END	0x100

#define PSTATE_PRIV	0x4
#define PSTATE_SYSTEM	0x16		/* floating point, privileged, interrupts */
#define PSTATE_USER	0x12
#define BIAS		2047

	.section .start, "ax"
	/* The PROM's begin; power on reset enters at 0x20. test/run writes the options. */
	.skip 0x20
	ba,pt %xcc, reset
	 nop
	.org 0x100
	.globl options
options:
	.skip 0x100
reset:
	rd %pc, %l0
	sub %l0, 0x200, %l0
	set image, %l1
	set image_end, %l2
1:	ldx [%l0], %l3
	stx %l3, [%l1]
	add %l0, 8, %l0
	add %l1, 8, %l1
	cmp %l1, %l2
	blu,pt %xcc, 1b
	 nop
	set begin, %l3
	jmp %l3
	 nop

begin:
	wrpr %g0, 0, %tl
	wrpr %g0, PSTATE_SYSTEM, %pstate
	wrpr %g0, 14, %pil
	wrpr %g0, 0, %wstate
	wrpr %g0, 0, %cwp
	wrpr %g0, 0, %otherwin
	wrpr %g0, 0, %canrestore
	wrpr %g0, 6, %cansave
	wrpr %g0, 7, %cleanwin
	set trap_table, %l0
	wrpr %l0, %g0, %tba
	wr %g0, 4, %fprs
	set image_end, %l1
	set bss_end, %l2
1:	cmp %l1, %l2
	bgeu,pt %xcc, 2f
	 nop
	stx %g0, [%l1]
	ba,pt %xcc, 1b
	 add %l1, 8, %l1
2:	set stack_top - BIAS - 192, %sp
	call guest_main
	 clr %fp
1:	ba,a,pt %xcc, 1b

/* ---- traps --------------------------------------------------------------- */

	.macro plain from, to		/* traps that need nothing of their own */
	.rept (\to) - (\from)
	rdpr %tt, %g1
	ba,pt %xcc, trap
	 nop
	.skip 20
	.endr
	.endm

	.macro windows insn		/* the window's registers, to or from the stack */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	\insn\()l \n
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	\insn\()i \n
	.endr
	.endm
	.macro store_l n
	stx %l\n, [%sp + BIAS + 8 * \n]
	.endm
	.macro store_i n
	stx %i\n, [%sp + BIAS + 64 + 8 * \n]
	.endm
	.macro load_l n
	ldx [%sp + BIAS + 8 * \n], %l\n
	.endm
	.macro load_i n
	ldx [%sp + BIAS + 64 + 8 * \n], %i\n
	.endm

	.section .traps, "ax"
	.balign 0x8000
trap_table:
	plain 0, TT_DMISS
	done				/* the load is left out */
	.org TT_DMISS * 32 + 4 * 32
	plain TT_DMISS + 4, TT_SPILL
	windows store_
	saved
	retry
	.org TT_SPILL * 32 + 4 * 32
	plain TT_SPILL + 4, TT_FILL
	windows load_
	restored
	retry
	.org TT_FILL * 32 + 4 * 32
	plain TT_FILL + 4, 512
	.rept 512			/* a trap within a trap */
	ba,a,pt %xcc, lost
	.skip 28
	.endr

	.text
lost:
	set lost_trap, %g2
	rdpr %tt, %g1
	stx %g1, [%g2]
	ba,a,pt %xcc, machine_lost

/* In the alternate globals. %g1: the trap's type */
trap:
	cmp %g1, TT_LEVEL_15
	be,pn %xcc, level_15
	 nop
	cmp %g1, TT_USER_END
	be,pn %xcc, user_end
	 nop
	set last_trap, %g2
	stx %g1, [%g2]
	set traps, %g2
	ldx [%g2], %g3
	inc %g3
	stx %g3, [%g2]
	done

/*
 * The overflow interrupt: note where and with what it came, acknowledge it, and
 * from the irq_patience'th on write irq_pcr_next.
 */
level_15:
	set irq, %g2
	rdpr %tpc, %g3
	stx %g3, [%g2]
	rd %pic, %g3
	stx %g3, [%g2 + 8]
	rd %pcr, %g3
	stx %g3, [%g2 + 16]
	ldx [%g2 + 24], %g3		/* the number of them */
	inc %g3
	stx %g3, [%g2 + 24]
	set 1 << 15, %g4
	wr %g4, 0, %clear_softint
	ldx [%g2 + 32], %g4		/* patience */
	cmp %g3, %g4
	blu,pn %xcc, 1f
	 ldx [%g2 + 40], %g4
	wr %g4, 0, %pcr
1:	retry

/* ---- user level ---------------------------------------------------------- */

/* void user_run(void (*body)(void)): run @body at user level until its ta 0. */
	.globl user_run
user_run:
	save %sp, -192, %sp
	wrpr %g0, 1, %tl
	rdpr %cwp, %l0
	set (0x80 << 24) | (PSTATE_USER << 8), %l1
	srl %l1, 0, %l1
	or %l0, %l1, %l0
	wrpr %l0, 0, %tstate
	wrpr %i0, 0, %tpc
	add %i0, 4, %l0
	wrpr %l0, 0, %tnpc
	retry
user_return:
	ret
	 restore

user_end:
	rdpr %tstate, %g1
	or %g1, PSTATE_PRIV << 8, %g1
	wrpr %g1, 0, %tstate
	set user_return, %g1
	wrpr %g1, 0, %tpc
	add %g1, 4, %g1
	wrpr %g1, 0, %tnpc
	retry

/*
 * void measure(u64 pcr, void (*body)(void)): count while @body runs. Neither
 * write of PCR counts, so what counts is @body with its return, and: 2 more
 * instructions, 1 of them a branch that is taken.
 */
	.globl measure
measure:
	save %sp, -192, %sp
	wr %i0, 0, %pcr
	jmpl %i1, %o7
	 nop
	wr %g0, 0, %pcr
	ret
	 restore

	.bss
	.balign 16
	.skip 16384
stack_top:
