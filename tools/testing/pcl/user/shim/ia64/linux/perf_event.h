/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h and the kernel around the IA-64 driver: beside what driver_common.h has, the
 * trap frame. The machine around the driver is the test: one CPU and its registers. The headers named in
 * shim/ia64/headers all lead here.
 */
#ifndef PCL_SHIM_IA64_PERF_EVENT_H
#define PCL_SHIM_IA64_PERF_EVENT_H

#include <driver_common.h>

struct pt_regs {
	unsigned long cr_iip, cr_ipsr;
};

#endif
