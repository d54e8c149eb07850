// SPDX-License-Identifier: GPL-2.0
/*
 * The file of an event: release, poll, ioctl, fasync; and files as names for events.
 *
 * Concepts: the file is the owner of the event. ENABLE, DISABLE and RESET are for one event and its children, or with
 * PERF_IOC_FLAG_GROUP for the whole group; refusals are told to the tracepoint, as ioctl(2) has no room for a reason.
 *
 * Contexts: process context, may sleep.
 *
 * Locks: an ioctl holds ctx->mutex throughout, but for SET_FILTER, SET_BPF and QUERY_BPF. mmap_mutex and child_mutex
 * nest inside.
 */
#include <linux/compat.h>
#include <linux/file.h>
#include <linux/hw_breakpoint.h>
#include <linux/poll.h>
#include <linux/security.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "internal.h"

static int file_release(struct inode *inode, struct file *file)
{
	return perf_event_release_kernel(file->private_data);
}

/* ---- poll ---- */

/* The target has exited, and no child lives: nothing will ever come. */
static bool event_is_over(struct perf_event *event)
{
	bool over;

	if (READ_ONCE(event->state) > PERF_EVENT_STATE_EXIT)
		return false;
	mutex_lock(&event->child_mutex);
	over = list_empty(&event->child_list);
	mutex_unlock(&event->child_mutex);
	return over;
}

static __poll_t file_poll(struct file *file, poll_table *wait)
{
	struct perf_event *event = file->private_data;

	poll_wait(file, &event->waitq, wait);
	if (event_is_over(event) || !READ_ONCE(event->rb))
		return EPOLLHUP;	/* without a ring there is nothing to wait for */
	return pcl_buffer_poll(event);
}

static int file_fasync(int fd, struct file *file, int on)
{
	struct perf_event *event = file->private_data;
	struct inode *inode = file_inode(file);
	int ret;

	inode_lock(inode);
	ret = fasync_helper(fd, file, on, &event->fasync);
	inode_unlock(inode);
	return ret < 0 ? ret : 0;
}

/* ---- ioctl ---- */

static long ioctl_set_period(struct perf_event *event, const u64 __user *from, struct pcl_why *why)
{
	u64 value;

	if (copy_from_user(&value, from, sizeof(value)))
		return -EFAULT;
	return pcl_set_period(event, value, why);
}

static long ioctl_get_id(struct perf_event *event, u64 __user *to)
{
	u64 id = event->parent ? event->parent->id : event->id;

	return copy_to_user(to, &id, sizeof(id)) ? -EFAULT : 0;
}

/* @fd: the event to whose ring @event shall write, or -1 for none */
static long ioctl_set_output(struct perf_event *event, unsigned long fd, struct pcl_why *why)
{
	struct file *file;
	long ret;

	file = fd == -1UL ? NULL : perf_event_get(fd);
	if (IS_ERR(file))
		return pcl_refuse(why, PCL_REASON_OUTPUT_FD);
	ret = pcl_buffer_set_output(event, file ? file->private_data : NULL, why);
	if (!ret)
		pcl_aux_output_moved(event);
	if (file)
		fput(file);
	return ret;
}

/* ---- a breakpoint moves: MODIFY_ATTRIBUTES ---- */

#ifdef CONFIG_HAVE_HW_BREAKPOINT
/* Off its counter meanwhile; enabled again if it was meant to be, whether or not the new place is accepted. */
static int modify_breakpoint(struct perf_event *event, struct perf_event_attr *attr)
{
	int err;

	event->attr.sig_data = attr->sig_data;
	pcl_disable(event);
	err = modify_user_hw_breakpoint_check(event, attr, true);
	if (!event->attr.disabled)
		pcl_enable(event);
	return err;
}
#else
static int modify_breakpoint(struct perf_event *event, struct perf_event_attr *attr)
{
	return -EOPNOTSUPP;
}
#endif

static int modify_all(struct perf_event *event, struct perf_event_attr *attr)
{
	struct perf_event *child;
	int err;

	mutex_lock(&event->child_mutex);
	err = modify_breakpoint(event, attr);
	list_for_each_entry(child, &event->child_list, child_list) {
		if (err)
			break;
		err = modify_breakpoint(child, attr);
	}
	mutex_unlock(&event->child_mutex);
	return err;
}

static long ioctl_modify(struct perf_event *event, struct perf_event_attr __user *uattr, struct pcl_why *why)
{
	struct perf_event_attr attr;
	int err;

	err = pcl_attr_copy(uattr, &attr, why);
	if (!err)
		err = pcl_attr_check(&attr, why);
	if (err)
		return err;
	if (attr.type != event->attr.type)
		return pcl_refuse(why, PCL_REASON_MODIFY_TYPE);
	if (attr.type != PERF_TYPE_BREAKPOINT)
		return pcl_refuse(why, PCL_REASON_MODIFY_FIXED);
	err = modify_all(event, &attr);
	if (err)
		return pcl_refuse_err(why, PCL_REASON_MODIFY_BREAKPOINT, err);
	return 0;
}

/* ---- ENABLE, DISABLE, RESET ---- */

static long ioctl_each(struct perf_event *event, u32 flags, void (*fn)(struct perf_event *event))
{
	if (flags & PERF_IOC_FLAG_GROUP)
		pcl_for_group(event, fn);
	else
		pcl_with_children(event, fn);
	return 0;
}

/* ctx->mutex held. */
static long ioctl_do(struct perf_event *event, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	struct pcl_why why = {};

	lockdep_assert_held(&event->ctx->mutex);
	switch (cmd) {
	case PERF_EVENT_IOC_ENABLE:
		return ioctl_each(event, arg, pcl_enable);
	case PERF_EVENT_IOC_DISABLE:
		return ioctl_each(event, arg, pcl_disable);
	case PERF_EVENT_IOC_RESET:
		return ioctl_each(event, arg, pcl_reset);
	case PERF_EVENT_IOC_REFRESH:
		return pcl_refresh(event, arg);
	case PERF_EVENT_IOC_PERIOD:
		return ioctl_set_period(event, user, &why);
	case PERF_EVENT_IOC_ID:
		return ioctl_get_id(event, user);
	case PERF_EVENT_IOC_SET_OUTPUT:
		return ioctl_set_output(event, arg, &why);
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
		return pcl_buffer_pause(event, arg);
	case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
		return ioctl_modify(event, user, &why);
	default:
		return pcl_refuse(&why, PCL_REASON_IOCTL_UNKNOWN);
	}
}

static long file_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct perf_event *event = file->private_data;
	long ret = pcl_refuse_security(NULL, security_perf_event_write(event));
	struct perf_event_context *ctx;

	if (ret)
		return ret;
	/* Those that take mutexes of tracing, which may not nest in that of a context. */
	if (cmd == PERF_EVENT_IOC_SET_FILTER)
		return pcl_filter_set(event, (void __user *)arg, NULL);
	if (cmd == PERF_EVENT_IOC_SET_BPF)
		return pcl_attach_bpf(event, arg, NULL);
	if (cmd == PERF_EVENT_IOC_QUERY_BPF)
		return perf_event_query_prog_array(event, (void __user *)arg);
	ctx = pcl_context_lock(event);
	ret = ioctl_do(event, cmd, arg);
	pcl_context_unlock(ctx);
	return ret;
}

#ifdef CONFIG_COMPAT
/* Commands whose number contains the size of a pointer */
static const unsigned int pointer_cmds[] = {
	PERF_EVENT_IOC_ID, PERF_EVENT_IOC_SET_FILTER, PERF_EVENT_IOC_QUERY_BPF, PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
};

static long file_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(pointer_cmds); i++) {
		if (_IOC_NR(cmd) == _IOC_NR(pointer_cmds[i]) && _IOC_SIZE(cmd) == sizeof(compat_uptr_t))
			cmd = (cmd & ~IOCSIZE_MASK) | sizeof(void *) << IOCSIZE_SHIFT;
	}
	return file_ioctl(file, cmd, arg);
}
#else
#define file_compat_ioctl NULL
#endif

const struct file_operations pcl_fops = {
	.release	= file_release,
	.llseek		= no_llseek,
	.read		= pcl_read,
	.poll		= file_poll,
	.mmap		= pcl_mmap,
	.fasync		= file_fasync,
	.unlocked_ioctl	= file_ioctl,
	.compat_ioctl	= file_compat_ioctl,
};

/* ---- files as names for events ---- */

/* The file behind a descriptor, with a reference, if it is an event's. */
struct file *perf_event_get(unsigned int fd)
{
	struct file *file = fget(fd);

	if (file && file->f_op == &pcl_fops)
		return file;
	if (file)
		fput(file);
	return ERR_PTR(-EBADF);
}

const struct perf_event *perf_get_event(struct file *file)
{
	return file->f_op == &pcl_fops ? file->private_data : ERR_PTR(-EINVAL);
}

const struct perf_event_attr *perf_event_attrs(struct perf_event *event)
{
	return event ? &event->attr : ERR_PTR(-EINVAL);
}
