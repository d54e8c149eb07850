/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the engine takes a driver's refusal, for the tests of all drivers: the reason is kept, the errno is the reason's,
 * and so is the field that a program is told. Which errno that must be is said by hand, for IA-64 and SPARC.
 */
#ifndef PCL_USER_DRIVER_REFUSE_H
#define PCL_USER_DRIVER_REFUSE_H

int perf_event_refuse(struct perf_event *event, enum pcl_reason reason)
{
	event->refused = reason;
	switch (reason) {
#define ERRNO(name, errnum, field, text) case PCL_REASON_##name: return -errnum;
	PCL_REASONS(ERRNO)
	default:
		return 0;
	}
}

/* The offset of that field in the attr; flags have that of their word, and what is of a whole group is nowhere. */
#define AT(field)	((int)offsetof(struct perf_event_attr, field))
#define AT_FLAGS	(AT(read_format) + 8)
#define NOWHERE		(-1)

static int refused_at(enum pcl_reason reason)
{
	switch (reason) {
#define FIELD(name, errnum, field, text) case PCL_REASON_##name: return field;
	PCL_REASONS(FIELD)
	default:
		return NOWHERE;
	}
}

/*
 * What a driver must answer, as perf_event_open(2) has it: ENOENT to a generic event that the processor has not, EOPNOTSUPP
 * to what it cannot do, EBUSY where somebody else has the hardware, and EINVAL to all else.
 */
static inline int refused_with(enum pcl_reason reason)
{
	switch (reason) {
	case PCL_REASON_IA64_GENERIC_ABSENT: case PCL_REASON_IA64_CACHE_ABSENT:
	case PCL_REASON_SPARC_GENERIC_ABSENT: case PCL_REASON_SPARC_CACHE_ABSENT:
		return -ENOENT;
	case PCL_REASON_IA64_BRANCH_KIND: case PCL_REASON_IA64_PRECISE: case PCL_REASON_IA64_PRECISE_DEGREE:
	case PCL_REASON_IA64_BOTH_THREADS: case PCL_REASON_IA64_ISM_IA32: case PCL_REASON_IA64_IPEAR_CHIP:
	case PCL_REASON_IA64_RANGE_CHIP: case PCL_REASON_IA64_RANGE_PAIR:
	case PCL_REASON_SPARC_BRANCH_STACK: case PCL_REASON_SPARC_PRECISE: case PCL_REASON_SPARC_WRAPS:
	case PCL_REASON_SPARC_ERRATUM_108:
		return -EOPNOTSUPP;
	case PCL_REASON_IA64_RANGE_PTRACE:
		return -EBUSY;
	default:
		return -EINVAL;
	}
}

#endif
