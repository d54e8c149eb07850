/* SPDX-License-Identifier: GPL-2.0 */
/* A PMU made up for KUnit, which counts the calls it gets: made_up_test.c. The tests run one at a time. */
#ifndef _KERNEL_EVENTS_MADE_UP_TEST_H
#define _KERNEL_EVENTS_MADE_UP_TEST_H

#include <kunit/test.h>
#include <linux/perf_event.h>

#define MADE_UP_WORTH 10	/* what each stay on the counter adds to the count */

struct made_up_calls {
	atomic_t added, deleted, paused, destroyed;
	unsigned int away, back;	/* calls of these, where the PMU has them: made_up_can_stay() */
	struct perf_event *lost;	/* back() fails for this one */
	struct perf_event *refused;	/* add() fails for this one */
	bool disables;			/* and its leader has its last overflow just then */
};

extern struct made_up_calls made_up_calls;
extern struct pmu made_up_pmu;

/* Register the PMU anew; for struct kunit_suite::init. Each test takes it away itself. */
int made_up_begin(struct kunit *test);

/* From here to the end of the test it is a PMU whose events may stay while their context is away. */
void made_up_can_stay(void);

/* attr of an event of the PMU */
struct perf_event_attr made_up_attr(void);

/* An event of the kernel's, on CPU 0 or on the current task. */
struct perf_event *made_up_open(struct kunit *test, bool on_task, bool disabled);

/* The same with any @attr, in the group of @leader, or its own if that is NULL. */
struct perf_event *made_up_member(struct kunit *test, struct perf_event_attr attr, bool on_task,
				  struct perf_event *leader);

/* attr of a software event that never happens */
struct perf_event_attr made_up_software(void);

/* What fork makes of the current task, as far as events are concerned: it is only memory, and never runs. */
struct task_struct *made_up_task(struct kunit *test);
void made_up_task_end(struct kunit *test, struct task_struct *task);

#endif
