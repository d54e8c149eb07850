/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one place that names the header of the ABI.
 */
#ifndef PCL_ABI_H
#define PCL_ABI_H

#include <linux/types.h>
#include <linux/pcl.h>

#endif /* PCL_ABI_H */
