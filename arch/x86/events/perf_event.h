/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What other x86 code sees of these drivers: stock's uncore, RAPL, cstate, IOMMU and power drivers, Xen and resctrl.
 *
 * The names, macros and layouts here are theirs. Our own files include driver.h.
 */
#ifndef _X86_EVENTS_PERF_EVENT_H
#define _X86_EVENTS_PERF_EVENT_H

#include <linux/perf_event.h>

#include <asm/cpu.h>
#include <asm/fpu/xstate.h>
#include <asm/intel_ds.h>

/* Which counters an event may use. An event matches if the bits of its code under @cmask lie in @code .. +@size. */
struct event_constraint {
	union {
		u64		idxmsk64;
		unsigned long	idxmsk[BITS_TO_LONGS(X86_PMC_IDX_MAX)];
	};
	u64			cmask;
	u64			code;
	unsigned int		size;
	int			weight;		/* bits in the mask; -1: end of the table */
	int			overlap;	/* taken over, not needed: pcl_assign() tries every arrangement */
	int			flags;
};

static inline bool constraint_match(struct event_constraint *c, u64 ecode)
{
	u64 code = ecode & c->cmask;

	return code >= c->code && code - c->code <= c->size;
}

#define __EVENT_CONSTRAINT_RANGE(c, e, n, m, w, o, f)						\
	{ { .idxmsk64 = (n) }, .cmask = (m), .code = (c), .size = (e) - (c), .weight = (w),	\
	  .overlap = (o), .flags = (f) }
#define __EVENT_CONSTRAINT(c, n, m, w, o, f)	__EVENT_CONSTRAINT_RANGE(c, c, n, m, w, o, f)
#define EVENT_CONSTRAINT_RANGE(c, e, n, m)	__EVENT_CONSTRAINT_RANGE(c, e, n, m, HWEIGHT(n), 0, 0)
#define EVENT_CONSTRAINT(c, n, m)		__EVENT_CONSTRAINT(c, n, m, HWEIGHT(n), 0, 0)
#define EVENT_CONSTRAINT_OVERLAP(c, n, m)	__EVENT_CONSTRAINT(c, n, m, HWEIGHT(n), 1, 0)
#define EVENT_CONSTRAINT_END			{ .weight = -1 }

#define for_each_event_constraint(e, c)		for ((e) = (c); (e)->weight >= 0; (e)++)

/* A register beside the select register, which a box has once: events that need it must agree on its value. */
struct extra_reg {
	u64			config_mask;	/* which bits of the code are compared */
	u64			valid_mask;	/* which bits of config1 (or config2) the register takes */
	unsigned int		event;
	unsigned int		msr;		/* 0: end of the table */
	int			idx;
	bool			extra_msr_access;
};

enum extra_reg_type {
	EXTRA_REG_NONE	= -1,
	EXTRA_REG_RSP_0	= 0,
};

#define EVENT_EXTRA_REG(e, ms, m, vm, i)							\
	{ .config_mask = (m), .valid_mask = (vm), .event = (e), .msr = (ms),			\
	  .idx = EXTRA_REG_##i, .extra_msr_access = true }
#define EVENT_EXTRA_END				{ .msr = 0 }

/* The attribute that PMU_EVENT_ATTR_STRING(..., event_attr_ID, ...) made */
#define EVENT_PTR(id)				(&event_attr_##id.attr.attr)

/* Gives each of @n events a counter below @gpmax; returns how many have none. */
int perf_assign_events(struct event_constraint **constraints, int n, int wmin, int wmax, int gpmax, int *assign);

/* A select register by its fields */
union x86_pmu_config {
	u64 value;
	struct {
		u64 event : 8, umask : 8, usr : 1, os : 1, edge : 1, pc : 1, interrupt : 1, __any : 1, en : 1, inv : 1,
		    cmask : 8, event2 : 4, __high : 4, go : 1, ho : 1;
	} bits;
};

#define X86_CONFIG(args...)	(((union x86_pmu_config){ .bits = { args } }).value)

/* For Xen, whose virtual interrupt stands for the counters' NMI */
struct x86_pmu {
	int (*handle_irq)(struct pt_regs *regs);	/* returns how many overflows it handled */
};

extern struct x86_pmu x86_pmu;

#endif
