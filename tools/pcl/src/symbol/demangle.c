// SPDX-License-Identifier: GPL-2.0
/*
 * Names as their language writes them: C++, Rust, D.
 *
 * Concepts: a thin wall around libiberty, whose header defines names of its
 * own that the rest of the tool uses otherwise.
 * Contexts: report, when a symbol is first shown.
 * Locks: none.
 */
#include <stddef.h>
#include <string.h>
#include <demangle.h>

#include "symbol/demangled.h"

/* The demangled name, to be freed; NULL when it is not mangled. */
char *name_demangle(const char *linked)
{
	/* most are those of C: not asked about one after the other by each language */
	return *linked == '_' ? cplus_demangle(linked, DMGL_AUTO | DMGL_ANSI) : NULL;
}

/* As C++ and Rust do it. */
bool name_is_mangled(const char *linked)
{
	return !strncmp(linked, "_Z", 2) || !strncmp(linked, "_R", 2);
}
