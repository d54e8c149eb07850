/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses and tasks, and what they are called, at each moment of a recording.
 */
#ifndef PCL_SESSION_H
#define PCL_SESSION_H

#include "data/read.h"
#include "symbol/symbol.h"
#include "unwind/unwind.h"

/* Where an address lies. */
struct place {
	struct object *object;	/* never NULL */
	struct symbol *symbol;	/* NULL: none known */
	u64 addr;		/* within the object; before session_name(): within its file */
	char level;		/* 'k' kernel, '.' user, 'H' hypervisor, 'g' guest */
};

struct session {
	struct pd_file *file;
	struct tasks *tasks;
	bool has_stacks;	/* there are samples with registers and a stack */
	struct unwinder *unwinder; /* NULL: no samples hold stacks to unwind */
	bool foreign;		/* another kind of machine recorded */
	u64 behind_call;	/* how far callers in chains may be taken back, to be in their calls */
	u64 now_ns;		/* the moment of which addresses are looked up; 0: the latest */
	struct object **objects; /* all of them */
	unsigned int nr_objects;
	struct str_set names;	/* of the kernel's, and of what is memory and no file */
	struct object **by_name; /* same index as names */
	struct object **mapped;	/* by number of the mapped object; NULL: none was asked for */
	unsigned int nr_mapped;
	struct num_map jit;	/* pid -> object, of the code that it made; or unknown */
	struct object *unknown;
	struct map_table *kernel;
	struct mapped_objects kernel_objects;
	u64 kernel_text;	/* _text when it was recorded */
	const char *kallsyms;	/* file to read instead of /proc/kallsyms */
	u64 lost;		/* as LOST records say */
	u64 lost_samples;	/* as LOST_SAMPLES say: the same losses, told at the end */
	u64 throttled;
};

/* session.c */
void session_init(struct session *s, struct pd_file *f, const char *kallsyms, bool endless);
void session_free(struct session *s);
void session_record(struct session *s, const struct perf_event_header *h, struct cursor body);
void session_at(struct session *s, u64 time_ns);
void session_unwind(struct session *s, struct pd_sample *sample);
void session_unwind_stats(const struct session *s, FILE *f);
const char *session_comm(const struct session *s, s32 tid);
u64 session_layout(const struct session *s, s32 pid, u16 cpumode);
struct place session_find(struct session *s, s32 pid, u16 cpumode, u64 addr);
struct object *session_symbols_of(struct session *s, struct object *o);
void session_load(struct session *s, struct object *o);
void session_name(struct session *s, struct place *p);
int session_set_vmlinux(struct session *s, const char *path);
struct place session_resolve(struct session *s, s32 pid, u16 cpumode, u64 addr);

#endif /* PCL_SESSION_H */
