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
#include <unistd.h>

#include "internal.h"
#include "annotate/annotate.h"

/* The text of the file; NULL when there is none that is no larger than sources are. */
static char *read_source(const char *path)
{
	struct stat st;
	int fd = regular_file_open(path, &st);

	if (fd >= 0 && st.st_size < 64 << 20)
		return fd_read_text(fd);
	if (fd >= 0)
		close(fd);
	return NULL;
}

static char *find_source(const struct sources *s, const char *path)
{
	char *below, *text = read_source(path);
	const char *tail;

	for (tail = path; !text && s->dir && tail; tail = strchr(tail, '/')) {
		tail += strspn(tail, "/");
		below = str_printf("%s/%s", s->dir, tail);
		if (*tail)
			text = read_source(below);
		free(below);
	}
	return text;
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

	if (i >= before) {
		s->v = mem_resize(s->v, s->paths.nr, sizeof(*s->v));
		f = &s->v[i];
		*f = (struct source_file){ 0 };
		f->text = find_source(s, path);
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
