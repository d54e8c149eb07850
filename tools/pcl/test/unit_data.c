// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of what needs no kernel: lists, counts, ratios, symbols.
 *
 * Concepts: small rows by hand, and random input against a naive model where
 * there is an algorithm to get wrong.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "profile/profile.h"
#include "random.h"
#include "stat/stat.h"
#include "tap.h"

static void test_lists(void)
{
	static const struct {
		const char *text;
		int nr, first, last;
	} rows[] = {
		{ "0", 1, 0, 0 }, { "0-3", 4, 0, 3 }, { "5,1-2,2", 3, 1, 5 }, { "7\n", 1, 7, 7 },
		{ "", -1, 0, 0 }, { "x", -1, 0, 0 }, { "3-1", -1, 0, 0 }, { "1,", -1, 0, 0 },
		{ "-1", -1, 0, 0 }, { "1;2", -1, 0, 0 }, { "0-99999999", -1, 0, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct int_list l = { 0 };
		int ret = int_list_parse(&l, rows[i].text);

		tap_ok(rows[i].nr < 0 ? ret && !l.nr :
		       !ret && (int)l.nr == rows[i].nr && l.v[0] == rows[i].first &&
		       l.v[l.nr - 1] == rows[i].last, "number list '%.12s'",
		       rows[i].text[0] == '7' ? "7 and a newline" : rows[i].text);
		int_list_free(&l);
	}
}

static void test_numbers(void)
{
	static const double v[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct tally t = { 0 };
	char buf[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		tally_add(&t, v[i]);
	tap_ok(fabs(t.mean - 5) < 1e-12 && fabs(tally_dev(&t) - sqrt(32.0 / 7)) < 1e-12,
	       "mean and sample deviation");
	t = (struct tally){ 0 };
	tally_add(&t, 3);
	tap_ok(tally_dev(&t) == 0, "one run has no deviation");
	tap_ok(count_scale(100, 50, 50) == 100 && count_scale(100, 200, 50) == 400 &&
	       count_scale(100, 50, 0) == 0, "scaling by enabled over running");
	tap_ok(count_scale(1ull << 62, 1ull << 50, 1ull << 49) == (double)(1ull << 63),
	       "scaling does not overflow");
	tap_ok(!strcmp(format_thousands(buf, 0), "0") &&
	       !strcmp(format_thousands(buf, 999), "999") &&
	       !strcmp(format_thousands(buf, 1234567), "1,234,567") &&
	       !strcmp(format_thousands(buf, ~0ull), "18,446,744,073,709,551,615"),
	       "thousands are grouped");
	tap_ok(edit_distance("cycles", "cycles") == 0 && edit_distance("cyclez", "cycles") == 1 &&
	       edit_distance("", "abc") == 3 && edit_distance("kitten", "sitting") == 3,
	       "edit distance");
}

/* A group {instructions, cycles} and lone branches with given running times. */
static void test_metrics(void)
{
	struct event_list l = { 0 };
	struct parse_error err;
	struct stat_row rows[5];
	unsigned int i;

	events_parse(&l, "{cycles,instructions},branches,branch-misses,task-clock", &err);
	for (i = 0; i < 5; i++)
		rows[i] = (struct stat_row){ .event = l.v[i], .value = 1000 * (i + 1),
					     .enabled_ns = 100, .running_ns = 100 };
	rows[4].value = 2e-3;	/* msec: 2000 ns */
	metrics_fill(rows, 5, 1e-6);
	tap_ok(rows[1].has_metric && rows[1].metric == 2, "instructions per cycle in a group");
	tap_ok(rows[3].has_metric && fabs(rows[3].metric - 400 / 3.0) < 1e-9 &&
	       strstr(rows[3].metric_text, "branches"), "miss ratio of events that always ran");
	tap_ok(rows[4].has_metric && fabs(rows[4].metric - 2) < 1e-9, "CPUs utilized");
	tap_ok(fabs(rows[0].metric - 0.5) < 1e-9 && !strcmp(rows[0].metric_text, "GHz"),
	       "cycles by clock are GHz");
	tap_ok(fabs(rows[2].metric - 1.5) < 1e-9 && !strcmp(rows[2].metric_text, "G/sec"),
	       "others have a rate");
	rows[2].running_ns = 50;
	metrics_fill(rows, 5, 1e-6);
	tap_ok(!strstr(rows[3].metric_text, "branches") && !rows[2].has_metric,
	       "no ratio across groups when one was multiplexed");
	rows[0].running_ns = rows[1].running_ns = 50;
	metrics_fill(rows, 5, 1e-6);
	tap_ok(rows[1].has_metric && rows[1].metric == 2,
	       "a ratio within a group stands, multiplexed or not");
	rows[0].running_ns = rows[1].running_ns = 100;
	l.v[0]->attr.exclude_kernel = l.v[1]->attr.exclude_kernel = 1;
	metrics_fill(rows, 5, 1e-6);
	tap_ok(strcmp(rows[0].metric_text, "GHz") && rows[1].metric == 2,
	       "cycles of one level by the time of all are no frequency");
	l.v[0]->attr.exclude_kernel = l.v[1]->attr.exclude_kernel = 0;
	rows[0].status = EVENT_NOT_COUNTED;
	rows[1].running_ns = 50;
	metrics_fill(rows, 5, 1e-6);
	tap_ok(!rows[0].has_metric && !rows[1].has_metric,
	       "nothing is divided by what was not counted");
	rows[0].status = EVENT_COUNTED;
	l.v[0]->attr.exclude_kernel = 1;
	metrics_fill(rows, 5, 1e-6);
	tap_ok(!rows[1].has_metric || strcmp(rows[1].metric_text, "insn per cycle"),
	       "no ratio of events that look at different levels");
	event_list_free(&l);
}

static void test_symbols(void)
{
	struct symbols t = { 0 };
	struct symbol *s;

	symbols_add(&t, 0x100, 0x20, "f");
	symbols_add(&t, 0x200, 0, "unsized");
	symbols_add(&t, 0x100, 0x20, "__f_alias");
	symbols_add(&t, 0x300, 0x10, "_ZN3foo3barEi");
	symbols_add(&t, ~0ull - 4, 100, "wraps");
	symbols_add(&t, 0x110, 0, "label");
	symbols_settle(&t);
	s = symbols_find(&t, 0x11f);
	tap_ok(s && !strcmp(s->name, "f"), "symbols: the plain name of two is kept, a label within is none");
	tap_ok(!symbols_find(&t, 0x120) && !symbols_find(&t, 0xff), "symbols: nothing between");
	s = symbols_find(&t, 0x2ff);
	tap_ok(s && !strcmp(s->name, "unsized"), "symbols: an unsized one reaches to the next");
	s = symbols_find(&t, 0x300);
	tap_ok(s && !strcmp(symbol_name(s), "foo::bar"), "symbols: C++ is demangled");
	tap_ok(!strcmp(symbol_name(NULL), "[unknown]"), "symbols: none is [unknown]");
	symbols_free(&t);
}

static void test_tables(void)
{
	struct num_map m = { 0 };
	struct str_set set = { 0 };
	unsigned int i, wrong = 0;
	char text[16];

	for (i = 0; i < 5000; i++)
		*num_map_at(&m, i * 7919ull << 12) = (void *)(uintptr_t)(i + 1);
	for (i = 0; i < 5000; i++)
		wrong += *num_map_at(&m, i * 7919ull << 12) != (void *)(uintptr_t)(i + 1);
	tap_ok(!wrong && m.nr == 5000, "numbers to pointers: all are found again");
	num_map_free(&m, NULL);
	for (i = wrong = 0; i < 6000; i++) {
		snprintf(text, sizeof(text), "s%u", i % 3000);
		wrong += str_set_add(&set, text) != i % 3000;
	}
	tap_ok(!wrong && set.nr == 3000, "strings: each is kept once");
	str_set_free(&set);
}

static void test_cursor(void)
{
	u8 bytes[12] = { 1, 0, 0, 0, 'a', 'b', 0, 0, 9 };
	struct cursor c = cursor_of(bytes, sizeof(bytes));

	tap_ok(cursor_u32(&c) == 1 && !strcmp(cursor_text(&c, 4), "ab") && !c.bad,
	       "cursor: numbers and text");
	tap_ok(cursor_u64(&c) == 0 && c.bad && !cursor_left(&c), "cursor: past the end is 0 and bad");
	c = cursor_of(bytes + 4, 2);
	tap_ok(!*cursor_text(&c, 2) && c.bad, "cursor: a text without an end is refused");
	c = cursor_of(bytes, 4);
	cursor_skip(&c, ~(size_t)0);
	tap_ok(c.bad && !cursor_left(&c), "cursor: a huge skip stops at the end");
}

/* Samples of random sample_types, written field by field and read back. */
static void test_sample_fields(void)
{
	static const u64 bits[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
		PERF_SAMPLE_PERIOD, PERF_SAMPLE_CALLCHAIN,
	};
	unsigned int wrong = 0, cut_wrong = 0, i, type;

	for (type = 1; type < 1u << ARRAY_SIZE(bits); type++) {
		struct perf_event_attr attr = { .freq = 1 };
		struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
		u64 body[32], n = 0, want[ARRAY_SIZE(bits)] = { 0 };
		struct pd_sample s;

		for (i = 0; i < ARRAY_SIZE(bits); i++) {
			if (!(type >> i & 1))
				continue;
			attr.sample_type |= bits[i];
			want[i] = bits[i] == PERF_SAMPLE_CALLCHAIN ? 2 : next_random() >> 33;
			body[n++] = want[i];
		}
		if (attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
			body[n++] = 11;
			body[n++] = 12;
		}
		wrong += sample_decode(&attr, &h, cursor_of(body, n * 8), &s) ||
			 s.ip != want[1] || s.pid != (s32)want[2] || s.tid != (s32)(want[2] >> 32) ||
			 s.time_ns != want[3] || s.addr != want[4] || s.cpu != (u32)want[7] ||
			 (type >> 8 & 1 ? s.period != want[8] : s.period != 1) ||
			 (type >> 9 & 1 ? cursor_left(&s.chain) != 16 : cursor_left(&s.chain));
		cut_wrong += !sample_decode(&attr, &h, cursor_of(body, n * 8 - 4), &s);
	}
	tap_ok(!wrong, "samples: all sets of ten fields decode");
	tap_ok(!cut_wrong, "samples: cut ones are refused");
}

/* Where a list of words was put: a value, and how many follow. */
static size_t put_words(u64 *body, size_t n, u64 nr)
{
	while (nr--)
		body[n++] = next_random();
	return n;
}

/* Every kind of field, in samples of random sample_types, read back one by one. */
static void test_all_fields(void)
{
	enum { READ_WORDS = 1 + 2 + 2 * 2 };
	unsigned int round, wrong = 0, cut_wrong = 0;

	for (round = 0; round < 4000; round++) {
		struct perf_event_attr attr = {
			.sample_type = next_random() & (PERF_SAMPLE_MAX - 1),
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
				       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
			.sample_regs_user = 0x15, .sample_regs_intr = 0x3,
		};
		struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
		u64 t = attr.sample_type, body[200] = { 0 }, first[32] = { 0 };
		unsigned int nr[32] = { 0 };
		struct pd_sample s;
		size_t n = 0;

#define PUT(bit, index, head, words)					\
	do {								\
		if (t & (bit)) {					\
			if ((head) != ~0ull)				\
				body[n++] = (head);			\
			first[index] = n;				\
			nr[index] = (words) * 8;			\
			n = put_words(body, n, words);			\
		}							\
	} while (0)
		PUT(PERF_SAMPLE_IDENTIFIER, 0, ~0ull, 1);
		PUT(PERF_SAMPLE_IP, 1, ~0ull, 1);
		PUT(PERF_SAMPLE_TID, 2, ~0ull, 1);
		PUT(PERF_SAMPLE_TIME, 3, ~0ull, 1);
		PUT(PERF_SAMPLE_ADDR, 4, ~0ull, 1);
		PUT(PERF_SAMPLE_ID, 5, ~0ull, 1);
		PUT(PERF_SAMPLE_STREAM_ID, 6, ~0ull, 1);
		PUT(PERF_SAMPLE_CPU, 7, ~0ull, 1);
		PUT(PERF_SAMPLE_PERIOD, 8, ~0ull, 1);
		PUT(PERF_SAMPLE_READ, 9, 2, READ_WORDS - 1);
		PUT(PERF_SAMPLE_CALLCHAIN, 10, 3, 3);
		if (t & PERF_SAMPLE_RAW) {
			body[n] = next_random() << 32 | 12;
			first[11] = n;
			nr[11] = 12;
			n += 2;
		}
		PUT(PERF_SAMPLE_BRANCH_STACK, 12, 2, 6);
		PUT(PERF_SAMPLE_REGS_USER, 13, PERF_SAMPLE_REGS_ABI_64, 3);
		if (t & PERF_SAMPLE_STACK_USER) {
			body[n++] = 16;
			first[14] = n;
			nr[14] = 8;
			n += 2;
			body[n++] = 8;
		}
		PUT(PERF_SAMPLE_WEIGHT_TYPE, 15, ~0ull, 1);
		PUT(PERF_SAMPLE_DATA_SRC, 16, ~0ull, 1);
		PUT(PERF_SAMPLE_TRANSACTION, 17, ~0ull, 1);
		PUT(PERF_SAMPLE_REGS_INTR, 18, PERF_SAMPLE_REGS_ABI_64, 2);
		PUT(PERF_SAMPLE_PHYS_ADDR, 19, ~0ull, 1);
		PUT(PERF_SAMPLE_CGROUP, 20, ~0ull, 1);
		PUT(PERF_SAMPLE_DATA_PAGE_SIZE, 21, ~0ull, 1);
		PUT(PERF_SAMPLE_CODE_PAGE_SIZE, 22, ~0ull, 1);
		PUT(PERF_SAMPLE_AUX, 23, 16, 2);
#undef PUT
#define WORD(index, got) (nr[index] ? (got) != body[first[index]] : (got) != 0)
#define PART(index, got) (cursor_left(&(got)) != nr[index] || \
			  (nr[index] && (got).p != (u8 *)&body[first[index]] + (index == 11 ? 4 : 0)))
		wrong += sample_decode(&attr, &h, cursor_of(body, n * 8), &s) ||
			 WORD(1, s.ip) || WORD(3, s.time_ns) || WORD(4, s.addr) ||
			 WORD(6, s.stream_id) || WORD(8, s.period) || PART(10, s.chain) ||
			 PART(11, s.raw) || PART(12, s.branches) || PART(13, s.regs) ||
			 PART(14, s.stack) || WORD(15, s.weight) || WORD(16, s.data_src) ||
			 WORD(17, s.transaction) || PART(18, s.intr_regs) || WORD(19, s.phys_addr) ||
			 WORD(20, s.cgroup) || WORD(21, s.data_page_size) ||
			 WORD(22, s.code_page_size) || PART(23, s.aux) ||
			 cursor_left(&s.read) != (nr[9] ? READ_WORDS * 8 : 0);
#undef WORD
#undef PART
		if (n)
			cut_wrong += !sample_decode(&attr, &h, cursor_of(body, n * 8 - 8), &s);
	}
	tap_ok(!wrong, "samples: every kind of field is found behind any others");
	tap_ok(!cut_wrong, "samples: and a sample is refused when its last field is cut");
}

/* Records of two events whose trailers differ, and one that a tool wrote. */
static void test_trailers(void)
{
	struct pd_event events[2] = {
		{ .attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME },
		{ .attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				      PERF_SAMPLE_CPU },
	};
	struct pd_id ids[] = { { 71, 0 }, { 72, 1 } };
	struct pd_file f = { .events = events, .nr_events = 2, .ids = ids, .nr_ids = 2 };
	struct perf_event_header h = { .type = PERF_RECORD_COMM };
	u64 first[] = { 0, 1, 500, 71 }, second[] = { 0, 1, 600, 3, 72 }, tool[] = { 0, 1, 700, 0 };
	struct pd_sample s;

	events[0].attr.sample_id_all = events[1].attr.sample_id_all = 1;
	tap_ok(!pd_check_events(&f), "trailers: may differ when they end in identifiers");
	samples_measure(&f);
	tap_ok(record_time(&f, &h, cursor_of(first, sizeof(first))) == 500 &&
	       record_time(&f, &h, cursor_of(second, sizeof(second))) == 600 &&
	       record_time(&f, &h, cursor_of(tool, sizeof(tool))) == 700, "trailers: times");
	tap_ok(sample_trailer(trailer_attr(&f, cursor_of(second, sizeof(second))), &h,
			      cursor_of(second, sizeof(second)), &s) &&
	       s.cpu == 3 && s.time_ns == 600 && s.id == 72, "trailers: all fields");
	events[1].attr.sample_type &= ~(u64)PERF_SAMPLE_IDENTIFIER;
	events[1].attr.sample_type |= PERF_SAMPLE_ID;
	tap_ok(pd_check_events(&f), "trailers: otherwise the file is refused");
}

/* Samples of a leader that read its group: the values of two members, as they grow. */
static void test_members(void)
{
	static const u64 values[][2] = { { 10, 0 }, { 30, 5 }, { 30, 9 }, { 20, ~0ull } };
	static const u64 want[][3] = {	/* row, event, period */
		{ 0, 0, 10 }, { 1, 0, 20 }, { 1, 1, 5 }, { 2, 1, 4 }, { 3, 0, -10ull }, { 3, 1, ~9ull },
	};
	struct pd_event events[2] = { 0 };
	struct pd_id ids[] = { { 71, 0 }, { 72, 1 } };
	struct pd_file f = { .events = events, .nr_events = 2, .ids = ids, .nr_ids = 2 };
	unsigned int i, n = 0, wrong = 0;

	events[0].attr.sample_type = PERF_SAMPLE_READ;
	events[0].attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		u64 body[] = { 3, 999, values[i][0], 71, values[i][1], 72, 5, 73 };
		struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
		struct sample_members m;
		struct pd_sample s;

		wrong += sample_decode(&events[0].attr, &h, cursor_of(body, sizeof(body)), &s);
		members_begin(&m, &f, 0, &s);
		for (; members_next(&m); n++)
			wrong += n >= ARRAY_SIZE(want) || want[n][0] != i || want[n][1] != m.event ||
				 want[n][2] != s.period || s.id != 71 + m.event;
	}
	tap_ok(!wrong && n == ARRAY_SIZE(want), "samples: members of a group that counted have one each");
	num_map_free(&f.last_values, NULL);
	events[0].attr.sample_type = 0;
	n = 0;
	for (i = 0; i < 3; i++) {
		struct pd_sample s = { .period = 7 };
		struct sample_members m;

		members_begin(&m, &f, 1, &s);
		while (members_next(&m))
			n += m.event == 1 && s.period == 7;
	}
	tap_ok(n == 3, "samples: any other is its own only member");
}

/* A slice of time: what a group counted before it is not of its first sample. */
static void test_slice(void)
{
	static const struct { u64 id, time_ns, value; size_t size; } rows[] = {
		{ 71, 100, 10, 40 }, { 71, 200, 30, 40 }, { 71, 400, 50, 40 },
		{ 79, 200, 60, 40 }, { 71, 200, 70, 24 },
	};
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
	struct pd_event events[2] = { 0 };
	struct pd_id ids[] = { { 71, 0 }, { 72, 1 } };
	struct pd_file f = { .events = events, .nr_events = 2, .ids = ids, .nr_ids = 2 };
	struct session s;
	struct profile p;
	struct gather g = { .profile = &p, .time = { 150, 300 } };
	size_t i;

	events[0].attr.sample_type = events[1].attr.sample_type =
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_READ;
	events[0].attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	samples_measure(&f);
	session_init(&s, &f, NULL, false);
	profile_init(&p, &s, 2);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 body[] = { rows[i].id, rows[i].time_ns, 1, rows[i].value, 71 };

		gather_record(&g, &f, &h, cursor_of(body, rows[i].size));
	}
	gather_end(&g);
	tap_ok(p.events[0].samples == 1 && p.events[0].period == 20 && g.out_of_time == 2,
	       "slices of time: a sample has the period since the one before it");
	tap_ok(g.left.of_no_event == 1 && g.left.undecoded == 1,
	       "samples: those of no event, and those that are cut, are counted");
	profile_free(&p);
	session_free(&s);
	num_map_free(&f.last_values, NULL);
}

/* Registers and stack of the user, with all that may lie before and behind them. */
static void test_user_fields(void)
{
	unsigned int wrong = 0, cut_wrong = 0, kind;

	for (kind = 0; kind < 32; kind++) {
		bool raw = kind & 1, branches = kind & 2, regs = kind & 4, stack = kind & 8, behind = kind & 16;
		struct perf_event_attr attr = {
			.sample_type = (raw ? PERF_SAMPLE_RAW : 0) | (branches ? PERF_SAMPLE_BRANCH_STACK : 0) |
				       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
				       (behind ? PERF_SAMPLE_WEIGHT : 0),
			.sample_regs_user = 0x180, .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX,
		};
		struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
		u64 body[32] = { 0 }, n = 0, user, end;
		struct pd_sample s;

		if (raw) {
			body[n] = 12;	/* the low half is the size */
			n += 2;
		}
		if (branches) {
			body[n] = 2;
			n += 2 + 2 * 3;
		}
		user = n;
		body[n++] = regs ? PERF_SAMPLE_REGS_ABI_64 : 0;
		if (regs) {
			body[n++] = 77;
			body[n++] = 88;
		}
		body[n++] = stack ? 24 : 0;
		if (stack) {
			n += 3;
			body[n++] = 16;		/* valid of the 24 bytes */
		}
		end = n;
		n += behind;
		wrong += sample_decode(&attr, &h, cursor_of(body, n * 8), &s) ||
			 s.user != (u8 *)&body[user] || s.user_end != (u8 *)&body[end] ||
			 s.regs_abi != (regs ? PERF_SAMPLE_REGS_ABI_64 : 0) ||
			 cursor_left(&s.regs) != (regs ? 16 : 0) || s.stack_room != (stack ? 24 : 0) ||
			 cursor_left(&s.stack) != (stack ? 16 : 0) || (regs && cursor_u64(&s.regs) != 77);
		cut_wrong += !sample_decode(&attr, &h, cursor_of(body, (end - 1) * 8), &s);
		if (stack) {
			body[end - 1] = 25;
			cut_wrong += !sample_decode(&attr, &h, cursor_of(body, n * 8), &s);
		}
	}
	tap_ok(!wrong, "samples: registers and stack of the user, wherever they lie");
	tap_ok(!cut_wrong, "samples: cut stacks, and those that claim more than they have, are refused");
}

/* Hand a record to the session in memory of its exact size, so that a slip is seen. */
static void feed(struct session *s, u32 type, u16 misc, const void *body, size_t size)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	u8 *exact = malloc(size ? size : 1);

	memcpy(exact, body, size);
	h.size = (u16)(sizeof(h) + size);
	session_record(s, &h, cursor_of(exact, size));
	free(exact);
}

static void feed_comm(struct session *s, s32 pid, s32 tid, const char *comm, size_t len, u16 misc)
{
	u8 body[64];

	memcpy(body, &pid, 4);
	memcpy(body + 4, &tid, 4);
	memcpy(body + 8, comm, len);
	feed(s, PERF_RECORD_COMM, misc, body, 8 + len);
}

static void feed_mmap(struct session *s, s32 pid, u64 start, u64 len, const char *name, size_t n)
{
	struct { s32 pid, tid; u64 start, len, off; char name[32]; } b = {
		.pid = pid, .tid = pid, .start = start, .len = len,
	};

	memcpy(b.name, name, n);
	feed(s, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &b, 32 + n);
}

static void feed_fork(struct session *s, s32 pid, s32 ppid)
{
	struct { s32 pid, ppid, tid, ptid; u64 time; } b = { pid, ppid, pid, ppid, 0 };

	feed(s, PERF_RECORD_FORK, 0, &b, sizeof(b));
}

static const char *object_at(struct session *s, s32 pid, u64 addr)
{
	return session_resolve(s, pid, PERF_RECORD_MISC_USER, addr).object->name;
}

static void test_session(void)
{
	struct pd_file f = { 0 };
	struct session s;
	u64 layout;

	session_init(&s, &f, NULL, false);
	feed_comm(&s, 10, 10, "one", 4, 0);
	feed_mmap(&s, 10, 0x1000, 0x1000, "//a", 4);
	feed_fork(&s, 11, 10);
	tap_ok(!strcmp(session_comm(&s, 11), "one"), "session: a fork has its parent's name");
	tap_ok(!strcmp(object_at(&s, 11, 0x1800), "//a"), "session: and its mappings");
	feed_mmap(&s, 11, 0x1000, 0x1000, "//b", 4);
	tap_ok(!strcmp(object_at(&s, 11, 0x1800), "//b") && !strcmp(object_at(&s, 10, 0x1800), "//a"),
	       "session: what the child maps is not the parent's");
	feed_comm(&s, 11, 11, "two", 4, PERF_RECORD_MISC_COMM_EXEC);
	feed_mmap(&s, 11, 0x5000, 0x1000, "//new", 6);
	layout = session_layout(&s, 11, PERF_RECORD_MISC_USER);
	tap_ok(!strcmp(session_comm(&s, 11), "two") &&
	       !strcmp(object_at(&s, 11, 0x1800), "//b") && !strcmp(object_at(&s, 10, 0x1800), "//a"),
	       "session: while an exec goes on, the task is in the program that called it");
	tap_ok(!strcmp(object_at(&s, 11, 0x5800), "//new") &&
	       !strcmp(object_at(&s, 11, 0x1800), "[unknown]") &&
	       !strcmp(object_at(&s, 10, 0x1800), "//a"),
	       "session: when the new program runs, the old one's mappings are gone");
	tap_ok(layout != session_layout(&s, 11, PERF_RECORD_MISC_USER),
	       "session: from then on, addresses are looked up anew");
	feed_comm(&s, 11, 11, "three", 6, PERF_RECORD_MISC_COMM_EXEC);
	feed_comm(&s, 11, 11, "four", 5, PERF_RECORD_MISC_COMM_EXEC);
	feed_fork(&s, 13, 11);
	tap_ok(!strcmp(object_at(&s, 11, 0x5800), "[unknown]") &&
	       !strcmp(object_at(&s, 13, 0x5800), "[unknown]"),
	       "session: who forks runs the new program, and the child knows no old one");
	feed_comm(&s, 12, 12, "three", 5, 0);
	tap_ok(strcmp(session_comm(&s, 12), "three"), "session: a name without an end is not taken");
	feed_mmap(&s, 10, 0x5000, 0x1000, "//c", 3);
	tap_ok(!strcmp(object_at(&s, 10, 0x5800), "[unknown]"), "session: nor is a mapping's");
	feed(&s, PERF_RECORD_COMM, 0, "1234", 4);
	feed(&s, PERF_RECORD_MMAP2, 0, "12345678", 8);
	feed(&s, PERF_RECORD_FORK, 0, "", 0);
	feed(&s, PERF_RECORD_LOST, 0, "", 0);
	tap_ok(!s.lost, "session: records that are too short are left out");
	feed_mmap(&s, 10, ~0ull - 0x10, 0x1000, "//d", 4);
	tap_ok(!strcmp(object_at(&s, 10, ~0ull - 8), "//d"), "session: a mapping that wraps ends at the end");
	session_free(&s);
}

/* Build ids of so many objects, of two names in turn and of one more; the first byte is the number. */
static void test_build_ids(void)
{
	enum { NR = 9, SIZE = 36 + 16 };
	static const char *const names[] = { "/z", "/a", "/m" };
	struct pd_file f = { 0 };
	u8 bytes[NR * SIZE] = { 0 };
	unsigned int i;

	for (i = 0; i < NR; i++) {
		struct perf_event_header h = { .misc = PD_MISC_BUILD_ID_SIZE, .size = SIZE };
		u8 *at = bytes + i * SIZE;

		memcpy(at, &h, sizeof(h));
		at[12] = (u8)i;
		at[32] = PD_BUILD_ID_MAX;
		strcpy((char *)at + 36, i == NR - 1 ? names[2] : names[i % 2]);
	}
	f.features[PD_BUILD_ID] = cursor_of(bytes, sizeof(bytes));
	pd_read_features(&f);
	tap_ok(f.nr_build_ids == NR && pd_build_id_of(&f, "/z", 0) == &f.build_ids[0] &&
	       pd_build_id_of(&f, "/a", 0) == &f.build_ids[1] &&
	       pd_build_id_of(&f, "/m", 0) == &f.build_ids[NR - 1] &&
	       pd_build_id_of(&f, "/m", 0)->id[0] == NR - 1,
	       "build ids: an object's is found by name, the first of several");
	tap_ok(pd_build_id_of(&f, "/z", 3) == &f.build_ids[6] && !pd_build_id_of(&f, "/z", 4) &&
	       pd_build_id_of(&f, "/m", 5) == &f.build_ids[NR - 1],
	       "build ids: of several the one that is asked for, or none; of one always that");
	tap_ok(!pd_build_id_of(&f, "/b", 0) && !pd_build_id_of(&f, "", 0) && !pd_build_id_of(&f, "/zz", 0),
	       "build ids: of another there is none");
	pd_close(&f);
}

static void test_nearest(void)
{
	static const char *const names[] = { "mmap", "comm", "com", "x" };
	struct nearest n = { .text = "comn", .under = 3 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		nearest_see(&n, names[i]);
	tap_ok(n.meant && !strcmp(n.meant, "comm"), "names: of those as near, the first");
	n = (struct nearest){ .text = "cxyz", .under = 3 };
	for (i = 0; i < ARRAY_SIZE(names); i++)
		nearest_see(&n, names[i]);
	tap_ok(!n.meant, "names: none is near");
	n = (struct nearest){ .text = "y", .under = 3 };
	nearest_see(&n, "x");
	tap_ok(!n.meant, "names: one whose letters all change was not meant");
}

int main(void)
{
	test_build_ids();
	test_nearest();
	test_lists();
	test_numbers();
	test_metrics();
	test_symbols();
	test_tables();
	test_cursor();
	test_sample_fields();
	test_all_fields();
	test_trailers();
	test_members();
	test_slice();
	test_user_fields();
	test_session();
	return tap_end();
}
