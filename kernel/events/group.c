// SPDX-License-Identifier: GPL-2.0
/*
 * Group: which group runs next, when there are more than the counters can hold.
 *
 * Concepts: a queue holds the groups of one slot in the order in which they shall be tried: by the time they ran, least
 * first, and among equals first come, first served. Whoever ran is charged for it and falls back behind those who did
 * not, so over time all run equally long, in whatever order they were created (decision 8).
 *
 * A newcomer starts at the least running time in the queue, or at its own if that is more, but no more than by the lead
 * below: it may neither claim the time that passed before it came, nor shed by leaving and returning what it had used
 * up a moment ago, nor is it kept waiting for what it ran long ago.
 *
 * A choice walks along the queue and tries who waits. It ends after a few groups that did not fit, so that its work is
 * bounded. For those behind them not to wait for ever, two rules hold:
 *
 *	Who did not fit though nothing of its queue was in the way had its turn, and is charged for the time since the
 *	last choice as if it had run. Who did not fit beside others comes first in time, as they are charged.
 *
 *	Who always finds room where others do not is charged as long as it is no more than PCL_GROUP_LEAD_NS ahead of
 *	the least: it would else be kept from running later, by many that never fit, for as long as it ran before.
 *
 * So the first in the queue falls back by a turn in each choice, nobody is further behind than the lead, and each comes
 * to stand first, and is tried before all others, within the number of groups times the turns in the lead.
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
	queue->chosen = 0;
	queue->least = 0;
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

static struct pcl_group *first_of(struct pcl_group_queue *queue)
{
	return list_first_entry_or_null(&queue->head, struct pcl_group, entry);
}

/*
 * A newcomer that is to wait apart from the queue for now: its time and its ticket are as if it stood in it. When it
 * returns its time is set right by those it then stands among.
 */
void pcl_group_announce(struct pcl_group_queue *queue, struct pcl_group *group)
{
	struct pcl_group *first = first_of(queue);

	if (first)
		group->ran = clamp(group->ran, first->ran, first->ran + PCL_GROUP_LEAD_NS);
	group->seq = ++queue->seq;
}

void pcl_group_enqueue(struct pcl_group_queue *queue, struct pcl_group *group)
{
	pcl_group_announce(queue, group);
	insert(queue, group);
	queue->nr++;
}

void pcl_group_dequeue(struct pcl_group_queue *queue, struct pcl_group *group)
{
	list_del_init(&group->entry);
	queue->nr--;
}

/* Groups that waited apart are about to come, one after the other. */
void pcl_return_begin(struct pcl_return *back, struct pcl_group_queue *queue)
{
	struct pcl_group *first = first_of(queue);

	back->queue = queue;
	back->at = &queue->head;
	back->least = first ? first->ran : ~0ULL;
}

/* @group will be among them. Where nobody stands in the queue, the least of their own is what counts. */
void pcl_return_expect(struct pcl_return *back, struct pcl_group *group)
{
	if (list_empty(&back->queue->head))
		back->least = min(back->least, group->ran);
}

static bool stands_before(struct list_head *entry, const struct pcl_group *group)
{
	struct pcl_group *other = list_entry(entry, struct pcl_group, entry);

	return other->ran != group->ran ? other->ran < group->ran : other->seq < group->seq;
}

/*
 * As a newcomer, but with its ticket, so that it stands before those that came or ran later.
 * Where they come in the order in which they shall stand, one walk does for all.
 */
void pcl_return_group(struct pcl_return *back, struct pcl_group *group)
{
	struct list_head *head = &back->queue->head, *at = back->at;

	group->ran = clamp(group->ran, back->least, back->least + PCL_GROUP_LEAD_NS);
	if (at != head && !stands_before(at, group))
		at = head;
	while (at->next != head && stands_before(at->next, group))
		at = at->next;
	list_add(&group->entry, at);
	back->at = &group->entry;
	back->queue->nr++;
}

/* @group has run for @ns more, or had a turn as long that it could not use. */
void pcl_group_charge(struct pcl_group_queue *queue, struct pcl_group *group, u64 ns)
{
	u64 most = max(queue->least + PCL_GROUP_LEAD_NS, group->ran);

	list_del(&group->entry);
	group->ran = min(group->ran + ns, most);
	insert(queue, group);
}

/* ---- who fits? ---- */

/* @now: ns of a clock that never goes back. */
void pcl_choice_begin(struct pcl_choice *choice, struct pcl_group_queue *queue, u64 now)
{
	choice->queue = queue;
	choice->turn = now - queue->chosen;
	choice->met = false;
	choice->misses = 0;
	choice->nr_losers = 0;
	queue->chosen = now;
}

/* @group takes part: it runs, or is about to be tried. Groups are met in the order of the queue. */
void pcl_choice_meet(struct pcl_choice *choice, struct pcl_group *group)
{
	if (!choice->met)
		choice->queue->least = group->ran;
	choice->met = true;
}

/* @group does not fit. @alone: no other of its queue runs. Returns whether to go on. */
bool pcl_choice_miss(struct pcl_choice *choice, struct pcl_group *group, bool alone)
{
	if (alone)
		choice->losers[choice->nr_losers++] = group;
	return ++choice->misses < PCL_GROUP_MISSES;
}

/* The walk is over, so the queue may be put into order. */
void pcl_choice_end(struct pcl_choice *choice)
{
	unsigned int i;

	for (i = 0; i < choice->nr_losers; i++)
		pcl_group_charge(choice->queue, choice->losers[i], choice->turn);
}
