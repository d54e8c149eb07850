// SPDX-License-Identifier: GPL-2.0
/*
 * The list as text and as JSON.
 *
 * Concepts: a section for each kind, a line for each event: whether it is
 * usable, its name, what it counts. On a terminal, lines are wrapped to its
 * width; elsewhere an event is one line. Refusals that have one reason share a
 * note at the end.
 * Contexts: list, one thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "list/list.h"

enum { MARK_WIDTH = 9, NAME_WIDTH = 28, WHAT_COLUMN = 2 + MARK_WIDTH + NAME_WIDTH };

static const char *const usable_words[] = {
	[USABLE] = "yes", [USABLE_USER] = "user", [NOT_USABLE] = "no",
};

void list_begin(struct list_printer *p)
{
	p->j.f = stdout;
	if (!p->as_json)
		return;
	json_begin(&p->j, NULL, '{');
	json_string(&p->j, "schema", "pcl-list-1");
	json_begin(&p->j, "events", '[');
}

static void print_title(struct list_printer *p, const char *kind)
{
	if (p->kind != kind)
		printf("%s%s events:\n", p->kind ? "\n" : "", kind);
	p->kind = kind;
}

/* What it counts, its other name, and the code that it stands for on this processor. */
static char *full_text(const struct list_row *row)
{
	return str_printf("%s%s%s%s%s%s%s", row->what ? row->what : "",
			  row->alias ? " (also " : "", row->alias ? row->alias : "",
			  row->alias ? ")" : "", row->code ? " [" : "", row->code ? row->code : "",
			  row->code ? "]" : "");
}

/* The cursor is at column at, behind the name. */
static void print_what(const char *text, unsigned int at)
{
	unsigned int width = term_width(stdout);

	if (at + 1 < WHAT_COLUMN) {
		printf("%*s", (int)(WHAT_COLUMN - at), "");
		at = WHAT_COLUMN;
	} else if (width) {
		/* a long name has the line to itself */
		printf("\n%*s", WHAT_COLUMN, "");
		at = WHAT_COLUMN;
	} else {
		printf("  ");
		at = WHAT_COLUMN;
	}
	words_print(text, at, WHAT_COLUMN, width);
}

static void print_text(struct list_printer *p, const struct list_row *row, enum usable u,
		       const char *reason)
{
	char mark[32], *what = full_text(row);
	unsigned int at;

	print_title(p, row->kind);
	if (u == NOT_USABLE)
		snprintf(mark, sizeof(mark), "no [%u]", str_set_add(&p->reasons, reason) + 1);
	else
		snprintf(mark, sizeof(mark), "%s", usable_words[u]);
	at = (unsigned int)printf("  %-*s%s", MARK_WIDTH, mark, row->name);
	if (*what)
		print_what(what, at);
	putchar('\n');
	free(what);
}

static void print_json(struct list_printer *p, const struct list_row *row, enum usable u,
		       const char *reason)
{
	json_begin(&p->j, NULL, '{');
	json_string(&p->j, "event", row->name);
	json_string(&p->j, "kind", row->kind);
	json_string(&p->j, "alias", row->alias);
	json_string(&p->j, "definition", row->what);
	json_string(&p->j, "code", row->code);
	json_string(&p->j, "usable", usable_words[u]);
	json_string(&p->j, "reason", reason);
	json_end(&p->j, '}');
}

void list_print_row(struct list_printer *p, const struct list_row *row, enum usable u, const char *reason)
{
	if (p->as_json)
		print_json(p, row, u, reason);
	else
		print_text(p, row, u, reason);
	p->printed++;
}

/* A line of explanation in the section of a kind. */
void list_print_note(struct list_printer *p, const char *kind, const char *note)
{
	if (p->as_json)
		return;
	print_title(p, kind);
	printf("%*s", 2 + MARK_WIDTH, "");
	words_print(note, 2 + MARK_WIDTH, 2 + MARK_WIDTH, term_width(stdout));
	putchar('\n');
}

void list_end(struct list_printer *p)
{
	unsigned int i, at;

	if (p->as_json) {
		json_end(&p->j, ']');
		json_end(&p->j, '}');
	}
	for (i = 0; i < p->reasons.nr; i++) {
		at = (unsigned int)printf("%s[%u] ", i ? "" : "\n", i + 1) - !i;
		words_print(p->reasons.v[i], at, at, term_width(stdout));
		putchar('\n');
	}
	str_set_free(&p->reasons);
}
