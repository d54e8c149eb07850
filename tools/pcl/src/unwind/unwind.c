// SPDX-License-Identifier: GPL-2.0
/*
 * From registers and a piece of stack to the chain of callers.
 *
 * Concepts: a frame is the values of its registers. The row of rules for its
 * address tells its canonical frame address, and from that and the stack, the
 * registers of its caller. A frame that made a call is looked up by the address
 * before the one to return to, which may belong to the next function already;
 * one that was sampled or interrupted, by the address itself. A frame without
 * call frame information is left by its frame pointer, if that leads to mapped
 * code: a guess, and counted as one. The chain ends whole where the return
 * address is undefined, or 0.
 * Contexts: any thread, each with its own unwinder.
 * Locks: none; mappings are read under rcu_read_lock(), which may be held while
 * a file is opened.
 */
#include <stdlib.h>

#include "unwind/private.h"

/* Objects that one unwinder keeps open; when there are more, it begins anew. */
enum { MAX_OPEN = 4096 };
/* The code at an object's entry, which only calls what does the work. */
enum { ENTRY_SIZE = 64 };
/* What lies further behind the copy of a stack is of another one: the usual limit of stacks. */
enum { STACK_FAR = 8 << 20 };

/* One chain on its way. */
struct chain_walk {
	struct unwinder *u;
	struct map_table *maps;
	s32 pid;
	u64 time_ns;
	struct regs regs;
	struct cursor stack;
	u64 stack_start;
	bool stack_full;	/* there may be more than was copied */
	bool exact;		/* the frame was sampled or interrupted, and made no call */
	bool guessed;
	enum unwind_end end;
	const struct mapped_object *at; /* where it ended, if that is an object */
};

struct unwinder *unwinder_new(struct tasks *t)
{
	struct unwinder *u = mem_zalloc(1, sizeof(*u));

	rcu_thread();
	u->tasks = t;
	return u;
}

static void close_modules(struct unwinder *u)
{
	unsigned int i;

	for (i = 0; i < u->nr_modules; i++) {
		module_free(u->modules[i]);
		u->modules[i] = NULL;
	}
	u->nr_open = 0;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	close_modules(u);
	free(u->modules);
	free(u->chain);
	unwind_stats_free(&u->stats);
	free(u);
}

static struct module *module_of(struct unwinder *u, const struct mapped_object *o)
{
	unsigned int nr = o->index + 1;

	if (nr > u->nr_modules) {
		u->modules = mem_resize(u->modules, nr * 2, sizeof(struct module *));
		while (u->nr_modules < nr * 2)
			u->modules[u->nr_modules++] = NULL;
	}
	if (!u->modules[o->index]) {
		if (++u->nr_open > MAX_OPEN)
			close_modules(u);
		u->modules[o->index] = module_new(o);
	}
	return u->modules[o->index];
}

static bool stop(struct chain_walk *w, enum unwind_end end)
{
	w->end = end;
	return false;
}

/* Read the copy of the stack. What is not in it is not known. */
static bool read_stack(void *arg, u64 addr, unsigned int size, u64 *value)
{
	struct chain_walk *w = arg;
	u64 at = addr - w->stack_start, left = cursor_left(&w->stack);
	struct cursor c = w->stack;

	*value = 0;
	if (addr < w->stack_start || at >= left || size > left - at) {
		/* far away it is not the rest of this stack */
		bool near = addr >= w->stack_start && at < left + STACK_FAR;

		return stop(w, near && w->stack_full ? UNWIND_STACK_SHORT : UNWIND_OTHER_STACK);
	}
	cursor_skip(&c, at);
	*value = size == 8 ? cursor_u64(&c) : cursor_number(&c, size);
	return true;
}

static bool value_of_location(struct chain_walk *w, const struct module *m, const struct frame_rule *r, u64 cfa,
			      u64 *value)
{
	struct location_memory mem = { .read = read_stack, .arg = w };

	w->end = UNWIND_BAD_REGISTER;
	return location_value(&m->locations[r->off], &w->regs, cfa, &mem, value);
}

static bool value_of_register(struct chain_walk *w, const struct frame_rule *r, u64 *value)
{
	if (!(w->regs.known >> r->reg & 1))
		return stop(w, UNWIND_BAD_REGISTER);
	*value = w->regs.v[r->reg] + (u64)(s64)r->off;
	return true;
}

/* What a register of the caller holds. False: not known, and w->end says why. */
static bool value_of_rule(struct chain_walk *w, const struct module *m, const struct frame_rule *r, u64 cfa,
			  unsigned int reg, u64 *value)
{
	const struct frame_rule same = { .kind = RULE_REG, .reg = (u8)reg };
	u64 place;

	switch (r->kind) {
	case RULE_SAME:
		return value_of_register(w, &same, value);
	case RULE_AT_CFA:
		return read_stack(w, cfa + (u64)(s64)r->off, 8, value);
	case RULE_IS_CFA:
		*value = cfa + (u64)(s64)r->off;
		return true;
	case RULE_REG:
		return value_of_register(w, r, value);
	case RULE_AT_LOCATION:
		return value_of_location(w, m, r, cfa, &place) && read_stack(w, place, 8, value);
	case RULE_IS_LOCATION:
		return value_of_location(w, m, r, cfa, value);
	default:
		return stop(w, UNWIND_BAD_REGISTER);
	}
}

/* Go to the caller's frame by the row's rules. */
static bool step_by_row(struct chain_walk *w, const struct module *m, const struct frame_row *row)
{
	struct regs next = { .known = 0 };
	u64 cfa, value;
	unsigned int i;

	if (row->regs[REG_PC].kind == RULE_UNDEFINED)
		return stop(w, UNWIND_WHOLE);
	if (!value_of_rule(w, m, &row->cfa, 0, REG_SP, &cfa))
		return false;
	if (!value_of_rule(w, m, &row->regs[REG_PC], cfa, REG_PC, &next.v[REG_PC]))
		return false;
	next.known = 1u << REG_PC;
	for (i = 0; i < REG_PC; i++) {
		if (row->regs[i].kind == RULE_UNDEFINED)
			continue;
		if (!value_of_rule(w, m, &row->regs[i], cfa, i, &value))
			continue;	/* it matters only if it is needed */
		next.v[i] = value;
		next.known |= 1u << i;
	}
	if (!next.v[REG_PC])
		return stop(w, UNWIND_WHOLE);
	/*
	 * An interrupted frame may be on another stack. The innermost may have
	 * no stack, like vfork(), which keeps its return address in a register.
	 */
	if (!row->signal && (!(next.known >> REG_SP & 1) ||
			     next.v[REG_SP] < w->regs.v[REG_SP] + !w->exact))
		return stop(w, UNWIND_NO_PROGRESS);
	w->exact = row->signal;
	w->regs = next;
	return true;
}

/* Go to the caller's frame as if this one began by saving the frame pointer. */
static bool step_by_frame_pointer(struct chain_walk *w)
{
	u64 bp = w->regs.v[REG_BP], saved, ret;

	if (!(w->regs.known >> REG_BP & 1) || bp & 7 || bp < w->regs.v[REG_SP] ||
	    !read_stack(w, bp, 8, &saved) || !read_stack(w, bp + 8, 8, &ret) ||
	    !map_table_find(w->maps, ret - 1))
		return stop(w, UNWIND_NO_CFI);
	w->regs.v[REG_BP] = saved;
	w->regs.v[REG_SP] = bp + 16;
	w->regs.v[REG_PC] = ret;
	w->regs.known = 1u << REG_BP | 1u << REG_SP | 1u << REG_PC;
	w->exact = false;
	w->guessed = true;
	return true;
}

/* The place lies in the program that called execve(), and the new one does not run yet. */
static bool is_loading(const struct chain_walk *w, u64 pc)
{
	const struct map_table *before = w->exact ? map_table_before_exec(w->maps, w->time_ns) : NULL;

	return before && map_table_find(before, pc);
}

static bool step(struct chain_walk *w)
{
	u64 pc = w->regs.v[REG_PC] - !w->exact, addr;
	const struct map *map = map_table_find(w->maps, pc);
	const struct frame_row *row;
	struct module *m;

	w->at = NULL;
	if (!map)
		return stop(w, is_loading(w, pc) ? UNWIND_LOADING : UNWIND_NO_MAPPING);
	if (w->exact)
		map_table_runs(w->maps, w->time_ns);
	w->at = map->object;
	m = module_of(w->u, map->object);
	if (!module_ready(m, w->pid, map, tasks_live(w->u->tasks)) ||
	    !module_address(m, pc - map->start + map->pgoff, &addr))
		return step_by_frame_pointer(w);
	row = module_row(m, addr);
	/* in a system call: behind its instruction, which may be the function's last */
	if (row->none && w->exact)
		row = module_row(m, addr - 1);
	if (!row->none)
		return step_by_row(w, m, row);
	/* the code at the entry, that of the dynamic linker above all, has no caller */
	if (m->entry && addr >= m->entry && addr < m->entry + ENTRY_SIZE)
		return stop(w, UNWIND_WHOLE);
	return step_by_frame_pointer(w);
}

static unsigned int walk_frames(struct chain_walk *w, u64 *ips, unsigned int room)
{
	unsigned int nr = 0;

	while (nr < room && nr < UNWIND_MAX_FRAMES) {
		ips[nr++] = w->regs.v[REG_PC];
		if (!step(w))
			return nr;
	}
	w->end = UNWIND_TOO_DEEP;
	return nr;
}

static void count_end(struct unwind_stats *s, const struct chain_walk *w, unsigned int nr)
{
	s->frames += nr;
	s->guessed += w->guessed;
	s->ends[w->end]++;
	if (w->end == UNWIND_WHOLE) {
		s->whole++;
		return;
	}
	s->truncated++;
	if (!w->at)
		return;
	if (w->at->index >= s->nr_objects) {
		unsigned int room = (w->at->index + 1) * 2;

		s->at_object = mem_resize(s->at_object, room, sizeof(u64));
		while (s->nr_objects < room)
			s->at_object[s->nr_objects++] = 0;
	}
	s->at_object[w->at->index] += w->end == UNWIND_NO_CFI;
}

static void count_unknown(struct unwind_stats *stats, const struct pd_sample *s)
{
	stats->failed++;
	stats->unknown++;
	stats->unknown_pid = s->pid;
	stats->unknown_ns = s->time_ns;
}

/*
 * The user's part of a sample's chain: the sampled address, then return
 * addresses. How many there are; 0: it cannot be unwound, for the process is
 * not known, or is no 64 bit program.
 */
unsigned int unwind_chain(struct unwinder *u, const struct pd_sample *s, u64 *ips,
			  unsigned int room)
{
	struct chain_walk w = {
		.u = u, .pid = s->pid, .time_ns = s->time_ns, .exact = true,
		.stack = s->stack,
		.stack_full = cursor_left(&s->stack) == s->stack_room,
	};
	unsigned int nr = 0;

	if (!regs_of_sample(&w.regs, s)) {
		u->stats.failed++;
		return 0;
	}
	w.stack_start = w.regs.v[REG_SP];
	rcu_read_lock();
	w.maps = tasks_maps(u->tasks, s->pid, s->time_ns);
	if (w.maps)
		nr = walk_frames(&w, ips, room);
	rcu_read_unlock();
	if (nr)
		count_end(&u->stats, &w, nr);
	else
		count_unknown(&u->stats, s);
	return nr;
}
