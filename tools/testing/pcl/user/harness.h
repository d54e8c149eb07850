/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the user-space tests share: cases, checks, random numbers, TAP.
 *
 * A test file ends with CASES(...); each case is a function without arguments. A check that fails ends its case; the
 * seed in the message repeats it (SEED=... in the environment). With FIRST=1 the first case that fails is the last, which
 * is enough for a program that has to fail.
 */
#ifndef PCL_USER_HARNESS_H
#define PCL_USER_HARNESS_H

#include <inttypes.h>
#include <setjmp.h>

static u64 seed;
static u64 random_state;
static jmp_buf failed;

void (*pcl_shim_interrupt)(void);

/* SplitMix64 */
static inline u64 random_u64(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* 0 <= result < @n */
static inline u64 random_below(u64 n)
{
	return random_u64() % n;
}

#define CHECK(condition) do {								\
	if (!(condition)) {								\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition);		\
		longjmp(failed, 1);							\
	}										\
} while (0)

#define CHECK_EQ(a, b) do {								\
	u64 a_ = (u64)(a), b_ = (u64)(b);						\
											\
	if (a_ != b_) {									\
		printf("# %s:%d: %s is %" PRIu64 ", %s is %" PRIu64 "\n", __FILE__, __LINE__, \
		       #a, a_, #b, b_);							\
		longjmp(failed, 1);							\
	}										\
} while (0)

struct test_case {
	const char *name;
	void (*run)(void);
};

static int run_cases(const struct test_case *cases, unsigned int nr)
{
	const char *given = getenv("SEED");
	bool first = getenv("FIRST");
	unsigned int i, bad = 0;

	seed = given ? strtoull(given, NULL, 0) : 0x50434c;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", nr);
	for (i = 0; i < nr && !(first && bad); i++) {
		random_state = seed + i;
		pcl_shim_interrupt = NULL;
		if (!setjmp(failed)) {
			cases[i].run();
			printf("ok %u - %s\n", i + 1, cases[i].name);
			continue;
		}
		bad++;
		printf("not ok %u - %s # SEED=%" PRIu64 "\n", i + 1, cases[i].name, seed);
	}
	return bad != 0;
}

#define CASE(function) { #function, function }
#define CASES(...)									\
int main(void)										\
{											\
	static const struct test_case cases[] = { __VA_ARGS__ };			\
											\
	return run_cases(cases, ARRAY_SIZE(cases));					\
}

#endif
