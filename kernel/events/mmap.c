// SPDX-License-Identifier: GPL-2.0
/*
 * Mmap: the control page and the ring in a user's address space.
 *
 * Concepts: page 0 of a mapping is the control page, the rest the ring: none, or a power of two. Only the control page
 * can be written by the user, whatever the protection of the mapping; a mapping without PROT_WRITE asks for a ring
 * that overwrites its oldest records, since it cannot say how far it has read.
 *
 * The first mapping makes the buffer, further ones of the same size share it. event->mmap_count counts the mappings of
 * one event, rb->mmap_count those of all events that share a buffer. When the last of all goes, events that were
 * redirected to the buffer are detached, too: nobody could ever read what they write.
 *
 * Contexts: process context with mm->mmap_lock held, hence never ctx->mutex, inside which user memory is touched.
 *
 * Locks: event->mmap_mutex. An rb->mmap_count that has reached 0 never rises again.
 */
#include <linux/capability.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched/signal.h>

#include "buffer.h"

/* Pages that a mapping charges: to the user's allowance first, the rest to the process's locked memory. */
struct charge {
	long user;
	long pinned;
};

static struct perf_buffer *mapped_buffer(struct perf_event *event)
{
	return rcu_dereference_protected(event->rb, lockdep_is_held(&event->mmap_mutex) ||
						    atomic_read(&event->mmap_count));
}

static int charge_check(struct charge *charge, struct vm_area_struct *vma, unsigned long nr_pages)
{
	unsigned long allowance = (sysctl_perf_event_mlock >> (PAGE_SHIFT - 10)) * (unsigned long)num_online_cpus();
	unsigned long used = atomic_long_read(&current_user()->perf_mlock);
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	/* The allowance may have been lowered below what is in use. */
	unsigned long left = allowance - min(used, allowance);

	charge->user = min(nr_pages, left);
	charge->pinned = nr_pages - charge->user;
	if (atomic64_read(&vma->vm_mm->pinned_vm) + charge->pinned <= limit)
		return 0;
	if (!perf_is_paranoid() || capable(CAP_IPC_LOCK))
		return 0;
	return pcl_refuse(NULL, PCL_REASON_MMAP_MLOCK);
}

static void charge_take(struct perf_buffer *rb, const struct charge *charge, struct mm_struct *mm)
{
	rb->mmap_user = get_current_user();
	rb->mmap_locked = charge->pinned;
	atomic_long_add(charge->user, &rb->mmap_user->perf_mlock);
	atomic64_add(charge->pinned, &mm->pinned_vm);
}

static void charge_drop(struct perf_buffer *rb, struct mm_struct *mm)
{
	atomic_long_sub(rb->ring.nr_pieces + 1 - rb->mmap_locked, &rb->mmap_user->perf_mlock);
	atomic64_sub(rb->mmap_locked, &mm->pinned_vm);
	free_uid(rb->mmap_user);
}

/* ---- pages ---- */

static vm_fault_t vma_fault(struct vm_fault *vmf)
{
	struct perf_event *event = vmf->vma->vm_file->private_data;
	vm_fault_t ret = VM_FAULT_SIGBUS;
	struct perf_buffer *rb;
	struct page *page;

	if (vmf->pgoff && vmf->flags & FAULT_FLAG_WRITE)
		return ret;

	rcu_read_lock();
	rb = rcu_dereference(event->rb);
	page = rb ? pcl_buffer_page(rb, vmf->pgoff) : NULL;
	if (page) {
		get_page(page);
		page->mapping = vmf->vma->vm_file->f_mapping;
		page->index = vmf->pgoff;
		vmf->page = page;
		ret = 0;
	}
	rcu_read_unlock();
	return ret;
}

/* A page that was mapped for reading shall be written. */
static vm_fault_t vma_make_writable(struct vm_fault *vmf)
{
	return vmf->pgoff ? VM_FAULT_SIGBUS : 0;
}

/* ---- mappings come and go ---- */

/* The mapping moved within its process, by mremap(). */
static void vma_open(struct vm_area_struct *vma)
{
	struct perf_event *event = vma->vm_file->private_data;

	atomic_inc(&event->mmap_count);
	atomic_inc(&mapped_buffer(event)->mmap_count);
	pcl_pmu_mapped(event, vma->vm_mm);
}

/* An event attached to @rb, with a reference; NULL if there is none but those that are being freed. */
static struct perf_event *attached_event_get(struct perf_buffer *rb)
{
	struct perf_event *event, *found = NULL;

	rcu_read_lock();
	list_for_each_entry_rcu(event, &rb->event_list, rb_entry) {
		if (pcl_event_get(event)) {
			found = event;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

/*
 * rb->mmap_count is 0, so nobody joins; event_lock nests inside mmap_mutex, so the list is taken apart one by one from
 * the start. Events that are being freed detach themselves.
 */
static void detach_all(struct perf_buffer *rb)
{
	struct perf_event *event;

	while ((event = attached_event_get(rb))) {
		mutex_lock(&event->mmap_mutex);
		/* It may have been redirected while we waited. */
		if (mapped_buffer(event) == rb)
			pcl_buffer_attach(event, NULL);
		mutex_unlock(&event->mmap_mutex);
		pcl_event_put(event);
	}
}

static void vma_close(struct vm_area_struct *vma)
{
	struct perf_event *event = vma->vm_file->private_data;
	struct perf_buffer *rb = pcl_buffer_get(event);
	bool last;

	pcl_pmu_unmapped(event, vma->vm_mm);

	last = atomic_dec_and_test(&rb->mmap_count);
	if (atomic_dec_and_mutex_lock(&event->mmap_count, &event->mmap_mutex)) {
		pcl_buffer_attach(event, NULL);
		mutex_unlock(&event->mmap_mutex);
	}
	if (last) {
		detach_all(rb);
		charge_drop(rb, vma->vm_mm);
	}
	pcl_buffer_put(rb);
}

/* What open and close count is whole mappings. */
static int vma_may_split(struct vm_area_struct *vma, unsigned long addr)
{
	return -EINVAL;
}

static const struct vm_operations_struct vma_ops = {
	.fault		= vma_fault,
	.page_mkwrite	= vma_make_writable,
	.open		= vma_open,
	.close		= vma_close,
	.may_split	= vma_may_split,
};

/* ---- mmap() ---- */

/* Has the control page announced an AUX area of this size at this place? It only chooses between two refusals. */
static bool mmap_aux_announced(struct perf_buffer *rb, struct vm_area_struct *vma)
{
	u64 place = READ_ONCE(rb->ring.user->aux_offset), size = READ_ONCE(rb->ring.user->aux_size);

	return place == (u64)vma->vm_pgoff << PAGE_SHIFT && place >= PAGE_SIZE + pcl_ring_size(&rb->ring) &&
	       size == vma->vm_end - vma->vm_start && is_power_of_2(vma_pages(vma));
}

/* What does not begin with the control page is an AUX area, which no PMU has yet. */
static int mmap_refuse_aux(struct perf_event *event, struct vm_area_struct *vma)
{
	struct perf_buffer *rb = pcl_buffer_get(event);
	bool announced = rb && mmap_aux_announced(rb, vma);

	if (rb)
		pcl_buffer_put(rb);
	return pcl_refuse(NULL, announced ? PCL_REASON_MMAP_NO_AUX : PCL_REASON_MMAP_PLACE);
}

static int mmap_check(struct perf_event *event, struct vm_area_struct *vma)
{
	unsigned long nr_pages = vma_pages(vma);
	int err;

	/* All children would write to it at once. */
	if (event->attr.inherit && event->cpu == -1)
		return pcl_refuse(NULL, PCL_REASON_MMAP_INHERITED);
	if (!(vma->vm_flags & VM_SHARED))
		return pcl_refuse(NULL, PCL_REASON_MMAP_PRIVATE);
	err = pcl_refuse_security(NULL, security_perf_event_read(event));
	if (err)
		return err;
	if (vma->vm_pgoff)
		return mmap_refuse_aux(event, vma);
	if (nr_pages > 1 && !is_power_of_2(nr_pages - 1))
		return pcl_refuse(NULL, PCL_REASON_MMAP_PAGES);
	return 0;
}

/* Join the buffer that @event has. -EAGAIN: its last mapping is just going, so it has none any more. */
static int mmap_share(struct perf_event *event, struct perf_buffer *rb, unsigned long nr_pages)
{
	if (rb->ring.nr_pieces + 1UL != nr_pages)
		return pcl_refuse(NULL, PCL_REASON_MMAP_OTHER_SIZE);
	if (atomic_inc_not_zero(&rb->mmap_count))
		return 0;
	pcl_buffer_attach(event, NULL);
	return -EAGAIN;
}

static int mmap_make(struct perf_event *event, struct vm_area_struct *vma)
{
	unsigned long nr_pages = vma_pages(vma);
	struct perf_buffer *rb;
	struct charge charge;
	int err;

	err = charge_check(&charge, vma, nr_pages);
	if (err)
		return err;
	rb = pcl_buffer_alloc(nr_pages - 1, event, !(vma->vm_flags & VM_WRITE));
	if (!rb)
		return -ENOMEM;
	charge_take(rb, &charge, vma->vm_mm);
	atomic_set(&rb->mmap_count, 1);
	pcl_buffer_attach(event, rb);
	return 0;
}

static void update_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg;

	if (event->ctx != ctx)
		return;
	pcl_sched_event_moves(event);
	perf_event_update_userpage(event);
}

/* The first content of the control page. Where the event moves meanwhile, its new CPU writes it. */
static void update_userpage_remote(struct perf_event *event)
{
	struct perf_event_context *ctx;

	rcu_read_lock();
	ctx = READ_ONCE(event->ctx);
	if (!refcount_inc_not_zero(&ctx->refcount))
		ctx = NULL;
	rcu_read_unlock();
	if (!ctx)
		return;
	pcl_remote(ctx, update_local, event);
	pcl_context_put(ctx);
}

int pcl_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct perf_event *event = file->private_data;
	struct perf_buffer *rb;
	int err;

	err = mmap_check(event, vma);
	if (err)
		return err;

	mutex_lock(&event->mmap_mutex);
	rb = mapped_buffer(event);
	err = rb ? mmap_share(event, rb, vma_pages(vma)) : -EAGAIN;
	if (err == -EAGAIN)
		err = mmap_make(event, vma);
	if (!err)
		atomic_inc(&event->mmap_count);
	mutex_unlock(&event->mmap_mutex);
	if (err)
		return err;

	/* What was charged belongs to this process: a child does not inherit the mapping. */
	vma->vm_flags |= VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP;
	vma->vm_ops = &vma_ops;
	update_userpage_remote(event);
	pcl_pmu_mapped(event, vma->vm_mm);
	return 0;
}
