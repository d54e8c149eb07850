// SPDX-License-Identifier: GPL-2.0
/*
 * Reading damaged files: thousands of mutations of a real recording.
 *
 * Concepts: bits are flipped, numbers replaced by extreme ones, ends cut. The
 * reader must come back, with an error or with a table. Built with the address
 * and undefined behaviour sanitizers, which end the program at the first slip.
 * Names of objects are bent so that no ELF file is read for each round.
 * Usage: unit_hostile RECORDING SCRATCH-FILE ROUNDS
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "profile/profile.h"
#include "random.h"
#include "tap.h"

/* The record in memory of its exact size: reading behind it is seen. */
static int on_record(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		     void *arg)
{
	size_t n = cursor_left(&body);
	u8 *exact = malloc(n ? n : 1);
	int ret;

	memcpy(exact, body.p, n);
	body.p = exact;
	body.end = exact + n;
	ret = gather_record(arg, f, h, body);
	free(exact);
	return ret;
}

/* A view that touches everything: every other time callees, and lines for all functions. */
static void view_all(const struct profile *p, unsigned int nr_events, bool turned)
{
	struct view v = { .mode = turned ? CHAIN_CALLEES : CHAIN_CALLERS, .children = turned };
	struct tree tree = { 0 };
	struct hist h;
	u32 i;

	view_parse_keys(&v, "-s", "comm,object,symbol,pid,tid,cpu");
	hist_build(&h, p, &v, 0, nr_events);
	for (i = 0; i < h.nr_order; i++)
		tree_build(&tree, &h, h.order[i]);
	tree_free(&tree);
	hist_free(&h);
}

/* Read it all. 0: a table came out; -1: the file was refused. */
static int read_file(const char *path, u64 *samples)
{
	struct profile p;
	struct session s;
	struct gather g = { .profile = &p, .time = { 0, ~0ull } };
	struct pd_file f;
	unsigned int i;
	int ret;

	if (pd_open(&f, path))
		return -1;
	session_init(&s, &f, "/dev/null", false);
	profile_init(&p, &s, f.nr_events);
	p.chains = true;
	for (i = 0; i < NR_SORT; i++)
		p.keep[i] = true;
	ret = pd_walk(&f, on_record, &g);
	gather_end(&g);
	view_all(&p, f.nr_events, f.size & 1);
	for (*samples = 0, i = 0; i < f.nr_events; i++)
		*samples += p.events[i].samples;
	profile_free(&p);
	session_free(&s);
	pd_close(&f);
	return ret;
}

/* Bend "/usr/..." and the like, so that objects are not found. */
static void bend_names(u8 *bytes, size_t size)
{
	size_t i;

	for (i = 0; i + 4 < size; i++)
		if (!memcmp(bytes + i, "/usr", 4) || !memcmp(bytes + i, "/tmp", 4) ||
		    !memcmp(bytes + i, "[vds", 4))
			bytes[i + 1] = 'x';
}

static void mutate(u8 *bytes, size_t *size)
{
	static const u64 extremes[] = {
		0, 1, 7, 8, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1ull << 32, 1ull << 63, ~0ull,
		~0ull - 7, ~0ull - 4095,
	};
	unsigned int n = 1 + (unsigned int)(next_random() % 8);
	size_t at;

	while (n--) {
		/* the header and the first records deserve more than their share */
		at = next_random() % (next_random() & 1 ? 400 : *size);
		if (at >= *size)
			at = *size - 1;
		switch (next_random() % 4) {
		case 0:
		case 1:
			bytes[at] ^= 1u << next_random() % 8;
			break;
		case 2:
			at &= ~(size_t)7;
			if (at + 8 <= *size)
				memcpy(bytes + at, &extremes[next_random() %
							     ARRAY_SIZE(extremes)], 8);
			break;
		default:
			if (next_random() % 16 == 0)
				*size = 1 + at;
		}
	}
}

static void write_file(const char *path, const u8 *bytes, size_t size)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f)) {
		printf("Bail out! %s cannot be written\n", path);
		exit(1);
	}
}

static u8 *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "re");
	u8 *bytes = malloc(1 << 22);

	if (!f || !bytes) {
		printf("Bail out! %s cannot be read\n", path);
		exit(1);
	}
	*size = fread(bytes, 1, 1 << 22, f);
	fclose(f);
	return bytes;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 3 ? (unsigned int)atoi(argv[3]) : 1000, i;
	unsigned int refused = 0, read = 0, cut_read = 0;
	u64 samples = 0, all = 0;
	size_t size, cut;
	u8 *bytes, *copy;
	char said[4096];
	bool good;

	random_state = 0x2545f4914f6cdd1dull;
	if (argc < 3)
		return 2;
	bytes = read_whole(argv[1], &size);
	bend_names(bytes, size);
	copy = malloc(size);
	write_file(argv[2], bytes, size);
	/* what the reader says is not wanted, what a sanitizer says is kept */
	snprintf(said, sizeof(said), "%s.said", argv[2]);
	if (!freopen(said, "w", stderr))
		return 2;
	good = !read_file(argv[2], &all);
	tap_ok(good && all > 50, "the recording itself is read (%llu samples)",
	       (unsigned long long)all);
	for (i = 0; i < rounds; i++) {
		cut = size;
		memcpy(copy, bytes, size);
		mutate(copy, &cut);
		write_file(argv[2], copy, cut);
		if (read_file(argv[2], &samples))
			refused++;
		else
			read++;
	}
	tap_ok(refused && read, "%u mutations: %u refused, %u read, no slip", rounds, refused, read);
	for (cut = 0; cut < size; cut += 1 + size / 300) {
		write_file(argv[2], bytes, cut);
		/* whatever is lost behind the data is only a feature */
		cut_read += !read_file(argv[2], &samples) && samples != all;
	}
	tap_ok(!cut_read, "files cut within the data are refused, never read short");
	unlink(argv[2]);
	free(bytes);
	free(copy);
	return tap_end();
}
