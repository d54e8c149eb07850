// SPDX-License-Identifier: GPL-2.0
/*
 * The judge of attrs against a naive model: a list of rules, tried in order, the first that applies decides.
 *
 * The rules say what Linux 6.1 refuses and with which errno, then what PCL has not built. Attrs are made by a handful of
 * random changes to an innocent one, so that every rule is met both alone and behind others.
 */
#include <linux/perf_regs.h>

#include "internal.h"
#include "harness.h"

#define KNOWN_REGS	((1ULL << 24) - 1)

int sysctl_perf_event_max_stack = 127;

static bool kernel_forbidden;
static enum pcl_reason refused;

int pcl_refuse_err(struct pcl_why *why, enum pcl_reason reason, int err)
{
	refused = reason;
	return err;
}

int pcl_refuse(struct pcl_why *why, enum pcl_reason reason)
{
	switch (reason) {
#define ERRNO_OF(name, errnum, field, text) case PCL_REASON_##name: return pcl_refuse_err(why, reason, -(errnum));
	PCL_REASONS(ERRNO_OF)
	default:
		abort();
	}
}

int perf_reg_validate(u64 mask)
{
	return !mask || mask & ~KNOWN_REGS ? -EINVAL : 0;
}

int pcl_allow_kernel(struct perf_event_attr *attr, enum pcl_reason reason, struct pcl_why *why)
{
	return kernel_forbidden ? pcl_refuse(why, reason) : 0;
}

/* ---- the model ---- */

#define SAMPLES(a, name) ((a)->sample_type & PERF_SAMPLE_##name)
#define RULE(name, errnum, condition)							\
	static bool rule_##name(const struct perf_event_attr *a) { return condition; }
#include "attr_rules.h"
#undef RULE

static const struct rule {
	enum pcl_reason reason;
	int err;
	bool (*applies)(const struct perf_event_attr *a);
} rules[] = {
#define RULE(name, errnum, condition) { PCL_REASON_##name, -(errnum), rule_##name },
#include "attr_rules.h"
#undef RULE
};

static unsigned int met[ARRAY_SIZE(rules)];

static int model_check(const struct perf_event_attr *a, enum pcl_reason *reason)
{
	unsigned int i;

	*reason = PCL_REASON_NONE;
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		if (!rules[i].applies(a))
			continue;
		met[i]++;
		*reason = rules[i].reason;
		return rules[i].err;
	}
	return 0;
}

/* Branches are taken where the attr says or, if it does not say, where the event counts: bits 0 to 2. */
static void fill_branches(struct perf_event_attr *a)
{
	u64 counts = (a->exclude_user ? 0 : 1) + (a->exclude_kernel ? 0 : 2) + (a->exclude_hv ? 0 : 4);

	if (SAMPLES(a, BRANCH_STACK) && !(a->branch_sample_type & 7))
		a->branch_sample_type += counts;
}

/* ---- random attrs ---- */

static u64 random_bit(unsigned int nr)
{
	return 1ULL << random_below(nr);
}

static void change_flags(struct perf_event_attr *a)
{
	u64 flags;

	memcpy(&flags, (char *)a + PCL_AT_FLAGS, sizeof(flags));
	flags ^= random_bit(random_below(8) ? 38 : 64);
	memcpy((char *)a + PCL_AT_FLAGS, &flags, sizeof(flags));
}

static void change(struct perf_event_attr *a)
{
	switch (random_below(10)) {
	case 0: a->type = random_below(8); break;
	case 1: case 2: a->sample_type ^= random_bit(random_below(8) ? 25 : 64); break;
	case 3: a->read_format ^= random_bit(random_below(4) ? 5 : 64); break;
	case 4: a->branch_sample_type ^= random_bit(random_below(8) ? 19 : 64); break;
	case 5: a->sample_regs_user = random_below(3) ? random_bit(24) : random_u64(); break;
	case 6: a->sample_regs_intr = random_below(3) ? random_bit(24) : random_u64(); break;
	case 7: a->sample_stack_user = 65519 + random_below(24); break;
	case 8: change_flags(a); break;
	default:
		if (random_below(2))
			a->__reserved_2 = random_below(3) == 0;
		else
			a->__reserved_3 = random_below(3) == 0;
		a->sample_max_stack = random_below(4);
	}
}

static void make_attr(struct perf_event_attr *a)
{
	u64 changes = random_below(7);

	memset(a, 0, sizeof(*a));
	kernel_forbidden = random_below(2);
	if (!random_below(3))
		a->sample_type = PERF_SAMPLE_BRANCH_STACK;
	while (changes--)
		change(a);
	if (!random_below(4))
		change_flags(a);
}

/* ---- the cases ---- */

static void refused_as_the_model_says(void)
{
	struct perf_event_attr a, before;
	enum pcl_reason reason;
	unsigned int round;
	int err;

	for (round = 0; round < 400000; round++) {
		make_attr(&a);
		before = a;
		err = model_check(&before, &reason);
		refused = PCL_REASON_NONE;
		CHECK_EQ(pcl_attr_check(&a, NULL), err);
		CHECK_EQ(refused, reason);
		if (err)
			continue;
		fill_branches(&before);
		if (!before.sample_max_stack)
			before.sample_max_stack = sysctl_perf_event_max_stack;
		CHECK(!memcmp(&a, &before, sizeof(a)));
	}
}

/* The model is worth something only if each of its rules had a say; the one about stack dumps cannot on this machine. */
static void every_rule_was_met(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		if (!met[i])
			printf("# no attr was refused for reason %d\n", rules[i].reason);
		CHECK(met[i]);
	}
}

/* Branches without a privilege of their own are taken where the event counts; with one, there. */
static void branches_inherit_privilege(void)
{
	unsigned int i;

	for (i = 0; i < 64; i++) {
		struct perf_event_attr a = {
			.sample_type = PERF_SAMPLE_BRANCH_STACK,
			.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | (i & 7),
			.exclude_user = i >> 3, .exclude_kernel = i >> 4, .exclude_hv = i >> 5,
		};
		u64 want = i & 7 ? i & 7 : (~i >> 3) & 7;

		kernel_forbidden = false;
		CHECK_EQ(pcl_attr_check(&a, NULL), 0);
		CHECK_EQ(a.branch_sample_type, PERF_SAMPLE_BRANCH_ANY | want);
	}
}

CASES(CASE(refused_as_the_model_says), CASE(every_rule_was_met), CASE(branches_inherit_privilege))
