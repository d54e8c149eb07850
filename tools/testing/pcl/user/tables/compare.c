// SPDX-License-Identifier: GPL-2.0
/*
 * Every code of every family, ours and stock's: prints each difference in a line, and what was compared.
 *
 * Counters are asked for all 65,536 codes of event and unit mask, plain, with a threshold, and in transactions; extra
 * registers for all codes; cache events by unit, operation and result. Lines of codes that follow one another with the
 * same difference are joined.
 */
#include "../../../../../arch/x86/events/family.h"
#include "stock.h"

/* A family, and the tables that stock gives its processors; NULL: none */
static const struct {
	const struct x86_family *family;
	const char *constraints, *extra, *cache, *cache_extra;
	unsigned int general, fixed;		/* numbers of counters */
} families[] = {
#define CACHES(ids, extra)	.cache = #ids "_hw_cache_event_ids", .cache_extra = extra
#define FAMILY(ours, rows, extra_, general_, fixed_, ...) \
	{ .family = &x86_##ours, .constraints = "intel_" #rows "_event_constraints", .extra = extra_, \
	  .general = general_, .fixed = fixed_, ##__VA_ARGS__ }
	FAMILY(intel_v1, v1, NULL, 2, 0),
	FAMILY(intel_arch, gen, NULL, 4, 3),
	FAMILY(intel_arch_v5, v5_gen, NULL, 8, 16),
	FAMILY(core, core, NULL, 2, 0),
	FAMILY(core2, core2, NULL, 2, 3, CACHES(core2, NULL)),
	FAMILY(nehalem, nehalem, "intel_nehalem_extra_regs", 4, 3, CACHES(nehalem, "nehalem_hw_cache_extra_regs")),
	FAMILY(westmere, westmere, "intel_westmere_extra_regs", 4, 3, CACHES(westmere, "nehalem_hw_cache_extra_regs")),
	FAMILY(sandybridge, snb, "intel_snb_extra_regs", 8, 3, CACHES(snb, "snb_hw_cache_extra_regs")),
	FAMILY(sandybridge_x, snb, "intel_snbep_extra_regs", 8, 3, CACHES(snb, "snb_hw_cache_extra_regs")),
	FAMILY(ivybridge, ivb, "intel_snb_extra_regs", 8, 3, CACHES(snb, "snb_hw_cache_extra_regs")),
	FAMILY(ivybridge_x, ivb, "intel_snbep_extra_regs", 8, 3, CACHES(snb, "snb_hw_cache_extra_regs")),
	FAMILY(haswell, hsw, "intel_snbep_extra_regs", 8, 3, CACHES(hsw, "hsw_hw_cache_extra_regs")),
	FAMILY(broadwell, bdw, "intel_snbep_extra_regs", 8, 3, CACHES(hsw, "hsw_hw_cache_extra_regs")),
	FAMILY(skylake, skl, "intel_skl_extra_regs", 8, 3, CACHES(skl, "skl_hw_cache_extra_regs")),
	FAMILY(icelake, icl, "intel_icl_extra_regs", 8, 4, CACHES(skl, "skl_hw_cache_extra_regs")),
	FAMILY(sapphirerapids, spr, "intel_spr_extra_regs", 8, 4, CACHES(spr, "spr_hw_cache_extra_regs")),
	FAMILY(bonnell, gen, NULL, 2, 3, CACHES(atom, NULL)),
	FAMILY(silvermont, slm, "intel_slm_extra_regs", 2, 3, CACHES(slm, "slm_hw_cache_extra_regs")),
	FAMILY(knights, slm, "intel_knl_extra_regs", 2, 3, CACHES(slm, "knl_hw_cache_extra_regs")),
	FAMILY(goldmont, slm, "intel_glm_extra_regs", 4, 3, CACHES(glm, "glm_hw_cache_extra_regs")),
	FAMILY(goldmont_plus, slm, "intel_glm_extra_regs", 4, 3, CACHES(glp, "glp_hw_cache_extra_regs")),
	FAMILY(tremont, slm, "intel_tnt_extra_regs", 4, 3, CACHES(glp, "tnt_hw_cache_extra_regs")),
	FAMILY(gracemont, slm, "intel_grt_extra_regs", 6, 3, CACHES(glp, "tnt_hw_cache_extra_regs")),
	{ .family = &x86_k7, CACHES(amd, NULL) },
	{ .family = &x86_fam15h, CACHES(amd, NULL) },
	{ .family = &x86_fam16h, CACHES(amd, NULL) },
	{ .family = &x86_zen, .cache = "amd_hw_cache_event_ids_f17h" },
};

static unsigned int compared;

/* A run of codes with one difference */
static struct {
	char what[64];
	u64 first, last, stock, ours;
} run;

static void run_end(void)
{
	if (run.what[0])
		printf("%s %" PRIx64 "-%" PRIx64 ": stock %" PRIx64 ", ours %" PRIx64 "\n", run.what, run.first, run.last,
		       run.stock, run.ours);
	run.what[0] = '\0';
}

static void compare(const char *family, const char *what, u64 code, u64 stock, u64 ours)
{
	char name[sizeof(run.what)];

	compared++;
	if (stock == ours)
		return;
	snprintf(name, sizeof(name), "%s %s", family, what);
	if (strcmp(name, run.what) || code != run.last + 1 || stock != run.stock || ours != run.ours) {
		run_end();
		strcpy(run.what, name);
		run.first = code;
		run.stock = stock;
		run.ours = ours;
	}
	run.last = code;
}

static const struct {
	const char *name;
	u64 bits;
} variants[] = {
	{ "counters", 0 }, { "counters-with-threshold", 1 << 24 }, { "counters-with-edge", X86_SEL_EDGE },
	{ "counters-in-transactions", X86_SEL_IN_TX },
};

static void compare_counters(unsigned int i)
{
	struct x86_shape shape = { .general = (1ULL << families[i].general) - 1,
				   .fixed = ((1ULL << families[i].fixed) - 1) << X86_FIXED_FIRST };
	unsigned int v;
	u64 code;

	for (v = 0; v < ARRAY_SIZE(variants); v++) {
		for (code = 0; code <= X86_SEL_CODE; code++) {
			u64 select = code | variants[v].bits;

			compare(families[i].family->name, variants[v].name, code,
				stock_counters(families[i].constraints, select, shape.general, shape.fixed),
				x86_family_counters(families[i].family, &shape, select));
		}
		run_end();
	}
}

static void compare_extra(unsigned int i)
{
	const char *name = families[i].family->name;
	const struct x86_extra *ours;
	u64 code, valid;
	u32 msr;

	for (code = 0; code <= X86_SEL_CODE; code++) {
		valid = stock_extra(families[i].extra, code, &msr);
		ours = x86_family_extra(families[i].family, code);
		compare(name, "extra-register", code, msr, ours ? ours->msr : 0);
		compare(name, "extra-bits", code, valid, ours ? ours->valid : 0);
	}
	run_end();
}

static void compare_cache(unsigned int i, unsigned int unit, unsigned int op)
{
	const struct x86_cache *row = x86_family_cache(families[i].family, unit, op);
	const char *name = families[i].family->name;
	u64 codes[2] = { row ? row->access : X86_ABSENT, row ? row->miss : X86_ABSENT };
	u64 extras[2] = { row ? row->access_extra : 0, row ? row->miss_extra : 0 };
	unsigned int result;

	for (result = 0; result < 2; result++) {
		u64 stock = stock_cache(families[i].cache, unit, op, result);
		u64 stock_extra = families[i].cache_extra ? stock_cache(families[i].cache_extra, unit, op, result) : 0;

		/* Stock's codes for these events are 64 bits wide, and its word for "senseless" is -1. A second value
		 * without a code, or of an event that has no use for it, is not looked at.
		 */
		if (stock == (u64)-1)
			stock = X86_SENSELESS;
		if (!stock || stock == X86_SENSELESS)
			stock_extra = 0;
		compare(name, "cache", unit << 16 | op << 8 | result, stock, codes[result]);
		compare(name, "cache-extra", unit << 16 | op << 8 | result, stock_extra, extras[result]);
		run_end();
	}
}

static void compare_generic(const char *name, const char *table, const struct x86_generic *vendor)
{
	unsigned int id;

	for (id = 0; id < PERF_COUNT_HW_MAX; id++) {
		const struct x86_generic *row = vendor;

		while (row->id != PERF_COUNT_HW_MAX && row->id != id)
			row++;
		compare(name, "generic", id, stock_generic(table, id), row->id == id ? row->code : 0);
	}
	run_end();
}

int main(void)
{
	unsigned int i, unit, op;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].constraints)
			compare_counters(i);
		if (families[i].extra)
			compare_extra(i);
		for (unit = 0; families[i].cache && unit < PERF_COUNT_HW_CACHE_MAX; unit++) {
			for (op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
				compare_cache(i, unit, op);
		}
	}
	compare_generic("intel", "intel_perfmon_event_map", x86_intel_generic);
	compare_generic("amd", "amd_perfmon_event_map", x86_amd_generic);
	compare_generic("zen", "amd_f17h_perfmon_event_map", x86_zen_generic);
	fprintf(stderr, "%u\n", compared);
	return 0;
}
