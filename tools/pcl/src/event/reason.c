// SPDX-License-Identifier: GPL-2.0
/*
 * Why the kernel refused an event, and the way out, in words.
 *
 * Concepts: the cause is a row of the table in cause.c; here its texts get
 * their numbers. A PCL kernel also tells its own reason: there the refused
 * call is made once more with a buffer for the text.
 * Contexts: after a failed open.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

/* Does a PCL kernel run here? */
bool pcl_kernel(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/kernel/pcl/version", sysfs_root());
	return !access(path, R_OK);
}

/* The kernel's own reason for refusing this call; NULL when it gives none. */
static char *kernel_reason(const struct refused *c)
{
	struct perf_event_attr attr = *c->attr;
	char text[256] = "";
	struct pcl_open po = {
		.size = sizeof(po),
		.attr = (u64)(uintptr_t)&attr,
		.why_text = (u64)(uintptr_t)text,
		.why_text_size = sizeof(text),
	};
	long fd;

	fd = syscall(SYS_perf_event_open, &po, c->pid, c->cpu, c->group_fd,
		     c->flags | PERF_FLAG_FD_CLOEXEC | PCL_FLAG_OPEN);
	if (fd >= 0)
		close((int)fd);
	text[sizeof(text) - 1] = '\0';
	return text[0] ? str_dup(text) : NULL;
}

/* What stands for a word in braces. */
struct word {
	const char *name;
	char *value;
};

static char *this_program(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	return n > 0 ? str_ndup(path, (size_t)n) : str_dup("pcl");
}

#define NR_WORDS	14

static void words_fill(struct word *w, const struct refused *c, const struct rights *r)
{
	unsigned long long files = r->nofile.rlim_cur;

	*w++ = (struct word){ "filter", str_dup(strerror(r->filter_errno)) };
	*w++ = (struct word){ "paranoid", r->paranoid == PARANOID_UNKNOWN ?
			      str_dup("not readable") : str_printf("%ld", r->paranoid) };
	*w++ = (struct word){ "level", str_printf("%d", refused_level(c)) };
	*w++ = (struct word){ "modules", r->modules[0] ? str_printf(" (%s)", r->modules) :
			      str_dup("") };
	*w++ = (struct word){ "what", str_dup(refused_what(c)) };
	*w++ = (struct word){ "errno", str_dup(strerror(c->err)) };
	*w++ = (struct word){ "pid", str_printf("%d", (int)c->pid) };
	*w++ = (struct word){ "cpu", str_printf("%d", c->cpu) };
	*w++ = (struct word){ "precise", str_printf("%u", (unsigned int)c->attr->precise_ip) };
	*w++ = (struct word){ "rate", str_printf("%llu", (unsigned long long)c->attr->sample_freq) };
	*w++ = (struct word){ "max-rate", str_printf("%ld", r->max_rate) };
	*w++ = (struct word){ "files", str_printf("%llu", files) };
	*w++ = (struct word){ "files-more", str_printf("%llu", files * 4) };
	*w++ = (struct word){ "pcl", this_program() };
}

static const char *word_value(const struct word *words, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < NR_WORDS; i++)
		if (strlen(words[i].name) == n && !strncmp(words[i].name, name, n))
			return words[i].value;
	return NULL;
}

/* The text with its words filled in; a brace that holds none stays. */
static char *text_fill(const char *text, const struct word *words)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return str_dup(text);
	while (*text) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL, *value = NULL;

		if (end)
			value = word_value(words, text + 1, (size_t)(end - text - 1));
		if (value) {
			fputs(value, f);
			text = end + 1;
		} else {
			fputc(*text++, f);
		}
	}
	fclose(f);
	return out;
}

static void words_free(struct word *w)
{
	size_t i;

	for (i = 0; i < NR_WORDS; i++)
		free(w[i].value);
}

/* A text of the table as a user with these rights would read it of this event. */
char *cause_text(const char *text, const struct perf_event_attr *attr, const struct rights *r)
{
	struct refused c = { .attr = attr, .cpu = -1, .group_fd = -1 };
	struct word words[NR_WORDS];
	char *filled;

	words_fill(words, &c, r);
	filled = text_fill(text, words);
	words_free(words);
	return filled;
}

static bool opens_alone(const struct refused *c)
{
	struct perf_event_attr attr = *c->attr;
	int fd;

	if (c->group_fd < 0 || c->err != EINVAL)
		return false;
	fd = sys_perf_event_open(&attr, c->pid, c->cpu, -1, c->flags | PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The cause, with its texts filled in; explanation_free() takes it back. */
void explain(struct explanation *x, struct refused *c)
{
	const struct cause *cause;
	struct word words[NR_WORDS];
	struct rights r;

	rights_read(&r);
	x->kernel = pcl_kernel() ? kernel_reason(c) : NULL;
	c->kernel = x->kernel;
	c->opens_alone = opens_alone(c);
	cause = cause_find(c, &r);
	words_fill(words, c, &r);
	x->cause = cause->name;
	x->retold = x->kernel && cause_retold(cause);
	x->why = text_fill(cause->why, words);
	x->fix = text_fill(cause->fix, words);
	words_free(words);
}

/* Why no ring of so many bytes was mapped on each of the CPUs. */
void explain_ring(struct explanation *x, int err, u64 bytes, unsigned int nr_cpus)
{
	unsigned long long kib = bytes >> 10;

	memset(x, 0, sizeof(*x));
	if (err != EPERM) {
		x->cause = "ring";
		x->why = str_printf("no ring of %llu KiB: %s", kib, strerror(err));
		x->fix = str_dup("use a smaller -m");
		return;
	}
	x->cause = "mlock";
	x->why = str_printf("the ring of %llu KiB for each of %u CPUs is more than may be locked (kernel.perf_event_mlock_kb is %ld for each CPU, plus ulimit -l)",
			    kib, nr_cpus, file_read_long("/proc/sys/kernel/perf_event_mlock_kb", 516));
	x->fix = str_printf("use a smaller -m, sudo sysctl kernel.perf_event_mlock_kb=%llu, or run as root or with CAP_IPC_LOCK", kib + 4);
}

void explanation_free(struct explanation *x)
{
	free(x->why);
	free(x->fix);
	free(x->kernel);
	memset(x, 0, sizeof(*x));
}

/*
 * One line: the kernel's reason when it gives one, and what can be done.
 * The caller frees it.
 */
char *explanation_line(const struct explanation *x)
{
	const char *parts[] = { x->kernel, x->retold ? NULL : x->why, x->fix };
	char *line = str_dup(x->kernel ? "the kernel says: " : ""), *longer;
	bool any = false;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!parts[i] || !*parts[i])
			continue;
		longer = str_printf("%s%s%s", line, any ? "; " : "", parts[i]);
		free(line);
		line = longer;
		any = true;
	}
	return line;
}

/* The same for an event that was refused. */
char *open_reason(const struct event *e, pid_t pid, int cpu, int group_fd, int err)
{
	struct refused c = {
		.attr = &e->attr, .pid = pid, .cpu = cpu, .group_fd = group_fd, .err = err,
		.flags = e->open_flags,
		.of_package = e->pmu_cpus.nr != 0,
	};
	struct explanation x;
	char *line;

	explain(&x, &c);
	line = explanation_line(&x);
	explanation_free(&x);
	return line;
}
