// SPDX-License-Identifier: GPL-2.0
/*
 * Chains of callers, on IA-64: callchain.c alone, with an unwinder that finds the frames of a script.
 */
#include <linux/perf_event.h>

#include "harness.h"

struct task_struct *current;

struct unw_frame_info {
	const unsigned long *ips;	/* from where the unwinder was called, outwards */
	unsigned int at, nr;
};

struct perf_callchain_entry_ctx {
	u64 ips[8];
	unsigned int nr, most, refused;
};

static struct unw_frame_info frames;

void unw_init_running(void (*callback)(struct unw_frame_info *info, void *data), void *data)
{
	callback(&frames, data);
}

int unw_unwind(struct unw_frame_info *info)
{
	if (info->at + 1 == info->nr)
		return -1;
	info->at++;
	return 0;
}

void unw_get_ip(struct unw_frame_info *info, unsigned long *ip)
{
	*ip = info->ips[info->at];
}

int perf_callchain_store(struct perf_callchain_entry_ctx *ctx, u64 ip)
{
	if (ctx->nr == ctx->most) {
		ctx->refused++;
		return -1;
	}
	ctx->ips[ctx->nr++] = ip;
	return 0;
}

/* The code at FROM was interrupted in the second slot; the frames of who asks come before, and lie anywhere. */
#define OWN		0xa000000100100000UL
#define FROM		0xa000000100200010UL
#define CALLER(n)	(0xa000000100300000UL + 16 * (n))

static struct pt_regs at_from(void)
{
	struct pt_regs regs = { .cr_iip = FROM };

	ia64_psr(&regs)->ri = 1;
	return regs;
}

static struct perf_callchain_entry_ctx chain_of(const unsigned long *ips, unsigned int nr, unsigned int most)
{
	struct perf_callchain_entry_ctx chain = { .most = most };
	struct pt_regs regs = at_from();

	frames = (struct unw_frame_info){ .ips = ips, .nr = nr };
	perf_callchain_kernel(&chain, &regs);
	return chain;
}

#define CHAIN(most, ...) \
	chain_of((const unsigned long[]){ __VA_ARGS__ }, sizeof((unsigned long[]){ __VA_ARGS__ }) / sizeof(long), most)

static void callers_follow_what_was_interrupted(void)
{
	struct perf_callchain_entry_ctx chain = CHAIN(8, OWN, FROM + 16, CALLER(9), FROM, CALLER(1), CALLER(2));

	CHECK_EQ(chain.nr, 3);
	CHECK_EQ(chain.ips[0], FROM + 1);
	CHECK_EQ(chain.ips[1], CALLER(1));
	CHECK_EQ(chain.ips[2], CALLER(2));
	CHECK_EQ(frames.at, 5);
}

/* It has called itself. */
static void the_same_place_again_is_a_caller(void)
{
	struct perf_callchain_entry_ctx chain = CHAIN(8, OWN, FROM, CALLER(1), FROM, CALLER(2));

	CHECK_EQ(chain.nr, 4);
	CHECK_EQ(chain.ips[0], FROM + 1);
	CHECK_EQ(chain.ips[1], CALLER(1));
	CHECK_EQ(chain.ips[2], FROM);
	CHECK_EQ(chain.ips[3], CALLER(2));
}

/* The unwinder has lost its way: it does not look further. */
static void the_chain_ends_at_no_place(void)
{
	struct perf_callchain_entry_ctx chain = CHAIN(8, OWN, FROM, CALLER(1), 0, CALLER(2));

	CHECK_EQ(chain.nr, 2);
	CHECK_EQ(chain.ips[1], CALLER(1));
	chain = CHAIN(8, OWN, 0, FROM, CALLER(1));
	CHECK_EQ(chain.nr, 1);
	CHECK_EQ(frames.at, 1);
}

/* None of its own frames is given out for a caller's. */
static void who_is_not_found_has_no_callers(void)
{
	struct perf_callchain_entry_ctx chain = CHAIN(8, OWN, FROM - 16, FROM + 16, CALLER(1), CALLER(2));

	CHECK_EQ(chain.nr, 1);
	CHECK_EQ(chain.ips[0], FROM + 1);
}

static void a_full_chain_ends(void)
{
	struct perf_callchain_entry_ctx chain = CHAIN(2, OWN, FROM, CALLER(1), CALLER(2), CALLER(3));

	CHECK_EQ(chain.nr, 2);
	CHECK_EQ(chain.ips[1], CALLER(1));
	CHECK_EQ(chain.refused, 1);
	CHECK_EQ(frames.at, 3);
	chain = CHAIN(0, OWN, FROM, CALLER(1));
	CHECK_EQ(chain.refused, 1);
	CHECK_EQ(frames.at, 0);
}

static void user_code_has_one_entry(void)
{
	struct perf_callchain_entry_ctx chain = { .most = 8 };
	struct pt_regs regs = at_from();

	perf_callchain_user(&chain, &regs);
	CHECK_EQ(chain.nr, 1);
	CHECK_EQ(chain.ips[0], FROM + 1);
}

CASES(CASE(callers_follow_what_was_interrupted), CASE(the_same_place_again_is_a_caller),
      CASE(the_chain_ends_at_no_place), CASE(who_is_not_found_has_no_callers), CASE(a_full_chain_ends),
      CASE(user_code_has_one_entry))
