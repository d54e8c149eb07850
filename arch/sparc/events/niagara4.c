// SPDX-License-Identifier: GPL-2.0
/*
 * SPARC T4: its registers and events.
 *
 * "Oracle SPARC Architecture 2011" and the chip's supplement, "Performance Instrumentation". No manual was at hand.
 * Registers and codes are those of stock Linux (asm/pcr.h, arch/sparc/kernel/perf_event.c), which has a few events
 * alone, and nothing else to hold them against: libpfm4 has no table, nor has what Solaris was looked at for. So a
 * raw event may have any code: there is no list of those that the chip has.
 */
#include "family.h"

/*
 * A register for each counter: OV 0, TOE 1, UT 2, ST 3, HT 4, MASK 10:5, SL 15:11, PICNPT 16, PICNHT 17, NTC 18. It is
 * written by the hypervisor, on request. HT stays clear: an overflow while the hypervisor runs brings no interrupt
 * (stock's comment says so), and the counter would go on without one.
 */
#define NIAGARA4_PIC	{ .shift = 5, .field = 0x7ff, .trap = BIT(1) }

static const struct sparc_layout niagara4_layout = {
	.pics = 4, .pcrs = 4,
	.guard = BIT(16), .user = BIT(2), .system = BIT(3),
	.pic = { NIAGARA4_PIC, NIAGARA4_PIC, NIAGARA4_PIC, NIAGARA4_PIC },
};

/* A code is a selection and a mask of six bits. */
#define SL(selection, mask)	((selection) << 6 | (mask))

static const struct sparc_generic niagara4_generic[] = {
	GENERIC(CPU_CYCLES, SL(26, 0), PIC_ALL),
	GENERIC(INSTRUCTIONS, SL(3, 0x3f), PIC_ALL),
	GENERIC(CACHE_REFERENCES, SL(3, 0x04), PIC_ALL),	/* loads */
	GENERIC(CACHE_MISSES, SL(16, 0x07), PIC_ALL),		/* of the first level for data */
	GENERIC(BRANCH_INSTRUCTIONS, SL(4, 0x01), PIC_ALL),
	GENERIC(BRANCH_MISSES, SL(25, 0x0f), PIC_ALL),
	GENERIC_END
};

static const struct sparc_cache niagara4_cache[] = {
	CACHE(L1D, READ, ACCESS(SL(3, 0x04), PIC_ALL), MISS(SL(16, 0x07), PIC_ALL)),
	CACHE(L1D, WRITE, ACCESS(SL(3, 0x08), PIC_ALL)),
	CACHE(L1I, READ, MISS(SL(11, 0x03), PIC_ALL)),
	CACHE(DTLB, READ, MISS(SL(17, 0x3f), PIC_ALL)),
	CACHE(ITLB, READ, MISS(SL(6, 0x3f), PIC_ALL)),
	CACHE_END
};

const struct sparc_family sparc_niagara4 = {
	.name = "niagara4",
	.title = "SPARC T4",
	.has = SPARC_OPEN,
	.layout = &niagara4_layout,
	.generic = niagara4_generic,
	.cache = niagara4_cache,
};
