/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the engine takes a driver's refusal, for the tests of all drivers: the reason is kept, the errno is the reason's.
 */
#ifndef PCL_USER_DRIVER_REFUSE_H
#define PCL_USER_DRIVER_REFUSE_H

int perf_event_refuse(struct perf_event *event, enum pcl_reason reason)
{
	event->refused = reason;
	switch (reason) {
#define ERRNO(name, errnum, field, text) case PCL_REASON_##name: return -errnum;
	PCL_REASONS(ERRNO)
	default:
		return 0;
	}
}

#endif
