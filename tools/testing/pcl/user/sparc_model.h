/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One SPARC CPU's control and counter registers, its overflow interrupt and its hypervisor: a machine that behaves as
 * the manuals say, and that notices what they forbid.
 *
 * It has two homes. In user space sparc_test.c is the machine around it (sparc_kernel.h); in a kernel for x86 a module
 * (../kernel/models/sparc.c). Who includes it has the driver's driver.h, and has defined deliver_interrupt(), which
 * leads to interrupt() and comes back when that is done; is_its_own(), whether the running task may see an event's
 * counter; and pcl_shim_step().
 *
 * Facts, and where they stand; no manual was at hand. Layouts of PCR and PIC: Solaris (us234_pcbe, niagararegs,
 * niagara2regs) and stock Linux (asm/pcr.h), which agree. UltraSPARC I and II wrap in silence: their User's Manual,
 * B.2. From III on an overflow sets SOFTINT bit 15, and nothing says which counter it was: JPS1; Solaris. T2 traps when a
 * counter that may is within 16 of its overflow: niagara2regs, "PIC overflow range"; the overflow bit holds the
 * interrupt until it is written away, and HT is written by the hypervisor alone: Solaris and stock. They are written
 * down here once more, and not taken from the driver's tables.
 *
 * Contexts: IRQs off, on the CPU whose registers are meant.
 */
#ifndef PCL_USER_SPARC_MODEL_H
#define PCL_USER_SPARC_MODEL_H

/*
 * ---- chips -------------------------------------------------------------------------------------------------------
 */

enum kind { ULTRA12, ULTRA3, T1, T2, T4 };

/* A raw config, and at the same time what happens: a code, and the counters that see it under that code */
#define ON_PIC0(code)	((u64)(code) << 16 | 2)
#define ON_PIC1(code)	((u64)(code) << 16 | 1)
#define ON_BOTH(code)	((u64)(code) << 16 | 3)
#define ON_ALL(code)	((u64)(code) << 16)

static const struct chip {
	const char *name, *pmu;
	enum kind kind;
	unsigned int pics;
	u64 a, b;		/* two events that can be counted at once */
} chips[] = {
	{ "II", "ultra12", ULTRA12, 2, ON_BOTH(0), ON_BOTH(1) },
	{ "III", "ultra3", ULTRA3, 2, ON_BOTH(0), ON_BOTH(1) },
	{ "III+", "ultra3+", ULTRA3, 2, ON_BOTH(0), ON_PIC1(0x09) },
	{ "IIIi", "ultra3i", ULTRA3, 2, ON_BOTH(1), ON_PIC0(0x09) },
	{ "IV+", "ultra4+", ULTRA3, 2, ON_PIC0(0x28), ON_PIC1(0x31) },
	{ "T1", "niagara", T1, 2, ON_PIC0(0x03), ON_PIC1(0) },
	{ "T1, PIC1", "niagara", T1, 2, ON_PIC1(0), ON_PIC0(0x03) },
	{ "T2", "niagara2", T2, 2, ON_BOTH(0x208), ON_BOTH(0x201) },
	{ "T3", "niagara3", T2, 2, ON_BOTH(0x301), ON_PIC0(0x240) },
	{ "T4", "niagara4", T4, 4, ON_ALL(26 << 6), ON_ALL(3 << 6 | 0x04) },
};

/* The control register: where the levels stand, and what may be written at all */
static const struct bits {
	u64 guard, user, system, hyper, writable;
} bits[] = {
	[ULTRA12] = { 1, 4, 2, 0, 0x78f7 },
	[ULTRA3] = { 1, 4, 2, 0, 0x1fbf7 },
	[T1] = { 1, 4, 2, 0, 0x377 },
	[T2] = { 1, 4, 2, 8, 0xffffffff },
	[T4] = { 0x10000, 4, 8, 0x10, 0x7ffff },
};

/*
 * ---- the machine -------------------------------------------------------------------------------------------------
 */

enum level { USER, SYSTEM, HYPER };

struct machine {
	const struct chip *chip;
	u64 pcr[4];
	u64 pic[4];
	enum level level;		/* at which code runs */
	bool pending, in_nmi;
	unsigned int skid, late;	/* the interrupt waits for that many steps; it has waited */
	bool skid_once;			/* the next one does not wait */
	bool denied;			/* the hypervisor says no */
	u8 refused;			/* and to a write of these control registers always */
	u64 per_access;			/* event that happens at each access to a register */
	u64 seen[4];			/* what each counter has counted since it was set to its event */
	u64 counted_a;			/* of chip->a, by any counter */
	unsigned int interrupts, unclaimed, asked, pic_writes;
	/* what a driver may not do */
	unsigned int wrote_counting, reserved, shown, trapped_108, unacknowledged;
};

static DEFINE_PER_CPU(struct machine, machines);
#define model	(*this_cpu_ptr(&machines))

static bool has_own_registers(void)
{
	return model.chip->kind == T4;
}

static u64 *pcr_of_pic(unsigned int idx)
{
	return &model.pcr[has_own_registers() ? idx : 0];
}

static unsigned int code_on(unsigned int idx)
{
	u64 pcr = *pcr_of_pic(idx);

	switch (model.chip->kind) {
	case ULTRA12: return pcr >> (idx ? 11 : 4) & 0xf;
	case ULTRA3: return pcr >> (idx ? 11 : 4) & 0x3f;
	case T1: return idx ? 0 : pcr >> 4 & 7;
	case T2: return pcr >> (idx ? 19 : 6) & 0xfff;
	default: return pcr >> 5 & 0x7ff;
	}
}

/* Does an event of @code count where @selected is selected? T2 and T4 select classes by a mask. */
static bool is_selected(unsigned int selected, unsigned int code)
{
	unsigned int mask = model.chip->kind == T2 ? 0xff : model.chip->kind == T4 ? 0x3f : 0;

	if ((selected & ~mask) != (code & ~mask))
		return false;
	return !mask || !(code & mask) ? selected == code : (selected & code & mask) != 0;
}

static bool counts_here(unsigned int idx)
{
	const struct bits *b = &bits[model.chip->kind];
	u64 pcr = *pcr_of_pic(idx);

	return pcr & (model.level == USER ? b->user : model.level == SYSTEM ? b->system : b->hyper);
}

static bool sees(unsigned int idx, u64 what)
{
	if (has_own_registers())
		return true;
	return what & (idx ? 1 : 2);
}

static bool may_trap(unsigned int idx)
{
	if (model.chip->kind == T2)
		return model.pcr[0] & (idx ? 0x20 : 0x10);
	if (model.chip->kind == T4)
		return model.pcr[idx] & 2;
	return model.chip->kind != ULTRA12;
}

static void set_overflow(unsigned int idx)
{
	switch (model.chip->kind) {
	case T1: model.pcr[0] |= idx ? 0x200 : 0x100; break;
	case T2: model.pcr[0] |= idx ? 0x80000000ULL : 0x40000; break;
	case T4: model.pcr[idx] |= 1; break;
	default: break;
	}
}

/* T2's L2 misses of loads must not trap. */
static void check_108(unsigned int idx)
{
	unsigned int code = code_on(idx);

	if (model.chip->kind == T2 && (code & 0xf00) == 0x300 && (code & 0x20))
		model.trapped_108++;
}

static void raise_overflow(unsigned int idx)
{
	set_overflow(idx);
	if (!may_trap(idx))
		return;
	check_108(idx);
	if (!model.pending)
		model.late = 0;
	model.pending = true;
}

/* T2 and T4: it comes again and again while an overflow bit of a counter that may trap is set. */
static bool is_held(void)
{
	unsigned int idx;

	for (idx = 0; idx < model.chip->pics; idx++) {
		if (model.chip->kind == T2 && may_trap(idx) && (model.pcr[0] & (idx ? 0x80000000ULL : 0x40000)))
			return true;
		if (model.chip->kind == T4 && may_trap(idx) && (model.pcr[idx] & 1))
			return true;
	}
	return false;
}

/* What the processor does when the interrupt comes. */
static void interrupt(struct pt_regs *regs)
{
	model.pending = false;
	if (model.skid_once)
		model.skid = 0;
	model.in_nmi = true;
	model.interrupts++;
	if (!sparc_irq_handle(regs))
		model.unclaimed++;
	model.in_nmi = false;
	model.unacknowledged += is_held() && !model.pending;	/* or there is a new one */
}

/* It comes now, if it is due, and if none is being handled. */
static void take_interrupt(void)
{
	if (model.in_nmi)
		return;
	while (model.pending) {
		if (model.late < model.skid) {
			model.late++;
			return;
		}
		deliver_interrupt();
	}
}

/* Is counter @idx, which no event has, one that shows nothing? */
static bool shows_nothing(unsigned int idx)
{
	static const unsigned int still[][2] = { [ULTRA3] = { 0x14, 0x1c }, [T2] = { 0x220, 0x220 } };

	return (model.chip->kind == ULTRA3 || model.chip->kind == T2) && !model.pic[idx] &&
	       code_on(idx) == still[model.chip->kind][idx];
}

static bool is_open(void)
{
	return !(model.pcr[0] & bits[model.chip->kind].guard);
}

/* User code is about to run: an open register shows it what is its own, or nothing. */
static void look_through(void)
{
	const struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	unsigned int idx;

	if (has_own_registers()) {
		for (idx = 0; idx < model.chip->pics; idx++)
			model.shown += !(model.pcr[idx] & bits[T4].guard);
		return;
	}
	if (!is_open())
		return;
	model.shown += !current->mm || !atomic_read(&current->mm->context.pic_readers);
	for (idx = 0; idx < model.chip->pics; idx++)
		model.shown += cpu->on[idx] ? !is_its_own(cpu->on[idx]) : !shows_nothing(idx);
}

/* @n events of a kind happen at once. */
static void cycle(u64 what, u64 n)
{
	unsigned int idx, code = what >> 16;

	for (idx = 0; idx < model.chip->pics; idx++) {
		if (!counts_here(idx) || !sees(idx, what) || !is_selected(code_on(idx), code))
			continue;
		model.pic[idx] += n;
		model.seen[idx] += n;
		if (what == model.chip->a)
			model.counted_a += n;
		if (model.pic[idx] >> 32) {
			model.pic[idx] &= 0xffffffff;
			raise_overflow(idx);
		} else if (model.chip->kind == T2 && model.pic[idx] >= 0xfffffff0 && may_trap(idx)) {
			raise_overflow(idx);
		}
	}
}

/* The program runs: @n events, one by one. */
static void run(u64 what, u64 n)
{
	while (n--) {
		look_through();
		cycle(what, 1);
		take_interrupt();
	}
}

static void step(void)
{
	if (model.per_access)
		cycle(model.per_access, 1);
	take_interrupt();
}

/*
 * ---- its registers -----------------------------------------------------------------------------------------------
 */

static bool anything_counts(void)
{
	const struct bits *b = &bits[model.chip->kind];
	unsigned int nr;

	for (nr = 0; nr < (has_own_registers() ? model.chip->pics : 1); nr++) {
		if (model.pcr[nr] & (b->user | b->system | b->hyper))
			return true;
	}
	return false;
}

static void pcr_set(unsigned int nr, u64 value)
{
	const struct bits *b = &bits[model.chip->kind];

	model.reserved += (value & ~b->writable) != 0;
	model.pcr[nr] = value;
}

static bool write_pcr(unsigned int nr, u64 value)
{
	u64 hyper = model.chip->kind == T2 ? bits[T2].hyper : 0;

	step();
	if (has_own_registers() && (model.denied || model.refused >> nr & 1))
		return false;
	model.reserved += (value & hyper) != 0;		/* the hypervisor's alone */
	pcr_set(nr, (value & ~hyper) | (model.pcr[nr] & hyper));
	step();
	return true;
}

static bool ask_pcr(unsigned int nr, u64 value)
{
	step();
	model.asked++;
	if (model.denied)
		return false;
	pcr_set(nr, value);
	step();
	return true;
}

static u64 read_pcr(unsigned int nr)
{
	u64 value;

	step();
	value = model.pcr[nr];
	step();
	return value;
}

static void write_pic(unsigned int nr, u64 value)
{
	step();
	model.pic_writes++;
	model.wrote_counting += anything_counts();
	if (has_own_registers()) {
		model.reserved += value >> 32 != 0;
		model.pic[nr] = value & 0xffffffff;
	} else {
		model.pic[0] = value & 0xffffffff;
		model.pic[1] = value >> 32;
	}
	step();
}

static u64 read_pic(unsigned int nr)
{
	u64 value;

	step();
	value = has_own_registers() ? model.pic[nr] : model.pic[0] | model.pic[1] << 32;
	pcl_shim_step();
	step();
	return value;
}

static const struct sparc_regs_ops ops = {
	.read_pcr = read_pcr, .write_pcr = write_pcr, .ask_pcr = ask_pcr, .read_pic = read_pic, .write_pic = write_pic,
};

#endif
