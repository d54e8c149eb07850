// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of -e to events.
 *
 * Concepts: a list is items separated by commas; an item is an event, or a
 * group {a,b}, each with modifiers after a colon. An event is a name of the
 * ABI, a raw code rNNN, pmu/term=value,.../, mem:addr[/len][:rwx] or
 * sys:tracepoint, which may be a pattern of several. Every refusal keeps the offset of what was refused.
 * Contexts: start of a command.
 * Locks: none.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "internal.h"

struct parser {
	const char *start;
	const char *p;
	struct event_list *list;
	struct parse_error *err;
};

/* Modifiers, collected from the event and from its group. */
struct modifiers {
	bool user, kernel, hv, guest, host, idle, pinned, exclusive, max;
	unsigned int precise;
};

static int refuse(struct parser *ps, const char *at, const char *fmt, const char *arg)
{
	ps->err->pos = (size_t)(at - ps->start);
	if (fmt)
		snprintf(ps->err->text, sizeof(ps->err->text), fmt, arg);
	return -EINVAL;
}

static void event_free(struct event *e)
{
	event_close(e);
	int_list_free(&e->pmu_cpus);
	int_list_free(&e->core_cpus);
	free(e->name);
	free(e->unit);
	free(e->reason);
	free(e);
}

void event_list_free(struct event_list *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		event_free(l->v[i]);
	free(l->v);
	l->v = NULL;
	l->nr = 0;
}

static struct event *event_new(struct event_list *l)
{
	struct event *e = mem_zalloc(1, sizeof(*e));

	e->attr.size = sizeof(e->attr);
	e->scale = 1;
	e->leader = e;
	e->nr_members = 1;
	l->v = mem_resize(l->v, l->nr + 1, sizeof(struct event *));
	l->v[l->nr++] = e;
	return e;
}

static int modifiers_parse(struct parser *ps, const char *p, size_t n, struct modifiers *m)
{
	size_t i;

	if (!n)
		return refuse(ps, p, "a modifier must follow the colon%s", "");
	for (i = 0; i < n; i++) {
		char one[2] = { p[i], 0 };

		switch (p[i]) {
		case 'u': m->user = true; break;
		case 'k': m->kernel = true; break;
		case 'h': m->hv = true; break;
		case 'G': m->guest = true; break;
		case 'H': m->host = true; break;
		case 'I': m->idle = true; break;
		case 'D': m->pinned = true; break;
		case 'e': m->exclusive = true; break;
		case 'P': m->max = true; break;
		case 'p':
			if (++m->precise > 3)
				return refuse(ps, p + i, "at most three p%s", "");
			break;
		default:
			snprintf(ps->err->hint, sizeof(ps->err->hint),
				 "modifiers: u k h G H I p P D e");
			return refuse(ps, p + i, "unknown modifier '%s'", one);
		}
	}
	return 0;
}

static void modifiers_apply(struct event *e, const struct modifiers *m)
{
	if (m->user || m->kernel || m->hv) {
		e->attr.exclude_user = !m->user;
		e->attr.exclude_kernel = !m->kernel;
		e->attr.exclude_hv = !m->hv;
		e->level_given = true;
	}
	if (m->guest != m->host) {
		e->attr.exclude_host = !m->host;
		e->attr.exclude_guest = !m->guest;
	}
	if (m->idle)
		e->attr.exclude_idle = 1;
	if (m->pinned)
		e->attr.pinned = 1;
	if (m->exclusive)
		e->attr.exclusive = 1;
	if (m->max)
		e->precise_max = true;
	if (m->precise > e->attr.precise_ip)
		e->attr.precise_ip = m->precise & 3;
}

/* mem:addr[/len][:rwx][:modifiers]; p is behind "mem:". */
static int parse_breakpoint(struct parser *ps, struct event *e, const char *p, const char *end,
			    const char **mods)
{
	u64 len = 0;
	u32 access = 0;
	char *q;

	e->attr.type = PERF_TYPE_BREAKPOINT;
	e->attr.bp_addr = strtoull(p, &q, 0);
	if (q == p)
		return refuse(ps, p, "mem: needs an address%s", "");
	if (*q == '/') {
		p = q + 1;
		len = strtoull(p, &q, 0);
		if (q == p || (len != 1 && len != 2 && len != 4 && len != 8))
			return refuse(ps, p, "the length is 1, 2, 4 or 8%s", "");
	}
	if (*q == ':' && strchr("rwx", q[1]) && q[1]) {
		for (q++; q < end && *q != ':'; q++) {
			if (!strchr("rwx", *q))
				return refuse(ps, q, "access is made of r, w and x%s", "");
			access |= *q == 'r' ? HW_BREAKPOINT_R :
				  *q == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;
		}
	}
	if (q < end && *q != ':')
		return refuse(ps, q, "unexpected text after the address%s", "");
	e->attr.bp_type = access ? access : HW_BREAKPOINT_RW;
	e->attr.bp_len = len ? len : access & HW_BREAKPOINT_X ? sizeof(long) : 4;
	e->attr.sample_period = 1;
	*mods = q < end ? q + 1 : NULL;
	return 0;
}

static void set_tracepoint(struct event *e, long id)
{
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.config = (u64)id;
	e->attr.sample_period = 1;
}

/* A pattern of tracepoints: each that matches is an event. */
struct pattern {
	struct event_list *list;
	struct event *first;	/* for the first of them */
	const char *sys, *name;
	const char *behind;	/* modifiers, with their colon */
	long nr;
};

static void take_match(const char *sys, const char *name, void *arg)
{
	struct pattern *pt = arg;
	struct event *e;

	if (fnmatch(pt->sys, sys, 0) || fnmatch(pt->name, name, 0))
		return;
	e = pt->nr++ ? event_new(pt->list) : pt->first;
	free(e->name);
	e->name = str_printf("%s:%s%s", sys, name, pt->behind);
	set_tracepoint(e, tracepoint_id(sys, name));
}

/* How many match, or -errno; -ENOENT: none. */
static long take_pattern(struct parser *ps, struct event *e, const char *sys, const char *name,
			 const char *behind)
{
	struct pattern pt = { ps->list, e, sys, name, behind, 0 };
	int ret = tracepoints_walk(take_match, &pt);

	return ret ? ret : pt.nr ? pt.nr : -ENOENT;
}

/* rest is the name, of n bytes, and what stands behind it up to end. */
static int parse_tracepoint(struct parser *ps, struct event *e, const char *p,
			    const char *sys, const char *rest, size_t n, const char *end)
{
	char *name = str_ndup(rest, n), *behind = str_ndup(rest + n, (size_t)(end - rest) - n);
	bool many = strpbrk(sys, "*?[") || strpbrk(name, "*?[");
	long id = many ? take_pattern(ps, e, sys, name, behind) : tracepoint_id(sys, name);

	if (id == -ENOENT && many)
		snprintf(ps->err->hint, sizeof(ps->err->hint), "'pcl list tracepoint' shows those of this kernel");
	else if (id == -ENOENT)
		suggest_tracepoint(ps->err, sys, name);
	free(name);
	free(behind);
	if (id == -ENODEV) {
		snprintf(ps->err->hint, sizeof(ps->err->hint),
			 "mount -t tracefs tracefs /sys/kernel/tracing (as root)");
		return refuse(ps, p, "'%s:' would be a tracepoint, and tracefs is not mounted",
			      sys);
	}
	if (id == -EACCES || id == -EPERM) {
		snprintf(ps->err->hint, sizeof(ps->err->hint),
			 "run as root, or sudo mount -o remount,mode=755,gid=$(id -g) /sys/kernel/tracing");
		return refuse(ps, p, "no permission to read tracefs for '%s:'", sys);
	}
	if (id < 0)
		return refuse(ps, p, many ? "no tracepoint of '%s' matches" :
			      "no such tracepoint in '%s'", sys);
	if (!many)
		set_tracepoint(e, id);
	return 0;
}

/* pmu/terms/[modifiers]; slash points at the first one. */
static int parse_pmu(struct parser *ps, struct event *e, const char *p, const char *slash,
		     const char *end, const char **mods)
{
	const char *close = memchr(slash + 1, '/', (size_t)(end - slash - 1));
	char *pmu, *terms;
	size_t bad = 0;
	int ret;

	if (!close)
		return refuse(ps, slash, "the terms of a PMU end with a second slash%s", "");
	pmu = str_ndup(p, (size_t)(slash - p));
	terms = str_ndup(slash + 1, (size_t)(close - slash - 1));
	ret = pmu_apply_terms(e, pmu, terms, &bad, ps->err);
	if (ret) {
		u32 type;

		refuse(ps, pmu_type(pmu, &type) ? slash + 1 + bad : p, NULL, NULL);
	}
	free(pmu);
	free(terms);
	if (ret)
		return ret;
	close++;
	*mods = close < end ? close + (*close == ':') : NULL;
	return 0;
}

static bool parse_raw(struct event *e, const char *name)
{
	const char *q;

	if (name[0] != 'r' || !name[1] || strlen(name) > 17)
		return false;
	for (q = name + 1; *q; q++)
		if (!isxdigit((unsigned char)*q))
			return false;
	e->attr.type = PERF_TYPE_RAW;
	e->attr.config = strtoull(name + 1, NULL, 16);
	return true;
}

/* Is it the name of a tracepoint that can be read here? */
static bool tracepoint_there(const char *sys, const char *colon, size_t n)
{
	char *name;
	long id;

	if (!n || !*sys)
		return false;
	name = str_ndup(colon + 1, n);
	id = tracepoint_id(sys, name);
	free(name);
	return id >= 0;
}

/* Where the event that starts at p ends: a comma, a brace or the end. */
static const char *event_end(const char *p)
{
	bool in_terms = false;
	bool mem = !strncmp(p, "mem:", 4);

	for (; *p; p++) {
		if (*p == '/' && !mem)
			in_terms = !in_terms;
		if (!in_terms && (*p == ',' || *p == '{' || *p == '}'))
			break;
	}
	return p;
}

/* A vendor's name, up to the end or beyond it: qualifiers may follow commas. */
static int parse_vendor(struct parser *ps, struct event *e, const char *p, const char **end,
			const char **mods)
{
	const char *bad = p, *modifiers;
	char *text;
	size_t n;
	int ret;

	while ((n = vendor_qualifier_length(*end)) != 0)
		*end = event_end(*end + n);
	text = str_ndup(p, (size_t)(*end - p));
	modifiers = vendor_modifiers(text);
	*mods = modifiers ? p + (modifiers - text) : NULL;
	ret = vendor_encode(e, text, modifiers ? modifiers - 1 : text + strlen(text), &bad, ps->err);
	if (ret)
		refuse(ps, p + (bad - text), NULL, NULL);
	free(e->name);
	e->name = text;
	return ret;
}

/* An event that PMUs of cores name: one of each that does, as PMUs count on their own cores alone. */
struct core_event {
	struct event_list *list;
	struct event *first;
	const char *name, *behind;	/* modifiers, with their colon */
	struct parse_error *err;
	char *pmu;			/* of the first */
	unsigned int nr;
	int ret;
};

static void rename_for_pmu(struct event *e, const char *pmu, const struct core_event *c)
{
	free(e->name);
	e->name = str_printf("%s/%s/%s%s", pmu, c->name, *c->behind ? ":" : "", c->behind + (*c->behind == ':'));
}

static void take_core_event(const char *pmu, void *arg)
{
	struct core_event *c = arg;
	struct event *e;
	size_t bad;

	if (c->ret || !pmu_has_event(pmu, c->name))
		return;
	e = c->nr++ ? event_new(c->list) : c->first;
	c->ret = pmu_apply_terms(e, pmu, c->name, &bad, c->err);
	if (c->nr == 1) {
		c->pmu = str_dup(pmu);
		return;
	}
	/* the name alone would not tell them apart */
	if (c->nr == 2)
		rename_for_pmu(c->first, c->pmu, c);
	rename_for_pmu(e, pmu, c);
}

/* How many PMUs of cores name it, or -EINVAL. behind is what stands behind the name. */
static int parse_core_event(struct parser *ps, struct event *e, const char *p, const char *name, const char *behind)
{
	struct core_event c = { .list = ps->list, .first = e, .name = name, .behind = behind, .err = ps->err };

	core_pmus_walk(take_core_event, &c);
	free(c.pmu);
	return c.ret ? refuse(ps, p, NULL, NULL) : (int)c.nr;
}

/* A name of sysfs, of a vendor, of a tracepoint, or of nothing. */
static int parse_other_name(struct parser *ps, struct event *e, const char *p, const char **end,
			    const char *name, const char *colon, const char **mods)
{
	const char *colon2 = colon ? memchr(colon + 1, ':', (size_t)(*end - colon - 1)) : NULL;
	size_t n = colon ? (size_t)((colon2 ? colon2 : *end) - colon - 1) : 0;
	char *text = str_ndup(p, (size_t)(*end - p));
	int ret;

	ret = parse_core_event(ps, e, p, name, text + strlen(name));
	if (ret) {
		ret = ret < 0 ? ret : 0;
	} else if (!tracepoint_there(name, colon, n) && vendor_name_known(text)) {
		ret = parse_vendor(ps, e, p, end, mods);
	} else if (n && *name && strspn(colon + 1, "ukhGHIpPDe") < n) {
		ret = parse_tracepoint(ps, e, p, name, colon + 1, n, *end);
		*mods = colon2 ? colon2 + 1 : NULL;
	} else {
		suggest_event(ps->err, name);
		ret = refuse(ps, p, *name ? "unknown event '%s'" : "an event name is missing%s", name);
	}
	free(text);
	return ret;
}

/* A plain name, perhaps with modifiers. */
static int parse_named(struct parser *ps, struct event *e, const char *p, const char **end,
		       const char **mods)
{
	const char *colon = memchr(p, ':', (size_t)(*end - p));
	char *name = str_ndup(p, (size_t)((colon ? colon : *end) - p));
	u64 config;
	u32 type;
	int ret = 0;

	*mods = colon ? colon + 1 : NULL;
	if (event_name_find(name, &type, &config)) {
		e->attr.type = type;
		e->attr.config = config;
	} else if (!parse_raw(e, name)) {
		ret = parse_other_name(ps, e, p, end, name, colon, mods);
	}
	free(name);
	return ret;
}

static int parse_event(struct parser *ps, struct event **out)
{
	const char *p = ps->p, *end = event_end(p), *mods = NULL, *slash;
	unsigned int first = ps->list->nr, i;
	struct event *e = event_new(ps->list);
	struct modifiers m = { 0 };
	int ret;

	e->name = str_ndup(p, (size_t)(end - p));
	slash = memchr(p, '/', (size_t)(end - p));
	if (!strncmp(p, "mem:", 4))
		ret = parse_breakpoint(ps, e, p + 4, end, &mods);
	else if (slash)
		ret = parse_pmu(ps, e, p, slash, end, &mods);
	else
		ret = parse_named(ps, e, p, &end, &mods);
	if (!ret && mods)
		ret = modifiers_parse(ps, mods, (size_t)(end - mods), &m);
	if (ret)
		return ret;
	for (i = first; i < ps->list->nr; i++)
		modifiers_apply(ps->list->v[i], &m);
	if (e->attr.type == PERF_TYPE_SOFTWARE &&
	    (e->attr.config == PERF_COUNT_SW_TASK_CLOCK ||
	     e->attr.config == PERF_COUNT_SW_CPU_CLOCK)) {
		e->unit = str_dup("msec");
		e->scale = 1e-6;
	}
	ps->p = end;
	*out = e;
	return 0;
}

/* {a,b,...}[:modifiers]; ps->p is at the brace. */
static int parse_group(struct parser *ps)
{
	const char *open = ps->p++, *p;
	unsigned int first = ps->list->nr, i;
	struct modifiers m = { 0 };
	struct event *e, *leader;
	int ret;

	for (;;) {
		if (*ps->p == '{')
			return refuse(ps, ps->p, "a group cannot hold a group%s", "");
		ret = parse_event(ps, &e);
		if (ret)
			return ret;
		if (*ps->p != ',')
			break;
		ps->p++;
	}
	if (*ps->p != '}')
		return refuse(ps, open, "this brace is not closed%s", "");
	p = ++ps->p;
	if (*p == ':') {
		p++;
		ps->p = event_end(p);
		ret = modifiers_parse(ps, p, (size_t)(ps->p - p), &m);
		if (ret)
			return ret;
	}
	leader = ps->list->v[first];
	leader->nr_members = ps->list->nr - first;
	for (i = first; i < ps->list->nr; i++) {
		e = ps->list->v[i];
		e->leader = leader;
		modifiers_apply(e, &m);
		if (e != leader)
			e->attr.pinned = e->attr.exclusive = 0;
	}
	return 0;
}

/* Add the events of text to the list. On error *err says what and where. */
int events_parse(struct event_list *l, const char *text, struct parse_error *err)
{
	struct parser ps = { .start = text, .p = text, .list = l, .err = err };
	struct event *e;
	int ret;

	memset(err, 0, sizeof(*err));
	for (;;) {
		ret = *ps.p == '{' ? parse_group(&ps) : parse_event(&ps, &e);
		if (ret)
			return ret;
		if (!*ps.p)
			return 0;
		if (*ps.p != ',')
			return refuse(&ps, ps.p, "a comma or the end is expected here%s", "");
		ps.p++;
	}
}

/* The same for an option of the command line: prints the error. */
int events_parse_option(struct event_list *l, const char *text)
{
	struct parse_error err;
	int ret = events_parse(l, text, &err);

	if (!ret)
		return 0;
	complain("-e: %s", err.text);
	fprintf(stderr, "     %s\n     %*s^\n", text, (int)err.pos, "");
	if (err.hint[0])
		say_to(stderr, "     ", "%s", err.hint);
	return ret;
}
