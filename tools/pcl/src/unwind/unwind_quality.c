// SPDX-License-Identifier: GPL-2.0
/*
 * What became of the samples: whole chains, and why others ended early.
 *
 * Concepts: each unwinder counts for itself; sums are made when they rest.
 * Contexts: the end of a recording, or of reading a file.
 * Locks: none.
 */
#include <stdlib.h>

#include "unwind/private.h"

/* Shares smaller than one in so many are not worth a line. */
enum { SHOWN_FROM = 1000 };

static const char *const end_texts[UNWIND_NR_ENDS] = {
	[UNWIND_WHOLE] = "whole",
	[UNWIND_NO_CFI] = "in code without call frame information",
	[UNWIND_NO_MAPPING] = "at an address where nothing is mapped",
	[UNWIND_LOADING] = "in the loading of a program, when the stack before it is gone",
	[UNWIND_STACK_SHORT] = "behind the part of the stack that was copied (a larger STACK shows more)",
	[UNWIND_OTHER_STACK] = "on a stack of which nothing was copied",
	[UNWIND_BAD_REGISTER] = "for want of a register",
	[UNWIND_NO_PROGRESS] = "where the call frame information leads nowhere",
	[UNWIND_TOO_DEEP] = "at the greatest depth that is kept",
};

/* Add what this unwinder counted; it must not be at work. */
void unwind_stats_add(struct unwind_stats *sum, const struct unwinder *u)
{
	const struct unwind_stats *s = &u->stats;
	unsigned int i;

	sum->whole += s->whole;
	sum->truncated += s->truncated;
	sum->failed += s->failed;
	sum->unknown += s->unknown;
	if (s->unknown) {
		sum->unknown_pid = s->unknown_pid;
		sum->unknown_ns = s->unknown_ns;
	}
	sum->kernel_only += s->kernel_only;
	sum->guessed += s->guessed;
	sum->frames += s->frames;
	for (i = 0; i < UNWIND_NR_ENDS; i++)
		sum->ends[i] += s->ends[i];
	if (s->nr_objects > sum->nr_objects)
		sum->at_object = mem_resize(sum->at_object, s->nr_objects, sizeof(u64));
	while (sum->nr_objects < s->nr_objects)
		sum->at_object[sum->nr_objects++] = 0;
	for (i = 0; i < s->nr_objects; i++)
		sum->at_object[i] += s->at_object[i];
}

void unwind_stats_free(struct unwind_stats *s)
{
	free(s->at_object);
	s->at_object = NULL;
	s->nr_objects = 0;
}

/* The objects at which most chains end early, up to three. */
static void print_objects(const struct unwind_stats *s, const struct tasks *t, u64 all, FILE *f)
{
	unsigned int i, best, shown, before = 0;
	u64 limit = ~0ull;

	for (shown = 0; shown < 3; shown++) {
		best = s->nr_objects;
		for (i = 0; i < s->nr_objects; i++) {
			u64 n = s->at_object[i];

			/* behind the one shown before, in the order of count and number */
			if (!n || n > limit || (n == limit && i <= before))
				continue;
			if (best == s->nr_objects || n > s->at_object[best])
				best = i;
		}
		if (best == s->nr_objects || s->at_object[best] * SHOWN_FROM < all)
			return;
		limit = s->at_object[best];
		before = best;
		say_to(f, "  ", "%.1f %% of stacks end early in %s: it has no call frame information there",
		       100.0 * (double)limit / (double)all, tasks_object(t, best)->name);
	}
}

/* What could not be unwound at all, and why. */
static void print_failed(const struct unwind_stats *s, FILE *f)
{
	if (s->unknown)
		say_to(f, "", "%llu stacks could not be unwound: what their process maps is not known (of process %d, at %.6f s)",
		       (unsigned long long)s->unknown, s->unknown_pid, (double)s->unknown_ns / 1e9);
	if (s->failed != s->unknown)
		say_to(f, "", "%llu stacks could not be unwound: they are not of a 64 bit program",
		       (unsigned long long)(s->failed - s->unknown));
}

/* A few lines on what became of the samples; one when all chains are whole. */
void unwind_stats_print(const struct unwind_stats *s, const struct tasks *t, FILE *f)
{
	u64 all = s->whole + s->truncated;
	unsigned int i;

	print_failed(s, f);
	if (!all)
		return;
	fprintf(f, "%.1f %% of %llu stacks are whole\n", 100.0 * (double)s->whole / (double)all,
		(unsigned long long)all);
	print_objects(s, t, all, f);
	for (i = 0; i < UNWIND_NR_ENDS; i++)
		if (s->ends[i] * SHOWN_FROM >= all && i != UNWIND_WHOLE && i != UNWIND_NO_CFI)
			say_to(f, "  ", "%.1f %% of stacks end early %s",
			       100.0 * (double)s->ends[i] / (double)all, end_texts[i]);
	if (s->guessed * SHOWN_FROM >= all)
		say_to(f, "  ", "%.1f %% of stacks go through code without call frame information, by its frame pointer: a guess",
		       100.0 * (double)s->guessed / (double)all);
}
