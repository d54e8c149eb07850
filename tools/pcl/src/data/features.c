// SPDX-License-Identifier: GPL-2.0
/*
 * The feature sections of a perf.data file.
 *
 * Concepts: each feature is a number and a payload; one function fills each
 * payload, a table joins the two. A string is a u32 length, then its bytes
 * padded with zeros to 64.
 * Contexts: end of record.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

/* Readers take the version for that of a kernel; see perfdata.h on layout. */
#define FILE_VERSION "6.1.pcl" PCL_VERSION

struct feature_ctx {
	const struct pd_writer *w;
	const struct event_list *l;
	char **argv;
};

void blob_put(struct blob *b, const void *data, size_t size)
{
	if (b->nr + size > b->room) {
		b->room = (b->nr + size) * 2;
		b->v = mem_resize(b->v, b->room, 1);
	}
	memcpy(b->v + b->nr, data, size);
	b->nr += size;
}

static void put_u32(struct blob *b, u32 v)
{
	blob_put(b, &v, sizeof(v));
}

static void put_u64(struct blob *b, u64 v)
{
	blob_put(b, &v, sizeof(v));
}

static void put_zeros(struct blob *b, size_t n)
{
	static const u8 zeros[64];

	blob_put(b, zeros, n);
}

static void put_string(struct blob *b, const char *s)
{
	size_t len = strlen(s) + 1, room = (len + 63) & ~(size_t)63;

	put_u32(b, (u32)room);
	blob_put(b, s, len);
	put_zeros(b, room - len);
}

static void put_build_id(struct blob *b, u16 cpumode, const u8 *id, int len, const char *name)
{
	struct {
		struct perf_event_header h;
		s32 pid;
		u8 id[PD_BUILD_ID_MAX];
		u8 size;
		u8 pad[3];
	} rec = { .pid = -1, .size = (u8)len };
	size_t n = strlen(name) + 1, room = (n + 63) & ~(size_t)63;

	if (len <= 0)
		return;
	rec.h.misc = cpumode | PD_MISC_BUILD_ID_SIZE;
	rec.h.size = (u16)(sizeof(rec) + room);
	memcpy(rec.id, id, (size_t)len);
	blob_put(b, &rec, sizeof(rec));
	blob_put(b, name, n);
	put_zeros(b, room - n);
}

static void fill_build_id(struct blob *b, const struct feature_ctx *c)
{
	u8 id[PD_BUILD_ID_MAX];
	unsigned int i;

	put_build_id(b, PERF_RECORD_MISC_KERNEL, id, build_id_of_kernel(id),
		     "[kernel.kallsyms]");
	for (i = 0; i < c->w->objects.nr; i++)
		put_build_id(b, PERF_RECORD_MISC_USER, id,
			     build_id_of_file(c->w->objects.v[i], id), c->w->objects.v[i]);
}

static void fill_hostname(struct blob *b, const struct feature_ctx *c)
{
	struct utsname u;

	(void)c;
	uname(&u);
	put_string(b, u.nodename);
}

static void fill_osrelease(struct blob *b, const struct feature_ctx *c)
{
	struct utsname u;

	(void)c;
	uname(&u);
	put_string(b, u.release);
}

static void fill_version(struct blob *b, const struct feature_ctx *c)
{
	(void)c;
	put_string(b, FILE_VERSION);
}

static void fill_arch(struct blob *b, const struct feature_ctx *c)
{
	struct utsname u;

	(void)c;
	uname(&u);
	put_string(b, u.machine);
}

static void fill_nrcpus(struct blob *b, const struct feature_ctx *c)
{
	(void)c;
	put_u32(b, (u32)sysconf(_SC_NPROCESSORS_CONF));
	put_u32(b, (u32)sysconf(_SC_NPROCESSORS_ONLN));
}

/* The value of the first "key : value" line of /proc/cpuinfo. */
static char *cpuinfo_value(const char *key)
{
	char *text = file_read_text("/proc/cpuinfo"), *line, *save, *colon, *found = NULL;
	size_t n = strlen(key);

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, key, n) || !strchr("\t :", line[n]))
			continue;
		colon = strchr(line + n, ':');
		if (colon)
			found = str_dup(colon + 1 + strspn(colon + 1, " "));
	}
	free(text);
	return found ? found : str_dup("unknown");
}

static void fill_cpudesc(struct blob *b, const struct feature_ctx *c)
{
	char *v = cpuinfo_value("model name");

	(void)c;
	put_string(b, v);
	free(v);
}

/* x86: vendor,family,model,stepping. */
static void fill_cpuid(struct blob *b, const struct feature_ctx *c)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model", "stepping" };
	char text[256] = "", *v;
	size_t i, n = 0;

	(void)c;
	for (i = 0; i < ARRAY_SIZE(keys) && n < sizeof(text); i++) {
		v = cpuinfo_value(keys[i]);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? "," : "", v);
		free(v);
	}
	put_string(b, text);
}

static void fill_total_mem(struct blob *b, const struct feature_ctx *c)
{
	struct sysinfo si = { 0 };

	(void)c;
	sysinfo(&si);
	put_u64(b, (u64)si.totalram * si.mem_unit / 1024);
}

static void fill_cmdline(struct blob *b, const struct feature_ctx *c)
{
	u32 i, n = 0;

	while (c->argv[n])
		n++;
	put_u32(b, n);
	for (i = 0; i < n; i++)
		put_string(b, c->argv[i]);
}

static void fill_event_desc(struct blob *b, const struct feature_ctx *c)
{
	unsigned int i, k, ids;

	put_u32(b, c->l->nr);
	put_u32(b, PD_ATTR_SIZE);
	for (i = 0; i < c->l->nr; i++) {
		struct event *e = c->l->v[i];
		struct perf_event_attr attr = e->attr;
		u8 disk[PD_ATTR_SIZE] = { 0 };

		attr.size = PD_ATTR_SIZE;
		memcpy(disk, &attr, sizeof(attr) < sizeof(disk) ? sizeof(attr) : sizeof(disk));
		blob_put(b, disk, sizeof(disk));
		for (k = ids = 0; k < e->nr_cpus * e->nr_tids; k++)
			ids += e->fd[k] >= 0;
		put_u32(b, ids);
		put_string(b, e->name);
		for (k = 0; k < e->nr_cpus * e->nr_tids; k++)
			if (e->fd[k] >= 0)
				put_u64(b, e->id[k]);
	}
}

struct mappings {
	struct blob *b;
	u32 nr;
};

static void put_mapping(const char *pmu, void *arg)
{
	struct mappings *m = arg;
	u32 type;

	if (!pmu_type(pmu, &type))
		return;
	put_u32(m->b, type);
	put_string(m->b, pmu);
	m->nr++;
}

static void fill_pmu_mappings(struct blob *b, const struct feature_ctx *c)
{
	struct mappings m = { .b = b };
	size_t at = b->nr;

	(void)c;
	put_u32(b, 0);
	pmus_walk(put_mapping, &m);
	if (!m.nr) {
		/* some readers refuse an empty list; this PMU always exists */
		put_u32(b, PERF_TYPE_SOFTWARE);
		put_string(b, "software");
		m.nr = 1;
	}
	memcpy(b->v + at, &m.nr, sizeof(m.nr));
}

static void fill_group_desc(struct blob *b, const struct feature_ctx *c)
{
	u32 i, nr = 0;

	for (i = 0; i < c->l->nr; i++)
		nr += c->l->v[i]->leader == c->l->v[i] && c->l->v[i]->nr_members > 1;
	put_u32(b, nr);
	for (i = 0; i < c->l->nr; i++) {
		struct event *e = c->l->v[i];

		if (e->leader != e || e->nr_members < 2)
			continue;
		put_string(b, "{anon_group}");
		put_u32(b, i);
		put_u32(b, e->nr_members);
	}
}

static void fill_sample_time(struct blob *b, const struct feature_ctx *c)
{
	put_u64(b, c->w->totals.first_ns);
	put_u64(b, c->w->totals.last_ns);
}

static void (*const fills[PD_NR_FEATURES])(struct blob *b, const struct feature_ctx *c) = {
	[PD_BUILD_ID] = fill_build_id,
	[PD_HOSTNAME] = fill_hostname,
	[PD_OSRELEASE] = fill_osrelease,
	[PD_VERSION] = fill_version,
	[PD_ARCH] = fill_arch,
	[PD_NRCPUS] = fill_nrcpus,
	[PD_CPUDESC] = fill_cpudesc,
	[PD_CPUID] = fill_cpuid,
	[PD_TOTAL_MEM] = fill_total_mem,
	[PD_CMDLINE] = fill_cmdline,
	[PD_EVENT_DESC] = fill_event_desc,
	[PD_PMU_MAPPINGS] = fill_pmu_mappings,
	[PD_GROUP_DESC] = fill_group_desc,
	[PD_SAMPLE_TIME] = fill_sample_time,
};

/* Append the payload of feature f. */
void feature_fill(struct blob *b, enum pd_feature f, const struct pd_writer *w,
		  const struct event_list *l, char **argv)
{
	struct feature_ctx c = { .w = w, .l = l, .argv = argv };

	if (fills[f])
		fills[f](b, &c);
}
