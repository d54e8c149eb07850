// SPDX-License-Identifier: GPL-2.0
/*
 * The x86 counters' registers, on a model of them.
 *
 * The model counts as the hardware does: a counter counts if its select register, or its four bits of fixed control, and
 * global control (where there is one) say so. A write to a counter or select register while the counter counts is an
 * error of the driver. NMIs come at register writes, before and after, and do what the real handler does.
 */
#include "../../../../arch/x86/events/regs.h"
#include "harness.h"

#define GENERAL 4
#define FIXED 3

static struct {
	const struct x86_layout *layout;
	u64 select[GENERAL];
	u64 count[X86_COUNTERS];
	u64 global, status, fixed;
	u64 counted;		/* every counter that ever counted */
	unsigned int writes, reads;
} model;

static struct x86_hw hw;
static void (*nmi)(void);
static unsigned int in_nmi;

static bool counts(unsigned int idx)
{
	if (model.layout->global_control && !(model.global & (1ULL << idx)))
		return false;
	if (idx < X86_FIXED_FIRST)
		return model.select[idx] & X86_SEL_ENABLE;
	return (model.fixed >> 4 * (idx - X86_FIXED_FIRST)) & 3;
}

static u64 counting(void)
{
	u64 mask = 0;
	unsigned int i;

	for (i = 0; i < X86_COUNTERS; i++) {
		if ((i < GENERAL || (i >= X86_FIXED_FIRST && i < X86_FIXED_FIRST + FIXED)) && counts(i))
			mask |= 1ULL << i;
	}
	return mask;
}

/* @n events happen: every counter that counts takes them. */
static void happen(u64 n)
{
	u64 mask = counting(), full = x86_layout_mask(model.layout);
	unsigned int i;

	for (i = 0; i < X86_COUNTERS; i++) {
		if (!(mask & (1ULL << i)))
			continue;
		if (((model.count[i] + n) & full) < model.count[i])
			model.status |= 1ULL << i;
		model.count[i] = (model.count[i] + n) & full;
	}
}

static void maybe_nmi(void)
{
	if (!nmi || in_nmi)
		return;
	in_nmi = 1;
	nmi();
	in_nmi = 0;
}

static void write_reg(u32 reg, u64 value)
{
	const struct x86_layout *l = model.layout;
	u32 idx;

	maybe_nmi();
	model.writes++;
	if (reg == l->global_control) {
		model.global = value;
	} else if (reg == l->global_ack) {
		model.status &= ~value;
	} else if (reg == l->fixed_control) {
		model.fixed = value;
	} else if (l->fixed_count && reg >= l->fixed_count && reg < l->fixed_count + FIXED) {
		idx = X86_FIXED_FIRST + reg - l->fixed_count;
		CHECK(!counts(idx));
		model.count[idx] = value;
	} else if ((reg - l->select) % l->stride == 0 && (reg - l->select) / l->stride < GENERAL) {
		model.select[(reg - l->select) / l->stride] = value;
	} else {
		CHECK((reg - l->count) % l->stride == 0 && (reg - l->count) / l->stride < GENERAL);
		idx = (reg - l->count) / l->stride;
		CHECK(!counts(idx));
		model.count[idx] = value;
	}
	model.counted |= counting();
	maybe_nmi();
}

static u64 read_reg(u32 reg)
{
	model.reads++;
	CHECK(reg && reg == model.layout->global_status);
	return model.status | 1ULL << 62;	/* a bit that is none of ours */
}

static u64 read_count(u32 number)
{
	model.reads++;
	return model.count[number & (1u << 30) ? X86_FIXED_FIRST + (number & 0xff) : number];
}

static const struct x86_regs_ops ops = { .read = read_reg, .write = write_reg, .count = read_count };
const struct x86_regs_ops *x86_regs_ops = &ops;

static const struct x86_layout intel = {
	.select = 0x186, .count = 0xc1, .stride = 1, .fixed_control = 0x38d, .fixed_count = 0x309,
	.global_control = 0x38f, .global_status = 0x38e, .global_ack = 0x390, .width = 48, .fixed_any = true,
	.shape = { .general = 0xf, .fixed = 7ULL << X86_FIXED_FIRST },
};

static const struct x86_layout intel_v1 = {
	.select = 0x186, .count = 0xc1, .stride = 1, .width = 40, .shape = { .general = 0xf },
};

static const struct x86_layout amd = {
	.select = 0xc0010200, .count = 0xc0010201, .stride = 2, .width = 48, .shape = { .general = 0xf },
};

static const struct x86_layout amd_v2 = {
	.select = 0xc0010200, .count = 0xc0010201, .stride = 2, .width = 48, .shape = { .general = 0xf },
	.global_control = 0xc0000301, .global_status = 0xc0000300, .global_ack = 0xc0000302,
};

static const struct x86_layout *layouts[] = { &intel, &intel_v1, &amd, &amd_v2 };

static void begin(const struct x86_layout *layout)
{
	nmi = NULL;
	in_nmi = 0;
	memset(&model, 0, sizeof(model));
	model.layout = layout;
	memset(&hw, 0, sizeof(hw));
	hw.layout = layout;
	x86_hw_reset(&hw);
	model.writes = 0;
	model.reads = 0;
}

#define SELECT	(0xc0 | X86_SEL_USR | X86_SEL_OS | X86_SEL_INT)

static void each_layout(void (*test)(void))
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		begin(layouts[i]);
		test();
	}
}

static void arm_and_disarm_one(void)
{
	x86_hw_arm(&hw, 2, SELECT);
	x86_hw_load(&hw, 2, -1000);
	CHECK(!counting());
	x86_hw_resume(&hw);
	CHECK(counting() == 4);
	CHECK((model.select[2] & ~X86_SEL_ENABLE) == SELECT);
	happen(300);
	x86_hw_pause(&hw);
	CHECK(!counting());
	CHECK(x86_hw_count(2) == ((-700ULL) & x86_layout_mask(model.layout)));
	x86_hw_disarm(&hw, 2);
	x86_hw_resume(&hw);
	CHECK(!counting());
	x86_hw_pause(&hw);
}

static void what_is_armed_counts_between_resume_and_pause(void)
{
	each_layout(arm_and_disarm_one);
}

/* An event that comes back finds its select register as it was. */
static void coming_back_writes_no_select(void)
{
	begin(&intel);
	x86_hw_arm(&hw, 1, SELECT);
	x86_hw_resume(&hw);
	x86_hw_pause(&hw);
	x86_hw_disarm(&hw, 1);
	model.writes = 0;
	x86_hw_arm(&hw, 1, SELECT);
	CHECK(model.writes == 0);
	x86_hw_resume(&hw);
	CHECK(model.writes == 1 && counting() == 2);
}

static void nothing_active_costs_nothing_one(void)
{
	model.writes = 0;
	x86_hw_resume(&hw);
	x86_hw_pause(&hw);
	CHECK(model.writes == 0 && model.reads == 0);
}

static void nothing_active_costs_nothing(void)
{
	each_layout(nothing_active_costs_nothing_one);
}

static void fixed_counters(void)
{
	begin(&intel);
	x86_hw_arm(&hw, 32, SELECT);
	x86_hw_arm(&hw, 34, 0x0300 | X86_SEL_USR | X86_SEL_ANY | X86_SEL_INT);
	CHECK(model.fixed == 0xe0b);
	x86_hw_resume(&hw);
	CHECK(counting() == 5ULL << 32);
}

static void guest_only_events_do_not_count_the_host(void)
{
	begin(&intel);
	x86_hw_arm(&hw, 0, SELECT);
	x86_mask_set(&hw.guest_only, 0);
	x86_hw_arm(&hw, 1, SELECT);
	x86_hw_resume(&hw);
	CHECK(counting() == 2);
}

/* Without SVM a select register with the host-only bit counts nothing, so the bit is left out, until SVM comes. */
static void host_only_follows_svm_one(void)
{
	hw.select_clear = X86_SEL_HOST_ONLY;
	x86_hw_arm(&hw, 3, SELECT | X86_SEL_HOST_ONLY);
	x86_hw_resume(&hw);
	CHECK(!(model.select[3] & X86_SEL_HOST_ONLY) && counting() == 8);
	hw.select_clear = 0;
	x86_hw_rewrite(&hw);
	CHECK((model.select[3] & X86_SEL_HOST_ONLY) && counting() == 8);
}

static void host_only_follows_svm(void)
{
	begin(&amd);
	host_only_follows_svm_one();
	begin(&amd_v2);
	host_only_follows_svm_one();
}

static void overflow_is_seen_and_acknowledged(void)
{
	begin(&intel);
	x86_hw_arm(&hw, 1, SELECT);
	x86_hw_load(&hw, 1, -10);
	x86_hw_arm(&hw, 33, SELECT);
	x86_hw_load(&hw, 33, -20);
	x86_hw_resume(&hw);
	happen(9);
	CHECK(!x86_hw_status(&hw));
	happen(1);
	CHECK(x86_hw_status(&hw) == 2);
	happen(50);
	CHECK(x86_hw_status(&hw) == (2 | X86_FIXED(1)));
	x86_hw_freeze(&hw);
	x86_hw_ack(&hw, 2);
	CHECK(x86_hw_status(&hw) == X86_FIXED(1));
}

static void the_sign_tells_where_there_is_no_status(void)
{
	begin(&amd);
	x86_hw_arm(&hw, 0, SELECT);
	x86_hw_load(&hw, 0, -10);
	x86_hw_arm(&hw, 3, SELECT);
	x86_hw_load(&hw, 3, -11);
	x86_hw_resume(&hw);
	happen(9);
	CHECK(!x86_hw_overflowed(&hw, hw.active));
	happen(1);
	CHECK(x86_hw_overflowed(&hw, hw.active) == 1);
	happen(1);
	CHECK(x86_hw_overflowed(&hw, hw.active) == 9);
}

static void kick_restores_selects(void)
{
	begin(&intel);
	x86_hw_arm(&hw, 1, SELECT);
	model.counted = 0;
	x86_hw_kick(&hw);
	CHECK(model.counted == 0xf);	/* the erratum's way out: all four counted for a moment */
	CHECK(!counting() && model.select[1] == (SELECT | X86_SEL_ENABLE) && !model.select[0] && !model.select[3]);
	x86_hw_arm(&hw, 0, SELECT);
	x86_hw_resume(&hw);
	CHECK(counting() == 3);
}

/* ---- NMIs at every register write -------------------------------------------------------------------------------- */

static u64 throttle;		/* counters that the handler stops when it finds them active */
static unsigned int countdown;	/* writes until it comes */

static void handler(void)
{
	bool running = hw.running;
	u64 rest;

	if (countdown--)
		return;
	nmi = NULL;
	x86_hw_freeze(&hw);
	CHECK(!counting());
	for (rest = throttle & hw.active; rest; rest &= rest - 1)
		x86_hw_disarm(&hw, __builtin_ctzll(rest));
	if (running)
		x86_hw_resume(&hw);
}

/* One cycle of arming, running and pausing, with an NMI at the @at-th opportunity. */
static void cycle(unsigned int at, u64 stop)
{
	nmi = handler;
	countdown = at;
	throttle = stop;
	x86_hw_arm(&hw, 0, SELECT);
	x86_hw_arm(&hw, 2, SELECT + 1);
	x86_hw_resume(&hw);
	CHECK(counting() == hw.active);
	CHECK(!(hw.active & ~5ULL) && !(5 & ~hw.active & ~stop));
	x86_hw_disarm(&hw, 0);
	x86_hw_pause(&hw);
	CHECK(!counting());
	x86_hw_arm(&hw, 1, SELECT);
	x86_hw_resume(&hw);
	CHECK(counting() == hw.active);
	x86_hw_pause(&hw);
	CHECK(!counting());
	x86_hw_disarm(&hw, 1);
	x86_hw_disarm(&hw, 2);
	nmi = NULL;
}

static void an_nmi_may_come_at_any_write_one(void)
{
	const struct x86_layout *layout = model.layout;
	unsigned int at;
	u64 stop;

	for (at = 0; at < 40; at++) {
		for (stop = 0; stop < 8; stop++) {
			begin(layout);
			cycle(at, stop);
			cycle(at, stop);
		}
	}
}

static void an_nmi_may_come_at_any_write(void)
{
	each_layout(an_nmi_may_come_at_any_write_one);
}

CASES(CASE(what_is_armed_counts_between_resume_and_pause), CASE(coming_back_writes_no_select),
      CASE(nothing_active_costs_nothing), CASE(fixed_counters), CASE(guest_only_events_do_not_count_the_host),
      CASE(host_only_follows_svm), CASE(overflow_is_seen_and_acknowledged), CASE(the_sign_tells_where_there_is_no_status),
      CASE(kick_restores_selects), CASE(an_nmi_may_come_at_any_write))
