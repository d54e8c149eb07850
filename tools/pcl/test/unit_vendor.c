// SPDX-License-Identifier: GPL-2.0
/*
 * Vendor names: text to exact encoding, and what is refused where. unit.sh makes
 * libpfm4 believe in a Skylake (LIBPFM_FORCE_PMU=skl), so that any machine will do.
 * "unit_vendor there" only tells, by its status, whether that is possible here.
 */
#include <string.h>

#include "internal.h"
#include "bad_texts.h"
#include "tap.h"

#define U 1
#define K 2

static const struct {
	int line;
	const char *text;
	u64 config;
	u64 config1;
	unsigned int excluded;
	unsigned int precise;
} good[] = {
#define ROW(...) { __LINE__, __VA_ARGS__ }
	ROW("INST_RETIRED:ANY_P", 0xc0),
	ROW("inst_retired.any_p", 0xc0),
	ROW("skl::INST_RETIRED:ANY_P", 0xc0),
	ROW("INST_RETIRED:ANY_P:u", 0xc0, 0, K),
	ROW("INST_RETIRED:ANY_P:k", 0xc0, 0, U),
	ROW("inst_retired.any_p:upp", 0xc0, 0, K, 2),
	ROW("INST_RETIRED:ANY_P:c=2:i", 0x028000c0),
	ROW("INST_RETIRED:ANY_P:cmask=2:inv", 0x028000c0),
	ROW("inst_retired.any_p,cmask=2,inv", 0x028000c0),
	ROW("inst_retired.any_p,usr,cmask=2", 0x020000c0, 0, K),
	ROW("inst_retired.any_p,os", 0xc0, 0, U),
	ROW("INST_RETIRED:ANY_P:edge:cmask=1", 0x010400c0),
	ROW("L2_RQSTS:MISS", 0x3f24),
	ROW("MEM_LOAD_RETIRED:L1_HIT:u", 0x1d1, 0, K),
	ROW("OFFCORE_RESPONSE_0:DMND_DATA_RD", 0x1b7, 0x10001),
	ROW("snb::L2_LINES_IN:I", 0x1f1),
	ROW("cpu/INST_RETIRED.ANY_P/", 0xc0),
	ROW("cpu/inst_retired.any_p,cmask=2/", 0x020000c0),
	ROW("cpu/inst_retired.any_p,inv/u", 0x008000c0, 0, K),
#undef ROW
};

static void test_good(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		struct event_list l = { 0 };
		struct parse_error err;
		bool same = !events_parse(&l, good[i].text, &err) && l.nr == 1;

		if (same) {
			const struct perf_event_attr *a = &l.v[0]->attr;

			same = a->type == PERF_TYPE_RAW && a->config == good[i].config &&
			       a->config1 == good[i].config1 && a->precise_ip == good[i].precise &&
			       a->exclude_user == !!(good[i].excluded & U) &&
			       a->exclude_kernel == !!(good[i].excluded & K) &&
			       !strcmp(l.v[0]->name, good[i].text);
		}
		if (!tap_ok(same, "line %d: %s", good[i].line, good[i].text))
			printf("# %s; config %#llx, name %s\n", err.text,
			       l.nr ? (unsigned long long)l.v[0]->attr.config : 0,
			       l.nr ? l.v[0]->name : "");
		event_list_free(&l);
	}
}

static const struct bad_text bad[] = {
#define ROW(...) { __LINE__, __VA_ARGS__ }
	ROW("INST_RETIRED:NONESUCH", 13, "no mask or qualifier"),
	ROW("INST_RETIRED:NONESUCH", 13, "ANY_P"),
	ROW("INST_RETIRED:ANY_P:cmask=999", 19, "does not fit"),
	ROW("inst_retired.any_p,cmask=999", 19, "does not fit"),
	ROW("L2_RQSTS:MISS:DEMAND_DATA_RD_HIT", 14, "does not go with"),
	ROW("INST_RETIRED:ANY_P:cmask=2:cmask=3", 27, "given twice"),
	ROW("L2_RQSTS:MISS,edge", 14, "needs cmask"),
	ROW("MEM_LOAD_RETIRED", 0, "needs a mask"),
	ROW("faults,INST_RETIRED:NONESUCH", 20, "no mask"),
	ROW("{faults,L2_RQSTS:MISS:REFERENCES}", 22, "does not go with"),
	ROW("INST_RETIERD:ANY_P", 0, "INST_RETIRED"),
	ROW("inst_retierd", 0, "INST_RETIRED"),
	ROW("faults,cmask=2", 7, "unknown event"),
	ROW("cpu/L2_RQSTS.MISS.DEMAND_DATA_RD_HIT/", 4, "does not go with"),
#undef ROW
};

static void test_lists(void)
{
	struct event_list l = { 0 };
	struct parse_error err;

	tap_ok(!events_parse(&l, "faults,inst_retired.any_p,cmask=2,usr,cycles,{L2_RQSTS:MISS,edge,cmask=1,faults}:u", &err) &&
	       l.nr == 5, "qualifiers behind commas are no events: %u, %s", l.nr, err.text);
	if (l.nr == 5) {
		tap_ok(!strcmp(l.v[1]->name, "inst_retired.any_p,cmask=2,usr") && l.v[1]->attr.exclude_kernel,
		       "they belong to the name before them");
		tap_ok(l.v[3]->leader == l.v[3] && l.v[4]->leader == l.v[3] && l.v[4]->attr.exclude_kernel &&
		       l.v[3]->attr.config == 0x1043f24, "in groups, too");
	}
	event_list_free(&l);
}

struct walked {
	unsigned int nr, wrong;
};

static void parse_walked(const char *name, const char *what, void *arg)
{
	struct walked *w = arg;
	struct event_list l = { 0 };
	struct parse_error err;

	w->nr++;
	if (events_parse(&l, name, &err) || l.nr != 1 || l.v[0]->attr.type != PERF_TYPE_RAW || !*what) {
		if (!w->wrong++)
			printf("# %s: %s\n", name, err.text);
	}
	event_list_free(&l);
}

int main(int argc, char **argv)
{
	struct walked w = { 0 };

	if (argc > 1 && !strcmp(argv[1], "there"))
		return !vendor_name_known("INST_RETIRED");
	test_good();
	test_bad_texts(bad, ARRAY_SIZE(bad));
	test_lists();
	vendor_names_walk(parse_walked, &w);
	tap_ok(w.nr > 300 && !w.wrong, "every name that is listed parses (%u, %u not)", w.nr, w.wrong);
	return tap_end();
}
