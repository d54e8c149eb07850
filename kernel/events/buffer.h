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

/* Pages that a mapping charges: to the user's allowance first, the rest to the process's locked memory. */
struct pcl_charge {
	struct user_struct *user;		/* a reference */
	struct mm_struct *mm;			/* a reference on the struct alone: its process may be gone by now */
	unsigned long nr_user;
	unsigned long nr_pinned;
};

/* An AUX area; see aux_area.c. Its bytes are counted freely, and wrap modulo its size. */
struct pcl_aux {
	void **pages;				/* [I] */
	unsigned int nr_pages;			/* [I] a power of two */
	unsigned long pgoff;			/* [I] where it is mapped, pages */
	bool overwrite;				/* [I] the reader's tail is not asked */
	unsigned long watermark;		/* [I] bytes between two wake-ups */
	void *driver;				/* [I] what pmu::setup_aux() gave */
	void (*free_driver)(void *driver);	/* [I] */
	struct module *module;			/* [I] the driver's; a reference */
	refcount_t users;			/* the mappings together, each output operation */
	atomic_t mmap_count;			/* rb->aux_mutex */
	struct pcl_charge charge;		/* [I] */
	bool busy;				/* [A] an output operation is under way; the rest is its alone */
	bool sampled;				/* [A] its CPU is at it */
	bool pausing;				/* [A] likewise, or resuming */
	unsigned long head;			/* bytes ever filled; overwriting: where the driver is */
	unsigned long wakeup;			/* head at the last wake-up */
	struct rcu_head rcu_head;
};

static inline unsigned long pcl_aux_size(const struct pcl_aux *aux)
{
	return (unsigned long)aux->nr_pages << PAGE_SHIFT;
}

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
	struct pcl_charge charge;		/* [I] */
	struct mutex aux_mutex;
	struct pcl_aux __rcu *aux;		/* aux_mutex, [R] NULL: none is mapped */
	unsigned long aux_head;			/* aux_mutex; where the next area goes on, as the page says */
	unsigned long aux_wakeup;		/* aux_mutex */
	struct rcu_head rcu_head;
	void *pages[];				/* [I] ring.pieces points here */
};

struct perf_buffer *pcl_buffer_alloc(unsigned long nr_pages, struct perf_event *event, bool overwrite);
void pcl_buffer_attach(struct perf_event *event, struct perf_buffer *rb);	/* event->mmap_mutex; NULL: detach */

/* charge.c */
int pcl_charge_check(struct pcl_charge *charge, struct vm_area_struct *vma, unsigned long nr_pages);
void pcl_charge_take(struct pcl_charge *charge, struct mm_struct *mm);
void pcl_charge_drop(struct pcl_charge *charge);

/* aux_area.c */
struct pcl_aux *pcl_aux_alloc(struct perf_event *event, unsigned long pgoff, unsigned int nr_pages, bool overwrite);
void pcl_aux_free(struct pcl_aux *aux);
struct pcl_aux *pcl_aux_get(struct perf_event *event, struct perf_buffer **rb); /* any context */
void pcl_aux_put(struct pcl_aux *aux);
struct page *pcl_aux_page(struct perf_buffer *rb, unsigned long pgoff);	/* RCU; NULL: not the area's */

struct page *pcl_buffer_page(struct perf_buffer *rb, unsigned long index);	/* 0: the control page; NULL: beyond */

#endif /* _KERNEL_EVENTS_BUFFER_H */
