// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: children that do what they are told over a pipe, and say over another that it is done.
 *
 * Contexts: member_serve() is the child, also after an exec of the program; the others are the test.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "event.h"
#include "member.h"

/* A member's end of its pipes. */
#define MEMBER_IN	100
#define MEMBER_OUT	101

/* Loops on the one CPU, then on the other. */
static void move_and_loop(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		pin_to_cpu(i % cpus_online());
		loop_run(MEMBER_LOOP);
	}
}

static void loop_in_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		loop_run(MEMBER_LOOP);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static void map_program(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);

	CHECK(fd >= 0);
	CHECK(mmap(NULL, MEMBER_PAGES * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED);
	close(fd);
}

static void obey(unsigned long told)
{
	switch (told) {
	case TOLD_TO_EXEC:
		execl("/proc/self/exe", "member", "member", NULL);
		_exit(1);
	case TOLD_TO_FORK:
		return loop_in_child();
	case TOLD_TO_MOVE:
		return move_and_loop();
	case TOLD_TO_RENAME:
		CHECK(!prctl(PR_SET_NAME, MEMBER_NAME));
		return;
	case TOLD_TO_MAP:
		return map_program();
	case TOLD_TO_TOUCH:
		return touch_fresh_pages(MEMBER_PAGES);
	default:
		return loop_run(told);
	}
}

void member_serve(void)
{
	unsigned long told;

	while (read(MEMBER_IN, &told, sizeof(told)) == sizeof(told)) {
		obey(told);
		if (write(MEMBER_OUT, &told, sizeof(told)) != sizeof(told))
			break;
	}
	_exit(0);
}

/* A child of whoever calls, with these ends of its pipes; it says 0 when it is there. */
static pid_t member_fork(int in, int out)
{
	unsigned long here = 0;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid)
		return pid;
	/* Nothing else stays open: a member holds no event. */
	CHECK(dup2(in, MEMBER_IN) == MEMBER_IN && dup2(out, MEMBER_OUT) == MEMBER_OUT);
	CHECK(!close_range(3, MEMBER_IN - 1, 0) && !close_range(MEMBER_OUT + 1, ~0U, 0));
	CHECK(write(MEMBER_OUT, &here, sizeof(here)) == sizeof(here));
	member_serve();
}

/* Our ends; the member's are left open in @in and @out. */
static struct member member_pipes(int *in, int *out)
{
	int to[2], from[2];

	CHECK(!pipe(to) && !pipe(from));
	*in = to[0];
	*out = from[1];
	return (struct member){ .to = to[1], .from = from[0] };
}

struct member member_start(void)
{
	struct member m;
	int in, out;

	m = member_pipes(&in, &out);
	m.pid = member_fork(in, out);
	close(in);
	close(out);
	member_wait(&m);	/* else what it does first would be counted when a test does not expect it */
	return m;
}

void member_tell(struct member *m, unsigned long what)
{
	CHECK(write(m->to, &what, sizeof(what)) == sizeof(what));
}

void member_wait(struct member *m)
{
	unsigned long said;

	CHECK(read(m->from, &said, sizeof(said)) == sizeof(said));
}

void member_do(struct member *m, unsigned long what)
{
	member_tell(m, what);
	member_wait(m);
}

void member_end(struct member *m)
{
	close(m->to);
	close(m->from);
	CHECK(waitpid(m->pid, NULL, 0) == m->pid);
}

uint64_t member_clock(const struct member *m)
{
	struct timespec time;
	clockid_t clock;

	CHECK(!clock_getcpuclockid(m->pid, &clock) && !clock_gettime(clock, &time));
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* ---- somebody else's members ---- */

/* The parent's ends of its pipes; the members' pipes are made before it is forked. */
static struct {
	struct member test;
	int in, out;
} borne[MOST_MEMBERS];

/* Forks as many members as it is told, says who they are, and waits for its end. */
static void be_parent(int go, int back)
{
	pid_t pids[MOST_MEMBERS];
	int nr, i;

	CHECK(read(go, &nr, sizeof(nr)) == sizeof(nr));
	for (i = 0; i < nr; i++)
		pids[i] = member_fork(borne[i].in, borne[i].out);
	CHECK(dup2(go, MEMBER_IN) == MEMBER_IN && dup2(back, MEMBER_OUT) == MEMBER_OUT);
	CHECK(!close_range(3, MEMBER_IN - 1, 0) && !close_range(MEMBER_OUT + 1, ~0U, 0));
	CHECK(write(MEMBER_OUT, pids, sizeof(pids)) == sizeof(pids));
	CHECK(read(MEMBER_IN, &nr, sizeof(nr)) == 0);
	for (i = 0; i < nr; i++)
		CHECK(waitpid(pids[i], NULL, 0) == pids[i]);
	_exit(0);
}

struct parent parent_start(void)
{
	int go[2], back[2], i;
	struct parent p;

	CHECK(!pipe(go) && !pipe(back));
	for (i = 0; i < MOST_MEMBERS; i++)
		borne[i].test = member_pipes(&borne[i].in, &borne[i].out);
	p.pid = fork();
	CHECK(p.pid >= 0);
	if (!p.pid) {
		close(go[1]);
		be_parent(go[0], back[1]);
	}
	close(go[0]);
	close(back[1]);
	for (i = 0; i < MOST_MEMBERS; i++) {
		close(borne[i].in);
		close(borne[i].out);
	}
	p.go = go[1];
	p.from = back[0];
	return p;
}

void parent_bears(struct parent *p, struct member *m, int nr)
{
	pid_t pids[MOST_MEMBERS];
	int i;

	CHECK(nr <= MOST_MEMBERS);
	CHECK(write(p->go, &nr, sizeof(nr)) == sizeof(nr));
	CHECK(read(p->from, pids, sizeof(pids)) == sizeof(pids));
	for (i = 0; i < nr; i++) {
		m[i] = borne[i].test;
		m[i].pid = pids[i];
		member_wait(&m[i]);
	}
}

void parent_end(struct parent *p, struct member *m, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		close(m[i].to);
		close(m[i].from);
	}
	close(p->go);
	CHECK(waitpid(p->pid, NULL, 0) == p->pid);
}
