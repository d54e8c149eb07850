// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs: drivers come, are found, and go.
 *
 * Concepts: a PMU is found by attr.type. Types from PERF_TYPE_MAX upward are handed out at registration; the fixed ones
 * are asked for by their owner. Whoever has the type is asked, and nobody else (of generic events see
 * pmu_ask_generic()); if nobody has it, all PMUs are asked in turn, until one does not answer -ENOENT. The software
 * PMUs share one type, have no number of their own and stand first.
 *
 * What the engine keeps per CPU and PMU (struct pcl_pmu_cpu) lives from registration until pcl_pmu_release().
 *
 * A PMU knows its events, from event_init() until they are freed, so that it can be taken away from under them
 * (unregister.c).
 *
 * Contexts: registration and finding may sleep; perf_pmu_disable() and perf_pmu_enable(), and the default
 * transactions built on them, run with IRQs off or in NMI.
 *
 * Locks: pmus_lock orders registration and removal. The list is walked, and types are looked up, under SRCU.
 * events_lock guards each PMU's list of events.
 */
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/srcu.h>
#include <linux/wait_bit.h>

#include "internal.h"

static DEFINE_MUTEX(pmus_lock);
DEFINE_STATIC_SRCU(pmus_srcu);
static LIST_HEAD(pmus);				/* pmus_lock, SRCU */
static DEFINE_IDR(pmu_types);			/* pmus_lock, RCU */
static DEFINE_SPINLOCK(events_lock);		/* every pmu->events */
static bool pmu_bus_ready;			/* pmus_lock: devices can be made */

/* ---- stop and restart a PMU on this CPU ---- */

/* Nests; also from NMI, which leaves the depth as it found it. */
void perf_pmu_disable(struct pmu *pmu)
{
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(pmu);

	if (pc->disable_depth++ == 0)
		pmu->pmu_disable(pmu);
}
EXPORT_SYMBOL_GPL(perf_pmu_disable);

void perf_pmu_enable(struct pmu *pmu)
{
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(pmu);

	if (--pc->disable_depth == 0)
		pmu->pmu_enable(pmu);
}
EXPORT_SYMBOL_GPL(perf_pmu_enable);

/* ---- what a driver may leave out ---- */

static void default_enable(struct pmu *pmu)
{
}

static int default_event_idx(struct perf_event *event)
{
	return 0;
}

static int default_check_period(struct perf_event *event, u64 value)
{
	return 0;
}

/*
 * Transactions of a driver that has none: each add() says for itself whether it fits, and the PMU stands still
 * meanwhile. Reading as a group needs nothing.
 */
static DEFINE_PER_CPU(unsigned int, default_txn);

static void default_start_txn(struct pmu *pmu, unsigned int flags)
{
	__this_cpu_write(default_txn, flags);
	if (flags == PERF_PMU_TXN_ADD)
		perf_pmu_disable(pmu);
}

static void default_cancel_txn(struct pmu *pmu)
{
	bool added = __this_cpu_read(default_txn) == PERF_PMU_TXN_ADD;

	__this_cpu_write(default_txn, 0);
	if (added)
		perf_pmu_enable(pmu);
}

static int default_commit_txn(struct pmu *pmu)
{
	default_cancel_txn(pmu);
	return 0;
}

static void pmu_fill_defaults(struct pmu *pmu)
{
	if (!pmu->pmu_enable) {
		pmu->pmu_enable = default_enable;
		pmu->pmu_disable = default_enable;
	}
	if (!pmu->start_txn) {
		pmu->start_txn = default_start_txn;
		pmu->commit_txn = default_commit_txn;
		pmu->cancel_txn = default_cancel_txn;
	}
	if (!pmu->event_idx)
		pmu->event_idx = default_event_idx;
	if (!pmu->check_period)
		pmu->check_period = default_check_period;
	if (!pmu->slice_ms)
		pmu->slice_ms = max(1000 / HZ, 1);
}

/* ---- sysfs: /sys/bus/event_source/devices ---- */

static ssize_t type_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct pmu *pmu = dev_get_drvdata(dev);

	return sysfs_emit(page, "%d\n", pmu->type);
}
static DEVICE_ATTR_RO(type);

static ssize_t nr_addr_filters_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct pmu *pmu = dev_get_drvdata(dev);

	return sysfs_emit(page, "%u\n", pmu->nr_addr_filters);
}
static DEVICE_ATTR_RO(nr_addr_filters);

static ssize_t perf_event_mux_interval_ms_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct pmu *pmu = dev_get_drvdata(dev);

	return sysfs_emit(page, "%u\n", READ_ONCE(pmu->slice_ms));
}

/* A slice that runs ends as it began; the next has the new length. */
static ssize_t perf_event_mux_interval_ms_store(struct device *dev, struct device_attribute *attr, const char *text,
						size_t count)
{
	struct pmu *pmu = dev_get_drvdata(dev);
	int ms, err;

	err = kstrtoint(text, 0, &ms);
	if (err)
		return err;
	if (ms < 1)
		return -EINVAL;
	WRITE_ONCE(pmu->slice_ms, ms);
	return count;
}
static DEVICE_ATTR_RW(perf_event_mux_interval_ms);

static struct attribute *pmu_attrs[] = {
	&dev_attr_nr_addr_filters.attr,
	&dev_attr_perf_event_mux_interval_ms.attr,
	&dev_attr_type.attr,
	NULL,
};

/* Only a PMU that has address filters says how many. */
static umode_t pmu_attr_visible(struct kobject *kobj, struct attribute *attr, int index)
{
	struct pmu *pmu = dev_get_drvdata(kobj_to_dev(kobj));

	return attr == &dev_attr_nr_addr_filters.attr && !pmu->nr_addr_filters ? 0 : attr->mode;
}

static const struct attribute_group pmu_attr_group = { .attrs = pmu_attrs, .is_visible = pmu_attr_visible };
static const struct attribute_group *pmu_attr_groups[] = { &pmu_attr_group, NULL };

static struct bus_type pmu_bus = { .name = "event_source", .dev_groups = pmu_attr_groups };

static void pmu_device_free(struct device *dev)
{
	kfree(dev);
}

static int pmu_device_add(struct pmu *pmu)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int err;

	if (!dev)
		return -ENOMEM;
	dev->bus = &pmu_bus;
	dev->parent = pmu->parent;
	dev->groups = pmu->attr_groups;
	dev->release = pmu_device_free;
	device_initialize(dev);
	dev_set_drvdata(dev, pmu);
	pmu->dev = dev;

	err = dev_set_name(dev, "%s", pmu->name);
	if (!err)
		err = device_add(dev);
	if (err)
		goto put;
	err = sysfs_update_groups(&dev->kobj, pmu->attr_update);
	if (err)
		goto del;
	return 0;

del:
	device_del(dev);
put:
	put_device(dev);
	pmu->dev = NULL;
	return err;
}

static void pmu_device_remove(struct pmu *pmu)
{
	if (!pmu->dev)
		return;
	device_del(pmu->dev);
	put_device(pmu->dev);
	pmu->dev = NULL;
}

/* The attribute shows a driver's event as the text it was given. */
ssize_t perf_event_sysfs_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct perf_pmu_events_attr *events_attr = container_of(attr, struct perf_pmu_events_attr, attr);

	return events_attr->event_str ? sysfs_emit(page, "%s\n", events_attr->event_str) : 0;
}
EXPORT_SYMBOL_GPL(perf_event_sysfs_show);

/* Devices can be made from now on: make those of the PMUs that came earlier. */
int __init pcl_pmu_sysfs_init(void)
{
	struct pmu *pmu;
	int err, failed;

	mutex_lock(&pmus_lock);
	err = bus_register(&pmu_bus);
	if (!err) {
		pmu_bus_ready = true;
		list_for_each_entry(pmu, &pmus, entry) {
			if (!pmu->name)
				continue;
			failed = pmu_device_add(pmu);
			WARN(failed, "event source %s has no device: error %d\n", pmu->name, failed);
		}
	}
	mutex_unlock(&pmus_lock);
	return err;
}

/* ---- registration ---- */

static int pmu_make_cpus(struct pmu *pmu)
{
	int cpu;

	pmu->cpus = alloc_percpu(struct pcl_pmu_cpu);
	if (!pmu->cpus)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		struct pcl_pmu_cpu *pc = per_cpu_ptr(pmu->cpus, cpu);

		pc->pmu = pmu;
		pcl_slot_init(&pc->slot, &per_cpu(pcl_cpus, cpu).ctx, pmu);
		pcl_rotate_init(pc);
	}
	return 0;
}

/* The type asked for, or (@type < 0) the next free one. Software PMUs share theirs. */
static int pmu_make_type(struct pmu *pmu, int type)
{
	int got;

	if (type == PERF_TYPE_SOFTWARE) {
		pmu->type = type;
		return 0;
	}
	got = idr_alloc(&pmu_types, pmu, type < 0 ? PERF_TYPE_MAX : type, 0, GFP_KERNEL);
	if (got < 0)
		return got;
	WARN(type >= 0 && got != type, "event source %s: type %d is taken\n", pmu->name, type);
	pmu->type = got;
	return 0;
}

static void pmu_drop_type(struct pmu *pmu)
{
	if (pmu->type >= 0 && pmu->type != PERF_TYPE_SOFTWARE)
		idr_remove(&pmu_types, pmu->type);
}

/* In sysfs and with a type, if it has a name; without one it is only asked in turn. */
static int pmu_make_known(struct pmu *pmu, const char *name, int type)
{
	int err;

	pmu->type = -1;
	if (!name)
		return 0;
	pmu->name = name;
	err = pmu_make_type(pmu, type);
	if (err)
		return err;
	if (pmu_bus_ready) {
		err = pmu_device_add(pmu);
		if (err)
			pmu_drop_type(pmu);
	}
	return err;
}

/**
 * perf_pmu_register - make a PMU known
 * @pmu: filled in by the driver, which keeps it until perf_pmu_unregister() has returned
 * @name: its directory under /sys/bus/event_source/devices, or NULL
 * @type: a fixed type of the ABI, or -1
 *
 * May sleep. Return: 0, or what stood in the way.
 */
int perf_pmu_register(struct pmu *pmu, const char *name, int type)
{
	int err;

	mutex_lock(&pmus_lock);
	err = pmu_make_cpus(pmu);
	if (err)
		goto unlock;
	INIT_LIST_HEAD(&pmu->events);
	atomic_set(&pmu->exclusive_cnt, 0);
	pmu->going = false;
	pmu_fill_defaults(pmu);

	err = pmu_make_known(pmu, name, type);
	if (err) {
		free_percpu(pmu->cpus);
		goto unlock;
	}
	if (type == PERF_TYPE_SOFTWARE || !name)
		list_add_rcu(&pmu->entry, &pmus);
	else
		list_add_tail_rcu(&pmu->entry, &pmus);
unlock:
	mutex_unlock(&pmus_lock);
	return err;
}
EXPORT_SYMBOL_GPL(perf_pmu_register);

/* ---- removal, in two steps: unregister.c takes the events off between them ---- */

/* From its return on nobody finds @pmu any more. */
void pcl_pmu_withdraw(struct pmu *pmu)
{
	mutex_lock(&pmus_lock);
	WRITE_ONCE(pmu->going, true);
	list_del_rcu(&pmu->entry);
	pmu_drop_type(pmu);
	pmu_device_remove(pmu);
	mutex_unlock(&pmus_lock);
	synchronize_srcu(&pmus_srcu);
}

/* No event has it, no CPU looks at it. */
void pcl_pmu_release(struct pmu *pmu)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(pmu->cpus, cpu)->slice);
	synchronize_rcu();
	synchronize_srcu(&pmus_srcu);	/* who maps */
	free_percpu(pmu->cpus);
	pmu->cpus = NULL;
}

/* An event that still counts on @pmu, with a reference, or NULL. It may be about to be freed: then it is no answer. */
struct perf_event *pcl_pmu_some_event(struct pmu *pmu)
{
	struct perf_event *event;

	spin_lock(&events_lock);
	list_for_each_entry(event, &pmu->events, pmu_entry) {
		if (pcl_event_get(event))
			goto unlock;
	}
	event = NULL;
unlock:
	spin_unlock(&events_lock);
	return event;
}

bool pcl_pmu_has_events(struct pmu *pmu)
{
	bool has;

	spin_lock(&events_lock);
	has = !list_empty(&pmu->events);
	spin_unlock(&events_lock);
	return has;
}

/*
 * @event counts nothing from now on: @to, which is in no module and is never asked to, stands in for its PMU. It is
 * unbound, and destroy() has been called. The reference on the module of the PMU that it had is given back.
 */
void pcl_pmu_replace(struct perf_event *event, struct pmu *to)
{
	struct module *module = event->pmu->module;

	spin_lock(&events_lock);
	list_del_init(&event->pmu_entry);
	WRITE_ONCE(event->pmu, to);
	spin_unlock(&events_lock);
	module_put(module);
}

/* ---- mappings: the one thing that is told of an event without its context's mutex ---- */

/* The event's driver, which may go meanwhile: it stays until pcl_pmu_let_go(), for which pcl_pmu_release() waits. */
struct pmu *pcl_pmu_hold(struct perf_event *event, int *index) __acquires(&pmus_srcu)
{
	*index = srcu_read_lock(&pmus_srcu);
	return READ_ONCE(event->pmu);
}

void pcl_pmu_let_go(int index) __releases(&pmus_srcu)
{
	srcu_read_unlock(&pmus_srcu, index);
}

void pcl_pmu_mapped(struct perf_event *event, struct mm_struct *mm)
{
	int index;
	struct pmu *pmu = pcl_pmu_hold(event, &index);

	if (pmu->event_mapped)
		pmu->event_mapped(event, mm);
	pcl_pmu_let_go(index);
}

void pcl_pmu_unmapped(struct perf_event *event, struct mm_struct *mm)
{
	int index;
	struct pmu *pmu = pcl_pmu_hold(event, &index);

	if (pmu->event_unmapped)
		pmu->event_unmapped(event, mm);
	pcl_pmu_let_go(index);
}

/* ---- finding ---- */

/* What a PMU's capabilities forbid, judged after event_init(), as the errno of a driver goes first. */
static int check_capabilities(struct pmu *pmu, struct perf_event *event)
{
	u64 regs = event->attr.sample_regs_user | event->attr.sample_regs_intr;

	if (pmu->capabilities & PERF_PMU_CAP_NO_EXCLUDE && event_has_any_exclude_flag(event))
		return pcl_refuse(event->why, PCL_REASON_PMU_NO_EXCLUDE);
	if (!(pmu->capabilities & PERF_PMU_CAP_EXTENDED_REGS) && regs & PERF_REG_EXTENDED_MASK)
		return pcl_refuse(event->why, PCL_REASON_PMU_NO_REGS);
	return 0;
}

static int event_init_on(struct pmu *pmu, struct perf_event *event)
{
	bool sibling = event->group_leader != event;
	struct perf_event_context *ctx = NULL;
	int err;

	/* Drivers walk the group to see whether it fits. A group that is being inherited is nobody else's yet. */
	if (sibling && !event->parent && pmu->task_ctx_nr != perf_sw_context)
		ctx = pcl_context_lock(event->group_leader);
	event->pmu = pmu;
	err = pmu->event_init(event);
	if (ctx)
		pcl_context_unlock(ctx);
	if (err)
		return err;

	err = check_capabilities(pmu, event);
	if (err && event->destroy) {
		event->destroy(event);
		event->destroy = NULL;
	}
	return err;
}

/* 0: @pmu has taken the event; -ENOENT: not one of its own. */
static int pmu_try(struct pmu *pmu, struct perf_event *event)
{
	int err;

	/* A child may join its parent: whoever removes the PMU waits for the parent, too. */
	if (READ_ONCE(pmu->going) && !event->parent)
		return pcl_refuse(event->why, PCL_REASON_PMU_GOING);
	if (!try_module_get(pmu->module))
		return pcl_refuse(event->why, PCL_REASON_PMU_MODULE_GOING);
	err = event_init_on(pmu, event);
	if (err) {
		module_put(pmu->module);
		return err;
	}
	spin_lock(&events_lock);
	list_add(&event->pmu_entry, &pmu->events);
	spin_unlock(&events_lock);
	return 0;
}

static struct pmu *pmu_of_type(u32 type)
{
	struct pmu *pmu;

	rcu_read_lock();
	pmu = idr_find(&pmu_types, type);
	rcu_read_unlock();
	return pmu;
}

/* Nobody has the type: ask all in turn. */
static int pmu_ask_all(struct perf_event *event)
{
	struct pmu *pmu;
	int err;

	list_for_each_entry_srcu(pmu, &pmus, entry, srcu_read_lock_held(&pmus_srcu)) {
		err = pmu_try(pmu, event);
		if (err != -ENOENT)
			return err;
	}
	return -ENOENT;
}

/*
 * A generic event (HARDWARE, HW_CACHE) is for the PMU that has type RAW, and failing that for whoever has the
 * generic type, unless it names its PMU in the upper half of config.
 */
static int pmu_ask_generic(struct perf_event *event)
{
	u32 named = event->attr.config >> PERF_PMU_TYPE_SHIFT;
	struct pmu *pmu = pmu_of_type(named ? named : PERF_TYPE_RAW);
	int err;

	if (named)
		event->attr.config &= PERF_HW_EVENT_MASK;
	if (!pmu)
		return pmu_ask_all(event);
	if (named && named != PERF_TYPE_RAW && named != event->attr.type &&
	    !(pmu->capabilities & PERF_PMU_CAP_EXTENDED_HW_TYPE))
		return -ENOENT;

	err = pmu_try(pmu, event);
	if (err != -ENOENT || named)
		return err;
	pmu = pmu_of_type(event->attr.type);
	return pmu ? pmu_try(pmu, event) : pmu_ask_all(event);
}

static int pmu_ask(struct perf_event *event)
{
	struct pmu *pmu;

	if (event->parent && !pmu_try(event->parent->pmu, event))
		return 0;
	if (event->attr.type == PERF_TYPE_HARDWARE || event->attr.type == PERF_TYPE_HW_CACHE)
		return pmu_ask_generic(event);
	pmu = pmu_of_type(event->attr.type);
	return pmu ? pmu_try(pmu, event) : pmu_ask_all(event);
}

/**
 * pcl_pmu_find - find the PMU that takes an event, and let it
 * @event: in the making
 *
 * In the opener's context; may sleep. event->why is where refusals are noted. On success the PMU's module is pinned and
 * the event is one of the PMU's, until pcl_pmu_put().
 *
 * Return: the PMU, or an ERR_PTR with what it, or the last one asked, says; -ENOENT if nobody knows the event.
 */
struct pmu *pcl_pmu_find(struct perf_event *event)
{
	int index, err;

	INIT_LIST_HEAD(&event->pmu_entry);
	index = srcu_read_lock(&pmus_srcu);
	err = pmu_ask(event);
	srcu_read_unlock(&pmus_srcu, index);
	if (err == -ENOENT)
		pcl_refuse(event->why, PCL_REASON_TYPE_UNKNOWN);
	return err ? ERR_PTR(err) : event->pmu;
}

/* The event is no longer its PMU's; destroy() has been called. */
void pcl_pmu_put(struct perf_event *event)
{
	struct pmu *pmu = event->pmu;
	struct module *module = pmu->module;
	void *waited_for = &pmu->events;

	/* Once it is off the list, @pmu may go. */
	spin_lock(&events_lock);
	list_del_init(&event->pmu_entry);
	spin_unlock(&events_lock);
	wake_up_var(waited_for);
	module_put(module);
}

/* Call @fn for each PMU until it returns other than 0. May sleep. */
int pcl_pmu_for_each(int (*fn)(struct pmu *pmu, void *arg), void *arg)
{
	struct pmu *pmu;
	int ret = 0;

	mutex_lock(&pmus_lock);
	list_for_each_entry(pmu, &pmus, entry) {
		ret = fn(pmu, arg);
		if (ret)
			break;
	}
	mutex_unlock(&pmus_lock);
	return ret;
}

/* SysRq p: what this CPU's counters hold; the architecture's own. Any context but NMI. */
void __weak perf_event_print_debug(void)
{
}
