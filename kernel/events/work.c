// SPDX-License-Identifier: GPL-2.0
/*
 * Work: from an overflow upwards, out of NMI.
 *
 * Concepts: an overflow leaves notes in its event and queues the event's irq_work:
 *
 *	pending_wakeup	wake the ring's readers, and signal the owner by pending_kill
 *	pending_disable	the event has had all its overflows
 *	pending_sigtrap	the task shall get SIGTRAP
 *
 * The irq_work runs on the CPU of the overflow as soon as interrupts are on. By then the event may have left this CPU:
 * waking is right anywhere, but the other two belong where the event is. Whoever took it off its counter has settled
 * them (pcl_overflow_off() for the signal, event_out() in sched.c for disabling); if it runs elsewhere now, and has a
 * new note there, the work is passed on, since that CPU could not queue it while it was pending here.
 *
 * A signal that was not sent yet when the event leaves its CPU follows the task as task work (pending_work), so that
 * the task gets it before it runs user code again.
 *
 * Contexts: the irq_work in hard interrupt, on any CPU; task work in its task.
 * Locks: none here; perf_event_disable_local() takes the CPU's and the task's context lock. This is the one place where
 * the output layer calls upwards.
 */
#include <linux/sched/signal.h>
#include <linux/task_work.h>

#include "overflow.h"

/* attr.sigtrap: the context's task is current. */
static void signal_task(struct perf_event *event)
{
	struct task_struct *task = READ_ONCE(event->ctx->task);

	/* It exits, or execs and left its events behind. */
	if (task == PCL_TASK_GONE)
		return;
	if (WARN_ON_ONCE(task != current))
		return;
	send_sig_perf((void __user *)READ_ONCE(event->pending_addr), event->attr.type, event->attr.sig_data);
}

/* On the event's own CPU. */
static void settle_here(struct perf_event *event)
{
	if (READ_ONCE(event->pending_sigtrap)) {
		WRITE_ONCE(event->pending_sigtrap, 0);
		signal_task(event);
	}
	if (READ_ONCE(event->pending_disable)) {
		WRITE_ONCE(event->pending_disable, 0);
		perf_event_disable_local(event);
	}
}

/* In hard interrupt: first what can be done on any CPU, then the rest, where the event is, if it is on one. */
static void settle(struct perf_event *event)
{
	int cpu, kill;

	if (READ_ONCE(event->pending_wakeup)) {
		WRITE_ONCE(event->pending_wakeup, 0);
		pcl_buffer_wake(event);
		/* An overflow meanwhile asks for another signal. */
		kill = xchg(&event->pending_kill, 0);
		if (kill)
			kill_fasync(pcl_fasync_of(event), SIGIO, kill);
	}

	cpu = READ_ONCE(event->oncpu);
	if (cpu == smp_processor_id())
		settle_here(event);
	else if (cpu >= 0)
		irq_work_queue_on(&event->pending_irq, cpu);
}

/* In the task, which is about to return to user mode, or exits. */
static void settle_in_task(struct perf_event *event)
{
	if (!event->pending_work)
		return;
	event->pending_work = 0;
	signal_task(event);
}

/* Waking and signalling make software events, which must not be told to the event that wakes: they are left out. */
static void quietly(struct perf_event *event, void (*fn)(struct perf_event *event))
{
	int recursion;

	preempt_disable_notrace();	/* the mark is this CPU's */
	recursion = perf_swevent_get_recursion_context();
	fn(event);
	if (recursion >= 0)
		perf_swevent_put_recursion_context(recursion);
	preempt_enable_notrace();
}

static void pending_irq(struct irq_work *work)
{
	quietly(container_of(work, struct perf_event, pending_irq), settle);
}

/* It has a reference on the event. */
static void pending_task(struct callback_head *head)
{
	struct perf_event *event = container_of(head, struct perf_event, pending_task);

	quietly(event, settle_in_task);
	pcl_event_put(event);
}

/*
 * Give back a reference where the event may not be freed: with locks of the task's memory. If it is the last, the task
 * does it before it returns to user mode. A task that exits has nobody who could wait for its memory.
 */
void pcl_event_put_later(struct perf_event *event)
{
	if (atomic_long_add_unless(&event->refcount, -1, 1))
		return;
	if (task_work_add(current, &event->pending_task, TWA_RESUME))
		pcl_event_put(event);
}

/* The event leaves its counter. IRQs off, ctx->lock held; of a task's event the task is current. */
void pcl_overflow_off(struct perf_event *event)
{
	lockdep_assert_held(&event->ctx->lock);
	if (!READ_ONCE(event->pending_sigtrap))
		return;
	WRITE_ONCE(event->pending_sigtrap, 0);
	if (event->state == PERF_EVENT_STATE_OFF || event->pending_work)
		return;
	if (task_work_add(current, &event->pending_task, TWA_RESUME))
		return;
	event->pending_work = 1;
	WARN_ON_ONCE(!pcl_event_get(event));
}

/* From NMI: disable the event soon. Its counter is stopped already. */
void perf_event_disable_inatomic(struct perf_event *event)
{
	WRITE_ONCE(event->pending_disable, 1);
	irq_work_queue(&event->pending_irq);
}

/* When the event is made. */
void pcl_overflow_init(struct perf_event *event)
{
	init_irq_work(&event->pending_irq, pending_irq);
	init_task_work(&event->pending_task, pending_task);
}

/* Before the event is freed: it is on no counter, so once no work is left none comes. */
void pcl_overflow_cancel(struct perf_event *event)
{
	irq_work_sync(&event->pending_irq);
}
