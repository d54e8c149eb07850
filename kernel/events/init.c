// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's beginning, and what it says of itself: boot, sysctls, guests, /sys/kernel/pcl.
 *
 * Concepts: at boot, before the first initcall: the CPUs' contexts, the software PMUs, those of tracepoints and probes,
 * the breakpoints. As a device_initcall: sysfs. Drivers register their PMUs in between, or later.
 *
 * /sys/kernel/pcl: version; features/NAME, each 1, for what a program may rely on; objects/NAME, how many of the
 * engine's objects live, which is zero when nobody uses it.
 *
 * Contexts: boot, process context. Locks: none.
 */
#include <linux/hw_breakpoint.h>
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "internal.h"

#define PCL_VERSION "0.1"

DEFINE_STATIC_CALL_RET0(perf_snapshot_branch_stack, perf_snapshot_branch_stack_t);

/* ---- guests ---- */

#ifdef CONFIG_GUEST_PERF_EVENTS
struct perf_guest_info_callbacks __rcu *perf_guest_cbs;

DEFINE_STATIC_CALL_RET0(__perf_guest_get_ip, *perf_guest_cbs->get_ip);
DEFINE_STATIC_CALL_RET0(__perf_guest_handle_intel_pt_intr, *perf_guest_cbs->handle_intel_pt_intr);
DEFINE_STATIC_CALL_RET0(__perf_guest_state, *perf_guest_cbs->state);

/*
 * There is one hypervisor, or none: from @old to @new. What there is none of, or what it leaves out, says 0. The
 * pointer tells whether anybody is to be asked, so it is there before the calls, and goes after them.
 */
static void guest_exchange(struct perf_guest_info_callbacks *old, struct perf_guest_info_callbacks *new)
{
	struct perf_guest_info_callbacks calls = {};
	void *says_zero = &__static_call_return0;

	if (WARN_ONCE(rcu_access_pointer(perf_guest_cbs) != old, "another hypervisor has registered\n"))
		return;
	if (new) {
		calls = *new;
		rcu_assign_pointer(perf_guest_cbs, new);
	}
	static_call_update(__perf_guest_handle_intel_pt_intr, calls.handle_intel_pt_intr ?: says_zero);
	static_call_update(__perf_guest_get_ip, calls.get_ip ?: says_zero);
	static_call_update(__perf_guest_state, calls.state ?: says_zero);
	if (!new) {
		RCU_INIT_POINTER(perf_guest_cbs, NULL);
		synchronize_rcu();	/* samples are written under RCU */
	}
}

void perf_register_guest_info_callbacks(struct perf_guest_info_callbacks *cbs)
{
	guest_exchange(NULL, cbs);
}
EXPORT_SYMBOL_GPL(perf_register_guest_info_callbacks);

/* From its return on no sample calls into @cbs. */
void perf_unregister_guest_info_callbacks(struct perf_guest_info_callbacks *cbs)
{
	guest_exchange(cbs, NULL);
}
EXPORT_SYMBOL_GPL(perf_unregister_guest_info_callbacks);
#endif

/* ---- boot ---- */

/* A CPU's context nests outside its tasks': lockdep must tell them apart. */
static struct lock_class_key cpu_ctx_lock_key, cpu_ctx_mutex_key;

static void __init init_cpus(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pcl_cpu *this = &per_cpu(pcl_cpus, cpu);

		pcl_context_init(&this->ctx, NULL, cpu);
		lockdep_set_class(&this->ctx.lock, &cpu_ctx_lock_key);
		lockdep_set_class(&this->ctx.mutex, &cpu_ctx_mutex_key);
	}
}

void __init perf_event_init(void)
{
	int err;

	BUILD_BUG_ON(offsetof(struct perf_event_mmap_page, data_head) != 1024);

	init_cpus();
	pcl_event_cache_init();
	err = pcl_software_init();
	WARN(err, "no software events: error %d\n", err);
	err = pcl_trace_init();
	WARN(err, "no tracepoint events: error %d\n", err);
	err = pcl_probe_init();
	WARN(err, "no probe events: error %d\n", err);
	perf_event_init_cpu(smp_processor_id());
	err = init_hw_breakpoint();
	WARN(err, "no breakpoint events: error %d\n", err);
}

/* ---- /sys/kernel/pcl ---- */

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, PCL_VERSION "\n");
}

static ssize_t feature_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "1\n");
}

static struct kobj_attribute version_attr = __ATTR_RO(version);
static struct attribute *pcl_attrs[] = { &version_attr.attr, NULL };
static const struct attribute_group pcl_group = { .attrs = pcl_attrs };

#define FEATURE(_name) static struct kobj_attribute feature_##_name = __ATTR(_name, 0444, feature_show, NULL)

FEATURE(fair_multiplexing);	/* the groups that ran least run next */
FEATURE(local_read);		/* reading what runs here needs no IPI and no mutex */
FEATURE(open);			/* PCL_FLAG_OPEN and struct pcl_open */
FEATURE(reasons);		/* pcl_open::why_*, and the tracepoint pcl:refuse */

static struct attribute *feature_attrs[] = {
	&feature_fair_multiplexing.attr,
	&feature_local_read.attr,
	&feature_open.attr,
	&feature_reasons.attr,
	NULL,
};

static const struct attribute_group feature_group = { .name = "features", .attrs = feature_attrs };

static ssize_t contexts_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", atomic_read(&pcl_nr_contexts));
}

static ssize_t events_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", atomic_read(&pcl_nr_events));
}

static ssize_t rings_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", atomic_read(&pcl_nr_rings));
}

static struct kobj_attribute objects_contexts = __ATTR_RO(contexts);
static struct kobj_attribute objects_events = __ATTR_RO(events);
static struct kobj_attribute objects_rings = __ATTR_RO(rings);

static struct attribute *objects_attrs[] = {
	&objects_contexts.attr,
	&objects_events.attr,
	&objects_rings.attr,
	NULL,
};

static const struct attribute_group objects_group = { .name = "objects", .attrs = objects_attrs };

static const struct attribute_group *pcl_groups[] = { &pcl_group, &feature_group, &objects_group, NULL };

static int __init perf_event_sysfs_init(void)
{
	struct kobject *pcl;
	int err;

	err = pcl_pmu_sysfs_init();
	if (err)
		return err;
	pcl = kobject_create_and_add("pcl", kernel_kobj);
	if (!pcl)
		return -ENOMEM;
	err = sysfs_create_groups(pcl, pcl_groups);
	if (err)
		kobject_put(pcl);
	return err;
}
device_initcall(perf_event_sysfs_init);
