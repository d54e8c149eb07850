// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's calls: the core PMU as a struct pmu.
 *
 * Concepts: add() takes an event into x86_cpu_pmu::list if all events there still find counters (places.c);
 * inside a transaction the question is asked once, at commit. Nothing is programmed then. When the PMU is enabled
 * again, settle() takes events off counters that others shall have, and puts those on that have none yet. Events
 * keep their counters where they can, since moving one costs several register writes.
 *
 * Contexts: event_init(), check_period() and the mapping calls in task context; all others on the owning CPU with IRQs
 * off and the PMU disabled, but for read(), which comes while it runs as well, and start() and stop(), which the NMI
 * handler calls too. The NMI handler looks at x86_cpu_pmu::on alone, which an event enters last and leaves first.
 *
 * Locks: the engine's, see struct pmu.
 */
#include <linux/cpu.h>
#include <linux/slab.h>
#include <linux/syscore_ops.h>

#include <asm/apic.h>

#include "driver.h"

DEFINE_PER_CPU(struct x86_cpu_pmu, x86_cpu_pmus);

struct x86_machine x86_machine __ro_after_init;

bool x86_event_is_ours(const struct perf_event *event)
{
	return event->pmu == &x86_core_pmu;
}

/* From now on the NMI handler knows whose the counter is. What the event says of itself is set. */
void x86_show(struct x86_cpu_pmu *cpu, struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;

	if (!x86_machine.has_virt && event->attr.exclude_host)
		x86_mask_set(&cpu->hw.guest_only, hwc->idx);
	if (!x86_machine.has_virt && event->attr.exclude_guest)
		x86_mask_set(&cpu->hw.host_only, hwc->idx);
	WRITE_ONCE(cpu->on[hwc->idx], event);
	perf_event_update_userpage(event);
}

/* ---- one event on its counter ----------------------------------------------------------------------------------- */

void x86_start(struct perf_event *event, int flags)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;

	if (WARN_ON_ONCE(hwc->idx < 0 || !(hwc->state & PERF_HES_STOPPED)))
		return;
	x86_hw_pause(&cpu->hw);
	if (flags & PERF_EF_RELOAD)
		x86_counter_reload(event, 0);
	hwc->state = 0;

	if (is_sampling_event(event))
		x86_mask_set(&cpu->sampling, hwc->idx);
	if (x86_machine.has_tx && (hwc->config & X86_SEL_IN_TX_CP))
		x86_mask_set(&cpu->checkpointed, hwc->idx);
	x86_hw_arm(&cpu->hw, hwc->idx, hwc->config);
	x86_show(cpu, event);
}

void x86_stop(struct perf_event *event, int flags)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	bool nested = READ_ONCE(cpu->stopping);	/* in NMI, while another event was being stopped */

	WRITE_ONCE(cpu->stopping, true);
	barrier();
	if (!(READ_ONCE(hwc->state) & PERF_HES_STOPPED)) {
		WRITE_ONCE(cpu->on[hwc->idx], NULL);
		x86_hw_disarm(&cpu->hw, hwc->idx);
		x86_mask_clear(&cpu->sampling, hwc->idx);
		x86_mask_clear(&cpu->checkpointed, hwc->idx);
		hwc->state |= PERF_HES_STOPPED;
	}
	if (flags & PERF_EF_UPDATE) {
		/* A counter that has passed zero interrupts, or did: if not yet, nobody else knows whose it will be. */
		if (!(hwc->state & PERF_HES_UPTODATE) && x86_counter_advance(event))
			x86_irq_expect(cpu);
		hwc->state |= PERF_HES_UPTODATE;
		x86_mask_clear(&cpu->stretched, hwc->idx);
	}
	barrier();
	WRITE_ONCE(cpu->stopping, nested);
}

/* An event that is on its way to a counter, or stopped, has nothing there to fold. */
static void x86_read(struct perf_event *event)
{
	if (!(READ_ONCE(event->hw.state) & PERF_HES_UPTODATE))
		x86_counter_fold(event);
}

/* ---- all events of this CPU ------------------------------------------------------------------------------------- */

/* An event stops, and leaves a value on its counter. */
static void take_off(struct x86_cpu_pmu *cpu, struct perf_event *event)
{
	x86_hw_pause(&cpu->hw);
	x86_stop(event, PERF_EF_UPDATE);
	x86_mask_set(&cpu->dirty, event->hw.idx);
}

/* Takes an event off a counter that is not its place any more. */
static void leave_counter(struct x86_cpu_pmu *cpu, struct perf_event *event)
{
	/* Stopped by the engine, and to stay so. */
	if (READ_ONCE(event->hw.state) & PERF_HES_STOPPED)
		event->hw.state |= PERF_HES_ARCH;
	take_off(cpu, event);
	event->hw.idx = -1;
}

static void enter_counter(struct x86_cpu_pmu *cpu, struct perf_event *event, int idx)
{
	struct hw_perf_event *hwc = &event->hw;

	hwc->idx = idx;
	hwc->last_cpu = smp_processor_id();
	hwc->event_base_rdpmc = x86_rdpmc_number(idx);
	x86_left_end(cpu, idx);
	if (hwc->state & PERF_HES_ARCH)
		x86_counter_reload(event, 0);
	else
		x86_start(event, PERF_EF_RELOAD);
}

/* The events on @counters, stopped or not, are folded and hidden from the NMI handler. */
static void hide(struct x86_cpu_pmu *cpu, u64 counters)
{
	unsigned int i;

	for (i = 0; i < cpu->settled; i++) {
		struct perf_event *event = cpu->list[i];

		if (!(counters & BIT_ULL(event->hw.idx)))
			continue;
		WRITE_ONCE(cpu->on[event->hw.idx], NULL);
		if (!(event->hw.state & PERF_HES_UPTODATE))
			x86_counter_advance(event);
	}
}

/* They are loaded anew, and shown to it. */
static void load_hidden(struct x86_cpu_pmu *cpu, u64 counters)
{
	unsigned int i;

	for (i = 0; i < cpu->settled; i++) {
		struct perf_event *event = cpu->list[i];

		if (!(counters & BIT_ULL(event->hw.idx)))
			continue;
		x86_counter_reload(event, 0);
		if (!(event->hw.state & PERF_HES_STOPPED))
			WRITE_ONCE(cpu->on[event->hw.idx], event);
	}
}

/* See x86_hw_kick(). */
static void kick(struct x86_cpu_pmu *cpu)
{
	u64 counters = BIT_ULL(X86_KICKED) - 1;

	hide(cpu, counters);
	x86_hw_kick(&cpu->hw);
	load_hidden(cpu, counters);
}

static bool wants_counter(const struct x86_cpu_pmu *cpu, int counter)
{
	unsigned int i = 0;

	while (i < cpu->nr && cpu->place[i] != counter)
		i++;
	return i < cpu->nr;
}

/* Do several of the events count the kernel? Then they end together only if the counters stand still. */
static bool several_count_kernel(const struct x86_cpu_pmu *cpu)
{
	unsigned int i, nr = 0;

	for (i = 0; i < cpu->nr; i++)
		nr += !!(cpu->list[i]->hw.config & (X86_SEL_OS | X86_SEL_ANY));
	return nr > 1;
}

/* Brings events to their places. */
static void settle(struct x86_cpu_pmu *cpu)
{
	u64 before = cpu->hw.active;
	unsigned int i;

	x86_hw_pause(&cpu->hw);
	for (i = 0; i < cpu->settled; i++) {
		if (cpu->list[i]->hw.idx != cpu->place[i])
			leave_counter(cpu, cpu->list[i]);
	}
	for (i = 0; i < cpu->nr; i++) {
		if (i >= cpu->settled || cpu->list[i]->hw.idx < 0)
			enter_counter(cpu, cpu->list[i], cpu->place[i]);
	}
	cpu->settled = cpu->nr;
	if (x86_machine.family->has & X86_NEEDS_KICK)
		kick(cpu);
	/* A late interrupt of what ran before may have left the entry masked. */
	if (!before && x86_machine.has_apic)
		x86_irq_unmask();
}

static void x86_enable(struct pmu *pmu)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);

	if (cpu->hw.layout->force_abort)
		x86_hw_force_abort(&cpu->hw, wants_counter(cpu, 3));
	if (cpu->settled < cpu->nr)
		settle(cpu);
	x86_hw_resume(&cpu->hw);
}

static void x86_disable(struct pmu *pmu)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);

	/* Who comes and goes where nothing samples may find its counter as it shall be: then nothing is written. */
	if (cpu->sampling || cpu->hw.guest || cpu->hw.layout->force_abort || several_count_kernel(cpu))
		x86_hw_pause(&cpu->hw);
	else
		x86_hw_hold(&cpu->hw);
	x86_irq_wait(cpu);
}

static int x86_add(struct perf_event *event, int flags)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);

	if (cpu->nr == X86_COUNTERS)
		return -EAGAIN;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		event->hw.state |= PERF_HES_ARCH;
	cpu->list[cpu->nr++] = event;
	if (cpu->in_txn || x86_places_find(cpu))
		return 0;
	cpu->nr--;
	x86_node_release(event);
	return -EAGAIN;
}

/* The event that is @i of the list is on no counter any more. */
static void leave_list(struct x86_cpu_pmu *cpu, unsigned int i)
{
	struct perf_event *event = cpu->list[i];

	if (i < cpu->settled)
		cpu->settled--;
	if (i < cpu->placed)
		cpu->placed--;
	cpu->nr--;
	for (; i < cpu->nr; i++) {
		cpu->list[i] = cpu->list[i + 1];
		cpu->place[i] = cpu->place[i + 1];
	}
	x86_node_release(event);
	x86_siblings_release(cpu);
}

static unsigned int find_in_list(const struct x86_cpu_pmu *cpu, const struct perf_event *event)
{
	unsigned int i = 0;

	while (i < cpu->nr && cpu->list[i] != event)
		i++;
	return i;
}

static void x86_del(struct perf_event *event, int flags)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	unsigned int i = find_in_list(cpu, event);

	if (WARN_ON_ONCE(i == cpu->nr))
		return;
	/* An event that never came to its counter has nothing there. */
	if (i < cpu->settled)
		take_off(cpu, event);
	leave_list(cpu, i);
	perf_event_update_userpage(event);
}

static void x86_away(struct perf_event *event)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	unsigned int i = find_in_list(cpu, event);

	if (WARN_ON_ONCE(i >= cpu->settled))
		return;
	if (!x86_left_leave(cpu, event))
		take_off(cpu, event);
	leave_list(cpu, i);
}

static bool x86_back(struct perf_event *event)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);

	if (cpu->settled != cpu->nr || !x86_left_is_there(cpu, event) || wants_counter(cpu, event->hw.idx))
		return false;
	cpu->list[cpu->nr] = event;
	cpu->place[cpu->nr] = event->hw.idx;
	cpu->nr++;
	if (!x86_left_take(cpu, event)) {
		cpu->nr--;
		return false;
	}
	cpu->placed = cpu->nr;
	cpu->settled = cpu->nr;
	return true;
}

static void x86_start_txn(struct pmu *pmu, unsigned int flags)
{
	this_cpu_ptr(&x86_cpu_pmus)->in_txn = flags & PERF_PMU_TXN_ADD;
}

static int x86_commit_txn(struct pmu *pmu)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);

	if (cpu->in_txn && !x86_places_find(cpu))
		return -EAGAIN;
	cpu->in_txn = false;
	return 0;
}

static void x86_cancel_txn(struct pmu *pmu)
{
	this_cpu_ptr(&x86_cpu_pmus)->in_txn = false;
}

/* Counters of tasks' events: of the running task, or of the set whose member it is. */
static u64 counters_of_tasks(const struct x86_cpu_pmu *cpu)
{
	u64 counters = 0;
	unsigned int i;

	for (i = 0; i < cpu->settled; i++) {
		if (cpu->list[i]->attach_state & PERF_ATTACH_TASK)
			counters |= BIT_ULL(cpu->list[i]->hw.idx);
	}
	return counters;
}

/*
 * A task may look by RDPMC from now on. Counters that belong to nobody still show what an event of another task
 * counted, and are zeroed; those that tasks' events took as they were left, or that a member of the same set had
 * before, began with what others did, and are loaded anew. Called by the address space switch, and when an event is
 * mapped, IRQs off.
 */
void perf_clear_dirty_counters(void)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	unsigned int i;
	u64 counters;

	lockdep_assert_irqs_disabled();
	x86_left_stop();
	counters = counters_of_tasks(cpu);
	if (counters) {
		x86_hw_pause(&cpu->hw);
		hide(cpu, counters);
		load_hidden(cpu, counters);
		x86_hw_resume(&cpu->hw);
	}
	for (i = 0; i < cpu->nr; i++) {
		if (cpu->list[i]->hw.idx >= 0 && i < cpu->settled)
			x86_mask_clear(&cpu->dirty, cpu->list[i]->hw.idx);
	}
	for (; cpu->dirty; cpu->dirty &= cpu->dirty - 1)
		x86_hw_load(&cpu->hw, __ffs64(cpu->dirty), 0);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Could the whole group be on the counters at once, were they all free? */
static int check_group(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	struct pcl_want *wants;
	unsigned int nr = 0;
	bool fits;

	if (leader == event)
		return 0;
	wants = kcalloc(X86_COUNTERS, sizeof(*wants), GFP_KERNEL);
	if (!wants)
		return -ENOMEM;

	wants[nr++] = (struct pcl_want){ .counters = event->hw.counters, .had = -1 };
	if (x86_event_is_ours(leader))
		wants[nr++] = (struct pcl_want){ .counters = leader->hw.counters, .had = -1 };
	for_each_sibling_event(sibling, leader) {
		if (!x86_event_is_ours(sibling) || sibling->state <= PERF_EVENT_STATE_OFF)
			continue;
		if (nr == X86_COUNTERS)
			break;
		wants[nr++] = (struct pcl_want){ .counters = sibling->hw.counters, .had = -1 };
	}
	fits = nr < X86_COUNTERS && pcl_assign(wants, nr, ~X86_GENERAL_MASK);
	kfree(wants);
	return fits ? 0 : perf_event_refuse(event, PCL_REASON_X86_GROUP_NEVER_FITS);
}

static void x86_event_destroy(struct perf_event *event)
{
	if (atomic_add_unless(&x86_nr_events, -1, 1))
		return;
	x86_left_stop_everywhere();	/* before the NMI handler thinks that nothing can be its own */
	atomic_dec(&x86_nr_events);
}

static int x86_event_init(struct perf_event *event)
{
	u32 type = event->attr.type;
	int err;

	if (type != event->pmu->type && type != PERF_TYPE_HARDWARE && type != PERF_TYPE_HW_CACHE)
		return -ENOENT;

	event->hw.idx = -1;
	event->hw.last_cpu = -1;
	err = x86_event_config(event);
	if (err)
		return err;
	err = check_group(event);
	if (err)
		return err;

	if (x86_event_leaves_on(event))
		event->hw.flags |= X86_EVENT_LEAVES_ON;
	if (READ_ONCE(x86_rdpmc_mode))
		event->hw.flags |= PERF_EVENT_FLAG_USER_READ_CNT;
	atomic_inc(&x86_nr_events);
	event->destroy = x86_event_destroy;
	return 0;
}

struct pmu x86_core_pmu = {
	.attr_groups	= x86_attr_groups,
	.task_ctx_nr	= perf_hw_context,
	.event_init	= x86_event_init,
	.event_mapped	= x86_event_mapped,
	.event_unmapped	= x86_event_unmapped,
	.event_idx	= x86_event_idx,
	.check_period	= x86_event_check_period,
	.pmu_disable	= x86_disable,
	.pmu_enable	= x86_enable,
	.start_txn	= x86_start_txn,
	.commit_txn	= x86_commit_txn,
	.cancel_txn	= x86_cancel_txn,
	.add		= x86_add,
	.del		= x86_del,
	.away		= x86_away,
	.back		= x86_back,
	.start		= x86_start,
	.stop		= x86_stop,
	.read		= x86_read,
};

/* ---- CPUs come, go and sleep ------------------------------------------------------------------------------------ */

static int x86_cpu_starting(unsigned int nr)
{
	struct x86_cpu_pmu *cpu = per_cpu_ptr(&x86_cpu_pmus, nr);

	cpu->hw.layout = &x86_machine.layout;
	if (x86_machine.has_virt)
		cpu->hw.select_clear = X86_SEL_HOST_ONLY;	/* until SVM is on: amd_pmu_enable_virt() */
	cpu->late_until = jiffies;	/* which begin far from 0 */
	x86_hw_reset(&cpu->hw);
	x86_node_join(nr);
	x86_siblings_join(nr);
	x86_smi_freeze_cpu(NULL);
	return 0;
}

/* Its own events were taken off before; a task's that ran until now may have left a counter on. */
static int x86_cpu_dying(unsigned int nr)
{
	x86_left_stop();
	return 0;
}

/*
 * Suspend: the other CPUs go down like in hotplug; the boot CPU keeps its events, but its registers are lost. So
 * they are folded and stopped before, and set anew after. IRQs off, one CPU. The local APIC sleeps from after
 * x86_suspend() until before x86_resume(): both are called in the order of registration, on the way back, and the APIC
 * code registers itself as a core_initcall.
 */
static u64 suspended;

static int x86_suspend(void)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	unsigned int i;

	x86_left_stop();
	x86_hw_pause(&cpu->hw);
	x86_irq_wait(cpu);
	suspended = cpu->hw.active;
	for (i = 0; i < cpu->settled; i++)
		x86_stop(cpu->list[i], PERF_EF_UPDATE);
	return 0;
}

static void x86_resume(void)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	unsigned int i;

	x86_hw_reset(&cpu->hw);
	x86_smi_freeze_cpu(NULL);
	x86_hw_force_abort(&cpu->hw, wants_counter(cpu, 3));
	for (i = 0; i < cpu->settled; i++) {
		struct perf_event *event = cpu->list[i];

		if (suspended & BIT_ULL(event->hw.idx))
			x86_start(event, PERF_EF_RELOAD);
		else
			x86_counter_reload(event, 0);
	}
	perf_events_lapic_init();
	x86_hw_resume(&cpu->hw);
}

static struct syscore_ops x86_syscore_ops = {
	.suspend = x86_suspend,
	.resume = x86_resume,
};

static void __init say_what_there_is(void)
{
	const struct x86_layout *layout = &x86_machine.layout;
	const struct x86_shape *shape = &layout->shape;

	pr_info("... version:                %d\n", x86_machine.version);
	pr_info("... bit width:              %u\n", layout->width);
	pr_info("... generic registers:      %u\n", (unsigned int)hweight64(shape->general));
	pr_info("... value mask:             %016llx\n", x86_layout_mask(layout));
	pr_info("... max period:             %016llx\n", x86_machine.max_period);
	pr_info("... fixed-purpose events:   %u\n", (unsigned int)hweight64(shape->fixed));
	pr_info("... event mask:             %016llx\n", shape->general | shape->fixed);
}

static int __init x86_core_init(void)
{
	int err;

	if (!x86_detect())
		return 0;
	x86_machine.has_apic = boot_cpu_has(X86_FEATURE_APIC);
	if (!x86_machine.has_apic) {
		pr_info("no local APIC, no sampling; boot with \"lapic\" to enable it\n");
		x86_core_pmu.capabilities |= PERF_PMU_CAP_NO_INTERRUPT;
	}
	say_what_there_is();

	err = x86_sysfs_init();
	if (!err)
		err = cpuhp_setup_state(CPUHP_AP_PERF_X86_STARTING, "perf/x86:starting", x86_cpu_starting,
					x86_cpu_dying);
	if (!err)
		err = x86_irq_init();
	if (err)
		goto off;
	perf_events_lapic_init();
	err = perf_pmu_register(&x86_core_pmu, "cpu", PERF_TYPE_RAW);
	if (!err)
		return 0;
off:
	x86_machine = (struct x86_machine){ };
	return err;
}
early_initcall(x86_core_init);

static int __init x86_sleep_init(void)
{
	if (x86_machine.vendor)
		register_syscore_ops(&x86_syscore_ops);
	return 0;
}
postcore_initcall(x86_sleep_init);
