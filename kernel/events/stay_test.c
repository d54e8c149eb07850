// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: what stays ACTIVE while its context is on no CPU, and what must not.
 *
 * The context of the running task is taken off its CPU and put back, as the scheduler does it.
 */
#include <linux/sched/clock.h>

#include "internal.h"
#include "made_up_test.h"

/*
 * What the made up PMU was asked for. Real switches of the running task ask it for the same, whenever they come; what
 * counts is what falls between context_off() and context_on(), where there are none.
 */
static struct {
	unsigned int away, back;
	int added, deleted;
	s64 folded;	/* on the way off, into the count of the event in question */
} before, asked;

/* IRQs are off from here to context_on(). */
static void context_off(struct perf_event_context *ctx)
{
	struct pcl_cpu *cpu;

	local_irq_disable();
	before.away = made_up_calls.away;
	before.back = made_up_calls.back;
	before.added = atomic_read(&made_up_calls.added);
	before.deleted = atomic_read(&made_up_calls.deleted);
	cpu = pcl_cpu_lock(ctx);
	if (cpu->task_ctx == ctx)
		pcl_sched_unload(cpu, ctx);
	pcl_cpu_unlock(cpu, ctx);
}

static void context_on(struct perf_event_context *ctx)
{
	struct pcl_cpu *cpu = pcl_cpu_lock(ctx);

	pcl_sched_load(cpu, ctx);
	pcl_cpu_unlock(cpu, ctx);
	asked.away = made_up_calls.away - before.away;
	asked.back = made_up_calls.back - before.back;
	asked.added = atomic_read(&made_up_calls.added) - before.added;
	asked.deleted = atomic_read(&made_up_calls.deleted) - before.deleted;
	made_up_calls.lost = NULL;
	local_irq_enable();
}

/* What is expected of @event off its CPU, and that it runs again on it, while the PMU has lost @lost, or nobody. */
static void expect_off_and_on_again(struct kunit *test, struct perf_event *event, enum perf_event_state off,
				    struct perf_event *lost)
{
	enum perf_event_state state;
	unsigned int nr_moving;

	local_irq_disable();
	made_up_calls.lost = lost;
	before.folded = local64_read(&event->count);
	context_off(event->ctx);
	state = event->state;
	nr_moving = event->group_leader->slot->nr_moving;
	asked.folded = local64_read(&event->count) - before.folded;
	context_on(event->ctx);
	KUNIT_EXPECT_EQ(test, (int)state, (int)off);
	KUNIT_EXPECT_EQ(test, nr_moving, 0U);
	KUNIT_EXPECT_EQ(test, (int)event->state, (int)PERF_EVENT_STATE_ACTIVE);
}

static void expect_off_and_on(struct kunit *test, struct perf_event *event, enum perf_event_state off)
{
	expect_off_and_on_again(test, event, off, NULL);
}

static struct perf_event_attr clock_attr(void)
{
	struct perf_event_attr attr = made_up_software();

	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	return attr;
}

static void stay_counting_software(struct kunit *test)
{
	struct perf_event *dummy = made_up_member(test, made_up_software(), true, NULL);
	struct perf_event *sibling = made_up_member(test, made_up_software(), true, dummy);
	struct perf_event *clock = made_up_member(test, clock_attr(), true, NULL);

	expect_off_and_on(test, dummy, PERF_EVENT_STATE_ACTIVE);
	expect_off_and_on(test, sibling, PERF_EVENT_STATE_ACTIVE);
	expect_off_and_on(test, clock, PERF_EVENT_STATE_ACTIVE);
	perf_event_release_kernel(clock);
	perf_event_release_kernel(sibling);
	perf_event_release_kernel(dummy);
	perf_pmu_unregister(&made_up_pmu);
}

/* A slot stays as a whole or not at all: with a sampling event, or an exclusive one, all come off. */
static void stay_not_with_who_moves(struct kunit *test)
{
	struct perf_event_attr sampling = made_up_software(), exclusive = made_up_software();
	struct perf_event *counting, *other;

	counting = made_up_member(test, made_up_software(), true, NULL);
	sampling.sample_period = 1;
	other = made_up_member(test, sampling, true, NULL);
	expect_off_and_on(test, counting, PERF_EVENT_STATE_INACTIVE);
	expect_off_and_on(test, other, PERF_EVENT_STATE_INACTIVE);
	perf_event_release_kernel(other);
	expect_off_and_on(test, counting, PERF_EVENT_STATE_ACTIVE);

	exclusive.exclusive = 1;
	other = made_up_member(test, exclusive, true, NULL);
	expect_off_and_on(test, counting, PERF_EVENT_STATE_INACTIVE);
	perf_event_release_kernel(other);
	perf_event_release_kernel(counting);
	perf_pmu_unregister(&made_up_pmu);
}

/* In a slot of hardware that must be taken off a software member goes with it. */
static void stay_not_with_hardware(struct kunit *test)
{
	struct perf_event *leader = made_up_member(test, made_up_attr(), true, NULL);
	struct perf_event *software = made_up_member(test, made_up_software(), true, leader);

	expect_off_and_on(test, leader, PERF_EVENT_STATE_INACTIVE);
	expect_off_and_on(test, software, PERF_EVENT_STATE_INACTIVE);
	perf_event_release_kernel(software);
	perf_event_release_kernel(leader);
	perf_pmu_unregister(&made_up_pmu);
}

/* Unless the PMU can count by difference: what it counts is folded, no more. */
static void stay_by_difference(struct kunit *test)
{
	struct perf_event *leader, *sibling, *software;

	made_up_can_stay();
	leader = made_up_member(test, made_up_attr(), true, NULL);
	sibling = made_up_member(test, made_up_attr(), true, leader);
	software = made_up_member(test, made_up_software(), true, leader);
	expect_off_and_on(test, leader, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, asked.away, 2U);
	KUNIT_EXPECT_EQ(test, asked.back, 2U);
	expect_off_and_on(test, sibling, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, asked.folded, (s64)MADE_UP_WORTH);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.deleted), 0);
	perf_event_release_kernel(software);
	perf_event_release_kernel(sibling);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.deleted), 1);
	perf_event_release_kernel(leader);
	perf_pmu_unregister(&made_up_pmu);
}

/* One finds its counter no more: those before it leave again, and all are put on like any other. */
static void stay_whole_or_not_at_all(struct kunit *test)
{
	struct perf_event *first, *second, *member, *third;

	made_up_can_stay();
	first = made_up_member(test, made_up_attr(), true, NULL);
	second = made_up_member(test, made_up_attr(), true, NULL);
	member = made_up_member(test, made_up_attr(), true, second);
	third = made_up_member(test, made_up_attr(), true, NULL);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.added), 4);
	expect_off_and_on_again(test, member, PERF_EVENT_STATE_ACTIVE, member);
	KUNIT_EXPECT_EQ(test, asked.back, 2U);
	KUNIT_EXPECT_EQ(test, asked.away, 4U + 2U);
	KUNIT_EXPECT_EQ(test, asked.deleted, 0);
	KUNIT_EXPECT_EQ(test, asked.added, 4);
	expect_off_and_on(test, third, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, asked.back, 4U);
	KUNIT_EXPECT_EQ(test, asked.added, 0);
	perf_event_release_kernel(third);
	perf_event_release_kernel(member);
	perf_event_release_kernel(second);
	perf_event_release_kernel(first);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.deleted), 4);
	perf_pmu_unregister(&made_up_pmu);
}

/* Evicted, or closed, while the PMU has no pointer to it: nothing is asked of the PMU. */
static void stay_is_let_go(struct kunit *test)
{
	struct perf_event *event, *other;
	struct perf_event_context *ctx;
	enum perf_event_state state;

	made_up_can_stay();
	event = made_up_member(test, made_up_attr(), true, NULL);
	other = made_up_member(test, made_up_attr(), true, NULL);
	ctx = event->ctx;
	local_irq_disable();
	before.folded = local64_read(&event->count);
	context_off(ctx);
	raw_spin_lock(&ctx->lock);
	pcl_context_set_now(ctx, local_clock());
	pcl_sched_evict(ctx);
	raw_spin_unlock(&ctx->lock);
	state = event->state;
	asked.folded = local64_read(&event->count) - before.folded;
	context_on(ctx);
	KUNIT_EXPECT_EQ(test, (int)state, (int)PERF_EVENT_STATE_INACTIVE);
	KUNIT_EXPECT_EQ(test, asked.away, 2U);
	KUNIT_EXPECT_EQ(test, asked.deleted, 0);
	KUNIT_EXPECT_EQ(test, asked.back, 0U);
	KUNIT_EXPECT_EQ(test, asked.added, 2);
	KUNIT_EXPECT_EQ(test, asked.folded, (s64)MADE_UP_WORTH);
	perf_event_release_kernel(other);
	perf_event_release_kernel(event);
	perf_pmu_unregister(&made_up_pmu);
}

/* One that waits for counters does not take the turn of those that run, at each switch; but when it is over. */
static void stay_until_the_turn_is_over(struct kunit *test)
{
	struct perf_event_attr disabled = made_up_attr();
	struct perf_event *runs, *waits;

	made_up_can_stay();
	runs = made_up_member(test, made_up_attr(), true, NULL);
	disabled.disabled = 1;
	waits = made_up_member(test, disabled, true, NULL);
	made_up_calls.refused = waits;
	made_up_pmu.slice_ms = 1000000;
	perf_event_enable(waits);
	KUNIT_EXPECT_EQ(test, (int)waits->state, (int)PERF_EVENT_STATE_INACTIVE);
	made_up_calls.refused = NULL;
	expect_off_and_on(test, runs, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, asked.back, 1U);
	KUNIT_EXPECT_EQ(test, (int)waits->state, (int)PERF_EVENT_STATE_INACTIVE);
	made_up_pmu.slice_ms = 0;
	expect_off_and_on(test, runs, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, (int)waits->state, (int)PERF_EVENT_STATE_ACTIVE);
	perf_event_release_kernel(waits);
	perf_event_release_kernel(runs);
	perf_pmu_unregister(&made_up_pmu);
}

/* A pinned group came meanwhile, which may need their counters: it comes first, and is not in error. */
static void stay_not_before_who_is_pinned(struct kunit *test)
{
	struct perf_event_attr attr = made_up_attr();
	struct perf_event *flexible, *pinned;
	struct perf_event_context *ctx;

	made_up_can_stay();
	flexible = made_up_member(test, made_up_attr(), true, NULL);
	ctx = flexible->ctx;
	attr.pinned = 1;
	attr.disabled = 1;
	pinned = made_up_member(test, attr, true, NULL);
	context_off(ctx);
	raw_spin_lock(&ctx->lock);
	pcl_event_set_state(pinned, PERF_EVENT_STATE_INACTIVE);
	pcl_queue_leader(pinned);
	raw_spin_unlock(&ctx->lock);
	context_on(ctx);
	KUNIT_EXPECT_EQ(test, asked.back, 0U);
	KUNIT_EXPECT_EQ(test, (int)pinned->state, (int)PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, (int)flexible->state, (int)PERF_EVENT_STATE_ACTIVE);
	perf_event_release_kernel(pinned);
	perf_event_release_kernel(flexible);
	perf_pmu_unregister(&made_up_pmu);
}

static void stay_until_it_has_a_page(struct kunit *test)
{
	struct perf_event *event = made_up_member(test, made_up_software(), true, NULL);
	unsigned int nr_moving;

	local_irq_disable();	/* until it is on again: a switch would find that it has no page */
	pcl_cpu_lock(event->ctx);
	pcl_stay_no_more(event);
	pcl_stay_no_more(event);	/* another mapping: once is enough */
	pcl_cpu_unlock(this_cpu_ptr(&pcl_cpus), event->ctx);
	nr_moving = event->slot->nr_moving;
	expect_off_and_on(test, event, PERF_EVENT_STATE_INACTIVE);
	KUNIT_EXPECT_EQ(test, nr_moving, 1U);
	perf_event_release_kernel(event);
	perf_pmu_unregister(&made_up_pmu);
}

/* Whoever changes something meanwhile finds nothing ACTIVE; the clock has what it had. */
static void stay_is_over_when_evicted(struct kunit *test)
{
	struct perf_event *clock = made_up_member(test, clock_attr(), true, NULL);
	struct perf_event_context *ctx = clock->ctx;
	enum perf_event_state state;
	u64 counted, evicted, time;

	context_off(ctx);
	clock->pmu->read(clock);
	counted = local64_read(&clock->count);
	raw_spin_lock(&ctx->lock);
	pcl_context_set_now(ctx, local_clock());
	pcl_sched_evict(ctx);
	raw_spin_unlock(&ctx->lock);
	state = clock->state;
	evicted = local64_read(&clock->count);
	time = clock->times.running;
	context_on(ctx);
	KUNIT_EXPECT_EQ(test, (int)state, (int)PERF_EVENT_STATE_INACTIVE);
	KUNIT_EXPECT_GT(test, counted, 0ULL);
	KUNIT_EXPECT_EQ(test, evicted, counted);
	KUNIT_EXPECT_EQ(test, time, counted);
	KUNIT_EXPECT_EQ(test, (int)clock->state, (int)PERF_EVENT_STATE_ACTIVE);
	perf_event_release_kernel(clock);
	perf_pmu_unregister(&made_up_pmu);
}

/* Enabled while others stayed: it goes on with the next load. */
static void stay_leaves_room_for_newcomers(struct kunit *test)
{
	struct perf_event *first = made_up_member(test, made_up_software(), true, NULL);
	struct perf_event_attr attr = made_up_software();
	struct perf_event *second;

	attr.disabled = 1;
	second = made_up_member(test, attr, true, NULL);
	context_off(first->ctx);
	raw_spin_lock(&first->ctx->lock);
	pcl_event_set_state(second, PERF_EVENT_STATE_INACTIVE);
	pcl_queue_leader(second);
	raw_spin_unlock(&first->ctx->lock);
	context_on(first->ctx);
	KUNIT_EXPECT_EQ(test, (int)first->state, (int)PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, (int)second->state, (int)PERF_EVENT_STATE_ACTIVE);
	perf_event_release_kernel(second);
	perf_event_release_kernel(first);
	perf_pmu_unregister(&made_up_pmu);
}

static struct kunit_case stay_cases[] = {
	KUNIT_CASE(stay_counting_software),
	KUNIT_CASE(stay_not_with_who_moves),
	KUNIT_CASE(stay_not_with_hardware),
	KUNIT_CASE(stay_by_difference),
	KUNIT_CASE(stay_whole_or_not_at_all),
	KUNIT_CASE(stay_is_let_go),
	KUNIT_CASE(stay_until_the_turn_is_over),
	KUNIT_CASE(stay_not_before_who_is_pinned),
	KUNIT_CASE(stay_until_it_has_a_page),
	KUNIT_CASE(stay_is_over_when_evicted),
	KUNIT_CASE(stay_leaves_room_for_newcomers),
	{ }
};

static struct kunit_suite stay_suite = {
	.name = "pcl-stay",
	.init = made_up_begin,
	.test_cases = stay_cases,
};

kunit_test_suite(stay_suite);
