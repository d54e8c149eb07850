/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: events side by side, and where they go.
 */
#ifndef PCL_USER_SPARC_GROUPS_H
#define PCL_USER_SPARC_GROUPS_H

/* Each of these, together with the others of its row, is counted as if it were alone. */
static void check_together(const struct together *row)
{
	struct perf_event *events[4];
	unsigned int nr = 0, i, j;

	begin(chip_named(row->chip));
	for (; nr < model.chip->pics && row->configs[nr]; nr++)
		events[nr] = open_event(row->configs[nr], 0);
	CHECK(nr > 1);
	for (i = 0; i < nr; i++)
		add(events[i]);
	for (i = 0; i < nr; i++) {
		u64 before = count_of(events[i]), alike = 0;

		run(row->configs[i], 10 + i);
		CHECK_EQ(count_of(events[i]) - before, 10 + i);
		for (j = 0; j < nr; j++)
			alike += events[j]->hw.idx == events[i]->hw.idx;
		CHECK_EQ(alike, 1);
	}
	check_machine();
}

static void what_goes_together_is_counted_together(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(together); i++)
		check_together(&together[i]);
}

/* As a group, and one by one: the last waits. */
static void check_apart(const struct apart *row)
{
	struct perf_event *leader = NULL, *event = NULL;
	unsigned int i;
	int err = 0;

	begin(chip_named(row->chip));
	for (i = 0; i < row->nr; i++) {
		CHECK_EQ(err, 0);
		event = make(&row->attrs[i], leader, &err);
		leader = leader ?: event;
	}
	CHECK_EQ(err, -EINVAL);
	CHECK_EQ(event->refused, row->reason);

	begin(chip_named(row->chip));
	for (i = 0; i < row->nr; i++) {
		err = try_add(open_attr(row->attrs[i]));
		CHECK(!err || i == row->nr - 1);
	}
	CHECK_EQ(err, -EAGAIN);
	check_machine();
}

static void what_does_not_is_refused_with_the_rule(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(apart); i++)
		check_apart(&apart[i]);
}

/* A group goes on at once or not at all. */
static void a_group_is_added_whole(void)
{
	const struct chip *chip = chip_named("III");
	struct perf_event *wide, *narrow, *other;

	begin(chip);
	wide = open_event(ON_BOTH(0), 0);
	narrow = open_event(ON_PIC0(0x09), 0);
	other = open_event(ON_PIC0(0x0a), 0);
	sparc_pmu.pmu_disable(&sparc_pmu);
	sparc_pmu.start_txn(&sparc_pmu, PERF_PMU_TXN_ADD);
	CHECK_EQ(sparc_pmu.add(wide, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.add(narrow, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.commit_txn(&sparc_pmu), 0);
	sparc_pmu.pmu_enable(&sparc_pmu);
	run(ON_BOTH(0), 10);
	run(ON_PIC0(0x09), 5);
	CHECK_EQ(count_of(wide), 10);
	CHECK_EQ(count_of(narrow), 5);
	del(wide);

	sparc_pmu.pmu_disable(&sparc_pmu);
	sparc_pmu.start_txn(&sparc_pmu, PERF_PMU_TXN_ADD);
	CHECK_EQ(sparc_pmu.add(other, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.commit_txn(&sparc_pmu), -EAGAIN);
	sparc_pmu.del(other, 0);
	sparc_pmu.cancel_txn(&sparc_pmu);
	sparc_pmu.pmu_enable(&sparc_pmu);
	run(ON_PIC0(0x09), 5);
	CHECK_EQ(count_of(narrow), 10);
	check_machine();
}

/* Who is stopped, before it came to its counter or later, stays so where it must move. */
static void a_stopped_event_moves_stopped(void)
{
	unsigned int before;

	for (before = 0; before < 2; before++) {
		struct perf_event *wide, *narrow;

		begin(chip_named("III"));
		wide = open_event(ON_BOTH(0), 0);
		narrow = open_event(ON_PIC0(0x09), 0);
		sparc_pmu.pmu_disable(&sparc_pmu);
		CHECK_EQ(sparc_pmu.add(wide, before ? 0 : PERF_EF_START), 0);
		sparc_pmu.pmu_enable(&sparc_pmu);
		if (!before)
			stop(wide);
		CHECK_EQ(wide->hw.idx, 0);
		add(narrow);
		CHECK_EQ(wide->hw.idx, 1);
		run(ON_BOTH(0), 10);
		run(ON_PIC0(0x09), 10);
		CHECK_EQ(count_of(wide), 0);
		CHECK_EQ(count_of(narrow), 10);
		start(wide);
		run(ON_BOTH(0), 10);
		CHECK_EQ(count_of(wide), 10);
		check_machine();
	}
}

/* Who stays where it is costs nothing, and a guest comes back to where it was. */
static void events_stay_where_they_are(void)
{
	struct perf_event *a, *b;

	begin(chip_named("III"));
	a = open_event(ON_BOTH(0), 0);
	b = open_event(ON_BOTH(1), 0);
	add(a);
	add(b);
	CHECK_EQ(b->hw.idx, 1);
	del(a);
	add(a);
	CHECK_EQ(a->hw.idx, 0);
	CHECK_EQ(b->hw.idx, 1);
	del(a);
	del(b);
	add(b);
	CHECK_EQ(b->hw.idx, 1);
}

#endif
