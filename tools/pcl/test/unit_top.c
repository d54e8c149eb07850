// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of top: who publishes tables waits for nobody who looks at one, also
 * where several threads do, and what it knows of tasks is bounded by those that live.
 *
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "tap.h"
#include "top/top.h"

static struct top_snapshot *make_table(u64 number)
{
	struct top_snapshot *s = mem_zalloc(1, sizeof(*s));

	s->number = number;
	s->nr = 1;
	s->tables = mem_zalloc(1, sizeof(*s->tables));
	s->tables[0].title = str_printf("table %llu", (unsigned long long)number);
	return s;
}

/* A table is being printed, to a terminal that was stopped, while others are published. */
static void test_publish(void)
{
	struct top t = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct top_snapshot *shown, *newest;
	u64 i;

	tap_ok(!top_get(&t), "before the first table there is none");
	top_publish(&t, make_table(1));
	shown = top_get(&t);
	/* a wait for who looks at the first would last for ever, since that is here */
	alarm(60);
	for (i = 2; i <= 1000; i++)
		top_publish(&t, make_table(i));
	alarm(0);
	tap_ok(shown && shown->number == 1 && !strcmp(shown->tables[0].title, "table 1"),
	       "a table that is looked at stays, while 999 others are published");
	newest = top_get(&t);
	tap_ok(newest->number == 1000, "the newest is the last");
	top_put(&t, shown);
	top_publish(&t, NULL);
	tap_ok(!top_get(&t) && !strcmp(newest->tables[0].title, "table 1000"),
	       "after the end there is none, but what is looked at stays");
	top_put(&t, newest);
}

enum { LOOKERS = 3, TABLES = 2000 };

/* One for each thread that looks; its own until it is joined. */
struct looker {
	struct top *t;
	pthread_t thread;
	u64 looks, wrong;
};

/* Until the last table: none is of another number than its title says, nor older than the one before. */
static void *look(void *arg)
{
	struct looker *l = arg;
	struct top_snapshot *s;
	u64 number = 0;
	char title[32];

	while (number < TABLES) {
		s = top_get(l->t);
		if (!s) {
			sched_yield();
			continue;
		}
		l->wrong += s->number < number;
		number = s->number;
		snprintf(title, sizeof(title), "table %llu", (unsigned long long)number);
		l->wrong += strcmp(s->tables[0].title, title) != 0;
		l->looks++;
		top_put(l->t, s);
	}
	return NULL;
}

/* One thread publishes, others look at whatever is there. */
static void test_threads(void)
{
	struct top t = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct looker lookers[LOOKERS] = { { 0 } };
	u64 looks = 0, wrong = 0, i;

	for (i = 0; i < LOOKERS; i++) {
		lookers[i].t = &t;
		pthread_create(&lookers[i].thread, NULL, look, &lookers[i]);
	}
	for (i = 1; i <= TABLES; i++) {
		top_publish(&t, make_table(i));
		if (i % 16 == 0)
			sched_yield();
	}
	for (i = 0; i < LOOKERS; i++) {
		pthread_join(lookers[i].thread, NULL);
		looks += lookers[i].looks;
		wrong += lookers[i].wrong;
	}
	top_publish(&t, NULL);
	printf("# %llu looks at %d tables\n", (unsigned long long)looks, TABLES);
	tap_ok(looks >= LOOKERS && !wrong, "each table is whole for who looks at it, and none comes back");
}

static void tell(struct session *s, u32 type, u16 misc, const void *body, size_t size, u64 time_ns)
{
	struct perf_event_header h = { type, misc, (u16)(sizeof(h) + size + RECORD_TRAILER) };
	u64 trailer[RECORD_TRAILER / sizeof(u64)] = { 0, time_ns };
	u8 whole[256];

	memcpy(whole, body, size);
	memcpy(whole + size, trailer, sizeof(trailer));
	session_record(s, &h, cursor_of(whole, size + sizeof(trailer)));
}

static void tell_task(struct session *s, u32 type, s32 pid, s32 ppid, s32 tid, s32 ptid, u64 time_ns)
{
	struct {
		s32 pid, ppid, tid, ptid;
		u64 time_ns;
	} f = { pid, ppid, tid, ptid, time_ns };

	tell(s, type, 0, &f, sizeof(f), time_ns);
}

static void tell_name(struct session *s, s32 pid, s32 tid, const char *name)
{
	struct {
		s32 pid, tid;
		char name[16];
	} c = { pid, tid, "" };

	snprintf(c.name, sizeof(c.name), "%s", name);
	tell(s, PERF_RECORD_COMM, 0, &c, sizeof(c), 1);
}

static void tell_mapping(struct session *s, s32 pid, const char *name, u64 time_ns)
{
	struct {
		s32 pid, tid;
		u64 start, len, pgoff;
		char name[16];
	} m = { pid, pid, 0x1000, 0x1000, 0, "" };

	snprintf(m.name, sizeof(m.name), "%s", name);
	tell(s, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &m, sizeof(m), time_ns);
}

static bool maps_there(struct session *s, s32 pid, const char *name)
{
	return !strcmp(session_find(s, pid, PERF_RECORD_MISC_USER, 0x1800).object->name, name);
}

/* Ten thousand processes come and go, a hundred in a second; each is remembered for ten of them. */
static void test_exit(void)
{
	enum { TASKS = 10000, EACH = 10000000, MOST = 1000 };
	enum { SHELL = 0x7ff00000, STAYS, THREAD, FIRST };	/* no such processes */
	struct pd_event event = { .attr = { .sample_type = RECORD_SAMPLE_TYPE, .sample_id_all = 1 } };
	struct pd_file f = { .events = &event, .nr_events = 1 };
	unsigned int most = 0, nr;
	u64 now = EACH;
	struct session s;
	s32 i, pid;

	samples_measure(&f);
	session_init(&s, &f, NULL, true);
	tell_name(&s, SHELL, SHELL, "shell");
	tell_mapping(&s, SHELL, "/shell", 1);
	/* the first thread of a process ends, another goes on */
	tell_task(&s, PERF_RECORD_FORK, STAYS, SHELL, STAYS, SHELL, 2);
	tell_mapping(&s, STAYS, "/stays", 3);
	tell_task(&s, PERF_RECORD_FORK, STAYS, STAYS, THREAD, STAYS, 4);
	tell_task(&s, PERF_RECORD_EXIT, STAYS, STAYS, STAYS, STAYS, 5);
	for (i = 0; i < TASKS; i++, now += EACH) {
		pid = FIRST + i;
		tell_task(&s, PERF_RECORD_FORK, pid, SHELL, pid, SHELL, now);
		tell_mapping(&s, pid, "/child", now + 1);
		tell_task(&s, PERF_RECORD_EXIT, pid, SHELL, pid, SHELL, now + 2);
		if (!i)
			tap_ok(maps_there(&s, pid, "/child"), "right behind its end a task is still known");
		nr = tasks_nr(s.tasks);
		most = nr > most ? nr : most;
	}
	tap_ok(most <= MOST + 4, "%d tasks that came and went: at most %u were known at once", TASKS, most);
	tap_ok(!strcmp(session_comm(&s, SHELL), "shell") && maps_there(&s, SHELL, "/shell"),
	       "a task that lives stays, with its name and mappings");
	tap_ok(maps_there(&s, STAYS, "/stays"), "so does a process whose first thread ended");
	tell_task(&s, PERF_RECORD_EXIT, STAYS, STAYS, THREAD, STAYS, now);
	now += 11000000000ull;
	tell_task(&s, PERF_RECORD_FORK, FIRST, SHELL, FIRST, SHELL, now);
	tap_ok(!maps_there(&s, STAYS, "/stays"), "until the last of its threads did");
	/* the number is used again */
	tell_task(&s, PERF_RECORD_FORK, STAYS, SHELL, STAYS, SHELL, now);
	now += 11000000000ull;
	tell_task(&s, PERF_RECORD_EXIT, FIRST, SHELL, FIRST, SHELL, now);
	tap_ok(maps_there(&s, STAYS, "/shell"), "and its number means another one then");
	session_free(&s);
}

int main(void)
{
	test_publish();
	test_threads();
	test_exit();
	return tap_end();
}
