// SPDX-License-Identifier: GPL-2.0
/*
 * AUX areas: their pages, and how long they live.
 *
 * Concepts: an AUX area belongs to a buffer, as the ring does; hardware fills it by itself, and records in the ring
 * tell what came. It is made by the first mapping of it, and ends with the last. Users are its mappings together and
 * each output operation of a driver (aux.c), which goes on for as long as the event runs: so whoever ends an area takes
 * it away from the buffer first, stops all events that write there, and waits for the last of them. What the driver
 * keeps and the pages go after that, in process context, where drivers want to be asked; whoever waits has the buffer.
 *
 * Contexts: process context; pcl_aux_get() and pcl_aux_put() in any, NMI included.
 *
 * Locks: rb->aux_mutex guards making and ending; it nests inside mmap_mutex. rb->aux is read under RCU.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "buffer.h"

/* ---- pages ---- */

/* Pages in one piece of up to 2^@order, each of which can be mapped alone. The first tells the driver the order. */
static struct page *piece_alloc(int node, int order)
{
	struct page *page;

	for (order = min(order, MAX_ORDER - 1); order >= 0; order--) {
		page = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY, order);
		if (page)
			break;
	}
	if (order > 0) {
		split_page(page, order);
		SetPagePrivate(page);
		set_page_private(page, order);
	}
	return order < 0 ? NULL : page;
}

/* What piece_alloc() told of the piece that begins with @page. */
static int piece_order(struct page *page)
{
	return PagePrivate(page) ? page_private(page) : 0;
}

static void pages_free(struct pcl_aux *aux)
{
	unsigned int i;

	for (i = 0; i < aux->nr_pages; i++) {
		struct page *page = virt_to_page(aux->pages[i]);

		ClearPagePrivate(page);
		set_page_private(page, 0);
		page->mapping = NULL;
		__free_page(page);
	}
	kfree(aux->pages);
}

static bool pages_alloc(struct pcl_aux *aux, unsigned int nr_pages, int order, int node)
{
	aux->pages = kcalloc_node(nr_pages, sizeof(*aux->pages), GFP_KERNEL, node);
	if (!aux->pages)
		return false;
	while (aux->nr_pages < nr_pages) {
		struct page *page = piece_alloc(node, min_t(int, order, ilog2(nr_pages - aux->nr_pages)));
		unsigned int i, nr;

		if (!page)
			return false;
		nr = 1U << piece_order(page);
		for (i = 0; i < nr; i++)
			aux->pages[aux->nr_pages++] = page_address(page + i);
	}
	return true;
}

/* ---- whole areas ---- */

/*
 * How large pieces shall be. Who is woken at each watermark gets pieces of that size; who double-buffers in software
 * without scatter and gather needs the whole in one when it overwrites.
 */
static int piece_order_for(const struct pcl_aux *aux, unsigned int nr_pages)
{
	return aux->overwrite ? ilog2(nr_pages) : get_order(aux->watermark);
}

/* The driver makes what it needs. It may be removed later, but its code stays until the area is gone. */
static bool driver_setup(struct perf_event *event, struct pmu *pmu, struct pcl_aux *aux, int order)
{
	bool in_one = piece_order(virt_to_page(aux->pages[0])) == order;

	if (!pmu->setup_aux || (aux->overwrite && pmu->capabilities & PERF_PMU_CAP_AUX_NO_SG && !in_one) ||
	    !try_module_get(pmu->module))
		return false;
	aux->module = pmu->module;
	aux->free_driver = pmu->free_aux;
	aux->driver = pmu->setup_aux(event, aux->pages, aux->nr_pages, aux->overwrite);
	if (!aux->driver)
		module_put(pmu->module);
	return aux->driver;
}

/**
 * pcl_aux_alloc - make an AUX area
 * @event: whose driver shall fill it; it takes one
 * @pgoff: where in the file of the event it shall be mapped
 * @nr_pages: a power of two
 * @overwrite: write on when the reader is behind
 *
 * Return: the area, mapped once, belonging to no buffer yet; or an ERR_PTR: -ENOMEM, also what the driver cannot use.
 */
struct pcl_aux *pcl_aux_alloc(struct perf_event *event, unsigned long pgoff, unsigned int nr_pages, bool overwrite)
{
	int node = event->cpu < 0 ? NUMA_NO_NODE : cpu_to_node(event->cpu), order;
	struct pcl_aux *aux = kzalloc(sizeof(*aux), GFP_KERNEL);

	if (!aux || nr_pages > KMALLOC_MAX_SIZE / sizeof(*aux->pages)) {
		kfree(aux);
		return ERR_PTR(-ENOMEM);
	}
	refcount_set(&aux->users, 1);
	atomic_set(&aux->mmap_count, 1);
	aux->pgoff = pgoff;
	aux->overwrite = overwrite;
	if (!overwrite)
		aux->watermark = event->attr.aux_watermark ? :
				 min_t(unsigned long, U32_MAX, (unsigned long)nr_pages << (PAGE_SHIFT - 1));

	order = piece_order_for(aux, nr_pages);
	if (pages_alloc(aux, nr_pages, order, node)) {
		int index;
		struct pmu *pmu = pcl_pmu_hold(event, &index);
		bool done = driver_setup(event, pmu, aux, order);

		pcl_pmu_let_go(index);
		if (done)
			return aux;
	}
	pages_free(aux);
	kfree(aux);
	return ERR_PTR(-ENOMEM);
}

/* @aux has no users but the caller, and cannot be found any more. */
void pcl_aux_free(struct pcl_aux *aux)
{
	aux->free_driver(aux->driver);
	module_put(aux->module);
	pages_free(aux);
	kfree_rcu(aux, rcu_head);
}

/* ---- users ---- */

/* The area that @event fills, with a reference that keeps @rb as well, whose it is; or NULL. */
struct pcl_aux *pcl_aux_get(struct perf_event *event, struct perf_buffer **rb)
{
	struct pcl_aux *aux = NULL;

	if (event->parent)
		event = event->parent;
	rcu_read_lock();
	*rb = rcu_dereference(event->rb);
	if (*rb)
		aux = rcu_dereference((*rb)->aux);
	if (aux && !refcount_inc_not_zero(&aux->users))
		aux = NULL;
	rcu_read_unlock();
	return aux;
}

/* Never the last: that is who ends the area. */
void pcl_aux_put(struct pcl_aux *aux)
{
	WARN_ON_ONCE(refcount_dec_and_test(&aux->users));
}

/* The page of the area that is mapped at @pgoff, or NULL. */
struct page *pcl_aux_page(struct perf_buffer *rb, unsigned long pgoff)
{
	struct pcl_aux *aux = rcu_dereference(rb->aux);

	if (!aux || pgoff < aux->pgoff || pgoff - aux->pgoff >= aux->nr_pages)
		return NULL;
	return virt_to_page(aux->pages[pgoff - aux->pgoff]);
}
