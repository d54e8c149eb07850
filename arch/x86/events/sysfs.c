// SPDX-License-Identifier: GPL-2.0
/*
 * The core PMU in sysfs: names of events, fields of attr.config, capabilities, rdpmc.
 *
 * Concepts: what perf(1) and others parse: events/NAME holds "field=value,...", format/FIELD holds which bits of which
 * attr word it is. These are texts known at boot, so each file is a pair of name and text, made from tables. Files that
 * are written (rdpmc, freeze_on_smi, allow_tsx_force_abort) call those that know.
 *
 * Contexts: made at boot; reads and writes of files in task context.
 *
 * Locks: none.
 */
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/topology.h>

#include "driver.h"

/* A file that shows a text. Made once, never freed. */
struct text_attribute {
	struct device_attribute attr;
	const char *text;
	const char *text_smt;		/* with hyper-threading, if it differs */
};

static ssize_t text_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct text_attribute *file = container_of(attr, struct text_attribute, attr);
	bool smt = topology_max_smt_threads() > 1 && file->text_smt;

	return sysfs_emit(page, "%s\n", smt ? file->text_smt : file->text);
}

#define FILE(name_, text_)									\
	(&((struct text_attribute[]) { {							\
		.attr = __ATTR(name_, 0444, text_show, NULL), .text = (text_),			\
	} })[0].attr.attr)

/* ---- format ----------------------------------------------------------------------------------------------------- */

static struct attribute *format_attrs[] = {
	FILE(event, "config:0-7"),
	FILE(umask, "config:8-15"),
	FILE(edge, "config:18"),
	FILE(pc, "config:19"),
	FILE(any, "config:21"),
	FILE(inv, "config:23"),
	FILE(cmask, "config:24-31"),
	FILE(in_tx, "config:32"),
	FILE(in_tx_cp, "config:33"),
	FILE(event, "config:0-7,32-35"),
	NULL
};

enum { FORMAT_EVENT, FORMAT_PC = 3, FORMAT_ANY = 4, FORMAT_IN_TX = 7, FORMAT_IN_TX_CP = 8, FORMAT_AMD_EVENT = 9 };

static umode_t format_is_visible(struct kobject *kobj, struct attribute *attr, int i)
{
	bool visible = true;

	switch (i) {
	case FORMAT_EVENT:
		visible = !(x86_machine.select_mask & X86_SEL_AMD_EVENT_HIGH);
		break;
	case FORMAT_PC:
		visible = x86_machine.has_pin;
		break;
	case FORMAT_ANY:
		visible = x86_machine.has_any;
		break;
	case FORMAT_IN_TX:
	case FORMAT_IN_TX_CP:
		visible = x86_machine.has_tx;
		break;
	case FORMAT_AMD_EVENT:
		visible = x86_machine.select_mask & X86_SEL_AMD_EVENT_HIGH;
		break;
	}
	return visible ? attr->mode : 0;
}

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
	.is_visible = format_is_visible,
};

/* ---- events ----------------------------------------------------------------------------------------------------- */

static const char * const generic_names[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cpu-cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branch-instructions",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

/* "event=0x3c,umask=0x01,inv,cmask=0x01" */
static const char *__init code_text(u64 code)
{
	u64 event = code & X86_SEL_EVENT, umask = (code & X86_SEL_UMASK) >> 8, cmask = (code & X86_SEL_CMASK) >> 24;
	char umask_text[16] = "", cmask_text[16] = "";

	event |= (code & x86_machine.select_mask & X86_SEL_AMD_EVENT_HIGH) >> 24;
	if (umask)
		snprintf(umask_text, sizeof(umask_text), ",umask=0x%02llx", umask);
	if (cmask)
		snprintf(cmask_text, sizeof(cmask_text), ",cmask=0x%02llx", cmask);
	return kasprintf(GFP_KERNEL, "event=0x%02llx%s%s%s%s%s%s", event, umask_text,
			 code & X86_SEL_EDGE ? ",edge" : "", code & X86_SEL_PIN ? ",pc" : "",
			 code & X86_SEL_ANY ? ",any" : "", code & X86_SEL_INV ? ",inv" : "", cmask_text);
}

/* Without memory for it or its text a file is not there; those behind it are. */
static void __init add_file(struct attribute ***next, const char *name, const char *text, const char *text_smt)
{
	struct text_attribute *file = text ? kzalloc(sizeof(*file), GFP_KERNEL) : NULL;

	if (!file)
		return;
	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = name;
	file->attr.attr.mode = 0444;
	file->attr.show = text_show;
	file->text = text;
	file->text_smt = text_smt;
	*(*next)++ = &file->attr.attr;
}

static struct attribute_group events_group __ro_after_init = {
	.name = "events",
};

static bool __init alias_is_there(const struct x86_alias *alias)
{
	return !alias->tsx || x86_machine.has_tx;
}

/* The generic events that this machine has, and the family's aliases. */
static int __init make_events(void)
{
	const struct x86_alias *alias;
	struct attribute **files;
	unsigned int nr = PERF_COUNT_HW_MAX, id;

	for (alias = x86_machine.family->aliases; alias && alias->name; alias++)
		nr++;
	files = kcalloc(nr + 1, sizeof(*files), GFP_KERNEL);
	if (!files)
		return -ENOMEM;
	events_group.attrs = files;
	for (id = 0; id < PERF_COUNT_HW_MAX; id++) {
		u64 code = x86_generic_code(id);

		if (code)
			add_file(&files, generic_names[id], code_text(code), NULL);
	}
	for (alias = x86_machine.family->aliases; alias && alias->name; alias++) {
		if (alias_is_there(alias))
			add_file(&files, alias->name, alias->text, alias->text_smt);
	}
	return 0;
}

/* ---- caps and the PMU's own files -------------------------------------------------------------------------------- */

static ssize_t max_precise_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "0\n");		/* no skid-free sampling yet: PCL_REASON_UNBUILT_PRECISE */
}
static DEVICE_ATTR_RO(max_precise);

static ssize_t pmu_name_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", x86_machine.pmu_name);
}
static DEVICE_ATTR_RO(pmu_name);

static struct attribute *caps_attrs[] = {
	&dev_attr_max_precise.attr,
	&dev_attr_pmu_name.attr,
	NULL
};

static umode_t caps_is_visible(struct kobject *kobj, struct attribute *attr, int i)
{
	return attr == &dev_attr_pmu_name.attr && !x86_machine.pmu_name ? 0 : attr->mode;
}

static const struct attribute_group caps_group = {
	.name = "caps",
	.attrs = caps_attrs,
	.is_visible = caps_is_visible,
};

static ssize_t rdpmc_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", READ_ONCE(x86_rdpmc_mode));
}

static ssize_t rdpmc_store(struct device *dev, struct device_attribute *attr, const char *text, size_t count)
{
	unsigned long mode;
	int err = kstrtoul(text, 0, &mode);

	if (!err)
		err = x86_rdpmc_set(mode);
	return err ?: count;
}
static DEVICE_ATTR_ADMIN_RW(rdpmc);

static ssize_t freeze_on_smi_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", x86_smi_frozen());
}

static ssize_t freeze_on_smi_store(struct device *dev, struct device_attribute *attr, const char *text, size_t count)
{
	unsigned long on;
	int err = kstrtoul(text, 0, &on);

	if (err)
		return err;
	if (on > 1)
		return -EINVAL;
	x86_smi_set(on);
	return count;
}
static DEVICE_ATTR_RW(freeze_on_smi);

static ssize_t allow_tsx_force_abort_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", x86_tfa_allowed());
}

static ssize_t allow_tsx_force_abort_store(struct device *dev, struct device_attribute *attr, const char *text,
					   size_t count)
{
	bool on;
	int err = kstrtobool(text, &on);

	if (!err)
		x86_tfa_set(on);
	return err ?: count;
}
static DEVICE_ATTR_RW(allow_tsx_force_abort);

static struct attribute *pmu_attrs[] = {
	&dev_attr_rdpmc.attr,
	&dev_attr_freeze_on_smi.attr,
	&dev_attr_allow_tsx_force_abort.attr,
	NULL
};

static umode_t pmu_is_visible(struct kobject *kobj, struct attribute *attr, int i)
{
	if (attr == &dev_attr_freeze_on_smi.attr && !x86_machine.has_smm_freeze)
		return 0;
	if (attr == &dev_attr_allow_tsx_force_abort.attr && !x86_machine.layout.force_abort)
		return 0;
	return attr->mode;
}

static const struct attribute_group pmu_group = {
	.attrs = pmu_attrs,
	.is_visible = pmu_is_visible,
};

const struct attribute_group *x86_attr_groups[] = {
	&pmu_group,
	&format_group,
	&events_group,
	&caps_group,
	NULL
};

int __init x86_sysfs_init(void)
{
	return make_events();
}
