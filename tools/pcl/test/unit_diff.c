// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of diff: simulated recordings whose truth is known.
 *
 * Concepts: a run draws its samples over functions with given shares; runs of a
 * set may differ among themselves, as real ones do. Over many comparisons, a
 * difference that is there is found, and where there is none, findings are as
 * rare as the confidence says.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "diff/diff.h"
#include "random.h"
#include "tap.h"

enum { FUNCTIONS = 40, SAMPLES = 5000, TRIALS = 200 };

static double uniform(void)
{
	return (double)(next_random() >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

/* One run: function 3 has its share raised by points; noise is how runs differ, relative. */
static void draw_run(struct diff *d, unsigned int file, double points, double noise)
{
	double share[FUNCTIONS], sum = 0, at;
	unsigned int i, k;

	for (i = 0; i < FUNCTIONS; i++) {
		share[i] = (1.0 / (i + 2) + (i == 3 ? points / 100 * 3.3 : 0)) * exp(noise * normal());
		sum += share[i];
	}
	for (i = 0; i < SAMPLES; i++) {
		at = uniform() * sum;
		for (k = 0; k + 1 < FUNCTIONS && at >= share[k]; k++)
			at -= share[k];
		d->lines[k].v[file].samples++;
		d->lines[k].v[file].period += 1000;
	}
	d->totals[file] = (struct portion){ SAMPLES, SAMPLES * 1000 };
}

struct tally_of {
	unsigned int found;	/* function 3 */
	unsigned int wrong;	/* comparisons with any other finding */
	unsigned int broke;	/* --fail-if f3+2% */
	unsigned int broke_any;	/* --fail-if +2% */
};

static void compare(unsigned int runs, double points, double noise, struct tally_of *t)
{
	static char names[FUNCTIONS][8];
	struct diff_opts o = { .confidence = 0.95 };
	struct diff d = { .o = &o, .nr_files = 2 * runs };
	struct rule named, any;
	const char *why;
	unsigned int i, wrong = 0;
	u32 line;

	o.files[SIDE_A].nr = o.files[SIDE_B].nr = runs;
	view_parse_keys(&o.view, "-s", "symbol");
	d.totals = mem_zalloc(d.nr_files, sizeof(*d.totals));
	d.lines = mem_zalloc(FUNCTIONS, sizeof(*d.lines));
	d.nr_lines = FUNCTIONS;
	for (i = 0; i < FUNCTIONS; i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		d.lines[i].symbol = str_dup(names[i]);
		d.lines[i].v = mem_zalloc(d.nr_files, sizeof(*d.lines[i].v));
	}
	for (i = 0; i < d.nr_files; i++)
		draw_run(&d, i, i < runs ? 0 : points, noise);
	diff_judge(&d);
	for (i = 0; i < FUNCTIONS; i++) {
		if (i == 3)
			t->found += d.lines[i].effect.significant;
		else
			wrong += d.lines[i].effect.significant;
	}
	/* when one share rises, the others fall: only without a difference is a finding wrong */
	t->wrong += points == 0 && (wrong || d.lines[3].effect.significant);
	tap_failed += rule_parse(&named, "f3+2%", 0.95, &why) || rule_parse(&any, "+2%", 0.95, &why);
	t->broke += diff_breaks(&d, &named, &line) && line == 3;
	t->broke_any += diff_breaks(&d, &any, &line);
	diff_free(&d);
}

static void test_trials(unsigned int runs, double noise, const char *what)
{
	struct tally_of same = { 0 }, differ = { 0 };
	unsigned int i;

	for (i = 0; i < TRIALS; i++) {
		compare(runs, 0, noise, &same);
		compare(runs, 4, noise, &differ);
	}
	printf("# %s: found %u, wrong %u, rule broken %u and %u of %u\n", what, differ.found,
	       same.wrong, differ.broke, same.broke_any, TRIALS);
	tap_ok(differ.found >= TRIALS * 95 / 100, "%s: 4 points more are found", what);
	/* 5 %, and three standard deviations of that over so many trials */
	tap_ok(same.wrong <= TRIALS * 5 / 100 + 9, "%s: none are found where there are none", what);
	tap_ok(differ.broke >= TRIALS * 6 / 10, "%s: a rule of 2 points is broken by 4", what);
	tap_ok(same.broke_any <= TRIALS * 5 / 100, "%s: and not by none", what);
}

/* Fisher's test: small tables by hand, and what must hold for all. */
static void test_exact(void)
{
	unsigned int i;
	double sum = 0, p;

	tap_ok(fabs(counts_p(3, 4, 1, 4) - 2 * 17.0 / 70) < 1e-12, "the lady tasting tea");
	tap_ok(counts_p(10, 100, 10, 100) == 1, "equal counts have p 1");
	tap_ok(counts_p(0, 1000, 1000, 1000) < 1e-300, "nothing in common");
	tap_ok(fabs(counts_p(5, 100, 15, 100) - counts_p(15, 100, 5, 100)) < 1e-12,
	       "the sides may be swapped");
	tap_ok(counts_p(100000, 1000000, 101000, 1000000) < 0.05 &&
	       counts_p(100000, 1000000, 101000, 1000000) > 0.01, "large counts");
	for (i = 0; i < 400; i++) {
		u64 a = (u64)(uniform() * 20), b = (u64)(uniform() * 20);

		p = counts_p(a, 200, b, 200);
		sum += p >= 0 && p <= 1;
	}
	tap_ok(sum == 400, "p is a probability");
	tap_ok(counts_p_beyond(100, 1000, 100, 1000, 0, false) > 0.45 &&
	       counts_p_beyond(100, 1000, 200, 1000, 5, false) < 0.01 &&
	       counts_p_beyond(100, 1000, 120, 1000, 5, false) > 0.9 &&
	       counts_p_beyond(200, 1000, 100, 1000, -5, true) < 0.01,
	       "beyond a bound, above and below");
}

int main(void)
{
	test_exact();
	test_trials(1, 0, "single runs");
	test_trials(5, 0.05, "five runs that differ by 5 %");
	return tap_end();
}
