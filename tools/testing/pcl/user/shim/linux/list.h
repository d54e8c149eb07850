/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's circular lists, as far as the data layer uses them. */
#ifndef PCL_SHIM_LIST_H
#define PCL_SHIM_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

/* @entry behind @at */
static inline void list_add(struct list_head *entry, struct list_head *at)
{
	entry->prev = at;
	entry->next = at->next;
	at->next->prev = entry;
	at->next = entry;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	list_add(entry, head->prev);
}

static inline void list_del(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	entry->next = entry->prev = NULL;	/* a second deletion shall crash */
}

static inline void list_del_init(struct list_head *entry)
{
	list_del(entry);
	INIT_LIST_HEAD(entry);
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(pos, member) list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_prev_entry(pos, member) list_entry((pos)->member.prev, __typeof__(*(pos)), member)
#define list_for_each_entry(pos, head, member)						\
	for ((pos) = list_entry((head)->next, __typeof__(*(pos)), member);		\
	     &(pos)->member != (head); (pos) = list_next_entry(pos, member))
#define list_for_each_entry_reverse(pos, head, member)					\
	for ((pos) = list_entry((head)->prev, __typeof__(*(pos)), member);		\
	     &(pos)->member != (head); (pos) = list_prev_entry(pos, member))
#define list_for_each_entry_safe(pos, tmp, head, member)				\
	for ((pos) = list_entry((head)->next, __typeof__(*(pos)), member),		\
	     (tmp) = list_next_entry(pos, member);					\
	     &(pos)->member != (head); (pos) = (tmp), (tmp) = list_next_entry(tmp, member))

#endif
