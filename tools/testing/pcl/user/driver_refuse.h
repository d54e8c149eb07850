/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the engine takes a driver's refusal, for the tests of all drivers: the reason is kept, the errno is the reason's,
 * and so is the field that a program is told.
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

/* The offset of that field in the attr; flags have that of their word, and what is of a whole group is nowhere. */
#define AT(field)	((int)offsetof(struct perf_event_attr, field))
#define AT_FLAGS	(AT(read_format) + 8)
#define NOWHERE		(-1)

static int refused_at(enum pcl_reason reason)
{
	switch (reason) {
#define FIELD(name, errnum, field, text) case PCL_REASON_##name: return field;
	PCL_REASONS(FIELD)
	default:
		return NOWHERE;
	}
}

#endif
