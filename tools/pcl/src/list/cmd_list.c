// SPDX-License-Identifier: GPL-2.0
/*
 * pcl list: the events, and whether each can be used here.
 *
 * Concepts: nothing is guessed: every event that is shown was parsed and
 * opened, on this task or, for a PMU of a package, on its CPU. Refusals that
 * have one reason share a note at the end.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

static const char help[] =
"usage: pcl list [-j] [KIND | PATTERN]...\n"
"Show the events, and which of them can be used here, by trying each.\n"
"\n"
"  KIND       hardware, software, cache, pmu, raw, breakpoint, tracepoint\n"
"  PATTERN    names with this in them; or with * ? [ ] as a shell has them\n"
"\n"
"  -j, --json     one JSON document\n"
"  -h, --help     this text\n"
"\n"
"Without an argument, all kinds but tracepoints are shown. 'yes' means that the\n"
"event was opened; 'user' that it was, for user space only.\n"
"\n"
"Exit status: 0; 1 when nothing matched; 125 on an error.\n";

enum usable { USABLE, USABLE_USER, NOT_USABLE };

struct list_opts {
	char **args;
	int nr_args;
	bool json;
	struct json j;
	struct str_set reasons;
	const char *kind;	/* of the section under way */
	bool title_shown;
	bool whole_kind;	/* the kind itself was asked for, or no argument given */
	unsigned int shown;
};

static const char *const kinds[] = {
	"hardware", "software", "cache", "pmu", "raw", "breakpoint", "tracepoint",
};

/* Open once and close. 0, or the errno. */
static int try_open(struct event *e, pid_t pid, int cpu)
{
	int fd = sys_perf_event_open(&e->attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Can the event be opened here? *reason is to be freed. */
static enum usable event_usable(struct event *e, char **reason)
{
	pid_t pid = e->pmu_cpus.nr ? -1 : 0;
	int cpu = e->pmu_cpus.nr ? e->pmu_cpus.v[0] : -1, err;

	*reason = NULL;
	e->attr.disabled = 1;
	err = try_open(e, pid, cpu);
	if (!err)
		return USABLE;
	if (err == EINVAL && pid == 0) {
		/* some PMUs count for CPUs only, and do not say on which */
		if (!try_open(e, -1, 0))
			return USABLE;
	}
	if (err == EACCES && !e->attr.exclude_kernel && !event_kernel_only(e)) {
		e->attr.exclude_kernel = e->attr.exclude_hv = 1;
		if (!try_open(e, pid, cpu))
			return USABLE_USER;
		e->attr.exclude_kernel = e->attr.exclude_hv = 0;
	}
	*reason = open_reason(e, pid, cpu, -1, err);
	return NOT_USABLE;
}

static void print_title(struct list_opts *o)
{
	if (!o->title_shown)
		printf("%s%s events:\n", o->shown ? "\n" : "", o->kind);
	o->title_shown = true;
}

static void print_text(struct list_opts *o, const char *name, enum usable u, const char *reason)
{
	char mark[32];

	print_title(o);
	if (u == NOT_USABLE)
		snprintf(mark, sizeof(mark), "no [%u]", str_set_add(&o->reasons, reason) + 1);
	else
		snprintf(mark, sizeof(mark), "%s", u == USABLE ? "yes" : "user");
	printf("  %-8s %s\n", mark, name);
}

static void print_json(struct list_opts *o, const char *name, enum usable u, const char *reason)
{
	json_begin(&o->j, NULL, '{');
	json_string(&o->j, "event", name);
	json_string(&o->j, "kind", o->kind);
	json_string(&o->j, "usable", u == USABLE ? "yes" : u == USABLE_USER ? "user" : "no");
	json_string(&o->j, "reason", reason);
	json_end(&o->j, '}');
}

static bool wanted(const struct list_opts *o, const char *name)
{
	int i;

	if (o->whole_kind)
		return true;
	for (i = 0; i < o->nr_args; i++) {
		if (strpbrk(o->args[i], "*?[") ? !fnmatch(o->args[i], name, 0) :
		    strstr(name, o->args[i]) != NULL)
			return true;
	}
	return false;
}

/* Show one event by the text that -e would take. */
static void show(struct list_opts *o, const char *name)
{
	struct event_list l = { 0 };
	struct parse_error err;
	enum usable u = NOT_USABLE;
	char *reason = NULL;

	if (!wanted(o, name))
		return;
	if (events_parse(&l, name, &err))
		reason = str_dup(err.text);
	else
		u = event_usable(l.v[0], &reason);
	if (o->json)
		print_json(o, name, u, reason);
	else
		print_text(o, name, u, reason);
	o->shown++;
	free(reason);
	event_list_free(&l);
}

struct by_type {
	struct list_opts *o;
	u32 type;
};

static void show_named(const struct event_name *n, void *arg)
{
	struct by_type *b = arg;

	if (n->type == b->type)
		show(b->o, n->name);
}

static void show_pmu_event(const char *pmu, const char *name, void *arg)
{
	char *text = str_printf("%s/%s/", pmu, name);

	show(arg, text);
	free(text);
}

static void show_pmu(const char *pmu, void *arg)
{
	struct list_opts *o = arg;
	char terms[200];

	pmu_events_walk(pmu, show_pmu_event, arg);
	if (o->json || !o->whole_kind)
		return;
	pmu_terms(pmu, terms, sizeof(terms));
	print_title(o);
	if (*terms)
		printf("           %s/.../ takes the terms:%s\n", pmu, terms);
	else
		printf("           PMU %s has no terms\n", pmu);
}

static void show_tracepoint(const char *sys, const char *name, void *arg)
{
	char *text = str_printf("%s:%s", sys, name);

	show(arg, text);
	free(text);
}

/* Raw codes and breakpoints are not names: show the form, try an example. */
static void show_forms(struct list_opts *o)
{
	static int watched;
	char address[64];

	if (!strcmp(o->kind, "raw")) {
		show(o, "r00c0");
		if (o->title_shown)
			puts("           the form is rNNN, hexadecimal as the PMU's manual has it");
		return;
	}
	snprintf(address, sizeof(address), "mem:%p/4:rw:u", (void *)&watched);
	show(o, address);
	if (o->title_shown)
		puts("           the form is mem:ADDRESS[/LENGTH][:rwx]");
}

static int show_tracepoints(struct list_opts *o)
{
	int ret = tracepoints_walk(show_tracepoint, o);

	if (!ret || !o->whole_kind)
		return 0;
	return complain(ret == -ENODEV ?
			"tracepoints: tracefs is not mounted; mount -t tracefs tracefs /sys/kernel/tracing (as root)" :
			"tracepoints: tracefs is not readable; run as root");
}

static int show_kind(struct list_opts *o, const char *kind)
{
	struct by_type b = { .o = o };

	o->kind = kind;
	o->title_shown = false;
	if (!strcmp(kind, "pmu"))
		pmus_walk(show_pmu, o);
	else if (!strcmp(kind, "tracepoint"))
		return show_tracepoints(o);
	else if (!strcmp(kind, "raw") || !strcmp(kind, "breakpoint"))
		show_forms(o);
	else {
		b.type = !strcmp(kind, "hardware") ? PERF_TYPE_HARDWARE :
			 !strcmp(kind, "software") ? PERF_TYPE_SOFTWARE : PERF_TYPE_HW_CACHE;
		event_names_walk(show_named, &b);
	}
	return 0;
}

static bool kind_given(const struct list_opts *o, const char *kind)
{
	int i;

	for (i = 0; i < o->nr_args; i++)
		if (!strcmp(o->args[i], kind))
			return true;
	return false;
}

static bool only_kinds(const struct list_opts *o)
{
	size_t k;
	int i, n = 0;

	for (k = 0; k < ARRAY_SIZE(kinds); k++)
		for (i = 0; i < o->nr_args; i++)
			n += !strcmp(o->args[i], kinds[k]);
	return n == o->nr_args;
}

static int list_all(struct list_opts *o)
{
	bool just_kinds = only_kinds(o);
	size_t k;
	int ret = 0;

	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		if (!o->nr_args)
			o->whole_kind = strcmp(kinds[k], "tracepoint");
		else
			o->whole_kind = kind_given(o, kinds[k]);
		if (o->whole_kind || (o->nr_args && !just_kinds))
			ret |= show_kind(o, kinds[k]);
	}
	return ret;
}

static void print_reasons(const struct list_opts *o)
{
	unsigned int i;

	for (i = 0; i < o->reasons.nr; i++)
		printf("%s[%u] %s\n", i ? "" : "\n", i + 1, o->reasons.v[i]);
}

int cmd_list(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct list_opts o = { .j.f = stdout };
	int c, ret;

	while ((c = getopt_long(argc, argv, "jh", longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 0;
		}
		if (c != 'j') {
			fputs("pcl: 'pcl list --help' shows the options\n", stderr);
			return EXIT_PCL;
		}
		o.json = true;
	}
	o.args = argv + optind;
	o.nr_args = argc - optind;
	if (o.json) {
		json_begin(&o.j, NULL, '{');
		json_string(&o.j, "schema", "pcl-list-1");
		json_begin(&o.j, "events", '[');
	}
	ret = list_all(&o);
	if (o.json) {
		json_end(&o.j, ']');
		json_end(&o.j, '}');
	} else {
		print_reasons(&o);
	}
	str_set_free(&o.reasons);
	if (ret)
		return EXIT_PCL;
	return o.shown ? 0 : 1;
}
