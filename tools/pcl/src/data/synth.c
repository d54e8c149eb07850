// SPDX-License-Identifier: GPL-2.0
/*
 * Records for what existed before the recording: kernel, processes, events.
 *
 * Concepts: the kernel tells of mappings and names only as they change, so the
 * tool writes the same records for those already there. Each carries the
 * trailer of sample_id_all, all zeros: "before everything".
 * Contexts: start of record.
 * Locks: none. A process may end while it is looked at; it is skipped then.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

/* A record under construction: the longest has a path, and fields before and behind it. */
struct out_record {
	struct perf_event_header h;
	u8 body[8192];
};

static size_t align8(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* Add the trailer and write; used is the part of the body that is filled. */
static void emit(struct pd_writer *w, struct out_record *r, u32 type, u16 misc, size_t used)
{
	size_t padded = align8(used);

	memset(r->body + used, 0, padded - used + RECORD_TRAILER);
	r->h.type = type;
	r->h.misc = misc;
	r->h.size = (u16)(sizeof(r->h) + padded + RECORD_TRAILER);
	pd_records(w, r, r->h.size);
}

/* A record of the tool's own: no trailer. */
static void emit_plain(struct pd_writer *w, struct out_record *r, u32 type, size_t used)
{
	r->h.type = type;
	r->h.misc = 0;
	r->h.size = (u16)(sizeof(r->h) + align8(used));
	pd_append(w, r, r->h.size);
}

static size_t put_name(u8 *at, const char *name)
{
	size_t n = strlen(name);

	if (n > PATH_MAX - 1)
		n = PATH_MAX - 1;
	memcpy(at, name, n);
	at[n] = 0;
	return n + 1;
}

static void emit_mmap(struct pd_writer *w, u16 misc, u64 start, u64 len, u64 pgoff,
		      const char *name)
{
	struct out_record r;
	struct {
		s32 pid, tid;
		u64 start, len, pgoff;
	} m = { misc == PERF_RECORD_MISC_KERNEL ? -1 : 0, 0, start, len, pgoff };

	memcpy(r.body, &m, sizeof(m));
	emit(w, &r, PERF_RECORD_MMAP, misc, sizeof(m) + put_name(r.body + sizeof(m), name));
}

/* One line "mod size refs deps state 0xaddr" of /proc/modules. */
static void synth_module(struct pd_writer *w, char *line)
{
	char name[128], label[160];
	unsigned long long size, addr;

	if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &addr) != 3 || !addr)
		return;
	snprintf(label, sizeof(label), "[%s]", name);
	emit_mmap(w, PERF_RECORD_MISC_KERNEL, addr, size, 0, label);
}

/* Kernel text and modules, when kallsyms may show addresses. */
void synth_kernel(struct pd_writer *w)
{
	unsigned long long addr, start = 0, end = 0;
	char line[512], name[256], type;
	FILE *f = fopen("/proc/kallsyms", "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %c %255s", &addr, &type, name) != 3)
			continue;
		if (!start && (!strcmp(name, "_text") || !strcmp(name, "_stext")))
			start = addr;
		if (!strcmp(name, "_etext"))
			end = addr;
		if (start && end)
			break;
	}
	if (f)
		fclose(f);
	if (!start) {
		complain("note: kernel addresses are hidden (kernel.kptr_restrict is %ld), so samples in the kernel will have no names; run as root with CAP_SYSLOG, or sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1",
			 file_read_long("/proc/sys/kernel/kptr_restrict", 1));
		return;
	}
	if (end <= start)
		end = ~0ull;
	emit_mmap(w, PERF_RECORD_MISC_KERNEL, start, end - start, start,
		  "[kernel.kallsyms]_text");
	f = fopen("/proc/modules", "re");
	while (f && fgets(line, sizeof(line), f))
		synth_module(w, line);
	if (f)
		fclose(f);
}

static void emit_comm(struct pd_writer *w, s32 pid, s32 tid, const char *comm)
{
	struct out_record r;
	s32 ids[2] = { pid, tid };

	memcpy(r.body, ids, sizeof(ids));
	emit(w, &r, PERF_RECORD_COMM, 0, sizeof(ids) + put_name(r.body + sizeof(ids), comm));
}

static void emit_fork(struct pd_writer *w, s32 pid, s32 tid)
{
	struct out_record r;
	struct {
		s32 pid, ppid, tid, ptid;
		u64 time;
	} m = { pid, pid, tid, pid, 0 };

	memcpy(r.body, &m, sizeof(m));
	emit(w, &r, PERF_RECORD_FORK, 0, sizeof(m));
}

/* A line of /proc/PID/maps becomes a MMAP2 record, of data only where that is asked for. */
static void synth_map_line(struct pd_writer *w, s32 pid, char *line)
{
	unsigned long long start, end, off, ino;
	unsigned int maj, min;
	struct out_record r;
	char prot[8];
	int at = 0;
	struct {
		s32 pid, tid;
		u64 start, len, pgoff;
		u32 maj, min;
		u64 ino, gen;
		u32 prot, flags;
	} m = { 0 };

	if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, prot, &off, &maj,
		   &min, &ino, &at) < 7)
		return;
	if (prot[2] != 'x' && !w->settings->data_maps)
		return;
	line[strcspn(line, "\n")] = '\0';
	m.pid = m.tid = pid;
	m.start = start;
	m.len = end - start;
	m.pgoff = off;
	m.maj = maj;
	m.min = min;
	m.ino = ino;
	m.prot = (prot[0] == 'r' ? PROT_READ : 0) | (prot[1] == 'w' ? PROT_WRITE : 0) |
		 (prot[2] == 'x' ? PROT_EXEC : 0);
	m.flags = prot[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	memcpy(r.body, &m, sizeof(m));
	emit(w, &r, PERF_RECORD_MMAP2,
	     PERF_RECORD_MISC_USER | (prot[2] == 'x' ? 0 : PERF_RECORD_MISC_MMAP_DATA),
	     sizeof(m) + put_name(r.body + sizeof(m), at && line[at] ? line + at : "//anon"));
}

static void synth_maps(struct pd_writer *w, int pid)
{
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	while (getline(&line, &room, f) > 0)
		synth_map_line(w, pid, line);
	free(line);
	fclose(f);
}

/* The process that a thread is of; itself when there is no telling. */
static int process_of(int tid)
{
	char path[64], *status, *p;
	int pid = tid;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	status = file_read_text(path);
	p = status ? strstr(status, "\nTgid:") : NULL;
	if (p)
		pid = atoi(p + 6);
	free(status);
	return pid;
}

/* The name of one task, read from /proc unless it is given. */
static void synth_task(struct pd_writer *w, int tid, const char *comm)
{
	char path[64], *text = NULL;
	int pid;

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	if (!comm)
		comm = text = file_read_text(path);
	if (!comm)
		return;
	pid = process_of(tid);
	if (pid != tid)
		emit_fork(w, pid, tid);
	emit_comm(w, pid, tid, comm);
	free(text);
}

/* A whole process: names of its threads, the first one's unless comm is it; executable mappings. */
void synth_process(struct pd_writer *w, int pid, const char *comm)
{
	struct dirent *de;
	char path[64];
	DIR *dir;

	synth_task(w, pid, comm);
	synth_maps(w, pid);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (de = readdir(dir)) != NULL)
		if (isdigit((unsigned char)de->d_name[0]) && atoi(de->d_name) != pid)
			synth_task(w, atoi(de->d_name), NULL);
	if (dir)
		closedir(dir);
}

/* The processes of these threads, each once. */
void synth_processes(struct pd_writer *w, const struct int_list *tids)
{
	struct int_list told = { 0 };
	unsigned int i;
	int pid;

	for (i = 0; i < tids->nr; i++) {
		pid = process_of(tids->v[i]);
		if (int_list_has(&told, pid))
			continue;
		int_list_add(&told, pid);
		synth_process(w, pid, NULL);
	}
	int_list_free(&told);
}

void synth_all_processes(struct pd_writer *w)
{
	DIR *dir = opendir("/proc");
	struct dirent *de;

	while (dir && (de = readdir(dir)) != NULL)
		if (isdigit((unsigned char)de->d_name[0]))
			synth_process(w, atoi(de->d_name), NULL);
	if (dir)
		closedir(dir);
}

/* What one descriptor of an event lost; the trailer names the event. */
void synth_lost(struct pd_writer *w, u64 id, u64 lost)
{
	struct out_record r = {
		.h = {
			.type = PERF_RECORD_LOST_SAMPLES,
			.size = sizeof(r.h) + sizeof(lost) + RECORD_TRAILER,
		},
	};

	memcpy(r.body, &lost, sizeof(lost));
	/* the id is the last field of the trailer */
	memcpy(r.body + sizeof(lost) + RECORD_TRAILER - sizeof(id), &id, sizeof(id));
	pd_records(w, &r, r.h.size);
}

/* ID_INDEX: which id counts on which CPU and task. */
static void synth_id_index(struct pd_writer *w)
{
	enum { PER_RECORD = 200 };
	struct out_record r;
	u64 nr = 0, row[4];
	unsigned int i, k;

	for (i = 0; i < w->nr_events; i++)
		for (k = 0; k < w->events->v[i].nr_ids; k++) {
			const struct pd_out_id *id = &w->events->v[i].ids[k];

			row[0] = id->id;
			row[1] = id->cpu_index;
			row[2] = (u64)(s64)id->cpu;
			row[3] = (u64)(s64)id->tid;
			memcpy(r.body + 8 + nr++ * sizeof(row), row, sizeof(row));
			if (nr < PER_RECORD)
				continue;
			memcpy(r.body, &nr, sizeof(nr));
			emit_plain(w, &r, PD_RECORD_ID_INDEX, 8 + nr * sizeof(row));
			nr = 0;
		}
	if (!nr)
		return;
	memcpy(r.body, &nr, sizeof(nr));
	emit_plain(w, &r, PD_RECORD_ID_INDEX, 8 + nr * sizeof(row));
}

static void emit_update(struct pd_writer *w, u64 kind, u64 id, const void *data, size_t size)
{
	u64 head[2] = { kind, id };
	struct out_record r = { 0 };

	memcpy(r.body, head, sizeof(head));
	memcpy(r.body + sizeof(head), data, size);
	emit_plain(w, &r, PD_RECORD_EVENT_UPDATE, sizeof(head) + size);
}

/* What a reader should know of the events: ids, units, scales, names. */
void synth_events(struct pd_writer *w)
{
	enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME };
	unsigned int i;

	synth_id_index(w);
	for (i = 0; i < w->nr_events; i++) {
		const struct pd_out_event *e = &w->events->v[i];

		if (!e->nr_ids)
			continue;
		if (e->unit) {
			emit_update(w, UPDATE_UNIT, e->ids[0].id, e->unit, strlen(e->unit) + 1);
			emit_update(w, UPDATE_SCALE, e->ids[0].id, &e->scale,
				    sizeof(e->scale));
		}
		emit_update(w, UPDATE_NAME, e->ids[0].id, e->name,
			    strnlen(e->name, 4000) + (strlen(e->name) < 4000));
	}
}

/* What existed before the recording has been told. */
void synth_init_end(struct pd_writer *w)
{
	struct out_record r;

	emit_plain(w, &r, PD_RECORD_FINISHED_INIT, 0);
}
