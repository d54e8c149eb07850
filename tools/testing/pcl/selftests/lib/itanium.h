/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module pcl_ia64 (../../kernel/models): this machine, which has no PMU of its own, has an Itanium's, and the program
 * is its program. What it is to have done it writes to /dev/pcl_ia64.
 */
#ifndef PCL_TEST_ITANIUM_H
#define PCL_TEST_ITANIUM_H

#include "../../kernel/models/orders.h"
#include "event.h"

#define CODE_OF(es)	((es) << 8)
#define CYCLE		CODE_OF(0x12)
#define INSTRUCTION	CODE_OF(0x08)
#define UP		(1ULL << 32)	/* the program starts and stops it */

/* What an event address register captures: misses of what; the least latency, or levels of the TLB */
#define EAR_MODE(mode)		((uint64_t)(mode) << 34)
#define EAR_UMASK(umask)	((uint64_t)(umask) << 40)
#define EAR_LATENCY(code)	EAR_UMASK(code)		/* of data: 4 << code cycles or more */
enum { OF_CACHE, OF_TLB, OF_ALAT };
/* Where the TLB had the page from: its second level, the walker, the system */
enum { FROM_L2 = 1, FROM_WALKER, FROM_SOFTWARE };

struct chip {
	const char *name;
	unsigned int width;
	uint64_t pmds;			/* there are, as a mask of their numbers, */
	uint64_t recorders;		/* and those of them that do not count */
	uint64_t data_ear, fetch_ear;	/* events of its event address registers */
	uint64_t slow_fetch;		/* EAR_UMASK() of fetches that took 128 cycles or more */
	uint64_t first[2], second[2];	/* pairs, of which one can be counted at a time */
	bool has_bundles;		/* what retired can be recorded */
};

enum { MERCED, MCKINLEY, MADISON, MONTECITO, MONTVALE };
extern const struct chip chips[];

#define ON_EACH(function)	TEST_WITH(function, "(Merced)", MERCED), TEST_WITH(function, "(McKinley)", MCKINLEY), \
				TEST_WITH(function, "(Madison)", MADISON), TEST_WITH(function, "(Montecito)", MONTECITO), \
				TEST_WITH(function, "(Montvale)", MONTVALE)

/* It comes up, with nothing on it. Skips the test where there is no PCL. */
void machine_begin(const struct chip *chip);
/* And goes: the driver did nothing that the manuals forbid. */
void machine_end(void);
/* For a program that another one, for which the machine is up, becomes by an exec: its file. */
int machine_file(void);
void machine_join(const struct chip *chip, int file);

void order(uint32_t what_to_do, uint32_t what, uint64_t n);
void order_at(uint32_t what_to_do, uint32_t what, uint64_t n, uint64_t address, uint64_t ip);
/* Data at @address, or a fetch, missed a TLB. */
void order_tlb_miss(bool data, unsigned int level, uint64_t address, uint64_t ip);
/* sum 4, rum 4 */
void set_up(bool up);
/* All PMDs as the program reads them; which of those that there are are not 0, as a mask */
uint64_t look(uint64_t pmds[IA64_ORDER_PMDS]);

/* An attr of a raw event that counts in user mode from the beginning. */
struct perf_event_attr raw(uint64_t config);
int open_raw(uint64_t config, int leader);
void must_be_refused(struct perf_event_attr attr, int leader, int error, enum pcl_reason reason);

#endif
