// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of source files.
 *
 * Concepts: debug information names a file as the compiler saw it, perhaps on
 * another machine. It is looked for there, then below a directory that the user
 * names, with one leading directory of the path less each time.
 * Contexts: annotate.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"
#include "annotate/annotate.h"

static bool is_source(const char *path)
{
	struct stat st;

	/* debug information may name anything; a pipe would never end */
	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size < 64 << 20;
}

static char *find_file(const struct sources *s, const char *path)
{
	const char *tail;
	char *below;

	if (is_source(path))
		return str_dup(path);
	for (tail = path; s->dir && tail; tail = strchr(tail, '/')) {
		tail += strspn(tail, "/");
		below = str_printf("%s/%s", s->dir, tail);
		if (*tail && is_source(below))
			return below;
		free(below);
	}
	return NULL;
}

static void split_lines(struct source_file *f)
{
	char *p = f->text, *end;

	while (*p) {
		end = strchr(p, '\n');
		f->lines = mem_resize(f->lines, f->nr + 1, sizeof(*f->lines));
		f->lines[f->nr++] = p;
		if (!end)
			break;
		if (end > p && end[-1] == '\r')
			end[-1] = '\0';
		*end = '\0';
		p = end + 1;
	}
}

/* The text of a line, counted from 1; NULL when it cannot be had. */
const char *source_line(struct sources *s, const char *path, unsigned int line)
{
	unsigned int before = s->paths.nr, i = str_set_add(&s->paths, path);
	struct source_file *f;
	char *found;

	if (i >= before) {
		s->v = mem_resize(s->v, s->paths.nr, sizeof(*s->v));
		f = &s->v[i];
		*f = (struct source_file){ 0 };
		found = find_file(s, path);
		f->text = found ? file_read_text(found) : NULL;
		free(found);
		if (f->text)
			split_lines(f);
	}
	f = &s->v[i];
	return line && line <= f->nr ? f->lines[line - 1] : NULL;
}

void sources_free(struct sources *s)
{
	unsigned int i;

	for (i = 0; i < s->paths.nr; i++) {
		free(s->v[i].lines);
		free(s->v[i].text);
	}
	free(s->v);
	str_set_free(&s->paths);
	s->v = NULL;
}
