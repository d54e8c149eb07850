// SPDX-License-Identifier: GPL-2.0
/*
 * What is told of debug information that is missing, and which package would bring it.
 *
 * Concepts: on Debian and its like the package database tells which package a
 * file is of; its debug information is in a package named after that.
 * Contexts: at the end of a command that wanted lines, once for each object that lacks them.
 * Locks: none.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "internal.h"
#include "symbol/symbol.h"

/* Of more objects than these, the names alone: asking for a package takes a moment. */
enum { OBJECTS_TOLD = 3 };

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

/* Lines of its code were wanted, and there are none. */
static bool lacks_lines(const struct object *o)
{
	/* modules have no table of their own */
	return o->kernel ? o->loaded && !o->image : o->debug_tried && o->debug_note;
}

static void tell_object(const struct object *o)
{
	char *advice;

	if (o->kernel) {
		complain("note: %s: no source lines: only 'pcl annotate --vmlinux FILE' shows those of the kernel",
			 o->name);
		return;
	}
	advice = debug_advice(o);
	complain("note: %s: no source lines: %s%s%s", o->name, o->debug_note, advice ? "; " : "",
		 advice ? advice : "");
	free(advice);
}

/* Say of all objects, where lines were wanted, which have none, and why. */
void tell_no_lines(struct object *const *v, unsigned int nr)
{
	unsigned int i, told = 0;
	char *names = NULL, *longer;

	for (i = 0; i < nr; i++) {
		if (!lacks_lines(v[i]))
			continue;
		if (++told <= OBJECTS_TOLD) {
			tell_object(v[i]);
			continue;
		}
		longer = str_printf("%s%s%s", names ? names : "", names ? ", " : "", v[i]->name);
		free(names);
		names = longer;
	}
	if (names)
		complain("note: no source lines either: %s", names);
	free(names);
}
