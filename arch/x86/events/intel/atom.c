// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Atom, Bonnell to Gracemont, and Knights Landing, whose counters are alike.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

static const struct x86_constraint atom_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_CONSTRAINT_END
};

static const struct x86_extra silvermont_extra[] = {
	{ .code = 0x01b7, .msr = 0x1a6, .valid = 0x768005ffffULL },
	{ .code = 0x02b7, .msr = 0x1a7, .valid = 0x368005ffffULL },
	X86_EXTRA_END
};

static const struct x86_extra goldmont_extra[] = {
	{ .code = 0x01b7, .msr = 0x1a6, .valid = 0x760005ffbfULL },
	{ .code = 0x02b7, .msr = 0x1a7, .valid = 0x360005ffbfULL },
	X86_EXTRA_END
};

static const struct x86_extra tremont_extra[] = {
	{ .code = 0x01b7, .msr = 0x1a6, .valid = 0x800ff0ffffff9fffULL },
	{ .code = 0x02b7, .msr = 0x1a7, .valid = 0xff0ffffff9fffULL },
	X86_EXTRA_END
};

static const struct x86_extra gracemont_extra[] = {
	{ .code = 0x01b7, .msr = 0x1a6, .valid = 0x3fffffffffULL },
	{ .code = 0x02b7, .msr = 0x1a7, .valid = 0x3fffffffffULL },
	{ .code = 0x05d0, .msr = 0x3f6, .valid = 0xffff },	/* load latency */
	X86_EXTRA_END
};

static const struct x86_extra knights_extra[] = {
	{ .code = 0x01b7, .msr = 0x1a6, .valid = 0x799ffbb6e7ULL },
	{ .code = 0x02b7, .msr = 0x1a7, .valid = 0x399ffbffe7ULL },
	X86_EXTRA_END
};

static const struct x86_cache bonnell_cache[] = {
	X86_CACHE(L1D, READ, 0x2140, X86_ABSENT),
	X86_CACHE(L1D, WRITE, 0x2240, X86_ABSENT),
	X86_CACHE(L1I, READ, 0x0380, 0x0280),
	X86_CACHE(LL, READ, 0x4f29, 0x4129),
	X86_CACHE(LL, WRITE, 0x4f2a, 0x412a),
	X86_CACHE(DTLB, READ, 0x2140, 0x0508),
	X86_CACHE(DTLB, WRITE, 0x2240, 0x0608),
	X86_CACHE(ITLB, READ, 0x00c0, 0x0282),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_cache silvermont_cache[] = {
	X86_CACHE(L1D, READ, X86_ABSENT, 0x0104),
	X86_CACHE(L1I, READ, 0x0380, 0x0280),
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, X86_ABSENT),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x3680000002),
	X86_CACHE_EXTRA(LL, PREFETCH, 0x01b7, 0x10030, 0x3680000030),
	X86_CACHE(DTLB, READ, X86_ABSENT, 0x0804),
	X86_CACHE(ITLB, READ, 0x00c0, 0x40205),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_cache knights_cache[] = {
	X86_CACHE(L1D, READ, X86_ABSENT, 0x0104),
	X86_CACHE(L1I, READ, 0x0380, 0x0280),
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, X86_ABSENT),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x3f81f80002),
	X86_CACHE_EXTRA(LL, PREFETCH, 0x01b7, 0x10030, 0x3f81f80030),
	X86_CACHE(DTLB, READ, X86_ABSENT, 0x0804),
	X86_CACHE(ITLB, READ, 0x00c0, 0x40205),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_cache goldmont_cache[] = {
	X86_CACHE(L1D, READ, 0x81d0, X86_ABSENT),
	X86_CACHE(L1D, WRITE, 0x82d0, X86_ABSENT),
	X86_CACHE(L1I, READ, 0x0380, 0x0280),
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, 0x3600000001),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x3600000002),
	X86_CACHE_EXTRA(LL, PREFETCH, 0x01b7, 0x10030, 0x3600000030),
	X86_CACHE(DTLB, READ, 0x81d0, X86_ABSENT),
	X86_CACHE(DTLB, WRITE, 0x82d0, X86_ABSENT),
	X86_CACHE(ITLB, READ, 0x00c0, 0x0481),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_cache goldmont_plus_cache[] = {
	X86_CACHE(L1D, READ, 0x81d0, X86_ABSENT),
	X86_CACHE(L1D, WRITE, 0x82d0, X86_ABSENT),
	X86_CACHE(L1I, READ, 0x0380, 0x0280),
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, 0x3600000001),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x3600000002),
	X86_CACHE(DTLB, READ, 0x81d0, 0x0e08),
	X86_CACHE(DTLB, WRITE, 0x82d0, 0x0e49),
	X86_CACHE(ITLB, READ, 0x00c0, 0x0481),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_cache tremont_cache[] = {
	X86_CACHE(L1D, READ, 0x81d0, X86_ABSENT),
	X86_CACHE(L1D, WRITE, 0x82d0, X86_ABSENT),
	X86_CACHE(L1I, READ, 0x0380, 0x0280),
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, 0x3f04000001),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x3f04000002),
	X86_CACHE(DTLB, READ, 0x81d0, 0x0e08),
	X86_CACHE(DTLB, WRITE, 0x82d0, 0x0e49),
	X86_CACHE(ITLB, READ, X86_SENSELESS, 0x0481),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_alias silvermont_aliases[] = {
	{ "topdown-fetch-bubbles", "event=0xca,umask=0x50" },
	{ "topdown-fetch-bubbles.scale", "2" },
	{ "topdown-slots-issued", "event=0xc2,umask=0x10" },
	{ "topdown-slots-retired", "event=0xc2,umask=0x10" },
	{ "topdown-total-slots", "event=0x3c" },
	{ "topdown-total-slots.scale", "2" },
	X86_ALIAS_END
};

static const struct x86_alias goldmont_aliases[] = {
	{ "topdown-fetch-bubbles", "event=0x9c" },
	{ "topdown-recovery-bubbles", "event=0xca,umask=0x02" },
	{ "topdown-slots-issued", "event=0x0e" },
	{ "topdown-slots-retired", "event=0xc2" },
	{ "topdown-total-slots", "event=0x3c" },
	{ "topdown-total-slots.scale", "3" },
	X86_ALIAS_END
};

static const struct x86_alias goldmont_plus_aliases[] = {
	{ "topdown-fetch-bubbles", "event=0x9c" },
	{ "topdown-recovery-bubbles", "event=0xca,umask=0x02" },
	{ "topdown-slots-issued", "event=0x0e" },
	{ "topdown-slots-retired", "event=0xc2" },
	{ "topdown-total-slots", "event=0x3c" },
	{ "topdown-total-slots.scale", "4" },
	X86_ALIAS_END
};

static const struct x86_alias tremont_aliases[] = {
	{ "topdown-bad-spec", "event=0x73,umask=0x6" },
	{ "topdown-be-bound", "event=0x74,umask=0x0" },
	{ "topdown-fe-bound", "event=0x71,umask=0x0" },
	{ "topdown-retiring", "event=0xc2,umask=0x0" },
	X86_ALIAS_END
};

const struct x86_family x86_bonnell = {
	.name = "bonnell",
	.title = "Atom events, ",
	.constraints = atom_constraints,
	.cache = bonnell_cache,
};

const struct x86_family x86_silvermont = {
	.name = "silvermont",
	.title = "Silvermont events, ",
	.constraints = atom_constraints,
	.extra = silvermont_extra,
	.aliases = silvermont_aliases,
	.cache = silvermont_cache,
};

const struct x86_family x86_knights = {
	.name = "knights-landing",
	.title = "Knights Landing/Mill events, ",
	.constraints = atom_constraints,
	.extra = knights_extra,
	.cache = knights_cache,
};

const struct x86_family x86_goldmont = {
	.name = "goldmont",
	.title = "Goldmont events, ",
	.constraints = atom_constraints,
	.extra = goldmont_extra,
	.aliases = goldmont_aliases,
	.cache = goldmont_cache,
};

const struct x86_family x86_goldmont_plus = {
	.name = "goldmont_plus",
	.title = "Goldmont plus events, ",
	.constraints = atom_constraints,
	.extra = goldmont_extra,
	.aliases = goldmont_plus_aliases,
	.cache = goldmont_plus_cache,
};

const struct x86_family x86_tremont = {
	.name = "Tremont",
	.title = "Tremont events, ",
	.constraints = atom_constraints,
	.extra = tremont_extra,
	.aliases = tremont_aliases,
	.cache = tremont_cache,
};

const struct x86_family x86_gracemont = {
	.name = "gracemont",
	.title = "Gracemont events, ",
	.constraints = atom_constraints,
	.extra = gracemont_extra,
	.aliases = tremont_aliases,
	.cache = tremont_cache,
};
