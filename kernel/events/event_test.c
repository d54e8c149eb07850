// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: what becomes of an event, seen by a PMU made up here.
 *
 * The PMU notes when its counter counts and when it is asked for it, and what period it is shown; it may also do
 * something in the middle of a fork, where no program could be sure to hit. The kernel's own events are on it, on CPU 0
 * and on tasks.
 */
#include <kunit/test.h>
#include <linux/perf_event.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include "internal.h"
#include "regs_test.h"

#define LEAST_PERIOD	32
#define NO_LONER	1	/* attr.config: the event cannot count without its group */

/* What the PMU has seen; the tests run one at a time. */
static struct {
	bool counting;			/* between add() and del() */
	unsigned int asked;		/* read() while it counts */
	unsigned int asked_in_vain;	/* read() of a counter that is not there */
	unsigned int copies;		/* events inherited so far */
	unsigned int change_at;		/* at this one, ... */
	pcl_event_fn change;		/* ... do this to the whole family */
	int grandchild_state;
	u64 address[3];			/* what signals would have told */
} seen;

static struct pmu tame_pmu;

/* What a BPF program may do in an NMI, at any moment. */
static void as_from_nmi(struct perf_event *event)
{
	u64 value;

	perf_event_read_local(event, &value, NULL, NULL);
}

static int tame_init(struct perf_event *event)
{
	if (event->attr.type != tame_pmu.type)
		return -ENOENT;
	if (event->attr.config == NO_LONER)
		event->event_caps |= PERF_EV_CAP_SIBLING;
	/* Somebody enables or disables the family while the copy is being made. */
	if (event->parent && ++seen.copies == seen.change_at)
		pcl_with_children(event->parent, seen.change);
	return 0;
}

static int tame_add(struct perf_event *event, int flags)
{
	as_from_nmi(event);
	seen.counting = true;
	as_from_nmi(event);
	return 0;
}

static void tame_del(struct perf_event *event, int flags)
{
	as_from_nmi(event);
	seen.counting = false;
	as_from_nmi(event);
}

static void tame_start(struct perf_event *event, int flags)
{
}

static void tame_stop(struct perf_event *event, int flags)
{
}

static void tame_read(struct perf_event *event)
{
	if (seen.counting)
		seen.asked++;
	else
		seen.asked_in_vain++;
}

static int tame_check_period(struct perf_event *event, u64 period)
{
	return period < LEAST_PERIOD ? -EINVAL : 0;
}

static int tame_begin(struct kunit *test)
{
	tame_pmu = (struct pmu) {
		.task_ctx_nr	= perf_hw_context,
		.event_init	= tame_init,
		.add		= tame_add,
		.del		= tame_del,
		.start		= tame_start,
		.stop		= tame_stop,
		.read		= tame_read,
		.check_period	= tame_check_period,
	};
	memset(&seen, 0, sizeof(seen));
	return perf_pmu_register(&tame_pmu, "pcl_kunit_tame", -1);
}

static struct perf_event_attr tame_attr(void)
{
	return (struct perf_event_attr) { .type = tame_pmu.type, .size = sizeof(struct perf_event_attr) };
}

static struct perf_event *tame_open(struct kunit *test, struct perf_event_attr *attr, struct task_struct *task)
{
	struct perf_event *event = perf_event_create_kernel_counter(attr, task ? -1 : 0, task, NULL, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	return event;
}

/* On CPU 0, in @leader's group. */
static struct perf_event *tame_join(struct kunit *test, struct perf_event_attr *attr, struct perf_event *leader)
{
	struct perf_event_context *ctx = leader->ctx;
	struct pcl_target target = { .cpu = 0 };
	struct perf_event *event = pcl_event_alloc(attr, &target, leader, NULL, NULL, NULL, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	event->owner = PCL_OWNER_KERNEL;
	mutex_lock(&ctx->mutex);
	KUNIT_EXPECT_EQ(test, pcl_bind_prepare(event, ctx), 0);
	pcl_bind(event, ctx);
	mutex_unlock(&ctx->mutex);
	return event;
}

/* ---- counters ---- */

static void read_local(void *event)
{
	as_from_nmi(event);
}

static void read_is_asked_only_of_a_counter_that_counts(struct kunit *test)
{
	struct perf_event_attr attr = tame_attr();
	struct perf_event *event = tame_open(test, &attr, NULL);
	unsigned int asked;

	KUNIT_ASSERT_TRUE(test, seen.counting);
	asked = seen.asked;
	smp_call_function_single(0, read_local, event, 1);
	KUNIT_EXPECT_EQ(test, seen.asked, asked + 1);
	perf_event_disable(event);
	perf_event_enable(event);
	perf_event_release_kernel(event);
	KUNIT_EXPECT_EQ(test, seen.asked_in_vain, 0U);
	perf_pmu_unregister(&tame_pmu);
}

/* 20 are too few events for a period of this PMU, and a good number of samples per second. */
static void frequency_is_no_period(struct kunit *test)
{
	struct perf_event_attr attr = tame_attr();
	struct perf_event *event;

	attr.sample_period = 1000;
	event = tame_open(test, &attr, NULL);
	KUNIT_EXPECT_EQ(test, perf_event_period(event, 20), -EINVAL);
	KUNIT_EXPECT_EQ(test, perf_event_period(event, LEAST_PERIOD), 0);
	perf_event_release_kernel(event);

	attr.freq = 1;
	event = tame_open(test, &attr, NULL);
	KUNIT_EXPECT_EQ(test, perf_event_period(event, 20), 0);
	KUNIT_EXPECT_EQ(test, event->attr.sample_freq, 20ULL);
	perf_event_release_kernel(event);
	perf_pmu_unregister(&tame_pmu);
}

/* ---- the tick ---- */

/* Whoever takes a CPU's locks notes the time there: no note, no lock. IRQs off. */
static void tick_here(void *info)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	bool *locked = info;

	cpu->stamp = 0;
	perf_event_task_tick();
	*locked = cpu->stamp;
}

static void tick_without_events_takes_no_lock(struct kunit *test)
{
	struct perf_event_attr attr = tame_attr();
	struct perf_event *event;
	bool locked;

	smp_call_function_single(0, tick_here, &locked, 1);
	KUNIT_EXPECT_FALSE(test, locked);

	event = tame_open(test, &attr, NULL);
	smp_call_function_single(0, tick_here, &locked, 1);
	KUNIT_EXPECT_FALSE(test, locked);
	perf_event_release_kernel(event);

	attr.freq = 1;
	attr.sample_freq = 100;
	event = tame_open(test, &attr, NULL);
	smp_call_function_single(0, tick_here, &locked, 1);
	KUNIT_EXPECT_TRUE(test, locked);
	perf_event_release_kernel(event);

	smp_call_function_single(0, tick_here, &locked, 1);
	KUNIT_EXPECT_FALSE(test, locked);
	perf_pmu_unregister(&tame_pmu);
}

/* ---- states ---- */

/* A warning on the console is a failure of the suite: each edge is in the table. */
static void state_of_who_cannot_count_alone(struct kunit *test)
{
	struct perf_event_attr attr = tame_attr();
	struct perf_event *leader = tame_open(test, &attr, NULL);
	struct perf_event *running, *off, *gone;
	struct perf_event_context *ctx;

	attr.config = NO_LONER;
	running = tame_join(test, &attr, leader);
	gone = tame_join(test, &attr, leader);
	attr.disabled = 1;
	off = tame_join(test, &attr, leader);
	ctx = pcl_context_lock(gone);
	pcl_unbind(gone, PCL_UNBIND_EXIT);
	pcl_context_unlock(ctx);
	KUNIT_EXPECT_EQ(test, (int)running->state, (int)PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, (int)gone->state, (int)PERF_EVENT_STATE_EXIT);
	KUNIT_EXPECT_EQ(test, (int)off->state, (int)PERF_EVENT_STATE_OFF);

	perf_event_release_kernel(leader);
	KUNIT_EXPECT_EQ(test, (int)running->state, (int)PERF_EVENT_STATE_ERROR);
	KUNIT_EXPECT_EQ(test, (int)gone->state, (int)PERF_EVENT_STATE_EXIT);
	KUNIT_EXPECT_EQ(test, (int)off->state, (int)PERF_EVENT_STATE_ERROR);

	perf_event_enable(off);
	KUNIT_EXPECT_EQ(test, (int)off->state, (int)PERF_EVENT_STATE_ERROR);
	perf_event_release_kernel(running);
	perf_event_release_kernel(gone);
	perf_event_release_kernel(off);
	perf_pmu_unregister(&tame_pmu);
}

/* ---- signals ---- */

/* What the signal would tell. IRQs off: the work that would send it comes later, and finds nothing to do. */
static u64 address_told(struct perf_event *event, bool user)
{
	struct pt_regs regs = pcl_test_regs(user, 0);
	struct perf_sample_data data;
	u64 address;

	perf_sample_data_init(&data, 0x1234, event->hw.sample_period);
	data.sample_flags |= PERF_SAMPLE_ADDR;
	perf_event_overflow(event, &data, &regs);
	address = event->pending_addr;
	event->pending_sigtrap = 0;
	return address;
}

static void overflow_here(void *info)
{
	struct perf_event *event = info;

	event->attr.sigtrap = 1;
	event->attr.exclude_kernel = 1;
	seen.address[0] = address_told(event, true);
	seen.address[1] = address_told(event, false);
	event->attr.exclude_kernel = 0;
	seen.address[2] = address_told(event, false);
	event->attr.sigtrap = 0;
}

/* An interrupt that comes late may find the kernel at work, whose addresses are none of a user's business. */
static void signals_tell_no_address_of_the_kernel(struct kunit *test)
{
	struct perf_event_attr attr = tame_attr();
	struct perf_event *event;

	attr.sample_period = 1000;
	event = tame_open(test, &attr, NULL);
	smp_call_function_single(0, overflow_here, event, 1);
	KUNIT_EXPECT_EQ(test, seen.address[0], 0x1234ULL);
	KUNIT_EXPECT_EQ(test, seen.address[1], 0ULL);
	KUNIT_EXPECT_EQ(test, seen.address[2], 0x1234ULL);
	perf_event_release_kernel(event);
	perf_pmu_unregister(&tame_pmu);
}

/* ---- inheritance ---- */

static int grandchild(void *unused)
{
	struct perf_event_context *ctx = pcl_context_own(current);

	if (ctx)
		seen.grandchild_state = list_first_entry(&ctx->event_list, struct perf_event, event_entry)->state;
	do_exit(0);
}

static void run_and_wait(int (*fn)(void *))
{
	pid_t pid;

	kernel_sigaction(SIGCHLD, SIG_DFL);
	pid = kernel_thread(fn, NULL, CLONE_FS | CLONE_FILES | SIGCHLD);
	if (pid > 0)
		kernel_wait(pid, NULL);
}

static int child(void *unused)
{
	run_and_wait(grandchild);
	do_exit(0);
}

/* The second copy is the grandchild's: its parent was looked at, and is changed before the copy joins the family. */
static int state_after_change(struct kunit *test, bool disabled, pcl_event_fn change)
{
	struct perf_event_attr attr = tame_attr();
	struct perf_event *event;

	attr.inherit = 1;
	attr.disabled = disabled;
	seen.copies = 0;
	seen.change_at = 2;
	seen.change = change;
	seen.grandchild_state = PERF_EVENT_STATE_DEAD;
	event = tame_open(test, &attr, current);
	run_and_wait(child);
	KUNIT_EXPECT_EQ(test, seen.copies, 2U);
	perf_event_release_kernel(event);
	return seen.grandchild_state;
}

static void enable_between_two_looks(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, state_after_change(test, true, pcl_enable), (int)PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, state_after_change(test, false, pcl_disable), (int)PERF_EVENT_STATE_OFF);
	perf_pmu_unregister(&tame_pmu);
}

static struct kunit_case event_cases[] = {
	KUNIT_CASE(read_is_asked_only_of_a_counter_that_counts),
	KUNIT_CASE(frequency_is_no_period),
	KUNIT_CASE(tick_without_events_takes_no_lock),
	KUNIT_CASE(state_of_who_cannot_count_alone),
	KUNIT_CASE(signals_tell_no_address_of_the_kernel),
	KUNIT_CASE(enable_between_two_looks),
	{ }
};

static struct kunit_suite event_suite = {
	.name = "pcl-event",
	.init = tame_begin,
	.test_cases = event_cases,
};

kunit_test_suite(event_suite);
