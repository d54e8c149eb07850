// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: tracepoints as events: counts, and samples with their data.
 *
 * Concepts: the tracepoint of a system call that nobody else makes is hit as often as a test makes the call, and its
 *	argument is in its record. Switches are hit in the scheduler.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/producer.h"
#include "lib/trace.h"

#define NR		60
static void hit(int times)
{
	hit_with(PID, test_busted("hits") ? times - 1 : times);
}

/* ---- counts ---- */

static void hits_are_counted(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	uint64_t words[3];
	int fd, round;

	(void)unused;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = must_open_self(&attr);
	hit(1);
	for (round = 1; round <= 3; round++) {
		event_enable(fd);
		hit(NR);
		event_disable(fd);
		hit(1);
		CHECK_EQ(event_read_words(fd, words, 3), 3);
		CHECK_EQ(words[0], round * NR);
		CHECK(words[1]);
		CHECK_EQ(words[1], words[2]);
	}
	event_reset(fd);
	CHECK_EQ(event_read_words(fd, words, 3), 3);
	CHECK_EQ(words[0], 0);
}

/* Two events on one tracepoint, and a switch between hits. */
static void hits_are_counted_across_switches(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd = must_open_self(&attr), second = must_open_self(&attr), i;

	(void)unused;
	event_enable(fd);
	for (i = 0; i < 5; i++) {
		if (i == 3)
			event_enable(second);
		hit(NR);
		switch_away(3);
	}
	event_disable(fd);
	event_disable(second);
	CHECK_EQ(event_read(fd), 5 * NR);
	CHECK_EQ(event_read(second), 2 * NR);
}

/* What others of this CPU do, and only them. */
static void a_cpu_s_hits_are_counted(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int here, there = -1;

	(void)unused;
	pin_to_cpu(0);
	here = must_open(&attr, -1, 0, -1);
	if (cpus_online() > 1)
		there = must_open(&attr, -1, 1, -1);
	event_enable(here);
	if (there >= 0)
		event_enable(there);
	hit(NR);
	if (there >= 0)
		pin_to_cpu(1);
	hit(2 * NR);
	CHECK_EQ(event_read(here), there >= 0 ? NR : 3 * NR);
	if (there >= 0)
		CHECK_EQ(event_read(there), 2 * NR);
}

static void another_task_s_hits_are_counted(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int ends[2], fd, status;
	char byte = 0;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		CHECK(read(ends[0], &byte, 1) == 1);
		hit(NR);
		_exit(0);
	}
	fd = must_open(&attr, pid, -1, -1);
	event_enable(fd);
	hit(5);
	CHECK(write(ends[1], &byte, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK_EQ(event_read(fd), NR);
}

/* Tracepoints are in the kernel; but a system call's has the program's registers. What leaves the user out has all. */
static void without_the_kernel_there_are_calls_alone(long unused)
{
	struct perf_event_attr call = trace_attr(CALL), other = trace_attr(SWITCH);
	int calls, others, all;

	(void)unused;
	call.exclude_user = 1;
	all = must_open_self(&call);
	call.exclude_user = 0;
	call.exclude_kernel = 1;
	other.exclude_kernel = !test_busted("exclude");
	calls = must_open_self(&call);
	others = must_open_self(&other);
	event_enable(all);
	event_enable(calls);
	event_enable(others);
	hit(NR);
	switch_away(NR);
	CHECK_EQ(event_read(all), NR);
	CHECK_EQ(event_read(calls), NR);
	CHECK_EQ(event_read(others), 0);
}

enum { OF_SOFTWARE, OF_HARDWARE, LEADS, LEADS_TRACEPOINT, NR_GROUPS };

/* All members count the same stretch, whatever leads. */
static void a_group_counts(long kind)
{
	struct perf_event_attr trace = trace_attr(CALL), other = event_attr(DUMMY), second = trace_attr(SWITCH);
	int lead, member, last;
	uint64_t words[8];

	trace.read_format = PERF_FORMAT_GROUP;
	other.read_format = PERF_FORMAT_GROUP;
	if (kind == OF_HARDWARE || kind == LEADS) {
		other.type = PERF_TYPE_HARDWARE;
		other.config = PERF_COUNT_HW_INSTRUCTIONS;
	}
	if (kind == LEADS_TRACEPOINT)
		other = second;
	if (kind == LEADS || kind == LEADS_TRACEPOINT) {
		lead = must_open_self(&trace);
		other.disabled = 0;
		member = must_open(&other, 0, -1, lead);
	} else {
		lead = must_open_self(&other);
		trace.disabled = 0;
		member = must_open(&trace, 0, -1, lead);
	}
	trace.disabled = 0;
	last = must_open(&trace, 0, -1, lead);
	event_enable(lead);
	hit(NR);
	switch_away(3);
	event_disable(lead);
	hit(1);
	CHECK_EQ(event_read_words(lead, words, 8), 4);
	CHECK_EQ(words[0], 3);
	CHECK_EQ(words[kind == LEADS || kind == LEADS_TRACEPOINT ? 1 : 2], NR);
	CHECK_EQ(words[3], NR);
	if (kind == LEADS)
		CHECK(words[2] > 0);
	if (kind == LEADS_TRACEPOINT)
		CHECK(words[2] >= 3);
	/* Without its leader a member goes on alone. */
	close(last);
	close(lead);
	switch_away(1);
	if (kind == OF_SOFTWARE || kind == OF_HARDWARE) {
		event_enable(member);
		hit(NR);
		CHECK(event_read_words(member, words, 8) >= 2);
		CHECK_EQ(words[1], 2 * NR);
	}
}

/* ---- samples ---- */

static void a_sample_has_the_record(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	static struct record record;
	static struct sample sample;
	uint64_t last = 0;
	struct ring ring;
	int fd, i;

	(void)unused;
	pin_to_cpu(0);
	attr.sample_period = 1;
	attr.sample_type = OF_A_HIT;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (i = 0; i < NR; i++)
		hit_with(PID + i, 1);
	event_disable(fd);
	for (i = 0; ring_take(&ring, &record); i++) {
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
		CHECK(sample.ip && !(sample.ip >> 47));
		CHECK_EQ(sample.pid, getpid());
		CHECK_EQ(sample.tid, gettid());
		CHECK_EQ(sample.cpu, 0);
		CHECK(sample.time > last);
		last = sample.time;
		CHECK_EQ(field_of(CALL, "common_type", &sample), attr.config);
		CHECK_EQ(field_of(CALL, "common_pid", &sample), gettid());
		CHECK_EQ(field_of(CALL, "__syscall_nr", &sample), SYS_getpgid + test_busted("hits"));
		CHECK_EQ(field_of(CALL, "pid", &sample), PID + i);
	}
	CHECK_EQ(i, NR);
	CHECK_EQ(event_read(fd), NR);
}

/* With a period, each so many hits; but a sample that shows the period is one for each hit. */
static void samples_come_by_period(long period)
{
	struct perf_event_attr attr = trace_attr(CALL);
	bool shown = period < 0;
	struct ring ring;
	int fd;

	attr.sample_period = shown ? -period : period;
	attr.sample_type = shown ? PERF_SAMPLE_PERIOD : PERF_SAMPLE_IP;
	if (test_busted("period"))
		attr.sample_period *= 2;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	hit(NR / 2);
	switch_away(2);		/* what is left of a period stays */
	hit(NR - NR / 2);
	event_disable(fd);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), shown && !test_busted("period") ? NR : NR / period);
	CHECK_EQ(event_read(fd), NR);
}

/* The period follows; all that is asked here is that it does something, and that counts stay right. */
static void samples_come_by_frequency(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	unsigned long nr = test_count(200000, 20000);
	struct ring ring;
	unsigned int got;
	int fd;

	(void)unused;
	attr.freq = !test_busted("period");
	attr.sample_freq = attr.freq ? 100 : 0;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	hit_with(PID, nr);
	event_disable(fd);
	got = ring_count(&ring, PERF_RECORD_SAMPLE);
	test_note("%u samples of %lu hits", got, nr);
	CHECK_RANGE(got, 2, nr / 2);
	CHECK_EQ(event_read(fd), nr);
}

/* A chain begins where the tracepoint is, goes on to who called the scheduler, and in the program. */
static void a_sample_has_a_chain(long unused)
{
	struct perf_event_attr attr = trace_attr(SWITCH);
	static struct record record;
	struct sample sample;
	struct ring ring;
	unsigned int i;
	int fd;

	(void)unused;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	switch_away(1);
	event_disable(fd);
	if (!ring_find(&ring, PERF_RECORD_SAMPLE, &record))
		FAIL("no sample");
	sample_parse(&record, &attr, &sample);
	CHECK(sample.nr_chain >= 4);
	CHECK_EQ(sample.chain[0], PERF_CONTEXT_KERNEL);
	CHECK_EQ(sample.chain[1], sample.ip);
	for (i = 2; sample.chain[i] != PERF_CONTEXT_USER; i++)
		CHECK(i + 2 < sample.nr_chain);
	CHECK(i >= 4);
	CHECK(sample.chain[i + 1] && !(sample.chain[i + 1] >> 47));
}

/* A switch is hit with the runqueue locked: what a sample sets off waits until it is not. */
static void a_switch_is_sampled_and_wakes(long unused)
{
	struct perf_event_attr attr = trace_attr(SWITCH);
	struct pollfd polled = { .events = POLLIN };
	static struct record record;
	static struct sample sample;
	unsigned int nr = 0;
	struct ring ring;

	(void)unused;
	attr.sample_period = 1;
	attr.sample_type = OF_A_HIT;
	attr.wakeup_events = 1;
	polled.fd = must_open_self(&attr);
	ring = ring_map(polled.fd, 64, PROT_READ | PROT_WRITE);
	event_enable(polled.fd);
	switch_away(test_busted("hits") ? 1 : NR);
	event_disable(polled.fd);
	CHECK_EQ(poll(&polled, 1, 0), 1);
	CHECK(polled.revents & POLLIN);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
		CHECK(sample.ip >= ARCH_KERNEL_ADDRESS);
		CHECK_EQ(sample.tid, gettid());
		CHECK_EQ(field_of(SWITCH, "prev_pid", &sample), gettid());
		nr++;
	}
	CHECK_EQ(event_read(polled.fd), nr);
	CHECK(nr >= NR);
}

enum { TIMERS, RUNTIMES, SOFTIRQS };

/* From inside what the engine itself does at a switch and at a tick: timers, and on what CPU it is. */
static void all_of_a_kind_is_sampled(long which)
{
	static const char *const kinds[] = { "timer/hrtimer_start", "sched/sched_stat_runtime", "irq/softirq_entry" };
	struct perf_event_attr attr = trace_attr(kinds[which]), clock = event_attr(CPU_CLOCK);
	struct ring ring;
	int fd, sampler;

	/*
	 * A runtime is worth its nanoseconds: with one sample for each, samples would take all the time that there is.
	 * On the debug kernel a sample takes ten times as long.
	 */
	attr.sample_period = which == RUNTIMES ? test_count(100000, 1000000) : 1;
	attr.sample_type = OF_A_HIT | PERF_SAMPLE_CALLCHAIN;
	clock.sample_period = 1000000;
	clock.sample_type = PERF_SAMPLE_IP;
	clock.exclude_kernel = 0;
	pin_to_cpu(0);
	fd = must_open(&attr, -1, 0, -1);
	sampler = must_open(&clock, 0, -1, -1);
	ring = ring_map(fd, 64, PROT_READ);
	ring_map(sampler, 1, PROT_READ);
	event_enable(fd);
	event_enable(sampler);
	switch_away(NR);
	loop_run(3000000);
	event_disable(fd);
	event_disable(sampler);
	CHECK(ring.page->data_head > 0);
	CHECK(event_read(fd) > 0);
}

static void refresh_allows_so_many(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd;

	(void)unused;
	attr.sample_period = 1;
	fd = must_open_self(&attr);
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	want_signals(fd, SIGRTMIN + 1);
	must_ioctl(fd, PERF_EVENT_IOC_REFRESH, test_busted("refresh") ? 4 : 3);
	hit(NR);
	CHECK_EQ(event_read(fd), 3);
	CHECK_EQ(nr_signals, 3);
	CHECK_EQ(last_signal.si_code, POLL_HUP);
	must_ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
	hit(NR);
	CHECK_EQ(event_read(fd), 4);
}

static void sigtrap_comes_with_each_hit(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd, i;

	(void)unused;
	catch_signal(SIGTRAP);
	attr.sample_period = 1;
	attr.sigtrap = !test_busted("sigtrap");
	attr.remove_on_exec = 1;
	attr.sig_data = 0x1234567890;
	fd = must_open_self(&attr);
	event_enable(fd);
	for (i = 1; i <= 10; i++) {
		hit_with(PID, 1);
		CHECK_EQ(nr_signals, i);
	}
	event_disable(fd);
	check_sigtrap(PERF_TYPE_TRACEPOINT, 0x1234567890);
}

/* What samples are made of cannot be sampled. */
static void the_work_of_samples_is_counted_only(long unused)
{
	static const char point[] = "irq_vectors/irq_work_exit";
	struct perf_event_attr attr;

	(void)unused;
	if (!have_tracepoint(point))
		test_skip("no tracepoint at the work of samples here");
	attr = trace_attr(point);
	close(must_open_self(&attr));
	attr.sample_period = 1;
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), EPERM);
}

/* ---- the module of a tracepoint ---- */

/* It stays while an event of its tracepoint is open; then it goes, and the tracepoint with it. */
static void module_gone__it_is_held_while_an_event_is(long inherited)
{
	struct perf_event_attr attr;
	uint64_t count;
	int fd;

	producer_attr("producer");	/* loads the module */
	attr = trace_attr("pcl_producer/pcl_produced");
	attr.inherit = inherited;
	fd = must_open(&attr, 0, -1, -1);
	event_enable(fd);
	CHECK_EQ(produce(1), -1);	/* there is no area */
	CHECK_ERRNO(syscall(SYS_delete_module, "pcl_producer", O_NONBLOCK), EWOULDBLOCK);
	CHECK_EQ(produce(1), -1);
	count = event_read(fd);
	CHECK_EQ(count, test_busted("hits") ? 1 : 2);
	close(fd);
	CHECK(!syscall(SYS_delete_module, "pcl_producer", O_NONBLOCK));
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), EINVAL);
}

static const struct test tests[] = {
	TEST(hits_are_counted),
	TEST(hits_are_counted_across_switches),
	TEST(a_cpu_s_hits_are_counted),
	TEST(another_task_s_hits_are_counted),
	TEST(without_the_kernel_there_are_calls_alone),
	TEST_WITH(a_group_counts, "(software leads)", OF_SOFTWARE),
	TEST_WITH(a_group_counts, "(hardware leads)", OF_HARDWARE),
	TEST_WITH(a_group_counts, "(it leads hardware)", LEADS),
	TEST_WITH(a_group_counts, "(it leads another)", LEADS_TRACEPOINT),
	TEST(a_sample_has_the_record),
	TEST_WITH(samples_come_by_period, "(1)", 1),
	TEST_WITH(samples_come_by_period, "(5)", 5),
	TEST_WITH(samples_come_by_period, "(5, shown)", -5),
	TEST(samples_come_by_frequency),
	TEST(a_sample_has_a_chain),
	TEST(a_switch_is_sampled_and_wakes),
	TEST_WITH(all_of_a_kind_is_sampled, "(timers)", TIMERS),
	TEST_WITH(all_of_a_kind_is_sampled, "(runtimes)", RUNTIMES),
	TEST_WITH(all_of_a_kind_is_sampled, "(softirqs)", SOFTIRQS),
	TEST(refresh_allows_so_many),
	TEST(sigtrap_comes_with_each_hit),
	TEST(the_work_of_samples_is_counted_only),
	TEST_WITH(module_gone__it_is_held_while_an_event_is, "(one task)", 0),
	TEST_WITH(module_gone__it_is_held_while_an_event_is, "(inherited)", 1),
};

int main(void)
{
	return TESTS_RUN(tests);
}
