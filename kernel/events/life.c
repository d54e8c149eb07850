// SPDX-License-Identifier: GPL-2.0
/*
 * The life of an event: made, referred to, freed.
 *
 * Concepts: an event is made whole before anybody can see it: its PMU has said yes, its sample plan is drawn, its
 * upward path (irq_work, task work) is set up. Binding it is another step (bind.c). When its last reference goes it is
 * unmade in the opposite order, and its memory is given back one RCU grace period later, since lists of events are
 * walked under RCU.
 *
 * The scheduler's hooks sit behind a static key that is on while any event needs them. The key is on, and every CPU
 * has seen it, before an event that needs it is bound; it goes off a second after the last one went, so that a tool
 * that opens and closes does not patch the kernel each time.
 *
 * Contexts: process context, may sleep. Locks: sched_key_mutex orders the key's first user and its last.
 */
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "internal.h"

DEFINE_STATIC_KEY_FALSE(perf_sched_events);

static atomic_t sched_key_users;
static DEFINE_MUTEX(sched_key_mutex);
static atomic64_t last_id;
static struct kmem_cache *event_cache;	/* kmalloc() has no size between half and double of what an event takes */

/* ---- the scheduler's key ---- */

static bool event_needs_sched(struct perf_event *event)
{
	return event->attach_state & PERF_ATTACH_TASK || event->attr.context_switch || has_branch_stack(event) ||
	       pcl_event_is_of_cgroup(event);
}

static void sched_key_get(void)
{
	if (atomic_inc_not_zero(&sched_key_users))
		return;

	mutex_lock(&sched_key_mutex);
	if (!atomic_read(&sched_key_users)) {
		static_branch_enable(&perf_sched_events);
		synchronize_rcu();	/* no CPU is still inside a switch that missed the hooks */
	}
	atomic_inc(&sched_key_users);
	mutex_unlock(&sched_key_mutex);
}

static void sched_key_off(struct work_struct *work)
{
	mutex_lock(&sched_key_mutex);
	if (atomic_dec_and_test(&sched_key_users))
		static_branch_disable(&perf_sched_events);
	mutex_unlock(&sched_key_mutex);
}

static DECLARE_DELAYED_WORK(sched_key_work, sched_key_off);

static void sched_key_put(void)
{
	if (!atomic_add_unless(&sched_key_users, -1, 1))
		schedule_delayed_work(&sched_key_work, HZ);
}

/* ---- PMUs that take one event at a time: either tasks' or CPUs' ---- */

static int exclusive_pmu_get(struct perf_event *event, struct pcl_why *why)
{
	struct pmu *pmu = event->pmu;
	bool got;

	if (!is_exclusive_pmu(pmu))
		return 0;
	if (event->attach_state & PERF_ATTACH_TASK)
		got = atomic_inc_unless_negative(&pmu->exclusive_cnt);
	else
		got = atomic_dec_unless_positive(&pmu->exclusive_cnt);
	return got ? 0 : pcl_refuse(why, PCL_REASON_PMU_EXCLUSIVE_KIND);
}

static void exclusive_pmu_put(struct perf_event *event)
{
	struct pmu *pmu = event->pmu;

	if (is_exclusive_pmu(pmu))
		atomic_add(event->attach_state & PERF_ATTACH_TASK ? -1 : 1, &pmu->exclusive_cnt);
}

/* ---- making ---- */

static void event_init_lists(struct perf_event *event)
{
	INIT_LIST_HEAD(&event->event_entry);
	INIT_LIST_HEAD(&event->sibling_list);
	INIT_LIST_HEAD(&event->group.entry);
	INIT_LIST_HEAD(&event->child_list);
	INIT_LIST_HEAD(&event->owner_entry);
	INIT_LIST_HEAD(&event->rb_entry);
	INIT_LIST_HEAD(&event->active_entry);
	INIT_LIST_HEAD(&event->addr_filters.list);
	INIT_HLIST_NODE(&event->hlist_entry);
	raw_spin_lock_init(&event->addr_filters.lock);
	mutex_init(&event->child_mutex);
	mutex_init(&event->mmap_mutex);
	init_waitqueue_head(&event->waitq);
}

static void event_init_period(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;

	/* In frequency mode the first sample comes at once, and teaches the rate. */
	hw->sample_period = event->attr.freq && event->attr.sample_freq ? 1 : event->attr.sample_period;
	hw->last_period = hw->sample_period;
	local64_set(&hw->period_left, hw->sample_period);
}

/* A child does what its parent does; else the ring, forwards or backwards, unless the kernel user brings a handler. */
static void event_init_handler(struct perf_event *event, perf_overflow_handler_t handler, void *context)
{
	if (!handler && event->parent) {
		handler = event->parent->overflow_handler;
		context = event->parent->overflow_handler_context;
	}
	if (!handler)
		handler = is_write_backward(event) ? perf_event_output_backward : perf_event_output_forward;
	event->overflow_handler = handler;
	event->overflow_handler_context = context;
}

static int event_check_target(struct perf_event_attr *attr, int cpu, bool of_task, struct pcl_why *why)
{
	if ((unsigned int)cpu >= nr_cpu_ids && (!of_task || cpu != -1))
		return pcl_refuse(why, PCL_REASON_CPU_NUMBER);
	if (attr->sigtrap && !of_task)
		return pcl_refuse(why, PCL_REASON_SIGTRAP_NEEDS_TASK);
	return 0;
}

/* Make it one of a cgroup. What a PMU counts for several CPUs is of no task. */
static int event_acquire_cgroup(struct perf_event *event, const struct pcl_target *target, struct pcl_why *why)
{
	if (!target->is_cgroup)
		return 0;
	if (event->pmu->task_ctx_nr == perf_invalid_context)
		return pcl_refuse(why, PCL_REASON_CGROUP_PMU);
	return pcl_cgroup_get(event, target->cgroup_fd, why);
}

/* What the PMU must say yes to; undone by event_release_pmu(). */
static int event_acquire_pmu(struct perf_event *event, const struct pcl_target *target, struct pcl_why *why)
{
	struct pmu *pmu;
	int err;

	if (event->attr.inherit && event->attr.sample_type & PERF_SAMPLE_READ &&
	    !(event->attr.sample_type & PERF_SAMPLE_TID))
		return pcl_refuse(why, PCL_REASON_INHERIT_READ);
	if (!has_branch_stack(event))
		event->attr.branch_sample_type = 0;

	event->why = why;
	pmu = pcl_pmu_find(event);
	event->why = NULL;
	if (IS_ERR(pmu))
		return PTR_ERR(pmu);

	err = pcl_aux_check_pmu(event, why);
	if (!err)
		err = event_acquire_cgroup(event, target, why);
	if (!err)
		err = exclusive_pmu_get(event, why);
	if (err) {
		pcl_cgroup_put(event);
		if (event->destroy)
			event->destroy(event);
		pcl_pmu_put(event);
	}
	return err;
}

static void event_release_pmu(struct perf_event *event)
{
	pcl_cgroup_put(event);
	if (event->destroy)
		event->destroy(event);
	exclusive_pmu_put(event);
	pcl_pmu_put(event);
}

static int event_acquire_output(struct perf_event *event, struct pcl_why *why)
{
	bool callchains = !event->parent && event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	int err;

	err = pcl_plan_make(event, why);
	if (err)
		return err;
	if (callchains) {
		err = get_callchain_buffers(event->attr.sample_max_stack);
		if (err) {
			pcl_plan_free(event);
			return err == -EOVERFLOW ? pcl_refuse(why, PCL_REASON_MAX_STACK) : err;
		}
	}
	err = pcl_refuse_security(why, security_perf_event_alloc(event));
	if (err) {
		if (callchains)
			put_callchain_buffers();
		pcl_plan_free(event);
	}
	return err;
}

static void event_release_output(struct perf_event *event)
{
	security_perf_event_free(event);
	if (!event->parent && event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		put_callchain_buffers();
	pcl_plan_free(event);
}

#ifdef CONFIG_EVENT_TRACING
/* Who came to a tracepoint while the event left its list may have looked at the filter until now. */
static void event_free_filter(struct perf_event *event)
{
	ftrace_profile_free_filter(event);
}
#else
static void event_free_filter(struct perf_event *event)
{
}
#endif

static void event_free_rcu(struct rcu_head *head)
{
	struct perf_event *event = container_of(head, struct perf_event, rcu_head);

	event_free_filter(event);
	put_pid_ns(event->ns);
	kfree(event->addr_filter_ranges);
	kmem_cache_free(event_cache, event);
}

/* Before the first event is made. */
void __init pcl_event_cache_init(void)
{
	event_cache = KMEM_CACHE(perf_event, SLAB_PANIC);
}

/**
 * pcl_event_alloc - make an event, bound to nothing yet
 * @attr: checked already
 * @target: where it shall count
 * @group_leader: NULL for its own
 * @parent: the event it is inherited from, never itself a child, or NULL
 * @handler: called on overflow instead of writing a sample; NULL: write one
 * @context: for the handler
 * @why: where a refusal is noted, or NULL
 *
 * Return: the event with one reference, its owner's, or an ERR_PTR: what the PMU says, -EINVAL, -ENOMEM, of a cgroup
 * also -EBADF and -ENOENT.
 */
struct perf_event *pcl_event_alloc(struct perf_event_attr *attr, const struct pcl_target *target,
				   struct perf_event *group_leader, struct perf_event *parent,
				   perf_overflow_handler_t handler, void *context, struct pcl_why *why)
{
	struct task_struct *task = target->task;
	int cpu = target->cpu;
	struct perf_event *event;
	int err;

	err = event_check_target(attr, cpu, task || parent, why);
	if (err)
		return ERR_PTR(err);

	event = kmem_cache_alloc_node(event_cache, GFP_KERNEL | __GFP_ZERO, cpu >= 0 ? cpu_to_node(cpu) : NUMA_NO_NODE);
	if (!event)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&pcl_nr_events);

	event_init_lists(event);
	pcl_overflow_init(event);
	atomic_long_set(&event->refcount, 1);
	event->attr = *attr;
	event->cpu = cpu;
	event->oncpu = -1;
	event->parent = parent;
	event->group_leader = group_leader ? group_leader : event;
	event->id = atomic64_inc_return(&last_id);
	event->ns = get_pid_ns(task_active_pid_ns(current));
	event->clock = parent ? parent->clock : local_clock;
	event->state = attr->disabled ? PERF_EVENT_STATE_OFF : PERF_EVENT_STATE_INACTIVE;
	event->event_caps = parent ? parent->event_caps : 0;
	if (task || parent)
		event->attach_state = PERF_ATTACH_TASK;
	if (task)
		event->hw.target = get_task_struct(task);
	event_init_handler(event, handler, context);
	event_init_period(event);

	err = event_acquire_pmu(event, target, why);
	if (err)
		goto free;
	if (event->pmu->task_ctx_nr == perf_sw_context)
		event->event_caps |= PERF_EV_CAP_SOFTWARE;
	event->group_caps = event->event_caps;
	event->is_told = pcl_record_is_told(event);

	err = pcl_addr_ranges_make(event);
	if (!err)
		err = event_acquire_output(event, why);
	if (err)
		goto release_pmu;

	if (!parent) {
		if (event->is_told)
			pcl_record_account(event, 1);
		if (event_needs_sched(event))
			sched_key_get();
	}
	return event;

release_pmu:
	event_release_pmu(event);
free:
	if (event->hw.target)
		put_task_struct(event->hw.target);
	atomic_dec(&pcl_nr_events);
	call_rcu(&event->rcu_head, event_free_rcu);
	return ERR_PTR(err);
}

/* ---- unmaking ---- */

/* Nobody refers to it, it is on no list and on no counter. */
static void event_free(struct perf_event *event)
{
	pcl_overflow_cancel(event);
	if (!event->parent) {
		if (event->is_told)
			pcl_record_account(event, -1);
		if (event_needs_sched(event))
			sched_key_put();
	}
	pcl_bpf_end(event);
	if (unlikely(event->addr_filter_ranges))
		pcl_addr_filters_end(event);
	pcl_buffer_detach(event);
	event_release_output(event);
	event_release_pmu(event);
	/* After destroy(), which may look at the task; before the context, whose last user a failed fork awaits. */
	if (event->hw.target)
		put_task_struct(event->hw.target);
	if (event->ctx)
		pcl_context_put(event->ctx);
	atomic_dec(&pcl_nr_events);
	call_rcu(&event->rcu_head, event_free_rcu);
}

/* Drop a reference. A child holds one on its parent. May sleep when it is the last. */
void pcl_event_put(struct perf_event *event)
{
	while (event && atomic_long_dec_and_test(&event->refcount)) {
		struct perf_event *parent = event->attach_state & PERF_ATTACH_CHILD_REF ? event->parent : NULL;

		event_free(event);
		event = parent;
	}
}
