// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU in sysfs: names of events, fields of attr.config, capabilities.
 *
 * Concepts: as on x86 (arch/x86/events/sysfs.c): texts known at boot, a file for each.
 *
 * Contexts: made at boot; reads of files in task context.
 *
 * Locks: none.
 */
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "driver.h"

/* A file that shows a text. Made once, never freed. */
struct text_attribute {
	struct device_attribute attr;
	const char *text;
};

static ssize_t text_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", container_of(attr, struct text_attribute, attr)->text);
}

#define FILE(name_, text_)									\
	(&((struct text_attribute[]) { {							\
		.attr = __ATTR(name_, 0444, text_show, NULL), .text = (text_),			\
	} })[0].attr.attr)

static struct attribute *format_attrs[] = {
	FILE(event, "config:8-15"),
	FILE(umask, "config:16-19"),
	FILE(threshold, "config:20-22"),
	FILE(ism, "config:24-25"),
	FILE(up, "config:32"),
	FILE(opcode, "config1:0-63"),
	FILE(mesi, "config:27-30"),
	FILE(opcode_mask, "config2:0-40"),
	FILE(ear_mode, "config:34-35"),
	FILE(ear_umask, "config:40-47"),
	FILE(ip_ear, "config:48"),
	FILE(ip_delay, "config:49-56"),
	FILE(irange, "config:57"),
	FILE(drange, "config:58"),
	FILE(range_start, "config1:0-63"),
	FILE(range_end, "config2:0-63"),
	NULL
};

enum { FORMAT_MESI = 6, FORMAT_OPCODE_MASK = 7, FORMAT_IP_EAR = 10, FORMAT_IP_DELAY = 11 };

static umode_t format_is_visible(struct kobject *kobj, struct attribute *attr, int i)
{
	if (i == FORMAT_MESI && !(ia64_machine.family->has & IA64_HAS_MESI))
		return 0;
	if (i == FORMAT_OPCODE_MASK && !ia64_machine.family->matcher[0].wide)
		return 0;
	if ((i == FORMAT_IP_EAR || i == FORMAT_IP_DELAY) && !ia64_machine.family->trace->ip_pmc)
		return 0;
	return attr->mode;
}

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
	.is_visible = format_is_visible,
};

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

static struct text_attribute event_files[PERF_COUNT_HW_MAX];
static struct attribute *event_attrs[PERF_COUNT_HW_MAX + 1];

static const struct attribute_group events_group = {
	.name = "events",
	.attrs = event_attrs,
};

static ssize_t max_precise_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "2\n");		/* PCL_REASON_IA64_PRECISE_DEGREE */
}
static DEVICE_ATTR_RO(max_precise);

static ssize_t pmu_name_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", ia64_machine.family->name);
}
static DEVICE_ATTR_RO(pmu_name);

static struct attribute *caps_attrs[] = {
	&dev_attr_max_precise.attr,
	&dev_attr_pmu_name.attr,
	NULL
};

static const struct attribute_group caps_group = {
	.name = "caps",
	.attrs = caps_attrs,
};

const struct attribute_group *ia64_attr_groups[] = {
	&format_group,
	&events_group,
	&caps_group,
	NULL
};

/* The generic events that this machine has. The PMU is detected, and its device not yet there. */
void __init ia64_sysfs_init(void)
{
	struct attribute **next = event_attrs;
	unsigned int id;

	for (id = 0; id < PERF_COUNT_HW_MAX; id++) {
		u32 code = ia64_family_generic(ia64_machine.family, id);
		struct text_attribute *file = &event_files[id];

		if (code == IA64_ABSENT)
			continue;
		file->text = kasprintf(GFP_KERNEL, "event=0x%02x,umask=0x%x", code >> 8 & 0xff,
				       (unsigned int)IA64_UMASK_OF(code));
		if (!file->text)
			continue;
		sysfs_attr_init(&file->attr.attr);
		file->attr.attr.name = generic_names[id];
		file->attr.attr.mode = 0444;
		file->attr.show = text_show;
		*next++ = &file->attr.attr;
	}
}
