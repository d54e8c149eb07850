// SPDX-License-Identifier: GPL-2.0
/*
 * pcl doctor: what works here, what does not, why, and the way out.
 *
 * Concepts: a table of topics, each a function that tries its things. Words of
 * the command line choose topics, or things by a part of their names; what was
 * chosen is what is needed.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"
#include "doctor/doctor.h"

static const struct command_options options = {
	.command = CMD_DOCTOR,
	.column = 17,
	.usage =
"usage: pcl doctor [-v | -j] [TOPIC | NAME]...\n"
"Try everything that events can do, and say what works here, what does not,\n"
"why, and how to change that.\n"
"\n"
"  TOPIC    targets, events, samples, records, rings, symbols\n"
"  NAME     only things with this in their names, such as 'tracepoints',\n"
"           or, when none has it, in what they are for, such as 'dwarf'\n",
	.notes =
"Nothing is guessed: events are opened, rings are mapped. Nothing is changed.\n"
"\n"
"Exit status: 0 when what pcl stat and pcl record need works, or, with words,\n"
"when all that they chose works; 1 when something of it does not; 125 on an\n"
"error.\n",
};

static const struct topic {
	const char *name;
	void (*run)(struct findings *l);
} topics[] = {
	{ "targets", try_targets },
	{ "events", try_events },
	{ "samples", try_samples },
	{ "records", try_records },
	{ "rings", try_rings },
	{ "symbols", try_symbols },
};

static bool is_topic(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(topics); i++)
		if (!strcmp(word, topics[i].name))
			return true;
	return false;
}

static bool is_named(const struct finding *f, const char *word)
{
	return !strcmp(word, f->topic) || (!is_topic(word) && strcasestr(f->name, word));
}

/* Does the word choose it? What no name has may be in the words on how far it goes, as "dwarf" is. */
static bool chosen(const struct findings *l, const struct finding *f, const char *word)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (is_named(&l->v[i], word))
			return is_named(f, word);
	return !is_topic(word) && f->detail && strcasestr(f->detail, word);
}

/* Keep what the words chose, and call it needed. */
static void choose(struct findings *l, char **words, int nr)
{
	unsigned int i, kept = 0;
	int k;

	l->chosen = true;
	for (i = 0; i < l->nr; i++)
		for (l->v[i].needed = false, k = 0; k < nr; k++)
			l->v[i].needed |= chosen(l, &l->v[i], words[k]);
	for (i = 0; i < l->nr; i++) {
		struct finding *f = &l->v[i];

		if (f->needed) {
			l->v[kept++] = *f;
			continue;
		}
		free(f->name);
		free(f->detail);
		explanation_free(&f->x);
	}
	l->nr = kept;
}

/* Topics alone: the others need not be tried. */
static bool topic_wanted(const char *topic, char **words, int nr)
{
	bool named = false, other = !nr;
	int i;

	for (i = 0; i < nr; i++) {
		named |= !strcmp(words[i], topic);
		other |= !is_topic(words[i]);
	}
	return named || other;
}

static bool all_needed_work(const struct findings *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (l->v[i].needed && l->v[i].verdict == FAILS)
			return false;
	return true;
}

/* A slip gets the topic that was meant. */
static int complain_word(const char *word)
{
	struct nearest n = { .text = word, .under = 3 };
	size_t t;

	for (t = 0; t < ARRAY_SIZE(topics); t++)
		nearest_see(&n, topics[t].name);
	if (n.meant)
		return complain("no topic or thing is called '%s'; did you mean '%s'?", word,
				n.meant);
	return complain("no topic or thing is called '%s'; 'pcl doctor -v' shows them all", word);
}

/* Every word must choose something. */
static int check_words(const struct findings *l, char **words, int nr)
{
	int i;
	unsigned int k;

	for (i = 0; i < nr; i++) {
		for (k = 0; k < l->nr && !chosen(l, &l->v[k], words[i]); k++)
			;
		if (k < l->nr)
			continue;
		return complain_word(words[i]);
	}
	return 0;
}

static int examine(char **words, int nr, bool verbose, bool json)
{
	struct findings l = { 0 };
	size_t i;
	int ret;

	rights_read(&l.rights);
	for (i = 0; i < ARRAY_SIZE(topics); i++) {
		l.topic = topics[i].name;
		if (topic_wanted(l.topic, words, nr))
			topics[i].run(&l);
	}
	if (check_words(&l, words, nr)) {
		findings_free(&l);
		return EXIT_PCL;
	}
	if (nr)
		choose(&l, words, nr);
	if (json) {
		findings_json(&l);
	} else {
		pager_begin();
		findings_print(&l, verbose);
	}
	ret = all_needed_work(&l) ? 0 : 1;
	findings_free(&l);
	return ret;
}

int cmd_doctor(int argc, char **argv)
{
	bool verbose = false, json = false;
	int c;

	while ((c = option_next(&options, argc, argv)) > 0) {
		verbose |= c == OPT_VERBOSE;
		json |= c == OPT_JSON;
	}
	if (c != OPTION_END)
		return c == OPTION_HELP ? 0 : EXIT_PCL;
	return examine(argv + optind, argc - optind, verbose, json);
}
