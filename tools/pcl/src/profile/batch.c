// SPDX-License-Identifier: GPL-2.0
/*
 * Samples on their way into a profile: their addresses get names in batches.
 *
 * Concepts: a sample's addresses are looked up in the mappings of its moment
 * at once, which gives objects and places in them. Names come later, for many
 * samples at a time: each object is one piece of work, its symbols are loaded
 * when it is seen first, and objects are worked on in parallel; so are the parts
 * of their debug information, between two passes over the objects. An address is
 * named once, however often it was sampled, for as long as it is remembered. It
 * may be in several functions, inlined into each other; the outermost is the one
 * that has code.
 * Contexts: the reader's thread; bucket_name() and bucket_levels() in threads of
 * parallel_for().
 * Locks: none; a bucket, with its object and addresses, belongs to one thread.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/* A batch ends with this many samples or frames. */
enum { BATCH_SAMPLES = 1 << 16, BATCH_FRAMES = 1 << 19 };

/* More addresses than these are not remembered from batch to batch. */
enum { MOST_SPOTS = 1 << 17 };

/* An address of a sample; key are layout and ip. */
struct spot {
	u64 layout, ip;
	struct place place;
	u32 next;		/* of the same bucket, + 1 */
	u32 bucket;
	u32 first, nr;		/* levels of the bucket; then functions of the batch, innermost first */
};

/* The addresses whose names one object has. */
struct bucket {
	struct object *symbols_of;
	u32 first;		/* + 1 */
	struct unit_list wanted;/* the debug information that it takes */
	struct frame *levels;	/* what that says */
	u32 nr_levels, room_levels;
};

struct batch_sample {
	struct row row;		/* its stack is still to come */
	u32 first, nr;		/* frames, innermost first */
};

struct sample_batch {
	struct spot *spots;
	u32 nr_spots, room_spots;
	u32 nr_named;		/* the first spots, of earlier batches */
	struct hash_index spot_index;
	struct bucket *buckets;
	u32 nr_buckets;
	struct num_map bucket_of;	/* object -> place in buckets, + 1 */
	struct batch_sample *samples;
	u32 nr_samples;
	u32 *frames;		/* numbers of spots */
	u32 nr_frames;
	u32 *funcs;		/* numbers of functions in the profile */
	u32 nr_funcs, room_funcs;
};

static struct sample_batch *batch_new(void)
{
	struct sample_batch *b = mem_zalloc(1, sizeof(*b));

	b->samples = mem_zalloc(BATCH_SAMPLES, sizeof(*b->samples));
	b->frames = mem_zalloc(BATCH_FRAMES + STACK_MAX, sizeof(*b->frames));
	return b;
}

void batch_free(struct sample_batch *b)
{
	if (!b)
		return;
	hash_index_free(&b->spot_index);
	num_map_free(&b->bucket_of, NULL);
	free(b->spots);
	free(b->buckets);
	free(b->funcs);
	free(b->samples);
	free(b->frames);
	free(b);
}

static bool same_spot(const void *array, u32 i, const void *key)
{
	const struct spot *a = (const struct spot *)array + i, *b = key;

	return a->ip == b->ip && a->layout == b->layout;
}

static void bucket_add(struct profile *p, struct sample_batch *b, u32 spot)
{
	struct object *o = session_symbols_of(p->s, b->spots[spot].place.object);
	void **at = num_map_at(&b->bucket_of, (u64)(uintptr_t)o);
	struct bucket *bucket;

	if (!*at) {
		b->buckets = mem_resize(b->buckets, b->nr_buckets + 1, sizeof(*b->buckets));
		b->buckets[b->nr_buckets++] = (struct bucket){ .symbols_of = o };
		*at = (void *)(uintptr_t)b->nr_buckets;
	}
	b->spots[spot].bucket = (u32)(uintptr_t)*at - 1;
	bucket = &b->buckets[b->spots[spot].bucket];
	b->spots[spot].next = bucket->first;
	bucket->first = spot + 1;
}

/* The number of this address in the batch. */
static u32 spot_at(struct profile *p, struct sample_batch *b, u64 layout, s32 pid, u16 mode, u64 ip)
{
	struct spot key = { .layout = layout, .ip = ip };
	u32 i = hash_index_at(&b->spot_index, hash_mix(layout, ip), same_spot, b->spots, &key);

	if (i < b->nr_spots)
		return i;
	if (b->nr_spots == b->room_spots) {
		b->room_spots = b->room_spots ? b->room_spots * 2 : 4096;
		b->spots = mem_resize(b->spots, b->room_spots, sizeof(*b->spots));
	}
	key.place = session_find(p->s, pid, mode, ip);
	b->spots[b->nr_spots++] = key;
	bucket_add(p, b, i);
	return i;
}

/*
 * The callers, as the chain tells them. Markers in it say of which level the
 * following addresses are; the first address behind one is where that level was
 * left, the others are return addresses, which may already be in the next
 * function. The sampled function itself is the first where the level is its own.
 */
static void add_chain(struct profile *p, struct sample_batch *b, const struct pd_sample *sample)
{
	struct cursor c = sample->chain;
	u16 mode = sample->cpumode;
	u64 layout = session_layout(p->s, sample->pid, mode), ip;
	bool own = true, exact = true;
	u32 first = b->nr_frames;

	while (cursor_left(&c) >= sizeof(u64) && b->nr_frames - first < STACK_MAX - 1) {
		ip = cursor_u64(&c);
		if (ip >= (u64)PERF_CONTEXT_MAX) {
			exact |= mode != chain_mode(ip);
			mode = chain_mode(ip);
			layout = session_layout(p->s, sample->pid, mode);
			continue;
		}
		if (own && mode == sample->cpumode) {
			own = exact = false;
			continue;
		}
		own = false;
		/* frame pointers that lead nowhere end in addresses like 0 */
		if (ip < 4096)
			break;
		b->frames[b->nr_frames++] = spot_at(p, b, layout, sample->pid, mode, ip - !exact);
		exact = false;
	}
}

/* Take in a sample of this event. */
void batch_add(struct profile *p, unsigned int event, const struct pd_sample *sample)
{
	struct sample_batch *b = p->batch ? p->batch : (p->batch = batch_new());
	struct batch_sample *to = &b->samples[b->nr_samples++];

	p->events[event].period += sample->period;
	p->events[event].samples++;
	to->row = (struct row){
		.event = event, .period = sample->period, .samples = 1,
		.comm = p->keep[SORT_COMM] ? session_comm(p->s, sample->tid) : NULL,
		.pid = p->keep[SORT_PID] ? sample->pid : 0,
		.tid = p->keep[SORT_TID] ? sample->tid : 0,
		.cpu = p->keep[SORT_CPU] ? sample->cpu : 0,
	};
	to->first = b->nr_frames;
	b->frames[b->nr_frames++] = spot_at(p, b, session_layout(p->s, sample->pid, sample->cpumode),
					    sample->pid, sample->cpumode, sample->ip);
	if (p->chains)
		add_chain(p, b, sample);
	to->nr = b->nr_frames - to->first;
	if (b->nr_samples == BATCH_SAMPLES || b->nr_frames >= BATCH_FRAMES)
		batch_flush(p);
}

/* What the debug information says of this address. */
static void spot_levels(struct bucket *bucket, struct spot *spot)
{
	enum { MOST = 64 };

	if (bucket->nr_levels + MOST > bucket->room_levels) {
		bucket->room_levels = bucket->room_levels * 2 + MOST;
		bucket->levels = mem_resize(bucket->levels, bucket->room_levels,
					    sizeof(*bucket->levels));
	}
	spot->first = bucket->nr_levels;
	spot->nr = object_frames(spot->place.object, spot->place.addr,
				 bucket->levels + bucket->nr_levels, MOST);
	bucket->nr_levels += spot->nr;
}

/* Is it asked what debug information says of the bucket's addresses? */
static bool levels_wanted(const struct profile *p, const struct bucket *bucket)
{
	return (p->lines || (p->inlines && p->chains)) && !bucket->symbols_of->kernel &&
	       bucket->symbols_of != p->s->unknown;
}

static void bucket_name(u32 i, void *arg)
{
	struct profile *p = arg;
	struct sample_batch *b = p->batch;
	struct bucket *bucket = &b->buckets[i];
	bool levels = levels_wanted(p, bucket);
	struct place *place;
	u32 at;

	session_load(p->s, bucket->symbols_of);
	for (at = bucket->first; at; at = b->spots[at - 1].next) {
		place = &b->spots[at - 1].place;
		session_name(p->s, place);
		if (levels)
			units_want(&bucket->wanted, place->object, place->addr);
	}
}

static void bucket_levels(u32 i, void *arg)
{
	struct profile *p = arg;
	struct sample_batch *b = p->batch;
	u32 at;

	if (!levels_wanted(p, &b->buckets[i]))
		return;
	for (at = b->buckets[i].first; at; at = b->spots[at - 1].next)
		spot_levels(&b->buckets[i], &b->spots[at - 1]);
}

static void name_spots(struct profile *p)
{
	struct sample_batch *b = p->batch;
	struct unit_list wanted = { 0 };
	u32 i;

	parallel_for(b->nr_buckets, bucket_name, p);
	for (i = 0; i < b->nr_buckets; i++)
		units_join(&wanted, &b->buckets[i].wanted);
	units_read(&wanted);
	parallel_for(b->nr_buckets, bucket_levels, p);
}

static void put_func(struct profile *p, struct sample_batch *b, const struct func *f)
{
	if (b->nr_funcs == b->room_funcs) {
		b->room_funcs = b->room_funcs ? b->room_funcs * 2 : 4096;
		b->funcs = mem_resize(b->funcs, b->room_funcs, sizeof(*b->funcs));
	}
	b->funcs[b->nr_funcs++] = profile_func(p, f);
}

/* The functions of an address: one, and those that were inlined there. */
static void spot_funcs(struct profile *p, struct sample_batch *b, struct spot *spot)
{
	const struct frame *levels = b->buckets[spot->bucket].levels + spot->first;
	struct func f = { .object = spot->place.object, .level = spot->place.level };
	u32 first = b->nr_funcs, i;

	for (i = 0; i + 1 < spot->nr && p->inlines && p->chains; i++) {
		f.symbol = profile_symbol(p, f.object, levels[i].function);
		f.inlined = true;
		profile_line(p, &f, &levels[i]);
		put_func(p, b, &f);
	}
	f.symbol = spot->place.symbol;
	f.inlined = false;
	if (spot->nr) {
		if (!f.symbol && levels[spot->nr - 1].function)
			f.symbol = profile_symbol(p, f.object, levels[spot->nr - 1].function);
		/* where inlined functions are no frames, the line is still that of the address */
		profile_line(p, &f, &levels[i]);
	}
	put_func(p, b, &f);
	spot->first = first;
	spot->nr = b->nr_funcs - first;
}

static u32 push_spot(struct profile *p, const struct sample_batch *b, u32 stack, const struct spot *spot)
{
	u32 k;

	for (k = spot->nr; k; k--)
		stack = profile_stack(p, stack, b->funcs[spot->first + k - 1]);
	return stack;
}

/* Name all addresses of the batch, and add its samples up. */
void batch_flush(struct profile *p)
{
	struct sample_batch *b = p->batch;
	u32 i, k, stack;

	if (!b || !b->nr_samples)
		return;
	name_spots(p);
	for (i = b->nr_named; i < b->nr_spots; i++)
		spot_funcs(p, b, &b->spots[i]);
	b->nr_named = b->nr_spots;
	for (i = 0; i < b->nr_samples; i++) {
		struct batch_sample *s = &b->samples[i];

		for (stack = 0, k = s->nr; k; k--)
			stack = push_spot(p, b, stack, &b->spots[b->frames[s->first + k - 1]]);
		s->row.stack = stack;
		profile_row(p, &s->row);
	}
	for (i = 0; i < b->nr_buckets; i++)
		free(b->buckets[i].levels);
	b->nr_samples = b->nr_frames = b->nr_buckets = 0;
	num_map_free(&b->bucket_of, NULL);
	if (b->nr_spots > MOST_SPOTS) {
		b->nr_spots = b->nr_named = b->nr_funcs = 0;
		hash_index_clear(&b->spot_index);
	}
}
