// SPDX-License-Identifier: GPL-2.0
/*
 * Where to count: the threads and CPUs that the options name.
 *
 * Concepts: a target is a list of CPUs times a list of threads; -1 in a list
 * stands for any. -p takes all threads of a process, -t exactly those named.
 * Contexts: start of a command.
 * Locks: none. A thread may end between listing and opening; the opener skips
 * it then (ESRCH).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int cpus_online(struct int_list *l)
{
	char *text = file_read_text("/sys/devices/system/cpu/online");
	int ret;

	if (!text) {
		/* no sysfs: CPU 0 is always there */
		int_list_add(l, 0);
		return 0;
	}
	ret = int_list_parse(l, text);
	free(text);
	return ret;
}

/* Every thread that the process has now. 0, or -ESRCH. */
static int add_threads(struct int_list *l, int pid)
{
	unsigned int before = l->nr;
	struct dirent *de;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return -ESRCH;
	while ((de = readdir(dir)) != NULL)
		if (isdigit((unsigned char)de->d_name[0]))
			int_list_add(l, atoi(de->d_name));
	closedir(dir);
	return l->nr > before ? 0 : -ESRCH;
}

static int target_set_pids(struct target *t, const char *text)
{
	struct int_list pids = { 0 };
	unsigned int i;
	int ret = 0;

	if (int_list_parse(&pids, text))
		return complain("-p: '%s' is not a list of process ids", text);
	for (i = 0; i < pids.nr && !ret; i++) {
		int_list_add(&t->pids, pids.v[i]);
		if (add_threads(&t->tids, pids.v[i]))
			ret = complain("-p: there is no process %d", pids.v[i]);
	}
	int_list_free(&pids);
	int_list_sort(&t->tids);
	return ret;
}

/* Take in the threads that came since; false: none did. */
static bool take_new_threads(struct target *t)
{
	struct int_list now = { 0 };
	unsigned int i, before = t->tids.nr;

	for (i = 0; i < t->pids.nr; i++)
		add_threads(&now, t->pids.v[i]);
	for (i = 0; i < now.nr; i++)
		if (!int_list_has(&t->tids, now.v[i]))
			int_list_add(&t->tids, now.v[i]);
	int_list_free(&now);
	if (t->tids.nr == before)
		return false;
	int_list_sort(&t->tids);
	return true;
}

/*
 * Have the processes of -p threads that are not in the list? They are now, and so
 * are those that start in a pause behind, which is longer at each try: a process
 * that starts many is left to it. To be asked after the events were opened, and
 * until the answer is no: then no thread started unseen in between. Not covered:
 * a child process that one of them forked before its events were open.
 */
bool target_grown(struct target *t, unsigned int try)
{
	enum { MAX_PAUSE_SHIFT = 9 };	/* six seconds in TARGET_TRIES: a burst on a busy machine is long over */

	if (!take_new_threads(t))
		return false;
	usleep(1000u << (try < MAX_PAUSE_SHIFT ? try : MAX_PAUSE_SHIFT));
	take_new_threads(t);
	return true;
}

static int target_set_tids(struct target *t, const char *text)
{
	struct int_list tids = { 0 };
	unsigned int i;

	if (int_list_parse(&tids, text))
		return complain("-t: '%s' is not a list of thread ids", text);
	for (i = 0; i < tids.nr; i++)
		int_list_add(&t->tids, tids.v[i]);
	int_list_free(&tids);
	int_list_sort(&t->tids);
	return 0;
}

int target_take_option(struct target *t, int option, const char *text, const char **cpus)
{
	switch (option) {
	case OPT_ALL_CPUS:
		t->system_wide = true;
		return 0;
	case OPT_CPU:
		*cpus = text;
		return 0;
	case OPT_PID:
		return target_set_pids(t, text);
	case OPT_TID:
		return target_set_tids(t, text);
	case OPT_NO_INHERIT:
		t->inherit = false;
		return 0;
	default:
		return -1;
	}
}

/* After all options: fill in what they left open, refuse what clashes. */
int target_finish(struct target *t, const char *cpus, bool have_command)
{
	struct int_list online = { 0 };
	unsigned int i;
	int ret = 0;

	cpus_online(&online);
	if (cpus && int_list_parse(&t->cpus, cpus)) {
		ret = complain("-C: '%s' is not a list of CPUs", cpus);
		goto out;
	}
	for (i = 0; i < t->cpus.nr; i++)
		if (!int_list_has(&online, t->cpus.v[i])) {
			ret = complain("-C: CPU %d is not online", t->cpus.v[i]);
			goto out;
		}
	if (t->system_wide && t->tids.nr) {
		ret = complain("-a counts every task; it does not go with -p or -t");
		goto out;
	}
	if (cpus && !t->tids.nr)
		t->system_wide = true;
	if (t->system_wide) {
		int_list_add(&t->tids, -1);
		if (!cpus) {
			t->cpus = online;
			memset(&online, 0, sizeof(online));
		}
	} else if (!cpus) {
		int_list_add(&t->cpus, -1);
	}
	t->by_command = !t->tids.nr;
	if (t->by_command && !have_command)
		ret = complain("nothing to measure: give a command, or -a, -C, -p or -t");
out:
	int_list_free(&online);
	return ret;
}

/* Does any task of the target still run? */
bool target_alive(const struct target *t)
{
	unsigned int i;

	for (i = 0; i < t->tids.nr; i++)
		if (!kill(t->tids.v[i], 0) || errno == EPERM)
			return true;
	return false;
}
