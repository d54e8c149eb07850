// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: who may read a counter by RDPMC, and what it shows: nothing of what other tasks did.
 *
 * Concepts: the instruction has no idea of events: whoever may use it reads any counter of the CPU. So what another task
 *	left in one is zeroed before.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/hw_breakpoint.h>

#include "lib/event.h"
#include "lib/member.h"
#include "lib/trace.h"

#define RDPMC	"/sys/bus/event_source/devices/cpu/rdpmc"

/* ---- who may ---- */

static void rdpmc_is_for(char who)
{
	int fd = open(RDPMC, O_WRONLY);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, &who, 1), 1);
	close(fd);
}

static int read_counter(void *counter)
{
	rdpmc((uintptr_t)counter);
	return 0;
}

/* The instruction in a process of its own: 0, or the signal that it gives. */
static int rdpmc_in_child(void)
{
	return in_child(read_counter, NULL);
}

#define FORBIDDEN (128 + ARCH_FORBIDDEN)

/* By default the right comes with a mapped event, and goes with it. */
static void rdpmc_belongs_to_who_maps(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	struct ring ring;
	uint64_t count;

	(void)unused;
	need_user_reads();
	CHECK_EQ(rdpmc_in_child(), FORBIDDEN);
	ring = ring_map(fd, 0, PROT_READ);
	event_enable(fd);
	CHECK(ring.page->cap_user_rdpmc);
	CHECK(event_rdpmc(ring.page, &count));
	ring_unmap(&ring);
	CHECK_EQ(rdpmc_in_child(), FORBIDDEN);
}

#define NR_OTHERS 5

static long watched[NR_OTHERS];

/*
 * Only what is on a counter says that it can be read there, whatever others keep in the place of the driver's flags:
 * breakpoints of one task, pointers to each other.
 */
static void only_counters_can_be_read(long unused)
{
	struct perf_event_attr attrs[NR_OTHERS] = { event_attr(CPU_CLOCK), trace_attr(CALL) };
	struct ring rings[NR_OTHERS];
	int fds[NR_OTHERS];
	unsigned int i, round;

	(void)unused;
	if (!is_pcl())
		test_skip("on stock that is at random");
	attrs[0].sample_period = attrs[1].sample_period = 1000000000;
	for (i = 2; i < NR_OTHERS; i++) {
		attrs[i] = event_attr(PERF_TYPE_BREAKPOINT, 0);
		attrs[i].bp_type = HW_BREAKPOINT_W;
		attrs[i].bp_addr = (uintptr_t)&watched[i];
		attrs[i].bp_len = HW_BREAKPOINT_LEN_8;
	}
	if (test_busted("rdpmc"))
		attrs[1] = event_attr(INSTRUCTIONS);
	for (round = 0; round < 100; round++) {
		for (i = 0; i < NR_OTHERS; i++) {
			attrs[i].disabled = 0;
			fds[i] = must_open_self(&attrs[i]);
			rings[i] = ring_map(fds[i], 1, PROT_READ | PROT_WRITE);
		}
		for (i = 0; i < NR_OTHERS; i++) {
			CHECK(!rings[i].page->cap_user_rdpmc);
			event_disable(fds[i]);
			CHECK(!rings[i].page->cap_user_rdpmc);
		}
		for (i = 0; i < NR_OTHERS; i++) {
			ring_unmap(&rings[i]);
			close(fds[i]);
		}
	}
}

static void need_modes(void)
{
	if (!ARCH_READ_MODES)
		test_skip("nobody can forbid or allow it here");
}

static void rdpmc_can_be_forbidden(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	struct ring ring;
	uint64_t count;
	int fd;

	(void)unused;
	if (!have_pmu())
		test_skip("this machine has no PMU");
	need_modes();
	if (!test_busted("rdpmc"))
		rdpmc_is_for('0');
	fd = must_open_self(&attr);
	ring = ring_map(fd, 0, PROT_READ);
	event_enable(fd);
	CHECK(!ring.page->cap_user_rdpmc);
	CHECK(!event_rdpmc(ring.page, &count));
	CHECK_EQ(rdpmc_in_child(), FORBIDDEN);
	rdpmc_is_for('1');
}

static void rdpmc_can_be_for_all(long unused)
{
	(void)unused;
	if (!have_pmu())
		test_skip("this machine has no PMU");
	need_modes();
	CHECK_EQ(rdpmc_in_child(), FORBIDDEN);
	if (!test_busted("rdpmc"))
		rdpmc_is_for('2');
	CHECK_EQ(rdpmc_in_child(), 0);
	rdpmc_is_for('1');
	CHECK_EQ(rdpmc_in_child(), FORBIDDEN);
}

/* ---- what is seen ---- */

#define FIXED		0x40000000U	/* RDPMC's number of the first counter with a fixed event */
#define MOST		64
#define ROUNDS		20

static uint32_t counters[MOST];
static unsigned int nr_counters;

/* Those that the instruction takes. */
static void find_counters(void)
{
	uint32_t i;

	if (!ARCH_READ_MODES) {
		counters[nr_counters++] = 0;
		counters[nr_counters++] = 1;
		return;
	}
	rdpmc_is_for('2');
	for (i = 0; i < 16; i++)
		if (!in_child(read_counter, (void *)(uintptr_t)i))
			counters[nr_counters++] = i;
	for (i = 0; i < 4; i++)
		if (!in_child(read_counter, (void *)(uintptr_t)(FIXED + i)))
			counters[nr_counters++] = FIXED + i;
	rdpmc_is_for('1');
}

/* @page's event has it now. */
static bool is_own(const volatile struct perf_event_mmap_page *page, uint32_t counter)
{
	return page->index && counter == page->index - 1;
}

/* A neighbour on the same CPU, with so many events: while it runs, no counter but its reader's own moves. */
static void what_others_did_is_not_seen(long nr_events)
{
	static const uint64_t kinds[] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES,
	};
	struct perf_event_attr attr = event_attr(ARCH_GENERAL);
	uint64_t seen[MOST] = { 0 }, value, began;
	int other = -1, i, round, moved = 0;
	struct member m;
	struct ring ring;
	unsigned int c;

	pin_to_cpu(0);
	if (!have_pmu())
		test_skip("this machine has no PMU");
	need_user_reads();
	find_counters();
	CHECK(nr_counters > 1);
	m = member_start();
	attr.disabled = 0;
	for (i = 0; i < nr_events; i++) {
		struct perf_event_attr of_other = event_attr(PERF_TYPE_HARDWARE, kinds[i]);

		of_other.disabled = 0;
		if (ARCH_ALL_EVENTS || !i)
			other = must_open(&of_other, m.pid, -1, -1);
		else
			event_open(&of_other, m.pid, -1, -1, PERF_FLAG_FD_CLOEXEC);	/* if there is such a one */
	}
	ring = ring_map(must_open_self(&attr), 0, PROT_READ);
	began = event_read(other);
	/* The event may have to wait for its turn. */
	for (round = 0; round < ROUNDS || (event_read(other) == began && round < 100 * ROUNDS); round++) {
		member_do(&m, MEMBER_LOOP);
		for (c = 0; c < nr_counters; c++) {
			if (is_own(ring.page, counters[c]) && !test_busted("privacy"))
				continue;
			value = rdpmc(counters[c]);
			moved += round && value && value != seen[c];
			seen[c] = value;
		}
	}
	CHECK(event_read(other) > began);
	CHECK_EQ(moved, 0);
	member_end(&m);
}

static const struct test tests[] = {
	TEST(rdpmc_belongs_to_who_maps),
	TEST(only_counters_can_be_read),
	TEST(rdpmc_can_be_forbidden),
	TEST(rdpmc_can_be_for_all),
	TEST_WITH(what_others_did_is_not_seen, "(one event)", 1),
	TEST_WITH(what_others_did_is_not_seen, "(four)", 4),
	TEST_WITH(what_others_did_is_not_seen, "(more than counters)", 6),
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
