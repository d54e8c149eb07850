// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that a user hangs on an event, and what becomes of those of addresses.
 *
 * Concepts: two kinds of event take a filter in text, those of tracepoints and probes (trace.c) and those of PMUs with
 * address filters (addr_filter.c); all other events have no filter. New address filters take the place of the old; an
 * empty text takes them away.
 *
 * The ranges of addresses follow the mappings of the event's task: those that are there when the filters come, and
 * those that the task makes later, up to an exec, after which a file is nowhere until it is mapped again. Mappings that
 * go change nothing: code that is not there does not run. An event that counts is stopped and started again, by which
 * its driver takes the ranges over.
 *
 * Contexts: process context, may sleep; pcl_addr_filters_mapped() with mm->mmap_lock held.
 *
 * Locks: ctx->mutex, then the original's child_mutex, then mm->mmap_lock. Tracing's event_mutex, which a filter of its
 * takes, stands above the mutex of a CPU's context, so SET_FILTER comes without one.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "internal.h"

/* ---- where the context is ---- */

/* The driver of @arg, if that counts, takes over what changed. */
static void restart_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg;
	struct pmu *pmu;

	if (event->state != PERF_EVENT_STATE_ACTIVE || !pcl_event_counts_here(event))
		return;
	/* A member that overflows meanwhile would sample, or pause, what is half started. */
	pmu = event->group_leader->slot->pmu;
	perf_pmu_disable(pmu);
	event->pmu->stop(event, PERF_EF_UPDATE);
	event->pmu->start(event, 0);
	perf_pmu_enable(pmu);
}

/* A mapping came: of which filters has it the code? */
static void adjust_local(struct perf_event_context *ctx, struct perf_event *event, const struct vm_area_struct *vma)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct perf_addr_filter *filter;
	bool news = false;
	int i = 0;

	raw_spin_lock(&head->lock);
	list_for_each_entry(filter, &head->list, entry)
		news |= pcl_addr_filter_fit(filter, vma, &event->addr_filter_ranges[i++]);
	event->addr_filters_gen += news;
	raw_spin_unlock(&head->lock);
	if (news)
		restart_local(ctx, event);
}

static void mapped_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event;

	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (event->addr_filter_ranges)
			adjust_local(ctx, event, arg);
	}
}

/* Another program: no file is mapped yet. */
static void exec_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg;
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct perf_addr_filter *filter;
	bool news = false;
	int i = 0;

	raw_spin_lock(&head->lock);
	list_for_each_entry(filter, &head->list, entry) {
		if (filter->path.dentry) {
			event->addr_filter_ranges[i] = (struct perf_addr_filter_range){};
			news = true;
		}
		i++;
	}
	event->addr_filters_gen += news;
	raw_spin_unlock(&head->lock);
	if (news)
		restart_local(ctx, event);
}

/* ---- hooks ---- */

/* The current task has mapped @vma, or made it executable. mm->mmap_lock held, so ctx->mutex cannot be. */
void pcl_addr_filters_mapped(struct vm_area_struct *vma)
{
	struct perf_event_context *ctx = pcl_context_own(current);

	lockdep_assert_held(&vma->vm_mm->mmap_lock);
	/* A set has no such events. */
	if (ctx && !READ_ONCE(ctx->set) && vma->vm_file && vma->vm_flags & VM_EXEC)
		pcl_remote(ctx, mapped_local, vma);
}

/* The current task, whose context is @ctx, has done an exec. ctx->mutex held. */
void pcl_addr_filters_exec(struct perf_event_context *ctx)
{
	struct perf_event *event;

	lockdep_assert_held(&ctx->mutex);
	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (event->addr_filter_ranges)
			pcl_remote(ctx, exec_local, event);
	}
}

/* ---- SET_FILTER ---- */

/* @mm: of the task, locked; NULL: it has none (any more). The first mapping in the order of addresses counts. */
static struct perf_addr_filter_range range_in(struct mm_struct *mm, const struct perf_addr_filter *filter)
{
	struct perf_addr_filter_range range = {};
	struct vm_area_struct *vma;

	if (!filter->path.dentry)
		return (struct perf_addr_filter_range){ .start = filter->offset, .size = filter->size };
	if (mm) {
		VMA_ITERATOR(each, mm, 0);

		for_each_vma(each, vma) {
			if (pcl_addr_filter_fit(filter, vma, &range))
				break;
		}
	}
	return range;
}

static void set_range(struct perf_event *event, int i, struct perf_addr_filter_range range)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);

	raw_spin_lock_irq(&head->lock);
	event->addr_filter_ranges[i] = range;
	raw_spin_unlock_irq(&head->lock);
}

/* For the driver. */
static void tell_news(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);

	raw_spin_lock_irq(&head->lock);
	event->addr_filters_gen++;
	raw_spin_unlock_irq(&head->lock);
	pcl_remote(event->ctx, restart_local, event);
}

/*
 * @event, an original or its child, gets the ranges of new filters, whose list stays meanwhile, since one SET_FILTER
 * comes after the other. The original's child_mutex held: so long a task that is on its way out is not gone. Returns
 * the mappings that it has gone by, with a reference.
 */
static struct mm_struct *apply_once(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct task_struct *task = READ_ONCE(event->ctx->task);
	struct perf_addr_filter *filter;
	struct mm_struct *mm = NULL;
	int i = 0;

	lockdep_assert_held(&(event->parent ? event->parent : event)->child_mutex);
	if (task == PCL_TASK_GONE)
		return NULL;
	if (head->nr_file_filters && task)
		mm = get_task_mm(task);
	if (mm)
		mmap_read_lock(mm);
	list_for_each_entry(filter, &head->list, entry)
		set_range(event, i++, range_in(mm, filter));
	if (mm)
		mmap_read_unlock(mm);
	tell_news(event);
	return mm;
}

/* Has the task another program by now? Then that cleared the ranges, perhaps too early. */
static bool is_of(struct perf_event *event, const struct mm_struct *mm)
{
	struct task_struct *task = READ_ONCE(event->ctx->task);
	bool same;

	if (!mm || task == PCL_TASK_GONE)
		return true;
	task_lock(task);
	same = task->mm == mm || !task->mm;
	task_unlock(task);
	return same;
}

static void apply(struct perf_event *event)
{
	struct mm_struct *mm;
	bool done;

	do {
		mm = apply_once(event);
		done = is_of(event, mm);
		if (mm)
			mmput_async(mm);	/* whose end may need what is locked here */
	} while (!done);
}

/* ctx->mutex held, so the PMU does not go. */
static int install(struct perf_event *event, struct list_head *filters, struct pcl_why *why)
{
	int err;

	lockdep_assert_held(&event->ctx->mutex);
	if (!has_addr_filter(event))
		return pcl_refuse(why, PCL_REASON_NO_FILTER);
	if (list_count_nodes(filters) > event->pmu->nr_addr_filters)
		return pcl_refuse(why, PCL_REASON_ADDR_FILTER_MANY);
	err = event->pmu->addr_filters_validate(filters);
	if (err)
		return pcl_refuse_err(why, PCL_REASON_ADDR_FILTER_PMU, err);

	pcl_addr_filters_replace(event, filters);
	pcl_with_children(event, apply);
	return 0;
}

static int set_addr_filters(struct perf_event *event, char *text, struct pcl_why *why)
{
	struct perf_event_context *ctx;
	LIST_HEAD(filters);
	int err = 0;

	/* What has no filters needs no text, either. */
	if (event->addr_filter_ranges)
		err = pcl_addr_filters_parse(text, event->attach_state & PERF_ATTACH_TASK, &filters, why);
	if (!err) {
		ctx = pcl_context_lock(event);
		err = install(event, &filters, why);
		pcl_context_unlock(ctx);
	}
	pcl_addr_filters_free(&filters);	/* what the event has not taken */
	return err;
}

/* PERF_EVENT_IOC_SET_FILTER */
int pcl_filter_set(struct perf_event *event, char __user *text, struct pcl_why *why)
{
	char *copy = strndup_user(text, PAGE_SIZE);
	int err;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	if (pcl_trace_is_source(event))
		err = pcl_trace_set_filter(event, copy, why);
	else
		err = set_addr_filters(event, copy, why);
	kfree(copy);
	return err;
}
