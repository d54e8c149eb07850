// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what Itanium's chips record beside counts, as programs see it below the engine: misses, branches, bundles in
 *	records. spies.c: that none of it is another task's.
 *
 * Concepts: as in ia64.c. Expected words of DATA_SRC are written down as numbers, worked out by hand from the fields of
 *	union perf_mem_data_src: operation at bit 0, level 5, snoop 19, lock 24, TLB 26.
 * Contexts: root, in boots whose emulator has no PMU (pmu-half=1).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
#include <sys/mman.h>

#include "recorders.h"

#define WANTED		(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | \
			 PERF_SAMPLE_DATA_SRC)

/* DATA_SRC of a load, of a fetch, and of neither, of which nothing else is known */
#define LOAD		0x05080022ULL
#define FETCH		0x05080030ULL
#define NEITHER		0x05080021ULL

uint64_t ear_of(const struct chip *chip, bool data)
{
	return data ? chip->data_ear : chip->fetch_ear;
}

struct perf_event_attr recorder(uint64_t config, uint64_t period, unsigned int precise)
{
	struct perf_event_attr attr = raw(config);

	attr.sample_period = period;
	attr.precise_ip = precise;
	attr.sample_type = WANTED;
	return attr;
}

int open_recorder(struct perf_event_attr attr, struct ring *ring)
{
	int fd = must_open(&attr, 0, -1, -1);

	*ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	return fd;
}

void close_recorder(int fd, struct ring *ring)
{
	struct record record;

	CHECK(!ring_take(ring, &record));
	ring_unmap(ring);
	close(fd);
}

struct sample take_any(struct ring *ring, const struct perf_event_attr *attr, bool exact)
{
	static struct record record;
	struct sample sample;

	CHECK(ring_take(ring, &record));
	CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
	CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	CHECK_EQ(!!(record.header.misc & PERF_RECORD_MISC_EXACT_IP), exact);
	sample_parse(&record, attr, &sample);
	CHECK_EQ(sample.pid, sample.tid);
	CHECK_EQ(sample.period, attr->sample_period);
	return sample;
}

struct sample take(struct ring *ring, const struct perf_event_attr *attr, bool exact)
{
	struct sample sample = take_any(ring, attr, exact);

	CHECK_EQ(sample.pid, getpid());
	return sample;
}

/* ---- event address registers --------------------------------------------------------------------------------------- */

static void miss_cache(bool data, uint64_t cycles, uint64_t address, uint64_t ip)
{
	order_at(data ? IA64_ORDER_DATA : IA64_ORDER_FETCH, OF_CACHE, cycles, address, ip);
}

/*
 * Loads that took 32 cycles or more, and fetches of 128: a record each, with address, latency and instruction. Which
 * instruction it was of a fetch nobody knows: its line is told.
 */
static void check_slow(long nr, bool data)
{
	unsigned int least = data ? 32 : 128, i;
	struct perf_event_attr attr;
	struct ring ring;
	int fd;

	attr = recorder(ear_of(&chips[nr], data) | (data ? EAR_LATENCY(3) : chips[nr].slow_fetch), 1, 2);
	if (!data) {
		must_be_refused(attr, -1, EOPNOTSUPP, PCL_REASON_IA64_PRECISE_DEGREE);
		attr.precise_ip = 1;
	}
	fd = open_recorder(attr, &ring);
	for (i = 0; i < 20; i++) {
		miss_cache(data, least - 10 + i + test_busted("recorded"), data ? DATA + 8 * i : WHERE + 32 * i, WHERE + 16 * i);
		miss_cache(!data, 500, data ? WHERE + 32 * i : DATA, WHERE);
		order_tlb_miss(data, FROM_WALKER, data ? DATA : WHERE, WHERE);
	}
	for (i = 10; i < 20; i++) {
		struct sample sample = take(&ring, &attr, data);

		CHECK_EQ(sample.ip, data ? WHERE + 16 * i : WHERE - 16 + 32 * i);
		CHECK_EQ(sample.addr, data ? DATA + 8 * i : WHERE - 16 + 32 * i);
		CHECK_EQ(sample.weight, least - 10 + i);
		CHECK_EQ(sample.data_src, data ? LOAD : FETCH);
	}
	CHECK_EQ(event_read(fd), 10);
	close_recorder(fd, &ring);
}

static void slow_misses_are_records(long nr)
{
	machine_begin(&chips[nr]);
	trace_refusals();
	check_slow(nr, true);
	check_slow(nr, false);
	machine_end();
}

/*
 * More cycles than the register has bits for: so many at least. Merced's, of 12 bits, does not say that there were more.
 */
static void latencies_end_somewhere(long nr)
{
	static const struct row { uint64_t cycles, told; } rows[2][3] = {
		{ { 4095, 4095 }, { 4096, 4096 }, { 5000, 4096 } }, { { 8191, 8191 }, { 8192, 8192 }, { 9000, 8192 } },
	};
	unsigned int data, i;

	machine_begin(&chips[nr]);
	for (data = 0; data < 2; data++) {
		struct perf_event_attr attr = recorder(ear_of(&chips[nr], data) | (data ? 0 : chips[nr].slow_fetch), 1, 1);
		const struct row *row = rows[data && nr != MERCED];
		struct ring ring;
		int fd = open_recorder(attr, &ring);

		for (i = 0; i < (nr == MERCED ? 1 : 3); i++) {
			miss_cache(data, row[i].cycles, DATA, WHERE);
			CHECK_EQ(take(&ring, &attr, data).weight, row[i].told + test_busted("recorded"));
		}
		close_recorder(fd, &ring);
	}
	machine_end();
}

/* What the unit mask has for a level. Of fetches Merced tells two, the others count from the second level's on. */
static uint64_t level_mask(long nr, bool data, unsigned int level)
{
	return 1 << (data || nr == MERCED ? level : level - 1);
}

/*
 * Misses of the TLB: of all levels, but on Merced, where one must be named; then one level's alone. DATA_SRC has where the
 * page came from: the second level had it, hit; the walker, hit; the system, which is the miss of both. How long it took
 * nobody says.
 */
static void check_tlb(long nr, bool data)
{
	static const uint64_t sources[2][4] = {
		{ 0, 0x49080030ULL, 0x89080030ULL, 0x111080030ULL }, { 0, 0x49080021ULL, 0x89080021ULL, 0x111080021ULL },
	};
	unsigned int first = data || nr != MERCED ? FROM_L2 : FROM_WALKER, only, level;
	uint64_t all = 0;

	for (level = first; level <= FROM_SOFTWARE; level++)
		all |= level_mask(nr, data, level);
	for (only = 0; only <= FROM_SOFTWARE; only++) {
		uint64_t umask = only ? level_mask(nr, data, only) : all;
		struct perf_event_attr attr;
		struct ring ring;
		int fd;

		if (only ? only < first : nr == MERCED)
			continue;
		attr = recorder(ear_of(&chips[nr], data) | EAR_MODE(OF_TLB) | EAR_UMASK(umask), 1, data ? 2 : 1);
		fd = open_recorder(attr, &ring);
		for (level = FROM_L2; level <= FROM_SOFTWARE; level++) {
			struct sample sample;

			order_tlb_miss(data, level, data ? DATA + 8 * level : WHERE + 32 * level, WHERE + 16 * level);
			miss_cache(data, 5000, DATA, WHERE);
			if (level < first || (only && level != only))
				continue;
			sample = take(&ring, &attr, data);
			CHECK_EQ(sample.ip, data ? WHERE + 16 * level : WHERE - 16 + 32 * level);
			CHECK_EQ(sample.addr, data ? DATA + 8 * level : WHERE - 16 + 32 * level);
			CHECK_EQ(sample.weight, 0);
			CHECK_EQ(sample.data_src, sources[data][level] + test_busted("recorded"));
		}
		CHECK_EQ(event_read(fd), only ? 1 : FROM_SOFTWARE + 1 - first);
		close_recorder(fd, &ring);
	}
}

static void tlb_misses_have_their_level(long nr)
{
	machine_begin(&chips[nr]);
	check_tlb(nr, true);
	check_tlb(nr, false);
	machine_end();
}

/* Of a check that missed the ALAT there is the instruction, and no more. */
static void alat_misses_have_their_place(long nr)
{
	struct perf_event_attr attr;
	struct ring ring;
	unsigned int i;
	int fd;

	machine_begin(&chips[nr]);
	trace_refusals();
	attr = recorder(chips[nr].data_ear | EAR_MODE(OF_ALAT), 1, 2);
	if (nr == MERCED) {
		must_be_refused(attr, -1, EINVAL, PCL_REASON_IA64_EAR_MODE + test_busted("recorded"));
		machine_end();
		return;
	}
	fd = open_recorder(attr, &ring);
	for (i = 0; i < 10; i++) {
		struct sample sample;

		order_at(IA64_ORDER_DATA, OF_ALAT, 50, DATA + 8 * i, WHERE + 16 * i);
		order_at(IA64_ORDER_DATA, OF_CACHE, 50, DATA, WHERE);
		sample = take(&ring, &attr, true);
		CHECK_EQ(sample.ip, WHERE + 16 * i);
		CHECK_EQ(sample.addr, 0);
		CHECK_EQ(sample.weight, 0);
		CHECK_EQ(sample.data_src, NEITHER + test_busted("recorded"));
	}
	close_recorder(fd, &ring);
	machine_end();
}

/* An event beside one that records has nothing of that in its own records. */
static void others_have_no_misses(long nr)
{
	struct perf_event_attr attr, beside;
	struct ring ring, others;
	struct sample sample;
	int fd, other;

	machine_begin(&chips[nr]);
	attr = recorder(chips[nr].data_ear | EAR_LATENCY(3), 1, 2);
	beside = recorder(CYCLE, 10, 0);
	fd = open_recorder(attr, &ring);
	other = open_recorder(beside, &others);
	order_at(IA64_ORDER_DATA, OF_CACHE, 50, DATA, WHERE);
	order(IA64_ORDER_USER, CYCLE, 10);
	sample = take(&others, &beside, false);
	CHECK(sample.ip != WHERE);
	CHECK_EQ(sample.addr, 0);
	CHECK_EQ(sample.weight, 0);
	CHECK_EQ(sample.data_src, NEITHER);
	CHECK_EQ(take(&ring, &attr, true).addr, DATA + test_busted("recorded"));
	close_recorder(other, &others);
	close_recorder(fd, &ring);
	machine_end();
}

/* ---- the branch trace buffer ---------------------------------------------------------------------------------------- */

struct perf_event_attr brancher(void)
{
	struct perf_event_attr attr = raw(CYCLE);

	attr.sample_period = 10;
	attr.sample_type = PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	return attr;
}

unsigned int take_branches(struct ring *ring, struct perf_branch_entry *branches, unsigned int most)
{
	static struct record record;
	unsigned int nr;

	CHECK(ring_take(ring, &record));
	CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
	CHECK_EQ(record.body[0], 10);
	CHECK_RANGE(record.body[1], 0, most);
	nr = record.body[1];
	CHECK_EQ(record.header.size, 8 + 8 + 8 + nr * sizeof(*branches));
	memcpy(branches, &record.body[2], nr * sizeof(*branches));
	return nr;
}

/*
 * The branches before a sample that were taken, newest first. A switch of tasks meanwhile wipes out those before it, and
 * nothing else does.
 */
static void branches_are_stacked(long nr)
{
	unsigned int i, round, found, whole = 0;
	struct perf_branch_entry branches[3];
	uint64_t before;
	struct ring ring;
	int fd;

	machine_begin(&chips[nr]);
	fd = open_recorder(brancher(), &ring);
	for (round = 0; round < ROUNDS && whole < 20; round++) {
		before = switches();
		for (i = 0; i < 3; i++) {
			order_at(IA64_ORDER_BRANCH, 3, 0, WHERE + 0x1000 * (i + 1), WHERE + 0x100 * (round + i));
			order_at(IA64_ORDER_BRANCH, 3 | IA64_NOT_TAKEN, 0, WHERE + 0x20, WHERE + 0x10);
		}
		order(IA64_ORDER_USER, CYCLE, 10);
		found = take_branches(&ring, branches, 3);
		CHECK(found == 3 || switches() != before);
		for (i = 0; i < found; i++) {
			CHECK_EQ(branches[i].from, WHERE + 0x100 * (round + 2 - i) + test_busted("recorded"));
			CHECK_EQ(branches[i].to, WHERE + 0x1000 * (3 - i));
			CHECK_EQ(branches[i].mispred, 0);
			CHECK_EQ(branches[i].predicted, 1);
		}
		whole += found == 3;
	}
	CHECK_EQ(whole, 20);
	close_recorder(fd, &ring);
	machine_end();
}

/* What the buffer captures is counted whether anybody wants the branches or not, and whether they are taken or not. */
static void captured_branches_are_counted(long nr)
{
	struct perf_event_attr attr = raw(CODE_OF(0x11));	/* BRANCH_EVENT */
	unsigned int i;
	int fd;

	machine_begin(&chips[nr]);
	fd = must_open_self(&attr);
	event_enable(fd);
	for (i = 0; i < 7; i++)
		order_at(IA64_ORDER_BRANCH, i % 2 ? 3 : 3 | IA64_NOT_TAKEN, 0, WHERE + 0x1000, WHERE + 0x100 * i);
	CHECK_EQ(event_read(fd), 7 + test_busted("recorded"));
	close(fd);
	machine_end();
}

/*
 * Bundles that retire, in the buffer instead of branches: the last is where the sample is. Without any since the counters
 * went on, which a switch of tasks makes them do, that is where the interrupt was, in this program.
 */
static void bundles_are_places(long nr)
{
	struct perf_event_attr attr = recorder(CYCLE | IP_EAR, 10, 1), branches;
	unsigned int i, round, whole = 0;
	struct ring ring;
	int fd;

	machine_begin(&chips[nr]);
	trace_refusals();
	if (!chips[nr].has_bundles) {
		must_be_refused(attr, -1, EOPNOTSUPP, PCL_REASON_IA64_IPEAR_CHIP + test_busted("recorded"));
		machine_end();
		return;
	}
	branches = brancher();
	branches.config |= IP_EAR;
	must_be_refused(branches, -1, EINVAL, PCL_REASON_IA64_IPEAR_TRACE);
	must_be_refused(raw(CYCLE | IP_EAR), -1, EINVAL, PCL_REASON_IA64_IPEAR_COUNTS);
	fd = open_recorder(attr, &ring);
	must_be_refused(brancher(), fd, EINVAL, PCL_REASON_IA64_GROUP_IPEAR);
	for (round = 0; round < ROUNDS && whole < 100; round++) {
		unsigned int bundles = round % 24;	/* the buffer has room for 16 */
		uint64_t before = switches();
		struct sample sample;

		for (i = 0; i < bundles; i++)
			order_at(IA64_ORDER_BUNDLE, 0, 3, 0, WHERE + 0x1000 * round + 16 * i);
		order(IA64_ORDER_USER, CYCLE, 10);
		sample = take(&ring, &attr, false);
		CHECK_EQ(sample.addr, 0);
		CHECK_EQ(sample.weight, 0);
		CHECK_EQ(sample.data_src, NEITHER);
		if (sample.ip < WHERE) {
			CHECK(!bundles || switches() != before);
			continue;
		}
		CHECK(bundles);
		CHECK_EQ(sample.ip, WHERE + 0x1000 * round + 16 * (bundles - 1) + test_busted("recorded"));
		whole++;
	}
	CHECK_EQ(whole, 100);
	close_recorder(fd, &ring);
	machine_end();
}

static const struct test tests[] = {
	ON_EACH(slow_misses_are_records),
	ON_EACH(latencies_end_somewhere),
	ON_EACH(tlb_misses_have_their_level),
	ON_EACH(alat_misses_have_their_place),
	ON_EACH(others_have_no_misses),
	ON_EACH(branches_are_stacked),
	ON_EACH(captured_branches_are_counted),
	ON_EACH(bundles_are_places),
	ON_EACH(loads_are_not_anothers),
	ON_EACH(fetches_are_not_anothers),
	ON_EACH(branches_are_not_anothers),
	TEST_WITH(bundles_are_not_anothers, "(Montecito)", MONTECITO),
	TEST_WITH(bundles_are_not_anothers, "(Montvale)", MONTVALE),
	ON_EACH(the_cpus_records_are_not_for_who_may_read),
};

int main(void)
{
	return TESTS_RUN(tests);
}
