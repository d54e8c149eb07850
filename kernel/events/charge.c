// SPDX-License-Identifier: GPL-2.0
/*
 * Charge: locked memory, and whose it is.
 *
 * Concepts: what is mapped of an event cannot be swapped out. Each user has an allowance for it, which grows with the
 * number of CPUs (kernel.perf_event_mlock_kb); what goes beyond is locked memory of the process, up to RLIMIT_MEMLOCK.
 * A mapping is charged to who made it, and given back to the same user and process, whoever unmaps last.
 *
 * Contexts: process context. Locks: none; two mappings at once may together go a little beyond the limit.
 */
#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "buffer.h"

/* kernel.perf_event_mlock_kb: 512 KiB of ring and the control page, per user and CPU */
int sysctl_perf_event_mlock __read_mostly = 512 + PAGE_SIZE / 1024;

/* May the running task map @nr_pages more in @vma? What it would cost is in @charge then. 0, or an errno. */
int pcl_charge_check(struct pcl_charge *charge, struct vm_area_struct *vma, unsigned long nr_pages)
{
	unsigned long allowance = (sysctl_perf_event_mlock >> (PAGE_SHIFT - 10)) * (unsigned long)num_online_cpus();
	unsigned long used = atomic_long_read(&current_user()->perf_mlock);
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	/* The allowance may have been lowered below what is in use. */
	unsigned long left = allowance - min(used, allowance);

	charge->nr_user = min(nr_pages, left);
	charge->nr_pinned = nr_pages - charge->nr_user;
	if (atomic64_read(&vma->vm_mm->pinned_vm) + charge->nr_pinned <= limit)
		return 0;
	if (!perf_is_paranoid() || capable(CAP_IPC_LOCK))
		return 0;
	return pcl_refuse(NULL, PCL_REASON_MMAP_MLOCK);
}

void pcl_charge_take(struct pcl_charge *charge, struct mm_struct *mm)
{
	charge->user = get_current_user();
	charge->mm = mm;
	mmgrab(mm);
	atomic_long_add(charge->nr_user, &charge->user->perf_mlock);
	atomic64_add(charge->nr_pinned, &mm->pinned_vm);
}

/* Who unmaps last need not be who was charged, whose process may be gone. */
void pcl_charge_drop(struct pcl_charge *charge)
{
	atomic_long_sub(charge->nr_user, &charge->user->perf_mlock);
	atomic64_sub(charge->nr_pinned, &charge->mm->pinned_vm);
	mmdrop(charge->mm);
	free_uid(charge->user);
}
