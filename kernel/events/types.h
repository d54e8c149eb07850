/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine's objects: contexts, slots, what is kept per CPU, sample plans, refusals.
 *
 * struct perf_event itself, which drivers see, is in include/linux/perf_event.h, with the key to the marks [I] [M]
 * [C] [MC] [L] [A] [R] [U] used here too. The words are those of Documentation/events/design.rst:
 *
 *	an event counts one thing            a target is where: a task, a CPU, a cgroup while it is on a CPU
 *	a context holds a target's events    a slot is the part of a context that belongs to one PMU
 *	a group is counted as one            a ring is a mapped buffer, a record what is written to it
 */
#ifndef _KERNEL_EVENTS_TYPES_H
#define _KERNEL_EVENTS_TYPES_H

#include <linux/perf_event.h>

/* ---- time: kernel/events/time.c --------------------------------------------------------------------------------- */

/* A clock that runs only while its context is on a CPU. */
struct pcl_clock {
	u64 time;	/* ns accumulated up to @stamp */
	u64 stamp;	/* CPU clock at the last advance */
	u64 offset;	/* while it runs: from the CPU clock to its time, also amidst an advance */
	bool running;
};

/* ---- groups in the order in which they shall run: kernel/events/group.c ------------------------------------------ */

/* Groups sorted by (ran, seq): who ran least stands first. */
struct pcl_group_queue {
	struct list_head head;
	u64 seq;	/* last ticket given */
	u64 chosen;	/* ns, clock of the context: when the last choice began */
	u64 least;	/* ns that the first to take part in it had run */
	unsigned int nr;
};

/* After so many groups that did not fit, the rest of the queue waits for the next choice. */
#define PCL_GROUP_MISSES 4

/* Whoever finds room all the time is remembered as having run no longer than this more than the least: ns. */
#define PCL_GROUP_LEAD_NS 64000000ULL

/* One walk along a queue for all groups that come back to it; on the stack of who does it. */
struct pcl_return {
	struct pcl_group_queue *queue;
	struct list_head *at;			/* the last that came, or the head */
	u64 least;				/* ns that they ran at least */
};

/* One walk along a queue to see who fits; on the stack of who does it. */
struct pcl_choice {
	struct pcl_group_queue *queue;
	u64 turn;				/* ns since the last choice */
	bool met;				/* the first that takes part was met */
	unsigned int misses;
	unsigned int nr_losers;
	struct pcl_group *losers[PCL_GROUP_MISSES];	/* did not fit, though nothing of the queue was in the way */
};

/* ---- contexts ---------------------------------------------------------------------------------------------------- */

/*
 * A slot: the groups of one context on one PMU.
 *
 * A task's context has one for each PMU that ever had an event there, made when the first is bound, freed with the
 * context or when the PMU goes; a CPU's has one for each PMU, which is part of that. It belongs to the leaders that are
 * bound in it, and to nobody else: an event that leads no group, or is bound nowhere, points to none. A group whose
 * members are of several PMUs is queued by its hardware PMU.
 */
struct pcl_slot {
	struct list_head entry;			/* a task's: in ctx->slots: [MC]. A CPU's: see cgroup_switch.c */
	struct list_head all_entry;		/* a task's: in the list of all, context.c's lock */
	struct perf_event_context *ctx;		/* [I] */
	struct pmu *pmu;			/* [I] */
	struct pcl_group_queue pinned;		/* [C] groups that must run */
	struct pcl_group_queue flexible;	/* [C] groups that share */
	struct list_head elsewhere;		/* [C] groups that wait apart: queue.c */
	unsigned int nr_confined;		/* [C] a task's groups that are for one CPU, in a queue or elsewhere */
	unsigned int nr_active;			/* [C] events of these groups on counters */
	unsigned int nr_moving;			/* [C] of these, who must come off when the context does; 0: all stay */
	unsigned int nr_pinned_active;		/* [C] pinned groups running */
	unsigned int nr_flexible_active;	/* [C] flexible groups running */
	bool is_away;				/* [C] ACTIVE, but the PMU has let go of them: stay.c */
	bool short_of_counters;			/* [C] some flexible group did not fit: multiplex */
};

/*
 * A context: all events of one task, or of one CPU.
 *
 * A task has at most one (task_struct::perf_event_ctxp), made when its first event is opened or inherited; it stays the
 * task's until the task exits, or does an exec that changes its credentials. A CPU's is static. An instance of a set is
 * no task's: @task is PCL_TASK_GONE.
 * @refcount: the task (or CPU, or set) holds one, and so does each event that is in it, or was last.
 */
struct perf_event_context {
	raw_spinlock_t lock;			/* see Documentation/events/locking.rst */
	struct mutex mutex;
	struct task_struct *task;		/* [MC] NULL: a CPU's; PCL_TASK_GONE: exited */
	int cpu;				/* [I] a CPU's: which; a task's: -1 */
	int loaded_on;				/* [C] a task's: the CPU that has it, or -1; read racily */
	int queued_for;				/* [C] a task's: the CPU that has it, or had it last; -1: none yet */
	refcount_t refcount;			/* waited on by perf_event_free_task() */
	struct list_head event_list;		/* [MC], [R] leaders and siblings */
	struct list_head slots;			/* [MC] */
	unsigned int nr_events;			/* [MC] */
	unsigned int nr_stat;			/* [MC] events with inherit_stat */
	unsigned int nr_freq;			/* [C] events in frequency mode */
	unsigned int nr_told;			/* [C] events that want records of what happens; read racily */
	bool is_active;				/* [C] on a CPU now */
	struct pcl_clock clock;			/* [C] */
	u64 now;				/* [C] context time at which the operation under way happens */
	void *task_ctx_data;			/* driver data, see pmu::task_ctx_cache */
	struct hlist_head running[PERF_COUNT_SW_MAX]; /* [C], [R] software events that count, by number */
	struct pcl_set *set;			/* [MC] it floats: any member of the set may run with it */
	struct list_head set_entry;		/* in set->instances */
	struct list_head pool_entry;		/* set->lock: in set->pool */
	struct rcu_head rcu_head;
};

/*
 * A set: what several tasks inherited alike, and the contexts that count for them. See kernel/events/set.c.
 *
 * @members: tasks, and who works on the set meanwhile; with the last the instances end.
 */
struct pcl_set {
	refcount_t members;
	raw_spinlock_t lock;			/* the pool; nothing nests in it */
	struct list_head pool;			/* @lock: contexts that are on no CPU, the last used first */
	struct perf_event_context *mould;	/* [I] the first instance */
	struct list_head instances;		/* mould->mutex: all but the home context */
	unsigned int nr_instances;		/* mould->mutex, read racily */
	struct rcu_head rcu_head;
};

#define PCL_TASK_GONE	((struct task_struct *)-1L)
#define PCL_OWNER_KERNEL ((struct task_struct *)-1L)
#define PCL_THROTTLED	(~0ULL)			/* hw_perf_event::interrupts */

/* What the engine keeps per CPU and PMU. Lives as long as the PMU is registered. */
struct pcl_pmu_cpu {
	struct pmu *pmu;			/* [I] */
	struct pcl_slot slot;			/* the CPU context's slot */
	struct pcl_slot *task_slot;		/* [L] the running task's slot, if loaded */
	int disable_depth;			/* [L] perf_pmu_disable() nesting; also from NMI, balanced */
	bool exclusive;				/* [L] an exclusive group runs: nothing may join */
	struct hrtimer slice;			/* multiplexing */
	bool slice_armed;			/* [L] */
	unsigned int sched_cb;			/* [L] perf_sched_cb_inc() count */
};

/* What the engine keeps per CPU. */
struct pcl_cpu {
	struct perf_event_context ctx;		/* the CPU's own events */
	struct perf_event_context *task_ctx;	/* [L] the running task's context, if loaded */
	u64 stamp;				/* [L] CPU clock, ns, at which the operation under way began */
#ifdef CONFIG_CGROUP_PERF
	struct perf_cgroup *cgrp;		/* [L] the running task's, while events of cgroups are bound here */
	unsigned int nr_of_cgroups;		/* [C] such events; read racily */
#endif
	bool online;				/* ctx.mutex */
	int recursion[PERF_NR_CONTEXTS];	/* [L] software events: task, softirq, hardirq, NMI */
};

DECLARE_PER_CPU(struct pcl_cpu, pcl_cpus);

#ifdef CONFIG_CGROUP_PERF
/*
 * What one CPU keeps of one cgroup, which is together with it a target: see kernel/events/cgroup_switch.c.
 *
 * A cgroup *runs* while a task of it, or of one below it, is on the CPU. Under the lock of the CPU's context.
 */
struct perf_cgroup_info {
	struct pcl_clock clock;			/* [C] runs while the cgroup does; in time of the CPU's context */
	struct list_head leaders;		/* [C] of groups that want to run: perf_event::cgrp_entry */
	unsigned int nr_events;			/* [C] of this target */
	bool runs;				/* [C] false as well while no event of a cgroup is bound on the CPU */
};
#endif

/* ---- targets ----------------------------------------------------------------------------------------------------- */

/* Where an event that is made shall count. On the caller's stack. */
struct pcl_target {
	struct task_struct *task;	/* NULL: on a CPU; of an inherited event: whichever task runs with it */
	int cpu;			/* -1: on any */
	bool is_cgroup;			/* only while a cgroup runs there, */
	int cgroup_fd;			/* whose directory this is */
};

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

/*
 * Where a refusal is noted during one call. On the caller's stack; the first reason stays, since it is the nearest to
 * the cause.
 */
struct pcl_why {
	enum pcl_reason reason;
	s32 field;		/* offset of the offending field in perf_event_attr, -1: none */
};

/* ---- sample plans: kernel/events/sample.c ------------------------------------------------------------------------ */

#define PCL_PLAN_FIELDS 32

/*
 * How the samples of one event are laid out: made when it is opened, immutable after. Children point at their parent's,
 * events whose samples hold nothing at one for all.
 * @fields index the table of sample fields in the order of the ABI; those before @nr_fixed are one block with the
 * header.
 */
struct pcl_plan {
	u64 sample_type;
	u64 branch_sample_type;
	u8 nr_fields;
	u8 nr_fixed;
	u8 fields[PCL_PLAN_FIELDS];
	u8 nr_id;			/* fields of the sample_id trailer of non-sample records */
	u8 id_fields[8];
	u16 fixed_size;			/* header and fixed fields, bytes */
	u16 known_size;			/* header and what is known now of all fields, bytes */
	u16 id_size;			/* sample_id trailer, bytes; 0 without sample_id_all */
};

#endif /* _KERNEL_EVENTS_TYPES_H */
