// SPDX-License-Identifier: GPL-2.0
/*
 * Output: begin and end a record, whatever its kind.
 *
 * Concepts: a record goes to the ring of its event, or of the parent if the event is a child. When there is no room it
 * is counted as lost; the next record that fits is preceded by a LOST record that tells the number. Unless the event
 * said otherwise, every record but a sample ends with a trailer, the sample_id, that says whose it is and when it was
 * written.
 *
 * A ring has one writing CPU at a time: a CPU's ring that CPU, a task's the one that runs the task. Whether a record
 * may be written is decided in one place, may_write(); what comes up elsewhere is counted as lost.
 *
 * Contexts: any, NMI included. Between begin and end preemption is off, which is also what keeps the buffer: to RCU,
 * code that cannot be preempted is a reader.
 * Locks: none.
 */
#include <linux/poll.h>

#include "buffer.h"
#include "output.h"
#include "record.h"

/* ---- who writes where ---- */

/*
 * The one place that decides it. What comes up elsewhere is counted as lost: the child of an event whose output goes to
 * its parent's ring, and whatever forgets the rule.
 */
static bool may_write(const struct perf_buffer *rb)
{
	int cpu = READ_ONCE(rb->cpu);

	return cpu >= 0 ? cpu == smp_processor_id() : rb->task == current;
}

/* On debug kernels the rule is checked by what happens: while one CPU is at work in a ring, no other comes. */
static void writer_enter(struct perf_buffer *rb)
{
	int self = smp_processor_id() + 1, other;

	if (!IS_ENABLED(CONFIG_PROVE_LOCKING))
		return;
	other = xchg(&rb->writer, self);
	WARN_ONCE(other && other != self, "CPU %d writes a ring in which CPU %d is at work", self - 1, other - 1);
}

static void writer_leave(struct perf_buffer *rb)
{
	if (IS_ENABLED(CONFIG_PROVE_LOCKING) && !READ_ONCE(rb->ring.nest))
		WRITE_ONCE(rb->writer, 0);
}

/* ---- begin and end ---- */

void pcl_output_wakeup(struct perf_event *event)
{
	WRITE_ONCE(event->pending_wakeup, 1);
	irq_work_queue(&event->pending_irq);
}

static void count_lost(struct perf_buffer *rb, struct perf_event *event)
{
	local_inc(&rb->ring.lost);
	atomic64_inc(&event->lost_samples);
}

/* The same where nobody may write: the ring's own count is for its writers alone. */
static void count_lost_elsewhere(struct perf_buffer *rb, struct perf_event *event)
{
	atomic_inc(&rb->lost_elsewhere);
	atomic64_inc(&event->lost_samples);
}

static bool has_lost(struct perf_buffer *rb)
{
	return local_read(&rb->ring.lost) || atomic_read(&rb->lost_elsewhere);
}

static void ring_leave(struct perf_output_handle *handle)
{
	struct perf_buffer *rb = handle->rb;
	bool wake = pcl_ring_leave(&rb->ring, handle->wakeup);

	writer_leave(rb);
	if (wake) {
		atomic_set(&rb->poll, (__force int)(EPOLLIN | EPOLLRDNORM));
		pcl_output_wakeup(handle->event);
	}
}

/* Returns how much could not be copied: nothing. */
unsigned int perf_output_copy(struct perf_output_handle *handle, const void *buf, unsigned int len)
{
	pcl_ring_copy(&handle->rb->ring, handle, buf, len);
	return 0;
}

unsigned int perf_output_skip(struct perf_output_handle *handle, unsigned int len)
{
	pcl_ring_skip(&handle->rb->ring, handle, len);
	return 0;
}

void pcl_output_record_head(struct perf_output_handle *handle, const struct pcl_record_head *head)
{
	perf_output_copy(handle, head, sizeof(head->header) + head->nr * sizeof(u64));
}

void pcl_output_record_trailer(struct perf_output_handle *handle, const struct pcl_record_head *head)
{
	perf_output_copy(handle, head->trailer, head->nr_trailer * sizeof(u64));
}

/* LOST tells that @nr records were not written. */
static unsigned int make_tale(struct pcl_record_head *tale, struct perf_event *event, u64 nr)
{
	struct pcl_record what = { .kind = PCL_RECORD_LOST, .value = nr };
	unsigned int size = pcl_record_make(tale, event, &what);

	tale->header.size = size;
	return size;
}

static noinline unsigned int tale_size(struct perf_event *event)
{
	struct pcl_record_head tale;

	return make_tale(&tale, event, 0);
}

static noinline void write_tale(struct perf_output_handle *handle)
{
	struct perf_buffer *rb = handle->rb;
	struct pcl_record_head tale;

	make_tale(&tale, handle->event, local_xchg(&rb->ring.lost, 0) + atomic_xchg(&rb->lost_elsewhere, 0));
	pcl_output_record_head(handle, &tale);
	pcl_output_record_trailer(handle, &tale);
}

/*
 * Room for @size bytes and, if some records were lost, for the tale of it, which is written at once.
 */
static bool ring_take(struct perf_output_handle *handle, unsigned int size, bool backward)
{
	struct perf_event *event = handle->event;
	struct perf_buffer *rb = handle->rb;
	unsigned int tale = unlikely(has_lost(rb)) ? tale_size(event) : 0;

	writer_enter(rb);
	handle->wakeup = pcl_ring_enter(&rb->ring);
	if (unlikely(!pcl_ring_reserve(&rb->ring, handle, size + tale, backward))) {
		count_lost(rb, event);
		ring_leave(handle);
		return false;
	}
	if (unlikely(tale))
		write_tale(handle);
	return true;
}

static int output_begin(struct perf_output_handle *handle, struct perf_event *event, unsigned int size, bool backward)
{
	struct perf_buffer *rb;

	preempt_disable();
	if (event->parent)
		event = event->parent;
	rb = rcu_dereference_sched(event->rb);
	if (unlikely(!rb))
		goto fail;
	if (unlikely(!may_write(rb))) {
		if (rb->ring.nr_pieces)
			count_lost_elsewhere(rb, event);
		goto fail;
	}
	if (unlikely(READ_ONCE(rb->ring.paused))) {
		if (rb->ring.nr_pieces)
			count_lost(rb, event);
		goto fail;
	}

	if (unlikely(!size)) {
		count_lost(rb, event);	/* a sample that is longer than any record */
		goto fail;
	}

	handle->rb = rb;
	handle->event = event;
	handle->flags = 0;
	if (ring_take(handle, size, backward))
		return 0;
fail:
	preempt_enable();
	return -ENOSPC;
}

/**
 * perf_output_begin - begin a record of @size bytes
 * @handle: the caller's, until perf_output_end()
 * @data: unused; what the record says of itself comes from the event
 * @event: whose record it is
 * @size: bytes, a multiple of 8: all of them must then be written; 0: there can be no such record, it is lost
 *
 * Return: 0, or -ENOSPC: there is no ring, no room in it, or it is not to be written here; then perf_output_end() must
 * not be called.
 */
int perf_output_begin(struct perf_output_handle *handle, struct perf_sample_data *data, struct perf_event *event,
		      unsigned int size)
{
	return output_begin(handle, event, size, is_write_backward(event));
}
EXPORT_SYMBOL_GPL(perf_output_begin);

int perf_output_begin_forward(struct perf_output_handle *handle, struct perf_sample_data *data,
			      struct perf_event *event, unsigned int size)
{
	return output_begin(handle, event, size, false);
}

int perf_output_begin_backward(struct perf_output_handle *handle, struct perf_sample_data *data,
			       struct perf_event *event, unsigned int size)
{
	return output_begin(handle, event, size, true);
}

/*
 * As perf_output_copy(), but @copy does it, piece by piece: it is told how far it got, and says how much it could not
 * copy, which ends it. Returns how many bytes were copied; the others stay as they were.
 */
unsigned long pcl_output_custom(struct perf_output_handle *handle, perf_copy_f copy, const void *from,
				unsigned long bytes)
{
	unsigned long done = 0, part, left;

	while (done < bytes) {
		part = min(bytes - done, handle->size);
		left = copy(handle->addr, from, done, part);
		perf_output_skip(handle, part);
		done += part;
		if (left) {
			perf_output_skip(handle, bytes - done);
			return done - left;
		}
	}
	return done;
}

void perf_output_end(struct perf_output_handle *handle)
{
	ring_leave(handle);
	preempt_enable();
}
EXPORT_SYMBOL_GPL(perf_output_end);
