// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings in the form for pipes: a short header, then all is records.
 *
 * Concepts: what comes from a pipe is kept in a file without a name first, so
 * that one reader does for all. Events, names and features are records there;
 * they are gathered in two passes over the headers of all records,
 * events first.
 * Contexts: opening of a recording.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"

/* Copy all that comes; the descriptor of the copy, or -1 with the error told. */
int pd_spool(const struct pd_file *f, int from)
{
	const char *tmp = getenv("TMPDIR");
	char *path = str_printf("%s/pcl-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	static u8 buf[1 << 16];
	ssize_t n = -1;

	if (fd >= 0)
		unlink(path);
	while (fd >= 0 && (n = read(from, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || write_whole(fd, buf, (size_t)n)) {
			n = -1;
			break;
		}
	}
	if (n < 0) {
		complain("%s: cannot be copied to a file in %s: %s (TMPDIR names another place)",
			 f->path, tmp && *tmp ? tmp : "/tmp", strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

static int take_header_attr(struct pd_file *f, struct cursor body)
{
	struct cursor peek = body, attr;
	u32 size;

	cursor_u32(&peek);
	size = cursor_u32(&peek);
	if (size < PERF_ATTR_SIZE_VER0)
		return pd_damaged(f, "an event has a wrong size");
	attr = cursor_part(&body, size);
	if (body.bad)
		return pd_damaged(f, "an event is cut");
	pd_take_attr(f, attr, body);
	return 0;
}

static void take_feature(struct pd_file *f, struct cursor body)
{
	u64 id = cursor_u64(&body);

	if (!body.bad && id < PD_NR_FEATURES)
		f->features[id] = body;
}

/* A name that an event is given later. */
static void take_update(struct pd_file *f, struct cursor body)
{
	enum { UPDATE_NAME = 2 };
	u64 kind = cursor_u64(&body), id = cursor_u64(&body);
	const char *name = cursor_text(&body, cursor_left(&body));
	int event = pd_event_of_id(f, id);

	if (body.bad || kind != UPDATE_NAME || event < 0)
		return;
	free(f->events[event].name);
	f->events[event].name = str_dup(name);
}

/* A record with what follows it. */
struct pipe_record {
	struct perf_event_header h;
	struct cursor whole, body, behind;
};

static int take_event(struct pd_file *f, const struct pipe_record *r)
{
	if (r->h.type != PD_RECORD_HEADER_ATTR)
		return 0;
	if (f->nr_events >= PD_MAX_EVENTS)
		return pd_damaged(f, "there are too many events");
	return take_header_attr(f, r->body);
}

static int take_other(struct pd_file *f, const struct pipe_record *r)
{
	switch (r->h.type) {
	case PD_RECORD_HEADER_FEATURE:
		take_feature(f, r->body);
		break;
	case PD_RECORD_EVENT_UPDATE:
		take_update(f, r->body);
		break;
	case PD_RECORD_TRACING_DATA:
		f->features[PD_TRACING_DATA] = r->behind;
		break;
	case PD_RECORD_BUILD_ID:
		pd_read_build_ids(f, r->whole);
		break;
	}
	return 0;
}

/* Up to the first record that is damaged: the walk will tell of that. */
static int scan(struct pd_file *f, int (*take)(struct pd_file *f, const struct pipe_record *r))
{
	struct cursor c = cursor_of(f->map, f->size), peek;
	struct pipe_record r;

	c.swap = f->swap;
	cursor_skip(&c, PD_PIPE_HEADER_SIZE);
	while (cursor_left(&c) >= sizeof(r.h)) {
		r.h = record_header(f, c.p);
		if (r.h.size < sizeof(r.h) || r.h.size > cursor_left(&c))
			return 0;
		r.whole = r.body = cursor_part(&c, r.h.size);
		cursor_skip(&r.body, sizeof(r.h));
		peek = c;
		r.behind = cursor_part(&peek, record_trace_size(&r.h, r.body));
		if (peek.bad)
			return 0;
		c = peek;
		if (take(f, &r))
			return -1;
	}
	return 0;
}

/* Find events and features among the records; the mapped file begins with the header. */
int pd_scan_pipe(struct pd_file *f)
{
	f->parts[0].from = PD_PIPE_HEADER_SIZE;
	if (scan(f, take_event))
		return -1;
	if (!f->nr_events)
		return pd_damaged(f, "it tells of no events");
	return pd_check_events(f) || scan(f, take_other) ? -1 : 0;
}
