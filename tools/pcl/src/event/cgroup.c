// SPDX-License-Identifier: GPL-2.0
/*
 * cgroups as targets.
 *
 * Concepts: an event bound to a cgroup counts on one CPU while a task of that
 * cgroup, or of one below, runs there. The call takes a descriptor of the
 * cgroup's directory where a thread id stands otherwise. The hierarchy is the
 * one that has perf_event, else the unified one.
 * Contexts: start of a command.
 * Locks: none.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* Where cgroups of perf_event lie; NULL: nowhere. The caller frees it. */
char *cgroup_root(void)
{
	FILE *f = setmntent("/proc/self/mounts", "r");
	struct mntent *m;
	char *root = NULL;

	while (f && (m = getmntent(f)) != NULL) {
		if (!strcmp(m->mnt_type, "cgroup") && hasmntopt(m, "perf_event")) {
			free(root);
			root = str_dup(m->mnt_dir);
			break;
		}
		if (!strcmp(m->mnt_type, "cgroup2") && !root)
			root = str_dup(m->mnt_dir);
	}
	if (f)
		endmntent(f);
	return root;
}

static int add_cgroup(struct target *t, const char *root, const char *name)
{
	char path[PATH_MAX];
	int fd;

	if (strstr(name, ".."))
		return complain("--cgroup: '%s': a name is the path below %s", name, root);
	snprintf(path, sizeof(path), "%s/%s", root, name);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return complain("--cgroup: there is no cgroup '%s' in %s: %s", name, root,
				strerror(errno));
	int_list_add(&t->tids, fd);
	t->cgroups = mem_resize(t->cgroups, t->tids.nr, sizeof(*t->cgroups));
	t->cgroups[t->tids.nr - 1] = str_dup(name);
	return 0;
}

/* Each cgroup directly below the root. */
static int add_top(struct target *t, const char *root)
{
	struct dirent **names;
	int n = scandir(root, &names, NULL, alphasort), i, ret = 0;
	char path[PATH_MAX];
	struct stat st;

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", root, names[i]->d_name);
		if (!ret && names[i]->d_name[0] != '.' && !stat(path, &st) && S_ISDIR(st.st_mode))
			ret = add_cgroup(t, root, names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	if (!ret && !t->tids.nr)
		return complain("--per-cgroup: there is no cgroup below %s; name one with --cgroup",
				root);
	return ret;
}

/*
 * The target is these cgroups, separated by commas; NULL: those directly below
 * the root. To be called after target_finish. 0, or -1 (said).
 */
int target_take_cgroups(struct target *t, const char *text)
{
	char *root = cgroup_root(), *names, *name, *next;
	int ret = 0;

	if (!root)
		return complain("--cgroup: no cgroup file system is mounted; mount -t cgroup2 none /sys/fs/cgroup");
	t->tids.nr = 0;
	t->open_flags = PERF_FLAG_PID_CGROUP;
	if (text) {
		names = next = str_dup(text);
		while (!ret && (name = strsep(&next, ",")) != NULL)
			ret = add_cgroup(t, root, name);
		free(names);
	} else {
		ret = add_top(t, root);
	}
	free(root);
	return ret;
}

void target_free(struct target *t)
{
	unsigned int i;

	for (i = 0; t->cgroups && i < t->tids.nr; i++) {
		close(t->tids.v[i]);
		free(t->cgroups[i]);
	}
	free(t->cgroups);
	t->cgroups = NULL;
	int_list_free(&t->cpus);
	int_list_free(&t->tids);
	int_list_free(&t->pids);
}
