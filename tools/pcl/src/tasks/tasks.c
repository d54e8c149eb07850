// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks and what they map, as the records tell.
 *
 * Concepts: a process refers to a table of mappings, and has threads, each with a name. FORK shares the parent's table,
 * MMAP replaces it by one with a mapping more, exec begins a new one. A process ends when the last of its threads that
 * were told of ends. A first thread that does something after its end is another process, which has the number now and
 * whose FORK was lost. Samples may be looked at some time after they were taken: the table from before an exec, or of the
 * process before that had the number, stays behind the new one, and who ended is kept for a while. Times are those of
 * the records, as far as they have one.
 * Contexts: one thread at a time takes in records; others look up mappings under rcu_read_lock(). Both are known to RCU
 * by rcu_thread().
 * Locks: none; what readers see is published by RCU, and freed by call_rcu().
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <urcu/list.h>

#include "tasks/tasks.h"

/* How long samples may be behind the records, in the records' time. */
#define KEEP_NS 10000000000ull
enum {
	KEEP_ENDS = 1024,	/* how many threads may end meanwhile, where records have no times */
	MAX_OLDER = 4,		/* tables kept of the programs that one process was before */
	SLOTS = 4096,		/* of the tables by number; a power of 2 */
};

/* One for each process; owner: the tasks. */
struct process {
	struct cds_hlist_node node;
	struct rcu_head rcu;
	s32 pid;
	struct map_table *maps;	/* [R] never NULL */
	struct cds_list_head threads; /* [writer] */
	unsigned int nr_living;	/* [writer] of them */
};

/* One for each thread; all fields are the writer's. */
struct task {
	struct cds_hlist_node node;
	struct cds_list_head of_process;
	struct process *process;
	s32 tid;
	const char *comm;	/* interned; NULL: not known */
	u64 since_ns;
	bool ended;
	bool listed;		/* among the ended */
	u64 end_ns, end_number;
	struct task *next_ended;
};

struct tasks {
	const struct pd_file *file; /* NULL: records come as they are made */
	unsigned int flags;
	struct cds_hlist_head processes[SLOTS];
	struct cds_hlist_head threads[SLOTS];
	unsigned int nr_threads;
	struct str_set comms;
	struct mapped_objects objects;
	struct task *ended, **last_ended; /* in the order they ended */
	u64 nr_ends;
	u64 nr_tables;
};

/*
 * f: the recording that the records are of, which tells objects by name, and their build ids; NULL: they are taken in
 * while they are made, and files are those of now.
 */
struct tasks *tasks_new(const struct pd_file *f, unsigned int flags)
{
	struct tasks *t = mem_zalloc(1, sizeof(*t));

	t->file = f;
	t->flags = flags;
	t->last_ended = &t->ended;
	return t;
}

/* The multiplier is 2^64 divided by the golden ratio (Knuth, vol. 3, 6.4). */
static unsigned int slot_of(s32 number)
{
	return (u32)number * 0x9e3779b97f4a7c15ull >> 32 & (SLOTS - 1);
}

static struct process *process_find(const struct tasks *t, s32 pid)
{
	struct cds_hlist_node *n;
	struct process *p;

	for (n = rcu_dereference(t->processes[slot_of(pid)].next); n; n = rcu_dereference(n->next)) {
		p = caa_container_of(n, struct process, node);
		if (p->pid == pid)
			return p;
	}
	return NULL;
}

static struct task *task_find(const struct tasks *t, s32 tid)
{
	struct cds_hlist_node *n;
	struct task *task;

	for (n = t->threads[slot_of(tid)].next; n; n = n->next) {
		task = caa_container_of(n, struct task, node);
		if (task->tid == tid)
			return task;
	}
	return NULL;
}

/* ---- processes and threads ---- */

static void process_set_maps(struct tasks *t, struct process *p, struct map_table *m)
{
	struct map_table *old = p->maps;

	if (!m->number)
		m->number = ++t->nr_tables;
	rcu_assign_pointer(p->maps, m);
	map_table_put(old);
}

static struct process *process_of(struct tasks *t, s32 pid)
{
	struct process *p = process_find(t, pid);

	if (p)
		return p;
	p = mem_zalloc(1, sizeof(*p));
	p->pid = pid;
	CDS_INIT_LIST_HEAD(&p->threads);
	process_set_maps(t, p, map_table_new(t->flags & TASKS_SHARED));
	cds_hlist_add_head_rcu(&p->node, &t->processes[slot_of(pid)]);
	return p;
}

static void task_set_alive(struct task *task, bool alive)
{
	task->process->nr_living += (unsigned int)alive - !task->ended;
	task->ended = !alive;
}

static void task_join(struct task *task, struct process *p)
{
	task->process = p;
	cds_list_add_tail(&task->of_process, &p->threads);
	p->nr_living += !task->ended;
}

static void task_leave(struct task *task)
{
	task->process->nr_living -= !task->ended;
	cds_list_del(&task->of_process);
}

/* Not while it is among the ended. */
static void task_remove(struct tasks *t, struct task *task)
{
	task_leave(task);
	cds_hlist_del(&task->node);
	t->nr_threads--;
	free(task);
}

static struct task *task_of(struct tasks *t, s32 pid, s32 tid, u64 time_ns)
{
	struct process *p = process_of(t, pid);
	struct task *task = task_find(t, tid);

	if (!task) {
		task = mem_zalloc(1, sizeof(*task));
		task->tid = tid;
		task->since_ns = time_ns;
		cds_hlist_add_head(&task->node, &t->threads[slot_of(tid)]);
		t->nr_threads++;
		task_join(task, p);
	} else if (task->process != p) {
		task_leave(task);
		task_join(task, p);
	}
	return task;
}

static void free_process_rcu(struct rcu_head *head)
{
	free(caa_container_of(head, struct process, rcu));
}

/* It has no threads left. */
static void process_remove(struct tasks *t, struct process *p)
{
	cds_hlist_del_rcu(&p->node);
	map_table_put(p->maps);
	if (t->flags & TASKS_SHARED)
		call_rcu(&p->rcu, free_process_rcu);
	else
		free(p);
}

/* No reader may be left. */
void tasks_free(struct tasks *t)
{
	struct cds_hlist_node *n, *next;
	unsigned int i;

	if (!t)
		return;
	rcu_thread();
	for (i = 0; i < SLOTS; i++)
		for (n = t->threads[i].next; n; n = next) {
			next = n->next;
			task_remove(t, caa_container_of(n, struct task, node));
		}
	for (i = 0; i < SLOTS; i++)
		for (n = t->processes[i].next; n; n = next) {
			next = n->next;
			process_remove(t, caa_container_of(n, struct process, node));
		}
	if (t->flags & TASKS_SHARED)
		rcu_barrier();
	mapped_objects_free(&t->objects);
	str_set_free(&t->comms);
	free(t);
}

/* ---- the end of threads ---- */

static void list_ended(struct tasks *t, struct task *task, u64 time_ns)
{
	task->end_ns = time_ns;
	task->end_number = ++t->nr_ends;
	if (task->listed)
		return;
	task->listed = true;
	task->next_ended = NULL;
	*t->last_ended = task;
	t->last_ended = &task->next_ended;
}

static bool still_there(s32 pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !access(path, F_OK);
}

static bool ended_long_ago(const struct tasks *t, const struct task *task, u64 now_ns)
{
	if (task->end_ns)
		return now_ns > KEEP_NS && task->end_ns < now_ns - KEEP_NS;
	return t->nr_ends - task->end_number >= KEEP_ENDS;
}

/* Forget threads that ended long ago, and processes that have none left. */
static void prune(struct tasks *t, u64 now_ns)
{
	struct task *task;
	struct process *p;

	while ((task = t->ended) != NULL && ended_long_ago(t, task, now_ns)) {
		t->ended = task->next_ended;
		if (!t->ended)
			t->last_ended = &t->ended;
		task->listed = false;
		if (!task->ended)
			continue;	/* its number is in use again */
		p = task->process;
		if (p->threads.next == p->threads.prev && still_there(p->pid)) {
			list_ended(t, task, now_ns);	/* threads of it that were not told of go on */
			continue;
		}
		task_remove(t, task);
		if (cds_list_empty(&p->threads))
			process_remove(t, p);
	}
}

/* ---- records ---- */

/* Keep the table from before behind m; what is older than MAX_OLDER programs is let go. */
static void maps_keep_older(struct map_table *m, struct map_table *before)
{
	struct map_table *b;
	unsigned int nr = 0;

	if (!before->nr_levels && !before->older)
		return;
	for (b = before; b; b = b->older)
		nr++;
	if (nr < MAX_OLDER) {
		m->older = before;
		before->users++;
		return;
	}
	m->older = map_table_alone(before);
}

/* The process becomes another at this time: the parent's mappings, if there are any, and its own of later. */
static void process_begin_anew(struct tasks *t, struct process *p, struct map_table *parent, u64 time_ns)
{
	struct map_table *own, *m;
	struct task *task, *next;

	cds_list_for_each_entry_safe(task, next, &p->threads, of_process)
		if (!task->listed && task->tid != p->pid && (!time_ns || task->since_ns < time_ns))
			task_remove(t, task);
	if (!p->maps->nr_levels && !p->maps->older && parent) {
		parent->users++;
		process_set_maps(t, p, parent);
		return;
	}
	own = map_table_after(p->maps, time_ns);
	m = own;
	if (parent) {
		m = map_table_both(own, parent);
		map_table_put(own);
	}
	maps_keep_older(m, p->maps);
	process_set_maps(t, p, m);
}

static bool is_later(u64 time_ns, const struct task *task)
{
	return time_ns ? time_ns > task->end_ns : !task->end_ns;
}

/* A thread does something at this time; it may be an exec, by which another thread becomes the first. */
static struct task *task_acts(struct tasks *t, s32 pid, s32 tid, u64 time_ns, bool exec)
{
	struct task *task = task_of(t, pid, tid, time_ns);

	if (!task->ended || !is_later(time_ns, task))
		return task;
	task_set_alive(task, true);
	task->comm = NULL;
	task->since_ns = time_ns;
	/* nobody acts after his end: the number is another's */
	if (pid == tid && !exec)
		process_begin_anew(t, task->process, NULL, time_ns);
	return task;
}

/* Text that lives as long as the tasks. */
static const char *intern(struct tasks *t, const char *comm)
{
	/* adding may move the array, so it comes first; strings never move */
	unsigned int i = str_set_add(&t->comms, comm);

	return t->comms.v[i];
}

static void on_comm(struct tasks *t, const struct perf_event_header *h, struct cursor body, u64 time_ns)
{
	struct process *p;
	struct map_table *m;
	struct task *task;
	struct pd_comm c;

	if (!comm_decode(h, body, &c))
		return;
	task = task_acts(t, c.pid, c.tid, time_ns, c.exec);
	task->comm = intern(t, c.name);
	if (!c.exec || t->flags & TASKS_NO_MAPS)
		return;
	p = task->process;
	m = map_table_after(p->maps, time_ns);
	m->runs_ns = ~0ull;
	maps_keep_older(m, p->maps);
	process_set_maps(t, p, m);
}

static void on_fork(struct tasks *t, struct cursor body, u64 time_ns)
{
	struct process *parent;
	struct task *task, *by;
	struct pd_fork f;

	if (!fork_decode(body, &f) || f.tid == f.ptid)
		return;
	task = task_of(t, f.pid, f.tid, time_ns);
	by = task_find(t, f.ptid);
	/* its end may have been told of already */
	if (!task->ended || is_later(time_ns, task))
		task_set_alive(task, true);
	task->since_ns = time_ns;
	task->comm = by ? by->comm : NULL;
	if (f.pid == f.ppid)
		return;
	parent = process_find(t, f.ppid);
	/* who forks runs, and so does the child */
	if (parent)
		map_table_runs(parent->maps, time_ns);
	process_begin_anew(t, task->process, parent ? parent->maps : NULL, time_ns);
}

/* What is known of it stays for now: samples of other CPUs may come behind it. */
static void on_exit_record(struct tasks *t, struct cursor body, u64 time_ns)
{
	struct task *task;
	struct pd_fork f;

	if (!fork_decode(body, &f))
		return;
	/* what tells of its beginning may come later, from another CPU's ring */
	task = task_of(t, f.pid, f.tid, time_ns);
	/* of who had the number before, told late */
	if (time_ns && time_ns < task->since_ns)
		return;
	task_set_alive(task, false);
	list_ended(t, task, time_ns);
}

/* A mapping in which samples may lie. */
static bool is_of_code(const struct pd_mmap *m)
{
	return m->exec && !m->kernel && m->end > m->start;
}

static void on_mmap(struct tasks *t, const struct perf_event_header *h, struct cursor body, u64 time_ns)
{
	struct map_table *with;
	struct process *p;
	struct pd_mmap told;
	struct map m;

	if (!mmap_decode(h, body, &told) || !is_of_code(&told))
		return;
	p = task_acts(t, told.pid, told.tid, time_ns, false)->process;
	if (t->flags & TASKS_NO_MAPS)
		return;
	m = (struct map){
		.start = told.start, .end = told.end, .pgoff = told.pgoff, .since_ns = time_ns, .pid = told.pid,
		.object = mapped_object_of(&t->objects, t->file, &told),
	};
	with = map_table_with(p->maps, &m);
	with->older = p->maps->older;
	if (with->older)
		with->older->users++;
	process_set_maps(t, p, with);
}

/* Take in a record that is no sample; others than those of tasks are passed over. */
void tasks_take(struct tasks *t, const struct perf_event_header *h, struct cursor body, u64 time_ns)
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
	if (t->flags & TASKS_ENDLESS)
		prune(t, time_ns);
}

/* The same for a record as it comes out of a ring. */
void tasks_record(struct tasks *t, const struct perf_event_header *h, const struct perf_event_attr *attr)
{
	struct cursor body = record_raw_body(h);
	struct pd_sample trailer;

	sample_trailer(attr, h, body, &trailer);
	tasks_take(t, h, body, trailer.time_ns);
}

/*
 * Does this record of a process, as it comes out of a ring, change where its code
 * lies? If not, readers may be at work on its samples when it is taken in.
 */
bool tasks_changed(const struct perf_event_header *h)
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

/* ---- what is known ---- */

/* What the process mapped at this time, 0: the latest; NULL: nothing is known of it. */
struct map_table *tasks_maps(const struct tasks *t, s32 pid, u64 time_ns)
{
	struct process *p = process_find(t, pid);
	struct map_table *m = p ? rcu_dereference(p->maps) : NULL;

	while (m && m->older && time_ns && time_ns < m->since_ns)
		m = m->older;
	/* where it has called execve(), what it mapped before is known still */
	return m && (m->nr_levels || (m->older && m->older->nr_levels)) ? m : NULL;
}

/* The name of a thread, ":TID" when it is not known; for the thread that takes in records. */
const char *tasks_comm(struct tasks *t, s32 tid)
{
	const struct task *task = task_find(t, tid);
	char name[24];

	if (task && task->comm)
		return task->comm;
	snprintf(name, sizeof(name), ":%d", tid);
	return intern(t, tid ? name : "swapper");
}

bool tasks_live(const struct tasks *t)
{
	return !t->file;
}

/* How many threads are known. */
unsigned int tasks_nr(const struct tasks *t)
{
	return t->nr_threads;
}

bool tasks_process_lives(const struct tasks *t, s32 pid)
{
	const struct process *p = process_find(t, pid);

	return p && p->nr_living;
}

/* Call fn for each process that lives. */
void tasks_each_process(const struct tasks *t, void (*fn)(void *arg, s32 pid), void *arg)
{
	const struct cds_hlist_node *n;
	const struct process *p;
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		for (n = t->processes[i].next; n; n = n->next) {
			p = caa_container_of(n, struct process, node);
			if (p->nr_living)
				fn(arg, p->pid);
		}
}

unsigned int tasks_nr_objects(const struct tasks *t)
{
	return t->objects.nr;
}

const struct mapped_object *tasks_object(const struct tasks *t, unsigned int i)
{
	return t->objects.v[i];
}
