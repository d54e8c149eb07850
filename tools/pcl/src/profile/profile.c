// SPDX-License-Identifier: GPL-2.0
/*
 * Samples, added up: frames, stacks made of them, rows made of stacks.
 *
 * Concepts: a stack is a frame and the stack of its caller, so that all stacks
 * share what they have in common from the outermost function on. Equal frames,
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
	p->events = mem_zalloc(nr_events, sizeof(*p->events));
	/* stack 0 is nobody */
	p->nr_stacks = p->room_stacks = 1;
	p->stacks = mem_zalloc(1, sizeof(*p->stacks));
}

void profile_free(struct profile *p)
{
	batch_free(p->batch);
	free(p->events);
	free(p->frames);
	free(p->stacks);
	free(p->rows);
	hash_index_free(&p->frame_index);
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

static bool same_frame(const void *array, u32 i, const void *key)
{
	const struct func *a = (const struct func *)array + i, *b = key;

	return a->object == b->object && a->symbol == b->symbol && a->line == b->line &&
	       a->level == b->level && a->inlined == b->inlined;
}

/* The number of a frame. */
u32 profile_frame(struct profile *p, const struct func *f)
{
	u64 hash = hash_mix((u64)(uintptr_t)f->symbol, (u64)(uintptr_t)f->object);
	u32 i;

	hash = hash_mix(hash, (u64)(uintptr_t)f->line);
	hash = hash_mix(hash, (u64)f->level << 1 | f->inlined);
	i = hash_index_at(&p->frame_index, hash, same_frame, p->frames, f);
	if (i == p->nr_frames) {
		p->frames = grow(p->frames, p->nr_frames, &p->room_frames, sizeof(*f));
		p->frames[p->nr_frames++] = *f;
	}
	return i;
}

static bool same_stack(const void *array, u32 i, const void *key)
{
	return !memcmp((const struct stack *)array + i + 1, key, sizeof(struct stack));
}

/* The number of a stack, never 0. */
u32 profile_stack(struct profile *p, u32 caller, u32 frame)
{
	struct stack key = { caller, frame };
	u32 i = 1 + hash_index_at(&p->stack_index, hash_mix(caller, frame), same_stack, p->stacks,
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

/* Add to the row that is like this one. */
void profile_row(struct profile *p, const struct row *r)
{
	u64 hash = hash_mix((u64)(uintptr_t)r->comm, (u64)r->stack << 32 | r->event);
	u32 i;

	hash = hash_mix(hash, (u64)(u32)r->pid << 32 | (u32)r->tid);
	i = hash_index_at(&p->row_index, hash_mix(hash, r->cpu), same_row, p->rows, r);
	if (i == p->nr_rows) {
		p->rows = grow(p->rows, p->nr_rows, &p->room_rows, sizeof(*r));
		p->rows[p->nr_rows++] = *r;
	} else {
		p->rows[i].period += r->period;
		p->rows[i].samples += r->samples;
	}
}

/* The frames of a stack, innermost first; how many there are. */
u32 profile_unwind(const struct profile *p, u32 stack, u32 frames[STACK_MAX])
{
	u32 n;

	for (n = 0; stack && n < STACK_MAX; stack = p->stacks[stack].caller)
		frames[n++] = p->stacks[stack].frame;
	return n;
}

const char *frame_name(const struct func *f)
{
	return symbol_name(f->symbol);
}
