// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of reading: one made-up recording in every form a file can have.
 *
 * Concepts: samples of two events fall into rings at random times; the rings
 * are emptied one after the other, pass after pass, as a recorder does. Written
 * plainly, compressed (cut without regard to records), for a pipe, as a
 * directory, in the other byte order and without marks of passes, the reader
 * must deliver them in order of time, each with its own content.
 * Usage: unit_read SCRATCH-DIRECTORY
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "internal.h"
#include "data/read.h"
#include "random.h"
#include "tap.h"

enum { SAMPLES = 6000, RINGS = 5, PASSES = 40, EVENTS = 2 };

/* Bytes being written, in either byte order. */
struct out {
	u8 *v;
	size_t nr, room;
	bool swap;
};

static void put(struct out *o, const void *p, size_t n)
{
	while (o->nr + n > o->room) {
		o->room = o->room ? o->room * 2 : 1 << 16;
		o->v = mem_resize(o->v, o->room, 1);
	}
	if (n)
		memcpy(o->v + o->nr, p, n);
	o->nr += n;
}

static void put16(struct out *o, u16 v)
{
	v = o->swap ? __builtin_bswap16(v) : v;
	put(o, &v, sizeof(v));
}

static void put32(struct out *o, u32 v)
{
	v = o->swap ? __builtin_bswap32(v) : v;
	put(o, &v, sizeof(v));
}

static void put64(struct out *o, u64 v)
{
	v = o->swap ? __builtin_bswap64(v) : v;
	put(o, &v, sizeof(v));
}

static void put_header(struct out *o, u32 type, u16 misc, size_t body)
{
	put32(o, type);
	put16(o, misc);
	put16(o, (u16)(body + 8));
}

/* ---- the recording ---- */

static struct fake {
	u64 time_ns, ip, id;
	u32 tid, cpu;
	u64 period;
	u64 chain[3];
	unsigned int nr_chain;
	unsigned int pass;
} samples[SAMPLES];

static const u64 event_ids[EVENTS] = { 0x1122334455667788ull, 77 };

enum { TYPE = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN };

/* Ring k is emptied in pass r at this time. */
static u64 drain_time(unsigned int r, unsigned int k)
{
	return 1000 + ((u64)r * RINGS + k) * 1000000;
}

static void make_samples(void)
{
	u64 now = 1000;
	unsigned int i, k;

	for (i = 0; i < SAMPLES; i++) {
		struct fake *s = &samples[i];

		now += 1 + next_random() % (2 * (u64)PASSES * RINGS * 1000000 / SAMPLES - 40000);
		*s = (struct fake){ .time_ns = now, .ip = next_random(), .period = next_random(),
				    .id = event_ids[next_random() % EVENTS],
				    .tid = (u32)next_random() % 1000,
				    .cpu = (u32)(next_random() % RINGS),
				    .nr_chain = (unsigned int)(next_random() % 4) };
		for (k = 0; k < s->nr_chain; k++)
			s->chain[k] = next_random();
		while (drain_time(s->pass, s->cpu) < now)
			s->pass++;
	}
}

static void put_sample(struct out *o, const struct fake *s)
{
	unsigned int k;

	put_header(o, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * (7 + s->nr_chain));
	put64(o, s->id);
	put64(o, s->ip);
	put32(o, 5);
	put32(o, s->tid);
	put64(o, s->time_ns);
	put32(o, s->cpu);
	put32(o, 0);
	put64(o, s->period);
	put64(o, s->nr_chain);
	for (k = 0; k < s->nr_chain; k++)
		put64(o, s->chain[k]);
}

/* Pass after pass, ring after ring; of all CPUs, or of one. */
static void put_records(struct out *o, bool rounds, int only_cpu)
{
	unsigned int r, k, i, last = samples[SAMPLES - 1].pass + 1;

	for (r = 0; r <= last; r++) {
		for (k = 0; k < RINGS; k++)
			for (i = 0; i < SAMPLES && (only_cpu < 0 || (int)k == only_cpu); i++)
				if (samples[i].pass == r && samples[i].cpu == k)
					put_sample(o, &samples[i]);
		if (rounds)
			put_header(o, PD_RECORD_FINISHED_ROUND, 0, 0);
	}
}

/* ---- the forms ---- */

/* Of attrs, without what a file has behind each. */
static u32 attr_size = PERF_ATTR_SIZE_VER0;
/* How the bitmap of features is written: as words of 64 bits, or of 32. */
static bool features_in_halves;

static void put_features(struct out *o, u64 bits)
{
	unsigned int i;

	for (i = 0; i < 4; i++, bits = 0) {
		if (!features_in_halves) {
			put64(o, bits);
			continue;
		}
		put32(o, (u32)bits);
		put32(o, (u32)(bits >> 32));
	}
}

/* As kernels of VER0, without what came later; or as long as ours. */
static void put_attr(struct out *o, unsigned int i)
{
	/*
	 * precise_ip, of two bits, ends the second byte and begins the third; sample_id_all is the 19th bit. Each byte begins
	 * at its other end there, and what comes first of a field is its highest bit. precise_ip is 1 or 2, sample_id_all
	 * is set.
	 */
	static const u8 flags_of[2][EVENTS][8] = {
		{ { 0, 0x80, 0x04 }, { 0, 0, 0x05 } },
		{ { 0, 0, 0xa0 }, { 0, 0x01, 0x20 } },
	};
	const u8 *flags = flags_of[o->swap][i];

	put32(o, PERF_TYPE_SOFTWARE);
	put32(o, attr_size);
	put64(o, i);
	put64(o, 4000);
	put64(o, TYPE);
	put64(o, 0);
	put(o, flags, 8);
	put32(o, 0);
	put32(o, 0);
	put64(o, 0);
	if (attr_size == PERF_ATTR_SIZE_VER0)
		return;
	put64(o, 0x1020304050607);		/* config2 */
	put64(o, 1);
	put64(o, 2);
	put32(o, 8192 + i);			/* sample_stack_user */
	put32(o, (u32)-3);
	put64(o, 0xff0000000000ull + i);		/* sample_regs_intr */
	put32(o, 0);
	put16(o, 127);				/* sample_max_stack */
	put16(o, 0);
	put32(o, 0x10203);			/* aux_sample_size */
	put32(o, 0);
	put64(o, 0x1122334455667788);		/* sig_data */
}

/* Is that what came of it? */
static bool attr_is(const struct perf_event_attr *a, unsigned int i)
{
	if (a->type != PERF_TYPE_SOFTWARE || a->config != i || a->sample_period != 4000 || a->sample_type != TYPE ||
	    !a->sample_id_all || a->freq || a->disabled || a->exclude_host || a->precise_ip != i + 1)
		return false;
	if (attr_size == PERF_ATTR_SIZE_VER0)
		return !a->config2 && !a->sample_stack_user && !a->sample_regs_intr && !a->aux_sample_size && !a->sig_data;
	return a->config2 == 0x1020304050607 && a->branch_sample_type == 1 && a->sample_regs_user == 2 &&
	       a->sample_stack_user == 8192 + i && a->clockid == -3 &&
	       a->sample_regs_intr == 0xff0000000000ull + i && a->sample_max_stack == 127 &&
	       a->aux_sample_size == 0x10203 && a->sig_data == 0x1122334455667788;
}

static void put_string(struct out *o, const char *s)
{
	put32(o, 64);
	put(o, s, strlen(s));
	put(o, (char[64]){ 0 }, 64 - strlen(s));
}

/* A file with sections around these records. */
static void put_file(struct out *o, const struct out *data, unsigned int feature)
{
	u64 at = PD_HEADER_SIZE, attrs = at + 8 * EVENTS, size = attr_size + 16;
	u64 begin = attrs + EVENTS * size, end = begin + data->nr;
	unsigned int i;

	put(o, o->swap ? PD_MAGIC_SWAPPED : PD_MAGIC, 8);
	put64(o, PD_HEADER_SIZE);
	put64(o, size);
	put64(o, attrs);
	put64(o, EVENTS * size);
	put64(o, begin);
	put64(o, data->nr);
	put64(o, 0);
	put64(o, 0);
	put_features(o, 1ull << PD_HOSTNAME | 1ull << feature);
	for (i = 0; i < EVENTS; i++)
		put64(o, event_ids[i]);
	for (i = 0; i < EVENTS; i++) {
		put_attr(o, i);
		put64(o, at + 8 * i);
		put64(o, 8);
	}
	put(o, data->v, data->nr);
	/* two features: a name, and one that is empty */
	put64(o, end + 32);
	put64(o, 68);
	put64(o, end + 32 + 68);
	put64(o, 0);
	put_string(o, "somewhere");
}

static void put_pipe(struct out *o, const struct out *data)
{
	unsigned int i;

	put(o, o->swap ? PD_MAGIC_SWAPPED : PD_MAGIC, 8);
	put64(o, PD_PIPE_HEADER_SIZE);
	for (i = 0; i < EVENTS; i++) {
		put_header(o, PD_RECORD_HEADER_ATTR, 0, attr_size + 8);
		put_attr(o, i);
		put64(o, event_ids[i]);
	}
	put_header(o, PD_RECORD_EVENT_UPDATE, 0, 24);
	put64(o, 2);
	put64(o, event_ids[1]);
	put(o, "renamed", 8);
	/* the blob of tracepoint formats lies behind its record */
	put_header(o, PD_RECORD_TRACING_DATA, 0, 4);
	put32(o, 13);
	put(o, "behind record   ", 16);
	put_header(o, PD_RECORD_HEADER_FEATURE, 0, 8 + 68);
	put64(o, PD_HOSTNAME);
	put_string(o, "somewhere");
	put(o, data->v, data->nr);
}

/* One stream of zstd over all, cut anywhere; marks of rounds stay outside as perf has them. */
static void compress(struct out *o, const struct out *data, u32 kind)
{
	static char packed[1 << 17];
	ZSTD_CStream *z = ZSTD_createCStream();
	size_t at = 0, take, pad;

	ZSTD_initCStream(z, 3);
	while (at < data->nr) {
		ZSTD_inBuffer in;
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		take = 1 + next_random() % 30000;
		take = take > data->nr - at ? data->nr - at : take;
		in = (ZSTD_inBuffer){ data->v + at, take, 0 };
		ZSTD_compressStream(z, &out, &in);
		while (ZSTD_flushStream(z, &out))
			;
		at += in.pos;
		pad = kind == PD_RECORD_COMPRESSED2 ? -out.pos & 7 : 0;
		put_header(o, kind, 0, out.pos + pad + (kind == PD_RECORD_COMPRESSED2 ? 8 : 0));
		if (kind == PD_RECORD_COMPRESSED2)
			put64(o, out.pos);
		put(o, packed, out.pos);
		put(o, (char[8]){ 0 }, pad);
	}
	ZSTD_freeCStream(z);
}

static void write_out(const struct out *o, const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(o->v, 1, o->nr, f) != o->nr || fclose(f)) {
		printf("Bail out! %s cannot be written\n", path);
		exit(1);
	}
}

/* ---- reading it again ---- */

struct seen {
	unsigned int nr, wrong, disorder;
	u64 last_ns;
};

static int look(struct pd_file *f, const struct perf_event_header *h, struct cursor body, void *arg)
{
	struct seen *seen = arg;
	const struct fake *want = &samples[seen->nr];
	struct pd_sample s;
	unsigned int k;
	int event;

	if (h->type != PERF_RECORD_SAMPLE)
		return 0;
	event = sample_event(f, body);
	if (seen->nr >= SAMPLES || event < 0 ||
	    sample_decode(&f->events[event].attr, h, body, &s)) {
		seen->wrong++;
		return 0;
	}
	seen->disorder += s.time_ns < seen->last_ns;
	seen->last_ns = s.time_ns;
	seen->wrong += event_ids[event] != want->id || s.ip != want->ip || s.pid != 5 ||
		       s.tid != (s32)want->tid || s.time_ns != want->time_ns ||
		       s.cpu != want->cpu || s.period != want->period ||
		       cursor_left(&s.chain) != 8 * want->nr_chain;
	for (k = 0; k < want->nr_chain; k++)
		seen->wrong += cursor_u64(&s.chain) != want->chain[k];
	seen->nr++;
	return 0;
}

static void check(const char *path, const char *what)
{
	struct seen seen = { 0 };
	struct pd_file f;
	int ret = pd_open(&f, path);

	if (!tap_ok(!ret, "%s: is opened", what))
		return;
	ret = pd_walk(&f, look, &seen);
	tap_ok(!ret && seen.nr == SAMPLES && !seen.wrong && !seen.disorder,
	       "%s: all samples, in order, each as it was (%u of %d; %u wrong, %u back in time)",
	       what, seen.nr, SAMPLES, seen.wrong, seen.disorder);
	tap_ok(attr_is(&f.events[0].attr, 0) && attr_is(&f.events[1].attr, 1), "%s: the attrs", what);
	tap_ok(f.hostname && !strcmp(f.hostname, "somewhere"), "%s: the feature", what);
	if (f.pipe)
		tap_ok(!strcmp(f.events[1].name, "renamed") &&
		       cursor_left(&f.features[PD_TRACING_DATA]) == 16,
		       "%s: the event's name and the tracing data", what);
	pd_close(&f);
}

/* Whether the reader refuses it. */
static void check_refused(const char *path, const char *what)
{
	struct seen seen = { 0 };
	struct pd_file f;
	int ret = pd_open(&f, path);

	if (!ret) {
		ret = pd_walk(&f, look, &seen);
		pd_close(&f);
	}
	tap_ok(ret, "%s is refused", what);
}

struct form {
	const char *what;
	bool rounds, swap, pipe, longer, halves;
	u32 packed;
};

static void test_form(const char *path, const struct form *form)
{
	struct out data = { .swap = form->swap }, packed = { .swap = form->swap };
	struct out file = { .swap = form->swap };

	attr_size = form->longer ? PD_ATTR_SIZE : PERF_ATTR_SIZE_VER0;
	features_in_halves = form->halves;
	put_records(&data, form->rounds, -1);
	if (form->packed)
		compress(&packed, &data, form->packed);
	if (form->pipe)
		put_pipe(&file, form->packed ? &packed : &data);
	else
		put_file(&file, form->packed ? &packed : &data, PD_COMPRESSED);
	write_out(&file, path);
	check(path, form->what);
	attr_size = PERF_ATTR_SIZE_VER0;
	features_in_halves = false;
	free(data.v);
	free(packed.v);
	free(file.v);
}

/* A file of the other byte order whose only features are these, as words of 64 bits: what the reader takes them for. */
static u64 features_taken(const char *path, u64 bits)
{
	struct out data = { .swap = true }, file = { .swap = true };
	struct pd_file f;
	u64 taken = ~0ull;

	put_file(&file, &data, PD_HOSTNAME);
	file.nr = PD_HEADER_SIZE - 4 * sizeof(u64);
	put_features(&file, bits);
	/* what is behind the header stays, and features are empty */
	file.nr += 8 * EVENTS + EVENTS * (attr_size + 16) + 32 + 68;
	memset(file.v + file.nr - 68 - 32, 0, 32);
	write_out(&file, path);
	if (!pd_open(&f, path)) {
		taken = f.header.features[0];
		pd_close(&f);
	}
	free(data.v);
	free(file.v);
	return taken;
}

static void test_features(const char *path)
{
	const u64 dir = 1ull << PD_DIR_FORMAT, host = 1ull << PD_HOSTNAME, far = 1ull << (32 + PD_HOSTNAME);

	tap_ok(features_taken(path, host | dir) == (host | dir), "features: HOSTNAME where it should be");
	tap_ok(features_taken(path, far | dir << 32) == (host | dir), "features: HOSTNAME in the other half");
	tap_ok(features_taken(path, dir) == dir, "features: without HOSTNAME they are where they seem to be");
	tap_ok(features_taken(path, far | host | dir) == (far | host | dir), "features: with both they are, too");
}

static void test_directory(const char *scratch)
{
	char dir[256], path[300];
	struct out empty = { 0 }, file = { 0 };
	int i;

	snprintf(dir, sizeof(dir), "%s/directory", scratch);
	mkdir(dir, 0700);
	put_file(&file, &empty, PD_DIR_FORMAT);
	snprintf(path, sizeof(path), "%s/data", dir);
	write_out(&file, path);
	for (i = 0; i < RINGS; i++) {
		struct out data = { 0 };

		put_records(&data, i & 1, i);
		snprintf(path, sizeof(path), "%s/data.%d", dir, i);
		write_out(&data, path);
		free(data.v);
	}
	check(dir, "directory");
	free(file.v);
}

/* A few bytes that zstd would blow up to gigabytes. */
static void test_bomb(const char *path)
{
	static u8 zeros[1 << 20];
	struct out data = { 0 }, file = { 0 };
	ZSTD_CStream *z = ZSTD_createCStream();
	static char packed[60000];
	ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
	unsigned int i;
	size_t k;

	/* records of eight bytes without a time, so that none waits */
	for (k = 0; k + 8 <= sizeof(zeros); k += 8)
		memcpy(zeros + k, &(struct perf_event_header){ .type = 250, .size = 8 }, 8);
	ZSTD_initCStream(z, 19);
	for (i = 0; i < 400; i++) {
		ZSTD_inBuffer in = { zeros, sizeof(zeros), 0 };

		while (in.pos < in.size && out.pos < out.size)
			ZSTD_compressStream(z, &out, &in);
	}
	while (ZSTD_flushStream(z, &out) && out.pos < out.size)
		;
	put_header(&data, PD_RECORD_COMPRESSED, 0, out.pos);
	put(&data, packed, out.pos);
	put_file(&file, &data, PD_COMPRESSED);
	write_out(&file, path);
	check_refused(path, "400 MB packed into a few bytes");
	ZSTD_freeCStream(z);
	free(data.v);
	free(file.v);
}

/* Damage to what is compressed. */
static void test_bad_packing(const char *path)
{
	struct out data = { 0 }, packed = { 0 }, file = { 0 };

	put_records(&data, true, -1);
	compress(&packed, &data, PD_RECORD_COMPRESSED);
	packed.v[8] ^= 0xff;
	put_file(&file, &packed, PD_COMPRESSED);
	write_out(&file, path);
	check_refused(path, "a stream that is not zstd's");
	packed.nr = file.nr = 0;
	data.nr -= 12;
	compress(&packed, &data, PD_RECORD_COMPRESSED);
	put_file(&file, &packed, PD_COMPRESSED);
	write_out(&file, path);
	check_refused(path, "a cut record at the end of the stream");
	data.nr = packed.nr = file.nr = 0;
	put_header(&data, PD_RECORD_COMPRESSED, 0, 0);
	compress(&packed, &data, PD_RECORD_COMPRESSED);
	put_file(&file, &packed, PD_COMPRESSED);
	write_out(&file, path);
	check_refused(path, "what is compressed twice");
	free(data.v);
	free(packed.v);
	free(file.v);
}

int main(int argc, char **argv)
{
	static const struct form forms[] = {
		{ "plain", .rounds = true },
		{ "without rounds" },
		{ "compressed", .rounds = true, .packed = PD_RECORD_COMPRESSED },
		{ "compressed, the newer kind", .packed = PD_RECORD_COMPRESSED2 },
		{ "pipe", .rounds = true, .pipe = true },
		{ "pipe, compressed", .rounds = true, .pipe = true, .packed = PD_RECORD_COMPRESSED },
		{ "other byte order", .rounds = true, .swap = true },
		{ "other byte order, compressed", .rounds = true, .swap = true,
		  .packed = PD_RECORD_COMPRESSED2 },
		{ "other byte order, pipe", .rounds = true, .swap = true, .pipe = true },
		{ "longer attrs", .rounds = true, .longer = true },
		{ "longer attrs, other byte order", .rounds = true, .longer = true, .swap = true },
		{ "longer attrs, other byte order, pipe", .rounds = true, .longer = true, .swap = true, .pipe = true },
		{ "other byte order, features in halves", .rounds = true, .swap = true, .halves = true },
	};
	char path[256];
	size_t i;

	random_state = 0x9e3779b97f4a7c15ull;
	if (argc < 2)
		return 2;
	snprintf(path, sizeof(path), "%s/form.data", argv[1]);
	make_samples();
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		test_form(path, &forms[i]);
	test_features(path);
	test_directory(argv[1]);
	test_bad_packing(path);
	test_bomb(path);
	return tap_end();
}
