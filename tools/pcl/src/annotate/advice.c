// SPDX-License-Identifier: GPL-2.0
/*
 * Which package would bring the debug information that is missing.
 *
 * Concepts: on Debian and its like the package database tells which package a
 * file is of; its debug information is in a package named after that.
 * Contexts: annotate, once for each object that lacks it.
 * Locks: none.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "internal.h"
#include "annotate/annotate.h"

/* The package that the file is of, to be freed; NULL: none, or no database. */
static char *package_of(const char *path)
{
	char *const argv[] = { "dpkg-query", "-S", (char *)path, NULL };
	char *line = NULL, *name = NULL;
	struct program p;
	size_t room = 0;

	if (!program_start(&p, argv, -1))
		return NULL;
	/* "libc6:amd64: /lib/..." */
	if (getline(&line, &room, p.out) > 0 && strncmp(line, "diversion ", 10))
		name = str_ndup(line, strcspn(line, ":, \n"));
	free(line);
	if (!program_end(&p) && name && *name)
		return name;
	free(name);
	return NULL;
}

/* A sentence for the user, to be freed; NULL when there is nothing to say. */
char *debug_advice(const struct object *o)
{
	char real[PATH_MAX], *name, *text;
	struct utsname u;

	if (o->kernel)
		return uname(&u) ? NULL :
		       str_printf("on Debian the package linux-image-%s-dbg has that file", u.release);
	if (o->name[0] != '/' || o->name[1] == '/' || o->distrusted)
		return NULL;
	name = package_of(o->name);
	/* directories like /lib may be links, and the database knows only one name */
	if (!name && realpath(o->name, real) && strcmp(real, o->name))
		name = package_of(real);
	if (!name && !strncmp(o->name, "/usr/", 5))
		name = package_of(o->name + 4);
	if (!name)
		return str_dup("compile it with -g, or install its debug symbols");
	text = str_printf("it is of package %s: install %s-dbg or %s-dbgsym", name, name, name);
	free(name);
	return text;
}
