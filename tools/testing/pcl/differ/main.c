// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: plays random sequences of calls, each in a process of its own, and prints them:
 *
 *	differ --seed S --from F --sequences N [--theme THEME]
 *
 * Concepts: sequences run on CPU 0, and everything else is sent to CPU 1. A keeper holds an event of each kind, so that
 *	no sequence opens the first or closes the last, for which a kernel changes its code and waits.
 * Contexts: root of a virtual machine with two CPUs, which is thrown away afterwards.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "../selftests/lib/cgroup.h"
#include "../selftests/lib/trace.h"
#include "differ.h"

#define MOST_SECONDS	300	/* of a sequence that hangs */

const char *const theme_names[NR_THEMES] = {
	"opens", "groups", "rings", "samples", "happenings", "controls", "families", "processors", "tracepoints",
	"breakpoints", "cgroups", "users", "hotplug",
};

struct sequence now;
/* On a page of their own: at the first write to a page that fork left shared, the emulator tells of any watchpoint there. */
volatile long watched[PAGE / sizeof(long)] __attribute__((aligned(PAGE)));
uint64_t call_tracepoint;
uint32_t probe_types[2];

static struct options {
	uint64_t seed, from, nr;
	int theme;			/* -1: any */
} options = { .seed = 1, .nr = 100, .theme = -1 };

static long paranoid;

/* ---- a sequence ---- */

static enum theme any_theme(void)
{
	static const unsigned char weights[NR_THEMES] = {
		[OPENS] = 12, [GROUPS] = 10, [RINGS] = 12, [SAMPLES] = 12, [HAPPENINGS] = 8, [CONTROLS] = 12,
		[FAMILIES] = 8, [PROCESSORS] = 6, [TRACEPOINTS] = 8, [BREAKPOINTS] = 8, [CGROUPS] = 4, [USERS] = 6,
		[HOTPLUG] = 1,
	};

	return weighted(weights, NR_THEMES);
}

static void become_somebody(void)
{
	long level = (long)roll(5) - 1;

	sysctl_set("perf_event_paranoid", level);
	printf("paranoid %ld\n", level);
	if (!odds(4)) {
		drop_privileges();
		printf("nobody\n");
	}
}

/* Calls go on after one. */
static void catch_signals(void)
{
	struct sigaction action;

	catch_signal(SIGTRAP);
	CHECK(!sigaction(SIGTRAP, NULL, &action));
	action.sa_flags |= SA_RESTART;
	CHECK(!sigaction(SIGTRAP, &action, NULL));
}

/* As far as any call lets it grow. */
__attribute__((noinline))
static void grow_stack(void)
{
	char room[256 * 1024];
	size_t at;

	for (at = 0; at < sizeof(room); at += PAGE)
		((volatile char *)room)[at] = 0;
}

static void play(void)
{
	unsigned int i, nr;

	alarm(MOST_SECONDS);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	names_begin();
	catch_signals();
	pin_to_cpu(0);
	for (i = 0; i < NR_SLOTS; i++)
		now.slots[i] = (struct slot){ .fd = -1, .writes_to = -1, .group = -1 };
	if (now.theme == USERS)
		become_somebody();
	/* Only what is mapped from here on may fault. */
	grow_stack();
	CHECK(!mlockall(MCL_CURRENT) && !munlockall());
	nr = 8 + roll(16);
	for (i = 0; i < nr; i++)
		call_random(i);
	calls_end();
	fflush(stdout);
}

/* ---- where they are played ---- */

/* Every program but the sequences, so that nothing else counts on CPU 0. Threads of the kernel stay where they are. */
static void clear_cpu0(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char path[280], to[4];
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/exe", entry->d_name);
		if (atoi(entry->d_name) > 0 && readlink(path, to, sizeof(to)) > 0)
			sched_setaffinity(atoi(entry->d_name), sizeof(set), &set);
	}
	closedir(dir);
}

static void keep(void)
{
	static const struct {
		uint32_t type;
		uint64_t config;
	} kept[] = {
		{ INSTRUCTIONS }, { PAGE_FAULTS }, { TASK_CLOCK }, { CPU_CLOCK }, { SWITCHES }, { DUMMY },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN }, { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS }, { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS }, { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES },
	};
	struct perf_event_attr attr;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		attr = event_attr(kept[i].type, kept[i].config);
		attr.mmap = attr.comm = attr.task = 1;
		must_open_self(&attr);
	}
	attr = trace_attr(CALL);
	must_open_self(&attr);
	for (;;)
		pause();
}

static pid_t keeper_start(void)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid)
		keep();
	await_sleep(pid);
	return pid;
}

/* What a sequence may have left that the next would see. */
static void repair(void)
{
	if (now.theme == USERS && sysctl_get("perf_event_paranoid") != paranoid)
		sysctl_set("perf_event_paranoid", paranoid);
	if (now.theme != HOTPLUG)
		return;
	if (cpus_online() < 2)
		CHECK(cpu1_set(true));
	/* Who was on the CPU that went may be anywhere since. */
	clear_cpu0();
}

static void play_all(void)
{
	struct timespec begin, end;
	uint64_t number;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (number = options.from; number < options.from + options.nr; number++) {
		chance_begin(options.seed, number);
		now.theme = any_theme();
		if (options.theme >= 0)
			now.theme = options.theme;
		printf("sequence %llu %s\n", (unsigned long long)number, theme_names[now.theme]);
		fflush(stdout);
		pid = fork();
		CHECK(pid >= 0);
		if (!pid) {
			play();
			_exit(0);
		}
		CHECK(waitpid(pid, &status, 0) == pid);
		if (status)
			printf("ended by status %#x\n", status);
		repair();
	}
	printf("end\n");
	clock_gettime(CLOCK_MONOTONIC, &end);
	fprintf(stderr, "# %llu sequences, %ld s\n", (unsigned long long)options.nr, (long)(end.tv_sec - begin.tv_sec));
}

static void parse(int argc, char **argv)
{
	int i, theme;

	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			options.seed = strtoull(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--from"))
			options.from = strtoull(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--sequences"))
			options.nr = strtoull(argv[i + 1], NULL, 0);
		for (theme = 0; !strcmp(argv[i], "--theme") && theme < NR_THEMES; theme++)
			if (!strcmp(argv[i + 1], theme_names[theme]))
				options.theme = theme;
	}
}

int main(int argc, char **argv)
{
	char *nothing = NULL;
	pid_t keeper;

	if (argc > 1 && !strcmp(argv[1], "member"))
		member_serve();
	/* The same addresses in each run, those of the stack as well: the environment lies there, and names the kernel. */
	if (!(personality(~0UL) & ADDR_NO_RANDOMIZE)) {
		personality(ADDR_NO_RANDOMIZE);
		execve("/proc/self/exe", argv, &nothing);
	}
	parse(argc, argv);
	lift_throttling();
	paranoid = sysctl_get("perf_event_paranoid");
	call_tracepoint = tracepoint_number(CALL);
	probe_types[0] = pmu_type("kprobe");
	cgroups_begin(FIRST);
	keeper = keeper_start();
	clear_cpu0();
	play_all();
	kill(keeper, SIGKILL);
	waitpid(keeper, NULL, 0);
	cgroups_end();
	return 0;
}
