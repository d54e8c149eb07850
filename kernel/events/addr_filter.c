// SPDX-License-Identifier: GPL-2.0
/*
 * Address filters: which code an event is for, as a text says it, and where that code is.
 *
 * Concepts: a PMU that can look at addresses has pmu::nr_addr_filters of them for each event. The event that was opened
 * has the list of its filters; it, and each of its children, has the ranges of addresses that these are in its task. A
 * filter without a file is a range by itself; one of a file is where the file is mapped, and none (start and size 0)
 * while it is not.
 *
 * Drivers take ranges over as they start an event, by perf_event_addr_filters_sync(), when the event's generation says
 * that there is news.
 *
 * Contexts: process context; perf_event_addr_filters_sync() on the event's CPU, IRQs off.
 *
 * Locks: the list is changed under the original's ctx->mutex and the lock of its head; that lock alone guards ranges
 * and generations. It nests inside ctx->lock, and nothing nests in it but the driver's addr_filters_sync().
 */
#include <linux/ctype.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

atomic_t pcl_nr_file_filters;

/* ---- text: ACTION ADDRESS[/SIZE][@FILE], and so on, between blanks, commas or newlines ---- */

static int no_filter_text(struct pcl_why *why)
{
	return pcl_refuse(why, PCL_REASON_ADDR_FILTER_TEXT);
}

static int parse_number(const char *word, unsigned long *number, struct pcl_why *why)
{
	int err;

	if (!isdigit(*word))
		return no_filter_text(why);
	err = kstrtoul(word, 0, number);
	if (err == -ERANGE)
		return pcl_refuse_err(why, PCL_REASON_ADDR_FILTER_NUMBER, err);
	return err ? no_filter_text(why) : 0;
}

static int parse_file(const char *name, struct perf_addr_filter *filter, bool of_task, struct pcl_why *why)
{
	int err;

	/* The same file lies elsewhere in each process. */
	if (!of_task)
		return pcl_refuse(why, PCL_REASON_ADDR_FILTER_CPU);
	err = kern_path(name, LOOKUP_FOLLOW, &filter->path);
	if (err)
		return pcl_refuse_err(why, PCL_REASON_ADDR_FILTER_FILE, err);
	return d_is_reg(filter->path.dentry) ? 0 : pcl_refuse(why, PCL_REASON_ADDR_FILTER_REGULAR);
}

static int parse_place(char *word, struct perf_addr_filter *filter, bool of_task, struct pcl_why *why)
{
	char *file = strchr(word, '@'), *size;
	int err;

	if (file)
		*file++ = 0;
	size = strchr(word, '/');
	if (size)
		*size++ = 0;
	err = parse_number(word, &filter->offset, why);
	if (!err && size)
		err = parse_number(size, &filter->size, why);
	if (err)
		return err;
	if (filter->action == PERF_ADDR_FILTER_ACTION_FILTER && !filter->size)
		return pcl_refuse(why, PCL_REASON_ADDR_FILTER_SIZE);
	if (file && !*file)
		return no_filter_text(why);
	return file ? parse_file(file, filter, of_task, why) : 0;
}

static int parse_action(const char *word, struct perf_addr_filter *filter, struct pcl_why *why)
{
	static const char *const names[] = {
		[PERF_ADDR_FILTER_ACTION_FILTER] = "filter",
		[PERF_ADDR_FILTER_ACTION_START]	 = "start",
		[PERF_ADDR_FILTER_ACTION_STOP]	 = "stop",
	};
	int action = match_string(names, ARRAY_SIZE(names), word);

	if (action < 0)
		return no_filter_text(why);
	filter->action = action;
	return 0;
}

void pcl_addr_filters_free(struct list_head *filters)
{
	struct perf_addr_filter *filter, *next;

	list_for_each_entry_safe(filter, next, filters, entry) {
		path_put(&filter->path);
		kfree(filter);
	}
}

/**
 * pcl_addr_filters_parse - make filters of a text
 * @text: is taken apart; without a word there are no filters
 * @of_task: the event is of a task: only then can filters be of files
 * @filters: an empty list, gets them, and after an error what was made by then: the caller frees it
 * @why: where a refusal is noted
 */
int pcl_addr_filters_parse(char *text, bool of_task, struct list_head *filters, struct pcl_why *why)
{
	struct perf_addr_filter *filter = NULL;
	char *word;
	int err;

	while ((word = strsep(&text, " ,\n"))) {
		if (!*word)
			continue;
		if (filter) {
			err = parse_place(word, filter, of_task, why);
			filter = NULL;
		} else {
			filter = kzalloc(sizeof(*filter), GFP_KERNEL);
			if (!filter)
				return -ENOMEM;
			list_add_tail(&filter->entry, filters);
			err = parse_action(word, filter, why);
		}
		if (err)
			return err;
	}
	return filter ? no_filter_text(why) : 0;
}

/* ---- the list of an original ---- */

static int count_files(const struct list_head *filters)
{
	struct perf_addr_filter *filter;
	int nr = 0;

	list_for_each_entry(filter, filters, entry)
		nr += !!filter->path.dentry;
	return nr;
}

static void replace(struct perf_event *event, struct list_head *filters)
{
	struct perf_addr_filters_head *head = &event->addr_filters;
	int nr = count_files(filters), before = head->nr_file_filters;
	LIST_HEAD(old);

	raw_spin_lock_irq(&head->lock);
	list_splice_init(&head->list, &old);
	list_splice_init(filters, &head->list);
	head->nr_file_filters = nr;
	raw_spin_unlock_irq(&head->lock);
	atomic_add(nr - before, &pcl_nr_file_filters);
	pcl_addr_filters_free(&old);
}

/* Those in @filters take the place of what @event had. Its ctx->mutex held. */
void pcl_addr_filters_replace(struct perf_event *event, struct list_head *filters)
{
	lockdep_assert_held(&event->ctx->mutex);
	replace(event, filters);
}

/* The event is being freed. */
void pcl_addr_filters_end(struct perf_event *event)
{
	LIST_HEAD(none);

	replace(event, &none);
}

/* ---- ranges ---- */

/* Room for as many as the PMU has. */
int pcl_addr_ranges_make(struct perf_event *event)
{
	if (!has_addr_filter(event))
		return 0;
	event->addr_filter_ranges = kcalloc(event->pmu->nr_addr_filters, sizeof(*event->addr_filter_ranges),
					    GFP_KERNEL);
	event->addr_filters_gen = 1;	/* news for the driver, once */
	return event->addr_filter_ranges ? 0 : -ENOMEM;
}

/* A child, not seen by anybody yet, begins where its task does: with the mappings of the one it is copied from. */
void pcl_addr_ranges_copy(struct perf_event *child, struct perf_event *from)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(from);
	struct perf_addr_filter *filter;
	int i = 0;

	if (!child->addr_filter_ranges || !from->addr_filter_ranges)
		return;
	raw_spin_lock_irq(&head->lock);
	list_for_each_entry(filter, &head->list, entry) {
		child->addr_filter_ranges[i] = from->addr_filter_ranges[i];
		i++;
	}
	raw_spin_unlock_irq(&head->lock);
}

/* Where what @filter is about lies in the mapping @vma; false: nowhere. Of an overlay's file that below is mapped. */
bool pcl_addr_filter_fit(const struct perf_addr_filter *filter, const struct vm_area_struct *vma,
			 struct perf_addr_filter_range *range)
{
	unsigned long at = vma->vm_pgoff << PAGE_SHIFT, end = at + (vma->vm_end - vma->vm_start);
	unsigned long first = filter->offset, last = first + filter->size;

	if (!vma->vm_file || !(vma->vm_flags & VM_EXEC) || !filter->path.dentry ||
	    d_real_inode(filter->path.dentry) != file_inode(vma->vm_file))
		return false;
	if (last < first)
		last = ULONG_MAX;
	if (first >= end || (filter->size ? last <= at : last < at))
		return false;
	first = max(first, at);
	range->start = vma->vm_start + (first - at);
	range->size = min(last, end) - first;
	return true;
}

/* A driver wants the ranges of its event as of now, if they changed. */
void perf_event_addr_filters_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);

	lockdep_assert_irqs_disabled();
	if (!event->addr_filter_ranges)
		return;
	raw_spin_lock(&head->lock);
	if (event->addr_filters_gen != event->hw.addr_filters_gen) {
		event->pmu->addr_filters_sync(event);
		event->hw.addr_filters_gen = event->addr_filters_gen;
	}
	raw_spin_unlock(&head->lock);
}
EXPORT_SYMBOL_GPL(perf_event_addr_filters_sync);
