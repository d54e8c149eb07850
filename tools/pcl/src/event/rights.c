// SPDX-License-Identifier: GPL-2.0
/*
 * What this process may do, and who decides: capabilities, sysctls, filters.
 *
 * Concepts: four gates lie before an event: a seccomp filter, which answers in
 * the kernel's stead; a security module; kernel.perf_event_paranoid, which
 * capabilities lift; and the event's own PMU. Two calls tell the first two
 * apart. One has a flag that no kernel knows: the kernel refuses it with
 * EINVAL before it looks at anything else, so any other answer is a filter's.
 * The other opens the least of all events; who may not do that, may do nothing.
 * Contexts: after a failed open; doctor.
 * Locks: none.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* No kernel gave a meaning to this flag of the system call. */
#define FLAG_OF_NOBODY	(1ul << 31)

/* The value of "Name:" in the text of a status file, or dflt. */
static u64 status_field(const char *text, const char *name, int base, u64 dflt)
{
	const char *at = text ? strstr(text, name) : NULL;

	return at ? strtoull(at + strlen(name), NULL, base) : dflt;
}

/* Capabilities of any other user namespace do not count for events. */
static bool first_user_namespace(void)
{
	char *text = file_read_text("/proc/self/uid_map");
	unsigned long inside = 0, outside = 0, count = 0;
	bool first = !text || (sscanf(text, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
			       !inside && !outside && count == 0xffffffff);

	free(text);
	return first;
}

/* Security modules that may say no to events; the empty string when none is known. */
static void read_modules(char *buf, size_t size)
{
	static const char *const deciding[] = { "selinux", "apparmor", "smack", "tomoyo", "bpf" };
	char path[256], *text;
	size_t i, used = 0;

	*buf = '\0';
	snprintf(path, sizeof(path), "%s/kernel/security/lsm", sysfs_root());
	text = file_read_text(path);
	for (i = 0; text && i < ARRAY_SIZE(deciding); i++)
		if (strstr(text, deciding[i]))
			used += (size_t)snprintf(buf + used, size - used, "%s%s",
						 used ? ", " : "", deciding[i]);
	free(text);
}

/* The mode in force is the word in brackets. */
static bool locked_down(void)
{
	char path[256], *text;
	bool down;

	snprintf(path, sizeof(path), "%s/kernel/security/lockdown", sysfs_root());
	text = file_read_text(path);
	down = text && (strstr(text, "[integrity]") || strstr(text, "[confidentiality]"));
	free(text);
	return down;
}

static bool in_virtual_machine(void)
{
	char *text = file_read_text("/proc/cpuinfo");
	bool found = text && strstr(text, " hypervisor");

	free(text);
	return found;
}

/* Who answers a call that the kernel refuses unseen? 0: the kernel itself. */
static int ask_filter(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int fd = sys_perf_event_open(&attr, 0, -1, -1, FLAG_OF_NOBODY);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno == EINVAL ? 0 : errno;
}

/* The least there is: this task, user space, an event that counts nothing. */
static int ask_least(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = sys_perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

void rights_read(struct rights *r)
{
	char *status = file_read_text("/proc/self/status");

	memset(r, 0, sizeof(*r));
	r->caps = status_field(status, "CapEff:", 16, 0);
	r->seccomp = status_field(status, "Seccomp:", 10, 0) == 2;
	free(status);
	r->first_userns = first_user_namespace();
	r->paranoid = file_read_long("/proc/sys/kernel/perf_event_paranoid", PARANOID_UNKNOWN);
	r->max_rate = file_read_long("/proc/sys/kernel/perf_event_max_sample_rate", 0);
	getrlimit(RLIMIT_NOFILE, &r->nofile);
	r->core_pmu = core_pmu_present();
	r->virtual_machine = in_virtual_machine();
	r->lockdown = locked_down();
	read_modules(r->modules, sizeof(r->modules));
	r->filter_errno = ask_filter();
	r->least_errno = ask_least();
}

bool rights_has(const struct rights *r, unsigned int cap)
{
	return r->first_userns && (r->caps >> cap & 1);
}

/* May it do what kernel.perf_event_paranoid keeps from others? */
bool rights_perfmon(const struct rights *r)
{
	return rights_has(r, CAP_PERFMON) || rights_has(r, CAP_SYS_ADMIN);
}
