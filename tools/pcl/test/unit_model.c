// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the model of tasks and mappings: one sequence of records is told to all who follow tasks (the unwinders of
 * a recording, a report, top, a series of files), and all must come to the same.
 *
 * Concepts: times are those of the records, or all are 0, as in a file without them.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/record.h"
#include "session/session.h"
#include "tap.h"
#include "unwind/private.h"

enum { SHELL = 0x7ff00000, CHILD, OTHER, THREAD, STRANGER };	/* no such processes */

/* All who are told. */
static struct {
	struct tasks *unwinding;
	struct perf_event_attr attr;
	struct pd_event event;
	struct pd_file file;
	struct session report, top;
	struct record_opts opts;
	struct output series;
	bool timed;
} all;

static void begin_all(bool timed)
{
	memset(&all, 0, sizeof(all));
	all.timed = timed;
	all.event.attr.sample_type = RECORD_SAMPLE_TYPE;
	all.event.attr.sample_id_all = 1;
	all.file.events = &all.event;
	all.file.nr_events = 1;
	samples_measure(&all.file);
	all.unwinding = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	session_init(&all.report, &all.file, NULL, false);
	session_init(&all.top, &all.file, NULL, true);
	all.series.o = &all.opts;
}

static void end_all(void)
{
	tasks_free(all.unwinding);
	session_free(&all.report);
	session_free(&all.top);
	output_free(&all.series);
}

/* A record under construction. */
static struct {
	struct perf_event_header h;
	u8 body[512];
} r;

static void put(const void *v, size_t size)
{
	memcpy((u8 *)&r + r.h.size, v, size);
	r.h.size = (u16)(r.h.size + size);
}

static void put_ids(s32 a, s32 b)
{
	put(&a, sizeof(a));
	put(&b, sizeof(b));
}

static void begin(u32 type, u16 misc)
{
	memset(&r, 0, sizeof(r));
	r.h = (struct perf_event_header){ type, misc, sizeof(r.h) };
}

static void put_name(const char *name)
{
	r.h.size = (u16)(r.h.size + (strlen(name) + 8) / 8 * 8);
	strcpy((char *)r.body + r.h.size - sizeof(r.h) - (strlen(name) + 8) / 8 * 8, name);
}

/* With the trailer, told to all. */
static void tell(u64 time_ns)
{
	u64 trailer[RECORD_TRAILER / sizeof(u64)] = { 0, all.timed ? time_ns : 0 };

	put(trailer, sizeof(trailer));
	tasks_record(all.unwinding, &r.h, &all.event.attr);
	session_record(&all.report, &r.h, record_raw_body(&r.h));
	session_record(&all.top, &r.h, record_raw_body(&r.h));
	output_note(&all.series, &r.h);
}

static void tell_task(u32 type, s32 pid, s32 ppid, s32 tid, s32 ptid, u64 time_ns)
{
	begin(type, 0);
	put_ids(pid, ppid);
	put_ids(tid, ptid);
	put(&time_ns, sizeof(time_ns));
	tell(time_ns);
}

static void tell_fork(s32 pid, s32 ppid, u64 time_ns)
{
	tell_task(PERF_RECORD_FORK, pid, ppid, pid, ppid, time_ns);
}

static void tell_thread(s32 pid, s32 tid, u64 time_ns)
{
	tell_task(PERF_RECORD_FORK, pid, pid, tid, pid, time_ns);
}

static void tell_exit(s32 pid, s32 tid, u64 time_ns)
{
	tell_task(PERF_RECORD_EXIT, pid, pid, tid, tid, time_ns);
}

static void tell_name(s32 pid, s32 tid, const char *name, bool exec, u64 time_ns)
{
	begin(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	put_ids(pid, tid);
	put_name(name);
	tell(time_ns);
}

/* A file that is mapped: by its build id, of which one byte is told, or by inode and generation. */
struct mapped {
	const char *name;
	u8 build_id;
	u64 inode, generation;
};

static void tell_file(s32 pid, s32 tid, u64 page, struct mapped f, u64 time_ns)
{
	u64 place[] = { page << 12, 4096, 0 };
	u8 build_id[24] = { 20, [4] = f.build_id };

	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (f.build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0));
	put_ids(pid, tid);
	put(place, sizeof(place));
	if (f.build_id) {
		put(build_id, sizeof(build_id));
	} else {
		put_ids(8, 1);
		put(&f.inode, sizeof(f.inode));
		put(&f.generation, sizeof(f.generation));
	}
	put_ids(PROT_READ | PROT_EXEC, MAP_PRIVATE);
	put_name(f.name);
	tell(time_ns);
}

static void tell_map(s32 pid, s32 tid, u64 page, const char *name, u64 time_ns)
{
	tell_file(pid, tid, page, (struct mapped){ .name = name, .inode = 7 }, time_ns);
}

/* What the unwinders know there at that time. */
static const struct mapped_object *unwinders_object(s32 pid, u64 page, u64 time_ns)
{
	const struct map_table *maps;
	const struct map *m;

	rcu_thread();
	rcu_read_lock();
	maps = tasks_maps(all.unwinding, pid, all.timed ? time_ns : 0);
	m = maps ? map_table_find(maps, page << 12) : NULL;
	rcu_read_unlock();
	return m ? m->object : NULL;
}

static struct object *session_object_at(struct session *s, s32 pid, u64 page, u64 time_ns)
{
	session_at(s, all.timed ? time_ns : 0);
	return session_find(s, pid, PERF_RECORD_MISC_USER, page << 12).object;
}

/* What all know there now; "": nothing. */
static bool all_know(s32 pid, u64 page, u64 time_ns, const char *name)
{
	const struct mapped_object *o = unwinders_object(pid, page, time_ns);
	const char *report = session_object_at(&all.report, pid, page, time_ns)->name;
	const char *top = session_object_at(&all.top, pid, page, time_ns)->name;
	const char *shown = *name ? name : "[unknown]";
	bool good = !strcmp(o ? o->name : "", name) && !strcmp(report, shown) && !strcmp(top, shown);

	if (!good)
		printf("# page %llu of %d: unwinders '%s', report '%s', top '%s'\n", (unsigned long long)page,
		       pid - SHELL, o ? o->name : "", report, top);
	return good;
}

static bool all_name(s32 tid, const char *name)
{
	const char *report = session_comm(&all.report, tid), *top = session_comm(&all.top, tid);

	if (strcmp(report, name) || strcmp(top, name))
		printf("# report '%s', top '%s'\n", report, top);
	return !strcmp(report, name) && !strcmp(top, name);
}

static bool series_knows(s32 pid)
{
	return tasks_process_lives(all.series.tasks, pid);
}

/* How the tests are called: with times, or without. */
static const char *how(void)
{
	return all.timed ? "with times" : "without times";
}

static void test_fork(void)
{
	tell_name(SHELL, SHELL, "shell", false, 1);
	tell_map(SHELL, SHELL, 1, "//shell", 1);
	tell_fork(CHILD, SHELL, 10);
	tap_ok(all_know(CHILD, 1, 11, "//shell") && all_name(CHILD, "shell"),
	       "%s: a child has its parent's name and mappings", how());
	tell_map(CHILD, CHILD, 2, "//child", 12);
	tap_ok(all_know(CHILD, 2, 13, "//child") && all_know(SHELL, 2, 13, ""),
	       "%s: what it maps is its own", how());
	tell_thread(CHILD, THREAD, 14);
	tell_map(CHILD, THREAD, 3, "//thread", 15);
	tap_ok(all_know(CHILD, 3, 16, "//thread") && all_name(THREAD, "shell"),
	       "%s: what a thread maps is its process's", how());
}

static bool objects_differ(s32 a, s32 b, u64 page, bool differ)
{
	bool unwinders = unwinders_object(a, page, 1000) != unwinders_object(b, page, 1000);
	bool report = session_object_at(&all.report, a, page, 1000) != session_object_at(&all.report, b, page, 1000);
	bool top = session_object_at(&all.top, a, page, 1000) != session_object_at(&all.top, b, page, 1000);

	if (unwinders != differ || report != differ || top != differ)
		printf("# differ: unwinders %d, report %d, top %d\n", unwinders, report, top);
	return unwinders == differ && report == differ && top == differ;
}

static void test_objects(void)
{
	tell_file(SHELL, SHELL, 30, (struct mapped){ "//b", 1, 0, 0 }, 20);
	tell_file(CHILD, CHILD, 30, (struct mapped){ "//b", 2, 0, 0 }, 21);
	tap_ok(objects_differ(SHELL, CHILD, 30, true) &&
	       session_object_at(&all.report, SHELL, 30, 1000)->build_id[0] == 1 &&
	       session_object_at(&all.report, CHILD, 30, 1000)->build_id[0] == 2,
	       "%s: two files of one name, by their build ids", how());
	tell_file(SHELL, SHELL, 31, (struct mapped){ "//c", 0, 8, 0 }, 22);
	tell_file(CHILD, CHILD, 31, (struct mapped){ "//c", 0, 9, 0 }, 23);
	tap_ok(objects_differ(SHELL, CHILD, 31, true), "%s: two files of one name, by their inodes", how());
	tell_file(SHELL, SHELL, 32, (struct mapped){ "//d", 0, 8, 5 }, 24);
	tell_file(CHILD, CHILD, 32, (struct mapped){ "//d", 0, 8, 6 }, 25);
	tap_ok(objects_differ(SHELL, CHILD, 32, true), "%s: an inode that is used again", how());
	tell_file(SHELL, SHELL, 33, (struct mapped){ "//e", 0, 8, 0 }, 26);
	tell_file(CHILD, CHILD, 33, (struct mapped){ "//e", 0, 8, 6 }, 27);
	tap_ok(objects_differ(SHELL, CHILD, 33, false),
	       "%s: one file, of which the generation is told only once", how());
}

/* A file at whose end build ids are told by name. */
static void test_build_ids(void)
{
	struct pd_build_id ids[] = { { "/one", { 1 }, 20 }, { "/two", { 2 }, 20 }, { "/two", { 3 }, 20 } };
	const struct pd_build_id *by_name[] = { &ids[0], &ids[1], &ids[2] };
	struct pd_file f = { .build_ids = ids, .nr_build_ids = 3, .by_name = by_name };
	struct pd_mmap by_inode = { .name = "/one", .v2 = true, .inode = 5 }, by_id = by_inode;
	const struct mapped_object *a, *b;
	struct mapped_objects o = { 0 };

	by_id.by_build_id = true;
	by_id.build_id_len = 20;
	by_id.build_id[0] = 1;
	a = mapped_object_of(&o, &f, &by_inode);
	tap_ok(a == mapped_object_of(&o, &f, &by_id) && a->build_id[0] == 1 && o.nr == 1,
	       "a file told by its inode and by its build id is one");
	by_inode.inode = 6;
	tap_ok(a == mapped_object_of(&o, &f, &by_inode), "so are two of one name and build id");
	by_id.build_id[0] = 4;
	tap_ok(a != mapped_object_of(&o, &f, &by_id), "but not what is told to be another build");
	by_inode.name = "/two";
	a = mapped_object_of(&o, &f, &by_inode);
	by_inode.inode = 7;
	b = mapped_object_of(&o, &f, &by_inode);
	tap_ok(a->build_id[0] == 2 && b->build_id[0] == 3, "of several files of one name, each has its build id");
	by_inode.inode = 8;
	tap_ok(!mapped_object_of(&o, &f, &by_inode)->build_id_len, "and one more has none");
	mapped_objects_free(&o);
}

/* Data and the kernel's own mappings are no code of the process. */
static void test_what_is_code(void)
{
	u64 place[] = { 40 << 12, 4096, 0 }, inode[] = { 7, 0 };

	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put_ids(SHELL, SHELL);
	put(place, sizeof(place));
	put_ids(8, 1);
	put(inode, sizeof(inode));
	put_ids(PROT_READ, MAP_PRIVATE);
	put_name("//data");
	tap_ok(!tasks_changed(&r.h), "%s: a mapping of data moves no code", how());
	tell(30);
	tap_ok(all_know(SHELL, 40, 31, ""), "%s: and is not looked at", how());
	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put_ids(SHELL, SHELL);
	place[0] = 41 << 12;
	put(place, sizeof(place));
	put_name("[module]");
	tell(32);
	tap_ok(!unwinders_object(SHELL, 41, 33), "%s: nor is one of the kernel", how());
	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put_ids(SHELL, SHELL);
	put((u64[]){ 43 << 12, 0, 0 }, 24);
	put_ids(8, 1);
	put(inode, sizeof(inode));
	put_ids(PROT_READ | PROT_EXEC, MAP_PRIVATE);
	put_name("//nothing");
	tap_ok(!tasks_changed(&r.h), "%s: nor does one of no length change anything", how());
	tell_map(SHELL, SHELL, 42, "//code", 34);
	tap_ok(tasks_changed(&r.h), "%s: a mapping of code changes where code lies", how());
}

/* Which records change where the code of a process lies: its samples wait for them. */
static void test_changes(void)
{
	tell_name(SHELL, SHELL, "shell", false, 35);
	tap_ok(!tasks_changed(&r.h), "%s: a name does not", how());
	tell_thread(SHELL, SHELL - 100, 36);
	tap_ok(!tasks_changed(&r.h), "%s: nor does a thread", how());
	tell_exit(SHELL, SHELL - 100, 37);
	tap_ok(!tasks_changed(&r.h), "%s: nor an end", how());
	tell_fork(SHELL - 101, SHELL, 38);
	tap_ok(tasks_changed(&r.h), "%s: a fork does", how());
	tell_name(SHELL - 101, SHELL - 101, "exec", true, 39);
	tap_ok(tasks_changed(&r.h), "%s: and an exec", how());
}

static void test_exit(void)
{
	tell_exit(CHILD, CHILD, 100);
	tell_map(CHILD, THREAD, 4, "//late", 101);
	tap_ok(all_know(CHILD, 2, 102, "//child") && all_know(CHILD, 4, 102, "//late"),
	       "%s: the first thread ends, another goes on with the process", how());
	tap_ok(series_knows(CHILD), "%s: the process lives", how());
	tell_exit(CHILD, THREAD, 110);
	tap_ok(all_know(CHILD, 2, 111, "//child"), "%s: when the last has ended, it is known for a while", how());
	tap_ok(!series_knows(CHILD), "%s: but lives no more", how());
}

static void test_used_pid(void)
{
	char number[16];

	tell_fork(CHILD, STRANGER, 200);
	tap_ok(all_know(CHILD, 2, 201, ""), "%s: a used number, forked by a process that is not known", how());
	if (all.timed)
		tap_ok(all_know(CHILD, 2, 190, "//child"),
		       "%s: samples from before that are of the other process", how());
	tell_map(CHILD, CHILD, 5, "//five", 205);
	if (all.timed)
		tap_ok(all_know(CHILD, 2, 190, "//child"), "%s: also when the new one has mapped something", how());
	tell_exit(CHILD, CHILD, 210);
	tell_fork(CHILD, SHELL, 220);
	tap_ok(all_know(CHILD, 1, 221, "//shell") && all_know(CHILD, 5, 221, ""),
	       "%s: a used number, forked by one that is", how());
	tell_name(OTHER, OTHER, "other", false, 230);
	tell_map(OTHER, OTHER, 6, "//six", 231);
	tell_exit(OTHER, OTHER, 240);
	tell_map(OTHER, OTHER, 7, "//seven", 250);
	tap_ok(all_know(OTHER, 7, 251, "//seven") && all_know(OTHER, 6, 251, ""),
	       "%s: a used number whose fork was lost: the mappings", how());
	snprintf(number, sizeof(number), ":%d", OTHER);
	tap_ok(all_name(OTHER, number), "%s: and the name", how());
	tap_ok(series_knows(OTHER), "%s: and it lives", how());
}

static void test_exec(void)
{
	tell_name(CHILD, CHILD, "new", true, 300);
	tell_map(CHILD, CHILD, 10, "//new", 301);
	tap_ok(unwinders_object(CHILD, 1, 303) == NULL && !strcmp(unwinders_object(CHILD, 10, 303)->name, "//new"),
	       "%s: an exec begins a new table", how());
	tap_ok(!strcmp(session_object_at(&all.report, CHILD, 1, 302)->name, "//shell"),
	       "%s: what the new program does not map is looked up in the old one", how());
	tap_ok(all_know(CHILD, 10, 303, "//new") && all_know(CHILD, 1, 303, ""),
	       "%s: until it runs", how());
}

/* The first thread has ended, another does the exec and is the first from then on: no process has died. */
static void test_exec_of_a_thread(void)
{
	enum { FIRST = SHELL - 200, SECOND };

	tell_name(FIRST, FIRST, "first", false, 310);
	tell_map(FIRST, FIRST, 50, "//before", 311);
	tell_thread(FIRST, SECOND, 312);
	tell_exit(FIRST, FIRST, 313);
	tell_name(FIRST, FIRST, "after", true, 320);
	tell_map(FIRST, FIRST, 51, "//after", 321);
	tap_ok(!strcmp(session_object_at(&all.report, FIRST, 50, 322)->name, "//before"),
	       "%s: a thread does an exec: its call is still in the old program", how());
	tap_ok(all_know(FIRST, 51, 323, "//after") && all_name(FIRST, "after"), "%s: and the new one runs", how());
}

/* Programs that one process was before are let go, but for the last. */
static void test_many_execs(void)
{
	enum { EXECS = 50 };
	struct map_table *m;
	unsigned int i, nr = 0;

	for (i = 0; i < EXECS; i++) {
		tell_name(SHELL - 300, SHELL - 300, "again", true, 330 + 2 * i);
		tell_map(SHELL - 300, SHELL - 300, 60, "//again", 331 + 2 * i);
	}
	rcu_thread();
	rcu_read_lock();
	for (m = tasks_maps(all.unwinding, SHELL - 300, 0); m; m = m->older)
		nr++;
	rcu_read_unlock();
	tap_ok(nr > 1 && nr < 10, "%s: of %d programs of one process %u are known", how(), EXECS, nr);
	if (!all.timed)
		return;
	rcu_read_lock();
	m = tasks_maps(all.unwinding, SHELL - 300, 0);
	tap_ok(m && m->since_ns == 330 + 2 * (EXECS - 1), "without a time, what is known is the latest");
	rcu_read_unlock();
}

/* With times, who ended ten seconds ago is forgotten. */
static void test_forgetting_by_time(void)
{
	enum { TASKS = 100 };
	unsigned int nr;
	s32 i;

	for (i = 0; i < TASKS; i++) {
		tell_fork(STRANGER + 10 + i, SHELL, 1000);
		tell_exit(STRANGER + 10 + i, STRANGER + 10 + i, 1001);
	}
	nr = tasks_nr(all.unwinding);
	tell_name(SHELL, SHELL, "shell", false, 9000000000ull);
	tap_ok(tasks_nr(all.unwinding) == nr, "%s: who has just ended is known", how());
	tell_name(SHELL, SHELL, "shell", false, 12000000000ull);
	tap_ok(tasks_nr(all.unwinding) + TASKS <= nr, "%s: ten seconds later he is not", how());
}

/* Records of several CPUs, as they come out of their rings. */
static void test_disorder(void)
{
	tell_exit(STRANGER, STRANGER, 420);
	tell_fork(STRANGER, SHELL, 410);
	tap_ok(!series_knows(STRANGER) && all_know(STRANGER, 1, 415, "//shell"), "an end that is told before the beginning");
	tell_fork(STRANGER, SHELL, 440);
	tell_exit(STRANGER, STRANGER, 430);
	tap_ok(series_knows(STRANGER), "an end that is told after the next beginning");
	tell_exit(STRANGER, STRANGER, 460);
	tell_map(STRANGER, STRANGER, 8, "//eight", 450);
	tap_ok(!series_knows(STRANGER) && all_know(STRANGER, 1, 455, "//shell"), "a mapping that is told after the end");
}

static bool unwinders_know(s32 pid)
{
	return tasks_process_lives(all.unwinding, pid);
}

/* A thread that is told of in another process is of that: its number was used again, and what told of it was lost. */
static void test_threads_that_move(void)
{
	enum { A = SHELL - 400, B, FIRST, SECOND };

	tell_name(A, A, "a", false, 400);
	tell_thread(A, FIRST, 400);
	tell_thread(A, SECOND, 400);
	tell_name(B, FIRST, "b", false, 401);
	tap_ok(unwinders_know(B), "%s: a thread that goes on in another process", how());
	tell_exit(A, A, 402);
	tell_exit(A, SECOND, 402);
	tap_ok(!unwinders_know(A), "%s: is not of the one before", how());
	tell_exit(B, FIRST, 403);
	tell_exit(B, SECOND, 403);
	tap_ok(!unwinders_know(B), "%s: one that had ended lives in neither", how());
}

/* The number of a process is used again, and the ends of its threads were lost. */
static void test_threads_of_a_used_number(void)
{
	enum { PID = SHELL - 410, OLD, NEW };

	tell_name(PID, PID, "old", false, 400);
	tell_thread(PID, OLD, 401);
	tell_exit(PID, PID, 402);
	if (all.timed)
		tell_thread(PID, NEW, 412);
	tell_fork(PID, SHELL, 411);
	if (all.timed) {
		tell_exit(PID, PID, 420);
		tap_ok(unwinders_know(PID), "a thread that was told of before its process is of the new one");
		tell_exit(PID, NEW, 421);
	} else {
		tell_exit(PID, PID, 420);
	}
	tap_ok(!unwinders_know(PID), "%s: threads of before are not of the new process", how());
}

/* Between an exec and the first mapping the old program is all that is known; who forks has left execve(). */
static void test_exec_and_fork(void)
{
	enum { PARENT = SHELL - 420, FORKED };

	tell_name(PARENT, PARENT, "before", false, 400);
	tell_map(PARENT, PARENT, 70, "//before", 401);
	tell_name(PARENT, PARENT, "after", true, 410);
	tap_ok(!strcmp(session_object_at(&all.report, PARENT, 70, 411)->name, "//before"),
	       "%s: an exec that has mapped nothing yet", how());
	tell_map(PARENT, PARENT, 71, "//after", 412);
	if (all.timed)
		tap_ok(!unwinders_object(PARENT, 70, 410), "at the moment of the exec the table is the new one");
	tell_fork(FORKED, PARENT, 413);
	tap_ok(all_know(FORKED, 70, 414, "") && all_know(FORKED, 71, 414, "//after"),
	       "%s: a child is not amidst its parent's exec", how());
}

/* A child that has nothing of its own yet has its parent's table, and what is kept by the table's number. */
static void test_shared_table(void)
{
	enum { PARENT = SHELL - 430, FORKED };
	const struct map_table *before, *after, *child;
	u64 number;

	tell_map(PARENT, PARENT, 1, "//parent", 400);
	rcu_thread();
	rcu_read_lock();
	before = tasks_maps(all.unwinding, PARENT, 0);
	number = before->number;
	tell_fork(FORKED, PARENT, 401);
	after = tasks_maps(all.unwinding, PARENT, 0);
	child = tasks_maps(all.unwinding, FORKED, 0);
	tap_ok(after == before && child == before && child->number == number, "%s: a fork shares the table", how());
	rcu_read_unlock();
	tap_ok(!tasks_maps(all.series.tasks, PARENT, 0), "%s: a series keeps none", how());
}

static void count_process(void *arg, s32 pid)
{
	unsigned int *nr = arg;

	nr[0] += pid == SHELL;
	nr[1] += pid == SHELL - 440;
}

static void test_each_process(void)
{
	unsigned int nr[2] = { 0 };

	tell_name(SHELL - 440, SHELL - 440, "ended", false, 400);
	tell_exit(SHELL - 440, SHELL - 440, 401);
	tasks_each_process(all.series.tasks, count_process, nr);
	tap_ok(nr[0] == 1 && nr[1] == 0, "%s: those that live are gone through, once", how());
	tap_ok(all_name(0, "swapper"), "%s: the idle task has a name", how());
}

/* Lives whose beginnings and ends come out of order, or at one time. */
static void test_ends_of_lives(void)
{
	enum { PID = SHELL - 450 };

	tell_name(PID, PID, "first", false, 400);
	tell_exit(PID, PID, 410);
	tell_map(PID, PID, 1, "//first", 410);
	tap_ok(!unwinders_know(PID), "who does something as he ends has ended");
	tell_map(PID, PID, 2, "//third", 430);
	tell_exit(PID, PID, 420);
	tap_ok(unwinders_know(PID), "the end of a life of which nothing else was told ends no later one");
}

#define SECOND_NS	1000000000ull

/* Whose number is in use again when the end is long ago; who ends more than once; and the list is empty in between. */
static void test_forgetting_lives(void)
{
	enum { FIRST = SHELL - 460, SECOND };
	u64 at = 100 * SECOND_NS;
	unsigned int nr;

	tell_name(SHELL, SHELL, "shell", false, at);
	nr = tasks_nr(all.unwinding);
	tell_fork(FIRST, SHELL, at + 1);
	tell_fork(SECOND, SHELL, at + 1);
	tell_exit(FIRST, FIRST, at + 2);
	tell_exit(SECOND, SECOND, at + 3);
	tell_fork(FIRST, SHELL, at + 4);
	tell_exit(FIRST, FIRST, at + 5);
	tell_fork(FIRST, SHELL, at + 6);
	tell_name(SHELL, SHELL, "shell", false, at + 20 * SECOND_NS);
	tap_ok(unwinders_know(FIRST) && tasks_nr(all.unwinding) == nr + 1,
	       "who ended long ago is forgotten, but not who has his number");
	tap_ok(!unwinders_object(SECOND, 1, 0), "and nothing is known of the process");
	tell_exit(FIRST, FIRST, at + 21 * SECOND_NS);
	tap_ok(tasks_nr(all.unwinding) == nr + 1, "he is known when he has just ended");
	tell_name(SHELL, SHELL, "shell", false, at + 40 * SECOND_NS);
	tap_ok(tasks_nr(all.unwinding) == nr, "and forgotten in his turn");
}

/* Only the first thread of this process was told of, and its end: the others go on. */
static void test_threads_not_told_of(void)
{
	s32 self = getpid();
	u64 at = 200 * SECOND_NS;

	tell_map(self, self, 80, "//self", at);
	tell_exit(self, self, at + 1);
	tell_name(SHELL, SHELL, "shell", false, at + 20 * SECOND_NS);
	tap_ok(unwinders_object(self, 80, 0), "a process that is still there is not forgotten");
}

/* Without times, ends are counted: who ended long ago is forgotten. */
static void test_forgetting(void)
{
	enum { TASKS = 5000 };
	unsigned int most = 0, nr;
	s32 i;

	for (i = 0; i < TASKS; i++) {
		tell_fork(STRANGER + 10 + i, SHELL, 0);
		tell_exit(STRANGER + 10 + i, STRANGER + 10 + i, 0);
		nr = tasks_nr(all.unwinding);
		most = nr > most ? nr : most;
	}
	tap_ok(most < 1100 && tasks_nr(all.top.tasks) < 1100 && tasks_nr(all.series.tasks) < 1100,
	       "%s: %d processes that came and went: at most %u were known at once", how(), TASKS, most);
	tap_ok(tasks_nr(all.report.tasks) > TASKS, "%s: a report forgets nobody", how());
}

/* A record that is too short says nothing, of no process. */
static void test_cut(void)
{
	begin(PERF_RECORD_FORK, 0);
	put_ids(STRANGER, 0);
	r.h.size = sizeof(r.h) + 8;
	output_note(&all.series, &r.h);
	begin(PERF_RECORD_COMM, 0);
	put_ids(STRANGER, 0);
	r.h.size = sizeof(r.h) + 6;
	output_note(&all.series, &r.h);
	tap_ok(!series_knows(STRANGER) && !series_knows(0), "%s: records that are cut tell of nobody", how());
}

int main(void)
{
	int timed;

	for (timed = 1; timed >= 0; timed--) {
		begin_all(timed);
		test_fork();
		test_objects();
		test_exit();
		test_used_pid();
		test_exec();
		test_what_is_code();
		test_changes();
		test_exec_of_a_thread();
		test_many_execs();
		test_cut();
		test_threads_that_move();
		test_threads_of_a_used_number();
		test_exec_and_fork();
		test_shared_table();
		test_each_process();
		if (timed) {
			test_disorder();
			test_ends_of_lives();
			test_forgetting_by_time();
			test_forgetting_lives();
			test_threads_not_told_of();
		} else {
			test_forgetting();
		}
		end_all();
	}
	test_build_ids();
	return tap_end();
}
