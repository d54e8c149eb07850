// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of samples and records: an event that no PMU knows writes into a real ring, and what stands there is read
 * back by a parser that knows the ABI's order of fields from a list of its own, not from the table under test.
 */
#include <kunit/test.h>
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/sched/clock.h>
#include <linux/sched/mm.h>

#include "buffer.h"
#include "record.h"
#include "regs_test.h"
#include "sample.h"

#define PAGES 32

struct sample_fixture {
	struct perf_event event;
	struct perf_event_context ctx;
	struct pmu pmu;
	struct perf_buffer *rb;
	u64 at;				/* where the reader is */
	bool branches;			/* the driver has seen some */
};

/* The order in perf_event_open(2), written down once more. */
static const u64 order[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD, PERF_SAMPLE_READ, PERF_SAMPLE_CALLCHAIN,
	PERF_SAMPLE_RAW, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_WEIGHT,
	PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_TRANSACTION, PERF_SAMPLE_REGS_INTR, PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_CGROUP,
	PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE,
};

static const u64 trailer_order[] = {
	PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
	PERF_SAMPLE_IDENTIFIER,
};

static int sample_init(struct kunit *test)
{
	struct sample_fixture *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	struct perf_event *event;

	KUNIT_ASSERT_NOT_NULL(test, fixture);
	test->priv = fixture;
	event = &fixture->event;
	raw_spin_lock_init(&fixture->ctx.lock);
	event->ctx = &fixture->ctx;
	event->pmu = &fixture->pmu;
	event->group_leader = event;
	INIT_LIST_HEAD(&event->sibling_list);
	event->clock = local_clock;
	event->ns = &init_pid_ns;
	event->id = 0x1d;
	event->cpu = -1;
	event->oncpu = -1;
	event->hw.target = current;	/* whose ring it is */
	mutex_init(&event->mmap_mutex);
	init_waitqueue_head(&event->waitq);
	event->attr.sample_max_stack = 16;
	event->attr.sample_id_all = 1;
	event->attr.sample_regs_user = 7;
	event->attr.sample_regs_intr = 0x15;
	event->attr.sample_stack_user = 64;
	pcl_overflow_init(event);
	KUNIT_ASSERT_EQ(test, get_callchain_buffers(16), 0);

	fixture->rb = pcl_buffer_alloc(PAGES, event, false);
	KUNIT_ASSERT_NOT_NULL(test, fixture->rb);
	mutex_lock(&event->mmap_mutex);
	pcl_buffer_attach(event, fixture->rb);
	mutex_unlock(&event->mmap_mutex);
	return 0;
}

static void sample_exit(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;

	pcl_overflow_cancel(&fixture->event);
	pcl_buffer_detach(&fixture->event);
	put_callchain_buffers();
	rcu_barrier();		/* the ring goes an RCU grace period later, and looks at nothing here */
}

/* ---- the reader ---- */

static u64 peek(struct sample_fixture *fixture, u64 at)
{
	u64 offset = at & (pcl_ring_size(&fixture->rb->ring) - 1);

	return *(u64 *)(fixture->rb->pages[offset >> PAGE_SHIFT] + (offset & ~PAGE_MASK));
}

static u64 next(struct sample_fixture *fixture)
{
	u64 word = peek(fixture, fixture->at);

	fixture->at += sizeof(u64);
	return word;
}

static struct perf_event_header next_header(struct sample_fixture *fixture)
{
	u64 word = next(fixture);
	struct perf_event_header header;

	memcpy(&header, &word, sizeof(header));
	return header;
}

static void read_up(struct sample_fixture *fixture)
{
	fixture->rb->ring.user->data_tail = fixture->at;
}

/* ---- every field ---- */

static u8 raw_bytes[13] = "a raw record";

#define BRANCHES 2

static struct {
	u64 nr, hw_idx;
	struct perf_branch_entry entries[BRANCHES];
} branches = {
	.nr = BRANCHES, .hw_idx = 0x1d8,
	.entries = { { .from = 0xf1, .to = 0x71, .mispred = 1 }, { .from = 0xf2, .to = 0x72, .cycles = 5 } },
};

struct known {
	struct perf_sample_data data;
	struct perf_raw_record raw;
	struct pt_regs regs;
	u64 before, after;	/* the clock around the sample */
};

static void write_sample(struct sample_fixture *fixture, u64 type, struct known *known)
{
	struct perf_event *event = &fixture->event;

	event->attr.sample_type = type;
	pcl_plan_make(event, NULL);
	pcl_event_read_size(event);

	memset(known, 0, sizeof(*known));
	perf_sample_data_init(&known->data, 0xadd7, 0x9e710d);
	known->raw.frag.data = raw_bytes;
	known->raw.frag.size = sizeof(raw_bytes);
	known->data.raw = &known->raw;
	known->data.txn = 0x7a;
	known->data.sample_flags |= PERF_SAMPLE_RAW | PERF_SAMPLE_TRANSACTION;
	if (fixture->branches) {
		known->data.br_stack = (struct perf_branch_stack *)&branches;
		known->data.sample_flags |= PERF_SAMPLE_BRANCH_STACK;
	}
	perf_fetch_caller_regs(&known->regs);

	preempt_disable();
	known->before = local_clock();
	perf_event_output_forward(event, &known->data, &known->regs);
	known->after = local_clock();
	preempt_enable();
	pcl_plan_free(event);
}

static void check_read(struct kunit *test, struct sample_fixture *fixture)
{
	struct perf_event *event = &fixture->event;
	u64 format = event->attr.read_format;

	if (format & PERF_FORMAT_GROUP)
		KUNIT_EXPECT_EQ(test, next(fixture), 1ULL);
	else
		KUNIT_EXPECT_EQ(test, next(fixture), 4711ULL);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		KUNIT_EXPECT_EQ(test, next(fixture), 300ULL);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		KUNIT_EXPECT_EQ(test, next(fixture), 200ULL);
	if (format & PERF_FORMAT_GROUP)
		KUNIT_EXPECT_EQ(test, next(fixture), 4711ULL);
	if (format & PERF_FORMAT_ID)
		KUNIT_EXPECT_EQ(test, next(fixture), event->id);
	if (format & PERF_FORMAT_LOST)
		KUNIT_EXPECT_EQ(test, next(fixture), 0ULL);
}

static void check_callchain(struct kunit *test, struct sample_fixture *fixture, struct known *known)
{
	u64 nr = next(fixture);

	KUNIT_EXPECT_EQ(test, nr, known->data.callchain->nr);
	KUNIT_EXPECT_EQ(test, peek(fixture, fixture->at), (u64)PERF_CONTEXT_KERNEL);
	fixture->at += nr * sizeof(u64);
}

/* 32 bits of size, 13 bytes, padding: 24 bytes. */
static void check_raw(struct kunit *test, struct sample_fixture *fixture)
{
	u64 words[3] = { next(fixture), next(fixture), next(fixture) };
	u32 size;

	memcpy(&size, words, sizeof(size));
	KUNIT_EXPECT_EQ(test, size, 20U);
	KUNIT_EXPECT_EQ(test, memcmp((u8 *)words + sizeof(size), raw_bytes, sizeof(raw_bytes)), 0);
}

/* The driver's, word by word; a number of 0 and no index, if it has none. */
static void check_branches(struct kunit *test, struct sample_fixture *fixture)
{
	const u64 *words = (const u64 *)branches.entries;
	unsigned int i, odd = 0;

	KUNIT_EXPECT_EQ(test, next(fixture), fixture->branches ? (u64)BRANCHES : 0ULL);
	if (!fixture->branches)
		return;
	if (branch_sample_hw_index(&fixture->event))
		KUNIT_EXPECT_EQ(test, next(fixture), 0x1d8ULL);
	for (i = 0; i < sizeof(branches.entries) / (sizeof(u64)); i++)
		odd += next(fixture) != words[i];
	KUNIT_EXPECT_EQ(test, odd, 0U);
}

static void check_regs_intr(struct kunit *test, struct sample_fixture *fixture, struct known *known)
{
	u64 mask = fixture->event.attr.sample_regs_intr;
	unsigned int bit;

	KUNIT_EXPECT_EQ(test, next(fixture), perf_reg_abi(current));
	for (bit = 0; bit < 64; bit++) {
		if (mask & BIT_ULL(bit))
			KUNIT_EXPECT_EQ(test, next(fixture), perf_reg_value(&known->regs, bit));
	}
}

static u64 own_cgroup(void)
{
	u64 id;

	rcu_read_lock();
	id = cgroup_id(task_cgroup(current, perf_event_cgrp_id));
	rcu_read_unlock();
	return id;
}

static void check_field(struct kunit *test, struct sample_fixture *fixture, u64 bit, struct known *known)
{
	struct perf_event *event = &fixture->event;

	switch (bit) {
	case PERF_SAMPLE_IDENTIFIER:
	case PERF_SAMPLE_ID:
	case PERF_SAMPLE_STREAM_ID:
		KUNIT_EXPECT_EQ(test, next(fixture), event->id);
		break;
	case PERF_SAMPLE_IP:
		KUNIT_EXPECT_EQ(test, next(fixture), (u64)instruction_pointer(&known->regs));
		break;
	case PERF_SAMPLE_TID:
		KUNIT_EXPECT_EQ(test, next(fixture), pcl_pair(current->tgid, current->pid));
		break;
	case PERF_SAMPLE_TIME:
		KUNIT_EXPECT_GE(test, peek(fixture, fixture->at), known->before);
		KUNIT_EXPECT_LE(test, next(fixture), known->after);
		break;
	case PERF_SAMPLE_ADDR:
		KUNIT_EXPECT_EQ(test, next(fixture), 0xadd7ULL);
		break;
	case PERF_SAMPLE_CPU:
		KUNIT_EXPECT_LT(test, (u32)next(fixture), nr_cpu_ids);
		break;
	case PERF_SAMPLE_PERIOD:
		KUNIT_EXPECT_EQ(test, next(fixture), 0x9e710dULL);
		break;
	case PERF_SAMPLE_READ:
		check_read(test, fixture);
		break;
	case PERF_SAMPLE_CALLCHAIN:
		check_callchain(test, fixture, known);
		break;
	case PERF_SAMPLE_RAW:
		check_raw(test, fixture);
		break;
	case PERF_SAMPLE_WEIGHT:
		KUNIT_EXPECT_EQ(test, next(fixture), 0ULL);
		break;
	case PERF_SAMPLE_DATA_SRC:
		KUNIT_EXPECT_EQ(test, next(fixture), (u64)PERF_MEM_NA);
		break;
	case PERF_SAMPLE_TRANSACTION:
		KUNIT_EXPECT_EQ(test, next(fixture), 0x7aULL);
		break;
	case PERF_SAMPLE_BRANCH_STACK:
		check_branches(test, fixture);
		break;
	case PERF_SAMPLE_REGS_USER:	/* a kernel thread has none, */
	case PERF_SAMPLE_STACK_USER:	/* and no such stack; */
	case PERF_SAMPLE_PHYS_ADDR:	/* nothing is mapped at the address */
	case PERF_SAMPLE_DATA_PAGE_SIZE:
		KUNIT_EXPECT_EQ(test, next(fixture), 0ULL);
		break;
	case PERF_SAMPLE_REGS_INTR:
		check_regs_intr(test, fixture, known);
		break;
	case PERF_SAMPLE_CGROUP:
		KUNIT_EXPECT_EQ(test, next(fixture), own_cgroup());
		break;
	case PERF_SAMPLE_CODE_PAGE_SIZE:
		KUNIT_EXPECT_GE(test, peek(fixture, fixture->at), (u64)PAGE_SIZE);
		KUNIT_EXPECT_TRUE(test, is_power_of_2(next(fixture)));
		break;
	}
}

static void check_sample(struct kunit *test, struct sample_fixture *fixture, u64 type)
{
	struct perf_event_header header;
	struct known known;
	u64 start = fixture->at;
	int i;

	write_sample(fixture, type, &known);
	header = next_header(fixture);
	KUNIT_ASSERT_EQ(test, header.type, (u32)PERF_RECORD_SAMPLE);
	KUNIT_ASSERT_EQ(test, header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		if (type & order[i])
			check_field(test, fixture, order[i], &known);
	}
	KUNIT_ASSERT_EQ(test, fixture->at - start, (u64)header.size);
	KUNIT_ASSERT_EQ(test, fixture->rb->ring.user->data_head, fixture->at);
	read_up(fixture);
}

/* Each field alone, then at random together: each where it belongs, and all as many bytes as the header says. */
static void sample_has_each_field_in_its_place(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct perf_event *event = &fixture->event;
	u64 type;
	int i, j;

	local64_set(&event->count, 4711);
	event->times = (struct pcl_times){ .enabled = 300, .running = 200 };
	event->state = PERF_EVENT_STATE_OFF;
	for (i = 0; i < ARRAY_SIZE(order); i++)
		check_sample(test, fixture, order[i]);
	for (i = 0; i < 500; i++) {
		type = 0;
		fixture->branches = prandom_u32_max(2);
		event->attr.branch_sample_type = prandom_u32_max(2) ? PERF_SAMPLE_BRANCH_HW_INDEX : 0;
		event->attr.sample_regs_intr = prandom_u32_max(1 << 12);
		for (j = 0; j < ARRAY_SIZE(order); j++)
			type |= prandom_u32_max(2) ? order[j] : 0;
		event->attr.read_format = prandom_u32_max(PERF_FORMAT_MAX);
		check_sample(test, fixture, type);
	}
}

/* As a driver does that filled all that @type asks for, and TRANSACTION. */
static void write_driver_sample(struct sample_fixture *fixture, struct perf_sample_data *data, u64 type)
{
	struct perf_event *event = &fixture->event;
	struct pt_regs regs;

	event->attr.sample_type = type;
	pcl_plan_make(event, NULL);
	perf_fetch_caller_regs(&regs);
	data->txn = 0x7a;
	data->sample_flags |= type;
	perf_event_output_forward(event, data, &regs);
	pcl_plan_free(event);
}

/* Two names of one word. */
static void sample_has_its_weights_in_one_word(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct perf_sample_data data;

	perf_sample_data_init(&data, 0, 0);
	data.weight.var1_dw = 0x11111111;
	data.weight.var2_w = 0x2222;
	data.weight.var3_w = 0x3333;
	write_driver_sample(fixture, &data, PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_TRANSACTION);
	KUNIT_EXPECT_EQ(test, next_header(fixture).size, (u16)24);
	KUNIT_EXPECT_EQ(test, next(fixture), 0x3333222211111111ULL);
	KUNIT_EXPECT_EQ(test, next(fixture), 0x7aULL);
}

/* ---- records ---- */

static void check_trailer(struct kunit *test, struct sample_fixture *fixture, u64 type)
{
	struct known unused = { .before = 0, .after = U64_MAX };
	int i;

	for (i = 0; i < ARRAY_SIZE(trailer_order); i++) {
		if (type & trailer_order[i])
			check_field(test, fixture, trailer_order[i], &unused);
	}
}

static void record_trailer_says_whose_it_is(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct perf_event_header header;
	u64 type, start;
	int i, j;

	for (i = 0; i < 200; i++) {
		type = 0;
		for (j = 0; j < ARRAY_SIZE(trailer_order); j++)
			type |= prandom_u32_max(2) ? trailer_order[j] : 0;
		fixture->event.attr.sample_type = type;
		start = fixture->at;
		pcl_record_throttle(&fixture->event, i & 1);
		header = next_header(fixture);
		KUNIT_ASSERT_EQ(test, header.type, (u32)(i & 1 ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE));
		next(fixture);	/* time */
		KUNIT_ASSERT_EQ(test, next(fixture), fixture->event.id);
		KUNIT_ASSERT_EQ(test, next(fixture), fixture->event.id);
		check_trailer(test, fixture, type);
		KUNIT_ASSERT_EQ(test, fixture->at - start, (u64)header.size);
		KUNIT_ASSERT_EQ(test, fixture->rb->ring.user->data_head, fixture->at);
		read_up(fixture);
	}
}

/* What did not fit is told before what fits again. */
static void record_lost_is_told(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct perf_event *event = &fixture->event;
	struct perf_event_header header;
	u64 head, lost = 0;

	event->attr.sample_type = PERF_SAMPLE_ID;
	do {
		head = fixture->rb->ring.user->data_head;
		perf_log_lost_samples(event, 1);
	} while (fixture->rb->ring.user->data_head != head);
	for (lost = 1; lost < 10; lost++)
		perf_log_lost_samples(event, 1);
	KUNIT_EXPECT_EQ(test, (u64)atomic64_read(&event->lost_samples), lost);

	fixture->at = head;
	read_up(fixture);
	perf_log_lost_samples(event, 1);
	header = next_header(fixture);
	KUNIT_EXPECT_EQ(test, header.type, (u32)PERF_RECORD_LOST);
	KUNIT_EXPECT_EQ(test, header.size, (u16)(sizeof(header) + 3 * sizeof(u64)));
	KUNIT_EXPECT_EQ(test, next(fixture), event->id);
	KUNIT_EXPECT_EQ(test, next(fixture), lost);
	KUNIT_EXPECT_EQ(test, next(fixture), event->id);
	header = next_header(fixture);
	KUNIT_EXPECT_EQ(test, header.type, (u32)PERF_RECORD_LOST_SAMPLES);
	KUNIT_EXPECT_EQ(test, local_read(&fixture->rb->ring.lost), 0L);
}

static void record_paused_ring_takes_none(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;

	KUNIT_EXPECT_EQ(test, pcl_buffer_pause(&fixture->event, true), 0);
	pcl_record_throttle(&fixture->event, true);
	KUNIT_EXPECT_EQ(test, fixture->rb->ring.user->data_head, 0ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fixture->event.lost_samples), 1LL);
	KUNIT_EXPECT_EQ(test, pcl_buffer_pause(&fixture->event, false), 0);
	pcl_record_throttle(&fixture->event, true);
	KUNIT_EXPECT_GT(test, fixture->rb->ring.user->data_head, 0ULL);
}

/* ---- samples of more than 64 KiB ---- */

#define LONG_CHAIN	9000	/* callers: 72,000 bytes */
#define LONGEST		(U16_MAX & ~7)

/* The outermost callers are left out, so many as must. */
static void sample_too_long_loses_callers(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct perf_callchain_entry *chain;
	struct perf_event_header header;
	struct perf_sample_data data;
	u64 nr, i, odd = 0;

	chain = kunit_kzalloc(test, struct_size(chain, ip, LONG_CHAIN), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, chain);
	chain->nr = LONG_CHAIN;
	for (i = 0; i < LONG_CHAIN; i++)
		chain->ip[i] = i;
	perf_sample_data_init(&data, 0, 0);
	data.callchain = chain;
	write_driver_sample(fixture, &data, PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_TRANSACTION);

	header = next_header(fixture);
	KUNIT_ASSERT_EQ(test, header.size, (u16)LONGEST);
	nr = next(fixture);
	KUNIT_ASSERT_EQ(test, nr, LONGEST / sizeof(u64) - 3);	/* header, number, TRANSACTION */
	for (i = 0; i < nr; i++)
		odd += next(fixture) != i;
	KUNIT_EXPECT_EQ(test, odd, 0ULL);
	KUNIT_EXPECT_EQ(test, next(fixture), 0x7aULL);
	KUNIT_EXPECT_EQ(test, fixture->rb->ring.user->data_head, fixture->at);
}

/* Without callers there is nothing to leave out: it is lost, and counted. */
static void sample_too_long_is_lost(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct perf_raw_record raw = { };
	struct perf_sample_data data;

	raw.frag.size = LONG_CHAIN * sizeof(u64);
	raw.frag.data = kunit_kzalloc(test, raw.frag.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, raw.frag.data);
	perf_sample_data_init(&data, 0, 0);
	data.raw = &raw;
	write_driver_sample(fixture, &data, PERF_SAMPLE_RAW);
	KUNIT_EXPECT_EQ(test, fixture->rb->ring.user->data_head, 0ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fixture->event.lost_samples), 1LL);
}

/* ---- STACK_USER takes what is left ---- */

struct stack_row {
	unsigned int others;	/* bytes that the other fields take */
	u32 asked;
	unsigned long sp;
	unsigned int bytes;	/* of stack */
	bool at_end;		/* @sp is below the end of user addresses */
};

static const struct stack_row stack_rows[] = {
	{ 8, 64, PAGE_SIZE, 64 },
	{ 8, 0, PAGE_SIZE, 0 },
	{ 8, 65528, PAGE_SIZE, LONGEST - 24 },
	{ LONGEST - 16 - 64, 64, PAGE_SIZE, 64 },
	{ LONGEST - 16 - 56, 64, PAGE_SIZE, 56 },
	{ LONGEST - 16 - 8, 64, PAGE_SIZE, 8 },
	{ LONGEST - 16, 64, PAGE_SIZE, 0 },
	{ LONGEST - 8, 64, PAGE_SIZE, 0 },
	{ LONGEST, 64, PAGE_SIZE, 0 },
	{ LONGEST + 80000, 64, PAGE_SIZE, 0 },
	{ 8, 64, 0, 0 },
	{ 8, 64, 64, 64, true },
	{ 8, 64, 32, 32, true },
	{ 8, 64, 31, 24, true },
	{ 8, 64, 1, 0, true },
	{ 8, 64, 0, 0, true },
	{ 8, 64, -PAGE_SIZE, 0 },
};

static void stack_takes_what_is_left(struct kunit *test)
{
	struct sample_fixture *fixture = test->priv;
	struct mm_struct *mm = mm_alloc();
	struct perf_sample_data data;
	unsigned int i, size;
	struct pt_regs regs;

	KUNIT_ASSERT_NOT_NULL(test, mm);
	fixture->event.attr.sample_type = PERF_SAMPLE_STACK_USER;
	for (i = 0; i < ARRAY_SIZE(stack_rows); i++) {
		const struct stack_row *row = &stack_rows[i];

		fixture->event.attr.sample_stack_user = row->asked;
		regs = pcl_test_regs(true, row->at_end ? TASK_SIZE - row->sp : row->sp);
		kthread_use_mm(mm);
		size = pcl_stack_user_measure(&fixture->event, &data, &regs, row->others);
		kthread_unuse_mm(mm);
		KUNIT_EXPECT_EQ_MSG(test, (unsigned int)data.stack_user_size, row->bytes, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, size, row->bytes ? 16 + row->bytes : 8, "row %u", i);
	}
	mmput(mm);
}

static struct kunit_case sample_cases[] = {
	KUNIT_CASE(sample_has_each_field_in_its_place),
	KUNIT_CASE(stack_takes_what_is_left),
	KUNIT_CASE(sample_has_its_weights_in_one_word),
	KUNIT_CASE(sample_too_long_loses_callers),
	KUNIT_CASE(sample_too_long_is_lost),
	KUNIT_CASE(record_trailer_says_whose_it_is),
	KUNIT_CASE(record_lost_is_told),
	KUNIT_CASE(record_paused_ring_takes_none),
	{ }
};

static struct kunit_suite sample_suite = {
	.name = "pcl-sample",
	.init = sample_init,
	.exit = sample_exit,
	.test_cases = sample_cases,
};

kunit_test_suite(sample_suite);
