/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events and their targets: names, opening, reasons, reading.
 *
 * An event counts one thing; a target is where it counts; a group is a leader
 * and its siblings. One event of the command line becomes one file descriptor
 * for each pair of CPU and task of the target.
 */
#ifndef PCL_EVENT_H
#define PCL_EVENT_H

#include <sys/resource.h>

#include "types.h"

/* One reading of one event: what read(2) returns, or a sum of such. */
struct count {
	u64 value;		/* as counted, never scaled */
	u64 enabled_ns;
	u64 running_ns;
	double scaled;		/* value * enabled / running, summed per fd */
};

enum event_status {
	EVENT_COUNTED,
	EVENT_NOT_COUNTED,	/* opened, but it never held a counter */
	EVENT_NOT_SUPPORTED,	/* could not be opened */
};

/* One event of the command line. Owned by its event_list. */
struct event {
	struct perf_event_attr attr;
	char *name;		/* as the user wrote it, modifiers included */
	char *unit;		/* NULL: a plain number */
	double scale;		/* what one count stands for, in units */
	struct event *leader;	/* itself when it leads or stands alone */
	unsigned int nr_members;/* leader only: size of the group */
	bool grouped;		/* leader only: by stat, for a ratio; not by the user */
	bool level_given;	/* the user chose :u, :k or :h */
	bool narrowed;		/* to user space, for lack of permission; not told yet */
	bool precise_max;	/* modifier P: as precise as the PMU can */
	struct int_list pmu_cpus; /* the CPUs an uncore PMU is read on */
	struct int_list core_cpus; /* those whose cores have the PMU; none: all */

	enum event_status status;
	char *reason;		/* why it is not counted; NULL when it is */
	int open_errno;

	unsigned long open_flags;	/* of its target */
	int *fd;		/* [cpu * nr_tids + tid], -1 where not open */
	u64 *id;		/* same index; record, and groups of stat */
	unsigned int nr_cpus;
	unsigned int nr_tids;
};

struct event_list {
	struct event **v;
	unsigned int nr;
};

/* Where a refused event text went wrong. */
struct parse_error {
	size_t pos;		/* offset into the text of the option */
	char text[200];
	char hint[200];		/* "" or a way out */
};

/* What the user asked to measure. */
struct target {
	bool system_wide;	/* -a or -C */
	bool by_command;	/* no target but the command itself */
	bool inherit;
	struct int_list cpus;	/* {-1} when not bound to CPUs */
	struct int_list pids;	/* of -p */
	struct int_list tids;	/* {-1} when system wide; descriptors of cgroups */
	char **cgroups;		/* their names; NULL: tids are threads */
	unsigned long open_flags;	/* of perf_event_open */
};

/* A command started by the tool, held before its exec. */
struct child {
	pid_t pid;
	int go_fd;		/* write end: one byte lets it exec */
	int err_fd;		/* read end: errno of a failed exec, or EOF */
	bool reaped;
	int status;		/* of wait4, when reaped */
	struct rusage usage;	/* its own and its reaped children's, when reaped */
	char **argv;
};

/* event_names.c */
struct event_name {
	const char *name;
	const char *alias;	/* NULL: none */
	u32 type;
	u64 config;
	const char *what;	/* it counts */
};

bool event_name_find(const char *text, u32 *type, u64 *config);
void event_names_walk(void (*fn)(const struct event_name *n, void *arg), void *arg);
bool event_kernel_only(const struct event *e);
void cache_access_name(u64 config, char *buf, size_t size);

/* pmu_sysfs.c */
const char *sysfs_root(void);
const char *tracefs_root(void);
bool pmu_type(const char *pmu, u32 *type);
char *pmu_cores(const char *pmu);
bool pmu_is_core(const char *pmu);
int pmu_apply_terms(struct event *e, const char *pmu, const char *terms,
		    size_t *bad, struct parse_error *err);
void pmu_terms(const char *pmu, char *buf, size_t size);
char *pmu_event_terms(const char *pmu, const char *name);
bool pmu_has_event(const char *pmu, const char *name);
bool core_pmu_present(void);
void core_pmus_walk(void (*fn)(const char *pmu, void *arg), void *arg);
void pmus_walk(void (*fn)(const char *pmu, void *arg), void *arg);
void pmu_events_walk(const char *pmu, void (*fn)(const char *pmu, const char *name, void *arg),
		     void *arg);
long tracepoint_id(const char *sys, const char *name);
int tracepoints_walk(void (*fn)(const char *sys, const char *name, void *arg), void *arg);

/* vendor.c */
typedef void vendor_fn(const char *name, const char *what, void *arg);
bool vendor_names_there(void);
bool vendor_name_known(const char *text);
size_t vendor_qualifier_length(const char *p);
const char *vendor_modifiers(const char *text);
int vendor_encode(struct event *e, const char *text, const char *end, const char **bad,
		  struct parse_error *err);
unsigned int vendor_names_walk(vendor_fn *fn, void *arg);

/* suggest.c */
void suggest_event(struct parse_error *err, const char *text);
void suggest_pmu(struct parse_error *err, const char *text);
void suggest_term(struct parse_error *err, const char *pmu, const char *text);
void suggest_tracepoint(struct parse_error *err, const char *sys, const char *name);

/* event_parse.c */
int events_parse(struct event_list *l, const char *text, struct parse_error *err);
int events_parse_option(struct event_list *l, const char *text);
void event_list_free(struct event_list *l);

/* target.c */
int cpus_online(struct int_list *l);
/* How often target_grown() is asked at the most. */
enum { TARGET_TRIES = 20 };

/* Takes one of the options that name a target. 0, or -1: refused. */
int target_take_option(struct target *t, int option, const char *text, const char **cpus);
int target_finish(struct target *t, const char *cpus, bool have_command);
bool target_alive(const struct target *t);
bool target_grown(struct target *t, unsigned int try);

/* cgroup.c */
char *cgroup_root(void);
int target_take_cgroups(struct target *t, const char *text);
void target_free(struct target *t);

/* child.c */
int child_prepare(struct child *c, char **argv);
int child_go(struct child *c);
bool child_poll(struct child *c);
void child_wait(struct child *c);
long child_rss_kb(const struct child *c);
void child_abandon(struct child *c);
int child_exit_status(const struct child *c);

/* What this process may do. */
struct rights {
	u64 caps;		/* effective capabilities */
	bool first_userns;	/* they count only there */
	bool seccomp;		/* a filter is in force */
	bool lockdown;
	bool core_pmu;
	bool virtual_machine;
	long paranoid;		/* kernel.perf_event_paranoid */
	long max_rate;		/* kernel.perf_event_max_sample_rate, 0: not readable */
	struct rlimit nofile;
	char modules[64];	/* security modules that may decide on events */
	int filter_errno;	/* what answers instead of the kernel; 0: nothing */
	int least_errno;	/* why even the least event is refused; 0: it is not */
};

#define PARANOID_UNKNOWN	(-99)

/* rights.c */
void rights_read(struct rights *r);
bool rights_has(const struct rights *r, unsigned int cap);
bool rights_perfmon(const struct rights *r);

/* A call of perf_event_open that failed. */
struct refused {
	const struct perf_event_attr *attr;
	pid_t pid;
	int cpu;
	int group_fd;
	unsigned long flags;
	int err;
	bool of_package;	/* the PMU names the CPUs it is read on */
	/* explain() finds these out */
	bool opens_alone;	/* without its group it would do */
	const char *kernel;	/* a PCL kernel's own words, or NULL */
};

struct question;

/* A row of the table: words in braces are filled in later. */
struct cause {
	const char *name;
	int err;		/* 0: the test looks at it */
	bool (*applies)(const struct question *q);
	const char *why;
	const char *fix;
};

/* cause.c */
const struct cause *causes_table(size_t *nr);
const struct cause *cause_find(const struct refused *c, const struct rights *r);
bool cause_retold(const struct cause *cause);
const char *refused_what(const struct refused *c);
int refused_level(const struct refused *c);

struct explanation {
	const char *cause;	/* the name of the row */
	char *why;
	char *fix;		/* "": nothing helps */
	char *kernel;		/* a PCL kernel's own words, or NULL */
	bool retold;		/* they say what why does, so one of them is enough */
};

/* reason.c */
bool pcl_kernel(void);
char *cause_text(const char *text, const struct perf_event_attr *attr, const struct rights *r);
void explain(struct explanation *x, struct refused *c);
void explain_ring(struct explanation *x, int err, u64 bytes, unsigned int nr_cpus);
void explanation_free(struct explanation *x);
char *explanation_line(const struct explanation *x);
char *open_reason(const struct event *e, pid_t pid, int cpu, int group_fd, int err);

/* What events were asked by system calls: refused ones, too. Of the main thread. */
extern struct event_calls {
	u64 open, read, control;
} event_calls;

/* open.c */
int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags);
bool errno_is_unsupported(int err);
int event_open_all(struct event *e, const struct target *t);
int events_open_or_explain(struct event_list *l, const struct target *t);
void event_close(struct event *e);
void event_ioctl(struct event *e, unsigned long request, unsigned long arg);

/* counts.c */
double count_scale(u64 value, u64 enabled_ns, u64 running_ns);
int events_read(struct event_list *l, const unsigned int *part_of, unsigned int nr_parts,
		struct count *sums);
struct count count_diff(const struct count *now, const struct count *before);

#endif /* PCL_EVENT_H */
