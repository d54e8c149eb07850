/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what sysfs says of the PMU, and that the driver takes what that says.
 *
 * The texts of formats were written from the README of arch/ia64/events, those of events from the rows of generic events
 * in code_rows[].
 */
#ifndef PCL_USER_IA64_NAMES_H
#define PCL_USER_IA64_NAMES_H

#include "files.h"

#define EACH_KIND	(BIT(MERCED) | BIT(ITANIUM2) | BIT(MONTECITO))
#define FROM_ITANIUM2	(BIT(ITANIUM2) | BIT(MONTECITO))

/* All files that there are */
static const struct named {
	unsigned int kinds;		/* of chips */
	const char *group, *file, *text;
} named[] = {
	{ EACH_KIND, "format", "event", "config:8-15" },
	{ EACH_KIND, "format", "umask", "config:16-19" },
	{ EACH_KIND, "format", "threshold", "config:20-22" },
	{ EACH_KIND, "format", "ism", "config:24-25" },
	{ BIT(MONTECITO), "format", "mesi", "config:27-30" },
	{ EACH_KIND, "format", "up", "config:32" },
	{ EACH_KIND, "format", "ear_mode", "config:34-35" },
	{ EACH_KIND, "format", "ear_umask", "config:40-47" },
	{ BIT(MONTECITO), "format", "ip_ear", "config:48" },
	{ BIT(MONTECITO), "format", "ip_delay", "config:49-56" },
	{ EACH_KIND, "format", "irange", "config:57" },
	{ EACH_KIND, "format", "drange", "config:58" },
	{ EACH_KIND, "format", "opcode", "config1:0-63" },
	{ BIT(MONTECITO), "format", "opcode_mask", "config2:0-40" },
	{ EACH_KIND, "format", "range_start", "config1:0-63" },
	{ EACH_KIND, "format", "range_end", "config2:0-63" },
	{ EACH_KIND, "events", "cpu-cycles", "event=0x12,umask=0x0" },
	{ EACH_KIND, "events", "instructions", "event=0x08,umask=0x0" },
	{ BIT(MERCED), "events", "cache-references", "event=0x7b,umask=0x0" },
	{ BIT(MERCED), "events", "cache-misses", "event=0x7c,umask=0x0" },
	{ BIT(MERCED), "events", "branch-instructions", "event=0x10,umask=0x0" },
	{ FROM_ITANIUM2, "events", "cache-references", "event=0xdb,umask=0x0" },
	{ FROM_ITANIUM2, "events", "cache-misses", "event=0xdc,umask=0x0" },
	{ FROM_ITANIUM2, "events", "branch-instructions", "event=0x5b,umask=0x0" },
	{ FROM_ITANIUM2, "events", "stalled-cycles-backend", "event=0x00,umask=0x0" },
	{ EACH_KIND, "caps", "max_precise", "2" },
	{ BIT(MERCED), "caps", "pmu_name", "itanium" },
	{ BIT(ITANIUM2), "caps", "pmu_name", "itanium2" },
	{ BIT(MONTECITO), "caps", "pmu_name", "montecito" },
};

static void show_chip(void)
{
	forget_files(ia64_attr_groups, "events");
	ia64_sysfs_init();
	show_files(ia64_attr_groups);
}

static void all_names_are_told(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i, nr = 0;

		begin(chip);
		show_chip();
		for (i = 0; i < ARRAY_SIZE(named); i++) {
			if (!(named[i].kinds & BIT(chip->kind)))
				continue;
			nr++;
			check_text(chip->name, named[i].group, named[i].file, named[i].text);
		}
		CHECK_EQ(nr_shown, nr);
	}
}

static void without_memory_a_file_is_not_there(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		check_without_memory(show_chip, 1);
	}
}

/* The bits of config that formats of this chip name */
static u64 formatted(void)
{
	unsigned int i, first, last;
	u64 bits = 0;

	for (i = 0; i < nr_shown; i++) {
		int found = sscanf(shown[i].text, "config:%u-%u", &first, &last);

		if (!strcmp(shown[i].group, "format") && found > 0)
			bits |= GENMASK_ULL(found == 2 ? last : first, first);
	}
	return bits;
}

/* What has a format is read, and nothing else: but Montecito's bit for both threads, which is refused for itself. */
static void what_has_a_format_is_read(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .sample_period = 100 };
		unsigned int bit;
		u64 known;

		begin(chip);
		show_chip();
		known = formatted();
		for (bit = 0; bit < 64; bit++) {
			bool both_threads = chip->kind == MONTECITO && bit == 26;
			bool has_ip_ear = chip->kind == MONTECITO;
			struct perf_event *event;
			bool unread;
			int err;

			/* A delay is one of the IP-EAR's. */
			attr.config = CYCLES | BIT_ULL(bit) | (has_ip_ear ? IP_EAR(0) : 0);
			event = make(&attr, NULL, true, &err);
			unread = event->refused == PCL_REASON_IA64_RAW_BITS || event->refused == PCL_REASON_IA64_IPEAR_CHIP;
			if (unread != (!(known >> bit & 1) && !both_threads))
				printf("# %s: bit %u: %d, reason %d\n", chip->name, bit, err, event->refused);
			CHECK_EQ(unread, !(known >> bit & 1) && !both_threads);
		}
	}
}

#endif
