// SPDX-License-Identifier: GPL-2.0
/*
 * AUX mappings: areas come with the first mapping of them, and go with the last.
 *
 * Concepts: a program writes into the control page where behind the ring it will map an AUX area, and how large, and
 * maps just that. A mapping without PROT_WRITE asks for an area that is overwritten. The pages are for reading,
 * whatever the protection.
 *
 * When an area ends, events may be filling it. It is taken away from its buffer first, so nobody begins any more; then
 * the drivers of all that fill it are stopped, on their CPUs.
 *
 * Contexts: process context, with mm->mmap_lock or without.
 *
 * Locks: rb->aux_mutex, which nests inside event->mmap_mutex.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "buffer.h"

/* ---- areas come ---- */

/*
 * Has the control page announced an AUX area of this size at this place? The user writes it: what it says is looked at
 * once, and must be what the mapping is anyway.
 */
static bool aux_is_announced(struct perf_buffer *rb, struct vm_area_struct *vma)
{
	u64 place = READ_ONCE(rb->ring.user->aux_offset), size = READ_ONCE(rb->ring.user->aux_size);

	return place == (u64)vma->vm_pgoff << PAGE_SHIFT && place >= PAGE_SIZE + pcl_ring_size(&rb->ring) &&
	       size == vma->vm_end - vma->vm_start && is_power_of_2(vma_pages(vma));
}

static int aux_make(struct perf_event *event, struct perf_buffer *rb, struct vm_area_struct *vma)
{
	struct pcl_charge charge;
	struct pcl_aux *aux;
	int err;

	err = pcl_charge_check(&charge, vma, vma_pages(vma));
	if (err)
		return err;
	if (!has_aux(event))
		return pcl_refuse(NULL, PCL_REASON_MMAP_NO_AUX);
	aux = pcl_aux_alloc(event, vma->vm_pgoff, vma_pages(vma), !(vma->vm_flags & VM_WRITE));
	if (IS_ERR(aux))
		return PTR_ERR(aux);
	pcl_charge_take(&charge, vma->vm_mm);
	aux->charge = charge;
	aux->head = rb->aux_head;
	aux->wakeup = rb->aux_wakeup;
	rcu_assign_pointer(rb->aux, aux);
	return 0;
}

/* A mapping more of the AUX area of @rb, which @event writes to; rb->mmap_count counts it already. 0, or an errno. */
int pcl_aux_map(struct perf_event *event, struct perf_buffer *rb, struct vm_area_struct *vma)
{
	struct pcl_aux *aux;
	int err = 0;

	mutex_lock(&rb->aux_mutex);
	aux = rcu_dereference_protected(rb->aux, lockdep_is_held(&rb->aux_mutex));
	if (!aux_is_announced(rb, vma))
		err = pcl_refuse(NULL, PCL_REASON_MMAP_PLACE);
	else if (!aux)
		err = aux_make(event, rb, vma);
	else if (aux->pgoff == vma->vm_pgoff && aux->nr_pages == vma_pages(vma))
		atomic_inc(&aux->mmap_count);
	else
		err = pcl_refuse(NULL, PCL_REASON_MMAP_OTHER_AUX);
	mutex_unlock(&rb->aux_mutex);
	return err;
}

/* ---- and go ---- */

/* The mapping moved within its process. */
void pcl_aux_mapping_moved(struct perf_buffer *rb)
{
	atomic_inc(&rcu_dereference_raw(rb->aux)->mmap_count);	/* it is mapped, so it stays */
}

/* Whose output operations shall end: all that write to @rb, or those of @event. */
struct aux_stop {
	struct perf_buffer *rb;
	struct perf_event *event;
};

static bool is_meant(struct perf_event *event, const struct aux_stop *which)
{
	struct perf_event *origin = event->parent ? event->parent : event;

	return which->event ? origin == which->event : rcu_access_pointer(origin->rb) == which->rb;
}

/* On the CPU that has @ctx, RCU, IRQs off: the drivers of what counts here stay. */
static void stop_in_context(struct perf_event_context *ctx, const struct aux_stop *which)
{
	struct perf_event *event;

	lockdep_assert_irqs_disabled();
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		if (is_meant(event, which) && pcl_event_counts_here(event) && has_aux(event))
			event->pmu->stop(event, PERF_EF_UPDATE);
	}
}

static void stop_on_cpu(void *which)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);

	rcu_read_lock();
	stop_in_context(&cpu->ctx, which);
	if (cpu->task_ctx)
		stop_in_context(cpu->task_ctx, which);
	rcu_read_unlock();
}

/* An event that comes on a CPU meanwhile, or goes, begins or ends an operation by that. */
static void stop(struct aux_stop which)
{
	on_each_cpu(stop_on_cpu, &which, 1);
}

/*
 * @event writes to another ring, or to none, from now on: what it began in the old one's AUX area ends. It begins anew
 * when it comes on a CPU again.
 */
void pcl_aux_output_moved(struct perf_event *event)
{
	int index;
	bool fills = pcl_pmu_hold(event, &index)->setup_aux;

	pcl_pmu_let_go(index);
	if (fills)
		stop((struct aux_stop){ .event = event });
}

static void aux_end(struct perf_buffer *rb, struct pcl_aux *aux)
{
	struct aux_stop which = { .rb = rb };

	rcu_assign_pointer(rb->aux, NULL);
	/* Again, as long as somebody is just being redirected, whom pcl_aux_output_moved() will stop. */
	for (stop(which); refcount_read(&aux->users) > 1; stop(which))
		schedule_timeout_uninterruptible(1);
	rb->aux_head = aux->head;
	rb->aux_wakeup = aux->wakeup;
	pcl_charge_drop(&aux->charge);
	pcl_aux_free(aux);
}

/* One mapping less; with the last the area ends. */
void pcl_aux_unmap(struct perf_buffer *rb)
{
	struct pcl_aux *aux;

	mutex_lock(&rb->aux_mutex);
	aux = rcu_dereference_protected(rb->aux, lockdep_is_held(&rb->aux_mutex));
	if (atomic_dec_and_test(&aux->mmap_count))
		aux_end(rb, aux);
	mutex_unlock(&rb->aux_mutex);
}
