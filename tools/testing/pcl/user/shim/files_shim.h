/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for what a driver makes files of sysfs of; the test looks through them by itself (files.h).
 */
#ifndef PCL_SHIM_FILES_H
#define PCL_SHIM_FILES_H
struct kobject;
typedef unsigned short umode_t;

struct attribute {
	const char *name;
	umode_t mode;
};

struct attribute_group {
	const char *name;
	umode_t (*is_visible)(struct kobject *kobj, struct attribute *attr, int i);
	struct attribute **attrs;
};

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *page);
};

#define __ATTR(name_, mode_, show_, store_)	{ .attr = { .name = #name_, .mode = (mode_) }, .show = (show_) }
#define DEVICE_ATTR_RO(name_)	struct device_attribute dev_attr_##name_ = __ATTR(name_, 0444, name_##_show, NULL)
#define sysfs_attr_init(attr)	do { } while (0)

int sysfs_emit(char *page, const char *format, ...);
char *kasprintf(unsigned int flags, const char *format, ...);

#endif
