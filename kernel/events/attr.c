// SPDX-License-Identifier: GPL-2.0
/*
 * The attr: is what a program asks for well-formed, and is it built?
 *
 * Concepts: three questions, in this order. Does the attr contradict itself or the ABI of 6.1 (the errnos and their
 * order are stock's)? Does it leave something to a default, which is then filled in? Does it ask for something that
 * stock has and PCL does not have yet? What only a PMU can judge (config, precise_ip) is left to the PMU.
 *
 * Contexts: process context. Locks: none. Builds in user space too: what touches user memory is in usercopy.c.
 */
#include <linux/limits.h>
#include <linux/perf_event.h>
#include <linux/perf_regs.h>

#include "internal.h"

/* Without a privilege of their own, branches are taken where the event counts. */
static u64 branch_privilege(const struct perf_event_attr *attr)
{
	u64 levels = attr->branch_sample_type & PERF_SAMPLE_BRANCH_PLM_ALL;

	if (levels)
		return levels;
	return (attr->exclude_user ? 0 : PERF_SAMPLE_BRANCH_USER) |
	       (attr->exclude_kernel ? 0 : PERF_SAMPLE_BRANCH_KERNEL) |
	       (attr->exclude_hv ? 0 : PERF_SAMPLE_BRANCH_HV);
}

static int check_branches(struct perf_event_attr *attr, struct pcl_why *why)
{
	if (!(attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
		return 0;
	if (attr->branch_sample_type >= PERF_SAMPLE_BRANCH_MAX)
		return pcl_refuse(why, PCL_REASON_BRANCH_UNKNOWN);
	if (!(attr->branch_sample_type & ~(u64)PERF_SAMPLE_BRANCH_PLM_ALL))
		return pcl_refuse(why, PCL_REASON_BRANCH_NO_KIND);

	attr->branch_sample_type |= branch_privilege(attr);
	if (attr->branch_sample_type & (PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV))
		return pcl_allow_kernel(attr, PCL_REASON_BRANCH_PRIVILEGE, why);
	return 0;
}

static int check_user_state(struct perf_event_attr *attr, struct pcl_why *why)
{
	int err;

	if (attr->sample_type & PERF_SAMPLE_REGS_USER) {
		err = perf_reg_validate(attr->sample_regs_user);
		if (err)
			return pcl_refuse_err(why, PCL_REASON_REGS_USER_MASK, err);
	}
	if (attr->sample_type & PERF_SAMPLE_STACK_USER) {
		if (!IS_ENABLED(CONFIG_HAVE_PERF_USER_STACK_DUMP))
			return pcl_refuse(why, PCL_REASON_STACK_USER_NO_DUMP);
		/* A sample's size is told in 16 bits. */
		if (attr->sample_stack_user >= USHRT_MAX)
			return pcl_refuse(why, PCL_REASON_STACK_USER_LARGE);
		if (attr->sample_stack_user % sizeof(u64))
			return pcl_refuse(why, PCL_REASON_STACK_USER_ALIGN);
	}
	return 0;
}

/* What excludes or needs what. After all else, as in stock: so the registers at the interrupt come last. */
static int check_combinations(struct perf_event_attr *attr, struct pcl_why *why)
{
	u64 weights = attr->sample_type & PERF_SAMPLE_WEIGHT_TYPE;
	int err;

	if (!IS_ENABLED(CONFIG_CGROUP_PERF) && attr->sample_type & PERF_SAMPLE_CGROUP)
		return pcl_refuse(why, PCL_REASON_SAMPLE_CGROUP_CONFIG);
	if (weights == PERF_SAMPLE_WEIGHT_TYPE)
		return pcl_refuse(why, PCL_REASON_WEIGHT_TWICE);
	if (attr->inherit_thread && !attr->inherit)
		return pcl_refuse(why, PCL_REASON_INHERIT_THREAD_ALONE);
	if (attr->enable_on_exec && attr->remove_on_exec)
		return pcl_refuse(why, PCL_REASON_EXEC_REMOVE_ENABLE);
	if (attr->sigtrap && !attr->remove_on_exec)
		return pcl_refuse(why, PCL_REASON_SIGTRAP_STAYS);
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR) {
		err = perf_reg_validate(attr->sample_regs_intr);
		if (err)
			return pcl_refuse_err(why, PCL_REASON_REGS_INTR_MASK, err);
	}
	return 0;
}

/**
 * pcl_attr_check - judge an attr, and fill in what it leaves to defaults
 * @attr: as it came from the user
 * @why: where a refusal is noted, or NULL
 *
 * Return: 0, or the errno of the first thing wrong.
 */
int pcl_attr_check(struct perf_event_attr *attr, struct pcl_why *why)
{
	int err;

	if (attr->__reserved_1)
		return pcl_refuse(why, PCL_REASON_ATTR_RESERVED_FLAGS);
	if (attr->__reserved_2)
		return pcl_refuse(why, PCL_REASON_ATTR_RESERVED_2);
	if (attr->__reserved_3)
		return pcl_refuse(why, PCL_REASON_ATTR_RESERVED_3);
	if (attr->sample_type >= PERF_SAMPLE_MAX)
		return pcl_refuse(why, PCL_REASON_SAMPLE_TYPE_UNKNOWN);
	if (attr->read_format >= PERF_FORMAT_MAX)
		return pcl_refuse(why, PCL_REASON_READ_FORMAT_UNKNOWN);

	err = check_branches(attr, why);
	if (!err)
		err = check_user_state(attr, why);
	if (!err)
		err = check_combinations(attr, why);
	if (!err && !attr->sample_max_stack)
		attr->sample_max_stack = sysctl_perf_event_max_stack;
	return err;
}
