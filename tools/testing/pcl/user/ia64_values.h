/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For ia64_test.c: what an event with its qualifiers makes of the registers of each chip, or why it is refused, as rows
 * that name their source. Such a source is
 *
 *	libpfm4 NAME	an event of its tables, a struct of its pfmlib_ia64_priv, or a function that encodes
 *	pfmon NAME	an option of pfmon, by whose value a field is set
 *
 * and tables/ia64/run looks up those of the first kind. Values are worked out from these by hand or by a script of its
 * own, and not by the driver. A row lists the registers that the event needs; all other control registers but those of
 * counters hold what they did after power-up.
 */
#ifndef PCL_USER_IA64_VALUES_H
#define PCL_USER_IA64_VALUES_H

struct value_row {
	const char *chip;
	struct perf_event_attr attr;
	struct register_value {
		enum { LIST_END, PMC_REG, PMD_REG, IBR_REG, DBR_REG } kind;
		u8 nr;
		u64 value;
		enum pcl_reason reason;		/* of the first: it is refused */
	} regs[9];
	const char *source;
};

#define PMC(nr_, value_)	{ .kind = PMC_REG, .nr = (nr_), .value = (value_) }
#define PMD(nr_, value_)	{ .kind = PMD_REG, .nr = (nr_), .value = (value_) }
#define IBR(nr_, value_)	{ .kind = IBR_REG, .nr = (nr_), .value = (value_) }
#define DBR(nr_, value_)	{ .kind = DBR_REG, .nr = (nr_), .value = (value_) }
#define REFUSED(reason_)	{ { .reason = PCL_REASON_##reason_ } }
#define UP			IA64_CONFIG_UP
#define B(kind)			PERF_SAMPLE_BRANCH_##kind

#include "ia64_values_merced.h"
#include "ia64_values_itanium2.h"
#include "ia64_values_montecito.h"

/* Each part of it is one of those above, with a name. */
static bool is_source(const char *source)
{
	static const char * const kinds[] = { "libpfm4 ", "pfmon " };
	unsigned int i;

	while (source) {
		for (i = 0; i < ARRAY_SIZE(kinds); i++) {
			if (!strncmp(source, kinds[i], strlen(kinds[i])) && isalpha(source[strlen(kinds[i])]))
				break;
		}
		if (i == ARRAY_SIZE(kinds))
			return false;
		source = strstr(source, "; ");
		if (source)
			source += 2;
	}
	return true;
}

/* What the register holds beside what the event wants: as after power-up */
static void check_the_rest(const struct value_row *row)
{
	unsigned int i, nr, listed;

	for (i = 0; i < ARRAY_SIZE(power_up); i++) {
		if (power_up[i].kind != model.chip->kind || power_up[i].first <= model.chip->last)
			continue;
		for (nr = power_up[i].first; nr <= power_up[i].last; nr++) {
			for (listed = 0; listed < ARRAY_SIZE(row->regs); listed++) {
				if (row->regs[listed].nr == nr && row->regs[listed].kind == PMC_REG)
					break;
			}
			if (listed < ARRAY_SIZE(row->regs))
				continue;
			if (model.pmc[nr] != power_up[i].reset)
				printf("# %s: %s: PMC%u is %llx\n", row->chip, row->source, nr,
				       (unsigned long long)model.pmc[nr]);
			CHECK_EQ(model.pmc[nr], power_up[i].reset);
		}
	}
}

static void check_value(const struct register_value *reg, const struct value_row *row)
{
	static const char * const names[] = { "", "PMC", "PMD", "IBR", "DBR" };
	u64 * const registers[] = { NULL, model.pmc, model.pmd, model.ibr, model.dbr };
	u64 value = registers[reg->kind][reg->nr];

	if (value != reg->value)
		printf("# %s: %s: config %llx: %s%u is %llx, not %llx\n", row->chip, row->source,
		       (unsigned long long)row->attr.config, names[reg->kind], reg->nr, (unsigned long long)value,
		       (unsigned long long)reg->value);
	CHECK_EQ(value, reg->value);
}

static void check_values(const struct value_row *row)
{
	struct perf_event *event;
	unsigned int i;
	int err;

	begin(chip_named(row->chip));
	event = make(&row->attr, NULL, true, &err);
	if (event->refused != row->regs[0].reason)
		printf("# %s: %s: config %llx: refused by %d\n", row->chip, row->source,
		       (unsigned long long)row->attr.config, event->refused);
	CHECK_EQ(event->refused, row->regs[0].reason);
	CHECK_EQ(!err, !row->regs[0].reason);
	if (err)
		return;
	add(event);
	for (i = 0; i < ARRAY_SIZE(row->regs) && row->regs[i].kind; i++)
		check_value(&row->regs[i], row);
	CHECK(i);
	check_the_rest(row);
	check_machine();
}

static unsigned int check_rows(const struct value_row *rows, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!rows[i].source || !is_source(rows[i].source))
			printf("# row %u of %s has no source\n", i, rows[0].chip);
		CHECK(rows[i].source && is_source(rows[i].source));
		check_values(&rows[i]);
	}
	return nr;
}

static void registers_hold_what_their_source_says(void)
{
	unsigned int nr;

	nr = check_rows(merced_values, ARRAY_SIZE(merced_values));
	nr += check_rows(itanium2_values, ARRAY_SIZE(itanium2_values));
	nr += check_rows(montecito_values, ARRAY_SIZE(montecito_values));
	CHECK(nr >= 250);
}

#endif
