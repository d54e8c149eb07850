// SPDX-License-Identifier: GPL-2.0
/*
 * Findings as text and as JSON.
 *
 * Concepts: the text is short when all is well: a topic whose things all work
 * is one line, unless all are asked for. What does not work refers to a note;
 * things with one cause share it. JSON leaves nothing out.
 * Contexts: doctor, one thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/doctor.h"

enum { TOPIC_COLUMN = 10, NAMES_COLUMN = 22, DETAIL_COLUMN = 47, PLAIN_WIDTH = 80 };

static const char *const marks[] = { [WORKS] = "works", [PARTLY] = "partly", [FAILS] = "no" };
static const char *const statuses[] = { [WORKS] = "works", [PARTLY] = "partly", [FAILS] = "fails" };

static unsigned int text_width(void)
{
	unsigned int width = term_width(stdout);

	return width ? width : PLAIN_WIDTH;
}

static unsigned int print_words(const char *text, unsigned int at, unsigned int indent)
{
	return words_print(text, at, indent, text_width());
}

/* Notes: causes in the order they came, each told once. */
struct notes {
	const struct finding **v;
	unsigned int nr;
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_cause(const struct explanation *a, const struct explanation *b)
{
	/* the kernel's words may differ, unless they are all there is */
	return same_text(a->why, b->why) && same_text(a->fix, b->fix) &&
	       (*a->why || same_text(a->kernel, b->kernel));
}

static unsigned int note_of(struct notes *n, const struct finding *f)
{
	unsigned int i;

	for (i = 0; i < n->nr; i++)
		if (same_cause(&n->v[i]->x, &f->x))
			return i + 1;
	n->v = mem_resize(n->v, n->nr + 1, sizeof(struct finding *));
	n->v[n->nr++] = f;
	return n->nr;
}

/* Number the notes of all that does not work; how many there are. */
static unsigned int notes_all(const struct findings *l, struct notes *n)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (l->v[i].verdict != WORKS)
			note_of(n, &l->v[i]);
	return n->nr;
}

/* "samples with AUX are not built yet": where the words behind the verb begin; NULL: it has no such form. */
static const char *predicate(const char *sentence)
{
	const char *are = strstr(sentence, " are "), *is = strstr(sentence, " is ");

	return are ? are + 5 : is ? is + 4 : NULL;
}

static bool says_same(const char *a, const char *b)
{
	const char *pa = predicate(a), *pb = predicate(b);

	return pa && pb && !strcmp(pa, pb);
}

/* Sentences as one; what is said of several things, once. To be freed. */
char *sentences_join(const struct str_set *s)
{
	char *text = str_dup(""), *longer;
	bool more, several = false;
	unsigned int i;

	for (i = 0; i < s->nr; i++, several = more) {
		const char *v = s->v[i], *p = predicate(v);
		int subject = p ? (int)(p - v) - (p[-2] == 'e' ? 5 : 4) : 0;

		more = i + 1 < s->nr && says_same(v, s->v[i + 1]);
		if (more)
			longer = str_printf("%s%.*s, ", text, subject, v);
		else if (several)
			longer = str_printf("%s%.*s are %s", text, subject, v, p);
		else
			longer = str_printf("%s%s", text, v);
		free(text);
		text = longer;
		if (!more && i + 1 < s->nr) {
			longer = str_printf("%s; ", text);
			free(text);
			text = longer;
		}
	}
	return text;
}

/* What the kernel said of all the things that share a note, each sentence once. */
static bool print_kernel(const struct findings *l, struct notes *n, unsigned int note, unsigned int at)
{
	struct str_set told = { 0 };
	unsigned int i;
	char *text;

	for (i = 0; i < l->nr; i++)
		if (l->v[i].verdict != WORKS && l->v[i].x.kernel && note_of(n, &l->v[i]) == note)
			str_set_add(&told, l->v[i].x.kernel);
	if (told.nr) {
		text = sentences_join(&told);
		print_words("the kernel says:", at, at);
		print_words(text, at + 16, at);
		free(text);
	}
	i = told.nr;
	str_set_free(&told);
	return i;
}

static void print_notes(const struct findings *l, struct notes *n)
{
	unsigned int i, at;
	bool any;

	for (i = 0; i < n->nr; i++) {
		const struct explanation *x = &n->v[i]->x;

		printf("\n");
		at = (unsigned int)printf("[%u]%s ", i + 1, i < 9 ? " " : "");
		any = print_kernel(l, n, i + 1, at);
		if (*x->why && !x->retold) {
			if (any)
				printf("\n%*s", (int)at, "");
			print_words(x->why, at, at);
			any = true;
		}
		if (any && *x->fix)
			printf("\n%*s", (int)at, "");
		if (*x->fix) {
			print_words("fix:", at, at);
			print_words(x->fix, at + 4, at);
		}
		printf("\n");
	}
}

/* The things of one topic with one verdict and one note (0: none), on a line of their own. */
static bool print_line(const struct findings *l, const char *topic, enum verdict v,
		       unsigned int note, bool first, struct notes *notes)
{
	unsigned int i, at = NAMES_COLUMN;
	bool any = false;
	char mark[32];

	snprintf(mark, sizeof(mark), note ? "%s [%u]" : "%s", marks[v], note);
	for (i = 0; i < l->nr; i++) {
		const struct finding *f = &l->v[i];
		char *item;

		if (strcmp(f->topic, topic) || f->verdict != v || (note && note_of(notes, f) != note))
			continue;
		if (!any)
			printf("%-*s%-*s", TOPIC_COLUMN, first ? topic : "",
			       NAMES_COLUMN - TOPIC_COLUMN, mark);
		else
			at += (unsigned int)printf(",");
		item = v == PARTLY && f->detail ? str_printf("%s (%s)", f->name, f->detail) :
		       str_dup(f->name);
		/* with room for the comma that may follow */
		at = words_print(item, at, NAMES_COLUMN, text_width() - 1);
		free(item);
		any = true;
	}
	if (any)
		putchar('\n');
	return any;
}

/* A topic where nothing works, for one cause: no need to name all. */
static bool print_dead(const struct findings *l, const char *topic, unsigned int nr,
		       struct notes *notes)
{
	unsigned int i, note = 0;

	for (i = 0; i < l->nr; i++) {
		if (strcmp(l->v[i].topic, topic))
			continue;
		if (l->v[i].verdict != FAILS || (note && note_of(notes, &l->v[i]) != note))
			return false;
		note = note_of(notes, &l->v[i]);
	}
	printf("%-*sno [%u]  none of %u works\n", TOPIC_COLUMN, topic, note, nr);
	return true;
}

/* Every thing on its own line, with how far it goes. */
static void print_in_full(const struct findings *l, const char *topic, struct notes *notes)
{
	char *note, *rest;
	bool first = true;
	unsigned int i, at;

	for (i = 0; i < l->nr; i++) {
		const struct finding *f = &l->v[i];

		if (strcmp(f->topic, topic))
			continue;
		printf("%-*s%-*s", TOPIC_COLUMN, first ? topic : "",
		       NAMES_COLUMN - TOPIC_COLUMN, marks[f->verdict]);
		first = false;
		note = f->verdict == WORKS ? str_dup("") : str_printf("[%u]", note_of(notes, f));
		rest = str_printf("%s%s%s", f->detail ? f->detail : "",
				  f->detail && *note ? " " : "", note);
		if (*rest) {
			at = NAMES_COLUMN + (unsigned int)printf("%-*s ", DETAIL_COLUMN - NAMES_COLUMN - 1,
								 f->name);
			print_words(rest, at, at > DETAIL_COLUMN ? at : DETAIL_COLUMN);
		} else {
			fputs(f->name, stdout);
		}
		putchar('\n');
		free(rest);
		free(note);
	}
}

static unsigned int count_topic(const struct findings *l, const char *topic, unsigned int *working)
{
	unsigned int i, nr = 0;

	*working = 0;
	for (i = 0; i < l->nr; i++) {
		if (strcmp(l->v[i].topic, topic))
			continue;
		nr++;
		*working += l->v[i].verdict == WORKS;
	}
	return nr;
}

static void print_topic(const struct findings *l, const char *topic, bool all, struct notes *notes)
{
	unsigned int working, nr = count_topic(l, topic, &working), note;
	enum verdict v;
	bool printed;

	if (all) {
		print_in_full(l, topic, notes);
		return;
	}
	if (working == nr && nr > 1 && !l->chosen) {
		printf("%-*sall %u work\n", TOPIC_COLUMN, topic, nr);
		return;
	}
	if (!working && nr > 1 && print_dead(l, topic, nr, notes))
		return;
	printed = print_line(l, topic, WORKS, 0, true, notes);
	for (v = PARTLY; v <= FAILS; v++)
		for (note = 1; note <= notes_all(l, notes); note++)
			printed |= print_line(l, topic, v, note, !printed, notes);
}

static void print_machine(const struct findings *l)
{
	const struct rights *r = &l->rights;
	char paranoid[64] = "", *text;
	struct utsname u;

	uname(&u);
	if (r->paranoid != PARANOID_UNKNOWN)
		snprintf(paranoid, sizeof(paranoid), ", kernel.perf_event_paranoid %ld", r->paranoid);
	text = str_printf("%s %s (%s), %ld CPUs, user %d%s%s%s%s%s%s", u.sysname, u.release, u.machine,
			  sysconf(_SC_NPROCESSORS_ONLN), (int)geteuid(),
			  rights_perfmon(r) ? " with CAP_PERFMON" : "", paranoid,
			  r->seccomp ? ", seccomp filter" : "",
			  r->virtual_machine ? ", virtual machine" : "",
			  r->lockdown ? ", locked down" : "", pcl_kernel() ? ", PCL kernel" : "");
	print_words(text, 0, 0);
	printf("\n\n");
	free(text);
}

static void print_verdict_line(const struct findings *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (l->v[i].needed && l->v[i].verdict == FAILS)
			break;
	if (l->chosen)
		printf("\n%s\n", i == l->nr ? "All that was asked for works." :
		       "Not all that was asked for works.");
	else
		printf("\n%s\n", i == l->nr ? "What pcl stat and pcl record need, works." :
		       "pcl stat and pcl record cannot work here before this is changed.");
}

void findings_print(const struct findings *l, bool all)
{
	struct notes notes = { 0 };
	unsigned int i;

	print_machine(l);
	for (i = 0; i < l->nr; i++)
		if (!i || strcmp(l->v[i].topic, l->v[i - 1].topic))
			print_topic(l, l->v[i].topic, all, &notes);
	print_notes(l, &notes);
	print_verdict_line(l);
	free(notes.v);
}

static void json_machine(struct json *j, const struct findings *l)
{
	struct utsname u;

	uname(&u);
	json_string(j, "kernel", u.release);
	json_string(j, "machine", u.machine);
	json_bool(j, "pcl_kernel", pcl_kernel());
	json_number(j, "cpus", (double)sysconf(_SC_NPROCESSORS_ONLN));
	json_number(j, "uid", (double)geteuid());
	json_bool(j, "cap_perfmon", rights_perfmon(&l->rights));
	json_bool(j, "first_user_namespace", l->rights.first_userns);
	json_bool(j, "seccomp", l->rights.seccomp);
	json_bool(j, "lockdown", l->rights.lockdown);
	json_bool(j, "virtual_machine", l->rights.virtual_machine);
	json_string(j, "security_modules", l->rights.modules);
	if (l->rights.paranoid == PARANOID_UNKNOWN)
		json_null(j, "perf_event_paranoid");
	else
		json_number(j, "perf_event_paranoid", (double)l->rights.paranoid);
}

void findings_json(const struct findings *l)
{
	struct json j = { .f = stdout };
	bool ok = true;
	unsigned int i;

	json_begin(&j, NULL, '{');
	json_string(&j, "schema", "pcl-doctor-1");
	json_machine(&j, l);
	json_begin(&j, "findings", '[');
	for (i = 0; i < l->nr; i++) {
		const struct finding *f = &l->v[i];

		json_begin(&j, NULL, '{');
		json_string(&j, "topic", f->topic);
		json_string(&j, "name", f->name);
		json_string(&j, "status", statuses[f->verdict]);
		json_bool(&j, "needed", f->needed);
		json_string(&j, "detail", f->detail);
		json_string(&j, "cause", f->x.cause);
		json_string(&j, "reason", f->x.why);
		json_string(&j, "fix", f->x.fix && *f->x.fix ? f->x.fix : NULL);
		json_string(&j, "kernel_reason", f->x.kernel);
		json_end(&j, '}');
		ok &= !f->needed || f->verdict != FAILS;
	}
	json_end(&j, ']');
	json_bool(&j, "ok", ok);
	json_end(&j, '}');
}
