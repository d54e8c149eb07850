/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading a perf.data file: bytes that are not trusted, the file, its samples.
 */
#ifndef PCL_DATA_READ_H
#define PCL_DATA_READ_H

#include "data/perfdata.h"

/* ---- the file ---- */

/* An event of the file, as its attrs section tells. */
struct pd_event {
	struct perf_event_attr attr;
	char *name;
};

struct pd_id {
	u64 id;
	unsigned int event;
};

struct pd_build_id {
	char *name;
	u8 id[PD_BUILD_ID_MAX];
	u8 len;
};

/* An open file, mapped whole. Owner: the command that reads it. */
struct pd_file {
	const char *path;
	const u8 *map;
	u64 size;
	struct pd_header header;
	struct pd_event *events;
	unsigned int nr_events;
	struct pd_id *ids;	/* sorted by id */
	unsigned int nr_ids;
	struct pd_build_id *build_ids;
	unsigned int nr_build_ids;
	char *hostname;
	char *osrelease;
	char *arch;
	char *cmdline;
};

/* One sample, decoded. Chains, registers and stacks are read through their cursors. */
struct pd_sample {
	u64 ip, time_ns, addr, id, period;
	s32 pid, tid;
	u32 cpu;
	u16 cpumode;
	struct cursor chain;
	u64 regs_abi;		/* of the user's registers; 0: there are none */
	u64 regs_mask;		/* which of them there are */
	struct cursor regs;	/* one word for each bit of the mask */
	struct cursor stack;	/* the user's stack from the stack pointer on, as much as was valid */
	u64 stack_room;		/* how much was asked for; 0: the sample has no stack */
	const u8 *user, *user_end; /* the bytes of REGS_USER and STACK_USER */
};

/* perfdata_read.c */
int pd_open(struct pd_file *f, const char *path);
void pd_close(struct pd_file *f);
int pd_walk(struct pd_file *f,
	    int (*fn)(struct pd_file *f, const struct perf_event_header *h,
		      struct cursor body, void *arg), void *arg);
int pd_event_of_id(const struct pd_file *f, u64 id);

/* perfdata_features.c */
void pd_read_features(struct pd_file *f);

/* sample_decode.c */
unsigned int sample_trailer_size(const struct perf_event_attr *attr);
u64 record_time(const struct pd_file *f, const struct perf_event_header *h, struct cursor body);
int sample_event(const struct pd_file *f, struct cursor body);
int sample_decode(const struct perf_event_attr *attr, const struct perf_event_header *h,
		  struct cursor body, struct pd_sample *s);

#endif /* PCL_DATA_READ_H */
