// SPDX-License-Identifier: GPL-2.0
/*
 * Every event of the three IA-64 tables of libpfm4, and what ours say of its number and unit mask: prints each
 * difference in a line, and how much was compared. Those that program an event address register are no events of our
 * tables, but modes and unit masks of it: libpfm4 marks them by a type beside the number.
 */
#include <inttypes.h>

#include "../../../../../../arch/ia64/events/family.h"

/* A row as libpfm4's tables are written; its private headers say what the bits mean. */
struct row {
	const char *name;
	struct { unsigned long v; } code;
	unsigned long counters;
	unsigned int incr;
	struct { unsigned long v; } qualifiers;
	const char *text;
};

#define pme_ita_entry_t		struct row
#define pme_ita2_entry_t	struct row
#define pme_mont_entry_t	struct row
#define PME_ITA_EVENT_COUNT	(sizeof(itanium_pe) / sizeof(itanium_pe[0]))
#define PME_ITA2_EVENT_COUNT	(sizeof(itanium2_pe) / sizeof(itanium2_pe[0]))
#define PME_MONT_EVENT_COUNT	(sizeof(montecito_pe) / sizeof(montecito_pe[0]))
#pragma GCC diagnostic ignored "-Wunused-macros"
#include "itanium_events.h"
#include "itanium2_events.h"
#include "montecito_events.h"

enum kind { ITANIUM, ITANIUM2, MONTECITO };

static unsigned int compared;

static bool is_of_counters(enum kind kind, unsigned long code)
{
	unsigned int type = code >> 8 & 0xff;

	return kind == ITANIUM ? !(type & 1) : (type & 7) < 2;
}

/* IA64_IAR, IA64_OPM, IA64_DAR, IA64_MESI */
static unsigned int has_of(enum kind kind, unsigned long qualifiers)
{
	return (qualifiers & 7) | (kind == MONTECITO && (qualifiers & 0x10) ? IA64_MESI : 0);
}

static unsigned int group_of(enum kind kind, unsigned long qualifiers)
{
	unsigned int group = kind == MONTECITO ? qualifiers >> 16 & 7 : qualifiers >> 16 & 15;

	return kind == ITANIUM || group > 2 ? 0 : group;
}

static unsigned int set_of(enum kind kind, unsigned long qualifiers)
{
	return kind == MONTECITO ? qualifiers >> 19 & 15 : qualifiers >> 20 & 15;
}

static void say(const struct ia64_family *family, const struct row *row, const char *what, unsigned long theirs,
		unsigned long ours)
{
	compared++;
	if (theirs != ours)
		printf("%s %s %s: libpfm4 %lx, ours %lx\n", family->name, row->name, what, theirs, ours);
}

static void compare(const struct ia64_family *family, enum kind kind, const struct row *rows, unsigned int nr)
{
	static bool known[256][16];
	const struct ia64_event *ours;
	unsigned int i, umask;

	memset(known, 0, sizeof(known));
	for (i = 0; i < nr; i++) {
		const struct row *row = &rows[i];
		unsigned long code = row->code.v, q = row->qualifiers.v;

		if (!is_of_counters(kind, code))
			continue;
		known[code & 0xff][code >> 16 & 15] = true;
		ours = ia64_family_event(family, (code & 0xff) << 8 | (code & 0xf0000));
		say(family, row, "known", 1, ours != NULL);
		if (!ours)
			continue;
		say(family, row, "counters", row->counters, ours->counters);
		say(family, row, "increments", row->incr, ours->incr);
		say(family, row, "restrictions", has_of(kind, q), ours->has);
		say(family, row, "group", group_of(kind, q), ours->group);
		say(family, row, "set", group_of(kind, q) ? set_of(kind, q) : 0, ours->set);
	}
	for (ours = family->events; ours->counters; ours++) {
		for (umask = 0; umask < 16; umask++) {
			if ((ours->umasks >> umask & 1) && !known[ours->code][umask])
				printf("%s ours alone: %x %x\n", family->name, ours->code, umask);
		}
	}
}

/* ---- event address registers ---- */

/* Which register and mode a row programs; -1: none */
static int ear_of(enum kind kind, unsigned long code, unsigned int *mode)
{
	unsigned int type = code >> 8 & 0xff;

	if (is_of_counters(kind, code))
		return -1;
	if (kind == ITANIUM) {		/* ear, dear, tlb */
		*mode = type & 4 ? IA64_EAR_TLB : IA64_EAR_CACHE;
		return type & 2 ? IA64_DEAR : IA64_IEAR;
	}
	switch (type & 7) {
	case 2:
	case 4:
		*mode = IA64_EAR_TLB;
		break;
	case 6:
		*mode = IA64_EAR_ALAT;
		break;
	default:
		*mode = IA64_EAR_CACHE;
	}
	return (type & 7) >= 4 ? IA64_DEAR : IA64_IEAR;
}

static void compare_ears(const struct ia64_family *family, enum kind kind, const struct row *rows, unsigned int nr)
{
	static bool known[IA64_EARS][IA64_EAR_MODES][256];
	unsigned int i, mode, n;
	int ear;

	memset(known, 0, sizeof(known));
	for (i = 0; i < nr; i++) {
		unsigned int umask = rows[i].code.v >> 16 & (kind == ITANIUM ? 0xf : 0xff);
		const struct ia64_ear_mode *ours;

		ear = ear_of(kind, rows[i].code.v, &mode);
		if (ear < 0)
			continue;
		known[ear][mode][umask] = true;
		ours = &family->ears[ear].mode[mode];
		say(family, &rows[i], "register", rows[i].code.v & 0xff, family->ears[ear].code);
		say(family, &rows[i], "unit mask", 1, ours->nr && memchr(ours->umasks, umask, ours->nr));
	}
	for (ear = 0; ear < IA64_EARS; ear++) {
		for (mode = 0; mode < IA64_EAR_MODES; mode++) {
			for (n = 0; n < family->ears[ear].mode[mode].nr; n++) {
				unsigned int umask = family->ears[ear].mode[mode].umasks[n];

				if (!known[ear][mode][umask])
					printf("%s ours alone: register %x mode %u unit mask %x\n", family->name,
					       family->ears[ear].code, mode, umask);
			}
		}
	}
}

static void compare_all(const struct ia64_family *family, enum kind kind, const struct row *rows, unsigned int nr)
{
	compare(family, kind, rows, nr);
	compare_ears(family, kind, rows, nr);
}

int main(void)
{
	compare_all(&ia64_merced, ITANIUM, itanium_pe, PME_ITA_EVENT_COUNT);
	compare_all(&ia64_mckinley, ITANIUM2, itanium2_pe, PME_ITA2_EVENT_COUNT);
	compare_all(&ia64_madison, ITANIUM2, itanium2_pe, PME_ITA2_EVENT_COUNT);
	compare_all(&ia64_montecito, MONTECITO, montecito_pe, PME_MONT_EVENT_COUNT);
	compare_all(&ia64_montvale, MONTECITO, montecito_pe, PME_MONT_EVENT_COUNT);
	fprintf(stderr, "%u\n", compared);
	return 0;
}
