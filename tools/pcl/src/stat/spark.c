// SPDX-License-Identifier: GPL-2.0
/*
 * A small curve in one line of text: the course of a count over the intervals.
 *
 * Concepts: a character for each value, its height from 0 to the largest;
 * eighths of a block where the terminal shows them, else ASCII. More values
 * than characters are averaged. A value that is not known is a blank.
 * Contexts: stat -I on a terminal.
 * Locks: none.
 */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const letters[] = { "_", ".", ":", "-", "=", "+", "*", "#" };

/* The mean of the known values in [from, to); NAN: there are none. */
static double mean_of(const double *v, unsigned int from, unsigned int to)
{
	struct tally t = { 0 };

	for (; from < to; from++)
		if (!isnan(v[from]))
			tally_add(&t, v[from]);
	return t.nr ? t.mean : NAN;
}

/* At most cells characters, into a buffer of 3 * cells + 1 bytes. */
void spark_text(char *buf, const double *v, unsigned int nr, unsigned int cells, bool utf8)
{
	double cell[SPARK_CELLS], most = 0;
	unsigned int i;

	if (cells > SPARK_CELLS)
		cells = SPARK_CELLS;
	if (cells > nr)
		cells = nr;
	for (i = 0; i < cells; i++) {
		cell[i] = mean_of(v, (unsigned int)((u64)i * nr / cells),
				  (unsigned int)((u64)(i + 1) * nr / cells));
		if (cell[i] > most)
			most = cell[i];
	}
	*buf = '\0';
	for (i = 0; i < cells; i++) {
		double height = most > 0 ? cell[i] / most : 0;

		if (isnan(cell[i]))
			buf = stpcpy(buf, " ");
		else
			buf = stpcpy(buf, (utf8 ? blocks : letters)[height > 0 ?
				     (int)fmin(7, ceil(height * 8) - 1) : 0]);
	}
}
