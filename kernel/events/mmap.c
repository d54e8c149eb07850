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
 * redirected to the buffer are detached, too: nobody could ever read what they write. The pages are charged to who
 * mapped first, and given back to the same user and process, whoever unmaps last.
 *
 * Contexts: process context with mm->mmap_lock held, hence never ctx->mutex, inside which user memory is touched.
 *
 * Locks: event->mmap_mutex. An rb->mmap_count that has reached 0 never rises again.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched/signal.h>

#include "buffer.h"

static struct perf_buffer *mapped_buffer(struct perf_event *event)
{
	return rcu_dereference_protected(event->rb, lockdep_is_held(&event->mmap_mutex) ||
						    atomic_read(&event->mmap_count));
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
	if (rb && !page)
		page = pcl_aux_page(rb, vmf->pgoff);
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

	if (vma->vm_pgoff)
		pcl_aux_mapping_moved(mapped_buffer(event));
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
			pcl_buffer_attach(event, NULL);	/* with the last mapping the AUX area has gone */
		mutex_unlock(&event->mmap_mutex);
		pcl_event_put_later(event);	/* mm->mmap_lock is held */
	}
}

static void vma_close(struct vm_area_struct *vma)
{
	struct perf_event *event = vma->vm_file->private_data;
	struct perf_buffer *rb = pcl_buffer_get(event);
	bool last;

	pcl_pmu_unmapped(event, vma->vm_mm);
	if (vma->vm_pgoff)
		pcl_aux_unmap(rb);

	last = atomic_dec_and_test(&rb->mmap_count);
	if (atomic_dec_and_mutex_lock(&event->mmap_count, &event->mmap_mutex)) {
		pcl_buffer_attach(event, NULL);
		pcl_aux_output_moved(event);
		mutex_unlock(&event->mmap_mutex);
	}
	if (last) {
		detach_all(rb);
		pcl_charge_drop(&rb->charge);
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

/* What does not begin with the control page is an AUX area, of a buffer that is mapped already. */
static int mmap_aux(struct perf_event *event, struct vm_area_struct *vma)
{
	struct perf_buffer *rb;
	int err;

	if (vma_pages(vma) > INT_MAX)
		return -ENOMEM;
	mutex_lock(&event->mmap_mutex);
	rb = mapped_buffer(event);
	if (!rb || !atomic_inc_not_zero(&rb->mmap_count)) {
		mutex_unlock(&event->mmap_mutex);
		return pcl_refuse(NULL, PCL_REASON_MMAP_AUX_ALONE);
	}
	err = pcl_aux_map(event, rb, vma);
	if (err)
		atomic_dec(&rb->mmap_count);
	else
		atomic_inc(&event->mmap_count);
	mutex_unlock(&event->mmap_mutex);
	return err;
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
	if (!vma->vm_pgoff && nr_pages > 1 && !is_power_of_2(nr_pages - 1))
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
	struct pcl_charge charge;
	struct perf_buffer *rb;
	int err;

	err = pcl_charge_check(&charge, vma, nr_pages);
	if (err)
		return err;
	rb = pcl_buffer_alloc(nr_pages - 1, event, !(vma->vm_flags & VM_WRITE));
	if (!rb)
		return -ENOMEM;
	pcl_charge_take(&charge, vma->vm_mm);
	rb->charge = charge;
	atomic_set(&rb->mmap_count, 1);
	pcl_buffer_attach(event, rb);
	return 0;
}

static int mmap_ring(struct perf_event *event, struct vm_area_struct *vma)
{
	struct perf_buffer *rb;
	int err;

	mutex_lock(&event->mmap_mutex);
	rb = mapped_buffer(event);
	err = rb ? mmap_share(event, rb, vma_pages(vma)) : -EAGAIN;
	if (err == -EAGAIN)
		err = mmap_make(event, vma);
	if (!err)
		atomic_inc(&event->mmap_count);
	mutex_unlock(&event->mmap_mutex);
	return err;
}

static void update_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg;

	if (event->ctx != ctx)
		return;
	pcl_stay_no_more(event);
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
	int err;

	err = mmap_check(event, vma);
	if (err)
		return err;

	err = vma->vm_pgoff ? mmap_aux(event, vma) : mmap_ring(event, vma);
	if (err)
		return err;

	/* What was charged belongs to this process: a child does not inherit the mapping. */
	vma->vm_flags |= VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP;
	vma->vm_ops = &vma_ops;
	if (!vma->vm_pgoff)
		update_userpage_remote(event);
	pcl_pmu_mapped(event, vma->vm_mm);
	return 0;
}
