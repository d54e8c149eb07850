// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU in sysfs: names of events, fields of attr.config, capabilities.
 *
 * Concepts: as on x86 (arch/x86/events/sysfs.c): texts known at boot, a file for each. Which bits a code has is the
 * machine's; where counters share a register, two more bits say which of them may have the event.
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

#define FORMATS	3

static struct text_attribute format_files[FORMATS], event_files[PERF_COUNT_HW_MAX];
static struct attribute *format_attrs[FORMATS + 1], *event_attrs[PERF_COUNT_HW_MAX + 1];

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

static const struct attribute_group events_group = {
	.name = "events",
	.attrs = event_attrs,
};

static ssize_t max_precise_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "0\n");		/* PCL_REASON_SPARC_PRECISE */
}
static DEVICE_ATTR_RO(max_precise);

static ssize_t pmu_name_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", sparc_machine.family->name);
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

const struct attribute_group *sparc_attr_groups[] = {
	&format_group,
	&events_group,
	&caps_group,
	NULL
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

/* A file of that name, unless there is no memory for its text. */
static void __init add(struct text_attribute *file, struct attribute **place, const char *name, const char *text)
{
	if (!text)
		return;
	sysfs_attr_init(&file->attr.attr);
	file->text = text;
	file->attr.attr.name = name;
	file->attr.attr.mode = 0444;
	file->attr.show = text_show;
	*place = &file->attr.attr;
}

/* What a program would write to have that code: in the fields of the format */
static const char * __init event_text(struct sparc_code code)
{
	if (!sparc_layout_shared(sparc_machine.family->layout))
		return kasprintf(GFP_KERNEL, "event=0x%x", code.code);
	return kasprintf(GFP_KERNEL, "event=0x%x%s%s", code.code, code.counters & PIC0 ? ",pic0=1" : "",
			 code.counters & PIC1 ? ",pic1=1" : "");
}

/* The fields of a raw event, the generic events that there are. The PMU is detected, its device not yet there. */
void __init sparc_sysfs_init(void)
{
	const struct sparc_layout *layout = sparc_machine.family->layout;
	struct attribute **next = event_attrs;
	unsigned int id;

	add(&format_files[0], &format_attrs[0], "event",
	    kasprintf(GFP_KERNEL, "config:%u-%u", SPARC_CONFIG_SHIFT,
		      SPARC_CONFIG_SHIFT + fls(layout->pic[0].field) - 1));
	if (format_attrs[0] && sparc_layout_shared(layout)) {
		add(&format_files[1], &format_attrs[1], "pic0", "config:1");	/* SPARC_CONFIG_PIC0 */
		add(&format_files[2], &format_attrs[2], "pic1", "config:0");	/* SPARC_CONFIG_PIC1 */
	}
	for (id = 0; id < PERF_COUNT_HW_MAX; id++) {
		struct sparc_code code = sparc_family_generic(sparc_machine.family, id);

		if (!code.counters)
			continue;
		add(&event_files[id], next, generic_names[id], event_text(code));
		if (*next)
			next++;
	}
}
