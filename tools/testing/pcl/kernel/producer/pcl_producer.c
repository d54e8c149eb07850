// SPDX-License-Identifier: GPL-2.0
/*
 * A test's driver of AUX areas: bytes instead of a trace, produced when a program says so.
 *
 * Concepts: PMUs that differ only in their capabilities. An event of one fills its AUX area with a pattern: the byte at
 * position N of the stream is pattern(N). It is produced on the CPU of who writes a number of bytes to the parameter
 * "produce" (/sys/module/pcl_producer/parameters/), by the event that runs there; what has been produced is given to the
 * reader at once. Into an area that is full, or has no room for all, as much goes as fits, and the record says TRUNCATED.
 * Samples of other events of a group that such an event leads can have the last bytes of the stream.
 *
 * One PMU has no areas: "producer_echo", whose events, by aux_output, write to the area of a "producer" that leads their
 * group. They write nothing, but tell who they are as they begin (AUX_OUTPUT_HW_ID).
 *
 * A "producer" takes two address filters, none of them of the kind "stop". It heeds none: the parameter "ranges" tells
 * those of the event that runs on the reader's CPU, as it had them when it was started last.
 *
 * Where the kernel knows how, a "producer" can be paused: then nothing is produced.
 *
 * Each write to "produce" hits the tracepoint pcl_produced (trace.h), whatever comes of it.
 *
 * Otherwise it knows nothing of what kernel it is for: stock and PCL call it alike. What stock does not export is
 * looked up.
 *
 * Contexts: as the engine calls drivers; "produce" in process context. Locks: none; what is per CPU, with IRQs off.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#define CREATE_TRACE_POINTS
#include "trace.h"

#define NR_RANGES 2		/* address filters of an event */

struct area {
	void **pages;
	unsigned long size;
	bool overwrite;
};

struct running {
	struct perf_event *event;		/* NULL: none */
	struct perf_output_handle handle;
	unsigned long done;			/* bytes since the operation began */
	bool open;				/* an operation is under way */
	bool paused;
};

static DEFINE_PER_CPU(struct running, running);

/* ---- what stock keeps from modules ---- */

static typeof(perf_output_copy_aux) *copy_aux;
static typeof(perf_report_aux_output_id) *report_output_id;

static void *lookup(const char *name)
{
	struct kprobe probe = { .symbol_name = name };

	if (register_kprobe(&probe))
		return NULL;
	unregister_kprobe(&probe);
	return probe.addr;
}

static u8 pattern(unsigned long at)
{
	return at ^ at >> 8 ^ at >> 16;
}

/* ---- output operations ---- */

static void operation_begin(struct running *run)
{
	run->done = 0;
	run->open = perf_aux_output_begin(&run->handle, run->event);
	run->event->hw.state = run->open ? 0 : PERF_HES_STOPPED;
}

static void operation_end(struct running *run)
{
	if (run->open)
		perf_aux_output_end(&run->handle, run->done);
	run->open = false;
}

#ifdef PERF_PMU_CAP_AUX_PAUSE
#define CAN_PAUSE PERF_PMU_CAP_AUX_PAUSE

/* As the calls say; the engine's word is asked where an event starts altogether. */
static bool only_pauses(struct running *run, struct perf_event *event, int flags)
{
	if (flags & (PERF_EF_PAUSE | PERF_EF_RESUME))
		run->paused = flags & PERF_EF_PAUSE;
	else
		run->paused = event->hw.aux_paused;
	return flags & (PERF_EF_PAUSE | PERF_EF_RESUME);
}
#else
#define CAN_PAUSE 0

static bool only_pauses(struct running *run, struct perf_event *event, int flags)
{
	return false;
}
#endif

static void produce(struct running *run, unsigned long nr)
{
	struct area *area = perf_get_aux(&run->handle);
	unsigned long i;

	if (!area->overwrite && nr > run->handle.size) {
		nr = run->handle.size;
		perf_aux_output_flag(&run->handle, PERF_AUX_FLAG_TRUNCATED);
	}
	for (i = 0; i < nr; i++) {
		unsigned long at = run->handle.head + i, offset = at & (area->size - 1);

		((u8 *)area->pages[offset >> PAGE_SHIFT])[offset_in_page(offset)] = pattern(at);
	}
	run->done = nr;
	if (area->overwrite)
		run->handle.head += nr;
}

static int produce_set(const char *text, const struct kernel_param *param)
{
	struct running *run;
	unsigned long nr, flags;
	int err = kstrtoul(text, 0, &nr);

	if (err)
		return err;
	trace_pcl_produced(nr);
	local_irq_save(flags);
	run = this_cpu_ptr(&running);
	if (run->event && run->paused) {
		err = -EAGAIN;
	} else if (run->event && run->open) {
		bool truncated;

		produce(run, nr);
		truncated = run->handle.aux_flags & PERF_AUX_FLAG_TRUNCATED;
		operation_end(run);
		/* A truncated one is disabled by the end. */
		if (!truncated)
			operation_begin(run);
		else
			run->event->hw.state = PERF_HES_STOPPED;
	} else {
		err = -ENODATA;
	}
	local_irq_restore(flags);
	return err;
}

static const struct kernel_param_ops produce_ops = { .set = produce_set };
module_param_cb(produce, &produce_ops, NULL, 0200);

/* Areas that are there. */
static atomic_t nr_areas = ATOMIC_INIT(0);

static int areas_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", atomic_read(&nr_areas));
}

static const struct kernel_param_ops areas_ops = { .get = areas_get };
module_param_cb(areas, &areas_ops, NULL, 0400);

/* ---- address filters ---- */

struct ranges {
	unsigned int nr;
	struct {
		int action;
		unsigned long start, size;
	} at[NR_RANGES];
};

static int ranges_validate(struct list_head *filters)
{
	struct perf_addr_filter *filter;
	unsigned int nr = 0;

	list_for_each_entry(filter, filters, entry) {
		if (filter->action == PERF_ADDR_FILTER_ACTION_STOP || ++nr > NR_RANGES)
			return -EOPNOTSUPP;
	}
	return 0;
}

static void ranges_sync(struct perf_event *event)
{
	struct perf_addr_filter_range *range = event->addr_filter_ranges;
	struct ranges *ranges = event->hw.addr_filters;
	struct perf_addr_filter *filter;

	ranges->nr = 0;
	list_for_each_entry(filter, &perf_event_addr_filters(event)->list, entry) {
		ranges->at[ranges->nr].action = filter->action;
		ranges->at[ranges->nr].start = range->start;
		ranges->at[ranges->nr++].size = range++->size;
	}
}

static void ranges_free(struct perf_event *event)
{
	kfree(event->hw.addr_filters);
}

static int ranges_get(char *text, const struct kernel_param *param)
{
	struct ranges *ranges;
	struct running *run;
	unsigned long flags;
	int len = 0, i;

	local_irq_save(flags);
	run = this_cpu_ptr(&running);
	ranges = run->event ? run->event->hw.addr_filters : NULL;
	for (i = 0; ranges && i < ranges->nr; i++)
		len += sysfs_emit_at(text, len, "%d %lx %lx\n", ranges->at[i].action, ranges->at[i].start,
				     ranges->at[i].size);
	local_irq_restore(flags);
	return len;
}

static const struct kernel_param_ops ranges_ops = { .get = ranges_get };
module_param_cb(ranges, &ranges_ops, NULL, 0444);

/* ---- what the engine calls ---- */

static void producer_start(struct perf_event *event, int flags)
{
	struct running *run = this_cpu_ptr(&running);

	if (only_pauses(run, event, flags))
		return;
	run->event = event;
	perf_event_addr_filters_sync(event);
	operation_begin(run);
	if (run->open)
		event->attach_state |= PERF_ATTACH_ITRACE;	/* perf_event_itrace_started(), which stock keeps from modules */
}

static void producer_stop(struct perf_event *event, int flags)
{
	struct running *run = this_cpu_ptr(&running);

	if (only_pauses(run, event, flags) || event->hw.state & PERF_HES_STOPPED)
		return;
	event->hw.state = PERF_HES_STOPPED;
	operation_end(run);
}

static int producer_add(struct perf_event *event, int flags)
{
	if (this_cpu_ptr(&running)->event)
		return -EBUSY;
	event->hw.state = PERF_HES_STOPPED;
	if (flags & PERF_EF_START)
		producer_start(event, flags);
	return 0;
}

static void producer_del(struct perf_event *event, int flags)
{
	producer_stop(event, PERF_EF_UPDATE);
	this_cpu_ptr(&running)->event = NULL;
}

static void producer_read(struct perf_event *event)
{
}

/* From an overflow, NMI included: the newest bytes go into a sample. */
static long producer_snapshot_aux(struct perf_event *event, struct perf_output_handle *sample, unsigned long size)
{
	struct running *run = this_cpu_ptr(&running);
	unsigned long head = run->handle.head;	/* bytes are produced by operations of their own, which are over */

	return run->open ? copy_aux(&run->handle, sample, head - size, head) : 0;
}

static void echo_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
}

static void echo_stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
}

static int echo_add(struct perf_event *event, int flags)
{
	report_output_id(event, event->attr.config1);
	echo_start(event, flags);
	return 0;
}

static void echo_del(struct perf_event *event, int flags)
{
	echo_stop(event, flags);
}

static struct pmu pmus[4];

static int echo_output_match(struct perf_event *leader)
{
	return leader->pmu == &pmus[0];
}

static int producer_init_event(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->attr.config)
		return -EINVAL;
	if (!event->pmu->nr_addr_filters)
		return 0;
	event->hw.addr_filters = kzalloc(sizeof(struct ranges), GFP_KERNEL);
	event->destroy = ranges_free;
	return event->hw.addr_filters ? 0 : -ENOMEM;
}

static void *producer_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	struct area *area = kzalloc(sizeof(*area), GFP_KERNEL);

	if (!area)
		return NULL;
	area->pages = pages;
	area->size = (unsigned long)nr_pages << PAGE_SHIFT;
	area->overwrite = overwrite;
	atomic_inc(&nr_areas);
	return area;
}

static void producer_free_aux(void *area)
{
	kfree(area);
	atomic_dec(&nr_areas);
}

static const struct pmu producer_pmu = {
	.module = THIS_MODULE, .task_ctx_nr = perf_sw_context, .event_init = producer_init_event,
	.add = producer_add, .del = producer_del, .start = producer_start, .stop = producer_stop, .read = producer_read,
	.setup_aux = producer_setup_aux, .free_aux = producer_free_aux,
};

static const struct {
	const char *name;
	int capabilities;
	bool is_echo, is_sampled;
} kinds[ARRAY_SIZE(pmus)] = {
	{ "producer",		PERF_PMU_CAP_ITRACE | CAN_PAUSE, .is_sampled = true },
	{ "producer_one",	PERF_PMU_CAP_ITRACE | PERF_PMU_CAP_AUX_NO_SG, .is_sampled = true },
	{ "producer_alone",	PERF_PMU_CAP_EXCLUSIVE },
	{ "producer_echo",	PERF_PMU_CAP_AUX_OUTPUT, .is_echo = true },
};

static void pmu_init(struct pmu *pmu, int i)
{
	*pmu = producer_pmu;
	pmu->capabilities = kinds[i].capabilities;
	if (kinds[i].is_sampled)
		pmu->snapshot_aux = producer_snapshot_aux;
	if (!i) {
		pmu->nr_addr_filters = NR_RANGES;
		pmu->addr_filters_validate = ranges_validate;
		pmu->addr_filters_sync = ranges_sync;
	}
	if (!kinds[i].is_echo)
		return;
	pmu->add = echo_add;
	pmu->del = echo_del;
	pmu->start = echo_start;
	pmu->stop = echo_stop;
	pmu->setup_aux = NULL;
	pmu->free_aux = NULL;
	pmu->aux_output_match = echo_output_match;
}

static int __init producer_init(void)
{
	int i, err = 0;

	copy_aux = lookup("perf_output_copy_aux");
	report_output_id = lookup("perf_report_aux_output_id");
	if (!copy_aux || !report_output_id)
		return -ENOENT;
	for (i = 0; i < ARRAY_SIZE(pmus) && !err; i++) {
		pmu_init(&pmus[i], i);
		err = perf_pmu_register(&pmus[i], kinds[i].name, -1);
	}
	for (i -= 2; err && i >= 0; i--)
		perf_pmu_unregister(&pmus[i]);
	return err;
}
module_init(producer_init);

static void __exit producer_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(pmus); i++)
		perf_pmu_unregister(&pmus[i]);
}
module_exit(producer_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("AUX areas filled with a pattern, for tests");
