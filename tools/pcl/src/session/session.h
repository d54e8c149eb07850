/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks and mappings as they were at each moment of a recording.
 */
#ifndef PCL_SESSION_H
#define PCL_SESSION_H

#include "data/read.h"
#include "symbol/symbol.h"
#include "unwind/unwind.h"

/* ---- tasks and mappings ---- */

struct session_map {
	u64 start, end, pgoff;
	struct object *object;
};

/* Mappings of a process, sorted; shared after fork until one changes. */
struct session_maps {
	struct session_map *v;
	unsigned int nr, room;
	unsigned int users;
	u64 layout;		/* another number after each change */
};

struct process {
	struct session_maps *maps;
	struct session_maps *before; /* of the program before the last exec; NULL: the new one runs */
	bool ended;		/* a thread of it has */
	bool lives;		/* one does not; only while ended ones are forgotten */
};

struct thread {
	s32 pid;
	const char *comm;	/* interned */
	unsigned int ended;	/* 1: EXIT was told of; 2: before the last session_forget() */
};

/* Where an address lies. */
struct place {
	struct object *object;	/* never NULL */
	struct symbol *symbol;	/* NULL: none known */
	u64 addr;		/* within the object; before session_name(): within its file */
	char level;		/* 'k' kernel, '.' user, 'H' hypervisor, 'g' guest */
};

struct session {
	struct pd_file *file;
	struct str_set comms;
	struct num_map threads;	/* tid -> struct thread */
	struct num_map processes; /* pid -> struct process */
	struct session_maps kernel;
	u64 layouts;		/* numbers given so far */
	u64 nr_ended;		/* threads that are yet to be forgotten */
	struct str_set object_names;
	struct object **objects; /* same index as object_names */
	struct object *unknown;
	u64 kernel_text;	/* _text when it was recorded */
	const char *kallsyms;	/* file to read instead of /proc/kallsyms */
	u64 lost;		/* as LOST records say */
	u64 lost_samples;	/* as LOST_SAMPLES say: the same losses, told at the end */
	u64 throttled;
	struct tasks *tasks; /* NULL: no samples hold stacks to unwind */
	struct unwinder *unwinder;
};

/* maps.c */
void maps_insert(struct session_maps *t, const struct session_map *m);
const struct session_map *maps_find(const struct session_maps *t, u64 addr);

/* session.c */
void session_init(struct session *s, struct pd_file *f, const char *kallsyms);
void session_free(struct session *s);
void session_record(struct session *s, const struct perf_event_header *h, struct cursor body);
void session_forget(struct session *s);
void session_unwind(struct session *s, struct pd_sample *sample);
void session_unwind_stats(const struct session *s, FILE *f);
struct thread *session_thread(struct session *s, s32 tid);
u64 session_layout(struct session *s, s32 pid, u16 cpumode);
struct place session_find(struct session *s, s32 pid, u16 cpumode, u64 addr);
struct object *session_symbols_of(struct session *s, struct object *o);
void session_load(struct session *s, struct object *o);
void session_name(struct session *s, struct place *p);
int session_set_vmlinux(struct session *s, const char *path);
struct place session_resolve(struct session *s, s32 pid, u16 cpumode, u64 addr);

#endif /* PCL_SESSION_H */
