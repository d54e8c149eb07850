// SPDX-License-Identifier: GPL-2.0
/*
 * Looking through a profile: a list whose lines open into call chains.
 *
 * Concepts: the table of the view, flattened into what is open at the moment.
 * A zoom adds a filter, and Escape takes the last one away; the table is then
 * made anew from the profile, never from the file.
 * Contexts: one thread.
 * Locks: none.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "ui/ui.h"

enum { MAX_ZOOMS = 16 };

/* A line that can be chosen: an entry of the table, or a node below it. */
struct list_item {
	u32 entry;
	u32 node;		/* 0: the entry itself */
	unsigned int depth;
};

/* The chains below an entry that was opened once. */
struct opened {
	struct tree tree;
	bool *open;		/* for each node; 0 is the entry */
};

struct zoom {
	const char **filter;	/* the text of the view's filter */
	const char *before;
	char *text;
};

struct list {
	struct browser *b;
	struct hist hist;
	unsigned int event;
	struct opened **opened;	/* for each entry; NULL: not yet */
	struct list_item *items;
	u32 nr, room;
	u32 at, top;		/* the chosen line, the first one on the screen */
	struct zoom zooms[MAX_ZOOMS];
	unsigned int nr_zooms;
	char *search;
	const char *say;	/* in the last line, once */
	int widths[NR_SORT];
};

static const char *const help[] = {
	"",
	"  up down, j k          one line",
	"  PgUp PgDn Home End    more",
	"  Enter, right, +       open or close the chains below a line",
	"  left, -               close; then go to the line above it",
	"  e                     open all below a line",
	"  /  n                  search a name; again",
	"  a                     the code of the function, with its samples",
	"  d                     only the object of this line",
	"  t                     only the command of this line",
	"  f                     only functions of a name",
	"  Esc, Backspace        back: take the last of these away",
	"  v                     turn chains around: callers, callees",
	"  c                     a line for every function of a chain, or not",
	"  Tab                   the next event",
	"  ?                     this page",
	"  q                     leave",
};

static void list_push(struct list *l, u32 entry, u32 node, unsigned int depth)
{
	if (l->nr == l->room) {
		l->room = l->room ? l->room * 2 : 1024;
		l->items = mem_resize(l->items, l->room, sizeof(*l->items));
	}
	l->items[l->nr++] = (struct list_item){ entry, node, depth };
}

static void push_open(struct list *l, u32 entry, u32 node, unsigned int depth)
{
	const struct opened *o = l->opened[entry];
	u32 at;

	list_push(l, entry, node, depth);
	if (!o || !o->open[node])
		return;
	for (at = o->tree.v[node].child; at; at = o->tree.v[at].sibling)
		push_open(l, entry, at, depth + 1);
}

/* Put down what is open, line by line. */
static void flatten(struct list *l)
{
	u32 i;

	l->nr = 0;
	for (i = 0; i < l->hist.nr_order; i++)
		push_open(l, l->hist.order[i], 0, 0);
	if (l->at >= l->nr)
		l->at = l->nr ? l->nr - 1 : 0;
}

static void list_drop(struct list *l)
{
	u32 i;

	for (i = 0; i < l->hist.nr; i++)
		if (l->opened[i]) {
			tree_free(&l->opened[i]->tree);
			free(l->opened[i]->open);
			free(l->opened[i]);
		}
	free(l->opened);
	hist_free(&l->hist);
}

/* Make the table of the view as it is now. */
static void list_make(struct list *l)
{
	unsigned int k;

	hist_build(&l->hist, l->b->profile, l->b->view, l->event, 1);
	l->opened = mem_zalloc(l->hist.nr, sizeof(struct opened *));
	/* the last column is not padded */
	memset(l->widths, 0, sizeof(l->widths));
	for (k = 0; k + 1 < l->b->view->nr_keys; k++)
		l->widths[l->b->view->keys[k]] = hist_width(&l->hist, l->b->view->keys[k]);
	l->at = l->top = 0;
	flatten(l);
}

static void list_again(struct list *l)
{
	list_drop(l);
	list_make(l);
}

static struct opened *open_entry(struct list *l, u32 entry)
{
	struct opened *o = l->opened[entry];

	if (o)
		return o;
	o = l->opened[entry] = mem_zalloc(1, sizeof(*o));
	/* the tree points into its own array, which may be large: built only here */
	tree_build(&o->tree, &l->hist, entry);
	o->open = mem_zalloc(o->tree.nr, sizeof(*o->open));
	return o;
}

static bool can_open(struct list *l, const struct list_item *it)
{
	if (l->b->view->mode == CHAIN_NONE)
		return false;
	return open_entry(l, it->entry)->tree.v[it->node].child != 0;
}

static const struct func *item_func(const struct list *l, const struct list_item *it)
{
	return &l->hist.p->funcs[l->opened[it->entry]->tree.v[it->node].func];
}

static const char *item_name(const struct list *l, const struct list_item *it)
{
	const struct hist_entry *e = &l->hist.v[it->entry];
	const struct func *f;

	if (it->node) {
		f = item_func(l, it);
		return f->symbol ? symbol_name(f->symbol) : f->object->short_name;
	}
	if (e->symbol || !e->object)
		return e->symbol ? symbol_name(e->symbol) : e->comm ? e->comm : "";
	return e->object->short_name;
}

/* The share that a line shows: of all samples; of the entry's, below it. */
static double item_share(const struct list *l, const struct list_item *it)
{
	const struct hist_entry *e = &l->hist.v[it->entry];
	u64 part = e->whole.period, all = l->hist.total.period;

	if (it->node) {
		part = l->opened[it->entry]->tree.v[it->node].period;
		all = l->opened[it->entry]->tree.v[0].period;
	}
	return share_percent(part, all);
}

static void put_keys(const struct list *l, const struct hist_entry *e, FILE *f)
{
	const struct view *v = l->b->view;
	unsigned int k;
	char buf[32];

	for (k = 0; k < v->nr_keys; k++) {
		if (v->keys[k] == SORT_SYMBOL)
			fprintf(f, "  [%c]", e->level);
		fprintf(f, "%s%-*s%s", v->keys[k] == SORT_SYMBOL ? " " : "  ", l->widths[v->keys[k]],
			entry_text(e, v->keys[k], buf, sizeof(buf)),
			v->keys[k] == SORT_SYMBOL && e->inlined ? " (inlined)" : "");
	}
}

/* The text of a line; the caller frees it. */
static char *item_text(struct list *l, const struct list_item *it)
{
	const struct hist_entry *e = &l->hist.v[it->entry];
	bool open = l->opened[it->entry] && l->opened[it->entry]->open[it->node];
	const char *mark = ui_mark(can_open(l, it), open);
	size_t size;
	char *text;
	FILE *f;

	if (it->node)
		return str_printf("%*s%s %6.2f%% %s%s", 10 + 2 * (int)it->depth, "", mark,
				  item_share(l, it), item_name(l, it),
				  item_func(l, it)->inlined ? " (inlined)" : "");
	f = open_memstream(&text, &size);
	fprintf(f, "%s %6.2f%%", mark, item_share(l, it));
	if (l->b->view->children)
		fprintf(f, " %6.2f%%", share_percent(e->self.period, l->hist.total.period));
	fprintf(f, " %9llu", (unsigned long long)(l->b->view->children ? e->self.samples :
						  e->whole.samples));
	put_keys(l, e, f);
	fclose(f);
	return text;
}

static void draw_head(const struct list *l)
{
	const struct view *v = l->b->view;
	char *text = str_printf(" %s  event '%s'  %llu samples%s", l->b->input,
				l->b->file->events[l->event].name,
				(unsigned long long)l->hist.total.samples,
				l->nr_zooms ? "  only:" : "");
	size_t size;
	char *titles;
	unsigned int i;
	FILE *f;

	for (i = 0; i < l->nr_zooms; i++) {
		char *longer = str_printf("%s %s", text, l->zooms[i].text);

		free(text);
		text = longer;
	}
	ui_line(0, UI_BAR, false, text);
	free(text);
	f = open_memstream(&titles, &size);
	fprintf(f, "  %7s%s %9s", v->children ? "whole" : "share", v->children ? "    self" : "",
		"samples");
	for (i = 0; i < v->nr_keys; i++)
		fprintf(f, "%s%-*s", "  ",
			l->widths[v->keys[i]], sort_key_name(v->keys[i]));
	fclose(f);
	ui_line(1, UI_HEAD, false, titles);
	free(titles);
}

static void draw(struct list *l)
{
	u32 page = (u32)(ui_rows() > 4 ? ui_rows() - 3 : 1), i;
	char *text;

	if (l->at < l->top)
		l->top = l->at;
	if (l->at >= l->top + page)
		l->top = l->at - page + 1;
	ui_clear();
	draw_head(l);
	for (i = l->top; i < l->nr && i < l->top + page; i++) {
		text = item_text(l, &l->items[i]);
		ui_line(2 + (int)(i - l->top), ui_style_of(item_share(l, &l->items[i])), i == l->at,
			text);
		free(text);
	}
	if (hist_why_empty(&l->hist))
		ui_line(2, UI_PLAIN, false, hist_why_empty(&l->hist));
	text = l->say ? str_printf(" %s", l->say) :
	       str_printf(" line %u of %u   Enter open  / search  a code  d t f zoom  ? keys  q leave",
			  l->nr ? l->at + 1 : 0, l->nr);
	ui_line(ui_rows() - 1, UI_BAR, false, text);
	free(text);
	l->say = NULL;
	ui_show();
}

static void toggle(struct list *l, int to)
{
	const struct list_item *it = &l->items[l->at];
	struct opened *o;

	if (!l->nr || !can_open(l, it))
		return;
	o = l->opened[it->entry];
	o->open[it->node] = to < 0 ? !o->open[it->node] : to;
	flatten(l);
}

static void open_below(struct list *l)
{
	const struct list_item *it = &l->items[l->at];
	struct opened *o;
	u32 i, up;

	if (!l->nr || !can_open(l, it))
		return;
	o = l->opened[it->entry];
	for (i = it->node; i < o->tree.nr; i++) {
		/* parents have smaller numbers than their children */
		for (up = i; up > it->node; up = o->tree.v[up].parent)
			;
		if (up == it->node)
			o->open[i] = true;
	}
	flatten(l);
}

/* Close the line; when it is closed already, go to the one it is below. */
static void close_or_up(struct list *l)
{
	const struct list_item *it = &l->items[l->at];
	unsigned int depth = it->depth;

	if (!l->nr)
		return;
	if (l->opened[it->entry] && l->opened[it->entry]->open[it->node]) {
		toggle(l, 0);
		return;
	}
	while (depth && l->at && l->items[l->at].depth >= depth)
		l->at--;
}

static void search_again(struct list *l)
{
	u32 i, at;

	for (i = 1; l->search && i <= l->nr; i++) {
		at = (l->at + i) % l->nr;
		if (strcasestr(item_name(l, &l->items[at]), l->search)) {
			l->at = at;
			return;
		}
	}
	l->say = "no line has that name";
}

static void search(struct list *l)
{
	char *text = ui_ask("search: ");

	if (!text)
		return;
	free(l->search);
	l->search = text;
	search_again(l);
}

static void zoom_in(struct list *l, const char **filter, const char *text)
{
	struct zoom *z = &l->zooms[l->nr_zooms];

	if (!text || l->nr_zooms == MAX_ZOOMS) {
		l->say = "that is not possible here";
		return;
	}
	*z = (struct zoom){ filter, *filter, str_dup(text) };
	*filter = z->text;
	l->nr_zooms++;
	list_again(l);
}

static void zoom_out(struct list *l)
{
	struct zoom *z;

	if (!l->nr_zooms)
		return;
	z = &l->zooms[--l->nr_zooms];
	*z->filter = z->before;
	free(z->text);
	list_again(l);
}

/* Only the object, or the command, of the line. */
static void zoom_line(struct list *l, int key)
{
	const struct list_item *it = &l->items[l->at];
	struct filter *f = &l->b->view->filter;
	const struct hist_entry *e;
	const struct object *o;

	if (!l->nr)
		return;
	e = &l->hist.v[it->entry];
	if (key == 't') {
		zoom_in(l, &f->comms.text, e->comm);
		return;
	}
	o = it->node ? item_func(l, it)->object : e->object;
	zoom_in(l, &f->objects.text, o ? o->short_name : NULL);
}

static void zoom_names(struct list *l)
{
	char *text = ui_ask("only functions whose name has: ");

	if (text)
		zoom_in(l, &l->b->view->filter.part, text);
	free(text);
}

static void show_code(struct list *l)
{
	const struct list_item *it = &l->items[l->at];
	const struct symbol *s;

	if (!l->nr)
		return;
	s = it->node ? item_func(l, it)->symbol : l->hist.v[it->entry].symbol;
	if (!s)
		l->say = "this line is of no function with a name";
	else if (ui_annotate(l->b->input, l->b->profile->s->kallsyms,
			     symbol_name((struct symbol *)s)))
		l->say = "pcl annotate has nothing to show of this function";
}

static void next_event(struct list *l)
{
	unsigned int i, nr = l->b->file->nr_events;

	for (i = 1; i < nr; i++)
		if (l->b->profile->events[(l->event + i) % nr].samples) {
			l->event = (l->event + i) % nr;
			list_again(l);
			return;
		}
	l->say = "there is no other event with samples";
}

/* Turn the view; only where chains were recorded. */
static void turn(struct list *l, int key)
{
	struct view *v = l->b->view;

	if (!l->b->has_chains) {
		l->say = "no chains were recorded; pcl record -g does";
		return;
	}
	if (key == 'v')
		v->mode = v->mode == CHAIN_CALLERS ? CHAIN_CALLEES : CHAIN_CALLERS;
	else
		v->children = !v->children;
	list_again(l);
}

static void go(struct list *l, s64 by)
{
	s64 at = (s64)l->at + by;

	l->at = at < 0 || !l->nr ? 0 : at >= l->nr ? l->nr - 1 : (u32)at;
}

static bool move_key(struct list *l, int key)
{
	s64 page = ui_rows() > 4 ? ui_rows() - 3 : 1;
	const struct {
		int key, other;
		s64 by;
	} moves[] = {
		{ KEY_DOWN, 'j', 1 }, { KEY_UP, 'k', -1 }, { KEY_NPAGE, ' ', page },
		{ KEY_PPAGE, 'b', -page }, { KEY_HOME, 'g', -(s64)l->nr }, { KEY_END, 'G', l->nr },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(moves); i++)
		if (key == moves[i].key || key == moves[i].other) {
			go(l, moves[i].by);
			return true;
		}
	return false;
}

/* false: leave. */
static bool take_key(struct list *l, int key)
{
	switch (key) {
	case 'q':
	case UI_STOP:
		return false;
	case '\r':
	case '\n':
	case KEY_ENTER:
	case '+':
		toggle(l, -1);
		break;
	case KEY_RIGHT:
		toggle(l, 1);
		break;
	case KEY_LEFT:
	case '-':
		close_or_up(l);
		break;
	case 'e':
		open_below(l);
		break;
	case '/':
		search(l);
		break;
	case 'n':
		search_again(l);
		break;
	case 'a':
		show_code(l);
		break;
	case 'd':
	case 't':
		zoom_line(l, key);
		break;
	case 'f':
		zoom_names(l);
		break;
	case 27:
	case KEY_BACKSPACE:
	case 127:
		zoom_out(l);
		break;
	case 'v':
	case 'c':
		turn(l, key);
		break;
	case '\t':
		next_event(l);
		break;
	case '?':
	case 'h':
		ui_help(help, ARRAY_SIZE(help));
		break;
	default:
		move_key(l, key);
	}
	return true;
}

/* Until the user leaves. 0, or -1: the terminal is not possible, which was told. */
int ui_browse(struct browser *b)
{
	struct list l = { .b = b };

	if (ui_begin())
		return -1;
	while (l.event + 1 < b->file->nr_events && !b->profile->events[l.event].samples)
		l.event++;
	list_make(&l);
	do
		draw(&l);
	while (take_key(&l, ui_key(-1)));
	ui_end();
	while (l.nr_zooms)
		zoom_out(&l);
	list_drop(&l);
	free(l.items);
	free(l.search);
	return 0;
}
