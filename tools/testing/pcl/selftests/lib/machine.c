// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what tests ask of the machine: page faults, sysctls, CPUs, privileges, child processes.
 *
 * Contexts: a test's child process, as root unless it dropped that.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "event.h"

#define ORDINARY_USER 65534	/* nobody */

long sysctl_get(const char *name)
{
	char path[256];
	long value;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%ld", &value) != 1)
		FAIL("cannot read %s", path);
	fclose(f);
	return value;
}

void sysctl_set(const char *name, long value)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%ld\n", value) < 0 || fclose(f))
		FAIL("cannot write %ld to %s: %s", value, path, strerror(errno));
}

void lift_throttling(void)
{
	/* The order matters: with the CPU share at 0 the rate cannot be set. */
	if (sysctl_get("perf_cpu_time_max_percent") == 0)
		sysctl_set("perf_cpu_time_max_percent", 25);
	sysctl_set("perf_event_max_sample_rate", 10000000);
	sysctl_set("perf_cpu_time_max_percent", 0);
}

char *fresh_pages(unsigned long nr)
{
	char *at = mmap(NULL, nr * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(at != MAP_FAILED);
	/* EINVAL: this kernel knows no others */
	CHECK(!madvise(at, nr * PAGE, MADV_NOHUGEPAGE) || errno == EINVAL);
	return at;
}

void touch_pages(volatile char *at, unsigned long first, unsigned long nr)
{
	unsigned long i;

	for (i = first; i < first + nr; i++)
		at[i * PAGE] = 1;
}

void touch_fresh_pages(unsigned long nr)
{
	char *at = fresh_pages(nr);

	touch_pages(at, 0, nr);
	CHECK(!munmap(at, nr * PAGE));
}

unsigned int cpus_online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

void need_two_cpus(void)
{
	if (cpus_online() < 2)
		test_skip("one CPU");
}

void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		FAIL("cannot move to CPU %d: %s", cpu, strerror(errno));
}

uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time))
		FAIL("clock %d: %s", clock, strerror(errno));
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

void cgroup_mount(const char *hierarchy, const char *group)
{
	mkdir(hierarchy, 0700);
	if (mount("cgroup", hierarchy, "cgroup", 0, "perf_event"))
		FAIL("cannot mount the hierarchy of perf_event: %s", strerror(errno));
	CHECK(!mkdir(group, 0700));
}

void cgroup_unmount(const char *hierarchy, const char *group)
{
	CHECK(!rmdir(group));
	CHECK(!umount(hierarchy));
}

void cgroup_enter(const char *directory, pid_t pid)
{
	char path[160], text[16];
	int fd, length;

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	length = snprintf(text, sizeof(text), "%d", pid);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, length) != length)
		FAIL("cannot put %d into %s: %s", pid, directory, strerror(errno));
	close(fd);
}

/* A byte goes to a child on the same CPU and comes back: this task must wait each time. */
void switch_with(unsigned int times, void (*prepare)(void))
{
	int there[2], back[2];
	char byte = 0;
	unsigned int i;
	pid_t pid;

	pin_to_cpu(0);
	CHECK(!pipe(there) && !pipe(back));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		if (prepare)
			prepare();
		for (i = 0; i < times; i++)
			if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < times; i++)
		CHECK(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1);
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

uint64_t switches(void)
{
	struct rusage usage;

	CHECK(!getrusage(RUSAGE_THREAD, &usage));
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

void switch_away(unsigned int times)
{
	switch_with(times, NULL);
}

/* Who is about to sleep is S in its stat, and runs still; its syscall says so. Where that may not be read, S must do. */
static bool has_left_its_cpu(pid_t pid)
{
	char path[32], word[16] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	f = fopen(path, "r");
	if (!f)
		return true;
	if (fscanf(f, "%15s", word) != 1)
		word[0] = '\0';
	fclose(f);
	return strcmp(word, "running") != 0;
}

void await_sleep(pid_t pid)
{
	char path[32], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	do {
		f = fopen(path, "r");
		CHECK(f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1);
		fclose(f);
	} while (state != 'S' || !has_left_its_cpu(pid));
}

static uint64_t number_in(const char *path)
{
	unsigned long long value;
	FILE *f = fopen(path, "r");

	if (!f || fscanf(f, "%llu", &value) != 1)
		FAIL("there is no number in %s", path);
	fclose(f);
	return value;
}

uint32_t pmu_type(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	return number_in(path);
}

uint64_t tracepoint_number(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	return number_in(path);
}

bool have_tracepoint(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s", name);
	return !access(path, F_OK);
}

bool have_pmu_of(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", name);
	return !access(path, F_OK);
}

bool have_pmu(void)
{
	return have_pmu_of("cpu");
}

bool is_pcl(void)
{
	return !access("/sys/kernel/pcl/version", F_OK);
}

long fork_bare(void)
{
	long pid = clone_bare(SIGCHLD, NULL);

	if (!pid)
		for (;;)
			syscall(SYS_exit_group, 0);
	return pid;
}

int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int in_child(int (*function)(void *), void *argument)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		_exit(function(argument));
	CHECK(waitpid(pid, &status, 0) == pid);
	return exit_status(status);
}

void drop_privileges(void)
{
	if (setgroups(0, NULL) || setgid(ORDINARY_USER) || setuid(ORDINARY_USER))
		FAIL("cannot become an ordinary user: %s", strerror(errno));
	/* A change of user makes a task undumpable, which forbids it to observe itself by its number. */
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
}

void setuid_copy(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	static char buffer[1 << 16];
	ssize_t length;

	CHECK(from >= 0 && to >= 0);
	while ((length = read(from, buffer, sizeof(buffer))) > 0)
		CHECK(write(to, buffer, length) == length);
	CHECK(!fchmod(to, 04755));
	close(from);
	close(to);
}

bool cpu1_set(bool online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);
	bool done;

	if (fd < 0)
		test_skip("CPU 1 cannot be taken offline");
	done = write(fd, online ? "1" : "0", 1) == 1;
	close(fd);
	return done;
}
