// SPDX-License-Identifier: GPL-2.0
/*
 * A test's driver of AUX areas: bytes instead of a trace, produced when a program says so.
 *
 * Concepts: PMUs that differ only in their capabilities. An event of one fills its AUX area with a pattern: the byte at
 * position N of the stream is pattern(N). It is produced on the CPU of who writes a number of bytes to the parameter
 * "produce" (/sys/module/pcl_producer/parameters/), by the event that runs there; what has been produced is given to the
 * reader at once. Into an area that is full, or has no room for all, as much goes as fits, and the record says TRUNCATED.
 *
 * It knows nothing of what kernel it is for: stock and PCL call it alike.
 *
 * Contexts: as the engine calls drivers; "produce" in process context. Locks: none; what is per CPU, with IRQs off.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

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
};

static DEFINE_PER_CPU(struct running, running);

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
	local_irq_save(flags);
	run = this_cpu_ptr(&running);
	if (run->event && run->open) {
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

/* ---- what the engine calls ---- */

static void producer_start(struct perf_event *event, int flags)
{
	struct running *run = this_cpu_ptr(&running);

	run->event = event;
	operation_begin(run);
	if (run->open)
		event->attach_state |= PERF_ATTACH_ITRACE;	/* perf_event_itrace_started(), which stock keeps from modules */
}

static void producer_stop(struct perf_event *event, int flags)
{
	struct running *run = this_cpu_ptr(&running);

	if (event->hw.state & PERF_HES_STOPPED)
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

static struct pmu pmus[3];

static int producer_init_event(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	return event->attr.config ? -EINVAL : 0;
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

static const struct {
	const char *name;
	int capabilities;
} kinds[ARRAY_SIZE(pmus)] = {
	{ "producer",		PERF_PMU_CAP_ITRACE },
	{ "producer_one",	PERF_PMU_CAP_ITRACE | PERF_PMU_CAP_AUX_NO_SG },
	{ "producer_alone",	PERF_PMU_CAP_EXCLUSIVE },
};

static int __init producer_init(void)
{
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(pmus) && !err; i++) {
		pmus[i] = (struct pmu){
			.module = THIS_MODULE, .capabilities = kinds[i].capabilities, .task_ctx_nr = perf_sw_context,
			.event_init = producer_init_event, .add = producer_add, .del = producer_del,
			.start = producer_start, .stop = producer_stop, .read = producer_read,
			.setup_aux = producer_setup_aux, .free_aux = producer_free_aux,
		};
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
