/* SPDX-License-Identifier: GPL-2.0 */
/* The user ABI, from the header of this repository. */
#ifndef PCL_TEST_ABI_H
#define PCL_TEST_ABI_H

#include "../../../../../include/uapi/linux/pcl.h"

#endif
