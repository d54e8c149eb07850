// SPDX-License-Identifier: GPL-2.0
/*
 * Refusals: one way to say no, and to say why.
 *
 * Concepts: each place that refuses has a reason of its own, a row of PCL_REASONS() in the uapi header: errno, field of
 * the attr at fault, text. A refusal is noted for the caller (struct pcl_why, on the stack of the call), told to the
 * tracepoint pcl:refuse, and returned as the errno that stock returns. The first reason noted stays: it is the nearest
 * to the cause.
 *
 * Who may count the kernel or a whole CPU is asked here, too: kernel.perf_event_paranoid and the security module each
 * have a reason of their own.
 *
 * Contexts: any that may trace; questions of permission in that of the task that asks. Locks: none.
 */
#include <linux/errno.h>

#include "internal.h"

#define CREATE_TRACE_POINTS
#include <trace/events/pcl.h>

static const struct reason_row {
	enum pcl_reason reason;
	s32 err;
	s32 field;
	const char *text;
} reason_rows[] = {
#define REASON_ROW(name, errnum, field, text) { PCL_REASON_##name, -(errnum), field, text },
	PCL_REASONS(REASON_ROW)
#undef REASON_ROW
};

/* What is said of a number that has no row */
static const struct reason_row no_reason = { PCL_REASON_NONE, -EINVAL, PCL_NOWHERE, "" };

static const struct reason_row *reason_find(enum pcl_reason reason)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(reason_rows); i++) {
		if (reason_rows[i].reason == reason)
			return &reason_rows[i];
	}
	return &no_reason;
}

const char *pcl_reason_text(enum pcl_reason reason)
{
	return reason_find(reason)->text;
}

s32 pcl_reason_field(enum pcl_reason reason)
{
	return reason_find(reason)->field;
}

/**
 * pcl_refuse_err - refuse with an errno that somebody else decided (a security module, an allocator)
 * @why: where to note the reason, or NULL
 * @reason: whose row gives field and text
 * @err: negative
 *
 * Return: @err.
 */
int pcl_refuse_err(struct pcl_why *why, enum pcl_reason reason, int err)
{
	const struct reason_row *row = reason_find(reason);

	WARN_ON_ONCE(row == &no_reason);
	if (why && why->reason == PCL_REASON_NONE) {
		why->reason = reason;
		why->field = row->field;
	}
	trace_refuse(reason, err, row->field, row->text);
	return err;
}

/* The same, with the errno of the reason's row. */
int pcl_refuse(struct pcl_why *why, enum pcl_reason reason)
{
	return pcl_refuse_err(why, reason, reason_find(reason)->err);
}

int perf_event_refuse(struct perf_event *event, enum pcl_reason reason)
{
	return pcl_refuse(event->why, reason);
}
EXPORT_SYMBOL_GPL(perf_event_refuse);

/* ---- permission ---- */

/*
 * kernel.perf_event_paranoid, what a user without CAP_PERFMON may not do:
 *	-1 all is allowed    0 raw tracepoint data    1 and CPU events    2 and kernel profiling    3 and anything
 */
int sysctl_perf_event_paranoid __read_mostly = IS_ENABLED(CONFIG_SECURITY_PERF_EVENTS_RESTRICT) ? 3 : 2;

/* @level: the highest paranoid level at which an unprivileged caller may. @reason: why not, above it */
static int allow(struct perf_event_attr *attr, int level, int what, enum pcl_reason reason, struct pcl_why *why)
{
	if (sysctl_perf_event_paranoid > level && !perfmon_capable())
		return pcl_refuse(why, reason);
	return pcl_refuse_security(why, security_perf_event_open(attr, what));
}

int pcl_allow_kernel(struct perf_event_attr *attr, enum pcl_reason reason, struct pcl_why *why)
{
	return allow(attr, 1, PERF_SECURITY_KERNEL, reason, why);
}

int pcl_allow_cpu(struct perf_event_attr *attr, enum pcl_reason reason, struct pcl_why *why)
{
	return allow(attr, 0, PERF_SECURITY_CPU, reason, why);
}

int perf_event_allow_cpu(struct perf_event *event, enum pcl_reason reason)
{
	return pcl_allow_cpu(&event->attr, reason, event->why);
}
EXPORT_SYMBOL_GPL(perf_event_allow_cpu);
