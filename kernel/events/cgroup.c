// SPDX-License-Identifier: GPL-2.0
/*
 * The cgroup controller perf_event.
 *
 * Concepts: the controller exists so that cgroups can be named in events and samples, and so that a hierarchy can be
 * mounted with it. Where it is on, events that ask for it are told of each new cgroup. What events of a cgroup need is
 * made with it, for each CPU (struct perf_cgroup_info); a task that is put into another while it runs is told of to
 * its CPU, if such events are there (cgroup_switch.c). cgroup-switches counts by comparing the css of two tasks
 * (perf_cgroup_from_task()).
 *
 * Contexts: process context, cgroup_mutex held, but where a cgroup is freed; follow_current() by an IPI. Locks: none of
 * its own.
 */
#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "internal.h"
#include "record.h"

static struct cgroup_subsys_state *cgroup_css_alloc(struct cgroup_subsys_state *parent)
{
	struct perf_cgroup *cgrp = kzalloc(sizeof(*cgrp), GFP_KERNEL);
	int cpu;

	if (!cgrp)
		return ERR_PTR(-ENOMEM);
	cgrp->info = alloc_percpu(struct perf_cgroup_info);
	if (!cgrp->info) {
		kfree(cgrp);
		return ERR_PTR(-ENOMEM);
	}
	for_each_possible_cpu(cpu)
		INIT_LIST_HEAD(&per_cpu_ptr(cgrp->info, cpu)->leaders);
	return &cgrp->css;
}

/* A new cgroup: its id, and its path in the hierarchy. */
static void tell_cgroup(struct cgroup *cgroup)
{
	struct pcl_record what = { .kind = PCL_RECORD_CGROUP };
	char *path = kmalloc(PATH_MAX, GFP_KERNEL);
	u64 id = cgroup_id(cgroup);

	pcl_record_add(&what, &id, sizeof(id));
	if (!path)
		pcl_record_add_name(&what, "//enomem");
	else
		pcl_record_add_name(&what, cgroup_path(cgroup, path, PATH_MAX) < 0 ? "//unknown" : path);
	pcl_record_send(&what, NULL);
	kfree(path);
}

static int cgroup_css_online(struct cgroup_subsys_state *css)
{
	if (pcl_record_wanted(PCL_RECORD_CGROUP))
		tell_cgroup(css->cgroup);
	return 0;
}

static void cgroup_css_free(struct cgroup_subsys_state *css)
{
	struct perf_cgroup *cgrp = container_of(css, struct perf_cgroup, css);

	free_percpu(cgrp->info);
	kfree(cgrp);
}

/* On the CPU of a task that was moved, or that ran another by now. IRQs off. */
static void follow_current(void *unused)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);

	lockdep_assert_irqs_disabled();
	if (pcl_cgroup_is_watched(cpu))
		pcl_cgroup_follow(cpu, current);
}

/*
 * Tasks are in other cgroups by now. One that is not seen on the CPU where it runs is seen by the switch that brings it
 * there, or by the first event of a cgroup that is bound there.
 */
static void cgroup_attach(struct cgroup_taskset *tset)
{
	struct cgroup_subsys_state *css;
	struct task_struct *task;

	/*
	 * The task is in its cgroup, then we look where it is, and who asks there: cgroup.move B, pairs with
	 * cgroup.watch A in cgroup_switch.c; and with schedule(), which has a barrier between a task's new CPU and our
	 * hook.
	 */
	smp_mb();
	cgroup_taskset_for_each(task, css, tset) {
		int cpu = task_cpu(task);

		if (READ_ONCE(per_cpu(pcl_cpus, cpu).nr_of_cgroups))
			smp_call_function_single(cpu, follow_current, NULL, 1);
	}
}

struct cgroup_subsys perf_event_cgrp_subsys = {
	.css_alloc		= cgroup_css_alloc,
	.css_online		= cgroup_css_online,
	.css_free		= cgroup_css_free,
	.attach			= cgroup_attach,
	.threaded		= true,
	.implicit_on_dfl	= true,	/* on the unified hierarchy unless mounted elsewhere */
};
