// SPDX-License-Identifier: GPL-2.0
/*
 * Buffer: a ring's pages, the events attached to it, its references, and the control page.
 *
 * Concepts: event->rb says where an event's records go. It is set by the first mmap() of the event, or by redirecting
 * the event to another's buffer, and cleared when its own last mapping goes, or the buffer's, or the event is freed.
 * Children have none and write to their parent's. Writers read event->rb under RCU, so whoever takes a buffer away from
 * an event leaves it whole until a grace period has passed.
 *
 * The list of attached events serves waking: whoever polls any of them is woken for all.
 *
 * Contexts: process context, but for pcl_buffer_wake(), which an irq_work calls, and perf_event_update_userpage(),
 * which drivers call from NMI.
 *
 * Locks: event->mmap_mutex guards event->rb; two of them are taken in the order of their addresses. rb->event_lock
 * nests inside.
 */
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "buffer.h"

atomic_t pcl_nr_rings;

/* ---- memory ---- */

/* Architectures whose caches alias want the pages in one virtual piece, from vmalloc. */
static void *page_alloc(int cpu)
{
	struct page *page = alloc_pages_node(cpu < 0 ? NUMA_NO_NODE : cpu_to_node(cpu), GFP_KERNEL | __GFP_ZERO, 0);

	return page ? page_address(page) : NULL;
}

static struct page *page_of(void *address)
{
	return IS_ENABLED(CONFIG_PERF_USE_VMALLOC) ? vmalloc_to_page(address) : virt_to_page(address);
}

static void pages_free(struct perf_buffer *rb)
{
	unsigned int i;

	/* The fault handler made them belong to the file. */
	if (rb->ring.user)
		page_of(rb->ring.user)->mapping = NULL;
	for (i = 0; i < rb->ring.nr_pieces; i++)
		page_of(rb->pages[i])->mapping = NULL;

	if (IS_ENABLED(CONFIG_PERF_USE_VMALLOC)) {
		vfree(rb->ring.user);
		return;
	}
	for (i = 0; i < rb->ring.nr_pieces; i++)
		free_page((unsigned long)rb->pages[i]);
	free_page((unsigned long)rb->ring.user);
}

/* Fills ring.user and pages; ring.nr_pieces says how far it got. */
static bool pages_alloc(struct perf_buffer *rb, unsigned long nr_pages, int cpu)
{
	unsigned int i;

	if (IS_ENABLED(CONFIG_PERF_USE_VMALLOC)) {
		rb->ring.user = vmalloc_user((nr_pages + 1) << PAGE_SHIFT);
		if (!rb->ring.user)
			return false;
		for (i = 0; i < nr_pages; i++)
			rb->pages[i] = (void *)rb->ring.user + ((i + 1UL) << PAGE_SHIFT);
		rb->ring.nr_pieces = nr_pages;
		return true;
	}

	rb->ring.user = page_alloc(cpu);
	if (!rb->ring.user)
		return false;
	for (i = 0; i < nr_pages; i++) {
		rb->pages[i] = page_alloc(cpu);
		if (!rb->pages[i])
			return false;
		rb->ring.nr_pieces++;
	}
	return true;
}

static void control_page_init(struct pcl_ring *ring)
{
	struct perf_event_mmap_page *user = ring->user;

	user->cap_bit0_is_deprecated = 1;	/* bit 0 of the capabilities once meant two things */
	user->size = offsetof(struct perf_event_mmap_page, __reserved);
	user->data_offset = PAGE_SIZE;
	user->data_size = pcl_ring_size(ring);
}

/**
 * pcl_buffer_alloc - make a buffer for @event, attached to nothing yet
 * @nr_pages: pages for records: a power of two or 0
 * @event: says who may write, the node, and how much to write between wake-ups
 * @overwrite: write on when the reader is behind
 *
 * Return: the buffer with one reference, or NULL without memory.
 */
struct perf_buffer *pcl_buffer_alloc(unsigned long nr_pages, struct perf_event *event, bool overwrite)
{
	struct perf_buffer *rb;
	unsigned long size;

	if (nr_pages > (KMALLOC_MAX_SIZE - sizeof(*rb)) / sizeof(void *))
		return NULL;
	rb = kzalloc_node(struct_size(rb, pages, nr_pages), GFP_KERNEL,
			  event->cpu < 0 ? NUMA_NO_NODE : cpu_to_node(event->cpu));
	if (!rb)
		return NULL;
	if (!pages_alloc(rb, nr_pages, event->cpu)) {
		pages_free(rb);
		kfree(rb);
		return NULL;
	}

	rb->cpu = event->cpu;
	rb->task = event->hw.target;
	rb->ring.pieces = rb->pages;
	rb->ring.piece_shift = PAGE_SHIFT;
	rb->ring.overwrite = overwrite;
	rb->ring.paused = !nr_pages;	/* writers ask only this */
	size = pcl_ring_size(&rb->ring);
	if (event->attr.watermark)
		rb->ring.watermark = min_t(unsigned long, event->attr.wakeup_watermark, size);
	if (!rb->ring.watermark)
		rb->ring.watermark = size / 2;
	control_page_init(&rb->ring);

	refcount_set(&rb->refcount, 1);
	spin_lock_init(&rb->event_lock);
	mutex_init(&rb->aux_mutex);
	INIT_LIST_HEAD(&rb->event_list);
	atomic_inc(&pcl_nr_rings);
	return rb;
}

struct page *pcl_buffer_page(struct perf_buffer *rb, unsigned long index)
{
	if (index > rb->ring.nr_pieces)
		return NULL;
	return page_of(index ? rb->pages[index - 1] : rb->ring.user);
}

static void buffer_free(struct rcu_head *head)
{
	struct perf_buffer *rb = container_of(head, struct perf_buffer, rcu_head);

	pages_free(rb);
	kfree(rb);
}

/* ---- references ---- */

/* The buffer that @event writes to, with a reference; NULL if there is none. */
struct perf_buffer *pcl_buffer_get(struct perf_event *event)
{
	struct perf_buffer *rb;

	if (event->parent)
		event = event->parent;
	rcu_read_lock();
	rb = rcu_dereference(event->rb);
	if (rb && !refcount_inc_not_zero(&rb->refcount))
		rb = NULL;
	rcu_read_unlock();
	return rb;
}

void pcl_buffer_put(struct perf_buffer *rb)
{
	if (!refcount_dec_and_test(&rb->refcount))
		return;
	WARN_ON_ONCE(!list_empty(&rb->event_list));
	atomic_dec(&pcl_nr_rings);
	call_rcu(&rb->rcu_head, buffer_free);
}

/*
 * The events of a PMU go to another CPU, and their rings with them: nobody else writes there once all have gone, and
 * they are bound nowhere meanwhile.
 */
void pcl_buffer_follow(struct perf_event *event)
{
	struct perf_buffer *rb = pcl_buffer_get(event);
	struct perf_event *other;
	bool all = true;

	if (!rb)
		return;
	spin_lock_irq(&rb->event_lock);
	list_for_each_entry(other, &rb->event_list, rb_entry)
		all &= other->cpu == event->cpu;
	if (all)
		WRITE_ONCE(rb->cpu, event->cpu);
	spin_unlock_irq(&rb->event_lock);
	pcl_buffer_put(rb);
}

/* ---- attaching ---- */

static struct perf_buffer *buffer_of(struct perf_event *event)
{
	return rcu_dereference_protected(event->rb, lockdep_is_held(&event->mmap_mutex));
}

/*
 * From here on @event writes to @rb, whose reference it takes over, or to nothing. event->mmap_mutex held.
 *
 * The entry in the list is walked under RCU, so between leaving one list and joining another a grace period must pass.
 * It is awaited as late as possible: most events never join another.
 */
void pcl_buffer_attach(struct perf_event *event, struct perf_buffer *rb)
{
	struct perf_buffer *old = buffer_of(event);

	lockdep_assert_held(&event->mmap_mutex);
	if (old) {
		spin_lock_irq(&old->event_lock);
		list_del_rcu(&event->rb_entry);
		spin_unlock_irq(&old->event_lock);
		event->rcu_batches = get_state_synchronize_rcu();
		event->rcu_pending = 1;
	}
	if (rb) {
		if (event->rcu_pending)
			cond_synchronize_rcu(event->rcu_batches);
		event->rcu_pending = 0;
		spin_lock_irq(&rb->event_lock);
		list_add_rcu(&event->rb_entry, &rb->event_list);
		spin_unlock_irq(&rb->event_lock);
	}

	rcu_assign_pointer(event->rb, rb);

	if (old) {
		pcl_buffer_put(old);
		/* Between the two lists nobody would have woken it. */
		wake_up_all(&event->waitq);
	}
}

void pcl_buffer_detach(struct perf_event *event)
{
	mutex_lock(&event->mmap_mutex);
	if (buffer_of(event))
		pcl_buffer_attach(event, NULL);
	mutex_unlock(&event->mmap_mutex);
}

static void lock_both(struct perf_event *event, struct perf_event *other)
{
	if (event > other)
		swap(event, other);
	mutex_lock(&event->mmap_mutex);
	mutex_lock_nested(&other->mmap_mutex, SINGLE_DEPTH_NESTING);
}

/* May records of @event stand in the ring of @target? */
static int output_check(struct perf_event *event, struct perf_event *target, struct pcl_why *why)
{
	if (event == target)
		return pcl_refuse(why, PCL_REASON_OUTPUT_SELF);
	if (event->cpu != target->cpu)
		return pcl_refuse(why, PCL_REASON_OUTPUT_CPU);
	/* A ring has one writing CPU at a time: that of its CPU or of its task. */
	if (target->cpu == -1 && event->hw.target != target->hw.target)
		return pcl_refuse(why, PCL_REASON_OUTPUT_TASK);
	if (event->clock != target->clock)
		return pcl_refuse(why, PCL_REASON_OUTPUT_CLOCK);
	if (is_write_backward(event) != is_write_backward(target))
		return pcl_refuse(why, PCL_REASON_OUTPUT_BACKWARD);
	return 0;
}

/*
 * Both mmap_mutexes held. The last munmap() of the ring sets mmap_count to 0 and then detaches all in the list; so
 * either we see the 0, or it sees us in the list.
 */
static int output_redirect(struct perf_event *event, struct perf_event *target, struct pcl_why *why)
{
	struct perf_buffer *rb;

	lockdep_assert_held(&event->mmap_mutex);
	if (atomic_read(&event->mmap_count))
		return pcl_refuse(why, PCL_REASON_OUTPUT_MAPPED);
	if (!target) {
		pcl_buffer_attach(event, NULL);
		return 0;
	}
	rb = pcl_buffer_get(target);
	if (!rb)
		return pcl_refuse(why, PCL_REASON_OUTPUT_NO_RING);
	if (!atomic_read(&rb->mmap_count)) {
		pcl_buffer_put(rb);
		return pcl_refuse(why, PCL_REASON_OUTPUT_RING_GONE);
	}
	pcl_buffer_attach(event, rb);
	return 0;
}

/* Send @event's records to @target's ring, or with NULL nowhere. */
int pcl_buffer_set_output(struct perf_event *event, struct perf_event *target, struct pcl_why *why)
{
	int err;

	if (!target) {
		mutex_lock(&event->mmap_mutex);
		err = output_redirect(event, NULL, why);
		mutex_unlock(&event->mmap_mutex);
		return err;
	}

	err = output_check(event, target, why);
	if (err)
		return err;
	lock_both(event, target);
	err = output_redirect(event, target, why);
	mutex_unlock(&event->mmap_mutex);
	mutex_unlock(&target->mmap_mutex);
	return err;
}

/* ---- pausing, polling, waking ---- */

int pcl_buffer_pause(struct perf_event *event, bool pause)
{
	struct perf_buffer *rb;
	int err = 0;

	rcu_read_lock();
	rb = rcu_dereference(event->rb);
	if (rb && rb->ring.nr_pieces)
		WRITE_ONCE(rb->ring.paused, pause);
	else
		err = pcl_refuse(NULL, PCL_REASON_PAUSE_NO_RING);
	rcu_read_unlock();
	return err;
}

/* What happened since the last call. The mutex keeps a redirection from hiding it in the old ring. */
__poll_t pcl_buffer_poll(struct perf_event *event)
{
	struct perf_buffer *rb;
	__poll_t events = 0;

	mutex_lock(&event->mmap_mutex);
	rb = buffer_of(event);
	if (rb)
		events = (__force __poll_t)atomic_xchg(&rb->poll, 0);
	mutex_unlock(&event->mmap_mutex);
	return events;
}

/* All who wait for an event of the ring that @event, or its parent, writes to. */
void pcl_buffer_wake(struct perf_event *event)
{
	struct perf_event *origin = event->parent ? event->parent : event;
	struct perf_event *attached;
	struct perf_buffer *rb;

	rcu_read_lock();
	rb = rcu_dereference(origin->rb);
	if (rb) {
		list_for_each_entry_rcu(attached, &rb->event_list, rb_entry)
			wake_up_all(&attached->waitq);
	}
	rcu_read_unlock();
}

/* ---- the control page ---- */

/* What self-monitoring user code needs besides: the time conversion, whether it may read counters itself. */
void __weak arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *userpg, u64 now)
{
}

/* What user code would have read from the counter, sign-extended, when it was last folded. */
s64 __weak arch_perf_user_base(struct perf_event *event)
{
	return local64_read(&event->hw.prev_count);
}

/* The counter to read with rdpmc, plus one; 0: none, read the count from @offset alone. */
static u32 counter_index(struct perf_event *event)
{
	if (event->state != PERF_EVENT_STATE_ACTIVE || READ_ONCE(event->hw.state) & PERF_HES_STOPPED ||
	    !event->pmu->event_idx)
		return 0;
	return event->pmu->event_idx(event);
}

/* Begin and end of a change. The reader of a counter is on this CPU: order in the program is order seen. */
static void page_lock(struct perf_event_mmap_page *user)
{
	preempt_disable();
	WRITE_ONCE(user->lock, READ_ONCE(user->lock) + 1);
	barrier();	/* odd before anything else changes */
}

static void page_unlock(struct perf_event_mmap_page *user)
{
	barrier();	/* all has changed before it is even again */
	WRITE_ONCE(user->lock, READ_ONCE(user->lock) + 1);
	preempt_enable();
}

/* An overflow may come between the two looks, fold the counter and set it anew: then again. */
static void page_put_counter(struct perf_event_mmap_page *user, struct perf_event *event)
{
	u32 index = counter_index(event);
	u64 count;
	s64 base;

	user->index = index;
	do {
		count = pcl_event_count(event);
		base = index ? arch_perf_user_base(event) : 0;
		WRITE_ONCE(user->offset, count - base);
	} while (count != pcl_event_count(event) || (index && base != arch_perf_user_base(event)));
}

/**
 * __perf_event_update_userpage - bring the control page up to date
 * @event: an event, mapped or not
 *
 * After each change of the counter that holds the event, or of its times. On the event's CPU, IRQs off or NMI, or with
 * ctx->lock while it is on none. An overflow may do it amidst another, and then has the last word. A reader that finds
 * @lock odd, or changed, reads again.
 */
void __perf_event_update_userpage(struct perf_event *event)
{
	struct perf_buffer *rb;
	u64 enabled, running, now;

	rcu_read_lock();
	rb = rcu_dereference(event->rb);
	if (rb) {
		struct perf_event_mmap_page *user = rb->ring.user;

		/* The page says how to go on from there: it is one moment. */
		now = local_clock();
		pcl_event_times_at(event, now, &enabled, &running);
		page_lock(user);
		page_put_counter(user, event);
		user->time_enabled = enabled + atomic64_read(&event->child_total_time_enabled);
		user->time_running = running + atomic64_read(&event->child_total_time_running);
		arch_perf_update_userpage(event, user, now);
		page_unlock(user);
	}
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(__perf_event_update_userpage);

/* The same where the counter alone was set anew, and the event goes on: its times, and what they began with, hold. */
void perf_event_update_usercounter(struct perf_event *event)
{
	struct perf_buffer *rb;

	rcu_read_lock();
	rb = rcu_dereference(event->rb);
	if (rb) {
		page_lock(rb->ring.user);
		page_put_counter(rb->ring.user, event);
		page_unlock(rb->ring.user);
	}
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(perf_event_update_usercounter);
