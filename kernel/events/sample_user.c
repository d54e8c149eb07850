// SPDX-License-Identifier: GPL-2.0
/*
 * Registers and stacks in a sample: REGS_USER, STACK_USER, REGS_INTR.
 *
 * Concepts: each set of registers begins with the ABI that the task uses, NONE if there are none, and has a word for
 * each register of the attr's mask. REGS_INTR shows the registers at the sample, the kernel's if it was in the kernel.
 * REGS_USER shows those that the task has or had in user code: where the sample is in the kernel, they lie at the top
 * of the kernel stack, whole or, in an NMI, as far as the entry code has stored them (perf_get_regs_user()). Kernel
 * threads have none.
 *
 * STACK_USER is a copy of the user's stack from the stack pointer upwards. It takes what the attr asks for, but no more
 * than lies below the end of user addresses, and no more than the other fields leave of a record. Nothing is faulted
 * in: the word behind the bytes says how many of them were copied. The others are what the ring held there before.
 *
 * Contexts: any, NMI included. Locks: none.
 */
#include <linux/perf_event.h>
#include <linux/perf_regs.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "sample.h"

#define REGS_MOST 64	/* bits of a mask */

/* ---- registers ---- */

static unsigned int regs_bytes(const struct perf_regs *from, u64 mask)
{
	return (1 + (from->abi ? hweight64(mask) : 0)) * sizeof(u64);
}

static void regs_write(struct perf_output_handle *handle, const struct perf_regs *from, u64 mask)
{
	u64 words[1 + REGS_MOST];
	unsigned int n = 0;

	words[n++] = from->abi;
	if (!from->abi)
		mask = 0;
	for (; mask; mask &= mask - 1)
		words[n++] = perf_reg_value(from->regs, __ffs64(mask));
	perf_output_copy(handle, words, n * sizeof(u64));
}

static struct perf_regs user_regs(struct pt_regs *regs)
{
	struct perf_regs from = { .abi = PERF_SAMPLE_REGS_ABI_NONE };

	if (user_mode(regs)) {
		from.abi = perf_reg_abi(current);
		from.regs = regs;
	} else if (!(current->flags & PF_KTHREAD)) {
		perf_get_regs_user(&from, regs);
	}
	return from;
}

unsigned int pcl_regs_user_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				   unsigned int size)
{
	data->regs_user = user_regs(regs);
	return regs_bytes(&data->regs_user, event->attr.sample_regs_user);
}

void pcl_regs_user_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	regs_write(handle, &data->regs_user, event->attr.sample_regs_user);
}

/* There are always registers at a sample, so their size does not depend on it, and STACK_USER leaves room for them. */
unsigned int pcl_regs_intr_known(const struct perf_event_attr *attr)
{
	return (1 + hweight64(attr->sample_regs_intr)) * sizeof(u64);
}

unsigned int pcl_regs_intr_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				   unsigned int size)
{
	data->regs_intr = (struct perf_regs){ .abi = perf_reg_abi(current), .regs = regs };
	return 0;
}

void pcl_regs_intr_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	regs_write(handle, &data->regs_intr, event->attr.sample_regs_intr);
}

/* ---- the user's stack ---- */

#ifndef arch_perf_out_copy_user
/* Like the architecture's own: how many bytes could not be copied. */
static unsigned long arch_perf_out_copy_user(void *to, const void __user *from, unsigned long bytes)
{
	unsigned long left;

	pagefault_disable();
	left = __copy_from_user_inatomic(to, from, bytes);
	pagefault_enable();
	return left;
}
#endif

/* @begin is a user's address. */
static unsigned long copy_part(void *to, const void *begin, unsigned long done, unsigned long bytes)
{
	return arch_perf_out_copy_user(to, (__force const void __user *)(begin + done), bytes);
}

#ifdef CONFIG_HAVE_PERF_USER_STACK_DUMP
static unsigned long stack_begin(struct pt_regs *regs)
{
	return user_stack_pointer(regs);
}
#else
static unsigned long stack_begin(struct pt_regs *regs)
{
	return 0;	/* refused at open: STACK_USER_NO_DUMP */
}
#endif

/* Bytes, whole words, from the stack pointer to the end of user addresses. The stack's own end cannot be asked here. */
static unsigned long stack_bytes(struct pt_regs *regs)
{
	unsigned long begin = regs && current->mm ? stack_begin(regs) : 0;

	return begin && begin < TASK_SIZE ? round_down(TASK_SIZE - begin, sizeof(u64)) : 0;
}

unsigned int pcl_stack_user_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				    unsigned int size)
{
	unsigned long bytes;

	if (!(event->attr.sample_type & PERF_SAMPLE_REGS_USER))
		data->regs_user = user_regs(regs);
	bytes = min_t(unsigned long, event->attr.sample_stack_user, stack_bytes(data->regs_user.regs));

	/* The two words before and behind the bytes */
	size += 2 * sizeof(u64);
	bytes = min_t(unsigned long, bytes, size < PCL_RECORD_LIMIT ? PCL_RECORD_LIMIT - size : 0);
	data->stack_user_size = bytes;
	return bytes ? 2 * sizeof(u64) + bytes : sizeof(u64);
}

void pcl_stack_user_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	u64 bytes = data->stack_user_size, copied;

	perf_output_put(handle, bytes);
	if (!bytes)
		return;
	copied = pcl_output_custom(handle, copy_part, (void *)stack_begin(data->regs_user.regs), bytes);
	perf_output_put(handle, copied);
}
