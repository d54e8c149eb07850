// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: attrs are judged in the kernel as in the user-space model, and every reason has a whole row.
 *
 * Contexts: process context, at boot. Locks: none.
 */
#include <kunit/test.h>
#include <linux/perf_event.h>

#include "internal.h"

struct attr_row {
	const char *name;
	struct perf_event_attr attr;
	int err;
	enum pcl_reason reason;
};

static const struct attr_row attr_rows[] = {
	{ "plain", { .type = PERF_TYPE_SOFTWARE }, 0, PCL_REASON_NONE },
	{ "records",
	  { .namespaces = 1, .ksymbol = 1, .bpf_event = 1, .cgroup = 1, .text_poke = 1, .mmap2 = 1, .build_id = 1 },
	  0, PCL_REASON_NONE },
	{ "reserved flag", { .__reserved_1 = 1 }, -EINVAL, PCL_REASON_ATTR_RESERVED_FLAGS },
	{ "reserved 2", { .__reserved_2 = 1 }, -EINVAL, PCL_REASON_ATTR_RESERVED_2 },
	{ "reserved 3", { .__reserved_3 = 1 }, -EINVAL, PCL_REASON_ATTR_RESERVED_3 },
	{ "unknown sample bit", { .sample_type = PERF_SAMPLE_MAX }, -EINVAL, PCL_REASON_SAMPLE_TYPE_UNKNOWN },
	{ "top sample bit", { .sample_type = 1ULL << 63 }, -EINVAL, PCL_REASON_SAMPLE_TYPE_UNKNOWN },
	{ "unknown read bit", { .read_format = PERF_FORMAT_MAX }, -EINVAL, PCL_REASON_READ_FORMAT_UNKNOWN },
	{ "inherit_thread alone", { .inherit_thread = 1 }, -EINVAL, PCL_REASON_INHERIT_THREAD_ALONE },
	{ "remove and enable", { .remove_on_exec = 1, .enable_on_exec = 1 }, -EINVAL, PCL_REASON_EXEC_REMOVE_ENABLE },
	{ "sigtrap stays", { .sigtrap = 1 }, -EINVAL, PCL_REASON_SIGTRAP_STAYS },
	{ "registers of the user", { .sample_type = PERF_SAMPLE_REGS_USER, .sample_regs_user = 1 }, 0,
	  PCL_REASON_NONE },
	{ "no registers of the user", { .sample_type = PERF_SAMPLE_REGS_USER }, -EINVAL, PCL_REASON_REGS_USER_MASK },
	{ "registers at the interrupt", { .sample_type = PERF_SAMPLE_REGS_INTR, .sample_regs_intr = 1 }, 0,
	  PCL_REASON_NONE },
	{ "the largest stack", { .sample_type = PERF_SAMPLE_STACK_USER, .sample_stack_user = 65528 }, 0,
	  PCL_REASON_NONE },
	{ "an odd stack", { .sample_type = PERF_SAMPLE_STACK_USER, .sample_stack_user = 65532 }, -EINVAL,
	  PCL_REASON_STACK_USER_ALIGN },
	{ "addresses and cgroups", { .sample_type = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
	  PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE }, 0, PCL_REASON_NONE },
	{ "bytes of a trace", { .sample_type = PERF_SAMPLE_AUX, .aux_sample_size = 64 }, 0, PCL_REASON_NONE },
	{ "tracepoint", { .type = PERF_TYPE_TRACEPOINT }, 0, PCL_REASON_NONE },
	{ "aux_output", { .aux_output = 1 }, 0, PCL_REASON_NONE },
};

static void attr_judged(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(attr_rows); i++) {
		struct perf_event_attr attr = attr_rows[i].attr;
		struct pcl_why why = {};

		KUNIT_EXPECT_EQ_MSG(test, pcl_attr_check(&attr, &why), attr_rows[i].err, "%s", attr_rows[i].name);
		KUNIT_EXPECT_EQ_MSG(test, why.reason, attr_rows[i].reason, "%s", attr_rows[i].name);
	}
}

static void attr_default_stack(struct kunit *test)
{
	struct perf_event_attr attr = {}, asked = { .sample_max_stack = 5 };

	KUNIT_EXPECT_EQ(test, pcl_attr_check(&attr, NULL), 0);
	KUNIT_EXPECT_EQ(test, (int)attr.sample_max_stack, sysctl_perf_event_max_stack);
	KUNIT_EXPECT_EQ(test, pcl_attr_check(&asked, NULL), 0);
	KUNIT_EXPECT_EQ(test, (int)asked.sample_max_stack, 5);
}

struct reason_name {
	enum pcl_reason reason;
	int err;
	const char *name;
};

static const struct reason_name reason_names[] = {
#define REASON_NAME(name, errnum, field, text) { PCL_REASON_##name, errnum, #name },
	PCL_REASONS(REASON_NAME)
#undef REASON_NAME
};

/* Each reason: its errno comes back, the first one noted stays, its field lies in the attr, no text is said twice. */
static void reasons_whole(struct kunit *test)
{
	int i, j;

	for (i = 0; i < ARRAY_SIZE(reason_names); i++) {
		const struct reason_name *row = &reason_names[i];
		s32 field = pcl_reason_field(row->reason);
		struct pcl_why why = {};

		KUNIT_EXPECT_EQ_MSG(test, pcl_refuse(&why, row->reason), -row->err, "%s", row->name);
		KUNIT_EXPECT_EQ(test, pcl_refuse_err(&why, PCL_REASON_FLAGS_UNKNOWN, -EPERM), -EPERM);
		KUNIT_EXPECT_EQ_MSG(test, why.reason, row->reason, "%s", row->name);
		KUNIT_EXPECT_GE_MSG(test, field, PCL_NOWHERE, "%s", row->name);
		KUNIT_EXPECT_LT_MSG(test, field, (s32)sizeof(struct perf_event_attr), "%s", row->name);
		KUNIT_EXPECT_GT_MSG(test, strlen(pcl_reason_text(row->reason)), (size_t)0, "%s", row->name);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ_MSG(test, pcl_reason_text(row->reason),
						pcl_reason_text(reason_names[j].reason), "%s, %s", row->name,
						reason_names[j].name);
	}
}

static struct kunit_case attr_cases[] = {
	KUNIT_CASE(attr_judged),
	KUNIT_CASE(attr_default_stack),
	KUNIT_CASE(reasons_whole),
	{ }
};

static struct kunit_suite attr_suite = { .name = "pcl-attr", .test_cases = attr_cases };

kunit_test_suite(attr_suite);
