/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: what sysfs says of the PMU, and that a program that follows it gets what it asked for.
 *
 * The fields are worked by hand: event from bit 16 on, as wide as the code in the chip's control register; two counters
 * that share that register have a bit each, PIC1 the lowest (family.h). Names of events are those of the ABI's generic
 * ones, as in every PMU's directory.
 */
#ifndef PCL_USER_SPARC_NAMES_H
#define PCL_USER_SPARC_NAMES_H

#include "files.h"

static const char * const event_fields[] = {
	[ULTRA12] = "config:16-19",
	[ULTRA3] = "config:16-21",
	[T1] = "config:16-18",
	[T2] = "config:16-27",
	[T4] = "config:16-26",
};

static const struct generic_name {
	const char *file;
	unsigned int id;
} generic_names[] = {
	{ "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES },
};

static void show_chip(void)
{
	forget_files(sparc_attr_groups, "format");
	forget_files(sparc_attr_groups, "events");
	sparc_sysfs_init();
	show_files(sparc_attr_groups);
}

/* What a program writes to attr.config for "event=0x9,pic0=1": each value into the field of its format */
static u64 config_of(const char *text)
{
	char name[16];
	u64 config = 0;

	while (*text) {
		unsigned int first, last;
		const char *format;
		int length, fields;
		long long value;

		CHECK_EQ(sscanf(text, "%15[a-z0-9]=%lli%n", name, &value, &length), 2);
		format = shown_text("format", name);
		CHECK(format);
		fields = sscanf(format, "config:%u-%u", &first, &last);
		CHECK(fields > 0);
		CHECK((u64)value <= GENMASK_ULL((fields == 2 ? last : first) - first, 0));
		config |= (u64)value << first;
		text += length;
		text += *text == ',';
	}
	return config;
}

static void files_are_of_this_chip(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i, nr = 3;

		begin(chip);
		show_chip();
		check_text(model.chip->name, "format", "event", event_fields[chip->kind]);
		if (chip->kind != T4) {
			check_text(model.chip->name, "format", "pic0", "config:1");
			check_text(model.chip->name, "format", "pic1", "config:0");
			nr += 2;
		}
		check_text(model.chip->name, "caps", "max_precise", "0");
		check_text(model.chip->name, "caps", "pmu_name", chip->pmu);
		for (i = 0; i < ARRAY_SIZE(generic_names); i++)
			nr += shown_text("events", generic_names[i].file) != NULL;
		CHECK_EQ(nr_shown, nr);
	}
}

/* An event by its name in sysfs is the generic one, and is there if that is. */
static void a_name_is_its_generic_event(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i;

		begin(chip);
		show_chip();
		for (i = 0; i < ARRAY_SIZE(generic_names); i++) {
			struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .config = generic_names[i].id };
			const char *text = shown_text("events", generic_names[i].file);
			struct perf_event *generic, *named;
			int err;

			generic = make(&attr, NULL, &err);
			if (!text != !!err)
				printf("# %s: %s\n", chip->name, generic_names[i].file);
			CHECK_EQ(!text, !!err);
			if (err)
				continue;
			named = open_event(config_of(text), 0);
			CHECK_EQ(named->hw.config, generic->hw.config);
			CHECK_EQ(named->hw.counters, generic->hw.counters);
		}
	}
}

/* The first text is the format of events, without which those of counters are not there; T4 has none of them. */
static void without_memory_a_file_is_not_there(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		check_without_memory(show_chip, chip->kind == T4 ? 1 : 3);
	}
}

static void names_of_ultrasparc_3(void)
{
	begin(chip_named("III"));
	show_chip();
	check_text(model.chip->name, "events", "cpu-cycles", "event=0x0,pic0=1,pic1=1");
	check_text(model.chip->name, "events", "instructions", "event=0x1,pic0=1,pic1=1");
	check_text(model.chip->name, "events", "cache-references", "event=0x9,pic0=1");
	check_text(model.chip->name, "events", "cache-misses", "event=0x9,pic1=1");
	CHECK_EQ(config_of("event=0x9,pic1=1"), ON_PIC1(0x09));
}

#endif
