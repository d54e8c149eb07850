// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of text: help, and what other commands print.
 *
 * Concepts: lines that can be scrolled and searched; any other key goes back.
 * The code of a function is what pcl annotate prints, run as a child.
 * Contexts: one thread.
 * Locks: none.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "ui/ui.h"

static void draw(const char *title, char *const *lines, int nr, int top)
{
	int i, rows = ui_rows() - 2;
	char *bar;

	ui_clear();
	ui_line(0, UI_BAR, false, title);
	for (i = 0; i < rows && top + i < nr; i++)
		ui_line(i + 1, UI_PLAIN, false, lines[top + i]);
	bar = str_printf(" line %d of %d   arrows scroll  / search  q back", nr ? top + 1 : 0, nr);
	ui_line(ui_rows() - 1, UI_BAR, false, bar);
	free(bar);
	ui_show();
}

static int find(char *const *lines, int nr, int from, const char *text)
{
	int i;

	for (i = 0; i < nr; i++)
		if (strcasestr(lines[(from + i) % nr], text))
			return (from + i) % nr;
	return -1;
}

/* Show lines until the user goes back. */
void ui_page(const char *title, char *const *lines, unsigned int nr_lines)
{
	int top = 0, nr = (int)nr_lines, key, page, found;
	char *text;

	for (;;) {
		page = ui_rows() - 2;
		top = top > nr - page ? nr - page : top;
		top = top < 0 ? 0 : top;
		draw(title, lines, nr, top);
		key = ui_key(-1);
		switch (key) {
		case KEY_DOWN:
		case 'j':
			top++;
			break;
		case KEY_UP:
		case 'k':
			top--;
			break;
		case KEY_NPAGE:
		case ' ':
			top += page;
			break;
		case KEY_PPAGE:
			top -= page;
			break;
		case KEY_HOME:
			top = 0;
			break;
		case KEY_END:
			top = nr;
			break;
		case '/':
			text = ui_ask("search: ");
			found = text && nr ? find(lines, nr, top + 1, text) : -1;
			top = found < 0 ? top : found;
			free(text);
			break;
		case KEY_RESIZE:
		case UI_TIMEOUT:
			break;
		default:
			return;
		}
	}
}

void ui_help(const char *const *lines, unsigned int nr)
{
	ui_page(" keys", (char *const *)lines, nr);
}

/* What pcl annotate prints of a function. -1: nothing. */
int ui_annotate(const char *input, const char *kallsyms, const char *symbol)
{
	char *argv[11] = { "/proc/self/exe", "annotate", "--stdio", "-i", (char *)input, "--symbol",
			   (char *)symbol };
	unsigned int nr_args = 7;
	char *line = NULL, **lines = NULL, *title;
	unsigned int nr = 0, i;
	struct program p;
	size_t room = 0;
	ssize_t n;

	/* as this command was asked for */
	if (symbol_cache_is_off())
		argv[nr_args++] = "--no-cache";
	if (kallsyms) {
		argv[nr_args++] = "--kallsyms";
		argv[nr_args++] = (char *)kallsyms;
	}
	if (!program_start(&p, argv, -1))
		return -1;
	while ((n = getline(&line, &room, p.out)) >= 0) {
		if (n && line[n - 1] == '\n')
			line[n - 1] = 0;
		lines = mem_resize(lines, nr + 1, sizeof(*lines));
		lines[nr++] = str_dup(line);
	}
	free(line);
	n = program_end(&p);
	title = str_printf(" %s", symbol);
	if (!n && nr)
		ui_page(title, lines, nr);
	free(title);
	for (i = 0; i < nr; i++)
		free(lines[i]);
	free(lines);
	return n || !nr ? -1 : 0;
}
