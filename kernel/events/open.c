// SPDX-License-Identifier: GPL-2.0
/*
 * Opening: perf_event_open(2), and the kernel's own way to open an event.
 *
 * Concepts: a call goes through four steps. Check what needs no lock; acquire what may fail (the task, the group, the
 * event, its context, a file); with ctx->mutex held look again at what may have changed; then commit, after which
 * nothing fails. Each refusal has a reason of its own, in the order in which stock 6.1 finds fault.
 *
 * With PCL_FLAG_OPEN the first argument is a struct pcl_open, and the reason goes back to the caller.
 *
 * Contexts: process context, may sleep. Locks: the target's exec_update_lock (its credentials stay as they are while we
 * ask whether we may), then ctx->mutex.
 */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/ptrace.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/syscalls.h>

#include "internal.h"

/* The arguments of one call, and what it has acquired so far. */
struct open_call {
	struct perf_event_attr attr;
	pid_t pid;
	int cpu;
	int group_fd;
	unsigned long flags;
	struct pcl_why why;

	struct fd group;
	struct perf_event *leader;	/* of the group to join, or NULL */
	struct perf_event *output;	/* whose ring to write to, or NULL */
	struct task_struct *task;	/* NULL: a CPU's event */
	struct perf_event *event;
	struct perf_event_context *ctx;
	struct file *file;
};

#define FLAGS_KNOWN (PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC)

/* ---- what needs no lock ---- */

static int open_check_permission(struct open_call *call)
{
	struct perf_event_attr *attr = &call->attr;
	int err;

	if (perf_paranoid_any() && !capable(CAP_SYS_ADMIN))
		return pcl_refuse(&call->why, PCL_REASON_PARANOID_ANY);
	err = pcl_refuse_security(&call->why, security_perf_event_open(attr, PERF_SECURITY_OPEN));
	if (!err && !attr->exclude_kernel)
		err = pcl_allow_kernel(attr, PCL_REASON_PARANOID_KERNEL, &call->why);
	else if (!err && attr->text_poke)
		err = pcl_allow_kernel(attr, PCL_REASON_TEXT_POKE_PRIVILEGE, &call->why);
	if (!err && attr->namespaces && !perfmon_capable())
		err = pcl_refuse(&call->why, PCL_REASON_NAMESPACES_PRIVILEGE);
	return err;
}

/* What samples show that is not everybody's to see. */
static int open_check_samples(struct open_call *call)
{
	struct perf_event_attr *attr = &call->attr;
	int err = 0;

	if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
		err = pcl_allow_kernel(attr, PCL_REASON_PHYS_ADDR_PRIVILEGE, &call->why);
	if (!err && attr->sample_type & PERF_SAMPLE_REGS_INTR) {
		err = security_locked_down(LOCKDOWN_PERF);
		if (err)
			return pcl_refuse_err(&call->why, PCL_REASON_REGS_INTR_LOCKDOWN, err);
	}
	return err;
}

static int open_check_values(struct open_call *call)
{
	struct perf_event_attr *attr = &call->attr;
	int err;

	if (attr->freq && attr->sample_freq > READ_ONCE(sysctl_perf_event_sample_rate))
		return pcl_refuse(&call->why, PCL_REASON_FREQ_ABOVE_RATE);
	if (!attr->freq && attr->sample_period & (1ULL << 63))
		return pcl_refuse(&call->why, PCL_REASON_PERIOD_BIT_63);
	err = open_check_samples(call);
	if (err)
		return err;
	if (call->flags & PERF_FLAG_PID_CGROUP && (call->pid == -1 || call->cpu == -1))
		return pcl_refuse(&call->why, PCL_REASON_CGROUP_NEEDS_CPU);
	return 0;
}

/* ---- acquire ---- */

static int open_get_group(struct open_call *call)
{
	if (call->group_fd == -1)
		return 0;

	call->group = fdget(call->group_fd);
	if (!call->group.file || call->group.file->f_op != &pcl_fops)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_FD);
	if (call->flags & PERF_FLAG_FD_OUTPUT)
		call->output = call->group.file->private_data;
	if (!(call->flags & PERF_FLAG_FD_NO_GROUP))
		call->leader = call->group.file->private_data;
	return 0;
}

static int open_get_task(struct open_call *call)
{
	struct task_struct *task;

	if (call->pid == -1 || call->flags & PERF_FLAG_PID_CGROUP)
		return 0;

	rcu_read_lock();
	task = call->pid ? find_task_by_vpid(call->pid) : current;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return pcl_refuse(&call->why, PCL_REASON_NO_SUCH_TASK);
	call->task = task;

	if (call->leader && call->leader->attr.inherit != call->attr.inherit)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_INHERIT);
	return 0;
}

static int open_make_event(struct open_call *call)
{
	struct pcl_target target = {
		.task = call->task, .cpu = call->cpu,
		.is_cgroup = call->flags & PERF_FLAG_PID_CGROUP, .cgroup_fd = call->pid,
	};
	struct perf_event *event;

	event = pcl_event_alloc(&call->attr, &target, call->leader, NULL, NULL, NULL, &call->why);
	if (IS_ERR(event))
		return PTR_ERR(event);
	call->event = event;

	if (is_sampling_event(event) && event->pmu->capabilities & PERF_PMU_CAP_NO_INTERRUPT)
		return pcl_refuse(&call->why, PCL_REASON_PMU_CANNOT_SAMPLE);
	if (call->attr.use_clockid)
		return pcl_event_set_clock(event, call->attr.clockid, &call->why);
	return 0;
}

/* Has the PMU events of tasks at all? */
static int open_check_kind(struct perf_event *event, struct pcl_why *why)
{
	return event->pmu->task_ctx_nr == perf_invalid_context ? pcl_refuse(why, PCL_REASON_PMU_CPU_ONLY) : 0;
}

/* The context of the event's target, with a reference. */
static struct perf_event_context *open_find_context(struct perf_event *event, struct task_struct *task,
						    struct pcl_why *why)
{
	struct perf_event_context *ctx;
	int err;

	if (!task) {
		err = pcl_allow_cpu(&event->attr, PCL_REASON_PARANOID_CPU, why);
		if (err)
			return ERR_PTR(err);
		ctx = &per_cpu_ptr(&pcl_cpus, event->cpu)->ctx;
		pcl_context_get(ctx);
		return ctx;
	}

	err = open_check_kind(event, why);
	if (err)
		return ERR_PTR(err);
	ctx = pcl_context_of_task(task);
	if (ctx == ERR_PTR(-ESRCH))
		pcl_refuse(why, PCL_REASON_TASK_EXITING);
	return ctx;
}

/* Was the target there until we had its mutex? ctx->mutex held. */
static int open_check_target(struct perf_event_context *ctx, struct pcl_why *why)
{
	lockdep_assert_held(&ctx->mutex);
	return ctx->task == PCL_TASK_GONE ? pcl_refuse(why, PCL_REASON_TASK_GONE) : 0;
}

/*
 * May the event join the group? Looked at twice, as the mutex is not kept meanwhile. ctx->mutex held, if there is a
 * context yet.
 */
static int open_check_group(struct open_call *call)
{
	struct perf_event *event = call->event, *leader = call->leader;

	if (!leader)
		return 0;
	lockdep_assert(!call->ctx || lockdep_is_held(&call->ctx->mutex));
	if (leader->group_leader != leader)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_OF_SIBLING);
	if (leader->clock != event->clock)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_CLOCK);
	if (leader->cpu != event->cpu)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_CPU);
	/* A leader without a slot is bound nowhere any more. */
	if (leader->ctx != call->ctx || !leader->slot)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_TARGET);
	if (!is_software_event(event) && !(leader->group_caps & PERF_EV_CAP_SOFTWARE) &&
	    leader->slot->pmu != event->pmu)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_PMU);
	if (event->attr.exclusive)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_EXCLUSIVE);
	if (event->attr.pinned)
		return pcl_refuse(&call->why, PCL_REASON_GROUP_PINNED);
	return 0;
}

/* May we watch this task? To be able to signal it (sigtrap) takes more. exec_update_lock held. */
static int open_check_task(struct open_call *call)
{
	unsigned int mode = PTRACE_MODE_READ_REALCREDS;
	bool capable = perfmon_capable();

	lockdep_assert_held(&call->task->signal->exec_update_lock);
	if (call->attr.sigtrap) {
		rcu_read_lock();
		capable &= ns_capable(__task_cred(call->task)->user_ns, CAP_KILL);
		rcu_read_unlock();
		mode = PTRACE_MODE_ATTACH_REALCREDS;
	}
	if (capable || ptrace_may_access(call->task, mode))
		return 0;
	return pcl_refuse(&call->why, PCL_REASON_PTRACE);
}

/* A member of a set that has no context of its own: its events are not those of any leader. */
static bool open_shares(struct open_call *call)
{
	return call->task && rcu_access_pointer(call->task->perf_event_set) &&
	       !rcu_access_pointer(call->task->perf_event_ctxp);
}

static int open_get_context(struct open_call *call)
{
	struct perf_event_context *ctx;
	int err;

	/* It gets one at our wish, when nothing else can stand in our way and we may watch it: open_leave_set(). */
	if (open_shares(call)) {
		err = open_check_kind(call->event, &call->why);
		return err ? err : open_check_group(call);
	}
	ctx = open_find_context(call->event, call->task, &call->why);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	call->ctx = ctx;
	if (!call->leader)
		return 0;
	mutex_lock(&ctx->mutex);
	err = open_check_target(ctx, &call->why);
	if (!err)
		err = open_check_group(call);
	mutex_unlock(&ctx->mutex);
	return err;
}

static int open_make_file(struct open_call *call)
{
	int f_flags = O_RDWR | (call->flags & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0);
	struct file *file;
	int err;

	if (call->output) {
		err = pcl_buffer_set_output(call->event, call->output, &call->why);
		if (err)
			return err;
	}
	file = anon_inode_getfile("[perf_event]", &pcl_fops, call->event, f_flags);
	if (IS_ERR(file))
		return PTR_ERR(file);
	call->file = file;	/* from here on the event is the file's */
	return 0;
}

/* ---- with the locks ---- */

/* A PMU that takes one event at a time: is there one already? ctx->mutex held. */
static int open_check_exclusive_pmu(struct perf_event *event, struct perf_event_context *ctx, struct pcl_why *why)
{
	struct perf_event *other;

	lockdep_assert_held(&ctx->mutex);
	if (!is_exclusive_pmu(event->pmu))
		return 0;
	list_for_each_entry(other, &ctx->event_list, event_entry) {
		if (other->pmu == event->pmu &&
		    (other->cpu == event->cpu || other->cpu == -1 || event->cpu == -1))
			return pcl_refuse(why, PCL_REASON_PMU_EXCLUSIVE);
	}
	return 0;
}

/* What holds for any event, the kernel's too, before it is bound. ctx->mutex held. */
static int open_check_bind(struct perf_event *event, struct perf_event_context *ctx, struct pcl_why *why)
{
	int err;

	lockdep_assert_held(&ctx->mutex);
	pcl_set_reclaim(ctx);
	if (!pcl_read_size_fits(event, event->group_leader))
		return pcl_refuse(why, PCL_REASON_READ_TOO_LARGE);
	if (ctx->cpu >= 0 && !per_cpu_ptr(&pcl_cpus, ctx->cpu)->online)
		return pcl_refuse(why, PCL_REASON_CPU_OFFLINE);
	err = pcl_aux_check_leader(event, why);
	if (!err)
		err = open_check_exclusive_pmu(event, ctx, why);
	if (err)
		return err;
	if (event->pmu->going)
		return pcl_refuse(why, PCL_REASON_PMU_WENT);
	return pcl_bind_prepare(event, ctx);
}

static int open_bind(struct open_call *call)
{
	struct perf_event_context *ctx = call->ctx;
	int err;

	mutex_lock(&ctx->mutex);
	err = open_check_target(ctx, &call->why);
	if (!err)
		err = open_check_group(call);
	if (!err)
		err = open_check_bind(call->event, ctx, &call->why);
	if (!err) {
		call->event->owner = current;
		pcl_bind(call->event, ctx);
	}
	mutex_unlock(&ctx->mutex);
	return err;
}

static int open_leave_set(struct open_call *call)
{
	struct perf_event_context *ctx;
	int err;

	err = pcl_set_leave(call->task);
	if (err)
		return err;
	ctx = open_find_context(call->event, call->task, &call->why);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	call->ctx = ctx;
	return 0;
}

static int open_bind_to_task(struct open_call *call)
{
	struct rw_semaphore *creds = &call->task->signal->exec_update_lock;
	int err;

	err = down_read_interruptible(creds);
	if (err)
		return err;
	err = open_check_task(call);
	if (!err && !call->ctx)
		err = open_leave_set(call);
	if (!err)
		err = open_bind(call);
	up_read(creds);
	return err;
}

/* ---- the whole ---- */

static int open_acquire(struct open_call *call)
{
	int err;

	err = open_get_group(call);
	if (!err)
		err = open_get_task(call);
	if (!err)
		err = open_make_event(call);
	if (!err)
		err = open_get_context(call);
	if (!err)
		err = open_make_file(call);
	if (!err)
		err = call->task ? open_bind_to_task(call) : open_bind(call);
	return err;
}

/* Give back what only the call needed, and, if it failed, the event. */
static void open_release(struct open_call *call, int err)
{
	if (err && call->file)
		fput(call->file);	/* its release() closes the event */
	else if (err && call->event)
		pcl_event_put(call->event);
	if (call->ctx)
		pcl_context_put(call->ctx);
	if (call->task)
		put_task_struct(call->task);
	fdput(call->group);
}

static int open_event(struct open_call *call)
{
	int err, fd;

	err = open_check_permission(call);
	if (!err)
		err = open_check_values(call);
	if (err)
		return err;

	fd = get_unused_fd_flags(O_RDWR | (call->flags & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0));
	if (fd < 0)
		return fd;

	err = open_acquire(call);
	if (err) {
		put_unused_fd(fd);
	} else {
		mutex_lock(&current->perf_event_mutex);
		list_add_tail(&call->event->owner_entry, &current->perf_event_list);
		mutex_unlock(&current->perf_event_mutex);
	}
	open_release(call, err);
	if (err)
		return err;
	fd_install(fd, call->file);
	return fd;
}

static int open_attr(struct open_call *call, struct perf_event_attr __user *uattr)
{
	int err;

	err = pcl_attr_copy(uattr, &call->attr, &call->why);
	if (!err)
		err = pcl_attr_check(&call->attr, &call->why);
	return err ? err : open_event(call);
}

static int open_extended(struct open_call *call, struct pcl_open __user *uopen)
{
	struct pcl_open open;
	int ret, err;

	ret = pcl_open_copy(uopen, &open, &call->why);
	if (!ret) {
		/* Once there is an fd the call may not fail any more, so success is told in advance. */
		ret = pcl_open_answer(uopen, &open, &call->why);
		if (ret)
			return ret;
		ret = open_attr(call, u64_to_user_ptr(open.attr));
	}
	if (ret >= 0)
		return ret;
	err = pcl_open_answer(uopen, &open, &call->why);
	return err ? err : ret;
}

/**
 * sys_perf_event_open - open an event on a task, a CPU, or both
 * @attr_uptr: struct perf_event_attr; with PCL_FLAG_OPEN a struct pcl_open
 * @pid: a task, 0 for the caller, -1 for any task on @cpu; with PERF_FLAG_PID_CGROUP a cgroup's directory
 * @cpu: a CPU, or -1 for any
 * @group_fd: an event whose group to join, or -1
 * @flags: PERF_FLAG_*, PCL_FLAG_OPEN
 */
SYSCALL_DEFINE5(perf_event_open, struct perf_event_attr __user *, attr_uptr, pid_t, pid, int, cpu, int, group_fd,
		unsigned long, flags)
{
	struct open_call call = {
		.pid = pid, .cpu = cpu, .group_fd = group_fd, .flags = flags & ~PCL_FLAG_OPEN,
		.why = { .reason = PCL_REASON_NONE, .field = -1 },
	};

	if (call.flags & ~FLAGS_KNOWN)
		return pcl_refuse(&call.why, PCL_REASON_FLAGS_UNKNOWN);
	if (flags & PCL_FLAG_OPEN)
		return open_extended(&call, (struct pcl_open __user *)attr_uptr);
	return open_attr(&call, attr_uptr);
}

/**
 * perf_event_create_kernel_counter - open an event for the kernel itself
 * @attr: what to count; not grouped, no AUX
 * @cpu: a CPU, or -1 with a @task
 * @task: a task, or NULL
 * @handler: called on overflow, NMI included
 * @context: for the handler
 *
 * May sleep. Ended by perf_event_release_kernel().
 */
struct perf_event *perf_event_create_kernel_counter(struct perf_event_attr *attr, int cpu, struct task_struct *task,
						    perf_overflow_handler_t handler, void *context)
{
	struct pcl_target target = { .task = task, .cpu = cpu };
	struct perf_event_context *ctx;
	struct perf_event *event;
	int err;

	err = task ? pcl_set_leave(task) : 0;
	if (err)
		return ERR_PTR(err);
	event = pcl_event_alloc(attr, &target, NULL, NULL, handler, context, NULL);
	if (IS_ERR(event))
		return event;
	event->owner = PCL_OWNER_KERNEL;

	ctx = open_find_context(event, task, NULL);
	if (IS_ERR(ctx)) {
		pcl_event_put(event);
		return ERR_CAST(ctx);
	}
	mutex_lock(&ctx->mutex);
	err = open_check_target(ctx, NULL);
	if (!err)
		err = open_check_bind(event, ctx, NULL);
	if (!err)
		pcl_bind(event, ctx);
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);

	if (!err)
		return event;
	pcl_event_put(event);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(perf_event_create_kernel_counter);
