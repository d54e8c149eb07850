// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: who may read SPARC's %pic, and what it shows: the reader's own counters, exact, and nothing beside them.
 *
 * Concepts: both counters are one register, open to user code or closed. Where the kernel closes it, since something
 *	else is beside an own counter, it does the read itself; a program of 64 bits that only reads notices nothing but the
 *	time, and that the read itself is not among what it counted.
 * Contexts: root; hardware events of user mode, on one CPU.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lib/event.h"
#include "lib/member.h"

#define FORBIDDEN	(128 + ARCH_FORBIDDEN)
#define SMALL_N		20000UL
#define LARGE_N		200000UL
#define ROUNDS		200

/* An event that may be on a counter beside that of instructions, on each machine */
static struct perf_event_attr other_attr(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES);
	int fd = event_open(&attr, 0, -1, -1, 0);

	if (fd < 0)
		attr.config = PERF_COUNT_HW_CACHE_REFERENCES;
	else
		close(fd);
	attr.disabled = 0;
	return attr;
}

static volatile struct perf_event_mmap_page *own_page;

static int own_open(void)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 0, PROT_READ);

	own_page = ring.page;
	event_enable(fd);
	return fd;
}

static uint64_t own_count(void)
{
	uint64_t count;

	CHECK(event_rdpmc(own_page, &count));
	return count;
}

/* The counter that is not the own one. */
static uint64_t other_half(void)
{
	uint32_t lock;
	uint64_t value;

	do {
		lock = own_page->lock;
		CHECK(own_page->index);
		value = rdpmc((own_page->index == 1) ^ test_busted("other"));
	} while (own_page->lock != lock);
	return value;
}

/* Exact, however the read is done. */
static void check_own(int fd)
{
	static const volatile unsigned long sizes[3] = { SMALL_N, SMALL_N, LARGE_N };
	uint64_t windows[3], before;
	unsigned int i;

	for (i = 0; i < 3; i++)
		windows[i] = event_loop_by_rdpmc(own_page, sizes[i]);
	CHECK_EQ(windows[2] - windows[1], 2 * (LARGE_N - SMALL_N));
	before = own_count();
	CHECK_RANGE(event_read(fd) - before, 0, 2000);
	for (i = 0; i < ROUNDS; i++)
		CHECK_EQ(other_half(), 0);
}

static int look(void *unused)
{
	(void)unused;
	return rdpmc(0) + rdpmc(1) > 1;
}

static void a_child_and_a_later_program_have_no_right(long unused)
{
	int fd;

	(void)unused;
	need_user_reads();
	CHECK_EQ(in_child(look, NULL), FORBIDDEN);
	fd = own_open();
	check_own(fd);
	CHECK_EQ(in_child(look, NULL), FORBIDDEN);
	check_own(fd);
	munmap((void *)own_page, PAGE);
	CHECK_EQ(in_child(look, NULL), FORBIDDEN);
}

/* The instruction itself, in the process that had the page. */
static int look_after_unmap(void *unused)
{
	(void)unused;
	own_open();
	rdpmc(0);
	if (!test_busted("right"))
		munmap((void *)own_page, PAGE);
	rdpmc(0);
	return 0;
}

static void the_right_goes_with_the_page(long unused)
{
	(void)unused;
	need_user_reads();
	CHECK_EQ(in_child(look_after_unmap, NULL), FORBIDDEN);
}

/*
 * An exec from memory that is shared with who goes on: its pages stay, and so do the events, on their counters, all of them
 * its own, so that the register was open. Whoever is switched out in between is asked about anyway: then it is no trial;
 * so the program comes from memory, where its file would be waited for.
 */
#define AWAY	3

static char away[24], stack[65536] __attribute__((aligned(16)));
static unsigned long was_away;

static unsigned long times_away(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void refused(int nr)
{
	(void)nr;
	_exit(times_away() == was_away ? FORBIDDEN : AWAY);
}

/* The program after the exec */
static int look_once(const char *before)
{
	was_away = strtoul(before, NULL, 10);
	signal(ARCH_FORBIDDEN, refused);
	look(NULL);
	return times_away() == was_away ? 0 : AWAY;
}

static int exec_while_open(void *of)
{
	struct perf_event_attr attrs[2] = { event_attr(INSTRUCTIONS), other_attr() };
	char *argv[] = { "pic", "look", away, NULL }, *none[] = { NULL };
	volatile struct perf_event_mmap_page *page;
	int i, fd, program = *(int *)of;

	attrs[0].disabled = 0;
	for (i = 0; i < 2; i++) {
		fd = event_open(&attrs[i], 0, -1, -1, 0);
		page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		if (fd < 0 || page == MAP_FAILED || !page->index)
			_exit(1);
	}
	look(NULL);
	snprintf(away, sizeof(away), "%lu", times_away());
	if (!test_busted("right"))
		fexecve(program, argv, none);
	_exit(2);
}

static int exec_beside(void *program)
{
	pid_t pid = clone(exec_while_open, stack + sizeof(stack), CLONE_VM | SIGCHLD, program);
	int status;

	return waitpid(pid, &status, 0) == pid ? exit_status(status) : 1;
}

/* This program, in memory */
static int program_copy(void)
{
	int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("pic", MFD_CLOEXEC);
	struct stat is;

	CHECK(from >= 0 && to >= 0 && !fstat(from, &is));
	CHECK(sendfile(to, from, NULL, is.st_size) == is.st_size);
	close(from);
	return to;
}

static void an_exec_takes_the_right_away(long unused)
{
	struct sched_param first = { .sched_priority = 50 };
	int i, program, seen = AWAY;

	(void)unused;
	need_user_reads();
	program = program_copy();
	pin_to_cpu(0);
	CHECK(!sched_setscheduler(0, SCHED_FIFO, &first));
	for (i = 0; i < 100 && seen == AWAY; i++)
		seen = in_child(exec_beside, &program);
	CHECK_EQ(seen, FORBIDDEN);
}

/* What a CPU-wide event counts is nobody's. */
static void the_cpu_s_counter_is_not_seen(long unused)
{
	struct perf_event_attr attr = other_attr();
	struct ring ring;
	int fd;

	(void)unused;
	need_user_reads();
	pin_to_cpu(0);
	ring = ring_map(must_open(&attr, -1, 0, -1), 0, PROT_READ);
	CHECK(!ring.page->cap_user_rdpmc && !ring.page->index);
	CHECK_EQ(in_child(look, NULL), FORBIDDEN);
	fd = own_open();
	CHECK(own_page->index);
	check_own(fd);
}

/* Nor what is counted for a family: its members follow each other in silence. */
static void the_family_s_counter_is_not_seen(long unused)
{
	struct perf_event_attr attr = other_attr();
	int fd, i;

	(void)unused;
	need_user_reads();
	pin_to_cpu(0);
	attr.inherit = 1;
	must_open_self(&attr);
	for (i = 0; i < 3; i++)
		CHECK_EQ(in_child(look, NULL), FORBIDDEN);
	fd = own_open();
	CHECK(own_page->index);
	check_own(fd);
	for (i = 0; i < 3; i++)
		CHECK_EQ(in_child(look, NULL), FORBIDDEN);
}

/* Nor what another task counted before, on the same CPU. */
static void the_neighbour_s_counters_are_not_seen(long unused)
{
	struct perf_event_attr attr = other_attr(), instructions = event_attr(INSTRUCTIONS);
	struct member m;
	int fd, theirs, i;
	uint64_t began;

	(void)unused;
	need_user_reads();
	pin_to_cpu(0);
	m = member_start();
	instructions.disabled = 0;
	theirs = must_open(&instructions, m.pid, -1, -1);
	must_open(&attr, m.pid, -1, -1);
	fd = own_open();
	began = event_read(theirs);
	for (i = 0; i < 20; i++) {
		member_do(&m, MEMBER_LOOP);
		CHECK_EQ(other_half(), 0);
	}
	CHECK(event_read(theirs) > began);
	check_own(fd);
	member_end(&m);
}

/* The kernel puts what it read where the instruction names, and nowhere else. */
__attribute__((noipa))
static void read_into_each_kind(uint64_t read[4])
{
	register uint64_t global __asm__("g1") = 1, out __asm__("o3") = 2;
	register uint64_t local __asm__("l5") = 3, in __asm__("i4") = 4;

	__asm__ volatile("rd %%asr17, %0" : "+r" (global), "+r" (out), "+r" (local), "+r" (in));
	read[0] = global - (out + local + in - 9);
	global = 1;
	__asm__ volatile("rd %%asr17, %1" : "+r" (global), "+r" (out), "+r" (local), "+r" (in));
	read[1] = out - (global + local + in - 8);
	out = 2;
	__asm__ volatile("rd %%asr17, %2" : "+r" (global), "+r" (out), "+r" (local), "+r" (in));
	read[2] = local - (global + out + in - 7);
	local = 3;
	__asm__ volatile("rd %%asr17, %3" : "+r" (global), "+r" (out), "+r" (local), "+r" (in));
	read[3] = in - (global + out + local - 6);
	__asm__ volatile("rd %asr17, %g0");
}

/* One that is behind a branch that is taken is passed over to where the branch goes. */
__attribute__((noipa))
static uint64_t read_behind_a_branch(void)
{
	uint64_t value, passed = 0;

	__asm__ volatile("ba,pt %%xcc, 1f\n\t"
			 " rd %%asr17, %0\n\t"
			 "mov 1, %1\n"
			 "1:" : "=&r" (value), "+r" (passed));
	CHECK_EQ(passed, 0);
	return value;
}

static void a_read_goes_to_each_register(long unused)
{
	struct perf_event_attr attr = other_attr();
	unsigned int i, shift;
	uint64_t read[5];

	(void)unused;
	need_user_reads();
	pin_to_cpu(0);
	own_open();
	for (i = 0; i < 2 * ROUNDS; i++) {
		uint64_t before, after;
		unsigned int j;
		uint32_t lock;

		if (i == ROUNDS)	/* from now on it is closed */
			must_open(&attr, -1, 0, -1);
		do {
			lock = own_page->lock;
			shift = 32 * (own_page->index - 1);
			before = rdpmc(own_page->index - 1);
			read_into_each_kind(read);
			read[4] = read_behind_a_branch();
			after = rdpmc(own_page->index - 1);
		} while (own_page->lock != lock);
		CHECK(own_page->index && after > before);
		for (j = 0; j < 5; j++) {
			CHECK_EQ(read[j] & ~(0xffffffffULL << shift), 0);
			CHECK_RANGE(read[j] >> shift, before, after);
			before = read[j] >> shift;
		}
	}
}

/* The trap does reads, and nothing else that the register's being closed forbids. */
static int write_what_is_closed(void *from_register)
{
	struct perf_event_attr attr = other_attr();

	pin_to_cpu(0);
	own_open();
	must_open(&attr, -1, 0, -1);
	rdpmc(0);
	if (test_busted("right"))
		return 0;
	if (from_register)	/* differs from a read by the operation alone */
		__asm__ volatile("wr %%l1, %%g0, %%asr17" ::: "l1");
	else
		__asm__ volatile("wr %g0, 0, %asr17");
	return 0;
}

static void a_write_is_forbidden(long unused)
{
	(void)unused;
	need_user_reads();
	CHECK_EQ(in_child(write_what_is_closed, NULL), FORBIDDEN);
	CHECK_EQ(in_child(write_what_is_closed, ""), FORBIDDEN);
}

/* Others' events come to the counters and go while the reader is off the CPU: no read is refused, and none is wrong. */
static void what_comes_and_goes_spoils_no_read(long unused)
{
	struct perf_event_attr attr = other_attr();
	uint64_t before, seen, last = 0;
	unsigned int i, moved = 0;
	int fd, go[2];
	pid_t pid;

	(void)unused;
	need_user_reads();
	pin_to_cpu(0);
	CHECK_EQ(pipe(go), 0);
	pid = fork();
	if (!pid) {
		close(go[1]);
		/* Until the reader is done. */
		while (poll(&(struct pollfd){ .fd = go[0] }, 1, 1) == 0) {
			int other = event_open(&attr, -1, 0, -1, 0);

			poll(NULL, 0, 1);
			close(other);
		}
		_exit(0);
	}
	close(go[0]);
	fd = own_open();
	for (i = 0; i < 20000; i++) {
		before = i % 100 ? last : event_read(fd);
		seen = own_count();
		CHECK(seen > last && seen >= before);
		moved += own_page->index != 0 && other_half() == 0;
		last = seen;
	}
	CHECK_EQ(moved, 20000);
	CHECK(last <= event_read(fd));
	close(go[1]);
	waitpid(pid, NULL, 0);
}

static const struct test tests[] = {
	TEST(a_child_and_a_later_program_have_no_right),
	TEST(the_right_goes_with_the_page),
	TEST(an_exec_takes_the_right_away),
	TEST(the_cpu_s_counter_is_not_seen),
	TEST(the_family_s_counter_is_not_seen),
	TEST(the_neighbour_s_counters_are_not_seen),
	TEST(a_read_goes_to_each_register),
	TEST(a_write_is_forbidden),
	TEST(what_comes_and_goes_spoils_no_read),
};

int main(int argc, char **argv)
{
	if (argc > 2)
		return look_once(argv[2]);
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
