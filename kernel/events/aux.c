// SPDX-License-Identifier: GPL-2.0
/*
 * AUX output: what drivers of instruction traces call.
 *
 * Concepts: while such an event runs, its driver is in an *output operation*, from perf_aux_output_begin() to
 * perf_aux_output_end(), and lets the hardware write to the AUX area from handle->head on, @size bytes at most. With
 * the end the bytes are the reader's, and an AUX record in the ring says which they are. Without overwriting, the
 * reader makes room by aux_tail; when there is none the event is disabled, and the reader, woken, enables it again.
 *
 * One operation at a time writes to an area, whichever event of the buffer it is of.
 *
 * Contexts: the event's CPU, IRQs off or NMI. Locks: none.
 */
#include <linux/circ_buf.h>
#include <linux/poll.h>

#include "buffer.h"
#include "output.h"
#include "record.h"

static void wake(struct perf_output_handle *handle)
{
	atomic_set(&handle->rb->poll, (__force int)(EPOLLIN | EPOLLRDNORM));
	pcl_output_wakeup(handle->event);
}

static bool passed_watermark(struct pcl_aux *aux)
{
	if (aux->overwrite || aux->head - aux->wakeup < aux->watermark)
		return false;
	aux->wakeup = rounddown(aux->head, aux->watermark);
	return true;
}

/* Bytes that the reader has done with. aux_tail is the user's: what makes no sense is no room. */
static unsigned long room(struct pcl_aux *aux, struct perf_event_mmap_page *user)
{
	unsigned long size = pcl_aux_size(aux), tail = READ_ONCE(user->aux_tail);

	/* aux.tail C, pairs with user D: what is written there depends on this branch */
	return aux->head - tail < size ? CIRC_SPACE(aux->head, tail, size) : 0;
}

static void leave(struct perf_output_handle *handle)
{
	WRITE_ONCE(handle->aux->busy, false);
	handle->event = NULL;
	pcl_aux_put(handle->aux);	/* which kept the buffer, too */
}

/**
 * perf_aux_output_begin - the event begins to fill its AUX area
 * @handle: the driver's, until perf_aux_output_end()
 * @event: of this CPU
 *
 * handle->head says where (bytes; modulo the area's size), handle->size how much; an area that is overwritten has no
 * size, and the driver moves the head. Return: what the driver's setup_aux() gave; NULL: there is no area, or no room
 * in it; then the event stays stopped.
 */
void *perf_aux_output_begin(struct perf_output_handle *handle, struct perf_event *event)
{
	struct perf_buffer *rb;
	struct pcl_aux *aux = pcl_aux_get(event, &rb);

	handle->event = NULL;
	if (!aux)
		return NULL;
	if (WARN_ON_ONCE(READ_ONCE(aux->busy))) {
		pcl_aux_put(aux);
		return NULL;
	}
	WRITE_ONCE(aux->busy, true);
	handle->rb = rb;
	handle->aux = aux;
	handle->event = event;
	handle->head = aux->head;
	handle->size = 0;
	handle->aux_flags = 0;
	if (aux->overwrite)
		return aux->driver;

	handle->wakeup = aux->wakeup + aux->watermark;
	handle->size = room(aux, rb->ring.user);
	if (handle->size)
		return aux->driver;
	perf_event_disable_inatomic(event);
	wake(handle);
	leave(handle);
	return NULL;
}
EXPORT_SYMBOL_GPL(perf_aux_output_begin);

/* The reader may see what was written up to the head. */
static void publish_head(struct perf_output_handle *handle)
{
	/* aux.head A, pairs with user B: data before the head that covers it */
	smp_store_release(&handle->rb->ring.user->aux_head, handle->aux->head);
}

/* Does it say what the reader does not know? That an area is overwritten, or whose format it is, is no news. */
static bool is_news(u64 flags)
{
	return flags & ~(u64)(PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK | PERF_AUX_FLAG_OVERWRITE);
}

/**
 * perf_aux_output_end - the event has stopped filling its AUX area
 * @handle: as begun
 * @size: bytes that were written; into an area that is overwritten: bytes that the record shall tell
 */
void perf_aux_output_end(struct perf_output_handle *handle, unsigned long size)
{
	bool truncated = handle->aux_flags & PERF_AUX_FLAG_TRUNCATED;
	struct pcl_aux *aux = handle->aux;
	unsigned long at;

	if (aux->overwrite) {
		handle->aux_flags |= PERF_AUX_FLAG_OVERWRITE;
		at = handle->head;
		aux->head = at;
	} else {
		handle->aux_flags &= ~(u64)PERF_AUX_FLAG_OVERWRITE;
		at = aux->head;
		aux->head += size;
	}
	if (size || is_news(handle->aux_flags))
		pcl_record_aux(handle->event, at, size, handle->aux_flags);
	publish_head(handle);

	if (passed_watermark(aux) || truncated) {
		if (truncated)
			perf_event_disable_inatomic(handle->event);
		wake(handle);
	}
	leave(handle);
}
EXPORT_SYMBOL_GPL(perf_aux_output_end);

/* The driver passes @size bytes over, which it cannot use. -ENOSPC: there are not so many. */
int perf_aux_output_skip(struct perf_output_handle *handle, unsigned long size)
{
	struct pcl_aux *aux = handle->aux;

	if (size > handle->size)
		return -ENOSPC;
	aux->head += size;
	publish_head(handle);
	if (passed_watermark(aux)) {
		wake(handle);
		handle->wakeup = aux->wakeup + aux->watermark;
	}
	handle->head = aux->head;
	handle->size -= size;
	return 0;
}
EXPORT_SYMBOL_GPL(perf_aux_output_skip);

void perf_aux_output_flag(struct perf_output_handle *handle, u64 flags)
{
	handle->aux_flags |= flags;
}
EXPORT_SYMBOL_GPL(perf_aux_output_flag);

/* What the driver's setup_aux() gave for the area that is being filled; NULL: none is. */
void *perf_get_aux(struct perf_output_handle *handle)
{
	return handle->event ? handle->aux->driver : NULL;
}
EXPORT_SYMBOL_GPL(perf_get_aux);

/* The bytes from @from up to @to, positions in the AUX area that may wrap, go into a record. Returns how many. */
long perf_output_copy_aux(struct perf_output_handle *aux_handle, struct perf_output_handle *handle,
			  unsigned long from, unsigned long to)
{
	struct pcl_aux *aux = aux_handle->aux;
	unsigned long mask = pcl_aux_size(aux) - 1, part;
	unsigned long left = ((to - from - 1) & mask) + 1;	/* the same place twice: all of it */
	long copied = left;

	for (; left; left -= part, from += part) {
		from &= mask;
		part = min(left, PAGE_SIZE - offset_in_page(from));
		perf_output_copy(handle, aux->pages[from >> PAGE_SHIFT] + offset_in_page(from), part);
	}
	return copied;
}

/* ---- what drivers tell ---- */

/* ITRACE_START, which tells whose code the trace is of, has been written for what is running; no more of it. */
void perf_event_itrace_started(struct perf_event *event)
{
	event->attach_state |= PERF_ATTACH_ITRACE;
}
EXPORT_SYMBOL_GPL(perf_event_itrace_started);

/* The samples of @event are those marked @hw_id in the AUX data. */
void perf_report_aux_output_id(struct perf_event *event, u64 hw_id)
{
	pcl_record_output_id(event, hw_id);
}
EXPORT_SYMBOL_GPL(perf_report_aux_output_id);
