/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls on the original of a family: ioctl and read, against switches, a fork, and the end of the set.
 *
 * The original is in HOME, and has a copy in each instance. Members run on two CPUs, with whichever context they find
 * in the pool. Two of these calls are made at once, chosen freely:
 *
 *	IOCTL	disables the family, then enables it again: pcl_with_children()
 *	READ	read_anywhere(), reading_add_all()
 *	FORK	one instance more: add_instance(), copy_event()
 *	END	the last member has gone: set_end(), pcl_child_detach()
 *	QUICK	read_here(), by the task whose context HOME is, and that has left the set
 *
 * A counter counts on its CPU, and is folded into the count of the context's event when that comes off or is read. What
 * is done under a ctx->lock is one step. The order of memory is only looked at where no lock is: child.gone.
 *
 * What must hold: what a read says lies between what had been counted when it began and what has when it ends; a
 * disabled family counts nowhere once the call has returned, an enabled one wherever a member runs; nothing is lost or
 * counted twice when the set has ended; each call ends.
 */
#define LOADS 1			/* of both CPUs, beside those at first */
#define TICKS 1
#define TRIES 6

#define NONE 0
#define HOME 1
#define I0 2
#define I1 3

mtype = { IOCTL, READ, FORK, END, QUICK };
mtype = { ENABLE, DISABLE, LOOK };

byte task_ctx[3];		/* by CPU: 1, 2 */
bool counts[3];			/* the event is on a counter there */
byte counter[3];		/* which has this much */
mtype ipi[3];
byte ipi_ctx[3], ipi_from[3];
bool call_done[2];

byte loaded_on[4];
bool in_pool[4];
bool wanted[4];			/* event->state of the one in it: not OFF */
byte count[4];			/* event->count */
bool listed[4];			/* in the original's child_list */
byte account;			/* event->child_count of the original */
bool child_mutex, home_mutex, mould_mutex;

byte total;			/* that was counted */
bool is_on = true, is_off;	/* a call that says so has returned, and none that says else has begun */
byte loads, returned;
bool no_members;
byte sum[2];			/* by caller: of its read */

/* Does what runs count, if it shall? Looked at whenever one of these changes. */
#define right(c) (task_ctx[c] == NONE || (!(is_off && counts[c]) && !(is_on && !counts[c])))
inline look() { assert(right(1)); assert(right(2)) }

/* What a call does where a context is, @c its CPU or NONE: enable_local(), disable_local(), reading_add_local() */
inline do_call(what, which, c, caller)
{
	if
	:: c != NONE -> count[which] = count[which] + counter[c]; counter[c] = 0
	:: else
	fi;
	if
	:: what == LOOK -> sum[caller] = sum[caller] + count[which] + (which == HOME -> account : 0)
	:: else -> wanted[which] = (what == ENABLE);
		if
		:: c != NONE -> counts[c] = wanted[which]
		:: else
		fi
	fi;
	call_done[caller] = true
}

proctype cpu(byte c)
{
	byte ctx;

	do
	:: atomic { ipi[c] != 0 ->
		/* remote_run() */
		if
		:: task_ctx[c] == ipi_ctx[c] -> do_call(ipi[c], ipi_ctx[c], c, ipi_from[c])
		:: else
		fi;
		ipi[c] = 0; look() }
	/* The member that runs does something that is to be counted. */
	:: atomic { counts[c] && total < TICKS -> counter[c]++; total++ }
	/* A switch to a member: pcl_context_take(), load() */
	:: atomic { task_ctx[c] == NONE && loads < LOADS && !no_members ->
		if
		:: in_pool[HOME] -> ctx = HOME
		:: in_pool[I0] -> ctx = I0
		:: in_pool[I1] -> ctx = I1
		fi;
		loads++; in_pool[ctx] = false };
		atomic {
			assert(loaded_on[ctx] == NONE);
			task_ctx[c] = ctx; loaded_on[ctx] = c; counts[c] = wanted[ctx]; ctx = NONE; look()
		}
	/* A switch to somebody else: unload(), pcl_context_give() */
	:: atomic { task_ctx[c] != NONE ->
		ctx = task_ctx[c];
		count[ctx] = count[ctx] + counter[c]; counter[c] = 0;
		counts[c] = false; loaded_on[ctx] = NONE; task_ctx[c] = NONE };
		atomic { in_pool[ctx] = true; ctx = NONE }
	:: atomic { returned == 2 && ipi[c] == 0 && task_ctx[c] == NONE -> break }
	od
}

/* remote() for contexts that float */
inline remote(which, what)
{
	call_done[me] = false;
	do
	:: call_done[me] -> break
	:: else ->
		at = loaded_on[which];
		if
		:: at != NONE ->
			atomic { ipi[at] == 0 -> ipi[at] = what; ipi_ctx[at] = which; ipi_from[at] = me };
			ipi[at] == 0 || ipi_from[at] != me
		:: else
		fi;
		/* remote_try_inactive() */
		atomic {
			if
			:: call_done[me]
			:: !call_done[me] && loaded_on[which] == NONE -> do_call(what, which, NONE, me)
			:: else -> tries++; assert(tries < TRIES)
			fi
		}
	od;
	atomic { at = NONE; tries = 0 }
}

#define lock(mutex) atomic { !mutex -> mutex = true }

/* The original's, then each child's that is in the list when it is its turn. */
inline with_children(what)
{
	remote(HOME, what);
	if
	:: listed[I0] -> remote(I0, what)
	:: else
	fi;
	if
	:: listed[I1] -> remote(I1, what)
	:: else
	fi
}

/* perf_ioctl() for a family: under the mutex of the original's context */
inline control(what)
{
	lock(home_mutex);
	lock(child_mutex);	/* pcl_with_children() */
	with_children(what);
	child_mutex = false;
	home_mutex = false
}

inline read_anywhere()
{
	lock(home_mutex);
	lock(child_mutex);	/* reading_add_all() */
	with_children(LOOK);
	child_mutex = false;
	home_mutex = false
}

/* copy_event() of what is in the mould; then it may be taken from the pool */
inline copy()
{
	lock(mould_mutex);
	lock(child_mutex);	/* copy_event() */
	state = wanted[I0];
	wanted[I1] = state;
	listed[I1] = true;
	child_mutex = false;
	in_pool[I1] = true;
	mould_mutex = false
}

/* pcl_child_detach(): child.gone A */
inline detach_first(which) { account = account + count[which] }
inline detach_second(which) { listed[which] = false }

inline instance_end(which)
{
	if
	:: listed[which] ->
		atomic { in_pool[which] -> in_pool[which] = false };
		lock(child_mutex);	/* pcl_copies_end() */
		detach_first(which);
		detach_second(which);
		child_mutex = false
	:: else
	fi
}

/* read_here(): child.gone B. What the task itself counted does not change meanwhile. */
inline quick_first() { alone = (!listed[I0] && !listed[I1]) }
inline quick_second() { sum[me] = account }

proctype caller(byte me; mtype call)
{
	byte at, tries, had;
	bool state, alone;

	had = total;
	if
	:: call == IOCTL ->
		is_on = false;
		control(DISABLE);
		atomic { is_off = true; look() };
		is_off = false;
		control(ENABLE);
		atomic { is_on = true; look() }
	:: call == READ ->
		read_anywhere();
		assert(had <= sum[me] && sum[me] <= total)
	:: call == FORK -> copy()
	:: call == END ->
		instance_end(I0);
		instance_end(I1);
		assert(total == account + count[HOME] + counter[1] + counter[2])
	:: call == QUICK ->
		quick_first();
		quick_second();
		assert(!alone || (had <= sum[me] && sum[me] <= total))
	fi;
	returned++
}

inline runs(c, ctx)
{
	task_ctx[c] = ctx; loaded_on[ctx] = c; counts[c] = true; in_pool[ctx] = false
}

init
{
	atomic {
		wanted[HOME] = true; wanted[I0] = true; listed[I0] = true;
		in_pool[HOME] = true; in_pool[I0] = true;
		runs(1, I0);
		if
		:: runs(2, HOME); run caller(0, IOCTL); run caller(1, FORK)
		:: runs(2, HOME); run caller(0, IOCTL); run caller(1, READ)
		:: runs(2, HOME); run caller(0, FORK); run caller(1, READ)
		:: runs(2, HOME); no_members = true; run caller(0, END); run caller(1, READ)
		:: in_pool[HOME] = false; no_members = true; run caller(0, END); run caller(1, QUICK)
		fi;
		run cpu(1); run cpu(2)
	}
}
