/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of SPARC's driver, unchanged, find around them in a kernel for x86. Stands before each of them.
 *
 * Boot comes as often as a test wants. A count of pages by which a task may read counters x86 has as well, for its own.
 * The engine asks x86 for what is in a control page: the driver's answer is not asked for.
 */
#ifndef PCL_MODELS_SPARC_AROUND_H
#define PCL_MODELS_SPARC_AROUND_H

#define arch_perf_update_userpage	sparc_update_userpage
#define arch_perf_user_base		sparc_user_base
#define pic_readers			perf_rdpmc_allowed

#include <linux/cache.h>
#include <linux/init.h>

#undef __init
#define __init
#undef __ro_after_init
#define __ro_after_init

#endif
