/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the engine's files offer each other, one block per file, in layer order from the bottom: the table of contents.
 *
 * A file calls only files of its own layer above it in this list or of lower layers (tools/testing/pcl/checks holds the
 * tree to it). Overflow reaches upwards through an irq_work alone.
 */
#ifndef _KERNEL_EVENTS_INTERNAL_H
#define _KERNEL_EVENTS_INTERNAL_H

#include "types.h"

/* ================================ data: no locks, no task or CPU knowledge ======================================= */

/* time.c: clocks that stop, and times derived from state */
void pcl_clock_start(struct pcl_clock *clock, u64 now);
void pcl_clock_stop(struct pcl_clock *clock, u64 now);
void pcl_clock_advance(struct pcl_clock *clock, u64 now);
u64 pcl_clock_read(const struct pcl_clock *clock, u64 now);
void pcl_times_advance(struct pcl_times *times, enum perf_event_state state, u64 now);
void pcl_times_peek(const struct pcl_times *times, enum perf_event_state state, u64 now, u64 *enabled, u64 *running);

/* group.c: which group runs next */
void pcl_group_queue_init(struct pcl_group_queue *queue);
void pcl_group_enqueue(struct pcl_group_queue *queue, struct pcl_group *group);
void pcl_group_announce(struct pcl_group_queue *queue, struct pcl_group *group);	/* it waits apart from it */
void pcl_return_begin(struct pcl_return *back, struct pcl_group_queue *queue);
void pcl_return_expect(struct pcl_return *back, struct pcl_group *group);	/* all, before the first returns */
void pcl_return_group(struct pcl_return *back, struct pcl_group *group);	/* it waits apart no more */
void pcl_group_dequeue(struct pcl_group_queue *queue, struct pcl_group *group);
void pcl_group_charge(struct pcl_group_queue *queue, struct pcl_group *group, u64 ns);
void pcl_choice_begin(struct pcl_choice *choice, struct pcl_group_queue *queue, u64 now);
void pcl_choice_meet(struct pcl_choice *choice, struct pcl_group *group);	/* it takes part; before it is tried */
bool pcl_choice_miss(struct pcl_choice *choice, struct pcl_group *group, bool alone);	/* false: enough */
void pcl_choice_end(struct pcl_choice *choice);
#define pcl_group_for_each(group, queue)	list_for_each_entry((group), &(queue)->head, entry)
#define pcl_group_for_each_safe(group, tmp, queue) list_for_each_entry_safe((group), (tmp), &(queue)->head, entry)

/* ring.c: positions in a ring; prototypes in ring.h, since it also builds in user space */

/* ================================ object ========================================================================= */

/* refuse.c: to say no, and why */
int pcl_refuse(struct pcl_why *why, enum pcl_reason reason);	/* the errno of the reason's row */
int pcl_refuse_err(struct pcl_why *why, enum pcl_reason reason, int err);	/* @err, decided by others */
const char *pcl_reason_text(enum pcl_reason reason);
s32 pcl_reason_field(enum pcl_reason reason);
/* @err: what the security module says; 0: nothing against it */
static inline int pcl_refuse_security(struct pcl_why *why, int err)
{
	return err ? pcl_refuse_err(why, PCL_REASON_SECURITY_MODULE, err) : 0;
}

/* May the caller count the kernel, a whole CPU? @reason: of the refusal by kernel.perf_event_paranoid */
int pcl_allow_kernel(struct perf_event_attr *attr, enum pcl_reason reason, struct pcl_why *why);
int pcl_allow_cpu(struct perf_event_attr *attr, enum pcl_reason reason, struct pcl_why *why);

/* callchain.c: call chains; the other prototypes are in linux/perf_event.h */
struct perf_callchain_entry *pcl_callchain_whole(struct perf_event *event, struct pt_regs *regs);

/* attr.c: is this attr well-formed? */
int pcl_attr_check(struct perf_event_attr *attr, struct pcl_why *why);

/* usercopy.c: structures of any size from user space, and the answer to struct pcl_open */
int pcl_attr_copy(struct perf_event_attr __user *uattr, struct perf_event_attr *attr, struct pcl_why *why);
int pcl_open_copy(struct pcl_open __user *uopen, struct pcl_open *open, struct pcl_why *why);
int pcl_open_answer(struct pcl_open __user *uopen, const struct pcl_open *open, const struct pcl_why *why);

/* addr_filter.c: filters of addresses, as a text and as ranges */
struct vm_area_struct;
extern atomic_t pcl_nr_file_filters;
int pcl_addr_filters_parse(char *text, bool of_task, struct list_head *filters, struct pcl_why *why);	/* may sleep */
void pcl_addr_filters_free(struct list_head *filters);
void pcl_addr_filters_replace(struct perf_event *event, struct list_head *filters);	/* ctx->mutex */
void pcl_addr_filters_end(struct perf_event *event);
int pcl_addr_ranges_make(struct perf_event *event);
void pcl_addr_ranges_copy(struct perf_event *child, struct perf_event *from);	/* the original's child_mutex */
bool pcl_addr_filter_fit(const struct perf_addr_filter *filter, const struct vm_area_struct *vma,
			 struct perf_addr_filter_range *range);

/* context.c: find, make, lock and release contexts */
void pcl_context_init(struct perf_event_context *ctx, struct task_struct *task, int cpu);
struct perf_event_context *pcl_context_of_task(struct task_struct *task);	/* find or make; ref; ERR_PTR */
struct perf_event_context *pcl_context_of_new_task(struct task_struct *task);	/* in fork */
struct perf_event_context *pcl_context_that_stands_for(struct task_struct *task);	/* its own, or its set's. RCU */
struct perf_event_context *pcl_context_unowned(void);		/* of no task, on no CPU; NULL */
struct perf_event_context *pcl_context_take(struct pcl_set *set, struct perf_event_context *own); /* IRQs off */
void pcl_context_give(struct pcl_set *set, struct perf_event_context *ctx);	/* back to the pool. IRQs off */
/* Of current, or of a task that is being made or that exits: nobody else changes the pointer. NULL: none. */
static inline struct perf_event_context *pcl_context_own(struct task_struct *task)
{
	return rcu_dereference_protected(task->perf_event_ctxp, 1);
}

void pcl_context_get(struct perf_event_context *ctx);
void pcl_context_put(struct perf_event_context *ctx);
struct pcl_slot *pcl_context_find_slot(struct perf_event_context *ctx, struct pmu *pmu); /* mutex or lock; NULL */
void pcl_slot_init(struct pcl_slot *slot, struct perf_event_context *ctx, struct pmu *pmu);
struct pcl_slot *pcl_context_slot(struct perf_event_context *ctx, struct pmu *pmu); /* find or make; ctx->mutex; NULL */
struct perf_event_context *pcl_context_with_slot(struct pmu *pmu);	/* some task's, with a reference; NULL: none */
void pcl_context_free_slot(struct pcl_slot *slot);		/* off its context's list already */
struct perf_event_context *pcl_context_lock(struct perf_event *event);	/* event->ctx with its mutex and a reference */
void pcl_context_unlock(struct perf_event_context *ctx);
u64 pcl_context_time(struct perf_event_context *ctx);	/* any context; reads the clock without the lock */
void pcl_context_set_now(struct perf_event_context *ctx, u64 stamp);	/* ctx->lock, as an operation begins */

/* cgroup_target.c: cgroups as targets: found, and given back */
#ifdef CONFIG_CGROUP_PERF
int pcl_cgroup_get(struct perf_event *event, int fd, struct pcl_why *why);	/* may sleep */
u64 pcl_cgroup_time(struct perf_event *event, u64 now);
static inline bool pcl_event_is_of_cgroup(const struct perf_event *event)
{
	return event->cgrp;
}

/* The event is bound nowhere any more. */
static inline void pcl_cgroup_put(struct perf_event *event)
{
	if (event->cgrp)
		css_put(&event->cgrp->css);
}

/* The time of an event's target, which is its cgroup's or its context's, when it is @now in the context. */
static inline u64 pcl_event_target_time(struct perf_event *event, u64 now)
{
	return unlikely(event->cgrp) ? pcl_cgroup_time(event, now) : now;
}

/* NULL: it is the root. */
static inline struct perf_cgroup *pcl_cgroup_parent(struct perf_cgroup *cgrp)
{
	return cgrp->css.parent ? container_of(cgrp->css.parent, struct perf_cgroup, css) : NULL;
}

/* What the CPU of an event of a cgroup keeps of that. */
static inline struct perf_cgroup_info *pcl_cgroup_info(struct perf_event *event)
{
	return per_cpu_ptr(event->cgrp->info, event->ctx->cpu);
}

/* Is it of no cgroup, or of one that runs? ctx->lock, or on its CPU with preemption off. */
static inline bool pcl_cgroup_runs(struct perf_event *event)
{
	return !event->cgrp || READ_ONCE(pcl_cgroup_info(event)->runs);
}
#else
static inline int pcl_cgroup_get(struct perf_event *event, int fd, struct pcl_why *why)
{
	return pcl_refuse(why, PCL_REASON_CGROUP_CONFIG);
}

static inline void pcl_cgroup_put(struct perf_event *event)
{
}

static inline u64 pcl_event_target_time(struct perf_event *event, u64 now)
{
	return now;
}

static inline bool pcl_event_is_of_cgroup(const struct perf_event *event)
{
	return false;
}

static inline bool pcl_cgroup_runs(struct perf_event *event)
{
	return true;
}
#endif

/* event.c: what an event knows of itself: state, times, count */
bool pcl_event_get(struct perf_event *event);	/* false: already dying */
void pcl_event_set_state(struct perf_event *event, enum perf_event_state state);	/* ctx->lock */
void pcl_event_update_time(struct perf_event *event);	/* ctx->lock */
void pcl_event_times_at(struct perf_event *event, u64 stamp, u64 *enabled, u64 *running);	/* as the next one */
void pcl_event_times_now(struct perf_event *event, u64 *enabled, u64 *running);	/* on its CPU, or with ctx->lock */
enum perf_event_state pcl_event_effective_state(struct perf_event *event);
int pcl_event_set_clock(struct perf_event *event, clockid_t id, struct pcl_why *why);
bool pcl_event_is_kernel(struct perf_event *event);	/* opened by the kernel, not by a task */
bool pcl_event_matches(struct perf_event *event);	/* may it run on this CPU now? IRQs off */
u64 pcl_event_now(struct perf_event *event);	/* its target's time at the operation under way; ctx->lock */
bool pcl_event_counts_here(struct perf_event *event);	/* IRQs off, or NMI */
bool pcl_event_needs_leader(const struct perf_event *event);	/* a member that stops when it loses its leader */
extern atomic_t pcl_nr_events, pcl_nr_contexts, pcl_nr_rings;	/* live objects, /sys/kernel/pcl/objects */

/* Nothing but an NMI comes between. Of SPARC's own, an interrupt of the highest level, lockdep is not told. */
#define pcl_assert_irqs_off_or_nmi()		\
do {						\
	if (!in_nmi())				\
		lockdep_assert_irqs_disabled();	\
} while (0)

/* pmu.c: drivers come and go, and are found */
struct pmu *pcl_pmu_find(struct perf_event *event);	/* runs event_init; ERR_PTR; pins the module */
void pcl_pmu_put(struct perf_event *event);		/* after destroy() */
int pcl_pmu_sysfs_init(void);
int pcl_pmu_for_each(int (*fn)(struct pmu *pmu, void *arg), void *arg);	/* under pmus_lock; may sleep */
void pcl_pmu_withdraw(struct pmu *pmu);			/* for unregister.c: nobody finds it any more */
struct perf_event *pcl_pmu_some_event(struct pmu *pmu);	/* with a reference; NULL */
bool pcl_pmu_has_events(struct pmu *pmu);
void pcl_pmu_replace(struct perf_event *event, struct pmu *to);
void pcl_pmu_release(struct pmu *pmu);
struct pmu *pcl_pmu_hold(struct perf_event *event, int *index);	/* until pcl_pmu_let_go(); process context */
void pcl_pmu_let_go(int index);
void pcl_pmu_mapped(struct perf_event *event, struct mm_struct *mm);	/* tells the driver, though it may be going */
void pcl_pmu_unmapped(struct perf_event *event, struct mm_struct *mm);
static inline struct pcl_pmu_cpu *pcl_pmu_this_cpu(struct pmu *pmu)
{
	return this_cpu_ptr(pmu->cpus);
}

/* buffer.c: a ring's pages, who is attached, its references */
int pcl_buffer_set_output(struct perf_event *event, struct perf_event *target, struct pcl_why *why);
void pcl_buffer_detach(struct perf_event *event);
struct perf_buffer *pcl_buffer_get(struct perf_event *event);	/* RCU; NULL */
void pcl_buffer_put(struct perf_buffer *rb);
void pcl_buffer_follow(struct perf_event *event);	/* event->cpu is new: the ring's too, when all moved */
int pcl_buffer_pause(struct perf_event *event, bool pause);
__poll_t pcl_buffer_poll(struct perf_event *event);	/* events pending, cleared */
void pcl_buffer_wake(struct perf_event *event);	/* not NMI: wakes waiters of the ring */

/* ================================ output: NMI-safe =============================================================== */

/* record_kinds.c: what stands in each record but the sample, one table; prototypes in output.h and record.h */

/* output.c: begin and end a record; prototypes in linux/perf_event.h and output.h */

/* sample_memory.c, sample_user.c: fields of samples; prototypes in sample.h */

/* aux_group.c: what members have of their leader's AUX area; the prototypes of its field in sample.h */
int pcl_aux_check_pmu(struct perf_event *event, struct pcl_why *why);	/* as it is made */
int pcl_aux_check_leader(struct perf_event *event, struct pcl_why *why);	/* ctx->mutex */
void pcl_aux_pause(struct perf_event *event, bool pause);	/* at its overflows; false: resume */

/* sample.c: the table of sample fields; plans, sizes, writing */
int pcl_plan_make(struct perf_event *event, struct pcl_why *why);	/* at open; sets event->plan */
void pcl_plan_free(struct perf_event *event);
void pcl_event_read_size(struct perf_event *leader);	/* recompute read_size of a group; ctx->mutex */
bool pcl_read_size_fits(struct perf_event *event, struct perf_event *leader);	/* within 16 KiB */

/* record.c: who is told what happens */
void pcl_record_task(struct task_struct *task, struct perf_event_context *ctx, bool is_new);	/* FORK, EXIT */
void pcl_record_switch(struct task_struct *task, struct task_struct *other, bool in);
void pcl_record_throttle(struct perf_event *event, bool throttled);
void pcl_record_itrace_start(struct perf_event *event);
void pcl_record_read(struct perf_event *event, struct task_struct *task);	/* inherit_stat: READ, as it ends */
void pcl_record_account(struct perf_event *event, int delta);	/* +1 before the first record, -1 after the last */
bool pcl_record_is_told(const struct perf_event *event);

/* budget.c: how many samples an event may have in a tick; prototypes in linux/perf_event.h and overflow.h */

/* work.c: from an overflow upwards, out of NMI */
void pcl_overflow_init(struct perf_event *event);	/* irq_work and task work, when the event is made */
void pcl_overflow_cancel(struct perf_event *event);	/* before the event is freed */
void pcl_overflow_off(struct perf_event *event);	/* off its counter; ctx->lock */
void pcl_event_put_later(struct perf_event *event);	/* not here, if it is the last; in process context */

/* bpf.c: the program of an event */
#ifdef CONFIG_BPF_EVENTS
struct bpf_prog *pcl_bpf_of(struct perf_event *event);	/* the one that is run at overflows, or NULL */
void pcl_bpf_set(struct perf_event *event, struct bpf_prog *prog, u64 cookie);
void pcl_bpf_copy(struct perf_event *child, struct perf_event *from);	/* the original's child_mutex */
void __pcl_bpf_end(struct perf_event *event);
/* It has no program any more. Not with a CPU's ctx->mutex */
static inline void pcl_bpf_end(struct perf_event *event)
{
	if (READ_ONCE(event->prog))
		__pcl_bpf_end(event);
}
#else
static inline struct bpf_prog *pcl_bpf_of(struct perf_event *event)
{
	return NULL;
}

static inline void pcl_bpf_set(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	/* there are no programs of the type */
}

static inline void pcl_bpf_copy(struct perf_event *child, struct perf_event *from)
{
}

static inline void pcl_bpf_end(struct perf_event *event)
{
}
#endif

/* overflow.c: period, throttle, and what an overflow sets off */
bool pcl_overflow_tick_begin(void);			/* was any event throttled since the last tick? */
bool pcl_overflow_tick_wanted(struct pcl_cpu *cpu, bool throttled);	/* is there anything to do? No locks */
void pcl_overflow_tick(struct pcl_cpu *cpu, bool throttled);	/* unthrottle, adjust frequencies; both locked */
int pcl_overflow_sw(struct perf_event *event, int throttle, struct perf_sample_data *data, struct pt_regs *regs);

/* ================================ placement ====================================================================== */

/* life.c: make and free events */
void pcl_event_cache_init(void);
struct perf_event *pcl_event_alloc(struct perf_event_attr *attr, const struct pcl_target *target,
				   struct perf_event *group_leader, struct perf_event *parent,
				   perf_overflow_handler_t handler, void *context, struct pcl_why *why);
void pcl_event_put(struct perf_event *event);	/* may sleep when it is the last */

/* The leader whose place in a queue @place is, a struct pcl_group. */
#define pcl_leader_of(place)			container_of((place), struct perf_event, group)

/* queue.c: groups in the queues of their slots, or apart from them; ctx->lock */
void pcl_queue_leader(struct perf_event *leader);	/* queued if, and only if, it wants to run */
void pcl_queue_move(struct perf_event *leader, struct pcl_slot *slot);	/* with its time; it is off the hardware */
void pcl_queue_for(struct perf_event_context *ctx, int cpu);	/* a task's, which is being loaded there */
#ifdef CONFIG_CGROUP_PERF
void pcl_queue_cgroup_apart(struct perf_cgroup_info *info);	/* it runs no more, its groups are off */
void pcl_queue_cgroups_back(struct pcl_slot *slot, struct perf_cgroup *first, struct perf_cgroup *above);
#endif

/* stay.c: what stays ACTIVE while its context is on no CPU. ctx->lock held */
bool pcl_stay_moves(struct perf_event *event);	/* not this one */
void pcl_stay_no_more(struct perf_event *event);	/* it has a control page from now on */
void pcl_stay_away(struct pcl_slot *slot);
bool pcl_stay_back(struct pcl_slot *slot);

/* sched.c: groups on and off the hardware of this CPU. All: IRQs off, with both contexts' locks */
struct pcl_cpu *pcl_cpu_lock(struct perf_event_context *task_ctx);	/* this CPU's context and, if given, a task's */
void pcl_cpu_unlock(struct pcl_cpu *cpu, struct perf_event_context *task_ctx);
void pcl_sched_group_in(struct perf_event *leader);	/* newly wanted: make room if its rank says so */
void pcl_sched_group_out(struct perf_event *leader);
void pcl_sched_leader_out(struct perf_event *leader);	/* its members shall go on alone, if they can where they are */
/* Such a member, of a group of @from, queued as a leader now */
void pcl_sched_group_stays(struct perf_event *leader, struct pcl_slot *from);
bool pcl_sched_event_in(struct perf_event *event);	/* one member, its leader runs; false: does not fit */
void pcl_sched_event_out(struct perf_event *event);
void pcl_sched_again(struct pmu *pmu);		/* everything of this PMU out and in again, by rank */
bool pcl_sched_share(struct pcl_pmu_cpu *pc);	/* slice over: who ran least runs next; false: nobody waits */
void pcl_sched_load(struct pcl_cpu *cpu, struct perf_event_context *ctx);	/* a task's context onto this CPU */
void pcl_sched_unload(struct pcl_cpu *cpu, struct perf_event_context *ctx);
void pcl_sched_evict(struct perf_event_context *ctx);	/* on no CPU: what stayed in its slots comes off */
bool pcl_sched_arrive(struct pcl_cpu *cpu, struct perf_event_context *ctx);	/* load; no lock held; false: empty */
void pcl_sched_depart(struct pcl_cpu *cpu, struct perf_event_context *ctx);	/* unload; no lock held */
void pcl_sched_settle(struct pcl_slot *slot);	/* a CPU's, whose groups came and went at a switch of cgroups */

/* cgroup_switch.c: which cgroups run on a CPU, and their groups with them. IRQs off, on that CPU */
#ifdef CONFIG_CGROUP_PERF
void __pcl_cgroup_bind(struct perf_event *event);
void __pcl_cgroup_unbind(struct perf_event *event);
/* First of all, as it is bound, if it is of one. ctx->lock */
static inline void pcl_cgroup_bind(struct perf_event *event)
{
	lockdep_assert_held(&event->ctx->lock);
	if (event->cgrp)
		__pcl_cgroup_bind(event);
}

/* Last of all. ctx->lock */
static inline void pcl_cgroup_unbind(struct perf_event *event)
{
	lockdep_assert_held(&event->ctx->lock);
	if (event->cgrp)
		__pcl_cgroup_unbind(event);
}

void pcl_cgroup_switch(struct pcl_cpu *cpu, struct perf_cgroup *to);	/* both contexts' locks */
void pcl_cgroup_follow(struct pcl_cpu *cpu, struct task_struct *task);	/* it runs from now on, no lock held */
static inline bool pcl_cgroup_is_watched(const struct pcl_cpu *cpu)
{
	return cpu->cgrp;
}
#else
static inline void pcl_cgroup_bind(struct perf_event *event)
{
}

static inline void pcl_cgroup_unbind(struct perf_event *event)
{
}

static inline void pcl_cgroup_follow(struct pcl_cpu *cpu, struct task_struct *task)
{
}

static inline bool pcl_cgroup_is_watched(const struct pcl_cpu *cpu)
{
	return false;
}
#endif

/* switch.c: the scheduler's hooks */
void pcl_sched_follow(struct task_struct *task);	/* current: load what it runs with, no lock held */

/* rotate.c: sharing counters over time */
void pcl_rotate_init(struct pcl_pmu_cpu *pc);

/* remote.c: run something where a context is, with its lock */
typedef void (*pcl_remote_fn)(struct perf_event_context *ctx, void *arg);	/* IRQs off, ctx->lock */
void pcl_remote(struct perf_event_context *ctx, pcl_remote_fn fn, void *arg);	/* may sleep */
void pcl_remote_look(struct perf_event_context *ctx, pcl_remote_fn fn, void *arg);	/* @fn changes no state */
bool pcl_remote_is_nowhere(struct perf_event_context *ctx);	/* a task's; as long as ctx->lock is held */

/* bind.c: put an event on a target, take it off, move it. All: ctx->mutex */
struct pmu *pcl_group_pmu(struct perf_event *event);	/* in whose slot its group belongs */
int pcl_bind_prepare(struct perf_event *event, struct perf_event_context *ctx);	/* what may fail */
void pcl_bind(struct perf_event *event, struct perf_event_context *ctx);	/* after pcl_bind_prepare() */
enum pcl_unbind {
	PCL_UNBIND_KEEP,	/* to be bound elsewhere at once: group and state stay */
	PCL_UNBIND_GONE,	/* the CPU or the PMU is gone: OFF, group dissolved */
	PCL_UNBIND_EXIT,	/* the task is gone: EXIT, originals keep their group */
	PCL_UNBIND_EXEC,	/* the program is gone, the task goes on: EXIT, group dissolved */
	PCL_UNBIND_DEAD,	/* closed: DEAD, group dissolved */
};

void pcl_unbind(struct perf_event *event, enum pcl_unbind how);
void pcl_child_detach(struct perf_event *child);	/* parent's child_mutex: fold into the parent, leave its list */

/* copy.c: events like those of one context, in another */
int pcl_copy_group(struct perf_event *from, struct task_struct *task, struct perf_event_context *ctx);
void pcl_copies_end(struct perf_event_context *ctx);	/* ctx->mutex */

/* set.c: what a family inherits, counted by contexts that float among its tasks */
struct pcl_set *pcl_set_make(struct perf_event_context *home);	/* home->mutex; NULL: not to be shared; ERR_PTR */
struct pcl_set *pcl_set_join(void);			/* in fork: current's, for a member more; NULL; ERR_PTR */
void pcl_set_put(struct pcl_set *set);			/* a member less */
void pcl_set_reclaim(struct perf_event_context *home);	/* home->mutex: it floats no more */
int pcl_set_leave(struct task_struct *task);		/* it gets a context of its own */
void pcl_set_exit(void);				/* current exits */

/* control.c: change an event from outside. ctx->mutex, or the event cannot move */
void pcl_enable(struct perf_event *event);	/* this event alone */
void pcl_enable_on_exec(struct perf_event_context *ctx);	/* events of current begin with its program */
void pcl_disable(struct perf_event *event);
void pcl_reset(struct perf_event *event);
int pcl_refresh(struct perf_event *event, int refresh);
int pcl_set_period(struct perf_event *event, u64 value, struct pcl_why *why);
typedef void (*pcl_event_fn)(struct perf_event *event);
void pcl_with_children(struct perf_event *event, pcl_event_fn fn);	/* and itself */
void pcl_for_group(struct perf_event *event, pcl_event_fn fn);	/* leader, siblings, children */

/* ================================ entry ========================================================================== */

/* filter.c: filters that a user hangs on an event; those of addresses follow the task's mappings */
int pcl_filter_set(struct perf_event *event, char __user *text, struct pcl_why *why);	/* not with ctx->mutex */
void pcl_addr_filters_mapped(struct vm_area_struct *vma);		/* current's; mmap_lock held */
void pcl_addr_filters_exec(struct perf_event_context *ctx);		/* current's; ctx->mutex */

/* attach.c: BPF programs, by ioctl or by a link */
int pcl_attach_bpf(struct perf_event *event, u32 prog_fd, struct pcl_why *why);	/* not with ctx->mutex */

/* read.c: counts and times to whoever may have them */
ssize_t pcl_read(struct file *file, char __user *buf, size_t count, loff_t *ppos);

/* aux_map.c: AUX areas come and go with their mappings */
struct perf_buffer;
int pcl_aux_map(struct perf_event *event, struct perf_buffer *rb, struct vm_area_struct *vma);
void pcl_aux_unmap(struct perf_buffer *rb);
void pcl_aux_mapping_moved(struct perf_buffer *rb);
void pcl_aux_output_moved(struct perf_event *event);	/* @event has got another buffer: end what it does in the old */

/* mmap.c: the control page and the ring in a user's address space */
int pcl_mmap(struct file *file, struct vm_area_struct *vma);

/* file.c: the file operations, ioctl among them */
extern const struct file_operations pcl_fops;

/* unregister.c: perf_pmu_unregister() takes the events off a PMU that goes */

/* inherit.c: fork */

/* ================================ sources, beside the layers ===================================================== */

/* software.c */
int pcl_software_init(void);
void pcl_software_count(struct perf_event *event, u64 nr, struct perf_sample_data *data, struct pt_regs *regs);
void pcl_software_start(struct perf_event *event, int flags);
void pcl_software_stop(struct perf_event *event, int flags);
void pcl_software_read(struct perf_event *event);
/* trace.c: the PMU "tracepoint", hits of all that tracing has, and their filters */
#ifdef CONFIG_EVENT_TRACING
int pcl_trace_init(void);
int pcl_trace_add(struct perf_event *event, int flags);
bool pcl_trace_is_source(struct perf_event *event);	/* is it tracing that makes @event happen? */
int pcl_trace_set_filter(struct perf_event *event, char *text, struct pcl_why *why);	/* not with ctx->mutex */
#else
static inline int pcl_trace_init(void)
{
	return 0;
}

static inline bool pcl_trace_is_source(struct perf_event *event)
{
	return false;
}

static inline int pcl_trace_set_filter(struct perf_event *event, char *text, struct pcl_why *why)
{
	return 0;	/* of no event */
}
#endif
/* probe.c: the PMUs "kprobe" and "uprobe" */
#ifdef CONFIG_PROBE_EVENTS
int pcl_probe_init(void);
#else
static inline int pcl_probe_init(void)
{
	return 0;
}
#endif

#endif /* _KERNEL_EVENTS_INTERNAL_H */
