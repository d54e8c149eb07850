/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU driver's private header: its objects, and what its files offer each other, lowest first.
 */
#ifndef _IA64_EVENTS_DRIVER_H
#define _IA64_EVENTS_DRIVER_H

#include <linux/pcl_assign.h>
#include <linux/perf_event.h>

#include "family.h"
#include "regs.h"

/* The PMU of this machine. One, filled by detect.c at boot; immutable afterwards. */
struct ia64_machine {
	const struct ia64_family *family;	/* NULL: no usable PMU */
	u64 max_period;				/* so that a counter's sign tells whether it has passed zero */
};

extern struct ia64_machine ia64_machine;
extern struct pmu ia64_pmu;

/*
 * What is on the counters of one CPU. Counters go by the numbers of their registers: those below 4 are never used.
 *
 * @list holds the events that add() took, in that order; the first @settled are on their counters, the rest goes on
 * when the PMU is enabled. @place is where ia64_places_find() wants them.
 */
struct ia64_cpu_pmu {
	struct ia64_hw hw;
	struct perf_event *on[IA64_COUNTERS];		/* [L] started events by counter */
	struct perf_event *list[PCL_KIN_MOST];		/* [L] */
	int place[PCL_KIN_MOST];			/* [L] */
	u64 from[IA64_COUNTERS];	/* [L] by counter: its value when hw.period_left was last right */
	unsigned int nr;		/* [L] */
	unsigned int settled;		/* [L] */
	bool in_txn;			/* [L] */
	unsigned int empty;		/* [L] interrupts that found nothing, */
	unsigned long empty_at;		/* [L] within this tick */
	struct {
		struct perf_branch_stack branches;	/* [L] of the sample that is being taken */
		struct perf_branch_entry branch[IA64_TRACE_MOST];
	};
};

DECLARE_PER_CPU(struct ia64_cpu_pmu, ia64_cpu_pmus);

/* hw.flags: its period is over, and the sample not yet taken */
#define IA64_EVENT_DUE	0x01

/* The table's row of an event; kept in hw.event_base when it is opened. */
static inline const struct ia64_event *ia64_row(const struct perf_event *event)
{
	return (const struct ia64_event *)event->hw.event_base;
}

/*
 * Has the event the branch trace buffer on? Branches are captured as the event "branch captured" counts them (libpfm4:
 * BRANCH_EVENT), which the first opcode matcher and ranges of instructions can restrict.
 */
static inline bool ia64_has_branches(const struct perf_event *event)
{
	return event->hw.branch_reg.reg == ia64_machine.family->trace->pmc;
}

/* What control register @nr holds after power-up */
static inline u64 ia64_reset_of(unsigned int nr)
{
	return ia64_family_reg(ia64_machine.family, nr)->reset;
}

/* detect.c */
bool ia64_detect(u64 cpuid3);

/* What an event claims. */
#define IA64_CLAIMS_MOST	14
struct ia64_claim {
	u8 nr;			/* a control or debug register that several counters look at, ... */
	u64 value;		/* ... and what it must hold */
};

/* ear.c */
const struct ia64_ear *ia64_ear_of(const struct ia64_event *row);
int ia64_ear_config(struct perf_event *event, const struct ia64_event *row);
unsigned int ia64_ear_precise(const struct ia64_event *row);
unsigned int ia64_ear_claims(const struct perf_event *event, struct ia64_claim *claims);
u64 ia64_ear_sample(struct perf_event *event, struct perf_sample_data *data);

/* trace.c */
bool ia64_trace_wanted(struct perf_event *event);
int ia64_trace_config(struct perf_event *event, const struct ia64_event *row);
unsigned int ia64_trace_claims(const struct perf_event *event, struct ia64_claim *claims);
void ia64_trace_branches(struct perf_event *event, struct perf_branch_stack *stack);
u64 ia64_trace_address(const struct perf_event *event);

/* range.c */
int ia64_range_config(struct perf_event *event, const struct ia64_event *row);
bool ia64_range_waits(const struct perf_event *event);
unsigned int ia64_range_claims(const struct perf_event *event, struct ia64_claim *claims);

/* claims.c */
unsigned int ia64_claims(const struct perf_event *event, struct ia64_claim *claims);
enum pcl_reason ia64_claims_clash(struct perf_event **events, unsigned int nr);
void ia64_claims_write(struct ia64_cpu_pmu *cpu);
void ia64_claims_release(struct ia64_cpu_pmu *cpu);
void ia64_claims_hide(struct ia64_cpu_pmu *cpu);

/* counter.c */
void ia64_counter_fold(struct perf_event *event);
void ia64_counter_advance(struct perf_event *event);
void ia64_counter_resume(struct perf_event *event);
u64 ia64_counter_reload(struct perf_event *event);

/* places.c */
bool ia64_places_find(struct ia64_cpu_pmu *cpu);
#define IA64_RULE_CANCELS	BIT(0)
#define IA64_RULE_UMASK		BIT(1)
#define IA64_RULE_SETS		BIT(2)
bool ia64_group_fits(struct perf_event **events, unsigned int nr, unsigned int lifted);

/* core.c */
void ia64_cpu_prepare(void);
int ia64_pmu_init(u64 cpuid3);
bool ia64_event_is_ours(const struct perf_event *event);
void ia64_event_stop(struct perf_event *event, int flags);

/* user.c */
void ia64_user_enter(struct ia64_cpu_pmu *cpu);
void ia64_user_switch(struct task_struct *next);
void ia64_user_exec(void);
void ia64_event_mapped(struct perf_event *event, struct mm_struct *mm);
int ia64_event_idx(struct perf_event *event);

/* config.c */
int ia64_event_config(struct perf_event *event);

/* sample.c */
struct ia64_sample {
	struct perf_sample_data data;
	struct pt_regs regs;		/* if they are others than those that were interrupted */
};

struct pt_regs *ia64_sample_fill(struct perf_event *event, struct ia64_sample *sample, struct pt_regs *regs);

/* irq.c */
bool ia64_irq_handle(struct pt_regs *regs);

/* sysfs.c */
extern const struct attribute_group *ia64_attr_groups[];
void ia64_sysfs_init(void);

#endif
