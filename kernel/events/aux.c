// SPDX-License-Identifier: GPL-2.0
/*
 * AUX areas: what drivers of instruction traces call.
 *
 * Concepts: an AUX area is a second buffer of an event, which hardware fills. Mapping one is refused, so no event has
 * one: a driver that asks for it is told so, as on any kernel whose user did not map one, and drops its data.
 *
 * Contexts: the event's CPU, any level. Locks: none.
 */
#include "internal.h"

/* NULL: there is no room. */
void *perf_aux_output_begin(struct perf_output_handle *handle, struct perf_event *event)
{
	handle->event = NULL;
	return NULL;
}
EXPORT_SYMBOL_GPL(perf_aux_output_begin);

/* The rest belongs between begin and end: nobody comes this far. */
void perf_aux_output_end(struct perf_output_handle *handle, unsigned long size)
{
	WARN_ON_ONCE(handle->event);
}
EXPORT_SYMBOL_GPL(perf_aux_output_end);

int perf_aux_output_skip(struct perf_output_handle *handle, unsigned long size)
{
	return -ENOSPC;
}
EXPORT_SYMBOL_GPL(perf_aux_output_skip);

void perf_aux_output_flag(struct perf_output_handle *handle, u64 flags)
{
	handle->aux_flags |= flags;
}
EXPORT_SYMBOL_GPL(perf_aux_output_flag);

void *perf_get_aux(struct perf_output_handle *handle)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(perf_get_aux);

long perf_output_copy_aux(struct perf_output_handle *aux_handle, struct perf_output_handle *handle,
			  unsigned long from, unsigned long to)
{
	return 0;
}
