/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SPARC processors as data: how their control registers are laid out, which events they have, and which counters can
 * count them.
 *
 * A family is a set of tables; the files named after chips hold nothing else. family.c looks things up in them. Both
 * also build in user space, where a test walks every table.
 */
#ifndef _SPARC_EVENTS_FAMILY_H
#define _SPARC_EVENTS_FAMILY_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/linux/pcl.h>

/*
 * Counters are called PIC0, PIC1 ..., and hold 32 bits each. Up to T3 there are two, halves of one register, PIC0 the
 * lower; one control register, the PCR, has an event for each, and says for both at once at which privilege levels they
 * count. From T4 on there are four, each with registers of its own.
 */
#define SPARC_PICS	4
#define SPARC_PIC_BITS	32
#define SPARC_PIC_MASK	0xffffffffULL

#define PIC0		BIT(0)
#define PIC1		BIT(1)
#define PIC_BOTH	(PIC0 | PIC1)
#define PIC_ALL		0xf

/*
 * attr.config of a raw event, as stock 6.1 has it: the event's code from bit 16 on, and below it which counters may
 * have it, PIC1 before PIC0. Where each counter has a control register of its own, there are no such bits.
 */
#define SPARC_CONFIG_PIC1	BIT(0)
#define SPARC_CONFIG_PIC0	BIT(1)
#define SPARC_CONFIG_PICS	0xffffULL
#define SPARC_CONFIG_SHIFT	16

/* What is one counter's in its control register */
struct sparc_pic {
	u8 shift;		/* of the event's code */
	u16 field;		/* the bits of a code; 0: it counts one event for ever */
	u16 nop;		/* what it counts while nobody has it; 0: it goes on, and nobody looks */
	u64 trap;		/* interrupts when it overflows; 0: it always does, or never */
};

/* The control registers of a family */
struct sparc_layout {
	u8 pics, pcrs;		/* as many as each other, or one PCR for two counters */
	u8 early;		/* interrupts when that many events are left at most, and says so (overflow) */
	u64 guard;		/* user code cannot read the counters */
	u64 user, system;	/* count there */
	u64 hypervisor;		/* the same; the hypervisor alone can write it; 0: it is not counted */
	u64 overflow[SPARC_PICS];	/* where it is looked at: this counter has overflowed, or is about to */
	struct sparc_pic pic[SPARC_PICS];
};

/*
 * An event: a code, on one counter or more. Where codes have a mask of what is counted, umask is the bits of it that
 * there are, and any of them make a code. Where none of them does, too, that is an event of its own.
 */
struct sparc_event {
	const char *name;	/* the manual's, for who reads the tables or compares them */
	u16 code;
	u16 umask;
	u16 silent;		/* of the mask's bits, those with which it must not interrupt when it overflows */
	u8 counters;		/* 0: end of the table */
};

#define EV(code_, counters_, name_)	{ .name = (name_), .code = (code_), .counters = (counters_) }
#define EV_MASK(code_, umask_, counters_, name_, ...) \
	{ .name = (name_), .code = (code_), .umask = (umask_), .counters = (counters_), ##__VA_ARGS__ }
#define EV_END				{ .counters = 0 }

/* A code with its counters; none: there is no such event */
struct sparc_code {
	u16 code;
	u8 counters;
};

#define SPARC_ABSENT		{ .counters = 0 }
#define CODE(code_, counters_)	{ .code = (code_), .counters = (counters_) }

/* A generic event (PERF_COUNT_HW_*). */
struct sparc_generic {
	u8 id;
	struct sparc_code code;
};

#define GENERIC(id_, code_, counters_)	{ .id = PERF_COUNT_HW_##id_, .code = CODE(code_, counters_) }
#define GENERIC_END			{ .id = PERF_COUNT_HW_MAX }

/* One row of the generic cache events. */
struct sparc_cache {
	u8 unit;		/* PERF_COUNT_HW_CACHE_* */
	u8 op;			/* PERF_COUNT_HW_CACHE_OP_* */
	struct sparc_code access, miss;
};

#define CACHE(unit_, op_, ...) \
	{ .unit = PERF_COUNT_HW_CACHE_##unit_, .op = PERF_COUNT_HW_CACHE_OP_##op_, __VA_ARGS__ }
#define ACCESS(code_, counters_)	.access = CODE(code_, counters_)
#define MISS(code_, counters_)		.miss = CODE(code_, counters_)
#define CACHE_END			{ .unit = PERF_COUNT_HW_CACHE_MAX }

#define SPARC_EVENT_TABLES	3

/* Properties of a family */
#define SPARC_WRAPS	0x01	/* no counter ever interrupts */

/**
 * struct sparc_family - chips whose counters are alike
 *
 * Immutable, one per family, found by detect.c.
 */
struct sparc_family {
	const char *name;			/* caps/pmu_name */
	const char *title;			/* boot message */
	u32 has;				/* SPARC_WRAPS */
	const struct sparc_layout *layout;
	const struct sparc_event *events[SPARC_EVENT_TABLES];	/* NULL after the last */
	const struct sparc_generic *generic;
	const struct sparc_cache *cache;
};

extern const struct sparc_layout sparc_ultra3_layout;	/* and that of IV+ */

extern const struct sparc_family sparc_ultra12, sparc_ultra3, sparc_ultra3plus, sparc_ultra3i, sparc_ultra4plus,
	sparc_niagara, sparc_niagara2, sparc_niagara3, sparc_niagara4;

const struct sparc_event *sparc_family_event(const struct sparc_family *family, u16 code, u8 counters);
struct sparc_code sparc_family_generic(const struct sparc_family *family, unsigned int id);
struct sparc_code sparc_family_cache(const struct sparc_family *family, unsigned int unit, unsigned int op, bool miss);
bool sparc_cache_is_senseless(unsigned int unit, unsigned int op);

static inline u8 sparc_layout_all(const struct sparc_layout *layout)
{
	return BIT(layout->pics) - 1;
}

static inline bool sparc_layout_shared(const struct sparc_layout *layout)
{
	return layout->pcrs == 1;
}

#endif
