// SPDX-License-Identifier: GPL-2.0
/*
 * Samples on their way into a profile: their addresses get names in batches.
 *
 * Concepts: a sample's addresses are looked up in the mappings of its moment
 * at once, which gives objects and places in them. Names come later, for many
 * samples at a time: each object is one piece of work, its symbols are loaded
 * when it is seen first, and objects are worked on in parallel; so are the parts
 * of their debug information, between two passes over the objects. A place in an
 * object is named once, however often and by how many processes it was sampled,
 * for as long as it is remembered; so are chains of callers. A place may be in
 * several functions, inlined into each other; the outermost is the one that has
 * code.
 * Contexts: the reader's thread; bucket_name() and bucket_levels() in threads of
 * parallel_for().
 * Locks: none; a bucket, with its object and places, belongs to one thread.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/chain_set.h"
#include "profile/profile.h"

/* A batch ends with this many samples or frames. */
enum { BATCH_SAMPLES = 1 << 14, BATCH_FRAMES = 1 << 17 };

/* More places, chains or words of chains than these are not remembered from batch to batch. */
enum { MOST_SPOTS = 1 << 16, MOST_CHAINS = 1 << 16, MOST_WORDS = 1 << 19 };

/* A place where samples fell, or that they were called from. */
struct spot {
	struct object *object;
	u64 addr;		/* as session_find() has it */
	char level;
	u32 first, nr;		/* functions of the batch, innermost first, once it is named */
};

/* What a spot needs until it is named. */
struct fresh_spot {
	struct place place;
	u32 next;		/* fresh one of the same bucket, + 1 */
	u32 bucket;
	u32 first, nr;		/* levels of the bucket */
};

/* The places whose names one object has. */
struct bucket {
	struct object *symbols_of;
	u32 first;		/* fresh spot, + 1 */
	struct unit_list wanted;/* the debug information that it takes */
	struct frame *levels;	/* what that says */
	u32 nr_levels, room_levels;
};

struct batch_sample {
	const char *comm;
	s32 pid, tid;
	u32 cpu;
	u32 event;
	u64 period;
	u32 spot;		/* of the sampled function */
	u32 chain;		/* of its callers, + 1; 0: none */
};

/* A sample whose spot is looked for soon: some at once, as there may be more of them than any cache holds. */
struct awaited {
	struct place place;
	u64 hash;
};

struct sample_batch {
	struct awaited awaited[ROWS_AT_ONCE];	/* of the last samples */
	u32 nr_awaited;
	struct spot *spots;
	u32 nr_spots, room_spots;
	u32 nr_named;		/* the first spots, of earlier batches; behind them, a fresh one for each */
	struct hash_index spot_index;
	struct fresh_spot *fresh;
	u32 room_fresh;
	struct bucket *buckets;
	u32 nr_buckets;
	struct num_map bucket_of;	/* object -> place in buckets, + 1 */
	struct batch_sample *samples;
	u32 nr_samples;
	struct chain_set chains;
	u32 *frames;		/* of new chains: numbers of spots */
	u32 nr_frames, room_frames;
	u32 *funcs;		/* numbers of functions in the profile */
	u32 nr_funcs, room_funcs;
};

static struct sample_batch *batch_new(void)
{
	struct sample_batch *b = mem_zalloc(1, sizeof(*b));

	b->samples = mem_zalloc(BATCH_SAMPLES, sizeof(*b->samples));
	return b;
}

void batch_free(struct sample_batch *b)
{
	if (!b)
		return;
	hash_index_free(&b->spot_index);
	num_map_free(&b->bucket_of, NULL);
	chain_set_free(&b->chains);
	free(b->spots);
	free(b->fresh);
	free(b->buckets);
	free(b->funcs);
	free(b->samples);
	free(b->frames);
	free(b);
}

static bool same_spot(const void *array, u32 i, const void *key)
{
	const struct spot *a = (const struct spot *)array + i, *b = key;

	return a->addr == b->addr && a->object == b->object && a->level == b->level;
}

/* Give a fresh spot to the object that has its names. */
static void bucket_add(struct profile *p, struct sample_batch *b, u32 i)
{
	struct fresh_spot *fresh = &b->fresh[i];
	struct object *o = session_symbols_of(p->s, fresh->place.object);
	void **at = num_map_at(&b->bucket_of, (u64)(uintptr_t)o);
	struct bucket *bucket;

	if (!*at) {
		b->buckets = mem_resize(b->buckets, b->nr_buckets + 1, sizeof(*b->buckets));
		b->buckets[b->nr_buckets++] = (struct bucket){ .symbols_of = o };
		*at = (void *)(uintptr_t)b->nr_buckets;
	}
	fresh->bucket = (u32)(uintptr_t)*at - 1;
	bucket = &b->buckets[fresh->bucket];
	fresh->next = bucket->first;
	bucket->first = i + 1;
}

static u64 hash_place(const struct place *place)
{
	return hash_mix((u64)(uintptr_t)place->object, place->addr);
}

/* The number of the spot at this place. */
static u32 spot_of(struct profile *p, struct sample_batch *b, const struct place *place, u64 hash)
{
	struct spot key = { .object = place->object, .addr = place->addr, .level = place->level };
	u32 i = hash_index_at(&b->spot_index, hash, same_spot, b->spots, &key), at;

	if (i < b->nr_spots)
		return i;
	if (b->nr_spots == b->room_spots) {
		b->room_spots = b->room_spots ? b->room_spots * 2 : 4096;
		b->spots = mem_resize(b->spots, b->room_spots, sizeof(*b->spots));
	}
	b->spots[b->nr_spots++] = key;
	at = i - b->nr_named;
	if (at == b->room_fresh) {
		b->room_fresh = b->room_fresh ? b->room_fresh * 2 : 4096;
		b->fresh = mem_resize(b->fresh, b->room_fresh, sizeof(*b->fresh));
	}
	b->fresh[at] = (struct fresh_spot){ .place = *place };
	bucket_add(p, b, at);
	return i;
}

/* The same of an address of a process, at this moment. */
static u32 spot_at(struct profile *p, struct sample_batch *b, s32 pid, u16 mode, u64 ip)
{
	struct place place = session_find(p->s, pid, mode, ip);

	return spot_of(p, b, &place, hash_place(&place));
}

static void find_awaited(struct profile *p, struct sample_batch *b)
{
	struct batch_sample *samples = b->samples + b->nr_samples - b->nr_awaited;
	u32 i;

	for (i = 0; i < b->nr_awaited; i++)
		hash_index_fetch_more(&b->spot_index, b->awaited[i].hash, b->spots, sizeof(*b->spots));
	for (i = 0; i < b->nr_awaited; i++)
		samples[i].spot = spot_of(p, b, &b->awaited[i].place, b->awaited[i].hash);
	b->nr_awaited = 0;
}

/* Look for the spot of the sample that was added last, now or soon. */
static void await_spot(struct profile *p, struct sample_batch *b, const struct pd_sample *sample)
{
	struct awaited *a = &b->awaited[b->nr_awaited++];

	a->place = session_find(p->s, sample->pid, sample->cpumode, sample->ip);
	a->hash = hash_place(&a->place);
	hash_index_fetch(&b->spot_index, a->hash);
	/* spots are numbered in the order of samples, callers behind them */
	if (b->nr_awaited == ROWS_AT_ONCE || p->chains)
		find_awaited(p, b);
}

static void put_frame(struct sample_batch *b, u32 spot)
{
	if (b->nr_frames == b->room_frames) {
		b->room_frames = b->room_frames ? b->room_frames * 2 : 4096;
		b->frames = mem_resize(b->frames, b->room_frames, sizeof(*b->frames));
	}
	b->frames[b->nr_frames++] = spot;
}

/* The frames of a chain that is new: markers in it say of which level the following addresses are. */
static void read_chain(struct profile *p, struct sample_batch *b, struct chain *chain, s32 pid, struct cursor c)
{
	bool exact = chain->exact;
	u16 mode = chain->mode;
	u64 ip;

	chain->first = b->nr_frames;
	while (cursor_left(&c) >= sizeof(u64) && b->nr_frames - chain->first < STACK_MAX - 1) {
		ip = cursor_u64(&c);
		if (ip >= (u64)PERF_CONTEXT_MAX) {
			exact |= mode != chain_mode(ip);
			mode = chain_mode(ip);
			continue;
		}
		/* frame pointers that lead nowhere end in addresses like 0 */
		if (ip < 4096)
			break;
		put_frame(b, spot_at(p, b, pid, mode, exact ? ip : ip - p->s->behind_call));
		exact = false;
	}
	chain->nr = b->nr_frames - chain->first;
}

/*
 * The callers, as the chain tells them. The first address behind a marker is
 * where that level was left, the others are return addresses, which may already
 * be in the next function (SPARC's are not: see pd_chains_hold_calls()). The sampled function itself is the first where the
 * level is its own. The number of the chain, + 1; 0: there are no callers.
 */
static u32 chain_of(struct profile *p, struct sample_batch *b, const struct pd_sample *sample)
{
	struct chain key = { .mode = sample->cpumode, .exact = true };
	struct cursor c = sample->chain, rest = c;
	u32 i, before = b->chains.nr;
	u64 ip;

	while (cursor_left(&c) >= sizeof(u64)) {
		rest = c;
		ip = cursor_u64(&c);
		if (ip < (u64)PERF_CONTEXT_MAX) {
			if (key.mode != sample->cpumode)
				break;
			key.exact = false;
			rest = c;
			break;
		}
		key.mode = chain_mode(ip);
		rest = c;
	}
	if (cursor_left(&rest) < sizeof(u64))
		return 0;
	key.user_layout = session_layout(p->s, sample->pid, PERF_RECORD_MISC_USER);
	key.kernel_layout = session_layout(p->s, sample->pid, PERF_RECORD_MISC_KERNEL);
	i = chain_set_at(&b->chains, &key, rest);
	if (i == before)
		read_chain(p, b, &b->chains.v[i], sample->pid, rest);
	return i + 1;
}

/* Take in a sample of this event. */
void batch_add(struct profile *p, unsigned int event, const struct pd_sample *sample)
{
	struct sample_batch *b = p->batch ? p->batch : (p->batch = batch_new());
	struct batch_sample *to = &b->samples[b->nr_samples++];

	p->events[event].period += sample->period;
	p->events[event].samples++;
	*to = (struct batch_sample){
		.event = event, .period = sample->period,
		.comm = p->keep[SORT_COMM] ? session_comm(p->s, sample->tid) : NULL,
		.pid = p->keep[SORT_PID] ? sample->pid : 0,
		.tid = p->keep[SORT_TID] ? sample->tid : 0,
		.cpu = p->keep[SORT_CPU] ? sample->cpu : 0,
	};
	await_spot(p, b, sample);
	if (p->chains)
		to->chain = chain_of(p, b, sample);
	if (b->nr_samples == BATCH_SAMPLES || b->nr_frames >= BATCH_FRAMES || b->chains.nr_words >= 2 * MOST_WORDS)
		batch_flush(p);
}

/* What the debug information says of this address. */
static void spot_levels(struct bucket *bucket, struct fresh_spot *spot)
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
	for (at = bucket->first; at; at = b->fresh[at - 1].next) {
		place = &b->fresh[at - 1].place;
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
	for (at = b->buckets[i].first; at; at = b->fresh[at - 1].next)
		spot_levels(&b->buckets[i], &b->fresh[at - 1]);
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

/* The functions of a place: one, and those that were inlined there. */
static void spot_funcs(struct profile *p, struct sample_batch *b, struct spot *spot, const struct fresh_spot *fresh)
{
	const struct frame *levels = b->buckets[fresh->bucket].levels + fresh->first;
	struct func f = { .object = spot->object, .level = spot->level };
	u32 i;

	spot->first = b->nr_funcs;
	for (i = 0; i + 1 < fresh->nr && p->inlines && p->chains; i++) {
		f.symbol = profile_symbol(p, f.object, levels[i].function);
		f.inlined = true;
		profile_line(p, &f, &levels[i]);
		put_func(p, b, &f);
	}
	f.symbol = fresh->place.symbol;
	f.inlined = false;
	if (fresh->nr) {
		if (!f.symbol && levels[fresh->nr - 1].function)
			f.symbol = profile_symbol(p, f.object, levels[fresh->nr - 1].function);
		/* where inlined functions are no frames, the line is still that of the address */
		profile_line(p, &f, &levels[i]);
	}
	put_func(p, b, &f);
	spot->nr = b->nr_funcs - spot->first;
}

static u32 push_spot(struct profile *p, const struct sample_batch *b, u32 stack, u32 spot)
{
	const struct spot *s = &b->spots[spot];
	u32 k;

	for (k = s->nr; k; k--)
		stack = profile_stack(p, stack, b->funcs[s->first + k - 1]);
	return stack;
}

/* The stack of a chain; 0: it has no frames. */
static u32 chain_stack(struct profile *p, const struct sample_batch *b, struct chain *c)
{
	u32 k;

	if (!c->stack)
		for (k = c->nr; k; k--)
			c->stack = push_spot(p, b, c->stack, b->frames[c->first + k - 1]);
	return c->stack;
}

static struct row row_of(struct profile *p, struct sample_batch *b, const struct batch_sample *s)
{
	u32 callers = s->chain ? chain_stack(p, b, &b->chains.v[s->chain - 1]) : 0;

	return (struct row){
		.comm = s->comm, .pid = s->pid, .tid = s->tid, .cpu = s->cpu, .event = s->event,
		.stack = push_spot(p, b, callers, s->spot), .period = s->period, .samples = 1,
	};
}

static void add_samples(struct profile *p, struct sample_batch *b)
{
	struct row rows[ROWS_AT_ONCE];
	u32 i, nr = 0;

	for (i = 0; i < b->nr_samples; i++) {
		rows[nr++] = row_of(p, b, &b->samples[i]);
		if (nr < ROWS_AT_ONCE && i + 1 < b->nr_samples)
			continue;
		profile_rows(p, rows, nr);
		nr = 0;
	}
}

/* Forget stacks, which are to be numbered anew; no sample waits. */
void batch_forget_stacks(struct sample_batch *b)
{
	if (b)
		chain_set_clear(&b->chains);
}

static void forget_if_many(struct sample_batch *b)
{
	if (b->chains.nr > MOST_CHAINS || b->chains.nr_words > MOST_WORDS)
		chain_set_clear(&b->chains);
	if (b->nr_spots > MOST_SPOTS) {
		b->nr_spots = b->nr_named = b->nr_funcs = 0;
		hash_index_clear(&b->spot_index);
	}
}

/* Name all places of the batch, and add its samples up. */
void batch_flush(struct profile *p)
{
	struct sample_batch *b = p->batch;
	u32 i;

	if (!b || !b->nr_samples)
		return;
	find_awaited(p, b);
	name_spots(p);
	for (i = b->nr_named; i < b->nr_spots; i++)
		spot_funcs(p, b, &b->spots[i], &b->fresh[i - b->nr_named]);
	b->nr_named = b->nr_spots;
	add_samples(p, b);
	for (i = 0; i < b->nr_buckets; i++)
		free(b->buckets[i].levels);
	b->nr_samples = b->nr_frames = b->nr_buckets = 0;
	num_map_free(&b->bucket_of, NULL);
	forget_if_many(b);
}
