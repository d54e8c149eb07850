// SPDX-License-Identifier: GPL-2.0
/*
 * Tests kernel/events/group.c against a naive model: an array of {ran, ticket} that is searched from end to end for the
 * least at each question. Then the property that matters: with fewer counters than groups all run equally long.
 */
#include "internal.h"
#include "harness.h"

#define GROUPS 24

static struct pcl_group groups[GROUPS];
static struct { bool in; u64 ran, ticket; } model[GROUPS];
static u64 tickets;

static void reset(struct pcl_group_queue *queue)
{
	memset(groups, 0, sizeof(groups));
	memset(model, 0, sizeof(model));
	tickets = 0;
	pcl_group_queue_init(queue);
}

/* Index of the one that stands at @rank in the model, by selection. */
static int model_at(unsigned int rank)
{
	bool taken[GROUPS] = { false };
	int i, best = -1;

	do {
		best = -1;
		for (i = 0; i < GROUPS; i++) {
			if (!model[i].in || taken[i])
				continue;
			if (best < 0 || model[i].ran < model[best].ran ||
			    (model[i].ran == model[best].ran && model[i].ticket < model[best].ticket))
				best = i;
		}
		if (best >= 0)
			taken[best] = true;
	} while (rank-- && best >= 0);
	return best;
}

static void compare(struct pcl_group_queue *queue)
{
	struct pcl_group *group;
	unsigned int rank = 0;

	pcl_group_for_each(group, queue) {
		int want = model_at(rank++);

		CHECK(want >= 0);
		CHECK_EQ(group - groups, want);
		CHECK_EQ(group->ran, model[want].ran);
	}
	CHECK_EQ(queue->nr, rank);
	CHECK_EQ(model_at(rank), -1);
}

static void order_matches_the_model(void)
{
	struct pcl_group_queue queue;
	u64 step, ns;
	int i, first;

	reset(&queue);
	for (step = 0; step < 3000; step++) {
		i = random_below(GROUPS);
		if (!model[i].in) {
			first = model_at(0);
			if (first >= 0 && model[i].ran < model[first].ran)
				model[i].ran = model[first].ran;
			model[i].in = true;
			model[i].ticket = ++tickets;
			pcl_group_enqueue(&queue, &groups[i]);
		} else if (random_below(4) == 0) {
			model[i].in = false;
			pcl_group_dequeue(&queue, &groups[i]);
		} else {
			ns = random_below(8);
			model[i].ran += ns;
			model[i].ticket = ++tickets;
			pcl_group_charge(&queue, &groups[i], ns);
		}
		compare(&queue);
	}
}

/* @counters of @nr groups run in each slice; over many slices nobody is ahead by more than two slices. */
static void share(unsigned int nr, unsigned int counters, const unsigned int *order)
{
	struct pcl_group_queue queue;
	u64 ran[GROUPS] = { 0 }, least = ~0ULL, most = 0;
	struct pcl_group *group, *run[GROUPS];
	unsigned int i, slice;

	reset(&queue);
	for (i = 0; i < nr; i++)
		pcl_group_enqueue(&queue, &groups[order[i]]);
	for (slice = 0; slice < 500; slice++) {
		i = 0;
		pcl_group_for_each(group, &queue) {
			if (i == counters)
				break;
			run[i++] = group;
		}
		while (i--) {
			ran[run[i] - groups] += 4;
			pcl_group_charge(&queue, run[i], 4);
		}
	}
	for (i = 0; i < nr; i++) {
		least = min(least, ran[order[i]]);
		most = max(most, ran[order[i]]);
	}
	CHECK(most - least <= 4);
}

static void all_run_equally_long(void)
{
	unsigned int round, i, j, order[GROUPS], nr, counters;

	for (round = 0; round < 200; round++) {
		for (i = 0; i < GROUPS; i++)
			order[i] = i;
		for (i = GROUPS - 1; i > 0; i--) {
			j = random_below(i + 1);
			swap(order[i], order[j]);
		}
		nr = 1 + random_below(GROUPS);
		counters = 1 + random_below(nr);
		share(nr, counters, order);
	}
}

static void newcomer_claims_no_past(void)
{
	struct pcl_group_queue queue;

	reset(&queue);
	pcl_group_enqueue(&queue, &groups[0]);
	pcl_group_enqueue(&queue, &groups[1]);
	pcl_group_charge(&queue, &groups[0], 1000);
	pcl_group_charge(&queue, &groups[1], 1200);
	pcl_group_enqueue(&queue, &groups[2]);
	CHECK_EQ(groups[2].ran, 1000);
	CHECK_EQ(list_first_entry(&queue.head, struct pcl_group, entry) - groups, 0);

	/* leaving and returning sheds nothing */
	pcl_group_dequeue(&queue, &groups[1]);
	pcl_group_enqueue(&queue, &groups[1]);
	CHECK_EQ(groups[1].ran, 1200);
}

CASES(CASE(order_matches_the_model), CASE(all_run_equally_long), CASE(newcomer_claims_no_past))
