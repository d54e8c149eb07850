/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading a recording: the file, the tasks and mappings it tells of, the
 * objects and symbols behind addresses, and the table they add up to.
 */
#ifndef PCL_SESSION_H
#define PCL_SESSION_H

#include "perfdata.h"

/* ---- bytes that are not trusted ---- */

/* A part of the file. Reading past its end yields zeros and sets bad. */
struct cursor {
	const u8 *p;
	const u8 *end;
	bool bad;
};

/* cursor.c */
struct cursor cursor_of(const void *p, size_t size);
size_t cursor_left(const struct cursor *c);
void cursor_skip(struct cursor *c, size_t n);
void cursor_bytes(struct cursor *c, void *to, size_t n);
u32 cursor_u32(struct cursor *c);
u64 cursor_u64(struct cursor *c);
const char *cursor_text(struct cursor *c, size_t n);

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

/* One sample, decoded. Chain entries are read through the cursor. */
struct pd_sample {
	u64 ip, time_ns, addr, id, period;
	s32 pid, tid;
	u32 cpu;
	u16 cpumode;
	struct cursor chain;
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

/* ---- objects and symbols ---- */

struct symbol {
	u64 start, end;		/* addresses as the object has them */
	const char *name;	/* as linked; see symbol_name() */
	char *shown;		/* demangled, made when first wanted */
};

struct symbols {
	struct symbol *v;
	unsigned int nr;
	unsigned int room;
};

struct segment {
	u64 offset, size, vaddr;
};

/* A file that code was mapped from, or the kernel. One for each name. */
struct object {
	char *name;
	const char *short_name;
	bool kernel;
	u8 build_id[PD_BUILD_ID_MAX];
	u8 build_id_len;
	bool loaded;
	struct symbols symbols;
	struct segment *segments;
	unsigned int nr_segments;
	char *note;		/* why there are no symbols, or NULL */
};

/* symbols.c */
void symbols_add(struct symbols *t, u64 start, u64 size, const char *name);
void symbols_settle(struct symbols *t);
struct symbol *symbols_find(const struct symbols *t, u64 addr);
const char *symbol_name(struct symbol *s);
void symbols_free(struct symbols *t);

/* eh_frame.c */
typedef struct Elf Elf;
void eh_frame_add(struct symbols *t, Elf *elf);

/* elf_symbols.c */
void elf_symbols_load(struct object *o);
u64 object_address(const struct object *o, u64 file_offset);

/* kallsyms.c */
void kallsyms_load(struct object *o, const char *path, u64 recorded_text);

/* ---- tasks and mappings ---- */

struct map {
	u64 start, end, pgoff;
	struct object *object;
};

/* Mappings of a process, sorted; shared after fork until one changes. */
struct map_table {
	struct map *v;
	unsigned int nr, room;
	unsigned int users;
};

struct process {
	struct map_table *maps;
};

struct thread {
	s32 pid;
	const char *comm;	/* interned */
};

/* From numbers to pointers. */
struct num_map {
	struct num_slot {
		u64 key;
		void *value;
	} *v;
	unsigned int nr, size;
};

/* num_map.c */
void **num_map_at(struct num_map *m, u64 key);
void num_map_free(struct num_map *m, void (*free_value)(void *value));

/* Where an address lies. */
struct place {
	struct object *object;	/* never NULL */
	struct symbol *symbol;	/* NULL: none known */
	u64 addr;		/* within the object */
	char level;		/* 'k' kernel, '.' user, 'H' hypervisor, 'g' guest */
};

struct session {
	struct pd_file *file;
	struct str_set comms;
	struct num_map threads;	/* tid -> struct thread */
	struct num_map processes; /* pid -> struct process */
	struct map_table kernel;
	struct str_set object_names;
	struct object **objects; /* same index as object_names */
	struct object *unknown;
	u64 kernel_text;	/* _text when it was recorded */
	const char *kallsyms;	/* file to read instead of /proc/kallsyms */
	u64 lost;		/* as LOST records say */
	u64 lost_samples;	/* as LOST_SAMPLES say: the same losses, told at the end */
	u64 throttled;
};

/* maps.c */
void maps_insert(struct map_table *t, const struct map *m);
const struct map *maps_find(const struct map_table *t, u64 addr);

/* session.c */
void session_init(struct session *s, struct pd_file *f, const char *kallsyms);
void session_free(struct session *s);
void session_record(struct session *s, const struct perf_event_header *h, struct cursor body);
struct thread *session_thread(struct session *s, s32 tid);
struct place session_resolve(struct session *s, s32 pid, u16 cpumode, u64 addr);

/* ---- the table ---- */

enum sort_key { SORT_COMM, SORT_OBJECT, SORT_SYMBOL, SORT_PID, SORT_TID, SORT_CPU, NR_SORT };

/* Callers of an entry: a node for each frame, children are its callers. */
struct chain_node {
	struct object *object;
	struct symbol *symbol;
	u64 period;		/* of all chains through here */
	struct chain_node *child, *sibling;
};

struct hist_entry {
	const char *comm;
	struct object *object;
	struct symbol *symbol;
	s32 pid, tid;
	u32 cpu;
	char level;
	u64 period;
	u64 samples;
	struct chain_node callers;
};

struct hist {
	struct hist_entry **v;
	unsigned int nr;
	unsigned int *hash;
	unsigned int hash_size;
	u64 period;		/* of all samples of the event */
	u64 samples;
};

/* hist.c */
struct hist_entry *hist_add(struct hist *h, const struct hist_entry *key, u64 period);
void hist_sort(struct hist *h);
void hist_free(struct hist *h);

/* callchain.c */
void callers_add(struct session *s, struct hist_entry *e, const struct pd_sample *sample,
		 bool skip_first);
void callers_sort(struct chain_node *n);
void callers_print(const struct hist_entry *e, double min_percent);
void callers_free(struct chain_node *n);

#endif /* PCL_SESSION_H */
