/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine of IA-64's performance monitors, one on each CPU, on which the driver of arch/ia64 runs below the engine of
 * this kernel for x86. ia64.c has the concepts.
 */
#ifndef PCL_MODELS_IA64_H
#define PCL_MODELS_IA64_H

#include "driver.h"
#include "frame.h"

#define IA64_LEVEL_KERNEL	0
#define IA64_LEVEL_USER		3

/* ---- ia64.c: the machine ---- */

/* The name of chip @nr; NULL: there are no more. */
const char *ia64_chip(unsigned int nr);
/* A machine of these comes up, with its driver. May sleep; nobody else uses it. */
int ia64_machine_boot(const char *chip, bool with_sysfs);
/* And goes: with all events. */
void ia64_machine_halt(void);
/* What the driver did to it that the manuals forbid, so many times. */
unsigned int ia64_machine_faults(void);
/* Interrupts so far, and those for which the driver found no reason. */
unsigned int ia64_machine_interrupts(void);
unsigned int ia64_machine_unclaimed(void);
/* From here on an interrupt waits for ia64_machine_interrupt(), or comes at once. */
void ia64_machine_hold(bool hold);
/* This CPU's, if one waits, and has been taken when this returns. IRQs on. */
void ia64_machine_interrupt(void);

/*
 * Instructions of the current task, on the CPU where it runs. IRQs on, may be preempted.
 */
/* @n cycles at a privilege level, with one event each: its code 15:8 and unit mask 19:16 */
void ia64_task_run(u32 what, u64 n, unsigned int level);
/* @n events in one cycle of the program */
void ia64_task_burst(u32 what, u64 n);
/* Data were accessed, or instructions fetched, and missed (ia64_record.h: struct miss); was that captured? */
bool ia64_task_miss(bool data, unsigned int what, u64 address, u64 ip, unsigned int cycles, unsigned int level);
/* A branch (struct branch); was that captured? @what: its kind, and IA64_NOT_TAKEN */
bool ia64_task_branch(u64 from, u64 to, unsigned int what);
/* A bundle retired, so many cycles after the one before. */
void ia64_task_bundle(u64 address, unsigned int cycles);
/* Its user mask is that of a new task. */
void ia64_task_begin(void);
/* So begins a new program (start_thread() of arch/ia64), in the same task; and so ends a signal's handler. */
void ia64_task_exec(void);
void ia64_task_return(bool up);
/* sum 4, rum 4 */
void ia64_task_set_up(bool up);
/* mov r=pmd[nr]: what the program reads */
u64 ia64_task_read(unsigned int nr);
/* And what is there */
u64 ia64_task_peek(unsigned int nr);

/* ---- tests.c: what KUnit's cases share beside frame.h ---- */

#define CYCLES		0x1200
#define INSTRUCTIONS	0x0800
#define FOR_EACH_CHIP(name, nr)	for ((nr) = 0; ((name) = ia64_chip(nr)); (nr)++)

/* KUnit's suite_init and suite_exit */
int tests_init(struct kunit_suite *suite);
void tests_exit(struct kunit_suite *suite);
/* A machine for the test, with nothing on it; and its end, after which it must be without fault. */
void test_begin(struct kunit *test, const char *chip);
void test_end(struct kunit *test, const char *chip);
/* An errand: run(n) of a kind, in user mode */
struct run {
	u32 what;
	u64 n;
};

void errand_run(void *run);
/* The task has memory, as one of a program has. */
void errand_have_memory(void *unused);
void errand_drop_memory(void *unused);

/* ---- page.c: this kernel leads to the driver; switch.c: that of it which is of switches of tasks ---- */

int ia64_around_begin(void);
void ia64_around_end(void);
int ia64_switch_begin(void);
void ia64_switch_end(void);

/* What the driver and the engine call each other by here: around.h */
s64 ia64_user_base(struct perf_event *event);
void ia64_update_userpage(struct perf_event *event, struct perf_event_mmap_page *page, u64 now);
struct perf_callchain_entry *ia64_callchain(struct perf_event *event, struct pt_regs *regs);

#endif
