// SPDX-License-Identifier: GPL-2.0
/*
 * Group: which group runs next, when there are more than the counters can hold.
 *
 * Concepts: a queue holds the groups of one slot in the order in which they shall be tried: by the time they ran, least
 * first, and among equals first come, first served. Whoever ran is charged for it and falls back behind those who did
 * not, so over time all run equally long, in whatever order they were created (decision 8).
 *
 * A newcomer starts at the least running time in the queue, or at its own if that is more: it may neither claim the
 * time that passed before it came, nor shed by leaving and returning what it had used up.
 *
 * Contexts: any. Locks: none here; the slot's queues are under ctx->lock.
 *
 * Cost: entering and charging scan from the tail, since that is where a group belongs that has just come or run.
 * Finding who runs next is looking at the head.
 */
#include "internal.h"

void pcl_group_queue_init(struct pcl_group_queue *queue)
{
	INIT_LIST_HEAD(&queue->head);
	queue->seq = 0;
	queue->nr = 0;
}

/* Behind all that ran no longer than @group. It takes a new ticket, so equals stay in the order of coming. */
static void insert(struct pcl_group_queue *queue, struct pcl_group *group)
{
	struct pcl_group *pos;

	group->seq = ++queue->seq;
	list_for_each_entry_reverse(pos, &queue->head, entry) {
		if (pos->ran <= group->ran)
			break;
	}
	/* Also right when no such group was found: then @pos stands for the head. */
	list_add(&group->entry, &pos->entry);
}

void pcl_group_enqueue(struct pcl_group_queue *queue, struct pcl_group *group)
{
	struct pcl_group *first = list_first_entry_or_null(&queue->head, struct pcl_group, entry);

	if (first && group->ran < first->ran)
		group->ran = first->ran;
	insert(queue, group);
	queue->nr++;
}

void pcl_group_dequeue(struct pcl_group_queue *queue, struct pcl_group *group)
{
	list_del_init(&group->entry);
	queue->nr--;
}

/* @group has run for @ns more. */
void pcl_group_charge(struct pcl_group_queue *queue, struct pcl_group *group, u64 ns)
{
	list_del(&group->entry);
	group->ran += ns;
	insert(queue, group);
}
