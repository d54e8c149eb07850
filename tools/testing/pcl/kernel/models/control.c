// SPDX-License-Identifier: GPL-2.0
/*
 * The module, and /dev/pcl_ia64, by which programs are tasks of the machine (orders.h).
 *
 * Concepts: KUnit's cases come first, when the module is loaded, each with a machine of its own. Then the machine of the
 * parameter @chip is up until the module goes; without one, none is.
 *
 * The parameters "faults" and "unclaimed" tell what the driver did that the manuals forbid, and interrupts for which it
 * found no reason.
 *
 * Contexts: process context.
 *
 * Locks: none.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "ia64.h"
#include "orders.h"

static char *chip = "";
module_param(chip, charp, 0444);

static int faults_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%u\n", ia64_machine_faults());
}

static const struct kernel_param_ops faults_ops = { .get = faults_get };
module_param_cb(faults, &faults_ops, NULL, 0444);

static int unclaimed_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%u\n", ia64_machine_unclaimed());
}

static const struct kernel_param_ops unclaimed_ops = { .get = unclaimed_get };
module_param_cb(unclaimed, &unclaimed_ops, NULL, 0444);

static int task_open(struct inode *inode, struct file *file)
{
	ia64_task_begin();
	return 0;
}

static ssize_t order_write(struct file *file, const char __user *buffer, size_t size, loff_t *at)
{
	struct ia64_order order;

	if (size != sizeof(order))
		return -EINVAL;
	if (copy_from_user(&order, buffer, size))
		return -EFAULT;
	switch (order.order) {
	case IA64_ORDER_USER:
		ia64_task_run(order.what, order.n, IA64_LEVEL_USER);
		break;
	case IA64_ORDER_KERNEL:
		ia64_task_run(order.what, order.n, IA64_LEVEL_KERNEL);
		break;
	case IA64_ORDER_UP:
		ia64_task_set_up(order.n);
		break;
	case IA64_ORDER_BEGIN:
		ia64_task_begin();
		break;
	case IA64_ORDER_DATA:
	case IA64_ORDER_FETCH:
		if (order.what == 1 && (order.level < 1 || order.level > 3))
			return -EINVAL;
		ia64_task_miss(order.order == IA64_ORDER_DATA, order.what, order.address, order.ip, order.n,
			       order.level);
		break;
	case IA64_ORDER_BRANCH:
		ia64_task_branch(order.ip, order.address, order.what);
		break;
	case IA64_ORDER_BUNDLE:
		ia64_task_bundle(order.ip, order.n);
		break;
	case IA64_ORDER_EXEC:
		ia64_task_exec();
		break;
	case IA64_ORDER_RETURN:
		ia64_task_return(order.n);
		break;
	default:
		return -EINVAL;
	}
	return size;
}

static ssize_t pmds_read(struct file *file, char __user *buffer, size_t size, loff_t *at)
{
	u64 pmds[IA64_ORDER_PMDS];
	unsigned int nr;

	if (size != sizeof(pmds))
		return -EINVAL;
	for (nr = 0; nr < IA64_ORDER_PMDS; nr++)
		pmds[nr] = ia64_task_read(nr);
	return copy_to_user(buffer, pmds, size) ? -EFAULT : size;
}

static const struct file_operations file_ops = {
	.owner = THIS_MODULE, .open = task_open, .write = order_write, .read = pmds_read,
};

static struct miscdevice device = { .minor = MISC_DYNAMIC_MINOR, .name = "pcl_ia64", .fops = &file_ops };

static int __init control_init(void)
{
	int err;

	if (!*chip)
		return 0;
	err = ia64_around_begin();
	if (err)
		return err;
	err = ia64_machine_boot(chip, true);
	if (err)
		goto end_around;
	err = misc_register(&device);
	if (!err)
		return 0;
	ia64_machine_halt();
end_around:
	ia64_around_end();
	return err;
}
module_init(control_init);

static void __exit control_exit(void)
{
	if (!*chip)
		return;
	misc_deregister(&device);
	ia64_machine_halt();
	ia64_around_end();
}
module_exit(control_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The performance monitors of IA-64, for tests");
