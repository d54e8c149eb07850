/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains from samples that hold the user's registers and a copy of the
 * top of the stack.
 *
 * One thread hands the records that tell of processes and mappings to the tasks;
 * any number of threads unwind samples meanwhile, each with its own unwinder.
 * What a chain holds is what a chain of the kernel holds: the address that was
 * sampled, then return addresses, innermost first.
 */
#ifndef PCL_UNWIND_H
#define PCL_UNWIND_H

#include "tasks/tasks.h"

/* How a chain ended. Whole are those that reached the outermost frame. */
enum unwind_end {
	UNWIND_WHOLE,
	UNWIND_NO_CFI,		/* the object has no call frame information there */
	UNWIND_NO_MAPPING,	/* nothing is mapped there, as far as was told */
	UNWIND_LOADING,		/* an exec goes on: the stack of the program that called it is gone */
	UNWIND_STACK_SHORT,	/* the frame lies behind the part of the stack that was copied */
	UNWIND_OTHER_STACK,	/* the frame lies outside the stack that was copied */
	UNWIND_BAD_REGISTER,	/* a register that is needed is not known */
	UNWIND_NO_PROGRESS,	/* the next frame would not lie further out */
	UNWIND_TOO_DEEP,	/* more than UNWIND_MAX_FRAMES */
	UNWIND_NR_ENDS,
};

#define UNWIND_MAX_FRAMES 1000

/* What became of the samples. Owner: who sums up, at the end. */
struct unwind_stats {
	u64 whole;
	u64 truncated;
	u64 failed;		/* could not be unwound at all: kept as they are */
	u64 unknown;		/* of them: nothing is known of what their process maps */
	s32 unknown_pid;	/* the process of one of those */
	u64 unknown_ns;	/* and its time */
	u64 kernel_only;	/* of threads without a user's side */
	u64 guessed;		/* of whole and truncated: with a frame found by its frame pointer alone */
	u64 frames;		/* of the user */
	u64 ends[UNWIND_NR_ENDS];
	u64 *at_object;		/* chains that ended there early, by number of the object */
	unsigned int nr_objects;
};

struct unwinder;

/* unwind.c: one for each thread, made and freed in it; frees before the tasks are freed. */
struct unwinder *unwinder_new(struct tasks *t);
void unwinder_free(struct unwinder *u);
unsigned int unwind_chain(struct unwinder *u, const struct pd_sample *s, u64 *ips,
			  unsigned int room);

/* unwind_form.c: samples as the kernel would have written them. */
unsigned int unwind_complete(struct unwinder *u, struct pd_sample *s);
size_t unwind_sample(struct unwinder *u, const struct perf_event_attr *attr,
		     const struct perf_event_header *raw, void *out, size_t room);

/* unwind_regs.c */
u64 unwind_regs_mask(void);

/* unwind_quality.c: what became of the samples, for people. */
void unwind_stats_add(struct unwind_stats *sum, const struct unwinder *u);
void unwind_stats_print(const struct unwind_stats *sum, const struct tasks *t, FILE *f);
void unwind_stats_free(struct unwind_stats *sum);

#endif /* PCL_UNWIND_H */
