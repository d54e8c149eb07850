// SPDX-License-Identifier: GPL-2.0
/*
 * Processes and what they map, as the records tell.
 *
 * Concepts: a process refers to a table of mappings. FORK shares the parent's
 * table, MMAP replaces it by one with a mapping more, exec begins a new one.
 * Samples are unwound some time after they were taken: the table from before an
 * exec stays behind the new one, and a process that ended is kept for
 * KEEP_NS. Times are those of the records, as far as they have one.
 * Contexts: one thread at a time takes in records; unwinders look up tables
 * under rcu_read_lock(). Both are known to RCU by rcu_thread().
 * Locks: none; what readers see is published by RCU, and freed by call_rcu().
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unwind/private.h"

/* How long samples may be behind the records, in the records' time. */
#define KEEP_NS 10000000000ull
/* Tables kept of the programs that one process was before. */
enum { MAX_OLDER = 4 };

/* One for each process; owner: the tasks. */
struct unwind_process {
	struct cds_lfht_node node;
	struct rcu_head rcu;
	s32 pid;
	struct unwind_maps *maps; /* [R] */
	u64 exit_ns;		/* [writer] 0: it has not ended */
	bool listed;		/* [writer] among the ended */
	struct unwind_process *next_ended; /* [writer] */
};

struct unwind_tasks {
	struct cds_lfht *processes;
	const struct pd_file *file; /* NULL: records come as they are made */
	struct str_set object_keys;
	struct unwind_object **objects;	/* same index as object_keys */
	struct unwind_process *ended, **last_ended; /* in the order they ended */
};

static struct unwind_tasks *new_tasks(const struct pd_file *f)
{
	struct unwind_tasks *t = mem_zalloc(1, sizeof(*t));

	t->file = f;
	t->last_ended = &t->ended;
	t->processes = cds_lfht_new(64, 64, 0, CDS_LFHT_AUTO_RESIZE, NULL);
	if (!t->processes) {
		complain("no memory for the table of processes");
		exit(EXIT_PCL);
	}
	return t;
}

/* For records that are taken in while they are made: files are those of now. */
struct unwind_tasks *unwind_tasks_new(void)
{
	return new_tasks(NULL);
}

/* For the records of a file: objects are opened by name, and by build-id where it is told. */
struct unwind_tasks *unwind_tasks_of_file(const struct pd_file *f)
{
	return new_tasks(f);
}

static void free_process_rcu(struct rcu_head *head)
{
	free(caa_container_of(head, struct unwind_process, rcu));
}

static void process_remove(struct unwind_tasks *t, struct unwind_process *p)
{
	rcu_read_lock();
	cds_lfht_del(t->processes, &p->node);
	rcu_read_unlock();
	unwind_maps_put(p->maps);
	call_rcu(&p->rcu, free_process_rcu);
}

/* No unwinder may be left. */
void unwind_tasks_free(struct unwind_tasks *t)
{
	struct unwind_process *p;
	struct cds_lfht_iter iter;
	unsigned int i;

	if (!t)
		return;
	rcu_thread();
	rcu_read_lock();
	cds_lfht_for_each_entry(t->processes, &iter, p, node)
		process_remove(t, p);
	rcu_read_unlock();
	rcu_barrier();
	cds_lfht_destroy(t->processes, NULL);
	for (i = 0; i < t->object_keys.nr; i++)
		free(t->objects[i]);
	free(t->objects);
	str_set_free(&t->object_keys);
	free(t);
}

/* The multiplier is 2^64 divided by the golden ratio (Knuth, vol. 3, 6.4). */
static unsigned long hash_pid(s32 pid)
{
	return (u32)pid * 0x9e3779b97f4a7c15ull >> 16;
}

static int same_pid(struct cds_lfht_node *node, const void *key)
{
	return caa_container_of(node, struct unwind_process, node)->pid == *(const s32 *)key;
}

static struct unwind_process *process_find(const struct unwind_tasks *t, s32 pid)
{
	struct cds_lfht_iter iter;
	struct cds_lfht_node *node;

	cds_lfht_lookup(t->processes, hash_pid(pid), same_pid, &pid, &iter);
	node = cds_lfht_iter_get_node(&iter);
	return node ? caa_container_of(node, struct unwind_process, node) : NULL;
}

/* For readers: what the process mapped at this time; NULL: nothing is known of it. */
const struct unwind_maps *tasks_maps(struct unwind_tasks *t, s32 pid, u64 time_ns)
{
	struct unwind_process *p = process_find(t, pid);
	const struct unwind_maps *m = p ? rcu_dereference(p->maps) : NULL;

	while (m && m->older && time_ns < m->since_ns)
		m = m->older;
	return m;
}

bool tasks_live(const struct unwind_tasks *t)
{
	return !t->file;
}

unsigned int tasks_nr_objects(const struct unwind_tasks *t)
{
	return t->object_keys.nr;
}

const struct unwind_object *tasks_object(const struct unwind_tasks *t, unsigned int i)
{
	return t->objects[i];
}

/* The writer's own look-up: only it removes, so what it finds stays. */
static struct unwind_process *process_of(struct unwind_tasks *t, s32 pid, bool make)
{
	struct unwind_process *p;

	rcu_read_lock();
	p = process_find(t, pid);
	if (!p && make) {
		p = mem_zalloc(1, sizeof(*p));
		p->pid = pid;
		cds_lfht_add(t->processes, hash_pid(pid), &p->node);
	}
	rcu_read_unlock();
	return p;
}

static void process_set_maps(struct unwind_process *p, struct unwind_maps *m)
{
	struct unwind_maps *old = p->maps;

	rcu_assign_pointer(p->maps, m);
	unwind_maps_put(old);
}

/* Keep the table from before behind m; what is older than MAX_OLDER programs is let go. */
static void maps_keep_older(struct unwind_maps *m, struct unwind_maps *before)
{
	struct unwind_maps *b;
	unsigned int nr = 0;

	for (b = before; b; b = b->older)
		nr++;
	if (!before || nr < MAX_OLDER) {
		m->older = before;
		if (before)
			before->users++;
		return;
	}
	m->older = unwind_maps_alone(before);
}

static void on_comm(struct unwind_tasks *t, const struct perf_event_header *h, struct cursor body,
		    u64 time_ns)
{
	struct unwind_process *p;
	struct unwind_maps *m;
	struct pd_comm c;

	if (!comm_decode(h, body, &c) || !c.exec)
		return;
	p = process_of(t, c.pid, false);
	if (!p || !p->maps)
		return;
	m = unwind_maps_after(p->maps, time_ns);
	maps_keep_older(m, p->maps);
	process_set_maps(p, m);
}

/* The number of the process was used before, or its own records came first. */
static void fork_over(struct unwind_process *child, struct unwind_maps *parent, u64 time_ns)
{
	struct unwind_maps *own = unwind_maps_after(child->maps, time_ns);
	struct unwind_maps *m = unwind_maps_both(own, parent);

	unwind_maps_put(own);
	maps_keep_older(m, child->maps);
	process_set_maps(child, m);
}

static void on_fork(struct unwind_tasks *t, struct cursor body, u64 time_ns)
{
	struct unwind_process *parent, *child;
	struct pd_fork f;

	if (!fork_decode(body, &f) || f.pid == f.ppid)
		return;
	child = process_of(t, f.pid, true);
	child->exit_ns = 0;
	parent = process_of(t, f.ppid, false);
	if (!parent || !parent->maps)
		return;
	if (child->maps) {
		fork_over(child, parent->maps, time_ns);
		return;
	}
	parent->maps->users++;
	process_set_maps(child, parent->maps);
}

static void list_ended(struct unwind_tasks *t, struct unwind_process *p, u64 time_ns)
{
	p->exit_ns = time_ns;
	if (p->listed)
		return;
	p->listed = true;
	p->next_ended = NULL;
	*t->last_ended = p;
	t->last_ended = &p->next_ended;
}

/* The first thread ended; others may go on, and name the process still. */
static void on_exit_record(struct unwind_tasks *t, struct cursor body, u64 time_ns)
{
	struct unwind_process *p;
	struct pd_fork f;

	if (!fork_decode(body, &f) || f.pid != f.tid)
		return;
	p = process_of(t, f.pid, false);
	if (p)
		list_ended(t, p, time_ns);
}

static bool still_there(s32 pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !access(path, F_OK);
}

/* Forget processes that ended long ago. */
static void prune(struct unwind_tasks *t, u64 now_ns)
{
	struct unwind_process *p;

	while ((p = t->ended) != NULL && now_ns > KEEP_NS && p->exit_ns < now_ns - KEEP_NS) {
		t->ended = p->next_ended;
		if (!t->ended)
			t->last_ended = &t->ended;
		p->listed = false;
		if (!p->exit_ns)
			continue;	/* its number is in use again */
		if (still_there(p->pid))
			list_ended(t, p, now_ns);	/* other threads of it go on */
		else
			process_remove(t, p);
	}
}

static void object_of_file(const struct unwind_tasks *t, struct unwind_object *o)
{
	const struct pd_build_id *b = t->file ? pd_build_id_of(t->file, o->name) : NULL;

	if (!b || o->build_id_len)
		return;
	memcpy(o->build_id, b->id, sizeof(o->build_id));
	o->build_id_len = b->len;
}

/* Names and what tells files of one name apart. */
static char *object_key(const struct pd_mmap *m)
{
	char hex[2 * PD_BUILD_ID_MAX + 1];

	if (!m->by_build_id)
		return str_printf("%d:%x:%x:%" PRIx64 ":%" PRIx64 " %s", m->v2, m->major, m->minor,
				  m->inode, m->generation, m->name);
	return str_printf("%s %s", format_hex(hex, m->build_id, m->build_id_len), m->name);
}

/* The object of a mapping. */
static const struct unwind_object *tasks_object_of(struct unwind_tasks *t, const struct pd_mmap *m)
{
	struct unwind_object o = { .ino = m->inode, .has_ino = m->inode != 0 };
	unsigned int before = t->object_keys.nr, i;
	char *key = object_key(m);

	i = str_set_add(&t->object_keys, key);
	free(key);
	if (i < before)
		return t->objects[i];
	o.index = i;
	o.name = strchr(t->object_keys.v[i], ' ') + 1;
	o.build_id_len = m->build_id_len;
	memcpy(o.build_id, m->build_id, sizeof(o.build_id));
	object_of_file(t, &o);
	t->objects = mem_resize(t->objects, t->object_keys.nr, sizeof(*t->objects));
	t->objects[i] = mem_zalloc(1, sizeof(o));
	*t->objects[i] = o;
	return t->objects[i];
}

/* A mapping in which samples may lie. */
static bool is_of_code(const struct pd_mmap *m)
{
	return m->exec && !m->kernel && m->end > m->start;
}

static void on_mmap(struct unwind_tasks *t, const struct perf_event_header *h, struct cursor body,
		    u64 time_ns)
{
	struct unwind_maps *with;
	struct unwind_process *p;
	struct unwind_map m;
	struct pd_mmap told;

	if (!mmap_decode(h, body, &told) || !is_of_code(&told))
		return;
	m = (struct unwind_map){
		.start = told.start, .end = told.end, .pgoff = told.pgoff, .since_ns = time_ns,
		.object = tasks_object_of(t, &told),
	};
	p = process_of(t, told.pid, true);
	with = unwind_maps_with(p->maps, &m);
	if (p->maps && p->maps->older) {
		with->older = p->maps->older;
		with->older->users++;
	}
	process_set_maps(p, with);
}

/* Take in a record that is no sample; others than those of tasks are passed over. */
void unwind_tasks_take(struct unwind_tasks *t, const struct perf_event_header *h,
		       struct cursor body, u64 time_ns)
{
	rcu_thread();
	switch (h->type) {
	case PERF_RECORD_COMM:
		on_comm(t, h, body, time_ns);
		break;
	case PERF_RECORD_FORK:
		on_fork(t, body, time_ns);
		break;
	case PERF_RECORD_EXIT:
		on_exit_record(t, body, time_ns);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		on_mmap(t, h, body, time_ns);
		break;
	default:
		return;
	}
	if (!t->file)
		prune(t, time_ns);
}

/* The same for a record as it comes out of a ring. */
void unwind_tasks_record(struct unwind_tasks *t, const struct perf_event_header *h,
			 const struct perf_event_attr *attr)
{
	struct cursor body = record_raw_body(h);
	struct pd_sample trailer;

	sample_trailer(attr, h, body, &trailer);
	unwind_tasks_take(t, h, body, trailer.time_ns);
}

/*
 * Does this record of a process, as it comes out of a ring, change where its code
 * lies? If not, unwinders may be at work on its samples when it is taken in.
 */
bool unwind_tasks_changed(const struct perf_event_header *h)
{
	struct cursor body = record_raw_body(h);
	struct pd_mmap m;
	struct pd_comm c;
	struct pd_fork f;

	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return mmap_decode(h, body, &m) && is_of_code(&m);
	case PERF_RECORD_COMM:
		return comm_decode(h, body, &c) && c.exec;
	case PERF_RECORD_FORK:
		return fork_decode(body, &f) && f.pid != f.ppid;
	default:
		return false;
	}
}
