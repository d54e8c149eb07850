// SPDX-License-Identifier: GPL-2.0
/*
 * pcl annotate: where in a function the samples fell.
 *
 * Concepts: one pass over the recording counts samples by function and address;
 * then the functions that were asked for, or the largest, are taken apart and
 * printed, an event after the other.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "annotate/annotate.h"
#include "internal.h"

static const struct command_options options = {
	.command = CMD_ANNOTATE,
	.column = 23,
	.usage =
"usage: pcl annotate [options] [SYMBOL]\n"
"Show where in a function the samples of a recording fell: its source and its\n"
"instructions, with their shares of the function. Without SYMBOL, the largest\n"
"functions.\n",
	.notes =
"Code that was inlined stands under its own line, with the calls it came by.\n"
"\n"
"Exit status: 0; 125 when the file cannot be read or is damaged, when no sample\n"
"fell into SYMBOL, or when no code could be shown.\n",
};

struct annotate_opts {
	const char *input, *symbol, *objects, *event, *kallsyms, *vmlinux;
	double limit;
	bool intel;
	struct annotate_look look;
	struct sources sources;
};

/* All functions of one event. */
struct event_hits {
	struct num_map functions;	/* symbol -> struct hits */
	u64 period, samples;
	u64 without;			/* samples in no known function */
};

struct annotate {
	struct annotate_opts *o;
	struct session s;
	struct event_hits *events;
	struct samples_left left;
	unsigned int shown;
};

static int parse_limit(struct annotate_opts *o, const char *text)
{
	if (!option_number(text, 0, 100, &o->limit))
		return complain("--limit: '%s' is not a percentage", text);
	return 0;
}

static int parse_style(struct annotate_opts *o, const char *text)
{
	o->intel = !strcmp(text, "intel");
	if (!o->intel && strcmp(text, "att"))
		return complain("-M: there is no style '%s'; styles: att, intel", text);
	return 0;
}

/* "--source hot": perf has an option of that name without an argument. */
static int check_source(const char *dir)
{
	struct stat st;

	if (!stat(dir, &st) && S_ISDIR(st.st_mode))
		return 0;
	return complain("--source: there is no directory '%s' to look for source files in; they are shown by themselves where they are found",
			dir);
}

static int take_option(struct annotate_opts *o, int c)
{
	switch (c) {
	case OPT_INPUT:
		o->input = optarg;
		return 0;
	case OPT_SYMBOL:
		o->symbol = optarg;
		return 0;
	case OPT_OBJECT:
		o->objects = optarg;
		return 0;
	case OPT_EVENT:
		o->event = optarg;
		return 0;
	case OPT_LINES:
		o->look.lines = true;
		return 0;
	case OPT_ASM:
		o->look.no_source = true;
		return 0;
	case OPT_STYLE:
		return parse_style(o, optarg);
	case OPT_LIMIT:
		return parse_limit(o, optarg);
	case OPT_SOURCE:
		o->sources.dir = optarg;
		return check_source(optarg);
	case OPT_VMLINUX:
		o->vmlinux = optarg;
		return file_check("--vmlinux", optarg);
	case OPT_STDIO:
		return 0;
	default:
		return symbol_take_option(c, optarg, &o->kallsyms);
	}
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct annotate_opts *o, int argc, char **argv)
{
	int c;

	while ((c = option_next(&options, argc, argv)) > 0)
		if (take_option(o, c))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	if (optind < argc && !o->symbol)
		o->symbol = argv[optind++];
	if (optind < argc)
		return complain("annotate shows one function; '%s' is too much", argv[optind]);
	if (o->look.lines && o->look.no_source)
		return complain("--lines and --asm: lines of the source only, or instructions only");
	return 0;
}

static bool object_wanted(const struct annotate_opts *o, const struct object *obj)
{
	const char *p = o->objects;
	size_t n, len = strlen(obj->short_name);

	if (!p)
		return true;
	for (;; p += n + 1) {
		n = strcspn(p, ",");
		if ((n == len && !strncmp(p, obj->short_name, n)) ||
		    (n == strlen(obj->name) && !strncmp(p, obj->name, n)))
			return true;
		if (!p[n])
			return false;
	}
}

static void count_sample(void *arg, unsigned int event, struct pd_sample *sample)
{
	struct annotate *a = arg;
	struct event_hits *h = &a->events[event];
	struct place p;
	struct hits *f;
	void **at;

	session_at(&a->s, sample->time_ns);
	p = session_resolve(&a->s, sample->pid, sample->cpumode, sample->ip);
	h->period += sample->period;
	h->samples++;
	if (!p.symbol) {
		h->without++;
		return;
	}
	at = num_map_at(&h->functions, (u64)(uintptr_t)p.symbol);
	f = *at;
	if (!f) {
		f = mem_zalloc(1, sizeof(*f));
		/* where the names of its targets are, too */
		f->object = session_symbols_of(&a->s, p.object);
		f->symbol = p.symbol;
		*at = f;
	}
	hits_add(f, p.addr, sample->period);
}

static int on_record(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		     void *arg)
{
	struct annotate *a = arg;

	if (h->type == PERF_RECORD_SAMPLE)
		samples_take(f, h, body, &a->left, count_sample, a);
	else
		session_record(&a->s, h, body);
	return 0;
}

/* "work" is work(std::vector<int>&), too. */
static bool name_matches(struct symbol *s, const char *wanted)
{
	const char *shown = symbol_name(s);
	size_t n = strlen(wanted);

	return !strcmp(s->name, wanted) || !strcmp(shown, wanted) ||
	       (!strncmp(shown, wanted, n) && (shown[n] == '(' || shown[n] == '<'));
}

static int cmp_hits(const void *a, const void *b)
{
	const struct hits *x = *(struct hits *const *)a, *y = *(struct hits *const *)b;
	int d;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	d = strcmp(x->object->name, y->object->name);
	return d ? d : strcmp(x->symbol->name, y->symbol->name);
}

/* The functions to show, largest first. */
static struct hits **choose(const struct annotate_opts *o, const struct event_hits *e,
			    unsigned int *nr)
{
	struct hits **v = mem_zalloc(e->functions.nr, sizeof(struct hits *));
	unsigned int i;

	*nr = 0;
	for (i = 0; i < e->functions.size; i++) {
		struct hits *h = e->functions.v[i].value;

		if (!h || !object_wanted(o, h->object))
			continue;
		if (o->symbol ? name_matches(h->symbol, o->symbol) :
		    100.0 * (double)h->period >= o->limit * (double)e->period)
			v[(*nr)++] = h;
	}
	if (*nr)
		qsort(v, *nr, sizeof(*v), cmp_hits);
	return v;
}

static void tell_missing_lines(const struct annotation *a)
{
	const struct object *o = a->object;
	char *advice;

	if (a->has_lines)
		return;
	advice = debug_advice(o);
	complain("note: %s: instructions only: %s%s%s", o->name,
		 o->debug_note ? o->debug_note : "its debug information has no lines here",
		 advice ? "; " : "", advice ? advice : "");
	free(advice);
}

static void show_function(struct annotate *an, const struct pd_event *event, u64 all,
			  const struct hits *h)
{
	struct annotation a;
	char *why_not = NULL;

	if (!annotation_build(&a, h, an->o->intel, &why_not)) {
		complain("%s in %s: its code cannot be shown: %s", symbol_name(h->symbol),
			 h->object->name, why_not);
		free(why_not);
		return;
	}
	printf("# %s in %s, event '%s': %llu samples, %.2f%% of all\n", visible(symbol_name(h->symbol)),
	       visible(h->object->name), visible(event->name), (unsigned long long)h->samples,
	       share_percent(h->period, all));
	annotation_print(&a, &an->o->look, &an->o->sources);
	fflush(stdout);
	if (!an->o->look.no_source)
		tell_missing_lines(&a);
	if (a.note)
		complain("note: %s: %s", symbol_name(h->symbol), a.note);
	annotation_free(&a);
	an->shown++;
}

static void see_functions(const struct event_hits *e, struct nearest *n)
{
	unsigned int i;

	for (i = 0; i < e->functions.size; i++) {
		struct hits *h = e->functions.v[i].value;

		if (h)
			nearest_see(n, symbol_name(h->symbol));
	}
}

/* Whether any sample is of what --event and --object name. */
static bool has_wanted(const struct annotate *a)
{
	unsigned int i, k;

	for (i = 0; i < a->s.file->nr_events; i++) {
		const struct num_map *m = &a->events[i].functions;

		if (a->o->event && strcmp(a->o->event, a->s.file->events[i].name))
			continue;
		for (k = 0; k < m->size; k++) {
			struct hits *h = m->v[k].value;

			if (h && object_wanted(a->o, h->object))
				return true;
		}
	}
	return false;
}

/* "pcl annotate perf.data": the argument of the other commands, but here it is a function. */
static bool names_recording(const struct annotate_opts *o)
{
	char magic[8] = "";
	FILE *f = o->symbol && !o->input ? fopen(o->symbol, "re") : NULL;

	if (!f)
		return false;
	if (fread(magic, sizeof(magic), 1, f) != 1)
		magic[0] = '\0';
	fclose(f);
	return !memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8);
}

static int tell_nothing(const struct annotate *a)
{
	struct nearest n = { .text = a->o->symbol, .under = 3 };
	unsigned int i;
	u64 samples = 0;

	for (i = 0; i < a->s.file->nr_events; i++)
		samples += a->events[i].samples;
	if (!samples)
		return complain("the recording has no samples");
	if (!has_wanted(a))
		return complain("no sample fell into a function of %s%s; 'pcl report -s object' shows where they are",
				a->o->objects ? "--object " : "a known name",
				a->o->objects ? a->o->objects : "");
	if (!a->o->symbol)
		return complain("no function has a share of %g %% or more; --limit lowers that",
				a->o->limit);
	for (i = 0; i < a->s.file->nr_events; i++)
		see_functions(&a->events[i], &n);
	if (n.meant)
		return complain("no sample fell into '%s'; did you mean '%s'?", a->o->symbol, n.meant);
	return complain("no sample fell into '%s'; 'pcl report' lists the functions", a->o->symbol);
}

static int show_events(struct annotate *a)
{
	const struct annotate_opts *o = a->o;
	struct pd_file *f = a->s.file;
	unsigned int i, k, nr;
	bool tried = false, known = false;
	struct hits **v;

	for (i = 0; i < f->nr_events; i++) {
		if (o->event && strcmp(o->event, f->events[i].name))
			continue;
		known = true;
		v = choose(o, &a->events[i], &nr);
		for (k = 0; k < nr; k++) {
			tried = true;
			show_function(a, &f->events[i], a->events[i].period, v[k]);
		}
		free(v);
	}
	fflush(stdout);
	samples_tell_left(&a->left);
	if (!known)
		return complain("the recording has no event '%s'; 'pcl report' shows which it has", o->event);
	if (!tried)
		return tell_nothing(a);
	return a->shown ? 0 : -1;
}

static void tell_missing_sources(const struct sources *s)
{
	unsigned int i, nr = 0, first = 0;

	for (i = s->paths.nr; i--; ) {
		if (s->v[i].text)
			continue;
		first = i;
		nr++;
	}
	if (nr)
		complain("note: %u source file%s not found: %s%s; --source DIR looks below DIR, too", nr,
			 nr == 1 ? " was" : "s were", s->paths.v[first], nr == 1 ? "" : " and others");
}

static int annotate_run(struct annotate_opts *o, struct pd_file *f)
{
	struct annotate a = { .o = o };
	unsigned int i, k;
	int ret;

	a.events = mem_zalloc(f->nr_events, sizeof(*a.events));
	session_init(&a.s, f, o->kallsyms, false);
	ret = pd_walk(f, on_record, &a);
	if (!ret && o->vmlinux)
		ret = session_set_vmlinux(&a.s, o->vmlinux);
	if (!ret) {
		pager_begin();
		ret = show_events(&a);
		tell_missing_sources(&o->sources);
	}
	for (i = 0; i < f->nr_events; i++) {
		for (k = 0; k < a.events[i].functions.size; k++)
			if (a.events[i].functions.v[k].value)
				hits_free(a.events[i].functions.v[k].value);
		num_map_free(&a.events[i].functions, free);
	}
	free(a.events);
	session_free(&a.s);
	return ret;
}

int cmd_annotate(int argc, char **argv)
{
	struct annotate_opts o = { .limit = 5, .look.colour = colour_ok(stdout) };
	struct pd_file f;
	int ret = parse_options(&o, argc, argv);

	if (!ret && names_recording(&o))
		ret = complain("'%s' is a recording, and the argument is a function; -i %s reads it", o.symbol,
			       o.symbol);
	if (ret)
		return ret > 0 ? 0 : EXIT_PCL;
	if (pd_open(&f, o.input ? o.input : "perf.data"))
		return EXIT_PCL;
	ret = annotate_run(&o, &f);
	sources_free(&o.sources);
	pd_close(&f);
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = -1;
	return ret ? EXIT_PCL : 0;
}
