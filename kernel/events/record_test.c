// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: records of what happens to the kernel itself, by its own hooks with what is made up.
 *
 * Two of the kernel's own events of this task have rings. One wants what is told, the other must stay without. The
 * rings begin full of ones, so that a byte that nobody wrote is seen.
 *
 * Contexts: process context, at boot. Locks: none.
 */
#include <kunit/test.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/random.h>

#include "buffer.h"
#include "record.h"

#define PAGES 32	/* more than the longest record */

struct record_fixture {
	struct perf_event *event, *other;
	u64 at;				/* where the reader of @event's ring is */
};

static struct perf_event *open_with_ring(struct kunit *test, struct perf_event_attr attr)
{
	struct perf_event *event;
	struct perf_buffer *rb;
	int i;

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.size = sizeof(attr);
	event = perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	rb = pcl_buffer_alloc(PAGES, event, false);
	KUNIT_ASSERT_NOT_NULL(test, rb);
	for (i = 0; i < PAGES; i++)
		memset(rb->pages[i], 0xff, PAGE_SIZE);
	mutex_lock(&event->mmap_mutex);
	pcl_buffer_attach(event, rb);
	mutex_unlock(&event->mmap_mutex);
	return event;
}

/* pcl_record_is_told() is a second list of what the table asks: each flag of an attr, alone. */
static void record_is_told_as_the_table_says(struct kunit *test)
{
	struct perf_event *event = kunit_kzalloc(test, sizeof(*event), GFP_KERNEL);
	u64 *flags = (u64 *)&event->attr.read_format + 1;	/* the word behind it */
	unsigned int bit, kind, nr = 0;

	KUNIT_ASSERT_NOT_NULL(test, event);
	for (bit = 0; bit < 64; bit++) {
		bool wanted = false;

		*flags = BIT_ULL(bit);
		for (kind = 0; kind < PCL_RECORD_KINDS; kind++)
			wanted |= pcl_record_rows[kind].wants && pcl_record_rows[kind].wants(&event->attr);
		KUNIT_EXPECT_EQ_MSG(test, pcl_record_is_told(event), wanted, "bit %u", bit);
		nr += wanted;
	}
	KUNIT_EXPECT_EQ(test, nr, 12U);
}

static int record_init(struct kunit *test)
{
	struct record_fixture *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fixture);
	test->priv = fixture;
	fixture->event = open_with_ring(test, (struct perf_event_attr){ .ksymbol = 1, .bpf_event = 1, .text_poke = 1 });
	fixture->other = open_with_ring(test, (struct perf_event_attr){ .comm = 1, .mmap = 1, .cgroup = 1 });
	return 0;
}

static struct pcl_ring *ring_of(struct perf_event *event)
{
	return &rcu_access_pointer(event->rb)->ring;
}

/* Whatever the test did, it was not told to who did not ask. */
static void record_exit(struct kunit *test)
{
	struct record_fixture *fixture = test->priv;

	KUNIT_EXPECT_EQ(test, ring_of(fixture->other)->user->data_head, 0ULL);
	perf_event_release_kernel(fixture->event);
	perf_event_release_kernel(fixture->other);
	rcu_barrier();
}

/* ---- the reader ---- */

struct read_record {
	struct perf_event_header header;
	u8 body[1024];
};

/* The next record, which must be of @type. */
static void take(struct kunit *test, u32 type, struct read_record *record)
{
	struct record_fixture *fixture = test->priv;
	struct perf_buffer *rb = rcu_access_pointer(fixture->event->rb);
	u8 *to = (u8 *)record;
	u64 i, size = sizeof(record->header);

	KUNIT_ASSERT_LT(test, fixture->at, rb->ring.user->data_head);
	for (i = 0; i < size; i++) {
		u64 offset = (fixture->at + i) & (pcl_ring_size(&rb->ring) - 1);

		to[i] = *((u8 *)rb->pages[offset >> PAGE_SHIFT] + (offset & ~PAGE_MASK));
		if (i == sizeof(record->header) - 1)
			size = min_t(u64, record->header.size, sizeof(*record));
	}
	KUNIT_ASSERT_EQ(test, record->header.type, type);
	KUNIT_ASSERT_EQ(test, record->header.size, (u16)size);
	fixture->at += size;
	rb->ring.user->data_tail = fixture->at;
}

static void expect_no_more(struct kunit *test)
{
	struct record_fixture *fixture = test->priv;

	KUNIT_EXPECT_EQ(test, ring_of(fixture->event)->user->data_head, fixture->at);
}

/* @body of @size bytes, and zeros up to whole words */
static void expect_body(struct kunit *test, const struct read_record *record, const void *body, size_t size)
{
	size_t i, whole = ALIGN(size, sizeof(u64));

	KUNIT_ASSERT_EQ(test, record->header.size, (u16)(sizeof(record->header) + whole));
	KUNIT_EXPECT_EQ(test, memcmp(record->body, body, size), 0);
	for (i = size; i < whole; i++)
		KUNIT_EXPECT_EQ(test, record->body[i], (u8)0);
}

/* ---- KSYMBOL ---- */

static void expect_ksymbol(struct kunit *test, u64 addr, u32 len, u16 type, u16 flags, const char *name)
{
	struct {
		u64 addr;
		u32 len;
		u16 type, flags;
		char name[KSYM_NAME_LEN];
	} want = { addr, len, type, flags };
	struct read_record record;

	strscpy(want.name, name, sizeof(want.name));
	take(test, PERF_RECORD_KSYMBOL, &record);
	KUNIT_EXPECT_EQ(test, record.header.misc, (u16)0);
	expect_body(test, &record, &want, offsetof(typeof(want), name) + strlen(name) + 1);
}

/* Names of all lengths modulo 8 */
static void ksymbol_comes_and_goes(struct kunit *test)
{
	static const char name[] = "a_symbol_of_the_kernel";
	int i;

	for (i = 0; i < sizeof(name); i++) {
		perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, 0xadd7e55, 0x1e9, i & 1, name + i);
		expect_ksymbol(test, 0xadd7e55, 0x1e9, PERF_RECORD_KSYMBOL_TYPE_OOL, i & 1, name + i);
	}
	expect_no_more(test);
}

/* ---- BPF_EVENT ---- */

static struct bpf_prog *made_up_program(struct kunit *test, const char *name, unsigned long at)
{
	struct bpf_prog *prog = kunit_kzalloc(test, sizeof(*prog), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, prog);
	prog->aux = kunit_kzalloc(test, sizeof(*prog->aux), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, prog->aux);
	prog->bpf_func = (void *)at;
	prog->jited_len = at + 1;
	strscpy(prog->aux->ksym.name, name, sizeof(prog->aux->ksym.name));
	return prog;
}

static void expect_program(struct kunit *test, struct bpf_prog *prog, u16 type)
{
	u16 flags = type == PERF_BPF_EVENT_PROG_UNLOAD;
	struct {
		u16 type, flags;
		u32 id;
		u8 tag[BPF_TAG_SIZE];
	} want = { type, 0, prog->aux->id };
	struct read_record record;

	expect_ksymbol(test, 0x1000, 0x1001, PERF_RECORD_KSYMBOL_TYPE_BPF, flags, "main");
	expect_ksymbol(test, 0x2000, 0x2001, PERF_RECORD_KSYMBOL_TYPE_BPF, flags, "second");
	expect_ksymbol(test, 0x3000, 0x3001, PERF_RECORD_KSYMBOL_TYPE_BPF, flags, "third");
	take(test, PERF_RECORD_BPF_EVENT, &record);
	KUNIT_EXPECT_EQ(test, record.header.misc, (u16)0);
	memcpy(want.tag, prog->tag, sizeof(want.tag));
	expect_body(test, &record, &want, sizeof(want));
}

/* Its functions are told by name, the first of which is the program itself; then the program. */
static void bpf_program_comes_and_goes(struct kunit *test)
{
	struct bpf_prog *prog = made_up_program(test, "main", 0x1000);
	struct bpf_prog *functions[] = {
		prog, made_up_program(test, "second", 0x2000), made_up_program(test, "third", 0x3000),
	};

	prog->aux->func = functions;
	prog->aux->func_cnt = ARRAY_SIZE(functions);
	prog->aux->id = 0x1d;
	memset(prog->tag, 0x7a, sizeof(prog->tag));
	perf_event_bpf_event(prog, PERF_BPF_EVENT_PROG_LOAD, 0);
	expect_program(test, prog, PERF_BPF_EVENT_PROG_LOAD);
	perf_event_bpf_event(prog, PERF_BPF_EVENT_PROG_UNLOAD, 0);
	expect_program(test, prog, PERF_BPF_EVENT_PROG_UNLOAD);
	perf_event_bpf_event(prog, PERF_BPF_EVENT_UNKNOWN, 0);
	perf_event_bpf_event(prog, PERF_BPF_EVENT_MAX, 0);
	expect_no_more(test);
}

/* ---- TEXT_POKE ---- */

static void text_poke_tells_old_and_new(struct kunit *test)
{
	u8 want[12 + 2 * 64], old[64], new[64];
	struct read_record record;
	u64 addr = 0xadd7e55;
	u16 lens[2];
	int i;

	for (i = 0; i < 200; i++) {
		get_random_bytes(old, sizeof(old));
		get_random_bytes(new, sizeof(new));
		lens[0] = prandom_u32_max(sizeof(old) + 1);
		lens[1] = prandom_u32_max(sizeof(new) + 1);
		memcpy(want, &addr, sizeof(addr));
		memcpy(want + 8, lens, sizeof(lens));
		memcpy(want + 12, old, lens[0]);
		memcpy(want + 12 + lens[0], new, lens[1]);

		perf_event_text_poke((void *)addr, old, lens[0], new, lens[1]);
		take(test, PERF_RECORD_TEXT_POKE, &record);
		KUNIT_EXPECT_EQ(test, record.header.misc, (u16)PERF_RECORD_MISC_KERNEL);
		expect_body(test, &record, want, 12 + lens[0] + lens[1]);
	}
	expect_no_more(test);
}

/* The size of a record is told in 16 bits. What does not fit is lost, and counted. */
static void text_poke_too_long_is_lost(struct kunit *test)
{
	struct record_fixture *fixture = test->priv;
	u8 *bytes = kunit_kzalloc(test, U16_MAX + 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bytes);
	perf_event_text_poke(bytes, NULL, 0, bytes, U16_MAX + 1);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fixture->event->lost_samples), 1LL);
	expect_no_more(test);
}

/* ---- who wants what is counted ---- */

static void nobody_wants_what_nobody_asks_for(struct kunit *test)
{
	struct perf_event_attr attr = { .namespaces = 1, .mmap2 = 1, .build_id = 1 };
	bool namespaces = pcl_record_wanted(PCL_RECORD_NAMESPACES), ids = pcl_record_wanted_build_id();
	struct perf_event *event;

	KUNIT_EXPECT_TRUE(test, pcl_record_wanted(PCL_RECORD_KSYMBOL));
	KUNIT_EXPECT_TRUE(test, pcl_record_wanted(PCL_RECORD_BPF_EVENT));
	KUNIT_EXPECT_TRUE(test, pcl_record_wanted(PCL_RECORD_TEXT_POKE));
	KUNIT_EXPECT_TRUE(test, pcl_record_wanted(PCL_RECORD_CGROUP));
	event = open_with_ring(test, attr);
	KUNIT_EXPECT_TRUE(test, pcl_record_wanted(PCL_RECORD_NAMESPACES));
	KUNIT_EXPECT_TRUE(test, pcl_record_wanted_build_id());
	perf_event_release_kernel(event);
	KUNIT_EXPECT_EQ(test, pcl_record_wanted(PCL_RECORD_NAMESPACES), namespaces);
	KUNIT_EXPECT_EQ(test, pcl_record_wanted_build_id(), ids);
}

static struct kunit_case record_cases[] = {
	KUNIT_CASE(record_is_told_as_the_table_says),
	KUNIT_CASE(ksymbol_comes_and_goes),
	KUNIT_CASE(bpf_program_comes_and_goes),
	KUNIT_CASE(text_poke_tells_old_and_new),
	KUNIT_CASE(text_poke_too_long_is_lost),
	KUNIT_CASE(nobody_wants_what_nobody_asks_for),
	{ }
};

static struct kunit_suite record_suite = {
	.name = "pcl-record",
	.init = record_init,
	.exit = record_exit,
	.test_cases = record_cases,
};

kunit_test_suite(record_suite);
