// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a target that get rows of their own: threads, CPUs, cores,
 * sockets, cgroups.
 *
 * Concepts: an event has one descriptor for each pair of CPU and thread (or
 * cgroup); a part is a set of such pairs with one name. sysfs tells which CPUs
 * make a core and a socket.
 * Contexts: stat, after the events are open.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

static long topology(int cpu, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/%s", sysfs_root(), cpu,
		 file);
	return file_read_long(path, -1);
}

static char *thread_name(int tid)
{
	char path[64], *comm, *name;

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	comm = file_read_text(path);
	name = str_printf("%s-%d", comm ? comm : "ended", tid);
	free(comm);
	return name;
}

static char *part_name(enum part_kind kind, const struct target *t, unsigned int c,
		       unsigned int i)
{
	int cpu = t->cpus.v[c];

	switch (kind) {
	case PART_THREAD:
		return thread_name(t->tids.v[i]);
	case PART_CPU:
		return str_printf("CPU%d", cpu);
	case PART_CORE:
		return str_printf("S%ld-D%ld-C%ld", topology(cpu, "physical_package_id"),
				  topology(cpu, "die_id"), topology(cpu, "core_id"));
	case PART_SOCKET:
		return str_printf("S%ld", topology(cpu, "physical_package_id"));
	case PART_CGROUP:
		return str_dup(t->cgroups[i]);
	default:
		return str_dup("");
	}
}

/* Does this kind go with the target? 0, or -1 (said). */
int parts_check(enum part_kind kind, const struct target *t)
{
	if (kind == PART_THREAD && (t->by_command || t->system_wide))
		return complain("--per-thread needs -p or -t: it has a line for each thread that is there at the start");
	if ((kind == PART_CPU || kind == PART_CORE || kind == PART_SOCKET) && t->cpus.v[0] < 0)
		return complain("--per-cpu, --per-core and --per-socket need -a or -C");
	if ((kind == PART_CORE || kind == PART_SOCKET) &&
	    topology(t->cpus.v[0], "physical_package_id") < 0)
		return complain("sysfs does not tell here which CPUs make a core or a socket; use --per-cpu");
	return 0;
}

/* Which part each pair [cpu * threads + thread] belongs to, and their names. */
void parts_make(struct parts *p, enum part_kind kind, const struct target *t)
{
	unsigned int c, i;
	char *name;

	*p = (struct parts){ .nr = 1 };
	if (kind == PART_ALL)
		return;
	p->of = mem_zalloc(t->cpus.nr * t->tids.nr, sizeof(*p->of));
	for (c = 0; c < t->cpus.nr; c++)
		for (i = 0; i < t->tids.nr; i++) {
			name = part_name(kind, t, c, i);
			p->of[c * t->tids.nr + i] = str_set_add(&p->names, name);
			free(name);
		}
	p->nr = p->names.nr;
}

/* NULL: the target is in one piece. */
const char *parts_name(const struct parts *p, unsigned int part)
{
	return p->of ? p->names.v[part] : NULL;
}

void parts_free(struct parts *p)
{
	free(p->of);
	str_set_free(&p->names);
	*p = (struct parts){ 0 };
}
