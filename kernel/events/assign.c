// SPDX-License-Identifier: GPL-2.0
/*
 * Give each event a counter of its own, whenever that is possible at all.
 *
 * Concepts: events and counters are the two sides of a bipartite graph, "may count" its edges; wanted is a matching
 * that covers every event. First each event takes back the counter it had, as far as nobody else took it. Then each
 * event left over looks for an augmenting path: a free counter, or a counter whose event can move to another, and
 * so on. The search goes by breadth, so that the fewest events move: each move costs register writes. By Berge's
 * theorem an event without an augmenting path cannot be added to what is assigned by any other arrangement, so "no"
 * is final too. This holds for every set of masks, overlapping ones (AMD family 15h) included; nothing depends on
 * the order of events. Pairs of adjacent counters are not masks and are not handled here.
 *
 * Contexts: IRQs off, when groups are put on; task context, when a group is validated at open. No allocation; its
 * arrays take 200 bytes of stack. Also built in user space and held against an exhaustive matcher.
 *
 * Locks: none; the caller owns the array.
 */
#include <linux/pcl_assign.h>

#include <linux/bitops.h>

/* The matching while it grows. */
struct board {
	u8 owner[PCL_ASSIGN_MOST];	/* counter -> event */
	u64 taken;			/* counters that have an owner */
};

/* Hands @counter to @event. Its previous counter, if any, is given on by the caller. */
static void board_set(struct board *board, struct pcl_want *wants, unsigned int event, unsigned int counter)
{
	board->owner[counter] = event;
	board->taken |= BIT_ULL(counter);
	wants[event].got = counter;
}

/* Follows the trail from a free counter back to @start; everyone on it moves up one place. */
static void shift_along(struct board *board, struct pcl_want *wants, const u8 *reached_by, unsigned int start,
			int counter)
{
	unsigned int event;
	int left;

	do {
		event = reached_by[counter];
		left = wants[event].got;
		board_set(board, wants, event, counter);
		counter = left;
	} while (event != start);
}

/* Finds room for @start, moving others if it must. */
static bool augment(struct board *board, struct pcl_want *wants, unsigned int start, u64 favoured)
{
	u8 reached_by[PCL_ASSIGN_MOST], queue[PCL_ASSIGN_MOST];
	unsigned int head = 0, tail = 0, counter;
	u64 seen = 0, open, free;

	queue[tail++] = start;
	while (head < tail) {
		unsigned int event = queue[head++];

		open = wants[event].counters & ~seen;
		seen |= open;
		free = open & ~board->taken;
		if (free) {
			counter = __ffs64(free & favoured ? free & favoured : free);
			reached_by[counter] = event;
			shift_along(board, wants, reached_by, start, counter);
			return true;
		}
		for (; open; open &= open - 1) {
			counter = __ffs64(open);
			reached_by[counter] = event;
			queue[tail++] = board->owner[counter];
		}
	}
	return false;
}

/**
 * pcl_assign - give each event a counter
 * @wants: the events; @got is valid in all of them after success, in none after failure
 * @nr: how many
 * @favoured: counters to use first where there is a choice (fixed ones, which serve few events)
 *
 * Returns false if there is no assignment.
 */
bool pcl_assign(struct pcl_want *wants, unsigned int nr, u64 favoured)
{
	struct board board = { .taken = 0 };
	unsigned int i;

	if (nr > PCL_ASSIGN_MOST)
		return false;

	for (i = 0; i < nr; i++) {
		u64 had = wants[i].had < 0 ? 0 : BIT_ULL(wants[i].had);

		wants[i].got = -1;
		if (had & wants[i].counters & ~board.taken)
			board_set(&board, wants, i, wants[i].had);
	}
	for (i = 0; i < nr; i++) {
		if (wants[i].got < 0 && !augment(&board, wants, i, favoured))
			return false;
	}
	return true;
}
