// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: fields of a sample say what they should; those that drivers alone can fill, that they are none.
 *
 * Concepts: page faults are the event where the place must be known: one fault is one sample, its address and its
 *	instruction are the test's own. The hardware event is instructions, sampled in a known loop.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "lib/event.h"

#define NR_FAULTS	8
#define ALL_FIELDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ | \
		    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
		    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT_STRUCT | \
		    PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | \
		    PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | ARCH_FIELDS)
#define TOP_BIT 24	/* WEIGHT_STRUCT */

struct faults {
	struct perf_event_attr attr;
	struct sample samples[NR_FAULTS + 8];
	struct perf_event_header headers[NR_FAULTS + 8];
	unsigned int nr;
	const char *pages;
	uint64_t id, begin, end;
};

/* Samples NR_FAULTS faults with these fields. */
static struct faults *sample_faults(struct perf_event_attr attr)
{
	static struct record record;
	static struct faults faults;
	struct ring ring;
	int fd;

	attr.sample_period = attr.sample_period ?: 1;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	faults.attr = attr;
	faults.id = event_id(fd);
	faults.pages = fresh_pages(NR_FAULTS);
	faults.begin = clock_ns(CLOCK_MONOTONIC);
	event_enable(fd);
	touch_loop((char *)faults.pages, NR_FAULTS);
	event_disable(fd);
	faults.end = clock_ns(CLOCK_MONOTONIC);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			FAIL("a record of type %u", record.header.type);
		CHECK(faults.nr < NR_FAULTS + 8);
		faults.headers[faults.nr] = record.header;
		sample_parse(&record, &attr, &faults.samples[faults.nr++]);
	}
	return &faults;
}

static struct perf_event_attr fault_attr(uint64_t sample_type)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_type = sample_type;
	attr.sample_regs_user = attr.sample_regs_intr = ARCH_SP_AND_IP;
	attr.sample_stack_user = 64;
	return attr;
}

static void ip_tells_the_instruction(long unused)
{
	struct faults *faults = sample_faults(fault_attr(PERF_SAMPLE_IP));
	unsigned int i;

	(void)unused;
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		CHECK_EQ(faults->samples[i].ip, (uintptr_t)touch_begin);
		CHECK_EQ(faults->headers[i].misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	}
}

static void addr_tells_the_page(long unused)
{
	struct faults *faults = sample_faults(fault_attr(PERF_SAMPLE_ADDR));
	unsigned int i;

	(void)unused;
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++)
		CHECK_EQ(faults->samples[i].addr, (uintptr_t)faults->pages + i * PAGE);
}

static void tid_tells_process_and_thread(long unused)
{
	struct faults *faults = sample_faults(fault_attr(PERF_SAMPLE_TID));
	unsigned int i;

	(void)unused;
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		CHECK_EQ(faults->samples[i].pid, getpid());
		CHECK_EQ(faults->samples[i].tid, syscall(SYS_gettid));
	}
}

static void time_rises_and_is_of_the_clock_asked_for(long unused)
{
	struct faults *faults = sample_faults(fault_attr(PERF_SAMPLE_TIME));
	uint64_t last = faults->begin;
	unsigned int i;

	(void)unused;
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		CHECK_RANGE(faults->samples[i].time, last, faults->end);
		last = faults->samples[i].time;
	}
}

static void cpu_tells_where(long unused)
{
	unsigned int cpu = cpus_online() - 1, i;
	struct faults *faults;

	(void)unused;
	pin_to_cpu(cpu);
	faults = sample_faults(fault_attr(PERF_SAMPLE_CPU));
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++)
		CHECK_EQ(faults->samples[i].cpu, cpu);
}

static void ids_tell_the_event(long unused)
{
	struct faults *faults = sample_faults(fault_attr(PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
							 PERF_SAMPLE_IDENTIFIER));
	unsigned int i;

	(void)unused;
	CHECK_EQ(faults->nr, NR_FAULTS);
	CHECK(faults->id);
	for (i = 0; i < faults->nr; i++) {
		CHECK_EQ(faults->samples[i].id, faults->id);
		CHECK_EQ(faults->samples[i].identifier, faults->id);
		CHECK_EQ(faults->samples[i].stream_id, faults->id);
	}
}

static void every_fourth_fault_is_a_sample(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_ADDR);
	struct faults *faults;

	(void)unused;
	attr.sample_period = test_busted("period") ? 3 : 4;
	faults = sample_faults(attr);
	CHECK_EQ(faults->nr, NR_FAULTS / 4);
	CHECK_EQ(faults->samples[0].addr, (uintptr_t)faults->pages + 3 * PAGE);
	CHECK_EQ(faults->samples[1].addr, (uintptr_t)faults->pages + 7 * PAGE);
}

/* A software event that is asked for periods gives each of its events, with how many it stands for. */
static void period_tells_how_many_events(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_PERIOD);
	struct faults *faults;
	unsigned int i;

	(void)unused;
	attr.sample_period = 4;
	faults = sample_faults(attr);
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++)
		CHECK_EQ(faults->samples[i].period, 1);
}

static void read_tells_the_count(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_READ);
	struct faults *faults;
	unsigned int i;

	(void)unused;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
			   PERF_FORMAT_LOST;
	faults = sample_faults(attr);
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		CHECK_EQ(faults->samples[i].nr_read, 5);
		CHECK_EQ(faults->samples[i].read[0], i + 1);
		CHECK(faults->samples[i].read[1] && faults->samples[i].read[2]);
		CHECK(faults->samples[i].read[2] <= faults->samples[i].read[1]);
		CHECK_EQ(faults->samples[i].read[3], faults->id);
		CHECK_EQ(faults->samples[i].read[4], 0);
	}
}

/* A group's values in the leader's samples: leader first. */
static void read_tells_the_counts_of_a_group(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_READ);
	static struct record record;
	uint64_t ids[2], nr = 0;
	struct sample sample;
	struct ring ring;
	int leader, sibling;

	(void)unused;
	attr.sample_period = 1;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	leader = must_open_self(&attr);
	attr.sample_period = 0;
	attr.sample_type = 0;
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	ids[0] = event_id(leader);
	ids[1] = event_id(sibling);
	ring = ring_map(leader, 8, PROT_READ | PROT_WRITE);
	event_enable(leader);
	touch_loop(fresh_pages(NR_FAULTS), NR_FAULTS);
	event_disable(leader);
	attr.sample_type = PERF_SAMPLE_READ;
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		nr++;
		CHECK_EQ(sample.nr_read, 5);
		CHECK_EQ(sample.read[0], 2);
		CHECK_EQ(sample.read[1], nr);
		CHECK_EQ(sample.read[2], ids[0]);
		CHECK_RANGE(sample.read[3], nr - 1, nr);
		CHECK_EQ(sample.read[4], ids[1]);
	}
	CHECK_EQ(nr, NR_FAULTS);
}

__attribute__((noinline)) static struct faults *called_here(uint64_t type)
{
	struct faults *faults = sample_faults(fault_attr(type));

	__asm__ volatile("" :: "r" (faults) : "memory");
	return faults;
}

/* The user's part: the fault, the caller of touch_loop(), its caller. */
static void callchain_tells_the_callers(long unused)
{
	struct faults *faults = called_here(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IP);
	unsigned int i, user;

	(void)unused;
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		struct sample *sample = &faults->samples[i];

		for (user = 0; user < sample->nr_chain; user++)
			if (sample->chain[user] == (uint64_t)PERF_CONTEXT_USER)
				break;
		CHECK(user + 3 < sample->nr_chain);
		CHECK_EQ(sample->chain[user + 1], sample->ip);
		CHECK(sample->chain[user + 2] > (uintptr_t)called_here - 0x2000 &&
		      sample->chain[user + 2] < (uintptr_t)called_here + 0x2000);
	}
}

/* A switch happens in the kernel: its chain has a part of each, unless one is excluded. */
static void callchain_has_the_parts_asked_for(long exclude_kernel)
{
	struct perf_event_attr attr = event_attr(SWITCHES);
	unsigned int nr = 0, with_kernel = 0, with_user = 0, i;
	static struct record record;
	struct sample sample;
	struct ring ring;
	int fd;

	attr.exclude_kernel = 0;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	attr.exclude_callchain_kernel = exclude_kernel && !test_busted("chain");
	attr.exclude_callchain_user = !exclude_kernel && !test_busted("chain");
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	switch_away(3);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		nr++;
		for (i = 0; i < sample.nr_chain; i++) {
			with_kernel += sample.chain[i] == (uint64_t)PERF_CONTEXT_KERNEL;
			with_user += sample.chain[i] == (uint64_t)PERF_CONTEXT_USER;
		}
	}
	CHECK(nr);
	CHECK_EQ(with_kernel, exclude_kernel ? 0 : nr);
	CHECK_EQ(with_user, exclude_kernel ? nr : 0);
}

/* The depth asked for holds, context marks aside. */
static void callchain_is_no_longer_than_asked(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_CALLCHAIN);
	struct faults *faults;
	unsigned int i;

	(void)unused;
	attr.sample_max_stack = test_busted("chain") ? 100 : 2;
	attr.exclude_callchain_kernel = 1;
	faults = sample_faults(attr);
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++)
		CHECK_RANGE(faults->samples[i].nr_chain, 1, 3);
}

#define DEEP		9000	/* callers: 72,000 bytes, more than a record can have */
#define LONGEST		0xfff8	/* the greatest size of 16 bits that is a multiple of 8 */

/* At the bottom, two faults: one seen from @depth calls down, one behind it. */
__attribute__((noipa))
static void fault_deep_down(unsigned int depth, volatile char *pages, int fd)
{
	if (depth) {
		fault_deep_down(depth - 1, pages, fd);
	} else {
		event_enable(fd);
		pages[0] = 1;
		pages[PAGE] = 1;
		event_disable(fd);
	}
	__asm__ volatile("");	/* no jump instead of the call */
}

/* The outermost callers are left out, and what is behind the sample in the ring is as it should be. */
static void callchain_too_deep_for_a_record_is_shortened(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR);
	long stack = sysctl_get("perf_event_max_stack");
	static struct record records[3];
	volatile char *pages;
	struct ring ring;
	unsigned int i, nr;
	int fd;

	(void)unused;
	if (!is_pcl())
		test_skip("stock writes a size that lacks its upper bits");
	sysctl_set("perf_event_max_stack", DEEP + 100);
	attr.sample_period = 1;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	pages = fresh_pages(2);
	fault_deep_down(test_busted("chain") ? 10 : DEEP, pages, fd);
	for (nr = 0; nr < 3 && ring_take(&ring, &records[nr]); nr++)
		;
	/* Before anything can fail: the next tests shall find it as it was. */
	close(fd);
	ring_unmap(&ring);
	sysctl_set("perf_event_max_stack", stack);
	CHECK_EQ(nr, 2);
	for (i = 0; i < nr; i++) {
		CHECK_EQ(records[i].header.type, PERF_RECORD_SAMPLE);
		CHECK_EQ(records[i].header.size, LONGEST);
		CHECK_EQ(records[i].body[0], (uintptr_t)pages + i * PAGE);
		CHECK_EQ(records[i].body[1], LONGEST / 8 - 3);	/* header, address, number */
	}
}

/* PERF_MEM_*: operation, level, snoop, lock and TLB are not available. */
#define NO_SOURCE	(1ULL << 0 | 1ULL << 5 | 1ULL << 19 | 1ULL << 24 | 1ULL << 26)

static void all_fields_lie_in_order(long unused)
{
	struct perf_event_attr attr = fault_attr(ALL_FIELDS);
	struct faults *faults;
	unsigned int i;

	(void)unused;
	attr.read_format = PERF_FORMAT_ID;
	faults = sample_faults(attr);
	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		struct sample *sample = &faults->samples[i];

		CHECK_EQ(sample->identifier, faults->id);
		CHECK_EQ(sample->ip, (uintptr_t)touch_begin);
		CHECK_EQ(sample->tid, syscall(SYS_gettid));
		CHECK_RANGE(sample->time, faults->begin, faults->end);
		CHECK_EQ(sample->addr, (uintptr_t)faults->pages + i * PAGE);
		CHECK_EQ(sample->id, faults->id);
		CHECK_EQ(sample->stream_id, faults->id);
		CHECK_EQ(sample->period, 1);
		CHECK_EQ(sample->read[0], i + 1);
		CHECK_EQ(sample->read[1], faults->id);
		CHECK(sample->nr_chain > 2);
		CHECK_EQ(sample->raw_size, 4);
		if (ARCH_FIELDS) {
			CHECK_EQ(sample->user.nr, 2);
			CHECK_EQ(sample->user.at[1], sample->ip);
			CHECK_EQ(sample->stack_size, 64);
			CHECK_EQ(sample->stack_copied, 64);
			CHECK_EQ(sample->intr.nr, 2);
			CHECK_EQ(sample->intr.at[1], sample->ip);
		}
		CHECK_EQ(sample->weight, 0);
		CHECK_EQ(sample->data_src, NO_SOURCE);
		CHECK_EQ(sample->transaction, 0);
		CHECK_EQ(sample->phys_addr, 0);
		CHECK(sample->cgroup);
		CHECK_EQ(sample->data_page_size, 0);
		CHECK_EQ(sample->code_page_size, ARCH_WALKS_PAGES ? PAGE : 0);
	}
}

/* What a page fault does not have. */
static void what_the_source_does_not_know_is_none(long weight)
{
	struct faults *faults = sample_faults(fault_attr(PERF_SAMPLE_RAW | weight | PERF_SAMPLE_DATA_SRC |
							 PERF_SAMPLE_TRANSACTION));
	unsigned int i;

	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++) {
		CHECK_EQ(faults->samples[i].raw_size, 4);
		CHECK_EQ(faults->samples[i].weight, 0);
		CHECK_EQ(faults->samples[i].data_src, NO_SOURCE);
		CHECK_EQ(faults->samples[i].transaction, 0);
	}
}

/* ---- cgroups ---- */

static const char hierarchy[] = "/tmp/fields-cgroup", group[] = "/tmp/fields-cgroup/group";

/* A cgroup's number is that of its directory's inode. */
static uint64_t number_of(const char *directory)
{
	struct stat stat_;

	CHECK(!stat(directory, &stat_));
	return stat_.st_ino;
}

static void cgroups_must_be(struct faults *faults, uint64_t number)
{
	unsigned int i;

	CHECK_EQ(faults->nr, NR_FAULTS);
	for (i = 0; i < faults->nr; i++)
		CHECK_EQ(faults->samples[i].cgroup, number);
	faults->nr = 0;
}

static int fault_in_cgroups(void *unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_CGROUP);

	(void)unused;
	cgroups_must_be(sample_faults(attr), number_of(hierarchy));
	if (!test_busted("cgroup"))
		cgroup_enter(group, 0);
	cgroups_must_be(sample_faults(attr), number_of(group));
	cgroup_enter(hierarchy, 0);
	cgroups_must_be(sample_faults(attr), number_of(hierarchy));
	return 0;
}

static void cgroup_tells_where_the_task_is(long unused)
{
	int status;

	(void)unused;
	cgroup_mount(hierarchy, group);
	status = in_child(fault_in_cgroups, NULL);
	cgroup_unmount(hierarchy, group);
	CHECK_EQ(status, 0);
}

static void each_single_field_has_its_size(long unused)
{
	unsigned int bit;

	(void)unused;
	for (bit = 0; bit <= TOP_BIT; bit++) {
		struct faults *faults;

		if (!(ALL_FIELDS & (1ULL << bit)))
			continue;
		faults = sample_faults(fault_attr(1ULL << bit));
		CHECK_EQ(faults->nr, NR_FAULTS);
		faults->nr = 0;
	}
}

static void hardware_samples_have_all_fields(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	static struct record record;
	struct sample sample;
	unsigned int nr = 0;
	struct ring ring;
	int fd;

	(void)unused;
	attr.sample_period = 10000;
	attr.sample_type = ALL_FIELDS;
	attr.sample_regs_user = attr.sample_regs_intr = ARCH_IP;
	attr.sample_stack_user = 64;
	attr.read_format = PERF_FORMAT_ID;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(52500);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		nr++;
		CHECK_RANGE(sample.ip, (uintptr_t)loop_begin, (uintptr_t)loop_end - 1);
		CHECK_EQ(sample.identifier, event_id(fd));
		CHECK_EQ(sample.tid, syscall(SYS_gettid));
		CHECK_EQ(sample.period, 10000);
		CHECK_RANGE(sample.read[0], nr * 10000, nr * 10000 + 20);
		CHECK_EQ(sample.chain[0], (uint64_t)PERF_CONTEXT_USER);
		CHECK_EQ(sample.chain[1], sample.ip);
		if (ARCH_FIELDS) {
			CHECK_EQ(sample.user.at[0], sample.ip);
			CHECK_EQ(sample.stack_copied, 64);
			CHECK_EQ(sample.intr.at[0], sample.ip);
		}
		CHECK(sample.cgroup);
		CHECK_EQ(sample.code_page_size, ARCH_WALKS_PAGES ? PAGE : 0);
	}
	CHECK_EQ(nr, 10);
}

static const struct test tests[] = {
	TEST(ip_tells_the_instruction),
	TEST(addr_tells_the_page),
	TEST(tid_tells_process_and_thread),
	TEST(time_rises_and_is_of_the_clock_asked_for),
	TEST(cpu_tells_where),
	TEST(ids_tell_the_event),
	TEST(every_fourth_fault_is_a_sample),
	TEST(period_tells_how_many_events),
	TEST(read_tells_the_count),
	TEST(read_tells_the_counts_of_a_group),
	TEST(callchain_tells_the_callers),
	TEST_WITH(callchain_has_the_parts_asked_for, "(not the kernel's)", 1),
	TEST_WITH(callchain_has_the_parts_asked_for, "(not the user's)", 0),
	TEST(callchain_is_no_longer_than_asked),
	TEST(callchain_too_deep_for_a_record_is_shortened),
	TEST(all_fields_lie_in_order),
	TEST(each_single_field_has_its_size),
	TEST_WITH(what_the_source_does_not_know_is_none, "(with a weight)", PERF_SAMPLE_WEIGHT),
	TEST_WITH(what_the_source_does_not_know_is_none, "(with weights)", PERF_SAMPLE_WEIGHT_STRUCT),
	TEST(cgroup_tells_where_the_task_is),
	TEST(hardware_samples_have_all_fields),
};

int main(void)
{
	return TESTS_RUN(tests);
}
