/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h: the structs of the data layer are cut out of the real header by the runner
 * (perf_event_structs.h), so they are the kernel's own; what the other headers merely name is declared.
 */
#ifndef PCL_SHIM_PERF_EVENT_H
#define PCL_SHIM_PERF_EVENT_H

#include <uapi/linux/pcl.h>

struct ctl_table;
struct file;
struct file_operations;
struct perf_buffer;
struct perf_event;
struct perf_event_context;
struct perf_sample_data;
struct pt_regs;
struct vm_area_struct;

typedef void (*perf_overflow_handler_t)(struct perf_event *event, struct perf_sample_data *data,
					struct pt_regs *regs);

struct pmu {
	struct pcl_pmu_cpu *cpus;
};

struct task_struct {
	struct perf_event_context *perf_event_ctxp;
};

/* What the judge of attrs asks of the kernel; the test answers. */
extern int sysctl_perf_event_max_stack;

#include "perf_event_structs.h"

#endif
