// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind the samples of a perf.data file with registers and stacks, and print
 * each chain on a line: thread, time, and for each frame, innermost first, the
 * place in the mapped file, or the address where no file is mapped. With
 * -b ROUNDS it unwinds them that often again and prints how many a second.
 * With -c TEXT it compares the chains with those in TEXT, from
 * "perf script -F tid,time,ip --ns --no-inline", and counts: equal; perf's is
 * the beginning of ours, or ours without some frames; ours the beginning of
 * perf's; different. Samples of which perf shows no frame are counted alone.
 * With -s TEXT the file has chains already; it counts those that are whole: each
 * step from a caller to its caller occurs in TEXT, which is of another recording,
 * and a chain of TEXT ends where this one does.
 * With -r - it counts chains, and those of which every return address lies behind
 * a call in the mapped file, as it must where nothing was interrupted (x86).
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/read.h"
#include "unwind/private.h"

/* A chain as perf tells it. */
struct told {
	u64 *ips;
	unsigned int nr;
	bool used;		/* compared with one of ours */
};

enum { EQUAL, BEGINNING, GAPS, SHORTER, DIFFERENT, NO_FRAME, NR_VERDICTS };

/* Behind the outermost frame. */
#define NOWHERE 1

struct state {
	struct tasks *tasks;
	struct unwinder *u;
	enum { PRINT, MEASURE, COMPARE, STEPS, RETURNS } mode;
	u64 samples;
	struct str_set steps;	/* "CALLER CALLER" that occur in perf's text */
	unsigned int nr_told_steps;
	u64 nr_whole;		/* chains of which all was found to be right */
	u64 nr_returns;
	struct str_set keys;	/* "TID TIME NUMBER" of perf's text */
	struct told *told;	/* same index */
	u64 verdicts[NR_VERDICTS];
	unsigned int shown;
};

/*
 * The chain of perf's with this thread and time. Two samples may have the same:
 * told again, or asked for again, it is another.
 */
static struct told *told_of(struct state *st, int tid, const char *time, bool telling)
{
	char key[128];
	unsigned int n, before, i;

	for (n = 0;; n++) {
		snprintf(key, sizeof(key), "%d %s %u", tid, time, n);
		before = st->keys.nr;
		i = str_set_add(&st->keys, key);
		if (i == before) {
			st->told = mem_resize(st->told, i + 1, sizeof(*st->told));
			st->told[i] = (struct told){ .used = !telling };
			return &st->told[i];
		}
		if (!telling && !st->told[i].used) {
			st->told[i].used = true;
			return &st->told[i];
		}
	}
}

/* The lines of a sample begin with its thread and time; frames are indented. */
static void read_told(struct state *st, const char *path)
{
	char line[4096], time[64];
	struct told *t = NULL;
	unsigned long long ip;
	FILE *f = fopen(path, "r");
	int tid;

	while (f && fgets(line, sizeof(line), f)) {
		if (line[0] != '\t' && sscanf(line, "%d %63[0-9.]:", &tid, time) == 2) {
			t = told_of(st, tid, time, true);
		} else if (t && line[0] == '\t' && sscanf(line, "%llx", &ip) == 1 && ip >> 63 == 0) {
			t->ips = mem_resize(t->ips, t->nr + 1, sizeof(*t->ips));
			t->ips[t->nr++] = ip;
		}
	}
	if (f)
		fclose(f);
}

/* perf shows return addresses as the address before. */
static bool same_frame(u64 ours, u64 told)
{
	return ours == told || ours - 1 == told;
}

static int verdict_of(const u64 *ips, unsigned int nr, const struct told *t)
{
	unsigned int same = 0, i, k;

	if (!t->nr)
		return NO_FRAME;
	while (same < nr && same < t->nr && same_frame(ips[same], t->ips[same]))
		same++;
	if (same == t->nr)
		return same == nr ? EQUAL : BEGINNING;
	if (same == nr)
		return SHORTER;
	for (i = k = 0; i < nr && k < t->nr; i++)
		k += same_frame(ips[i], t->ips[k]);
	return k == t->nr ? GAPS : DIFFERENT;
}

static void show_difference(struct state *st, const char *time, const u64 *ips, unsigned int nr,
			    const struct told *t)
{
	unsigned int i;

	if (st->shown++ >= 3)
		return;
	printf("at %s ours:", time);
	for (i = 0; i < nr; i++)
		printf(" %llx", (unsigned long long)ips[i]);
	printf(" perf's:");
	for (i = 0; i < t->nr; i++)
		printf(" %llx", (unsigned long long)t->ips[i]);
	putchar('\n');
}

static void compare(struct state *st, const struct pd_sample *s, const u64 *ips, unsigned int nr)
{
	const struct told *t;
	char time[64];
	int verdict;

	snprintf(time, sizeof(time), "%llu.%09llu", (unsigned long long)(s->time_ns / 1000000000),
		 (unsigned long long)(s->time_ns % 1000000000));
	t = told_of(st, s->tid, time, false);
	verdict = verdict_of(ips, nr, t);
	st->verdicts[verdict]++;
	if (verdict >= SHORTER && verdict != NO_FRAME)
		show_difference(st, time, ips, nr, t);
}

static void print_verdicts(const struct state *st)
{
	static const char *const names[NR_VERDICTS] = {
		"equal", "beginning", "gaps", "shorter", "different", "no-frame",
	};
	int i;

	printf("samples %llu", (unsigned long long)st->samples);
	for (i = 0; i < NR_VERDICTS; i++)
		printf(" %s %llu", names[i], (unsigned long long)st->verdicts[i]);
	putchar('\n');
}

/* Turn addresses into places of the mapped files, as perf shows them. */
static void to_places(struct state *st, const struct pd_sample *s, u64 *ips, unsigned int nr)
{
	const struct map_table *maps;
	const struct map *m;
	unsigned int i;

	rcu_read_lock();
	maps = tasks_maps(st->tasks, s->pid, s->time_ns);
	for (i = 0; i < nr; i++) {
		/* a return address may be the end of the mapping */
		m = map_table_find(maps, ips[i] - (i > 0));
		if (m)
			ips[i] += m->pgoff - m->start;
	}
	rcu_read_unlock();
}

static void print_chain(const struct pd_sample *s, const u64 *ips, unsigned int nr)
{
	unsigned int i;

	printf("%d %llu.%09llu", s->tid, (unsigned long long)(s->time_ns / 1000000000),
	       (unsigned long long)(s->time_ns % 1000000000));
	for (i = 0; i < nr; i++)
		printf(" %llx", (unsigned long long)ips[i]);
	putchar('\n');
}

/* The steps of perf's chains, the last of them to nowhere; the sampled address is left out, it may be any. */
static void add_steps(struct state *st)
{
	unsigned int i, k;
	char step[64];

	for (i = 0; i < st->keys.nr; i++)
		for (k = 1; k < st->told[i].nr; k++) {
			u64 to = k + 1 < st->told[i].nr ? st->told[i].ips[k + 1] : NOWHERE;

			snprintf(step, sizeof(step), "%llx %llx", (unsigned long long)st->told[i].ips[k],
				 (unsigned long long)to);
			str_set_add(&st->steps, step);
		}
	st->nr_told_steps = st->steps.nr;
}

/* Whether perf has this step; it shows return addresses as the address before. */
static bool is_step(struct state *st, u64 from, u64 to)
{
	unsigned int less;
	char step[64];

	for (less = 0; less < 4; less++) {
		snprintf(step, sizeof(step), "%llx %llx", (unsigned long long)(from - (less & 1)),
			 (unsigned long long)(to - (less >> 1)));
		if (str_set_add(&st->steps, step) < st->nr_told_steps)
			return true;
		/* what was asked for is in the set now, behind what perf told */
	}
	return false;
}

/* Do these eight bytes end with a call? */
static bool ends_with_call(const u8 *b)
{
	int n;

	if (b[3] == 0xe8)
		return true;	/* call rel32 */
	/* call r/m: ff /2, without or with a prefix */
	for (n = 1; n <= 6; n++)
		if (b[n] == 0xff && (b[n + 1] >> 3 & 7) == 2)
			return true;
	return false;
}

static void count_returns(struct state *st, const struct pd_sample *s, const u64 *ips, unsigned int nr)
{
	const struct map_table *maps;
	const struct map *m;
	bool whole = true;
	unsigned int i;
	u8 code[8];
	int fd;

	rcu_read_lock();
	maps = tasks_maps(st->tasks, s->pid, s->time_ns);
	for (i = 1; i < nr; i++) {
		m = map_table_find(maps, ips[i] - 1);
		fd = m && m->object->name[0] == '/' ? open(m->object->name, O_RDONLY | O_CLOEXEC) : -1;
		if (fd >= 0 && pread(fd, code, 8, (off_t)(ips[i] - m->start + m->pgoff) - 8) == 8) {
			st->nr_returns++;
			whole &= ends_with_call(code);
		}
		if (fd >= 0)
			close(fd);
	}
	st->nr_whole += whole;
	rcu_read_unlock();
}

/* The user's part of a chain that the file has. */
static unsigned int chain_of_file(const struct pd_sample *s, u64 *ips)
{
	struct cursor c = s->chain;
	unsigned int nr = 0;

	while (cursor_left(&c) && cursor_u64(&c) != (u64)PERF_CONTEXT_USER)
		;
	while (cursor_left(&c) && nr < UNWIND_MAX_FRAMES)
		ips[nr++] = cursor_u64(&c);
	return nr;
}

static void count_steps(struct state *st, const struct pd_sample *s)
{
	u64 ips[UNWIND_MAX_FRAMES];
	unsigned int nr = chain_of_file(s, ips), i;

	to_places(st, s, ips, nr);
	st->samples++;
	for (i = 1; i < nr; i++)
		if (!is_step(st, ips[i], i + 1 < nr ? ips[i + 1] : NOWHERE))
			return;
	/* perf shows no frame of some, either */
	st->nr_whole += nr > 0;
}

static int take(struct pd_file *f, const struct perf_event_header *h, struct cursor body, void *arg)
{
	struct state *st = arg;
	u64 ips[UNWIND_MAX_FRAMES];
	struct pd_sample s;
	unsigned int nr;
	int event;

	if (h->type != PERF_RECORD_SAMPLE) {
		tasks_take(st->tasks, h, body, record_time(f, h, body));
		return 0;
	}
	event = sample_event(f, body);
	if (event < 0 || sample_decode(&f->events[event].attr, h, body, &s))
		return 0;
	if (st->mode == STEPS)
		count_steps(st, &s);
	if (!s.regs_abi || st->mode == STEPS)
		return 0;
	nr = unwind_chain(st->u, &s, ips, UNWIND_MAX_FRAMES);
	st->samples++;
	if (st->mode == MEASURE)
		return 0;
	if (st->mode == RETURNS) {
		count_returns(st, &s, ips, nr);
		return 0;
	}
	to_places(st, &s, ips, nr);
	if (st->mode == COMPARE)
		compare(st, &s, ips, nr);
	else
		print_chain(&s, ips, nr);
	return 0;
}

static void measure(struct state *st, struct pd_file *f, int rounds)
{
	const struct unwind_stats *stats = &st->u->stats;
	u64 before;

	st->mode = MEASURE;
	pd_walk(f, take, st);
	st->samples = 0;
	for (before = clock_ns(); rounds > 0; rounds--)
		pd_walk(f, take, st);
	if (st->samples)
		printf("%.0f samples/s, %.1f frames each\n",
		       1e9 * (double)st->samples / (double)(clock_ns() - before),
		       (double)stats->frames / (double)(stats->whole + stats->truncated));
}

static void free_state(struct state *st)
{
	unsigned int i;

	for (i = 0; i < st->keys.nr; i++)
		free(st->told[i].ips);
	free(st->told);
	str_set_free(&st->keys);
	str_set_free(&st->steps);
	unwinder_free(st->u);
	tasks_free(st->tasks);
}

int main(int argc, char **argv)
{
	struct state st = { 0 };
	struct unwind_stats sum = { 0 };
	struct pd_file f;

	if ((argc != 2 && argc != 4) || pd_open(&f, argv[argc - 1]))
		return 2;
	st.tasks = tasks_new(&f, 0);
	st.u = unwinder_new(st.tasks);
	if (argc == 4 && !strcmp(argv[1], "-b")) {
		measure(&st, &f, atoi(argv[2]));
	} else {
		if (argc == 4) {
			st.mode = argv[1][1] == 'c' ? COMPARE : argv[1][1] == 's' ? STEPS : RETURNS;
			read_told(&st, argv[2]);
			add_steps(&st);
		}
		if (pd_walk(&f, take, &st))
			return 2;
	}
	if (st.mode == COMPARE)
		print_verdicts(&st);
	if (st.mode == STEPS)
		printf("samples %llu whole %llu\n", (unsigned long long)st.samples, (unsigned long long)st.nr_whole);
	if (st.mode == RETURNS)
		printf("samples %llu whole %llu returns %llu\n", (unsigned long long)st.samples,
		       (unsigned long long)st.nr_whole, (unsigned long long)st.nr_returns);
	unwind_stats_add(&sum, st.u);
	unwind_stats_print(&sum, st.tasks, stderr);
	unwind_stats_free(&sum);
	free_state(&st);
	pd_close(&f);
	return 0;
}
