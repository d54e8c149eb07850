/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks and what they map, as the records tell: the one model for all who follow them.
 *
 * One thread at a time hands in the records. It may look up what it likes; others may look up mappings meanwhile, under
 * rcu_read_lock(), where the tasks are TASKS_SHARED.
 */
#ifndef PCL_TASKS_H
#define PCL_TASKS_H

#include "base/rcu.h"
#include "data/read.h"

/* ---- what is mapped ---- */

/*
 * Something that is mapped, mostly a file. One for each, shared by all processes; made by the writer, never changed, freed
 * with the tasks.
 */
struct mapped_object {
	unsigned int index;	/* in the tasks' list */
	bool has_ino;
	u64 ino;
	u8 build_id[PD_BUILD_ID_MAX];
	u8 build_id_len;	/* 0: not known */
	const char *name;
};

struct map {
	u64 start, end;
	u64 pgoff;		/* bytes of the file before start */
	u64 since_ns;
	s32 pid;		/* who mapped it: its children have it from him */
	const struct mapped_object *object;
};

/* Mappings sorted by address, without overlap; never changed. Shared by tables, freed when none has it. */
struct map_level {
	struct rcu_head rcu;
	unsigned int users;	/* the writer's count of the tables */
	unsigned int nr;
	struct map v[];
};

/*
 * What a process maps. Never changed once it is published, but for the moment in runs_ns: a change is a new table. Freed
 * when no process refers to it. Each level is at least twice as long as the next, so that 32 are as many as there can be.
 */
struct map_table {
	struct rcu_head rcu;
	struct map_table *older; /* of the program before the last exec, or of the process before that had the number; or NULL */
	u64 number;		/* another for each table */
	u64 since_ns;		/* of that exec, or of the fork */
	u64 runs_ns;		/* [A] the first sample in it; ~0: there was none, and an exec may go on */
	bool shared;		/* others may look at it: it is freed by RCU */
	unsigned int users;	/* the writer's count of who refers to it */
	unsigned int nr_levels;
	struct map_level *levels[33];
};

/* map_table.c */
struct map_table *map_table_new(bool shared);
struct map_table *map_table_with(const struct map_table *old, const struct map *m);
struct map_table *map_table_after(const struct map_table *old, u64 time_ns);
struct map_table *map_table_both(const struct map_table *first, const struct map_table *second);
struct map_table *map_table_alone(const struct map_table *old);
void map_table_put(struct map_table *t);
u64 map_table_work(void);
const struct map *map_table_find(const struct map_table *t, u64 addr);
void map_table_runs(struct map_table *t, u64 time_ns);
const struct map_table *map_table_before_exec(const struct map_table *t, u64 time_ns);

/* ---- tasks ---- */

enum tasks_flags {
	TASKS_SHARED = 1,	/* threads look up mappings while records are taken in */
	TASKS_ENDLESS = 2,	/* there is no last record: who has ended is forgotten after a while */
	TASKS_NO_MAPS = 4,	/* only who lives is asked for */
};

struct tasks;

/* tasks.c */
struct tasks *tasks_new(const struct pd_file *f, unsigned int flags);
void tasks_free(struct tasks *t);
bool tasks_changed(const struct perf_event_header *h);
void tasks_take(struct tasks *t, const struct perf_event_header *h, struct cursor body, u64 time_ns);
void tasks_record(struct tasks *t, const struct perf_event_header *h, const struct perf_event_attr *attr);
struct map_table *tasks_maps(const struct tasks *t, s32 pid, u64 time_ns);
const char *tasks_comm(struct tasks *t, s32 tid);
bool tasks_live(const struct tasks *t);
unsigned int tasks_nr(const struct tasks *t);
bool tasks_process_lives(const struct tasks *t, s32 pid);
void tasks_each_process(const struct tasks *t, void (*fn)(void *arg, s32 pid), void *arg);
unsigned int tasks_nr_objects(const struct tasks *t);
const struct mapped_object *tasks_object(const struct tasks *t, unsigned int i);

/* mapped_objects.c: for tasks.c */
struct mapped_objects {
	struct file_keys files;
	struct mapped_object **of_file;	/* same index; files that have one build id are one object */
	struct mapped_object **v;
	unsigned int nr;
};

const struct mapped_object *mapped_object_of(struct mapped_objects *o, const struct pd_file *f,
					     const struct pd_mmap *m);
void mapped_objects_free(struct mapped_objects *o);

#endif /* PCL_TASKS_H */
