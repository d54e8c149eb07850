/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Record: what can happen that events want to be told of. sideband.c collects it, record.c writes it.
 */
#ifndef _KERNEL_EVENTS_RECORD_H
#define _KERNEL_EVENTS_RECORD_H

#include "internal.h"

/* The table in record.c has a row for each. */
enum pcl_record_kind {
	PCL_RECORD_FORK,
	PCL_RECORD_EXIT,
	PCL_RECORD_COMM,
	PCL_RECORD_MMAP,		/* MMAP or MMAP2 */
	PCL_RECORD_SWITCH,		/* SWITCH or SWITCH_CPU_WIDE */
	PCL_RECORD_THROTTLE,		/* THROTTLE or UNTHROTTLE */
	PCL_RECORD_LOST_SAMPLES,
	PCL_RECORD_READ,
	PCL_RECORD_KINDS
};

/* What happened. On the stack of who noticed; each event's record is made from it. Unused members are 0. */
struct pcl_record {
	enum pcl_record_kind kind;
	u16 misc;			/* PERF_RECORD_MISC_* */
	u16 name_size;			/* bytes of @name: its zero and padding to 8 included */
	const char *name;
	struct task_struct *task;	/* whom it is about */
	struct task_struct *other;
	u64 value;
	struct {
		u64 start;
		u64 len;
		u64 offset;		/* in the file, bytes */
		u64 inode;
		u64 generation;
		u32 major;
		u32 minor;
		u32 prot;		/* PROT_* */
		u32 flags;		/* MAP_* */
	} map;
};

bool pcl_record_wanted(enum pcl_record_kind kind);	/* by any event in the system */
void pcl_record_send(const struct pcl_record *what, struct perf_event_context *ctx);

#endif /* _KERNEL_EVENTS_RECORD_H */
