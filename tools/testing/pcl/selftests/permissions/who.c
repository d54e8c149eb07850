// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: those who ask: a user with the capabilities that a column names, on a kernel as it names.
 *
 * Concepts: a kernel that is locked down, or has a security module that refuses, is the debug kernel alone: there is a
 *	module that does both when it is told to, and can be told otherwise again.
 * Contexts: a test's child process, as root; become() in a child of that.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <linux/capability.h>

#include "permissions.h"

#define MODULE		"/sys/kernel/debug/pcl_refusing/"
#define ALL_HOOKS	0x7f	/* but for lockdown's */
#define DEFAULT_LEVEL	2

/* linux/capability.h may be older. */
enum { PERFMON = 38, BPF = 39 };

#define CAPABILITY(number)	(1ULL << (number))

static const struct who whos[] = {
	{ "-1", -1 }, { "0", 0 }, { "1", 1 }, { "2", 2, .also_small = true }, { "3", 3 },
	{ "P", 2, CAPABILITY(PERFMON) },
	{ "A", 2, CAPABILITY(CAP_SYS_ADMIN) },
	{ "B", 2, CAPABILITY(BPF) },
	{ "T", 2, CAPABILITY(CAP_SYS_PTRACE) },
	{ "M", 2, CAPABILITY(CAP_IPC_LOCK) },
	{ "PT", 2, CAPABILITY(PERFMON) | CAPABILITY(CAP_SYS_PTRACE) },
	{ "PB", 2, CAPABILITY(PERFMON) | CAPABILITY(BPF) },
	{ "PK", 2, CAPABILITY(PERFMON) | CAPABILITY(CAP_KILL) },
	{ "U", 2, .has_namespace = true },
	{ "3P", 3, CAPABILITY(PERFMON) },
	{ "3A", 3, CAPABILITY(CAP_SYS_ADMIN) },
	{ "R", 3, .is_root = true, .also_small = true },
	{ "LI", 2, .is_root = true, .kernel = LOCKED_INTEGRITY, .also_small = true },
	{ "LC", 2, .is_root = true, .kernel = LOCKED_CONFIDENTIALITY, .also_small = true },
	{ "S", 2, .is_root = true, .kernel = MODULE_REFUSES, .also_small = true },
};

const struct who *who_called(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_who(); i++)
		if (!strcmp(whos[i].name, name))
			return &whos[i];
	return NULL;
}

unsigned int nr_who(void)
{
	return sizeof(whos) / sizeof(whos[0]);
}

/* ---- the kernel ---- */

/*
 * The files of kernel/events/refusing_test.c. They are opened while they can be: what is locked down lets nobody open
 * them, and a test that is ended leaves it so.
 */
static int refuse_file = -1, locked_file = -1;

void whos_begin(void)
{
	refuse_file = open(MODULE "refuse", O_WRONLY);
	locked_file = open(MODULE "locked", O_WRONLY);
}

bool who_can_be(const struct who *who)
{
	return who->kernel == OPEN_TO_ROOT || (refuse_file >= 0 && locked_file >= 0);
}

static void write_number(int file, unsigned int number)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u\n", number);

	if (write(file, text, length) != length)
		FAIL("the security module does not take %u: %s", number, strerror(errno));
}

static void kernel_set(long level, unsigned int hooks, unsigned int locked)
{
	if (locked_file >= 0)
		write_number(locked_file, 0);
	if (refuse_file >= 0)
		write_number(refuse_file, 0);
	sysctl_set("perf_event_paranoid", level);
	if (hooks)
		write_number(refuse_file, hooks);
	if (locked)
		write_number(locked_file, locked);
}

void kernel_prepare(const struct who *who)
{
	static const unsigned int locked[] = { [LOCKED_INTEGRITY] = 1, [LOCKED_CONFIDENTIALITY] = 2, [MODULE_REFUSES] = 0 };
	bool busted = test_busted("privilege");

	kernel_set(who->paranoid, who->kernel == MODULE_REFUSES && !busted ? ALL_HOOKS : 0, busted ? 0 : locked[who->kernel]);
}

void kernel_restore(void)
{
	kernel_set(DEFAULT_LEVEL, 0, 0);
}

/* ---- the caller ---- */

static void keep_only(uint64_t capabilities)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = capabilities, .permitted = capabilities },
		{ .effective = capabilities >> 32, .permitted = capabilities >> 32 },
	};

	if (syscall(SYS_capset, &header, data))
		FAIL("cannot keep the capabilities %#llx: %s", (unsigned long long)capabilities, strerror(errno));
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		FAIL("cannot write %s to %s: %s", text, path, strerror(errno));
	close(fd);
}

static void enter_namespace(void)
{
	char text[32];

	if (unshare(CLONE_NEWUSER))
		FAIL("cannot make a user namespace: %s", strerror(errno));
	write_text("/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "0 %d 1", ORDINARY_USER);
	write_text("/proc/self/uid_map", text);
	write_text("/proc/self/gid_map", text);
	CHECK(!getuid() && !getgid());
}

void become(const struct who *who)
{
	if (who->is_root || test_busted("privilege"))
		return;
	CHECK(!prctl(PR_SET_KEEPCAPS, 1));
	CHECK(!setgroups(0, NULL));
	CHECK(!setresgid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER));
	CHECK(!setresuid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER));
	keep_only(who->capabilities);
	/* A change of user has made it undumpable, and its files in /proc root's. */
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
	if (who->has_namespace)
		enter_namespace();
}
