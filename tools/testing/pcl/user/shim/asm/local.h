/* SPDX-License-Identifier: GPL-2.0 */
/* local_t is in shim/kernel.h. */
