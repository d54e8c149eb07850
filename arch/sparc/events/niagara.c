// SPDX-License-Identifier: GPL-2.0
/*
 * UltraSPARC T1; T2, T2+ and T3.
 *
 * "UltraSPARC T1 Supplement", "UltraSPARC T2 Supplement" and "SPARC T3 Supplement" to the UltraSPARC Architecture, the
 * chapters "Performance Instrumentation". No manual was at hand. Layouts are those that stock Linux and Solaris
 * (niagararegs, niagara2regs) agree on; T1's and T2's events those that libpfm4 4.13 and Solaris (niagara_pcbe,
 * niagara2_pcbe, looked at for codes alone) agree on; where they do not, that is said there, and Solaris's was taken.
 * T3's events are Solaris's: libpfm4 has none, stock takes T2's.
 */
#include "family.h"

/*
 * PRIV 0, ST 1, UT 2, SL 6:4, overflow 9:8. PIC1 counts instructions for ever, and PIC0 has no event that stands still,
 * so either goes on while the other one counts. An overflow always interrupts.
 */
static const struct sparc_layout niagara_layout = {
	.pics = 2, .pcrs = 1,
	.guard = BIT(0), .system = BIT(1), .user = BIT(2),
	.pic = {
		{ .shift = 4, .field = 0x7 },
		{ .field = 0 },
	},
};

static const struct sparc_event niagara_events[] = {
	EV(0x0, PIC1, "Instr_cnt"),
	EV(0x0, PIC0, "SB_full"),
	EV(0x1, PIC0, "FP_instr_cnt"),
	EV(0x2, PIC0, "IC_miss"),
	EV(0x3, PIC0, "DC_miss"),
	EV(0x4, PIC0, "ITLB_miss"),
	EV(0x5, PIC0, "DTLB_miss"),
	EV(0x6, PIC0, "L2_imiss"),
	EV(0x7, PIC0, "L2_dmiss_ld"),
	EV_END
};

static const struct sparc_generic niagara_generic[] = {
	GENERIC(INSTRUCTIONS, 0x0, PIC1),
	GENERIC(CACHE_MISSES, 0x3, PIC0),		/* DC_miss */
	GENERIC_END
};

static const struct sparc_cache niagara_cache[] = {
	CACHE(L1D, READ, MISS(0x3, PIC0)),		/* DC_miss */
	CACHE(L1I, READ, MISS(0x2, PIC0)),		/* IC_miss */
	CACHE(LL, READ, MISS(0x7, PIC0)),		/* L2_dmiss_ld */
	CACHE(DTLB, READ, MISS(0x5, PIC0)),		/* DTLB_miss */
	CACHE(ITLB, READ, MISS(0x4, PIC0)),		/* ITLB_miss */
	CACHE_END
};

const struct sparc_family sparc_niagara = {
	.name = "niagara",
	.title = "UltraSPARC T1",
	.layout = &niagara_layout,
	.events = { niagara_events },
	.generic = niagara_generic,
	.cache = niagara_cache,
};

/*
 * PRIV 0, ST 1, UT 2, HT 3, TOE0 4, TOE1 5, MASK0 13:6, SL0 17:14, OV0 18, MASK1 26:19, SL1 30:27, OV1 31. The
 * hypervisor alone can write HT. A counter that may interrupt does so from 16 events before its overflow on, and sets
 * its overflow bit. Instr_sw counts the no-operation "sethi %hi(0xfc000), %g0".
 */
static const struct sparc_layout niagara2_layout = {
	.pics = 2, .pcrs = 1,
	.early = 16,
	.guard = BIT(0), .system = BIT(1), .user = BIT(2), .hypervisor = BIT(3),
	.overflow = { BIT(18), BIT(31) },
	.pic = {
		{ .shift = 6, .field = 0xfff, .nop = 0x220, .trap = BIT(4) },
		{ .shift = 19, .field = 0xfff, .nop = 0x220, .trap = BIT(5) },
	},
};

/*
 * A code is a selection, SL, and a mask of what of it is counted; the names are libpfm4's. Stores are 0x10 of 2, which
 * libpfm4 has for loads; what goes to the second level from the CPU's stores and from the MMU is 0x10 and 0x20 of 5,
 * where libpfm4 has 0x40 and 0x80.
 *
 * Erratum 108: L2 misses of loads must not trap when their counter overflows (niagara2_pcbe).
 */
static const struct sparc_event niagara2_events[] = {
	EV(0x000, PIC_BOTH, "All_strands_idle"),
	/* branches, taken ones, floating point, loads, stores, the no-operation, others, atomic ones */
	EV_MASK(0x200, 0xff, PIC_BOTH, "Instr_cnt"),
	/* first level for instructions, for data; second for instructions, for loads */
	EV_MASK(0x300, 0x33, PIC_BOTH, "cache", .silent = 0x20),
	/* hardware table walks: references of ITLB, of DTLB to the second level; misses there */
	EV_MASK(0x400, 0x3c, PIC_BOTH, "TLB"),
	/* to the second level: stream unit's loads, stores; CPU's loads, fetches, stores; MMU's loads */
	EV_MASK(0x500, 0x3f, PIC_BOTH, "mem"),
	EV_MASK(0xb00, 0x0c, PIC_BOTH, "tlb_miss"),	/* ITLB, DTLB */
	EV_END
};

/* Stream unit: DES, AES, RC4, hashes, modular arithmetic, checksums */
static const struct sparc_event niagara2_stream_events[] = {
	EV_MASK(0x600, 0x3f, PIC_BOTH, "spu_ops"),
	EV_MASK(0x700, 0x3f, PIC_BOTH, "spu_busy"),
	EV_END
};

/* The same with Kasumi for RC4; Solaris takes two bits more, 0x40 and 0x80, and has no names for them. */
static const struct sparc_event niagara3_stream_events[] = {
	EV_MASK(0x600, 0xff, PIC_BOTH, "spu_ops"),
	EV_MASK(0x700, 0xff, PIC_BOTH, "spu_busy"),
	EV_END
};

/*
 * All instructions are 0xfd and not 0xff: taken branches are among the branches. These chips do not predict a branch to
 * be taken, so a taken one is a mispredicted one. They have no event of cycles.
 */
static const struct sparc_generic niagara2_generic[] = {
	GENERIC(INSTRUCTIONS, 0x2fd, PIC_BOTH),
	GENERIC(CACHE_REFERENCES, 0x208, PIC_BOTH),		/* loads */
	GENERIC(CACHE_MISSES, 0x302, PIC_BOTH),			/* of the first level for data */
	GENERIC(BRANCH_INSTRUCTIONS, 0x201, PIC_BOTH),
	GENERIC(BRANCH_MISSES, 0x202, PIC_BOTH),
	GENERIC_END
};

static const struct sparc_cache niagara2_cache[] = {
	CACHE(L1D, READ, ACCESS(0x208, PIC_BOTH), MISS(0x302, PIC_BOTH)),
	CACHE(L1D, WRITE, ACCESS(0x210, PIC_BOTH)),
	CACHE(L1I, READ, MISS(0x301, PIC_BOTH)),
	CACHE(LL, READ, ACCESS(0x504, PIC_BOTH), MISS(0x320, PIC_BOTH)),
	CACHE(LL, WRITE, ACCESS(0x510, PIC_BOTH)),
	CACHE(DTLB, READ, MISS(0xb08, PIC_BOTH)),
	CACHE(ITLB, READ, MISS(0xb04, PIC_BOTH)),
	CACHE_END
};

const struct sparc_family sparc_niagara2 = {
	.name = "niagara2",
	.title = "UltraSPARC T2",
	.layout = &niagara2_layout,
	.events = { niagara2_events, niagara2_stream_events },
	.generic = niagara2_generic,
	.cache = niagara2_cache,
};

const struct sparc_family sparc_niagara3 = {
	.name = "niagara3",
	.title = "SPARC T3",
	.layout = &niagara2_layout,
	.events = { niagara2_events, niagara3_stream_events },
	.generic = niagara2_generic,
	.cache = niagara2_cache,
};
