// SPDX-License-Identifier: GPL-2.0
/*
 * The causes of refusals: each row of the table is reached by a situation that
 * is made by hand, and none but it. The PMUs kprobe and uprobe are those of unit.sh.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "internal.h"
#include "tap.h"

#define CAP(c)		(1ull << (c))
#define KPROBE		6	/* as unit.sh has it */

/* A user without rights on a stock kernel with a PMU; a row changes what it is about. */
static const struct rights user = {
	.first_userns = true, .core_pmu = true, .paranoid = 2, .max_rate = 100000,
	.nofile = { 64, 64 },
};

struct situation {
	int line;
	const char *cause;
	struct perf_event_attr attr;
	struct refused call;
	struct rights rights;
};

#define USER_ONLY	.exclude_kernel = 1
#define CYCLES		.type = PERF_TYPE_HARDWARE
#define SWITCHES	.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES
#define ALLOWED		.first_userns = true, .core_pmu = true, .paranoid = 2, .caps = CAP(CAP_PERFMON)
#define ANY_USER	.first_userns = true, .core_pmu = true, .paranoid = 2
#define ROW(name, a, c, r) { __LINE__, name, a, c, r }
#define ATTR(...)	{ __VA_ARGS__ }
#define CALL(...)	{ __VA_ARGS__ }
#define RIGHTS(...)	{ __VA_ARGS__ }

static const struct situation situations[] = {
	ROW("seccomp", ATTR(CYCLES), CALL(.err = EPERM), RIGHTS(ALLOWED, .seccomp = true, .filter_errno = EPERM, .least_errno = EPERM)),
	ROW("seccomp", ATTR(CYCLES), CALL(.err = ENOSYS), RIGHTS(ANY_USER, .seccomp = true, .filter_errno = ENOSYS, .least_errno = ENOSYS)),
	ROW("no-perf-events", ATTR(CYCLES), CALL(.err = ENOSYS), RIGHTS(ANY_USER, .filter_errno = ENOSYS, .least_errno = ENOSYS)),
	ROW("sandbox", ATTR(CYCLES), CALL(.err = EPERM), RIGHTS(ALLOWED, .filter_errno = EPERM, .least_errno = EPERM)),
	ROW("not-built", ATTR(CYCLES), CALL(.err = EINVAL, .kernel = "samples with AUX are not built yet"), RIGHTS(ALLOWED)),
	ROW("told", ATTR(CYCLES), CALL(.err = EINVAL, .kernel = "a reserved flag is set"), RIGHTS(ALLOWED)),
	ROW("paranoid-any", ATTR(CYCLES, USER_ONLY), CALL(.err = EACCES), RIGHTS(.first_userns = true, .paranoid = 3, .least_errno = EACCES)),
	ROW("paranoid-kernel", ATTR(CYCLES), CALL(.err = EACCES), RIGHTS(.first_userns = true, .paranoid = 3)),
	ROW("security-module", ATTR(CYCLES, USER_ONLY), CALL(.err = EACCES), RIGHTS(ANY_USER, .least_errno = EACCES)),
	ROW("security-module", ATTR(CYCLES), CALL(.err = EACCES), RIGHTS(ALLOWED, .least_errno = EACCES)),
	ROW("security-module", ATTR(CYCLES), CALL(.err = EPERM), RIGHTS(ANY_USER, .seccomp = true, .least_errno = EPERM)),
	ROW("lockdown", ATTR(CYCLES, .sample_type = PERF_SAMPLE_REGS_INTR), CALL(.err = EPERM), RIGHTS(ALLOWED, .lockdown = true)),
	ROW("probe-capability", ATTR(.type = KPROBE), CALL(.err = EACCES), RIGHTS(.first_userns = true, .paranoid = -1)),
	ROW("namespaces-capability", ATTR(CYCLES, USER_ONLY, .namespaces = 1), CALL(.err = EACCES), RIGHTS(ANY_USER)),
	ROW("kernel-breakpoint", ATTR(.type = PERF_TYPE_BREAKPOINT, .bp_addr = -4096ull), CALL(.err = EPERM), RIGHTS(.first_userns = true, .paranoid = 1)),
	ROW("user-namespace", ATTR(CYCLES), CALL(.err = EACCES), RIGHTS(.paranoid = 2, .caps = CAP(CAP_SYS_ADMIN))),
	ROW("paranoid-cpu", ATTR(CYCLES, USER_ONLY), CALL(.err = EACCES, .pid = -1, .cpu = 0), RIGHTS(.first_userns = true, .paranoid = 1)),
	ROW("paranoid-cpu", ATTR(.type = PERF_TYPE_TRACEPOINT), CALL(.err = EACCES, .pid = -1, .cpu = 0), RIGHTS(.first_userns = true, .paranoid = 1)),
	ROW("paranoid-tracepoint", ATTR(.type = PERF_TYPE_TRACEPOINT), CALL(.err = EPERM), RIGHTS(.first_userns = true, .paranoid = 0)),
	ROW("paranoid-tracepoint", ATTR(.type = PERF_TYPE_TRACEPOINT), CALL(.err = EPERM), RIGHTS(ANY_USER)),
	ROW("paranoid-switch", ATTR(SWITCHES), CALL(.err = EACCES), RIGHTS(ANY_USER)),
	ROW("paranoid-kernel", ATTR(CYCLES), CALL(.err = EACCES), RIGHTS(ANY_USER)),
	ROW("paranoid-kernel", ATTR(CYCLES, USER_ONLY, .sample_type = PERF_SAMPLE_PHYS_ADDR), CALL(.err = EACCES), RIGHTS(ANY_USER)),
	ROW("paranoid-kernel", ATTR(.type = PERF_TYPE_TRACEPOINT), CALL(.err = EACCES), RIGHTS(ANY_USER)),
	ROW("other-task", ATTR(CYCLES, USER_ONLY), CALL(.err = EACCES, .pid = 1), RIGHTS(ANY_USER)),
	ROW("denied", ATTR(CYCLES), CALL(.err = EACCES), RIGHTS(ALLOWED)),
	ROW("denied", ATTR(CYCLES), CALL(.err = EPERM), RIGHTS(ALLOWED, .seccomp = true)),
	ROW("paranoid-cpu", ATTR(CYCLES, USER_ONLY), CALL(.err = EACCES, .pid = 7, .flags = PERF_FLAG_PID_CGROUP), RIGHTS(ANY_USER)),
	ROW("cgroup", ATTR(CYCLES), CALL(.err = EBADF, .pid = 7, .flags = PERF_FLAG_PID_CGROUP), RIGHTS(ALLOWED)),
	ROW("no-pmu-vm", ATTR(CYCLES), CALL(.err = ENOENT), RIGHTS(.first_userns = true, .virtual_machine = true)),
	ROW("no-pmu", ATTR(.type = PERF_TYPE_RAW), CALL(.err = ENOENT), RIGHTS(.first_userns = true)),
	ROW("no-tracepoint", ATTR(.type = PERF_TYPE_TRACEPOINT), CALL(.err = ENOENT), RIGHTS(ALLOWED)),
	ROW("branch-stack-software", ATTR(.type = PERF_TYPE_SOFTWARE, .sample_type = PERF_SAMPLE_BRANCH_STACK), CALL(.err = EOPNOTSUPP), RIGHTS(ALLOWED)),
	ROW("branch-stack", ATTR(CYCLES, .sample_type = PERF_SAMPLE_BRANCH_STACK), CALL(.err = EOPNOTSUPP), RIGHTS(ALLOWED)),
	ROW("aux", ATTR(CYCLES, .sample_type = PERF_SAMPLE_AUX), CALL(.err = EINVAL), RIGHTS(ALLOWED)),
	ROW("no-cache-event", ATTR(.type = PERF_TYPE_HW_CACHE), CALL(.err = ENOENT), RIGHTS(ALLOWED)),
	ROW("no-event", ATTR(CYCLES), CALL(.err = ENOENT), RIGHTS(ALLOWED)),
	ROW("precise", ATTR(CYCLES, .precise_ip = 3), CALL(.err = EOPNOTSUPP), RIGHTS(ALLOWED)),
	ROW("no-interrupt", ATTR(CYCLES, .sample_period = 100), CALL(.err = EOPNOTSUPP), RIGHTS(ALLOWED)),
	ROW("unsupported", ATTR(CYCLES), CALL(.err = EOPNOTSUPP), RIGHTS(ALLOWED)),
	ROW("no-device", ATTR(CYCLES), CALL(.err = ENODEV), RIGHTS(ALLOWED)),
	ROW("rate", ATTR(CYCLES, .freq = 1, .sample_freq = 200000), CALL(.err = EINVAL), RIGHTS(ALLOWED, .max_rate = 100000)),
	ROW("group-size", ATTR(CYCLES), CALL(.err = EINVAL, .group_fd = 5, .opens_alone = true), RIGHTS(ALLOWED)),
	ROW("package", ATTR(.type = 99), CALL(.err = EINVAL, .of_package = true), RIGHTS(ALLOWED)),
	ROW("precise-event", ATTR(CYCLES, .precise_ip = 1), CALL(.err = EINVAL), RIGHTS(ALLOWED)),
	ROW("breakpoint", ATTR(.type = PERF_TYPE_BREAKPOINT, .bp_addr = 1), CALL(.err = EINVAL), RIGHTS(ALLOWED)),
	ROW("inherit-read", ATTR(CYCLES, .inherit = 1, .sample_type = PERF_SAMPLE_READ), CALL(.err = EINVAL), RIGHTS(ALLOWED)),
	ROW("file-limit", ATTR(CYCLES), CALL(.err = EMFILE), RIGHTS(ALLOWED, .nofile = { 64, 64 })),
	ROW("files", ATTR(CYCLES), CALL(.err = ENFILE), RIGHTS(ALLOWED)),
	ROW("busy", ATTR(CYCLES), CALL(.err = EBUSY), RIGHTS(ALLOWED)),
	ROW("breakpoints", ATTR(.type = PERF_TYPE_BREAKPOINT), CALL(.err = ENOSPC), RIGHTS(ALLOWED)),
	ROW("task-ended", ATTR(CYCLES), CALL(.err = ESRCH, .pid = 77), RIGHTS(ALLOWED)),
	ROW("old-kernel", ATTR(CYCLES), CALL(.err = E2BIG), RIGHTS(ALLOWED)),
	ROW("memory", ATTR(CYCLES), CALL(.err = ENOMEM), RIGHTS(ALLOWED)),
	ROW("stack-dump", ATTR(CYCLES, .sample_type = PERF_SAMPLE_STACK_USER), CALL(.err = ENOSYS), RIGHTS(ALLOWED)),
	ROW("max-stack", ATTR(CYCLES), CALL(.err = EOVERFLOW), RIGHTS(ALLOWED)),
	ROW("attributes", ATTR(CYCLES), CALL(.err = EINVAL), RIGHTS(ALLOWED)),
	ROW("other", ATTR(CYCLES), CALL(.err = EIO), RIGHTS(ALLOWED)),
};

static void test_each_cause(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(situations); i++) {
		struct refused call = situations[i].call;
		const struct cause *found;

		call.attr = &situations[i].attr;
		found = cause_find(&call, &situations[i].rights);
		if (!tap_ok(!strcmp(found->name, situations[i].cause), "line %d: %s",
			    situations[i].line, situations[i].cause))
			printf("# found '%s'\n", found->name);
	}
}

static void test_all_rows_reached(void)
{
	size_t nr, i, k;
	const struct cause *t = causes_table(&nr);

	for (i = 0; i < nr; i++) {
		for (k = 0; k < ARRAY_SIZE(situations); k++)
			if (!strcmp(situations[k].cause, t[i].name))
				break;
		tap_ok(k < ARRAY_SIZE(situations), "the row '%s' has a situation", t[i].name);
		for (k = 0; k < i; k++)
			if (!strcmp(t[k].name, t[i].name))
				break;
		tap_ok(k == i, "the name '%s' is its own", t[i].name);
	}
}

/* No text keeps a brace: every word in one is known. */
static void test_words(void)
{
	static const int errnos[] = { EACCES, EPERM, ENOENT, EINVAL, EMFILE, EOPNOTSUPP, ENODEV };
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr) };
	size_t nr, i;
	const struct cause *t = causes_table(&nr);
	struct explanation x;
	char *line;

	for (i = 0; i < nr; i++) {
		char *why = cause_text(t[i].why, &attr, &user), *fix = cause_text(t[i].fix, &attr, &user);

		tap_ok(!strpbrk(why, "{}") && !strpbrk(fix, "{}") && (*why || *fix),
		       "the words of '%s' are filled in", t[i].name);
		free(why);
		free(fix);
	}
	for (i = 0; i < ARRAY_SIZE(errnos); i++) {
		struct refused c = { .attr = &attr, .cpu = -1, .group_fd = -1, .err = errnos[i] };

		explain(&x, &c);
		line = explanation_line(&x);
		tap_ok(strstr(line, x.why) && strstr(line, x.fix), "errno %d becomes a line", errnos[i]);
		free(line);
		explanation_free(&x);
	}
}

/* What doctor makes of the sentences of a kernel. */
static void test_sentences(void)
{
	static const struct {
		const char *in[5];
		const char *out;
	} rows[] = {
		{ { "samples with A are not built yet" }, "samples with A are not built yet" },
		{ { "filters are not built yet", "a pair is not built yet" }, "filters, a pair are not built yet" },
		{ { "x is off", "y is on", "z is on" }, "x is off; y, z are on" },
		{ { "x is on", "y is on", "no such event" }, "x, y are on; no such event" },
		{ { "no such event", "no such PMU" }, "no such event; no such PMU" },
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str_set s = { 0 };
		char *text;

		for (k = 0; k < ARRAY_SIZE(rows[i].in) && rows[i].in[k]; k++)
			str_set_add(&s, rows[i].in[k]);
		text = sentences_join(&s);
		if (!tap_ok(!strcmp(text, rows[i].out), "sentences: %s", rows[i].out))
			printf("# got '%s'\n", text);
		free(text);
		str_set_free(&s);
	}
}

/*
 * A program with CAP_PERFMON serves everybody who may run it: whoever advises
 * that says what they then see, and first leaves it to a group.
 */
static void test_capability(void)
{
	size_t nr, i, told = 0;
	const struct cause *t = causes_table(&nr);

	for (i = 0; i < nr; i++) {
		const char *set = strstr(t[i].fix, "setcap "), *group = strstr(t[i].fix, "chgrp "),
			   *mode = strstr(t[i].fix, "chmod 750 ");

		if (!set)
			continue;
		told++;
		/* another group takes the capability off, so that comes last */
		tap_ok(strstr(t[i].fix, "all that programs and the kernel do") && group && mode &&
		       group < mode && mode < set,
		       "'%s': the capability is for a group, and what it shows is told", t[i].name);
	}
	tap_ok(told, "the capability is advised of (%zu times)", told);
}

int main(void)
{
	test_each_cause();
	test_all_rows_reached();
	test_words();
	test_sentences();
	test_capability();
	return tap_end();
}
