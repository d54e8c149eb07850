// SPDX-License-Identifier: GPL-2.0
/*
 * An annotated function as text: source and instructions, or either alone.
 *
 * Concepts: instructions come in order of their addresses; a line of the source
 * stands above those that were made of it, as often as the compiler came back to
 * it. Where calls were inlined, it says into which. Shares are of the function.
 * Contexts: annotate.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "annotate/annotate.h"

enum { MAX_FRAMES = 128 };

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_share(const struct annotation *a, const struct annotate_look *look, u64 period,
			u64 samples)
{
	double share = share_percent(period, a->period);

	if (!samples)
		printf("%18s", "");
	else
		printf("%s%8.2f%%%s%9llu", !look->colour ? "" : share >= 5 ? "\033[1;31m" : "\033[32m",
		       share, look->colour ? "\033[0m" : "", (unsigned long long)samples);
}

/* Who the code of this line was inlined into. */
static void print_chain(const struct annotation *a, const struct code_line *l)
{
	struct frame f[MAX_FRAMES];
	unsigned int n = object_frames(a->object, l->insn.addr, f, MAX_FRAMES), i;

	for (i = 1; i < n; i++)
		printf("%s%s (%s:%u)", i == 1 ? "   [in " : " < ",
		       f[i].function ? visible(f[i].function) : "?",
		       f[i].file ? visible(base_name(f[i].file)) : "?", f[i].line);
	if (n > 1)
		putchar(']');
}

static void print_source(const struct annotation *a, const struct annotate_look *look,
			 const struct code_line *l, struct sources *s)
{
	const char *text = source_line(s, l->file, l->line);

	printf("%18s  %s%s:%u", "", look->colour ? "\033[36m" : "", visible(base_name(l->file)), l->line);
	if (l->depth)
		printf(" %s", l->function ? visible(l->function) : "?");
	printf("%s  %s", look->colour ? "\033[0m" : "", text ? visible_line(text) : "");
	if (l->depth)
		print_chain(a, l);
	putchar('\n');
}

static bool same_place(const struct code_line *a, const struct code_line *b)
{
	return a->file == b->file && a->line == b->line && a->depth == b->depth &&
	       a->function == b->function;
}

static void print_insn(const struct annotation *a, const struct annotate_look *look,
		       const struct code_line *l)
{
	print_share(a, look, l->period, l->samples);
	printf("  %10llx  %s", (unsigned long long)l->insn.addr, visible_line(l->insn.text));
	if (l->target_name)
		printf(" <%s>", visible(l->target_name));
	putchar('\n');
}

static void print_code(const struct annotation *a, const struct annotate_look *look,
		       struct sources *s)
{
	unsigned int i;

	printf("# %7s %8s  %10s  %s\n#\n", "share", "samples", "address", "code");
	for (i = 0; i < a->nr; i++) {
		if (!look->no_source && a->v[i].file && (!i || !same_place(&a->v[i], &a->v[i - 1])))
			print_source(a, look, &a->v[i], s);
		print_insn(a, look, &a->v[i]);
	}
}

/* A line of the source, with what all its instructions add up to. */
struct source_sum {
	const char *file;
	unsigned int line;
	u64 period, samples;
};

static int cmp_sum(const void *x, const void *y)
{
	const struct source_sum *a = x, *b = y;
	int d = a->file != b->file ? strcmp(a->file, b->file) : 0;

	return d ? d : a->line < b->line ? -1 : a->line > b->line;
}

static struct source_sum *sum_lines(const struct annotation *a, unsigned int *nr)
{
	struct source_sum *v = mem_zalloc(a->nr, sizeof(*v));
	unsigned int i, n = 0;

	for (i = 0; i < a->nr; i++)
		if (a->v[i].file)
			v[n++] = (struct source_sum){ a->v[i].file, a->v[i].line,
						      a->v[i].period, a->v[i].samples };
	if (n)
		qsort(v, n, sizeof(*v), cmp_sum);
	*nr = 0;
	for (i = 0; i < n; i++) {
		if (*nr && !cmp_sum(&v[*nr - 1], &v[i])) {
			v[*nr - 1].period += v[i].period;
			v[*nr - 1].samples += v[i].samples;
		} else {
			v[(*nr)++] = v[i];
		}
	}
	return v;
}

/* Lines without code between two with code are shown too, when they are few. */
enum { MAX_GAP = 8 };

static void print_lines(const struct annotation *a, const struct annotate_look *look,
			struct sources *s)
{
	unsigned int nr, i, line;
	struct source_sum *v = sum_lines(a, &nr);
	const char *text;

	printf("# %7s %8s  %10s  %s\n", "share", "samples", "line", "source");
	for (i = 0; i < nr; i++) {
		bool first = !i || strcmp(v[i].file, v[i - 1].file);

		if (first)
			printf("#\n# %s\n#\n", visible(v[i].file));
		line = first ? v[i].line : v[i - 1].line + 1;
		if (v[i].line - line > MAX_GAP) {
			printf("%18s  %10s\n", "", "...");
			line = v[i].line;
		}
		for (; line <= v[i].line; line++) {
			bool code = line == v[i].line;

			print_share(a, look, code ? v[i].period : 0, code ? v[i].samples : 0);
			text = source_line(s, v[i].file, line);
			printf("  %10u  %s\n", line, text ? visible_line(text) : "");
		}
	}
	free(v);
}

/* The function, to stdout. */
void annotation_print(const struct annotation *a, const struct annotate_look *look,
		      struct sources *s)
{
	if (look->lines && a->has_lines)
		print_lines(a, look, s);
	else
		print_code(a, look, s);
	putchar('\n');
}
