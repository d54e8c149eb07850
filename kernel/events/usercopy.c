// SPDX-License-Identifier: GPL-2.0
/*
 * Structures that cross from user space and back: the attr and struct pcl_open.
 *
 * Concepts: both carry their own size. A size from the past is filled up with zeros, one from the future is accepted
 * while all that is unknown here is zero; any other is refused with E2BIG, and the size known here written back.
 *
 * Contexts: process context, may sleep. Locks: none.
 */
#include <linux/uaccess.h>

#include "internal.h"

/**
 * pcl_attr_copy - fetch an attr from user space; pcl_attr_check() judges it
 * @uattr: the caller's
 * @attr: filled in
 * @why: where a refusal is noted, or NULL
 *
 * Return: 0; -EFAULT; -E2BIG.
 */
int pcl_attr_copy(struct perf_event_attr __user *uattr, struct perf_event_attr *attr, struct pcl_why *why)
{
	enum pcl_reason reason = PCL_REASON_NONE;
	u32 size;
	int err;

	if (get_user(size, &uattr->size))
		return -EFAULT;
	if (!size)
		size = PERF_ATTR_SIZE_VER0;	/* as the first programs left it */

	if (size < PERF_ATTR_SIZE_VER0) {
		reason = PCL_REASON_ATTR_SIZE_SMALL;
	} else if (size > PAGE_SIZE) {
		reason = PCL_REASON_ATTR_SIZE_LARGE;
	} else {
		err = copy_struct_from_user(attr, sizeof(*attr), uattr, size);
		if (err && err != -E2BIG)
			return err;
		if (err)
			reason = PCL_REASON_ATTR_UNKNOWN_BYTES;
	}
	if (reason != PCL_REASON_NONE) {
		/* The program asked for more than it can be told if this fails. */
		(void)put_user(sizeof(*attr), &uattr->size);
		return pcl_refuse(why, reason);
	}

	attr->size = size;
	return 0;
}

/**
 * pcl_open_copy - fetch the argument of the extended call
 * @uopen: the caller's
 * @open: filled in; its size is 0 if it could not be read, then pcl_open_answer() stays silent
 * @why: where a refusal is noted
 *
 * Return: 0; -EFAULT; -E2BIG; -EINVAL.
 */
int pcl_open_copy(struct pcl_open __user *uopen, struct pcl_open *open, struct pcl_why *why)
{
	u32 size;
	int err;

	BUILD_BUG_ON(sizeof(*open) != PCL_OPEN_SIZE_VER0);

	open->size = 0;
	if (get_user(size, &uopen->size))
		return -EFAULT;
	if (size < PCL_OPEN_SIZE_VER0 || size > PAGE_SIZE) {
		err = -E2BIG;
	} else {
		err = copy_struct_from_user(open, sizeof(*open), uopen, size);
		if (err)
			open->size = 0;
	}
	if (err == -E2BIG) {
		(void)put_user(sizeof(*open), &uopen->size);
		return pcl_refuse(why, PCL_REASON_OPEN_SIZE);
	}
	if (err)
		return err;

	if (open->flags)
		return pcl_refuse(why, PCL_REASON_OPEN_FLAGS);
	if (memchr_inv(open->reserved, 0, sizeof(open->reserved)))
		return pcl_refuse(why, PCL_REASON_OPEN_RESERVED);
	return 0;
}

/* The reason in words, cut to the caller's buffer, always ending with a zero. */
static int open_answer_text(const struct pcl_open *open, const char *text)
{
	char __user *to = u64_to_user_ptr(open->why_text);
	size_t length;

	if (!open->why_text || !open->why_text_size)
		return 0;
	length = min_t(size_t, strlen(text), open->why_text_size - 1);
	return copy_to_user(to, text, length) || put_user('\0', to + length) ? -EFAULT : 0;
}

/**
 * pcl_open_answer - tell the caller why, or that there is nothing to tell
 * @uopen: the caller's
 * @open: as pcl_open_copy() left it
 * @why: what was noted
 *
 * After the call has succeeded or failed. Return: 0 or -EFAULT.
 */
int pcl_open_answer(struct pcl_open __user *uopen, const struct pcl_open *open, const struct pcl_why *why)
{
	bool refused = why->reason != PCL_REASON_NONE;

	if (!open->size)
		return 0;
	if (put_user(why->reason, &uopen->why_reason) ||
	    put_user(refused ? why->field : PCL_NOWHERE, &uopen->why_field))
		return -EFAULT;
	return open_answer_text(open, refused ? pcl_reason_text(why->reason) : "");
}
