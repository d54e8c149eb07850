// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: IA-64's driver below the engine, as programs see it: records in rings, families, control pages, refusals.
 *	What the chip records beside counts is in ia64_recorders/recorders.c.
 *
 * Concepts: the module pcl_ia64 (../kernel/models) makes this machine, which has no PMU of its own, one with an Itanium's,
 *	and this program is its program: what it is to have done, in cycles with an event each, it writes to /dev/pcl_ia64.
 *	All calls, tasks, switches and rings are real.
 * Contexts: root, in boots whose emulator has no PMU (pmu-half=1).
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "lib/itanium.h"

static void run(uint64_t what, uint64_t n)
{
	order(IA64_ORDER_USER, what, n + test_busted("ia64"));
}

/* ---- counts and samples --------------------------------------------------------------------------------------------- */

static void counts(long nr)
{
	struct perf_event_attr generic = event_attr(CYCLES);
	int raw, named;

	machine_begin(&chips[nr]);
	raw = open_raw(CYCLE, -1);
	named = must_open_self(&generic);
	event_enable(named);
	run(CYCLE, 1000);
	order(IA64_ORDER_KERNEL, CYCLE, 33);	/* not user mode */
	CHECK_EQ(event_read(raw), 1000);
	CHECK_EQ(event_read(named), 1000);
	event_disable(named);
	run(CYCLE, 10);
	CHECK_EQ(event_read(raw), 1010);
	CHECK_EQ(event_read(named), 1000);
	close(named);
	close(raw);
	machine_end();
}

/* Each period's end is a record, whole and in order. */
static void samples_are_records(long nr)
{
	struct perf_event_attr attr = raw(CYCLE);
	struct ring ring;
	struct record record;
	struct sample sample;
	uint64_t before = 0;
	unsigned int i;
	int fd;

	machine_begin(&chips[nr]);
	attr.sample_period = 100;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			   PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_STREAM_ID;
	attr.read_format = PERF_FORMAT_ID;
	pin_to_cpu(0);
	fd = must_open(&attr, 0, -1, -1);
	ring = ring_map(fd, 4, PROT_READ | PROT_WRITE);
	run(CYCLE, 1050);
	for (i = 1; i <= 10; i++) {
		CHECK(ring_take(&ring, &record));
		CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.identifier, event_id(fd));
		CHECK_EQ(sample.stream_id, event_id(fd));
		CHECK_EQ(sample.pid, getpid());
		CHECK_EQ(sample.tid, getpid());
		CHECK_EQ(sample.cpu, 0);
		CHECK_EQ(sample.period, 100);
		CHECK_EQ(sample.addr, 0);
		CHECK(sample.ip && sample.time > before);
		before = sample.time;
		CHECK_EQ(sample.nr_read, 2);
		CHECK_EQ(sample.read[0], i * 100);
		CHECK_EQ(sample.read[1], event_id(fd));
	}
	CHECK(!ring_take(&ring, &record));
	/* Another period from now on */
	{
		uint64_t period = 30;

		CHECK(!ioctl(fd, PERF_EVENT_IOC_PERIOD, &period));
	}
	run(CYCLE, 90);
	for (i = 1; i <= 3; i++) {
		CHECK(ring_take(&ring, &record));
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.period, 30);
		CHECK_EQ(sample.read[0], 1050 + i * 30);
	}
	CHECK(!ring_take(&ring, &record));
	ring_unmap(&ring);
	close(fd);
	machine_end();
}

/* ---- families ------------------------------------------------------------------------------------------------------ */

#define CHILDREN 5

/* A child, and one of its own, which is last. */
static int child(void *argument)
{
	const struct chip *chip = argument;
	pid_t pid;

	order(IA64_ORDER_BEGIN, 0, 0);
	run(chip->first[0], 10);
	pid = fork();
	if (!pid) {
		order(IA64_ORDER_BEGIN, 0, 0);
		run(chip->first[0], 3);
		run(chip->first[1], 2);
		_exit(0);
	}
	run(chip->first[1], 20);
	return waitpid(pid, NULL, 0) != pid;
}

/* What children and theirs counted is in the event that was inherited; others of the set count each its own. */
static void inherited_counts_fold(long nr)
{
	const struct chip *chip = &chips[nr];
	struct perf_event_attr attr;
	int fds[2], alone, i;

	machine_begin(chip);
	for (i = 0; i < 2; i++) {
		attr = raw(chip->first[i]);
		attr.inherit = 1;
		fds[i] = must_open(&attr, 0, -1, -1);
	}
	alone = open_raw(CYCLE, -1);
	run(chip->first[0], 100);
	for (i = 0; i < CHILDREN; i++)
		CHECK_EQ(in_child(child, (void *)chip), 0);
	run(CYCLE, 7);
	CHECK_EQ(event_read(fds[0]), 100 + CHILDREN * 13);
	CHECK_EQ(event_read(fds[1]), CHILDREN * 22);
	CHECK_EQ(event_read(alone), 7);
	close(alone);
	close(fds[1]);
	close(fds[0]);
	machine_end();
}

/* Two tasks take turns on one CPU. Each has one of the pairs; both do everything. */
static const struct chip *turns_of;
static int turns_failed;

static void take_turn(const uint64_t *own, const uint64_t *others)
{
	run(own[0], 7);
	run(others[0], 5);
	run(own[1], 3);
	run(others[1], 11);
}

static int take_turns(void *argument)
{
	int *pipes = argument, fds[2], i;
	char byte = 0;

	order(IA64_ORDER_BEGIN, 0, 0);
	for (i = 0; i < 2; i++)
		fds[i] = open_raw(turns_of->second[i], -1);
	for (i = 0; i < 50; i++) {
		if (read(pipes[0], &byte, 1) != 1)
			return 1;
		take_turn(turns_of->second, turns_of->first);
		if (write(pipes[3], &byte, 1) != 1)
			return 2;
	}
	turns_failed = event_read(fds[0]) != 350 || event_read(fds[1]) != 150;
	return turns_failed ? 3 : 0;
}

static void each_task_keeps_its_own(long nr)
{
	int pipes[4], fds[2], i, status;
	char byte = 0;
	pid_t pid;

	machine_begin(&chips[nr]);
	turns_of = &chips[nr];
	pin_to_cpu(0);
	CHECK(!pipe(pipes) && !pipe(pipes + 2));
	for (i = 0; i < 2; i++)
		fds[i] = open_raw(turns_of->first[i], -1);
	pid = fork();
	if (!pid)
		_exit(take_turns(pipes));
	for (i = 0; i < 50; i++) {
		take_turn(turns_of->first, turns_of->second);
		CHECK(write(pipes[1], &byte, 1) == 1 && read(pipes[2], &byte, 1) == 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
	CHECK_EQ(event_read(fds[0]), 350);
	CHECK_EQ(event_read(fds[1]), 150);
	close(fds[0]);
	close(fds[1]);
	machine_end();
}

/* ---- control pages -------------------------------------------------------------------------------------------------- */

/* What a program makes of its page and of the counter, which a switch of tasks may change; all ones: it may not look. */
static uint64_t told_by_page(const volatile struct perf_event_mmap_page *page)
{
	uint64_t pmds[IA64_ORDER_PMDS];
	unsigned int shift = 64 - page->pmc_width;
	uint32_t lock, index;
	uint64_t count;

	if (!page->cap_user_rdpmc)
		return ~0ULL;
	do {
		lock = page->lock;
		index = page->index;
		count = page->offset;
		look(pmds);
		if (index)
			count += (int64_t)(pmds[index - 1] << shift) >> shift;
	} while (page->lock != lock);
	return count;
}

/* The child of the one whose counters these were, on the same CPU: it has an event of its own, or none. */
static int spy(void *own)
{
	uint64_t pmds[IA64_ORDER_PMDS];
	int fd = -1, seen;

	order(IA64_ORDER_BEGIN, 0, 0);
	if (own) {
		fd = open_raw(INSTRUCTION | UP, -1);
		run(INSTRUCTION, 1);	/* psr.up is 0: it counts nothing, and may look from now on */
	}
	seen = __builtin_popcountll(look(pmds));
	if (own)
		seen--;			/* its own, which begins below zero */
	close(fd);
	return seen;
}

static void pages_are_true_and_private(long nr)
{
	uint64_t pmds[IA64_ORDER_PMDS];
	struct ring own, other;
	unsigned int i;
	int fd, hidden;

	machine_begin(&chips[nr]);
	pin_to_cpu(0);
	fd = open_raw(CYCLE | UP, -1);
	hidden = open_raw(CYCLE, -1);
	own = ring_map(fd, 0, PROT_READ);
	other = ring_map(hidden, 0, PROT_READ);
	CHECK_EQ(own.page->pmc_width, chips[nr].width);
	CHECK_EQ(told_by_page(other.page), ~0ULL);
	set_up(true);
	run(CYCLE, 1);
	CHECK(own.page->index);
	for (i = 2; i < 60; i++) {
		run(CYCLE, 1);
		CHECK_EQ(told_by_page(own.page), i);
	}
	CHECK_EQ(other.page->index, 0);
	CHECK_EQ(__builtin_popcountll(look(pmds)), 1);	/* not the one that is the kernel's */
	CHECK_EQ(in_child(spy, NULL), 0);
	CHECK_EQ(in_child(spy, (void *)1), 0);
	CHECK_EQ(told_by_page(own.page), 59);
	set_up(false);
	run(CYCLE, 100);
	CHECK_EQ(told_by_page(own.page), 59);
	CHECK_EQ(event_read(fd), 59);
	CHECK_EQ(event_read(hidden), 159);
	event_disable(fd);
	CHECK_EQ(own.page->index, 0);
	CHECK_EQ(told_by_page(own.page), 59);
	ring_unmap(&other);
	ring_unmap(&own);
	close(hidden);
	close(fd);
	machine_end();
}

/* ---- what each member of a family has for itself -------------------------------------------------------------------- */

static volatile unsigned long *turns;	/* of the parent, as its children see it */

/* Until the parent has run, and nobody else after it */
static void wait_for_parent(void)
{
	unsigned long before = *turns;

	while (*turns < before + 2)
		sched_yield();
}

/* A child that inherits an event under psr.up. The turns that it waits for are to come behind the order. */
static void begin_member(void)
{
	order(IA64_ORDER_BEGIN, 0, 0);
	wait_for_parent();
}

/* The count of @function's children, and of nobody else */
static uint64_t of_members(long nr, bool parent_is_up, int (*function)(void *))
{
	struct perf_event_attr attr = raw(CYCLE | UP);
	int fd, status, i;
	uint64_t count;
	pid_t pid;

	machine_begin(&chips[nr]);
	pin_to_cpu(0);
	turns = mmap(NULL, sizeof(*turns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(turns != MAP_FAILED);
	attr.inherit = 1;
	attr.exclude_kernel = 0;
	fd = must_open(&attr, 0, -1, -1);
	set_up(parent_is_up);
	for (i = 0; i < CHILDREN; i++) {
		pid = fork();
		CHECK(pid >= 0);
		if (!pid)
			_exit(function((void *)parent_is_up));
		while (!waitpid(pid, &status, WNOHANG)) {
			++*turns;
			sched_yield();
		}
		CHECK_EQ(status, 0);
	}
	munmap((void *)turns, sizeof(*turns));
	count = event_read(fd);
	close(fd);
	machine_end();
	return count;
}

static int start_and_stop(void *parent_is_up)
{
	(void)parent_is_up;
	begin_member();
	run(CYCLE, 3);
	set_up(true);
	run(CYCLE, 10);
	set_up(false);
	run(CYCLE, 4);
	return 0;
}

static void a_member_starts_its_own(long nr)
{
	CHECK_EQ(of_members(nr, false, start_and_stop), CHILDREN * 10);
}

/* What the kernel does for it goes by its own psr.up, from the switch on: its parent's is the other way around. */
static int work_in_kernel(void *parent_is_up)
{
	begin_member();
	if (parent_is_up) {
		order(IA64_ORDER_KERNEL, CYCLE, 5);
		set_up(true);
	} else {
		set_up(true);
		wait_for_parent();
	}
	order(IA64_ORDER_KERNEL, CYCLE, 2 + test_busted("ia64"));
	return 0;
}

static void a_member_has_its_own_gate(long nr)
{
	CHECK_EQ(of_members(nr, true, work_in_kernel), CHILDREN * 2);
	CHECK_EQ(of_members(nr, false, work_in_kernel), CHILDREN * 2);
}

/* ---- tasks that others look at, that become other programs, that take signals ---------------------------------------- */

/* What parent and child tell each other, in turns */
static int to_child[2], to_parent[2];

static void give_turn(const int *pipe)
{
	CHECK(write(pipe[1], "", 1) == 1);
}

static void await_turn(const int *pipe)
{
	char byte;

	CHECK(read(pipe[0], &byte, 1) == 1);
}

/* Nobody's event is here; then one is, which it starts and stops itself; then none again, and nothing of it; and one more. */
static void be_attached_to(uint64_t n)
{
	uint64_t pmds[IA64_ORDER_PMDS];
	unsigned int round;

	order(IA64_ORDER_BEGIN, 0, 0);
	for (round = 0; round < 2; round++) {
		run(CYCLE, 50);
		give_turn(to_parent);
		await_turn(to_child);
		set_up(true);
		run(CYCLE, n + round);
		set_up(false);
		run(CYCLE, 7);
		give_turn(to_parent);
		await_turn(to_child);
		CHECK_EQ(look(pmds), 0);
	}
	give_turn(to_parent);
	await_turn(to_child);
	set_up(true);
	run(CYCLE, 3 * n);
}

/*
 * An event comes to a task that runs, and goes, whenever another wants it to: the task need not know. The last one is read
 * when the task is no more.
 */
static void events_come_to_a_task_and_go(long nr)
{
	unsigned int round;
	int fd, status;
	pid_t pid;

	machine_begin(&chips[nr]);
	CHECK(!pipe(to_child) && !pipe(to_parent));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		be_attached_to(100);
		_exit(0);
	}
	for (round = 0; round < 3; round++) {
		struct perf_event_attr attr = raw(CYCLE | UP);

		await_turn(to_parent);
		fd = must_open(&attr, pid, -1, -1);
		give_turn(to_child);
		if (round == 2)
			break;
		await_turn(to_parent);
		CHECK_EQ(event_read(fd), 100 + round);
		close(fd);
		give_turn(to_child);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(exit_status(status), 0);
	CHECK_EQ(event_read(fd), 300);
	close(fd);
	machine_end();
}

/* What a child becomes; its arguments are the chip, the machine's file, and the event's, which counts since the exec. */
static int be_new_program(long nr, int file, int fd)
{
	machine_join(&chips[nr], file);
	order(IA64_ORDER_EXEC, 0, 0);
	set_up(true);
	run(CYCLE, 10);
	set_up(false);
	run(CYCLE, 5);
	return event_read(fd) != 10;
}

static int become_new_program(void *nr)
{
	char chip[16], file[16], event[16];
	struct perf_event_attr attr = raw(CYCLE | UP);

	attr.disabled = 1;
	attr.enable_on_exec = 1;
	snprintf(chip, sizeof(chip), "%ld", (long)nr);
	snprintf(file, sizeof(file), "%d", machine_file());
	snprintf(event, sizeof(event), "%d", event_open(&attr, 0, -1, -1, 0));
	order(IA64_ORDER_BEGIN, 0, 0);
	execl("/proc/self/exe", "ia64", chip, file, event, NULL);
	return 2;
}

/* An event that an exec enables is the new program's to start and stop at once. */
static void a_new_program_has_its_counters(long nr)
{
	machine_begin(&chips[nr]);
	CHECK_EQ(in_child(become_new_program, (void *)nr), 0);
	machine_end();
}

static bool is_up;	/* before the signal */

static void handle_signal(int signal)
{
	(void)signal;
	set_up(!is_up);
	run(CYCLE, 20);
	order(IA64_ORDER_RETURN, 0, is_up);
}

/* Where the task may not use the mask, the handler may not either; then what it does ends with it. */
static void handlers_leave_the_mask_as_it_was(long nr)
{
	unsigned int up;
	int fd;

	machine_begin(&chips[nr]);
	CHECK(signal(SIGUSR1, handle_signal) != SIG_ERR);
	order(IA64_ORDER_BEGIN, 0, 0);
	is_up = false;
	CHECK(!raise(SIGUSR1));
	fd = open_raw(CYCLE | UP, -1);
	run(CYCLE, 5);
	CHECK_EQ(event_read(fd), 0);
	for (up = 0; up < 2; up++) {
		uint64_t before = event_read(fd);

		is_up = up;
		set_up(is_up);
		run(CYCLE, 3);
		CHECK(!raise(SIGUSR1));
		run(CYCLE, 100);
		CHECK_EQ(event_read(fd) - before, is_up ? 103 : 20);
	}
	close(fd);
	machine_end();
}

/* ---- groups --------------------------------------------------------------------------------------------------------- */

/* What cannot be counted together is refused as a group, with the rule; what can is read as one. */
static void groups_obey_the_rules(long nr)
{
	const struct chip *chip = &chips[nr];
	struct perf_event_attr attr;
	uint64_t words[8];
	int leader, member;

	machine_begin(chip);
	trace_refusals();
	attr = raw(chip->first[0]);
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open(&attr, 0, -1, -1);
	member = open_raw(chip->first[1], leader);
	must_be_refused(raw(chip->second[0]), leader, EINVAL,
			chip->width == 32 ? PCL_REASON_IA64_GROUP_NEVER_FITS : PCL_REASON_IA64_GROUP_SETS);
	must_be_refused(raw(0xff00), -1, EINVAL, PCL_REASON_IA64_RAW_UNKNOWN);
	attr = raw(CYCLE);
	attr.precise_ip = 1;
	must_be_refused(attr, -1, EOPNOTSUPP, PCL_REASON_IA64_PRECISE);
	run(chip->first[0], 40);
	run(chip->first[1], 2);
	CHECK_EQ(event_read_words(leader, words, 8), 3);
	CHECK_EQ(words[0], 2);
	CHECK_EQ(words[1], 40);
	CHECK_EQ(words[2], 2);
	close(member);
	close(leader);
	machine_end();
}

static void names_are_told(long nr)
{
	static const char *const files[][2] = {
		{ "type", "4" }, { "format/event", "config:8-15" }, { "format/up", "config:32" },
		{ "events/cpu-cycles", "event=0x12,umask=0x0" },
	};
	unsigned int i;

	machine_begin(&chips[nr]);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[128], text[64];
		FILE *f;

		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/cpu/%s", files[i][0]);
		f = fopen(path, "r");
		if (!f || !fgets(text, sizeof(text), f))
			FAIL("cannot read %s", path);
		fclose(f);
		text[strcspn(text, "\n") - test_busted("ia64")] = 0;
		if (strcmp(text, files[i][1]))
			FAIL("%s says %s", path, text);
	}
	machine_end();
}

static const struct test tests[] = {
	ON_EACH(counts),
	ON_EACH(samples_are_records),
	ON_EACH(inherited_counts_fold),
	ON_EACH(each_task_keeps_its_own),
	ON_EACH(pages_are_true_and_private),
	ON_EACH(a_member_starts_its_own),
	ON_EACH(a_member_has_its_own_gate),
	ON_EACH(events_come_to_a_task_and_go),
	ON_EACH(a_new_program_has_its_counters),
	ON_EACH(handlers_leave_the_mask_as_it_was),
	ON_EACH(groups_obey_the_rules),
	ON_EACH(names_are_told),
};

int main(int argc, char **argv)
{
	if (argc == 4)
		return be_new_program(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	return TESTS_RUN(tests);
}
