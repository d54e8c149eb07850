/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: which events of the tables go together, against trying every arrangement; and all counters in use.
 *
 * The wires are written down here once more, as libpfm4 has them in its rules of dispatch.
 */
#ifndef PCL_USER_IA64_FITS_H
#define PCL_USER_IA64_FITS_H

struct wire {
	unsigned int group;
	u16 counters;
	unsigned int anchor;
	bool one_umask;		/* those of its events that have several unit masks have the anchor's */
};

static const struct wire itanium2_wires[] = {
	{ IA64_L1D, 0xf0, 5, false }, { IA64_L2, 0xf0, 4, true }, { }
};
static const struct wire montecito_wires[] = {
	{ IA64_L1D, 0xfff0, 5, false }, { IA64_L2, 0x130, 4, true }, { IA64_L2, 0x2c0, 6, true }, { }
};
static const struct wire no_wires[] = { { } };

static const struct wire *wires_of(const struct chip *chip)
{
	return chip->kind == MERCED ? no_wires : chip->kind == ITANIUM2 ? itanium2_wires : montecito_wires;
}

/* An event as its table has it; to find that takes a while. */
struct wish {
	const struct ia64_event *row;
	unsigned int unit_mask;
};

/* Does wish @i get where it is what it wants, with the others where they are? */
static bool is_served(const struct wire *wire, const struct wish *wishes, const int *place, unsigned int nr, unsigned int i)
{
	const struct ia64_event *row = wishes[i].row, *theirs;
	unsigned int j;

	if (!row->group)
		return true;
	for (; wire->counters; wire++) {
		if (wire->group == row->group && wire->counters >> place[i] & 1)
			break;
	}
	for (j = 0; wire->counters && j < nr; j++) {
		if (place[j] != (int)wire->anchor)
			continue;
		theirs = wishes[j].row;
		return theirs->group == row->group && theirs->set == row->set &&
		       (!wire->one_umask || row->any_umask || hweight32(row->umasks) == 1 ||
			wishes[i].unit_mask == wishes[j].unit_mask);
	}
	return false;
}

static bool are_served(const struct wire *wires, const struct wish *wishes, const int *place, unsigned int nr)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		if (!(wishes[i].row->counters >> place[i] & 1) || !is_served(wires, wishes, place, nr, i))
			return false;
		for (j = 0; j < i; j++) {
			if (place[i] == place[j] || wishes[i].row->alone & wishes[j].row->alone)
				return false;
		}
	}
	return true;
}

static bool naive_fits(const struct wire *wires, const struct wish *wishes, int *place, unsigned int nr, unsigned int done)
{
	unsigned int c;

	if (done == nr)
		return are_served(wires, wishes, place, nr);
	for (c = 4; c < 16; c++) {
		place[done] = c;
		if (wishes[done].row->counters >> c & 1 && naive_fits(wires, wishes, place, nr, done + 1))
			return true;
	}
	return false;
}

/* A million groups in all: what the driver says of each is what trying everything says. */
static void groups_fit_where_an_exhaustive_search_says_so(void)
{
	const struct chip *chip;
	unsigned int tried = 0;

	each_chip(chip) {
		struct perf_event *events[4], *choice[48];
		struct wish wishes[4];
		unsigned int i, nr, round, fits = 0;

		begin(chip);
		for (round = 0; round < 1000000 / ARRAY_SIZE(chips); round++) {
			struct ia64_cpu_pmu cpu = { };
			bool wanted;
			int place[4];

			if (!(round % 20000)) {
				begin(chip);
				for (i = 0; i < ARRAY_SIZE(choice); i++)
					choice[i] = open_event(random_config(), 0);
			}
			nr = 1 + random_below(ARRAY_SIZE(events));
			/* Four of twelve counters are tried in ten thousand ways; three do, most times. */
			if (nr == 4 && chip->kind == MONTECITO && random_below(20))
				nr = 3;
			for (i = 0; i < nr; i++) {
				u64 config;

				events[i] = choice[random_below(ARRAY_SIZE(choice))];
				config = events[i]->attr.config;
				wishes[i] = (struct wish){ ia64_family_event(ia64_machine.family, config), config >> 16 & 15 };
			}
			wanted = naive_fits(wires_of(chip), wishes, place, nr, 0);
			fits += wanted;
			CHECK_EQ(ia64_group_fits(events, nr, 0), wanted);
			tried++;
			if (ia64_claims_clash(events, nr))
				continue;
			memcpy(cpu.list, events, sizeof(events));
			cpu.nr = nr;
			CHECK_EQ(ia64_places_find(&cpu), wanted);
			CHECK(!wanted || are_served(wires_of(chip), wishes, cpu.place, nr));
		}
		CHECK(fits > round / 20 && fits < round);
	}
	CHECK(tried >= 1000000);
}

/* In a transaction nobody looks at the counters before its end; that there are no more events than those is seen at once. */
static void a_transaction_is_no_longer_than_the_pmu(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i, all = chip->last - 3;
		struct perf_event *events[12];

		begin(chip);
		model.irqs_on = false;
		ia64_pmu.pmu_disable(&ia64_pmu);
		ia64_pmu.start_txn(&ia64_pmu, PERF_PMU_TXN_ADD);
		for (i = 0; i < all; i++) {
			events[i] = open_event(CYCLES, 0);
			CHECK_EQ(ia64_pmu.add(events[i], PERF_EF_START), 0);
		}
		CHECK_EQ(ia64_pmu.add(open_event(CYCLES, 0), PERF_EF_START), -EAGAIN);
		CHECK_EQ(ia64_pmu.commit_txn(&ia64_pmu), 0);
		ia64_pmu.pmu_enable(&ia64_pmu);
		model.irqs_on = true;
		run(CYCLES, 10);
		for (i = 0; i < all; i++)
			CHECK_EQ(count_of(events[i]), 10);
		check_machine();
	}
}

/* As many events as there are counters, one by one and as a group: each counts, overflows, and is sampled. */
static void every_counter_is_used(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i, all = chip->last - 3, grouped;

		for (grouped = 0; grouped < 2; grouped++) {
			struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = CYCLES, .sample_period = 10 };
			struct perf_event *events[12], *more;
			u16 taken = 0;
			int err;

			begin(chip);
			for (i = 0; i < all; i++) {
				events[i] = make(&attr, grouped && i ? events[0] : NULL, true, &err);
				CHECK_EQ(err, 0);
			}
			for (i = 0; i < all; i++) {
				add(events[i]);
				CHECK(!(taken >> events[i]->hw.idx & 1));
				taken |= 1 << events[i]->hw.idx;
			}
			CHECK_EQ(taken, (1 << (4 + all)) - 16);
			more = open_event(CYCLES, 0);
			CHECK_EQ(try_add(more), -EAGAIN);
			run(CYCLES, 35);
			CHECK_EQ(engine.samples, 3 * all);
			for (i = 0; i < all; i++)
				CHECK_EQ(count_of(events[i]), 35);
			check_machine();
		}
	}
}

#endif
