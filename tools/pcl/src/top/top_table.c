// SPDX-License-Identifier: GPL-2.0
/*
 * A profile of the moment, as lines of text.
 *
 * Concepts: the lines are made by the collector and only looked at by others,
 * so they hold nothing that still changes.
 * Contexts: the collector's thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "top/top.h"

enum { MOST_LINES = 500 };

/* Callers with less of their line are left out. */
static const double least_caller_percent = 5;

static void put_line(struct top_table *t, double percent, char *text)
{
	t->lines = mem_resize(t->lines, t->nr + 1, sizeof(*t->lines));
	t->lines[t->nr++] = (struct top_line){ text, percent };
}

/* Keys of a line or, where e is NULL, their names. */
static char *keys_text(const struct hist *h, const int *widths, const struct hist_entry *e)
{
	const struct view *v = h->view;
	char *text, buf[32];
	unsigned int k;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (k = 0; k < v->nr_keys; k++) {
		if (e && v->keys[k] == SORT_SYMBOL)
			fprintf(f, "  [%c] ", e->level);
		else
			fputs("  ", f);
		fprintf(f, "%-*s", k + 1 < v->nr_keys ? widths[v->keys[k]] : 0,
			e ? visible(entry_text(e, v->keys[k], buf, sizeof(buf))) : sort_key_name(v->keys[k]));
	}
	fclose(f);
	return text;
}

static void put_callers(struct top_table *t, const struct hist *h, const struct tree *tree, u32 at,
			unsigned int depth)
{
	u64 all = tree->v[0].period;

	for (at = tree->v[at].child; at && t->nr < MOST_LINES; at = tree->v[at].sibling) {
		const struct func *f = &h->p->funcs[tree->v[at].func];
		double percent = share_percent(tree->v[at].period, all);

		if (percent < least_caller_percent)
			return;
		put_line(t, percent, str_printf("%*s%6.2f%% %s", 10 + 2 * (int)depth, "", percent,
						visible(f->symbol ? symbol_name(f->symbol) :
							f->object->short_name)));
		put_callers(t, h, tree, at, depth + 1);
	}
}

static void fill_table(struct top_table *t, const struct hist *h)
{
	struct tree tree = { 0 };
	int widths[NR_SORT];
	char *keys;
	unsigned int k;
	u32 i;

	for (k = 0; k < h->view->nr_keys; k++)
		widths[h->view->keys[k]] = hist_width(h, h->view->keys[k]);
	keys = keys_text(h, widths, NULL);
	t->heads = str_printf("   share   samples%s", keys);
	free(keys);
	for (i = 0; i < h->nr_order && t->nr < MOST_LINES; i++) {
		const struct hist_entry *e = &h->v[h->order[i]];
		double percent = share_percent(e->whole.period, h->total.period);

		keys = keys_text(h, widths, e);
		put_line(t, percent, str_printf("%7.2f%% %9llu%s", percent,
						(unsigned long long)e->whole.samples, keys));
		free(keys);
		if (h->view->mode != CHAIN_NONE) {
			tree_build(&tree, h, h->order[i]);
			put_callers(t, h, &tree, 0, 0);
		}
	}
	tree_free(&tree);
	if (h->total.samples && hist_why_empty(h))
		put_line(t, 0, str_printf("  %s", hist_why_empty(h)));
}

/* The tables of the moment; seconds is how long the last interval was. */
struct top_snapshot *snapshot_make(const struct top *t, u64 number, double seconds)
{
	struct top_snapshot *s = mem_zalloc(1, sizeof(*s));
	u64 lost = t->session.lost > t->session.lost_samples ? t->session.lost :
		   t->session.lost_samples;
	struct hist h;
	unsigned int i;

	s->number = number;
	s->nr = t->file.nr_events;
	s->tables = mem_zalloc(s->nr, sizeof(*s->tables));
	for (i = 0; i < s->nr; i++) {
		s->tables[i].title = str_printf("event '%s': %llu samples, %.0f/s of all events, lost %llu",
						visible(t->file.events[i].name),
						(unsigned long long)t->profile.events[i].samples,
						seconds > 0 ? (double)t->interval_samples / seconds : 0,
						(unsigned long long)lost);
		hist_build(&h, &t->profile, &t->o->view, i, 1);
		fill_table(&s->tables[i], &h);
		hist_free(&h);
	}
	return s;
}

void snapshot_free(struct top_snapshot *s)
{
	unsigned int i, k;

	if (!s)
		return;
	for (i = 0; i < s->nr; i++) {
		for (k = 0; k < s->tables[i].nr; k++)
			free(s->tables[i].lines[k].text);
		free(s->tables[i].lines);
		free(s->tables[i].title);
		free(s->tables[i].heads);
	}
	free(s->tables);
	free(s);
}
