/* SPDX-License-Identifier: GPL-2.0 */
/*
 * IA-64 processors as data: their PMC registers, which events they have, which counters can count them, and which
 * events stand in each other's way.
 *
 * A family is a set of tables; the files named after chips hold nothing else. family.c looks things up in them. Both
 * also build in user space, where a test walks every table.
 */
#ifndef _IA64_EVENTS_FAMILY_H
#define _IA64_EVENTS_FAMILY_H

#include <linux/bits.h>
#include <linux/pcl_assign.h>
#include <linux/types.h>
#include <uapi/linux/pcl.h>

#include "recorder.h"

/* A counter is named by its number n: PMC[n] says what PMD[n] counts. There are 4 to 7 or 4 to 15. */
#define IA64_FIRST_COUNTER	4
#define IA64_COUNTERS		16	/* numbers; the first four are never counters */
#define IA64_REGS		64	/* PMCs, and PMDs, by number */

/* Debug registers by numbers of their own behind those */
#define IA64_DEBUG_REGS		8
#define IA64_IBR(n)		(IA64_REGS + (n))
#define IA64_DBR(n)		(IA64_REGS + IA64_DEBUG_REGS + (n))
#define IA64_ALL_REGS		(IA64_REGS + 2 * IA64_DEBUG_REGS)

/* PMC[0]: all counters are frozen; and which have overflowed, by their number. (SDM volume 2, 7.2.2) */
#define IA64_FREEZE		BIT_ULL(0)

/* PMC[n] of a counter, common to all chips (SDM volume 2, 7.2.1) */
#define IA64_PMC_KERNEL		BIT_ULL(0)	/* plm, privilege level 0, ... */
#define IA64_PMC_USER		BIT_ULL(3)	/* ... and 3; nothing runs at 1 and 2 */
#define IA64_PMC_PLM		0xfULL
#define IA64_PMC_EXTERNAL	BIT_ULL(4)	/* ev: an overflow is shown on a pin */
#define IA64_PMC_INTERRUPT	BIT_ULL(5)	/* oi */
#define IA64_PMC_PRIVILEGED	BIT_ULL(6)	/* pm: gated by psr.pp; else by psr.up, which user code can change */
#define IA64_PMC_EVENT		0xff00ULL	/* es */

/* The same, where these chips agree beyond the architecture */
#define IA64_PMC_UMASK		0xf0000ULL
#define IA64_PMC_THRESHOLD	0x700000ULL
#define IA64_PMC_ISM		0x3000000ULL	/* instruction set */
#define IA64_PMC_MESI		0x78000000ULL	/* Montecito: which line states */
#define IA64_PMC_ALL		0x4000000ULL	/* Montecito: both threads of the core */

#define IA64_UMASK_OF(config)		(((config) & IA64_PMC_UMASK) >> 16)
#define IA64_THRESHOLD_OF(config)	(((config) & IA64_PMC_THRESHOLD) >> 20)
#define IA64_ISM_OF(config)		(((config) & IA64_PMC_ISM) >> 24)

#define IA64_ISM_BOTH		0
#define IA64_ISM_IA64		2

/*
 * attr.config beyond the register: the event stands under psr.up, which a program may set and clear with sum and rum
 */
#define IA64_CONFIG_UP		BIT_ULL(32)

/*
 * A control register: its number, its value after power-up, and the bits of it that may be written; all others must be
 * written as they were.
 */
struct ia64_reg {
	u8 nr;			/* 0: end of the table */
	u64 reset;
	u64 writable;
};

#define REG(nr_, reset_, writable_)	{ .nr = (nr_), .reset = (reset_), .writable = (writable_) }
#define REG_END				{ .nr = 0 }

/* What can restrict an event, or belongs to it */
#define IA64_IAR	0x01	/* instruction address ranges */
#define IA64_OPM	0x02	/* opcode matching */
#define IA64_DAR	0x04	/* data address ranges */
#define IA64_MESI	0x08	/* states of lines */

/* Groups of events that share wires; 0: none */
enum ia64_group { IA64_FREE, IA64_L1D, IA64_L2, IA64_GROUPS };

/*
 * An event: a number (es), and the unit masks that stand for the same counters, increments and wires. A number with
 * several such has several rows, and a unit mask is in one of them at most.
 */
struct ia64_event {
	u8 code;
	u8 incr;		/* counted at most in one cycle */
	u16 umasks;		/* bit n: unit mask n */
	u16 counters;		/* 0: end of the table */
	u8 has;			/* IA64_IAR ... */
	u8 group;		/* enum ia64_group */
	u8 set;			/* in the group, by the manual's number */
	u8 alone;		/* wires that it does not share: bits, see struct pcl_kin */
	bool any_umask;		/* its unit mask is not taken from the group's anchor */
};

#define EV(code_, umasks_, counters_, incr_, has_)						\
	{ .code = (code_), .umasks = (umasks_), .counters = (counters_), .incr = (incr_), .has = (has_) }
#define EV_SET(code_, umasks_, counters_, incr_, has_, group_, set_, ...)			\
	{ .code = (code_), .umasks = (umasks_), .counters = (counters_), .incr = (incr_), .has = (has_), \
	  .group = (group_), .set = (set_), ##__VA_ARGS__ }
#define EV_END	{ .counters = 0 }

/* es, unit mask and states of a generic or cache event; IA64_ABSENT: there is none */
#define IA64_ABSENT		~0U
#define CODE(es, umask)		((es) << 8 | (umask) << 16)

/* A generic event (PERF_COUNT_HW_*). */
struct ia64_generic {
	u8 id;
	u32 code;
};

#define GENERIC(id_, es, umask)	{ .id = PERF_COUNT_HW_##id_, .code = CODE(es, umask) }
#define GENERIC_END		{ .id = PERF_COUNT_HW_MAX }

/* One row of the generic cache events. */
struct ia64_cache {
	u8 unit;		/* PERF_COUNT_HW_CACHE_* */
	u8 op;			/* PERF_COUNT_HW_CACHE_OP_* */
	u32 access, miss;
};

#define CACHE(unit_, op_, access_, miss_)						\
	{ .unit = PERF_COUNT_HW_CACHE_##unit_, .op = PERF_COUNT_HW_CACHE_OP_##op_,	\
	  .access = access_, .miss = miss_ }
#define CACHE_END		{ .unit = PERF_COUNT_HW_CACHE_MAX }

/*
 * Opcode matchers, of which there are two. A narrow one is one register: 27 bits of the opcode to match, as many that
 * do not matter, and the types of slots it looks at; attr.config1 is laid out as it. A wide one is two: the first has
 * the bits that do not matter and the types, the second what is to match, all 41 bits of each; config1 has what is to
 * match and the types, config2 what does not matter.
 */
struct ia64_matcher {
	u8 nr;			/* register */
	bool wide;
};

#define IA64_MATCH_NARROW	0xfffffffe3ffffff8ULL	/* match 59:33, mask 29:3, b 60, f 61, i 62, m 63 */
#define IA64_MATCH_TYPES	0xf000000000000000ULL
#define IA64_MATCH_WIDE		0x1ffffffffffULL	/* 41 bits */
#define IA64_MATCH_WIDE_TYPES	0xf000000000000ULL	/* b 48, f 49, i 50, m 51 */
#define IA64_MATCH_ANYWHERE	BIT_ULL(57)		/* wide: ig_ad, no address range besides */
#define IA64_MATCH_NARROW_ANYWHERE	BIT_ULL(0)	/* the same, on Itanium 2 */

/*
 * Address ranges: what of the control registers says that one restricts events. The range itself is in the first pairs
 * of debug registers, IBR0 and IBR1, or DBR0 and DBR1: address, and in the other one the bits of it that matter, 55:0,
 * and privilege levels, 59:56. A fine range has its last bundle in IBR4 and IBR5.
 */
struct ia64_ranges {
	u8 fetch;		/* register for ranges of instructions; */
	u64 coarse, fine;	/* its bits that are cleared, */
	u64 is_fine;		/* and one that is set, for a fine one; 0: there are none */
	u8 page;		/* a fine one is within one page of so many address bits */
	u8 tags;		/* register for both kinds, 0: there is none */
	u64 tag_fetch, tag_data;	/* its bits that are cleared for either */
	u8 match;		/* opcode matcher which asks for ranges, too; 0: there is none */
	u64 matched;		/* its bits that are cleared */
	const u8 *elsewhere;	/* events (es) that look at other pairs: prefetches; 0: end */
};

#define IA64_DEBUG_MASK		0xffffffffffffffULL	/* 55:0 */
#define IA64_DEBUG_PLM		56
#define IA64_BUNDLES		32	/* fine ranges begin and end at pairs of bundles */

/* attr.config: config1 to config2, which is no part of it any more, are addresses of instructions, or of data */
#define IA64_CONFIG_IRANGE	BIT_ULL(57)
#define IA64_CONFIG_DRANGE	BIT_ULL(58)
#define IA64_CONFIG_RANGE	(IA64_CONFIG_IRANGE | IA64_CONFIG_DRANGE)

/* The event that counts retired instructions, of which each of four unit masks looks at one matcher */
#define IA64_INST_RETIRED	0x08
#define IA64_BRANCH_EVENT	0x11	/* what the branch trace buffer captures */

/* Properties */
#define IA64_HAS_IA32		0x01	/* IA-32 instructions are executed, and can be told apart by ism */
#define IA64_HAS_MESI		0x02	/* the control register has the states of lines, and the bit for both threads */

/**
 * struct ia64_family - chips whose counters are alike
 *
 * Immutable, one per family, found by detect.c.
 */
struct ia64_family {
	const char *name;			/* caps/pmu_name */
	const char *title;			/* boot message */
	unsigned int width;			/* bits of a counter */
	u16 counters;				/* there are, as a mask of their numbers */
	u32 has;				/* IA64_HAS_IA32 ... */
	struct ia64_matcher matcher[2];
	u8 second_matcher;			/* unit masks of IA64_INST_RETIRED that look at the second, as bits */
	u8 untagged;				/* those that cannot be restricted, though IA64_OPM says so */
	const struct ia64_reg *regs;		/* control registers but PMC[0] to PMC[3] */
	const struct ia64_ear *ears;		/* by IA64_IEAR, IA64_DEAR */
	const struct ia64_trace *trace;
	const struct ia64_ranges *ranges;
	const struct ia64_event *events;
	const struct ia64_generic *generic;
	const struct ia64_cache *cache;
	const struct pcl_wiring *groups;	/* rules, by enum ia64_group; NULL: there are none */
};

/* Of Itanium 2, and of who has the same */
#define IA64_EAR_LATENCIES	11	/* of data: 4 cycles, 8, ... */
extern const u8 ia64_itanium2_latencies[IA64_EAR_LATENCIES];
#define IA64_EAR_LEVELS		7	/* of the TLB, of data, and combinations */
extern const u8 ia64_itanium2_levels[IA64_EAR_LEVELS];
#define IA64_EAR_FETCHES	10	/* of instructions: latencies */
extern const u8 ia64_itanium2_fetches[IA64_EAR_FETCHES];
#define IA64_EAR_FETCH_LEVELS	7
extern const u8 ia64_itanium2_fetch_levels[IA64_EAR_FETCH_LEVELS];
extern const u8 ia64_tlb_sources[4];
extern const struct ia64_generic ia64_itanium2_generic[];
extern const struct ia64_cache ia64_itanium2_cache[];

extern const struct ia64_family ia64_merced, ia64_mckinley, ia64_madison, ia64_montecito, ia64_montvale;

const struct ia64_event *ia64_family_event(const struct ia64_family *family, u64 config);
const struct ia64_reg *ia64_family_reg(const struct ia64_family *family, unsigned int nr);
u32 ia64_family_generic(const struct ia64_family *family, unsigned int id);
u32 ia64_family_cache(const struct ia64_family *family, unsigned int unit, unsigned int op, bool miss);
bool ia64_cache_is_senseless(unsigned int unit, unsigned int op);

#endif
