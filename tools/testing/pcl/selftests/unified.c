// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: events of cgroups of the unified hierarchy (the second version's), where nobody has to ask for them.
 *
 * Concepts: as in cgroups.c, which holds what has nothing to do with the version.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <unistd.h>
#include <sys/stat.h>

#include "lib/cgroup.h"

#define PAGES	50

static void check_counts(const int *fds, uint64_t in_a, uint64_t in_b, uint64_t in_c)
{
	CHECK_EQ(event_read(fds[0]), in_a);
	CHECK_EQ(event_read(fds[1]), in_b);
	CHECK_EQ(event_read(fds[2]), in_c);
}

/* From the root to a cgroup, to one below, to another, and back. */
static void its_tasks_are_counted_where_they_are(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	static const char *const names[] = { "a", "a/b", "c" };
	struct worker w;
	int fds[3], i;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	w = worker_start(NULL);
	for (i = 0; i < 3; i++)
		fds[i] = open_in(&attr, names[i], 0, -1);
	work(&w, TOUCH, PAGES);
	check_counts(fds, 0, 0, 0);
	cgroup_put_in(w.pid, test_busted("unified") ? "c" : "a");
	work(&w, TOUCH, PAGES);
	touch_fresh_pages(PAGES);
	check_counts(fds, PAGES, 0, 0);
	cgroup_put_in(w.pid, "a/b");
	work(&w, TOUCH, 2 * PAGES);
	check_counts(fds, 3 * PAGES, 2 * PAGES, 0);
	cgroup_put_in(w.pid, "c");
	work(&w, TOUCH, 7);
	cgroup_put_in(w.pid, ".");
	work(&w, TOUCH, PAGES);
	check_counts(fds, 3 * PAGES, 2 * PAGES, 7);
	worker_end(&w);
}

/* A sample's cgroup has the number that its directory has. */
static void samples_have_the_directorys_number(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	static struct record record;
	static struct sample sample;
	unsigned int nr = 0;
	struct ring ring;
	struct worker w;
	struct stat stat_;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_CGROUP | PERF_SAMPLE_TID;
	CHECK(!stat(cgroup_path("a/b"), &stat_));
	w = worker_start("a/b");
	fd = must_open(&attr, w.pid, -1, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	work(&w, TOUCH, PAGES);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.cgroup, stat_.st_ino);
		nr++;
	}
	CHECK_EQ(nr, PAGES);
	worker_end(&w);
}

static const struct test tests[] = {
	TEST(its_tasks_are_counted_where_they_are),
	TEST(samples_have_the_directorys_number),
};

int main(void)
{
	return CGROUP_TESTS_RUN(tests, UNIFIED);
}
