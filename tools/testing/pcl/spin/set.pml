/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of a set: switches against exit, exec, leave and reclaim, until the last member is gone.
 *
 * H made the set and its context floats, M is a member; two CPUs switch between them and idle tasks. Two of these are
 * chosen freely: H does an exec with other credentials, M exits (perf_event_exit_task() both), somebody on a third CPU
 * opens an event on M (pcl_set_leave()) or changes a period of H's (pcl_set_reclaim()). Or H has left long ago.
 *
 * What is done under a lock is one step, but where somebody looks without it; what a task does, it does only while it
 * is on a CPU with IRQs on. The order of memory is that of leave.pml's barriers, taken as given here.
 *
 * What must hold: each tick of a task that is to be counted is counted, once, and is in an instance, in H's or M's
 * context or, when the set has ended, in the original's account; nobody runs with an instance of a set that it has
 * left, or with H's context when that floats no more; a context is on one CPU at a time; the set ends once, with its
 * last member, and is not looked into after it was freed; each call ends.
 */
#ifndef SWITCHES
#define SWITCHES 1		/* of both CPUs, beside those to a task that has not done its call */
#endif
#define TICKS 1
#define TRIES 5

#define IDLE 0
#define H 1
#define M 2

#define NONE 0			/* no context, no CPU */
#define HOME 1			/* H's context */
#define I0 2			/* instances; the first is the mould */
#define I1 3
#define COPY 4			/* what M is given when it leaves */

mtype = { NOTHING, EXIT, EXEC };
mtype = { FOLLOW, RECLAIM };

#define CPUS 3
byte current[CPUS];
byte curr[CPUS];		/* rq->curr */
byte task_ctx[CPUS];
bool irqs_off[CPUS];
bool on_cpu[3];
byte cpu_of[3];			/* task_cpu() */
mtype ipi[CPUS];
byte ipi_from[CPUS];
bool reclaimed[3];		/* by who asks */

mtype call[3];
bool in_set[3];			/* task->perf_event_set */
bool has_ctx[3];		/* task->perf_event_ctxp: HOME is H's, COPY M's */
bool exiting[3];		/* PF_EXITING */
bool going[3];			/* somebody takes the task out of its set */
bool done[3];			/* its call has returned */
bool outsider_done;

byte members;
bool home_set;			/* HOME: ctx->set */
bool home_locked, home_mutex, m_mutex;
byte loaded_on[5];
bool in_pool[5];
bool gone[5];			/* it has ended */
byte count[5];
byte account;			/* of the original: what its children counted */
byte total;
bool ended, freed, rcu_reader;
byte switches;

#define own(task) (task == H -> HOME : COPY)
#define ctx_set(ctx) (ctx == I0 || ctx == I1 || (ctx == HOME && home_set))
#define may_lock(ctx) (ctx != HOME || !home_locked)

/* A task's call goes on only while it runs. */
#define on(task) ((current[1] == task && !irqs_off[1]) || (current[2] == task && !irqs_off[2]))
#define here(task) (current[1] == task -> 1 : 2)

/* Does CPU @c run what it should, with what it should? Looked at whenever one of these changes. */
inline look_at(c)
{
	assert(irqs_off[c] || current[c] != IDLE || task_ctx[c] == NONE);
	assert(irqs_off[c] || (!in_set[current[c]] && !has_ctx[current[c]]) || task_ctx[c] != NONE);
	assert(irqs_off[c] || task_ctx[c] != HOME || current[c] == H || home_set || going[H]);
	assert(irqs_off[c] || (task_ctx[c] != I0 && task_ctx[c] != I1) || in_set[current[c]] || going[current[c]]);
	assert(irqs_off[c] || task_ctx[c] != COPY || current[c] == M)
}

inline look() { look_at(1); look_at(2) }

/* ---- sched.c, context.c ---- */

/* pcl_context_give() */
inline give(ctx)
{
	atomic { assert(!freed && !in_pool[ctx] && !gone[ctx]); in_pool[ctx] = true };
	assert(!freed)		/* set->lock is let go */
}

/* unload() */
inline unload(c, ctx)
{
	atomic { may_lock(ctx); task_ctx[c] = NONE; loaded_on[ctx] = NONE; to_give = ctx_set(ctx) };
	if
	:: atomic { to_give -> to_give = false }; give(ctx)
	:: else
	fi
}

/* load(): what no set has may be empty */
inline load(c, ctx)
{
	atomic {
		may_lock(ctx);
		assert(task_ctx[c] == NONE && loaded_on[ctx] == NONE);
		task_ctx[c] = ctx; loaded_on[ctx] = c
	}
}

/* pcl_context_take() */
inline take(c)
{
	atomic {
		assert(!freed);
		if
		:: mine && current[c] == H && in_pool[HOME] -> ctx = HOME
		:: else ->
			if
			:: in_pool[I0] -> ctx = I0
			:: !in_pool[I0] && in_pool[I1] -> ctx = I1
			:: !in_pool[I0] && !in_pool[I1] && in_pool[HOME] -> ctx = HOME
			:: else -> ctx = NONE
			fi
		fi;
		in_pool[ctx] = false
	}
}

/* pcl_sched_follow() */
inline follow(c)
{
	atomic { set = in_set[current[c]]; mine = has_ctx[current[c]]; ctx = task_ctx[c] };
	if
	:: ctx != NONE && ((set && ctx_set(ctx)) || (!set && mine && ctx == own(current[c])))
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
		:: !set && mine -> load(c, own(current[c]))
		:: else
		fi
	fi;
	d_step { set = false; mine = false; ctx = NONE }
}

/* __perf_event_task_sched_out(), switch_to(), __perf_event_task_sched_in() */
inline switch_to(c, next)
{
	ctx = task_ctx[c];
	if
	:: ctx == NONE || (ctx_set(ctx) && in_set[next])	/* goes_on_with() */
	:: else -> unload(c, ctx)
	fi;
	d_step { prev = current[c]; current[c] = next };
	follow(c);
	d_step { on_cpu[prev] = false; prev = IDLE; next = IDLE; irqs_off[c] = false; look() }
}

/* follow_local(), reclaim_local() */
inline answer(c)
{
	if
	:: ipi[c] == FOLLOW -> follow(c)
	:: ipi[c] == RECLAIM && task_ctx[c] == HOME ->
		atomic {
			may_lock(HOME);
			task_ctx[c] = NONE; loaded_on[HOME] = NONE;
			reclaimed[ipi_from[c]] = true
		};
		follow(c)
	:: else
	fi;
	d_step { ipi[c] = 0; irqs_off[c] = false; look() }
}

#define unfinished(task) (call[task] != NOTHING && !done[task])
#define may_switch(c) (switches < SWITCHES || !unfinished(current[c]))
#define may_idle(c) (current[c] != IDLE && switches < SWITCHES)
#define may_begin(task) (!on_cpu[task] && !(exiting[task] && done[task]) && (switches < SWITCHES || unfinished(task)))

proctype cpu(byte c)
{
	byte next, prev, ctx;
	bool set, mine, to_give;

	do
	:: atomic { ipi[c] != 0 -> irqs_off[c] = true }; answer(c)
	/* The running task does something that is to be counted. */
	:: atomic { total < TICKS && task_ctx[c] != NONE -> count[task_ctx[c]]++; total++ }
	:: atomic { may_switch(c) && (may_idle(c) || may_begin(H) || may_begin(M)) ->
		if
		:: may_idle(c) -> next = IDLE
		:: may_begin(H) -> next = H
		:: may_begin(M) -> next = M
		fi;
		if
		:: switches < SWITCHES -> switches++
		:: else
		fi;
		if
		:: next != IDLE -> on_cpu[next] = true; cpu_of[next] = c
		:: else
		fi;
		irqs_off[c] = true; curr[c] = next }; switch_to(c, next)
	:: atomic { !unfinished(H) && !unfinished(M) && outsider_done && ipi[c] == 0 -> break }
	od
}

/* ---- set.c: what a task does to itself, or another to it ---- */

/* May who calls go on? The outsider is on no CPU of these. */
#define i_run (me == IDLE || on(me))

/* The IPI, and what it asks for at once if it is for here. */
inline send(to, what)
{
	atomic { i_run && ipi[to] == 0 -> ipi[to] = what; ipi_from[to] = me };
	ipi[to] != what || ipi_from[to] != me
}

/* member_follows() */
inline member_follows(task)
{
	if
	:: atomic { i_run && curr[cpu_of[task]] == task -> at = cpu_of[task] }; send(at, FOLLOW)
	:: atomic { i_run && curr[cpu_of[task]] != task }
	fi
}

/* instance_end(): the last member's CPU may be in the middle of the switch away from it */
inline instance_end(ctx)
{
	atomic {
		i_run && in_pool[ctx] -> in_pool[ctx] = false;
		gone[ctx] = true; account = account + count[ctx]; count[ctx] = 0
	}
}

/* pcl_set_put() */
inline put()
{
	atomic { i_run -> assert(members > 0); members--; last = (members == 0); assert(!last || !ended); ended = last };
	if
	:: last ->
		last = false;
		instance_end(I0);
		instance_end(I1);
		run grace()
	:: else
	fi
}

/* pcl_set_reclaim(), HOME's mutex held */
inline reclaim()
{
	if
	:: atomic { i_run && home_set } ->
		going[H] = true;
		reclaimed[me] = false;
		do
		:: atomic { i_run -> at = loaded_on[HOME] };
			if
			:: atomic { i_run && in_pool[HOME] -> in_pool[HOME] = false }; break
			:: atomic { i_run && !in_pool[HOME] }
			fi;
			if
			:: at != NONE -> send(at, RECLAIM)
			:: else -> in_pool[HOME] || loaded_on[HOME] != NONE	/* for some instructions of another CPU */
			fi;
			if
			:: reclaimed[me] -> break
			:: else -> tries++; assert(tries < TRIES)
			fi
		od;
		atomic { at = NONE; tries = 0 };
		atomic { i_run && !home_locked -> home_locked = true };
		in_set[H] = false;
		atomic { home_set = false; home_locked = false };
		member_follows(H);
		atomic { going[H] = false; look() };
		put()
	:: atomic { i_run && !home_set }
	fi
}

/* exit_sever() */
inline sever(task)
{
	atomic {
		may_lock(own(task)) ->
		if
		:: task_ctx[here(task)] == own(task) -> task_ctx[here(task)] = NONE; loaded_on[own(task)] = NONE
		:: else
		fi;
		assert(loaded_on[own(task)] == NONE);
		has_ctx[task] = false
	}
}

/* perf_event_exit_task(), pcl_set_exit() */
inline exit_task()
{
	exiting[me] = (call[me] == EXIT);
	atomic { i_run && (me != M || !m_mutex) };	/* exit_disown() */
	if
	:: atomic { i_run && me == H && !home_mutex -> home_mutex = true };
		reclaim();
		home_mutex = false
	:: atomic { i_run && me == M && has_ctx[M] }
	:: atomic { i_run && me == M && !has_ctx[M] };
		/* current_leaves() */
		atomic { i_run && !m_mutex -> was_in = in_set[M]; going[M] = was_in; in_set[M] = false };
		if
		:: was_in -> member_follows(M); atomic { going[M] = false; look() }; put()
		:: else
		fi
	fi;
	if
	:: atomic { i_run && has_ctx[me] -> sever(me) }
	:: atomic { i_run && !has_ctx[me] }
	fi;
	done[me] = true
}

proctype caller(byte me)
{
	byte at, tries;
	bool last, was_in;

	exit_task()
}

/* pcl_set_leave() of M */
inline leave()
{
	if
	:: !has_ctx[M] ->
		/* set_of() */
		rcu_reader = true;
		was_in = in_set[M];
		if
		:: was_in -> atomic { assert(!freed); was_in = (members > 0); members = members + was_in }
		:: else
		fi;
		rcu_reader = false;
		if
		:: was_in ->
			/* member_leaves() */
			atomic { !m_mutex -> m_mutex = true };
			if
			:: atomic { !exiting[M] && in_set[M] && !has_ctx[M] -> has_ctx[M] = true; going[M] = true };
				in_set[M] = false;
				member_follows(M);
				atomic { going[M] = false; m_mutex = false; look() };
				put()
			:: else -> m_mutex = false
			fi;
			put()
		:: else
		fi
	:: else
	fi
}

proctype outsider()
{
	byte me, at, tries;
	bool last, was_in;

	if
	:: leave()
	:: atomic { !home_mutex -> home_mutex = true }; reclaim(); home_mutex = false
	fi;
	outsider_done = true
}

/* kfree_rcu() */
proctype grace()
{
	!irqs_off[1]; !irqs_off[2]; !rcu_reader;
	freed = true
}

inline runs(c, task, ctx)
{
	current[c] = task; curr[c] = task; on_cpu[task] = true; cpu_of[task] = c;
	in_pool[ctx] = false; task_ctx[c] = ctx; loaded_on[ctx] = c
}

init
{
	atomic {
		call[IDLE] = NOTHING; members = 2; in_set[H] = true; in_set[M] = true; has_ctx[H] = true; home_set = true;
		cpu_of[H] = 1; cpu_of[M] = 2;
		in_pool[HOME] = true; in_pool[I0] = true; in_pool[I1] = true;
		if
		:: runs(1, H, HOME)
		:: runs(1, M, HOME)
		:: runs(1, H, I0)
		:: runs(1, M, I0)
		fi;
		if
		:: current[1] == H -> runs(2, M, I1)
		:: skip
		fi;
		/* H is the first of both that leaves, or is gone already. */
		if
		:: current[1] == M && task_ctx[1] == I0 ->
			members = 1; in_set[H] = false; has_ctx[H] = false; home_set = false; in_pool[HOME] = false;
			exiting[H] = true; done[H] = true
		:: task_ctx[1] != I0 || current[1] == H
		fi;
		/* Two of these. */
		if
		:: !done[H] -> call[H] = EXEC; run caller(H)
		:: call[H] = NOTHING
		fi;
		if
		:: call[M] = EXIT; run caller(M)
		:: call[H] != NOTHING -> call[M] = NOTHING
		fi;
		if
		:: call[H] == NOTHING || call[M] == NOTHING -> run outsider()
		:: else -> outsider_done = true
		fi;
		run cpu(1); run cpu(2)
	};
	/* All have done what they had to. */
	_nr_pr == 1;
	assert(total == account + count[HOME] + count[COPY] + (ended -> 0 : count[I0] + count[I1]));
	assert(ended == (!in_set[H] && !in_set[M]) && freed == ended)
}
