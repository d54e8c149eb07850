// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: whose hits of a tracepoint an event counts, and which: filters, families, sleepers; and who may.
 *
 * Concepts: as in trace.c. A wakeup is about the task that is woken, which is not the one that runs.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "lib/member.h"
#include "lib/trace.h"

#define NR	60

static void hit(int times)
{
	hit_with(PID, test_busted("hits") ? times - 1 : times);
}

/* ---- filters ---- */

static int filter(int fd, const char *text)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text);
}

static void a_filter_lets_through_what_it_says(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd = must_open_self(&attr), second = must_open_self(&attr);
	char text[64];

	(void)unused;
	snprintf(text, sizeof(text), "pid > %d && pid < %d", PID, PID + 11);
	event_enable(fd);
	event_enable(second);
	hit_with(PID, 3);
	if (!test_busted("filter"))
		CHECK(!filter(fd, text));
	hit_with(PID, NR);
	hit_with(PID + 1, 1);
	hit_with(PID + 10, 2);
	hit_with(PID + 11, NR);
	CHECK_EQ(event_read(fd), 6);
	CHECK_EQ(event_read(second), 3 + 2 * NR + 3);
}

static void what_a_filter_stops_is_not_sampled(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	struct ring ring;
	int fd;

	(void)unused;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 4, PROT_READ | PROT_WRITE);
	if (!test_busted("filter"))
		CHECK(!filter(fd, "pid == 77"));
	event_enable(fd);
	hit_with(PID, NR);
	hit_with(77, 5);
	event_disable(fd);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), 5);
}

/* A filter that is not taken changes nothing; one that was taken stays. */
static void a_bad_filter_is_refused(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd = must_open_self(&attr);

	(void)unused;
	CHECK_ERRNO(filter(fd, "pid =="), EINVAL);
	CHECK_ERRNO(filter(fd, "no_such_field == 1"), EINVAL);
	CHECK_ERRNO(filter(fd, "pid == 1 &&"), EINVAL);
	CHECK_ERRNO(filter(fd, (char *)8), EFAULT);
	event_enable(fd);
	hit(NR);
	CHECK_EQ(event_read(fd), NR);
	CHECK(!filter(fd, "pid == 1"));
	CHECK_ERRNO(filter(fd, "pid == 2"), EEXIST);
	hit(NR);
	CHECK_EQ(event_read(fd), NR);
}

/* ---- families ---- */

static void children_s_hits_are_added(long which)
{
	struct perf_event_attr attr = trace_attr(CALL);
	bool filtered = which & 1, stat = which & 2;
	int fd, i;

	attr.inherit = !test_busted("inherit");
	attr.inherit_stat = stat;	/* copies for each child, instead of a set's */
	fd = must_open_self(&attr);
	if (filtered)
		CHECK(!filter(fd, "pid != 5"));
	event_enable(fd);
	hit(1);
	for (i = 0; i < 6; i++) {
		pid_t pid = fork();

		if (!pid) {
			hit(NR);
			hit_with(5, NR);
			if (!fork())
				hit(NR);
			while (wait(NULL) > 0)
				;
			_exit(0);
		}
		if (i % 2)
			CHECK(wait(NULL) > 0);
	}
	while (wait(NULL) > 0)
		;
	hit(1);
	event_disable(fd);
	CHECK_EQ(event_read(fd), 2 + 6 * (filtered ? 2 : 3) * NR);
}

/* Samples of children go to the ring of the one that was opened, on their CPU. */
static void children_s_hits_are_sampled(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	static struct record record;
	static struct sample sample;
	unsigned int nr = 0;
	struct ring ring;
	pid_t pid;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.inherit = !test_busted("inherit");
	attr.sample_period = 1;
	attr.sample_type = OF_A_HIT;
	fd = must_open(&attr, 0, 0, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	pid = fork();
	if (!pid) {
		hit(NR);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.pid, pid);
		nr++;
	}
	CHECK_EQ(nr, NR);
}

/* ---- about whom ---- */

/* Wakes @m, which then answers: only from sleep is it woken. */
static void wake(struct member *m, int times)
{
	while (times--) {
		await_sleep(m->pid);
		member_do(m, 10);
	}
	await_sleep(m->pid);
}

/* Only what is about these: they wake others as well. */
static void about(int fd, const struct member *m, int nr)
{
	char text[64];

	snprintf(text, sizeof(text), "pid == %d || pid == %d", m[0].pid, m[nr - 1].pid);
	CHECK(!filter(fd, text));
}

/*
 * An event of the CPU counts the same wakeups: each wake(), as these are woken from this CPU alone, and now and then one
 * by whoever gives a pipe's mutex back.
 */
static int reference_open(const struct member *m, int nr)
{
	struct perf_event_attr attr = trace_attr(WAKING);
	int fd;

	fd = must_open(&attr, -1, 0, -1);
	about(fd, m, nr);	/* until then it would count whatever wakes anybody */
	event_enable(fd);
	return fd;
}

enum { ON_THIS_CPU, ON_ANY_CPU, WHILE_OFF, WHILE_LEADER_IS_OFF };

/* A task that sleeps counts its wakeup, though another does it, where its event is for that CPU alone. */
static void a_sleeper_counts_its_wakeup(long how)
{
	struct perf_event_attr attr = trace_attr(WAKING), lead = event_attr(DUMMY);
	bool off = how == WHILE_OFF || how == WHILE_LEADER_IS_OFF;
	bool anywhere = how == ON_ANY_CPU || (test_busted("sleeper") && !off);
	int fd, reference, leader = -1;
	uint64_t count, wakeups;
	struct member m;

	pin_to_cpu(0);
	m = member_start();
	if (how == WHILE_LEADER_IS_OFF)
		leader = must_open(&lead, m.pid, 0, -1);
	fd = must_open(&attr, m.pid, anywhere ? -1 : 0, leader);
	about(fd, &m, 1);
	reference = reference_open(&m, 1);
	await_sleep(m.pid);
	if (how != WHILE_OFF)
		event_enable(fd);
	wakeups = event_read(reference);
	wake(&m, NR);
	count = event_read(fd);
	wakeups = event_read(reference) - wakeups;
	member_end(&m);
	CHECK(wakeups >= NR);
	if (off && !is_pcl())
		test_skip("stock counts for an event that is off: %llu", (unsigned long long)count);
	CHECK_EQ(count, how == ON_THIS_CPU ? wakeups : 0);
}

/* The same of a task that inherited the event. */
static void a_sleeping_child_counts_its_wakeup(long stat)
{
	struct perf_event_attr attr = trace_attr(WAKING);
	struct parent parent;
	uint64_t count, wakeups;
	struct member m[2];
	int fd, reference;

	pin_to_cpu(0);
	attr.inherit = 1;
	attr.inherit_stat = stat;
	attr.disabled = 0;
	parent = parent_start();
	fd = must_open(&attr, parent.pid, test_busted("sleeper") ? -1 : 0, -1);
	parent_bears(&parent, m, 2);
	about(fd, m, 2);
	wake(&m[0], 1);
	wake(&m[1], 1);
	reference = reference_open(m, 2);
	wakeups = event_read(reference);
	count = event_read(fd);
	wake(&m[0], NR);
	wake(&m[1], 2 * NR);
	count = event_read(fd) - count;
	wakeups = event_read(reference) - wakeups;
	parent_end(&parent, m, 2);
	CHECK(wakeups >= 3 * NR);
	CHECK_EQ(count, wakeups);
}

/* Its sample would tell of a task that runs nowhere. */
static void a_sleeper_is_not_sampled(long unused)
{
	struct perf_event_attr attr = trace_attr(WAKING);
	int fd, reference;
	struct ring ring;
	struct member m;

	(void)unused;
	pin_to_cpu(0);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP;
	m = member_start();
	fd = must_open(&attr, m.pid, test_busted("sleeper") ? -1 : 0, -1);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	about(fd, &m, 1);
	await_sleep(m.pid);
	reference = reference_open(&m, 1);
	event_enable(fd);
	wake(&m, NR);
	CHECK(event_read(fd) >= NR);
	CHECK_EQ(event_read(fd), event_read(reference));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), 0);
	member_end(&m);
}

/* ---- who may ---- */

struct wish {
	const char *tracepoint;
	uint64_t sample_type;
	int cpu;
	int error[4];		/* at paranoid -1, 0, 1, 2 */
};

/* Data of system calls are their task's own. */
static const struct wish wishes[] = {
	{ CALL, 0, -1, { 0, 0, 0, 0 } },
	{ SWITCH, 0, -1, { 0, 0, 0, 0 } },
	{ CALL, PERF_SAMPLE_RAW, -1, { 0, 0, 0, 0 } },
	{ SWITCH, PERF_SAMPLE_RAW, -1, { 0, EPERM, EPERM, EPERM } },
	{ SWITCH, PERF_SAMPLE_IP, -1, { 0, 0, 0, 0 } },
	{ CALL, 0, 0, { 0, 0, EACCES, EACCES } },
	{ CALL, PERF_SAMPLE_RAW, 0, { 0, EPERM, EPERM, EPERM } },
};

#define NR_WISHES (sizeof(wishes) / sizeof(wishes[0]))

static struct perf_event_attr wished[NR_WISHES];

static int as_ordinary_user(void *argument)
{
	long level = *(long *)argument;
	unsigned int i;

	drop_privileges();
	for (i = 0; i < NR_WISHES; i++) {
		int fd = event_open(&wished[i], wishes[i].cpu < 0 ? 0 : -1, wishes[i].cpu, -1, 0);
		int error = fd < 0 ? errno : 0;

		if (error != wishes[i].error[(level + 1 + 2 * test_busted("paranoid")) % 4])
			FAIL("paranoid %ld, wish %u: %s", level, i, error ? strerror(error) : "accepted");
	}
	return 0;
}

/* The kernel is left out, which is allowed always; that nothing is counted then is another matter. */
static void an_ordinary_user_may(long level)
{
	long before = sysctl_get("perf_event_paranoid");
	unsigned int i;
	int status;

	for (i = 0; i < NR_WISHES; i++) {
		wished[i] = trace_attr(wishes[i].tracepoint);
		wished[i].exclude_kernel = 1;
		wished[i].sample_type = wishes[i].sample_type;
		wished[i].sample_period = !!wishes[i].sample_type;
	}
	sysctl_set("perf_event_paranoid", level);
	status = in_child(as_ordinary_user, &level);
	sysctl_set("perf_event_paranoid", before);
	CHECK_EQ(status, 0);
}

static const struct test tests[] = {
	TEST(a_filter_lets_through_what_it_says),
	TEST(what_a_filter_stops_is_not_sampled),
	TEST(a_bad_filter_is_refused),
	TEST_WITH(children_s_hits_are_added, "(a set)", 0),
	TEST_WITH(children_s_hits_are_added, "(a set, filtered)", 1),
	TEST_WITH(children_s_hits_are_added, "(copies)", 2),
	TEST_WITH(children_s_hits_are_added, "(copies, filtered)", 3),
	TEST(children_s_hits_are_sampled),
	TEST_WITH(a_sleeper_counts_its_wakeup, "(on this CPU)", ON_THIS_CPU),
	TEST_WITH(a_sleeper_counts_its_wakeup, "(not on any)", ON_ANY_CPU),
	TEST_WITH(a_sleeper_counts_its_wakeup, "(not while off)", WHILE_OFF),
	TEST_WITH(a_sleeper_counts_its_wakeup, "(not while its leader is off)", WHILE_LEADER_IS_OFF),
	TEST_WITH(a_sleeping_child_counts_its_wakeup, "(a set)", 0),
	TEST_WITH(a_sleeping_child_counts_its_wakeup, "(copies)", 1),
	TEST(a_sleeper_is_not_sampled),
	TEST_WITH(an_ordinary_user_may, "(paranoid -1)", -1),
	TEST_WITH(an_ordinary_user_may, "(paranoid 0)", 0),
	TEST_WITH(an_ordinary_user_may, "(paranoid 1)", 1),
	TEST_WITH(an_ordinary_user_may, "(paranoid 2)", 2),
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
