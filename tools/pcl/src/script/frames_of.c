// SPDX-License-Identifier: GPL-2.0
/*
 * The frames of a sample: its chain, or its address alone, with names.
 *
 * Concepts: a chain starts at the sampled function and goes outwards; markers
 * in it (PERF_CONTEXT_*) say which level the following addresses are of. What
 * was inlined into a function has frames of its own before it.
 * Contexts: script.
 * Locks: none.
 */
#include "internal.h"
#include "script/script.h"

enum { INLINE_MAX = 64 };

static struct script_frame *add_frame(struct script *sc, u64 ip, u64 in_file,
				      const struct place *p)
{
	struct script_frame *f;

	if (sc->nr_frames == CHAIN_MAX)
		return NULL;
	f = &sc->frames[sc->nr_frames++];
	*f = (struct script_frame){ .ip = ip, .in_file = in_file, .place = *p };
	return f;
}

static void add_inlined(struct script *sc, u64 ip, u64 in_file, const struct place *p)
{
	struct frame frames[INLINE_MAX];
	unsigned int nr = object_frames(p->object, p->addr, frames, INLINE_MAX), i;
	struct script_frame *f;

	for (i = 0; i + 1 < nr; i++) {
		f = add_frame(sc, ip, in_file, p);
		if (!f)
			return;
		f->inlined = true;
		f->name = frames[i].function;
		f->file = frames[i].file;
		f->line = frames[i].line;
	}
}

static void add_address(struct script *sc, s32 pid, u16 mode, u64 ip, bool in_chain)
{
	struct place p = session_find(&sc->s, pid, mode, ip);
	u64 in_file = p.addr;

	session_load(&sc->s, session_symbols_of(&sc->s, p.object));
	session_name(&sc->s, &p);
	if (in_chain && sc->inlines && p.symbol && mode == PERF_RECORD_MISC_USER)
		add_inlined(sc, ip, in_file, &p);
	add_frame(sc, ip, in_file, &p);
}

static void add_chain(struct script *sc, const struct pd_sample *s)
{
	struct cursor c = s->chain;
	u16 mode = s->cpumode;
	u64 ip;

	while (chain_next(&c, &mode, &ip) && sc->nr_frames < CHAIN_MAX)
		add_address(sc, s->pid, mode, ip, true);
}

/* Fill in sc->frames. */
void script_resolve(struct script *sc, const struct perf_event_attr *attr,
		    const struct pd_sample *s)
{
	sc->nr_frames = 0;
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN && !sc->no_chains)
		add_chain(sc, s);
	else if (attr->sample_type & PERF_SAMPLE_IP)
		add_address(sc, s->pid, s->cpumode, s->ip, false);
}

/* For people; "[unknown]" when there is none. */
const char *frame_symbol(const struct script_frame *f)
{
	if (f->inlined)
		return f->name ? f->name : "[unknown]";
	return symbol_name(f->place.symbol);
}
