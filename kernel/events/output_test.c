// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: who may write to which ring.
 *
 * A ring of CPU 0 and a ring of this task, of the kernel's own events, are written from where they belong and from
 * elsewhere. What may not be written is counted, changes nothing in the ring, and is told before the next record.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/perf_event.h>
#include <linux/smp.h>

#include "buffer.h"
#include "output.h"

#define PAGES 4
#define HERE (-1)

static int output_begin_test(struct kunit *test)
{
	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	return 0;
}

/* An event that never counts, with a ring; on CPU 0, or on @task wherever it runs. */
static struct perf_event *open_with_ring(struct kunit *test, struct task_struct *task)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
	};
	struct perf_event *event;
	struct perf_buffer *rb;

	event = perf_event_create_kernel_counter(&attr, task ? -1 : 0, task, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	rb = pcl_buffer_alloc(PAGES, event, false);
	KUNIT_ASSERT_NOT_NULL(test, rb);
	mutex_lock(&event->mmap_mutex);
	pcl_buffer_attach(event, rb);
	mutex_unlock(&event->mmap_mutex);
	return event;
}

static void close_with_ring(struct perf_event *event)
{
	perf_event_release_kernel(event);
	rcu_barrier();
}

static void write_record(void *event)
{
	perf_log_lost_samples(event, 1);
}

static u64 head_of(struct perf_event *event)
{
	return rcu_access_pointer(event->rb)->ring.user->data_head;
}

/* @lost records were not written; the next one, from @cpu, is preceded by the tale of them. */
static void expect_told(struct kunit *test, struct perf_event *event, int cpu, u64 lost)
{
	struct perf_buffer *rb = rcu_access_pointer(event->rb);
	u64 head = head_of(event), *at = rb->pages[0] + head;
	struct perf_event_header *header = (void *)at;

	KUNIT_EXPECT_EQ(test, (u64)atomic64_read(&event->lost_samples), lost);
	if (cpu == HERE)
		write_record(event);
	else
		smp_call_function_single(cpu, write_record, event, 1);
	KUNIT_EXPECT_EQ(test, header->type, (u32)PERF_RECORD_LOST);
	KUNIT_EXPECT_EQ(test, at[1], event->id);
	KUNIT_EXPECT_EQ(test, at[2], lost);
	header = (void *)at + header->size;
	KUNIT_EXPECT_EQ(test, header->type, (u32)PERF_RECORD_LOST_SAMPLES);
	KUNIT_EXPECT_PTR_EQ(test, (void *)header + header->size, rb->pages[0] + head_of(event));
}

static void ring_of_a_cpu_is_written_there(struct kunit *test)
{
	struct perf_event *event = open_with_ring(test, NULL);
	u64 head;

	smp_call_function_single(0, write_record, event, 1);
	head = head_of(event);
	KUNIT_EXPECT_GT(test, head, 0ULL);

	smp_call_function_single(1, write_record, event, 1);
	smp_call_function_single(1, write_record, event, 1);
	KUNIT_EXPECT_EQ(test, head_of(event), head);
	expect_told(test, event, 0, 2);
	close_with_ring(event);
}

struct other {
	struct perf_event *event;
	struct completion done;
};

static int write_as_another(void *arg)
{
	struct other *other = arg;

	write_record(other->event);
	complete(&other->done);
	return 0;
}

static void ring_of_a_task_is_written_by_it(struct kunit *test)
{
	struct other other = { .event = open_with_ring(test, current) };
	struct task_struct *thread;
	u64 head;

	write_record(other.event);
	head = head_of(other.event);
	KUNIT_EXPECT_GT(test, head, 0ULL);

	init_completion(&other.done);
	thread = kthread_run(write_as_another, &other, "pcl_kunit");
	KUNIT_ASSERT_FALSE(test, IS_ERR(thread));
	wait_for_completion(&other.done);
	KUNIT_EXPECT_EQ(test, head_of(other.event), head);
	expect_told(test, other.event, HERE, 1);
	close_with_ring(other.event);
}

static struct kunit_case output_cases[] = {
	KUNIT_CASE(ring_of_a_cpu_is_written_there),
	KUNIT_CASE(ring_of_a_task_is_written_by_it),
	{ }
};

static struct kunit_suite output_suite = {
	.name = "pcl-output",
	.init = output_begin_test,
	.test_cases = output_cases,
};

kunit_test_suite(output_suite);
