/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One SPARC CPU for sparc_test.c: its control and counter registers, its overflow interrupt, its hypervisor, and the
 * kernel around the driver. A machine that behaves as the manuals say, and that notices what they forbid.
 *
 * Facts, and where they stand; no manual was at hand. Layouts of PCR and PIC: Solaris (us234_pcbe, niagararegs,
 * niagara2regs) and stock Linux (asm/pcr.h), which agree. UltraSPARC I and II wrap in silence: their User's Manual,
 * B.2. From III on an overflow sets SOFTINT bit 15, and nothing says which counter it was: JPS1; Solaris. T2 traps when a
 * counter that may is within 16 of its overflow: niagara2regs, "PIC overflow range"; the overflow bit holds the
 * interrupt until it is written away, and HT is written by the hypervisor alone: Solaris and stock. They are written
 * down here once more, and not taken from the driver's tables.
 */
#ifndef PCL_USER_SPARC_MODEL_H
#define PCL_USER_SPARC_MODEL_H

#include <stdarg.h>

#include "../../../../arch/sparc/events/driver.h"
#include "driver_refuse.h"
#include "harness.h"

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

static struct {
	const struct chip *chip;
	u64 pcr[4];
	u64 pic[4];
	enum level level;		/* at which code runs */
	bool pending, in_nmi;
	unsigned int skid, late;	/* the interrupt waits for that many steps; it has waited */
	bool skid_once;			/* the next one does not wait */
	bool denied;			/* the hypervisor says no */
	u64 per_access;			/* event that happens at each access to a register */
	u64 seen[4];			/* what each counter has counted since it was set to its event */
	u64 counted_a;			/* of chip->a, by any counter */
	unsigned int interrupts, unclaimed, asked, pic_writes;
	/* what a driver may not do */
	unsigned int wrote_counting, reserved, shown, trapped_108, unacknowledged;
} model;

static struct {
	unsigned int samples;
	u64 periods;			/* sum of what the samples say */
	struct perf_event *sampled;	/* the last one */
	struct perf_event *throttle;	/* stopped at its next overflow */
	bool adjust;			/* the period begins anew at each overflow */
	unsigned long ip;
	unsigned int told;		/* how often the driver said how long it took */
	unsigned int users;		/* events that have the counters */
} engine;

static struct hrtimer *timer_made, *timer_armed;
static bool timer_forwarded;

/* Who runs, and what belongs to whom: an event that is bound to a task, and its control page */
static struct mm_struct mms[3];
static struct task_struct tasks[3];
struct task_struct *current = tasks;
static struct perf_event pool[64];
static struct task_struct *owners[64];
static struct perf_event_mmap_page pages[64];
static unsigned int pooled;

unsigned int shim_cpu;
char shim_second_cpu[65536] __attribute__((__aligned__(64)));
unsigned long jiffies;
static struct pt_regs interrupted = { .tpc = 0x1000 };

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

static void take_interrupt(void)
{
	if (model.in_nmi)
		return;
	while (model.pending) {
		if (model.late < model.skid) {
			model.late++;
			return;
		}
		model.pending = false;
		if (model.skid_once)
			model.skid = 0;
		model.in_nmi = true;
		model.interrupts++;
		interrupted.tpc++;
		if (!sparc_irq_handle(&interrupted))
			model.unclaimed++;
		model.in_nmi = false;
		model.unacknowledged += is_held() && !model.pending;	/* or there is a new one */
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

/* May the task that runs see @event's counter? Events that its family shares are not one task's. */
static bool is_its_own(const struct perf_event *event)
{
	return owners[event - pool] == current && !event->attr.inherit;
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
	if (has_own_registers() && model.denied)
		return false;
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

/*
 * ---- the kernel around it ----------------------------------------------------------------------------------------
 */

/* It takes 7 ns from one look at the clock to the next. */
u64 sched_clock(void)
{
	static u64 now;

	return now += 7;
}

void perf_sample_event_took(u64 ns)
{
	CHECK_EQ(ns, 7);
	engine.told++;
}

static char said[256];

void shim_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
}

void shim_initcall(unsigned int level, int (*call)(void))
{
}

void hrtimer_init(struct hrtimer *timer, int clock, enum hrtimer_mode mode)
{
	CHECK(timer != timer_armed && mode == HRTIMER_MODE_REL_PINNED_HARD);
	timer_made = timer;
}

void hrtimer_start(struct hrtimer *timer, ktime_t time, enum hrtimer_mode mode)
{
	CHECK(!timer_armed && timer == timer_made && time > 0 && time <= 1000 * NSEC_PER_MSEC);
	timer_armed = timer;
}

int hrtimer_cancel(struct hrtimer *timer)
{
	int was_armed = timer_armed == timer;

	CHECK(timer->function);
	timer_armed = NULL;
	return was_armed;
}

u64 hrtimer_forward_now(struct hrtimer *timer, ktime_t interval)
{
	timer_forwarded = true;
	return 1;
}

/* Half a second is over. */
static void time_passes(void)
{
	struct hrtimer *timer = timer_armed;

	if (!timer)
		return;
	timer_armed = NULL;
	timer_forwarded = false;
	if (timer->function(timer) == HRTIMER_RESTART) {
		CHECK(timer_forwarded);
		timer_armed = timer;
	}
}

static unsigned int registered;

int perf_pmu_register(struct pmu *pmu, const char *name, int type)
{
	registered++;
	pmu->type = type;
	return 0;
}

const struct attribute_group *sparc_attr_groups[] = { NULL };

void sparc_counters_take(void)
{
	engine.users++;
}

void sparc_counters_give(void)
{
	engine.users--;
}

int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	CHECK(model.in_nmi && !anything_counts());
	if (!event->attr.sample_period)
		return 0;
	engine.samples++;
	engine.periods += data->period;
	engine.sampled = event;
	engine.ip = regs->tpc;
	if (engine.adjust) {		/* frequency mode: event->hw.sample_period is the new one */
		sparc_pmu.stop(event, PERF_EF_UPDATE);
		local64_set(&event->hw.period_left, 0);
		sparc_pmu.start(event, PERF_EF_RELOAD);
		CHECK(!anything_counts());
	}
	if (engine.throttle != event)
		return 0;
	engine.throttle = NULL;
	return 1;
}

/* As the engine keeps it: what a program knows until the next update */
void perf_event_update_userpage(struct perf_event *event)
{
	struct perf_event_mmap_page *page = &pages[event - pool];

	page->index = event->hw.state & PERF_HES_STOPPED ? 0 : event->pmu->event_idx(event);
	page->offset = local64_read(&event->count) - (page->index ? arch_perf_user_base(event) : 0);
	arch_perf_update_userpage(event, page, 0);
}

/*
 * ---- what the engine does with the driver ------------------------------------------------------------------------
 */

#include "chips.h"

/* Those that interrupt */
#define each_sampler(chip)	each_chip(chip) if ((chip)->kind != ULTRA12)

/* A machine before its boot: its registers hold anything. */
static void power_on(const struct chip *chip)
{
	unsigned int i;

	memset(&model, 0, sizeof(model));
	memset(&engine, 0, sizeof(engine));
	memset(&sparc_cpu_pmus, 0, sizeof(sparc_cpu_pmus));
	memset(mms, 0, sizeof(mms));
	memset(owners, 0, sizeof(owners));
	for (i = 0; i < ARRAY_SIZE(tasks); i++)
		tasks[i].mm = &mms[i];
	current = tasks;
	timer_made = NULL;
	timer_armed = NULL;
	model.chip = chip;
	for (i = 0; i < 4; i++) {
		model.pcr[i] = random_u64() & bits[chip->kind].writable;
		model.pic[i] = random_u64() & 0xffffffff;
	}
	sparc_regs = &ops;
}

/* As boot.c does */
static void boot(const char *name)
{
	if (!sparc_detect(name))
		return;
	sparc_cpu_prepare(this_cpu_ptr(&sparc_cpu_pmus));
	CHECK_EQ(sparc_pmu_init(), 0);
}

static void begin(const struct chip *chip)
{
	power_on(chip);
	boot(chip->pmu);
	CHECK(sparc_machine.family);
	CHECK(!anything_counts());
}

static void check_machine(void)
{
	CHECK_EQ(model.wrote_counting, 0);
	CHECK_EQ(model.reserved, 0);
	CHECK_EQ(model.shown, 0);
	CHECK_EQ(model.trapped_108, 0);
	CHECK_EQ(model.unacknowledged, 0);
	CHECK_EQ(model.unclaimed, 0);
}

static struct perf_event *make(const struct perf_event_attr *attr, struct perf_event *leader, int *err)
{
	struct perf_event *event = &pool[pooled++ % ARRAY_SIZE(pool)];

	owners[event - pool] = NULL;
	*event = (struct perf_event){ .attr = *attr, .pmu = &sparc_pmu, .state = PERF_EVENT_STATE_INACTIVE };
	event->group_leader = leader ?: event;
	INIT_LIST_HEAD(&event->sibling_list);
	event->hw.sample_period = attr->sample_period;
	event->hw.last_period = attr->sample_period;
	local64_set(&event->hw.period_left, attr->sample_period);
	*err = sparc_pmu.event_init(event);
	if (!*err && leader)
		list_add_tail(&event->sibling_list, &leader->sibling_list);
	return event;
}

static struct perf_event *open_attr(struct perf_event_attr attr)
{
	struct perf_event *event;
	int err;

	event = make(&attr, NULL, &err);
	if (err)
		printf("# %s: refused by %d\n", model.chip->name, event->refused);
	CHECK_EQ(err, 0);
	return event;
}

static struct perf_event *open_event(u64 config, u64 period)
{
	return open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = config, .sample_period = period });
}

static int try_add(struct perf_event *event)
{
	int err;

	sparc_pmu.pmu_disable(&sparc_pmu);
	err = sparc_pmu.add(event, PERF_EF_START);
	sparc_pmu.pmu_enable(&sparc_pmu);
	step();
	look_through();
	return err;
}

static void add(struct perf_event *event)
{
	CHECK_EQ(try_add(event), 0);
}

static void del(struct perf_event *event)
{
	sparc_pmu.pmu_disable(&sparc_pmu);
	sparc_pmu.del(event, 0);
	sparc_pmu.pmu_enable(&sparc_pmu);
	step();
	look_through();
}

static void stop(struct perf_event *event)
{
	sparc_pmu.stop(event, PERF_EF_UPDATE);
	step();
}

static void start(struct perf_event *event)
{
	sparc_pmu.start(event, PERF_EF_RELOAD);
	step();
}

/* A new period from now on, as the engine sets it: PERF_EVENT_IOC_PERIOD, and frequency mode */
static void set_period(struct perf_event *event, u64 period, bool on)
{
	event->hw.sample_period = period;
	if (on)
		sparc_pmu.stop(event, PERF_EF_UPDATE);
	local64_set(&event->hw.period_left, 0);
	if (on)
		sparc_pmu.start(event, PERF_EF_RELOAD);
	step();
}

static u64 count_of(struct perf_event *event)
{
	sparc_pmu.read(event);
	return local64_read(&event->count);
}

/* What an event with that attr counts of ten that happen at @level */
static u64 counted_at(enum level level, struct perf_event_attr attr)
{
	struct perf_event *event;
	u64 count;

	attr.type = PERF_TYPE_RAW;
	attr.config = model.chip->a;
	event = open_attr(attr);
	add(event);
	model.level = level;
	run(model.chip->a, 10);
	model.level = USER;
	count = count_of(event);
	del(event);
	return count;
}

#endif
