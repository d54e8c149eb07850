// SPDX-License-Identifier: GPL-2.0
/*
 * Writing a perf.data file, or the same through a pipe.
 *
 * Concepts: header, ids and attrs are written first, then data grows. After
 * each round the data size in the header is brought up to date, so that the
 * file can be read even when the tool is killed. Features without which the
 * data cannot be read lie before it; the table of features, which readers look
 * for behind the data, moves on with each round. The other features are added
 * at the end; room for them is held from the start, so that a full disk costs
 * only what did not fit. A pipe is written from front to back: attrs and
 * features are records there.
 * Contexts: record's writer, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"

enum {
	FEATURE_ROOM = 256 * 1024,	/* held for what comes behind the data */
	ALLOCATE_STEP = 1024 * 1024,
	MOST_DEFERRED = 8 * 1024 * 1024,
};

/* One attr as the file has it. */
struct pd_attr {
	u8 attr[PD_ATTR_SIZE];
	struct pd_section ids;
};

static int write_failed(struct pd_writer *w, int err)
{
	/* standard output has no name */
	const char *where = strcmp(w->path, "-") ? w->path : "the pipe";

	if (!w->failed && w->pipe && err == ETIMEDOUT)
		complain("%s: its reader takes nothing, and an end was asked for; the rest is left out", where);
	else if (!w->failed)
		complain("%s: %s", where, strerror(err));
	w->failed = true;
	return -1;
}

static int write_at(struct pd_writer *w, const void *data, size_t size, u64 at)
{
	const u8 *p = data;
	ssize_t n;

	while (size) {
		n = w->pipe ? pipe_write(w->fd, p, size, w->end) :
			      pwrite(w->fd, p, size, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return write_failed(w, n ? errno : EIO);
		p += n;
		at += (u64)n;
		size -= (size_t)n;
	}
	return 0;
}

/* Is there room for data up to end, and for the features behind it? */
static int hold_room(struct pd_writer *w, u64 end)
{
	struct rlimit rl;
	u64 want = end + FEATURE_ROOM;

	if (w->pipe || !w->allocated || want <= w->allocated)
		return 0;
	if (!getrlimit(RLIMIT_FSIZE, &rl) && want > rl.rlim_cur)
		return write_failed(w, EFBIG);
	if (!fallocate(w->fd, FALLOC_FL_KEEP_SIZE, (off_t)w->allocated,
		       (off_t)(want + ALLOCATE_STEP - w->allocated))) {
		w->allocated = want + ALLOCATE_STEP;
		return 0;
	}
	if (!fallocate(w->fd, FALLOC_FL_KEEP_SIZE, (off_t)w->allocated,
		       (off_t)(want - w->allocated))) {
		w->allocated = want;
		return 0;
	}
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		return write_failed(w, errno);
	w->allocated = 0;	/* this file system cannot hold room */
	return 0;
}

/* How many of these bytes belong where the table of leading features stands until the next round. */
static size_t bytes_to_hold(const struct pd_writer *w, size_t size)
{
	size_t room = w->round_size ? w->nr_leading * sizeof(w->leading[0]) - w->displaced.nr : 0;

	return size < room ? size : room;
}

static int put_data(void *arg, const void *data, size_t size)
{
	struct pd_writer *w = arg;
	u64 end = w->data_offset + w->data_size;
	size_t held = bytes_to_hold(w, size);

	if (w->failed || hold_room(w, end + size) ||
	    write_at(w, (const u8 *)data + held, size - held, end + held))
		return -1;
	if (held)
		blob_put(&w->displaced, data, held);
	w->data_size += size;
	return 0;
}

/* Add to the data section. */
int pd_append(struct pd_writer *w, const void *data, size_t size)
{
	if (w->failed)
		return -1;
	return w->zip ? zip_append(w->zip, data, size, put_data, w) : put_data(w, data, size);
}

/* An older file of the name becomes NAME.old, as users of perf expect. */
static void keep_old(const char *path)
{
	struct stat st;
	char *old;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return;
	old = str_printf("%s.old", path);
	if (rename(path, old))
		complain("note: %s could not be kept as %s: %s", path, old, strerror(errno));
	free(old);
}

static int write_ids_and_attrs(struct pd_writer *w, struct pd_header *h)
{
	unsigned int all = w->events->nr + w->events->nr_deferred, i, k;
	struct pd_attr *attrs = mem_zalloc(all, sizeof(*attrs));
	u64 at = PD_HEADER_SIZE;
	int ret = 0;

	for (i = 0; i < all && !ret; i++) {
		const struct pd_out_event *e = &w->events->v[i];

		attr_on_disk(&e->attr, attrs[i].attr);
		attrs[i].ids = (struct pd_section){ at, e->nr_ids * sizeof(u64) };
		for (k = 0; k < e->nr_ids && !ret; k++, at += sizeof(u64))
			ret = write_at(w, &e->ids[k].id, sizeof(u64), at);
	}
	h->attrs.offset = at;
	h->attrs.size = w->nr_events * sizeof(*attrs);
	h->data.offset = at + all * sizeof(*attrs);
	if (!ret)
		ret = write_at(w, attrs, all * sizeof(*attrs), at);
	free(attrs);
	return ret;
}

/* Between attrs and data: what nobody can do without. */
static int write_leading(struct pd_writer *w, struct pd_header *h)
{
	static const enum pd_feature leading[PD_MOST_LEADING] = {
		PD_TRACING_DATA, PD_EVENT_DESC, PD_COMPRESSED,
	};
	u64 at = h->data.offset;
	struct blob b = { 0 };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < PD_MOST_LEADING && !ret; i++) {
		if (!feature_wanted(leading[i], w))
			continue;
		b.nr = 0;
		feature_fill(&b, leading[i], w);
		ret = write_at(w, b.v, b.nr, at);
		w->leading[w->nr_leading++] = (struct pd_section){ at, b.nr };
		w->leading_bits |= 1ull << leading[i];
		at += (b.nr + 7) & ~7ull;
	}
	free(b.v);
	h->data.offset = at;
	return ret;
}

static int create_file(struct pd_writer *w, struct pd_header *h)
{
	struct stat st;

	keep_old(w->path);
	w->fd = open(w->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (w->fd < 0 || fstat(w->fd, &st))
		return complain("%s: %s", w->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return complain("%s has become another thing than a file", w->path);
	if (write_ids_and_attrs(w, h) || write_leading(w, h) || write_at(w, h, sizeof(*h), 0))
		return -1;
	w->data_offset = h->data.offset;
	w->allocated = w->data_offset;
	return hold_room(w, w->data_offset);
}

/* An attr with its ids, as a record. */
static int pipe_attr(struct pd_writer *w, const struct pd_out_event *e)
{
	enum { MOST_IDS = (65528 - sizeof(struct perf_event_header) - PD_ATTR_SIZE) / sizeof(u64) };
	struct perf_event_header h = { .type = PD_RECORD_HEADER_ATTR };
	u8 disk[PD_ATTR_SIZE];
	struct blob b = { 0 };
	unsigned int k;
	int ret;

	if (e->nr_ids > MOST_IDS)
		return complain("-o %s: event '%s' has %u descriptors, and the form for pipes has room for %u; write a file",
				w->path, e->name, e->nr_ids, (unsigned int)MOST_IDS);
	h.size = (u16)(sizeof(h) + PD_ATTR_SIZE + e->nr_ids * sizeof(u64));
	attr_on_disk(&e->attr, disk);
	blob_put(&b, &h, sizeof(h));
	blob_put(&b, disk, sizeof(disk));
	for (k = 0; k < e->nr_ids; k++)
		blob_put(&b, &e->ids[k].id, sizeof(u64));
	ret = put_data(w, b.v, b.nr);
	free(b.v);
	return ret;
}

/* A feature as a record; one too large for that is left out, as perf does. */
static int pipe_feature(struct pd_writer *w, u64 feature)
{
	struct perf_event_header h = { .type = PD_RECORD_HEADER_FEATURE };
	static const u8 zeros[8];
	struct blob b = { 0 };
	int ret = 0;

	blob_put(&b, &h, sizeof(h));
	blob_put(&b, &feature, sizeof(feature));
	feature_fill(&b, (enum pd_feature)feature, w);
	blob_put(&b, zeros, -b.nr & 7);
	if (b.nr <= 65528) {
		h.size = (u16)b.nr;
		memcpy(b.v, &h, sizeof(h));
		ret = put_data(w, b.v, b.nr);
	}
	free(b.v);
	return ret;
}

/* A record, and behind it bytes that its size does not count. */
static int pipe_tracing_data(struct pd_writer *w)
{
	struct {
		struct perf_event_header h;
		u32 size;
	} rec = { .h = { .type = PD_RECORD_TRACING_DATA, .size = sizeof(rec) } };
	static const u8 zeros[8];
	struct blob b = { 0 };
	int ret;

	if (!feature_wanted(PD_TRACING_DATA, w))
		return 0;
	feature_fill(&b, PD_TRACING_DATA, w);
	blob_put(&b, zeros, -b.nr & 7);
	rec.size = (u32)b.nr;
	ret = put_data(w, &rec, sizeof(rec)) || put_data(w, b.v, b.nr) ? -1 : 0;
	free(b.v);
	return ret;
}

static int create_pipe(struct pd_writer *w)
{
	struct {
		char magic[8];
		u64 size;
	} h = { PD_MAGIC, sizeof(h) };
	unsigned int i, f;
	struct stat st;
	int ret;

	/* what standard output leads to may be a file */
	if (fstat(w->fd, &st) || !S_ISREG(st.st_mode))
		w->end = w->settings->end;
	memcpy(h.magic, PD_MAGIC, sizeof(h.magic));
	ret = put_data(w, &h, sizeof(h));
	for (i = 0; i < w->nr_events && !ret; i++)
		ret = pipe_attr(w, &w->events->v[i]);
	/* build ids and times are known only at the end */
	for (f = PD_HOSTNAME; f < 64 && !ret; f++)
		if (f != PD_SAMPLE_TIME && feature_wanted(f, w))
			ret = pipe_feature(w, f);
	return ret ? ret : pipe_tracing_data(w);
}

/* Start a file; the events are open and have their ids. Where w->pipe is set, w->fd is what to write to. */
int pd_create(struct pd_writer *w, const char *path, const struct pd_out_events *l,
	      const struct pd_settings *s)
{
	struct pd_header h = { .size = PD_HEADER_SIZE, .attr_size = sizeof(struct pd_attr) };
	bool pipe = w->pipe;
	int fd = w->fd, ret;

	memset(w, 0, sizeof(*w));
	w->pipe = pipe;
	w->path = path;
	w->events = l;
	w->nr_events = l->nr;
	w->settings = s;
	w->files = s->files ? s->files : &w->own_files;
	memcpy(h.magic, PD_MAGIC, sizeof(h.magic));
	if (pipe) {
		w->fd = fd;
		ret = create_pipe(w);
	} else {
		ret = create_file(w, &h);
	}
	if (!ret && s->level) {
		w->zip = zip_new(s->level);
		ret = w->zip ? 0 : -1;
	}
	w->failed |= ret != 0;
	return ret;
}

static bool deferred_is_used(const struct pd_writer *w)
{
	return w->nr_events == w->events->nr + w->events->nr_deferred;
}

/* The mappings of data that were deferred, at this time: they were there by then. */
static int write_deferred_maps(struct pd_writer *w, u64 time_ns)
{
	u8 *p = w->deferred_maps.v, *end = p + w->deferred_maps.nr;
	struct perf_event_header h;
	int ret;

	for (; p < end; p += h.size) {
		memcpy(&h, p, sizeof(h));
		/* time is the second word of the trailer */
		memcpy(p + h.size - RECORD_TRAILER + sizeof(u64), &time_ns, sizeof(time_ns));
	}
	ret = pd_append(w, w->deferred_maps.v, w->deferred_maps.nr);
	free(w->deferred_maps.v);
	w->deferred_maps = (struct blob){ 0 };
	return ret;
}

/*
 * From now on the file tells of the deferred events, too. Their samples hold
 * stacks, and to unwind them a reader needs to know the mappings of data.
 */
int pd_use_deferred(struct pd_writer *w, u64 time_ns)
{
	u64 size;
	int ret = 0;

	if (deferred_is_used(w))
		return 0;
	for (; !deferred_is_used(w) && !ret; w->nr_events++) {
		size = (w->nr_events + 1) * sizeof(struct pd_attr);
		ret = w->pipe ? pipe_attr(w, &w->events->v[w->nr_events]) :
		      write_at(w, &size, sizeof(size), offsetof(struct pd_header, attrs) +
			       offsetof(struct pd_section, size));
	}
	/* for these, too: readers of a pipe look at it when it comes */
	if (!ret && w->pipe)
		ret = pipe_tracing_data(w);
	return ret ? ret : write_deferred_maps(w, time_ns);
}

/* Look at the file behind a mapping while its process lives, for the build ids at the end. */
static void account_map(struct pd_writer *w, const struct perf_event_header *h)
{
	struct pd_mmap m;
	void **seen;
	u32 file;

	if (!mmap_decode(h, record_raw_body(h), &m) || !m.exec || m.name[0] != '/' || m.name[1] == '/' ||
	    (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
		return;
	file = mapped_file_add(w->files, &m);
	seen = num_map_at(&w->objects_seen, file);
	if (*seen)
		return;
	*seen = w;
	int_list_add(&w->objects, (int)file);
}

static void account_sample(struct pd_totals *t, const struct perf_event_header *h)
{
	const u64 *body = (const u64 *)(h + 1);
	u64 time_ns;

	t->samples++;
	/* RECORD_SAMPLE_TYPE: identifier, ip, pid and tid, time */
	if (h->size < sizeof(*h) + 4 * sizeof(u64))
		return;
	time_ns = body[3];
	if (!t->first_ns || time_ns < t->first_ns)
		t->first_ns = time_ns;
	if (time_ns > t->last_ns)
		t->last_ns = time_ns;
}

/* Look at one whole record that was written, or was not. */
static void account(struct pd_writer *w, const struct perf_event_header *h, bool written)
{
	const u64 *body = (const u64 *)(h + 1);

	w->totals.records += written;
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		if (written)
			account_sample(&w->totals, h);
		else
			w->totals.unwritten++;
		break;
	case PERF_RECORD_LOST:
		w->totals.lost += body[1];
		break;
	case PERF_RECORD_LOST_SAMPLES:
		w->totals.lost_samples += body[0];
		break;
	case PERF_RECORD_THROTTLE:
		w->totals.throttled++;
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		account_map(w, h);
		break;
	}
}

/* A mapping of data, which nobody needs as long as no stack is in the file. */
static bool is_deferred(const struct pd_writer *w, const struct perf_event_header *h)
{
	return !deferred_is_used(w) && h->misc & PERF_RECORD_MISC_MMAP_DATA &&
	       (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2) &&
	       (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER &&
	       w->deferred_maps.nr < MOST_DEFERRED;
}

/* Records from p to end, but for those that are deferred. */
static int append_needed(struct pd_writer *w, const u8 *p, const u8 *end)
{
	const struct perf_event_header *h;
	const u8 *from = p;
	int ret = 0;

	for (; p < end && !ret; p += h->size) {
		h = (const struct perf_event_header *)p;
		if (!is_deferred(w, h))
			continue;
		if (p > from)
			ret = pd_append(w, from, (size_t)(p - from));
		blob_put(&w->deferred_maps, p, h->size);
		from = p + h->size;
	}
	return !ret && end > from ? pd_append(w, from, (size_t)(end - from)) : ret;
}

/* Add whole records to the data section, and count what they tell. */
int pd_records(struct pd_writer *w, const void *data, size_t size)
{
	const u8 *p = data, *end = p + size;
	const struct perf_event_header *h;
	int ret = append_needed(w, p, end);

	for (; p < end; p += h->size) {
		h = (const struct perf_event_header *)p;
		account(w, h, !ret);
		if (w->seen)
			w->seen(w->seen_arg, h);
	}
	return ret;
}

static int write_feature_bits(struct pd_writer *w, u64 bits)
{
	u64 features[4] = { bits };

	return write_at(w, features, sizeof(features), offsetof(struct pd_header, features));
}

/*
 * Header and table tell of all that is there, from now on. Between the writes
 * the header tells of less, but never of what is not so.
 */
static int write_data_size(struct pd_writer *w)
{
	/* the end of the header, in one write */
	struct {
		u64 data_size;
		struct pd_section event_types;
		u64 features[4];
	} end = { .data_size = w->data_size, .features = { w->leading_bits } };
	u64 at = w->data_offset;

	if (!w->pipe &&
	    (write_at(w, w->leading, w->nr_leading * sizeof(w->leading[0]), at + w->data_size) ||
	     write_feature_bits(w, 0) ||
	     write_at(w, w->displaced.v, w->displaced.nr, at + w->round_size) ||
	     write_at(w, &end, sizeof(end), offsetof(struct pd_header, data.size))))
		return -1;
	w->displaced.nr = 0;
	w->round_size = w->data_size;
	return 0;
}

static int flush(struct pd_writer *w)
{
	return w->zip ? zip_flush(w->zip, put_data, w) : 0;
}

/* All that came before is written: mark it, and make what is there readable. */
int pd_round(struct pd_writer *w)
{
	struct perf_event_header round = {
		.type = PD_RECORD_FINISHED_ROUND,
		.size = sizeof(round),
	};

	if (w->failed || flush(w))
		return -1;
	if (w->data_size == w->round_size)
		return 0;
	if (put_data(w, &round, sizeof(round)))
		return -1;
	return write_data_size(w);
}

/* The table of features, the features, the header that names them. */
static int write_features(struct pd_writer *w)
{
	u64 table_at = w->data_offset + w->data_size, at, bits = 0;
	struct pd_section table[64];
	unsigned int f, nr = 0, wanted[64], i;
	struct blob b = { 0 };
	int ret = 0;

	for (f = 0; f < 64; f++)
		if (feature_wanted(f, w)) {
			bits |= 1ull << f;
			wanted[nr++] = f;
		}
	at = table_at + nr * sizeof(table[0]);
	for (i = 0; i < nr && !ret; i++) {
		if (wanted[i] == PD_TRACING_DATA) {
			table[i] = w->leading[0];
			continue;
		}
		b.nr = 0;
		feature_fill(&b, wanted[i], w);
		table[i] = (struct pd_section){ at, b.nr };
		ret = write_at(w, b.v, b.nr, at);
		at += b.nr;
	}
	free(b.v);
	if (!ret)
		ret = write_feature_bits(w, 0) ||
		      write_at(w, table, nr * sizeof(table[0]), table_at) ||
		      write_feature_bits(w, bits) ? -1 : 0;
	/* what was held and not needed; a failure costs only room */
	if (w->allocated && ftruncate(w->fd, (off_t)at))
		complain("note: %s: room on the disk was not given back: %s", w->path,
			 strerror(errno));
	return ret;
}

/*
 * Close the file. What was written stays, also when there was no room for
 * more; the features then go where room was held for them.
 */
int pd_finish(struct pd_writer *w)
{
	bool was_full = w->failed;
	int ret = 0;

	if (w->fd < 0)
		return -1;
	if (!was_full)
		flush(w);
	build_ids_gather(w);
	if (w->pipe)
		ret = put_data(w, w->build_ids.v, w->build_ids.nr) ||
		      (w->totals.samples && pipe_feature(w, PD_SAMPLE_TIME)) ? -1 : 0;
	else
		ret = write_data_size(w) || write_features(w) ? -1 : 0;
	if (close(w->fd) && !ret)
		ret = complain("%s: %s", w->path, strerror(errno));
	zip_free(w->zip);
	w->zip = NULL;
	int_list_free(&w->objects);
	num_map_free(&w->objects_seen, NULL);
	mapped_files_free(&w->own_files);
	free(w->build_ids.v);
	free(w->deferred_maps.v);
	free(w->displaced.v);
	return was_full ? -1 : ret;
}

/* The size of the file but for its features. */
u64 pd_file_size(const struct pd_writer *w)
{
	return w->data_offset + w->data_size;
}
