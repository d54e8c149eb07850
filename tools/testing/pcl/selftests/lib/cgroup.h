/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hierarchy of cgroups, events of them, and workers: children that do what they are told, one thing at a time, in the
 * cgroup that they were put in.
 */
#ifndef PCL_TEST_CGROUP_H
#define PCL_TEST_CGROUP_H

#include "event.h"

#define BOTH_TIMES	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

enum cgroup_version { FIRST, UNIFIED };

/* Mounts a hierarchy, with the cgroups "a", "a/b" and "c"; nothing fails before a test needs it. */
void cgroups_begin(enum cgroup_version version);
void cgroups_end(void);
/* The same for the time that these tests run; their result is that of main(). */
int cgroup_tests_run(const struct test *tests, unsigned int nr, enum cgroup_version version);
#define CGROUP_TESTS_RUN(table, version) cgroup_tests_run(table, sizeof(table) / sizeof((table)[0]), version)

/* Of a cgroup, "." is the root; the text is overwritten by the next call. */
const char *cgroup_path(const char *name);
int cgroup_open(const char *name);
void cgroup_put_in(pid_t pid, const char *name);
/* An event of a cgroup. */
int open_in(const struct perf_event_attr *attr, const char *name, int cpu, int group);

struct worker {
	pid_t pid;
	int to, from;
};

enum order { RUN, TOUCH, RENAME, FORK };	/* a loop so long, so many pages; itself; a child that ends */

/* On the CPUs where the test is. With the fault "member" it is in no cgroup but the root. */
struct worker worker_start(const char *cgroup);
void worker_end(struct worker *w);
/* Until it has done so. */
void work(struct worker *w, enum order what, unsigned long nr);
void worker_to_cpu(struct worker *w, int cpu);

#endif
