/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU driver's private header: its objects, and what its files offer each other, lowest first.
 */
#ifndef _SPARC_EVENTS_DRIVER_H
#define _SPARC_EVENTS_DRIVER_H

#include <linux/hrtimer.h>
#include <linux/pcl_assign.h>
#include <linux/perf_event.h>

#include "family.h"
#include "regs.h"

/* The longest period of a counter that interrupts: its sign tells whether it has passed zero. */
#define SPARC_MAX_PERIOD	(BIT_ULL(31) - 1)

/* The PMU of this machine. One, filled at boot; immutable afterwards. */
struct sparc_machine {
	const struct sparc_family *family;	/* NULL: no usable PMU */
	bool hypervisor;			/* it can be counted */
};

extern struct sparc_machine sparc_machine;
extern struct pmu sparc_pmu;

/*
 * What is on the counters of one CPU.
 *
 * @list holds the events that add() took, in that order; the first @settled are on their counters, the rest goes on
 * when the PMU is enabled. @place is where sparc_places_find() wants them.
 */
struct sparc_cpu_pmu {
	struct sparc_hw hw;
	struct perf_event *on[SPARC_PICS];	/* [L] started events by counter */
	struct perf_event *list[SPARC_PICS];	/* [L] */
	int place[SPARC_PICS];			/* [L] */
	u64 from[SPARC_PICS];		/* [L] by counter: its value when hw.period_left was last right */
	unsigned int nr;		/* [L] */
	unsigned int settled;		/* [L] */
	bool in_txn;			/* [L] */
	bool watched;			/* [L] @timer is on its way */
	struct hrtimer timer;		/* wrap.c */
};

DECLARE_PER_CPU(struct sparc_cpu_pmu, sparc_cpu_pmus);

/* Kept when an event is opened: hw.config, its code; hw.counters; hw.config_base, its levels; hw.event_base: */
#define SPARC_EVENT_SILENT	0x01	/* its counter wraps without an interrupt */

/* hw.flags: its period is over, and the sample not yet taken */
#define SPARC_EVENT_DUE		0x01

static inline bool sparc_is_silent(const struct perf_event *event)
{
	return event->hw.event_base & SPARC_EVENT_SILENT;
}

/* detect.c */
bool sparc_detect(const char *name);

/* counter.c */
void sparc_counter_fold(struct perf_event *event);
void sparc_counter_advance(struct perf_event *event);
void sparc_counter_resume(struct perf_event *event);
u64 sparc_counter_reload(struct perf_event *event);

/* wrap.c */
void sparc_wrap_prepare(struct sparc_cpu_pmu *cpu);
void sparc_wrap_return(struct sparc_cpu_pmu *cpu);
void sparc_wrap_watch(struct sparc_cpu_pmu *cpu);

/* user.c */
bool sparc_user_may_read(void);
void sparc_user_resume(struct sparc_cpu_pmu *cpu);
u64 sparc_user_visible(const struct sparc_cpu_pmu *cpu);
void sparc_event_mapped(struct perf_event *event, struct mm_struct *mm);
void sparc_event_unmapped(struct perf_event *event, struct mm_struct *mm);
int sparc_event_idx(struct perf_event *event);

/* places.c */
bool sparc_places_find(struct sparc_cpu_pmu *cpu);
bool sparc_levels_agree(struct perf_event **events, unsigned int nr);
bool sparc_group_fits(struct perf_event **events, unsigned int nr);

/* core.c */
void sparc_cpu_prepare(struct sparc_cpu_pmu *cpu);
bool sparc_cpu_reset(void);
void sparc_cpu_refresh(struct sparc_cpu_pmu *cpu);
void sparc_counter_renew(struct perf_event *event);
int sparc_pmu_init(void);
bool sparc_event_is_ours(const struct perf_event *event);
void sparc_stop(struct perf_event *event, int flags);

/* config.c */
int sparc_event_config(struct perf_event *event);

/* irq.c */
bool sparc_irq_handle(struct pt_regs *regs);

/* hardware.c */
bool sparc_hardware_fits(const struct sparc_layout *layout);
bool sparc_hardware_answers(void);

/* boot.c */
void sparc_counters_take(void);
void sparc_counters_give(void);

/* sysfs.c */
void sparc_sysfs_init(void);

extern const struct attribute_group *sparc_attr_groups[];

#endif
