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
#include <sys/mman.h>

#include "internal.h"
#include "script/script.h"

static void print_comm(const struct perf_event_header *h, struct cursor body)
{
	struct pd_comm c;

	comm_decode(h, body, &c);
	printf("PERF_RECORD_COMM%s: %s:%d/%d", c.exec ? " exec" : "", visible(c.name), c.pid, c.tid);
}

static void print_fork(u32 type, struct cursor body)
{
	struct pd_fork f;

	fork_decode(body, &f);
	printf("PERF_RECORD_%s(%d:%d):(%d:%d)", type == PERF_RECORD_FORK ? "FORK" : "EXIT",
	       f.pid, f.tid, f.ppid, f.ptid);
}

static void print_file(const struct pd_mmap *m)
{
	char hex[2 * PD_BUILD_ID_MAX + 1];

	if (m->by_build_id)
		printf("<%s>", format_hex(hex, m->build_id, m->build_id_len));
	else
		printf("%02x:%02x %" PRIu64 " %" PRIu64, m->major, m->minor, m->inode,
		       m->generation);
}

static void print_mmap(const struct perf_event_header *h, struct cursor body)
{
	struct pd_mmap m;

	mmap_decode(h, body, &m);
	printf("PERF_RECORD_MMAP%s %d/%d: [0x%" PRIx64 "(0x%" PRIx64 ") @ %s%" PRIx64,
	       m.v2 ? "2" : "", m.pid, m.tid, m.start, m.len, m.pgoff ? "0x" : "", m.pgoff);
	if (!m.v2) {
		printf("]: %c %s", m.exec ? 'x' : 'r', visible(m.name));
		return;
	}
	putchar(' ');
	print_file(&m);
	printf("]: %c%c%c%c %s", m.prot & PROT_READ ? 'r' : '-', m.prot & PROT_WRITE ? 'w' : '-',
	       m.exec ? 'x' : '-', m.flags & MAP_SHARED ? 's' : 'p', visible(m.name));
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
		   session_comm(&sc->s, tid == -1 ? 0 : tid), trailer.cpu,
		   trailer.time_ns,
		   sc->no_chains || !(attr->sample_type & PERF_SAMPLE_CALLCHAIN));
	switch (h->type) {
	case PERF_RECORD_COMM:
		print_comm(h, body);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		print_fork(h->type, body);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		print_mmap(h, body);
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
