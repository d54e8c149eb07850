// SPDX-License-Identifier: GPL-2.0
/*
 * The report as a JSON document.
 *
 * Concepts: the same lines as in text; numbers are numbers, what is not known
 * is null. Names are whole. The document names its form and version.
 * Contexts: after the file was read.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "report/report.h"

static void put_frame(struct json *j, const struct func *f)
{
	json_string(j, "symbol", f->symbol ? symbol_name(f->symbol) : NULL);
	json_string(j, "object", f->object->name);
	json_string(j, "srcline", f->line);
	if (f->inlined)
		json_u64(j, "inlined", 1);
}

static void put_nodes(struct json *j, const struct hist *h, const struct tree *t, u32 at)
{
	for (at = t->v[at].child; at; at = t->v[at].sibling) {
		json_begin(j, NULL, '{');
		put_frame(j, &h->p->funcs[t->v[at].func]);
		json_u64(j, "period", t->v[at].period);
		if (t->v[at].child) {
			json_begin(j, h->view->mode == CHAIN_CALLEES ? "callees" : "callers", '[');
			put_nodes(j, h, t, at);
			json_end(j, ']');
		}
		json_end(j, '}');
	}
}

static void put_key(struct json *j, const struct hist_entry *e, enum sort_key key)
{
	switch (key) {
	case SORT_COMM:
		json_string(j, "comm", e->comm);
		break;
	case SORT_OBJECT:
		json_string(j, "object", e->object->name);
		break;
	case SORT_SYMBOL:
		json_string(j, "symbol", e->symbol ? symbol_name(e->symbol) : NULL);
		json_string(j, "level", (char []){ e->level, 0 });
		break;
	case SORT_PID:
		json_number(j, "pid", e->pid);
		break;
	case SORT_TID:
		json_number(j, "tid", e->tid);
		break;
	case SORT_CPU:
		json_number(j, "cpu", e->cpu);
		break;
	default:
		json_string(j, sort_key_name(key), e->line);
	}
}

static void put_entry(struct json *j, const struct hist *h, u32 entry, struct tree *tree)
{
	const struct hist_entry *e = &h->v[entry];
	double all = (double)h->total.period;
	unsigned int i;

	json_begin(j, NULL, '{');
	json_number(j, "share", all > 0 ? (double)e->whole.period / all : 0);
	if (h->view->children)
		json_number(j, "self_share", all > 0 ? (double)e->self.period / all : 0);
	json_u64(j, "samples", e->whole.samples);
	json_u64(j, "period", e->whole.period);
	if (h->view->children) {
		json_u64(j, "self_samples", e->self.samples);
		json_u64(j, "self_period", e->self.period);
	}
	for (i = 0; i < h->view->nr_keys; i++)
		put_key(j, e, h->view->keys[i]);
	if (h->nr_events > 1) {
		json_begin(j, "by_event", '[');
		for (i = 0; i < h->nr_events; i++)
			json_u64(j, NULL, hist_event(h, entry, i)->period);
		json_end(j, ']');
	}
	if (h->view->mode != CHAIN_NONE) {
		tree_build(tree, h, entry);
		json_begin(j, h->view->mode == CHAIN_CALLEES ? "callees" : "callers", '[');
		put_nodes(j, h, tree, 0);
		json_end(j, ']');
	}
	json_end(j, '}');
}

static void put_table(struct json *j, const struct report *r, unsigned int event, unsigned int nr)
{
	struct tree tree = { 0 };
	struct hist h;
	unsigned int i;

	hist_build(&h, &r->profile, &r->o->view, event, nr);
	json_begin(j, NULL, '{');
	json_begin(j, "events", '[');
	for (i = event; i < event + nr; i++) {
		json_begin(j, NULL, '{');
		json_string(j, "name", r->s.file->events[i].name);
		json_u64(j, "samples", r->profile.events[i].samples);
		json_u64(j, "period", r->profile.events[i].period);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_u64(j, "shown_samples", h.shown.samples);
	json_u64(j, "shown_period", h.shown.period);
	json_begin(j, "entries", '[');
	for (i = 0; i < h.nr_order; i++)
		put_entry(j, &h, h.order[i], &tree);
	json_end(j, ']');
	json_end(j, '}');
	tree_free(&tree);
	hist_free(&h);
}

void report_print_json(const struct report *r)
{
	const struct pd_file *f = r->s.file;
	struct json j = { .f = stdout };
	unsigned int i;

	json_begin(&j, NULL, '{');
	json_string(&j, "schema", "pcl-report");
	json_u64(&j, "version", 1);
	json_string(&j, "file", r->o->input);
	json_string(&j, "command", f->cmdline);
	json_string(&j, "hostname", f->hostname);
	json_string(&j, "kernel", f->osrelease);
	json_u64(&j, "lost", report_lost(r));
	json_u64(&j, "throttled", r->s.throttled);
	json_u64(&j, "undecoded", r->gather.left.undecoded);
	json_u64(&j, "of_no_event", r->gather.left.of_no_event);
	json_u64(&j, "out_of_time", r->gather.out_of_time);
	json_begin(&j, "tables", '[');
	if (r->o->view.grouped && f->nr_events > 1)
		put_table(&j, r, 0, f->nr_events);
	else
		for (i = 0; i < f->nr_events; i++)
			put_table(&j, r, i, 1);
	json_end(&j, ']');
	json_end(&j, '}');
}
