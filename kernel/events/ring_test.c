// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of ring.c: with the kernel's local_t, and with a writer that is really interrupted. Random input against
 * a naive model is in tools/testing/pcl/user.
 */
#include <kunit/test.h>
#include <linux/irq_work.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "ring.h"

#define SHIFT 8
#define PIECES 4
#define RECORD 48

struct ring_fixture {
	struct pcl_ring ring;
	struct perf_event_mmap_page *user;
	void *pieces[PIECES];
	struct irq_work interrupt;
	u64 head_seen;		/* data_head as the interrupter left it */
	bool interrupted;
};

static int ring_init(struct kunit *test)
{
	struct ring_fixture *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, fixture);
	fixture->user = kunit_kzalloc(test, sizeof(*fixture->user), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fixture->user);
	for (i = 0; i < PIECES; i++) {
		fixture->pieces[i] = kunit_kzalloc(test, 1 << SHIFT, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, fixture->pieces[i]);
	}
	fixture->ring.user = fixture->user;
	fixture->ring.pieces = fixture->pieces;
	fixture->ring.nr_pieces = PIECES;
	fixture->ring.piece_shift = SHIFT;
	fixture->ring.watermark = pcl_ring_size(&fixture->ring) / 2;
	test->priv = fixture;
	return 0;
}

static u8 ring_byte(struct ring_fixture *fixture, u64 position)
{
	u64 offset = position & (pcl_ring_size(&fixture->ring) - 1);

	return ((u8 *)fixture->pieces[offset >> SHIFT])[offset & ((1 << SHIFT) - 1)];
}

/* One record of @fill. Between the halves, @between. */
static bool ring_record(struct ring_fixture *fixture, u8 fill, bool backward, struct irq_work *between)
{
	struct perf_output_handle handle = { };
	unsigned long ticket;
	u8 data[RECORD];
	bool fits;

	memset(data, fill, sizeof(data));
	preempt_disable();
	ticket = pcl_ring_enter(&fixture->ring);
	fits = pcl_ring_reserve(&fixture->ring, &handle, RECORD, backward);
	if (fits) {
		pcl_ring_copy(&fixture->ring, &handle, data, RECORD / 2);
		if (between) {
			irq_work_queue(between);
			while (irq_work_is_busy(between))
				cpu_relax();
		}
		pcl_ring_copy(&fixture->ring, &handle, data, RECORD / 2);
	}
	pcl_ring_leave(&fixture->ring, ticket);
	preempt_enable();
	return fits;
}

static void ring_holds_what_was_written(struct kunit *test)
{
	struct ring_fixture *fixture = test->priv;
	u64 tail = 0;
	int i, j;

	for (i = 0; i < 1000; i++) {
		KUNIT_ASSERT_TRUE(test, ring_record(fixture, i, false, NULL));
		KUNIT_ASSERT_EQ(test, fixture->user->data_head, tail + RECORD);
		for (j = 0; j < RECORD; j++)
			KUNIT_ASSERT_EQ(test, ring_byte(fixture, tail + j), (u8)i);
		tail += RECORD;
		fixture->user->data_tail = tail;
	}
}

static void ring_keeps_what_is_unread(struct kunit *test)
{
	struct ring_fixture *fixture = test->priv;
	int i, room = (pcl_ring_size(&fixture->ring) - 1) / RECORD;

	for (i = 0; i < room; i++)
		KUNIT_EXPECT_TRUE(test, ring_record(fixture, i + 1, false, NULL));
	KUNIT_EXPECT_FALSE(test, ring_record(fixture, 0, false, NULL));
	KUNIT_EXPECT_EQ(test, ring_byte(fixture, 0), (u8)1);
	fixture->user->data_tail = RECORD;
	KUNIT_EXPECT_TRUE(test, ring_record(fixture, 99, false, NULL));
}

static void ring_backward_begins_with_the_newest(struct kunit *test)
{
	struct ring_fixture *fixture = test->priv;
	int i;

	fixture->ring.overwrite = true;
	for (i = 0; i < 100; i++) {
		KUNIT_ASSERT_TRUE(test, ring_record(fixture, i, true, NULL));
		KUNIT_ASSERT_EQ(test, ring_byte(fixture, fixture->user->data_head), (u8)i);
		KUNIT_ASSERT_EQ(test, ring_byte(fixture, fixture->user->data_head + RECORD), (u8)(i ? i - 1 : 0));
	}
}

static void ring_interrupt(struct irq_work *work)
{
	struct ring_fixture *fixture = container_of(work, struct ring_fixture, interrupt);

	ring_record(fixture, 0xbb, false, NULL);
	fixture->head_seen = fixture->user->data_head;
	fixture->interrupted = true;
}

/* The interrupter's record is whole before ours is: neither may be published until ours is, too. */
static void ring_outermost_publishes(struct kunit *test)
{
	struct ring_fixture *fixture = test->priv;
	u64 before;
	int i;

	init_irq_work(&fixture->interrupt, ring_interrupt);
	for (i = 0; i < 100; i++) {
		before = fixture->user->data_head;
		fixture->interrupted = false;
		KUNIT_ASSERT_TRUE(test, ring_record(fixture, 0xaa, false, &fixture->interrupt));
		KUNIT_ASSERT_TRUE(test, fixture->interrupted);
		KUNIT_ASSERT_EQ(test, fixture->head_seen, before);
		KUNIT_ASSERT_EQ(test, fixture->user->data_head, before + 2 * RECORD);
		KUNIT_ASSERT_EQ(test, ring_byte(fixture, before), (u8)0xaa);
		KUNIT_ASSERT_EQ(test, ring_byte(fixture, before + RECORD - 1), (u8)0xaa);
		KUNIT_ASSERT_EQ(test, ring_byte(fixture, before + RECORD), (u8)0xbb);
		KUNIT_ASSERT_EQ(test, ring_byte(fixture, before + 2 * RECORD - 1), (u8)0xbb);
		fixture->user->data_tail = fixture->user->data_head;
	}
	KUNIT_EXPECT_EQ(test, fixture->ring.nest, 0U);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(ring_holds_what_was_written),
	KUNIT_CASE(ring_keeps_what_is_unread),
	KUNIT_CASE(ring_backward_begins_with_the_newest),
	KUNIT_CASE(ring_outermost_publishes),
	{ }
};

static struct kunit_suite ring_suite = {
	.name = "pcl-ring",
	.init = ring_init,
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
