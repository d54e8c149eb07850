/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of the tool, one block per file, lowest layer first.
 */
#ifndef PCL_INTERNAL_H
#define PCL_INTERNAL_H

#include "types.h"

/* util.c */
void *mem_zalloc(size_t nr, size_t size);
void *mem_resize(void *p, size_t nr, size_t size);
char *str_dup(const char *s);
char *str_ndup(const char *s, size_t n);
char *str_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void int_list_add(struct int_list *l, int v);
void int_list_free(struct int_list *l);
bool int_list_has(const struct int_list *l, int v);
void int_list_sort(struct int_list *l);
int int_list_parse(struct int_list *l, const char *s);
char *file_read_text(const char *path);
long file_read_long(const char *path, long dflt);
u64 clock_ns(void);
unsigned int edit_distance(const char *a, const char *b);
const char *format_thousands(char *buf, u64 v);
bool colour_ok(FILE *f);

/* progress.c */
void progress_update(const char *what, u64 done, u64 all);
void progress_end(void);

/* event_names.c */
struct event_name {
	const char *name;
	const char *alias;	/* NULL: none */
	u32 type;
	u64 config;
};

bool event_name_find(const char *text, u32 *type, u64 *config);
void event_names_walk(void (*fn)(const struct event_name *n, void *arg), void *arg);
bool event_kernel_only(const struct event *e);
void cache_access_name(u64 config, char *buf, size_t size);

/* pmu_sysfs.c */
const char *sysfs_root(void);
const char *tracefs_root(void);
bool pmu_type(const char *pmu, u32 *type);
int pmu_apply_terms(struct event *e, const char *pmu, const char *terms,
		    size_t *bad, struct parse_error *err);
void pmu_terms(const char *pmu, char *buf, size_t size);
bool pmu_has_event(const char *pmu, const char *name);
bool core_pmu_present(void);
void pmus_walk(void (*fn)(const char *pmu, void *arg), void *arg);
void pmu_events_walk(const char *pmu, void (*fn)(const char *pmu, const char *name, void *arg),
		     void *arg);
long tracepoint_id(const char *sys, const char *name);
int tracepoints_walk(void (*fn)(const char *sys, const char *name, void *arg), void *arg);

/* event_parse.c */
int events_parse(struct event_list *l, const char *text, struct parse_error *err);
int events_parse_option(struct event_list *l, const char *text);
void event_list_free(struct event_list *l);

/* target.c */
int cpus_online(struct int_list *l);
/* The options that name a target, alike for each command: for its table, and to take one. 0, or -1: refused. */
#define TARGET_LONG_OPTIONS				\
	{ "all-cpus", no_argument, NULL, 'a' },		\
	{ "cpu", required_argument, NULL, 'C' },	\
	{ "pid", required_argument, NULL, 'p' },	\
	{ "tid", required_argument, NULL, 't' },	\
	{ "no-inherit", no_argument, NULL, 'i' }
int target_take_option(struct target *t, int option, const char *text, const char **cpus);
int target_finish(struct target *t, const char *cpus, bool have_command);

/* child.c */
int child_prepare(struct child *c, char **argv);
int child_go(struct child *c);
bool child_poll(struct child *c);
void child_wait(struct child *c);
void child_abandon(struct child *c);
int child_exit_status(const struct child *c);

/* reason.c */
bool pcl_kernel(void);
char *open_reason(const struct event *e, pid_t pid, int cpu, int group_fd, int err);

/* open.c */
int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags);
bool errno_is_unsupported(int err);
int event_open_all(struct event *e, const struct target *t);
int events_open_or_explain(struct event_list *l, const struct target *t);
void event_close(struct event *e);
void event_ioctl(struct event *e, unsigned long request, unsigned long arg);

/* counts.c */
struct tally {
	unsigned int nr;
	double mean;
	double m2;
};

double count_scale(u64 value, u64 enabled_ns, u64 running_ns);
int event_read(struct event *e, struct count *sum);
struct count count_diff(const struct count *now, const struct count *before);
void tally_add(struct tally *t, double v);
double tally_dev(const struct tally *t);

/* metric.c */
void metrics_fill(struct stat_row *rows, unsigned int nr, double elapsed_s);

/* json.c */
struct json {
	FILE *f;
	unsigned int depth;
	bool comma;
};

void json_begin(struct json *j, const char *key, char bracket);
void json_end(struct json *j, char bracket);
void json_string(struct json *j, const char *key, const char *v);
void json_number(struct json *j, const char *key, double v);
void json_u64(struct json *j, const char *key, u64 v);
void json_null(struct json *j, const char *key);

/* out_text.c, out_csv.c, out_json.c */
void out_text(const struct stat_doc *d);
void out_csv(const struct stat_doc *d);
void out_json(const struct stat_doc *d);

/* cmd_*.c */
int cmd_stat(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_list(int argc, char **argv);

#endif /* PCL_INTERNAL_H */
