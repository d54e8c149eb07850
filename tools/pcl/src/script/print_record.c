// SPDX-License-Identifier: GPL-2.0
/*
 * Records that are no samples, as text: tasks, mappings, switches, losses.
 *
 * Concepts: the form is that of perf script. A record is shown under the name
 * that its task has after it.
 * Contexts: script.
 * Locks: none.
 */
#include <inttypes.h>
#include <string.h>

#include "internal.h"
#include "script/script.h"

/* The text at the end of a record; "" when it has no end. */
static const char *text_of(struct cursor *c)
{
	const char *s = (const char *)c->p;

	return cursor_left(c) && memchr(s, 0, cursor_left(c)) ? s : "";
}

static void print_comm(u16 misc, struct cursor c)
{
	s32 pid = (s32)cursor_u32(&c), tid = (s32)cursor_u32(&c);

	printf("PERF_RECORD_COMM%s: %s:%d/%d", misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "",
	       text_of(&c), pid, tid);
}

static void print_fork(u32 type, struct cursor c)
{
	s32 pid = (s32)cursor_u32(&c), ppid = (s32)cursor_u32(&c);
	s32 tid = (s32)cursor_u32(&c), ptid = (s32)cursor_u32(&c);

	printf("PERF_RECORD_%s(%d:%d):(%d:%d)", type == PERF_RECORD_FORK ? "FORK" : "EXIT",
	       pid, tid, ppid, ptid);
}

static void print_mmap(const struct perf_event_header *h, struct cursor c)
{
	s32 pid = (s32)cursor_u32(&c), tid = (s32)cursor_u32(&c);
	u64 start = cursor_u64(&c), len = cursor_u64(&c), off = cursor_u64(&c);

	printf("PERF_RECORD_MMAP %d/%d: [0x%" PRIx64 "(0x%" PRIx64 ") @ %s%" PRIx64 "]: %c %s",
	       pid, tid, start, len, off ? "0x" : "", off,
	       h->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x', text_of(&c));
}

static void print_file(const struct perf_event_header *h, struct cursor *c)
{
	u32 major, minor, i;
	u64 inode, generation;
	u8 id[24];

	if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		cursor_bytes(c, id, sizeof(id));
		putchar('<');
		for (i = 0; i < id[0] && i < PD_BUILD_ID_MAX; i++)
			printf("%02x", id[4 + i]);
		putchar('>');
		return;
	}
	major = cursor_u32(c);
	minor = cursor_u32(c);
	inode = cursor_u64(c);
	generation = cursor_u64(c);
	printf("%02x:%02x %" PRIu64 " %" PRIu64, major, minor, inode, generation);
}

static void print_mmap2(const struct perf_event_header *h, struct cursor c)
{
	s32 pid = (s32)cursor_u32(&c), tid = (s32)cursor_u32(&c);
	u64 start = cursor_u64(&c), len = cursor_u64(&c), off = cursor_u64(&c);
	u32 prot, flags;

	printf("PERF_RECORD_MMAP2 %d/%d: [0x%" PRIx64 "(0x%" PRIx64 ") @ %s%" PRIx64 " ", pid, tid,
	       start, len, off ? "0x" : "", off);
	print_file(h, &c);
	prot = cursor_u32(&c);
	flags = cursor_u32(&c);
	printf("]: %c%c%c%c %s", prot & 1 ? 'r' : '-', prot & 2 ? 'w' : '-', prot & 4 ? 'x' : '-',
	       flags & 1 ? 's' : 'p', text_of(&c));
}

static void print_switch(const struct perf_event_header *h, struct cursor c)
{
	bool out = h->misc & PERF_RECORD_MISC_SWITCH_OUT;
	bool preempt = h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	s32 pid, tid;

	if (h->type == PERF_RECORD_SWITCH) {
		printf("PERF_RECORD_SWITCH %-3s %-7s", out ? "OUT" : "IN",
		       out && preempt ? "preempt" : "");
		return;
	}
	pid = (s32)cursor_u32(&c);
	tid = (s32)cursor_u32(&c);
	printf("PERF_RECORD_SWITCH_CPU_WIDE %-3s %-7s %s pid/tid: %5d/%-5d", out ? "OUT" : "IN",
	       out && preempt ? "preempt" : "", out ? "next" : "prev", pid, tid);
}

static void print_lost(const struct perf_event_header *h, struct cursor c)
{
	if (h->type == PERF_RECORD_LOST)
		cursor_skip(&c, 8);
	printf("PERF_RECORD_%s lost %" PRIu64,
	       h->type == PERF_RECORD_LOST ? "LOST" : "LOST_SAMPLES", cursor_u64(&c));
}

bool wants_record(const struct script *sc, u32 type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return sc->show_task;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return sc->show_mmap;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return sc->show_switch;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return sc->show_lost;
	}
	return false;
}

/* The thread that the record is about: its own, or else that of the trailer. */
static s32 subject(const struct perf_event_header *h, struct cursor c, s32 trailer_tid)
{
	switch (h->type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		cursor_skip(&c, 4);
		return (s32)cursor_u32(&c);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		cursor_skip(&c, 8);
		return (s32)cursor_u32(&c);
	}
	return trailer_tid;
}

void print_record(struct script *sc, const struct perf_event_header *h, struct cursor body)
{
	const struct perf_event_attr *attr = trailer_attr(&sc->file, body);
	u32 shown = sc->shown[0] & (FIELD(COMM) | FIELD(PID) | FIELD(TID) | FIELD(TIME) |
				    FIELD(CPU));
	struct pd_sample trailer;
	s32 tid;

	sample_trailer(attr, h, body, &trailer);
	tid = subject(h, body, trailer.tid);
	print_task(sc, shown, trailer.pid, trailer.tid,
		   session_thread(&sc->s, tid == -1 ? 0 : tid)->comm, trailer.cpu,
		   trailer.time_ns,
		   sc->no_chains || !(attr->sample_type & PERF_SAMPLE_CALLCHAIN));
	switch (h->type) {
	case PERF_RECORD_COMM:
		print_comm(h->misc, body);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		print_fork(h->type, body);
		break;
	case PERF_RECORD_MMAP:
		print_mmap(h, body);
		break;
	case PERF_RECORD_MMAP2:
		print_mmap2(h, body);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		print_switch(h, body);
		break;
	default:
		print_lost(h, body);
	}
	putchar('\n');
}
