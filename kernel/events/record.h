/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Record: what can happen that events want to be told of. sideband.c collects it, record.c tells it to each event that
 * wants it, record_kinds.c knows what stands in each kind.
 */
#ifndef _KERNEL_EVENTS_RECORD_H
#define _KERNEL_EVENTS_RECORD_H

#include <linux/buildid.h>
#include <linux/string.h>

#include "output.h"

/* The table in record_kinds.c has a row for each. */
enum pcl_record_kind {
	PCL_RECORD_FORK,
	PCL_RECORD_EXIT,
	PCL_RECORD_COMM,
	PCL_RECORD_NAMESPACES,
	PCL_RECORD_MMAP,		/* MMAP or MMAP2 */
	PCL_RECORD_SWITCH,		/* SWITCH or SWITCH_CPU_WIDE */
	PCL_RECORD_KSYMBOL,
	PCL_RECORD_BPF_EVENT,
	PCL_RECORD_CGROUP,
	PCL_RECORD_TEXT_POKE,
	PCL_RECORD_CALLCHAIN_DEFERRED,
	PCL_RECORD_THROTTLE,		/* THROTTLE or UNTHROTTLE */
	PCL_RECORD_LOST,
	PCL_RECORD_LOST_SAMPLES,
	PCL_RECORD_READ,
	PCL_RECORD_AUX,
	PCL_RECORD_ITRACE_START,
	PCL_RECORD_OUTPUT_ID,		/* AUX_OUTPUT_HW_ID */
	PCL_RECORD_KINDS
};

/* Bytes that are the same in the records of all who get one. */
struct pcl_record_part {
	const void *bytes;
	size_t size;
};

#define PCL_RECORD_PARTS 3

/* What MMAP2 tells of a file that has a build id instead of its device and inode: as many words. */
struct pcl_build_id {
	u8 size;			/* bytes of @id */
	u8 reserved[3];
	u8 id[BUILD_ID_SIZE_MAX];
};

/* What happened. On the stack of who noticed; each event's record is made from it. Unused members are 0. */
struct pcl_record {
	enum pcl_record_kind kind;
	u16 misc;			/* PERF_RECORD_MISC_* */
	u16 nr_parts;
	struct pcl_record_part parts[PCL_RECORD_PARTS];
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
		const struct pcl_build_id *build_id;	/* NULL: there is none, or nobody asks for it */
	} map;
};

/* @bytes shall stand in the record, behind what was added before. They stay the caller's. */
static inline void pcl_record_add(struct pcl_record *what, const void *bytes, size_t size)
{
	what->parts[what->nr_parts++] = (struct pcl_record_part){ bytes, size };
}

static inline void pcl_record_add_name(struct pcl_record *what, const char *name)
{
	pcl_record_add(what, name, strlen(name) + 1);
}

/* The longest head: MMAP2. */
#define PCL_RECORD_WORDS 8

/* What of a record may differ from event to event. On the stack of who writes it. */
struct pcl_record_head {
	struct perf_event_header header;	/* whoever writes the record sets its size */
	u64 words[PCL_RECORD_WORDS];
	unsigned int nr;
	unsigned int nr_trailer;
	u64 trailer[PCL_ID_WORDS];
};

/* Kinds without @wants go to one event that is named by the caller. */
struct pcl_record_row {
	u32 type;			/* PERF_RECORD_*, unless @fill says otherwise */
	bool (*wants)(const struct perf_event_attr *attr);
	bool (*suits)(const struct perf_event_attr *attr, const struct pcl_record *what);	/* NULL: always */
	/* NULL: the head has no words */
	void (*fill)(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what);
};

/* record_kinds.c */
extern const struct pcl_record_row pcl_record_rows[PCL_RECORD_KINDS];
unsigned int pcl_record_make(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what);

/* output.c: the two ends of a record */
void pcl_output_record_head(struct perf_output_handle *handle, const struct pcl_record_head *head);
void pcl_output_record_trailer(struct perf_output_handle *handle, const struct pcl_record_head *head);

/* record.c */
bool pcl_record_wanted(enum pcl_record_kind kind);	/* by any event in the system */
bool pcl_record_wanted_build_id(void);			/* in MMAP2 */
void pcl_record_aux(struct perf_event *event, u64 offset, u64 size, u64 flags);
void pcl_record_output_id(struct perf_event *event, u64 hw_id);
void pcl_record_send(const struct pcl_record *what, struct perf_event_context *ctx);

#endif /* _KERNEL_EVENTS_RECORD_H */
