/* SPDX-License-Identifier: GPL-2.0 */
/* Finding bits, as far as files under test do it. */
#ifndef PCL_SHIM_BITOPS_H
#define PCL_SHIM_BITOPS_H

static inline unsigned int __ffs64(unsigned long long word)
{
	return __builtin_ctzll(word);
}

#endif
