// SPDX-License-Identifier: GPL-2.0
/*
 * A security module that refuses what it is told to refuse, for tools/testing/pcl/selftests: refusing.c, permissions/.
 *
 * Concepts: /sys/kernel/debug/pcl_refusing/refuse is a mask of hooks, in the order of enum hook. A hook of the mask
 * refuses each caller, with an errno that nobody else here gives, after it has let in as many as `first` says. The
 * other files tell how often each hook was asked; how many events are held, which is let in by the alloc hook and not
 * yet out by free; and how many strays there were: events that came to read, write or free and were not held. The file
 * locked locks the whole kernel down and, unlike the stock module for that, opens it again.
 *
 * Contexts: those of the hooks: task context; free also where the last reference is dropped. Locks: none.
 */
#include <linux/debugfs.h>
#include <linux/lsm_hooks.h>
#include <linux/perf_event.h>

enum hook {
	HOOK_OPEN = PERF_SECURITY_OPEN,
	HOOK_CPU = PERF_SECURITY_CPU,
	HOOK_KERNEL = PERF_SECURITY_KERNEL,
	HOOK_TRACEPOINT = PERF_SECURITY_TRACEPOINT,
	HOOK_ALLOC,
	HOOK_READ,
	HOOK_WRITE,
	HOOK_LOCKDOWN,
	NR_HOOKS
};

static const char *const names[NR_HOOKS] = {
	[HOOK_OPEN] = "open", [HOOK_CPU] = "cpu", [HOOK_KERNEL] = "kernel", [HOOK_TRACEPOINT] = "tracepoint",
	[HOOK_ALLOC] = "alloc", [HOOK_READ] = "read", [HOOK_WRITE] = "write", [HOOK_LOCKDOWN] = "lockdown",
};

static u32 refused;
static atomic_t first;
static u32 locked;	/* 1: for integrity, 2: for confidentiality, as CONFIG_SECURITY_LOCKDOWN_LSM means them */
static atomic_t asked[NR_HOOKS], held, strays;

static int answer(enum hook hook)
{
	atomic_inc(&asked[hook]);
	if (!(READ_ONCE(refused) & BIT(hook)) || atomic_dec_if_positive(&first) >= 0)
		return 0;
	return -EKEYREJECTED;
}

/* An event that is held has a mark, which is the address of the count. */
static void expect_held(struct perf_event *event)
{
	if (event->security != &held)
		atomic_inc(&strays);
}

static int refusing_open(struct perf_event_attr *attr, int type)
{
	return answer(type);
}

static int refusing_alloc(struct perf_event *event)
{
	int err = answer(HOOK_ALLOC);

	if (!err) {
		event->security = &held;
		atomic_inc(&held);
	}
	return err;
}

static void refusing_free(struct perf_event *event)
{
	expect_held(event);
	event->security = NULL;
	atomic_dec(&held);
}

static int refusing_read(struct perf_event *event)
{
	expect_held(event);
	return answer(HOOK_READ);
}

static int refusing_write(struct perf_event *event)
{
	expect_held(event);
	return answer(HOOK_WRITE);
}

/* Registers at an interrupt alone, or all that a kernel refuses that is locked down as far as the file says. */
static int refusing_locked_down(enum lockdown_reason what)
{
	static const enum lockdown_reason last[] = {
		LOCKDOWN_NONE, LOCKDOWN_INTEGRITY_MAX, LOCKDOWN_CONFIDENTIALITY_MAX,
	};
	int err = what == LOCKDOWN_PERF ? answer(HOOK_LOCKDOWN) : 0;

	if (!err && what <= last[min_t(u32, READ_ONCE(locked), ARRAY_SIZE(last) - 1)])
		err = -EPERM;
	return err;
}

static struct security_hook_list hooks[] __lsm_ro_after_init = {
	LSM_HOOK_INIT(perf_event_open, refusing_open),
	LSM_HOOK_INIT(perf_event_alloc, refusing_alloc),
	LSM_HOOK_INIT(perf_event_free, refusing_free),
	LSM_HOOK_INIT(perf_event_read, refusing_read),
	LSM_HOOK_INIT(perf_event_write, refusing_write),
	LSM_HOOK_INIT(locked_down, refusing_locked_down),
};

static int __init refusing_init(void)
{
	security_add_hooks(hooks, ARRAY_SIZE(hooks), "pcl_refusing");
	return 0;
}

DEFINE_LSM(pcl_refusing) = {
	.name = "pcl_refusing",
	.init = refusing_init,
};

static int __init refusing_files_init(void)
{
	struct dentry *dir = debugfs_create_dir("pcl_refusing", NULL);
	int i;

	debugfs_create_u32("refuse", 0600, dir, &refused);
	debugfs_create_u32("locked", 0600, dir, &locked);
	debugfs_create_atomic_t("first", 0600, dir, &first);
	for (i = 0; i < NR_HOOKS; i++)
		debugfs_create_atomic_t(names[i], 0400, dir, &asked[i]);
	debugfs_create_atomic_t("held", 0400, dir, &held);
	debugfs_create_atomic_t("strays", 0400, dir, &strays);
	return 0;
}
late_initcall(refusing_files_init);
