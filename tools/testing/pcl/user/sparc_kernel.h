/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel around the SPARC driver, for sparc_test.c: tasks, time, and what the engine does with the driver. The
 * registers are sparc_model.h's.
 */
#ifndef PCL_USER_SPARC_KERNEL_H
#define PCL_USER_SPARC_KERNEL_H

#include <stdarg.h>

#include "../../../../arch/sparc/events/driver.h"
#include "driver_refuse.h"
#include "harness.h"
#include "said.h"

static struct {
	unsigned int samples;
	u64 periods;			/* sum of what the samples say */
	struct perf_event *sampled;	/* the last one */
	struct perf_event *throttle;	/* stopped at its next overflow */
	bool adjust;			/* the period begins anew at each overflow */
	unsigned long ip;
	unsigned int told;		/* how often the driver said how long it took */
	unsigned int users;		/* events that have the counters */
	bool may_warn;			/* the driver; otherwise it must not */
	unsigned int warned;
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
bool shim_locked, shim_irqs_off;
char shim_second_cpu[65536] __attribute__((__aligned__(64)));
unsigned long jiffies;
static struct pt_regs interrupted = { .tpc = 0x1000 };

/* May the task that runs see @event's counter? Events that its family shares are not one task's. */
static bool is_its_own(const struct perf_event *event)
{
	return owners[event - pool] == current && !event->attr.inherit;
}

#define deliver_interrupt()	(interrupted.tpc++, interrupt(&interrupted))

#include "sparc_model.h"

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

bool shim_warn(bool condition, const char *text)
{
	if (!condition)
		return false;
	if (!engine.may_warn)
		printf("# warning: %s\n", text);
	CHECK(engine.may_warn);
	engine.warned++;
	return true;
}

void shim_initcall(unsigned int level, int (*call)(void))
{
}

void hrtimer_init(struct hrtimer *timer, int clock, enum hrtimer_mode mode)
{
	CHECK(timer != timer_armed && clock == CLOCK_MONOTONIC && mode == HRTIMER_MODE_REL_PINNED_HARD);
	timer_made = timer;
}

void hrtimer_start(struct hrtimer *timer, ktime_t time, enum hrtimer_mode mode)
{
	CHECK(!timer_armed && timer == timer_made && mode == HRTIMER_MODE_REL_PINNED_HARD);
	CHECK_EQ(time, 500 * NSEC_PER_MSEC);
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
	CHECK_EQ(interval, 500 * NSEC_PER_MSEC);
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
	CHECK(!strcmp(name, "cpu"));
	registered++;
	pmu->type = type;
	return 0;
}

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
	CHECK(event->attr.sample_period);
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
	CHECK(!page->cap_user_time && !page->cap_user_time_zero);
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

	shim_cpu = 0;
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
