/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: each event and unit mask by itself, with what the counter's own register can say of it.
 */
#ifndef PCL_ENCODER_ALONE_H
#define PCL_ENCODER_ALONE_H

/*
 * What of an event address register is captured its event says by its name, for all instruction sets. Where the name
 * does not, or a set is asked for, the register is said beside it.
 */
static void say_ear(void)
{
	const struct event_facts *facts = facts_of(0);
	bool fetches = facts->code == trial.side->ear_code[0];

	if (!fetches && facts->code != trial.side->ear_code[1])
		return;
	if (facts->kind != EVENT_COUNTS && !trial.ask.ism[0])
		return;
	*(fetches ? &trial.ask.fetches : &trial.ask.accesses) = (struct ear){
		.used = 1, .mode = facts->mode, .umask = facts->kind == EVENT_COUNTS ? 0 : facts->umask,
		.ism = trial.ask.ism[0],
	};
	trial.ask.bare = 0;
}

static void compare_alone(struct side *side, unsigned int event, unsigned int how)
{
	static const unsigned int levels[] = { 9, 8, 1, 0 };

	begin_trial(side, event);
	trial.ask.levels = levels[how & 3];
	trial.ask.privileged = !(how >> 2 & 1);
	trial.ask.threshold[0] = how >> 3 & 7;
	trial.ask.ism[0] = how >> 6 & 3;
	trial.ask.states[0] = how >> 8;
	trial.ask.bare = !trial.ask.threshold[0] && !trial.ask.ism[0];
	say_ear();
	ask_both();
	compare_answers(&side->alone);
}

/*
 * Montecito has one instruction set; of it the encoder is not asked. One threshold that the event does not exceed is
 * enough.
 */
static bool is_of_use(const struct side *side, unsigned int event, unsigned int how)
{
	return (side->kind != MONTECITO || !(how >> 6 & 1)) && (how >> 3 & 7) <= side->facts[event].incr;
}

/* Of each event all there is, or a few of that */
static void compare_all_alone(struct side *side)
{
	unsigned int event, how, all, tries;

	for (event = 0; event < side->nr; event++) {
		all = side->facts[event].states ? 4096 : 256;
		for (tries = 0; tries < (few ? 6 : all); tries++) {
			how = few ? random_below(all) : tries;
			if (is_of_use(side, event, how))
				compare_alone(side, event, how);
		}
	}
}

#endif
