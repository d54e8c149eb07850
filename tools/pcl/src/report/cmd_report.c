// SPDX-License-Identifier: GPL-2.0
/*
 * pcl report: what a recording says, as a table.
 *
 * Concepts: the file is read into a profile; of it a view is made, which is
 * printed or looked through in a browser.
 * Contexts: start.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "report/report.h"
#include "ui/ui.h"

static bool has_chains(const struct pd_file *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_events; i++)
		if (f->events[i].attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER))
			return true;
	return false;
}

/* Is it looked through, not printed? */
static bool browses(const struct report_opts *o)
{
	return o->look == LOOK_TUI || (o->look == LOOK_AUTO && !o->json && !o->page && ui_possible());
}

static int browse(struct report *r, struct pd_file *f)
{
	struct browser b = {
		.profile = &r->profile, .file = f, .view = &r->o->view, .input = r->o->input,
		.has_chains = has_chains(f),
	};

	return ui_browse(&b);
}

/* What of the samples the view needs. */
static void settle_profile(struct report *r, const struct pd_file *f)
{
	struct view *v = &r->o->view;
	struct profile *p = &r->profile;
	unsigned int i;

	for (i = 0; i < v->nr_keys; i++)
		p->keep[v->keys[i]] = true;
	/* the browser may ask for it later */
	p->keep[SORT_COMM] |= v->filter.comms.text || browses(r->o);
	p->keep[SORT_CPU] |= v->filter.cpus.nr != 0;
	p->keep[SORT_PID] |= v->filter.pids.nr != 0;
	p->keep[SORT_TID] |= v->filter.tids.nr != 0;
	p->lines = p->keep[SORT_SRCLINE] || p->keep[SORT_SRCFILE];
	p->inlines = !r->o->no_inline;
	if (!has_chains(f))
		v->mode = CHAIN_NONE;
	else if (!r->o->mode_given)
		v->mode = CHAIN_CALLERS;
	p->chains = v->mode != CHAIN_NONE || v->children || (browses(r->o) && has_chains(f));
}

static int report_run(struct report_opts *o, struct pd_file *f)
{
	struct report r = { .o = o };
	int ret = 0;

	session_init(&r.s, f, o->kallsyms, false);
	profile_init(&r.profile, &r.s, f->nr_events);
	settle_profile(&r, f);
	r.gather = (struct gather){ .profile = &r.profile, .time = { 0, ~0ull } };
	if (o->time)
		ret = time_range_parse(&r.gather.time, o->time, f);
	if (!ret)
		ret = gather_file(&r.gather, f);
	if (!ret && browses(o)) {
		ret = browse(&r, f);
		report_lines_note(&r);
	} else if (!ret) {
		if (o->page)
			ret = report_write_page(&r);
		else if (o->json)
			report_print_json(&r);
		else
			report_print(&r);
		fflush(stdout);
		report_notes(&r);
	}
	profile_free(&r.profile);
	session_free(&r.s);
	return ret;
}

int cmd_report(int argc, char **argv)
{
	struct report_opts o = { .colour = false };
	struct pd_file f;
	int ret = report_options(&o, argc, argv);

	if (!ret && o.look == LOOK_TUI && (o.json || !ui_possible()))
		ret = complain("--tui needs a terminal, for input and output; --stdio prints text");
	if (!ret && !pd_open(&f, o.input)) {
		if (!o.json && !o.page && !browses(&o))
			pager_begin();
		o.colour = colour_ok(stdout);
		ret = report_run(&o, &f);
		pd_close(&f);
		if (!ret && (fflush(stdout) || ferror(stdout)))
			ret = -1;
	} else if (!ret) {
		ret = -1;
	}
	filter_free(&o.view.filter);
	return ret < 0 ? EXIT_PCL : 0;
}
