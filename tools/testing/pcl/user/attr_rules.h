/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RULE(reason, errno, condition on the attr a): the model's rules, in order. Included with RULE defined by its users.
 */
RULE(ATTR_RESERVED_FLAGS, EINVAL, a->__reserved_1 != 0)
RULE(ATTR_RESERVED_2, EINVAL, a->__reserved_2 != 0)
RULE(ATTR_RESERVED_3, EINVAL, a->__reserved_3 != 0)
RULE(SAMPLE_TYPE_UNKNOWN, EINVAL, a->sample_type >> 25)
RULE(READ_FORMAT_UNKNOWN, EINVAL, a->read_format >> 5)
RULE(BRANCH_UNKNOWN, EINVAL, SAMPLES(a, BRANCH_STACK) && a->branch_sample_type >> 19)
RULE(BRANCH_NO_KIND, EINVAL, SAMPLES(a, BRANCH_STACK) && !(a->branch_sample_type >> 3))
RULE(BRANCH_PRIVILEGE, EACCES, kernel_forbidden && SAMPLES(a, BRANCH_STACK) &&
     (a->branch_sample_type & 7 ? a->branch_sample_type & 6 : !a->exclude_kernel || !a->exclude_hv))
RULE(REGS_USER_MASK, EINVAL, SAMPLES(a, REGS_USER) && perf_reg_validate(a->sample_regs_user))
RULE(STACK_USER_LARGE, EINVAL, SAMPLES(a, STACK_USER) && a->sample_stack_user > 65534)
RULE(STACK_USER_ALIGN, EINVAL, SAMPLES(a, STACK_USER) && a->sample_stack_user & 7)
RULE(WEIGHT_TWICE, EINVAL, SAMPLES(a, WEIGHT) && SAMPLES(a, WEIGHT_STRUCT))
RULE(INHERIT_THREAD_ALONE, EINVAL, a->inherit_thread > a->inherit)
RULE(EXEC_REMOVE_ENABLE, EINVAL, a->remove_on_exec + a->enable_on_exec == 2)
RULE(SIGTRAP_STAYS, EINVAL, a->sigtrap > a->remove_on_exec)
RULE(REGS_INTR_MASK, EINVAL, SAMPLES(a, REGS_INTR) && perf_reg_validate(a->sample_regs_intr))
