// SPDX-License-Identifier: GPL-2.0
/*
 * What a sample may hold, and which other records there are: each bit is opened.
 *
 * Concepts: two tables, one of the bits of sample_type and one of the flags
 * that ask for records. A row names the bit and, where a bit alone is not
 * enough, what must be set with it. The event is the one that pcl record
 * samples by default.
 * Contexts: doctor, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__powerpc__)
#include <asm/perf_regs.h>
#endif

#include "doctor/doctor.h"

/* Instruction and stack pointer, by the architecture's numbers; any register else. */
#if defined(__x86_64__) || defined(__i386__)
#define SOME_REGS	(1ull << PERF_REG_X86_IP | 1ull << PERF_REG_X86_SP)
#elif defined(__aarch64__)
#define SOME_REGS	(1ull << PERF_REG_ARM64_PC | 1ull << PERF_REG_ARM64_SP)
#else
#define SOME_REGS	1ull
#endif

static void with_regs_user(struct perf_event_attr *a)
{
	a->sample_regs_user = SOME_REGS;
}

static void with_regs_intr(struct perf_event_attr *a)
{
	a->sample_regs_intr = SOME_REGS;
}

static void with_stack(struct perf_event_attr *a)
{
	with_regs_user(a);
	a->sample_type |= PERF_SAMPLE_REGS_USER;
	a->sample_stack_user = 8192;
}

static void with_branches(struct perf_event_attr *a)
{
	/* only the hardware has one: without a PMU, that is the reason to hear */
	a->type = PERF_TYPE_HARDWARE;
	a->config = PERF_COUNT_HW_CPU_CYCLES;
	a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
}

static void with_aux(struct perf_event_attr *a)
{
	a->aux_sample_size = 4096;
}

static const struct sample_bit {
	const char *name;
	u64 bit;
	const char *what;
	void (*with)(struct perf_event_attr *a);
} sample_bits[] = {
#define BIT(name, what, with)	{ #name, PERF_SAMPLE_##name, what, with }
	BIT(IP, "where", NULL),
	BIT(TID, "which task", NULL),
	BIT(TIME, "when", NULL),
	BIT(ADDR, "the address of the data", NULL),
	BIT(READ, "the counts of the group", NULL),
	BIT(CALLCHAIN, "call chain by frame pointers", NULL),
	BIT(ID, "which event", NULL),
	BIT(CPU, "which CPU", NULL),
	BIT(PERIOD, "how many events it stands for", NULL),
	BIT(STREAM_ID, "which descriptor", NULL),
	BIT(RAW, "data of the event", NULL),
	BIT(BRANCH_STACK, "the last branches (LBR)", with_branches),
	BIT(REGS_USER, "registers of user space", with_regs_user),
	BIT(STACK_USER, "a copy of the user's stack, for dwarf call chains", with_stack),
	BIT(WEIGHT, "latency", NULL),
	BIT(DATA_SRC, "where the data came from", NULL),
	BIT(IDENTIFIER, "which event, at a fixed place", NULL),
	BIT(TRANSACTION, "why a transaction aborted", NULL),
	BIT(REGS_INTR, "registers at the interrupt", with_regs_intr),
	BIT(PHYS_ADDR, "the physical address of the data", NULL),
	BIT(AUX, "a piece of a hardware trace", with_aux),
	BIT(CGROUP, "which cgroup", NULL),
	BIT(DATA_PAGE_SIZE, "size of the data's page", NULL),
	BIT(CODE_PAGE_SIZE, "size of the code's page", NULL),
	BIT(WEIGHT_STRUCT, "latencies by stage", NULL),
#undef BIT
};

/* A PMU that writes a trace of its own; its type, or 0. */
static void see_tracing_pmu(const char *pmu, void *arg)
{
	static const char *const tracing[] = { "intel_pt", "cs_etm", "arm_spe_0", "intel_bts" };
	u32 *type = arg;
	size_t i;

	for (i = 0; !*type && i < ARRAY_SIZE(tracing); i++)
		if (!strcmp(pmu, tracing[i]))
			pmu_type(pmu, type);
}

/* AUX needs a leader that traces. */
static int tracing_leader(void)
{
	struct trial t = TRIAL_SELF;
	struct perf_event_attr attr;
	u32 type = 0;

	pmus_walk(see_tracing_pmu, &type);
	if (!type)
		return -1;
	attr = attr_user(type, 0);
	return trial_open(&attr, &t);
}

static void try_bit(struct findings *l, const struct perf_event_attr *base, const struct sample_bit *b)
{
	struct perf_event_attr attr = *base;
	struct trial t = TRIAL_SELF;
	struct finding *f;

	attr.sample_type |= b->bit;
	if (b->with)
		b->with(&attr);
	if (b->bit == PERF_SAMPLE_AUX)
		t.group_fd = tracing_leader();
	f = finding_try(l, b->name, &attr, &t);
	finding_detail(f, "%s", b->what);
	/* pcl record asks for these, whatever its options */
	f->needed = b->bit & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER);
	if (t.group_fd >= 0)
		close(t.group_fd);
}

/* How near a sample is to its instruction: the greatest degree that opens. */
static void try_precise(struct findings *l, const struct perf_event_attr *base)
{
	struct perf_event_attr attr = *base;
	struct trial t = TRIAL_SELF;
	unsigned int degree;
	struct finding *f;
	int fd = -1;

	for (degree = 3; degree; degree--) {
		attr.precise_ip = degree & 3;
		fd = trial_open(&attr, &t);
		if (fd >= 0)
			break;
	}
	if (fd >= 0) {
		close(fd);
		f = finding_add(l, "precise", WORKS);
		finding_detail(f, "to degree %u (%.*s)", degree, (int)degree, "ppp");
		return;
	}
	attr.precise_ip = 1;
	finding_try(l, "precise", &attr, &t);
}

void try_samples(struct findings *l)
{
	struct perf_event_attr base = attr_sampling();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sample_bits); i++)
		try_bit(l, &base, &sample_bits[i]);
	if (base.type == PERF_TYPE_HARDWARE)
		try_precise(l, &base);
}

#define FLAG(field, ...)								\
static void set_##field(struct perf_event_attr *a)				\
{										\
	a->field = 1;								\
	__VA_ARGS__;								\
}
FLAG(mmap2, a->mmap = 1)
FLAG(comm_exec, a->comm = 1)
FLAG(task)
FLAG(context_switch)
FLAG(namespaces)
FLAG(ksymbol)
FLAG(bpf_event)
FLAG(cgroup)
FLAG(text_poke)
FLAG(build_id, a->mmap = a->mmap2 = 1)
FLAG(use_clockid, a->clockid = CLOCK_MONOTONIC)
FLAG(write_backward)
FLAG(sigtrap, a->remove_on_exec = 1)
FLAG(inherit_thread, a->inherit = 1)
FLAG(sample_id_all)
#undef FLAG

static const struct record_flag {
	const char *name;
	const char *what;
	bool needed;
	void (*set)(struct perf_event_attr *a);
} record_flags[] = {
	{ "mappings", "MMAP2 records", true, set_mmap2 },
	{ "names", "COMM records", true, set_comm_exec },
	{ "forks and exits", "FORK and EXIT records", true, set_task },
	{ "ids in records", "sample_id_all", true, set_sample_id_all },
	{ "switches", "SWITCH records: time off the CPU, without tracepoints", false, set_context_switch },
	{ "build ids", "in MMAP2 records", false, set_build_id },
	{ "kernel symbols", "KSYMBOL records", false, set_ksymbol },
	{ "BPF programs", "BPF_EVENT records", false, set_bpf_event },
	{ "namespaces", "NAMESPACES records", false, set_namespaces },
	{ "cgroup names", "CGROUP records", false, set_cgroup },
	{ "changed kernel code", "TEXT_POKE records", false, set_text_poke },
	{ "clocks", "CLOCK_MONOTONIC as the time of records", false, set_use_clockid },
	{ "backward rings", "write_backward: the newest records are kept", false, set_write_backward },
	{ "sigtrap", "a signal at each sample", false, set_sigtrap },
	{ "threads only", "inherit_thread: threads are counted with a task, children are not", false, set_inherit_thread },
};

void try_records(struct findings *l)
{
	struct perf_event_attr base = attr_sampling(), attr;
	struct trial t = TRIAL_SELF;
	struct finding *f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(record_flags); i++) {
		attr = base;
		record_flags[i].set(&attr);
		f = finding_try(l, record_flags[i].name, &attr, &t);
		finding_detail(f, "%s", record_flags[i].what);
		f->needed = record_flags[i].needed;
	}
}
