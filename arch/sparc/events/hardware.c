// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of real hardware, behind the operations of regs.h.
 *
 * Concepts: up to T3 the PCR and the register of both counters are ancillary state registers, rd and wr of privileged
 * code. On T4 a counter is a word in an address space of its own (ASI_PIC), and the hypervisor writes the control
 * registers.
 *
 * UltraSPARC II can lose a write of a register of the kind of the counters, unless it stands at the begin of a line of
 * the instruction cache and the next instruction reads the register (the kernel does so for %tick_cmpr too,
 * arch/sparc/kernel/time_64.c). The counters of all chips are written so; the PCR is not, as in stock.
 *
 * Contexts: the CPU that is meant, IRQs off; the overflow interrupt.
 *
 * Locks: none.
 */
#include <linux/kdebug.h>

#include <asm/asi.h>
#include <asm/hypervisor.h>
#include <asm/spitfire.h>

#include "driver.h"

#define TT_ILLEGAL	0x10	/* illegal_instruction: The SPARC Architecture Manual, version 9, table 7-1 */

/* ---- up to T3 --------------------------------------------------------------------------------------------------- */

static u64 asr_read_pcr(unsigned int nr)
{
	u64 value;

	asm volatile("rd %%pcr, %0" : "=r" (value));
	return value;
}

static bool asr_write_pcr(unsigned int nr, u64 value)
{
	asm volatile("wr %0, %%g0, %%pcr" : : "r" (value));
	return true;
}

/* T2 and T3. A machine that was only said to be one (boot.c, sparc_pmu=) may have no hypervisor to ask. */
static bool asr_ask_pcr(unsigned int nr, u64 value)
{
	return tlb_type == hypervisor && sun4v_niagara2_setperf(HV_N2_PERF_SPARC_CTL, value) == HV_EOK;
}

static u64 asr_read_pic(unsigned int nr)
{
	u64 value;

	asm volatile("rd %%pic, %0" : "=r" (value));
	return value;
}

/* The assembler fills the gap before the line with what does nothing. */
static void asr_write_pic(unsigned int nr, u64 value)
{
	asm volatile(".align 64; wr %0, %%g0, %%pic; rd %%pic, %%g0" : : "r" (value));
}

static const struct sparc_regs_ops asr_ops = {
	.read_pcr = asr_read_pcr,
	.write_pcr = asr_write_pcr,
	.ask_pcr = asr_ask_pcr,
	.read_pic = asr_read_pic,
	.write_pic = asr_write_pic,
};

/* ---- T4 --------------------------------------------------------------------------------------------------------- */

static u64 t4_read_pcr(unsigned int nr)
{
	unsigned long value = 0;

	sun4v_vt_get_perfreg(nr, &value);
	return value;
}

static bool t4_write_pcr(unsigned int nr, u64 value)
{
	return sun4v_vt_set_perfreg(nr, value) == HV_EOK;
}

static u64 t4_read_pic(unsigned int nr)
{
	u64 value;

	asm volatile("ldxa [%1] %2, %0" : "=r" (value) : "r" (8UL * nr), "i" (ASI_PIC));
	return value;
}

static void t4_write_pic(unsigned int nr, u64 value)
{
	asm volatile("stxa %0, [%1] %2" : : "r" (value), "r" (8UL * nr), "i" (ASI_PIC) : "memory");
}

static const struct sparc_regs_ops t4_ops = {
	.read_pcr = t4_read_pcr,
	.write_pcr = t4_write_pcr,
	.read_pic = t4_read_pic,
	.write_pic = t4_write_pic,
};

/* ----------------------------------------------------------------------------------------------------------------- */

/* Does this machine have the registers that @layout tells of? If so they can be reached from now on. */
bool __init sparc_hardware_fits(const struct sparc_layout *layout)
{
	bool t4 = tlb_type == hypervisor && sun4v_chip_type == SUN4V_CHIP_NIAGARA4;

	/* Later chips, and those of others, have neither kind. */
	if (tlb_type == hypervisor && (sun4v_chip_type < SUN4V_CHIP_NIAGARA1 || sun4v_chip_type > SUN4V_CHIP_NIAGARA4))
		return false;
	if (sparc_layout_shared(layout) == t4)
		return false;
	sparc_regs = t4 ? &t4_ops : &asr_ops;
	return true;
}

static bool illegal __initdata;

/* The instruction is passed over. */
static int __init skip_illegal(struct notifier_block *self, unsigned long reason, void *data)
{
	const struct die_args *args = data;

	if (reason != DIE_TRAP || args->trapnr != TT_ILLEGAL || !(args->regs->tstate & TSTATE_PRIV))
		return NOTIFY_DONE;
	illegal = true;
	args->regs->tpc = args->regs->tnpc;
	args->regs->tnpc += 4;
	return NOTIFY_STOP;
}

static struct notifier_block illegal_notifier __initdata = {
	.notifier_call = skip_illegal,
};

/*
 * Are the registers there? All chips have them. An emulator's processor that has no counters (QEMU's, for one) gives
 * the trap of an illegal instruction, which would end the kernel.
 */
bool __init sparc_hardware_answers(void)
{
	unsigned long flags;

	if (sparc_regs != &asr_ops)
		return true;
	if (register_die_notifier(&illegal_notifier))
		return false;
	local_irq_save(flags);
	sparc_regs->read_pcr(0);
	sparc_regs->read_pic(0);
	local_irq_restore(flags);
	unregister_die_notifier(&illegal_notifier);
	return !illegal;
}
