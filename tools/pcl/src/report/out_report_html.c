// SPDX-License-Identifier: GPL-2.0
/*
 * The report as one HTML file that needs nothing else, and no network.
 *
 * Concepts: the page holds the facts of the recording, tables for readers
 * without scripts, the profile as JSON, and the scripts of page/, which draw a
 * flame graph and tables of it. Its content security policy forbids anything
 * from elsewhere. Names come out of the file and are escaped everywhere. Only what
 * the filters let through is in the page, and only what that needs.
 * Contexts: after the file was read.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "report/report.h"

static const char style[] = {
#include "page.css.inc"
	0
};

static const char model[] = {
#include "model.js.inc"
	0
};

static const char script[] = {
#include "page.js.inc"
	0
};

/* Functions in the table for readers without scripts. */
#define PLAIN_ROWS 50

/* Numbers of what is in the page, in the order it is written; 0: not in it. */
struct numbers {
	u32 *of;
	u32 nr;
};

struct page {
	const struct report *r;
	FILE *f;
	struct json json;
	bool *taken;			/* rows that the filters let through */
	struct numbers stacks, funcs;	/* by their number in the profile */
	struct str_set comms, objects;
};

/* The function that has the code which was sampled; inlined ones have none. */
static const struct func *owner_of(const struct profile *p, u32 stack)
{
	while (p->funcs[p->stacks[stack].func].inlined && p->stacks[stack].caller)
		stack = p->stacks[stack].caller;
	return &p->funcs[p->stacks[stack].func];
}

/* Choose the rows, and number what they need. Callers have smaller numbers than their callees. */
static void choose(struct page *g)
{
	const struct profile *p = &g->r->profile;
	const struct filter *filter = &g->r->o->view.filter;
	u32 i, s;

	g->taken = mem_zalloc(p->nr_rows, sizeof(*g->taken));
	g->stacks.of = mem_zalloc(p->nr_stacks, sizeof(*g->stacks.of));
	g->funcs.of = mem_zalloc(p->nr_funcs, sizeof(*g->funcs.of));
	for (i = 0; i < p->nr_rows; i++) {
		const struct row *row = &p->rows[i];

		g->taken[i] = row->stack && filter_row(filter, row) &&
			      filter_func(filter, owner_of(p, row->stack));
		if (!g->taken[i])
			continue;
		str_set_add(&g->comms, row->comm);
		for (s = row->stack; s && !g->stacks.of[s]; s = p->stacks[s].caller)
			g->stacks.of[s] = 1;
	}
	for (s = 1; s < p->nr_stacks; s++) {
		if (!g->stacks.of[s])
			continue;
		g->stacks.of[s] = ++g->stacks.nr;
		if (!g->funcs.of[p->stacks[s].func])
			g->funcs.of[p->stacks[s].func] = ++g->funcs.nr;
	}
}

/* Functions in the order of their numbers. */
static const struct func **numbered_funcs(const struct page *g)
{
	const struct func **v = mem_zalloc(g->funcs.nr, sizeof(*v));
	u32 i;

	for (i = 0; i < g->r->profile.nr_funcs; i++)
		if (g->funcs.of[i])
			v[g->funcs.of[i] - 1] = &g->r->profile.funcs[i];
	return v;
}

static void put_func_name(struct json *j, const struct func *f)
{
	char *text;

	if (f->symbol) {
		json_string(j, NULL, symbol_name(f->symbol));
		return;
	}
	text = str_printf("[unknown] in %s", f->object->short_name);
	json_string(j, NULL, text);
	free(text);
}

/* Columns, so that what they are is written once. */
static void put_funcs(struct page *g)
{
	const struct func **v = numbered_funcs(g);
	struct json *j = &g->json;
	u32 i;

	json_begin(j, "funcs", '{');
	json_begin(j, "name", '[');
	for (i = 0; i < g->funcs.nr; i++)
		put_func_name(j, v[i]);
	json_end(j, ']');
	json_begin(j, "object", '[');
	for (i = 0; i < g->funcs.nr; i++)
		json_u64(j, NULL, str_set_add(&g->objects, v[i]->object->name));
	json_end(j, ']');
	json_begin(j, "level", '[');
	for (i = 0; i < g->funcs.nr; i++)
		json_string(j, NULL, (char []){ v[i]->level, 0 });
	json_end(j, ']');
	json_begin(j, "inlined", '[');
	for (i = 0; i < g->funcs.nr; i++)
		json_u64(j, NULL, v[i]->inlined);
	json_end(j, ']');
	json_end(j, '}');
	free(v);
}

static void put_stacks(struct page *g)
{
	const struct profile *p = &g->r->profile;
	struct json *j = &g->json;
	u32 s;

	/* number 0 is nobody here, too */
	json_begin(j, "stacks", '{');
	json_begin(j, "caller", '[');
	json_u64(j, NULL, 0);
	for (s = 1; s < p->nr_stacks; s++)
		if (g->stacks.of[s])
			json_u64(j, NULL, g->stacks.of[p->stacks[s].caller]);
	json_end(j, ']');
	json_begin(j, "func", '[');
	json_u64(j, NULL, 0);
	for (s = 1; s < p->nr_stacks; s++)
		if (g->stacks.of[s])
			json_u64(j, NULL, g->funcs.of[p->stacks[s].func] - 1);
	json_end(j, ']');
	json_end(j, '}');
}

enum row_column { IN_EVENT, IN_COMM, IN_STACK, IN_PERIOD, IN_SAMPLES };

static u64 row_value(struct page *g, const struct row *row, enum row_column column)
{
	switch (column) {
	case IN_EVENT:
		return row->event;
	case IN_COMM:
		return str_set_add(&g->comms, row->comm);
	case IN_STACK:
		return g->stacks.of[row->stack];
	case IN_PERIOD:
		return row->period;
	default:
		return row->samples;
	}
}

static void put_rows(struct page *g)
{
	static const char *const names[] = { "event", "comm", "stack", "period", "samples" };
	const struct profile *p = &g->r->profile;
	struct json *j = &g->json;
	size_t c;
	u32 i;

	json_begin(j, "rows", '{');
	for (c = 0; c < ARRAY_SIZE(names); c++) {
		json_begin(j, names[c], '[');
		for (i = 0; i < p->nr_rows; i++)
			if (g->taken[i])
				json_u64(j, NULL, row_value(g, &p->rows[i], (enum row_column)c));
		json_end(j, ']');
	}
	json_end(j, '}');
}

static void put_texts(struct json *j, const char *key, const struct str_set *set)
{
	unsigned int i;

	json_begin(j, key, '[');
	for (i = 0; i < set->nr; i++)
		json_string(j, NULL, set->v[i]);
	json_end(j, ']');
}

static void put_profile(struct page *g)
{
	const struct pd_file *f = g->r->s.file;
	struct json *j = &g->json;
	unsigned int i;

	fputs("<script type=\"application/json\" id=\"profile\">\n", g->f);
	json_begin(j, NULL, '{');
	json_begin(j, "events", '[');
	for (i = 0; i < f->nr_events; i++) {
		json_begin(j, NULL, '{');
		json_string(j, "name", f->events[i].name);
		json_u64(j, "samples", g->r->profile.events[i].samples);
		json_u64(j, "period", g->r->profile.events[i].period);
		json_bool(j, "is_time", event_is_time(f->events[i].name));
		json_end(j, '}');
	}
	json_end(j, ']');
	put_texts(j, "comms", &g->comms);
	put_funcs(g);
	put_stacks(g);
	put_rows(g);
	put_texts(j, "objects", &g->objects);
	json_end(j, '}');
	fputs("</script>\n", g->f);
}

/* ---- what is read without scripts ---- */

static void put_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		default:
			fputc(*text, f);
		}
	}
}

static void put_fact(struct page *g, const char *name, const char *text)
{
	fprintf(g->f, "<dt>%s</dt><dd>", name);
	put_text(g->f, text);
	fputs("</dd>\n", g->f);
}

/* What speaks against taking the numbers at their face value is shown only when there is some. */
static void put_doubt(struct page *g, const char *name, u64 n, const char *what)
{
	if (n)
		fprintf(g->f, "<dt>%s</dt><dd class=\"warn\">%llu %s</dd>\n", name, (unsigned long long)n, what);
}

static void put_facts(struct page *g)
{
	const struct report *r = g->r;
	const struct pd_file *f = r->s.file;
	char number[32], *text;
	unsigned int i;

	fputs("<dl>\n", g->f);
	if (f->cmdline)
		put_fact(g, "recorded by", f->cmdline);
	if (f->hostname && f->osrelease) {
		text = str_printf("%s, kernel %s%s%s", f->hostname, f->osrelease, f->arch ? ", " : "",
				  f->arch ? f->arch : "");
		put_fact(g, "on", text);
		free(text);
	}
	for (i = 0; i < f->nr_events; i++) {
		const struct total *t = &r->profile.events[i];

		amount_text(number, sizeof(number), f->events[i].name, t->period);
		text = str_printf("%s: %llu samples, %s%s", f->events[i].name, (unsigned long long)t->samples,
				  number, event_is_time(f->events[i].name) ? "" : " events");
		put_fact(g, "event", text);
		free(text);
	}
	if (!report_lost(r))
		put_fact(g, "lost", "nothing");
	put_doubt(g, "lost", report_lost(r), "samples");
	put_doubt(g, "throttled", r->s.throttled, "times; what happened then was not sampled");
	put_doubt(g, "left out", r->gather.left.undecoded, "samples too short");
	put_doubt(g, "left out", r->gather.left.of_no_event, "samples of no event of this file");
	put_doubt(g, "left out", r->gather.out_of_time, "samples of another time");
	fputs("</dl>\n", g->f);
}

static void put_plain_table(struct page *g, unsigned int event)
{
	struct view view = { .nr_keys = 2, .keys = { SORT_SYMBOL, SORT_OBJECT }, .filter = g->r->o->view.filter };
	struct hist h;
	u32 i;

	hist_build(&h, &g->r->profile, &view, event, 1);
	fputs("<h2>", g->f);
	put_text(g->f, g->r->s.file->events[event].name);
	fputs("</h2>\n<table>\n<tr><th>share</th><th>samples</th><th>function</th><th>object</th></tr>\n", g->f);
	for (i = 0; i < h.nr_order && i < PLAIN_ROWS; i++) {
		const struct hist_entry *e = &h.v[h.order[i]];

		fprintf(g->f, "<tr><td class=\"number\">%.2f%%</td><td class=\"number\">%llu</td><td>",
			share_percent(e->whole.period, h.total.period), (unsigned long long)e->whole.samples);
		put_text(g->f, symbol_name(e->symbol));
		fputs("</td><td class=\"object\">", g->f);
		put_text(g->f, e->object->name);
		fputs("</td></tr>\n", g->f);
	}
	fputs("</table>\n", g->f);
	if (hist_why_empty(&h))
		fprintf(g->f, "<p>%s</p>\n", hist_why_empty(&h));
	else if (h.nr_order > PLAIN_ROWS)
		fprintf(g->f, "<p>%u more</p>\n", h.nr_order - PLAIN_ROWS);
	hist_free(&h);
}

static void put_page(struct page *g)
{
	const char *title = g->r->s.file->cmdline ? g->r->s.file->cmdline : g->r->o->input;
	unsigned int i;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>", g->f);
	put_text(g->f, title);
	fprintf(g->f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
	put_text(g->f, g->r->o->input);
	fputs("</h1>\n", g->f);
	put_facts(g);
	fputs("<main id=\"view\">\n", g->f);
	for (i = 0; i < g->r->s.file->nr_events; i++)
		if (g->r->profile.events[i].samples || g->r->s.file->nr_events == 1)
			put_plain_table(g, i);
	fputs("</main>\n", g->f);
	put_profile(g);
	fprintf(g->f, "<script>\n%s\n%s</script>\n</body>\n</html>\n", model, script);
}

/* Write the page to the file of --html; "-" is standard output, which main() looks after. */
int report_write_page(const struct report *r)
{
	struct page g = { .r = r };
	const char *name = r->o->page;
	bool bad;

	g.f = strcmp(name, "-") ? fopen(name, "we") : stdout;
	if (!g.f)
		return complain("--html: %s: %s", name, strerror(errno));
	g.json = (struct json){ .f = g.f, .in_html = true };
	choose(&g);
	put_page(&g);
	free(g.taken);
	free(g.stacks.of);
	free(g.funcs.of);
	str_set_free(&g.comms);
	str_set_free(&g.objects);
	if (g.f == stdout)
		return 0;
	bad = fflush(g.f) || ferror(g.f);
	if (fclose(g.f) || bad)
		return complain("--html: %s: %s", name, strerror(errno));
	return 0;
}
