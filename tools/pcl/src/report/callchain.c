// SPDX-License-Identifier: GPL-2.0
/*
 * Who called: the tree of callers below an entry of a report.
 *
 * Concepts: a chain starts at the sampled function and goes outwards; markers
 * in it (PERF_CONTEXT_*) say which level the following addresses are of. Frames
 * of one function are one node, whatever the address within it.
 * Contexts: report.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "report/report.h"

/* Deeper chains are cut: they are recursion, or a damaged file. */
enum { MAX_DEPTH = 128 };

static u16 context_mode(u64 marker)
{
	switch ((s64)marker) {
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	default:
		return PERF_RECORD_MISC_GUEST_USER;
	}
}

static struct chain_node *child_of(struct chain_node *n, const struct place *p)
{
	struct chain_node *c;

	for (c = n->child; c; c = c->sibling)
		if (c->object == p->object && c->symbol == p->symbol)
			return c;
	c = mem_zalloc(1, sizeof(*c));
	c->object = p->object;
	c->symbol = p->symbol;
	c->sibling = n->child;
	n->child = c;
	return c;
}

/*
 * Add the sample's chain. Its first frame is left out where it says the same
 * as the entry itself, that is when entries are functions.
 */
void callers_add(struct session *s, struct hist_entry *e, const struct pd_sample *sample,
		 bool skip_first)
{
	struct cursor c = sample->chain;
	struct chain_node *n = &e->callers;
	u16 mode = sample->cpumode;
	unsigned int depth = 0;
	u64 period = sample->period;

	n->period += period;
	while (cursor_left(&c) >= sizeof(u64) && depth < MAX_DEPTH) {
		u64 ip = cursor_u64(&c);
		struct place p;

		if (ip >= (u64)PERF_CONTEXT_MAX) {
			mode = context_mode(ip);
			continue;
		}
		if (skip_first) {
			skip_first = false;
			depth++;
			continue;
		}
		/* frame pointers that lead nowhere end in addresses like 0 */
		if (ip < 4096)
			break;
		/* a return address may already be in the next function */
		p = session_resolve(s, sample->pid, mode, ip - (depth > 0));
		n = child_of(n, &p);
		n->period += period;
		depth++;
	}
}

static struct chain_node *sort_list(struct chain_node *list)
{
	struct chain_node *sorted = NULL, *n, **at;

	while (list) {
		n = list;
		list = n->sibling;
		for (at = &sorted; *at && (*at)->period >= n->period; at = &(*at)->sibling)
			;
		n->sibling = *at;
		*at = n;
	}
	return sorted;
}

/* Largest first at every level. The depth is bounded by MAX_DEPTH. */
void callers_sort(struct chain_node *n)
{
	struct chain_node *c;

	n->child = sort_list(n->child);
	for (c = n->child; c; c = c->sibling)
		callers_sort(c);
}

static void print_name(const struct chain_node *n)
{
	if (n->symbol)
		puts(symbol_name(n->symbol));
	else if (n->object->name[0] == '[')
		puts(n->object->name);
	else
		printf("[unknown] in %s\n", n->object->short_name);
}

/*
 * A caller that is the only one stands below its callee without a figure;
 * where there are several, each has its share and its own indentation.
 */
static void print_level(const struct chain_node *n, u64 total, int indent, double min_percent)
{
	while (n->child && !n->child->sibling && n->child->period == n->period) {
		n = n->child;
		printf("%*s", indent, "");
		print_name(n);
	}
	for (n = n->child; n; n = n->sibling) {
		double percent = 100.0 * (double)n->period / (double)total;

		if (percent < min_percent)
			continue;
		printf("%*s%.2f%% ", indent, "", percent);
		print_name(n);
		print_level(n, total, indent + 2, min_percent);
	}
}

/* The callers of an entry; shares are of the entry's own period. */
void callers_print(const struct hist_entry *e, double min_percent)
{
	if (!e->callers.child || !e->callers.period)
		return;
	print_level(&e->callers, e->callers.period, 12, min_percent);
	putchar('\n');
}

void callers_free(struct chain_node *n)
{
	struct chain_node *next;

	for (; n; n = next) {
		next = n->sibling;
		callers_free(n->child);
		free(n);
	}
}
