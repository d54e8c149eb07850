// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: members of a set come and go. Tasks that are only memory stand for those that fork makes.
 */
#include <linux/hw_breakpoint.h>
#include <linux/slab.h>

#include "internal.h"
#include "made_up_test.h"

#define MEMBERS 6

struct family {
	struct perf_event *events[2];
	struct task_struct *tasks[MEMBERS];
};

/* An event of the current task, as if it had opened it: what the kernel opens for itself is not shared. */
static struct perf_event *open_inherited(struct kunit *test, struct perf_event_attr attr, struct perf_event *leader)
{
	struct perf_event *event;

	attr.inherit = 1;
	event = made_up_member(test, attr, true, leader);
	event->owner = current;
	return event;
}

static void family_open(struct kunit *test, struct family *family, struct perf_event_attr attr)
{
	family->events[0] = open_inherited(test, attr, NULL);
	family->events[1] = open_inherited(test, made_up_software(), NULL);
}

/* Its first event is of @attr. */
static void family_make_of(struct kunit *test, struct family *family, struct perf_event_attr attr)
{
	unsigned int i;

	family_open(test, family, attr);
	for (i = 0; i < MEMBERS; i++)
		family->tasks[i] = made_up_task(test);
}

static void family_make(struct kunit *test, struct family *family)
{
	family_make_of(test, family, made_up_attr());
}

static void family_free(struct kunit *test, struct family *family)
{
	unsigned int i;

	for (i = 0; i < MEMBERS; i++)
		made_up_task_end(test, family->tasks[i]);
	for (i = 0; i < ARRAY_SIZE(family->events); i++)
		perf_event_release_kernel(family->events[i]);
	perf_pmu_unregister(&made_up_pmu);
}

static unsigned int nr_copies(struct perf_event *event)
{
	struct list_head *entry;
	unsigned int nr = 0;

	list_for_each(entry, &event->child_list)
		nr++;
	return nr;
}

static struct perf_event_context *loaded(void)
{
	struct perf_event_context *ctx;

	preempt_disable();
	ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	preempt_enable();
	return ctx;
}

static void home_leaves(struct perf_event_context *home)
{
	mutex_lock(&home->mutex);
	pcl_set_reclaim(home);
	mutex_unlock(&home->mutex);
}

static struct perf_event *first_of(struct perf_event_context *ctx)
{
	return list_first_entry(&ctx->event_list, struct perf_event, event_entry);
}

static void set_is_one_for_all_members(struct kunit *test)
{
	struct family family;
	struct pcl_set *set;
	unsigned int i;

	family_make(test, &family);
	set = rcu_access_pointer(current->perf_event_set);
	KUNIT_ASSERT_NOT_NULL(test, set);
	for (i = 0; i < MEMBERS; i++) {
		KUNIT_EXPECT_PTR_EQ(test, rcu_access_pointer(family.tasks[i]->perf_event_set), set);
		KUNIT_EXPECT_NULL(test, pcl_context_own(family.tasks[i]));
	}
	/* As many copies as can run at once, and no more. */
	KUNIT_EXPECT_EQ(test, set->nr_instances, min_t(unsigned int, MEMBERS + 1, num_possible_cpus()));
	for (i = 0; i < ARRAY_SIZE(family.events); i++)
		KUNIT_EXPECT_EQ(test, nr_copies(family.events[i]), set->nr_instances);
	KUNIT_EXPECT_EQ(test, refcount_read(&set->members), (unsigned int)MEMBERS + 1);
	family_free(test, &family);
}

/* Whoever opened the events leaves, and another set comes with the next fork; the old one ends with its last member. */
static void set_is_left_with_the_home_context(struct kunit *test)
{
	struct perf_event_context *home;
	struct task_struct *later;
	struct family family;
	struct pcl_set *set;
	unsigned int nr;

	family_make(test, &family);
	set = rcu_access_pointer(current->perf_event_set);
	home = pcl_context_own(current);
	KUNIT_ASSERT_NOT_NULL(test, set);
	home_leaves(home);
	KUNIT_EXPECT_NULL(test, rcu_access_pointer(current->perf_event_set));
	KUNIT_EXPECT_NULL(test, home->set);
	KUNIT_EXPECT_PTR_EQ(test, loaded(), home);
	KUNIT_EXPECT_EQ(test, refcount_read(&set->members), (unsigned int)MEMBERS);

	nr = nr_copies(family.events[0]);
	later = made_up_task(test);
	KUNIT_EXPECT_PTR_NE(test, rcu_access_pointer(later->perf_event_set), set);
	KUNIT_EXPECT_PTR_EQ(test, rcu_access_pointer(later->perf_event_set),
			    rcu_access_pointer(current->perf_event_set));
	KUNIT_EXPECT_EQ(test, nr_copies(family.events[0]), nr + min_t(unsigned int, 2, num_possible_cpus()));
	made_up_task_end(test, later);
	family_free(test, &family);
}

/* The last member is not the one that opened the events: what was counted is in them. */
static void set_end_gives_counts_to_originals(struct kunit *test)
{
	struct perf_event_context *home, *instance;
	struct family family;
	u64 enabled, running, before;
	unsigned int i;

	family_make(test, &family);
	home = pcl_context_own(current);
	instance = rcu_access_pointer(current->perf_event_set)->mould;
	home_leaves(home);
	local64_add(1000, &first_of(instance)->count);
	before = perf_event_read_value(family.events[0], &enabled, &running);
	KUNIT_EXPECT_GE(test, before, 1000ULL);
	for (i = 0; i < MEMBERS; i++) {
		made_up_task_end(test, family.tasks[i]);
		KUNIT_EXPECT_EQ(test, nr_copies(family.events[0]) == 0, i == MEMBERS - 1);
	}
	KUNIT_EXPECT_GE(test, perf_event_read_value(family.events[0], &enabled, &running), before);
	for (i = 0; i < ARRAY_SIZE(family.events); i++)
		perf_event_release_kernel(family.events[i]);
	perf_pmu_unregister(&made_up_pmu);
}

/* The driver goes while contexts float: their slots of it go, and what else they hold stays. */
static void set_loses_a_pmu(struct kunit *test)
{
	struct family family;
	unsigned int i;

	family_make(test, &family);
	perf_pmu_unregister(&made_up_pmu);
	KUNIT_EXPECT_EQ(test, nr_copies(family.events[0]), 0U);
	KUNIT_EXPECT_NE(test, nr_copies(family.events[1]), 0U);
	for (i = 0; i < MEMBERS; i++)
		made_up_task_end(test, family.tasks[i]);
	perf_event_release_kernel(family.events[0]);
	perf_event_release_kernel(family.events[1]);
}

/* ---- what is shared ---- */

static struct perf_event_attr breakpoint_attr(void)
{
	return (struct perf_event_attr) {
		.type = PERF_TYPE_BREAKPOINT, .size = sizeof(struct perf_event_attr), .bp_type = HW_BREAKPOINT_W,
		.bp_addr = 0x1000, .bp_len = HW_BREAKPOINT_LEN_4,
	};
}

/* A child of the current task gets copies of @event and what else there is, or (@shared) is a member of its set. */
static void expect_shared(struct kunit *test, const char *what, struct perf_event *event, bool shared)
{
	struct task_struct *task = made_up_task(test);
	struct perf_event_context *own = pcl_context_own(task);
	int nr = pcl_context_own(current)->nr_events;

	KUNIT_EXPECT_EQ_MSG(test, !!rcu_access_pointer(task->perf_event_set), shared, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, own && own->nr_events == nr, !shared, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, !!rcu_access_pointer(current->perf_event_set), shared, "%s", what);
	made_up_task_end(test, task);
	perf_event_release_kernel(event);
	if (rcu_access_pointer(current->perf_event_set))
		home_leaves(pcl_context_own(current));
}

#define EXPECT_NOT_SHARED(test, change)							\
	do {										\
		struct perf_event_attr attr = made_up_attr();				\
											\
		attr.change;								\
		expect_shared(test, #change, open_inherited(test, attr, NULL), false);	\
	} while (0)

static void set_is_not_made_of_what_is_per_task(struct kunit *test)
{
	struct perf_event *event, *member;

	expect_shared(test, "nothing", open_inherited(test, made_up_attr(), NULL), true);
	EXPECT_NOT_SHARED(test, pinned = 1);
	EXPECT_NOT_SHARED(test, inherit_stat = 1);
	EXPECT_NOT_SHARED(test, enable_on_exec = 1);
	EXPECT_NOT_SHARED(test, remove_on_exec = 1);
	EXPECT_NOT_SHARED(test, sigtrap = 1);
	EXPECT_NOT_SHARED(test, precise_ip = 1);
	EXPECT_NOT_SHARED(test, sample_type = PERF_SAMPLE_BRANCH_STACK);
	expect_shared(test, "a breakpoint", open_inherited(test, breakpoint_attr(), NULL), false);
	event = open_inherited(test, made_up_attr(), NULL);
	event->owner = PCL_OWNER_KERNEL;
	expect_shared(test, "the kernel's", event, false);
	event = open_inherited(test, made_up_attr(), NULL);
	event->event_caps |= PERF_EV_CAP_TASK;
	expect_shared(test, "what goes with the task", event, false);
	event = open_inherited(test, made_up_attr(), NULL);
	member = open_inherited(test, made_up_attr(), event);
	member->event_caps |= PERF_EV_CAP_TASK;
	expect_shared(test, "a member that goes with it", event, false);
	perf_event_release_kernel(member);
	made_up_pmu.capabilities = PERF_PMU_CAP_EXCLUSIVE;
	expect_shared(test, "an exclusive PMU", open_inherited(test, made_up_attr(), NULL), false);
	perf_pmu_unregister(&made_up_pmu);
}

/* ---- switches ---- */

/* What the scheduler does when @next follows @task on this CPU; IRQs are off until the current task is back. */
static void follow_on(struct task_struct *task, struct task_struct *next)
{
	__perf_event_task_sched_out(task, next);
	__perf_event_task_sched_in(task, next);
}

/* The PMU is not touched, and what runs is the same context. */
static void set_member_follows_member(struct kunit *test)
{
	struct perf_event_context *before, *with[3];
	struct made_up_calls calls, after;
	struct family family;

	family_make(test, &family);
	local_irq_disable();
	calls = made_up_calls;
	before = loaded();
	follow_on(current, family.tasks[0]);
	with[0] = loaded();
	follow_on(family.tasks[0], family.tasks[1]);
	with[1] = loaded();
	follow_on(family.tasks[1], current);
	with[2] = loaded();
	after = made_up_calls;
	local_irq_enable();
	KUNIT_EXPECT_NOT_NULL(test, before);
	KUNIT_EXPECT_PTR_EQ(test, with[0], before);
	KUNIT_EXPECT_PTR_EQ(test, with[1], before);
	KUNIT_EXPECT_PTR_EQ(test, with[2], before);
	KUNIT_EXPECT_EQ(test, atomic_read(&after.added), atomic_read(&calls.added));
	KUNIT_EXPECT_EQ(test, atomic_read(&after.deleted), atomic_read(&calls.deleted));
	KUNIT_EXPECT_EQ(test, atomic_read(&after.paused), atomic_read(&calls.paused));
	family_free(test, &family);
}

/* Somebody else's turn: nothing of the set is left, and the next member finds something in the pool. */
static void set_makes_way_for_a_stranger(struct kunit *test)
{
	struct perf_event_context *with[3];
	struct task_struct *stranger;
	struct made_up_calls calls, after;
	struct family family;

	stranger = kzalloc(sizeof(*stranger), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, stranger);
	family_make(test, &family);
	local_irq_disable();
	calls = made_up_calls;
	follow_on(current, stranger);
	with[0] = loaded();
	follow_on(stranger, family.tasks[0]);
	with[1] = loaded();
	follow_on(family.tasks[0], stranger);
	follow_on(stranger, current);
	with[2] = loaded();
	after = made_up_calls;
	local_irq_enable();
	KUNIT_EXPECT_NULL(test, with[0]);
	KUNIT_ASSERT_NOT_NULL(test, with[1]);
	KUNIT_EXPECT_PTR_EQ(test, with[1]->set, rcu_access_pointer(current->perf_event_set));
	/* That with its own ids is left to the one at home. */
	KUNIT_EXPECT_PTR_NE(test, with[1], pcl_context_own(current));
	KUNIT_EXPECT_PTR_EQ(test, with[2], pcl_context_own(current));
	KUNIT_EXPECT_EQ(test, atomic_read(&after.added), atomic_read(&calls.added) + 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&after.deleted), atomic_read(&calls.deleted) + 2);
	family_free(test, &family);
	kfree(stranger);
}

/* The current task, whose home context is @home, becomes a member that has none, as a child would be. */
static void become_a_child(struct pcl_set *set, struct perf_event_context *home)
{
	struct pcl_cpu *cpu;

	home_leaves(home);
	refcount_inc(&set->members);
	local_irq_disable();
	cpu = pcl_cpu_lock(home);
	pcl_sched_unload(cpu, home);
	RCU_INIT_POINTER(current->perf_event_ctxp, NULL);
	rcu_assign_pointer(current->perf_event_set, set);
	pcl_cpu_unlock(cpu, home);
	pcl_sched_follow(current);
	local_irq_enable();
}

/* The instance that a member ran with is back in the pool before the member goes on, not with its next switch. */
static void set_exit_lets_go_of_the_cpu(struct kunit *test)
{
	struct perf_event_context *home, *with, *after;
	struct family family;
	struct pcl_set *set;
	bool back;

	family_make(test, &family);
	set = rcu_access_pointer(current->perf_event_set);
	home = pcl_context_own(current);
	become_a_child(set, home);
	with = loaded();
	pcl_set_exit();
	after = loaded();
	raw_spin_lock_irq(&set->lock);
	back = with && !list_empty(&with->pool_entry);
	raw_spin_unlock_irq(&set->lock);

	local_irq_disable();
	rcu_assign_pointer(current->perf_event_ctxp, home);
	pcl_sched_follow(current);
	local_irq_enable();
	KUNIT_ASSERT_NOT_NULL(test, with);
	KUNIT_EXPECT_NULL(test, after);
	KUNIT_EXPECT_TRUE(test, back);
	KUNIT_EXPECT_NULL(test, rcu_access_pointer(current->perf_event_set));
	KUNIT_EXPECT_EQ(test, refcount_read(&set->members), (unsigned int)MEMBERS);
	family_free(test, &family);
}

/* ---- periods ---- */

static void expect_period(struct kunit *test, struct perf_event_context *ctx, u64 period)
{
	KUNIT_ASSERT_NOT_NULL(test, ctx);
	KUNIT_EXPECT_EQ(test, first_of(ctx)->attr.sample_period, period);
	KUNIT_EXPECT_EQ(test, first_of(ctx)->hw.sample_period, period);
}

/* The family keeps what it inherited, also who leaves it later; who is born later has the new one. */
static void set_period_is_that_of_one_task(struct kunit *test)
{
	struct perf_event_attr attr = made_up_attr();
	struct perf_event_context *home;
	struct task_struct *later;
	struct family family;
	struct pcl_set *set;

	attr.sample_period = 1000;
	family_make_of(test, &family, attr);
	set = rcu_access_pointer(current->perf_event_set);
	home = pcl_context_own(current);
	mutex_lock(&home->mutex);
	KUNIT_EXPECT_EQ(test, pcl_set_period(family.events[0], 2000, NULL), 0);
	mutex_unlock(&home->mutex);
	KUNIT_EXPECT_NULL(test, home->set);
	KUNIT_EXPECT_NULL(test, rcu_access_pointer(current->perf_event_set));
	expect_period(test, home, 2000);
	expect_period(test, set->mould, 1000);

	KUNIT_EXPECT_EQ(test, pcl_set_leave(family.tasks[0]), 0);
	expect_period(test, pcl_context_own(family.tasks[0]), 1000);
	later = made_up_task(test);
	expect_period(test, rcu_access_pointer(later->perf_event_set)->mould, 2000);
	made_up_task_end(test, later);
	family_free(test, &family);
}

/* What a frequency has come to is inherited: of the family, not of the original, whose counter goes elsewhere. */
static void set_frequency_goes_on(struct kunit *test)
{
	struct perf_event_attr attr = made_up_attr();
	struct perf_event_context *own;
	struct family family;

	attr.freq = 1;
	attr.sample_freq = 1000;
	attr.disabled = 1;
	family_open(test, &family, attr);
	family.events[0]->hw.sample_period = 12345;
	family.tasks[0] = made_up_task(test);
	own = rcu_access_pointer(current->perf_event_set)->mould;
	KUNIT_EXPECT_EQ(test, first_of(own)->hw.sample_period, 12345ULL);
	KUNIT_EXPECT_EQ(test, first_of(own)->hw.last_period, 12345ULL);
	KUNIT_EXPECT_EQ(test, (u64)local64_read(&first_of(own)->hw.period_left), 12345ULL);
	family.events[0]->hw.sample_period = 777;
	KUNIT_EXPECT_EQ(test, pcl_set_leave(family.tasks[0]), 0);
	own = pcl_context_own(family.tasks[0]);
	KUNIT_ASSERT_NOT_NULL(test, own);
	KUNIT_EXPECT_EQ(test, first_of(own)->hw.sample_period, 12345ULL);
	made_up_task_end(test, family.tasks[0]);
	perf_event_release_kernel(family.events[0]);
	perf_event_release_kernel(family.events[1]);
	perf_pmu_unregister(&made_up_pmu);
}

static struct kunit_case set_cases[] = {
	KUNIT_CASE(set_is_one_for_all_members),
	KUNIT_CASE(set_is_left_with_the_home_context),
	KUNIT_CASE(set_end_gives_counts_to_originals),
	KUNIT_CASE(set_loses_a_pmu),
	KUNIT_CASE(set_is_not_made_of_what_is_per_task),
	KUNIT_CASE(set_member_follows_member),
	KUNIT_CASE(set_makes_way_for_a_stranger),
	KUNIT_CASE(set_exit_lets_go_of_the_cpu),
	KUNIT_CASE(set_period_is_that_of_one_task),
	KUNIT_CASE(set_frequency_goes_on),
	{ }
};

static struct kunit_suite set_suite = {
	.name = "pcl-set",
	.init = made_up_begin,
	.test_cases = set_cases,
};

kunit_test_suite(set_suite);
