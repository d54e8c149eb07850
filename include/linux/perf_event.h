/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The in-kernel interface of PCL: what the rest of the tree sees of the engine.
 *
 * Three kinds of reader come here.
 *
 *   - A PMU driver implements struct pmu and looks at struct perf_event::hw. The contract stands at
 *     struct pmu: for each operation who calls it, in which context, with which locks, and whether it
 *     may fail.
 *   - A kernel user (breakpoints, the NMI watchdog, tracing, KVM) opens events with
 *     perf_event_create_kernel_counter() and controls them with perf_event_enable() and its kin.
 *   - Hooks: the scheduler, fork, exec, exit, mm and the fault handlers call the functions at the end.
 *
 * Names are those that the tree calls; what only the engine needs is in kernel/events/types.h.
 *
 * Key to the comments on fields:
 *   [I] set before publication, then immutable     [M] ctx->mutex      [C] ctx->lock
 *   [MC] written under both, read under either     [L] owner CPU with IRQs off
 *   [A] atomic                                     [R] RCU             [U] shared with user space
 */
#ifndef _LINUX_PERF_EVENT_H
#define _LINUX_PERF_EVENT_H

#include <uapi/linux/pcl.h>
#include <uapi/linux/bpf_perf_event.h>

#ifdef CONFIG_PERF_EVENTS
#include <asm/local64.h>
#include <asm/perf_event.h>
#endif

#ifdef CONFIG_HAVE_HW_BREAKPOINT
#include <asm/hw_breakpoint.h>
#include <linux/rhashtable-types.h>
#endif

#include <asm/local.h>
#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/jump_label_ratelimit.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/perf_regs.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/security.h>
#include <linux/spinlock.h>
#include <linux/static_call.h>
#include <linux/static_key.h>
#include <linux/sysfs.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

struct bpf_prog;
struct event_filter;
struct ftrace_ops;
struct kmem_cache;
struct perf_buffer;
struct perf_event;
struct perf_event_context;
struct perf_output_handle;
struct perf_sample_data;
struct pcl_plan;
struct pcl_pmu_cpu;
struct pcl_slot;
struct pcl_why;
struct task_struct;
struct trace_event_call;

/* ------------------------------------------------------------------------------------------------
 * Guests: what a hypervisor says about the code that was interrupted
 */

#define PERF_GUEST_ACTIVE	BIT(0)
#define PERF_GUEST_USER		BIT(1)

struct perf_guest_info_callbacks {
	unsigned int (*handle_intel_pt_intr)(void);
	unsigned long (*get_ip)(void);
	unsigned int (*state)(void);
};

/* ------------------------------------------------------------------------------------------------
 * Call chains
 */

/* The addresses of one sample's chain, innermost first, with PERF_CONTEXT_* marks between. */
struct perf_callchain_entry {
	u64 nr;
	u64 ip[];		/* as many as sysctl perf_event_max_stack and _max_contexts_per_stack */
};

/* A chain while it is being collected. */
struct perf_callchain_entry_ctx {
	struct perf_callchain_entry *entry;
	u32 nr;			/* addresses stored, marks not counted */
	u32 max_stack;
	bool contexts_maxed;	/* no room for another mark: stop */
	short contexts;		/* marks stored */
};

/* ------------------------------------------------------------------------------------------------
 * What a sample can carry besides numbers
 */

typedef unsigned long (*perf_copy_f)(void *dst, const void *src, unsigned long off, unsigned long len);

/* The union stands first for those who fill it by position. */
struct perf_raw_frag {
	union {
		unsigned long pad;		/* in the last fragment: padding, less than 8 */
		struct perf_raw_frag *next;
	};
	u32 size;
	void *data;
	perf_copy_f copy;			/* NULL: plain memory */
} __packed;

struct perf_raw_record {
	struct perf_raw_frag frag;
	u32 size;
};

/*
 * Taken branches, newest first. @hw_idx is the hardware's index of entries[0]: -1 if unknown, 0 if the hardware
 * keeps branches in order of age.
 */
struct perf_branch_stack {
	u64 nr;
	u64 hw_idx;
	struct perf_branch_entry entries[];
};

/* ------------------------------------------------------------------------------------------------
 * struct hw_perf_event: the part of an event that belongs to its driver
 */

/* A second register that an event needs (offcore response, load latency, branch select). */
struct hw_perf_event_extra {
	u64 config;
	int idx;
	int alloc;
	unsigned int reg;
};

/* hw_perf_event::flags: the low twenty bits are the architecture's. */
#define PERF_EVENT_FLAG_ARCH		GENMASK(19, 0)
#define PERF_EVENT_FLAG_USER_READ_CNT	BIT(31)

/* hw_perf_event::state, kept by the driver */
#define PERF_HES_STOPPED	0x01	/* not counting */
#define PERF_HES_UPTODATE	0x02	/* event->count includes the counter */
#define PERF_HES_ARCH		0x04

struct hw_perf_event {
#ifdef CONFIG_PERF_EVENTS
	union {
		struct {			/* hardware */
			int idx;		/* counter, or -1 */
			int last_cpu;
			u64 config;
			unsigned long event_base, config_base;
			int event_base_rdpmc;
			int flags;
			u64 last_tag;
			u64 counters;		/* x86: those that can count the event */
			struct hw_perf_event_extra branch_reg, extra_reg;
		};
		struct {			/* tracepoints: entry in the class's list */
			struct list_head tp_list;
		};
		struct {			/* cpu-clock, task-clock */
			struct hrtimer hrtimer;
		};
#ifdef CONFIG_HAVE_HW_BREAKPOINT
		struct {			/* breakpoints */
			struct arch_hw_breakpoint info;
			struct rhlist_head bp_list;
		};
#endif
		struct {			/* AMD power */
			u64 ptsc, pwr_acc;
		};
		struct {			/* AMD IOMMU */
			u64 conf;
			u64 conf1;
			u16 padding;
			u8 iommu_bank;
			u8 iommu_cntr;
		};
	};
	struct task_struct *target;		/* [I] the task the event was opened for, or NULL */
	int state;				/* PERF_HES_*, [L] */
	local64_t prev_count;			/* counter at the last fold; cmpxchg, since read nests in NMI */
	u64 sample_period;			/* period of the next sample, in events */
	union {
		struct {			/* sampling */
			local64_t period_left;	/* events until the next sample, <= 0: due */
			u64 last_period;	/* period under way */
		};
		struct {			/* top-down metrics */
			u64 saved_slots;
			u64 saved_metric;
		};
	};
	unsigned long addr_filters_gen;
	void *addr_filters;
	unsigned int aux_paused;		/* its AUX area is not filled until PERF_EF_RESUME: engine, [L] */
	/* throttling and frequency mode: engine, [L] */
	u64 interrupts;				/* samples in this tick, or PCL_THROTTLED */
	u64 interrupts_seq;			/* the tick that @interrupts counts */
	u64 freq_time_stamp;			/* ns, end of the last frequency estimate */
	u64 freq_count_stamp;			/* event count then */
#endif
};

/* ------------------------------------------------------------------------------------------------
 * struct pmu: the driver contract
 */

/* Flags of add, del, start and stop */
#define PERF_EF_START	BIT(0)		/* add: start counting, too */
#define PERF_EF_RELOAD	BIT(1)		/* start: write the counter from period_left */
#define PERF_EF_UPDATE	BIT(2)		/* stop: fold the counter into event->count */
#define PERF_EF_PAUSE	BIT(3)		/* stop: filling the AUX area alone; the output operation goes on */
#define PERF_EF_RESUME	BIT(4)		/* start: what PERF_EF_PAUSE stopped */

/* Transactions: add a group, or read a group, as one */
#define PERF_PMU_TXN_ADD	BIT(0)
#define PERF_PMU_TXN_READ	BIT(1)

/* struct pmu::capabilities */
#define PERF_PMU_CAP_NO_INTERRUPT		BIT(0)	/* cannot sample */
#define PERF_PMU_CAP_NO_NMI			BIT(1)
#define PERF_PMU_CAP_AUX_NO_SG			BIT(2)
#define PERF_PMU_CAP_EXTENDED_REGS		BIT(3)
#define PERF_PMU_CAP_EXCLUSIVE			BIT(4)	/* one event per context at a time */
#define PERF_PMU_CAP_ITRACE			BIT(5)
#define PERF_PMU_CAP_HETEROGENEOUS_CPUS		BIT(6)
#define PERF_PMU_CAP_NO_EXCLUDE			BIT(7)	/* cannot honour any exclude_* bit */
#define PERF_PMU_CAP_AUX_OUTPUT			BIT(8)
#define PERF_PMU_CAP_EXTENDED_HW_TYPE		BIT(9)
#define PERF_PMU_CAP_AUX_PAUSE			BIT(10)	/* start and stop know PERF_EF_RESUME and PERF_EF_PAUSE */
#define PCL_PMU_CAP_RESIDENT			BIT(30)	/* what counts is found through its context, or is its clock */

/**
 * struct pmu - a driver of counters
 *
 * One object per kind of counter in the system, filled by the driver, registered with perf_pmu_register() and
 * kept by the driver until perf_pmu_unregister() returned. Only @event_init may refuse an event for good; @add may
 * say "does not fit now"; every other operation cannot fail.
 *
 * "IRQs off" below means: on the CPU where the event is or shall be, interrupts disabled, the engine's CPU context
 * lock and the event's ctx->lock held; never sleeping, never allocating.
 */
struct pmu {
	/* ---- filled by the driver before registration, [I] ---- */
	const char *name;
	struct module *module;			/* pinned while an event of this PMU exists */
	struct device *parent;			/* parent in sysfs, or NULL */
	const struct attribute_group **attr_groups;
	const struct attribute_group **attr_update;
	/* perf_sw_context: always fits; perf_invalid_context: counts CPUs alone; perf_hw_context: everything else */
	int task_ctx_nr;
	int capabilities;			/* PERF_PMU_CAP_* */
	unsigned int nr_addr_filters;
	struct kmem_cache *task_ctx_cache;	/* driver data per task, for call-stack mode */

	/* ---- kept by the engine ---- */
	int type;				/* [I] attr.type that selects this PMU */
	struct device *dev;			/* [I] its entry under event_source */
	struct list_head entry;			/* in the list of PMUs: pmus_lock, [R] */
	struct pcl_pmu_cpu __percpu *cpus;	/* [I] what the engine keeps per CPU and PMU */
	atomic_t exclusive_cnt;			/* [A] PERF_PMU_CAP_EXCLUSIVE: > 0 task events, < 0 CPU events */
	unsigned int slice_ms;			/* multiplexing slice, written through sysfs */
	struct list_head events;		/* pmu.c's lock: all events of this PMU, bound or not */
	bool going;				/* pmus_lock: perf_pmu_unregister() has begun */

	/**
	 * @event_init: take the event, or say why not.
	 * Caller: opening, in the opener's context; may sleep and allocate; event->attr, cpu, hw.target and
	 * group_leader are set, nothing is published; hw.target's perf_event_mutex is not held.
	 * Returns 0; -ENOENT: not one of mine, ask the next PMU (if none has the type of attr.type for its own); any
	 * other errno: refused, with the reason told by perf_event_refuse(). What it takes is given back by
	 * event->destroy().
	 */
	int (*event_init)(struct perf_event *event);

	/**
	 * @add: put the event on the hardware. IRQs off, this PMU disabled. With PERF_EF_START counting begins when the
	 * PMU is enabled again; without it the event stays stopped. Returns 0, or an errno meaning "does not fit beside
	 * what is there"; inside a transaction it may say 0 and leave the verdict to @commit_txn.
	 */
	int (*add)(struct perf_event *event, int flags);
	/** @del: take it off and fold the rest of the counter into event->count. IRQs off, PMU disabled. */
	void (*del)(struct perf_event *event, int flags);

	/**
	 * @away: the context of an event that is ACTIVE, and stays so, leaves this CPU: fold the counter, and keep no
	 * pointer to the event, which may be evicted, or end, without another call; only @read may come, on any CPU,
	 * and has nothing to do. IRQs off, PMU disabled. Optional, with @back.
	 */
	void (*away)(struct perf_event *event);
	/**
	 * @back: the context is loaded, on this CPU or on another. Count on with the counter that the event had, and
	 * return true; or return false, with nothing done: then the event is added like any other. IRQs off, PMU
	 * disabled.
	 */
	bool (*back)(struct perf_event *event);

	/**
	 * @start, @stop: begin and cease counting an event that was added. IRQs off with the PMU disabled, or from the
	 * driver's own overflow interrupt, NMI included. Stopping twice does nothing.
	 */
	void (*start)(struct perf_event *event, int flags);
	void (*stop)(struct perf_event *event, int flags);

	/** @read: fold the counter into event->count. On the owning CPU; IRQs off or NMI; may nest in itself. */
	void (*read)(struct perf_event *event);
	/**
	 * @read_at: the same for a PMU that counts time, as of @stamp, a reading of local_clock(): one moment for all
	 * clocks of a group in read(2). @stamp means nothing while the context's clock stands still. Optional.
	 */
	void (*read_at)(struct perf_event *event, u64 stamp);

	/**
	 * @pmu_enable, @pmu_disable: stop and restart the whole PMU of this CPU, so that several changes take effect at
	 * once. IRQs off. The engine nests the calls and passes on the outermost. Optional.
	 */
	void (*pmu_enable)(struct pmu *pmu);
	void (*pmu_disable)(struct pmu *pmu);

	/**
	 * @start_txn, @commit_txn, @cancel_txn: a group as one. IRQs off. After start_txn(PERF_PMU_TXN_ADD) add() need
	 * not ask whether the event fits; commit_txn() does, for all. When it fails the engine calls del() for each
	 * event added, then cancel_txn(). Optional, all or none.
	 */
	void (*start_txn)(struct pmu *pmu, unsigned int flags);
	int (*commit_txn)(struct pmu *pmu);
	void (*cancel_txn)(struct pmu *pmu);

	/** @event_idx: the value for perf_event_mmap_page::index; default hw.idx + 1. IRQs off or NMI. Optional. */
	int (*event_idx)(struct perf_event *event);
	/** @event_mapped, @event_unmapped: control page or AUX area came into @mm, or went. May sleep. Optional. */
	void (*event_mapped)(struct perf_event *event, struct mm_struct *mm);
	void (*event_unmapped)(struct perf_event *event, struct mm_struct *mm);
	/** @sched_task: a task context with events of this PMU comes or goes; see perf_sched_cb_inc(). IRQs off. */
	void (*sched_task)(struct perf_event_context *ctx, bool sched_in);
	/** @swap_task_ctx: kept for drivers of the tree that fill it; PCL never exchanges contexts. Optional. */
	void (*swap_task_ctx)(struct perf_event_context *prev, struct perf_event_context *next);
	/** @filter_match: may this event run on this CPU? IRQs off. Optional. */
	int (*filter_match)(struct perf_event *event);
	/** @check_period: is this period acceptable? May sleep. Optional. */
	int (*check_period)(struct perf_event *event, u64 value);

	/* AUX areas and address filters, all optional */
	void *(*setup_aux)(struct perf_event *event, void **pages, int nr_pages, bool overwrite);
	void (*free_aux)(void *aux);
	long (*snapshot_aux)(struct perf_event *event, struct perf_output_handle *handle, unsigned long size);
	int (*aux_output_match)(struct perf_event *event);
	int (*addr_filters_validate)(struct list_head *filters);
	void (*addr_filters_sync)(struct perf_event *event);
};

/* ------------------------------------------------------------------------------------------------
 * Address filters (hardware-independent form)
 */

enum perf_addr_filter_action_t {
	PERF_ADDR_FILTER_ACTION_STOP	= 0,
	PERF_ADDR_FILTER_ACTION_START	= 1,
	PERF_ADDR_FILTER_ACTION_FILTER	= 2,
};

struct perf_addr_filter {
	enum perf_addr_filter_action_t action;
	unsigned long offset;			/* in the file, or an address */
	unsigned long size;			/* 0: a single address */
	struct path path;
	struct list_head entry;
};

struct perf_addr_filters_head {
	raw_spinlock_t lock;
	struct list_head list;
	unsigned int nr_file_filters;
};

struct perf_addr_filter_range {
	unsigned long size;
	unsigned long start;
};

/* ------------------------------------------------------------------------------------------------
 * struct perf_event
 */

/*
 * The states of an event. kernel/events/event.c has the table of legal changes, and the one function that makes
 * them; what each means for time stands in kernel/events/time.c.
 */
enum perf_event_state {
	PERF_EVENT_STATE_ACTIVE		= 1,	/* on a counter */
	PERF_EVENT_STATE_INACTIVE	= 0,	/* wants one */
	PERF_EVENT_STATE_OFF		= -1,	/* disabled */
	PERF_EVENT_STATE_ERROR		= -2,	/* pinned, and did not fit */
	PERF_EVENT_STATE_EXIT		= -3,	/* its task is gone; counts stay readable */
	PERF_EVENT_STATE_DEAD		= -4,	/* closed */
};

typedef void (*perf_overflow_handler_t)(struct perf_event *event, struct perf_sample_data *data,
					struct pt_regs *regs);

/* event_caps, group_caps */
#define PERF_EV_CAP_SOFTWARE		BIT(0)	/* always fits */
#define PERF_EV_CAP_READ_ACTIVE_PKG	BIT(1)	/* readable from any CPU of the package */
#define PERF_EV_CAP_SIBLING		BIT(2)	/* never a leader */
#define PERF_EV_CAP_TASK		BIT(3)	/* the driver is to see each switch of tasks: no set shares it */

/* attach_state: what must be undone before the event can be freed */
#define PERF_ATTACH_CONTEXT	BIT(0)		/* in ctx->event_list */
#define PERF_ATTACH_GROUP	BIT(1)		/* in its leader's sibling_list */
#define PERF_ATTACH_TASK	BIT(2)		/* bound to a task */
#define PERF_ATTACH_TASK_DATA	BIT(3)
#define PERF_ATTACH_ITRACE	BIT(4)
#define PERF_ATTACH_SCHED_CB	BIT(5)
#define PERF_ATTACH_CHILD	BIT(6)		/* in its parent's child_list */
#define PERF_ATTACH_CHILD_REF	BIT(7)		/* holds a reference on its parent */
#define PERF_ATTACH_PARTIAL	BIT(8)		/* a copied leader whose siblings are yet to be copied: it never ran */

/* Enabled and running time of one event, in ns of its context's clock; kernel/events/time.c. */
struct pcl_times {
	u64 enabled;
	u64 running;
	u64 stamp;		/* context time up to which the two are true */
};

/* A group's place in its slot's queue; kernel/events/group.c. */
struct pcl_group {
	struct list_head entry;
	u64 ran;		/* ns it has run, for the fair choice */
	u64 seq;		/* breaks ties: first come, first served */
};

/**
 * struct perf_event - one thing that is counted on one target
 *
 * Made by perf_event_open(2), perf_event_create_kernel_counter() or inheritance; owned by its file, its kernel user,
 * or (a child) its parent's child_list. @refcount keeps it alive; it is freed one RCU grace period after the last
 * reference went.
 */
struct perf_event {
#ifdef CONFIG_PERF_EVENTS
	/* ---- what it counts ---- */
	struct perf_event_attr attr;		/* [I] but for the period, enable_on_exec, sig_data, bp_*: ctx->lock */
	struct pmu *pmu;			/* [I], until the PMU is removed */
	struct list_head pmu_entry;		/* in pmu->events */
	void *pmu_private;			/* the driver's */
	struct hw_perf_event hw;		/* the driver's, [L] */
	int event_caps;				/* [I] PERF_EV_CAP_* */
	void (*destroy)(struct perf_event *event); /* [I] undoes event_init; may sleep */

	/* ---- where it counts ---- */
	struct perf_event_context *ctx;		/* [MC], [R]; kept, with a reference, while unbound */
	struct pcl_slot *slot;			/* [MC] leader: the slot it is queued in */
	int cpu;				/* [M] CPU it is confined to, or -1 */
	int oncpu;				/* [L] CPU it runs on, or -1; one that stays: was put on; read racily */
	bool moves;				/* [C] while ACTIVE: a switch takes it off, else it stays ACTIVE */
	bool is_told;				/* [I] it wants records of what happens to tasks */
	struct list_head event_entry;		/* in ctx->event_list: [MC], [R] */
	unsigned int attach_state;		/* [MC] PERF_ATTACH_* */
#ifdef CONFIG_CGROUP_PERF
	struct perf_cgroup *cgrp;		/* [I] a reference on the cgroup it is of, or NULL */
	struct list_head cgrp_entry;		/* [C] leader: among those of its cgroup on its CPU that want to run */
#endif

	/* ---- the group ---- */
	struct perf_event *group_leader;	/* [MC] itself when it leads */
	struct list_head sibling_list;		/* [MC] leader: head; sibling: entry */
	int nr_siblings;			/* [MC] leader */
	int group_caps;				/* [MC] leader: AND of event_caps */
	unsigned int group_generation;		/* [MC] leader: changes when the group does */
	struct pcl_group group;			/* [C] leader: place in the slot's queue */

	/* ---- state, count, time ---- */
	enum perf_event_state state;		/* [C] changed by pcl_event_set_state() alone */
	local64_t count;			/* [L] */
	struct pcl_times times;			/* [C] */
	u64 run_stamp;				/* [L] leader: context time when it last went on, for the fair choice */
	u64 id;					/* [I] unique, what PERF_SAMPLE_ID shows */
	atomic64_t lost_samples;		/* [A] */
	u64 (*clock)(void);			/* [I] attr.clockid */

	/* ---- inheritance ---- */
	struct perf_event *parent;		/* [I] the event it was inherited from: never itself a child */
	struct mutex child_mutex;		/* child_list, and children coming and going */
	struct list_head child_list;		/* child_mutex; parent: head; child: entry */
	atomic64_t child_count;			/* [A] counts of children that are gone */
	atomic64_t child_total_time_enabled;	/* [A] their times, ns */
	atomic64_t child_total_time_running;

	/* ---- who owns it ---- */
	atomic_long_t refcount;
	struct task_struct *owner;		/* who opened it, until it exits; NULL or PCL_OWNER_KERNEL */
	struct list_head owner_entry;		/* owner's perf_event_mutex: in perf_event_list */
	struct pid_namespace *ns;		/* [I] in which pids are shown */
	struct rcu_head rcu_head;
#ifdef CONFIG_SECURITY
	void *security;
#endif

	/* ---- output ---- */
	const struct pcl_plan *plan;		/* [I] how its samples are laid out; children share the parent's */
	u16 read_size;				/* [MC] bytes that read() returns */
	struct mutex mmap_mutex;		/* rb, and mapping */
	atomic_t mmap_count;			/* [A] mappings of this event's ring */
	struct perf_buffer __rcu *rb;		/* mmap_mutex, [R] where its records go */
	struct list_head rb_entry;		/* rb->event_lock, [R] */
	unsigned long rcu_batches;		/* mmap_mutex: grace period to await before joining another ring */
	int rcu_pending;
	wait_queue_head_t waitq;
	struct fasync_struct *fasync;
	perf_overflow_handler_t overflow_handler; /* [I] */
	void *overflow_handler_context;
	atomic_t event_limit;			/* [A] overflows left, REFRESH */

	/* ---- upward from an overflow; set up when the event is made ---- */
	struct irq_work pending_irq;		/* wake, signal, disable */
	unsigned int pending_wakeup;
	unsigned int pending_kill;		/* POLL_* for fasync */
	unsigned int pending_disable;
	unsigned int pending_sigtrap;
	unsigned long pending_addr;		/* address for SIGTRAP's siginfo */
	struct callback_head pending_task;
	unsigned int pending_work;

	/* ---- what sources keep here ---- */
	struct hlist_node hlist_entry;		/* software and tracepoint events: where they are found */
	struct list_head active_entry;		/* the driver's list of running events */
	struct list_head migrate_entry;
	struct perf_addr_filters_head addr_filters;
	struct perf_addr_filter_range *addr_filter_ranges;
	unsigned long addr_filters_gen;
#ifdef CONFIG_EVENT_TRACING
	struct trace_event_call *tp_event;
	struct event_filter *filter;
#ifdef CONFIG_FUNCTION_TRACER
	struct ftrace_ops ftrace_ops;
#endif
#endif
#ifdef CONFIG_BPF_SYSCALL
	struct bpf_prog *prog;			/* [R]; an original's: child_mutex; tracing's: its own lock */
	u64 bpf_cookie;				/* before @prog */
#endif
	struct pcl_why *why;			/* while being opened: where a refusal is noted */
#endif /* CONFIG_PERF_EVENTS */
};

/* The siblings of a leader; nothing for a sibling. ctx->mutex or IRQs off on the owning CPU. */
#define for_each_sibling_event(sibling, leader)					\
	if ((leader)->group_leader == (leader))					\
		list_for_each_entry((sibling), &(leader)->sibling_list, sibling_list)

/* An output operation between perf_output_begin() and perf_output_end(). */
struct perf_output_handle {
	struct perf_event *event;
	struct perf_buffer *rb;
	struct pcl_aux *aux;		/* perf_aux_output_*() */
	unsigned long size;		/* bytes left in the page @addr points into; of an AUX area */
	unsigned long wakeup;
	int page;
	union {
		unsigned long head;	/* AUX */
		void *addr;
	};
	union {
		u64 flags;		/* perf_output_*(): none yet */
		u64 aux_flags;		/* perf_aux_output_*(): PERF_AUX_FLAG_* */
		struct {
			u64 skip_read : 1;
		};
	};
};

struct bpf_perf_event_data_kern {
	bpf_user_pt_regs_t *regs;
	struct perf_sample_data *data;
	struct perf_event *event;
};

#ifdef CONFIG_CGROUP_PERF
struct perf_cgroup_info;

struct perf_cgroup {
	struct cgroup_subsys_state css;
	struct perf_cgroup_info __percpu *info;	/* what each CPU keeps of it: kernel/events/types.h */
};

/* @ctx: NULL, or a context whose lock keeps @task in its cgroup. */
static inline struct perf_cgroup *perf_cgroup_from_task(struct task_struct *task,
							struct perf_event_context *ctx)
{
	return container_of(task_css_check(task, perf_event_cgrp_id, true), struct perf_cgroup, css);
}
#endif

/* ------------------------------------------------------------------------------------------------
 * A sample on its way from the driver to the ring
 */

/**
 * struct perf_sample_data - what is known of one sample
 *
 * On the stack of the overflow handler. Set up by perf_sample_data_init(); @sample_flags holds the PERF_SAMPLE_* bits
 * of the members that are filled. The engine fills the rest that the event's plan asks for.
 */
struct perf_sample_data {
	u64 sample_flags;
	u64 period;
	u64 addr;
	u64 ip;
	u64 time;
	u64 id;
	u64 stream_id;
	struct {
		u32 pid;
		u32 tid;
	} tid_entry;
	struct {
		u32 cpu;
		u32 reserved;
	} cpu_entry;
	u64 type;
	struct perf_callchain_entry *callchain;
	struct perf_raw_record *raw;
	struct perf_branch_stack *br_stack;
	union perf_mem_data_src data_src;
	union perf_sample_weight weight;
	u64 txn;
	u64 phys_addr;
	u64 cgroup;
	u64 code_page_size;
	u64 data_page_size;
	u64 aux_size;
	u64 stack_user_size;
	struct perf_regs regs_user;
	struct perf_regs regs_intr;
} ____cacheline_aligned;

/* Nothing known of a memory access */
#define PERF_MEM_NA (PERF_MEM_S(TLB, NA) | PERF_MEM_S(LOCK, NA) | PERF_MEM_S(SNOOP, NA) | \
		     PERF_MEM_S(LVL, NA) | PERF_MEM_S(OP, NA))

static inline void perf_sample_data_init(struct perf_sample_data *data, u64 addr, u64 period)
{
	data->period = period;
	data->sample_flags = PERF_SAMPLE_PERIOD;
	if (addr) {
		data->sample_flags |= PERF_SAMPLE_ADDR;
		data->addr = addr;
	}
}

/* All but the two addresses, which every driver writes anyway. */
static inline void perf_clear_branch_entry_bitfields(struct perf_branch_entry *br)
{
	u64 from = br->from, to = br->to;

	*br = (struct perf_branch_entry){ .from = from, .to = to, .spec = PERF_BR_SPEC_NA };
}

/* ------------------------------------------------------------------------------------------------
 * sysfs attributes of drivers
 */

/* An event: its text, as events/ shows it, or its number. */
struct perf_pmu_events_attr {
	struct device_attribute attr;
	const char *event_str;
	u64 id;
};

/* One whose text depends on whether two threads share a core. */
struct perf_pmu_events_ht_attr {
	struct device_attribute attr;
	const char *event_str_noht, *event_str_ht;
	u64 id;
};

/* Of CPUs that are not all alike: @pmu_type says which. */
struct perf_pmu_events_hybrid_attr {
	struct device_attribute attr;
	const char *event_str;
	u64 pmu_type, id;
};

struct perf_pmu_format_hybrid_attr {
	u64 pmu_type;
	struct device_attribute attr;
};

#define PMU_EVENT_ATTR(_name, _var, _id, _show)						\
	static struct perf_pmu_events_attr _var = {					\
		.id = _id, .attr = __ATTR(_name, 0444, _show, NULL),			\
	}

#define PMU_EVENT_ATTR_STRING(_name, _var, _str)					\
	static struct perf_pmu_events_attr _var = {					\
		.id = 0, .event_str = _str,						\
		.attr = __ATTR(_name, 0444, perf_event_sysfs_show, NULL),		\
	}

#define PMU_EVENT_ATTR_ID(_name, _show, _id)						\
	(&((struct perf_pmu_events_attr[]) {						\
		{ .id = _id, .attr = __ATTR(_name, 0444, _show, NULL) }			\
	})[0].attr.attr)

#define PMU_FORMAT_ATTR(_name, _format)							\
static ssize_t _name##_show(struct device *dev, struct device_attribute *attr, char *page) \
{											\
	BUILD_BUG_ON(sizeof(_format) >= PAGE_SIZE);					\
	return sysfs_emit(page, _format "\n");						\
}											\
static struct device_attribute format_attr_##_name = __ATTR_RO(_name)

ssize_t perf_event_sysfs_show(struct device *dev, struct device_attribute *attr, char *page);

/* ------------------------------------------------------------------------------------------------
 * Small questions about an event
 */

#ifdef CONFIG_PERF_EVENTS
static inline bool is_sampling_event(struct perf_event *event)
{
	return READ_ONCE(event->attr.sample_period) != 0;
}

/* Its own count and that of children that are gone, as last folded */
static inline u64 pcl_event_count(struct perf_event *event)
{
	return local64_read(&event->count) + atomic64_read(&event->child_count);
}

static inline int is_software_event(struct perf_event *event)
{
	return event->event_caps & PERF_EV_CAP_SOFTWARE;
}

static inline int is_exclusive_pmu(struct pmu *pmu)
{
	return pmu->capabilities & PERF_PMU_CAP_EXCLUSIVE;
}

static inline bool event_has_any_exclude_flag(struct perf_event *event)
{
	struct perf_event_attr *a = &event->attr;

	return a->exclude_user || a->exclude_kernel || a->exclude_hv || a->exclude_idle || a->exclude_host ||
	       a->exclude_guest;
}

static inline bool has_aux(struct perf_event *event)
{
	return event->pmu->setup_aux;
}

static inline bool has_branch_stack(struct perf_event *event)
{
	return event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK;
}

/* Also where only the driver uses them, as for call stacks. */
static inline bool needs_branch_stack(struct perf_event *event)
{
	return event->attr.branch_sample_type != 0;
}

static inline bool has_addr_filter(struct perf_event *event)
{
	return event->pmu->nr_addr_filters;
}

static inline bool is_write_backward(struct perf_event *event)
{
	return event->attr.write_backward;
}

static inline bool branch_sample_type(const struct perf_event *event)
{
	return event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_TYPE_SAVE;
}

static inline bool branch_sample_no_flags(const struct perf_event *event)
{
	return event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_NO_FLAGS;
}

static inline bool branch_sample_no_cycles(const struct perf_event *event)
{
	return event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_NO_CYCLES;
}

static inline bool branch_sample_hw_index(const struct perf_event *event)
{
	return event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX;
}

static inline bool branch_sample_priv(const struct perf_event *event)
{
	return event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_PRIV_SAVE;
}

/* A child uses its parent's filters. */
static inline struct perf_addr_filters_head *perf_event_addr_filters(struct perf_event *event)
{
	return event->parent ? &event->parent->addr_filters : &event->addr_filters;
}
#endif /* CONFIG_PERF_EVENTS */

static __always_inline bool perf_raw_frag_last(const struct perf_raw_frag *frag)
{
	return frag->pad < sizeof(u64);
}

#ifdef CONFIG_PERF_EVENTS

/* ------------------------------------------------------------------------------------------------
 * For drivers
 */

int perf_pmu_register(struct pmu *pmu, const char *name, int type);
void perf_pmu_unregister(struct pmu *pmu);
void perf_pmu_disable(struct pmu *pmu);
void perf_pmu_enable(struct pmu *pmu);
void perf_pmu_resched(struct pmu *pmu);
void perf_pmu_migrate_context(struct pmu *pmu, int src_cpu, int dst_cpu);
void perf_sched_cb_inc(struct pmu *pmu);
void perf_sched_cb_dec(struct pmu *pmu);

/**
 * perf_event_refuse - note why an event is refused, and give the errno that goes with it
 * @event: the event in event_init(), or in an operation on it
 * @reason: PCL_REASON_*
 */
int perf_event_refuse(struct perf_event *event, enum pcl_reason reason);

/**
 * perf_event_allow_cpu - may who opens an event look at the whole CPU?
 * @event: the event in event_init()
 * @reason: why not, if kernel.perf_event_paranoid forbids it; the security module has a reason of its own
 *
 * Return: 0, or the errno to refuse the event with.
 */
int perf_event_allow_cpu(struct perf_event *event, enum pcl_reason reason);

int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
int perf_event_account_interrupt(struct perf_event *event);
void perf_sample_event_took(u64 sample_len_ns);
void __perf_event_update_userpage(struct perf_event *event);

/* Tell self-monitoring user code where the event stands, if its control page is mapped. */
static inline void perf_event_update_userpage(struct perf_event *event)
{
	if (rcu_access_pointer(event->rb))
		__perf_event_update_userpage(event);
}

void perf_event_update_usercounter(struct perf_event *event);
void perf_event_disable_inatomic(struct perf_event *event);
void perf_event_disable_local(struct perf_event *event);
void perf_event_itrace_started(struct perf_event *event);
void perf_event_addr_filters_sync(struct perf_event *event);
void perf_report_aux_output_id(struct perf_event *event, u64 hw_id);
void perf_log_lost_samples(struct perf_event *event, u64 lost);
void arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *userpg, u64 now);
s64 arch_perf_user_base(struct perf_event *event);

/* ------------------------------------------------------------------------------------------------
 * Writing records. From any context, NMI included; the caller is on the CPU of the event.
 */

int perf_output_begin(struct perf_output_handle *handle, struct perf_sample_data *data,
		      struct perf_event *event, unsigned int size);
int perf_output_begin_forward(struct perf_output_handle *handle, struct perf_sample_data *data,
			      struct perf_event *event, unsigned int size);
int perf_output_begin_backward(struct perf_output_handle *handle, struct perf_sample_data *data,
			       struct perf_event *event, unsigned int size);
unsigned int perf_output_copy(struct perf_output_handle *handle, const void *buf, unsigned int len);
unsigned int perf_output_skip(struct perf_output_handle *handle, unsigned int len);
void perf_output_end(struct perf_output_handle *handle);

#define perf_output_put(handle, x) perf_output_copy((handle), &(x), sizeof(x))

void perf_prepare_sample(struct perf_event_header *header, struct perf_sample_data *data,
			 struct perf_event *event, struct pt_regs *regs);
void perf_output_sample(struct perf_output_handle *handle, struct perf_event_header *header,
			struct perf_sample_data *data, struct perf_event *event);
void perf_event_header__init_id(struct perf_event_header *header, struct perf_sample_data *data,
				struct perf_event *event);
void perf_event__output_id_sample(struct perf_event *event, struct perf_output_handle *handle,
				  struct perf_sample_data *sample);
int perf_event_output(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
void perf_event_output_forward(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
void perf_event_output_backward(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);

static inline bool __is_default_overflow_handler(perf_overflow_handler_t handler)
{
	return handler == perf_event_output_forward || handler == perf_event_output_backward;
}

#define is_default_overflow_handler(event) __is_default_overflow_handler((event)->overflow_handler)

/* A program does not take the handler's place. */
#define uses_default_overflow_handler(event) is_default_overflow_handler(event)

void *perf_aux_output_begin(struct perf_output_handle *handle, struct perf_event *event);
void perf_aux_output_end(struct perf_output_handle *handle, unsigned long size);
int perf_aux_output_skip(struct perf_output_handle *handle, unsigned long size);
void perf_aux_output_flag(struct perf_output_handle *handle, u64 flags);
void *perf_get_aux(struct perf_output_handle *handle);
long perf_output_copy_aux(struct perf_output_handle *aux_handle, struct perf_output_handle *handle,
			  unsigned long from, unsigned long to);

/* ------------------------------------------------------------------------------------------------
 * Call chains
 */

extern int sysctl_perf_event_max_stack;
extern int sysctl_perf_event_max_contexts_per_stack;

/* Per architecture: walk the stack from @regs, storing each address. NMI-safe. */
void perf_callchain_kernel(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs);
void perf_callchain_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs);

/* In process context, of the running task: what is not there is paged in. */
void perf_callchain_user_faulting(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs);

struct perf_callchain_entry *get_perf_callchain(struct pt_regs *regs, u32 init_nr, bool kernel, bool user,
						u32 max_stack, bool crosstask, bool add_mark);
struct perf_callchain_entry *perf_callchain(struct perf_event *event, struct pt_regs *regs);
int get_callchain_buffers(int max_stack);
void put_callchain_buffers(void);
struct perf_callchain_entry *get_callchain_entry(int *rctx);
void put_callchain_entry(int rctx);

/* Both return 0, or -1 when there is no more room and the walk shall end. */
static inline int perf_callchain_store(struct perf_callchain_entry_ctx *ctx, u64 ip)
{
	if (ctx->contexts_maxed || ctx->nr >= ctx->max_stack)
		return -1;
	ctx->entry->ip[ctx->entry->nr++] = ip;
	ctx->nr++;
	return 0;
}

static inline int perf_callchain_store_context(struct perf_callchain_entry_ctx *ctx, u64 mark)
{
	if (ctx->contexts >= sysctl_perf_event_max_contexts_per_stack) {
		ctx->contexts_maxed = true;
		return -1;
	}
	ctx->entry->ip[ctx->entry->nr++] = mark;
	ctx->contexts++;
	return 0;
}

/* ------------------------------------------------------------------------------------------------
 * For kernel users
 */

struct perf_event *perf_event_create_kernel_counter(struct perf_event_attr *attr, int cpu, struct task_struct *task,
						    perf_overflow_handler_t handler, void *context);
int perf_event_release_kernel(struct perf_event *event);
void perf_event_enable(struct perf_event *event);
void perf_event_disable(struct perf_event *event);
int perf_event_refresh(struct perf_event *event, int refresh);
int perf_event_period(struct perf_event *event, u64 value);
u64 perf_event_pause(struct perf_event *event, bool reset);
u64 perf_event_read_value(struct perf_event *event, u64 *enabled, u64 *running);
int perf_event_read_local(struct perf_event *event, u64 *value, u64 *enabled, u64 *running);
struct file *perf_event_get(unsigned int fd);
const struct perf_event *perf_get_event(struct file *file);
const struct perf_event_attr *perf_event_attrs(struct perf_event *event);
u64 perf_swevent_set_period(struct perf_event *event);
int perf_swevent_get_recursion_context(void);
void perf_swevent_put_recursion_context(int rctx);

/* ------------------------------------------------------------------------------------------------
 * Permissions (kernel.perf_event_paranoid, CAP_PERFMON, the security module)
 */

extern int sysctl_perf_event_mlock;
extern int sysctl_perf_event_paranoid;
extern int sysctl_perf_event_sample_rate;
extern int sysctl_perf_cpu_time_max_percent;

int perf_proc_update_handler(struct ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos);
int perf_cpu_time_max_percent_handler(struct ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos);
int perf_event_max_stack_handler(struct ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos);

#define PERF_SECURITY_OPEN		0
#define PERF_SECURITY_CPU		1
#define PERF_SECURITY_KERNEL		2
#define PERF_SECURITY_TRACEPOINT	3

static inline bool perf_paranoid_any(void)
{
	return sysctl_perf_event_paranoid > 2;
}

static inline int perf_is_paranoid(void)
{
	return sysctl_perf_event_paranoid > -1;
}

/* @level: the highest paranoid level at which an unprivileged caller may. */
static inline int pcl_allow(struct perf_event_attr *attr, int level, int what, int err)
{
	if (sysctl_perf_event_paranoid > level && !perfmon_capable())
		return err;
	return security_perf_event_open(attr, what);
}

static inline int perf_allow_kernel(struct perf_event_attr *attr)
{
	return pcl_allow(attr, 1, PERF_SECURITY_KERNEL, -EACCES);
}

static inline int perf_allow_cpu(struct perf_event_attr *attr)
{
	return pcl_allow(attr, 0, PERF_SECURITY_CPU, -EACCES);
}

static inline int perf_allow_tracepoint(struct perf_event_attr *attr)
{
	return pcl_allow(attr, -1, PERF_SECURITY_TRACEPOINT, -EPERM);
}

/* ------------------------------------------------------------------------------------------------
 * Hooks: called by the rest of the kernel when something happens that an event may count or record
 */

/* Levels on which software events may nest: task, softirq, hardirq, NMI */
#define PERF_NR_CONTEXTS 4

extern struct static_key perf_swevent_enabled[PERF_COUNT_SW_MAX];
extern struct static_key_false perf_sched_events;
DECLARE_PER_CPU(struct pt_regs, __perf_regs[PERF_NR_CONTEXTS]);

void __perf_sw_event(u32 event_id, u64 nr, struct pt_regs *regs, u64 addr);
void ___perf_sw_event(u32 event_id, u64 nr, struct pt_regs *regs, u64 addr);
void __perf_event_task_sched_in(struct task_struct *prev, struct task_struct *task);
void __perf_event_task_sched_out(struct task_struct *prev, struct task_struct *next);

#ifndef perf_arch_fetch_caller_regs
static inline void perf_arch_fetch_caller_regs(struct pt_regs *regs, unsigned long ip) { }
#endif

/* For events that come from a call, not from an interrupt: ip, sp, flags and cs of the caller; @regs was zeroed. */
static inline void perf_fetch_caller_regs(struct pt_regs *regs)
{
	perf_arch_fetch_caller_regs(regs, CALLER_ADDR0);
}

static __always_inline bool __perf_sw_enabled(int event_id)
{
	return static_key_false(&perf_swevent_enabled[event_id]);
}

static __always_inline void perf_sw_event(u32 event_id, u64 nr, struct pt_regs *regs, u64 addr)
{
	if (__perf_sw_enabled(event_id))
		__perf_sw_event(event_id, nr, regs, addr);
}

/* From the scheduler, where preemption is off and no other software event can nest. */
static __always_inline void __perf_sw_event_sched(u32 event_id, u64 nr, u64 addr)
{
	struct pt_regs *regs = this_cpu_ptr(&__perf_regs[0]);

	perf_fetch_caller_regs(regs);
	___perf_sw_event(event_id, nr, regs, addr);
}

static inline void perf_event_task_migrate(struct task_struct *task)
{
	if (__perf_sw_enabled(PERF_COUNT_SW_CPU_MIGRATIONS))
		task->sched_migrated = 1;
}

/* @task has just begun to run after @prev. IRQs off. */
static inline void perf_event_task_sched_in(struct task_struct *prev, struct task_struct *task)
{
	if (static_branch_unlikely(&perf_sched_events))
		__perf_event_task_sched_in(prev, task);

	if (!__perf_sw_enabled(PERF_COUNT_SW_CPU_MIGRATIONS) || !task->sched_migrated)
		return;
	__perf_sw_event_sched(PERF_COUNT_SW_CPU_MIGRATIONS, 1, 0);
	task->sched_migrated = 0;
}

#ifdef CONFIG_CGROUP_PERF
static inline bool perf_cgroup_differs(struct task_struct *prev, struct task_struct *next)
{
	return perf_cgroup_from_task(prev, NULL) != perf_cgroup_from_task(next, NULL);
}
#else
static inline bool perf_cgroup_differs(struct task_struct *prev, struct task_struct *next)
{
	return false;
}
#endif

/* @prev is about to give way to @next. IRQs off. */
static inline void perf_event_task_sched_out(struct task_struct *prev, struct task_struct *next)
{
	if (__perf_sw_enabled(PERF_COUNT_SW_CONTEXT_SWITCHES))
		__perf_sw_event_sched(PERF_COUNT_SW_CONTEXT_SWITCHES, 1, 0);
	if (__perf_sw_enabled(PERF_COUNT_SW_CGROUP_SWITCHES) && perf_cgroup_differs(prev, next))
		__perf_sw_event_sched(PERF_COUNT_SW_CGROUP_SWITCHES, 1, 0);
	if (static_branch_unlikely(&perf_sched_events))
		__perf_event_task_sched_out(prev, next);
}

void perf_event_tell_chain(void);

/* The running task returns to user mode, or to a guest, after TIF_NOTIFY_RESUME was set. */
static inline void perf_event_resume_user_mode(void)
{
	if (unlikely(current->perf_chain_cookie))
		perf_event_tell_chain();
}

void perf_event_init(void);
int perf_event_init_cpu(unsigned int cpu);
int perf_event_exit_cpu(unsigned int cpu);
int perf_event_init_task(struct task_struct *child, u64 clone_flags);
void perf_event_fork(struct task_struct *task);
void perf_event_exec(void);
void perf_event_exit_task(struct task_struct *child);
void perf_event_free_task(struct task_struct *task);
void perf_event_delayed_put(struct task_struct *task);
void perf_event_task_tick(void);
int perf_event_task_enable(void);
int perf_event_task_disable(void);
void perf_event_print_debug(void);
void perf_event_comm(struct task_struct *task, bool exec);
void perf_event_namespaces(struct task_struct *task);
void perf_event_mmap(struct vm_area_struct *vma);
void perf_event_ksymbol(u16 ksym_type, u64 addr, u32 len, bool unregister, const char *sym);
void perf_event_bpf_event(struct bpf_prog *prog, enum perf_bpf_event_type type, u16 flags);
void perf_event_text_poke(const void *addr, const void *old_bytes, size_t old_len, const void *new_bytes,
			  size_t new_len);
void perf_bp_event(struct perf_event *event, void *data);
void perf_tp_event(u16 event_type, u64 count, void *record, int entry_size, struct pt_regs *regs,
		   struct hlist_head *head, int rctx, struct task_struct *task);

#ifndef perf_misc_flags
#define perf_misc_flags(regs)	(user_mode(regs) ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL)
#define perf_instruction_pointer(regs)	instruction_pointer(regs)
#endif
#ifndef perf_arch_bpf_user_pt_regs
#define perf_arch_bpf_user_pt_regs(regs) regs
#endif

#else /* !CONFIG_PERF_EVENTS: the hooks vanish, and whoever wants an event gets an error */

static inline void perf_event_task_migrate(struct task_struct *task) { }
static inline void perf_event_task_sched_in(struct task_struct *prev, struct task_struct *task) { }
static inline void perf_event_task_sched_out(struct task_struct *prev, struct task_struct *next) { }
static inline int perf_event_init_task(struct task_struct *child, u64 clone_flags) { return 0; }
static inline void perf_event_fork(struct task_struct *task) { }
static inline void perf_event_exec(void) { }
static inline void perf_event_exit_task(struct task_struct *child) { }
static inline void perf_event_free_task(struct task_struct *task) { }
static inline void perf_event_resume_user_mode(void) { }
static inline void perf_event_delayed_put(struct task_struct *task) { }
static inline void perf_event_task_tick(void) { }
static inline int perf_event_task_enable(void) { return -EINVAL; }
static inline int perf_event_task_disable(void) { return -EINVAL; }
static inline void perf_event_print_debug(void) { }
static inline void perf_event_init(void) { }
static inline void perf_event_comm(struct task_struct *task, bool exec) { }
static inline void perf_event_namespaces(struct task_struct *task) { }
static inline void perf_event_mmap(struct vm_area_struct *vma) { }
static inline void perf_event_ksymbol(u16 ksym_type, u64 addr, u32 len, bool unregister, const char *sym) { }
static inline void perf_event_bpf_event(struct bpf_prog *prog, enum perf_bpf_event_type type, u16 flags) { }
static inline void perf_event_text_poke(const void *addr, const void *old_bytes, size_t old_len,
					const void *new_bytes, size_t new_len) { }
static inline void perf_sw_event(u32 event_id, u64 nr, struct pt_regs *regs, u64 addr) { }
static inline void perf_bp_event(struct perf_event *event, void *data) { }
static inline void perf_event_enable(struct perf_event *event) { }
static inline void perf_event_disable(struct perf_event *event) { }
static inline int perf_event_refresh(struct perf_event *event, int refresh) { return -EINVAL; }
static inline int perf_event_release_kernel(struct perf_event *event) { return 0; }
static inline int perf_event_period(struct perf_event *event, u64 value) { return -EINVAL; }
static inline u64 perf_event_pause(struct perf_event *event, bool reset) { return 0; }
static inline int perf_event_read_local(struct perf_event *event, u64 *value, u64 *enabled, u64 *running)
{
	return -EINVAL;
}

static inline struct file *perf_event_get(unsigned int fd) { return ERR_PTR(-EINVAL); }
static inline const struct perf_event *perf_get_event(struct file *file) { return ERR_PTR(-EINVAL); }
static inline const struct perf_event_attr *perf_event_attrs(struct perf_event *event) { return ERR_PTR(-EINVAL); }
static inline int perf_swevent_get_recursion_context(void) { return -1; }
static inline void perf_swevent_put_recursion_context(int rctx) { }
static inline u64 perf_swevent_set_period(struct perf_event *event) { return 0; }
static inline void *perf_aux_output_begin(struct perf_output_handle *handle, struct perf_event *event)
{
	return NULL;
}

static inline void perf_aux_output_end(struct perf_output_handle *handle, unsigned long size) { }
static inline int perf_aux_output_skip(struct perf_output_handle *handle, unsigned long size) { return -EINVAL; }
static inline void *perf_get_aux(struct perf_output_handle *handle) { return NULL; }
#define perf_event_init_cpu	NULL
#define perf_event_exit_cpu	NULL
#endif /* CONFIG_PERF_EVENTS */

typedef int (perf_ksymbol_get_name_f)(char *name, int name_len, void *data);

#if defined(CONFIG_PERF_EVENTS) && defined(CONFIG_CPU_SUP_INTEL)
void perf_restore_debug_store(void);
#else
static inline void perf_restore_debug_store(void) { }
#endif

/* ------------------------------------------------------------------------------------------------
 * Guests, branch snapshots, low power: static calls and architecture hooks
 */

#ifdef CONFIG_GUEST_PERF_EVENTS
extern struct perf_guest_info_callbacks __rcu *perf_guest_cbs;

DECLARE_STATIC_CALL(__perf_guest_get_ip, *perf_guest_cbs->get_ip);
DECLARE_STATIC_CALL(__perf_guest_handle_intel_pt_intr, *perf_guest_cbs->handle_intel_pt_intr);
DECLARE_STATIC_CALL(__perf_guest_state, *perf_guest_cbs->state);

static inline unsigned long perf_guest_get_ip(void)
{
	return static_call(__perf_guest_get_ip)();
}

static inline unsigned int perf_guest_state(void)
{
	return static_call(__perf_guest_state)();
}

static inline unsigned int perf_guest_handle_intel_pt_intr(void)
{
	return static_call(__perf_guest_handle_intel_pt_intr)();
}

void perf_register_guest_info_callbacks(struct perf_guest_info_callbacks *cbs);
void perf_unregister_guest_info_callbacks(struct perf_guest_info_callbacks *cbs);
#else
static inline unsigned long perf_guest_get_ip(void) { return 0; }
static inline unsigned int perf_guest_state(void) { return 0; }
static inline unsigned int perf_guest_handle_intel_pt_intr(void) { return 0; }
#endif

/* Copies at most @cnt branch entries, returns how many. */
typedef int (perf_snapshot_branch_stack_t)(struct perf_branch_entry *entries, unsigned int cnt);
DECLARE_STATIC_CALL(perf_snapshot_branch_stack, perf_snapshot_branch_stack_t);

#ifdef CONFIG_MMU
u64 arch_perf_get_page_size(struct mm_struct *mm, unsigned long addr);
#endif

#ifndef PERF_NEEDS_LOPWR_CB
static inline void perf_lopwr_cb(bool mode) { }
#endif

#endif /* _LINUX_PERF_EVENT_H */
