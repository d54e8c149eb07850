// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: many tasks that open, map, fork, exec, read, redirect and close at random, while a CPU goes and comes.
 *
 * Concepts: what is asserted is little: calls fail only with errnos that the race allows, nothing hangs, the kernel
 *	does not complain (the runner looks at its log; stock's may), and in the end no object is left. The seed is
 *	printed, so a run can be tried again with PCL_SEED; the number of steps is bounded, not the time.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../selftests/lib/event.h"

#define WORKERS	4
#define SLOTS	12

struct worker {
	unsigned int seed, number;
	int fds[SLOTS];
	void *maps[SLOTS];
	size_t lengths[SLOTS];
};

static volatile int stop;

/* In memory that all share. */
static struct {
	pid_t pids[WORKERS];
	int all;			/* of these are told */
	unsigned int met;		/* how many have met another */
	unsigned int opened[WORKERS];	/* events that each has opened on others */
} *team;

static uint64_t tracepoints[2];		/* hit in the scheduler */

static unsigned int roll(struct worker *worker, unsigned int sides)
{
	worker->seed = worker->seed * 1103515245 + 12345;
	return (worker->seed >> 16) % sides;
}

/* What a race may bring. */
static void check_errno(const char *what)
{
	static const int allowed[] = { ENODEV, ESRCH, EINVAL, ENOSPC, EACCES, EPERM, ENOMEM, EBADF, EAGAIN, EINTR, EBUSY,
				       EMFILE, EEXIST };
	unsigned int i;

	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (errno == allowed[i])
			return;
	FAIL("%s: %s", what, strerror(errno));
}

static struct perf_event_attr random_attr(struct worker *worker)
{
	static const struct {
		uint32_t type;
		uint64_t config;
	} kinds[] = {
		{ INSTRUCTIONS }, { BRANCHES }, { CYCLES }, { PERF_TYPE_RAW, 0xc4 }, { PAGE_FAULTS }, { TASK_CLOCK },
		{ CPU_CLOCK }, { SWITCHES }, { DUMMY }, { PERF_TYPE_TRACEPOINT, 0 }, { PERF_TYPE_TRACEPOINT, 1 },
	};
	unsigned int kind = roll(worker, sizeof(kinds) / sizeof(kinds[0]));
	struct perf_event_attr attr = event_attr(kinds[kind].type, kinds[kind].config);

	attr.disabled = roll(worker, 2);
	attr.inherit = roll(worker, 3) == 0;
	attr.pinned = roll(worker, 10) == 0;
	attr.exclusive = roll(worker, 20) == 0;
	attr.enable_on_exec = roll(worker, 5) == 0;
	attr.remove_on_exec = !attr.enable_on_exec && roll(worker, 5) == 0;
	attr.exclude_kernel = roll(worker, 3) != 0;
	if (roll(worker, 2)) {
		/* On a slow kernel the interrupts of several events must leave something to the program, too. */
		attr.sample_period = test_count(20000, 400000) + roll(worker, test_count(100000, 2000000));
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN;
		attr.mmap = attr.comm = attr.task = attr.context_switch = roll(worker, 2);
		attr.mmap2 = attr.build_id = attr.namespaces = roll(worker, 2);
		attr.sample_id_all = roll(worker, 2);
		/* A timer's interrupts must leave something to the program on a slow emulator, too: not every 20 us. */
		if (attr.type == PERF_TYPE_SOFTWARE && (attr.config == PERF_COUNT_SW_TASK_CLOCK ||
							attr.config == PERF_COUNT_SW_CPU_CLOCK))
			attr.sample_period = 1000000;
	}
	if (attr.type == PERF_TYPE_TRACEPOINT) {
		attr.config = tracepoints[attr.config];
		attr.exclude_kernel = 0;
		if (attr.sample_period) {
			attr.sample_period = 1 + roll(worker, 20);
			attr.sample_type |= PERF_SAMPLE_RAW;
		}
	}
	attr.read_format = roll(worker, 2) ? PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID : 0;
	if (!attr.inherit && roll(worker, 3) == 0)
		attr.read_format |= PERF_FORMAT_GROUP;
	return attr;
}

static void close_slot(struct worker *worker, unsigned int slot)
{
	if (worker->maps[slot] && roll(worker, 2)) {
		munmap(worker->maps[slot], worker->lengths[slot]);
		worker->maps[slot] = NULL;
	}
	if (worker->fds[slot] >= 0)
		close(worker->fds[slot]);
	worker->fds[slot] = -1;
	if (worker->maps[slot])
		munmap(worker->maps[slot], worker->lengths[slot]);
	worker->maps[slot] = NULL;
}

static void open_slot(struct worker *worker, unsigned int slot)
{
	struct perf_event_attr attr = random_attr(worker);
	int group = roll(worker, 3) ? -1 : worker->fds[roll(worker, SLOTS)];
	int cpu = roll(worker, 3) ? -1 : (int)roll(worker, 2);
	pid_t pid = roll(worker, 3) ? 0 : team->pids[roll(worker, WORKERS)];

	if (cpu >= 0 && roll(worker, 3) == 0)
		pid = -1;
	close_slot(worker, slot);
	worker->fds[slot] = event_open(&attr, pid, cpu, group, roll(worker, 4) ? 0 : PERF_FLAG_FD_CLOEXEC);
	if (worker->fds[slot] < 0)
		check_errno("open");
	else if (pid > 0 && pid != team->pids[worker->number])
		team->opened[worker->number]++;
}

static void map_slot(struct worker *worker, unsigned int slot)
{
	size_t length = (1 + (1UL << roll(worker, 3))) * PAGE;
	void *at;

	if (worker->fds[slot] < 0 || worker->maps[slot])
		return;
	at = mmap(NULL, length, roll(worker, 2) ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, worker->fds[slot], 0);
	if (at == MAP_FAILED) {
		check_errno("mmap");
		return;
	}
	worker->maps[slot] = at;
	worker->lengths[slot] = length;
}

static void control_slot(struct worker *worker, unsigned int slot)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET, PERF_EVENT_IOC_REFRESH,
	};
	unsigned long flags = roll(worker, 2) ? PERF_IOC_FLAG_GROUP : 0;
	int fd = worker->fds[slot];

	if (fd < 0)
		return;
	if (roll(worker, 8) == 0) {
		if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "common_pid > 1") < 0)
			check_errno("SET_FILTER");
	} else if (roll(worker, 4) == 0) {
		int to = worker->fds[roll(worker, SLOTS)];

		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (long)to) < 0)
			check_errno("SET_OUTPUT");
	} else if (ioctl(fd, requests[roll(worker, 4)], flags) < 0) {
		check_errno("ioctl");
	}
}

static void read_slot(struct worker *worker, unsigned int slot)
{
	uint64_t words[128];

	if (worker->fds[slot] >= 0 && read(worker->fds[slot], words, sizeof(words)) < 0)
		check_errno("read");
}

static void fork_a_child(struct worker *worker)
{
	unsigned int exec = roll(worker, 3) == 0, deep = roll(worker, 3) == 0;
	pid_t pid = fork();

	if (pid < 0) {
		check_errno("fork");
		return;
	}
	if (!pid) {
		loop_run(2000);
		if (deep && !fork())
			_exit(0);
		if (exec)
			execl("/proc/self/exe", "torture", "leave", NULL);
		_exit(0);
	}
	loop_run(2000);
	waitpid(pid, NULL, 0);
}

static void *short_thread(void *argument)
{
	loop_run((unsigned long)argument);
	return NULL;
}

static void step(struct worker *worker)
{
	unsigned int slot = roll(worker, SLOTS);
	pthread_t thread;

	switch (roll(worker, 12)) {
	case 0: case 1: case 2:
		open_slot(worker, slot);
		break;
	case 3:
		close_slot(worker, slot);
		break;
	case 4: case 5:
		map_slot(worker, slot);
		break;
	case 6: case 7:
		control_slot(worker, slot);
		break;
	case 8:
		read_slot(worker, slot);
		break;
	case 9:
		fork_a_child(worker);
		break;
	case 10:
		if (!pthread_create(&thread, NULL, short_thread, (void *)3000))
			pthread_join(thread, NULL);
		break;
	default:
		prctl(roll(worker, 2) ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE);
		loop_run(5000);
	}
}

/* Each has an event on the next one while all are there: whom it meets later, chance says. */
static void meet(unsigned int number)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	int fd = event_open(&attr, team->pids[(number + 1) % WORKERS], -1, -1, 0);

	__atomic_add_fetch(&team->met, 1, __ATOMIC_ACQ_REL);
	CHECK(fd >= 0);
	while (__atomic_load_n(&team->met, __ATOMIC_ACQUIRE) < WORKERS)
		usleep(1000);
	close(fd);
}

static int work(unsigned int number, unsigned int seed, unsigned long steps)
{
	struct worker worker = { .seed = seed, .number = number };
	unsigned int slot;
	unsigned long i;

	while (!__atomic_load_n(&team->all, __ATOMIC_ACQUIRE))
		usleep(1000);
	meet(number);
	for (slot = 0; slot < SLOTS; slot++)
		worker.fds[slot] = -1;
	for (i = 0; i < steps; i++)
		step(&worker);
	return 0;
}

/* CPU 1 goes and comes until the workers are done. */
static void *toggle_cpu(void *argument)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	(void)argument;
	while (fd >= 0 && !stop) {
		/* A busy CPU may say EBUSY. */
		if (write(fd, "0", 1) != 1)
			continue;
		CHECK(write(fd, "1", 1) == 1);
	}
	return NULL;
}

static void run_workers(bool hotplug, unsigned long steps)
{
	const char *wanted = getenv("PCL_SEED");
	unsigned int seed = wanted ? strtoul(wanted, NULL, 0) : (unsigned int)time(NULL), sum = 0, i;
	pthread_t toggler;
	int status;

	test_note("PCL_SEED=%u", seed);
	tracepoints[0] = tracepoint_number("sched/sched_switch");
	tracepoints[1] = tracepoint_number("sched/sched_waking");
	lift_throttling();
	if (hotplug)
		CHECK(!pthread_create(&toggler, NULL, toggle_cpu, NULL));
	team = mmap(NULL, sizeof(*team), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(team != MAP_FAILED);
	for (i = 0; i < WORKERS; i++) {
		pid_t pid = fork();

		CHECK(pid >= 0);
		if (!pid)
			_exit(work(i, seed + i * 7919, steps));
		team->pids[i] = pid;
	}
	__atomic_store_n(&team->all, 1, __ATOMIC_RELEASE);
	for (i = 0; i < WORKERS; i++) {
		CHECK(waitpid(team->pids[i], &status, 0) == team->pids[i]);
		if (WIFSIGNALED(status))
			FAIL("worker %u ended by signal %d", i, WTERMSIG(status));
		CHECK_EQ(WEXITSTATUS(status), 0);
		test_note("worker %u: %u events on other workers", i, team->opened[i]);
		sum += team->opened[i];
	}
	/* Some thirty of the few steps that a debug kernel does; where a CPU goes they are fewer still. */
	CHECK(hotplug || sum);
	stop = 1;
	if (hotplug)
		CHECK(!pthread_join(toggler, NULL));
}

static void everything_at_once(long unused)
{
	(void)unused;
	run_workers(false, test_count(1500, 200));
}

static void everything_while_a_cpu_goes(long unused)
{
	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	run_workers(true, test_count(400, 60));
}

static const struct test tests[] = {
	TEST(everything_at_once),
	TEST(everything_while_a_cpu_goes),
};

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? 0 : TESTS_RUN(tests);
}
