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

/* ---- who fits ---- */

#define COUNTERS 4
#define TURN	(PCL_GROUP_LEAD_NS / 4)

static unsigned int needs[GROUPS];	/* counters; more than COUNTERS never fit */
static bool runs[GROUPS], model_runs[GROUPS];
static u64 model_least, now;

static void model_charge(int i, u64 ns)
{
	u64 most = max(model_least + PCL_GROUP_LEAD_NS, model[i].ran);

	model[i].ran = min(model[i].ran + ns, most);
	model[i].ticket = ++tickets;
}

/* One slice as sched.c does it: nobody runs, who fits does. */
static void slice(struct pcl_group_queue *queue)
{
	unsigned int free = COUNTERS, running = 0;
	struct pcl_choice choice;
	struct pcl_group *group;

	memset(runs, 0, sizeof(runs));
	pcl_choice_begin(&choice, queue, now);
	pcl_group_for_each(group, queue) {
		unsigned int need = needs[group - groups];

		pcl_choice_meet(&choice, group);
		if (need <= free) {
			free -= need;
			running++;
			runs[group - groups] = true;
		} else if (!pcl_choice_miss(&choice, group, !running)) {
			break;
		}
	}
	pcl_choice_end(&choice);
}

/* The same on the array, which is searched again for each question. */
static void model_slice(void)
{
	unsigned int free = COUNTERS, running = 0, misses = 0, losers = 0, rank;
	int lost[GROUPS], i;

	memset(model_runs, 0, sizeof(model_runs));
	for (rank = 0; misses < PCL_GROUP_MISSES; rank++) {
		i = model_at(rank);
		if (i < 0)
			break;
		if (!rank)
			model_least = model[i].ran;
		if (needs[i] <= free) {
			free -= needs[i];
			running++;
			model_runs[i] = true;
			continue;
		}
		misses++;
		if (!running)
			lost[losers++] = i;
	}
	for (i = 0; i < (int)losers; i++)
		model_charge(lost[i], TURN);
}

/* The slice is over: whoever ran is charged, in an order that does not matter. */
static void slice_over(struct pcl_group_queue *queue)
{
	int i;

	now += TURN;
	for (i = 0; i < GROUPS; i++) {
		if (!runs[i])
			continue;
		model_charge(i, TURN);
		pcl_group_charge(queue, &groups[i], TURN);
	}
}

static void come_or_go(struct pcl_group_queue *queue, int i)
{
	int first = model_at(0);

	model[i].in = !model[i].in;
	if (!model[i].in) {
		pcl_group_dequeue(queue, &groups[i]);
		return;
	}
	needs[i] = 1 + random_below(2 * COUNTERS);
	if (first >= 0 && first != i) {
		model[i].ran = max(model[i].ran, model[first].ran);
		model[i].ran = min(model[i].ran, model[first].ran + PCL_GROUP_LEAD_NS);
	}
	model[i].ticket = ++tickets;
	pcl_group_enqueue(queue, &groups[i]);
}

/*
 * Whoever can fit runs within a number of slices that is known: each group of those before it can be first no more
 * often than there are turns in the lead. @calm: how many slices pass between changes.
 */
static void nobody_starves_for(unsigned int calm, unsigned int slices)
{
	const unsigned int bound = GROUPS * (PCL_GROUP_LEAD_NS / TURN + 2);
	unsigned int waited[GROUPS] = { 0 }, step;
	struct pcl_group_queue queue;
	int i;

	reset(&queue);
	model_least = 0;
	now = TURN;
	for (step = 0; step < slices; step++) {
		if (random_below(calm) == 0) {
			i = random_below(GROUPS);
			come_or_go(&queue, i);
			waited[i] = 0;
		}
		slice(&queue);
		model_slice();
		compare(&queue);
		for (i = 0; i < GROUPS; i++) {
			CHECK_EQ(runs[i], model_runs[i]);
			if (!model[i].in || runs[i] || needs[i] > COUNTERS)
				waited[i] = 0;
			else
				CHECK(++waited[i] <= bound);
		}
		slice_over(&queue);
	}
}

static void nobody_starves(void)
{
	nobody_starves_for(3, 3000);
	nobody_starves_for(100, 3000);
}

/* Two take turns, and one more always finds room beside them. Then many come that never fit. */
static void who_found_room_before_is_not_kept_waiting(void)
{
	struct pcl_group_queue queue;
	unsigned int step;
	int i;

	reset(&queue);
	model_least = 0;
	now = TURN;
	for (i = 0; i < 3; i++) {
		pcl_group_enqueue(&queue, &groups[i]);
		needs[i] = i < 2 ? COUNTERS - 1 : 1;
	}
	for (step = 0; step < 1000; step++) {
		slice(&queue);
		CHECK(runs[2]);
		slice_over(&queue);
	}
	for (i = 3; i < GROUPS; i++) {
		groups[i].ran = groups[0].ran;
		needs[i] = COUNTERS + 1;
		pcl_group_enqueue(&queue, &groups[i]);
	}
	for (i = 0; i < 2; i++)
		pcl_group_dequeue(&queue, &groups[i]);
	for (step = 0; !runs[2] || step == 0; step++) {
		CHECK(step <= GROUPS * (PCL_GROUP_LEAD_NS / TURN + 2));
		slice(&queue);
		slice_over(&queue);
	}
}

/* It ran for an hour, was off, and comes back among those who came meanwhile. */
static void who_ran_long_ago_is_not_kept_waiting(void)
{
	struct pcl_group_queue queue;

	reset(&queue);
	groups[0].ran = 3600 * 1000000000ULL;
	pcl_group_enqueue(&queue, &groups[0]);
	pcl_group_dequeue(&queue, &groups[0]);
	groups[1].ran = 5;
	pcl_group_enqueue(&queue, &groups[1]);
	CHECK_EQ(groups[1].ran, 5);
	pcl_group_enqueue(&queue, &groups[0]);
	CHECK_EQ(groups[0].ran, 5 + PCL_GROUP_LEAD_NS);
}

CASES(CASE(order_matches_the_model), CASE(all_run_equally_long), CASE(newcomer_claims_no_past),
      CASE(nobody_starves), CASE(who_found_room_before_is_not_kept_waiting),
      CASE(who_ran_long_ago_is_not_kept_waiting))
