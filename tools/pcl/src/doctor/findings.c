// SPDX-License-Identifier: GPL-2.0
/*
 * The list of findings, and the one way to try an event.
 *
 * Concepts: a trial opens an event, disabled, and closes it; the finding keeps
 * what a refusal meant. An event is tried as an unprivileged user would ask
 * for it: user space only, unless the trial is about more.
 * Contexts: doctor, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"

/* The pointer is good until the next one is added. */
struct finding *finding_add(struct findings *l, const char *name, enum verdict verdict)
{
	struct finding *f;

	l->v = mem_resize(l->v, l->nr + 1, sizeof(*l->v));
	f = &l->v[l->nr++];
	*f = (struct finding){ .topic = l->topic, .name = str_dup(name), .verdict = verdict };
	return f;
}

/* For what is no refused event. */
void finding_explain(struct finding *f, const char *cause, const char *why, const char *fix)
{
	explanation_free(&f->x);
	f->x.cause = cause;
	f->x.why = str_dup(why);
	f->x.fix = str_dup(fix);
}

void finding_detail(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	free(f->detail);
	va_start(ap, fmt);
	if (vasprintf(&f->detail, fmt, ap) < 0)
		f->detail = NULL;
	va_end(ap);
}

void findings_free(struct findings *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++) {
		free(l->v[i].name);
		free(l->v[i].detail);
		explanation_free(&l->v[i].x);
	}
	free(l->v);
	l->v = NULL;
	l->nr = 0;
}

struct perf_event_attr attr_user(u32 type, u64 config)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

/* What pcl record samples: cycles where there are any, else the clock. */
struct perf_event_attr attr_sampling(void)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct trial t = TRIAL_SELF;
	int fd;

	attr.sample_period = 1000003;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = trial_open(&attr, &t);
	if (fd >= 0) {
		close(fd);
		return attr;
	}
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	return attr;
}

/* A descriptor, or -errno. */
int trial_open(const struct perf_event_attr *attr, const struct trial *t)
{
	struct perf_event_attr copy = *attr;
	int fd = sys_perf_event_open(&copy, t->pid, t->cpu, t->group_fd,
				     t->flags | PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

struct finding *finding_try(struct findings *l, const char *name,
			    const struct perf_event_attr *attr, const struct trial *t)
{
	struct refused refused = {
		.attr = attr, .pid = t->pid, .cpu = t->cpu, .group_fd = t->group_fd,
		.flags = t->flags,
	};
	struct finding *f = finding_add(l, name, WORKS);
	int fd = trial_open(attr, t);

	if (fd >= 0) {
		close(fd);
		return f;
	}
	f->verdict = FAILS;
	refused.err = -fd;
	explain(&f->x, &refused);
	return f;
}
