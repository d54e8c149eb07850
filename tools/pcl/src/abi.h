/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one place that names the header of the perf_event ABI.
 */
#ifndef PCL_ABI_H
#define PCL_ABI_H

#include <linux/types.h>
#include <linux/perf_event.h>

#endif /* PCL_ABI_H */
