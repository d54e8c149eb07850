/* SPDX-License-Identifier: GPL-2.0 */
/* Tracepoints: one that is hit at a test's will, two of the scheduler; what their records hold. Probes. */
#ifndef PCL_TEST_TRACE_H
#define PCL_TEST_TRACE_H

#include "event.h"

/* The tracepoint of a system call that nobody else makes, whose argument is in its record as "pid" */
#define CALL		"syscalls/sys_enter_getpgid"
#define SWITCH		"sched/sched_switch"
#define WAKING		"sched/sched_waking"
/* What the kernel runs for that call */
#define CALL_FUNCTION	ARCH_CALL_PREFIX "getpgid"

#define PID		0x123456	/* what the call is made with: nobody's */

/* An attr that counts, in the kernel, where tracepoints are. */
struct perf_event_attr trace_attr(const char *tracepoint);
/* The same for a kprobe at CALL_FUNCTION, and, for what user mode does, a uprobe at probed(). */
struct perf_event_attr kprobe_attr(uint64_t config);
struct perf_event_attr uprobe_attr(uint64_t config);
void probed(void);
/* Where in this program's file something lies that is mapped from it. */
uint64_t offset_in_program(const volatile void *at);
/* Makes the call so many times. */
void hit_with(long pid, int times);

/* A sample_type that tells who hit it, when, and the tracepoint's record */
#define OF_A_HIT	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* The value of a field of the tracepoint's record. */
uint64_t field_of(const char *tracepoint, const char *name, const struct sample *sample);

#endif
