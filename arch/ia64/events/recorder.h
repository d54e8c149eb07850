/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a chip records beside counts: two event address registers (EAR), one for fetches of instructions and one for
 * accesses to data, and the branch trace buffer (BTB; on Montecito execution trace buffer, ETB), as tables.
 *
 * Registers of that kind are filled by the processor, stand still while the counters are frozen, and each has a control
 * register that says what it captures. The files named after chips say how these are laid out; where they know it from,
 * too.
 */
#ifndef _IA64_EVENTS_RECORDER_H
#define _IA64_EVENTS_RECORDER_H

#include <linux/bits.h>
#include <linux/types.h>

/* Some bits of a register, the lowest of them, and how many; none: there is no such field, and it reads 0. */
struct ia64_field {
	u8 at, bits;
};

static inline u64 ia64_field_get(u64 value, struct ia64_field field)
{
	return (value >> field.at) & (BIT_ULL(field.bits) - 1);
}

/*
 * attr.config: what an EAR captures. ear_mode is what was missed, numbered as the data register's mode field of Itanium
 * 2; ear_umask is its unit mask as the control register has it: the least latency, or levels of the TLB.
 */
#define IA64_CONFIG_EAR_MODE	GENMASK_ULL(35, 34)
#define IA64_CONFIG_EAR_UMASK	GENMASK_ULL(47, 40)

#define IA64_EAR_MODE_OF(config)	(((config) & IA64_CONFIG_EAR_MODE) >> 34)
#define IA64_EAR_UMASK_OF(config)	(((config) & IA64_CONFIG_EAR_UMASK) >> 40)

enum ia64_ear_kind { IA64_EAR_CACHE, IA64_EAR_TLB, IA64_EAR_ALAT, IA64_EAR_NONE, IA64_EAR_MODES };

/* A mode: its bits in the control register, and the unit masks that mean something; none: there is no such mode. */
struct ia64_ear_mode {
	u64 select;
	const u8 *umasks;
	u8 nr;
};

#define EAR_MODE(select_, umasks_) { .select = (select_), .umasks = (umasks_), .nr = ARRAY_SIZE(umasks_) }

/*
 * An event address register. A bit number of 0 says that there is no such bit.
 */
struct ia64_ear {
	u8 code;		/* es of the event that happens when it has captured something */
	u8 pmc;			/* the control register; plm is its bits 3:0 */
	u8 pm;			/* in it: the gate, */
	u8 umask;		/* unit mask, lowest bit, */
	u8 ism;			/* instruction set, lowest bit */
	bool data;		/* accesses to data; */
	bool bars_trace;	/* but to caches, it has the wrong instruction unless the branch trace buffer is off */
	u8 address;		/* PMD: which address was accessed, or fetched, */
	u8 line;		/* but for so many bits, which are no part of it */
	u8 latency;		/* PMD: how many cycles that took, */
	struct ia64_field cycles;
	u8 wrapped;		/* and whether there were more than it can hold */
	u8 where;		/* PMD: which instruction it was, 0: none says */
	u8 vouched;		/* in it: that is known, */
	u8 second;		/* it is in the second bundle of two, */
	struct ia64_field slot;
	u8 status;		/* PMD which says whether it has captured anything, */
	struct ia64_field valid;
	u8 source;		/* and PMD that says which level of the TLB had the page: */
	struct ia64_field level;
	const u8 *tlb;		/* PERF_MEM_TLB_* by the number there */
	struct ia64_ear_mode mode[IA64_EAR_MODES];
};

enum { IA64_IEAR, IA64_DEAR, IA64_EARS };

/* The control register of the branch trace buffer, as all chips have it; plm is bits 3:0, pm bit 6 */
#define IA64_TRACE_TAKEN	(2ULL << 8)	/* tm: taken branches alone, */
#define IA64_TRACE_EITHER	(3ULL << 8)	/* or those that are not taken, too */
#define IA64_TRACE_TARGETS	(3ULL << 10)	/* ptm: target predicted right or wrong */
#define IA64_TRACE_PATHS	(3ULL << 12)	/* ppm: path predicted right or wrong */

/* Kinds of branches (brt), from Itanium 2 on */
enum ia64_trace_kind { IA64_TRACE_ALL, IA64_TRACE_RELATIVE, IA64_TRACE_RETURN, IA64_TRACE_INDIRECT };

/* An entry of it */
#define IA64_TRACE_BRANCH	BIT_ULL(0)	/* b, s: a branch; else the target of one */
#define IA64_TRACE_MISPREDICT	BIT_ULL(1)	/* mp; of a target: it is one */
#define IA64_TRACE_SLOT_OF(entry)	(((entry) >> 2) & 3)
#define IA64_TRACE_NOT_TAKEN	3		/* slot */
#define IA64_TRACE_ADDRESS	(~0xfULL)

/* What more of it is elsewhere */
#define IA64_TRACE_SECOND	BIT(0)		/* b1: in the second bundle of two */
#define IA64_TRACE_FLUSH	BIT(1)		/* bruflush: the back end found the prediction wrong */

#define IA64_TRACE_MOST		16		/* entries */

/*
 * attr.config on Montecito: the buffer has, instead of branches, the addresses of what retired (IP-EAR). ip_delay is
 * the field of that name in its control register.
 */
#define IA64_CONFIG_IP_EAR	BIT_ULL(48)
#define IA64_CONFIG_IP_DELAY	GENMASK_ULL(56, 49)

#define IA64_IP_MODE		(4ULL << 8)	/* of the control register: mode, ... */
#define IA64_IP_DELAY_OF(config)	((((config) & IA64_CONFIG_IP_DELAY) >> 49) << 11)	/* delay */

#define IA64_CONFIG_RECORD	(IA64_CONFIG_EAR_MODE | IA64_CONFIG_EAR_UMASK | IA64_CONFIG_IP_EAR | \
				 IA64_CONFIG_IP_DELAY)

/* An entry then: address 63:4 in its lower 60 bits; and of what is elsewhere, the bit that says: not all of it */
#define IA64_IP_EARLY		BIT(3)		/* ef */

struct ia64_trace {
	u8 pmc;			/* the control register */
	u64 sources;		/* bits of it beyond the common ones that want all branches */
	u8 kinds;		/* in it: brt, lowest bit; 0: it does not tell kinds apart */
	u8 first, nr;		/* PMDs with the entries, */
	u8 index;		/* the PMD that says where the next one goes, */
	struct ia64_field next;
	u8 full;		/* and whether it has been round */
	u8 more;		/* PMD with what more there is of entries; 0: there is no more */
	const u8 *more_at;	/* lowest of its four bits, by entry */
	u8 ip_pmc;		/* the control register of the IP-EAR; 0: there is none */
};

#endif
