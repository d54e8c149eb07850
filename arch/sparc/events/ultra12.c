// SPDX-License-Identifier: GPL-2.0
/*
 * UltraSPARC I, II, IIi, IIe.
 *
 * "UltraSPARC User's Manual" (802-7220), appendix B, Performance Instrumentation; B.2: the PICs wrap around silently,
 * so events are counted and not sampled. The manual was not at hand. The events are those that libpfm4 4.13 and
 * Solaris's driver (us234_pcbe, looked at for codes alone) agree on. Stock Linux does not drive these counters, so the
 * register's layout has one source, Solaris; and so have the generic events, which are ours.
 */
#include "family.h"

/* PRIV 0, ST 1, UT 2, S0 7:4, S1 14:11. No event stands still: a counter that nobody has counts cycles. */
static const struct sparc_layout ultra12_layout = {
	.pics = 2, .pcrs = 1,
	.guard = BIT(0), .system = BIT(1), .user = BIT(2),
	.pic = {
		{ .shift = 4, .field = 0xf },
		{ .shift = 11, .field = 0xf },
	},
};

static const struct sparc_event ultra12_events[] = {
	EV(0x0, PIC_BOTH, "Cycle_cnt"),
	EV(0x1, PIC_BOTH, "Instr_cnt"),
	EV(0x2, PIC0, "Dispatch0_IC_miss"),
	EV(0x3, PIC0, "Dispatch0_storeBuf"),
	EV(0x8, PIC0, "IC_ref"),
	EV(0x9, PIC0, "DC_rd"),
	EV(0xa, PIC0, "DC_wr"),
	EV(0xb, PIC0, "Load_use"),
	EV(0xc, PIC0, "EC_ref"),
	EV(0xd, PIC0, "EC_write_hit_RDO"),
	EV(0xe, PIC0, "EC_snoop_inv"),
	EV(0xf, PIC0, "EC_rd_hit"),
	EV(0x2, PIC1, "Dispatch0_mispred"),
	EV(0x3, PIC1, "Dispatch0_FP_use"),
	EV(0x8, PIC1, "IC_hit"),
	EV(0x9, PIC1, "DC_rd_hit"),
	EV(0xa, PIC1, "DC_wr_hit"),
	EV(0xb, PIC1, "Load_use_RAW"),
	EV(0xc, PIC1, "EC_hit"),
	EV(0xd, PIC1, "EC_wb"),
	EV(0xe, PIC1, "EC_snoop_cb"),
	EV(0xf, PIC1, "EC_ic_hit"),
	EV_END
};

static const struct sparc_generic ultra12_generic[] = {
	GENERIC(CPU_CYCLES, 0x0, PIC_BOTH),
	GENERIC(INSTRUCTIONS, 0x1, PIC_BOTH),
	GENERIC(CACHE_REFERENCES, 0x9, PIC0),	/* DC_rd, as on UltraSPARC III */
	GENERIC_END
};

/* Hits are counted, and no misses. */
static const struct sparc_cache ultra12_cache[] = {
	CACHE(L1D, READ, ACCESS(0x9, PIC0)),	/* DC_rd */
	CACHE(L1D, WRITE, ACCESS(0xa, PIC0)),	/* DC_wr */
	CACHE(L1I, READ, ACCESS(0x8, PIC0)),	/* IC_ref */
	CACHE_END
};

const struct sparc_family sparc_ultra12 = {
	.name = "ultra12",
	.title = "UltraSPARC I or II",
	.has = SPARC_WRAPS,
	.layout = &ultra12_layout,
	.events = { ultra12_events },
	.generic = ultra12_generic,
	.cache = ultra12_cache,
};
