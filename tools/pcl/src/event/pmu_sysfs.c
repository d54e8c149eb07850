// SPDX-License-Identifier: GPL-2.0
/*
 * What sysfs and tracefs say about PMUs: types, formats, named events.
 *
 * Concepts: a PMU is a directory below bus/event_source/devices. Its format/
 * files tell which bits of which config word a term fills; its events/ files
 * are named lists of terms. A tracepoint is a number in tracefs. Processors have
 * one PMU for each kind of core, by any name: "cpu", "cpu_core" and "cpu_atom",
 * "armv8_cortex_a53". What tells them is a file "cpus", the cores they are of,
 * or the type of raw codes; those beside the cores have a "cpumask" instead.
 * PCL_SYSFS and PCL_TRACEFS name other roots, which is how the tests bring
 * PMUs of their own.
 * Contexts: parsing and listing.
 * Locks: none.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define DEVICES "bus/event_source/devices"

const char *sysfs_root(void)
{
	const char *s = getenv("PCL_SYSFS");

	return s && *s ? s : "/sys";
}

/* Where tracefs can be read; NULL: nowhere, and errno says whether it is EACCES. */
const char *tracefs_root(void)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	const char *own = getenv("PCL_TRACEFS"), *root;
	char path[PATH_MAX];
	int err = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(usual); i++) {
		root = own && *own ? own : usual[i];
		snprintf(path, sizeof(path), "%s/events", root);
		if (!access(path, R_OK))
			return root;
		/* debugfs, which few may enter, tells nothing of tracefs */
		if (!i)
			err = errno;
	}
	errno = err;
	return NULL;
}

/* Why it is nowhere: -EACCES, or -ENODEV when it is not mounted. */
static int tracefs_absence(void)
{
	return errno == EACCES ? -EACCES : -ENODEV;
}

/* Text of DEVICES/<pmu>/<dir>/<name><suffix>; NULL when there is none. */
static char *pmu_file(const char *pmu, const char *dir, const char *name, const char *suffix)
{
	char path[PATH_MAX];

	if (strstr(pmu, "..") || strchr(pmu, '/') || strchr(name, '/'))
		return NULL;
	snprintf(path, sizeof(path), "%s/" DEVICES "/%s/%s%s%s%s", sysfs_root(), pmu, dir,
		 *dir ? "/" : "", name, suffix);
	return file_read_text(path);
}

/* The CPUs whose cores have this PMU, as text; NULL: it is of no cores, or of all. */
char *pmu_cores(const char *pmu)
{
	return pmu_file(pmu, "", "cpus", "");
}

bool pmu_type(const char *pmu, u32 *type)
{
	char *text = pmu_file(pmu, "", "type", "");

	if (!text)
		return false;
	*type = (u32)strtoul(text, NULL, 10);
	free(text);
	return true;
}

/* Does it count what a core of the processor does? */
bool pmu_is_core(const char *pmu)
{
	char *cpus = pmu_cores(pmu);
	u32 type;

	free(cpus);
	return cpus || (pmu_type(pmu, &type) && type == PERF_TYPE_RAW);
}

bool pmu_has_event(const char *pmu, const char *name)
{
	char *text = pmu_file(pmu, "events", name, "");

	free(text);
	return text != NULL;
}

static u64 *config_word(struct perf_event_attr *attr, const char *word, size_t len)
{
	if (len == 6 && !strncmp(word, "config", 6))
		return (u64 *)&attr->config;
	if (len == 7 && !strncmp(word, "config1", 7))
		return (u64 *)&attr->config1;
	if (len == 7 && !strncmp(word, "config2", 7))
		return (u64 *)&attr->config2;
	return NULL;
}

/*
 * Put value into the bits that format ("config:0-7,32-35") names, lowest
 * first. 0, or -EINVAL (format not understood), or -ERANGE (does not fit).
 */
static int format_apply(struct perf_event_attr *attr, const char *format, u64 value)
{
	const char *colon = strchr(format, ':');
	u64 *word;
	char *end;

	if (!colon)
		return -EINVAL;
	word = config_word(attr, format, (size_t)(colon - format));
	if (!word)
		return -EINVAL;
	for (end = (char *)colon; *end == ':' || *end == ',';) {
		unsigned long lo = strtoul(end + 1, &end, 10), hi = lo, bit;

		if (*end == '-')
			hi = strtoul(end + 1, &end, 10);
		if (hi > 63 || lo > hi)
			return -EINVAL;
		for (bit = lo; bit <= hi; bit++, value >>= 1) {
			*word &= ~(1ull << bit);
			*word |= (value & 1) << bit;
		}
	}
	return value ? -ERANGE : 0;
}

static int term_error(struct parse_error *err, const char *fmt, const char *pmu,
		      const char *term)
{
	snprintf(err->text, sizeof(err->text), fmt, pmu, term);
	return -EINVAL;
}

/* The names that the PMU's format directory holds, each after a space. */
void pmu_terms(const char *pmu, char *buf, size_t size)
{
	char path[PATH_MAX];
	struct dirent **names;
	size_t used = 0;
	int i, n;

	*buf = '\0';
	snprintf(path, sizeof(path), "%s/" DEVICES "/%s/format", sysfs_root(), pmu);
	n = scandir(path, &names, NULL, alphasort);
	for (i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.' && used + strlen(names[i]->d_name) + 2 < size)
			used += (size_t)snprintf(buf + used, size - used, " %s",
						 names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/* One term "name" or "name=value" that is no named event. */
static int term_apply(struct event *e, const char *pmu, const char *name, const char *value,
		      struct parse_error *err)
{
	u64 v = 1, *word;
	char *format, *end;
	int ret;

	if (!strcmp(name, "name") && value) {
		free(e->name);
		e->name = str_dup(value);
		return 0;
	}
	if (value) {
		errno = 0;
		v = strtoull(value, &end, 0);
		if (end == value || *end || errno)
			return term_error(err, "%s: '%s' is not a number", name, value);
	}
	if (!strcmp(name, "period")) {
		e->attr.sample_period = v;
		e->attr.freq = 0;
		return 0;
	}
	word = config_word(&e->attr, name, strlen(name));
	if (word) {
		*word = v;
		return 0;
	}
	format = pmu_file(pmu, "format", name, "");
	if (!format && !value && pmu_is_core(pmu) && vendor_name_known(name)) {
		const char *bad;

		return vendor_encode(e, name, name + strlen(name), &bad, err);
	}
	if (!format) {
		suggest_term(err, pmu, name);
		return term_error(err, "PMU %s has no term or event '%s'", pmu, name);
	}
	ret = format_apply(&e->attr, format, v);
	if (ret == -ERANGE)
		term_error(err, "value of '%s' does not fit its bits (%s)", name, format);
	else if (ret)
		term_error(err, "format of '%s' is not understood (%s)", name, format);
	free(format);
	return ret;
}

static void event_take_unit(struct event *e, const char *pmu, const char *name)
{
	char *text = pmu_file(pmu, "events", name, ".scale");

	if (text) {
		e->scale = strtod(text, NULL);
		free(text);
	}
	text = pmu_file(pmu, "events", name, ".unit");
	if (text) {
		free(e->unit);
		e->unit = text;
	}
}

/* Terms separated by commas; depth 1 is the text of a named event. */
static int terms_apply(struct event *e, const char *pmu, const char *terms, int depth,
		       size_t *bad, struct parse_error *err)
{
	const char *p = terms;
	int ret = 0;

	while (*p && !ret) {
		size_t n = strcspn(p, ",");
		char *term = str_ndup(p, n), *value = strchr(term, '='), *named;

		if (value)
			*value++ = '\0';
		named = depth || value ? NULL : pmu_file(pmu, "events", term, "");
		if (named) {
			ret = terms_apply(e, pmu, named, 1, NULL, err);
			event_take_unit(e, pmu, term);
			free(named);
		} else {
			ret = term_apply(e, pmu, term, value, err);
		}
		free(term);
		if (ret && bad)
			*bad = (size_t)(p - terms);
		p += n;
		if (*p == ',')
			p++;
	}
	return ret;
}

/*
 * Fill the event from "term=value,event-name,..." of this PMU. On error *bad
 * is the offset of the term that was refused.
 */
int pmu_apply_terms(struct event *e, const char *pmu, const char *terms, size_t *bad,
		    struct parse_error *err)
{
	u32 type;
	char *mask;

	*bad = 0;
	if (!pmu_type(pmu, &type)) {
		suggest_pmu(err, pmu);
		return term_error(err, "there is no PMU '%s' here%s", pmu, "");
	}
	e->attr.type = type;
	mask = pmu_file(pmu, "", "cpumask", "");
	if (mask) {
		int_list_free(&e->pmu_cpus);
		int_list_parse(&e->pmu_cpus, mask);
		free(mask);
	}
	mask = pmu_cores(pmu);
	if (mask) {
		int_list_free(&e->core_cpus);
		int_list_parse(&e->core_cpus, mask);
		free(mask);
	}
	return terms_apply(e, pmu, terms, 0, bad, err);
}

static int names_in(const char *path, struct dirent ***names)
{
	int n = scandir(path, names, NULL, alphasort);

	if (n < 0)
		*names = NULL;
	return n < 0 ? 0 : n;
}

void pmus_walk(void (*fn)(const char *pmu, void *arg), void *arg)
{
	struct dirent **names;
	char path[PATH_MAX];
	int i, n;

	snprintf(path, sizeof(path), "%s/" DEVICES, sysfs_root());
	n = names_in(path, &names);
	for (i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.')
			fn(names[i]->d_name, arg);
		free(names[i]);
	}
	free(names);
}

struct core_walk {
	void (*fn)(const char *pmu, void *arg);
	void *arg;
};

static void see_pmu(const char *pmu, void *arg)
{
	const struct core_walk *w = arg;

	if (pmu_is_core(pmu))
		w->fn(pmu, w->arg);
}

/* Each PMU of cores; there are several where cores are of several kinds. */
void core_pmus_walk(void (*fn)(const char *pmu, void *arg), void *arg)
{
	struct core_walk w = { fn, arg };

	pmus_walk(see_pmu, &w);
}

static void see_core_pmu(const char *pmu, void *arg)
{
	(void)pmu;
	*(bool *)arg = true;
}

/* The terms that stand for a named event, such as "event=0x3c"; NULL: there is none. */
char *pmu_event_terms(const char *pmu, const char *name)
{
	return pmu_file(pmu, "events", name, "");
}

/* Is there a PMU of the CPU's core, the one that counts cycles? */
bool core_pmu_present(void)
{
	bool found = false;

	core_pmus_walk(see_core_pmu, &found);
	return found;
}

/* Each named event of the PMU, without the .unit, .scale and such files. */
void pmu_events_walk(const char *pmu, void (*fn)(const char *pmu, const char *name, void *arg),
		     void *arg)
{
	struct dirent **names;
	char path[PATH_MAX];
	int i, n;

	snprintf(path, sizeof(path), "%s/" DEVICES "/%s/events", sysfs_root(), pmu);
	n = names_in(path, &names);
	for (i = 0; i < n; i++) {
		if (!strchr(names[i]->d_name, '.'))
			fn(pmu, names[i]->d_name, arg);
		free(names[i]);
	}
	free(names);
}

/* The number of a tracepoint, or -errno. -ENODEV: tracefs is not there. */
long tracepoint_id(const char *sys, const char *name)
{
	const char *root = tracefs_root();
	char path[PATH_MAX], *text;
	long id;

	if (!root)
		return tracefs_absence();
	snprintf(path, sizeof(path), "%s/events/%s/%s/id", root, sys, name);
	text = file_read_text(path);
	if (!text)
		return -errno;
	id = strtol(text, NULL, 10);
	free(text);
	return id;
}

/* Each tracepoint that tracefs shows. 0, or -errno when it shows none. */
int tracepoints_walk(void (*fn)(const char *sys, const char *name, void *arg), void *arg)
{
	const char *root = tracefs_root();
	struct dirent **systems, **names;
	char path[PATH_MAX];
	int i, k, n, m;

	if (!root)
		return tracefs_absence();
	snprintf(path, sizeof(path), "%s/events", root);
	n = names_in(path, &systems);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/events/%s", root, systems[i]->d_name);
		m = systems[i]->d_name[0] == '.' ? 0 : names_in(path, &names);
		for (k = 0; k < m; k++) {
			if (tracepoint_id(systems[i]->d_name, names[k]->d_name) > 0)
				fn(systems[i]->d_name, names[k]->d_name, arg);
			free(names[k]);
		}
		if (m)
			free(names);
		free(systems[i]);
	}
	free(systems);
	return n ? 0 : -EACCES;
}
