// SPDX-License-Identifier: GPL-2.0
/*
 * Writing a perf.data file.
 *
 * Concepts: header, ids and attrs are written first, then data grows. After
 * each pass over the rings the data size in the header is brought up to date,
 * so that the file can be read even when the tool is killed. Features are
 * added at the end.
 * Contexts: record.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

/* One attr as the file has it. */
struct pd_attr {
	u8 attr[PD_ATTR_SIZE];
	struct pd_section ids;
};

int pd_write_at(struct pd_writer *w, const void *data, size_t size, u64 at)
{
	const u8 *p = data;
	ssize_t n;

	while (size) {
		n = pwrite(w->fd, p, size, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (!w->failed)
				complain("%s: %s", w->path, strerror(n ? errno : EIO));
			w->failed = true;
			return -1;
		}
		p += n;
		at += (u64)n;
		size -= (size_t)n;
	}
	return 0;
}

/* Add to the data section. */
int pd_append(struct pd_writer *w, const void *data, size_t size)
{
	if (pd_write_at(w, data, size, w->data_offset + w->data_size))
		return -1;
	w->data_size += size;
	return 0;
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

static unsigned int nr_ids(const struct event *e)
{
	unsigned int i, n = 0;

	for (i = 0; i < e->nr_cpus * e->nr_tids; i++)
		n += e->fd[i] >= 0;
	return n;
}

static int write_ids_and_attrs(struct pd_writer *w, const struct event_list *l,
			       struct pd_header *h)
{
	struct pd_attr *attrs = mem_zalloc(l->nr, sizeof(*attrs));
	u64 at = PD_HEADER_SIZE;
	unsigned int i, k;
	int ret = 0;

	for (i = 0; i < l->nr && !ret; i++) {
		struct event *e = l->v[i];
		struct perf_event_attr attr = e->attr;

		attr.size = PD_ATTR_SIZE;
		memcpy(attrs[i].attr, &attr,
		       sizeof(attr) < PD_ATTR_SIZE ? sizeof(attr) : PD_ATTR_SIZE);
		attrs[i].ids.offset = at;
		attrs[i].ids.size = nr_ids(e) * sizeof(u64);
		for (k = 0; k < e->nr_cpus * e->nr_tids && !ret; k++) {
			if (e->fd[k] < 0)
				continue;
			ret = pd_write_at(w, &e->id[k], sizeof(u64), at);
			at += sizeof(u64);
		}
	}
	h->attrs.offset = at;
	h->attrs.size = l->nr * sizeof(*attrs);
	h->data.offset = at + h->attrs.size;
	if (!ret)
		ret = pd_write_at(w, attrs, h->attrs.size, at);
	free(attrs);
	return ret;
}

/* Start a file; the events are open and have their ids. */
int pd_create(struct pd_writer *w, const char *path, const struct event_list *l)
{
	struct pd_header h = { .size = PD_HEADER_SIZE, .attr_size = sizeof(struct pd_attr) };

	memset(w, 0, sizeof(*w));
	w->path = path;
	keep_old(path);
	w->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (w->fd < 0)
		return complain("%s: %s", path, strerror(errno));
	memcpy(h.magic, PD_MAGIC, sizeof(h.magic));
	if (write_ids_and_attrs(w, l, &h) || pd_write_at(w, &h, sizeof(h), 0))
		return -1;
	w->data_offset = h.data.offset;
	return 0;
}

/* Remember the file behind a mapping, for the build ids at the end. */
static void account_map(struct pd_writer *w, const struct perf_event_header *h)
{
	const u8 *body = (const u8 *)(h + 1);
	size_t name_at = h->type == PERF_RECORD_MMAP2 ? 64 : 32;
	size_t room = h->size - sizeof(*h);
	const char *name = (const char *)body + name_at;

	if (room > name_at && memchr(name, 0, room - name_at) && name[0] == '/' &&
	    name[1] != '/' && (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		str_set_add(&w->objects, name);
}

/* Look at one whole record on its way to the file. */
void pd_account(struct pd_writer *w, const struct perf_event_header *h)
{
	const u64 *body = (const u64 *)(h + 1);
	u64 time_ns;

	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		w->totals.samples++;
		/* RECORD_SAMPLE_TYPE: identifier, ip, pid and tid, time */
		if (h->size < sizeof(*h) + 4 * sizeof(u64))
			break;
		time_ns = body[3];
		if (!w->totals.first_ns || time_ns < w->totals.first_ns)
			w->totals.first_ns = time_ns;
		if (time_ns > w->totals.last_ns)
			w->totals.last_ns = time_ns;
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

static int write_data_size(struct pd_writer *w)
{
	return pd_write_at(w, &w->data_size, sizeof(u64),
			   offsetof(struct pd_header, data) + offsetof(struct pd_section, size));
}

/* A pass over all rings is over: mark it, and make what is there readable. */
int pd_round(struct pd_writer *w)
{
	struct perf_event_header round = {
		.type = PD_RECORD_FINISHED_ROUND,
		.size = sizeof(round),
	};

	if (w->data_size == w->round_size)
		return 0;
	if (pd_append(w, &round, sizeof(round)))
		return -1;
	w->round_size = w->data_size;
	return write_data_size(w);
}

static bool feature_wanted(unsigned int f, const struct event_list *l,
			   const struct pd_writer *w)
{
	unsigned int i;

	switch (f) {
	case PD_BUILD_ID ... PD_EVENT_DESC:
	case PD_PMU_MAPPINGS:
		return true;
	case PD_GROUP_DESC:
		for (i = 0; i < l->nr; i++)
			if (l->v[i]->nr_members > 1)
				return true;
		return false;
	case PD_SAMPLE_TIME:
		return w->totals.samples > 0;
	default:
		return false;
	}
}

/* Features, then the header that names them. The file is closed. */
int pd_finish(struct pd_writer *w, const struct event_list *l, char **argv)
{
	u64 table_at = w->data_offset + w->data_size, at, features[4] = { 0 };
	struct pd_section table[64];
	unsigned int f, nr = 0, wanted[64], i;
	struct blob b = { 0 };
	int ret = 0;

	for (f = 0; f < 64; f++)
		if (feature_wanted(f, l, w)) {
			features[f / 64] |= 1ull << f % 64;
			wanted[nr++] = f;
		}
	at = table_at + nr * sizeof(table[0]);
	for (i = 0; i < nr && !ret; i++) {
		b.nr = 0;
		feature_fill(&b, wanted[i], w, l, argv);
		table[i] = (struct pd_section){ at, b.nr };
		ret = pd_write_at(w, b.v, b.nr, at);
		at += b.nr;
	}
	free(b.v);
	if (!ret)
		ret = pd_write_at(w, table, nr * sizeof(table[0]), table_at);
	if (!ret)
		ret = pd_write_at(w, features, sizeof(features),
				  offsetof(struct pd_header, features));
	if (!ret)
		ret = write_data_size(w);
	if (close(w->fd) && !ret)
		ret = complain("%s: %s", w->path, strerror(errno));
	str_set_free(&w->objects);
	return ret;
}
