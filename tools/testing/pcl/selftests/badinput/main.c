// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: makes bad calls and prints what the kernel says to each, one line a row:
 *
 *	row NAME RESULT [MORE] [| REASON]
 *	row NAME # SKIP WHY
 *
 * Concepts: RESULT is "accepted", a number, or the errno's name. Two kernels are compared by comparing lines. On PCL
 *	the reason is asked for twice: a refused open is repeated with PCL_FLAG_OPEN, any other call leaves its reason in the
 *	tracepoint pcl:refuse. Both must give the errno of the plain call.
 * Contexts: root; each row in a child of its own, since a row may drop privileges or leave events open.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "rows.h"

static char more[128];
static long paranoid;		/* as it was; rows set it */

void tell(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(more, sizeof(more), format, arguments);
	va_end(arguments);
}

int good_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = event_attr(type, config);

	return must_open_self(&attr);
}

int good_leader(void)
{
	return good_event(CPU_CLOCK);
}

int good_on_cpu(int cpu)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	return must_open(&attr, -1, cpu, -1);
}

uint32_t pmu_here(const char *name)
{
	if (!have_pmu_of(name))
		test_skip("this machine has no PMU %s", name);
	return pmu_type(name);
}

uint64_t tracepoint_here(const char *name)
{
	if (!have_tracepoint(name))
		test_skip("no tracepoint %s here", name);
	return tracepoint_number(name);
}

/* It ends when this process does and so closes the pipe. */
pid_t living_child(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	return pid;
}

/* ---- reasons ---- */

static const char *reason_name(uint32_t reason)
{
#define ROW(name, errnum, field, text) if (reason == PCL_REASON_##name) return #name;
	PCL_REASONS(ROW)
#undef ROW
	return "";
}

/* ---- printing ---- */

static void print_row(const char *name, long result, int error, const char *reason)
{
	if (result < 0)
		printf("row %s %s", name, strerrorname_np(error) ?: "unknown");
	else if (result > 0)
		printf("row %s %ld", name, result);
	else
		printf("row %s accepted", name);
	if (*more)
		printf(" %s", more);
	if (*reason)
		printf(" | %s", reason);
	printf("\n");
	fflush(stdout);
}

static long do_open(const struct call *call)
{
	return event_open(call->attr_at ?: &call->attr, call->pid, call->cpu, call->group, call->flags);
}

/* Repeats a refused open through the extension. */
static void ask_reason(const struct call *call, int error, char *reason, size_t size)
{
	struct pcl_open open = {
		.size = sizeof(open),
		.attr = (uintptr_t)(call->attr_at ?: &call->attr),
	};
	long result;

	if (!is_pcl())
		return;
	errno = 0;
	result = event_open((void *)&open, call->pid, call->cpu, call->group, call->flags | PCL_FLAG_OPEN);
	if (result >= 0 || errno != error)
		snprintf(reason, size, "(with PCL_FLAG_OPEN: %s)", result >= 0 ? "accepted" : strerrorname_np(errno));
	else
		snprintf(reason, size, "%s", reason_name(open.why_reason));
}

static void run_open_row(const struct open_row *row)
{
	struct call call = { .attr = event_attr(CPU_CLOCK), .cpu = -1, .group = -1 };
	struct call untouched = call;
	/* The kernel's own, which grew with config3. */
	uint32_t own = is_pcl() ? PERF_ATTR_SIZE_VER8 : PERF_ATTR_SIZE_VER7, size;
	const char *traced = "";
	char reason[128] = "";
	long result;
	int error;

	row->prepare(&call);
	if (test_busted("input"))
		call = untouched;
	size = call.attr.size;
	watch_refusals();
	result = do_open(&call);
	error = errno;
	if (call.attr.size != size)
		tell(call.attr.size == own ? "size=own" : "size=%u", call.attr.size);
	if (result < 0) {
		/* What is refused before the extension's struct is looked at can only be traced. */
		traced = reason_name(first_refusal().reason);
		call.attr.size = size;
		if (call.attr_at && error == E2BIG)	/* the size was written back there */
			((struct perf_event_attr *)call.attr_at)->size = size;
		ask_reason(&call, error, reason, sizeof(reason));
	}
	if (!*reason)
		strcpy(reason, traced);
	print_row(row->name, result < 0 ? result : 0, error, reason);
}

static void run_use_row(const struct use_row *row)
{
	const char *reason = "";
	long result;
	int error;

	result = row->use();
	error = errno;
	if (result < 0)
		reason = reason_name(first_refusal().reason);
	print_row(row->name, test_busted("input") ? 77 : result, error, reason);
}

/* A row may have taken it away. */
static void bring_cpu1_back(void)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, "1", 1) < 0)
		perror("CPU 1");
	close(fd);
}

/* Whether the row said why not, of which there is no comparison. */
static bool print_skip(const char *name, int status, int reason)
{
	char why[128];
	ssize_t length;

	if (!WIFEXITED(status) || WEXITSTATUS(status) != TEST_SKIPPED)
		return false;
	length = read(reason, why, sizeof(why) - 1);
	why[length > 0 ? length : 0] = '\0';
	printf("row %s # SKIP %s\n", name, why);
	return true;
}

/* Each row in a child; a row that does not reach its call says so. */
static bool in_own_child(const char *name, const struct open_row *open_row, const struct use_row *use_row)
{
	int status, reason[2];
	bool skipped;
	pid_t pid;

	if (pipe2(reason, O_CLOEXEC | O_NONBLOCK)) {
		perror("pipe");
		exit(2);
	}
	watch_refusals();	/* also for rows that drop the privilege to do it */
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!pid) {
		alarm(60);
		test_skips_to(reason[1]);
		if (open_row)
			run_open_row(open_row);
		else
			run_use_row(use_row);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	sysctl_set("perf_event_paranoid", paranoid);
	bring_cpu1_back();
	skipped = print_skip(name, status, reason[0]);
	close(reason[0]);
	close(reason[1]);
	if (status && !skipped)
		printf("row %s did-not-run %d\n", name, status);
	return !status || skipped;
}

int main(void)
{
	unsigned int i, missing = 0;

	paranoid = sysctl_get("perf_event_paranoid");
	setvbuf(stdout, NULL, _IOLBF, 0);
	trace_refusals();
	for (i = 0; open_rows[i].name; i++)
		missing += !in_own_child(open_rows[i].name, &open_rows[i], NULL);
	for (i = 0; use_rows[i].name; i++)
		missing += !in_own_child(use_rows[i].name, NULL, &use_rows[i]);
	return missing ? 1 : 0;
}
