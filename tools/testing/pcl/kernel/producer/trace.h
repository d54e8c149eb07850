/* SPDX-License-Identifier: GPL-2.0 */
/* The module's tracepoint: a program has asked for so many bytes. It goes with the module. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pcl_producer

#if !defined(PCL_PRODUCER_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PCL_PRODUCER_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(pcl_produced,
	TP_PROTO(unsigned long bytes),
	TP_ARGS(bytes),
	TP_STRUCT__entry(__field(unsigned long, bytes)),
	TP_fast_assign(__entry->bytes = bytes;),
	TP_printk("bytes=%lu", __entry->bytes)
);

#endif /* PCL_PRODUCER_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
