// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the statistics of pcl stat, and trials of its comparison with
 * known truth.
 *
 * Concepts: tables of quantiles as printed in every book, worked examples, and
 * simulated comparisons that go through the same functions as --vs does. The
 * generator is seeded, so the same trials run each time; the bounds they are
 * held to are those that an honest procedure crosses once in a thousand.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"
#include "random.h"
#include "tap.h"

static double uniform(void)
{
	return ((double)(next_random() >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller */
static double normal(void)
{
	double r = sqrt(-2 * log(uniform()));

	return r * cos(2 * M_PI * uniform());
}

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

static struct series series_of(const double *v, unsigned int nr)
{
	struct series s = { 0 };
	unsigned int i;

	for (i = 0; i < nr; i++)
		series_add(&s, v[i]);
	return s;
}

/* Student's t, as tables print it: {one-sided chance, degrees, t}. */
static void test_quantiles(void)
{
	static const struct { double p, df, t; } rows[] = {
		{ 0.1, 1, 3.078 }, { 0.025, 1, 12.706 }, { 0.005, 1, 63.657 },
		{ 0.025, 2, 4.303 }, { 0.05, 4, 2.132 }, { 0.025, 5, 2.571 },
		{ 0.025, 9, 2.262 }, { 0.005, 9, 3.250 }, { 0.025, 18, 2.101 },
		{ 0.01, 20, 2.528 }, { 0.025, 30, 2.042 }, { 0.0005, 60, 3.460 },
		{ 0.025, 120, 1.980 }, { 0.025, 1e9, 1.960 }, { 0.005, 1e9, 2.576 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		double t = t_quantile_above(rows[i].p, rows[i].df);

		if (!tap_ok(near(t, rows[i].t, 0.00051), "t of %g with %g degrees is %.3f",
			    rows[i].p, rows[i].df, rows[i].t))
			printf("# %.6f\n", t);
	}
	tap_ok(near(t_quantile_above(0.975, 5), -t_quantile_above(0.025, 5), 1e-9),
	       "t is symmetric");
	tap_ok(near(t_above(0, 7), 0.5, 1e-12) && near(t_above(-2, 7) + t_above(2, 7), 1, 1e-12),
	       "its tails add up to 1");
	/* with one degree of freedom it is Cauchy's, with two there is a closed form */
	tap_ok(near(t_above(3, 1), 0.5 - atan(3) / M_PI, 1e-12), "one degree: Cauchy");
	tap_ok(near(t_above(3, 2), 0.5 - 3 / (2 * sqrt(11)), 1e-12), "two degrees: closed form");
	tap_ok(t_above(40, 30) > 0 && t_above(40, 30) < 1e-26, "far tails do not drown");
	tap_ok(near(beta_incomplete(2, 3, 0.4), 0.5248, 1e-12), "I_0.4(2, 3) = 0.5248");
	tap_ok(near(beta_incomplete(2, 3, 0.9), 0.9963, 1e-12), "I_0.9(2, 3) = 0.9963");
	tap_ok(near(beta_incomplete(5, 0.5, 0.3) + beta_incomplete(0.5, 5, 0.7), 1, 1e-12),
	       "I_x(a, b) + I_1-x(b, a) = 1");
}

static void test_spread(void)
{
	static const double v[] = { 9, 2, 4, 7, 4, 4, 5, 5 };
	static const double wild[] = { 10, 11, 10, 12, 11, 10, 90, 11 };
	static const double flat[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 6 };
	struct series s = series_of(v, ARRAY_SIZE(v)), one = series_of(v, 1), none = { 0 };
	struct spread r = series_spread(&s);

	tap_ok(near(r.mean, 5, 1e-12) && near(r.dev, sqrt(32.0 / 7), 1e-12), "mean and deviation");
	tap_ok(r.min == 2 && r.max == 9 && near(r.median, 4.5, 1e-12),
	       "least, most, median");
	/* 2.3646 * 2.1381 / sqrt(8) */
	tap_ok(near(series_half_width(&r, 0.95), 1.7875, 1e-4), "the interval of the mean");
	series_free(&s);
	s = series_of(wild, ARRAY_SIZE(wild));
	tap_ok(series_spread(&s).outliers == 1, "one value far off is an outlier");
	tap_ok(near(series_spread(&s).mean, 165 / 8.0, 1e-12), "and stays in the mean");
	series_free(&s);
	s = series_of(flat, ARRAY_SIZE(flat));
	tap_ok(series_spread(&s).outliers == 1, "so is one among equals");
	series_free(&s);
	r = series_spread(&one);
	tap_ok(r.mean == 9 && r.dev == 0 && isinf(series_half_width(&r, 0.95)),
	       "of one run, nothing is known but its value");
	tap_ok(series_spread(&none).nr == 0, "no run, no spread");
	series_free(&one);
}

/* Worked by hand: two series whose t and degrees are known. */
static void test_effect(void)
{
	static const double a[] = { 98, 100, 102, 99, 101 }, b[] = { 103, 105, 107, 104, 106 };
	static const double zero[] = { 0, 0, 0, 0, 0 }, some[] = { 3, 4, 5, 4, 4 };
	static const double a6[] = { 100, 100, 100, 100, 100 }, b6[] = { 102, 102, 102, 102, 102 };
	struct series sa = series_of(a, 5), sb = series_of(b, 5), s0 = series_of(zero, 5);
	struct series ss = series_of(some, 5), ca = series_of(a6, 5), cb = series_of(b6, 5);
	struct effect e = effect_of(&sa, &sb, 0.95);
	unsigned int i;

	/* log(1.05) = 0.04879; se = sqrt(2.5/5) * sqrt(1/100^2 + 1/105^2) = 0.0097647; t = 4.9966, df = 7.981 */
	tap_ok(near(e.percent, 5, 1e-9) && near(e.difference, 5, 1e-12), "the effect is +5 %%");
	if (!tap_ok(near(e.p, 0.00106, 2e-5), "p by hand"))
		printf("# %.6f\n", e.p);
	/* exp(0.04879 -+ 2.3073 * 0.0097647) */
	if (!tap_ok(near(e.low_percent, 2.661, 0.005) && near(e.high_percent, 7.392, 0.005),
		    "interval by hand"))
		printf("# %.4f %.4f\n", e.low_percent, e.high_percent);
	e = effect_of(&sb, &sa, 0.95);
	tap_ok(near(e.p, 0.00106, 2e-5) && near(e.percent, -100 / 21.0, 1e-9),
	       "the other way round: the same p");
	e = effect_of(&sa, &sa, 0.95);
	tap_ok(e.p == 1 && e.percent == 0 && e.low_percent < 0 && e.high_percent > 0,
	       "against itself: p is 1");
	e = effect_of(&s0, &ss, 0.95);
	tap_ok(!e.has_percent && e.tested && e.p < 0.001 && e.difference == 4,
	       "from zero: no per cent, but a difference");
	e = effect_of(&ca, &cb, 0.95);
	tap_ok(near(e.p, 2.0 / 252, 1e-9) && near(e.low_percent, 2, 1e-9) &&
	       near(e.high_percent, 2, 1e-9), "without any spread: the permutation test's p");
	e = effect_of(&ca, &ca, 0.95);
	tap_ok(e.p == 1, "equal constants: p is 1");
	/* of counts: half a step each, so t is 6.325 with 8 degrees */
	ca.step = cb.step = 1;
	e = effect_of(&ca, &cb, 0.95);
	if (!tap_ok(near(e.p, 0.000226, 5e-6), "without any spread, of counts: known to half a step"))
		printf("# %.6f\n", e.p);
	for (i = 0; i < 5; i++)
		cb.v[i] = 101;
	e = effect_of(&ca, &cb, 0.95);
	tap_ok(e.p > 2.0 / 252 && e.p < 0.02, "counts one apart: no surer than the permutation test");
	for (i = 0; i < 5; i++)
		cb.v[i] = 102;
	ca.nr = cb.nr = 1;
	e = effect_of(&ca, &cb, 0.95);
	tap_ok(!e.tested && near(e.percent, 2, 1e-9), "one run of each: an effect, not tested");
	series_free(&sa);
	series_free(&sb);
	series_free(&s0);
	series_free(&ss);
	series_free(&ca);
	series_free(&cb);
}

static void test_holm(void)
{
	/* 0.01 * 4, 0.02 * 3, 0.03 * 2, then not less than the one before */
	struct effect e[] = {
		{ .tested = true, .p = 0.03 }, { .tested = true, .p = 0.01 },
		{ .tested = false }, { .tested = true, .p = 0.02 }, { .tested = true, .p = 0.031 },
	};

	effects_adjust(e, ARRAY_SIZE(e), 0.95);
	tap_ok(near(e[1].p_adjusted, 0.04, 1e-12) && near(e[3].p_adjusted, 0.06, 1e-12) &&
	       near(e[0].p_adjusted, 0.06, 1e-12) && near(e[4].p_adjusted, 0.06, 1e-12),
	       "Holm: adjusted by rank, never falling");
	tap_ok(e[1].significant && !e[0].significant && !e[3].significant && !e[2].significant,
	       "Holm: only the first is significant");
}

static void test_rules(void)
{
	static const struct {
		int line;
		const char *text;
		int name_len;	/* -1: refused */
		double bound, confidence;
	} rows[] = {
#define ROW(...) { __LINE__, __VA_ARGS__ }
		ROW("+3%", 0, 3, 0.95),
		ROW("+3%@99%", 0, 3, 0.99),
		ROW("page-faults+0.5%", 11, 0.5, 0.95),
		ROW("cycles:u-10%@99.9%", 8, -10, 0.999),
		ROW("ipc-2%", 3, -2, 0.95),
		ROW("elapsed+0%", 7, 0, 0.95),
		ROW("3%", -1), ROW("+3", -1), ROW("+%", -1), ROW("", -1), ROW("+3%@", -1),
		ROW("+3%@99", -1), ROW("+3%@x%", -1), ROW("+3%@100%", -1), ROW("+3%@10%", -1),
		ROW("a+1.2.3%", -1), ROW("a-100%", -1), ROW("a*3%", -1),
#undef ROW
	};
	struct rule r;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *why = NULL;
		int ret = rule_parse(&r, rows[i].text, 0.95, &why);

		tap_ok(rows[i].name_len < 0 ? ret && why :
		       !ret && (int)r.name_len == rows[i].name_len &&
		       near(r.bound_percent, rows[i].bound, 1e-12) &&
		       near(r.confidence, rows[i].confidence, 1e-12),
		       "line %d: rule '%s'", rows[i].line, rows[i].text);
	}
}

enum { TRIALS = 200, MEASURES = 8 };

/* What a number of trials came to. */
struct score {
	unsigned int found;	/* trials in which the first measure was found */
	unsigned int wrong;	/* trials in which any other was, or the first with the wrong sign */
	unsigned int covered;	/* trials in which the first one's interval holds the truth */
	unsigned int broken;	/* trials that broke "+1.5%" of the first measure, at 99 % */
};

/*
 * Comparisons of two programs in MEASURES measures with this noise (deviation
 * of the logarithm), run in pairs; in the first measure B is this much above A.
 */
static struct score trials(double truth_percent, double noise, unsigned int pairs)
{
	struct rule rule = { .bound_percent = 1.5 };
	struct score score = { 0 };
	unsigned int n, m, i;

	for (n = 0; n < TRIALS; n++) {
		struct effect e[MEASURES];
		bool wrong = false;

		for (m = 0; m < MEASURES; m++) {
			double base = pow(10, m + 1), drift = 0;
			struct series a = { 0 }, b = { 0 };
			double by = m ? 1 : 1 + truth_percent / 100;

			for (i = 0; i < pairs; i++) {
				/* the machine gets slower on the way, for both */
				drift += noise * 0.1 * uniform();
				series_add(&a, base * exp(drift + noise * normal()));
				series_add(&b, base * by * exp(drift + noise * normal()));
			}
			e[m] = effect_of(&a, &b, 0.95);
			series_free(&a);
			series_free(&b);
		}
		effects_adjust(e, MEASURES, 0.95);
		for (m = 1; m < MEASURES; m++)
			wrong |= e[m].significant;
		if (e[0].significant && truth_percent > 0 && e[0].percent > 0)
			score.found++;
		else
			wrong |= e[0].significant;
		score.wrong += wrong;
		score.covered += e[0].low_percent <= truth_percent &&
				 truth_percent <= e[0].high_percent;
		score.broken += effect_breaks(&e[0], &rule, 0.01);
	}
	return score;
}

/*
 * 200 trials each. The power stated in pcl-stat(1): 20 pairs at a noise of 1 %
 * find 2 % with a chance above 99.9 % (t must pass 2.89 with 38 degrees, and
 * is spread around 6.3); 10 pairs, with a chance of 85 %. Bounds: the binomial
 * distribution's quantile of one in a thousand.
 */
static void test_trials(void)
{
	struct score s = trials(2, 0.01, 20);

	printf("# 2 %%, noise 1 %%, 20 pairs: found %u, wrong %u, interval right %u of 200\n",
	       s.found, s.wrong, s.covered);
	tap_ok(s.found >= 198, "20 pairs: a difference of 2 %% is found");
	tap_ok(s.wrong <= 20, "20 pairs: the others are not, beyond 5 %% of the trials");
	tap_ok(s.covered >= 179, "20 pairs: the interval holds the truth in 95 %%");
	s = trials(0, 0.01, 20);
	printf("# none, noise 1 %%, 20 pairs: wrong %u, interval right %u of 200\n", s.wrong,
	       s.covered);
	tap_ok(s.wrong <= 20, "no difference: none is found, beyond 5 %% of the trials");
	tap_ok(s.wrong >= 1, "no difference: but the test is not deaf");
	tap_ok(s.covered >= 179, "no difference: the interval holds 0 in 95 %%");
	tap_ok(s.broken == 0, "no difference: no rule of +1.5%%@99%% breaks");
	s = trials(2, 0.01, 10);
	printf("# 2 %%, noise 1 %%, 10 pairs: found %u, wrong %u of 200\n", s.found, s.wrong);
	tap_ok(s.found >= 150 && s.found <= 187, "10 pairs: found with a chance of about 85 %%");
	s = trials(1.5, 0.01, 20);
	printf("# 1.5 %%, noise 1 %%, 20 pairs: broke +1.5%%@99%% %u of 200\n", s.broken);
	tap_ok(s.broken <= 8, "an effect at the bound breaks its rule in 1 %% of the trials");
	s = trials(4, 0.01, 20);
	tap_ok(s.broken >= 198, "an effect well above the bound does");
}

/* What is told as detectable is found in 90 % of trials, of one measure alone. */
static void test_detectable(void)
{
	unsigned int n, i, found = 0;

	for (n = 0; n < 1000; n++) {
		struct series a = { 0 }, b = { 0 };
		struct effect e;
		double truth = 0;
		unsigned int pass;

		/* first pass: learn what is detectable at the true noise; then try it */
		for (pass = 0; pass < 2; pass++) {
			a.nr = b.nr = 0;
			for (i = 0; i < 30; i++) {
				series_add(&a, 100 * exp(0.02 * normal()));
				series_add(&b, 100 * (1 + truth / 100) * exp(0.02 * normal()));
			}
			e = effect_of(&a, &b, 0.95);
			truth = effect_detectable(&e, 0.05);
		}
		found += e.p < 0.05 && e.percent > 0;
		series_free(&a);
		series_free(&b);
	}
	printf("# a detectable difference was found in %u of 1000\n", found);
	tap_ok(found >= 860 && found <= 930, "what is called detectable is found in 90 %%");
}

/* Each member's leader, as places in the list: "0,0,2". */
static bool leaders_are(const char *text, const char *want)
{
	struct event_list l = { 0 };
	struct parse_error err;
	char got[64] = "";
	unsigned int i, k;

	events_parse(&l, text, &err);
	events_group(&l);
	for (i = 0; i < l.nr; i++) {
		for (k = 0; l.v[k] != l.v[i]->leader; k++)
			;
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u", i ? "," : "", k);
		if (k == i) {
			unsigned int members = 0, m;

			for (m = 0; m < l.nr; m++)
				members += l.v[m]->leader == l.v[i];
			if (members != l.v[i]->nr_members)
				strcat(got, "!");
		}
	}
	event_list_free(&l);
	if (!strcmp(got, want))
		return true;
	printf("# %s: %s\n", text, got);
	return false;
}

static void test_groups(void)
{
	struct event_list l = { 0 };
	struct parse_error err;

	tap_ok(leaders_are("cycles,instructions", "0,0"), "group: instructions with cycles");
	tap_ok(leaders_are("branch-misses,faults,branches,cs", "0,1,0,3"), "group: others stay between");
	tap_ok(leaders_are("stalled-cycles-frontend,instructions,cycles", "0,0,0"),
	       "group: two ratios by the same event");
	tap_ok(leaders_are("L1-dcache-load-misses,LLC-loads,L1-dcache-loads", "0,1,0"),
	       "group: misses with the loads of their cache");
	tap_ok(leaders_are("cycles:u,instructions", "0,1"), "group: not of different levels");
	tap_ok(leaders_are("{cycles,faults},instructions", "0,0,2"), "group: the user's are left alone");
	tap_ok(leaders_are("cycles:D,instructions", "0,1"), "group: pinned events are left alone");
	tap_ok(leaders_are("cycles,task-clock", "0,1"), "group: a clock needs none");
	events_parse(&l, "cycles,instructions,stalled-cycles-backend", &err);
	events_group(&l);
	l.v[2]->status = EVENT_NOT_SUPPORTED;
	l.v[2]->open_errno = ENOENT;
	tap_ok(!events_ungroup(&l) && l.v[2]->leader == l.v[0], "group: what is not there may stay in it");
	l.v[2]->open_errno = EINVAL;
	tap_ok(events_ungroup(&l) && l.v[2]->leader == l.v[2] && l.v[0]->nr_members == 2,
	       "group: what does not fit is taken out");
	l.v[0]->status = EVENT_NOT_SUPPORTED;
	tap_ok(events_ungroup(&l) && l.v[1]->leader == l.v[1] && l.v[0]->nr_members == 1 &&
	       l.v[1]->nr_members == 1, "group: a leader that is refused leaves it");
	tap_ok(!events_ungroup(&l), "group: and that is the end of it");
	event_list_free(&l);
}

/* The four of top-down, from the slots of one group; test/unit.sh puts the events into sysfs. */
static void test_metrics(void)
{
	/* total, issued, retired, fetch bubbles, recovery bubbles */
	static const double old[] = { 1000, 400, 300, 200, 50 };
	static const double want[] = { 30, 15, 20, 35 };
	static const double both[] = { 300, 200 };
	struct metric_list ml = { 0 };
	struct event_list l = { 0 };
	const char *bad = metrics_check();
	unsigned int i;

	tap_ok(!bad, "metrics: every definition holds together (%s)", bad ? bad : "all");
	tap_ok(!metrics_take(&ml, &l, "topdown") && ml.nr == 4 && l.nr == 5,
	       "metrics: top-down is four metrics of one group");
	for (i = 0; i < ml.nr; i++)
		tap_ok(near(metric_value(&ml.v[i], old, 1), want[i], 1e-9), "metrics: %s",
		       ml.v[i].def->name);
	tap_ok(!metrics_take(&ml, &l, "ipc,cpi") && l.nr == 7 && l.v[5]->leader == l.v[6]->leader,
	       "metrics: two of one group share its events");
	tap_ok(near(metric_value(&ml.v[4], both, 1), 1.5, 1e-12) &&
	       near(metric_value(&ml.v[5], both, 1), 2 / 3.0, 1e-12), "metrics: and divide them");
	tap_ok(!metrics_take(&ml, &l, "cpus") && near(metric_value(&ml.v[6], both, 0.1), 3, 1e-9),
	       "metrics: by the time elapsed");
	tap_ok(isnan(metric_value(&ml.v[6], both, 0)), "metrics: nothing is divided by zero");
	free(ml.v);
	event_list_free(&l);
}

/* Four CPUs, two cores on each of two sockets; test/unit.sh puts them into sysfs. */
static void test_parts(void)
{
	static int cpus[] = { 0, 1, 2, 3 }, any[] = { -1 }, two[] = { 1, 2 };
	struct target t = { .system_wide = true, .cpus = { cpus, 4 }, .tids = { any, 1 } };
	struct target threads = { .cpus = { any, 1 }, .tids = { two, 2 } };
	struct parts p;

	tap_ok(!parts_check(PART_CORE, &t) && parts_check(PART_THREAD, &t) &&
	       parts_check(PART_CPU, &threads) && !parts_check(PART_THREAD, &threads),
	       "parts: CPUs of CPUs, threads of threads");
	parts_make(&p, PART_ALL, &t);
	tap_ok(p.nr == 1 && !p.of && !parts_name(&p, 0), "parts: none");
	parts_free(&p);
	parts_make(&p, PART_CPU, &t);
	tap_ok(p.nr == 4 && p.of[3] == 3 && !strcmp(parts_name(&p, 3), "CPU3"), "parts: CPUs");
	parts_free(&p);
	parts_make(&p, PART_CORE, &t);
	tap_ok(p.nr == 3 && p.of[0] == p.of[1] && p.of[2] != p.of[3] &&
	       !strcmp(parts_name(&p, p.of[3]), "S1-D0-C1"), "parts: cores");
	parts_free(&p);
	parts_make(&p, PART_SOCKET, &t);
	tap_ok(p.nr == 2 && p.of[0] == p.of[1] && p.of[2] == p.of[3] && p.of[0] != p.of[2] &&
	       !strcmp(parts_name(&p, p.of[2]), "S1"), "parts: sockets");
	parts_free(&p);
	parts_make(&p, PART_THREAD, &threads);
	tap_ok(p.nr == 2 && strstr(parts_name(&p, 0), "-1"), "parts: threads");
	parts_free(&p);
}

static void test_curves(void)
{
	static const double v[] = { 0, 1, 2, 4, 8, 8, NAN, 4 };
	char text[3 * SPARK_CELLS + 1];
	double many[1000];
	unsigned int i;

	spark_text(text, v, 8, 32, false);
	tap_ok(!strcmp(text, "__.-## -"), "curve: from 0 to the largest; what is not known is blank");
	spark_text(text, v, 5, 32, true);
	tap_ok(!strcmp(text, "▁▁▂▄█"), "curve: in eighths of a block");
	spark_text(text, v, 8, 4, false);
	tap_ok(!strcmp(text, "_:#-"), "curve: more values than room are averaged");
	for (i = 0; i < 1000; i++)
		many[i] = i < 500 ? 0 : 7;
	spark_text(text, many, 1000, 100, false);
	tap_ok(strlen(text) == SPARK_CELLS && text[0] == '_' && text[SPARK_CELLS - 1] == '#',
	       "curve: never longer than its buffer");
	spark_text(text, v, 1, 32, false);
	tap_ok(!strcmp(text, "_"), "curve: of zeros is flat");
	spark_text(text, v, 0, 32, false);
	tap_ok(!*text, "curve: of nothing is nothing");
}

/* Two CPUs share a cache of 32 MiB, and have 1 MiB each; the third is alone with 2 MiB. */
static void test_cold(void)
{
	static int cpus[] = { 0, 1, 2, 3 };
	struct int_list all = { cpus, 4 }, one = { cpus + 1, 1 };

	tap_ok(cold_cache_bytes(0, &all) == 32 << 20, "cold: the first sharer empties the large cache");
	tap_ok(cold_cache_bytes(1, &all) == 1 << 20, "cold: the other its own");
	tap_ok(cold_cache_bytes(1, &one) == 32 << 20, "cold: unless the first is not at hand");
	tap_ok(cold_cache_bytes(2, &all) == 2 << 20, "cold: another its own");
	tap_ok(cold_cache_bytes(3, &all) == 0, "cold: nothing is known of the last");
}

int main(void)
{
	test_quantiles();
	test_spread();
	test_effect();
	test_holm();
	test_rules();
	test_groups();
	test_metrics();
	test_parts();
	test_curves();
	test_cold();
	test_trials();
	test_detectable();
	return tap_end();
}
