// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the symbol chapter: spans against a naive model.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/debug.h"
#include "tap.h"

enum { PLACES = 300, ROUNDS = 400 };

/* Nested ranges, each inside of one before it; what the innermost one is at each place. */
static void test_spans_random(void)
{
	unsigned int round, bad = 0, i;
	u32 truth[PLACES], nr;

	srandom(1);
	for (round = 0; round < ROUNDS; round++) {
		struct range made[40];
		struct range_list l = { 0 };
		unsigned int n = 1 + (unsigned int)random() % 40;
		struct span *v;
		u64 p;

		for (p = 0; p < PLACES; p++)
			truth[p] = NO_NODE;
		for (i = 0; i < n; i++) {
			/* where only one range is until now, or none */
			u64 start = 1 + (u64)random() % (PLACES - 1), end = start;

			while (end < PLACES && truth[end] == truth[start] && random() % 30)
				end++;
			if (end == start)
				end++;
			made[i].depth = truth[start] == NO_NODE ? 0 : made[truth[start]].depth + 1;
			ranges_add(&l, start, end, i, made[i].depth);
			while (end-- > start)
				truth[end] = i;
		}
		v = ranges_flatten(&l, &nr);
		for (p = 1; p < PLACES; p++)
			bad += spans_find(v, nr, p) != truth[p];
		free(v);
	}
	tap_ok(!bad, "spans: the innermost of random ranges at each place");
}

int main(void)
{
	test_spans_random();
	return tap_end();
}
