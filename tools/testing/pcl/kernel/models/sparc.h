/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine of SPARC's counters, two or four on each CPU, on which the driver of arch/sparc runs below the engine of
 * this kernel for x86. sparc.c has the concepts.
 */
#ifndef PCL_MODELS_SPARC_H
#define PCL_MODELS_SPARC_H

#include "driver.h"
#include "frame.h"

#define SPARC_LEVEL_USER	0
#define SPARC_LEVEL_SYSTEM	1
#define SPARC_LEVEL_HYPER	2

/* A raw config, and what happens: a code, and which counters see it under that code. T4's have no such bits. */
#define SPARC_ALL(code)		((u64)(code) << SPARC_CONFIG_SHIFT)
#define SPARC_BOTH(code)	(SPARC_ALL(code) | SPARC_CONFIG_PIC0 | SPARC_CONFIG_PIC1)

/* What tests know of a chip */
struct sparc_chip {
	const char *name;
	u64 a, b;		/* two events that can be counted at once */
	unsigned int pics;
	unsigned int early;	/* its interrupt comes with so many events left */
	bool interrupts;	/* or none ever comes */
	bool hypervisor;	/* can be counted */
};

#define FOR_EACH_SPARC(chip, nr)	for ((nr) = 0; sparc_chip(nr, &(chip)); (nr)++)
#define FOR_EACH_SAMPLER(chip, nr)	FOR_EACH_SPARC(chip, nr) if ((chip).interrupts)

/* Chip @nr; false: there are no more. */
bool sparc_chip(unsigned int nr, struct sparc_chip *chip);

/* KUnit's suite_init and suite_exit */
int sparc_tests_init(struct kunit_suite *suite);
void sparc_tests_exit(struct kunit_suite *suite);
/* A machine of these chips for the test, with nothing on it; and its end, after which it must be without fault. */
void sparc_test_begin(struct kunit *test, const char *chip);
void sparc_test_end(struct kunit *test, const char *chip);
/* Overflow interrupts so far */
unsigned int sparc_machine_interrupts(void);
/* From here on they wait until they are not held any more, or come at once. May sleep. */
void sparc_machine_hold(bool hold);
/* Half a second is over for the driver's timer of this CPU; was there one? IRQs on, on one CPU. */
bool sparc_machine_look(void);

/*
 * Events that happen to the current task, on the CPU where it runs. IRQs on, may be preempted.
 */
/* @n of a kind, one by one, at a level */
void sparc_task_run(u64 what, u64 n, unsigned int level);
/* @n at once, in user mode */
void sparc_task_burst(u64 what, u64 n);
/* One of each kind at once */
void sparc_task_both(u64 what, u64 other);

#endif
