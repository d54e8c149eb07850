/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests as a table of functions, each run in a child of its own; the results in TAP.
 *
 * A test function returns when all holds. A CHECK that does not hold prints where and what, and ends the child, so the
 * lines after it may rely on it. A test that crashes, or does not end within its bound, fails alone.
 */
#ifndef PCL_TEST_TAP_H
#define PCL_TEST_TAP_H

#include <stdbool.h>
#include <stdint.h>

struct test {
	const char *name;
	void (*run)(long argument);
	long argument;
};

#define TEST(function)			{ .name = #function, .run = function }
#define TEST_WITH(function, what, arg)	{ .name = #function " " what, .run = function, .argument = arg }
#define TESTS_RUN(table)		tests_run(table, sizeof(table) / sizeof((table)[0]))

int tests_run(const struct test *tests, unsigned int nr);

__attribute__((noreturn, format(printf, 3, 4)))
void test_fail(const char *file, int line, const char *format, ...);
__attribute__((noreturn, format(printf, 1, 2)))
void test_skip(const char *format, ...);
/* For a program that runs no table: where test_skip() writes its reason, and how the child ends. */
void test_skips_to(int fd);
enum { TEST_SKIPPED = 18 };
__attribute__((format(printf, 1, 2)))
void test_note(const char *format, ...);

#define FAIL(...) test_fail(__FILE__, __LINE__, __VA_ARGS__)

#define CHECK(condition)								\
	do {										\
		if (!(condition))							\
			FAIL("does not hold: %s", #condition);				\
	} while (0)

#define CHECK_EQ(got, want)								\
	do {										\
		long long got_ = (long long)(got), want_ = (long long)(want);		\
											\
		if (got_ != want_)							\
			FAIL("%s is %lld, not %lld (%s)", #got, got_, want_, #want);	\
	} while (0)

#define CHECK_RANGE(got, low, high)							\
	do {										\
		long long got_ = (long long)(got);					\
		long long low_ = (long long)(low), high_ = (long long)(high);		\
											\
		if (got_ < low_ || got_ > high_)					\
			FAIL("%s is %lld, not in [%lld, %lld]", #got, got_, low_, high_); \
	} while (0)

/* @call shall fail with @error. */
#define CHECK_ERRNO(call, error)							\
	do {										\
		errno = 0;								\
		if ((call) >= 0)							\
			FAIL("%s succeeds, should fail with %s", #call, #error);	\
		if (errno != (error))							\
			FAIL("%s fails with errno %d, not %s", #call, errno, #error);	\
	} while (0)

/* PCL_SMALL in the environment: a slow kernel, fewer repetitions. */
unsigned long test_count(unsigned long normal, unsigned long small);

/*
 * PCL_BUST names faults, separated by commas, that the tests shall cause: each test that looks for the fault must fail then, or proves
 * nothing. README.md lists the names.
 */
bool test_busted(const char *fault);

/* How many there are of each kind of the engine's objects; -1 when the kernel does not tell. */
enum { OBJECT_KINDS = 3 };

struct test_objects {
	long nr[OBJECT_KINDS];
};

void test_objects_get(struct test_objects *objects);
/* Some time, in which what RCU frees may go. */
void test_wait_for_frees(void);
/* The first kind of which there are not as many, grace periods later, and how many; NULL: none. */
const char *test_objects_changed(const struct test_objects *before, long *nr);
/* The first kind of which some are left; NULL: none, or the kernel does not tell. Each test is followed by this. */
const char *test_object_left(long *nr);

#endif
