// SPDX-License-Identifier: GPL-2.0
/*
 * What a recording tells of tasks, mappings and objects, as time goes on.
 *
 * Concepts: records come in order of time. COMM names a thread, FORK makes one
 * with its parent's name and mappings, EXIT ends it, MMAP and MMAP2 map an object;
 * an exec empties the mappings. An address is resolved by the state at its moment. While
 * the kernel loads the new program, the user's side of the task is still the
 * call of execve() in the old one: what the new one does not map is looked up in
 * the old one, until the first address that the new one maps.
 * Contexts: report, one pass over the file.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "session/session.h"

#define KERNEL_OBJECT "[kernel.kallsyms]"

static void object_take_build_id(struct session *s, struct object *o)
{
	const struct pd_build_id *b = pd_build_id_of(s->file, o->name, 0);

	if (!b)
		return;
	memcpy(o->build_id, b->id, sizeof(o->build_id));
	o->build_id_len = b->len;
}

static struct object *session_object(struct session *s, const char *name, bool kernel)
{
	unsigned int before = s->object_names.nr, i = str_set_add(&s->object_names, name);
	struct object *o;
	const char *slash;

	if (i < before)
		return s->objects[i];
	o = mem_zalloc(1, sizeof(*o));
	o->name = s->object_names.v[i];
	slash = o->name[0] == '/' ? strrchr(o->name, '/') : NULL;
	o->short_name = slash && slash[1] ? slash + 1 : o->name;
	o->kernel = kernel;
	object_take_build_id(s, o);
	s->objects = mem_resize(s->objects, s->object_names.nr, sizeof(*s->objects));
	s->objects[i] = o;
	return o;
}

/* Stacks in samples are unwound, if there are any. */
static void init_unwinding(struct session *s)
{
	const u64 both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	unsigned int i;

	for (i = 0; i < s->file->nr_events && !s->tasks; i++)
		if ((s->file->events[i].attr.sample_type & both) == both)
			s->tasks = tasks_new(s->file, 0);
	if (s->tasks)
		s->unwinder = unwinder_new(s->tasks);
}

void session_init(struct session *s, struct pd_file *f, const char *kallsyms)
{
	memset(s, 0, sizeof(*s));
	s->file = f;
	s->kallsyms = kallsyms;
	s->unknown = session_object(s, "[unknown]", false);
	s->unknown->loaded = true;
	init_unwinding(s);
}

static void maps_put(struct session_maps *t)
{
	if (!t || --t->users)
		return;
	free(t->v);
	free(t);
}

static void free_process(void *arg)
{
	struct process *p = arg;

	maps_put(p->before);
	maps_put(p->maps);
	free(p);
}

void session_free(struct session *s)
{
	unsigned int i;

	unwinder_free(s->unwinder);
	tasks_free(s->tasks);
	num_map_free(&s->threads, free);
	num_map_free(&s->processes, free_process);
	for (i = 0; i < s->object_names.nr; i++)
		object_free(s->objects[i]);
	free(s->objects);
	free(s->kernel.v);
	str_set_free(&s->object_names);
	str_set_free(&s->comms);
}

/* Text that lives as long as the session. */
static const char *intern_comm(struct session *s, const char *comm)
{
	/* adding may move the array, so it comes first; strings never move */
	unsigned int i = str_set_add(&s->comms, comm);

	return s->comms.v[i];
}

struct thread *session_thread(struct session *s, s32 tid)
{
	void **at = num_map_at(&s->threads, (u32)tid);
	struct thread *t;
	char name[24];

	if (*at)
		return *at;
	t = mem_zalloc(1, sizeof(*t));
	*at = t;
	t->pid = tid;
	snprintf(name, sizeof(name), ":%d", tid);
	t->comm = intern_comm(s, tid ? name : "swapper");
	return t;
}

static struct session_maps *maps_new(struct session *s)
{
	struct session_maps *t = mem_zalloc(1, sizeof(*t));

	t->users = 1;
	t->layout = ++s->layouts;
	return t;
}

static struct process *session_process(struct session *s, s32 pid)
{
	void **at = num_map_at(&s->processes, (u32)pid);
	struct process *p;

	if (*at)
		return *at;
	p = mem_zalloc(1, sizeof(*p));
	*at = p;
	p->maps = maps_new(s);
	return p;
}

/* The process's table, its own before it is changed. */
static struct session_maps *maps_for_change(struct session *s, struct process *p)
{
	struct session_maps *t;

	if (p->maps->users == 1) {
		p->maps->layout = ++s->layouts;
		return p->maps;
	}
	t = maps_new(s);
	t->nr = t->room = p->maps->nr;
	t->v = mem_zalloc(t->nr, sizeof(*t->v));
	if (t->nr)
		memcpy(t->v, p->maps->v, t->nr * sizeof(*t->v));
	maps_put(p->maps);
	p->maps = t;
	return t;
}

/* The process becomes another program, which does not run yet. */
static void on_exec(struct session *s, struct process *p)
{
	maps_put(p->before);
	p->before = p->maps;
	p->maps = maps_new(s);
}

/* The new program runs. Its table is still its own: a fork would have come here before. */
static void exec_is_over(struct session *s, struct process *p)
{
	if (!p->before)
		return;
	maps_put(p->before);
	p->before = NULL;
	p->maps->layout = ++s->layouts;
}

/* Its number may have been that of one that ended. */
static void thread_lives(struct session *s, struct thread *t)
{
	s->nr_ended -= t->ended != 0;
	t->ended = 0;
}

static void on_comm(struct session *s, const struct perf_event_header *h, struct cursor body)
{
	struct pd_comm c;
	struct thread *t;

	if (!comm_decode(h, body, &c))
		return;
	t = session_thread(s, c.tid);
	t->pid = c.pid;
	thread_lives(s, t);
	t->comm = intern_comm(s, c.name);
	if (c.exec)
		on_exec(s, session_process(s, c.pid));
}

static void on_fork(struct session *s, struct cursor body)
{
	struct process *child, *parent;
	struct pd_fork f;
	struct thread *t;
	const char *comm;

	if (!fork_decode(body, &f) || f.tid == f.ptid)
		return;
	comm = session_thread(s, f.ptid)->comm;
	t = session_thread(s, f.tid);
	t->pid = f.pid;
	thread_lives(s, t);
	t->comm = comm;
	if (f.pid == f.ppid)
		return;
	/* looking up one may move the table of the other, not what it points at */
	parent = session_process(s, f.ppid);
	child = session_process(s, f.pid);
	exec_is_over(s, parent);
	exec_is_over(s, child);
	child->ended = false;
	parent->maps->users++;
	maps_put(child->maps);
	child->maps = parent->maps;
}

/* What is known of it stays for now: samples of other CPUs may come behind it. */
static void on_exit_record(struct session *s, struct cursor body)
{
	struct pd_fork f;
	struct thread *t;
	void **at;

	if (!fork_decode(body, &f))
		return;
	at = num_map_get(&s->threads, (u32)f.tid);
	if (at) {
		t = *at;
		s->nr_ended += !t->ended;
		t->ended = 1;
	}
	at = num_map_get(&s->processes, (u32)f.pid);
	if (at)
		((struct process *)*at)->ended = true;
}

static bool keep_thread(void *value, void *arg)
{
	struct session *s = arg;
	struct thread *t = value;
	void **at;

	if (t->ended == 2) {
		s->nr_ended--;
		return false;
	}
	if (t->ended)
		t->ended = 2;
	at = num_map_get(&s->processes, (u32)t->pid);
	if (at)
		((struct process *)*at)->lives = true;
	return true;
}

static bool keep_process(void *value, void *arg)
{
	struct process *p = value;
	bool keep = p->lives || !p->ended;

	(void)arg;
	p->lives = false;
	return keep;
}

/*
 * Forget the threads that ended before the last call, and the processes that have
 * none left: for who looks at what happens now, and never comes to an end.
 */
void session_forget(struct session *s)
{
	if (!s->nr_ended)
		return;
	num_map_sweep(&s->threads, keep_thread, s, free);
	num_map_sweep(&s->processes, keep_process, NULL, free_process);
}

static void on_kernel_map(struct session *s, struct session_map *m, const char *name)
{
	size_t n = strlen(KERNEL_OBJECT);

	if (!strncmp(name, KERNEL_OBJECT, n)) {
		/* "[kernel.kallsyms]_text": pgoff is the address of that symbol */
		if (name[n])
			s->kernel_text = m->pgoff;
		name = KERNEL_OBJECT;
	}
	m->object = session_object(s, name, true);
	maps_insert(&s->kernel, m);
	s->kernel.layout = ++s->layouts;
}

/* The file that is mapped; where there is none, what its program tells of its code. */
static struct object *user_object(struct session *s, s32 pid, struct session_map *m, const char *name)
{
	struct object *o;
	char *path;

	if (!jit_memory(name))
		return session_object(s, name, false);
	path = jit_map_path(pid);
	switch (jit_map_check(path)) {
	case 1:
		o = session_object(s, path, false);
		/* its addresses are those of the memory */
		m->pgoff = m->start;
		break;
	case -1:
		o = session_object(s, name, false);
		if (!o->note)
			o->note = str_printf("%s is neither yours nor root's, so it is not believed", path);
		break;
	default:
		o = session_object(s, name, false);
	}
	free(path);
	return o;
}

static void on_mmap(struct session *s, const struct perf_event_header *h, struct cursor body)
{
	struct pd_mmap told;
	struct session_map m;

	if (!mmap_decode(h, body, &told) || !told.exec)
		return;
	m = (struct session_map){ told.start, told.end, told.pgoff, NULL };
	if (told.kernel) {
		on_kernel_map(s, &m, told.name);
		return;
	}
	m.object = user_object(s, told.pid, &m, told.name);
	if (told.by_build_id && told.build_id_len) {
		m.object->build_id_len = told.build_id_len;
		memcpy(m.object->build_id, told.build_id, sizeof(told.build_id));
	}
	maps_insert(maps_for_change(s, session_process(s, told.pid)), &m);
}

/* Take in a record that is no sample. */
void session_record(struct session *s, const struct perf_event_header *h, struct cursor body)
{
	if (s->tasks)
		tasks_take(s->tasks, h, body, record_time(s->file, h, body));
	switch (h->type) {
	case PERF_RECORD_COMM:
		on_comm(s, h, body);
		break;
	case PERF_RECORD_FORK:
		on_fork(s, body);
		break;
	case PERF_RECORD_EXIT:
		on_exit_record(s, body);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		on_mmap(s, h, body);
		break;
	case PERF_RECORD_THROTTLE:
		s->throttled++;
		break;
	case PERF_RECORD_LOST:
		cursor_skip(&body, 8);
		s->lost += cursor_u64(&body);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		s->lost_samples += cursor_u64(&body);
		break;
	}
}

/*
 * Give a sample that holds registers and a stack the chain they come to, which
 * lasts until the next call. Other samples stay as they are.
 */
void session_unwind(struct session *s, struct pd_sample *sample)
{
	if (s->unwinder)
		unwind_complete(s->unwinder, sample);
}

/* How many of those chains are whole, and why others are not. */
void session_unwind_stats(const struct session *s, FILE *f)
{
	struct unwind_stats sum = { 0 };

	if (!s->unwinder)
		return;
	unwind_stats_add(&sum, s->unwinder);
	unwind_stats_print(&sum, s->tasks, f);
	unwind_stats_free(&sum);
}

static void load_kernel(struct session *s, struct object *o)
{
	u8 id[PD_BUILD_ID_MAX];
	int len = s->kallsyms ? 0 : build_id_of_kernel(id);

	if (len && o->build_id_len && (len != o->build_id_len || memcmp(id, o->build_id, len))) {
		o->note = str_printf("another kernel runs here than was recorded (%s); give its kallsyms with --kallsyms FILE",
				    s->file->osrelease ? s->file->osrelease : "unknown");
		return;
	}
	kallsyms_load(o, s->kallsyms ? s->kallsyms : "/proc/kallsyms", s->kernel_text);
}

/* Take the kernel's code and lines from this file. */
int session_set_vmlinux(struct session *s, const char *path)
{
	return object_set_image(session_object(s, KERNEL_OBJECT, true), path, s->kernel_text);
}

/* The object whose table names what lies in o: modules are in kallsyms, too. */
struct object *session_symbols_of(struct session *s, struct object *o)
{
	return o->kernel ? session_object(s, KERNEL_OBJECT, true) : o;
}

/* Load the symbols of an object; of different objects also at the same time. */
void session_load(struct session *s, struct object *o)
{
	if (o->loaded)
		return;
	o->loaded = true;
	if (jit_map_is(o->name))
		jit_map_load(o);
	else if (!o->kernel)
		elf_symbols_load(o);
	else if (!strcmp(o->name, KERNEL_OBJECT))
		load_kernel(s, o);
}

/* Two addresses of the same layout number and level are found alike. */
u64 session_layout(struct session *s, s32 pid, u16 cpumode)
{
	if (cpumode == PERF_RECORD_MISC_KERNEL)
		return s->kernel.layout << 2;
	if (cpumode == PERF_RECORD_MISC_USER)
		return session_process(s, pid)->maps->layout << 2 | 1;
	return cpumode == PERF_RECORD_MISC_HYPERVISOR ? 2 : 3;
}

/* What the process has mapped there, or had when it called execve(). */
static const struct session_map *user_map(struct session *s, struct process *p, u64 addr)
{
	const struct session_map *m = maps_find(p->maps, addr);

	if (m)
		exec_is_over(s, p);
	return m || !p->before ? m : maps_find(p->before, addr);
}

/* The object at this address of this process, at this moment. */
struct place session_find(struct session *s, s32 pid, u16 cpumode, u64 addr)
{
	struct place p = { .object = s->unknown, .level = '.', .addr = addr };
	const struct session_map *m;

	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		p.level = 'k';
		p.object = session_object(s, KERNEL_OBJECT, true);
		m = maps_find(&s->kernel, addr);
		if (m)
			p.object = m->object;
		break;
	case PERF_RECORD_MISC_USER:
		m = user_map(s, session_process(s, pid), addr);
		if (m) {
			p.object = m->object;
			p.addr = addr - m->start + m->pgoff;
		}
		break;
	case PERF_RECORD_MISC_HYPERVISOR:
		p.level = 'H';
		break;
	default:
		p.level = 'g';
	}
	return p;
}

/* Name what was found; the symbols of its object are loaded for that. */
void session_name(struct session *s, struct place *p)
{
	struct object *o = session_symbols_of(s, p->object);

	if (p->object == s->unknown)
		return;
	session_load(s, o);
	if (!p->object->kernel)
		p->addr = object_address(p->object, p->addr);
	p->symbol = symbols_find(&o->symbols, p->addr);
}

/* What lies at this address of this process, at this moment. */
struct place session_resolve(struct session *s, s32 pid, u16 cpumode, u64 addr)
{
	struct place p = session_find(s, pid, cpumode, addr);

	session_name(s, &p);
	return p;
}
