// SPDX-License-Identifier: GPL-2.0
/*
 * Which kinds of events there are: each is opened.
 *
 * Concepts: a kind with many names (hardware, cache, software) is tried name
 * by name and counted. Tracepoints and probes differ in what they may do:
 * counting one's own task needs less than a sample with its data.
 * Contexts: doctor, one thread. Probes place a breakpoint for the moment of
 * the trial, in vfs_read() and in a function of this program that is not called.
 * Locks: none.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"

/* Names of one type: how many open, and the first refusal. */
struct census {
	u32 type;
	unsigned int nr, good;
	char *absent;		/* names that do not open */
	struct perf_event_attr refused;
	bool any_refused;
};

static void census_count(const struct event_name *n, void *arg)
{
	struct census *c = arg;
	struct perf_event_attr attr = attr_user(n->type, n->config);
	struct event e = { .attr = attr };
	struct trial t = TRIAL_SELF;
	char *longer;
	int fd;

	if (n->type != c->type)
		return;
	c->nr++;
	if (event_kernel_only(&e))
		attr.exclude_kernel = attr.exclude_hv = 0;
	fd = trial_open(&attr, &t);
	if (fd >= 0) {
		c->good++;
		close(fd);
		return;
	}
	if (!c->any_refused)
		c->refused = attr;
	c->any_refused = true;
	longer = str_printf("%s%s%s", c->absent ? c->absent : "", c->absent ? " " : "", n->name);
	free(c->absent);
	c->absent = longer;
}

static struct finding *try_names(struct findings *l, const char *name, u32 type)
{
	struct census c = { .type = type };
	struct trial t = TRIAL_SELF;
	struct finding *f;

	event_names_walk(census_count, &c);
	if (!c.any_refused) {
		f = finding_add(l, name, WORKS);
		finding_detail(f, "all %u", c.nr);
		return f;
	}
	f = finding_try(l, name, &c.refused, &t);
	if (c.good) {
		f->verdict = PARTLY;
		finding_detail(f, "%u of %u, not %s", c.good, c.nr, c.absent);
		/* no PMU has them all */
		if (!strcmp(f->x.cause, "no-event") || !strcmp(f->x.cause, "no-cache-event")) {
			f->verdict = WORKS;
			explanation_free(&f->x);
		}
	}
	free(c.absent);
	return f;
}

static void try_breakpoints(struct findings *l)
{
	static long watched;
	struct perf_event_attr attr = attr_user(PERF_TYPE_BREAKPOINT, 0);
	struct trial t = TRIAL_SELF;

	attr.bp_type = HW_BREAKPOINT_RW;
	attr.bp_addr = (u64)(uintptr_t)&watched;
	attr.bp_len = sizeof(long);
	finding_try(l, "breakpoints on data", &attr, &t);
	attr.bp_type = HW_BREAKPOINT_X;
	attr.bp_addr = (u64)(uintptr_t)try_breakpoints;
	finding_try(l, "breakpoints on code", &attr, &t);
}

static void tracefs_refused(struct findings *l, const char *name, long err)
{
	struct finding *f = finding_add(l, name, FAILS);

	if (err == -EACCES || err == -EPERM)
		finding_explain(f, "tracefs-access", "tracefs is not readable, so the numbers of tracepoints are not known",
				"run as root, or sudo mount -o remount,mode=755,gid=$(id -g) /sys/kernel/tracing");
	else if (err == -ENODEV)
		finding_explain(f, "tracefs-mount", "tracefs is not mounted, so the numbers of tracepoints are not known",
				"sudo mount -t tracefs tracefs /sys/kernel/tracing");
	else
		finding_explain(f, "no-tracepoint", "this kernel has no tracepoint sched:sched_switch",
				"boot a kernel that was built with CONFIG_FTRACE=y");
}

static void try_tracepoints(struct findings *l)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_TRACEPOINT, 0);
	struct trial self = TRIAL_SELF, cpu = { .pid = -1, .cpu = 0, .group_fd = -1 };
	long id = tracepoint_id("sched", "sched_switch");

	if (id < 0) {
		tracefs_refused(l, "tracepoints", id);
		return;
	}
	attr.config = (u64)id;
	attr.exclude_kernel = attr.exclude_hv = 0;
	attr.sample_period = 1;
	finding_try(l, "tracepoint counts", &attr, &self);
	attr.sample_type = PERF_SAMPLE_RAW;
	finding_try(l, "tracepoint data", &attr, &self);
	finding_try(l, "tracepoints of CPUs", &attr, &cpu);
}

/* Where the function of this program lies in its file; 0: not found. */
static u64 offset_in_file(const void *function)
{
	unsigned long start, end, offset, at = (unsigned long)(uintptr_t)function;
	char *maps = file_read_text("/proc/self/maps"), *line, *rest = maps;
	u64 found = 0;

	while (maps && !found && (line = strsep(&rest, "\n")) != NULL)
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && at >= start &&
		    at < end)
			found = at - start + offset;
	free(maps);
	return found;
}

static void try_probe(struct findings *l, const char *pmu, const char *name, u64 where, u64 offset)
{
	struct perf_event_attr attr = attr_user(0, 0);
	struct trial t = TRIAL_SELF;
	struct finding *f;
	u32 type;

	if (!pmu_type(pmu, &type)) {
		f = finding_add(l, name, FAILS);
		finding_explain(f, "no-probes", "this kernel was built without these probes",
				"boot one that was built with CONFIG_KPROBE_EVENTS=y and CONFIG_UPROBE_EVENTS=y");
		return;
	}
	attr.type = type;
	attr.exclude_kernel = attr.exclude_hv = 0;
	attr.config1 = where;
	attr.config2 = offset;
	finding_try(l, name, &attr, &t);
}

static void try_probes(struct findings *l)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n > 0 ? n : 0] = '\0';
	try_probe(l, "kprobe", "kprobes", (u64)(uintptr_t)"vfs_read", 0);
	try_probe(l, "uprobe", "uprobes", (u64)(uintptr_t)path, offset_in_file(findings_free));
}

/* The first named event of a PMU, as -e takes it. */
static void take_first(const char *pmu, const char *name, void *arg)
{
	char **text = arg;

	if (!*text)
		*text = str_printf("%s/%s/", pmu, name);
}

static bool tried_elsewhere(const char *pmu, u32 type)
{
	return type <= PERF_TYPE_BREAKPOINT || !strcmp(pmu, "kprobe") || !strcmp(pmu, "uprobe");
}

static void try_pmu(const char *pmu, void *arg)
{
	struct findings *l = arg;
	struct trial t = TRIAL_SELF;
	struct event_list events = { 0 };
	struct perf_event_attr attr;
	struct parse_error err;
	struct finding *f;
	char *text = NULL, *name;
	u32 type;
	int fd;

	if (!pmu_type(pmu, &type) || tried_elsewhere(pmu, type))
		return;
	attr = attr_user(type, 0);
	pmu_events_walk(pmu, take_first, &text);
	if (text && !events_parse(&events, text, &err)) {
		attr = events.v[0]->attr;
		attr.disabled = 1;
		if (events.v[0]->pmu_cpus.nr)
			t = (struct trial){ .pid = -1, .cpu = events.v[0]->pmu_cpus.v[0], .group_fd = -1 };
	}
	attr.exclude_kernel = attr.exclude_hv = 0;	/* most such PMUs cannot tell levels */
	fd = trial_open(&attr, &t);
	if (fd == -EINVAL && t.pid == 0)
		t = (struct trial){ .pid = -1, .cpu = 0, .group_fd = -1 };
	if (fd >= 0)
		close(fd);
	name = str_printf("PMU %s", pmu);
	f = finding_try(l, name, &attr, &t);
	if (f->verdict == WORKS)
		finding_detail(f, "%s%s", text ? text : "", t.pid == -1 ? " (CPUs only)" : "");
	free(name);
	free(text);
	event_list_free(&events);
}

/* The PMUs of cores, and whose: "cpu_core (CPUs 0-15), cpu_atom (CPUs 16-23)". */
struct cores {
	char *text;
	unsigned int nr;
};

static void see_cores(const char *pmu, void *arg)
{
	char *cpus = pmu_cores(pmu), *longer;
	struct cores *c = arg;

	longer = str_printf("%s%s%s%s%s%s", c->text ? c->text : "", c->text ? ", " : "", pmu, cpus ? " (CPUs " : "",
			    cpus ? cpus : "", cpus ? ")" : "");
	free(c->text);
	free(cpus);
	c->text = longer;
	c->nr++;
}

static void try_cores(struct findings *l)
{
	struct cores c = { 0 };
	struct finding *f;
	size_t nr, i;
	const struct cause *table = causes_table(&nr);
	struct rights r;

	core_pmus_walk(see_cores, &c);
	if (c.nr) {
		f = finding_add(l, "PMUs of cores", c.nr > 1 ? PARTLY : WORKS);
		finding_detail(f, "%s", c.text);
		if (c.nr > 1)
			finding_explain(f, "kinds-of-cores", "the cores are of several kinds, and each PMU counts on its own alone: a general name such as cycles may count on one kind only",
					"name the PMU, as 'pcl list pmu' shows them: a list of PMU/EVENT/ for all kinds");
		free(c.text);
		return;
	}
	rights_read(&r);
	f = finding_add(l, "PMUs of cores", FAILS);
	for (i = 0; i < nr; i++)
		if (!strcmp(table[i].name, r.virtual_machine ? "no-pmu-vm" : "no-pmu"))
			finding_explain(f, table[i].name, table[i].why, table[i].fix);
}

void try_events(struct findings *l)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_RAW, 0xc0);
	struct trial t = TRIAL_SELF;
	struct finding *f;

	f = try_names(l, "software events", PERF_TYPE_SOFTWARE);
	f->needed = true;
	try_cores(l);
	try_names(l, "hardware events", PERF_TYPE_HARDWARE);
	try_names(l, "cache events", PERF_TYPE_HW_CACHE);
	f = finding_try(l, "raw events", &attr, &t);
	finding_detail(f, "r00c0");
	try_breakpoints(l);
	try_tracepoints(l);
	try_probes(l);
	pmus_walk(try_pmu, l);
}
