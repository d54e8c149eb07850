// SPDX-License-Identifier: GPL-2.0
/*
 * Showing the tables of top: on the screen, or one after the other as text.
 *
 * Concepts: while the newest table is looked at, the collector goes on, and may
 * publish the next one.
 * Contexts: the main thread.
 * Locks: none.
 */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "top/top.h"
#include "ui/ui.h"

static volatile sig_atomic_t stopped;

static void on_stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/* As far as the terminal is wide; elsewhere lines are whole. */
static void print_cut(const char *text, unsigned int width)
{
	size_t i, column = 0;

	for (i = 0; text[i]; i++) {
		column += ((u8)text[i] & 0xc0) != 0x80;
		if (width && column > width)
			break;
		putchar(text[i]);
	}
	putchar('\n');
}

static void print_snapshot(const struct top_snapshot *s)
{
	unsigned int width = term_width(stdout), i, k;

	for (i = 0; i < s->nr; i++) {
		printf("# %s\n", s->tables[i].title);
		print_cut(s->tables[i].heads, width);
		for (k = 0; k < s->tables[i].nr; k++)
			print_cut(s->tables[i].lines[k].text, width);
		putchar('\n');
	}
	fflush(stdout);
}

/* Print the newest table if it is newer than this; its number. */
static u64 print_newest(struct top *t, u64 seen)
{
	struct top_snapshot *s = top_get(t);

	if (s && s->number > seen) {
		seen = s->number;
		print_snapshot(s);
	}
	top_put(t, s);
	return seen;
}

/* A table for each interval, until told to stop. */
int top_show_text(struct top *t)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_stop };
	struct pollfd p = { .fd = t->news, .events = POLLIN };
	sigset_t block, open;
	bool ended = false;
	u64 seen = 0;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], &sa, NULL);
		sigaddset(&block, signals[i]);
	}
	/* a signal is only taken while we wait, so that none comes just before that */
	sigprocmask(SIG_BLOCK, &block, &open);
	while (!stopped && !ended && !(t->o->iterations && seen >= t->o->iterations)) {
		if (ppoll(&p, 1, NULL, &open) <= 0)
			continue;
		wakeup_clear(t->news);
		ended = __atomic_load_n(&t->ended, __ATOMIC_ACQUIRE);
		seen = print_newest(t, seen);
		if (ferror(stdout))
			return complain("writing: %s", strerror(errno));
	}
	sigprocmask(SIG_SETMASK, &open, NULL);
	return 0;
}

struct screen {
	unsigned int event;
	unsigned int top;	/* the first line that is shown */
	bool paused;
	u64 seen;
};

static void draw(const struct screen *s, const struct top_snapshot *snap, bool ended)
{
	const struct top_table *t = &snap->tables[s->event % snap->nr];
	unsigned int i, rows = ui_rows() > 4 ? (unsigned int)ui_rows() - 3 : 1;
	char *bar = str_printf(" %s", t->title);

	ui_clear();
	ui_line(0, UI_BAR, false, bar);
	ui_line(1, UI_HEAD, false, t->heads);
	for (i = 0; i < rows && s->top + i < t->nr; i++)
		ui_line(2 + (int)i, ui_style_of(t->lines[s->top + i].percent), false,
			t->lines[s->top + i].text);
	free(bar);
	bar = str_printf(" table %llu%s   arrows scroll  Tab event  p pause  q leave",
			 (unsigned long long)snap->number,
			 ended ? ", the last: what was looked at has ended" : s->paused ? ", paused" : "");
	ui_line(ui_rows() - 1, UI_BAR, false, bar);
	free(bar);
	ui_show();
}

/* Draw the newest table, or again the one that is shown; how many lines it has. */
static unsigned int draw_newest(struct top *t, struct screen *s)
{
	struct top_snapshot *snap = top_get(t);
	unsigned int nr = 0;

	if (snap) {
		nr = snap->tables[s->event % snap->nr].nr;
		s->top = s->top < nr ? s->top : nr ? nr - 1 : 0;
		s->seen = snap->number;
		draw(s, snap, __atomic_load_n(&t->ended, __ATOMIC_ACQUIRE));
	}
	top_put(t, snap);
	return nr;
}

/* false: leave. */
static bool take_key(struct screen *s, int key)
{
	unsigned int page = ui_rows() > 4 ? (unsigned int)ui_rows() - 3 : 1;

	switch (key) {
	case 'q':
	case UI_STOP:
		return false;
	case KEY_DOWN:
	case 'j':
		s->top++;
		break;
	case KEY_UP:
	case 'k':
		s->top -= s->top > 0;
		break;
	case KEY_NPAGE:
	case ' ':
		s->top += page;
		break;
	case KEY_PPAGE:
		s->top -= s->top < page ? s->top : page;
		break;
	case KEY_HOME:
		s->top = 0;
		break;
	case '\t':
		s->event++;
		s->top = 0;
		break;
	case 'p':
		s->paused = !s->paused;
		break;
	}
	return true;
}

int top_show_screen(struct top *t)
{
	struct screen s = { 0 };
	int key;

	if (ui_begin())
		return -1;
	ui_line(0, UI_BAR, false, " the first table comes with the first refresh   q leave");
	ui_show();
	do {
		/* while paused, only keys draw, and what is drawn then is fresh */
		key = ui_key(100);
		if (key != UI_TIMEOUT && !take_key(&s, key))
			break;
		if (key != UI_TIMEOUT || !s.paused)
			draw_newest(t, &s);
	} while (!t->o->iterations || s.seen < t->o->iterations);
	ui_end();
	return 0;
}
