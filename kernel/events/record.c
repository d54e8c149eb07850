// SPDX-License-Identifier: GPL-2.0
/*
 * Record: who is told what happens.
 *
 * Concepts: something happened (struct pcl_record); some events want to know (the kind's @wants, from attr); each of
 * them gets a record in its own ring: its head, the parts that are the same for all, one behind the other and filled up
 * with zeros to whole words, its trailer. What stands in heads and trailers is in record_kinds.c.
 *
 * Most kinds go to all events that can see the happening: those of this CPU's context and of the current task's. For
 * each kind the events that want it are counted, so that nothing is paid while there are none.
 *
 * Contexts: any with the happening's own caller; throttle records come from NMI, READ from process context.
 *
 * Locks: lists of events are walked under RCU, with preemption off, since a CPU's events are this CPU's.
 */
#include <linux/smp.h>

#include "output.h"
#include "record.h"

/* ---- writing ---- */

static size_t parts_size(const struct pcl_record *what)
{
	size_t size = 0;
	int i;

	for (i = 0; i < what->nr_parts; i++)
		size += what->parts[i].size;
	return size;
}

static void write_parts(struct perf_output_handle *handle, const struct pcl_record *what, size_t size)
{
	static const u64 zeros;
	int i;

	for (i = 0; i < what->nr_parts; i++)
		perf_output_copy(handle, what->parts[i].bytes, what->parts[i].size);
	perf_output_copy(handle, &zeros, ALIGN(size, sizeof(u64)) - size);
}

/* READ is the kind whose values are taken in the ring. What is longer than a record can be is lost. */
static void record_write(struct perf_event *event, const struct pcl_record *what)
{
	unsigned int values = what->kind == PCL_RECORD_READ ? event->read_size : 0;
	size_t parts = parts_size(what), size;
	struct perf_output_handle handle;
	struct pcl_record_head head;

	size = pcl_record_make(&head, event, what) + ALIGN(parts, sizeof(u64)) + values;
	head.header.size = size;
	if (perf_output_begin(&handle, NULL, event, size > U16_MAX ? 0 : size))
		return;
	pcl_output_record_head(&handle, &head);
	write_parts(&handle, what, parts);
	if (values)
		pcl_read_write(&handle, event, values);
	pcl_output_record_trailer(&handle, &head);
	perf_output_end(&handle);
}

/* ---- to all who want it ---- */

/* How many events want each kind, and how many want to know files by their build ids. */
static atomic_t nr_wanting[PCL_RECORD_KINDS];
static atomic_t nr_wanting_build_id;

static bool wants(enum pcl_record_kind kind, const struct perf_event *event)
{
	return pcl_record_rows[kind].wants && pcl_record_rows[kind].wants(&event->attr);
}

/*
 * Does @event want records of any kind that is told to all who want it? Each open and each copy asks, so it is what the
 * table says (record_test.c), in one look at the attr's flags.
 */
bool pcl_record_is_told(const struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return attr->task | attr->comm | attr->mmap | attr->mmap2 | attr->mmap_data | attr->namespaces |
	       attr->context_switch | attr->ksymbol | attr->bpf_event | attr->cgroup | attr->text_poke |
	       attr->defer_output;
}

void pcl_record_account(struct perf_event *event, int delta)
{
	unsigned int kind;

	if (!pcl_record_is_told(event))
		return;
	for (kind = 0; kind < PCL_RECORD_KINDS; kind++) {
		if (wants(kind, event))
			atomic_add(delta, &nr_wanting[kind]);
	}
	if (event->attr.mmap2 && event->attr.build_id)
		atomic_add(delta, &nr_wanting_build_id);
}

bool pcl_record_wanted(enum pcl_record_kind kind)
{
	return atomic_read(&nr_wanting[kind]);
}

bool pcl_record_wanted_build_id(void)
{
	return atomic_read(&nr_wanting_build_id);
}

/*
 * RCU read section, preemption off. An event that is just being bound or unbound may or may not get it. Who wants none
 * is passed by, and behind the last who does nobody is asked: new ones come at the end of the list.
 */
static void record_to_context(struct perf_event_context *ctx, const struct pcl_record *what)
{
	const struct pcl_record_row *kind = &pcl_record_rows[what->kind];
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
		if (!pcl_cgroup_runs(event))
			continue;
		record_write(event, what);
	}
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
		ctx = pcl_context_that_stands_for(current);
	}
	if (ctx)
		record_to_context(ctx, what);
	preempt_enable();
	rcu_read_unlock();
}

/* @task was made by the current task, or it is the current task and goes. @ctx as in pcl_record_send(). */
void pcl_record_task(struct task_struct *task, struct perf_event_context *ctx, bool is_new)
{
	enum pcl_record_kind kind = is_new ? PCL_RECORD_FORK : PCL_RECORD_EXIT;
	struct pcl_record what;

	if (!pcl_record_wanted(kind))
		return;
	what = (struct pcl_record){ .kind = kind, .task = task };
	pcl_record_send(&what, ctx);
}

/* @task goes to make way for @other, or comes after it. From the scheduler, IRQs off, @task is current. */
void pcl_record_switch(struct task_struct *task, struct task_struct *other, bool in)
{
	struct pcl_record what;

	lockdep_assert_irqs_disabled();
	if (!pcl_record_wanted(PCL_RECORD_SWITCH))
		return;
	what = (struct pcl_record){ .kind = PCL_RECORD_SWITCH, .task = task, .other = other };
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

/* @size bytes of the AUX area from @offset on are the reader's. */
void pcl_record_aux(struct perf_event *event, u64 offset, u64 size, u64 flags)
{
	struct pcl_record what = { .kind = PCL_RECORD_AUX };
	u64 body[] = { offset, size, flags };

	pcl_record_add(&what, body, sizeof(body));
	record_write(event, &what);
}

/* The trace of @event is of the running task from here on. */
void pcl_record_itrace_start(struct perf_event *event)
{
	struct pcl_record what = { .kind = PCL_RECORD_ITRACE_START, .task = current };

	record_write(event->parent ? event->parent : event, &what);
}

void pcl_record_output_id(struct perf_event *event, u64 hw_id)
{
	struct pcl_record what = { .kind = PCL_RECORD_OUTPUT_ID };

	pcl_record_add(&what, &hw_id, sizeof(hw_id));
	record_write(event->parent ? event->parent : event, &what);
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
