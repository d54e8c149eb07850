// SPDX-License-Identifier: GPL-2.0
/*
 * The report as text.
 *
 * Concepts: a section for each event, or one for all of them side by side. The
 * last column is not padded; on a terminal lines end at its width, elsewhere
 * names are whole.
 * Contexts: after the file was read.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "report/report.h"

/* A section while it is printed. */
struct section {
	const struct report *r;
	struct hist hist;
	int widths[NR_COLUMNS];
	unsigned int screen;	/* columns of the terminal; 0: no limit */
	struct tree tree;
};

/* Does it count nanoseconds of the clock on the wall? */
bool event_is_time(const char *event)
{
	return !strncmp(event, "offcpu-time", 11);
}

/* "1.234 ms" where an event counts nanoseconds, else the number. */
const char *amount_text(char *buf, size_t size, const char *event, u64 period)
{
	double ns = (double)period;

	if (!event_is_time(event))
		snprintf(buf, size, "%llu", (unsigned long long)period);
	else if (ns < 1e9)
		snprintf(buf, size, "%.3f ms", ns / 1e6);
	else
		snprintf(buf, size, "%.3f s", ns / 1e9);
	return buf;
}

static const char *event_name(const struct section *s, unsigned int i)
{
	return s->r->s.file->events[s->hist.event + i].name;
}

/* How wide columns are; the last one is not padded. */
static void measure(struct section *s)
{
	const struct report_opts *o = s->r->o;
	unsigned int c;

	for (c = 0; c + 1 < o->nr_columns; c++)
		if (o->columns[c] < NR_SORT)
			s->widths[o->columns[c]] = hist_width(&s->hist, o->columns[c]);
}

static bool is_share(unsigned int column)
{
	return column == COL_SHARE || column == COL_CHILDREN || column == COL_SELF;
}

static bool is_number(unsigned int column)
{
	return column == SORT_PID || column == SORT_TID || column == SORT_CPU;
}

static void print_titles(const struct section *s)
{
	const struct report_opts *o = s->r->o;
	unsigned int c, k, i;

	putchar('#');
	for (c = 0; c < o->nr_columns; c++) {
		k = o->columns[c];
		if (is_share(k))
			for (i = 0; i < s->hist.nr_events; i++)
				printf(" %8s", column_title(k));
		else if (k == COL_SAMPLES)
			printf(" %9s", column_title(k));
		else if (k == COL_PERIOD)
			printf(" %14s", column_title(k));
		else if (is_number(k))
			printf("  %*s", s->widths[k] ? s->widths[k] : 4, column_title(k));
		else
			printf("  %-*s", c + 1 < o->nr_columns ? s->widths[k] : 0, column_title(k));
	}
	printf("\n#\n");
}

/* What matters most stands out, on a terminal that has colours. */
static const char *share_colour(double share)
{
	return share >= 5 ? "\033[1;31m" : share >= 0.5 ? "\033[32m" : "\033[2m";
}

/* The share of an entry in one of the events of the section. */
static double share_of(const struct section *s, u32 entry, unsigned int column, unsigned int i)
{
	const struct hist *h = &s->hist;
	const struct hist_entry *e = &h->v[entry];

	if (h->nr_events > 1)
		return share_percent(hist_event(h, entry, i)->period,
				  h->p->events[h->event + i].period);
	return share_percent(column == COL_SELF ? e->self.period : e->whole.period, h->total.period);
}

/* Print up to the screen's width; left is what of it is still free. */
static void put_limited(const struct section *s, int *left, const char *text)
{
	size_t n = strlen(text), i;

	if (!s->screen) {
		fputs_unlocked(text, stdout);
		return;
	}
	for (i = 0; i < n && (*left > 0 || ((u8)text[i] & 0xc0) == 0x80); i++) {
		*left -= ((u8)text[i] & 0xc0) != 0x80;
		putchar(text[i]);
	}
}

/* "%*.2f" of a share: printf() takes long, and is asked only where two figures are as near. */
static void put_share(double share, int width)
{
	double hundredths = share * 100 + 0.5;
	/* periods of a damaged file may add up to anything */
	u64 v = hundredths >= 0 && hundredths < 100000 ? (u64)hundredths : ~0ull;
	double off = hundredths - (double)v;
	char buf[24], *p = buf + sizeof(buf) - 1;
	int i;

	if (!(off >= 1e-6 && off <= 1 - 1e-6) || width > 16) {
		printf("%*.2f", width, share);
		return;
	}
	*p = 0;
	for (i = 0; i < 3 || v; i++, v /= 10) {
		if (i == 2)
			*--p = '.';
		*--p = (char)('0' + v % 10);
	}
	while (buf + sizeof(buf) - 1 - p < width)
		*--p = ' ';
	fputs_unlocked(p, stdout);
}

static void print_shares(const struct section *s, u32 entry, unsigned int column, bool first,
			 int *left)
{
	bool colour = s->r->o->colour;
	unsigned int i;

	for (i = 0; i < s->hist.nr_events; i++) {
		double share = share_of(s, entry, column, i);

		*left -= 9;
		if (!first || i) {
			putchar(' ');
			--*left;
		}
		if (colour)
			fputs_unlocked(share_colour(share), stdout);
		put_share(share, first && !i ? 8 : 7);
		fputs_unlocked(colour ? "%\033[0m" : "%", stdout);
	}
}

static void print_key(const struct section *s, u32 entry, unsigned int k, int *left)
{
	const struct hist_entry *e = &s->hist.v[entry];
	int width = s->widths[k], pad;
	char number[32];
	const char *text = visible(entry_text(e, k, number, sizeof(number)));

	pad = width ? width - (int)strlen(text) : 0;
	put_limited(s, left, "  ");
	if (k == SORT_SYMBOL)
		put_limited(s, left, (char []){ '[', e->level, ']', ' ', 0 });
	if (is_number(k)) {
		for (pad = (width ? width : 4) - (int)strlen(text); pad > 0; pad--)
			put_limited(s, left, " ");
	}
	put_limited(s, left, text);
	if (k == SORT_SYMBOL && e->inlined)
		put_limited(s, left, " (inlined)");
	for (; pad > 0; pad--)
		put_limited(s, left, " ");
}

/* What numbers of a line are of: with children, the function itself. */
static const struct total *counted(const struct section *s, const struct hist_entry *e)
{
	return s->r->o->view.children ? &e->self : &e->whole;
}

static void print_column(const struct section *s, u32 entry, unsigned int c, int *left)
{
	const struct hist_entry *e = &s->hist.v[entry];
	unsigned int k = s->r->o->columns[c];
	char buf[64], number[32];

	if (is_share(k)) {
		print_shares(s, entry, k, !c, left);
	} else if (k == COL_SAMPLES) {
		snprintf(buf, sizeof(buf), " %9llu", (unsigned long long)counted(s, e)->samples);
		put_limited(s, left, buf);
	} else if (k == COL_PERIOD) {
		amount_text(number, sizeof(number), event_name(s, 0), counted(s, e)->period);
		snprintf(buf, sizeof(buf), " %14s", number);
		put_limited(s, left, buf);
	} else {
		print_key(s, entry, k, left);
	}
}

static void print_node(const struct section *s, const struct tree_node *n, int indent,
		       const char *share)
{
	const struct func *f = &s->hist.p->funcs[n->func];
	int left = (int)s->screen;

	for (; indent > 0; indent--)
		put_limited(s, &left, " ");
	put_limited(s, &left, share);
	if (!f->symbol && f->object->name[0] != '[')
		put_limited(s, &left, "[unknown] in ");
	put_limited(s, &left, visible(f->symbol ? symbol_name(f->symbol) : f->object->short_name));
	if (f->inlined)
		put_limited(s, &left, " (inlined)");
	putchar('\n');
}

/*
 * A caller that is the only one stands below its callee without a figure;
 * where there are several, each has its share and its own indentation.
 */
static void print_level(const struct section *s, u32 at, u64 total, int indent, double min_percent)
{
	const struct tree_node *v = s->tree.v, *n = &v[at];
	char share[16];

	while (n->child && !v[n->child].sibling && v[n->child].period == n->period) {
		n = &v[n->child];
		print_node(s, n, indent, "");
	}
	for (at = n->child; at; at = v[at].sibling) {
		double percent = share_percent(v[at].period, total);

		if (percent < min_percent)
			break;
		snprintf(share, sizeof(share), "%.2f%% ", percent);
		print_node(s, &v[at], indent, share);
		print_level(s, at, total, indent + 2, min_percent);
	}
}

/* What is below an entry; shares are of the entry's own period. */
static void print_tree(struct section *s, u32 entry)
{
	const struct view *v = &s->r->o->view;

	if (v->mode == CHAIN_NONE)
		return;
	tree_build(&s->tree, &s->hist, entry);
	if (s->tree.nr == 1 || !s->tree.v[0].period)
		return;
	print_level(s, 0, s->tree.v[0].period, 12, v->limit_given ? v->min_percent : 0.5);
	putchar('\n');
}

static void print_entry(struct section *s, u32 entry)
{
	int left = (int)s->screen;
	unsigned int c;

	for (c = 0; c < s->r->o->nr_columns; c++)
		print_column(s, entry, c, &left);
	putchar('\n');
	print_tree(s, entry);
}

static void print_summary(const struct section *s)
{
	const struct hist *h = &s->hist;
	unsigned int i;
	char buf[32];

	for (i = 0; i < h->nr_events; i++) {
		const struct total *t = &h->p->events[h->event + i];

		amount_text(buf, sizeof(buf), event_name(s, i), t->period);
		printf("# event '%s': %llu samples, %s%s\n", visible(event_name(s, i)),
		       (unsigned long long)t->samples, buf,
		       event_is_time(event_name(s, i)) ? "" : " events");
	}
	if (h->shown.samples != h->total.samples)
		printf("# of them in view: %llu samples, %.2f%%\n",
		       (unsigned long long)h->shown.samples,
		       share_percent(h->shown.period, h->total.period));
	printf("#\n");
}

/* What is printed lies here and there: fetched from memory a few lines before. */
static void fetch_entry(const struct hist *h, u32 i)
{
	const struct symbol *symbol;

	if (i + 12 < h->nr_order) {
		__builtin_prefetch(&h->v[h->order[i + 12]]);
		__builtin_prefetch((const u8 *)&h->v[h->order[i + 12] + 1] - 1);
	}
	symbol = i + 8 < h->nr_order ? h->v[h->order[i + 8]].symbol : NULL;
	if (symbol)
		__builtin_prefetch(&symbol->shown);
	symbol = i + 4 < h->nr_order ? h->v[h->order[i + 4]].symbol : NULL;
	if (symbol && symbol->shown)
		__builtin_prefetch(symbol->shown);
}

static void print_section(const struct report *r, unsigned int event, unsigned int nr)
{
	struct section s = { .r = r, .screen = term_width(stdout) };
	u32 i;

	hist_build(&s.hist, &r->profile, &r->o->view, event, nr);
	print_summary(&s);
	measure(&s);
	print_titles(&s);
	for (i = 0; i < s.hist.nr_order; i++) {
		fetch_entry(&s.hist, i);
		print_entry(&s, s.hist.order[i]);
	}
	if (hist_why_empty(&s.hist))
		printf("# %s\n", hist_why_empty(&s.hist));
	putchar('\n');
	tree_free(&s.tree);
	hist_free(&s.hist);
}

/* Losses are told as they happen and, by newer kernels, again at the end. */
u64 report_lost(const struct report *r)
{
	return r->s.lost > r->s.lost_samples ? r->s.lost : r->s.lost_samples;
}

static void print_head(const struct report *r)
{
	const struct pd_file *f = r->s.file;
	const struct gather *g = &r->gather;
	u64 samples = 0;
	unsigned int i;

	for (i = 0; i < f->nr_events; i++)
		samples += r->profile.events[i].samples;
	if (f->cmdline)
		printf("# recorded by: %s\n", visible(f->cmdline));
	if (f->hostname && f->osrelease)
		printf("# on: %s, kernel %s%s%s\n", visible(f->hostname), visible(f->osrelease),
		       f->arch ? ", " : "", f->arch ? visible(f->arch) : "");
	printf("# samples: %llu, lost: %llu\n", (unsigned long long)samples,
	       (unsigned long long)report_lost(r));
	if (r->s.throttled)
		printf("# throttled: %llu times; what happened then was not sampled\n",
		       (unsigned long long)r->s.throttled);
	if (g->left.undecoded || g->left.of_no_event)
		printf("# left out: %llu samples too short, %llu of no event of this file\n",
		       (unsigned long long)g->left.undecoded,
		       (unsigned long long)g->left.of_no_event);
	if (g->out_of_time)
		printf("# left out: %llu samples of another time\n",
		       (unsigned long long)g->out_of_time);
	printf("#\n");
}

/* The events, as they were opened. */
static void print_header(const struct pd_file *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_events; i++) {
		const struct perf_event_attr *a = &f->events[i].attr;

		printf("# event %u: '%s', type %u, config 0x%llx, %s %llu, sample_type 0x%llx%s%s\n",
		       i, visible(f->events[i].name), a->type, (unsigned long long)a->config,
		       a->freq ? "Hz" : "period", (unsigned long long)a->sample_period,
		       (unsigned long long)a->sample_type, a->exclude_kernel ? ", not the kernel" : "",
		       a->inherit ? ", with children" : "");
	}
	for (i = 0; i < f->nr_build_ids; i++) {
		const struct pd_build_id *b = &f->build_ids[i];
		char hex[2 * PD_BUILD_ID_MAX + 1];

		printf("# build id: %s %s\n", format_hex(hex, b->id, b->len), visible(b->name));
	}
	printf("#\n");
}

void report_print(const struct report *r)
{
	unsigned int nr = r->s.file->nr_events, i;

	print_head(r);
	if (r->o->header)
		print_header(r->s.file);
	if (r->o->view.grouped && nr > 1) {
		print_section(r, 0, nr);
		return;
	}
	for (i = 0; i < nr; i++)
		if (r->profile.events[i].samples || nr == 1)
			print_section(r, i, 1);
}

/* Objects that have no lines, where lines were wanted. */
void report_lines_note(const struct report *r)
{
	if (r->profile.lines)
		tell_no_lines(r->s.objects, r->s.nr_objects);
}

/* Objects that code was seen in, and that gave no names. */
void report_notes(const struct report *r)
{
	unsigned int i;

	for (i = 0; i < r->s.nr_objects; i++)
		if (r->s.objects[i]->note)
			complain("note: %s: %s", r->s.objects[i]->name,
				 r->s.objects[i]->note);
	report_lines_note(r);
	session_unwind_stats(&r->s, stderr);
}
