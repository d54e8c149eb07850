// SPDX-License-Identifier: GPL-2.0
/*
 * Reading: counts and times, to whoever may have them.
 *
 * Concepts: a reading folds the counters into the counts and puts counts, times and ids together, all at one moment of
 * the event's context: with IRQs off on its CPU if it is on one, under ctx->lock if it is not.
 *
 * Two ways lead there. An event of the running task, of this CPU or of a task that runs nowhere, without children now,
 * is read at once: with IRQs off nothing on this CPU can change it, and nobody else may while its context is active
 * here, or while we hold its lock; no mutex, no IPI, no allocation. Everything else goes through the context's mutex
 * and pcl_remote(), and adds up the children.
 *
 * A child's group is summed with its parent's only while both have the same members (group_generation).
 *
 * Contexts: process context; the *_local functions run where the context is. perf_event_read_local() is for any
 * context, NMI included.
 *
 * Locks: ctx->mutex, then the original's child_mutex, then what pcl_remote() takes; at once: none, or ctx->lock.
 */
#include <linux/sched/clock.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "internal.h"

/* u64s of a reading that lies on the stack: a group of 64 with times and ids. On the spot there is no other. */
#define LOCAL_VALUES (3 + 2 * 64)

/* A reading in the making: one event or group after the other is added to the values. */
struct reading {
	struct perf_event *event;	/* who is to be added: an original or a child; of a group the leader */
	u64 format;			/* PERF_FORMAT_* */
	u64 *values;
	u64 stamp;			/* of local_clock(), see reading_stamp(); 0: nobody has asked yet */
	int err;
};

static struct perf_event *original(struct perf_event *event)
{
	return event->parent ? event->parent : event;
}

/* ---- putting it together, where the context is ---- */

/* The moment of a group's reading, clocks and times: looked up once, if anybody asks and time goes on. */
static u64 reading_stamp(struct reading *r)
{
	if (!r->stamp && r->event->ctx->clock.running)
		r->stamp = local_clock();
	return r->stamp;
}

static unsigned int put_times(struct reading *r, struct perf_event *event, u64 *at)
{
	unsigned int n = 0;
	u64 enabled, running;

	if (!(r->format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)))
		return 0;
	pcl_event_times_at(event, reading_stamp(r), &enabled, &running);
	if (r->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		at[n++] += enabled + atomic64_read(&event->child_total_time_enabled);
	if (r->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		at[n++] += running + atomic64_read(&event->child_total_time_running);
	return n;
}

/* Who the event is does not add up. */
static unsigned int put_identity(struct reading *r, struct perf_event *event, u64 *at)
{
	unsigned int n = 0;

	if (r->format & PERF_FORMAT_ID)
		at[n++] = original(event)->id;
	if (r->format & PERF_FORMAT_LOST)
		at[n++] = atomic64_read(&original(event)->lost_samples);
	return n;
}

static void put_one(struct reading *r)
{
	u64 *at = r->values;

	*at++ += pcl_event_count(r->event);
	at += put_times(r, r->event, at);
	put_identity(r, r->event, at);
}

static void put_group(struct reading *r)
{
	struct perf_event *leader = r->event, *sibling;
	u64 *at = r->values + 1;

	r->values[0] = 1 + leader->nr_siblings;
	at += put_times(r, leader, at);
	*at++ += pcl_event_count(leader);
	at += put_identity(r, leader, at);
	for_each_sibling_event(sibling, leader) {
		*at++ += pcl_event_count(sibling);
		at += put_identity(r, sibling, at);
	}
}

/* Of a group's. Inlined, for each member pays. */
static __always_inline void fold_one(struct reading *r, struct perf_event *event)
{
	struct pmu *pmu = event->pmu;

	if (unlikely(pmu->read_at))
		pmu->read_at(event, reading_stamp(r));
	else
		pmu->read(event);
}

/*
 * Fold the counter, or the group's as one. On the event's CPU if it is active; the PMU of one that is not may just be
 * exchanged (unregister.c).
 */
static void fold_local(struct reading *r)
{
	struct perf_event *event = r->event, *sibling;
	struct pmu *pmu;

	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;
	pmu = event->pmu;
	if (!(r->format & PERF_FORMAT_GROUP)) {
		pmu->read(event);
		return;
	}
	pmu->start_txn(pmu, PERF_PMU_TXN_READ);
	fold_one(r, event);
	for_each_sibling_event(sibling, event) {
		if (sibling->state == PERF_EVENT_STATE_ACTIVE)
			fold_one(r, sibling);
	}
	pmu->commit_txn(pmu);
}

static bool same_group(struct perf_event *leader)
{
	struct perf_event *parent = leader->parent;

	return !parent || (parent->group_generation == leader->group_generation &&
			   parent->nr_siblings == leader->nr_siblings);
}

static void reading_add_local(struct perf_event_context *ctx, void *arg)
{
	struct reading *r = arg;
	bool group = r->format & PERF_FORMAT_GROUP;

	if (group && r->event->attach_state & PERF_ATTACH_PARTIAL)
		return;
	r->stamp = 0;
	fold_local(r);
	if (!group)
		put_one(r);
	else if (same_group(r->event))
		put_group(r);
	else
		r->err = pcl_refuse(NULL, PCL_REASON_READ_GROUP_DIFFERS);
}

/* r->event and its children. ctx->mutex held. */
static int reading_add_all(struct reading *r)
{
	struct perf_event *event = r->event, *child;

	lockdep_assert_held(&event->ctx->mutex);
	mutex_lock(&event->child_mutex);
	pcl_remote_look(event->ctx, reading_add_local, r);
	list_for_each_entry(child, &event->child_list, child_list) {
		if (r->err)
			break;
		r->event = child;
		pcl_remote_look(child->ctx, reading_add_local, r);
	}
	mutex_unlock(&event->child_mutex);
	return r->err;
}

/* ---- read(2) ---- */

/* How many bytes a read gives: none, as at the end of a file, of an event that is in error. */
static int read_bytes(struct perf_event *event, size_t room)
{
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR)
		return 0;
	if (room < event->read_size)
		return pcl_refuse(NULL, PCL_REASON_READ_SMALL);
	return event->read_size;
}

static struct perf_event *reading_of(struct perf_event *event)
{
	return event->attr.read_format & PERF_FORMAT_GROUP ? event->group_leader : event;
}

/*
 * IRQs off: does the event's context run on this CPU, and nowhere else can it be changed? Which context it is comes
 * first: of any other one the rest is not ours to read.
 */
static bool is_here(struct perf_event *event)
{
	struct perf_event_context *ctx = READ_ONCE(event->ctx);
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);

	lockdep_assert_irqs_disabled();
	return (ctx == cpu->task_ctx || ctx == &cpu->ctx) && ctx->is_active &&
	       event->attach_state & PERF_ATTACH_CONTEXT;
}

/*
 * IRQs off: is the event's context on no CPU, and sure to stay off them until its lock is given back? That is ours
 * then. Of a task alone: only from one CPU's context to another's do events move.
 */
static bool is_kept_off(struct perf_event *event)
{
	struct perf_event_context *ctx = READ_ONCE(event->ctx);

	lockdep_assert_irqs_disabled();
	if (ctx->cpu >= 0 || READ_ONCE(ctx->is_active))
		return false;
	raw_spin_lock(&ctx->lock);
	if (pcl_remote_is_nowhere(ctx))
		return true;
	raw_spin_unlock(&ctx->lock);
	return false;
}

/*
 * Must others be asked as well? IRQs off, where the event's context is, or with that kept off. Children come by a fork
 * of the task that has it, which runs this or nothing now, or of tasks that have children of it already; and while a
 * context floats, each set that has the event has a child of it in every instance but the first.
 */
static bool has_children(struct perf_event *event)
{
	struct perf_event *first = reading_of(event), *sibling;

	lockdep_assert_irqs_disabled();
	if (!list_empty(&first->child_list))
		return true;
	if (event->attr.read_format & PERF_FORMAT_GROUP) {
		for_each_sibling_event(sibling, first) {
			if (!list_empty(&sibling->child_list))
				return true;
		}
	}
	smp_rmb();	/* child.gone B, pairs with child.gone A in bind.c: what those that were counted is there */
	return false;
}

/* Where neither counts, times nor group can change. -EAGAIN: there is more to it. */
static int read_still(struct perf_event *event, u64 *values, size_t room)
{
	struct reading r = { .format = event->attr.read_format, .values = values };
	int bytes;

	if (has_children(event))
		return -EAGAIN;
	bytes = read_bytes(event, room);
	if (bytes <= 0)
		return bytes;
	if (bytes > LOCAL_VALUES * sizeof(u64))
		return -EAGAIN;
	memset64(values, 0, bytes / sizeof(u64));
	r.event = reading_of(event);
	reading_add_local(event->ctx, &r);
	return bytes;
}

/* The quick way. -EAGAIN: not possible. */
static int read_at_once(struct perf_event *event, u64 *values, size_t room)
{
	unsigned long flags;
	int bytes = -EAGAIN;
	bool here;

	local_irq_save(flags);
	here = is_here(event);
	if (here || is_kept_off(event)) {
		bytes = read_still(event, values, room);
		if (!here)
			raw_spin_unlock(&event->ctx->lock);
	}
	local_irq_restore(flags);
	return bytes;
}

/* The way that always works. @values: LOCAL_VALUES of them. ctx->mutex held. */
static int read_anywhere(struct perf_event *event, u64 *values, char __user *buf, size_t room)
{
	struct reading r = { .format = event->attr.read_format, .event = reading_of(event), .values = values };
	int bytes, err;

	lockdep_assert_held(&event->ctx->mutex);
	bytes = read_bytes(event, room);
	if (bytes <= 0)
		return bytes;
	if (bytes > LOCAL_VALUES * sizeof(u64)) {
		r.values = kmalloc(bytes, GFP_KERNEL);
		if (!r.values)
			return -ENOMEM;
	}
	memset(r.values, 0, bytes);
	err = reading_add_all(&r);
	if (!err && copy_to_user(buf, r.values, bytes))
		err = -EFAULT;
	if (r.values != values)
		kfree(r.values);
	return err ? err : bytes;
}

ssize_t pcl_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	struct perf_event *event = file->private_data;
	struct perf_event_context *ctx;
	u64 values[LOCAL_VALUES];
	int ret;

	ret = pcl_refuse_security(NULL, security_perf_event_read(event));
	if (ret)
		return ret;

	ret = read_at_once(event, values, count);
	if (ret > 0)
		return copy_to_user(buf, values, ret) ? -EFAULT : ret;
	if (ret != -EAGAIN)
		return ret;

	ctx = pcl_context_lock(event);
	ret = read_anywhere(event, values, buf, count);
	pcl_context_unlock(ctx);
	return ret;
}

/* ---- for the kernel ---- */

/**
 * perf_event_read_value - the count of an event and its children
 * @event: any
 * @enabled: ns, out
 * @running: ns, out
 *
 * May sleep.
 */
u64 perf_event_read_value(struct perf_event *event, u64 *enabled, u64 *running)
{
	u64 values[3] = {};
	struct reading r = {
		.event = event,
		.format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.values = values,
	};
	struct perf_event_context *ctx = pcl_context_lock(event);

	reading_add_all(&r);
	pcl_context_unlock(ctx);
	*enabled = values[1];
	*running = values[2];
	return values[0];
}
EXPORT_SYMBOL_GPL(perf_event_read_value);

/* Why perf_event_read_local() cannot, or 0. IRQs off, or NMI. */
static int check_read_local(struct perf_event *event)
{
	int cpu = smp_processor_id();

	pcl_assert_irqs_off_or_nmi();
	if (event->attr.inherit)
		return -EOPNOTSUPP;	/* its children may be anywhere */
	if (event->attach_state & PERF_ATTACH_TASK ? event->hw.target != current : event->cpu != cpu)
		return -EINVAL;
	if (event->attr.pinned && !pcl_event_counts_here(event))
		return -EBUSY;
	return 0;
}

/**
 * perf_event_read_local - the count of an event of this CPU or the running task
 * @event: without children
 * @value: out
 * @enabled: ns, out, or NULL
 * @running: ns, out, or NULL
 *
 * From any context. Return: 0; -EOPNOTSUPP: it inherits; -EINVAL: not here; -EBUSY: pinned, and not on a counter.
 */
int perf_event_read_local(struct perf_event *event, u64 *value, u64 *enabled, u64 *running)
{
	u64 enabled_ns, running_ns;
	unsigned long flags;
	int err;

	local_irq_save(flags);
	err = check_read_local(event);
	if (err)
		goto restore;
	if (pcl_event_counts_here(event))
		event->pmu->read(event);
	*value = local64_read(&event->count);
	pcl_event_times_now(event, &enabled_ns, &running_ns);
	if (enabled)
		*enabled = enabled_ns;
	if (running)
		*running = running_ns;
restore:
	local_irq_restore(flags);
	return err;
}
