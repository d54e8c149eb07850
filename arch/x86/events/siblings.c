// SPDX-License-Identifier: GPL-2.0
/*
 * Events that disturb the hyper-thread beside (Intel Sandy Bridge, Ivy Bridge and Haswell).
 *
 * Concepts: errata BJ122, BV98 and HSD29: while a thread counts one of the events 0xd0 to 0xd3 (MEM_UOPS_RETIRED,
 * MEM_LOAD_UOPS_*) on general counter n, counter n of the core's other thread may be wrong, whatever it counts. So such
 * an event has its counter for itself: the other thread leaves its own counter of that number free. Each thread claims
 * counters in a word that both share, all at once, when its events find their places and when one is gone. A claim is a
 * compare and exchange: no thread waits for the other; who comes second looks for another place.
 *
 * So that neither thread can take all counters from the other, each may use half of them while such events are there.
 *
 * Contexts: on the owning CPU with IRQs off, its PMU paused or held; joining when a CPU starts.
 *
 * Locks: none.
 */
#include <linux/topology.h>

#include "driver.h"

/* Sixteen bits for each thread: general counters that it uses, and above those, which of them for itself alone */
#define ALONE_SHIFT	8
#define THREAD_SHIFT	16
#define COUNTERS_MASK	0xffu
#define THREAD_MASK	0xffffu

struct x86_core {
	unsigned int claims;	/* [A] */
	bool both;		/* the second thread has come */
};

/* Each CPU's core, and which of its two threads this is; the object lies with the first that joined it. */
static DEFINE_PER_CPU(struct x86_core, x86_own_core);
static DEFINE_PER_CPU(struct x86_core *, x86_core_of);
static DEFINE_PER_CPU(unsigned int, x86_thread);

static bool disturbs(const struct perf_event *event)
{
	u64 number = event->hw.config & X86_SEL_EVENT;

	return number >= 0xd0 && number <= 0xd3;
}

static unsigned int thread_claims(unsigned int claims, unsigned int thread)
{
	return claims >> THREAD_SHIFT * thread & THREAD_MASK;
}

static unsigned int other_claims(unsigned int claims)
{
	return thread_claims(claims, !this_cpu_read(x86_thread));
}

/* Do what a thread wants and what the other has go together? */
static bool claims_agree(unsigned int mine, unsigned int other)
{
	return !((mine & COUNTERS_MASK) & (other >> ALONE_SHIFT)) && !((mine >> ALONE_SHIFT) & (other & COUNTERS_MASK));
}

/* What the first @nr events of the list claim, on their places. */
static unsigned int list_claims(const struct x86_cpu_pmu *cpu, const int *place, unsigned int nr)
{
	unsigned int claims = 0, i;

	for (i = 0; i < nr; i++) {
		u64 counter = BIT_ULL(place[i]) & COUNTERS_MASK;

		claims |= counter;
		if (disturbs(cpu->list[i]))
			claims |= counter << ALONE_SHIFT;
	}
	return claims;
}

/* Counters that the other thread keeps from @event. */
u64 x86_siblings_closed(const struct perf_event *event)
{
	struct x86_core *core = this_cpu_read(x86_core_of);
	unsigned int other;

	if (!core)
		return 0;
	other = other_claims(READ_ONCE(core->claims));
	return disturbs(event) ? (other | other >> ALONE_SHIFT) & COUNTERS_MASK : other >> ALONE_SHIFT;
}

static bool too_many(const struct x86_core *core, unsigned int mine, unsigned int other)
{
	return core->both && (mine | other) >> ALONE_SHIFT &&
	       hweight32(mine & COUNTERS_MASK) > hweight64(x86_machine.layout.shape.general) / 2;
}

/* Claims @place for all events of the list, in place of what was claimed. */
enum x86_claim x86_siblings_claim(const struct x86_cpu_pmu *cpu, const int *place)
{
	unsigned int shift = THREAD_SHIFT * this_cpu_read(x86_thread), mine, old, seen, other;
	struct x86_core *core = this_cpu_read(x86_core_of);

	if (!core)
		return X86_CLAIM_GOT;
	mine = list_claims(cpu, place, cpu->nr);
	seen = READ_ONCE(core->claims);
	do {
		old = seen;
		other = other_claims(old);
		if (too_many(core, mine, other))
			return X86_CLAIM_NONE;
		if (!claims_agree(mine, other))
			return X86_CLAIM_SLOWER;
		seen = cmpxchg(&core->claims, old, (old & ~(THREAD_MASK << shift)) | mine << shift);
	} while (seen != old);
	return X86_CLAIM_GOT;
}

/* An event has left its place, or never had one: claims what the others have. */
void x86_siblings_release(const struct x86_cpu_pmu *cpu)
{
	unsigned int shift = THREAD_SHIFT * this_cpu_read(x86_thread), mine, old, seen;
	struct x86_core *core = this_cpu_read(x86_core_of);

	if (!core)
		return;
	mine = list_claims(cpu, cpu->place, cpu->placed);
	seen = READ_ONCE(core->claims);
	do {
		old = seen;
		seen = cmpxchg(&core->claims, old, (old & ~(THREAD_MASK << shift)) | mine << shift);
	} while (seen != old);
}

/* @cpu starts: it shares the core of the thread beside it, if that is online. */
void x86_siblings_join(unsigned int cpu)
{
	struct x86_core *core = per_cpu_ptr(&x86_own_core, cpu);
	unsigned int other;

	if (!(x86_machine.family->has & X86_DISTURBS_SIBLING))
		return;
	for_each_cpu(other, topology_sibling_cpumask(cpu)) {
		if (other == cpu || !per_cpu(x86_core_of, other))
			continue;
		core = per_cpu(x86_core_of, other);
		per_cpu(x86_thread, cpu) = !per_cpu(x86_thread, other);
		if (!core->both)
			pr_info_once("CPU errata BJ122, BV98, HSD29 worked around: hyper-threads share cores\n");
		core->both = true;
	}
	per_cpu(x86_core_of, cpu) = core;
}
