// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that a program made at run time, from the file where it tells them.
 *
 * Concepts: a just-in-time compiler writes /tmp/perf-PID.map, a line for each
 * function: start and size in hexadecimal, the name. The directory is open to
 * all, so the file is believed only when it is the reader's own or root's.
 * Where two lines have the same start, the later one is what is there now.
 * Contexts: report.
 * Locks: none.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/symbol.h"

/* Larger files are not believed. */
#define MAX_SIZE (1ll << 30)

/* Is this the memory of a mapping that no file is behind? */
bool jit_memory(const char *name)
{
	return !strcmp(name, "//anon") || !strncmp(name, "[anon", 5) ||
	       !strncmp(name, "/memfd:", 7) || !strncmp(name, "/dev/zero", 9) ||
	       !strncmp(name, "/SYSV", 5) || !strncmp(name, "anon_inode:", 11);
}

char *jit_map_path(s32 pid)
{
	return str_printf("/tmp/perf-%d.map", pid);
}

/* Is this object such a file? */
bool jit_map_is(const char *name)
{
	int end = 0;

	sscanf(name, "/tmp/perf-%*d.map%n", &end);
	return end && !name[end];
}

static bool is_believed(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_size <= MAX_SIZE &&
	       (st->st_uid == geteuid() || !st->st_uid);
}

/* 1: it is there and to be believed; 0: it is not there; -1: not to be believed. */
int jit_map_check(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return 0;
	return is_believed(&st) ? 1 : -1;
}

/* Fill o from the file of its name. */
void jit_map_load(struct object *o)
{
	struct num_map seen = { 0 };	/* start -> its symbol's number + 1 */
	struct stat st;
	int fd = regular_file_open_at(AT_FDCWD, o->name, O_NOFOLLOW, &st);
	/* the file that is open: the one of the name may be another by now */
	FILE *f = fd >= 0 && is_believed(&st) ? fdopen(fd, "r") : NULL;
	char *line = NULL, *end, *name;
	size_t room = 0;
	u64 start, size;
	void **at;

	if (!f) {
		if (fd >= 0)
			close(fd);
		o->note = str_dup("it cannot be read, or is neither yours nor root's");
		return;
	}
	while (getline(&line, &room, f) > 0) {
		start = strtoull(line, &end, 16);
		if (end == line || *end != ' ')
			continue;
		size = strtoull(end, &name, 16);
		if (name == end || *name != ' ')
			continue;
		name++;
		name[strcspn(name, "\n")] = '\0';
		at = num_map_at(&seen, start);
		if (*at) {
			struct symbol *s = &o->symbols.v[(uintptr_t)*at - 1];

			s->name = arena_text(&o->symbols.names, name);
			s->end = start + size < start ? start : start + size;
			continue;
		}
		*at = (void *)(uintptr_t)(o->symbols.nr + 1u);
		symbols_add(&o->symbols, start, size, name);
	}
	free(line);
	fclose(f);
	num_map_free(&seen, NULL);
	symbols_settle(&o->symbols);
}
