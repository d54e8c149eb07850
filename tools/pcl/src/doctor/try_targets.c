// SPDX-License-Identifier: GPL-2.0
/*
 * Where events may be counted: tasks, levels, CPUs, cgroups.
 *
 * Concepts: the event is always one that any kernel has (task-clock, or
 * cpu-clock on a CPU), so that a refusal is about the target.
 * Contexts: doctor, one thread.
 * Locks: none.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "doctor/doctor.h"

static void try_cpus(struct findings *l)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct int_list cpus = { 0 };
	struct trial t = { .pid = -1, .group_fd = -1 };
	unsigned int i, nr = 0;
	struct finding *f;
	int fd;

	attr.exclude_kernel = attr.exclude_hv = 0;
	cpus_online(&cpus);
	for (i = 0; i < cpus.nr; i++) {
		t.cpu = cpus.v[i];
		fd = trial_open(&attr, &t);
		if (fd < 0)
			break;
		nr++;
		close(fd);
	}
	t.cpu = cpus.v[i < cpus.nr ? i : 0];
	f = finding_try(l, "whole CPUs", &attr, &t);
	if (f->verdict == WORKS)
		finding_detail(f, "-a, -C: %u CPUs", nr);
	else
		finding_detail(f, "-a, -C: %u of %u CPUs", nr, cpus.nr);
	int_list_free(&cpus);
}

static void try_cgroup(struct findings *l)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct trial t = { .cpu = 0, .group_fd = -1, .flags = PERF_FLAG_PID_CGROUP };
	char *root = cgroup_root();
	struct finding *f;
	int dir = root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (dir < 0) {
		f = finding_add(l, "cgroups", FAILS);
		finding_explain(f, "cgroup-mount", "no cgroup file system is mounted that events can use",
				"sudo mount -t cgroup2 cgroup2 /sys/fs/cgroup");
	} else {
		t.pid = dir;
		finding_try(l, "cgroups", &attr, &t);
		close(dir);
	}
	free(root);
}

void try_targets(struct findings *l)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	struct trial self = TRIAL_SELF, init = { .pid = 1, .cpu = -1, .group_fd = -1 };
	struct finding *f;

	f = finding_try(l, "own tasks", &attr, &self);
	f->needed = true;
	attr.inherit = 1;
	f = finding_try(l, "their children", &attr, &self);
	f->needed = true;
	attr.inherit = 0;
	finding_try(l, "other users' tasks", &attr, &init);
	attr.exclude_kernel = attr.exclude_hv = 0;
	f = finding_try(l, "the kernel level", &attr, &self);
	try_cpus(l);
	try_cgroup(l);
}
