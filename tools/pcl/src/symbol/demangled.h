/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names as their language writes them; apart from internal.h, because the
 * header behind demangle.c does not go together with it.
 */
#ifndef PCL_DEMANGLED_H
#define PCL_DEMANGLED_H

#include <stdbool.h>

char *name_demangle(const char *linked);
bool name_is_mangled(const char *linked);

#endif /* PCL_DEMANGLED_H */
