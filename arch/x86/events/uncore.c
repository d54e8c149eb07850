// SPDX-License-Identifier: GPL-2.0
/*
 * The solver, as the drivers of counters outside the cores call it.
 *
 * Concepts: assign.c.
 *
 * Contexts: IRQs off or task context.
 *
 * Locks: none.
 */
#include <linux/export.h>

#include "driver.h"

/* @wmin, @wmax and @gpmax would bound the search; all arrangements are tried anyway, among what the masks allow. */
int perf_assign_events(struct event_constraint **constraints, int n, int wmin, int wmax, int gpmax, int *assign)
{
	struct pcl_want wants[X86_COUNTERS];
	int i;

	if (n > X86_COUNTERS)
		return n - X86_COUNTERS;
	for (i = 0; i < n; i++)
		wants[i] = (struct pcl_want){ .counters = constraints[i]->idxmsk64, .had = -1 };
	if (!pcl_assign(wants, n, ~X86_GENERAL_MASK))
		return 1;
	for (i = 0; assign && i < n; i++)
		assign[i] = wants[i].got;
	return 0;
}
EXPORT_SYMBOL_GPL(perf_assign_events);
