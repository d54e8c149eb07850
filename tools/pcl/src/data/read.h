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

/* A mapped file with records in it: the recording, or one file of a directory. */
struct pd_part {
	const u8 *map;
	u64 size;
	u64 from, to;		/* where its records lie */
};

#define PD_MAX_EVENTS 100000	/* more are not believed */
#define PD_PLACE_DIFFERS -2

/* An open recording. Owner: the command that reads it. */
struct pd_file {
	const char *path;
	const u8 *map;		/* that of the first part */
	u64 size;
	bool swap;		/* written in the other byte order */
	bool pipe;		/* in the form for pipes: no sections, all in records */
	struct pd_part *parts;
	unsigned int nr_parts;
	struct pd_header header;
	struct pd_event *events;
	unsigned int nr_events;
	struct pd_id *ids;	/* sorted by id */
	unsigned int nr_ids;
	int sample_time_at;	/* offset of TIME in samples; -1 none, or PD_PLACE_DIFFERS */
	int sample_id_at;	/* offset of the id in samples; -1 none */
	int trailer_time_at;	/* of TIME, from the end of other records; 0 none, or PD_PLACE_DIFFERS */
	struct num_map last_values; /* of group reads, by id: the value plus one */
	struct cursor features[PD_NR_FEATURES]; /* their bytes; empty when absent */
	struct pd_build_id *build_ids;
	unsigned int nr_build_ids;
	const struct pd_build_id **by_name; /* the same, in the order of their names */
	char *hostname;
	char *osrelease;
	char *arch;		/* of the machine that recorded, as uname(2) has it; NULL: not told */
	char *cmdline;
};

/*
 * One sample, decoded: what it does not have is 0 or empty. Cursors lead into
 * the record, which lasts as long as the call it was handed to.
 */
struct pd_sample {
	u64 ip, time_ns, addr, id, stream_id, period;
	s32 pid, tid;
	u32 cpu;
	u16 cpumode;
	struct cursor read;	/* as read_format has it */
	struct cursor chain;	/* u64 each */
	struct cursor raw;
	struct cursor branches;	/* from, to, flags: 24 bytes each */
	u64 branch_hw_index;	/* ~0: not told */
	u64 regs_abi;		/* of the user's registers; 0: there are none */
	u64 regs_mask;		/* which of them there are */
	struct cursor regs;	/* one word for each bit of the mask */
	struct cursor stack;	/* the user's stack from the stack pointer on, as much as was valid */
	u64 stack_room;		/* how much was asked for; 0: the sample has no stack */
	const u8 *user, *user_end; /* the bytes of REGS_USER and STACK_USER */
	u64 weight;		/* WEIGHT or WEIGHT_STRUCT */
	u64 data_src, transaction;
	u64 intr_regs_abi, intr_regs_mask;
	struct cursor intr_regs;
	u64 phys_addr, cgroup, data_page_size, code_page_size;
	struct cursor aux;
};

/* The members of a sample, see sample_members.c. */
struct sample_members {
	struct pd_file *f;
	unsigned int event;	/* of the member that members_next() came to */
	struct pd_sample *sample;
	u64 left;
	bool reads;
	u64 format;
	struct cursor values;
};

/* Samples that could not be taken. */
struct samples_left {
	u64 undecoded;		/* shorter than their fields */
	u64 of_no_event;	/* of this file */
};

typedef void pd_sample_fn(void *arg, unsigned int event, struct pd_sample *s);

/* A field of samples. */
struct sample_field {
	u64 bit;		/* of sample_type; two bits that share the field */
	u8 trailer;		/* its place in the trailer of other records, from 1; 0 none */
	const char *name;
	size_t member;		/* of pd_sample, when it is one number */
	void (*take)(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *attr);
};

extern const struct sample_field sample_fields[];
extern const unsigned int nr_sample_fields;

/* A thread has this name now, as COMM tells. */
struct pd_comm {
	s32 pid, tid;
	bool exec;		/* for it has become another program */
	const char *name;	/* in the record */
};

/* A thread begins or ends, as FORK and EXIT tell. */
struct pd_fork {
	s32 pid, ppid, tid, ptid;
};

/* A mapping, as MMAP and MMAP2 tell. */
struct pd_mmap {
	s32 pid, tid;
	u64 start, len, end, pgoff;
	u32 prot, flags;	/* as those of mmap(2) */
	bool exec;		/* it can hold code */
	bool kernel;		/* of the kernel, not of the process */
	bool v2;		/* which file it is, is told, too: */
	bool by_build_id;	/* by this, which has no bytes when it makes no sense */
	u8 build_id_len;
	u8 build_id[PD_BUILD_ID_MAX];
	u32 major, minor;	/* or by these */
	u64 inode, generation;
	const char *name;	/* in the record */
};

/* Called for each record: the header in our byte order, the body as it is. */
typedef int pd_record_fn(struct pd_file *f, const struct perf_event_header *h,
			 struct cursor body, void *arg);

/* perfdata_read.c */
int pd_open(struct pd_file *f, const char *path);
void pd_close(struct pd_file *f);
int pd_damaged(const struct pd_file *f, const char *what);
int pd_event_of_id(const struct pd_file *f, u64 id);

/* perfdata_attr.c */
void pd_take_attr(struct pd_file *f, struct cursor attr, struct cursor ids);
int pd_check_events(struct pd_file *f);
void pd_name_events(struct pd_file *f);

/* pipe_read.c */
int pd_spool(const struct pd_file *f, int from);
int pd_scan_pipe(struct pd_file *f);

/* record_source.c */
struct record_source;
struct record_source *source_new(struct pd_file *f, const struct pd_part *part);
void source_free(struct record_source *s);
int source_next(struct record_source *s, const u8 **record);
void source_release(struct record_source *s, const u8 *record);
u64 source_place(const struct record_source *s);
void source_forget(struct record_source *s, u64 place);
size_t source_held(const struct record_source *s);
u64 record_trace_size(const struct perf_event_header *h, struct cursor body);

static inline struct perf_event_header record_header(const struct pd_file *f, const u8 *record)
{
	struct perf_event_header h;

	memcpy(&h, record, sizeof(h));
	if (f->swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	return h;
}

/* What follows the header. */
static inline struct cursor record_body(const struct pd_file *f, const u8 *record)
{
	struct perf_event_header h = record_header(f, record);
	struct cursor c = cursor_of(record + sizeof(h), h.size - sizeof(h));

	c.swap = f->swap;
	return c;
}

/* task_records.c */
bool record_is_of_tasks(u32 type);
struct cursor record_raw_body(const struct perf_event_header *h);
bool comm_decode(const struct perf_event_header *h, struct cursor body, struct pd_comm *comm);
bool fork_decode(struct cursor body, struct pd_fork *f);
bool mmap_decode(const struct perf_event_header *h, struct cursor body, struct pd_mmap *m);

/* record_order.c */
struct record_order;
struct record_order *order_new(struct pd_file *f, const struct pd_part *part);
void order_free(struct record_order *o);
int order_next(struct record_order *o);
u64 order_time(const struct record_order *o);
const u8 *order_record(const struct record_order *o);
u64 order_place(const struct record_order *o);

/* walk.c */
int pd_walk(struct pd_file *f, pd_record_fn *fn, void *arg);

/* perfdata_features.c */
void pd_find_features(struct pd_file *f);
void pd_read_features(struct pd_file *f);
void pd_read_build_ids(struct pd_file *f, struct cursor c);
bool pd_is_of_arch(const struct pd_file *f, const char *arch);
bool pd_is_of_own_arch(const struct pd_file *f);
bool pd_chains_hold_calls(const struct pd_file *f);
const struct pd_build_id *pd_build_id_of(const struct pd_file *f, const char *name, unsigned int number);

/* sample_decode.c */
int sample_field_offset(u64 sample_type, u64 bit);
unsigned int sample_trailer_size(const struct perf_event_attr *attr);
bool sample_trailer(const struct perf_event_attr *attr, const struct perf_event_header *h,
		    struct cursor body, struct pd_sample *s);
const struct perf_event_attr *trailer_attr(const struct pd_file *f, struct cursor body);
u64 record_time(const struct pd_file *f, const struct perf_event_header *h, struct cursor body);
void samples_measure(struct pd_file *f);
int sample_event(const struct pd_file *f, struct cursor body);
int sample_decode(const struct perf_event_attr *attr, const struct perf_event_header *h,
		  struct cursor body, struct pd_sample *s);
u16 chain_mode(u64 marker);
bool chain_next(struct cursor *chain, u16 *mode, u64 *ip);

/* sample_members.c */
void members_begin(struct sample_members *m, struct pd_file *f, unsigned int event,
		   struct pd_sample *s);
bool members_next(struct sample_members *m);
void samples_take(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		  struct samples_left *left, pd_sample_fn *fn, void *arg);
void samples_tell_left(const struct samples_left *left);

#endif /* PCL_DATA_READ_H */
