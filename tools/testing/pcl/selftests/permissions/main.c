// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: walks the table of Documentation/events/permissions.rst: each row is asked by each who, and the answer
 *	must be the cell's.
 *
 * Concepts: a test is a cell. Who asks is a child of the test, so that root can prepare, and look at the reason.
 *	Cells of kernels that are locked down, or have a security module, are walked where the module for that is.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "permissions.h"

static struct table table;
static bool pcl;

/* ---- the document and the test know the same ---- */

static void both_know_who_asks(long unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < table.nr_columns; i++) {
		if (!who_called(table.columns[i]))
			FAIL("the test knows no '%s'", table.columns[i]);
		if (!table_explains("who", table.columns[i]))
			FAIL("the document does not say who '%s' is", table.columns[i]);
	}
	CHECK_EQ(table.nr_columns, nr_who());
	CHECK_EQ(table.nr_columns, table_lines("who"));
}

static void both_know_what_is_asked(long unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < table.nr_rows; i++) {
		if (!ask_called(table.rows[i].name))
			FAIL("the test knows no '%s'", table.rows[i].name);
		if (!table_explains("row", table.rows[i].name))
			FAIL("the document does not say what '%s' is", table.rows[i].name);
	}
	CHECK_EQ(table.nr_rows, nr_asks);
	CHECK_EQ(table.nr_rows, table_lines("row"));
}

/* By its name a reason is one of permission, and not in the table. */
static void check_named(const char *name)
{
	size_t length = strlen(name);
	bool is_one = !strncmp(name, "PARANOID_", 9) || !strcmp(name, "PTRACE") || !strcmp(name, "SECURITY_MODULE") ||
		      !strcmp(name, "MMAP_MLOCK") || (length > 10 && !strcmp(name + length - 10, "_PRIVILEGE")) ||
		      (length > 9 && !strcmp(name + length - 9, "_LOCKDOWN"));
	unsigned int i;

	for (i = 0; i < table.nr_codes && is_one; i++)
		if (!strcmp(reason_name(table.codes[i].reason), name))
			return;
	if (is_one)
		FAIL("no cell is refused for %s", name);
}

static void each_reason_of_permission_has_a_cell(long unused)
{
	(void)unused;
#define CHECK_NAMED(name, error, field, text) check_named(#name);
	PCL_REASONS(CHECK_NAMED)
}

/* ---- a cell ---- */

static void ask_as(const struct who *who, const struct ask *ask, struct answer *answer)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		become(who);
		ask_make(ask, answer);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	if (status)
		FAIL("who should ask ended with status %#x", status);
}

static void check_answer(const struct code *cell, const struct answer *answer)
{
	if (answer->error != cell->error)
		FAIL("it is %s (%s), not as %s says", answer->error ? "refused" : "done",
		     answer->error ? strerror(answer->error) : "no error", cell->name);
	if (pcl && answer->reason != cell->reason)
		FAIL("the reason is %s, not %s", reason_name(answer->reason), reason_name(cell->reason));
}

static void cell(long which)
{
	const struct row *row = &table.rows[which / MOST_COLUMNS];
	const struct who *who = who_called(table.columns[which % MOST_COLUMNS]);
	const struct ask *ask = ask_called(row->name);
	struct answer *answer = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(answer != MAP_FAILED);
	ask_prepare(ask);
	watch_refusals();
	kernel_prepare(who);
	ask_as(who, ask, answer);
	kernel_restore();
	if (!answer->told)
		answer->reason = first_refusal().reason;
	check_answer(row->cells[which % MOST_COLUMNS], answer);
}

/* ---- all ---- */

static struct test tests[MOST_ROWS * MOST_COLUMNS + 3] = {
	TEST(both_know_who_asks),
	TEST(both_know_what_is_asked),
	TEST(each_reason_of_permission_has_a_cell),
};

static unsigned int nr_tests = 3;

static void add(unsigned int row, unsigned int column)
{
	char *name = NULL;

	if (asprintf(&name, "%s: %s %s", table.columns[column], table.rows[row].name, table.rows[row].cells[column]->name) < 0)
		exit(2);
	tests[nr_tests++] = (struct test){ name, cell, (long)row * MOST_COLUMNS + column };
}

/* A slow kernel walks some columns alone. */
static void add_cells(void)
{
	unsigned int row, column;

	for (column = 0; column < table.nr_columns; column++) {
		const struct who *who = who_called(table.columns[column]);

		if (!who || !who_can_be(who) || (getenv("PCL_SMALL") && !who->also_small))
			continue;
		for (row = 0; row < table.nr_rows; row++) {
			const struct ask *ask = ask_called(table.rows[row].name);

			if (ask && (pcl || !ask->pcl_only))
				add(row, column);
		}
	}
}

int main(void)
{
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	table_read(&table);
	whos_begin();
	asks_begin();
	pcl = is_pcl();
	add_cells();
	status = tests_run(tests, nr_tests);
	asks_end();
	return status;
}
