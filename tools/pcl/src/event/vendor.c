// SPDX-License-Identifier: GPL-2.0
/*
 * The vendor's names of hardware events, as libpfm4 has them.
 *
 * Concepts: the library is loaded when a name is looked for that nobody else
 * knows, and may be absent; a static build has it within. A name is EVENT[:MASK...][:QUALIFIER...]; a dot
 * serves as a colon. Qualifiers are the library's own (c=2, i, e, t, u, k) or
 * spelt as FreeBSD's pmc has them (cmask=2, inv, edge, anythr, usr, os), which
 * may also follow a comma. What goes wrong is laid to the first part with
 * which the name no longer encodes.
 * Contexts: parsing and listing, one thread.
 * Locks: none.
 */
#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* What the library takes with PFM_OS_PERF_EVENT; its own header would redefine the ABI. */
struct encode_arg {
	struct perf_event_attr *attr;
	char **fstr;
	size_t size;
	int idx;
	int cpu;
	int flags;
	int pad;
};

static struct {
	bool tried;
	bool loaded;
	pfm_err_t (*initialize)(void);
	const char *(*strerror)(int code);
	pfm_err_t (*get_pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *out);
	int (*get_event_next)(int idx);
	int (*find_event)(const char *text);
	pfm_err_t (*get_event_info)(int idx, pfm_os_t os, pfm_event_info_t *out);
	pfm_err_t (*get_event_attr_info)(int event, int attr, pfm_os_t os, pfm_event_attr_info_t *out);
	pfm_err_t (*encode)(const char *text, int plm, pfm_os_t os, void *arg);
} pfm;

#ifdef PCL_STATIC
static bool find_functions(void)
{
	pfm.initialize = pfm_initialize;
	pfm.strerror = pfm_strerror;
	pfm.get_pmu_info = pfm_get_pmu_info;
	pfm.get_event_next = pfm_get_event_next;
	pfm.find_event = pfm_find_event;
	pfm.get_event_info = pfm_get_event_info;
	pfm.get_event_attr_info = pfm_get_event_attr_info;
	pfm.encode = pfm_get_os_event_encoding;
	return true;
}
#else
static bool find_functions(void)
{
	static const struct {
		const char *name;
		void *at;
	} functions[] = {
		{ "pfm_initialize", &pfm.initialize },
		{ "pfm_strerror", &pfm.strerror },
		{ "pfm_get_pmu_info", &pfm.get_pmu_info },
		{ "pfm_get_event_next", &pfm.get_event_next },
		{ "pfm_find_event", &pfm.find_event },
		{ "pfm_get_event_info", &pfm.get_event_info },
		{ "pfm_get_event_attr_info", &pfm.get_event_attr_info },
		{ "pfm_get_os_event_encoding", &pfm.encode },
	};
	void *lib = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL), *f;
	size_t i;

	for (i = 0; lib && i < ARRAY_SIZE(functions); i++) {
		f = dlsym(lib, functions[i].name);
		if (!f)
			return false;
		memcpy(functions[i].at, &f, sizeof(f));
	}
	return lib;
}
#endif

/* Is the library there? Loaded at the first call. */
bool vendor_names_there(void)
{
	if (!pfm.tried) {
		pfm.tried = true;
		pfm.loaded = find_functions() && pfm.initialize() == PFM_SUCCESS;
	}
	return pfm.loaded;
}

/* The generic names of the ABI and raw codes are ours to parse. */
static bool of_hardware(pfm_pmu_t pmu)
{
	pfm_pmu_info_t p = { .size = sizeof(p) };

	return pfm.get_pmu_info(pmu, &p) == PFM_SUCCESS && p.type != PFM_PMU_TYPE_OS_GENERIC;
}

static size_t part_length(const char *p)
{
	return strcspn(p, ":.");
}

/* The event of this name, for a processor that is here; -1: none. */
static int event_index(const char *text)
{
	const char *pmu = strstr(text, "::");
	pfm_event_info_t info = { .size = sizeof(info) };
	size_t n = pmu ? (size_t)(pmu + 2 - text) : 0;
	char *name = str_ndup(text, n + part_length(text + n));
	int idx = pfm.find_event(name);

	free(name);
	if (idx < 0 || pfm.get_event_info(idx, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS ||
	    !of_hardware(info.pmu))
		return -1;
	return idx;
}

bool vendor_name_known(const char *text)
{
	return *text && vendor_names_there() && event_index(text) >= 0;
}

/* Qualifiers by FreeBSD's names, and the library's. Small letters: EDGE is the mask of an event. */
static const struct {
	const char *name;
	const char *own;
} qualifiers[] = {
	{ "cmask=", "c=" }, { "inv", "i" }, { "edge", "e" }, { "anythr", "t" }, { "any", "t" },
	{ "usr", "u" }, { "os", "k" },
};

/* The row of the qualifier that text starts with, or -1. */
static int qualifier_find(const char *text, size_t n)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		len = strlen(qualifiers[i].name);
		if (!strncmp(text, qualifiers[i].name, len) &&
		    (n == len || (n > len && text[len - 1] == '=')))
			return (int)i;
	}
	return -1;
}

/* How long is the qualifier that follows a comma at p? 0: none does. */
size_t vendor_qualifier_length(const char *p)
{
	size_t n = *p == ',' ? strcspn(p + 1, ",:.{}") : 0;

	return n && qualifier_find(p + 1, n) >= 0 ? n + 1 : 0;
}

/* Has the event a mask of exactly this name? */
static bool has_mask(int event, const char *name, size_t n)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	int i;

	if (pfm.get_event_info(event, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
		return false;
	for (i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };

		if (pfm.get_event_attr_info(event, i, PFM_OS_PERF_EVENT, &a) == PFM_SUCCESS &&
		    a.type == PFM_ATTR_UMASK && strlen(a.name) == n && !strncmp(a.name, name, n))
			return true;
	}
	return false;
}

/* Where the modifiers of pcl begin, which are the last part, or NULL. */
const char *vendor_modifiers(const char *text)
{
	const char *last = strrchr(text, ':');

	if (!last || !last[1] || (last > text && last[-1] == ':') ||
	    last[1 + strspn(last + 1, "ukhGHIpPDe")])
		return NULL;
	return has_mask(event_index(text), last + 1, strlen(last + 1)) ? NULL : last + 1;
}

/* Append the part of text that starts at p, spelt as the library wants it; returns its end. */
static const char *part_append(FILE *f, const char *p)
{
	size_t n = strcspn(p, ":.,");
	int q = qualifier_find(p, n);

	if (q < 0)
		fprintf(f, "%.*s", (int)n, p);
	else
		fprintf(f, "%s%.*s", qualifiers[q].own, (int)(n - strlen(qualifiers[q].name)),
			p + strlen(qualifiers[q].name));
	return p + n;
}

/* The first parts of text up to end, in the library's spelling. */
static char *spelling(const char *text, const char *end)
{
	const char *name = strstr(text, "::"), *p;
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return str_ndup(text, (size_t)(end - text));
	p = name && name < end ? name + 2 : text;
	p += part_length(p);
	if (p > end)
		p = end;
	fprintf(f, "%.*s", (int)(p - text), text);
	while (p < end) {
		fputc(':', f);
		p = part_append(f, p + 1);
	}
	fclose(f);
	return out;
}

static int encode(const char *text, const char *end, struct perf_event_attr *attr)
{
	union {
		struct perf_event_attr attr;
		u8 room[512];	/* whatever the library takes for the size of an attr */
	} u = { .room = { 0 } };
	struct encode_arg arg = { .attr = &u.attr, .size = sizeof(arg) };
	char *own = spelling(text, end);
	int ret = pfm.encode(own, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);

	free(own);
	if (ret == PFM_SUCCESS)
		*attr = u.attr;
	return ret;
}

/* The first part with which the text does not encode any more. */
static const char *culprit(const char *text, const char *end)
{
	const char *name = strstr(text, "::"), *p = name ? name + 2 : text, *next;
	struct perf_event_attr attr;

	for (p += part_length(p); p < end; p = next) {
		next = p + 1 + strcspn(p + 1, ":.,");
		/* some events want a mask: only the last part may then be to blame */
		if (encode(text, next, &attr) != PFM_SUCCESS && (next == end || encode(text, p, &attr) == PFM_SUCCESS))
			return p + 1;
	}
	return text;
}

static void hint_masks(int event, struct parse_error *err)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	size_t used;
	int i;

	used = (size_t)snprintf(err->hint, sizeof(err->hint), "it takes:");
	if (pfm.get_event_info(event, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
		return;
	for (i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };

		if (pfm.get_event_attr_info(event, i, PFM_OS_PERF_EVENT, &a) != PFM_SUCCESS)
			continue;
		if (used + strlen(a.name) + 6 > sizeof(err->hint)) {
			snprintf(err->hint + used, sizeof(err->hint) - used, " ...");
			return;
		}
		used += (size_t)snprintf(err->hint + used, sizeof(err->hint) - used, " %s%s", a.name,
					 a.type == PFM_ATTR_MOD_INTEGER ? "=" : "");
	}
}

static int refuse_part(const char *text, const char *end, int ret, const char **bad,
		       struct parse_error *err)
{
	const char *part = culprit(text, end);
	const char *what = ret == PFM_ERR_FEATCOMB ? "does not go with what stands before it" :
			   ret == PFM_ERR_ATTR || ret == PFM_ERR_UMASK ?
			   "is no mask or qualifier of this event" :
			   ret == PFM_ERR_ATTR_VAL ? "has a value that does not fit" :
			   ret == PFM_ERR_ATTR_SET ? "is given twice" : pfm.strerror(ret);

	*bad = part;
	if (ret == PFM_ERR_ATTR && (!strncmp(part, "edge", 4) || !strcmp(part, "e")))
		what = "(rising edges) needs cmask=N too";
	if (part == text && ret == PFM_ERR_UMASK)
		what = "needs a mask";
	snprintf(err->text, sizeof(err->text), "'%.*s' %s",
		 (int)strcspn(part, part == text ? "," : ":.,"), part, what);
	hint_masks(event_index(text), err);
	return -EINVAL;
}

/*
 * Fill the event from text, a name that is known, up to end. On error *bad is
 * where it went wrong.
 */
int vendor_encode(struct event *e, const char *text, const char *end, const char **bad,
		  struct parse_error *err)
{
	struct perf_event_attr attr;
	int ret = encode(text, end, &attr);

	if (ret != PFM_SUCCESS)
		return refuse_part(text, end, ret, bad, err);
	e->attr.type = attr.type;
	e->attr.config = attr.config;
	e->attr.config1 = attr.config1;
	e->attr.config2 = attr.config2;
	if (attr.exclude_user || attr.exclude_kernel) {
		e->attr.exclude_user = attr.exclude_user;
		e->attr.exclude_kernel = attr.exclude_kernel;
		e->attr.exclude_hv = 1;
		e->level_given = true;
	}
	return 0;
}

static void walk_event(int idx, vendor_fn *fn, void *arg)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	bool masks = false;
	char *name;
	int i;

	if (pfm.get_event_info(idx, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
		return;
	for (i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };
		char *what;

		if (pfm.get_event_attr_info(idx, i, PFM_OS_PERF_EVENT, &a) != PFM_SUCCESS ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		masks = true;
		name = str_printf("%s:%s", info.name, a.name);
		what = str_printf("%s: %s", info.desc, a.desc);
		fn(name, what, arg);
		free(name);
		free(what);
	}
	if (!masks)
		fn(info.name, info.desc, arg);
}

/* Each event, with each of its masks, of the PMUs that the library sees here. Their number. */
unsigned int vendor_names_walk(vendor_fn *fn, void *arg)
{
	unsigned int nr = 0;
	int pmu, idx;

	if (!vendor_names_there())
		return 0;
	for (pmu = 0; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t p = { .size = sizeof(p) };

		if (pfm.get_pmu_info((pfm_pmu_t)pmu, &p) != PFM_SUCCESS || !p.is_present ||
		    p.type == PFM_PMU_TYPE_OS_GENERIC)
			continue;
		nr++;
		for (idx = p.first_event; idx != -1; idx = pfm.get_event_next(idx))
			walk_event(idx, fn, arg);
	}
	return nr;
}
