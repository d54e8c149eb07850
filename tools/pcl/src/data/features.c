// SPDX-License-Identifier: GPL-2.0
/*
 * The feature sections of a perf.data file.
 *
 * Concepts: each feature is a number and a payload; one function fills each
 * payload, a table joins the two, and says when a file has it. A string is a u32 length, then its bytes
 * padded with zeros to 64.
 * Contexts: record's writer.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

/* Readers take the version for that of a kernel; see perfdata.h on layout. */
#define FILE_VERSION "6.1.pcl" PCL_VERSION

void blob_put(struct blob *b, const void *data, size_t size)
{
	if (b->nr + size > b->room) {
		b->room = (b->nr + size) * 2;
		b->v = mem_resize(b->v, b->room, 1);
	}
	memcpy(b->v + b->nr, data, size);
	b->nr += size;
}

/* The attr in the size that files have it. */
void attr_on_disk(const struct perf_event_attr *attr, u8 out[PD_ATTR_SIZE])
{
	struct perf_event_attr a = *attr;

	a.size = PD_ATTR_SIZE;
	memset(out, 0, PD_ATTR_SIZE);
	memcpy(out, &a, sizeof(a) < PD_ATTR_SIZE ? sizeof(a) : PD_ATTR_SIZE);
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

	for (; n > sizeof(zeros); n -= sizeof(zeros))
		blob_put(b, zeros, sizeof(zeros));
	blob_put(b, zeros, n);
}

static void put_string(struct blob *b, const char *s)
{
	size_t len = strlen(s) + 1, room = (len + 63) & ~(size_t)63;

	put_u32(b, (u32)room);
	blob_put(b, s, len);
	put_zeros(b, room - len);
}

/* The record of a build id, which is the same in the feature and in a pipe. */
static void put_build_id(struct blob *b, u32 type, u16 cpumode, const u8 *id, int len,
			 const char *name)
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
	/* a multiple of eight, as every record of a pipe: 36 before the name */
	room += type ? 4 : 0;
	rec.h.type = type;
	rec.h.misc = cpumode | PD_MISC_BUILD_ID_SIZE;
	rec.h.size = (u16)(sizeof(rec) + room);
	memcpy(rec.id, id, (size_t)len);
	blob_put(b, &rec, sizeof(rec));
	blob_put(b, name, n);
	put_zeros(b, room - n);
}

static void put_build_ids(struct blob *b, u32 type, const struct pd_writer *w)
{
	u8 id[PD_BUILD_ID_MAX];
	unsigned int i;

	put_build_id(b, type, PERF_RECORD_MISC_KERNEL, id, build_id_of_kernel(id),
		     "[kernel.kallsyms]");
	for (i = 0; i < w->objects.nr; i++) {
		const struct mapped_file *f = &w->files->v[w->objects.v[i]];

		put_build_id(b, type, PERF_RECORD_MISC_USER, f->id, f->len,
			     w->files->keys.v[w->objects.v[i]].name);
	}
}

/* Before the features: the build ids of all objects, as the records they are. */
void build_ids_gather(struct pd_writer *w)
{
	put_build_ids(&w->build_ids, w->pipe ? PD_RECORD_BUILD_ID : 0, w);
}

static void fill_build_id(struct blob *b, const struct pd_writer *w)
{
	blob_put(b, w->build_ids.v, w->build_ids.nr);
}

/* No reader likes a feature without content. */
static bool have_build_ids(const struct pd_writer *w)
{
	return w->build_ids.nr > 0;
}

static void fill_hostname(struct blob *b, const struct pd_writer *w)
{
	struct utsname u;

	(void)w;
	uname(&u);
	put_string(b, u.nodename);
}

static void fill_osrelease(struct blob *b, const struct pd_writer *w)
{
	struct utsname u;

	(void)w;
	uname(&u);
	put_string(b, u.release);
}

static void fill_version(struct blob *b, const struct pd_writer *w)
{
	(void)w;
	put_string(b, FILE_VERSION);
}

static void fill_arch(struct blob *b, const struct pd_writer *w)
{
	struct utsname u;

	(void)w;
	uname(&u);
	put_string(b, u.machine);
}

static void fill_nrcpus(struct blob *b, const struct pd_writer *w)
{
	(void)w;
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

/* How kernels call the line of /proc/cpuinfo that people know a CPU by. */
#ifdef __sparc__
#define CPUINFO_NAME "cpu"
#else
#define CPUINFO_NAME "model name"
#endif

static void fill_cpudesc(struct blob *b, const struct pd_writer *w)
{
	char *v = cpuinfo_value(CPUINFO_NAME);

	(void)w;
	put_string(b, v);
	free(v);
}

/* x86: vendor,family,model,stepping. */
static void fill_cpuid(struct blob *b, const struct pd_writer *w)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model", "stepping" };
	char text[256] = "", *v;
	size_t i, n = 0;

	(void)w;
	for (i = 0; i < ARRAY_SIZE(keys) && n < sizeof(text); i++) {
		v = cpuinfo_value(keys[i]);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? "," : "", v);
		free(v);
	}
	put_string(b, text);
}

static void fill_total_mem(struct blob *b, const struct pd_writer *w)
{
	struct sysinfo si = { 0 };

	(void)w;
	sysinfo(&si);
	put_u64(b, (u64)si.totalram * si.mem_unit / 1024);
}

static void fill_cmdline(struct blob *b, const struct pd_writer *w)
{
	char **argv = w->settings->argv;
	u32 i, n = 0;

	while (argv[n])
		n++;
	put_u32(b, n);
	for (i = 0; i < n; i++)
		put_string(b, argv[i]);
}

static void fill_event_desc(struct blob *b, const struct pd_writer *w)
{
	unsigned int i, k;

	put_u32(b, w->nr_events);
	put_u32(b, PD_ATTR_SIZE);
	for (i = 0; i < w->nr_events; i++) {
		const struct pd_out_event *e = &w->events->v[i];
		u8 disk[PD_ATTR_SIZE];

		attr_on_disk(&e->attr, disk);
		blob_put(b, disk, sizeof(disk));
		put_u32(b, e->nr_ids);
		put_string(b, e->name);
		for (k = 0; k < e->nr_ids; k++)
			put_u64(b, e->ids[k].id);
	}
}

/* The CPUs that share a core or package, once for each such set. */
static void put_siblings(struct blob *b, const char *file, int nr_cpus)
{
	struct str_set seen = { 0 };
	char path[128], *text;
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/%s",
			 sysfs_root(), cpu, file);
		text = file_read_text(path);
		if (text && *text)
			str_set_add(&seen, text);
		free(text);
	}
	put_u32(b, seen.nr);
	for (i = 0; i < seen.nr; i++)
		put_string(b, seen.v[i]);
	str_set_free(&seen);
}

static u32 topology_number(int cpu, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/%s", sysfs_root(),
		 cpu, file);
	return (u32)file_read_long(path, -1);
}

/*
 * Packages, cores, and for each CPU its core and package; then dies, and each
 * CPU's. A reader needs NRCPUS before it.
 */
static void fill_cpu_topology(struct blob *b, const struct pd_writer *w)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF), cpu;

	(void)w;
	put_siblings(b, "package_cpus_list", nr_cpus);
	put_siblings(b, "core_cpus_list", nr_cpus);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		put_u32(b, topology_number(cpu, "core_id"));
		put_u32(b, topology_number(cpu, "physical_package_id"));
	}
	put_siblings(b, "die_cpus_list", nr_cpus);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		put_u32(b, topology_number(cpu, "die_id"));
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

static void fill_pmu_mappings(struct blob *b, const struct pd_writer *w)
{
	struct mappings m = { .b = b };
	size_t at = b->nr;

	(void)w;
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

static void fill_group_desc(struct blob *b, const struct pd_writer *w)
{
	const struct pd_out_event *e = w->events->v;
	u32 i, nr = 0;

	for (i = 0; i < w->nr_events; i++)
		nr += e[i].nr_members > 1;
	put_u32(b, nr);
	for (i = 0; i < w->nr_events; i++) {
		if (e[i].nr_members < 2)
			continue;
		put_string(b, "{anon_group}");
		put_u32(b, i);
		put_u32(b, e[i].nr_members);
	}
}

static void fill_sample_time(struct blob *b, const struct pd_writer *w)
{
	put_u64(b, w->totals.first_ns);
	put_u64(b, w->totals.last_ns);
}

static bool have_groups(const struct pd_writer *w)
{
	unsigned int i;

	for (i = 0; i < w->nr_events; i++)
		if (w->events->v[i].nr_members > 1)
			return true;
	return false;
}

static bool have_samples(const struct pd_writer *w)
{
	return w->totals.samples > 0;
}

static bool have_clock(const struct pd_writer *w)
{
	return w->settings->clock_given;
}

static bool is_compressed(const struct pd_writer *w)
{
	return w->settings->level > 0;
}

static void fill_clockid(struct blob *b, const struct pd_writer *w)
{
	struct timespec ts = { 0 };

	clock_getres(w->settings->clock, &ts);
	put_u64(b, (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec);
}

static void put_now(struct blob *b, int clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	put_u64(b, (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec);
}

/* The same moment by the wall and by the clock of the samples. */
static void fill_clock_data(struct blob *b, const struct pd_writer *w)
{
	put_u32(b, 1);
	put_u32(b, (u32)w->settings->clock);
	put_now(b, CLOCK_REALTIME);
	put_now(b, w->settings->clock);
}

static void fill_compressed(struct blob *b, const struct pd_writer *w)
{
	enum { VERSION = 0, ZSTD = 1 };

	put_u32(b, VERSION);
	put_u32(b, ZSTD);
	put_u32(b, (u32)w->settings->level);
	put_u32(b, w->zip ? zip_ratio(w->zip) : 1);
	put_u32(b, PD_ZIP_BYTES);
}

static const struct {
	void (*fill)(struct blob *b, const struct pd_writer *w);
	bool (*wanted)(const struct pd_writer *w);	/* NULL: always */
} features[64] = {
	[PD_TRACING_DATA] = { tracing_data_fill, tracing_data_wanted },
	[PD_BUILD_ID] = { fill_build_id, have_build_ids },
	[PD_HOSTNAME] = { fill_hostname, NULL },
	[PD_OSRELEASE] = { fill_osrelease, NULL },
	[PD_VERSION] = { fill_version, NULL },
	[PD_ARCH] = { fill_arch, NULL },
	[PD_NRCPUS] = { fill_nrcpus, NULL },
	[PD_CPUDESC] = { fill_cpudesc, NULL },
	[PD_CPUID] = { fill_cpuid, NULL },
	[PD_TOTAL_MEM] = { fill_total_mem, NULL },
	[PD_CMDLINE] = { fill_cmdline, NULL },
	[PD_EVENT_DESC] = { fill_event_desc, NULL },
	[PD_CPU_TOPOLOGY] = { fill_cpu_topology, NULL },
	[PD_PMU_MAPPINGS] = { fill_pmu_mappings, NULL },
	[PD_GROUP_DESC] = { fill_group_desc, have_groups },
	[PD_SAMPLE_TIME] = { fill_sample_time, have_samples },
	[PD_CLOCKID] = { fill_clockid, have_clock },
	[PD_COMPRESSED] = { fill_compressed, is_compressed },
	[PD_CLOCK_DATA] = { fill_clock_data, have_clock },
};

/* Does this file have feature f? */
bool feature_wanted(unsigned int f, const struct pd_writer *w)
{
	return f < ARRAY_SIZE(features) && features[f].fill &&
	       (!features[f].wanted || features[f].wanted(w));
}

/* Append the payload of feature f. */
void feature_fill(struct blob *b, enum pd_feature f, const struct pd_writer *w)
{
	features[f].fill(b, w);
}
