// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the way from records to rows: what is kept of places and chains from sample to sample is theirs.
 *
 * Concepts: one chain of addresses, again and again, while what lies at them
 * changes: the mappings of the process and of the kernel, the process, the level
 * at which the chain begins. The names of objects lead to no files.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
#include "profile/profile.h"
#include "tap.h"

enum { KERNEL = PERF_RECORD_MISC_KERNEL, USER = PERF_RECORD_MISC_USER };

static struct session s;
static struct profile p;
static u64 now = 1;

static void map(u16 misc, s32 pid, u64 start, u64 len, const char *name)
{
	struct {
		u32 pid, tid;
		u64 start, len, pgoff;
		char name[16];
	} body = { (u32)pid, (u32)pid, start, len, 0, "" };
	struct perf_event_header h = { .type = PERF_RECORD_MMAP, .misc = misc };

	strncpy(body.name, name, sizeof(body.name) - 1);
	session_record(&s, &h, cursor_of(&body, sizeof(body)));
}

static void sample(u16 mode, s32 pid, u64 ip, const u64 *chain, size_t nr)
{
	struct pd_sample to = {
		.cpumode = mode, .pid = pid, .tid = pid, .ip = ip, .period = 1, .time_ns = now,
		.chain = cursor_of(chain, nr * sizeof(*chain)),
	};

	session_at(&s, now++);
	batch_add(&p, 0, &to);
}

/* Samples of this stack, outermost first: the names of objects. */
static u64 samples_of(const char *stack)
{
	u32 funcs[STACK_MAX], i, k, n;
	u64 found = 0;
	char text[1024];	/* none here is longer */
	size_t at;

	batch_flush(&p);
	for (i = 0; i < p.nr_rows; i++) {
		n = profile_unwind(&p, p.rows[i].stack, funcs);
		for (at = 0, k = n; k; k--)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at ? " " : "",
					       p.funcs[funcs[k - 1]].object->name);
		found += strcmp(text, stack) ? 0 : p.rows[i].samples;
	}
	return found;
}

static void test_chains(void)
{
	static const u64 user[] = { PERF_CONTEXT_USER, 0x10010, 0x20010 };
	static const u64 both[] = { PERF_CONTEXT_KERNEL, 0x90010, 0x91010, PERF_CONTEXT_USER, 0x10010 };
	static const u64 bare[] = { 0x10010, 0x20000 };
	static const u64 left[] = { PERF_CONTEXT_USER, 0x20000 };
	unsigned int i;

	map(USER, 1, 0x10000, 0x1000, "/x/a");
	map(USER, 1, 0x20000, 0x1000, "/x/b");
	map(USER, 2, 0x10000, 0x1000, "/x/a");
	map(USER, 2, 0x20000, 0x1000, "/x/c");
	map(KERNEL, -1, 0x90000, 0x1000, "[one]");
	map(KERNEL, -1, 0x91000, 0x1000, "[two]");
	for (i = 0; i < 3; i++) {
		sample(USER, 1, 0x10010, user, ARRAY_SIZE(user));
		sample(USER, 2, 0x10010, user, ARRAY_SIZE(user));
		sample(KERNEL, 2, 0x90010, both, ARRAY_SIZE(both));
	}
	tap_ok(samples_of("/x/b /x/a") == 3 && samples_of("/x/c /x/a") == 3, "a chain is looked up in its process");
	tap_ok(samples_of("/x/a [two] [one]") == 3, "kernel and user");
	map(USER, 1, 0x20000, 0x1000, "/x/d");
	map(KERNEL, -1, 0x91000, 0x1000, "[three]");
	for (i = 0; i < 2; i++) {
		sample(USER, 1, 0x10010, user, ARRAY_SIZE(user));
		sample(USER, 2, 0x10010, user, ARRAY_SIZE(user));
		sample(KERNEL, 2, 0x90010, both, ARRAY_SIZE(both));
	}
	tap_ok(samples_of("/x/d /x/a") == 2 && samples_of("/x/b /x/a") == 3, "and anew when that maps something else");
	tap_ok(samples_of("/x/c /x/a") == 5, "in another process it is what it was");
	tap_ok(samples_of("/x/a [three] [one]") == 2 && samples_of("/x/a [two] [one]") == 3, "so it is for the kernel's");
	/* 0x20000 as a return address lies before the mapping, as a place that was left in it */
	sample(USER, 1, 0x10010, bare, ARRAY_SIZE(bare));
	tap_ok(samples_of("[unknown] /x/a") == 1, "a return address is of the call before it");
	sample(KERNEL, 1, 0x90010, left, ARRAY_SIZE(left));
	tap_ok(samples_of("/x/d [one]") == 1, "the place where a level was left is not");
	sample(USER, 1, 0x10010, left, ARRAY_SIZE(left));
	sample(USER, 1, 0x10010, left, 1);
	sample(USER, 1, 0x10010, NULL, 0);
	tap_ok(samples_of("/x/a") == 3, "a chain without callers");
}

/* top does this from time to time. */
static void test_forget(void)
{
	static const u64 user[] = { PERF_CONTEXT_USER, 0x10010, 0x20010 };
	u64 other[64] = { PERF_CONTEXT_USER };
	unsigned int i;

	for (i = 1; i < ARRAY_SIZE(other); i++)
		other[i] = i & 1 ? 0x20010 : 0x10010;
	batch_flush(&p);
	profile_fade(&p, true);
	tap_ok(!samples_of("/x/d /x/a"), "what was forgotten has gone");
	/* as many stacks as there were before */
	sample(USER, 1, 0x20010, other, ARRAY_SIZE(other));
	sample(USER, 1, 0x10010, user, ARRAY_SIZE(user));
	tap_ok(samples_of("/x/d /x/a") == 1, "stacks are made anew after that");
}

/* The places of samples are looked for some at a time then. */
static void test_without_chains(void)
{
	static const struct { s32 pid; u64 ip; const char *object; } rows[] = {
		{ 1, 0x10010, "/x/a" }, { 1, 0x20010, "/x/d" }, { 2, 0x20010, "/x/c" }, { 2, 0x30000, "[unknown]" },
		{ 1, 0x20010, "/x/d" },
	};
	u64 before[ARRAY_SIZE(rows)];
	unsigned int i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		before[i] = samples_of(rows[i].object);
	p.chains = false;
	for (i = 0; i < ARRAY_SIZE(rows) * 20; i++)
		sample(USER, rows[i % ARRAY_SIZE(rows)].pid, rows[i % ARRAY_SIZE(rows)].ip, NULL, 0);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		bad += samples_of(rows[i].object) != before[i] + 20 * (1 + !strcmp(rows[i].object, "/x/d"));
	p.chains = true;
	tap_ok(!bad, "without chains, each sample has its place");
}

/* More than are remembered, of places and of chains, and more than a batch holds. */
static void test_many(void)
{
	u64 chain[3] = { PERF_CONTEXT_USER, 0x10010, 0 }, before = samples_of("/x/d /x/a");
	u32 i, k;

	map(USER, 3, 0x10000, 0x1000, "/x/a");
	map(USER, 3, 0x100000, 1 << 20, "/x/e");
	for (k = 0; k < 2; k++)
		for (i = 0; i < 200000; i++) {
			chain[2] = 0x100001 + i * 5;
			sample(USER, 3, 0x10010, chain, ARRAY_SIZE(chain));
		}
	tap_ok(samples_of("/x/e /x/a") == 400000, "many places and chains");
	tap_ok(samples_of("/x/d /x/a") == before, "leave others as they were");
}

/* SPARC's callers are calls: none is taken back, and one may be the first of what is mapped. */
static void test_calls(struct pd_file *f)
{
	static const u64 user[] = { PERF_CONTEXT_USER, 0x10010, 0x20000 };

	f->arch = "sparc64";
	session_init(&s, f, "/dev/null", false);
	profile_init(&p, &s, 1);
	p.chains = true;
	map(USER, 1, 0x10000, 0x1000, "/x/a");
	map(USER, 1, 0x20000, 0x1000, "/x/b");
	sample(USER, 1, 0x10010, user, ARRAY_SIZE(user));
	tap_ok(samples_of("/x/b /x/a") == 1, "a caller of SPARC's is the call itself");
	profile_free(&p);
	session_free(&s);
}

int main(void)
{
	struct pd_event event = { .attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN };
	struct pd_file f = { .events = &event, .nr_events = 1, .path = "none", .arch = "x86_64" };

	session_init(&s, &f, "/dev/null", false);
	profile_init(&p, &s, 1);
	p.chains = true;
	test_chains();
	test_forget();
	test_without_chains();
	test_many();
	profile_free(&p);
	session_free(&s);
	test_calls(&f);
	return tap_end();
}
