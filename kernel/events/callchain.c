// SPDX-License-Identifier: GPL-2.0
/*
 * Callchain: who called whom at the moment of a sample.
 *
 * Concepts: a chain is collected by the architecture's walkers into a buffer of this CPU. There are four for each CPU,
 * one for each level of interruption (task, softirq, hardirq, NMI), since a sample may interrupt another. All are
 * made when the first event that wants chains is opened, and freed with the last; meanwhile the sysctl that says how
 * deep a chain may be cannot change, for it says how big a buffer is.
 *
 * The user's part may be left for later: then a cookie stands for it.
 *
 * Contexts: chains in any context, NMI included; opening, closing and the sysctl in process context.
 * Locks: users_mutex guards the count of users and the making of buffers. Chains are collected and copied under RCU. A
 * task's cookie is written by the task alone, or what interrupts it.
 */
#include <linux/irq_work.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/sysctl.h>

#include "internal.h"

#define LEVELS 4

int sysctl_perf_event_max_stack __read_mostly = PERF_MAX_STACK_DEPTH;
int sysctl_perf_event_max_contexts_per_stack __read_mostly = PERF_MAX_CONTEXTS_PER_STACK;

/* The buffers: LEVELS entries of @entry_size bytes for each CPU. Per-CPU memory may fault in NMI, so it is not used. */
struct chain_buffers {
	struct rcu_head rcu;
	size_t entry_size;
	void *of_cpu[];
};

static DEFINE_MUTEX(users_mutex);
static int nr_users;
static struct chain_buffers __rcu *buffers;
static DEFINE_PER_CPU(u8, level_busy[LEVELS]);

/* Architectures that can walk bring their own. */
void __weak perf_callchain_kernel(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
}

void __weak perf_callchain_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
}

/* ---- buffers ---- */

static void buffers_free(struct chain_buffers *all)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kfree(all->of_cpu[cpu]);
	kfree(all);
}

static void buffers_free_rcu(struct rcu_head *head)
{
	buffers_free(container_of(head, struct chain_buffers, rcu));
}

static struct chain_buffers *buffers_alloc(void)
{
	size_t words = sysctl_perf_event_max_stack + sysctl_perf_event_max_contexts_per_stack;
	struct chain_buffers *all;
	int cpu;

	all = kzalloc(struct_size(all, of_cpu, nr_cpu_ids), GFP_KERNEL);
	if (!all)
		return NULL;
	all->entry_size = sizeof(struct perf_callchain_entry) + words * sizeof(u64);
	for_each_possible_cpu(cpu) {
		all->of_cpu[cpu] = kmalloc_node(all->entry_size * LEVELS, GFP_KERNEL, cpu_to_node(cpu));
		if (!all->of_cpu[cpu]) {
			buffers_free(all);
			return NULL;
		}
	}
	return all;
}

/* One more user, who wants chains of up to @max_stack. -EOVERFLOW: deeper than the sysctl allows. */
int get_callchain_buffers(int max_stack)
{
	struct chain_buffers *all;
	int err = 0;

	mutex_lock(&users_mutex);
	if (max_stack > sysctl_perf_event_max_stack) {
		err = -EOVERFLOW;
	} else if (nr_users) {
		nr_users++;
	} else {
		all = buffers_alloc();
		if (all) {
			rcu_assign_pointer(buffers, all);
			nr_users = 1;
		} else {
			err = -ENOMEM;
		}
	}
	mutex_unlock(&users_mutex);
	return err;
}

void put_callchain_buffers(void)
{
	struct chain_buffers *all;

	mutex_lock(&users_mutex);
	if (!--nr_users) {
		all = rcu_replace_pointer(buffers, NULL, lockdep_is_held(&users_mutex));
		call_rcu(&all->rcu, buffers_free_rcu);
	}
	mutex_unlock(&users_mutex);
}

/* kernel.perf_event_max_stack and perf_event_max_contexts_per_stack */
int perf_event_max_stack_handler(struct ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	int *setting = table->data, value = *setting;
	struct ctl_table copy = *table;
	int err;

	copy.data = &value;
	err = proc_dointvec_minmax(&copy, write, buffer, lenp, ppos);
	if (err || !write)
		return err;

	mutex_lock(&users_mutex);
	if (nr_users)
		err = -EBUSY;
	else
		*setting = value;
	mutex_unlock(&users_mutex);
	return err;
}

/* ---- chains ---- */

/*
 * This level's buffer on this CPU, or NULL: there are none, or the level is busy with another chain. RCU read section;
 * @rctx is for put_callchain_entry().
 */
struct perf_callchain_entry *get_callchain_entry(int *rctx)
{
	struct chain_buffers *all = rcu_dereference(buffers);
	int level = interrupt_context_level();

	*rctx = -1;
	if (!all || __this_cpu_read(level_busy[level]))
		return NULL;
	__this_cpu_write(level_busy[level], 1);
	barrier();	/* taken before it is written to */
	*rctx = level;
	return all->of_cpu[smp_processor_id()] + level * all->entry_size;
}

void put_callchain_entry(int rctx)
{
	barrier();	/* written before it is free for others */
	__this_cpu_write(level_busy[rctx], 0);
}

/* As perf_callchain_user(), in process context: what can be paged in is. */
void __weak perf_callchain_user_faulting(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	perf_callchain_user(entry, regs);
}

/* Where the user code was left, if @regs are not it. Kernel threads have none. */
static struct pt_regs *user_regs(struct pt_regs *regs)
{
	if (user_mode(regs))
		return regs;
	return current->mm ? task_pt_regs(current) : NULL;
}

/* ---- the user's part later ---- */

/* Upper bits: the CPU that gave it; the rest counts up. Never 0. */
#define COOKIE_CPU_SHIFT 48

static DEFINE_PER_CPU(unsigned long, nr_cookies);

/* If an NMI gives one meanwhile, the two are for the same task: one of them is used. */
static unsigned long new_cookie(void)
{
	unsigned long nr = this_cpu_inc_return(nr_cookies) & (BIT(COOKIE_CPU_SHIFT) - 1);

	return (raw_smp_processor_id() + 1UL) << COOKIE_CPU_SHIFT | nr;
}

/* The running task executes its probed instruction next, out of line. */
#ifdef CONFIG_UPROBES
static bool is_at_uprobe(void)
{
	return current->utask && current->utask->auprobe;
}
#else
static bool is_at_uprobe(void)
{
	return false;
}
#endif

/* That there was an interrupt is all. */
static void kick(struct irq_work *work)
{
}

static DEFINE_PER_CPU(struct irq_work, kick_work) = IRQ_WORK_INIT_HARD(kick);

/*
 * The cookie for the user's part of the running task's chain, which deferred.c will tell when the task returns to user
 * mode. The first sample gives it, and asks for the return to be met. An NMI may come so late in a return that nobody
 * looks at the flag any more, or in user mode: so it raises an interrupt, too, behind which the kernel looks.
 *
 * 0: the task does not return to user mode, or not to where it came from.
 */
static unsigned long defer_user_part(void)
{
	unsigned long *place = &current->perf_chain_cookie, cookie, mine;

	if (is_at_uprobe())
		return 0;
	cookie = READ_ONCE(*place);
	if (cookie)
		return cookie;
	if (current->flags & (PF_KTHREAD | PF_IO_WORKER | PF_EXITING))
		return 0;
	mine = new_cookie();
	cookie = cmpxchg(place, 0, mine);
	if (cookie)
		return cookie;		/* an interrupt was faster */
	set_thread_flag(TIF_NOTIFY_RESUME);
	if (in_nmi())
		irq_work_queue(this_cpu_ptr(&kick_work));
	return mine;
}

/* ---- whole chains ---- */

/* What is wanted of a chain. */
struct chain_request {
	u32 init_nr;			/* entries to leave free at the start */
	u32 max_stack;			/* addresses at most */
	bool kernel;
	bool user;
	bool marks;			/* each part begins with its PERF_CONTEXT_* mark */
	unsigned long cookie;		/* not 0: stands for the user's part, with marks */
};

static struct perf_callchain_entry *collect(struct pt_regs *regs, const struct chain_request *want)
{
	struct perf_callchain_entry_ctx walk = { .max_stack = want->max_stack, .nr = want->init_nr };
	int rctx;

	walk.entry = get_callchain_entry(&rctx);
	if (!walk.entry)
		return NULL;
	walk.entry->nr = want->init_nr;

	if (want->kernel && !user_mode(regs)) {
		if (want->marks)
			perf_callchain_store_context(&walk, PERF_CONTEXT_KERNEL);
		perf_callchain_kernel(&walk, regs);
	}
	regs = want->user ? user_regs(regs) : NULL;
	if (regs && want->cookie && walk.contexts + 2 <= sysctl_perf_event_max_contexts_per_stack) {
		perf_callchain_store_context(&walk, PERF_CONTEXT_USER_DEFERRED);
		perf_callchain_store_context(&walk, want->cookie);
	} else if (regs) {
		if (want->marks)
			perf_callchain_store_context(&walk, PERF_CONTEXT_USER);
		perf_callchain_user(&walk, regs);
	}

	put_callchain_entry(rctx);
	return walk.entry;
}

/**
 * get_perf_callchain - collect the chain that led to @regs
 * @regs: where it begins
 * @init_nr: entries to leave free at the start
 * @kernel: the kernel's part is wanted
 * @user: the user's part is wanted
 * @max_stack: addresses at most
 * @crosstask: @regs may be of a task other than current: no user part
 * @add_mark: begin each part with its PERF_CONTEXT_* mark
 *
 * Return: the chain, good until the end of the RCU read section unless a further one is collected at this level of
 * interruption, or NULL.
 */
struct perf_callchain_entry *get_perf_callchain(struct pt_regs *regs, u32 init_nr, bool kernel, bool user,
						u32 max_stack, bool crosstask, bool add_mark)
{
	struct chain_request want = {
		.init_nr = init_nr, .max_stack = max_stack,
		.kernel = kernel, .user = user && !crosstask, .marks = add_mark,
	};

	return kernel || !user || !crosstask ? collect(regs, &want) : NULL;
}

static struct perf_callchain_entry *chain_of(struct perf_event *event, struct pt_regs *regs, bool may_defer)
{
	static struct perf_callchain_entry empty;
	/* An instance of a set counts for whoever is current. */
	struct task_struct *task = READ_ONCE(event->ctx->set) ? NULL : event->ctx->task;
	bool others = task && task != current;
	struct chain_request want = {
		.max_stack = event->attr.sample_max_stack, .marks = true,
		.kernel = !event->attr.exclude_callchain_kernel,
		.user = !event->attr.exclude_callchain_user && current->mm && !others,
	};
	struct perf_callchain_entry *chain = NULL;

	if (want.user && may_defer && event->attr.defer_callchain)
		want.cookie = defer_user_part();
	if (want.kernel || want.user)
		chain = collect(regs, &want);
	return chain ? chain : &empty;
}

/* The chain for a sample of @event; an empty one if it wants none, or none can be had. Never NULL. */
struct perf_callchain_entry *perf_callchain(struct perf_event *event, struct pt_regs *regs)
{
	return chain_of(event, regs, true);
}

/* The same for who cannot wait for the user's part. */
struct perf_callchain_entry *pcl_callchain_whole(struct perf_event *event, struct pt_regs *regs)
{
	return chain_of(event, regs, false);
}
