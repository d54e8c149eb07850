/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buffer: a ring with its pages, who is attached to it, and who keeps it alive; the code is in buffer.c and mmap.c.
 */
#ifndef _KERNEL_EVENTS_BUFFER_H
#define _KERNEL_EVENTS_BUFFER_H

#include <linux/refcount.h>
#include <linux/sched/user.h>
#include <linux/spinlock.h>

#include "internal.h"
#include "ring.h"

/*
 * A buffer: one control page and the pages of a ring, mapped by one process or several.
 *
 * Made by the first mmap() of an event; further events join by PERF_EVENT_IOC_SET_OUTPUT or by mapping the same event
 * again. Each attached event holds a reference, and so does whoever works on it at the moment; the memory goes an RCU
 * grace period after the last reference, since writers use it under RCU alone.
 */
struct perf_buffer {
	struct pcl_ring ring;
	int cpu;				/* event_lock, [A] whose CPU's ring it is; -1: @task's */
	const struct task_struct *task;		/* [I] compared, never looked into */
	refcount_t refcount;
	atomic_t lost_elsewhere;		/* [A] records lost where nobody may write here, and not yet told */
	int writer;				/* [A] debug kernels: the number of the CPU at work here, plus 1 */
	atomic_t poll;				/* [A] EPOLL* to be told at the next poll() */
	spinlock_t event_lock;			/* event_list; innermost, IRQs off */
	struct list_head event_list;		/* event_lock, [R] attached events, by rb_entry */
	atomic_t mmap_count;			/* [A] mappings, of all events; at 0 nobody may join any more */
	unsigned long mmap_locked;		/* [I] pages charged to mm->pinned_vm, the others to mmap_user */
	struct user_struct *mmap_user;		/* [I] whose perf_mlock was charged; a reference */
	struct rcu_head rcu_head;
	void *pages[];				/* [I] ring.pieces points here */
};

struct perf_buffer *pcl_buffer_alloc(unsigned long nr_pages, struct perf_event *event, bool overwrite);
void pcl_buffer_attach(struct perf_event *event, struct perf_buffer *rb);	/* event->mmap_mutex; NULL: detach */
struct page *pcl_buffer_page(struct perf_buffer *rb, unsigned long index);	/* 0: the control page; NULL: beyond */

#endif /* _KERNEL_EVENTS_BUFFER_H */
