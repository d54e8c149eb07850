/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random sequences of calls, printed as text that is the same on every kernel that does the same.
 *
 * What is random is drawn from the sequence's number alone, so that every kernel is asked the same. What a kernel
 * answers is printed without what differs from run to run: see names.c for addresses, processes and ids, records.c for
 * what is printed of a record, and enum sureness for counts.
 */
#ifndef PCL_DIFFER_H
#define PCL_DIFFER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../selftests/lib/event.h"
#include "../selftests/lib/member.h"

#define NR_SLOTS	8
#define NR_MEMBERS	3
#define ATTR_ROOM	8192	/* bytes behind an attr that the kernel may be told to look at */
#define NR_WATCHED	4

/* ---- what a sequence is about; each has weights of its own for calls and events ---- */

enum theme {
	OPENS, GROUPS, RINGS, SAMPLES, HAPPENINGS, CONTROLS, FAMILIES, PROCESSORS, TRACEPOINTS, BREAKPOINTS, CGROUPS,
	USERS, HOTPLUG,
	NR_THEMES
};

extern const char *const theme_names[NR_THEMES];

/* ---- chance.c ---- */

void chance_begin(uint64_t seed, uint64_t number);
uint64_t chance(void);
unsigned int roll(unsigned int sides);		/* 0 ... sides - 1 */
bool odds(unsigned int one_in);
unsigned int weighted(const unsigned char *weights, unsigned int nr);
uint64_t odd_number(void);			/* one at which rules change */

/* ---- a sequence ---- */

/* How sure a count is. */
enum sureness {
	EXACT,		/* the same in each run */
	SOME,		/* zero or not is the same */
	UNSURE,
};

struct slot {
	int fd;				/* -1: none */
	struct perf_event_attr attr;
	enum sureness sureness;
	bool noisy;			/* how many records it writes is not the same in each run */
	bool family;			/* inherits, so STREAM_ID may be that of a copy */
	int cpu;
	bool any_task;			/* counts all that run on its CPU */
	int group;			/* the slot whose group it came into; -1: none */
	bool cgroup;			/* counts a cgroup */
	bool waited;			/* its leader was closed, or its group moved, and on stock it may have waited then */
	uint64_t id;
	struct ring ring;		/* page is NULL: none */
	size_t mapped;
	int writes_to;			/* the slot whose ring it writes to */
};

struct sequence {
	enum theme theme;
	struct slot slots[NR_SLOTS];
	struct member members[NR_MEMBERS];
	bool moved;			/* to CPU 1 */
	bool member_ended;
	bool some_switched;		/* on or off, by ioctl or prctl */
	bool exclusive;			/* hardware events may wait for each other */
	bool unsure_signals;		/* how many come is another number in each run */
	unsigned int nr_hardware;
};

extern struct sequence now;
extern volatile long watched[PAGE / sizeof(long)];	/* the first NR_WATCHED of them */
/* Numbers of tracepoints and PMUs, looked up before the first sequence. */
extern uint64_t call_tracepoint;
extern uint32_t probe_types[2];

void executed(void);			/* what breakpoints for instructions are at */

/* ---- attr.c ---- */

/* What the kernel is given: the attr, and what lies behind it. */
struct given {
	struct perf_event_attr attr;
	unsigned char behind[ATTR_ROOM];
};

void attr_random(struct given *given);
bool period_is_bearable(const struct perf_event_attr *attr, uint64_t period);
void attr_print(const struct perf_event_attr *attr);
/* What of its counts and records is the same in each run. */
void slot_judge(struct slot *slot);
/* After a breakpoint has come or moved. */
void breakpoints_judge(void);
/* A slot was opened: what of the others is less sure now. */
void others_judge(const struct slot *opened);
/* Its event is to be closed. */
void members_judge(const struct slot *leader);

/* ---- names.c ---- */

void names_begin(void);
const char *name_of_address(uint64_t address);
const char *name_of_process(uint32_t pid);
const char *name_of_id(uint64_t id);
const char *name_of_error(int error);
void region_add(const void *at, size_t size);

/* ---- records.c ---- */

/* Prints and takes all that is in the slot's ring. */
void ring_print(struct slot *slot);
void page_print(struct slot *slot);
void count_print(const struct slot *slot, uint64_t count);
/* The words that read(2) or a READ field gave. */
void reading_print(const struct slot *slot, const uint64_t *words, unsigned int nr);

/* ---- calls.c ---- */

/* Is switched out once at least: where a timer is faster than who waits for it, sleeping is none. */
void leave_cpu(void);
void call_random(unsigned int number);	/* number: how many there were before */
/* Prints what is left and ends everything. */
void calls_end(void);

#endif
