/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core PMU driver's private header: its objects, and what its files offer each other, lowest first.
 */
#ifndef _X86_EVENTS_DRIVER_H
#define _X86_EVENTS_DRIVER_H

#include <linux/perf_event.h>

#include "family.h"
#include "perf_event.h"
#include "regs.h"

/* hw_perf_event::flags */
#define X86_EVENT_LEAVES_ON	BIT(0)	/* its counter may go on without it: left.c */
#define X86_EVENT_BEGINS_PAUSED	BIT(1)	/* it ended while nothing counted, and begins so */

/* The core PMU of this machine. One, filled by detect.c at boot; immutable but where marked. */
struct x86_machine {
	const char *vendor;		/* "Intel", "AMD", "HYGON"; NULL: no usable PMU */
	const struct x86_family *family;
	const struct x86_generic *generic;	/* the vendor's generic events */
	struct x86_layout layout;
	int version;			/* of the architecture (CPUID 0xa), or Perfmon version (AMD) */
	u64 select_mask;		/* bits of attr.config that go to the select register; others are left out */
	u64 select_refused;		/* ... but these, which are refused */
	u64 max_period;
	u64 absent_events;		/* generic events that CPUID says are missing, BIT(PERF_COUNT_HW_*) */
	u64 branch_misses;		/* code that stands in for the generic event, or 0 */
	unsigned int cpuid_ebx;		/* of leaf 0xa, for KVM */
	unsigned int cpuid_events;
	const char *notes;		/* boot message */
	const char *pmu_name;		/* caps/pmu_name; NULL: no such file */
	bool has_any;			/* select registers know the "any thread" bit */
	bool has_tx;			/* ... in_tx, in_tx_cp */
	bool has_pin;			/* ... and pin control, which perf likes to see in format/ */
	bool has_virt;			/* ... and host-only and guest-only, which global control need not tell */
	bool has_branch_trace;		/* BTS: branches with a period of one are a wish for it */
	bool has_precise_aux;		/* aux_output is for precise samples, and refused for others */
	bool has_smm_freeze;		/* counters can be stopped in system management mode */
	bool has_apic;
	bool lvt_masked;		/* the APIC's entry is masked as it interrupts; if not, each overflow does */
};

extern struct x86_machine x86_machine;
extern int x86_rdpmc_mode;
extern struct pmu x86_core_pmu;

/*
 * What is on the counters of one CPU.
 *
 * @list holds the events that add() took, in that order; the first @settled are on their counters, the rest goes on
 * when the PMU is enabled. @place is where the last successful x86_places_find() wants the first @placed; the others
 * have not been tried yet.
 */
struct x86_cpu_pmu {
	struct x86_hw hw;
	struct perf_event *on[X86_COUNTERS];	/* [L] started events by counter; the NMI handler reads it */
	struct perf_event *list[X86_COUNTERS];	/* [L] */
	int place[X86_COUNTERS];		/* [L] */
	struct pcl_want wants[X86_COUNTERS];	/* [L] for places.c, as ... */
	int found[X86_COUNTERS];		/* [L] this; too large to lie on the stack */
	u64 from[X86_COUNTERS];			/* [L] by counter: its value when hw.period_left was last right */
	unsigned int nr;			/* [L] */
	unsigned int settled;			/* [L] */
	unsigned int placed;			/* [L] */
	bool in_txn;				/* [L] */
	u64 sampling;				/* [L] active counters that sample */
	u64 dirty;				/* [L] counters that hold a value of an event that is gone */
	u64 checkpointed;			/* [L] active counters with in_tx_cp */
	u64 stretched;				/* [L] counters whose period was made longer, by @floor */
	unsigned long late_until;		/* [L] jiffies: NMIs until then may be late ones of ours */
	bool stopping;				/* [L] an event is hidden, whose interrupt may be on the way */
	s64 floor;				/* [L] NMI: least period, if the interrupted code got nowhere */
	struct pt_regs last_regs;		/* [L] NMI: what the last overflow interrupt with a short period met */
};

DECLARE_PER_CPU(struct x86_cpu_pmu, x86_cpu_pmus);

/* detect.c */
bool x86_detect(void);

/* trial.c */
bool x86_counters_work(const struct x86_layout *layout);
void x86_check_firmware(const struct x86_layout *layout);

/* counter.c */
void x86_counter_fold(struct perf_event *event);
bool x86_counter_advance(struct perf_event *event);
u64 x86_counter_reload(struct perf_event *event, s64 floor);
bool x86_counter_begin(struct perf_event *event);

/* core.c */
bool x86_event_is_ours(const struct perf_event *event);
void x86_show(struct x86_cpu_pmu *cpu, struct perf_event *event);
void x86_start(struct perf_event *event, int flags);
void x86_stop(struct perf_event *event, int flags);

/* Of the northbridge: node.c */
static inline bool x86_event_is_shared(const struct perf_event *event)
{
	return (x86_machine.family->has & X86_NB_SHARED) && (event->hw.config & 0xe0) == 0xe0;
}

/* node.c */
u64 x86_node_open(struct perf_event *event);
bool x86_node_claim(struct perf_event *event, unsigned int counter);
void x86_node_release(struct perf_event *event);
void x86_node_join(unsigned int cpu);

/* smi.c */
bool x86_smi_frozen(void);
void x86_smi_freeze_cpu(void *unused);
void x86_smi_set(bool on);

/* Events want places that are shared with others. */
enum x86_claim {
	X86_CLAIM_GOT,
	X86_CLAIM_SLOWER,	/* than another, since the look: another look may find others */
	X86_CLAIM_NONE,		/* until another gives back what it has */
};

/* siblings.c */
u64 x86_siblings_closed(const struct perf_event *event);
enum x86_claim x86_siblings_claim(const struct x86_cpu_pmu *cpu, const int *place);
void x86_siblings_release(const struct x86_cpu_pmu *cpu);
void x86_siblings_join(unsigned int cpu);

/* tfa.c */
bool x86_tfa_allowed(void);
u64 x86_tfa_closed(void);
void x86_tfa_set(bool on);

/* left.c */
bool x86_event_leaves_on(const struct perf_event *event);
bool x86_left_leave(struct x86_cpu_pmu *cpu, struct perf_event *event);
bool x86_left_is_there(const struct x86_cpu_pmu *cpu, const struct perf_event *event);
bool x86_left_take(struct x86_cpu_pmu *cpu, struct perf_event *event);
void x86_left_end(struct x86_cpu_pmu *cpu, unsigned int idx);
void x86_left_stop(void);
void x86_left_stop_everywhere(void);

/* places.c */
bool x86_places_find(struct x86_cpu_pmu *cpu);

/* config.c */
u64 x86_generic_code(unsigned int id);
int x86_event_config(struct perf_event *event);
int x86_event_check_period(struct perf_event *event, u64 value);

/* irq.c */
extern atomic_t x86_nr_events;
int x86_irq_init(void);
void x86_irq_unmask(void);
void x86_irq_expect(struct x86_cpu_pmu *cpu);
void x86_irq_wait(struct x86_cpu_pmu *cpu);

/* user.c */
void x86_event_mapped(struct perf_event *event, struct mm_struct *mm);
void x86_event_unmapped(struct perf_event *event, struct mm_struct *mm);
int x86_event_idx(struct perf_event *event);
bool x86_user_may_look(void);
int x86_rdpmc_set(unsigned long mode);

/* sysfs.c */
extern const struct attribute_group *x86_attr_groups[];
int x86_sysfs_init(void);

#endif
