// SPDX-License-Identifier: GPL-2.0
/*
 * The x86 families' tables, walked from end to end; and rows that say which counters an event has, from the manuals.
 */
#include "../../../../arch/x86/events/family.h"
#include "harness.h"

/* A family with the counters its smallest members have. */
struct machine {
	const struct x86_family *family;
	const struct x86_generic *vendor;
	struct x86_shape shape;
};

#define INTEL(family_, nr_general, nr_fixed) \
	{ .family = &(family_), .vendor = x86_intel_generic, \
	  .shape = { .general = (1ULL << (nr_general)) - 1, .fixed = ((1ULL << (nr_fixed)) - 1) << X86_FIXED_FIRST } }
#define AMD(family_, vendor_, nr) \
	{ .family = &(family_), .vendor = vendor_, .shape = { .general = (1ULL << (nr)) - 1 } }

static const struct machine machines[] = {
	INTEL(x86_intel_v1, 2, 0), INTEL(x86_intel_arch, 2, 3), INTEL(x86_intel_arch_v5, 4, 4), INTEL(x86_core, 2, 0),
	INTEL(x86_core2, 2, 3), INTEL(x86_nehalem, 4, 3), INTEL(x86_westmere, 4, 3), INTEL(x86_sandybridge, 4, 3),
	INTEL(x86_sandybridge_x, 4, 3), INTEL(x86_ivybridge_x, 4, 3),
	INTEL(x86_ivybridge, 4, 3), INTEL(x86_haswell, 4, 3), INTEL(x86_broadwell, 4, 3), INTEL(x86_skylake, 4, 3),
	INTEL(x86_icelake, 8, 4), INTEL(x86_sapphirerapids, 8, 4), INTEL(x86_bonnell, 2, 3), INTEL(x86_silvermont, 2, 3),
	INTEL(x86_goldmont, 4, 3), INTEL(x86_goldmont_plus, 4, 3), INTEL(x86_tremont, 4, 3), INTEL(x86_gracemont, 6, 3),
	INTEL(x86_knights, 2, 3),
	AMD(x86_k7, x86_amd_generic, 4), AMD(x86_fam15h, x86_amd_generic, 6), AMD(x86_fam16h, x86_amd_generic, 6),
	AMD(x86_zen, x86_zen_generic, 6),
};

#define each_machine(m) for ((m) = machines; (m) < machines + ARRAY_SIZE(machines); (m)++)

static u64 counters(const struct machine *m, u64 select)
{
	return x86_family_counters(m->family, &m->shape, select);
}

static void every_generic_event_has_a_counter(void)
{
	const struct machine *m;
	unsigned int id, there;

	each_machine(m) {
		there = 0;
		for (id = 0; id < PERF_COUNT_HW_MAX; id++) {
			u64 code = x86_family_generic(m->family, m->vendor, id);

			there += code != 0;
			/* Without fixed counters there is no reference clock. */
			if (code && !(code == 0x0300 && !m->shape.fixed))
				CHECK(counters(m, code));
		}
		CHECK(there >= 8);
		CHECK(x86_family_generic(m->family, m->vendor, PERF_COUNT_HW_INSTRUCTIONS) == 0x00c0);
	}
}

/*
 * SDM volume 3, performance monitoring events of each: cycles without UOPS_ISSUED.ANY, and without UOPS_EXECUTED (all
 * ports, Nehalem) or UOPS_DISPATCHED.THREAD (Sandy Bridge): inverted, with a threshold of one. Stock's codes are alike.
 */
static void cycles_that_stall_are_those_of_few_families(void)
{
	static const struct { const struct x86_family *family; u64 front, back; } rows[] = {
		{ &x86_nehalem, 0x180010e, 0x1803fb1 }, { &x86_westmere, 0x180010e, 0x1803fb1 },
		{ &x86_sandybridge, 0x180010e, 0x18001b1 }, { &x86_sandybridge_x, 0x180010e, 0x18001b1 },
		{ &x86_ivybridge, 0x180010e, 0 }, { &x86_ivybridge_x, 0x180010e, 0 },
	};
	const struct machine *m;
	unsigned int i;

	each_machine(m) {
		u64 front = 0, back = 0;

		if (m->vendor != x86_intel_generic)
			continue;
		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			if (rows[i].family == m->family) {
				front = rows[i].front;
				back = rows[i].back;
			}
		}
		CHECK_EQ(x86_family_generic(m->family, m->vendor, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND), front);
		CHECK_EQ(x86_family_generic(m->family, m->vendor, PERF_COUNT_HW_STALLED_CYCLES_BACKEND), back);
	}
}

static bool code_is_fine(const struct machine *m, u32 code)
{
	if (code == X86_ABSENT || code == X86_SENSELESS || counters(m, code))
		return true;
	/* The northbridge of family 15h is another PMU's; opened here, its events are refused as on stock. */
	if (m->family == &x86_fam15h && (code & 0xe0) == 0xe0)
		return true;
	printf("# %s: %x has no counter\n", m->family->name, code);
	return false;
}

static void every_cache_event_has_a_counter(void)
{
	const struct machine *m;
	const struct x86_cache *row;
	unsigned int rows = 0, bad = 0;

	each_machine(m) {
		for (row = m->family->cache; row && row->unit != PERF_COUNT_HW_CACHE_MAX; row++) {
			CHECK(row->unit < PERF_COUNT_HW_CACHE_MAX && row->op < PERF_COUNT_HW_CACHE_OP_MAX);
			CHECK(x86_family_cache(m->family, row->unit, row->op) == row);	/* none twice */
			CHECK(row->access || row->miss);
			rows++;
			if (!code_is_fine(m, row->access) || !code_is_fine(m, row->miss))
				bad++;
		}
	}
	CHECK(rows > 200 && !bad);
}

/*
 * Misses of the last level and of the node, on a register that has not got all of a server's bits: such an event is
 * refused (X86_EXTRA_BITS), as it is by stock.
 */
static bool register_is_smaller(const struct machine *m, const struct x86_cache *row)
{
	return m->family == &x86_sandybridge || m->family == &x86_ivybridge ||
	       (m->family == &x86_knights && row->op != PERF_COUNT_HW_CACHE_OP_READ);
}

static void extra_values_fit_their_registers(void)
{
	const struct machine *m;
	const struct x86_cache *row;
	unsigned int bad = 0;

	each_machine(m) {
		for (row = m->family->cache; row && row->unit != PERF_COUNT_HW_CACHE_MAX; row++) {
			const struct x86_extra *extra = x86_family_extra(m->family, row->access ? row->access : row->miss);

			if (row->access == X86_SENSELESS || row->miss == X86_SENSELESS)
				continue;
			CHECK(!!extra == (row->access_extra || row->miss_extra));
			if (!extra)
				continue;
			if (!!((row->access_extra | row->miss_extra) & ~extra->valid) != register_is_smaller(m, row)) {
				printf("# %s: unit %u op %u\n", m->family->name, row->unit, row->op);
				bad++;
			}
		}
	}
	CHECK(!bad);
}

/* SDM volume 3B, "Off-core Response Performance Monitoring": MSR_OFFCORE_RSP_x */
static void offcore_registers_have_their_bits(void)
{
	static const struct {
		const struct x86_family *family;
		u64 valid;
	} masks[] = {
		{ &x86_nehalem, 0xffff }, { &x86_westmere, 0xffff },
		{ &x86_sandybridge, 0x3f807f8fffULL }, { &x86_sandybridge_x, 0x3fffff8fffULL },
		{ &x86_ivybridge, 0x3f807f8fffULL }, { &x86_ivybridge_x, 0x3fffff8fffULL },
		{ &x86_haswell, 0x3fffff8fffULL }, { &x86_broadwell, 0x3fffff8fffULL },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(masks); i++)
		CHECK_EQ(x86_family_extra(masks[i].family, 0x01b7)->valid, masks[i].valid);
}

static void knights_count_their_second_level(void)
{
	const struct x86_cache *row;

	row = x86_family_cache(&x86_knights, PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_READ);
	CHECK(row && row->access == 0x01b7 && row->miss == X86_ABSENT);
	row = x86_family_cache(&x86_knights, PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_WRITE);
	CHECK(row && row->access == 0x01b7 && row->miss == 0x01b7);
	row = x86_family_cache(&x86_knights, PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_PREFETCH);
	CHECK(row && row->access == 0x01b7 && row->miss == 0x01b7);
}

static void every_constraint_can_be_reached(void)
{
	const struct machine *m;
	const struct x86_constraint *row;

	each_machine(m) {
		for (row = m->family->constraints; row && row->mask; row++) {
			u64 code;
			bool reached = false;

			CHECK(row->code <= row->last);
			CHECK(!(row->code & ~row->mask) && !(row->last & ~row->mask));
			/* Some event is the first to match here: no row lies wholly behind others. */
			for (code = row->code; code <= row->last; code++) {
				struct x86_constraint alone[2] = { *row };
				struct x86_family only = { .constraints = alone };
				u64 umask, select;

				for (umask = 0; umask < 0x100; umask++) {
					select = (row->mask & X86_SEL_UMASK) == X86_SEL_UMASK ? code :
						 code | umask << 8;
					if (x86_family_counters(m->family, &m->shape, select) ==
					    x86_family_counters(&only, &m->shape, select))
						reached = true;
				}
				if (row->mask & X86_SEL_AMD_EVENT_HIGH)
					break;
			}
			CHECK(reached);
		}
	}
}

static void aliases_have_names_and_texts(void)
{
	const struct machine *m;
	const struct x86_alias *a, *b;

	each_machine(m) {
		for (a = m->family->aliases; a && a->name; a++) {
			CHECK(a->text && a->text[0]);
			for (b = m->family->aliases; b < a; b++)
				CHECK(strcmp(a->name, b->name));
		}
		CHECK(m->family->name && m->family->title);
	}
}

/* From the manuals, event by event. */
static const struct {
	int line;
	const struct x86_family *family;
	u64 select;
	u64 want;
} rows[] = {
	{ __LINE__, &x86_nehalem, 0x00c0, 0xf | X86_FIXED(0) },
	{ __LINE__, &x86_nehalem, 0x00c0 | X86_SEL_INV | 1 << 24, 0xf },	/* fixed counters have no threshold */
	{ __LINE__, &x86_nehalem, 0x00c0 | X86_SEL_EDGE, 0xf },
	{ __LINE__, &x86_nehalem, 0x00c0 | X86_SEL_ANY, 0xf | X86_FIXED(0) },
	{ __LINE__, &x86_nehalem, 0x0300, X86_FIXED(2) },			/* reference cycles: nowhere else */
	{ __LINE__, &x86_nehalem, 0x0151, 0x3 },
	{ __LINE__, &x86_nehalem, 0x0f40, 0x3 },
	{ __LINE__, &x86_nehalem, 0x0144, 0xf },
	{ __LINE__, &x86_core2, 0x0012, 0x2 },
	{ __LINE__, &x86_core2, 0x0014, 0x1 },
	{ __LINE__, &x86_core2, 0x00cb, 0x1 },
	{ __LINE__, &x86_sandybridge, 0x02a3, 0x4 },
	{ __LINE__, &x86_sandybridge, 0x01a3, 0xf },
	{ __LINE__, &x86_sandybridge, 0x01cd, 0x8 },
	{ __LINE__, &x86_haswell, 0x003c | X86_SEL_IN_TX_CP, 0x4 },
	{ __LINE__, &x86_haswell, 0x01c0, 0x2 },
	{ __LINE__, &x86_haswell, 0x01c0 | X86_SEL_IN_TX_CP, 0x0 },		/* counter 1 and counter 2 */
	{ __LINE__, &x86_broadwell, 0x0ca3, 0x4 },				/* contains unit mask bit 3 */
	{ __LINE__, &x86_broadwell, 0x04a3, 0xf },
	{ __LINE__, &x86_icelake, 0x04a3, 0xff },
	{ __LINE__, &x86_icelake, 0x01a3, 0xf },
	{ __LINE__, &x86_icelake, 0x0400, X86_FIXED(3) },
	{ __LINE__, &x86_icelake, 0x00c4, 0xff },
	{ __LINE__, &x86_sapphirerapids, 0x08a4, 0x1 },
	{ __LINE__, &x86_sapphirerapids, 0x412e, 0xff },
	{ __LINE__, &x86_sapphirerapids, 0x0185, 0xf },
	{ __LINE__, &x86_fam15h, 0x0000, 0x38 },
	{ __LINE__, &x86_fam15h, 0x1100, 0x08 },
	{ __LINE__, &x86_fam15h, 0x0304, 0x08 },
	{ __LINE__, &x86_fam15h, 0x0104, 0x38 },
	{ __LINE__, &x86_fam15h, 0x002e, 0x09 },
	{ __LINE__, &x86_fam15h, 0x0131, 0x07 },
	{ __LINE__, &x86_fam15h, 0x0331, 0 },
	{ __LINE__, &x86_fam15h, 0x00c0, 0x3f },
	{ __LINE__, &x86_fam15h, 0x1000000c0ULL, 0x38 },			/* 1c0 */
	{ __LINE__, &x86_fam15h, 0x100000088ULL, 0x01 },			/* 188 */
	{ __LINE__, &x86_fam15h, 0x00e0, 0 },
	{ __LINE__, &x86_zen, 0x00c0, 0x3f },
};

static void counters_as_in_the_manuals(void)
{
	unsigned int i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct machine *m;

		each_machine(m) {
			if (m->family != rows[i].family || counters(m, rows[i].select) == rows[i].want)
				continue;
			printf("# line %d: %" PRIx64 "\n", rows[i].line, counters(m, rows[i].select));
			bad++;
		}
	}
	CHECK(!bad);
}

static void periods_are_made_long_enough(void)
{
	CHECK(x86_family_period(&x86_nehalem, 0x00c0, 1) == 32);
	CHECK(x86_family_period(&x86_nehalem, 0x00c0, 1000) == 1000);
	CHECK(x86_family_period(&x86_haswell, 0x01c0, 100) == 128);
	CHECK(x86_family_period(&x86_haswell, 0x01c0, 200) == 200);
	CHECK(x86_family_period(&x86_broadwell, 0x01c0, 200) == 192);
	CHECK(x86_family_period(&x86_broadwell, 0x00c0, 1) == 1);
	CHECK(x86_family_period(&x86_zen, 0x00c0, 1) == 1);
}

CASES(CASE(every_generic_event_has_a_counter), CASE(cycles_that_stall_are_those_of_few_families),
      CASE(every_cache_event_has_a_counter),
      CASE(extra_values_fit_their_registers), CASE(offcore_registers_have_their_bits),
      CASE(knights_count_their_second_level), CASE(every_constraint_can_be_reached), CASE(aliases_have_names_and_texts),
      CASE(counters_as_in_the_manuals), CASE(periods_are_made_long_enough))
