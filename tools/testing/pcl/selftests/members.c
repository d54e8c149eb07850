// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what tasks that inherited the same events write to rings: records of what happens to them, and samples.
 *
 * Concepts: a ring of an inherited event is that of one CPU, so there is an event for each CPU, as tools have it. What
 *	happens to a member is told once, in one of the rings, whether the member has events of its own or not.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "lib/event.h"
#include "lib/member.h"

#define MOST_CPUS	8

static unsigned int nr_rings;
static struct ring rings[MOST_CPUS];
static int fds[MOST_CPUS];
static struct record record;

/* Of this task and those that it makes. */
static void open_everywhere(const struct perf_event_attr *attr, unsigned int pages)
{
	unsigned int i;

	nr_rings = cpus_online();
	CHECK(nr_rings <= MOST_CPUS);
	for (i = 0; i < nr_rings; i++) {
		fds[i] = must_open(attr, 0, i, -1);
		rings[i] = ring_map(fds[i], pages, PROT_READ | PROT_WRITE);
	}
}

static struct perf_event_attr teller_attr(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.inherit = !test_busted("inherit");
	attr.disabled = 0;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ID | PERF_SAMPLE_CPU;
	attr.sample_id_all = 1;
	attr.comm = attr.task = attr.mmap = attr.mmap2 = 1;
	return attr;
}

/* ---- records ---- */

/* How often each was told of a member, and of its child. */
struct told {
	unsigned int made, renamed, mapped, child_made, child_ended, ended;
};

static bool is_rename(void)
{
	return !strcmp((const char *)&record.body[1], MEMBER_NAME);
}

/* A record of task @pid, or of a child that it made. FORK and EXIT: {pid, ppid, tid, ptid, time} */
static void note(struct told *told, pid_t pid)
{
	pid_t whose = half_of(record.body[0], 0), parent = half_of(record.body[0], 1);

	switch (record.header.type) {
	case PERF_RECORD_FORK:
		told->made += whose == pid && parent == getpid();
		told->child_made += parent == pid;
		break;
	case PERF_RECORD_EXIT:
		told->ended += whose == pid;
		told->child_ended += parent == pid;
		break;
	case PERF_RECORD_COMM:
		told->renamed += whose == pid && is_rename();
		break;
	case PERF_RECORD_MMAP2:
		told->mapped += whose == pid && record.body[2] == MEMBER_PAGES * PAGE;
		break;
	}
}

/* Each record is from the ring of its CPU, and names the event that was opened there. */
static struct told records_of(const struct perf_event_attr *attr, pid_t pid)
{
	struct told told = { 0 };
	struct sample trailer;
	unsigned int i;

	for (i = 0; i < nr_rings; i++) {
		while (ring_take(&rings[i], &record)) {
			trailer_parse(&record, attr, &trailer);
			CHECK_EQ(trailer.cpu, i);
			CHECK_EQ(trailer.id, event_id(fds[i]));
			note(&told, pid);
		}
	}
	return told;
}

static void do_all(struct member *m)
{
	member_do(m, TOLD_TO_RENAME);
	member_do(m, TOLD_TO_MAP);
	member_do(m, TOLD_TO_FORK);
}

static void check_told(const struct told *told, unsigned int times)
{
	CHECK_EQ(told->renamed, times);
	CHECK_EQ(told->mapped, times);
	CHECK_EQ(told->child_made, times);
	CHECK_EQ(told->child_ended, times);
}

/* Somebody else's event, while it is open and after, gives a member events of its own. */
static void what_a_member_does_is_told_once(long leaves)
{
	struct perf_event_attr attr = teller_attr(), alone = event_attr(DUMMY);
	struct member m[2];
	struct told told;
	int fd;

	open_everywhere(&attr, 8);
	m[0] = member_start();
	m[1] = member_start();
	do_all(&m[0]);
	told = records_of(&attr, m[0].pid);
	CHECK_EQ(told.made, 1);
	check_told(&told, 1);
	if (leaves) {
		fd = must_open(&alone, m[0].pid, -1, -1);
		do_all(&m[0]);
		close(fd);
		do_all(&m[0]);
		told = records_of(&attr, m[0].pid);
		check_told(&told, 2);
	}
	do_all(&m[1]);
	told = records_of(&attr, m[1].pid);
	check_told(&told, 1);
	member_end(&m[0]);
	told = records_of(&attr, m[0].pid);
	CHECK_EQ(told.ended, 1);
	member_end(&m[1]);
	told = records_of(&attr, m[1].pid);
	CHECK_EQ(told.ended, 1);
}

/* Whoever opened them is no less told of when others have inherited them. */
static void what_the_opener_does_is_told_once(long unused)
{
	struct perf_event_attr attr = teller_attr();
	struct member m, child;
	struct told told;

	(void)unused;
	open_everywhere(&attr, 8);
	m = member_start();
	CHECK(!prctl(PR_SET_NAME, MEMBER_NAME));
	child = member_start();
	told = records_of(&attr, getpid());
	CHECK_EQ(told.renamed, 1);
	CHECK_EQ(told.child_made, test_busted("inherit") ? 0 : 2);
	member_end(&child);
	member_end(&m);
}

/* ---- samples ---- */

#define PERIOD		10007
#define NEW_PERIOD	20011
#define LOOP_N		(20 * PERIOD)

/* Samples of @pid, all with @period; of others nothing is said. */
static unsigned int samples_with(const struct perf_event_attr *attr, pid_t pid, uint64_t period)
{
	struct sample sample;
	unsigned int i, nr = 0;

	for (i = 0; i < nr_rings; i++) {
		while (ring_take(&rings[i], &record)) {
			if (record.header.type != PERF_RECORD_SAMPLE)
				continue;
			sample_parse(&record, attr, &sample);
			if ((pid_t)sample.pid != pid)
				continue;
			CHECK_EQ(sample.period, period);
			nr++;
		}
	}
	return nr;
}

/* A member runs the loop alone. */
static void check_samples(const struct perf_event_attr *attr, struct member *m, uint64_t period)
{
	member_do(m, LOOP_N);
	CHECK_RANGE(samples_with(attr, m->pid, period), 2 * LOOP_N / period - 1, 2 * LOOP_N / period + 2);
}

/* A new period is that of the one event, and of who inherits it from then on; also on one CPU, where they follow. */
static void a_new_period_is_the_opener_s_alone(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t period = NEW_PERIOD;
	struct member old[2], new;
	unsigned int i;

	(void)unused;
	if (!is_pcl())
		test_skip("on stock a new period goes from one relative to the other");
	pin_to_cpu(0);
	attr.inherit = !test_busted("inherit");
	attr.disabled = 0;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD;
	attr.sample_period = PERIOD;
	open_everywhere(&attr, 32);
	old[0] = member_start();
	old[1] = member_start();
	check_samples(&attr, &old[0], PERIOD);
	for (i = 0; i < nr_rings; i++)
		must_ioctl(fds[i], PERF_EVENT_IOC_PERIOD, (unsigned long)&period);
	check_samples(&attr, &old[0], PERIOD);
	check_samples(&attr, &old[1], PERIOD);
	new = member_start();
	check_samples(&attr, &new, NEW_PERIOD);
	check_samples(&attr, &old[0], PERIOD);
	loop_run(LOOP_N);
	CHECK_RANGE(samples_with(&attr, getpid(), NEW_PERIOD), 2 * LOOP_N / NEW_PERIOD - 1,
		    2 * LOOP_N / NEW_PERIOD + 2);
	member_end(&old[0]);
	member_end(&old[1]);
	member_end(&new);
}

static const struct test tests[] = {
	TEST_WITH(what_a_member_does_is_told_once, "as a member", 0),
	TEST_WITH(what_a_member_does_is_told_once, "when it has left", 1),
	TEST(what_the_opener_does_is_told_once),
	TEST(a_new_period_is_the_opener_s_alone),
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
