// SPDX-License-Identifier: GPL-2.0
/*
 * SPARC T4: its registers and events.
 *
 * "SPARC T4 Supplement to Oracle SPARC Architecture 2011". No manual was at hand. Registers are those of stock Linux
 * (asm/pcr.h, arch/sparc/kernel/perf_event.c). Events, and the bits that their masks have, are Solaris's (vt_pcbe,
 * looked at for codes alone); libpfm4 has none. What they count, where a name does not tell, is what gprofng says of
 * the same names. Generic events are stock's, but for branches. Where that leaves a doubt, a list of M7's events was
 * asked, made for Linux from that chip's supplement: of selections 1 to 10 it has nearly all as T4 has them.
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

/* A code is a selection and a mask of six bits. All counters count all events. */
#define SL(selection, mask)	((selection) << 6 | (mask))

#define EV_SL(selection, umask, name)	EV_MASK(SL(selection, 0), umask, PIC_ALL, name)

/*
 * A row is a selection, and its comment the mask's bits from the lowest on. A hit beyond the third level is "local", in
 * the chip's own memory, or "remote", in another chip's cache or memory. "Executed": without instructions that were
 * begun and given up; Solaris has "nospec" for it, M7's list "commit".
 *
 * Two bits of selection 4 are in doubt. 0x08 is taken for atomic ones: Solaris has them as 0x18, which would count
 * prefetches with them, M7's list as 0x08. To 0x01 nobody gives a name, nor to those of selection 26. Of selection 20
 * Solaris takes three bits alone, and has names for two more.
 */
static const struct sparc_event niagara4_events[] = {
	/* cycles at select: the pipe drains; it waits; another strand is selected; one instruction; two */
	EV_SL(1, 0x1f, "select"),
	/* cycles at pick: no instruction, one, two, three */
	EV_SL(2, 0x0f, "pick"),
	/* branches; floating point and cryptography; loads; stores; special registers on the ring; others */
	EV_SL(3, 0x3f, "instr"),
	/* unknown; taken branches; the no-operation that counts; atomic ones; prefetches; block loads and stores */
	EV_SL(4, 0x3f, "instr_kinds"),
	/* IC misses, executed, that hit the second or third level; local; remote; misses of branch targets; ITLB's */
	EV_SL(5, 0x1f, "fetch_miss"),
	/* ITLB filled by a table walk: pages of 8 KB, 64 KB, 4 MB, 256 MB, 2 GB and more; walks that failed */
	EV_SL(6, 0x3f, "itlb_fill"),
	/* IC's micro-tags missed; and the tag hit; and it missed; and it hit in another way */
	EV_SL(7, 0x0f, "ic_tags"),
	/* cycles at fetch: nothing; nothing for any strand; buffer full. Wrong branch targets */
	EV_SL(8, 0x0f, "fetch"),
	/* cycles of waiting for a tag of the pick queue, reorder buffer, load buffer, store buffer; for DTLB */
	EV_SL(9, 0x1f, "tag_wait"),
	/* hardware table walks for ITLB that hit the second level, the third, missed; the same for DTLB */
	EV_SL(10, 0x3f, "table_walk"),
	/* IC misses that hit the second or third level; local or remote */
	EV_SL(11, 0x03, "ic_miss"),
	/* loads that missed DC, executed, and hit the second or third level; local; remote */
	EV_SL(16, 0x07, "dc_miss_executed"),
	/* DTLB, as ITLB in 6 */
	EV_SL(17, 0x3f, "dtlb_fill"),
	/* prefetches dropped as they hit DC: the chip's own, the program's; the program's as the buffer was full */
	EV_SL(18, 0x07, "prefetch_drop"),
	/* reads after writes, full and partial, in the store buffer; full and partial in the store queue */
	EV_SL(19, 0x0f, "raw_hit"),
	/* IC's lines lost by eviction, by snoops; DC's; cycles of waiting for a tag of the store queue */
	EV_SL(20, 0x1f, "l1_invalid"),
	/* data prefetches: hit the second level, dropped there; hit the third, local, remote; dropped at the third */
	EV_SL(21, 0x3f, "prefetch"),
	/* stores that hit the second level, the third; another second level, local, remote; memory, local, remote */
	EV_SL(22, 0x3f, "store"),
	/* as 16, with what was given up */
	EV_SL(23, 0x07, "dc_miss"),
	/* second level: clean and dirty evictions; cycles of full buffers: fill, write back, miss; of a stall */
	EV_SL(24, 0x3f, "l2"),
	/* mispredictions: of direction; of targets, by the far table, the indirect table, the stack of returns */
	EV_SL(25, 0x0f, "br_mispred"),
	/* at the levels that the register says, as all else: not of user code alone */
	EV(SL(26, 0), PIC_ALL, "Cycles_user"),
	EV_SL(26, 0x07, "cycles"),
	/* cycles at commit: no instruction; none of any strand; one; two */
	EV_SL(28, 0x0f, "commit"),
	EV_END
};

/*
 * All instructions are 0x3f of 3. Branches are there, too; stock takes 0x01 of 4 for them. Misses of the first level
 * for data are those of loads that were executed: 16, and not 23.
 */
static const struct sparc_generic niagara4_generic[] = {
	GENERIC(CPU_CYCLES, SL(26, 0), PIC_ALL),
	GENERIC(INSTRUCTIONS, SL(3, 0x3f), PIC_ALL),
	GENERIC(CACHE_REFERENCES, SL(3, 0x04), PIC_ALL),	/* loads */
	GENERIC(CACHE_MISSES, SL(16, 0x07), PIC_ALL),		/* of the first level for data */
	GENERIC(BRANCH_INSTRUCTIONS, SL(3, 0x01), PIC_ALL),
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
	.layout = &niagara4_layout,
	.events = { niagara4_events },
	.generic = niagara4_generic,
	.cache = niagara4_cache,
};
