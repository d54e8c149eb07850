/* SPDX-License-Identifier: GPL-2.0 */
/* Nothing beyond what the environment (kernel.h) has. */
#include <linux/bitops.h>
