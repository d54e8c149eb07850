// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: members of a group that pause who fills their leader's AUX area, and let it go on: attr.aux_action.
 *
 * Concepts: the leader is an event of the module pcl_producer, which refuses to produce while it is paused; members
 *	overflow when the test gives itself a name, which pauses it, and when it writes to a variable.
 *	Stock has it since Linux 6.13, so what is expected here comes from what that documents.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <linux/hw_breakpoint.h>

#include "lib/producer.h"

static volatile long watched;

/* A group: who produces, who pauses it, and who resumes it. */
struct group {
	int leader, pause, resume;
	struct ring ring;
	const unsigned char *area;
};

static struct perf_event_attr pauser_attr(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_TRACEPOINT, tracepoint_number("task/task_rename"));

	attr.exclude_kernel = 0;
	attr.sample_period = 1;
	attr.aux_pause = !test_busted("pause");
	attr.disabled = 0;
	return attr;
}

static struct perf_event_attr resumer_attr(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_addr = (unsigned long)&watched;
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_len = sizeof(watched);
	attr.sample_period = 1;
	attr.aux_resume = 1;
	attr.disabled = 0;
	return attr;
}

static struct group group_of(const struct perf_event_attr *pauser, bool paused)
{
	struct perf_event_attr leader = producer_attr("producer"), resumer = resumer_attr();
	struct group g;

	if (!is_pcl())
		test_skip("Linux 6.1 cannot pause what fills an AUX area");
	leader.aux_start_paused = paused;
	pin_to_cpu(0);
	g.leader = must_open_self(&leader);
	g.ring = ring_map(g.leader, 1, PROT_READ | PROT_WRITE);
	g.area = aux_map(g.leader, &g.ring, 4, PROT_READ);
	g.pause = must_open(pauser, 0, -1, g.leader);
	g.resume = must_open(&resumer, 0, -1, g.leader);
	event_enable(g.leader);
	return g;
}

static void pause_it(void)
{
	CHECK(!prctl(PR_SET_NAME, "pauser"));
}

static void resume_it(void)
{
	watched++;
}

static bool produces(struct group *g)
{
	uint64_t head = g->ring.page->aux_head;
	bool done = !produce(100);

	CHECK_EQ(g->ring.page->aux_head, head + (done ? 100 : 0));
	return done;
}

static void an_overflow_pauses_another_resumes(long unused)
{
	struct perf_event_attr attr = pauser_attr();
	struct group g = group_of(&attr, false);
	int i;

	(void)unused;
	for (i = 0; i < 20; i++) {	/* more would be throttled, and what is stopped pauses nobody */
		CHECK(produces(&g));
		pause_it();
		CHECK(!produces(&g));
		pause_it();		/* it is */
		CHECK(!produces(&g));
		resume_it();
		CHECK(produces(&g));
		resume_it();
	}
}

static void it_starts_paused(long unused)
{
	struct perf_event_attr attr = pauser_attr();
	struct group g = group_of(&attr, !test_busted("pause"));

	(void)unused;
	CHECK(!produces(&g));
	resume_it();
	CHECK(produces(&g));
}

/* Disabling, enabling and a switch change nothing about it. */
static void it_stays_as_it_is(long unused)
{
	struct perf_event_attr attr = pauser_attr();
	struct group g = group_of(&attr, false);

	(void)unused;
	pause_it();
	event_disable(g.leader);
	resume_it();			/* nobody counts it */
	event_enable(g.leader);
	CHECK(!produces(&g));
	switch_away(3);
	CHECK(!produces(&g));
	resume_it();
	event_disable(g.leader);
	event_enable(g.leader);
	switch_away(3);
	CHECK(produces(&g));
}

/* From the interrupt of a counter. */
static void an_nmi_pauses(long unused)
{
	struct perf_event_attr attr = event_attr(CYCLES);
	struct group g;
	int i;

	(void)unused;
	attr.sample_period = 100000;
	attr.aux_pause = !test_busted("pause");
	attr.disabled = 0;
	g = group_of(&attr, false);
	for (i = 0; i < 20; i++) {
		loop_run(500000);
		CHECK(!produces(&g));
		resume_it();
		loop_run(500000);
	}
}

/* It pauses before its sample is written, and goes on after: the bytes are those of before. */
static void a_sample_has_the_bytes_before_it(long unused)
{
	struct perf_event_attr attr = pauser_attr();
	static struct record record;
	struct sample sample;
	struct group g;
	struct ring ring;

	(void)unused;
	attr.sample_type = PERF_SAMPLE_AUX;
	attr.aux_sample_size = 8;
	g = group_of(&attr, false);
	ring = ring_map(g.pause, 2, PROT_READ | PROT_WRITE);
	CHECK(produces(&g));
	ring_count(&ring, PERF_RECORD_SAMPLE);
	pause_it();
	CHECK(!produces(&g));
	CHECK(ring_find(&ring, PERF_RECORD_SAMPLE, &record));
	sample_parse(&record, &attr, &sample);
	CHECK_EQ(sample.aux_size, 8);
	CHECK_EQ(sample.aux[7], producer_byte(99));
}

/* An area that is not there cannot be paused, and nothing is remembered of it. */
static void without_an_area_nothing_pauses(long unused)
{
	struct perf_event_attr attr = pauser_attr();
	struct group g = group_of(&attr, test_busted("pause"));

	(void)unused;
	event_disable(g.leader);
	CHECK(!munmap((void *)g.area, 4 * PAGE));
	event_enable(g.leader);
	pause_it();
	event_disable(g.leader);
	g.area = aux_map(g.leader, &g.ring, 4, PROT_READ);
	event_enable(g.leader);
	CHECK(produces(&g));
}

static int member(const struct perf_event_attr *attr, const char *leaders)
{
	struct perf_event_attr leader = producer_attr(leaders);

	return event_open(attr, 0, -1, must_open_self(&leader), 0);
}

static void who_may_is_asked(long unused)
{
	struct perf_event_attr attr = pauser_attr(), software = event_attr(DUMMY);

	(void)unused;
	if (!is_pcl())
		test_skip("Linux 6.1 cannot pause what fills an AUX area");
	attr.aux_pause = 1;
	CHECK(member(&attr, test_busted("pause") ? "producer_one" : "producer") >= 0);
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), EINVAL);
	CHECK_ERRNO(event_open(&attr, 0, -1, must_open_self(&software), 0), EINVAL);
	CHECK_ERRNO(member(&attr, "producer_one"), EINVAL);
	attr.aux_resume = 1;
	CHECK_ERRNO(member(&attr, "producer"), EINVAL);
	attr.aux_resume = 0;
	attr.aux_action |= 8;
	CHECK_ERRNO(member(&attr, "producer"), EINVAL);
	attr = producer_attr("producer_echo");
	attr.aux_output = 1;
	attr.aux_pause = 1;
	CHECK_ERRNO(member(&attr, "producer"), EOPNOTSUPP);
	attr = producer_attr("producer_one");
	attr.aux_start_paused = 1;
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), EOPNOTSUPP);
	software.aux_start_paused = 1;
	CHECK_ERRNO(event_open(&software, 0, -1, -1, 0), EOPNOTSUPP);
}

static const struct test tests[] = {
	TEST(an_overflow_pauses_another_resumes),
	TEST(it_starts_paused),
	TEST(it_stays_as_it_is),
	TEST(an_nmi_pauses),
	TEST(a_sample_has_the_bytes_before_it),
	TEST(without_an_area_nothing_pauses),
	TEST(who_may_is_asked),
};

int main(void)
{
	return TESTS_RUN(tests);
}
