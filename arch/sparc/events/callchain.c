// SPDX-License-Identifier: GPL-2.0
/*
 * Where a sample was taken: the chain of callers.
 *
 * Concepts: a function's register window has its frame pointer, %i6, and the address that it was called from, %i7. A
 * window that is not in registers any more is at the begin of its function's frame, so windows are flushed first, and
 * frames followed from the interrupted code's stack pointer on. A 64 bit frame lies STACK_BIAS above its pointer, which
 * is odd thereby; 32 bit code may have either kind.
 *
 * A function that opened no window keeps its caller in %o7, and nothing tells so: that caller is not in the chain.
 *
 * User memory is read with page faults disabled, so a page that is not there ends the walk. A fault leaves its address
 * and code in the thread, where code that was interrupted while it handles one of its own still needs them.
 *
 * Contexts: any, NMI included.
 *
 * Locks: none.
 */
#include <linux/ftrace.h>
#include <linux/perf_event.h>
#include <linux/uaccess.h>

#include <asm/cacheflush.h>
#include <asm/ptrace.h>
#include <asm/stacktrace.h>

#include "../kernel/kstack.h"

/* The caller of @frame; where a function's return is traced, that returns to the tracer, who knows the call. */
static unsigned long caller_of(const struct sparc_stackf *frame, int *traced)
{
	unsigned long back = frame->callers_pc + 8, call = ftrace_graph_ret_addr(current, traced, back, NULL);

	return call == back ? frame->callers_pc : call;
}

void perf_callchain_kernel(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	struct thread_info *thread = current_thread_info();
	unsigned long ip = regs->tpc, sp = regs->u_regs[UREG_FP];
	int traced = 0;

	stack_trace_flush();
	while (!perf_callchain_store(entry, ip) && kstack_valid(thread, sp + STACK_BIAS)) {
		const struct sparc_stackf *frame = (void *)(sp + STACK_BIAS);
		struct pt_regs *trap = (void *)(frame + 1);

		if (!kstack_is_trap_frame(thread, trap)) {
			ip = caller_of(frame, &traced);
			sp = (unsigned long)frame->fp;
			continue;
		}
		/* What a trap interrupted: its registers are above the frame. */
		if (user_mode(trap))
			return;
		ip = trap->tpc;
		sp = trap->u_regs[UREG_FP];
	}
}

/* A frame of user code: from where it was called, and the next one's pointer */
struct user_frame {
	unsigned long caller, next;
};

static bool read_wide(unsigned long sp, struct user_frame *found)
{
	struct sparc_stackf __user *frame = (void __user *)(sp + STACK_BIAS);

	if ((unsigned long)frame & 7 || !access_ok(frame, sizeof(*frame)))
		return false;
	return !__get_user(found->next, (unsigned long __user *)&frame->fp) &&
	       !__get_user(found->caller, &frame->callers_pc);
}

static bool read_narrow(unsigned long sp, struct user_frame *found)
{
	struct sparc_stackf32 __user *frame = (void __user *)sp;
	u32 next, caller;

	if (sp & 3 || !access_ok(frame, sizeof(*frame)) || __get_user(next, &frame->fp) ||
	    __get_user(caller, &frame->callers_pc))
		return false;
	*found = (struct user_frame){ .caller = caller, .next = next };
	return true;
}

static bool read_frame(unsigned long sp, bool narrow, struct user_frame *found)
{
	if (!narrow)
		return read_wide(sp, found);
	sp &= U32_MAX;
	if (!thread32_stack_is_64bit(sp))
		return read_narrow(sp, found);
	if (!read_wide(sp, found))
		return false;
	found->caller &= U32_MAX;
	return true;
}

void perf_callchain_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	unsigned long fault_address = current_thread_info()->fault_address;
	u8 fault_code = get_thread_fault_code();
	struct user_frame frame = { .next = regs->u_regs[UREG_FP] };
	bool narrow = test_thread_flag(TIF_32BIT);

	if (perf_callchain_store(entry, regs->tpc) || !current->mm)
		return;
	flushw_user();
	pagefault_disable();
	while (read_frame(frame.next, narrow, &frame) && !perf_callchain_store(entry, frame.caller))
		;
	pagefault_enable();
	set_thread_fault_code(fault_code);
	current_thread_info()->fault_address = fault_address;
}
