// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: orders to the security module that refuses, and what it was asked.
 *
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "module.h"

#define MODULE		"/sys/kernel/debug/pcl_refusing/"
#define EVENTS		"/sys/kernel/pcl/objects/events"

static const char *const hooks[NR_HOOKS] = {
	"open", "cpu", "kernel", "tracepoint", "alloc", "read", "write", "lockdown",
};

static long number_in(const char *path)
{
	long value;
	FILE *f = fopen(path, "r");

	if (!f || fscanf(f, "%ld", &value) != 1)
		FAIL("cannot read %s: has this kernel CONFIG_PCL_REFUSING_TEST?", path);
	fclose(f);
	return value;
}

static long told(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), MODULE "%s", name);
	return number_in(path);
}

static void write_number(const char *name, unsigned int value)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), MODULE "%s", name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%u\n", value) < 0 || fclose(f))
		FAIL("cannot write to %s: has this kernel CONFIG_PCL_REFUSING_TEST?", path);
}

void refuse_after(int first, unsigned int mask)
{
	write_number("refuse", 0);
	write_number("first", first);
	write_number("refuse", test_busted("refusing") ? 0 : mask);
}

void refuse(unsigned int mask)
{
	refuse_after(0, mask);
}

static long asked[NR_HOOKS];		/* before what a test does */
static struct test_objects before;

void mark(void)
{
	int i;

	for (i = 0; i < NR_HOOKS; i++)
		asked[i] = told(hooks[i]);
	test_objects_get(&before);
	watch_refusals();
}

long asked_for(unsigned int hook)
{
	return told(hooks[hook]) - asked[hook];
}

void must_be_asked(unsigned int hook, long times)
{
	long more = asked_for(hook);

	if (more != times)
		FAIL("the hook `%s` was asked %ld times, not %ld", hooks[hook], more, times);
}

void must_hold(long nr)
{
	int periods;

	for (periods = 0; periods < 100 && number_in(EVENTS) != nr; periods++)
		test_wait_for_frees();
	CHECK_EQ(number_in(EVENTS), nr);
	CHECK_EQ(told("held"), nr);
	CHECK_EQ(told("strays"), 0);
}

void must_be_as_before(void)
{
	long nr;
	const char *changed = test_objects_changed(&before, &nr);

	if (changed)
		FAIL("%s is %ld", changed, nr);
	must_hold(before.nr[0]);
}

void module_begin(void)
{
	refuse(0);
	trace_refusals();
	mark();
}

void must_refuse(long result, int error)
{
	struct refusal refusal = first_refusal();

	if (result >= 0)
		FAIL("it is not refused");
	if (error != REFUSAL)
		FAIL("the errno is %d (%s), not the module's", error, strerror(error));
	CHECK_EQ(refusal.reason, PCL_REASON_SECURITY_MODULE);
	CHECK_EQ(refusal.err, -REFUSAL);
}
