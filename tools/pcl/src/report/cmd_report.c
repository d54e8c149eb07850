// SPDX-License-Identifier: GPL-2.0
/*
 * pcl report: what a recording says, as a table.
 *
 * Concepts: one pass over the file in order of time; each sample is resolved
 * with the state of its moment and added to the table of its event. A section
 * is printed for each event.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "report/report.h"

static const char help[] =
"usage: pcl report [options] [FILE]\n"
"Show where the samples of a recording fell. Reads files of pcl and of perf.\n"
"\n"
"  -i, --input FILE     the recording (perf.data)\n"
"  -s, --sort KEYS      what makes a line: comm, object (dso), symbol (sym),\n"
"                       pid, tid, cpu (comm,object,symbol)\n"
"  -g, --callers        below each line, who called, with their shares\n"
"  -G, --no-callers     never, even where chains were recorded\n"
"  -l, --limit PERCENT  leave out lines and callers below this (0, callers 0.5)\n"
"      --comm LIST      only commands of these names\n"
"      --object LIST    only objects of these names (also --dso)\n"
"      --symbol LIST    only these functions\n"
"      --kallsyms FILE  names of a kernel that does not run here\n"
"  -h, --help           this text\n"
"\n"
"Percentages are of all samples of the event, filtered ones included; a sample\n"
"weighs as many events as it stands for.\n"
"\n"
"Exit status: 0; 125 when the file cannot be read or is damaged.\n";

/* Words separated by commas; matches everything when there are none. */
struct word_list {
	const char *text;
};

struct report_opts {
	const char *input;
	const char *kallsyms;
	struct word_list comms, objects, symbols;
	bool by[NR_SORT];
	bool callers, no_callers;
	double limit;
	bool limit_given;
	bool colour;
};

struct report {
	struct report_opts *o;
	struct session s;
	struct hist *hists;	/* one for each event of the file */
	u64 undecoded;
	u64 of_no_event;
};

static const struct {
	const char *name;
	enum sort_key key;
} sort_names[] = {
	{ "comm", SORT_COMM }, { "object", SORT_OBJECT }, { "dso", SORT_OBJECT },
	{ "symbol", SORT_SYMBOL }, { "sym", SORT_SYMBOL }, { "pid", SORT_PID },
	{ "tid", SORT_TID }, { "cpu", SORT_CPU },
};

static bool in_list(const struct word_list *l, const char *word)
{
	const char *p = l->text;
	size_t n, len = strlen(word);

	if (!p)
		return true;
	for (;; p += n + 1) {
		n = strcspn(p, ",");
		if (n == len && !strncmp(p, word, n))
			return true;
		if (!p[n])
			return false;
	}
}

static int parse_sort(struct report_opts *o, const char *text)
{
	char *copy = str_dup(text), *word, *save;
	int ret = 0;
	size_t i;

	for (word = strtok_r(copy, ",", &save); word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < ARRAY_SIZE(sort_names); i++)
			if (!strcmp(sort_names[i].name, word))
				break;
		if (i == ARRAY_SIZE(sort_names))
			ret = complain("-s: there is no key '%s'; keys: comm, object, symbol, pid, tid, cpu",
				       word);
		else
			o->by[sort_names[i].key] = true;
	}
	free(copy);
	return ret;
}

static int parse_limit(struct report_opts *o, const char *text)
{
	char *end;

	o->limit = strtod(text, &end);
	o->limit_given = true;
	if (end == text || *end || !(o->limit >= 0 && o->limit <= 100))
		return complain("-l: '%s' is not a percentage", text);
	return 0;
}

enum { OPT_COMM = 256, OPT_OBJECT, OPT_SYMBOL, OPT_KALLSYMS };

static int take_option(struct report_opts *o, int c)
{
	switch (c) {
	case 'i':
		o->input = optarg;
		return 0;
	case 's':
		return parse_sort(o, optarg);
	case 'g':
		o->callers = true;
		return 0;
	case 'G':
		o->no_callers = true;
		return 0;
	case 'l':
		return parse_limit(o, optarg);
	case OPT_COMM:
		o->comms.text = optarg;
		return 0;
	case OPT_OBJECT:
		o->objects.text = optarg;
		return 0;
	case OPT_SYMBOL:
		o->symbols.text = optarg;
		return 0;
	case OPT_KALLSYMS:
		o->kallsyms = optarg;
		return 0;
	default:
		return -1;
	}
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct report_opts *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "sort", required_argument, NULL, 's' },
		{ "callers", no_argument, NULL, 'g' },
		{ "no-callers", no_argument, NULL, 'G' },
		{ "limit", required_argument, NULL, 'l' },
		{ "comm", required_argument, NULL, OPT_COMM },
		{ "object", required_argument, NULL, OPT_OBJECT },
		{ "dso", required_argument, NULL, OPT_OBJECT },
		{ "symbol", required_argument, NULL, OPT_SYMBOL },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	unsigned int k, any = 0;
	int c;

	while ((c = getopt_long(argc, argv, "i:s:gGl:h", longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 1;
		}
		if (c == '?') {
			fputs("pcl: 'pcl report --help' shows the options\n", stderr);
			return -1;
		}
		if (take_option(o, c))
			return -1;
	}
	if (optind < argc && !o->input)
		o->input = argv[optind++];
	if (optind < argc)
		return complain("report reads one file; '%s' is too much", argv[optind]);
	if (!o->input)
		o->input = "perf.data";
	for (k = 0; k < NR_SORT; k++)
		any += o->by[k];
	if (!any)
		o->by[SORT_COMM] = o->by[SORT_OBJECT] = o->by[SORT_SYMBOL] = true;
	return 0;
}

static void add_sample(struct report *r, int event, const struct pd_sample *sample)
{
	struct thread *t = session_thread(&r->s, sample->tid);
	const struct report_opts *o = r->o;
	struct hist *h = &r->hists[event];
	struct hist_entry key = { 0 }, *e;
	struct place p;

	h->period += sample->period;
	h->samples++;
	p = session_resolve(&r->s, sample->pid, sample->cpumode, sample->ip);
	if (!in_list(&o->comms, t->comm) || !in_list(&o->objects, p.object->short_name) ||
	    !in_list(&o->symbols, symbol_name(p.symbol)))
		return;
	if (o->by[SORT_COMM])
		key.comm = t->comm;
	if (o->by[SORT_OBJECT])
		key.object = p.object;
	if (o->by[SORT_SYMBOL]) {
		key.symbol = p.symbol;
		key.level = p.level;
	}
	if (o->by[SORT_PID])
		key.pid = sample->pid;
	if (o->by[SORT_TID])
		key.tid = sample->tid;
	if (o->by[SORT_CPU])
		key.cpu = sample->cpu;
	e = hist_add(h, &key, sample->period);
	if (!o->no_callers)
		callers_add(&r->s, e, sample, o->by[SORT_SYMBOL]);
}

static int on_record(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		     void *arg)
{
	struct report *r = arg;
	struct pd_sample sample;
	int event;

	if (h->type != PERF_RECORD_SAMPLE) {
		session_record(&r->s, h, body);
		return 0;
	}
	event = sample_event(f, body);
	if (event < 0)
		r->of_no_event++;
	else if (sample_decode(&f->events[event].attr, h, body, &sample))
		r->undecoded++;
	else
		add_sample(r, event, &sample);
	return 0;
}

/* How wide the columns before the last must be. */
static void measure(const struct report_opts *o, const struct hist *h, int *comm,
		    int *object)
{
	unsigned int i;
	int n;

	*comm = 7;
	*object = 6;
	for (i = 0; i < h->nr; i++) {
		if (h->v[i]->comm && (n = (int)strlen(h->v[i]->comm)) > *comm)
			*comm = n;
		if (h->v[i]->object && (n = (int)strlen(h->v[i]->object->short_name)) > *object)
			*object = n;
	}
	if (*comm > 16)
		*comm = 16;
	if (*object > 32)
		*object = 32;
	/* the last column is not padded */
	if (!o->by[SORT_SYMBOL])
		*object = 0;
	if (!o->by[SORT_SYMBOL] && !o->by[SORT_OBJECT])
		*comm = 0;
}

static void print_titles(const struct report_opts *o, int comm, int object)
{
	printf("# %7s %9s", "share", "samples");
	if (o->by[SORT_PID])
		printf("  %7s", "pid");
	if (o->by[SORT_TID])
		printf("  %7s", "tid");
	if (o->by[SORT_CPU])
		printf("  %4s", "cpu");
	if (o->by[SORT_COMM])
		printf("  %-*s", comm, "command");
	if (o->by[SORT_OBJECT])
		printf("  %-*s", object, "object");
	if (o->by[SORT_SYMBOL])
		printf("  symbol");
	printf("\n#\n");
}

/* What matters most stands out, on a terminal that has colours. */
static const char *share_colour(double share)
{
	return share >= 5 ? "\033[1;31m" : share >= 0.5 ? "\033[32m" : "\033[2m";
}

static void print_entry(const struct report_opts *o, const struct hist *h,
			struct hist_entry *e, int comm, int object)
{
	double share = h->period ? 100.0 * (double)e->period / (double)h->period : 0;

	if (share < o->limit)
		return;
	printf("%s%8.2f%%%s %9llu", o->colour ? share_colour(share) : "", share,
	       o->colour ? "\033[0m" : "", (unsigned long long)e->samples);
	if (o->by[SORT_PID])
		printf("  %7d", e->pid);
	if (o->by[SORT_TID])
		printf("  %7d", e->tid);
	if (o->by[SORT_CPU])
		printf("  %4u", e->cpu);
	if (o->by[SORT_COMM])
		printf("  %-*s", comm, e->comm);
	if (o->by[SORT_OBJECT])
		printf("  %-*s", object, e->object->short_name);
	if (o->by[SORT_SYMBOL])
		printf("  [%c] %s", e->level, symbol_name(e->symbol));
	putchar('\n');
	if (!o->no_callers) {
		callers_sort(&e->callers);
		callers_print(e, o->limit_given ? o->limit : 0.5);
	}
}

static void print_event(const struct report *r, unsigned int i)
{
	struct hist *h = &r->hists[i];
	int comm, object;
	unsigned int k;

	printf("# event '%s': %llu samples, %llu events\n#\n", r->s.file->events[i].name,
	       (unsigned long long)h->samples, (unsigned long long)h->period);
	hist_sort(h);
	measure(r->o, h, &comm, &object);
	print_titles(r->o, comm, object);
	for (k = 0; k < h->nr; k++)
		print_entry(r->o, h, h->v[k], comm, object);
	putchar('\n');
}

static void print_head(const struct report *r)
{
	const struct pd_file *f = r->s.file;
	u64 samples = 0;
	unsigned int i;

	for (i = 0; i < f->nr_events; i++)
		samples += r->hists[i].samples;
	if (f->cmdline)
		printf("# recorded by: %s\n", f->cmdline);
	if (f->hostname && f->osrelease)
		printf("# on: %s, kernel %s%s%s\n", f->hostname, f->osrelease,
		       f->arch ? ", " : "", f->arch ? f->arch : "");
	printf("# samples: %llu, lost: %llu\n", (unsigned long long)samples,
	       (unsigned long long)(r->s.lost > r->s.lost_samples ? r->s.lost : r->s.lost_samples));
	if (r->s.throttled)
		printf("# throttled: %llu times; what happened then was not sampled\n",
		       (unsigned long long)r->s.throttled);
	if (r->undecoded || r->of_no_event)
		printf("# left out: %llu samples too short, %llu of no event of this file\n",
		       (unsigned long long)r->undecoded, (unsigned long long)r->of_no_event);
	printf("#\n");
}

/* Objects that code was seen in, and that gave no names. */
static void print_notes(const struct report *r)
{
	unsigned int i;

	for (i = 0; i < r->s.object_names.nr; i++)
		if (r->s.objects[i]->note)
			complain("note: %s: %s", r->s.objects[i]->name,
				 r->s.objects[i]->note);
}

static int report_run(struct report_opts *o, struct pd_file *f)
{
	struct report r = { .o = o };
	unsigned int i;
	int ret;

	r.hists = mem_zalloc(f->nr_events, sizeof(*r.hists));
	session_init(&r.s, f, o->kallsyms);
	ret = pd_walk(f, on_record, &r);
	if (!ret) {
		print_head(&r);
		for (i = 0; i < f->nr_events; i++)
			if (r.hists[i].samples || f->nr_events == 1)
				print_event(&r, i);
		fflush(stdout);
		print_notes(&r);
	}
	for (i = 0; i < f->nr_events; i++)
		hist_free(&r.hists[i]);
	free(r.hists);
	session_free(&r.s);
	return ret;
}

int cmd_report(int argc, char **argv)
{
	struct report_opts o = { .colour = colour_ok(stdout) };
	struct pd_file f;
	int ret = parse_options(&o, argc, argv);

	if (ret)
		return ret > 0 ? 0 : EXIT_PCL;
	if (o.callers && o.no_callers) {
		complain("-g and -G: with callers or without");
		return EXIT_PCL;
	}
	if (pd_open(&f, o.input))
		return EXIT_PCL;
	ret = report_run(&o, &f);
	pd_close(&f);
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = -1;
	return ret ? EXIT_PCL : 0;
}
