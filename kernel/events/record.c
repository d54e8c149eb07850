// SPDX-License-Identifier: GPL-2.0
/*
 * Record: every kind of record but the sample, from one table.
 *
 * Concepts: something happened (struct pcl_record); some events want to know (the kind's @wants, from attr); each of
 * them gets a record in its own ring, with numbers as its opener sees them (the kind's @fill). The head of a record is
 * of fixed size for its kind, a name may follow, and then the sample_id trailer.
 *
 * Most kinds go to all events that can see the happening: those of this CPU's context and of the current task's. For
 * each kind the events that want it are counted, so that nothing is paid while there are none.
 *
 * Contexts: any with the happening's own caller; throttle records come from NMI, READ from process context.
 *
 * Locks: lists of events are walked under RCU, with preemption off, since a CPU's events are this CPU's.
 */
#include <linux/mman.h>
#include <linux/smp.h>

#include "output.h"
#include "record.h"

/* The longest head: MMAP2. */
#define HEAD_WORDS 8

struct record {
	struct perf_event_header header;
	u64 words[HEAD_WORDS];
	unsigned int nr;
};

struct record_kind {
	bool (*wants)(const struct perf_event_attr *attr);
	bool (*suits)(const struct perf_event_attr *attr, const struct pcl_record *what);	/* NULL: always */
	void (*fill)(struct record *rec, struct perf_event *event, const struct pcl_record *what);
};

/* ---- who wants what ---- */

static bool wants_task(const struct perf_event_attr *attr)
{
	return attr->task || attr->comm || attr->mmap || attr->mmap2 || attr->mmap_data;
}

static bool wants_comm(const struct perf_event_attr *attr)
{
	return attr->comm;
}

static bool wants_mmap(const struct perf_event_attr *attr)
{
	return attr->mmap || attr->mmap2 || attr->mmap_data;
}

static bool suits_mmap(const struct perf_event_attr *attr, const struct pcl_record *what)
{
	return what->map.prot & PROT_EXEC ? attr->mmap || attr->mmap2 : attr->mmap_data;
}

static bool wants_switch(const struct perf_event_attr *attr)
{
	return attr->context_switch;
}

/* ---- what stands in it ---- */

static void put(struct record *rec, u64 word)
{
	rec->words[rec->nr++] = word;
}

static void put_task(struct record *rec, struct perf_event *event, struct task_struct *task)
{
	put(rec, pcl_pair(pcl_output_pid(event, task), pcl_output_tid(event, task)));
}

/* pid, ppid, tid, ptid, time */
static void fill_task(struct record *rec, struct perf_event *event, struct task_struct *task, u32 ppid, u32 ptid)
{
	put(rec, pcl_pair(pcl_output_pid(event, task), ppid));
	put(rec, pcl_pair(pcl_output_tid(event, task), ptid));
	put(rec, pcl_event_clock(event));
}

static void fill_fork(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	rec->header.type = PERF_RECORD_FORK;
	fill_task(rec, event, what->task, pcl_output_pid(event, current), pcl_output_tid(event, current));
}

/* The parent of a dying task is a process; no thread of it is meant. */
static void fill_exit(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	u32 parent = pcl_output_pid(event, rcu_dereference(what->task->real_parent));

	rec->header.type = PERF_RECORD_EXIT;
	fill_task(rec, event, what->task, parent, parent);
}

static void fill_comm(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	rec->header.type = PERF_RECORD_COMM;
	put_task(rec, event, what->task);
}

static void fill_mmap(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	rec->header.type = event->attr.mmap2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP;
	put_task(rec, event, current);
	put(rec, what->map.start);
	put(rec, what->map.len);
	put(rec, what->map.offset);
	if (!event->attr.mmap2)
		return;
	put(rec, pcl_pair(what->map.major, what->map.minor));
	put(rec, what->map.inode);
	put(rec, what->map.generation);
	put(rec, pcl_pair(what->map.prot, what->map.flags));
}

/* Only who may see the whole CPU learns who comes after, or came before. */
static void fill_switch(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	if (event->ctx->cpu < 0) {
		rec->header.type = PERF_RECORD_SWITCH;
		return;
	}
	rec->header.type = PERF_RECORD_SWITCH_CPU_WIDE;
	put_task(rec, event, what->other);
}

static void fill_throttle(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	rec->header.type = what->value ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE;
	put(rec, pcl_event_clock(event));
	put(rec, pcl_output_id(event));
	put(rec, event->id);
}

static void fill_lost_samples(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	rec->header.type = PERF_RECORD_LOST_SAMPLES;
	put(rec, what->value);
}

static void fill_read(struct record *rec, struct perf_event *event, const struct pcl_record *what)
{
	rec->header.type = PERF_RECORD_READ;
	put_task(rec, event, what->task);
}

/* Kinds without @wants go to one event that is named by the caller. To come: the kinds of wide[] in stock's order. */
static const struct record_kind record_kinds[PCL_RECORD_KINDS] = {
	[PCL_RECORD_FORK]		= { .wants = wants_task,	.fill = fill_fork },
	[PCL_RECORD_EXIT]		= { .wants = wants_task,	.fill = fill_exit },
	[PCL_RECORD_COMM]		= { .wants = wants_comm,	.fill = fill_comm },
	[PCL_RECORD_MMAP]		= { .wants = wants_mmap,	.fill = fill_mmap, .suits = suits_mmap },
	[PCL_RECORD_SWITCH]		= { .wants = wants_switch,	.fill = fill_switch },
	[PCL_RECORD_THROTTLE]		= { .fill = fill_throttle },
	[PCL_RECORD_LOST_SAMPLES]	= { .fill = fill_lost_samples },
	[PCL_RECORD_READ]		= { .fill = fill_read },
};

/* ---- writing ---- */

/* READ is the kind whose values are taken in the ring. */
static void record_write(struct perf_event *event, const struct pcl_record *what)
{
	unsigned int values = what->kind == PCL_RECORD_READ ? event->read_size : 0;
	struct record rec = { .header.misc = what->misc };
	struct perf_output_handle handle;
	u64 trailer[PCL_ID_WORDS];
	unsigned int head, tail;

	record_kinds[what->kind].fill(&rec, event, what);
	tail = pcl_output_trailer(event, what->kind == PCL_RECORD_READ ? what->task : current, trailer) * sizeof(u64);
	head = sizeof(rec.header) + rec.nr * sizeof(u64);
	rec.header.size = head + what->name_size + values + tail;

	if (perf_output_begin(&handle, NULL, event, rec.header.size))
		return;
	perf_output_copy(&handle, &rec, head);
	perf_output_copy(&handle, what->name, what->name_size);
	if (values)
		pcl_read_write(&handle, event, values);
	perf_output_copy(&handle, trailer, tail);
	perf_output_end(&handle);
}

/* ---- to all who want it ---- */

/* How many events want each kind. */
static atomic_t nr_wanting[PCL_RECORD_KINDS];

static bool wants(enum pcl_record_kind kind, const struct perf_event *event)
{
	return record_kinds[kind].wants && record_kinds[kind].wants(&event->attr);
}

void pcl_record_account(struct perf_event *event, int delta)
{
	unsigned int kind;

	for (kind = 0; kind < PCL_RECORD_KINDS; kind++) {
		if (wants(kind, event))
			atomic_add(delta, &nr_wanting[kind]);
	}
}

/* Does @event want records of any kind that is told to all who want it? */
bool pcl_record_is_told(const struct perf_event *event)
{
	unsigned int kind = 0;

	while (kind < PCL_RECORD_KINDS && !wants(kind, event))
		kind++;
	return kind < PCL_RECORD_KINDS;
}

bool pcl_record_wanted(enum pcl_record_kind kind)
{
	return atomic_read(&nr_wanting[kind]);
}

/*
 * RCU read section, preemption off. An event that is just being bound or unbound may or may not get it. Who wants none
 * is passed by, and behind the last who does nobody is asked: new ones come at the end of the list.
 */
static void record_to_context(struct perf_event_context *ctx, const struct pcl_record *what)
{
	const struct record_kind *kind = &record_kinds[what->kind];
	/* record.told B, pairs with record.told A in bind.c: as many are still on the list, before any new one */
	unsigned int left = smp_load_acquire(&ctx->nr_told);
	struct perf_event *event;

	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		if (!left)
			break;
		if (!event->is_told)
			continue;
		left--;
		if (!kind->wants(&event->attr) || (kind->suits && !kind->suits(&event->attr, what)))
			continue;
		if (READ_ONCE(event->state) < PERF_EVENT_STATE_INACTIVE || !READ_ONCE(event->ctx))
			continue;
		if (event->cpu >= 0 && event->cpu != smp_processor_id())
			continue;
		record_write(event, what);
	}
}

/* Whose events tell what the current task's want to know: its own, or the first instance of its set. RCU. */
static struct perf_event_context *context_of_current(void)
{
	struct pcl_set *set = rcu_dereference(current->perf_event_set);
	struct perf_event_context *own;

	smp_rmb();	/* set.own B, pairs with A in set.c: it may have left its set just now */
	own = rcu_dereference(current->perf_event_ctxp);
	return own || !set ? own : set->mould;
}

/**
 * pcl_record_send - tell all events that want to know
 * @what: what happened to, or by, the current task on this CPU
 * @ctx: tell only this context's events; NULL: those of this CPU and of the current task
 */
void pcl_record_send(const struct pcl_record *what, struct perf_event_context *ctx)
{
	if (!pcl_record_wanted(what->kind))
		return;
	rcu_read_lock();
	preempt_disable();
	if (!ctx) {
		record_to_context(&this_cpu_ptr(&pcl_cpus)->ctx, what);
		ctx = context_of_current();
	}
	if (ctx)
		record_to_context(ctx, what);
	preempt_enable();
	rcu_read_unlock();
}

/* @task was made by the current task, or it is the current task and goes. @ctx as in pcl_record_send(). */
void pcl_record_task(struct task_struct *task, struct perf_event_context *ctx, bool is_new)
{
	struct pcl_record what = { .kind = is_new ? PCL_RECORD_FORK : PCL_RECORD_EXIT, .task = task };

	pcl_record_send(&what, ctx);
}

/* @task goes to make way for @other, or comes after it. From the scheduler, IRQs off, @task is current. */
void pcl_record_switch(struct task_struct *task, struct task_struct *other, bool in)
{
	struct pcl_record what = { .kind = PCL_RECORD_SWITCH, .task = task, .other = other };

	lockdep_assert_irqs_disabled();
	if (!pcl_record_wanted(PCL_RECORD_SWITCH))
		return;
	if (!in)
		what.misc = PERF_RECORD_MISC_SWITCH_OUT;
	if (!in && task->on_rq)
		what.misc |= PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	pcl_record_send(&what, NULL);
}

/* ---- to one event ---- */

void pcl_record_throttle(struct perf_event *event, bool throttled)
{
	struct pcl_record what = { .kind = PCL_RECORD_THROTTLE, .value = throttled };

	record_write(event, &what);
}

/* For drivers: the hardware dropped @lost samples before they came to us. */
void perf_log_lost_samples(struct perf_event *event, u64 lost)
{
	struct pcl_record what = { .kind = PCL_RECORD_LOST_SAMPLES, .value = lost };

	record_write(event, &what);
}

struct read_call {
	struct perf_event *event;
	struct pcl_record what;
};

/* IRQs off: the group stays as it is measured. */
static void record_read(void *info)
{
	struct read_call *call = info;

	lockdep_assert_irqs_disabled();
	record_write(call->event, &call->what);
}

/**
 * pcl_record_read - tell what a task contributed to the event that a child of it was inherited from
 * @event: the child, off its counter for good
 * @task: its task, which exits or execs: current
 *
 * Process context. The task may be anywhere by now; the ring of a CPU is written there. If that CPU is offline the
 * record is lost, and counted.
 */
void pcl_record_read(struct perf_event *event, struct task_struct *task)
{
	struct read_call call = { .event = event, .what = { .kind = PCL_RECORD_READ, .task = task } };
	unsigned long flags;

	if (!rcu_access_pointer(event->parent->rb))
		return;
	if (event->cpu >= 0 && !smp_call_function_single(event->cpu, record_read, &call, 1))
		return;
	local_irq_save(flags);
	record_read(&call);
	local_irq_restore(flags);
}
