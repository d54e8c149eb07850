// SPDX-License-Identifier: GPL-2.0
/*
 * pcl script: every sample of a recording, as text.
 *
 * Concepts: one pass over the file in order of time; each sample is resolved
 * with the state of its moment and printed at once.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "script/script.h"

static const struct command_options options = {
	.command = CMD_SCRIPT,
	.column = 24,
	.usage =
"usage: pcl script [options] [FILE]\n"
"Show every sample of a recording, in the form of 'perf script'.\n",
	.notes =
"Exit status: 0; 125 when the file cannot be read or is damaged.\n",
};

static int parse_format(struct script *sc, const char *text)
{
	static const char *const forms[] = { "text", "json", "folded" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(text, forms[i])) {
			sc->form = (enum script_form)i;
			return 0;
		}
	return complain("--format: '%s' is none of text, json, folded", text);
}

static int take_option(struct script *sc, int c)
{
	switch (c) {
	case OPT_INPUT: sc->input = optarg; break;
	case OPT_FIELDS: return fields_parse(&sc->fields, optarg);
	case OPT_NO_CHAINS: sc->no_chains = true; break;
	case OPT_JSON: sc->form = FORM_JSON; break;
	case OPT_INLINE: sc->inlines = true; break;
	case OPT_NO_INLINE: sc->inlines = false; break;
	case OPT_TIME: sc->time_text = optarg; break;
	case OPT_NS: sc->nanoseconds = true; break;
	case OPT_SHOW_TASK: sc->show_task = true; break;
	case OPT_SHOW_MMAP: sc->show_mmap = true; break;
	case OPT_SHOW_SWITCH: sc->show_switch = true; break;
	case OPT_SHOW_LOST: sc->show_lost = true; break;
	case OPT_HEADER: sc->header = true; break;
	case OPT_HEADER_ONLY: sc->header = sc->header_only = true; break;
	case OPT_FORMAT: return parse_format(sc, optarg);
	case OPT_NO_CACHE:
	case OPT_KALLSYMS:
		return symbol_take_option(c, optarg, &sc->kallsyms);
	default: return filter_take_option(&sc->filter, c, optarg);
	}
	return 0;
}

/* perf runs scripts by such words; here they are files only when there are such. */
static bool is_perf_script(const char *word)
{
	return (!strcmp(word, "report") || !strcmp(word, "record") || !strcmp(word, "flamegraph")) &&
	       access(word, F_OK);
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct script *sc, int argc, char **argv)
{
	int c;

	while ((c = option_next(&options, argc, argv)) > 0)
		if (take_option(sc, c))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	if (optind < argc && is_perf_script(argv[optind]))
		return complain("'%s': pcl runs no scripts; --format folded prints what flame graphs are drawn from, -j what programs read",
				argv[optind]);
	if (option_one_file(&sc->input, argc, argv))
		return -1;
	if (sc->header && sc->form != FORM_TEXT)
		return complain("--header is text; it does not go with json or folded");
	return 0;
}

static bool is_wanted(struct script *sc, const struct pd_sample *s)
{
	return s->time_ns >= sc->time.from_ns && s->time_ns <= sc->time.to_ns &&
	       filter_task(&sc->filter, session_comm(&sc->s, s->tid), s->cpu, s->pid, s->tid);
}

/* Of where the sample fell: the object, and the function without what was inlined there. */
static bool is_wanted_place(const struct script *sc)
{
	const struct script_frame *f = sc->frames;
	const struct script_frame *end = f + sc->nr_frames;
	struct func fr;

	if (!sc->filter.objects.text && !sc->filter.symbols.text)
		return true;
	while (f < end && f->inlined)
		f++;
	if (f == end)
		return false;
	fr = (struct func){ .object = f->place.object, .symbol = f->place.symbol };
	return filter_func(&sc->filter, &fr);
}

static void on_sample(void *arg, unsigned int event, struct pd_sample *s)
{
	struct script *sc = arg;

	sc->samples++;
	if (!is_wanted(sc, s))
		return;
	session_at(&sc->s, s->time_ns);
	if (!sc->no_chains)
		session_unwind(&sc->s, s);
	script_resolve(sc, &sc->file.events[event].attr, s);
	if (!is_wanted_place(sc))
		return;
	sc->nr_printed++;
	switch (sc->form) {
	case FORM_TEXT:
		print_sample(sc, event, s);
		break;
	case FORM_JSON:
		json_sample(sc, event, s);
		break;
	case FORM_FOLDED:
		folded_add(sc, s);
		break;
	}
}

static int on_record(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		     void *arg)
{
	struct script *sc = arg;

	if (h->type == PERF_RECORD_SAMPLE) {
		samples_take(f, h, body, &sc->left, on_sample, sc);
		return ferror(stdout) ? -1 : 0;
	}
	session_record(&sc->s, h, body);
	if (sc->form == FORM_TEXT && wants_record(sc, h->type))
		print_record(sc, h, body);
	return 0;
}

static void tell_losses(const struct script *sc)
{
	u64 lost = sc->s.lost > sc->s.lost_samples ? sc->s.lost : sc->s.lost_samples;

	if (lost)
		complain("note: %llu records were lost while recording", (unsigned long long)lost);
	samples_tell_left(&sc->left);
}

/* Which objects have no lines, where lines are shown. */
static void tell_lines(const struct script *sc)
{
	unsigned int i;

	for (i = 0; i < sc->file.nr_events; i++)
		if (sc->form == FORM_TEXT && sc->shown[i] & FIELD(SRCLINE)) {
			tell_no_lines(sc->s.objects, sc->s.nr_objects);
			return;
		}
}

/* Nothing at all is not left without a word. */
static void tell_empty(const struct script *sc)
{
	if (!sc->samples)
		complain("note: the recording has no samples");
	else if (!sc->nr_printed)
		complain("note: none of the %llu samples is of what is asked for",
			 (unsigned long long)sc->samples);
}

static int run(struct script *sc)
{
	unsigned int i;
	int ret, n;

	if (sc->time_text && time_range_parse(&sc->time, sc->time_text, &sc->file))
		return -1;
	if (sc->header)
		print_head(&sc->file);
	if (sc->header_only)
		return 0;
	if (fields_settle(sc))
		return -1;
	for (i = 0; i < sc->file.nr_events; i++) {
		n = (int)strlen(sc->file.events[i].name);
		sc->name_width = n > sc->name_width ? n : sc->name_width;
	}
	sc->traces = trace_formats_new(sc->file.features[PD_TRACING_DATA]);
	session_init(&sc->s, &sc->file, sc->kallsyms, false);
	ret = pd_walk(&sc->file, on_record, sc);
	folded_print(sc);
	fflush(stdout);
	tell_losses(sc);
	tell_lines(sc);
	if (!ret)
		tell_empty(sc);
	session_free(&sc->s);
	trace_formats_free(sc->traces);
	return ret;
}

int cmd_script(int argc, char **argv)
{
	struct script *sc = mem_zalloc(1, sizeof(*sc));
	int ret;

	sc->time.to_ns = ~0ull;
	ret = parse_options(sc, argc, argv);
	if (!ret) {
		ret = pd_open(&sc->file, sc->input);
		if (!ret) {
			ret = run(sc);
			pd_close(&sc->file);
		}
		if (fflush(stdout) || ferror(stdout))
			ret = -1;
	}
	filter_free(&sc->filter);
	free(sc->shown);
	free(sc);
	return ret < 0 ? EXIT_PCL : 0;
}
