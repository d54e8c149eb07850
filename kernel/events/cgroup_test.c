// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: what a switch from cgroup to cgroup touches, and what it does not.
 *
 * The cgroups are made up, below the real root: a, a/b, c, and d, which has no events. Their events are of CPU 0, where
 * the switches are made, one behind the other with IRQs off; the scheduler's next one puts it right.
 */
#include <linux/cgroup.h>
#include <linux/smp.h>

#include "internal.h"
#include "made_up_test.h"

enum { A, B, C, D, NR_CGROUPS };

static struct perf_cgroup *cgroups[NR_CGROUPS];
static struct perf_event *events[NR_CGROUPS], *own;

static struct perf_cgroup *cgroup_make(struct kunit *test, struct perf_cgroup *parent)
{
	struct cgroup_subsys_state *css = perf_event_cgrp_subsys.css_alloc(&parent->css);

	KUNIT_ASSERT_FALSE(test, IS_ERR(css));
	css->parent = &parent->css;
	css->flags = CSS_NO_REF;
	return container_of(css, struct perf_cgroup, css);
}

static struct perf_cgroup *root(void)
{
	struct perf_cgroup *cgrp;

	rcu_read_lock();
	cgrp = perf_cgroup_from_task(current, NULL);
	while (pcl_cgroup_parent(cgrp))
		cgrp = pcl_cgroup_parent(cgrp);
	rcu_read_unlock();
	return cgrp;
}

static struct perf_event *event_of(struct kunit *test, struct perf_cgroup *cgrp, bool pinned)
{
	struct perf_event_context *ctx = &per_cpu_ptr(&pcl_cpus, 0)->ctx;
	struct perf_event_attr attr = made_up_attr();
	struct pcl_target target = { .cpu = 0 };
	struct perf_event *event;
	int err;

	attr.pinned = pinned;
	attr.context_switch = 1;	/* so that it has the scheduler's hooks from the start */
	event = pcl_event_alloc(&attr, &target, NULL, NULL, NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	event->owner = PCL_OWNER_KERNEL;
	event->cgrp = cgrp;
	mutex_lock(&ctx->mutex);
	err = pcl_bind_prepare(event, ctx);
	if (!err)
		pcl_bind(event, ctx);
	mutex_unlock(&ctx->mutex);
	KUNIT_ASSERT_EQ(test, err, 0);
	return event;
}

static void begin(struct kunit *test, bool pinned)
{
	cgroups[A] = cgroup_make(test, root());
	cgroups[B] = cgroup_make(test, cgroups[A]);
	cgroups[C] = cgroup_make(test, root());
	cgroups[D] = cgroup_make(test, root());
	own = made_up_open(test, false, false);
	events[A] = event_of(test, cgroups[A], pinned);
	events[B] = event_of(test, cgroups[B], pinned);
	events[C] = event_of(test, cgroups[C], pinned);
}

static void end(void)
{
	int i;

	for (i = A; i <= C; i++)
		perf_event_release_kernel(events[i]);
	perf_event_release_kernel(own);
	perf_pmu_unregister(&made_up_pmu);
	synchronize_rcu();	/* who walked the list of events */
	for (i = 0; i < NR_CGROUPS; i++)
		perf_event_cgrp_subsys.css_free(&cgroups[i]->css);
}

/* What one switch did. */
struct step {
	struct perf_cgroup *to;
	int added, deleted, paused;
	bool active[NR_CGROUPS], clock[NR_CGROUPS];
	unsigned int nr_queued;
	bool own_active;
};

struct steps {
	struct step *step;
	unsigned int nr;
};

static void step_make(struct pcl_cpu *cpu, struct step *step)
{
	struct made_up_calls *calls = &made_up_calls;
	int i;

	step->added = atomic_read(&calls->added);
	step->deleted = atomic_read(&calls->deleted);
	step->paused = atomic_read(&calls->paused);
	cpu->stamp += NSEC_PER_MSEC;	/* a moment later */
	pcl_context_set_now(&cpu->ctx, cpu->stamp);
	pcl_cgroup_switch(cpu, step->to);
	step->added = atomic_read(&calls->added) - step->added;
	step->deleted = atomic_read(&calls->deleted) - step->deleted;
	step->paused = atomic_read(&calls->paused) - step->paused;
	for (i = A; i <= C; i++) {
		step->active[i] = events[i]->state == PERF_EVENT_STATE_ACTIVE;
		step->clock[i] = per_cpu_ptr(cgroups[i]->info, 0)->clock.running;
	}
	step->own_active = own->state == PERF_EVENT_STATE_ACTIVE;
	step->nr_queued = own->slot->flexible.nr + own->slot->pinned.nr;
}

/* On CPU 0, IRQs off. */
static void steps_make(void *arg)
{
	struct perf_event_context *ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	struct pcl_cpu *cpu = pcl_cpu_lock(ctx);
	struct perf_cgroup *before = cpu->cgrp;
	struct steps *steps = arg;
	unsigned int i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < steps->nr; i++)
		step_make(cpu, &steps->step[i]);
	pcl_cgroup_switch(cpu, before);
	pcl_cpu_unlock(cpu, ctx);
}

static void expect_runs(struct kunit *test, const struct step *step, bool a, bool b, bool c)
{
	KUNIT_EXPECT_EQ(test, step->active[A], a);
	KUNIT_EXPECT_EQ(test, step->active[B], b);
	KUNIT_EXPECT_EQ(test, step->active[C], c);
	KUNIT_EXPECT_EQ(test, step->clock[A], a);
	KUNIT_EXPECT_EQ(test, step->clock[B], b);
	KUNIT_EXPECT_EQ(test, step->clock[C], c);
	KUNIT_EXPECT_EQ(test, step->nr_queued, 1U + a + b + c);
	KUNIT_EXPECT_TRUE(test, step->own_active);
}

/* From none of them to b, to a above it, to the same again, to c, to one without events. */
static void check_what_differs(struct kunit *test, bool pinned)
{
	struct step step[5];
	struct steps steps = { step, ARRAY_SIZE(step) };

	begin(test, pinned);
	step[0].to = cgroups[B];
	step[1].to = cgroups[A];
	step[2].to = cgroups[A];
	step[3].to = cgroups[C];
	step[4].to = cgroups[D];
	KUNIT_ASSERT_EQ(test, smp_call_function_single(0, steps_make, &steps, true), 0);

	expect_runs(test, &step[0], true, true, false);
	expect_runs(test, &step[1], true, false, false);
	KUNIT_EXPECT_EQ(test, step[1].added, 0);
	KUNIT_EXPECT_EQ(test, step[1].deleted, 1);
	KUNIT_EXPECT_EQ(test, step[1].paused, 1);
	expect_runs(test, &step[2], true, false, false);
	KUNIT_EXPECT_EQ(test, step[2].paused, 0);
	expect_runs(test, &step[3], false, false, true);
	KUNIT_EXPECT_EQ(test, step[3].paused, 1);
	expect_runs(test, &step[4], false, false, false);
	KUNIT_EXPECT_EQ(test, step[4].added, 0);
	KUNIT_EXPECT_EQ(test, step[4].deleted, 1);
	if (!pinned) {		/* what is pinned takes the flexible ones off for a moment */
		KUNIT_EXPECT_EQ(test, step[0].added, 2);
		KUNIT_EXPECT_EQ(test, step[0].deleted, 0);
		KUNIT_EXPECT_EQ(test, step[3].added, 1);
		KUNIT_EXPECT_EQ(test, step[3].deleted, 1);
	}
	end();
}

static void cgroup_touches_what_differs(struct kunit *test)
{
	check_what_differs(test, false);
}

static void cgroup_pinned_ones_wait_as_well(struct kunit *test)
{
	check_what_differs(test, true);
}

/* A step is a millisecond; an event's times are its cgroup's. */
static void cgroup_has_its_own_time(struct kunit *test)
{
	struct step step[4];
	struct steps steps = { step, ARRAY_SIZE(step) };
	int i;

	begin(test, false);
	step[0].to = cgroups[C];
	step[1].to = cgroups[B];	/* for a step */
	step[2].to = cgroups[A];	/* for another */
	step[3].to = cgroups[D];
	KUNIT_ASSERT_EQ(test, smp_call_function_single(0, steps_make, &steps, true), 0);
	for (i = A; i <= C; i++) {
		u64 enabled, running;

		perf_event_disable(events[i]);
		perf_event_read_value(events[i], &enabled, &running);
		KUNIT_EXPECT_EQ(test, enabled, (i == A ? 2ULL : 1ULL) * NSEC_PER_MSEC);
		KUNIT_EXPECT_EQ(test, running, enabled);
	}
	end();
}

/* Without an event of a cgroup a CPU follows none. */
static void cgroup_is_watched_while_there_are_events(struct kunit *test)
{
	struct pcl_cpu *cpu = per_cpu_ptr(&pcl_cpus, 0);

	KUNIT_EXPECT_NULL(test, cpu->cgrp);
	begin(test, false);
	KUNIT_EXPECT_NOT_NULL(test, cpu->cgrp);
	KUNIT_EXPECT_EQ(test, cpu->nr_of_cgroups, 3U);
	KUNIT_EXPECT_TRUE(test, per_cpu_ptr(root()->info, 0)->runs);
	end();
	KUNIT_EXPECT_NULL(test, cpu->cgrp);
	KUNIT_EXPECT_FALSE(test, per_cpu_ptr(root()->info, 0)->runs);
}

static struct kunit_case cgroup_cases[] = {
	KUNIT_CASE(cgroup_touches_what_differs),
	KUNIT_CASE(cgroup_pinned_ones_wait_as_well),
	KUNIT_CASE(cgroup_has_its_own_time),
	KUNIT_CASE(cgroup_is_watched_while_there_are_events),
	{ }
};

static struct kunit_suite cgroup_suite = {
	.name = "pcl-cgroup",
	.init = made_up_begin,
	.test_cases = cgroup_cases,
};

kunit_test_suite(cgroup_suite);
