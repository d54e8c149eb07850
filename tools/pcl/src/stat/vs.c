// SPDX-License-Identifier: GPL-2.0
/*
 * pcl stat --vs: command B beside command A, in pairs of runs.
 *
 * Concepts: a machine drifts: it warms up, others come and go. So A and B run
 * in turn, pair by pair, and which goes first is drawn anew for each pair (or
 * alternates, or is always A). Only whole pairs count. Rules of --fail-if are
 * judged after the last pair; one whose measure could not be counted is an
 * error, not a pass.
 * Contexts: stat.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "internal.h"
#include "stat/stat.h"

enum { PAIRS = 10 };

/*
 * The text of --vs as words: quotes, $VARIABLES and patterns as in a shell,
 * but no shell runs, which would be counted. 0, or -1 (said).
 */
int vs_take_command(struct stat_opts *o, const char *text)
{
	wordexp_t w;
	size_t i;

	switch (wordexp(text, &w, WRDE_NOCMD | WRDE_UNDEF)) {
	case 0:
		break;
	case WRDE_BADCHAR:
	case WRDE_CMDSUB:
		return complain("--vs: '%s' needs a shell; write \"sh -c '...'\", and the same for the other command, so that both pay for it",
				text);
	case WRDE_BADVAL:
		return complain("--vs: '%s' has a variable that is not set", text);
	default:
		return complain("--vs: '%s' cannot be split into words; is a quote not closed?", text);
	}
	if (!w.we_wordc) {
		wordfree(&w);
		return complain("--vs: a command is missing");
	}
	o->vs = mem_zalloc(w.we_wordc + 1, sizeof(*o->vs));
	for (i = 0; i < w.we_wordc; i++)
		o->vs[i] = str_dup(w.we_wordv[i]);
	wordfree(&w);
	return 0;
}

/* splitmix64 (Steele and others 2014): a bit for each pair, the same for the same seed. */
static bool draw(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) & 1;
}

static bool b_first(const struct stat_opts *o, unsigned int pair, u64 *state)
{
	switch (o->order) {
	case ORDER_RANDOM:
		return draw(state);
	case ORDER_ABBA:
		return pair % 2;
	default:
		return false;
	}
}

/* One pair. 0: both tables have a run more. 1: cut short. -1: it cannot go on. */
static int run_pair(struct counting *c, bool turned, struct stat_table *a, struct stat_table *b)
{
	struct run run[2] = { 0 };	/* of A and of B */
	int ret = 0, i;

	for (i = 0; i < 2 && !ret; i++) {
		int which = i ^ turned;

		ret = run_once(c, which ? c->o->vs : c->o->argv, &run[which]);
		if (!ret && c->stop)
			ret = 1;
	}
	if (!ret) {
		table_add(a, c, &run[0]);
		table_add(b, c, &run[1]);
	}
	run_free(&run[0]);
	run_free(&run[1]);
	return ret;
}

/* Runs that nobody looks at, so that files are read and caches warm. */
static int warm_up(struct counting *c)
{
	struct run r;
	int i, ret = 0;

	for (i = 0; i < 2 * c->o->warmup && !ret && !c->stop; i++) {
		ret = run_once(c, i % 2 ? c->o->vs : c->o->argv, &r);
		run_free(&r);
	}
	return ret;
}

static bool rule_names(const struct rule *r, const char *name)
{
	size_t n = r->name_len;

	/* narrowing to user space adds to the name */
	return !n || (!strncmp(r->text, name, n) && (!name[n] || !strcmp(name + n, ":u")));
}

/* Before the first run: does each rule name a measure? 0, or -1 (said). */
static int check_rules(const struct stat_opts *o, const struct stat_table *t)
{
	unsigned int i, k;

	for (i = 0; i < o->nr_rules; i++) {
		for (k = 0; k < t->nr; k++)
			if (rule_names(&o->rules[i], t->v[k].event ? t->v[k].event->name : t->v[k].name))
				break;
		if (k == t->nr)
			return complain("--fail-if: '%.*s' is not among what is measured here; add it with -e",
					(int)o->rules[i].name_len, o->rules[i].text);
	}
	return 0;
}

/* Judge one rule. -1: what it is about was not measured (said). */
static int judge(const struct stat_opts *o, const struct rule *r, const struct comparison *vs,
		 bool *broken)
{
	unsigned int i, tests = 0;

	for (i = 0; i < vs->a->nr; i++)
		tests += rule_names(r, vs->a->v[i].name) && vs->effect[i].tested;
	if (!tests)
		return complain("--fail-if: '%s' cannot be judged: %s", r->text,
				o->repeat < 2 ? "that takes two pairs of runs at least" :
				"it was not counted");
	/* a rule for many measures shares its chance of error among them */
	for (i = 0; i < vs->a->nr; i++)
		if (rule_names(r, vs->a->v[i].name) &&
		    effect_breaks(&vs->effect[i], r, (1 - r->confidence) / tests))
			*broken = true;
	return 0;
}

/* Effects, rules, the printed result. Returns the exit status. */
static int conclude(struct counting *c, struct stat_table *a, struct stat_table *b)
{
	struct stat_opts *o = c->o;
	struct comparison vs = { .a = a, .b = b };
	struct stat_doc d = { .o = o, .t = a, .vs = &vs };
	int status = c->status;
	unsigned int i;

	vs.effect = mem_zalloc(a->nr, sizeof(*vs.effect));
	vs.broken = mem_zalloc(o->nr_rules, sizeof(*vs.broken));
	table_finish(a, table_figure(a, FIGURE_ELAPSED)->spread.mean);
	table_finish(b, table_figure(b, FIGURE_ELAPSED)->spread.mean);
	for (i = 0; i < a->nr; i++)
		vs.effect[i] = effect_of(&a->v[i].runs, &b->v[i].runs, o->confidence);
	effects_adjust(vs.effect, a->nr, o->confidence);
	for (i = 0; i < o->nr_rules; i++) {
		if (judge(o, &o->rules[i], &vs, &vs.broken[i]))
			status = EXIT_PCL;
		else if (vs.broken[i] && !status)
			status = EXIT_RULE;
	}
	out_doc(&d);
	free(vs.effect);
	free(vs.broken);
	return status;
}

int vs_main(struct counting *c)
{
	struct stat_opts *o = c->o;
	struct stat_table a, b;
	unsigned int i;
	u64 state;
	int ret;

	if (!o->repeat)
		o->repeat = PAIRS;
	if (o->warmup < 0)
		o->warmup = !o->cold.wanted;
	if (!o->seed_given)
		o->seed = clock_ns() / 1000 % 1000000;
	state = o->seed;
	parts_make(&c->parts, PART_ALL, &o->target);
	table_init(&a, c, true);
	table_init(&b, c, true);
	ret = check_rules(o, &a);
	if (!ret)
		ret = warm_up(c);
	for (i = 0; i < o->repeat && !ret && !c->stop; i++) {
		ret = run_pair(c, b_first(o, i, &state), &a, &b);
		progress_update("pairs of runs", i + 1, o->repeat);
	}
	progress_end();
	if (a.runs && ret >= 0) {
		if (a.runs < o->repeat)
			complain("stopped by a signal: %u of %u pairs of runs are whole", a.runs,
				 o->repeat);
		ret = conclude(c, &a, &b);
	} else {
		ret = c->status ? c->status : EXIT_PCL;
	}
	table_free(&a);
	table_free(&b);
	return ret;
}
