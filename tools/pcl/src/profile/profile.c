// SPDX-License-Identifier: GPL-2.0
/*
 * Samples, added up: functions, stacks made of them, rows made of stacks.
 *
 * Concepts: a stack is a function and the stack of its caller, so that all stacks
 * share what they have in common from the outermost function on. Equal functions,
 * stacks and rows exist once; each is found by hash and has a number.
 * Contexts: one thread at a time.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

void profile_init(struct profile *p, struct session *s, unsigned int nr_events)
{
	memset(p, 0, sizeof(*p));
	p->s = s;
	p->nr_events = nr_events;
	p->events = mem_zalloc(nr_events, sizeof(*p->events));
	/* stack 0 is nobody */
	p->nr_stacks = p->room_stacks = 1;
	p->stacks = mem_zalloc(1, sizeof(*p->stacks));
}

static void free_symbol(void *v)
{
	struct symbol *s = v;

	free(s->shown);
	free(s);
}

void profile_free(struct profile *p)
{
	batch_free(p->batch);
	num_map_free(&p->symbols, free_symbol);
	str_set_free(&p->texts);
	free(p->events);
	free(p->funcs);
	free(p->stacks);
	free(p->rows);
	hash_index_free(&p->func_index);
	hash_index_free(&p->stack_index);
	hash_index_free(&p->row_index);
	memset(p, 0, sizeof(*p));
}

static void *grow(void *v, u32 nr, u32 *room, size_t size)
{
	if (nr < *room)
		return v;
	*room = *room < 512 ? 1024 : *room + *room / 2;
	return mem_resize(v, *room, size);
}

static bool same_func(const void *array, u32 i, const void *key)
{
	const struct func *a = (const struct func *)array + i, *b = key;

	return a->object == b->object && a->symbol == b->symbol && a->line == b->line &&
	       a->level == b->level && a->inlined == b->inlined;
}

/* The number of a function. */
u32 profile_func(struct profile *p, const struct func *f)
{
	u64 hash = hash_mix((u64)(uintptr_t)f->symbol, (u64)(uintptr_t)f->object);
	u32 i;

	hash = hash_mix(hash, (u64)(uintptr_t)f->line);
	hash = hash_mix(hash, (u64)f->level << 1 | f->inlined);
	i = hash_index_at(&p->func_index, hash, same_func, p->funcs, f);
	if (i == p->nr_funcs) {
		p->funcs = grow(p->funcs, p->nr_funcs, &p->room_funcs, sizeof(*f));
		p->funcs[p->nr_funcs++] = *f;
	}
	return i;
}

static bool same_stack(const void *array, u32 i, const void *key)
{
	return !memcmp((const struct stack *)array + i + 1, key, sizeof(struct stack));
}

/* A symbol for a function that has none of its own, as inlined ones; name belongs to the object. */
struct symbol *profile_symbol(struct profile *p, const struct object *o, const char *name)
{
	void **at = num_map_at(&p->symbols, hash_mix((u64)(uintptr_t)o, (u64)(uintptr_t)name));
	struct symbol *s = *at;

	if (!s) {
		s = mem_zalloc(1, sizeof(*s));
		s->name = name ? name : "[unknown]";
		s->shown = str_dup(s->name);
		*at = s;
	}
	return s;
}

/* Text that lives as long as the profile. */
static const char *intern(struct profile *p, const char *text)
{
	/* adding may move the array, so it comes first; strings never move */
	u32 i = str_set_add(&p->texts, text);

	return p->texts.v[i];
}

/* Say of which line a function is, where lines are wanted. */
void profile_line(struct profile *p, struct func *f, const struct frame *level)
{
	const char *slash, *file;
	char *text;

	f->line = f->file = NULL;
	if (!p->lines || !level->file || !level->line)
		return;
	slash = strrchr(level->file, '/');
	file = slash ? slash + 1 : level->file;
	text = str_printf("%s:%u", file, level->line);
	f->file = intern(p, file);
	f->line = intern(p, text);
	free(text);
}

/* The number of a stack, never 0. */
u32 profile_stack(struct profile *p, u32 caller, u32 func)
{
	struct stack key = { caller, func };
	u32 i = 1 + hash_index_at(&p->stack_index, hash_mix(caller, func), same_stack, p->stacks,
				  &key);

	if (i == p->nr_stacks) {
		p->stacks = grow(p->stacks, p->nr_stacks, &p->room_stacks, sizeof(key));
		p->stacks[p->nr_stacks++] = key;
	}
	return i;
}

static bool same_row(const void *array, u32 i, const void *key)
{
	const struct row *a = (const struct row *)array + i, *b = key;

	return a->stack == b->stack && a->comm == b->comm && a->tid == b->tid &&
	       a->pid == b->pid && a->cpu == b->cpu && a->event == b->event;
}

static u64 hash_row(const struct row *r)
{
	u64 hash = hash_mix((u64)(uintptr_t)r->comm, (u64)r->stack << 32 | r->event);

	hash = hash_mix(hash, (u64)(u32)r->pid << 32 | (u32)r->tid);
	return hash_mix(hash, r->cpu);
}

static void add_row(struct profile *p, const struct row *r, u64 hash)
{
	u32 i = hash_index_at(&p->row_index, hash, same_row, p->rows, r);

	if (i == p->nr_rows) {
		p->rows = grow(p->rows, p->nr_rows, &p->room_rows, sizeof(*r));
		p->rows[p->nr_rows++] = *r;
	} else {
		p->rows[i].period += r->period;
		p->rows[i].samples += r->samples;
	}
}

/* Add to the rows that are like these, at most ROWS_AT_ONCE. */
void profile_rows(struct profile *p, const struct row *v, u32 nr)
{
	u64 hash[ROWS_AT_ONCE];
	u32 i;

	/* there may be more of them than any cache holds */
	for (i = 0; i < nr; i++) {
		hash[i] = hash_row(&v[i]);
		hash_index_fetch(&p->row_index, hash[i]);
	}
	for (i = 0; i < nr; i++)
		hash_index_fetch_more(&p->row_index, hash[i], p->rows, sizeof(*v));
	for (i = 0; i < nr; i++)
		add_row(p, &v[i], hash[i]);
}

static void index_rows(struct profile *p)
{
	struct row *rows = p->rows;
	u32 nr = p->nr_rows, i;

	hash_index_clear(&p->row_index);
	p->nr_rows = 0;
	/* a row never moves behind itself */
	for (i = 0; i < nr; i++) {
		struct row r = rows[i];

		if (r.samples)
			add_row(p, &r, hash_row(&r));
	}
}

/* Let everything count half as much from here on, or forget it; no sample waits in the batch. */
void profile_fade(struct profile *p, bool forget)
{
	u32 i;

	for (i = 0; i < p->nr_rows; i++) {
		p->rows[i].period = forget ? 0 : p->rows[i].period / 2;
		p->rows[i].samples = forget ? 0 : p->rows[i].samples / 2;
	}
	index_rows(p);
	for (i = 0; i < p->nr_events; i++)
		p->events[i] = (struct total){ 0 };
	for (i = 0; i < p->nr_rows; i++) {
		p->events[p->rows[i].event].period += p->rows[i].period;
		p->events[p->rows[i].event].samples += p->rows[i].samples;
	}
	if (!forget)
		return;
	p->nr_stacks = 1;
	batch_forget_stacks(p->batch);
	hash_index_clear(&p->stack_index);
}

/* The functions of a stack, innermost first; how many there are. */
u32 profile_unwind(const struct profile *p, u32 stack, u32 funcs[STACK_MAX])
{
	u32 n;

	for (n = 0; stack && n < STACK_MAX; stack = p->stacks[stack].caller)
		funcs[n++] = p->stacks[stack].func;
	return n;
}

const char *func_name(const struct func *f)
{
	return symbol_name(f->symbol);
}
