/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The structures of the tool that more than one file knows.
 *
 * An event counts one thing; a target is where it counts; a group is a leader
 * and its siblings. One event of the command line becomes one file descriptor
 * for each pair of CPU and task of the target.
 */
#ifndef PCL_TYPES_H
#define PCL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "abi.h"

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
typedef int64_t s64;
typedef int32_t s32;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Exit statuses of the tool itself, as env(1) and timeout(1) have them. */
enum {
	EXIT_RULE = 124,	/* a rule of --fail-if is broken */
	EXIT_PCL = 125,		/* pcl itself failed */
	EXIT_NOEXEC = 126,	/* the command was found but could not be run */
	EXIT_NOCMD = 127,	/* the command was not found */
};

/* Numbers, in ascending order: CPUs or thread ids. */
struct int_list {
	int *v;
	unsigned int nr;
};

/* One reading of one event: what read(2) returns, or a sum of such. */
struct count {
	u64 value;		/* as counted, never scaled */
	u64 enabled_ns;
	u64 running_ns;
	double scaled;		/* value * enabled / running, summed per fd */
};

enum event_status {
	EVENT_COUNTED,
	EVENT_NOT_COUNTED,	/* opened, but it never held a counter */
	EVENT_NOT_SUPPORTED,	/* could not be opened */
};

/* One event of the command line. Owned by its event_list. */
struct event {
	struct perf_event_attr attr;
	char *name;		/* as the user wrote it, modifiers included */
	char *unit;		/* NULL: a plain number */
	double scale;		/* what one count stands for, in units */
	struct event *leader;	/* itself when it leads or stands alone */
	unsigned int nr_members;/* leader only: size of the group */
	bool grouped;		/* leader only: by stat, for a ratio; not by the user */
	bool level_given;	/* the user chose :u, :k or :h */
	bool narrowed;		/* to user space, for lack of permission; not told yet */
	bool precise_max;	/* modifier P: as precise as the PMU can */
	struct int_list pmu_cpus; /* the CPUs an uncore PMU is read on */
	struct int_list core_cpus; /* those whose cores have the PMU; none: all */

	enum event_status status;
	char *reason;		/* why it is not counted; NULL when it is */
	int open_errno;

	unsigned long open_flags;	/* of its target */
	int *fd;		/* [cpu * nr_tids + tid], -1 where not open */
	u64 *id;		/* same index; record, and groups of stat */
	unsigned int nr_cpus;
	unsigned int nr_tids;
};

struct event_list {
	struct event **v;
	unsigned int nr;
};

/* Where a refused event text went wrong. */
struct parse_error {
	size_t pos;		/* offset into the text of the option */
	char text[200];
	char hint[200];		/* "" or a way out */
};

/* What the user asked to measure. */
struct target {
	bool system_wide;	/* -a or -C */
	bool by_command;	/* no target but the command itself */
	bool inherit;
	struct int_list cpus;	/* {-1} when not bound to CPUs */
	struct int_list pids;	/* of -p */
	struct int_list tids;	/* {-1} when system wide; descriptors of cgroups */
	char **cgroups;		/* their names; NULL: tids are threads */
	unsigned long open_flags;	/* of perf_event_open */
};

/* A command started by the tool, held before its exec. */
struct child {
	pid_t pid;
	int go_fd;		/* write end: one byte lets it exec */
	int err_fd;		/* read end: errno of a failed exec, or EOF */
	bool reaped;
	int status;		/* of wait4, when reaped */
	struct rusage usage;	/* its own and its reaped children's, when reaped */
	char **argv;
};

#endif /* PCL_TYPES_H */
