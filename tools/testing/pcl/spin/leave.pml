/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A switch against whoever gives the task a context: its first event, a leave, a reclaim; and a fork meanwhile.
 *
 * Two CPUs switch between a task T, a task M and idle ones. Beside them somebody on a third CPU opens an event on T.
 * What T is at first is chosen freely:
 *
 *	FIRST	it has neither context nor set: pcl_context_of_task(), pcl_bind()
 *	LEAVE	it and M are members of a set: pcl_set_leave(), pcl_bind()
 *	HOME	so they are, and T made it; its context floats: pcl_set_reclaim(), pcl_bind()
 *
 * and somebody else disables what is in T's context meanwhile, under child_mutex alone: pcl_with_children().
 *
 * Stores that a barrier of ordering.rst orders go through a buffer, a channel, and reach memory one by one at any later
 * time; unlocking is one of them. smp_mb() waits until the buffer is empty. Loads are made in the order of the code.
 *
 * What must hold: T counts wherever it runs, with its own context once the call has returned; M and idle tasks never
 * run with T's; a context is on one CPU at a time; who disables has it disabled when the call returns; a fork finds
 * T's set or its context; each call ends.
 */
#ifndef SWITCHES
#define SWITCHES 2		/* of both CPUs */
#endif
#define TRIES 8			/* of one call; each but the last takes a switch, or a step of the other call */

#define IDLE 0
#define T 1
#define M 2

#define NONE 0			/* no context, no CPU */
#define OWN 1			/* T's context */
#define I0 2			/* instances of the set */
#define I1 3

mtype = { FIRST, LEAVE, HOME };			/* what T is at first */
mtype = { CTXP, NO_SET, NO_HOME, UNLOCK };	/* stores of the opener */
mtype = { FOLLOW, RECLAIM, BIND, DISABLE };	/* IPIs */

/* CPUs are 1 and 2: 0 is none. */
#define CPUS 3
byte current[CPUS];		/* the CPU's own view */
byte curr[CPUS];		/* rq->curr in memory */
bool irqs_off[CPUS];
byte task_ctx[CPUS];		/* pcl_cpu::task_ctx */
bool counts[CPUS];		/* T's event is on a counter */
bool on_cpu[3];			/* task_struct::on_cpu: no other CPU may run it */
byte cpu_of_t = 1;		/* task_cpu(T) */

mtype scenario;
bool t_set, m_set;		/* task->perf_event_set */
bool t_ctxp;			/* task->perf_event_ctxp */
bool home_set;			/* OWN: ctx->set */
bool own_locked;		/* OWN: ctx->lock */
byte loaded_on[4];
bool in_pool[4];
bool own_full;			/* OWN has events: ctx->nr_events */
bool bound;			/* the opened event is among them */
bool wanted = true;		/* and is not disabled */

bool left, opened, disabled;	/* the call has returned */
bool opener_done, other_done;
byte forked;			/* T's fork: how far it is */
bool fork_set;

chan curr_buffer[CPUS] = [1] of { byte };
chan opener_buffer = [5] of { mtype };
mtype ipi[CPUS];		/* what is asked of the CPU; answered: 0 */
byte ipi_from[CPUS];
bool ipi_done[3];		/* by caller: pcl_remote()'s call.done, or reclaim's */

/* Stores arrive. */
active proctype memory()
{
	mtype what;
end:	do
	:: atomic { curr_buffer[1]?curr[1] }
	:: atomic { curr_buffer[2]?curr[2] }
	:: atomic { opener_buffer?what ->
		if
		:: what == CTXP -> t_ctxp = true
		:: what == NO_SET -> t_set = false
		:: what == NO_HOME -> home_set = false
		:: what == UNLOCK -> own_locked = false
		fi; what = 0 }
	od
}

/* Does CPU @c run what it should, with what it should? Looked at whenever one of these changes. */
inline look_at(c)
{
	assert(irqs_off[c] || current[c] != T || !opened || (task_ctx[c] == OWN && counts[c] == wanted));
	assert(irqs_off[c] || current[c] != T || !left || task_ctx[c] == OWN);
	assert(irqs_off[c] || current[c] == IDLE || scenario == FIRST || task_ctx[c] != NONE);
	assert(irqs_off[c] || current[c] != M || (!left && scenario != FIRST) || task_ctx[c] != OWN);
	assert(irqs_off[c] || current[c] != IDLE || task_ctx[c] == NONE);
	assert(irqs_off[c] || !disabled || !counts[c])
}

inline look() { look_at(1); look_at(2) }

/* ---- a CPU ---- */

#define own_here(c) (current[c] == T)
#define ctx_set(ctx) (ctx != OWN || home_set)

/* ctx->lock, and what is done under it at once. Only the opener's unlocking may take longer. */
#define may_lock(ctx) (ctx != OWN || !own_locked)

/* unload() of sched.c; pcl_context_give() */
inline unload(c, ctx)
{
	atomic {
		may_lock(ctx);
		task_ctx[c] = NONE; loaded_on[ctx] = NONE; counts[c] = false;
		give = ctx_set(ctx)
	};
	if
	:: atomic { give -> assert(!in_pool[ctx]); in_pool[ctx] = true; give = false }
	:: else
	fi
}

inline put_on(c, ctx)
{
	assert(task_ctx[c] == NONE && loaded_on[ctx] == NONE);
	task_ctx[c] = ctx; loaded_on[ctx] = c;
	counts[c] = (ctx == OWN && bound && wanted)
}

/* load() of sched.c */
inline load(c, ctx)
{
	atomic {
		may_lock(ctx);
		if
		:: ctx != OWN || own_full -> put_on(c, ctx)
		:: else
		fi
	}
}

/* pcl_context_take() */
inline take(c)
{
	atomic {
		if
		:: own && in_pool[OWN] -> ctx = OWN
		:: else ->
			if
			:: in_pool[I0] -> ctx = I0
			:: !in_pool[I0] && in_pool[I1] -> ctx = I1
			:: !in_pool[I0] && !in_pool[I1] && in_pool[OWN] -> ctx = OWN
			:: else -> ctx = NONE
			fi
		fi;
		in_pool[ctx] = false
	}
}

#define set_of(task) ((task == T && t_set) || (task == M && m_set))

/* pcl_sched_follow() */
inline follow(c)
{
	set = set_of(current[c]);
	own = (current[c] == T && t_ctxp);
	ctx = task_ctx[c];
	if
	:: ctx != NONE && ((set && ctx_set(ctx)) || (!set && own && ctx == OWN))
	:: else ->
		if
		:: ctx != NONE -> unload(c, ctx)
		:: else
		fi;
		if
		:: set ->
			take(c);
			if
			:: ctx != NONE -> load(c, ctx)
			:: else
			fi
		:: !set && own -> load(c, OWN)
		:: else
		fi
	fi;
	d_step { set = false; own = false; ctx = NONE }
}

#define is_here(c) ((home_set && task_ctx[c] == OWN) || (!home_set && current[c] == T))

/* What a call does to T's context, its lock held: bind_local(), disable_local() */
inline do_call(what)
{
	if
	:: what == BIND -> bound = true; own_full = true
	:: what == DISABLE -> wanted = false
	fi
}

/* remote_run() */
inline remote_run(c)
{
	if
	:: is_here(c) ->
		if
		:: !home_set -> follow(c)
		:: else
		fi;
		atomic {
			may_lock(OWN);
			if
			:: is_here(c) && (task_ctx[c] == NONE || task_ctx[c] == OWN) ->
				if
				:: task_ctx[c] == NONE -> put_on(c, OWN)
				:: else
				fi;
				do_call(ipi[c]);
				counts[c] = (bound && wanted);
				ipi_done[ipi_from[c]] = true
			:: else
			fi
		}
	:: else
	fi
}

/* reclaim_local() */
inline reclaim_local(c)
{
	if
	:: task_ctx[c] == OWN ->
		atomic {
			may_lock(OWN);
			task_ctx[c] = NONE; loaded_on[OWN] = NONE; counts[c] = false;
			ipi_done[ipi_from[c]] = true
		};
		follow(c)
	:: else
	fi
}

inline answer(c)
{
	if
	:: ipi[c] == FOLLOW ->
		if
		:: current[c] == T -> follow(c)
		:: else
		fi
	:: ipi[c] == RECLAIM -> reclaim_local(c)
	:: else -> remote_run(c)
	fi;
	d_step { ipi[c] = 0; irqs_off[c] = false; look() }
}

/* __perf_event_task_sched_out(), switch_to(), __perf_event_task_sched_in() */
inline switch_to(c, next)
{
	curr_buffer[c]!next;
	ctx = task_ctx[c];
	if
	:: ctx != NONE ->
		/* goes_on_with() */
		set = ctx_set(ctx);
		if
		:: set && set_of(next)
		:: else -> unload(c, ctx)
		fi
	:: else
	fi;
	d_step { prev = current[c]; current[c] = next };
	empty(curr_buffer[c]);		/* sched.in A */
	follow(c);
	d_step { on_cpu[prev] = false; prev = IDLE; next = IDLE; irqs_off[c] = false; look() }
}

/* perf_event_init_task(), in T: set.own B */
inline fork_first() { fork_set = t_set }
inline fork_second() { assert(fork_set || t_ctxp) }

byte switches;			/* so far */

proctype cpu(byte c)
{
	byte next, prev, ctx;
	bool set, own, give;

	do
	:: atomic { ipi[c] != 0 -> irqs_off[c] = true }; answer(c)
	:: atomic { switches < SWITCHES && (current[c] != IDLE || !on_cpu[T] || !on_cpu[M]) ->
		switches++;
		if
		:: current[c] != IDLE -> next = IDLE
		:: !on_cpu[T] -> next = T; on_cpu[T] = true; cpu_of_t = c
		:: !on_cpu[M] -> next = M; on_cpu[M] = true
		fi;
		irqs_off[c] = true }; switch_to(c, next)
	:: atomic { forked == 0 && scenario == LEAVE && current[c] == T -> fork_first(); forked = 1 }
	:: atomic { forked == 1 && current[c] == T -> fork_second(); forked = 2; fork_set = false }
	:: atomic { opener_done && other_done && ipi[c] == 0 -> break }
	od
}

/* ---- who calls ---- */

inline send(to, what)
{
	atomic { ipi[to] == 0 -> ipi[to] = what; ipi_from[to] = me };
	ipi[to] != what || ipi_from[to] != me
}

#define is_nowhere (loaded_on[OWN] == NONE && (home_set || curr[cpu_of_t] != T))
#define is_seen ((home_set && loaded_on[OWN] != NONE) || (!home_set && curr[cpu_of_t] == T))

/* remote() for T's context, but for remote_try_here() */
inline remote(what)
{
	ipi_done[me] = false;
	do
	:: ipi_done[me] -> break
	:: else ->
		/* where_it_was_seen() */
		if
		:: home_set -> at = loaded_on[OWN]
		:: else ->
			at = cpu_of_t;
			if
			:: curr[at] == T
			:: else -> at = NONE
			fi
		fi;
		if
		:: at != NONE -> send(at, what)
		:: else
		fi;
		if
		:: !ipi_done[me] ->
			/* remote_try_inactive() */
			atomic {
				may_lock(OWN);
				if
				:: loaded_on[OWN] == NONE && (home_set || curr[cpu_of_t] != T) -> do_call(what); ipi_done[me] = true
				:: else -> tries++; assert(tries < TRIES)
				fi
			};
			ipi_done[me] || is_nowhere || (is_seen && empty(curr_buffer[1]) && empty(curr_buffer[2]))
		:: else
		fi
	od;
	at = NONE
}

/* member_follows() */
inline member_follows()
{
	empty(opener_buffer);		/* set.leave B */
	at = cpu_of_t;
	if
	:: curr[at] == T -> at = cpu_of_t; send(at, FOLLOW)
	:: else
	fi;
	at = NONE
}

proctype opener(byte me)
{
	byte at, tries;

	if
	:: scenario == FIRST -> opener_buffer!CTXP
	:: scenario == LEAVE ->
		atomic { !own_locked -> own_locked = true };
		own_full = true;
		opener_buffer!CTXP;	/* set.own A */
		opener_buffer!NO_SET;
		opener_buffer!UNLOCK;
		member_follows();
		atomic { left = true; look() }
	:: scenario == HOME ->
		do
		:: at = loaded_on[OWN];
			if
			:: atomic { in_pool[OWN] -> in_pool[OWN] = false; break }
			:: else
			fi;
			if
			:: at != NONE -> ipi_done[me] = false; send(at, RECLAIM)
			:: else -> in_pool[OWN] || loaded_on[OWN] != NONE	/* for some instructions of another CPU */
			fi;
			if
			:: ipi_done[me] -> break
			:: else -> tries++; assert(tries < TRIES)
			fi
		od;
		at = NONE; tries = 0;
		atomic { !own_locked -> own_locked = true };
		opener_buffer!NO_SET;
		opener_buffer!NO_HOME;
		opener_buffer!UNLOCK;
		member_follows();
		atomic { left = true; look() }
	fi;
	empty(opener_buffer);		/* remote.look B */
	remote(BIND);
	atomic { opened = true; opener_done = true; look() }
}

proctype other(byte me)
{
	byte at, tries;

	/* It finds T's events once they are in the context and the list of children. */
	if
	:: own_full -> remote(DISABLE); atomic { disabled = true; look() }
	:: opener_done
	fi;
	other_done = true
}

/* What CPU 1 runs at first, and with what. */
inline runs(task, ctx)
{
	current[1] = task; curr[1] = task; on_cpu[task] = true;
	in_pool[ctx] = false; task_ctx[1] = ctx;
	loaded_on[ctx] = (ctx == NONE -> NONE : 1)
}

init
{
	atomic {
		if
		:: scenario = FIRST
		:: scenario = LEAVE
		:: scenario = HOME
		fi;
		if
		:: scenario != FIRST -> t_set = true; m_set = true; in_pool[I0] = true; in_pool[I1] = true
		:: else
		fi;
		if
		:: scenario == HOME -> t_ctxp = true; home_set = true; own_full = true; in_pool[OWN] = true
		:: else
		fi;
		if
		:: skip
		:: scenario == FIRST -> runs(T, NONE)
		:: scenario != FIRST -> runs(T, I0)
		:: scenario != FIRST -> runs(M, I0)
		:: scenario == HOME -> runs(T, OWN)
		:: scenario == HOME -> runs(M, OWN)
		fi;
		run cpu(1); run cpu(2); run opener(1)
#ifdef OTHER
		; run other(2)
#else
		; other_done = true
#endif
	}
}
