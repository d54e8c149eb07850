// SPDX-License-Identifier: GPL-2.0
/*
 * The screen: lines of text with a style, keys, a question.
 *
 * Concepts: ncurses, but nothing above this file knows. A terminal that is
 * resized gives a key like any other. A signal that ends the tool is told as a
 * key, too, so that the terminal is always left as it was.
 * Contexts: one thread.
 * Locks: none; the handler only sets a flag.
 */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "ui/ui.h"

static volatile sig_atomic_t stopped;
static bool colours, utf8;

static void on_stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/* Can there be an interface? Both ends must be a terminal that moves its cursor. */
bool ui_possible(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && term && *term &&
	       strcmp(term, "dumb");
}

static void begin_colours(void)
{
	static const struct {
		enum ui_style style;
		short colour;
	} pairs[] = {
		{ UI_HOT, COLOR_RED }, { UI_WARM, COLOR_GREEN },
	};
	size_t i;

	colours = colour_ok(stdout) && has_colors();
	if (!colours)
		return;
	start_color();
	use_default_colors();
	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		init_pair((short)pairs[i].style, pairs[i].colour, -1);
}

/* 0, or -1 and it is told. */
int ui_begin(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_stop };
	SCREEN *screen = newterm(NULL, stdout, stdin);
	size_t i;

	if (!screen)
		return complain("the terminal '%s' is not known here; --stdio prints text", getenv("TERM"));
	utf8 = term_utf8(stdout);
	begin_colours();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(50);
	nodelay(stdscr, TRUE);
	curs_set(0);
	/* after ncurses, which has handlers of its own */
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &sa, NULL);
	return 0;
}

void ui_end(void)
{
	curs_set(1);
	endwin();
}

/* The next key; UI_TIMEOUT after so long (-1: never); UI_STOP when the tool is to end. */
int ui_key(int timeout_ms)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	int key, ret;

	if (stopped)
		return UI_STOP;
	key = getch();
	if (key != ERR)
		return key;
	ret = poll(&p, 1, timeout_ms);
	if (stopped || (ret > 0 && p.revents & (POLLERR | POLLNVAL)))
		return UI_STOP;
	key = getch();
	if (key != ERR)
		return key;
	/* the terminal has gone: it is readable, and there is nothing to read */
	if (ret > 0 && p.revents & POLLHUP)
		return UI_STOP;
	return UI_TIMEOUT;
}

int ui_rows(void)
{
	return LINES;
}

int ui_columns(void)
{
	return COLS;
}

void ui_clear(void)
{
	erase();
}

void ui_show(void)
{
	refresh();
}

static attr_t attribute(enum ui_style style)
{
	switch (style) {
	case UI_HOT:
		return A_BOLD | (colours ? (attr_t)COLOR_PAIR(UI_HOT) : 0);
	case UI_WARM:
		return colours ? (attr_t)COLOR_PAIR(UI_WARM) : 0;
	case UI_COLD:
		return A_DIM;
	case UI_BAR:
		return A_REVERSE;
	case UI_HEAD:
		return A_BOLD;
	default:
		return 0;
	}
}

enum ui_style ui_style_of(double percent)
{
	return percent >= 5 ? UI_HOT : percent >= 0.5 ? UI_WARM : UI_COLD;
}

/* As much of the text as fits, for this terminal: no control characters get through. */
static char *fitting(const char *text)
{
	char *clean = str_dup(text), *p;
	int columns = 0;

	for (p = clean; *p; p++) {
		/* the bytes of a character behind its first one take no column */
		columns += !utf8 || ((u8)*p & 0xc0) != 0x80;
		if (columns > COLS) {
			*p = 0;
			break;
		}
		if (*p == '\t')
			*p = ' ';
		else if ((u8)*p < ' ' || *p == 127 || (!utf8 && (u8)*p >= 128))
			*p = '?';
	}
	return clean;
}

/* A line of the screen, cut at its edge. */
void ui_line(int row, enum ui_style style, bool chosen, const char *text)
{
	char *clean = fitting(text);
	int x, y;

	if (row < LINES) {
		attrset(attribute(style) | (chosen ? A_REVERSE : 0));
		move(row, 0);
		clrtoeol();
		addstr(clean);
		getyx(stdscr, y, x);
		for (; y == row && x < COLS && (chosen || style == UI_BAR); x++)
			addch(' ');
		attrset(0);
	}
	free(clean);
}

/* Before what can be opened. */
const char *ui_mark(bool can_open, bool open)
{
	if (!can_open)
		return " ";
	if (utf8)
		return open ? "\u25be" : "\u25b8";
	return open ? "-" : "+";
}

/* Ask in the last line; NULL: nothing was said. The caller frees it. */
char *ui_ask(const char *question)
{
	char text[128] = "", *line;
	size_t n = 0;
	int key;

	for (;;) {
		line = str_printf("%s%s_", question, text);
		ui_line(ui_rows() - 1, UI_BAR, false, line);
		free(line);
		ui_show();
		key = ui_key(-1);
		if (key == UI_STOP || key == 27)
			return NULL;
		if (key == '\r' || key == '\n' || key == KEY_ENTER)
			return n ? str_dup(text) : NULL;
		if ((key == KEY_BACKSPACE || key == 127 || key == 8) && n)
			text[--n] = 0;
		else if (key >= ' ' && key < 256 && key != 127 && n + 1 < sizeof(text))
			text[n++] = (char)key, text[n] = 0;
	}
}
