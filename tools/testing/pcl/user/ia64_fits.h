/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: all counters in use. Which events of the tables go together is ia64_places_test.c's.
 */
#ifndef PCL_USER_IA64_FITS_H
#define PCL_USER_IA64_FITS_H

/* In a transaction nobody looks at the counters before its end; that there are too many events is seen at once. */
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
