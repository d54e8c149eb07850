// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the event parser: text to attr, and text to error.
 *
 * Concepts: two tables, one of what is accepted with the attr it must give,
 * one of what is refused with the place and the hint. PMUs and tracepoints
 * come from a directory that test/run makes (PCL_SYSFS, PCL_TRACEFS).
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
#include "bad_texts.h"
#include "tap.h"

#define HW_CACHE(cache, op, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

enum { U = 1, K = 2, H = 4, PINNED = 8, EXCL = 16, GUEST_OFF = 32, HOST_OFF = 64, IDLE = 128 };

/* What one event text must become; the flags are what is excluded. */
static const struct {
	int line;
	const char *text;
	u32 type;
	u64 config, config1, config2;
	unsigned int flags;
	unsigned int precise;
} good[] = {
#define ROW(...) { __LINE__, __VA_ARGS__ }
	ROW("cycles", 0, 0),
	ROW("cpu-cycles", 0, 0),
	ROW("instructions", 0, 1),
	ROW("cache-references", 0, 2),
	ROW("cache-misses", 0, 3),
	ROW("branches", 0, 4),
	ROW("branch-instructions", 0, 4),
	ROW("branch-misses", 0, 5),
	ROW("bus-cycles", 0, 6),
	ROW("stalled-cycles-frontend", 0, 7),
	ROW("stalled-cycles-backend", 0, 8),
	ROW("ref-cycles", 0, 9),
	ROW("cpu-clock", 1, 0),
	ROW("task-clock", 1, 1),
	ROW("page-faults", 1, 2),
	ROW("faults", 1, 2),
	ROW("context-switches", 1, 3),
	ROW("cs", 1, 3),
	ROW("cpu-migrations", 1, 4),
	ROW("minor-faults", 1, 5),
	ROW("major-faults", 1, 6),
	ROW("alignment-faults", 1, 7),
	ROW("emulation-faults", 1, 8),
	ROW("dummy", 1, 9),
	ROW("bpf-output", 1, 10),
	ROW("cgroup-switches", 1, 11),
	ROW("L1-dcache-loads", 3, HW_CACHE(L1D, READ, ACCESS)),
	ROW("L1-dcache-load-misses", 3, HW_CACHE(L1D, READ, MISS)),
	ROW("l1d-stores", 3, HW_CACHE(L1D, WRITE, ACCESS)),
	ROW("L1-icache-load-misses", 3, HW_CACHE(L1I, READ, MISS)),
	ROW("LLC-store-misses", 3, HW_CACHE(LL, WRITE, MISS)),
	ROW("LLC-prefetches", 3, HW_CACHE(LL, PREFETCH, ACCESS)),
	ROW("dTLB-load-misses", 3, HW_CACHE(DTLB, READ, MISS)),
	ROW("iTLB-loads", 3, HW_CACHE(ITLB, READ, ACCESS)),
	ROW("branch-loads", 3, HW_CACHE(BPU, READ, ACCESS)),
	ROW("node-prefetch-misses", 3, HW_CACHE(NODE, PREFETCH, MISS)),
	ROW("r1a8", 4, 0x1a8),
	ROW("rFFFFffff12345678", 4, 0xffffffff12345678),
	ROW("cycles:u", 0, 0, 0, 0, K | H),
	ROW("cycles:k", 0, 0, 0, 0, U | H),
	ROW("cycles:uk", 0, 0, 0, 0, H),
	ROW("cycles:h", 0, 0, 0, 0, U | K),
	ROW("cycles:G", 0, 0, 0, 0, HOST_OFF),
	ROW("cycles:H", 0, 0, 0, 0, GUEST_OFF),
	ROW("cycles:GH", 0, 0),
	ROW("cycles:I", 0, 0, 0, 0, IDLE),
	ROW("cycles:D", 0, 0, 0, 0, PINNED),
	ROW("cycles:e", 0, 0, 0, 0, EXCL),
	ROW("instructions:upp", 0, 1, 0, 0, K | H, 2),
	ROW("instructions:ppp", 0, 1, 0, 0, 0, 3),
	ROW("r1a8:k", 4, 0x1a8, 0, 0, U | H),
	ROW("fake/event=0x3c/", 77, 0x3c),
	ROW("fake/event=0x3c,umask=1/u", 77, 0x13c, 0, 0, K | H),
	ROW("fake/event=0x3c,umask=1/:u", 77, 0x13c, 0, 0, K | H),
	ROW("fake/event=60/k", 77, 60, 0, 0, U | H),
	ROW("fake/edge/", 77, 1 << 18),
	ROW("fake/split=0xfff/", 77, 0xf000000ffull),
	ROW("fake/ldlat=0x1234/", 77, 0, 0x1234),
	ROW("fake/wide=0xffffffffffffffff/", 77, 0, 0, ~0ull),
	ROW("fake/config=0x12,config1=5/", 77, 0x12, 5),
	ROW("fake/loads/", 77, 0x81d0),
	ROW("fake/loads,edge/", 77, 0x481d0),
	ROW("mem-loads", 78, 0xcd),
	ROW("mem-loads:u", 78, 0xcd, 0, 0, K | H),
	ROW("sched:sched_switch", 2, 316),
	ROW("sched:sched_switch:k", 2, 316, 0, 0, U | H),
#undef ROW
};

static unsigned int attr_flags(const struct perf_event_attr *a)
{
	return (a->exclude_user ? U : 0) | (a->exclude_kernel ? K : 0) |
	       (a->exclude_hv ? H : 0) | (a->pinned ? PINNED : 0) | (a->exclusive ? EXCL : 0) |
	       (a->exclude_guest ? GUEST_OFF : 0) | (a->exclude_host ? HOST_OFF : 0) |
	       (a->exclude_idle ? IDLE : 0);
}

static void test_good(void)
{
	struct parse_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		struct event_list l = { 0 };
		const struct perf_event_attr *a;
		bool same = false;

		if (!events_parse(&l, good[i].text, &err) && l.nr == 1) {
			a = &l.v[0]->attr;
			same = a->type == good[i].type && a->config == good[i].config &&
			       a->config1 == good[i].config1 && a->config2 == good[i].config2 &&
			       attr_flags(a) == good[i].flags &&
			       a->precise_ip == good[i].precise &&
			       !strcmp(l.v[0]->name, good[i].text);
		}
		tap_ok(same, "line %d: %s", good[i].line, good[i].text);
		event_list_free(&l);
	}
}

static const struct bad_text bad[] = {
#define ROW(...) { __LINE__, __VA_ARGS__ }
	ROW("", 0, "missing"),
	ROW("cyclez", 0, "'cycles'"),
	ROW("instr", 0, "'instructions'"),
	ROW("pagefaults", 0, "'page-faults'"),
	ROW("L1-dcache-lods", 0, "'L1-dcache-loads'"),
	ROW("cycles,", 7, "missing"),
	ROW("cycles,,faults", 7, "missing"),
	ROW("cycles,bramches", 7, "'branches'"),
	ROW("cyclez:u", 0, "'cycles'"),
	ROW("completely-unheard-of-thing", 0, "pcl list"),
	ROW("cycles:", 7, "modifier"),
	ROW("cycles:z", 7, "'z'"),
	ROW("cycles:uz", 8, "'z'"),
	ROW("cycles:pppp", 10, "three"),
	ROW("{cycles,faults", 0, "not closed"),
	ROW("{cycles,{faults}}", 8, "group"),
	ROW("cycles}", 6, "comma"),
	ROW("{cycles}faults", 8, "comma"),
	ROW("{cycles,faults}:z", 16, "'z'"),
	ROW("nopmu/event=1/", 0, "no PMU 'nopmu'"),
	ROW("fake/event=0x3c", 4, "second slash"),
	ROW("fake/evnt=1/", 5, "'evnt'"),
	ROW("fake/evnt=1/", 5, "umask"),
	ROW("fake/evnt=1/", 5, "mean 'event'"),
	ROW("faek/event=1/", 0, "mean 'fake'"),
	ROW("fake/laods/", 5, "mean 'loads'"),
	ROW("{cycles,fake/umsk=1/}", 13, "mean 'umask'"),
	ROW("{cycles,faults},{cycles,instr}:u", 24, "'instructions'"),
	ROW("sched:sched_swich", 0, "mean 'sched:sched_switch'"),
	ROW("fake/event=0x100/", 5, "does not fit"),
	ROW("fake/event=1,umask=zz/", 13, "not a number"),
	ROW("fake/split=0x1000/", 5, "does not fit"),
	ROW("mem:zz", 4, "address"),
	ROW("mem:0x10/3", 9, "1, 2, 4 or 8"),
	ROW("mem:0x10:rq", 10, "r, w and x"),
	ROW("mem:0x10q", 8, "unexpected"),
	ROW("sched:nonesuch", 0, "no such tracepoint"),
	ROW("sched:none*", 0, "no tracepoint of 'sched' matches"),
	ROW("L1-icache-stores", 0, "unknown event"),
	ROW("iTLB-stores", 0, "unknown event"),
	ROW("rxyz", 0, "unknown event"),
	ROW("r11111111111111111", 0, "unknown event"),
	ROW("../etc/x=1/", 0, "no PMU"),
#undef ROW
};

static void test_groups(void)
{
	struct event_list l = { 0 };
	struct parse_error err;

	tap_ok(!events_parse(&l, "faults,{cycles,instructions:k,r1}:u,{branches}", &err) &&
	       l.nr == 5, "a list with groups parses");
	tap_ok(l.v[0]->leader == l.v[0] && l.v[0]->nr_members == 1, "a lone event leads itself");
	tap_ok(l.v[1]->leader == l.v[1] && l.v[1]->nr_members == 3 &&
	       l.v[2]->leader == l.v[1] && l.v[3]->leader == l.v[1], "the first of a group leads it");
	tap_ok(l.v[3]->attr.exclude_kernel && !l.v[3]->attr.exclude_user &&
	       !l.v[0]->attr.exclude_kernel, "a group's modifiers are for its members");
	tap_ok(l.v[4]->leader == l.v[4], "a group of one is alone");
	event_list_free(&l);
}

static void test_details(void)
{
	struct event_list l = { 0 };
	struct parse_error err;

	events_parse(&l, "mem:0x1000/8:rw:u,mem:0x2000:x,task-clock,fake/energy/,fake/event=1,name=mine/,fake/event=1,period=77/,cycles:P",
		     &err);
	tap_ok(l.nr == 7, "special forms parse");
	if (l.nr != 7)
		return;
	tap_ok(l.v[0]->attr.type == PERF_TYPE_BREAKPOINT && l.v[0]->attr.bp_addr == 0x1000 &&
	       l.v[0]->attr.bp_len == 8 && l.v[0]->attr.bp_type == 3 &&
	       l.v[0]->attr.exclude_kernel, "mem: address, length, access and modifiers");
	tap_ok(l.v[1]->attr.bp_type == 4 && l.v[1]->attr.bp_len == sizeof(long),
	       "mem: an execution breakpoint has the length of a long");
	tap_ok(l.v[2]->unit && !strcmp(l.v[2]->unit, "msec") && l.v[2]->scale == 1e-6,
	       "clocks are in milliseconds");
	tap_ok(l.v[3]->unit && !strcmp(l.v[3]->unit, "Joules") && l.v[3]->scale == 0.25 &&
	       l.v[3]->pmu_cpus.nr == 1 && l.v[3]->pmu_cpus.v[0] == 3,
	       "sysfs gives unit, scale and CPU");
	tap_ok(!strcmp(l.v[4]->name, "mine"), "name= names the event");
	tap_ok(l.v[5]->attr.sample_period == 77, "period= sets its period");
	tap_ok(l.v[6]->precise_max, "P asks for the greatest precision");
	event_list_free(&l);
}

static void test_patterns(void)
{
	struct event_list l = { 0 };
	struct parse_error err;

	tap_ok(!events_parse(&l, "faults,s*:sched_[sw]*:k,sched:sched_w?king", &err) && l.nr == 4,
	       "a pattern is an event for each tracepoint that matches");
	if (l.nr != 4)
		return;
	tap_ok(!strcmp(l.v[1]->name, "sched:sched_switch:k") && l.v[1]->attr.config == 316 &&
	       !strcmp(l.v[2]->name, "sched:sched_waking:k") && l.v[2]->attr.config == 317 &&
	       !strcmp(l.v[3]->name, "sched:sched_waking"), "each has its name");
	tap_ok(l.v[1]->attr.exclude_user && l.v[2]->attr.exclude_user && !l.v[3]->attr.exclude_user &&
	       l.v[2]->attr.type == PERF_TYPE_TRACEPOINT && l.v[2]->attr.sample_period == 1 &&
	       l.v[2]->leader == l.v[2], "and the modifiers of the pattern");
	event_list_free(&l);
	tap_ok(!events_parse(&l, "{sched:*,faults}", &err) && l.nr == 3 &&
	       l.v[0]->nr_members == 3 && l.v[2]->leader == l.v[0], "a pattern in a group");
	event_list_free(&l);
}

static void count_name(const struct event_name *n, void *arg)
{
	struct event_list l = { 0 };
	struct parse_error err;
	unsigned int *wrong = arg;

	if (events_parse(&l, n->name, &err) || l.v[0]->attr.type != n->type ||
	    l.v[0]->attr.config != n->config)
		++*wrong;
	if (n->alias) {
		event_list_free(&l);
		if (events_parse(&l, n->alias, &err) || l.v[0]->attr.config != n->config)
			++*wrong;
	}
	event_list_free(&l);
}

int main(void)
{
	unsigned int wrong = 0;

	test_good();
	test_bad_texts(bad, ARRAY_SIZE(bad));
	test_groups();
	test_details();
	test_patterns();
	event_names_walk(count_name, &wrong);
	tap_ok(!wrong, "every name of the tables, alias included, parses to its own row");
	return tap_end();
}
