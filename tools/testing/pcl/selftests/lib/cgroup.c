// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: a hierarchy of cgroups for tests, and workers in them.
 *
 * Concepts: in the first version's hierarchy the controller is alone; in the unified one it is everywhere unless it is
 *	mounted in one of the first version.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cgroup.h"

static const char hierarchy[] = "/run/pcl-cgroups";

/* ---- cgroups ---- */

const char *cgroup_path(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", hierarchy, name);
	return path;
}

int cgroup_open(const char *name)
{
	int fd = open(cgroup_path(name), O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		FAIL("cannot open cgroup '%s': %s", name, strerror(errno));
	return fd;
}

void cgroup_put_in(pid_t pid, const char *name)
{
	cgroup_enter(cgroup_path(name), pid);
}

int open_in(const struct perf_event_attr *attr, const char *name, int cpu, int group)
{
	int dir = cgroup_open(name), fd = event_open(attr, dir, cpu, group, PERF_FLAG_PID_CGROUP);
	int err = fd < 0 ? errno : 0;

	skip_absent(attr, err);
	if (err)
		FAIL("no event of cgroup '%s' on CPU %d: %s", name, cpu, strerror(err));
	close(dir);
	return fd;
}

/* ---- workers ---- */

struct order_given {
	enum order what;
	unsigned long nr;
};

static void obey(const struct order_given *given)
{
	switch (given->what) {
	case RUN:
		loop_run(given->nr);
		break;
	case TOUCH:
		touch_fresh_pages(given->nr);
		break;
	case RENAME:
		prctl(PR_SET_NAME, "worker-renamed");
		break;
	case FORK:
		waitpid(fork_bare(), NULL, 0);
		break;
	}
}

__attribute__((noreturn))
static void serve(int from, int to)
{
	struct order_given given;

	while (read(from, &given, sizeof(given)) == sizeof(given)) {
		obey(&given);
		if (write(to, "", 1) != 1)
			break;
	}
	_exit(0);
}

void work(struct worker *w, enum order what, unsigned long nr)
{
	struct order_given given = { what, nr };
	char byte;

	CHECK(write(w->to, &given, sizeof(given)) == sizeof(given));
	CHECK(read(w->from, &byte, 1) == 1);
}

/* On the CPUs where the test is. */
struct worker worker_start(const char *cgroup)
{
	int there[2], back[2];
	struct worker w;

	CHECK(!pipe(there) && !pipe(back));
	w.pid = fork();
	CHECK(w.pid >= 0);
	if (!w.pid) {
		close(there[1]);
		close(back[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	w.to = there[1];
	w.from = back[0];
	if (cgroup)
		cgroup_put_in(w.pid, test_busted("member") ? "." : cgroup);
	work(&w, RUN, 1);	/* what happens once */
	work(&w, TOUCH, 1);
	await_sleep(w.pid);
	return w;
}

/* Closing its pipe would not do: workers that were made later have a copy. */
void worker_end(struct worker *w)
{
	CHECK(!kill(w->pid, SIGKILL));
	CHECK(waitpid(w->pid, NULL, 0) == w->pid);
	close(w->to);
	close(w->from);
}

void worker_to_cpu(struct worker *w, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK(!sched_setaffinity(w->pid, sizeof(set), &set));
}

/* ---- the hierarchy ---- */

static const char *const names[] = { "a", "a/b", "c" };

/* The controller is in no hierarchy of the first version. */
static bool is_unified(void)
{
	FILE *f = fopen("/proc/cgroups", "r");
	int number = -1;
	char line[256];

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "perf_event %d", &number) != 1)
		;
	if (f)
		fclose(f);
	return number == 0;
}

/*
 * On a machine where nobody has told the unified root of any controller, it hands none on, not even this one; but it
 * does, once a controller has left it and come back. That is when its other hierarchy is gone for good: it stays if it
 * is unmounted while a cgroup that was removed from it is still on its way out.
 */
static void wake_unified(void)
{
	int i;

	for (i = 0; i < 200 && (!i || !is_unified()); i++) {
		if (mount("cgroup", hierarchy, "cgroup", 0, "perf_event") || umount(hierarchy))
			perror("cannot mount the hierarchy of perf_event for a moment");
		usleep(50000);
	}
}

void cgroups_begin(enum cgroup_version version)
{
	int i, err;

	mkdir(hierarchy, 0700);
	if (version == UNIFIED)
		wake_unified();
	err = version == UNIFIED ? mount("cgroup2", hierarchy, "cgroup2", 0, NULL) :
				   mount("cgroup", hierarchy, "cgroup", 0, "perf_event");
	if (err)
		perror("cannot mount the hierarchy of perf_event");
	for (i = 0; i < 3; i++)
		mkdir(cgroup_path(names[i]), 0700);
}

void cgroups_end(void)
{
	int i;

	for (i = 2; i >= 0; i--)
		rmdir(cgroup_path(names[i]));
	umount(hierarchy);
}

int cgroup_tests_run(const struct test *tests, unsigned int nr, enum cgroup_version version)
{
	int failed;

	cgroups_begin(version);
	failed = tests_run(tests, nr);
	cgroups_end();
	return failed;
}
