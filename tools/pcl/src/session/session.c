// SPDX-License-Identifier: GPL-2.0
/*
 * Where addresses lie, and what they are called, as time goes on.
 *
 * Concepts: records come in order of time, and the tasks know from them who maps what. An address is resolved by the state
 * at the moment of its sample. While the kernel loads a new program, the user's side of the task is still the call of
 * execve() in the old one: what the new one does not map is looked up in the old one, until the first address that the new
 * one maps. The kernel's mappings, and the objects with their symbols, are the session's.
 * Contexts: report and its like, one pass over the file; top.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "session/session.h"

#define KERNEL_OBJECT "[kernel.kallsyms]"

static struct object *object_add(struct session *s, const char *name)
{
	struct object *o = mem_zalloc(1, sizeof(*o));
	const char *slash;

	o->name = str_dup(name);
	o->foreign = s->foreign;
	slash = name[0] == '/' ? strrchr(o->name, '/') : NULL;
	o->short_name = slash && slash[1] ? slash + 1 : o->name;
	s->objects = mem_resize(s->objects, s->nr_objects + 1, sizeof(*s->objects));
	s->objects[s->nr_objects++] = o;
	return o;
}

/* The kernel, a module of it, or what is known by its name alone. */
static struct object *named_object(struct session *s, const char *name, bool kernel)
{
	unsigned int before = s->names.nr, i = str_set_add(&s->names, name);
	const struct pd_build_id *b;
	struct object *o;

	if (i < before)
		return s->by_name[i];
	o = object_add(s, name);
	o->kernel = kernel;
	b = pd_build_id_of(s->file, name, 0);
	if (b) {
		memcpy(o->build_id, b->id, sizeof(o->build_id));
		o->build_id_len = b->len;
	}
	s->by_name = mem_resize(s->by_name, s->names.nr, sizeof(*s->by_name));
	s->by_name[i] = o;
	return o;
}

/* The object with the symbols of what is mapped. */
static struct object *object_of(struct session *s, const struct mapped_object *m)
{
	struct object *o;

	while (s->nr_mapped <= m->index) {
		s->mapped = mem_resize(s->mapped, s->nr_mapped + 1, sizeof(*s->mapped));
		s->mapped[s->nr_mapped++] = NULL;
	}
	o = s->mapped[m->index];
	if (o)
		return o;
	o = object_add(s, m->name);
	memcpy(o->build_id, m->build_id, sizeof(o->build_id));
	o->build_id_len = m->build_id_len;
	s->mapped[m->index] = o;
	return o;
}

/* Stacks in samples are unwound, if there are any, and their registers are x86-64's. */
static void init_unwinding(struct session *s)
{
	const u64 both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	unsigned int i;

	for (i = 0; i < s->file->nr_events && !s->has_stacks; i++)
		s->has_stacks = (s->file->events[i].attr.sample_type & both) == both;
	if (s->has_stacks && pd_is_of_arch(s->file, "x86_64"))
		s->unwinder = unwinder_new(s->tasks);
}

/* endless: records come as long as there are some, and who has ended is forgotten. */
void session_init(struct session *s, struct pd_file *f, const char *kallsyms, bool endless)
{
	memset(s, 0, sizeof(*s));
	s->file = f;
	s->foreign = !pd_is_of_own_arch(f);
	s->behind_call = !pd_chains_hold_calls(f);
	s->kallsyms = kallsyms;
	s->tasks = tasks_new(f, endless ? TASKS_ENDLESS : 0);
	s->kernel = map_table_new(false);
	s->unknown = named_object(s, "[unknown]", false);
	s->unknown->loaded = true;
	init_unwinding(s);
}

void session_free(struct session *s)
{
	unsigned int i;
	char *name;

	unwinder_free(s->unwinder);
	map_table_put(s->kernel);
	mapped_objects_free(&s->kernel_objects);
	tasks_free(s->tasks);
	for (i = 0; i < s->nr_objects; i++) {
		name = s->objects[i]->name;
		object_free(s->objects[i]);
		free(name);
	}
	free(s->objects);
	free(s->by_name);
	str_set_free(&s->names);
	free(s->mapped);
	num_map_free(&s->jit, NULL);
}

/* The name of a thread, which lives as long as the session. */
const char *session_comm(const struct session *s, s32 tid)
{
	return tasks_comm(s->tasks, tid);
}

static void kernel_map_add(struct session *s, const struct pd_mmap *told)
{
	struct map m = { .start = told->start, .end = told->end, .pgoff = told->pgoff };
	struct map_table *with;

	if (m.end <= m.start)
		return;
	m.object = mapped_object_of(&s->kernel_objects, NULL, told);
	with = map_table_with(s->kernel, &m);
	with->number = s->kernel->number + 1;
	map_table_put(s->kernel);
	s->kernel = with;
}

static void on_kernel_map(struct session *s, const struct perf_event_header *h, struct cursor body)
{
	size_t n = strlen(KERNEL_OBJECT);
	struct pd_mmap told;

	if (!mmap_decode(h, body, &told) || !told.exec || !told.kernel)
		return;
	if (!strncmp(told.name, KERNEL_OBJECT, n)) {
		/* "[kernel.kallsyms]_text": pgoff is the address of that symbol */
		if (told.name[n])
			s->kernel_text = told.pgoff;
		told.name = KERNEL_OBJECT;
	}
	kernel_map_add(s, &told);
}

/* What the program that mapped this memory tells of the code that it made; NULL: nothing. */
static struct object *jit_object(struct session *s, s32 pid, struct object *memory)
{
	void **at = num_map_at(&s->jit, (u32)pid);
	char *path;

	if (!*at) {
		*at = s->unknown;
		path = jit_map_path(pid);
		switch (jit_map_check(path)) {
		case 1:
			*at = named_object(s, path, false);
			break;
		case -1:
			if (!memory->note)
				memory->note = str_printf("%s is neither yours nor root's, so it is not believed", path);
			break;
		}
		free(path);
	}
	return *at == s->unknown ? NULL : *at;
}

/* Take in a record that is no sample. */
void session_record(struct session *s, const struct perf_event_header *h, struct cursor body)
{
	tasks_take(s->tasks, h, body, record_time(s->file, h, body));
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		on_kernel_map(s, h, body);
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

/* What is looked up from now on is of this time, that of a sample. */
void session_at(struct session *s, u64 time_ns)
{
	s->now_ns = time_ns;
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

	if (s->has_stacks && !s->unwinder)
		say_to(f, "", "stacks were copied on %s; only those of x86_64 can be unwound", visible(s->file->arch));
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

	if (s->foreign && !s->kallsyms) {
		o->note = str_printf("another machine's kernel was recorded (%s); give its kallsyms with --kallsyms FILE",
				     s->file->arch);
		return;
	}
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
	return object_set_image(named_object(s, KERNEL_OBJECT, true), path, s->kernel_text);
}

/* The object whose table names what lies in o: modules are in kallsyms, too. */
struct object *session_symbols_of(struct session *s, struct object *o)
{
	return o->kernel ? named_object(s, KERNEL_OBJECT, true) : o;
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
u64 session_layout(const struct session *s, s32 pid, u16 cpumode)
{
	const struct map_table *t;
	u64 number;

	if (cpumode == PERF_RECORD_MISC_KERNEL)
		return s->kernel->number << 2;
	if (cpumode != PERF_RECORD_MISC_USER)
		return cpumode == PERF_RECORD_MISC_HYPERVISOR ? 2 : 3;
	t = tasks_maps(s->tasks, pid, s->now_ns);
	number = t ? t->number << 1 | !map_table_before_exec(t, s->now_ns) : 0;
	return number << 2 | 1;
}

/* What the process has mapped there, or had when it called execve(). */
static const struct map *user_map(const struct session *s, s32 pid, u64 addr)
{
	struct map_table *t = tasks_maps(s->tasks, pid, s->now_ns);
	const struct map *m = t ? map_table_find(t, addr) : NULL;
	const struct map_table *before;

	if (!t)
		return NULL;
	if (m) {
		map_table_runs(t, s->now_ns);
		return m;
	}
	before = map_table_before_exec(t, s->now_ns);
	return before ? map_table_find(before, addr) : NULL;
}

static void find_user(struct session *s, s32 pid, u64 addr, struct place *p)
{
	const struct map *m = user_map(s, pid, addr);
	struct object *jit;

	if (!m)
		return;
	if (!jit_memory(m->object->name)) {
		p->object = object_of(s, m->object);
		p->addr = addr - m->start + m->pgoff;
		return;
	}
	p->object = named_object(s, m->object->name, false);
	jit = jit_object(s, m->pid, p->object);
	if (jit)
		p->object = jit;	/* its addresses are those of the memory */
	else
		p->addr = addr - m->start + m->pgoff;
}

/* The object at this address of this process, at this moment. */
struct place session_find(struct session *s, s32 pid, u16 cpumode, u64 addr)
{
	struct place p = { .object = s->unknown, .level = '.', .addr = addr };
	const struct map *m;

	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		p.level = 'k';
		m = map_table_find(s->kernel, addr);
		p.object = named_object(s, m ? m->object->name : KERNEL_OBJECT, true);
		break;
	case PERF_RECORD_MISC_USER:
		find_user(s, pid, addr, &p);
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
