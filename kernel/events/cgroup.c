// SPDX-License-Identifier: GPL-2.0
/*
 * The cgroup controller perf_event.
 *
 * Concepts: the controller exists so that cgroups can be named in events and samples, and so that a hierarchy can be
 * mounted with it. Events of a cgroup are refused (PCL_REASON_UNBUILT_CGROUP), so a task that changes its cgroup
 * changes nothing here. cgroup-switches counts by comparing the css of two tasks (perf_cgroup_from_task()).
 *
 * Contexts: process context, cgroup_mutex held. Locks: none of its own.
 */
#include <linux/cgroup.h>
#include <linux/slab.h>

#include "internal.h"

static struct cgroup_subsys_state *cgroup_css_alloc(struct cgroup_subsys_state *parent)
{
	struct perf_cgroup *cgrp = kzalloc(sizeof(*cgrp), GFP_KERNEL);

	return cgrp ? &cgrp->css : ERR_PTR(-ENOMEM);
}

static void cgroup_css_free(struct cgroup_subsys_state *css)
{
	kfree(container_of(css, struct perf_cgroup, css));
}

struct cgroup_subsys perf_event_cgrp_subsys = {
	.css_alloc		= cgroup_css_alloc,
	.css_free		= cgroup_css_free,
	.threaded		= true,
	.implicit_on_dfl	= true,	/* on the unified hierarchy unless mounted elsewhere */
};
