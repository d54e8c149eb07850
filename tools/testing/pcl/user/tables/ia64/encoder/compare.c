// SPDX-License-Identifier: GPL-2.0
/*
 * The same events, qualified in the same way, given to libpfm4's encoders of Itanium, Itanium 2 and Montecito and to
 * our driver: which of them are refused, and what the registers hold of the others. Prints a line for each kind of
 * difference, and one for each that is of no known kind; on stderr how much was compared.
 */
#include "../../../ia64_kernel.h"
#include "../../../exhaustive.h"
#include "idle.h"
#include "encoder.h"
#include "shim/perfmon/pfmlib.h"
#include "sides.h"
#include "registers.h"
#include "shapes.h"
#include "reasons.h"
#include "refusals.h"
#include "alone.h"
#include "qualified.h"
#include "groups.h"

#define QUALIFIED	30000	/* of each chip, at random */
#define GROUPS		20000

static void compare_side(struct side *side)
{
	unsigned int i;

	learn(side);
	compare_all_alone(side);
	for (i = 0; i < (few ? QUALIFIED / 10 : QUALIFIED); i++)
		compare_qualified(side);
	for (i = 0; i < (few ? GROUPS / 10 : GROUPS); i++)
		compare_group(side);
}

static unsigned int compare_sides(void)
{
	unsigned int i, all = 0;

	for (i = 0; i < ARRAY_SIZE(sides); i++)
		compare_side(&sides[i]);
	for (i = 0; i < ARRAY_SIZE(sides); i++) {
		all += say_tally(&sides[i], "events alone", &sides[i].alone);
		all += say_tally(&sides[i], "qualified", &sides[i].qualified);
		all += say_tally(&sides[i], "groups", &sides[i].groups);
	}
	return all;
}

/* SEED in the environment is for other cases, FEW for fewer; COUNTS says how often each kind of difference was met. */
int main(void)
{
	const char *given = getenv("SEED");

	seed = given ? strtoull(given, NULL, 0) : 0x50434c;
	random_state = seed;
	few = getenv("FEW");
	if (setjmp(failed)) {
		unexplained("a check failed", 0, 0);
		return 1;
	}
	fprintf(stderr, "%u\n", compare_sides());
	say_all();
	return 0;
}
