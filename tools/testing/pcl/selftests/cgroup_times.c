// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what else an event of a cgroup tells: times, shares of counters, switches, samples, records, the control page.
 *
 * Concepts: the kernel's own account of a worker's switches is the oracle of those that an event counts, and its clock of
 *	the time.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "lib/cgroup.h"

#define LARGE_N		420000UL
#define PAGES		50

/* ---- times ---- */

static uint64_t cpu_time_of(const struct worker *w)
{
	clockid_t id;

	CHECK(!clock_getcpuclockid(w->pid, &id));
	return clock_ns(id);
}

/* The clock stands still while no task of the cgroup is on the CPU. */
static void time_is_the_cgroups(long config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, config);
	uint64_t first[3], then[3], begin, used, start;
	struct worker w;
	int fd;

	pin_to_cpu(0);
	attr.disabled = 0;
	attr.exclude_kernel = 0;
	attr.read_format = BOTH_TIMES;
	w = worker_start("a");
	fd = open_in(&attr, "a", 0, -1);
	loop_run(LARGE_N);
	CHECK_EQ(event_read_words(fd, first, 3), 3);
	CHECK_EQ(first[1], 0);
	CHECK_EQ(first[2], 0);
	start = clock_ns(CLOCK_MONOTONIC);
	begin = cpu_time_of(&w);
	work(&w, RUN, 100 * LARGE_N);
	await_sleep(w.pid);
	used = cpu_time_of(&w) - begin;
	CHECK_EQ(event_read_words(fd, first, 3), 3);
	CHECK_RANGE(first[1], used / 10 * 9, clock_ns(CLOCK_MONOTONIC) - start);
	CHECK_EQ(first[1], first[2]);
	CHECK_RANGE(first[0], first[2] / 10 * 9, first[2] / 10 * 11);
	loop_run(100 * LARGE_N);
	CHECK_EQ(event_read_words(fd, then, 3), 3);
	CHECK(!memcmp(first, then, sizeof(then)));
	/* What is off has no time either. */
	event_disable(fd);
	work(&w, RUN, LARGE_N);
	CHECK_EQ(event_read_words(fd, then, 3), 3);
	CHECK(!memcmp(first, then, sizeof(then)));
	worker_end(&w);
}

/* Let it work, until it is off the CPU; returns how long that took. */
static uint64_t turn_of(struct worker *w, unsigned long nr)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	work(w, RUN, nr);
	await_sleep(w->pid);
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

/* Of two cgroups that take turns, each has its time; the one above has both. */
static void times_of_two_make_the_time_above(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	static const char *const names[] = { "a", "a/b", "c" };
	struct worker in_a, in_b, in_c;
	uint64_t words[3][3], used[3], passed[3] = { 0 };
	int fds[3], i;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	attr.read_format = BOTH_TIMES;
	in_a = worker_start("a");
	in_b = worker_start("a/b");
	in_c = worker_start("c");
	for (i = 0; i < 3; i++)
		fds[i] = open_in(&attr, names[i], 0, -1);
	used[1] = cpu_time_of(&in_b);
	used[0] = cpu_time_of(&in_a) + used[1];
	used[2] = cpu_time_of(&in_c);
	for (i = 0; i < 5; i++) {	/* long turns: a switch itself is no cgroup's, and long on the debug kernel */
		passed[0] += turn_of(&in_a, 10 * LARGE_N);
		passed[1] += turn_of(&in_b, 30 * LARGE_N);
		passed[2] += turn_of(&in_c, 10 * LARGE_N);
	}
	passed[0] += passed[1];
	used[0] = cpu_time_of(&in_a) + cpu_time_of(&in_b) - used[0];
	used[1] = cpu_time_of(&in_b) - used[1];
	used[2] = cpu_time_of(&in_c) - used[2];
	for (i = 0; i < 3; i++) {
		CHECK_EQ(event_read_words(fds[i], words[i], 3), 3);
		CHECK_EQ(words[i][1], words[i][2]);
		CHECK_RANGE(words[i][1], used[i] / 10 * 9, passed[i]);
	}
	worker_end(&in_a);
	worker_end(&in_b);
	worker_end(&in_c);
}

/* ---- counters are scarce ---- */

/* Those of two cgroups never want them at the same time. */
static void pinned_ones_wait_for_their_cgroup(long unused)
{
	struct perf_event_attr attr = event_attr(BRANCHES);
	struct worker w[2];
	uint64_t count;
	int fds[2][3], i, j;

	(void)unused;
	pin_to_cpu(0);
	w[0] = worker_start("a");
	w[1] = worker_start("c");
	attr.disabled = 0;
	attr.pinned = 1;
	for (i = 0; i < 2; i++)
		for (j = 0; j < 3; j++)
			fds[i][j] = open_in(&attr, i ? "c" : "a", 0, -1);
	for (i = 0; i < 10; i++)
		work(&w[i & 1], RUN, LARGE_N);
	for (i = 0; i < 2; i++) {
		for (j = 0; j < 3; j++) {
			count = event_read(fds[i][j]);
			CHECK_RANGE(count, 5 * LARGE_N, 5 * LARGE_N + 20000);
		}
	}
	worker_end(&w[0]);
	worker_end(&w[1]);
}

/* A CPU's own events, and those of two cgroups, many more than there are counters. */
static void many_share_the_counters(long unused)
{
	struct perf_event_attr attr = event_attr(BRANCHES);
	unsigned int nr = 0, rounds, i;
	struct worker w[2];
	uint64_t words[3];
	int fds[21];

	(void)unused;
	pin_to_cpu(0);
	w[0] = worker_start("a");
	w[1] = worker_start("c");
	attr.disabled = 0;
	attr.read_format = BOTH_TIMES;
	for (i = 0; i < 21; i++)
		fds[i] = i % 3 ? open_in(&attr, i % 3 == 1 ? "a" : "c", 0, -1) : must_open(&attr, -1, 0, -1);
	for (rounds = 0; rounds < (test_busted("member") ? 30 : 3000) && nr < 21; rounds++) {
		work(&w[rounds & 1], RUN, 100000);
		for (nr = 0; nr < 21; nr++) {
			CHECK_EQ(event_read_words(fds[nr], words, 3), 3);
			CHECK(words[2] <= words[1]);
			if (!words[0] || !words[2])
				break;
		}
	}
	CHECK_EQ(nr, 21);
	worker_end(&w[0]);
	worker_end(&w[1]);
}

/* ---- what happens in the kernel ---- */

static uint64_t switches_of(const struct worker *w)
{
	unsigned long long nr, sum = 0;
	char path[64], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", w->pid);
	f = fopen(path, "r");
	CHECK(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "voluntary_ctxt_switches: %llu", &nr) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %llu", &nr) == 1)
			sum += nr;
	fclose(f);
	return sum;
}

static void its_switches_are_counted(long config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, config);
	uint64_t before, after;
	struct worker w;
	int fd, i;

	pin_to_cpu(0);
	attr.exclude_kernel = 0;
	w = worker_start("a");
	fd = open_in(&attr, "a", 0, -1);
	before = switches_of(&w);
	event_enable(fd);
	for (i = 0; i < 50; i++)
		work(&w, RUN, 1000);
	await_sleep(w.pid);
	event_disable(fd);
	after = switches_of(&w);
	CHECK(after >= before + 50);
	CHECK_EQ(event_read(fd), after - before);
	worker_end(&w);
}

/* ---- records ---- */

/* Takes all samples, which shall be of @w, on CPU 0; returns how many. Other records are counted, too. */
static unsigned int samples_of(const struct worker *w, struct ring *ring, const struct perf_event_attr *attr,
			       unsigned int *nr_others)
{
	struct record record;
	struct sample sample;
	unsigned int nr = 0;

	*nr_others = 0;
	while (ring_take(ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE) {
			++*nr_others;
			continue;
		}
		sample_parse(&record, attr, &sample);
		CHECK_EQ(sample.pid, w->pid);
		CHECK_EQ(sample.cpu, 0);
		nr++;
	}
	return nr;
}

static void samples_are_of_its_tasks(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	unsigned int nr_others;
	struct worker w;
	struct ring ring;
	int fd, i;

	(void)unused;
	pin_to_cpu(0);
	w = worker_start("a/b");
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CPU;
	fd = open_in(&attr, "a", 0, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (i = 0; i < PAGES; i++) {
		touch_fresh_pages(1);
		work(&w, TOUCH, 1);
	}
	event_disable(fd);
	CHECK_EQ(samples_of(&w, &ring, &attr, &nr_others), PAGES);
	CHECK_EQ(nr_others, 0);
	worker_end(&w);
}

static void instructions_are_sampled_there(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned int nr_others;
	struct worker w;
	struct ring ring;
	int fd, i;

	(void)unused;
	pin_to_cpu(0);
	w = worker_start("a");
	attr.sample_period = 10000;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CPU;
	fd = open_in(&attr, "a", 0, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (i = 0; i < 10; i++) {
		loop_run(50000);
		work(&w, RUN, 50000);
	}
	event_disable(fd);
	CHECK_RANGE(samples_of(&w, &ring, &attr, &nr_others), 100, 110);
	worker_end(&w);
}

static void records_are_of_its_tasks(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	struct worker w, other;
	struct record record;
	struct ring ring;
	unsigned int nr[32] = {};
	int fd;

	(void)unused;
	pin_to_cpu(0);
	w = worker_start("a");
	other = worker_start("c");
	attr.disabled = 0;
	attr.comm = 1;
	attr.task = 1;
	fd = open_in(&attr, "a", 0, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	prctl(PR_SET_NAME, "the test");
	work(&other, RENAME, 0);
	work(&other, FORK, 0);
	work(&w, RENAME, 0);
	work(&w, FORK, 0);
	while (ring_take(&ring, &record)) {
		CHECK(record.header.type < 32);
		nr[record.header.type]++;
		if (record.header.type == PERF_RECORD_COMM)
			CHECK_EQ(half_of(record.body[0], 0), w.pid);
		else
			CHECK_EQ(half_of(record.body[0], 1), w.pid);	/* the parent */
	}
	CHECK_EQ(nr[PERF_RECORD_COMM], 1);
	CHECK_EQ(nr[PERF_RECORD_FORK], 1);
	CHECK_EQ(nr[PERF_RECORD_EXIT], 1);
	worker_end(&w);
	worker_end(&other);
}

/* The control page says what read() says, once the event is off its counter. */
static void the_page_knows(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t words[3];
	struct worker w;
	struct ring ring;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	w = worker_start("a");
	attr.disabled = 0;
	attr.read_format = BOTH_TIMES;
	fd = open_in(&attr, "a", 0, -1);
	ring = ring_map(fd, 0, PROT_READ | PROT_WRITE);
	work(&w, RUN, LARGE_N);
	await_sleep(w.pid);
	CHECK_EQ(event_read_words(fd, words, 3), 3);
	CHECK(words[0] >= 2 * LARGE_N);
	CHECK_EQ(ring.page->index, 0);
	CHECK_EQ(ring.page->offset, words[0]);
	CHECK_RANGE(ring.page->time_enabled, words[1] / 10 * 9, words[1] / 10 * 11);
	worker_end(&w);
}

static const struct test tests[] = {
	TEST_WITH(time_is_the_cgroups, "(cpu-clock)", PERF_COUNT_SW_CPU_CLOCK),
	TEST_WITH(time_is_the_cgroups, "(task-clock)", PERF_COUNT_SW_TASK_CLOCK),
	TEST(times_of_two_make_the_time_above),
	TEST(pinned_ones_wait_for_their_cgroup),
	TEST(many_share_the_counters),
	TEST_WITH(its_switches_are_counted, "(context-switches)", PERF_COUNT_SW_CONTEXT_SWITCHES),
	TEST_WITH(its_switches_are_counted, "(cgroup-switches)", PERF_COUNT_SW_CGROUP_SWITCHES),
	TEST(samples_are_of_its_tasks),
	TEST(instructions_are_sampled_there),
	TEST(records_are_of_its_tasks),
	TEST(the_page_knows),
};

int main(void)
{
	return CGROUP_TESTS_RUN(tests, FIRST);
}
