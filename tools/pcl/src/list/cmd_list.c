// SPDX-License-Identifier: GPL-2.0
/*
 * pcl list: the events, what each counts, and whether it can be used here.
 *
 * Concepts: a table of kinds, each with a walk over its events. Words of the
 * command line that name kinds choose them; all others must be found in the
 * name or the definition of an event. Every event that is shown was parsed and
 * tried.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "list/list.h"

static const struct command_options options = {
	.command = CMD_LIST,
	.column = 17,
	.usage =
"usage: pcl list [-j] [KIND | WORD]...\n"
"Show the events, what they count, and which can be used here, by trying each.\n"
"\n"
"  KIND   hardware (hw), software (sw), cache (hwcache), pmu, raw, breakpoint,\n"
"         pfm, tracepoint\n"
"  WORD   events with this in the name or the definition; more words: with all\n"
"         of them; with * ? [ ] it is a pattern for the whole name\n",
	.notes =
"pfm are the vendor's names, by libpfm4. Without an argument, all kinds but pfm\n"
"and tracepoint are shown. 'yes' means that the event was opened; 'user' that\n"
"it was, for user space only; 'no' refers to the reason at the end.\n"
"\n"
"Exit status: 0; 1 when nothing matched; 125 on an error.\n",
};

struct lister {
	struct list_printer p;
	const char *kind;	/* under way */
	bool named;		/* it was asked for by name */
	const char **words;
	unsigned int nr_words;
};

static bool matches(const struct lister *l, const struct list_row *row)
{
	unsigned int i;

	for (i = 0; i < l->nr_words; i++) {
		const char *word = l->words[i];

		if (strpbrk(word, "*?[")) {
			if (fnmatch(word, row->name, 0))
				return false;
		} else if (!strcasestr(row->name, word) && !(row->what && strcasestr(row->what, word)) &&
			   !(row->alias && strcasestr(row->alias, word))) {
			return false;
		}
	}
	return true;
}

/* Show one event, by the text that -e would take. */
static void show(struct lister *l, struct list_row row)
{
	struct event_list events = { 0 };
	struct parse_error err;
	enum usable u = NOT_USABLE;
	char *reason = NULL;

	row.kind = l->kind;
	if (!matches(l, &row))
		return;
	if (events_parse(&events, row.name, &err))
		reason = str_dup(err.text);
	else
		u = event_usable(events.v[0], &reason);
	list_print_row(&l->p, &row, u, reason);
	free(reason);
	event_list_free(&events);
}

struct by_type {
	struct lister *l;
	u32 type;
};

/* What the first PMU of a core that names the event takes for it. */
struct core_code {
	const char *name;
	char *code;
};

static void see_core_code(const char *pmu, void *arg)
{
	struct core_code *c = arg;

	if (!c->code)
		c->code = pmu_event_terms(pmu, c->name);
}

static char *core_code(const char *name)
{
	struct core_code c = { .name = name };

	core_pmus_walk(see_core_code, &c);
	return c.code;
}

static void show_named(const struct event_name *n, void *arg)
{
	struct by_type *b = arg;
	char *code;

	if (n->type != b->type)
		return;
	/* where the core's PMU names an event so, that is the code the kernel takes for it */
	code = n->type == PERF_TYPE_HARDWARE ? core_code(n->name) : NULL;
	if (!code && n->type == PERF_TYPE_HARDWARE && n->alias)
		code = core_code(n->alias);
	show(b->l, (struct list_row){ .name = n->name, .alias = n->alias, .what = n->what, .code = code });
	free(code);
}

static int show_type(struct lister *l, u32 type)
{
	struct by_type b = { .l = l, .type = type };

	event_names_walk(show_named, &b);
	return 0;
}

static int show_hardware(struct lister *l)
{
	return show_type(l, PERF_TYPE_HARDWARE);
}

static int show_software(struct lister *l)
{
	return show_type(l, PERF_TYPE_SOFTWARE);
}

static int show_cache(struct lister *l)
{
	return show_type(l, PERF_TYPE_HW_CACHE);
}

static void show_pmu_event(const char *pmu, const char *name, void *arg)
{
	char *text = str_printf("%s/%s/", pmu, name), *code = pmu_event_terms(pmu, name);

	show(arg, (struct list_row){ .name = text, .code = code });
	free(code);
	free(text);
}

static void show_pmu(const char *pmu, void *arg)
{
	struct lister *l = arg;
	char terms[200], *note;

	pmu_events_walk(pmu, show_pmu_event, l);
	if (l->nr_words)
		return;
	pmu_terms(pmu, terms, sizeof(terms));
	if (!*terms)
		return;
	note = str_printf("%s/.../ takes the terms:%s", pmu, terms);
	list_print_note(&l->p, l->kind, note);
	free(note);
}

static int show_pmus(struct lister *l)
{
	pmus_walk(show_pmu, l);
	return 0;
}

/* Raw codes and breakpoints are not names: show the form, try an example. */
static int show_raw(struct lister *l)
{
	show(l, (struct list_row){ .name = "r00c0",
		.what = "the form is rNNN, hexadecimal, as the PMU's manual has the code" });
	return 0;
}

static int show_breakpoint(struct lister *l)
{
	static int watched;
	char address[64];

	snprintf(address, sizeof(address), "mem:%p/4:rw:u", (void *)&watched);
	show(l, (struct list_row){ .name = address,
		.what = "the form is mem:ADDRESS[/LENGTH][:rwx]: accesses to that memory" });
	return 0;
}

static void show_vendor(const char *name, const char *what, void *arg)
{
	show(arg, (struct list_row){ .name = name, .what = what });
}

static int show_pfm(struct lister *l)
{
	if (!vendor_names_there())
		return complain("pfm: libpfm.so.4 is not installed, which knows the vendors' names; sudo apt install libpfm4");
	if (!vendor_names_walk(show_vendor, l) && l->named)
		complain("pfm: libpfm4 knows no PMU of this processor");
	return 0;
}

static void show_tracepoint(const char *sys, const char *name, void *arg)
{
	char *text = str_printf("%s:%s", sys, name);

	show(arg, (struct list_row){ .name = text });
	free(text);
}

static int show_tracepoints(struct lister *l)
{
	int ret = tracepoints_walk(show_tracepoint, l);

	if (!ret)
		return 0;
	return complain(ret == -ENODEV ?
			"tracepoint: tracefs is not mounted; sudo mount -t tracefs tracefs /sys/kernel/tracing" :
			"tracepoint: tracefs is not readable; run as root, or sudo mount -o remount,mode=755,gid=$(id -g) /sys/kernel/tracing");
}

static const struct kind {
	const char *name;
	const char *also;	/* as perf has it; NULL: alike */
	int (*show)(struct lister *l);
	bool many;	/* shown when asked for, or when words choose */
} kinds[] = {
	{ "hardware", "hw", show_hardware, false },
	{ "software", "sw", show_software, false },
	{ "cache", "hwcache", show_cache, false },
	{ "pmu", NULL, show_pmus, false },
	{ "raw", NULL, show_raw, false },
	{ "breakpoint", NULL, show_breakpoint, false },
	{ "pfm", NULL, show_pfm, true },
	{ "tracepoint", NULL, show_tracepoints, true },
};

static bool names_kind(const char *word, const struct kind *k)
{
	return !strcmp(word, k->name) || (k->also && !strcmp(word, k->also));
}

static bool is_kind(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (names_kind(word, &kinds[i]))
			return true;
	return false;
}

/* Kinds that cannot be read are an error only when they were asked for by name. */
static int list_all(struct lister *l, char **args, int nr_args)
{
	unsigned int nr_kinds = 0;
	bool error = false;
	size_t k;
	int i;

	l->words = mem_zalloc((size_t)nr_args, sizeof(*l->words));
	for (i = 0; i < nr_args; i++)
		if (is_kind(args[i]))
			nr_kinds++;
		else
			l->words[l->nr_words++] = args[i];
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		for (l->named = false, i = 0; i < nr_args; i++)
			l->named |= names_kind(args[i], &kinds[k]);
		if (!l->named && (nr_kinds || (kinds[k].many && !l->nr_words)))
			continue;
		l->kind = kinds[k].name;
		error |= kinds[k].show(l) && l->named;
	}
	free(l->words);
	return error ? -1 : 0;
}

/* Nothing was shown: say for what, and where more is. */
static void complain_nothing(char **args, int nr_args)
{
	char *asked = str_dup(""), *longer;
	bool metrics = false;
	int i;

	for (i = 0; i < nr_args; i++) {
		metrics |= !strncmp(args[i], "metric", 6);
		longer = str_printf("%s%s'%s'", asked, *asked ? " and " : "", args[i]);
		free(asked);
		asked = longer;
	}
	complain("no event here matches %s; %s", asked, metrics ? "'pcl stat -M list' shows the metrics" :
		 "'pcl list [pfm | tracepoint]' shows all");
	free(asked);
}

int cmd_list(int argc, char **argv)
{
	struct lister l = { 0 };
	int c, ret;

	while ((c = option_next(&options, argc, argv)) > 0)
		l.p.as_json |= c == OPT_JSON;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 0 : EXIT_PCL;
	if (!l.p.as_json)
		pager_begin();
	list_begin(&l.p);
	ret = list_all(&l, argv + optind, argc - optind);
	list_end(&l.p);
	if (ret)
		return EXIT_PCL;
	if (l.p.printed)
		return 0;
	complain_nothing(argv + optind, argc - optind);
	return 1;
}
