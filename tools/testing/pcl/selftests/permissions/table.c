// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the table of Documentation/events/permissions.rst, as the document has it.
 *
 * Concepts: the document is built into the program, so there is one table and no copy of it. Its tables are the simple
 *	ones of reStructuredText: a line of ='s, the headings, a line of ='s, rows, a line of ='s.
 * Contexts: one thread, before any test.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "permissions.h"

__asm__(".section .rodata\n"
	"document_begin:\n"
	".incbin \"../../../../Documentation/events/permissions.rst\"\n"
	".byte 0\n"
	".previous\n");
extern const char document_begin[];

#define REASON_ROW(name, error, field, text) { #name, PCL_REASON_##name },
static const struct { const char *name; unsigned int reason; } reasons[] = {
	PCL_REASONS(REASON_ROW)
};
#define NR_REASONS (sizeof(reasons) / sizeof(reasons[0]))

static const struct { const char *name; int error; } errors[] = {
	{ "0", 0 }, { "EACCES", EACCES }, { "EPERM", EPERM }, { "EINVAL", EINVAL }, { "EOVERFLOW", EOVERFLOW },
	{ "EOPNOTSUPP", EOPNOTSUPP }, { "EKEYREJECTED", EKEYREJECTED },
};
#define NR_ERRORS (sizeof(errors) / sizeof(errors[0]))

__attribute__((noreturn, format(printf, 1, 2)))
static void wrong(const char *format, ...)
{
	va_list arguments;

	printf("Bail out! permissions.rst: ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	exit(2);
}

/* ---- lines and words ---- */

static const char *next_line(const char *at)
{
	at = strchr(at, '\n');
	return at ? at + 1 : NULL;
}

/* The next word of the line, NULL at its end. */
static const char *next_word(const char **at, char word[NAME_SIZE])
{
	size_t length;

	*at += strspn(*at, " ");
	length = strcspn(*at, " \n");
	if (!length)
		return NULL;
	snprintf(word, NAME_SIZE, "%.*s", (int)length, *at);
	*at += length;
	return word;
}

/* The line of headings of the table whose first heading is this. */
static const char *find_table(const char *heading)
{
	size_t length = strlen(heading);
	const char *line, *next;

	for (line = document_begin; line; line = next) {
		next = next_line(line);
		if (line[0] == '=' && next && !strncmp(next, heading, length) && next[length] == ' ')
			return next;
	}
	wrong("no table begins with the heading '%s'", heading);
}

/* The first row below headings; then the one behind. NULL: there is no other. */
static const char *row_behind(const char *line)
{
	line = next_line(line);
	if (line && line[0] == '=')
		line = NULL;
	return line;
}

static const char *first_row(const char *heading)
{
	return row_behind(next_line(find_table(heading)));
}

bool table_explains(const char *heading, const char *name)
{
	const char *line, *at;
	char word[NAME_SIZE];

	for (line = first_row(heading); line; line = row_behind(line)) {
		at = line;
		if (next_word(&at, word) && !strcmp(word, name))
			return true;
	}
	return false;
}

unsigned int table_lines(const char *heading)
{
	unsigned int nr = 0;
	const char *line;

	for (line = first_row(heading); line; line = row_behind(line))
		nr++;
	return nr;
}

/* ---- the codes ---- */

const char *reason_name(unsigned int reason)
{
	unsigned int i;

	for (i = 0; i < NR_REASONS; i++)
		if (reasons[i].reason == reason)
			return reasons[i].name;
	return reason == PCL_REASON_NONE ? "none" : "unknown";
}

static unsigned int reason_called(const char *name)
{
	unsigned int i;

	if (!strcmp(name, "-"))
		return PCL_REASON_NONE;
	for (i = 0; i < NR_REASONS; i++)
		if (!strcmp(reasons[i].name, name))
			return reasons[i].reason;
	wrong("no reason is called '%s'", name);
}

static int error_called(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_ERRORS; i++)
		if (!strcmp(errors[i].name, name))
			return errors[i].error;
	wrong("the test knows no errno '%s'", name);
}

static void read_codes(struct table *table)
{
	char error[NAME_SIZE], reason[NAME_SIZE];
	const char *line, *at;

	for (line = first_row("code"); line; line = row_behind(line)) {
		struct code *code = &table->codes[table->nr_codes++];

		if (table->nr_codes > MOST_CODES)
			wrong("more than %d codes", MOST_CODES);
		at = line;
		if (!next_word(&at, code->name) || !next_word(&at, error) || !next_word(&at, reason))
			wrong("code %u is not complete", table->nr_codes);
		code->error = error_called(error);
		code->reason = reason_called(reason);
	}
}

static const struct code *code_called(const struct table *table, const char *name)
{
	unsigned int i;

	for (i = 0; i < table->nr_codes; i++)
		if (!strcmp(table->codes[i].name, name))
			return &table->codes[i];
	wrong("no code is called '%s'", name);
}

/* ---- the table ---- */

static void read_row(struct table *table, const char *at)
{
	struct row *row = &table->rows[table->nr_rows++];
	char word[NAME_SIZE];
	unsigned int i = 0;

	if (table->nr_rows > MOST_ROWS)
		wrong("more than %d rows", MOST_ROWS);
	if (!next_word(&at, row->name))
		wrong("row %u is empty", table->nr_rows);
	while (next_word(&at, word)) {
		if (i == table->nr_columns)
			wrong("row '%s' has more than %u cells", row->name, i);
		row->cells[i++] = code_called(table, word);
	}
	if (i != table->nr_columns)
		wrong("row '%s' has %u cells, not %u", row->name, i, table->nr_columns);
}

static bool is_used(const struct table *table, const struct code *code)
{
	unsigned int i, k;

	for (i = 0; i < table->nr_rows; i++)
		for (k = 0; k < table->nr_columns; k++)
			if (table->rows[i].cells[k] == code)
				return true;
	return false;
}

void table_read(struct table *table)
{
	const char *line, *at = find_table("what");
	char word[NAME_SIZE];
	unsigned int i;

	read_codes(table);
	next_word(&at, word);
	while (table->nr_columns < MOST_COLUMNS && next_word(&at, table->columns[table->nr_columns]))
		table->nr_columns++;
	for (line = first_row("what"); line; line = row_behind(line))
		read_row(table, line);
	for (i = 0; i < table->nr_codes; i++)
		if (!is_used(table, &table->codes[i]))
			wrong("no cell has the code '%s'", table->codes[i].name);
}
