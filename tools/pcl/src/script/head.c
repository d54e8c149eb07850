// SPDX-License-Identifier: GPL-2.0
/*
 * What a recording tells of itself: --header.
 *
 * Concepts: lines of "# name : value" between two lines "# ========", as other
 * programs expect before perf script's text. Features that are damaged or not
 * there have no line.
 * Contexts: script.
 * Locks: none.
 */
#include <inttypes.h>
#include <time.h>

#include "internal.h"
#include "script/script.h"

static void head_string(const char *name, struct cursor c)
{
	u32 n = cursor_u32(&c);
	const char *s = cursor_text(&c, n);

	if (!c.bad)
		printf("# %s : %s\n", name, visible(s));
}

static void head_cpus(const char *name, struct cursor c)
{
	u32 avail = cursor_u32(&c), online = cursor_u32(&c);

	(void)name;
	if (!c.bad)
		printf("# nrcpus online : %u\n# nrcpus avail : %u\n", online, avail);
}

static void head_memory(const char *name, struct cursor c)
{
	u64 kb = cursor_u64(&c);

	if (!c.bad)
		printf("# %s : %" PRIu64 " kB\n", name, kb);
}

static void head_words(const char *name, struct cursor c)
{
	u32 nr = cursor_u32(&c), i, n;

	printf("# %s :", name);
	for (i = 0; i < nr && !c.bad; i++) {
		n = cursor_u32(&c);
		printf(" %s", visible(cursor_text(&c, n)));
	}
	putchar('\n');
}

static void head_pmus(const char *name, struct cursor c)
{
	u32 nr = cursor_u32(&c), i, type, n;
	const char *pmu;

	for (i = 0; i < nr; i++) {
		type = cursor_u32(&c);
		n = cursor_u32(&c);
		pmu = cursor_text(&c, n);
		if (c.bad)
			break;
		if (i)
			printf(", %s = %u", visible(pmu), type);
		else
			printf("# %s: %s = %u", name, visible(pmu), type);
	}
	if (i)
		putchar('\n');
}

static void head_times(const char *name, struct cursor c)
{
	u64 first = cursor_u64(&c), last = cursor_u64(&c);

	(void)name;
	if (c.bad || last < first)
		return;
	printf("# time of first sample : %" PRIu64 ".%06" PRIu64 "\n", first / 1000000000,
	       first % 1000000000 / 1000);
	printf("# time of last sample : %" PRIu64 ".%06" PRIu64 "\n", last / 1000000000,
	       last % 1000000000 / 1000);
	printf("# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

static void head_compressed(const char *name, struct cursor c)
{
	u32 type, level, ratio;

	cursor_u32(&c);
	type = cursor_u32(&c);
	level = cursor_u32(&c);
	ratio = cursor_u32(&c);
	if (!c.bad)
		printf("# %s : %s, level = %u, ratio = %u\n", name, type == 1 ? "Zstd" : "Unknown",
		       level, ratio);
}

static const struct {
	enum pd_feature feature;
	const char *name;
	void (*print)(const char *name, struct cursor c);
} features[] = {
	{ PD_HOSTNAME, "hostname", head_string },
	{ PD_OSRELEASE, "os release", head_string },
	{ PD_VERSION, "perf version", head_string },
	{ PD_ARCH, "arch", head_string },
	{ PD_NRCPUS, "nrcpus", head_cpus },
	{ PD_CPUDESC, "cpudesc", head_string },
	{ PD_CPUID, "cpuid", head_string },
	{ PD_TOTAL_MEM, "total memory", head_memory },
	{ PD_CMDLINE, "cmdline", head_words },
	{ PD_PMU_MAPPINGS, "pmu mappings", head_pmus },
	{ PD_SAMPLE_TIME, "sample times", head_times },
	{ PD_COMPRESSED, "compressed", head_compressed },
};

static void head_events(const struct pd_file *f)
{
	unsigned int i, k, ids;

	for (i = 0; i < f->nr_events; i++) {
		const struct perf_event_attr *a = &f->events[i].attr;

		printf("# event : name = %s, , id = {", visible(f->events[i].name));
		for (k = ids = 0; k < f->nr_ids; k++)
			if (f->ids[k].event == i)
				printf("%s %" PRIu64, ids++ ? "," : "", f->ids[k].id);
		printf(" }, type = %u, size = %u, config = 0x%" PRIx64
		       ", { sample_period, sample_freq } = %" PRIu64 ", sample_type = 0x%" PRIx64
		       ", read_format = 0x%" PRIx64 "\n", a->type, a->size, (u64)a->config,
		       (u64)a->sample_period, (u64)a->sample_type, (u64)a->read_format);
	}
}

void print_head(const struct pd_file *f)
{
	size_t i;

	puts("# ========");
	if (!f->pipe)
		printf("# data offset    : %" PRIu64 "\n# data size      : %" PRIu64
		       "\n# feat offset    : %" PRIu64 "\n", f->header.data.offset,
		       f->header.data.size, f->header.data.offset + f->header.data.size);
	for (i = 0; i < ARRAY_SIZE(features); i++)
		if (cursor_left(&f->features[features[i].feature]))
			features[i].print(features[i].name, f->features[features[i].feature]);
	head_events(f);
	puts("# ========\n#");
}
