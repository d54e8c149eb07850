// SPDX-License-Identifier: GPL-2.0
/*
 * Cgroups as targets: found by a descriptor of their directory, and given back.
 *
 * Concepts: an event of a cgroup is one of a CPU (PERF_FLAG_PID_CGROUP), that counts there while a task of the cgroup,
 * or of one below it, runs. It holds a reference on the cgroup, so what the CPU keeps of that (struct perf_cgroup_info)
 * lives as long as the event, even if the cgroup is removed: then no task of it runs any more.
 *
 * Contexts: process context, as an event is made and unmade. Locks: none.
 */
#include <linux/cgroup.h>
#include <linux/file.h>

#include "internal.h"

/* The cgroup whose directory @file is, with a reference. */
static struct perf_cgroup *cgroup_of(struct file *file, struct pcl_why *why)
{
	struct cgroup_subsys_state *css = css_tryget_online_from_dir(file->f_path.dentry, &perf_event_cgrp_subsys);

	if (!IS_ERR(css))
		return container_of(css, struct perf_cgroup, css);
	if (css == ERR_PTR(-EBADF))
		return ERR_PTR(pcl_refuse(why, PCL_REASON_CGROUP_DIRECTORY));
	return ERR_PTR(pcl_refuse_err(why, PCL_REASON_CGROUP_ABSENT, PTR_ERR(css)));
}

/**
 * pcl_cgroup_get - make an event one of a cgroup
 * @event: of a CPU, not yet published, its group_leader set
 * @fd: a descriptor of the cgroup's directory
 * @why: where a refusal is noted
 *
 * May sleep. Return: 0; -EBADF, -ENOENT, -EINVAL. What it took is undone by pcl_cgroup_put(), also after a failure.
 */
int pcl_cgroup_get(struct perf_event *event, int fd, struct pcl_why *why)
{
	struct perf_cgroup *cgrp;
	struct fd f = fdget(fd);

	if (!f.file)
		return pcl_refuse(why, PCL_REASON_CGROUP_FD);
	cgrp = cgroup_of(f.file, why);
	fdput(f);
	if (IS_ERR(cgrp))
		return PTR_ERR(cgrp);
	event->cgrp = cgrp;
	/* A task is in one cgroup at a time, and a group counts all or nothing. */
	return event->group_leader->cgrp != cgrp ? pcl_refuse(why, PCL_REASON_GROUP_CGROUP) : 0;
}

/* The time of the cgroup that an event is of, on its CPU, when it is @now in the CPU's context. */
u64 pcl_cgroup_time(struct perf_event *event, u64 now)
{
	return pcl_clock_read(&pcl_cgroup_info(event)->clock, now);
}
