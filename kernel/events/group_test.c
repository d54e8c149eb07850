// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of group.c in the kernel's own environment. Random input against a naive model is also in
 * tools/testing/pcl/user.
 */
#include <kunit/test.h>
#include <linux/random.h>

#include "internal.h"

#define NR 12

static struct pcl_group *group_first(struct pcl_group_queue *queue)
{
	return list_first_entry_or_null(&queue->head, struct pcl_group, entry);
}

static void group_first_come_first_served(struct kunit *test)
{
	struct pcl_group groups[NR] = { }, *group;
	struct pcl_group_queue queue;
	int i;

	pcl_group_queue_init(&queue);
	for (i = 0; i < NR; i++)
		pcl_group_enqueue(&queue, &groups[i]);
	KUNIT_EXPECT_EQ(test, queue.nr, (unsigned int)NR);
	i = 0;
	pcl_group_for_each(group, &queue)
		KUNIT_EXPECT_PTR_EQ(test, group, &groups[i++]);
	for (i = 0; i < NR; i++)
		pcl_group_dequeue(&queue, &groups[i]);
	KUNIT_EXPECT_EQ(test, queue.nr, 0U);
	KUNIT_EXPECT_TRUE(test, list_empty(&queue.head));
}

static void group_newcomer_claims_no_past(struct kunit *test)
{
	struct pcl_group groups[3] = { };
	struct pcl_group_queue queue;

	pcl_group_queue_init(&queue);
	pcl_group_enqueue(&queue, &groups[0]);
	pcl_group_charge(&queue, &groups[0], 1000);
	pcl_group_enqueue(&queue, &groups[1]);
	KUNIT_EXPECT_EQ(test, groups[1].ran, 1000ULL);
	pcl_group_charge(&queue, &groups[1], 1);

	/* behind its equals */
	pcl_group_enqueue(&queue, &groups[2]);
	KUNIT_EXPECT_PTR_EQ(test, group_first(&queue), &groups[0]);

	/* leaving and coming back sheds nothing */
	pcl_group_dequeue(&queue, &groups[1]);
	pcl_group_enqueue(&queue, &groups[1]);
	KUNIT_EXPECT_EQ(test, groups[1].ran, 1001ULL);
}

/* Every other group waits apart for a while. Without a charge meanwhile, all stand as before. */
static void group_returns_to_its_place(struct kunit *test)
{
	struct pcl_group groups[NR] = { }, *group, *next;
	struct pcl_group_queue queue;
	struct pcl_return back;
	LIST_HEAD(apart);
	int i;

	pcl_group_queue_init(&queue);
	for (i = 0; i < NR; i++)
		pcl_group_enqueue(&queue, &groups[i]);
	for (i = 0; i < NR; i += 2) {
		pcl_group_dequeue(&queue, &groups[i]);
		list_add_tail(&groups[i].entry, &apart);
	}
	pcl_return_begin(&back, &queue);
	list_for_each_entry_safe(group, next, &apart, entry) {
		list_del(&group->entry);
		pcl_return_group(&back, group);
	}
	KUNIT_EXPECT_EQ(test, queue.nr, (unsigned int)NR);
	i = 0;
	pcl_group_for_each(group, &queue)
		KUNIT_EXPECT_PTR_EQ(test, group, &groups[i++]);

	/* Out of order. With what ran meanwhile they are equal, but they came earlier. */
	pcl_group_dequeue(&queue, &groups[0]);
	pcl_group_dequeue(&queue, &groups[1]);
	for (i = 2; i < NR; i++) {
		queue.least = groups[i].ran + 2 * PCL_GROUP_LEAD_NS;
		pcl_group_charge(&queue, &groups[i], 3 * PCL_GROUP_LEAD_NS);
	}
	pcl_return_begin(&back, &queue);
	pcl_return_group(&back, &groups[1]);
	pcl_return_group(&back, &groups[0]);
	KUNIT_EXPECT_EQ(test, groups[0].ran, 3 * PCL_GROUP_LEAD_NS);
	KUNIT_EXPECT_PTR_EQ(test, group_first(&queue), &groups[0]);
	KUNIT_EXPECT_PTR_EQ(test, list_next_entry(&groups[0], entry), &groups[1]);

	/* Who ran much longer does not wait for ever. */
	pcl_group_dequeue(&queue, &groups[0]);
	groups[0].ran = 9 * PCL_GROUP_LEAD_NS;
	pcl_return_begin(&back, &queue);
	pcl_return_group(&back, &groups[0]);
	KUNIT_EXPECT_EQ(test, groups[0].ran, 4 * PCL_GROUP_LEAD_NS);
}

/* What each had run among others, on the CPU where they were opened, is not for ever between them. */
static void group_returns_to_an_empty_queue(struct kunit *test)
{
	struct pcl_group old = { .ran = 100 * PCL_GROUP_LEAD_NS, .seq = 1 }, young = { .ran = 5, .seq = 2 };
	struct pcl_group_queue queue;
	struct pcl_return back;

	pcl_group_queue_init(&queue);
	pcl_return_begin(&back, &queue);
	pcl_return_expect(&back, &old);
	pcl_return_expect(&back, &young);
	pcl_return_group(&back, &old);
	pcl_return_group(&back, &young);
	KUNIT_EXPECT_EQ(test, young.ran, 5ULL);
	KUNIT_EXPECT_EQ(test, old.ran, 5 + PCL_GROUP_LEAD_NS);
	KUNIT_EXPECT_PTR_EQ(test, group_first(&queue), &young);
	KUNIT_EXPECT_EQ(test, queue.nr, 2U);
}

/* The queue stays sorted by (ran, ticket), whatever is done to it. */
static void group_stays_sorted(struct kunit *test)
{
	struct pcl_group groups[NR] = { }, *group, *before;
	struct pcl_group_queue queue;
	bool in[NR] = { };
	int step, i;

	pcl_group_queue_init(&queue);
	for (step = 0; step < 5000; step++) {
		i = prandom_u32_max(NR);
		if (!in[i])
			pcl_group_enqueue(&queue, &groups[i]);
		else if (prandom_u32_max(4))
			pcl_group_charge(&queue, &groups[i], prandom_u32_max(5));
		else
			pcl_group_dequeue(&queue, &groups[i]);
		in[i] = !list_empty(&groups[i].entry) && groups[i].entry.next;

		before = NULL;
		pcl_group_for_each(group, &queue) {
			if (before)
				KUNIT_ASSERT_TRUE(test, before->ran < group->ran ||
						  (before->ran == group->ran && before->seq < group->seq));
			before = group;
		}
	}
}

/* The case: eight groups, room for four, whatever the order of creation. */
static void group_eight_share_four(struct kunit *test)
{
	struct pcl_group groups[8] = { }, *run[4], *group;
	struct pcl_group_queue queue;
	u64 ran[8] = { };
	int slice, i;

	pcl_group_queue_init(&queue);
	for (i = 0; i < 8; i++)
		pcl_group_enqueue(&queue, &groups[(i * 5 + 3) % 8]);
	for (slice = 0; slice < 100; slice++) {
		i = 0;
		pcl_group_for_each(group, &queue) {
			if (i == 4)
				break;
			run[i++] = group;
		}
		for (i = 0; i < 4; i++) {
			ran[run[i] - groups] += 4;
			pcl_group_charge(&queue, run[i], 4);
		}
	}
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ(test, ran[i], 200ULL);
}

static struct kunit_case group_cases[] = {
	KUNIT_CASE(group_first_come_first_served),
	KUNIT_CASE(group_newcomer_claims_no_past),
	KUNIT_CASE(group_returns_to_its_place),
	KUNIT_CASE(group_returns_to_an_empty_queue),
	KUNIT_CASE(group_stays_sorted),
	KUNIT_CASE(group_eight_share_four),
	{ }
};

static struct kunit_suite group_suite = {
	.name = "pcl-group",
	.test_cases = group_cases,
};

kunit_test_suite(group_suite);
