// SPDX-License-Identifier: GPL-2.0
/*
 * Tests kernel/events/ring.c. The naive model is a list of the records written; the reader follows the rules that the
 * ABI gives to user space, and must find exactly these records, in order and whole, after every publication.
 *
 * Interruptions are exact: pcl_shim_interrupt runs at each access to the ring's counts, and writes a record of its own
 * at a random one of them, up to three levels deep, as an interrupt and an NMI would.
 */
#include "ring.h"
#include "harness.h"

#define PIECE_SHIFT 6
#define MAX_PIECES 8
#define GUARD 0xa5

/* A record of the tests: its length in bytes, its number, and a filling that follows from both. */
struct head {
	u32 size;
	u32 number;
};

static struct perf_event_mmap_page page;
static u8 memory[MAX_PIECES][3 << PIECE_SHIFT];	/* each piece between two guards */
static void *pieces[MAX_PIECES];
static struct pcl_ring ring;

static struct { u32 size, number; } written[4096];	/* model: what the ring holds, oldest first */
static unsigned int nr_written, nr_read;
static u32 numbers;
static int depth;
static u64 lost, wakeups;
static bool backward;

static void make_ring(unsigned int nr_pieces, bool overwrite)
{
	unsigned int i;

	memset(&page, 0, sizeof(page));
	memset(memory, GUARD, sizeof(memory));
	for (i = 0; i < MAX_PIECES; i++)
		pieces[i] = memory[i] + (1 << PIECE_SHIFT);
	ring = (struct pcl_ring){ .user = &page, .pieces = pieces, .nr_pieces = nr_pieces,
				  .piece_shift = PIECE_SHIFT, .overwrite = overwrite };
	ring.watermark = pcl_ring_size(&ring) / 2;
	nr_written = 0;
	nr_read = 0;
	numbers = 0;
	depth = 0;
	lost = 0;
	wakeups = 0;
	backward = false;
}

static void check_guards(void)
{
	static u8 guard[1 << PIECE_SHIFT];
	unsigned int i;

	memset(guard, GUARD, sizeof(guard));
	for (i = 0; i < MAX_PIECES; i++) {
		CHECK(!memcmp(memory[i], guard, sizeof(guard)));
		CHECK(!memcmp(memory[i] + (2 << PIECE_SHIFT), guard, sizeof(guard)));
		if (i >= ring.nr_pieces)
			CHECK(!memcmp(pieces[i], guard, sizeof(guard)));
	}
}

static u8 filling(u32 number, u32 at)
{
	return number * 31 + at;
}

static u8 byte_at(u64 position)
{
	u64 offset = position & (pcl_ring_size(&ring) - 1);

	return ((u8 *)pieces[offset >> PIECE_SHIFT])[offset & ((1 << PIECE_SHIFT) - 1)];
}

/* What a record at @position must be. */
static void check_record(u64 position, u32 size, u32 number)
{
	struct head head;
	u32 i;

	for (i = 0; i < sizeof(head); i++)
		((u8 *)&head)[i] = byte_at(position + i);
	CHECK_EQ(head.size, size);
	CHECK_EQ(head.number, number);
	for (; i < size; i++)
		CHECK_EQ(byte_at(position + i), filling(number, i));
}

/* One record of @size, in parts of random length, some of which are written in place. Returns false if the ring had no room. */
static bool write_record(u32 size)
{
	struct perf_output_handle handle;
	struct head head = { .size = size };
	unsigned long ticket = pcl_ring_enter(&ring);
	u32 done = sizeof(head), part, i;
	bool fits = pcl_ring_reserve(&ring, &handle, size, backward);
	u8 body[256], *place;

	if (fits) {
		/* An interrupter that came before the reservation wrote before us, one that came after, after us. */
		head.number = numbers++;
		pcl_ring_copy(&ring, &handle, &head, sizeof(head));
		for (i = 0; i < size; i++)
			body[i] = filling(head.number, i);
		while (done < size) {
			pcl_shim_step();
			part = 1 + random_below(size - done);
			place = random_below(2) ? pcl_ring_claim(&ring, &handle, part) : NULL;
			if (place)
				memcpy(place, body + done, part);
			else
				pcl_ring_copy(&ring, &handle, body + done, part);
			done += part;
		}
	} else {
		lost++;
	}
	wakeups += pcl_ring_leave(&ring, ticket);
	return fits;
}

static u32 random_size(void)
{
	return 8 * (1 + random_below(8));
}

/* The reader of a forward ring: everything from the tail to the head, in order. */
static void read_all(void)
{
	u64 tail = page.data_tail;
	struct head head;
	u32 i;

	while (tail != page.data_head) {
		for (i = 0; i < sizeof(head); i++)
			((u8 *)&head)[i] = byte_at(tail + i);
		CHECK(head.size >= 8 && head.size <= 64 && head.size % 8 == 0);
		check_record(tail, head.size, head.number);
		CHECK_EQ(head.number, nr_read);
		CHECK_EQ(head.size, written[nr_read % ARRAY_SIZE(written)].size);
		nr_read++;
		tail += head.size;
	}
	page.data_tail = tail;
}

/* Also where nobody needs to make room: it would lie upon itself. One that fills the ring fits there. */
static void what_is_longer_than_the_ring_is_refused(void)
{
	unsigned int i, size;

	for (i = 0; i < 4; i++) {
		make_ring(2, i & 1);
		backward = i & 2;
		size = pcl_ring_size(&ring);
		CHECK(!write_record(size + 8));
		CHECK_EQ(page.data_head, 0);
		CHECK_EQ(write_record(size), i & 1);
		CHECK_EQ(lost, i & 1 ? 1 : 2);
		check_guards();
	}
}

static void reader_sees_every_record(void)
{
	unsigned int nr_pieces, i;
	u64 used;
	u32 size;

	for (nr_pieces = 1; nr_pieces <= MAX_PIECES; nr_pieces *= 2) {
		make_ring(nr_pieces, false);
		used = 0;
		for (i = 0; i < 20000; i++) {
			size = random_size();
			/* the model: one byte stays free */
			bool fits = used + size < pcl_ring_size(&ring);

			CHECK_EQ(write_record(size), fits);
			if (fits) {
				written[nr_written++ % ARRAY_SIZE(written)].size = size;
				used += size;
				CHECK_EQ(page.data_head - page.data_tail, used);
			}
			if (random_below(3) == 0) {
				read_all();
				CHECK_EQ(nr_read, nr_written);
				used = 0;
			}
		}
		CHECK(lost > 0);
		check_guards();
	}
}

/* The user's word is no limit to what it can do to us, and nothing it says may reach outside. */
static void tail_is_not_trusted(void)
{
	unsigned int i, nr_pieces;

	for (i = 0; i < 20000; i++) {
		nr_pieces = 1 << random_below(4);
		make_ring(nr_pieces, random_below(2));
		backward = random_below(2);
		page.data_tail = random_below(2) ? random_u64() : page.data_head + random_below(300) - 150;
		page.data_head = random_u64();	/* the user can write that, too: it is never read */
		local_set(&ring.head, random_u64());
		write_record(random_size());
		CHECK_EQ(page.data_head, (u64)ring.head.counter);
		check_guards();
	}
}

static u64 chance;
static u64 published;	/* the latest data_head that anybody saw */

/* What was published stays so: an old head never follows a newer one. */
static void see_head(void)
{
	CHECK((s64)(page.data_head - published) >= 0);
	published = page.data_head;
}

/* Interrupts: write a record here, perhaps interrupted in turn. */
static void interrupt(void)
{
	u64 before = page.data_head;

	see_head();
	if (depth >= 3 || random_below(chance))
		return;
	depth++;
	if (ring.nest > 0) {
		write_record(random_size());
		CHECK_EQ(page.data_head, before);	/* the outermost publishes */
	} else {
		write_record(random_size());
	}
	see_head();
	depth--;
}

/*
 * Records of interrupters lie where their reservation put them, so numbers are not in order; but each is whole, none is
 * missing and none is seen before it is whole.
 */
static void count_records(bool *seen, u32 from, u32 to)
{
	u64 tail = page.data_tail;
	struct head head;
	u32 i;

	while (tail != page.data_head) {
		for (i = 0; i < sizeof(head); i++)
			((u8 *)&head)[i] = byte_at(tail + i);
		CHECK(head.size >= 8 && head.size <= 64 && head.size % 8 == 0);
		check_record(tail, head.size, head.number);
		CHECK(head.number >= from && head.number < to);
		CHECK(!seen[head.number - from]);
		seen[head.number - from] = true;
		tail += head.size;
	}
	page.data_tail = tail;
}

static void interrupted_writers_publish_whole_records(void)
{
	static bool seen[4096];
	u32 i, j, from;

	for (i = 0; i < 20000; i++) {
		if (i % 1000 == 0) {
			pcl_shim_interrupt = NULL;
			make_ring(MAX_PIECES, false);
			published = 0;
			chance = 2 + random_below(30);
		}
		from = numbers;
		memset(seen, 0, sizeof(seen));
		pcl_shim_interrupt = interrupt;
		write_record(random_size());
		pcl_shim_interrupt = NULL;
		CHECK_EQ(ring.nest, 0);
		CHECK_EQ(page.data_head, (u64)ring.head.counter);
		count_records(seen, from, numbers);
		for (j = from; j < numbers; j++)
			CHECK(seen[j - from]);
	}
	CHECK(numbers > 1000);
	check_guards();
}

/* From the head, following the sizes, a reader of an overwritten backward ring finds the newest records. */
static void backward_ring_reads_from_the_newest(void)
{
	u32 i, n, size;
	u64 at, left;

	make_ring(4, true);
	backward = true;
	for (i = 0; i < 5000; i++) {
		size = random_size();
		CHECK(write_record(size));
		written[i % ARRAY_SIZE(written)].size = size;
		at = page.data_head;
		left = pcl_ring_size(&ring);
		for (n = 0; n <= i; n++) {
			size = written[(i - n) % ARRAY_SIZE(written)].size;
			if (size > left)
				break;
			check_record(at, size, i - n);
			at += size;
			left -= size;
		}
		CHECK(n >= min(i + 1, 4u));
	}
	CHECK_EQ(lost, 0);
	check_guards();
}

static void backward_ring_respects_the_tail(void)
{
	u64 used = 0;
	u32 i, size;

	make_ring(2, false);
	backward = true;
	for (i = 0; i < 20000; i++) {
		size = random_size();
		bool fits = used + size < pcl_ring_size(&ring);

		CHECK_EQ(write_record(size), fits);
		used += fits ? size : 0;
		CHECK_EQ(page.data_tail - page.data_head, used);
		if (random_below(4) == 0) {
			page.data_tail = page.data_head;
			used = 0;
		}
	}
	check_guards();
}

/* The reader is woken each time another watermark's worth was written, no more and no less. */
static void watermark_wakes(void)
{
	u64 total = 0;
	u32 i;

	make_ring(MAX_PIECES, true);
	ring.watermark = 256;
	for (i = 0; i < 10000; i++) {
		write_record(64);
		total += 64;
		CHECK_EQ(wakeups, (total - 1) / 256);
	}
}

static void wakeup_events_wake_each_nth(void)
{
	unsigned long ticket;
	u32 i, every, woken;

	for (every = 1; every < 9; every++) {
		make_ring(1, true);
		ring.watermark = LONG_MAX;
		woken = 0;
		for (i = 1; i <= 1000; i++) {
			ticket = pcl_ring_enter(&ring);
			pcl_ring_sampled(&ring, every);
			woken += pcl_ring_leave(&ring, ticket);
			CHECK_EQ(woken, i / every);
		}
	}
}

/* What is claimed lies in one piece, unless there is none so large; and the handle moves as by a copy. */
static void claim_moves_like_copy(void)
{
	struct perf_output_handle a, b;
	u8 zeros[256] = { 0 };
	u32 i, len, split = 0;

	make_ring(4, true);
	for (i = 0; i < 2000; i++) {
		void *at;
		bool fits;

		CHECK(pcl_ring_reserve(&ring, &a, random_size(), false));
		b = a;
		len = 1 + random_below(1 << PIECE_SHIFT);
		fits = len <= b.size;
		split += !fits;
		at = pcl_ring_claim(&ring, &b, len);
		CHECK(at == (fits ? a.addr : NULL));
		pcl_ring_copy(&ring, &a, zeros, fits ? len : 0);
		CHECK(a.addr == b.addr && a.size == b.size && a.page == b.page);
	}
	CHECK(split > 200 && split < 1800);
	check_guards();
}

static void skip_moves_like_copy(void)
{
	struct perf_output_handle a, b;
	u8 zeros[256] = { 0 };
	u32 i, len;

	make_ring(4, true);
	for (i = 0; i < 2000; i++) {
		CHECK(pcl_ring_reserve(&ring, &a, random_size(), false));
		b = a;
		len = random_below(200);
		pcl_ring_copy(&ring, &a, zeros, len);
		pcl_ring_skip(&ring, &b, len);
		CHECK(a.addr == b.addr && a.size == b.size && a.page == b.page);
	}
	check_guards();
}

CASES(CASE(reader_sees_every_record), CASE(tail_is_not_trusted), CASE(interrupted_writers_publish_whole_records),
      CASE(backward_ring_reads_from_the_newest), CASE(backward_ring_respects_the_tail), CASE(watermark_wakes),
      CASE(wakeup_events_wake_each_nth), CASE(claim_moves_like_copy), CASE(skip_moves_like_copy),
      CASE(what_is_longer_than_the_ring_is_refused))
