// SPDX-License-Identifier: GPL-2.0
/*
 * The names of events that the perf_event ABI itself defines.
 *
 * Concepts: three tables (hardware, software, hw-cache); one function finds a
 * name, one walks them all for lists and spelling suggestions.
 * Contexts: any.
 * Locks: none.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

static const struct event_name hardware_names[] = {
	{ "cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
	  "cycles of the core, at the frequency that it runs at just then" },
	{ "instructions", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
	  "instructions retired; some processors count an interrupt, too" },
	{ "cache-references", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES,
	  "accesses to the last level of the caches; what counts as one differs between processors" },
	{ "cache-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,
	  "accesses that the last level of the caches could not serve" },
	{ "branches", "branch-instructions", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  "branch instructions retired" },
	{ "branch-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
	  "branches that were predicted wrongly" },
	{ "bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES,
	  "cycles of the bus, which may differ from those of the core" },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	  "cycles in which no instruction was there to be issued" },
	{ "stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	  "cycles in which instructions waited for units or data" },
	{ "ref-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES,
	  "cycles at a constant frequency, whatever that of the core" },
};

static const struct event_name software_names[] = {
	{ "task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,
	  "the time that the task ran" },
	{ "cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
	  "the time of the clock of the CPU, at the finest it has" },
	{ "page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
	  "accesses to memory that had no page then, minor and major" },
	{ "minor-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN,
	  "page faults that needed no input or output" },
	{ "major-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	  "page faults that had to read from a disk" },
	{ "context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
	  "switches from this task to another; they happen in the kernel" },
	{ "cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,
	  "how often the task went on on another CPU" },
	{ "alignment-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS,
	  "accesses to unaligned addresses that the kernel had to handle; never on x86" },
	{ "emulation-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS,
	  "instructions that the kernel had to emulate" },
	{ "dummy", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
	  "counts nothing; carries records of mappings, names, switches" },
	{ "bpf-output", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT,
	  "what BPF programs write into the ring" },
	{ "cgroup-switches", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES,
	  "switches to a task of another cgroup" },
};

/* hw-cache: config = cache | op << 8 | result << 16 (perf_event_open(2)). */
struct cache_part {
	const char *name;
	const char *alias;
	u64 bits;
	const char *what;
};

static const struct cache_part caches[] = {
	{ "L1-dcache", "l1d", PERF_COUNT_HW_CACHE_L1D, "first level cache of data" },
	{ "L1-icache", "l1i", PERF_COUNT_HW_CACHE_L1I, "first level cache of instructions" },
	{ "LLC", "L2", PERF_COUNT_HW_CACHE_LL, "last level of the caches" },
	{ "dTLB", "d-tlb", PERF_COUNT_HW_CACHE_DTLB, "cache of translated addresses, for data" },
	{ "iTLB", "i-tlb", PERF_COUNT_HW_CACHE_ITLB, "cache of translated addresses, for instructions" },
	{ "branch", "bpu", PERF_COUNT_HW_CACHE_BPU, "branch prediction unit" },
	{ "node", NULL, PERF_COUNT_HW_CACHE_NODE, "memory of the NUMA node" },
};

#define OP(o, r)	((u64)PERF_COUNT_HW_CACHE_OP_##o << 8 | \
			 (u64)PERF_COUNT_HW_CACHE_RESULT_##r << 16)

static const struct cache_part cache_ops[] = {
	{ "loads", "read-access", OP(READ, ACCESS), "reads" },
	{ "load-misses", "read-misses", OP(READ, MISS), "reads that missed" },
	{ "stores", "write-access", OP(WRITE, ACCESS), "writes" },
	{ "store-misses", "write-misses", OP(WRITE, MISS), "writes that missed" },
	{ "prefetches", "prefetch-access", OP(PREFETCH, ACCESS), "prefetches" },
	{ "prefetch-misses", NULL, OP(PREFETCH, MISS), "prefetches that missed" },
};

/* L1-icache, iTLB, branch: what cannot be written is never an event. */
static bool cache_op_makes_sense(u64 cache, u64 op)
{
	u64 kind = op >> 8 & 0xff;

	if (cache == PERF_COUNT_HW_CACHE_L1I)
		return kind != PERF_COUNT_HW_CACHE_OP_WRITE;
	if (cache == PERF_COUNT_HW_CACHE_ITLB || cache == PERF_COUNT_HW_CACHE_BPU)
		return kind == PERF_COUNT_HW_CACHE_OP_READ;
	return true;
}

/* The length of the part's name that text starts with (then '-' or end). */
static size_t part_match(const struct cache_part *p, const char *text)
{
	const char *names[] = { p->name, p->alias };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		size_t n = names[i] ? strlen(names[i]) : 0;

		if (n && !strncasecmp(text, names[i], n) && (!text[n] || text[n] == '-'))
			return n;
	}
	return 0;
}

static bool cache_name_find(const char *text, u32 *type, u64 *config)
{
	unsigned int i, j;
	size_t n;

	for (i = 0; i < ARRAY_SIZE(caches); i++) {
		n = part_match(&caches[i], text);
		if (!n || !text[n])
			continue;
		for (j = 0; j < ARRAY_SIZE(cache_ops); j++) {
			const char *op = text + n + 1;
			size_t m = part_match(&cache_ops[j], op);

			if (!m || op[m])
				continue;
			if (!cache_op_makes_sense(caches[i].bits, cache_ops[j].bits))
				return false;
			*type = PERF_TYPE_HW_CACHE;
			*config = caches[i].bits | cache_ops[j].bits;
			return true;
		}
	}
	return false;
}

static const struct event_name *table_find(const struct event_name *t, size_t nr,
					   const char *text)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(t[i].name, text) || (t[i].alias && !strcmp(t[i].alias, text)))
			return &t[i];
	return NULL;
}

/* Does the ABI define an event of this name? */
bool event_name_find(const char *text, u32 *type, u64 *config)
{
	const struct event_name *n;

	n = table_find(hardware_names, ARRAY_SIZE(hardware_names), text);
	if (!n)
		n = table_find(software_names, ARRAY_SIZE(software_names), text);
	if (!n)
		return cache_name_find(text, type, config);
	*type = n->type;
	*config = n->config;
	return true;
}

/* Call fn for each name that the ABI defines, in the order of the tables. */
void event_names_walk(void (*fn)(const struct event_name *n, void *arg), void *arg)
{
	struct event_name n = { .type = PERF_TYPE_HW_CACHE };
	char name[64], what[128];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(hardware_names); i++)
		fn(&hardware_names[i], arg);
	for (i = 0; i < ARRAY_SIZE(software_names); i++)
		fn(&software_names[i], arg);
	for (i = 0; i < ARRAY_SIZE(caches); i++)
		for (j = 0; j < ARRAY_SIZE(cache_ops); j++) {
			if (!cache_op_makes_sense(caches[i].bits, cache_ops[j].bits))
				continue;
			snprintf(name, sizeof(name), "%s-%s", caches[i].name,
				 cache_ops[j].name);
			snprintf(what, sizeof(what), "%s: %s", caches[i].what, cache_ops[j].what);
			n.name = name;
			n.what = what;
			n.config = caches[i].bits | cache_ops[j].bits;
			fn(&n, arg);
		}
}

/* The plain name of a hw-cache access, for texts like "of all LLC loads". */
void cache_access_name(u64 config, char *buf, size_t size)
{
	u64 op = config & 0xff00;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(caches); i++)
		for (j = 0; j < ARRAY_SIZE(cache_ops); j++)
			if (caches[i].bits == (config & 0xff) && cache_ops[j].bits == op) {
				snprintf(buf, size, "%s %s", caches[i].name,
					 cache_ops[j].name);
				return;
			}
	snprintf(buf, size, "accesses");
}

/* Events that happen in the kernel only: narrowed to user space they are 0. */
bool event_kernel_only(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE &&
	       (e->attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		e->attr.config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		e->attr.config == PERF_COUNT_SW_CGROUP_SWITCHES);
}
