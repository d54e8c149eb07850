/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of PCL.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pcl

#if !defined(_TRACE_PCL_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_PCL_H

#include <linux/tracepoint.h>

/* A call is refused: number and text of the reason, the errno, the offset in perf_event_attr of what is at fault. */
TRACE_EVENT(refuse,
	TP_PROTO(unsigned int reason, int err, int field, const char *text),

	TP_ARGS(reason, err, field, text),

	TP_STRUCT__entry(
		__field(unsigned int, reason)
		__field(int, err)
		__field(int, field)
		__string(text, text)
	),

	TP_fast_assign(
		__entry->reason = reason;
		__entry->err = err;
		__entry->field = field;
		__assign_str(text, text);
	),

	TP_printk("reason=%u errno=%d field=%d text=\"%s\"", __entry->reason, __entry->err, __entry->field,
		  __get_str(text))
);

#endif /* _TRACE_PCL_H */

#include <trace/define_trace.h>
