/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processor families as data: which events they have, and which counters can count them.
 *
 * A family is a set of tables; the files in intel/ and amd/ hold nothing else. family.c looks things up in them. Both
 * also build in user space, where a test walks every table.
 */
#ifndef _X86_EVENTS_FAMILY_H
#define _X86_EVENTS_FAMILY_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/linux/pcl.h>

/*
 * Select register. Intel SDM volume 3B, "Architectural Performance Monitoring": IA32_PERFEVTSELx. AMD APM volume 2,
 * "Performance-Monitoring Counters": PERF_CTLx, whose event number continues in bits 35:32.
 */
#define X86_SEL_EVENT		0x00000000ffULL
#define X86_SEL_UMASK		0x000000ff00ULL
#define X86_SEL_CODE		(X86_SEL_EVENT | X86_SEL_UMASK)
#define X86_SEL_USR		BIT_ULL(16)
#define X86_SEL_OS		BIT_ULL(17)
#define X86_SEL_EDGE		BIT_ULL(18)
#define X86_SEL_PIN		BIT_ULL(19)
#define X86_SEL_INT		BIT_ULL(20)
#define X86_SEL_ANY		BIT_ULL(21)
#define X86_SEL_ENABLE		BIT_ULL(22)
#define X86_SEL_INV		BIT_ULL(23)
#define X86_SEL_CMASK		0x00ff000000ULL
#define X86_SEL_IN_TX		BIT_ULL(32)
#define X86_SEL_IN_TX_CP	BIT_ULL(33)
#define X86_SEL_AMD_EVENT_HIGH	(0xfULL << 32)
#define X86_SEL_GUEST_ONLY	BIT_ULL(40)
#define X86_SEL_HOST_ONLY	BIT_ULL(41)

/* Counters 0..31 are general, 32.. are fixed (SDM: IA32_FIXED_CTRn is bit 32 + n of the global registers). */
#define X86_FIXED_FIRST		32
#define X86_FIXED(n)		BIT_ULL(X86_FIXED_FIRST + (n))
#define X86_GENERAL_MASK	0xffffffffULL

/* The counters of this machine. */
struct x86_shape {
	u64 general;		/* usable general counters */
	u64 fixed;		/* fixed ones, in bits 32.. */
};

/* A further condition on the unit mask */
enum x86_umask_rule {
	X86_UMASK_ANY,
	X86_UMASK_MANY,		/* more than one bit */
	X86_UMASK_BOTH_HALVES,	/* a bit in each nibble */
};

/* Events with @code <= (select & @mask) <= @last can be counted by @counters. The first row that matches counts. */
struct x86_constraint {
	u64 code;
	u64 last;
	u64 mask;
	u64 counters;
	enum x86_umask_rule umask;
};

/* What disqualifies an event for a fixed counter beside its code; SDM, "Fixed-function Performance Counters". */
#define X86_FIXED_MATCH	(X86_SEL_CODE | X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK | X86_SEL_IN_TX | X86_SEL_IN_TX_CP)

#define X86_ON_FIXED(code_, n)	{ .code = (code_), .last = (code_), .mask = X86_FIXED_MATCH, .counters = X86_FIXED(n) }
#define X86_EVENT(event, set)	{ .code = (event), .last = (event), .mask = X86_SEL_EVENT, .counters = (set) }
#define X86_EVENTS(from, to, set) { .code = (from), .last = (to), .mask = X86_SEL_EVENT, .counters = (set) }
#define X86_UEVENT(code_, set)	{ .code = (code_), .last = (code_), .mask = X86_SEL_CODE, .counters = (set) }
/* any event whose unit mask contains that of @code */
#define X86_UBIT(code_, set)	{ .code = (code_), .last = (code_), .mask = X86_SEL_EVENT | (code_), .counters = (set) }
#define X86_CONSTRAINT_END	{ .mask = 0 }

/* One row of the generic cache events: an operation on a cache, and the codes of its accesses and misses. */
struct x86_cache {
	u8 unit;		/* PERF_COUNT_HW_CACHE_* */
	u8 op;			/* PERF_COUNT_HW_CACHE_OP_* */
	u32 access;
	u32 miss;
	u64 access_extra;	/* for the extra register, if the code needs one */
	u64 miss_extra;
};

#define X86_ABSENT	0u	/* the family cannot count it */
#define X86_SENSELESS	(~0u)	/* nothing could: branches have no writes */

#define X86_CACHE(unit_, op_, access_, miss_)								\
	{ .unit = PERF_COUNT_HW_CACHE_##unit_, .op = PERF_COUNT_HW_CACHE_OP_##op_,			\
	  .access = (access_), .miss = (miss_) }
#define X86_CACHE_EXTRA(unit_, op_, code_, access_, miss_)						\
	{ .unit = PERF_COUNT_HW_CACHE_##unit_, .op = PERF_COUNT_HW_CACHE_OP_##op_,			\
	  .access = (access_) ? (code_) : X86_ABSENT, .access_extra = (access_),			\
	  .miss = (miss_) ? (code_) : X86_ABSENT, .miss_extra = (miss_) }
#define X86_CACHE_SENSELESS(unit_, op_)	X86_CACHE(unit_, op_, X86_SENSELESS, X86_SENSELESS)
/* Instructions are not written, branches neither; translations of them are not prefetched. */
#define X86_CACHE_NO_SUCH_OPS										\
	X86_CACHE_SENSELESS(L1I, WRITE), X86_CACHE_SENSELESS(ITLB, WRITE), X86_CACHE_SENSELESS(ITLB, PREFETCH),	\
	X86_CACHE_SENSELESS(BPU, WRITE), X86_CACHE_SENSELESS(BPU, PREFETCH)
#define X86_CACHE_END	{ .unit = PERF_COUNT_HW_CACHE_MAX }

/* A generic event (PERF_COUNT_HW_*) and its code. */
struct x86_generic {
	u8 id;
	u64 code;
};

#define X86_GENERIC(id_, code_)	{ .id = PERF_COUNT_HW_##id_, .code = (code_) }
#define X86_GENERIC_END		{ .id = PERF_COUNT_HW_MAX }

/* A register beside the select register, that an event with this code needs. */
struct x86_extra {
	u64 code;		/* of select & X86_SEL_CODE */
	u32 msr;
	u64 valid;		/* bits of attr.config1 that it takes */
};

#define X86_EXTRA_END	{ .msr = 0 }

/* A name in sysfs, with the text beside it when hyper-threads share a core. */
struct x86_alias {
	const char *name;
	const char *text;
	const char *text_smt;	/* NULL: the same */
	bool tsx;		/* only where transactional memory is */
};

#define X86_ALIAS_END	{ .name = NULL }

/* Properties */
#define X86_HAS_TX		0x01	/* in_tx and in_tx_cp (Haswell and later) */
#define X86_NEEDS_KICK		0x02	/* errata AAK100, AAP53, BD53 */
#define X86_NB_SHARED		0x04	/* events 0xe0-0xff are counted by the node, on counters its cores share */
#define X86_BRANCH_MISS_BROKEN	0x08	/* erratum AAJ80 */
#define X86_NEEDS_PAIR		0x10	/* event 0x003 needs two counters, merged */
#define X86_DISTURBS_SIBLING	0x20	/* errata BJ122, BV98, HSD29: see siblings.c */

/**
 * struct x86_family - processors whose counters are alike
 *
 * Immutable, one per family, found by detect.c.
 */
struct x86_family {
	const char *name;			/* caps/pmu_name */
	const char *title;			/* boot message */
	const struct x86_generic *generic;	/* over the vendor's */
	const struct x86_cache *cache;
	const struct x86_constraint *constraints;
	const struct x86_extra *extra;
	const struct x86_alias *aliases;
	u32 has;				/* X86_HAS_TX ... */
	u32 min_period;				/* events; shorter periods are made longer */
	/* errata HSD11, BDM11, BDM55: periods of INST_RETIRED.ALL (01c0) at least this, in steps of that */
	u32 inst_all_min;
	u32 inst_all_step;
};

extern const struct x86_generic x86_intel_generic[], x86_amd_generic[], x86_zen_generic[];
extern const struct x86_family x86_intel_v1, x86_intel_arch, x86_intel_arch_v5;
extern const struct x86_family x86_core, x86_core2, x86_nehalem, x86_westmere, x86_sandybridge, x86_sandybridge_x,
	x86_ivybridge, x86_ivybridge_x, x86_haswell, x86_broadwell, x86_skylake, x86_icelake, x86_sapphirerapids,
	x86_bonnell, x86_silvermont, x86_goldmont, x86_goldmont_plus, x86_tremont, x86_gracemont, x86_knights;
extern const struct x86_family x86_k7, x86_fam15h, x86_fam16h, x86_zen;

u64 x86_family_counters(const struct x86_family *family, const struct x86_shape *shape, u64 select);
const struct x86_cache *x86_family_cache(const struct x86_family *family, unsigned int unit, unsigned int op);
const struct x86_extra *x86_family_extra(const struct x86_family *family, u64 select);
u64 x86_family_generic(const struct x86_family *family, const struct x86_generic *vendor, unsigned int id);
s64 x86_family_period(const struct x86_family *family, u64 select, s64 left);

#endif
