// SPDX-License-Identifier: GPL-2.0
/*
 * Every event of libpfm4's SPARC tables and of the list of Solaris's, and every generic and cache event and register that
 * stock has, against ours: prints each difference in a line, and how much was compared.
 *
 * Usage: compare SOLARIS	the list
 */
#include <ctype.h>
#include <inttypes.h>

#include "../../../../../../arch/sparc/events/family.h"
#include "stock.h"

/* A row as libpfm4's tables are written; its private header says what the members mean. */
struct mask {
	const char *uname, *udesc;
	int ubit;
};

struct row {
	const char *name, *desc;
	char ctrl, none;
	int code, numasks;
	struct mask umasks[8];
};

#define sparc_entry_t	struct row
#define PME_CTRL_S0	1	/* PIC0 */
#define PME_CTRL_S1	2	/* PIC1 */
#pragma GCC diagnostic ignored "-Wunused-macros"
#include "sparc_ultra12_events.h"
#include "sparc_ultra3_events.h"
#include "sparc_ultra3plus_events.h"
#include "sparc_ultra3i_events.h"
#include "sparc_ultra4plus_events.h"
#include "sparc_niagara1_events.h"
#include "sparc_niagara2_events.h"

#define ROWS(table)	table, ARRAY_SIZE(table)

static unsigned int compared;

/*
 * ---- libpfm4: codes and names ------------------------------------------------------------------------------------
 */

/* Names are the same but for case and underscores. */
static bool is_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == '_')
			a++;
		while (*b == '_')
			b++;
		if (tolower(*a) != tolower(*b))
			return false;
		if (!*a)
			return true;
	}
}

static bool seen[0x1000][SPARC_PICS];

static void compare_code(const struct sparc_family *family, const struct row *row, unsigned int code, unsigned int idx,
			 const char *mask)
{
	const struct sparc_event *ours = sparc_family_event(family, code, BIT(idx));

	compared++;
	seen[code][idx] = true;
	if (!ours)
		printf("%s %s%s: libpfm4 has it as %x of PIC%u, ours nothing\n", family->name, row->name, mask, code, idx);
	else if (!is_name(ours->name, row->name))
		printf("%s %s: libpfm4 calls %x of PIC%u so, ours %s\n", family->name, row->name, code, idx, ours->name);
}

/* Each bit of what a code can have as a mask, or the code without one */
static void compare_row(const struct sparc_family *family, const struct row *row, unsigned int idx)
{
	char mask[32];
	int i;

	if (!row->numasks)
		compare_code(family, row, row->code << (family->layout->pic[0].field > 0xff ? 8 : 0), idx, "");
	for (i = 0; i < row->numasks; i++) {
		snprintf(mask, sizeof(mask), ":%s", row->umasks[i].uname);
		compare_code(family, row, row->code << 8 | 1 << row->umasks[i].ubit, idx, mask);
	}
}

static void compare_ours(const struct sparc_family *family, const struct sparc_event *ours, unsigned int idx)
{
	unsigned int bit;

	if (!ours->umask && !seen[ours->code][idx])
		printf("%s %s: %x of PIC%u is ours alone\n", family->name, ours->name, ours->code, idx);
	for (bit = 0; bit < 8; bit++) {
		if ((ours->umask >> bit & 1) && !seen[ours->code | 1 << bit][idx])
			printf("%s %s: %x of PIC%u is ours alone\n", family->name, ours->name, ours->code | 1 << bit, idx);
	}
}

static void compare_events(const struct sparc_family *family, const struct row *rows, unsigned int nr)
{
	const struct sparc_event *ours;
	unsigned int i, idx;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < nr; i++) {
		for (idx = 0; idx < 2; idx++) {
			if (rows[i].ctrl & (idx ? PME_CTRL_S1 : PME_CTRL_S0))
				compare_row(family, &rows[i], idx);
		}
	}
	for (i = 0; i < SPARC_EVENT_TABLES && family->events[i]; i++) {
		for (ours = family->events[i]; ours->counters; ours++) {
			for (idx = 0; idx < 2; idx++) {
				if (ours->counters & BIT(idx))
					compare_ours(family, ours, idx);
			}
		}
	}
}

/*
 * ---- generic and cache events by name ------------------------------------------------------------------------------
 */

static const char * const generics[] = { "cycles", "instructions", "cache-references", "cache-misses", "branches",
	"branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles" };

#define WHAT_SIZE	64

static void put_cache(char what[WHAT_SIZE], unsigned int unit, unsigned int op, bool miss)
{
	static const char * const units[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
	static const char * const ops[] = { "read", "write", "prefetch" };

	snprintf(what, WHAT_SIZE, "%s %s %s", units[unit], ops[op], miss ? "miss" : "access");
}

/*
 * ---- Solaris: codes, masks and names of T3 and T4 ------------------------------------------------------------------
 */

static char solaris_names[0x1000][48];
static unsigned int solaris_masks[0x1000];

/* What generic and cache events must be of Solaris's */
static const struct {
	const char *chip, *what, *name;
} called[] = {
	{ "niagara3", "instructions", "Instr_cnt" },
	{ "niagara3", "cache-references", "Instr_ld" },
	{ "niagara3", "cache-misses", "DC_miss" },
	{ "niagara3", "branches", "Br_completed" },
	{ "niagara3", "branch-misses", "Br_taken" },
	{ "niagara3", "L1D read access", "Instr_ld" },
	{ "niagara3", "L1D read miss", "DC_miss" },
	{ "niagara3", "L1D write access", "Instr_st" },
	{ "niagara3", "L1I read miss", "IC_miss" },
	{ "niagara3", "LL read access", "CPU_ld_to_PCX" },
	{ "niagara3", "LL read miss", "L2_dmiss_ld" },
	{ "niagara3", "LL write access", "CPU_st_to_PCX" },
	{ "niagara3", "DTLB read miss", "DTLB_miss" },
	{ "niagara3", "ITLB read miss", "ITLB_miss" },
	{ "niagara4", "cycles", "Cycles_user" },
	{ "niagara4", "instructions", "Instr_all" },
	{ "niagara4", "cache-references", "Instr_ld" },
	{ "niagara4", "cache-misses", "DC_miss_nospec" },
	{ "niagara4", "branches", "Branches" },
	{ "niagara4", "branch-misses", "Br_mispred" },
	{ "niagara4", "L1D read access", "Instr_ld" },
	{ "niagara4", "L1D read miss", "DC_miss_nospec" },
	{ "niagara4", "L1D write access", "Instr_st" },
	{ "niagara4", "L1I read miss", "IC_miss" },
	{ "niagara4", "DTLB read miss", "DTLB_miss_asynch" },
	{ "niagara4", "ITLB read miss", "ITLB_miss_asynch" },
};

static bool read_solaris(const char *path, const char *chip)
{
	char line[256], name[48], whose[16];
	FILE *list = fopen(path, "r");
	unsigned int code, mask, nr;

	memset(solaris_names, 0, sizeof(solaris_names));
	memset(solaris_masks, 0, sizeof(solaris_masks));
	while (list && fgets(line, sizeof(line), list)) {
		nr = sscanf(line, "%15s %x %47s %x", whose, &code, name, &mask);
		if (line[0] == '#' || strcmp(whose, chip))
			continue;
		if (nr == 4)
			solaris_masks[code & 0xfff] = mask;
		else
			memcpy(solaris_names[code & 0xfff], name, sizeof(name));
	}
	return list && !fclose(list);
}

/* A row: its mask, and a name for the code or for each bit that the mask has */
static void compare_row_solaris(const struct sparc_family *family, const struct sparc_event *ours)
{
	unsigned int bit;

	compared++;
	if (!ours->umask && !solaris_names[ours->code][0])
		printf("%s %s: %x is ours alone\n", family->name, ours->name, ours->code);
	if (ours->umask && ours->umask != solaris_masks[ours->code])
		printf("%s %s: Solaris's mask of %x is %x, ours %x\n", family->name, ours->name, ours->code,
		       solaris_masks[ours->code], ours->umask);
	for (bit = 1; bit <= ours->umask; bit <<= 1) {
		if ((ours->umask & bit) && !solaris_names[ours->code | bit][0])
			printf("%s %s: Solaris has no name for %x\n", family->name, ours->name, ours->code | bit);
	}
}

static void compare_called(const struct sparc_family *family, const char *what, struct sparc_code ours)
{
	const char *name = "nothing";
	unsigned int i;

	if (!ours.counters)
		return;
	for (i = 0; i < ARRAY_SIZE(called); i++) {
		if (!strcmp(called[i].chip, family->name) && !strcmp(called[i].what, what))
			name = called[i].name;
	}
	compared++;
	if (strcmp(name, solaris_names[ours.code]))
		printf("%s %s: %x is Solaris's %s, and should be %s\n", family->name, what, ours.code,
		       solaris_names[ours.code], name);
}

static void compare_solaris(const struct sparc_family *family, const char *path)
{
	const struct sparc_generic *generic;
	const struct sparc_cache *cache;
	const struct sparc_event *ours;
	char what[WHAT_SIZE];
	unsigned int i;

	if (!read_solaris(path, family->name))
		printf("%s: no list of Solaris's events\n", family->name);
	for (i = 0; i < ARRAY_SIZE(solaris_names); i++) {
		if (!solaris_names[i][0])
			continue;
		compared++;
		if (!sparc_family_event(family, i, sparc_layout_all(family->layout)))
			printf("%s %s: Solaris has it as %x, ours nothing\n", family->name, solaris_names[i], i);
	}
	for (i = 0; i < SPARC_EVENT_TABLES && family->events[i]; i++) {
		for (ours = family->events[i]; ours->counters; ours++)
			compare_row_solaris(family, ours);
	}
	for (generic = family->generic; generic->id != PERF_COUNT_HW_MAX; generic++)
		compare_called(family, generics[generic->id], generic->code);
	for (cache = family->cache; cache->unit != PERF_COUNT_HW_CACHE_MAX; cache++) {
		put_cache(what, cache->unit, cache->op, false);
		compare_called(family, what, cache->access);
		put_cache(what, cache->unit, cache->op, true);
		compare_called(family, what, cache->miss);
	}
}

/*
 * ---- stock: generic and cache events, registers ------------------------------------------------------------------
 */

static void put(char *text, size_t size, unsigned int code, unsigned int counters)
{
	snprintf(text, size, counters ? "%x on %x" : "none", code, counters);
}

static void say(const struct sparc_family *family, const char *what, struct stock_code stock, struct sparc_code ours)
{
	char theirs[32], mine[32];

	put(theirs, sizeof(theirs), stock.code, stock.counters);
	put(mine, sizeof(mine), ours.code, ours.counters);
	compared++;
	if (strcmp(theirs, mine))
		printf("%s %s: stock %s, ours %s\n", family->name, what, theirs, mine);
}

static void compare_caches(const struct sparc_family *family, const char *chip)
{
	unsigned int unit, op, miss;
	char what[WHAT_SIZE];

	for (unit = 0; unit < PERF_COUNT_HW_CACHE_MAX; unit++) {
		for (op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++) {
			for (miss = 0; miss < 2; miss++) {
				struct stock_code stock = stock_cache(chip, unit, op, miss);

				put_cache(what, unit, op, miss);
				if ((stock.none == 's') != sparc_cache_is_senseless(unit, op))
					printf("%s %s: senseless to one of them\n", family->name, what);
				say(family, what, stock, sparc_family_cache(family, unit, op, miss));
			}
		}
	}
}

static void same(const struct sparc_family *family, const char *what, u64 stock, u64 ours)
{
	compared++;
	if (stock != ours)
		printf("%s %s: stock %llx, ours %llx\n", family->name, what, (unsigned long long)stock,
		       (unsigned long long)ours);
}

static void compare_layout(const struct sparc_family *family, const char *chip)
{
	const struct sparc_layout *ours = family->layout;
	struct stock_layout stock = stock_layout(chip);
	unsigned int idx;
	u64 traps = 0;

	same(family, "counters", stock.pics, ours->pics);
	same(family, "control registers", stock.pcrs, ours->pcrs);
	same(family, "user", stock.user, ours->user);
	same(family, "system", stock.system, ours->system);
	same(family, "hypervisor", stock.hypervisor, ours->hypervisor);
	for (idx = 0; idx < ours->pics; idx++) {
		unsigned int half = sparc_layout_shared(ours) ? idx : 0;

		same(family, idx ? "PIC1 field" : "PIC0 field", stock.field, ours->pic[idx].field);
		same(family, idx ? "PIC1 shift" : "PIC0 shift", stock.shift[half], ours->pic[idx].shift);
		same(family, idx ? "PIC1 nop" : "PIC0 nop", stock.nop[half], ours->pic[idx].nop);
		traps |= ours->pic[idx].trap;
	}
	same(family, "interrupts", stock.interrupts, traps);
}

static void compare_stock(const struct sparc_family *family, const char *chip)
{
	unsigned int id;

	for (id = 0; id < PERF_COUNT_HW_MAX; id++)
		say(family, generics[id], stock_generic(chip, id), sparc_family_generic(family, id));
	compare_caches(family, chip);
	compare_layout(family, chip);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	compare_events(&sparc_ultra12, ROWS(ultra12_pe));
	compare_events(&sparc_ultra3, ROWS(ultra3_pe));
	compare_events(&sparc_ultra3plus, ROWS(ultra3plus_pe));
	compare_events(&sparc_ultra3i, ROWS(ultra3i_pe));
	compare_events(&sparc_ultra4plus, ROWS(ultra4plus_pe));
	compare_events(&sparc_niagara, ROWS(niagara1_pe));
	compare_events(&sparc_niagara2, ROWS(niagara2_pe));
	compare_solaris(&sparc_niagara3, argv[1]);
	compare_solaris(&sparc_niagara4, argv[1]);
	compare_stock(&sparc_ultra3, "ultra3");
	compare_stock(&sparc_ultra3plus, "ultra3");
	compare_stock(&sparc_ultra3i, "ultra3");
	compare_stock(&sparc_ultra4plus, "ultra3");
	compare_stock(&sparc_niagara, "niagara1");
	compare_stock(&sparc_niagara2, "niagara2");
	compare_stock(&sparc_niagara3, "niagara2");
	compare_stock(&sparc_niagara4, "niagara4");
	fprintf(stderr, "%u\n", compared);
	return 0;
}
