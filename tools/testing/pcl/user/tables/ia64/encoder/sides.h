/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: the two sides. One is libpfm4's encoder of a chip (encoder.h), the other the driver as a whole,
 * whose registers are those of ../../../ia64_model.h. What is asked of the first is said to the second in attr's
 * fields, laid out as arch/ia64/events/README.md has them; nothing of that is taken from the driver's tables.
 */
#ifndef PCL_ENCODER_SIDES_H
#define PCL_ENCODER_SIDES_H

#define MOST_EVENTS	700

/* How many cases were taken by both sides, and how many by neither */
struct tally {
	unsigned int all, both, neither;
};

static struct side {
	const struct encoder *encoder;
	enum kind kind;
	struct event_facts facts[MOST_EVENTS];
	unsigned int nr;
	unsigned int doubles[16], nr_doubles;	/* whose number and unit mask is another event's, with other wires */
	struct tally alone, qualified, groups;
	unsigned int ear_code[2], ear_event[2];	/* of events of fetches, and of accesses; that which names no mode */
	u8 fetch_reg, tags_reg, match_reg;	/* of ranges of instructions, of both kinds, of opcodes */
} sides[] = {
	{ &encoder_itanium, MERCED, .fetch_reg = 13, .tags_reg = 0, .match_reg = 8 },
	{ &encoder_itanium2, ITANIUM2, .fetch_reg = 14, .tags_reg = 13, .match_reg = 8 },
	{ &encoder_montecito, MONTECITO, .fetch_reg = 38, .tags_reg = 41, .match_reg = 32 },
};

/* The same, asked of both */
static struct trial {
	struct side *side;
	struct ask ask;
	struct answer answer;			/* libpfm4's */
	struct perf_event_attr attr[ENCODER_EVENTS];
	struct perf_event *event[ENCODER_EVENTS];
	enum pcl_reason refused;		/* by the driver */
} trial;

static const struct event_facts *facts_of(unsigned int i)
{
	return &trial.side->facts[trial.ask.event[i]];
}

/*
 * ---- what is found ------------------------------------------------------------------------------------------------
 */

#define MOST_KINDS	64
#define MOST_SAID	30

static struct {
	const char *chip, *text;
	unsigned int nr;
} kinds[MOST_KINDS];
static unsigned int nr_unexplained;
static bool few;		/* some cases are enough, and the first that is not as known is the last */

/* A difference of a kind that the code knows; why there is one stands in the list `differences`. */
static void differs(const char *text)
{
	const char *chip = trial.side->encoder->name;
	unsigned int i;

	for (i = 0; i < MOST_KINDS && kinds[i].nr; i++) {
		if (kinds[i].chip == chip && !strcmp(kinds[i].text, text))
			break;
	}
	CHECK(i < MOST_KINDS);
	kinds[i].chip = chip;
	kinds[i].text = text;
	kinds[i].nr++;
}

/* Any other */
static void unexplained(const char *what, u64 theirs, u64 ours)
{
	unsigned int i;

	if (nr_unexplained++ >= MOST_SAID)
		return;
	printf("unexplained: %s %s: libpfm4 %" PRIx64 ", ours %" PRIx64 ":", trial.side->encoder->name, what, theirs,
	       ours);
	for (i = 0; i < trial.ask.nr; i++)
		printf(" %s %llx,%llx,%llx", facts_of(i)->name, (unsigned long long)trial.attr[i].config,
		       (unsigned long long)trial.attr[i].config1, (unsigned long long)trial.attr[i].config2);
	printf("\n");
	if (few)
		exit(1);
}

static void say_all(void)
{
	unsigned int i;

	for (i = 0; i < MOST_KINDS && kinds[i].nr; i++)
		printf("%s %s\n", kinds[i].chip, kinds[i].text);
	if (nr_unexplained > MOST_SAID)
		printf("unexplained: %u in all\n", nr_unexplained);
	for (i = 0; i < MOST_KINDS && kinds[i].nr && getenv("COUNTS"); i++)
		fprintf(stderr, "# %u times: %s %s\n", kinds[i].nr, kinds[i].chip, kinds[i].text);
}

static void tally(struct tally *tally, bool theirs, bool ours)
{
	tally->all++;
	tally->both += theirs && ours;
	tally->neither += !theirs && !ours;
}

/* A comparison of which one side refuses nearly all would show little. */
static unsigned int say_tally(const struct side *side, const char *what, const struct tally *tally)
{
	fprintf(stderr, "# %s, %s: of %u both take %u, neither takes %u\n", side->encoder->name, what, tally->all,
		tally->both, tally->neither);
	CHECK(tally->both >= tally->all / 10);
	return tally->all;
}

/*
 * ---- what is asked, as an attr ------------------------------------------------------------------------------------
 */

static u64 ear_config(unsigned int mode, unsigned int umask)
{
	return (u64)mode << 34 | (u64)umask << 40;
}

static u64 event_config(const struct event_facts *facts)
{
	bool fetches = facts->code == trial.side->ear_code[0];
	const struct ear *ear = fetches ? &trial.ask.fetches : &trial.ask.accesses;

	if (!fetches && facts->code != trial.side->ear_code[1])
		return (u64)facts->code << 8 | (u64)facts->umask << 16;
	if (ear->used)
		return (u64)facts->code << 8 | ear_config(ear->mode, ear->umask);
	return (u64)facts->code << 8 | ear_config(facts->mode, facts->umask);
}

/* Branches (brt): 0 all, 2 returns, 3 indirect ones that are no returns */
static u64 branch_type(void)
{
	static const u64 kinds[] = {
		PERF_SAMPLE_BRANCH_ANY, 0, PERF_SAMPLE_BRANCH_ANY_RETURN,
		PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_IND_JUMP,
	};
	unsigned int plm = trial.ask.branches.plm;

	return kinds[trial.ask.branches.kind] | (plm & 8 ? PERF_SAMPLE_BRANCH_USER : 0) |
	       (plm & 1 ? PERF_SAMPLE_BRANCH_KERNEL : 0);
}

/* config1 and config2: the opcode, or a range */
static void restrict_attr(struct perf_event_attr *attr)
{
	const struct opcode *opcode = &trial.ask.opcode[trial.ask.opcode[1].used];
	const struct range *range = trial.ask.fetch.used ? &trial.ask.fetch : &trial.ask.access;
	u64 types = opcode->b | opcode->f << 1 | opcode->i << 2 | opcode->m << 3;

	if (range->used) {
		attr->config |= trial.ask.fetch.used ? BIT_ULL(57) : BIT_ULL(58);
		attr->config1 = range->start;
		attr->config2 = range->end;
	} else if (opcode->used && trial.side->kind == MONTECITO) {
		attr->config1 = opcode->match | types << 48;
		attr->config2 = opcode->mask;
	} else if (opcode->used) {
		attr->config1 = (u64)opcode->match << 33 | (u64)opcode->mask << 3 | types << 60;
	}
}

static void make_attr(unsigned int i)
{
	const struct ask *ask = &trial.ask;
	unsigned int plm = ask->plm[i] ? ask->plm[i] : ask->levels;
	struct perf_event_attr *attr = &trial.attr[i];

	*attr = (struct perf_event_attr){ .type = PERF_TYPE_RAW };
	attr->config = event_config(facts_of(i)) | (u64)ask->threshold[i] << 20 | (u64)ask->ism[i] << 24 |
		       (u64)ask->states[i] << 27 | (ask->privileged ? 0 : BIT_ULL(32));
	attr->exclude_user = !(plm & 8);
	attr->exclude_kernel = !(plm & 1);
	restrict_attr(attr);
	if (ask->branches.used) {
		attr->sample_type = PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = branch_type();
		attr->sample_period = 1000;
	}
	if (ask->addresses.used) {
		attr->config |= BIT_ULL(48) | (u64)ask->addresses.delay << 49;
		attr->sample_period = 1000;
	}
}

/*
 * ---- both are asked -----------------------------------------------------------------------------------------------
 */

/* On the counters at once, as the engine does it */
static void add_all(void)
{
	unsigned int i;

	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	ia64_pmu.start_txn(&ia64_pmu, PERF_PMU_TXN_ADD);
	for (i = 0; i < trial.ask.nr; i++)
		CHECK_EQ(ia64_pmu.add(trial.event[i], PERF_EF_START), 0);
	CHECK_EQ(ia64_pmu.commit_txn(&ia64_pmu), 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	return_to_user();
}

static void ask_driver(void)
{
	unsigned int i;
	int err;

	begin(&chips[trial.side->kind == MERCED ? 0 : random_below(2) + (trial.side->kind == ITANIUM2 ? 1 : 3)]);
	CHECK_EQ(model.chip->kind, trial.side->kind);
	trial.refused = PCL_REASON_NONE;
	for (i = 0; i < trial.ask.nr; i++) {
		make_attr(i);
		trial.event[i] = make(&trial.attr[i], i ? trial.event[0] : NULL, true, &err);
		if (err) {
			trial.refused = trial.event[i]->refused;
			return;
		}
	}
	add_all();
	check_machine();
}

/* The number of events, if none does */
static unsigned int first_that_counts_branches(void)
{
	unsigned int i = 0;

	while (i < trial.ask.nr && facts_of(i)->kind != EVENT_BRANCHES)
		i++;
	return i;
}

/*
 * An event that counts branches turns the buffer on, on both sides, and has it capture all: of its own levels in ours, of
 * those that events have by default in libpfm4. So these are the same, and those of all such events, as there is one
 * buffer.
 */
static void give_branches_one_level(void)
{
	unsigned int first = first_that_counts_branches(), i;

	if (first == trial.ask.nr || trial.ask.branches.used)
		return;
	if (trial.ask.plm[first])
		trial.ask.levels = trial.ask.plm[first];
	for (i = 0; i < trial.ask.nr; i++) {
		if (facts_of(i)->kind == EVENT_BRANCHES)
			trial.ask.plm[i] = 0;
	}
}

static void ask_both(void)
{
	give_branches_one_level();
	trial.side->encoder->encode(&trial.ask, &trial.answer);
	ask_driver();
}

/* Nothing is asked for yet but one event at all levels, under psr.pp. */
static void begin_trial(struct side *side, unsigned int event)
{
	memset(&trial, 0, sizeof(trial));
	trial.side = side;
	trial.ask.nr = 1;
	trial.ask.event[0] = event;
	trial.ask.levels = 9;
	trial.ask.privileged = 1;
}

static bool is_double(const struct side *side, unsigned int event)
{
	const struct event_facts *mine = &side->facts[event], *other;
	unsigned int i;

	for (i = 0; i < side->nr; i++) {
		other = &side->facts[i];
		if (other->kind == mine->kind && other->code == mine->code && other->umask == mine->umask &&
		    (other->group != mine->group || other->set != mine->set))
			return true;
	}
	return false;
}

static void learn(struct side *side)
{
	unsigned int i;

	side->nr = *side->encoder->events;
	CHECK(side->nr <= MOST_EVENTS);
	for (i = 0; i < side->nr; i++) {
		struct event_facts *facts = &side->facts[i];

		side->encoder->facts(i, facts);
		if (facts->kind == EVENT_FETCHES || facts->kind == EVENT_ACCESSES)
			side->ear_code[facts->kind == EVENT_ACCESSES] = facts->code;
	}
	CHECK(side->ear_code[0] && side->ear_code[1]);
	for (i = 0; i < side->nr; i++) {
		const struct event_facts *facts = &side->facts[i];

		if (facts->kind == EVENT_COUNTS && facts->code == side->ear_code[0])
			side->ear_event[0] = i;
		if (facts->kind == EVENT_COUNTS && facts->code == side->ear_code[1])
			side->ear_event[1] = i;
		if (is_double(side, i) && side->nr_doubles < ARRAY_SIZE(side->doubles))
			side->doubles[side->nr_doubles++] = i;
	}
	CHECK(side->ear_event[0] && side->ear_event[1]);
}

#endif
