// SPDX-License-Identifier: GPL-2.0
/*
 * pcl record: sample events into a perf.data file.
 *
 * Concepts: each event is opened on each CPU for each task of the target; the
 * first descriptor of a CPU has the ring, the others of that CPU write into
 * it. A loop waits for data, moves it to the file, and marks the pass. What
 * was lost is counted and always told.
 * Contexts: one process, one thread; signal handlers only set flags.
 * Locks: none.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

static const char help[] =
"usage: pcl record [options] [--] [command [argument...]]\n"
"Sample where events happen, into a file that pcl report and perf can read.\n"
"\n"
"  -e, --event LIST     events to sample, see pcl-list(1); may be repeated\n"
"  -F, --freq HZ        samples a second for each event (4000)\n"
"  -c, --count N        a sample every N events\n"
"  -g, --call-graph     with call chains (frame pointers)\n"
"  -a, --all-cpus       the whole machine\n"
"  -C, --cpu LIST       these CPUs, such as 0-2,5\n"
"  -p, --pid LIST       all threads of these processes\n"
"  -t, --tid LIST       these threads\n"
"  -i, --no-inherit     leave out children and new threads\n"
"  -m, --mmap N[K|M]    size of the ring of a CPU, in pages or bytes (512K)\n"
"  -o, --output FILE    the file to write (perf.data; an old one gets .old)\n"
"  -q, --quiet          say nothing at the end unless something was lost\n"
"  -h, --help           this text\n"
"\n"
"Ends with the command, with the last task of -p or -t, or at ^C. The default\n"
"event is cycles; where there is no PMU it is cpu-clock, and that is said.\n"
"\n"
"Exit status: that of the command, 128 + N when signal N ended it or the\n"
"recording; 125 when pcl failed, 126 and 127 as for pcl stat.\n";

enum { DEFAULT_FREQ_HZ = 4000, DEFAULT_RING_BYTES = 512 * 1024 };

struct record_opts {
	struct event_list events;
	struct target target;
	const char *cpus;
	char **argv;
	char **whole_argv;
	const char *out_name;
	u64 freq_hz;
	u64 period;
	u64 ring_bytes;
	bool ring_given;
	bool chains;
	bool quiet;
	bool knows_lost;	/* the kernel counts what did not fit (6.0 on) */
	struct ring *rings;
	unsigned int nr_rings;
};

static volatile sig_atomic_t got_signal;
static volatile sig_atomic_t got_child;

static void on_signal(int sig)
{
	if (sig == SIGCHLD)
		got_child = 1;
	else
		got_signal = sig;
}

static int parse_u64(const char *opt, const char *text, u64 *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 10);
	if (end == text || *end || *text == '-' || errno || !*v)
		return complain("%s: '%s' is not a number above zero", opt, text);
	return 0;
}

/* "128" pages, "512K", "8M"; rounded up to a power of two of pages. */
static int parse_ring_size(struct record_opts *o, const char *text)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE), want, bytes = page;
	char *end;

	errno = 0;
	want = strtoull(text, &end, 10);
	if (end == text || *text == '-' || errno || !want || want > 1u << 30)
		goto bad;
	if (!strcmp(end, "K"))
		want <<= 10;
	else if (!strcmp(end, "M"))
		want <<= 20;
	else if (!*end)
		want *= page;
	else
		goto bad;
	if (want > 1ull << 32)
		goto bad;
	while (bytes < want)
		bytes *= 2;
	if (bytes != want)
		complain("note: -m: the ring is a power of two of pages: %llu KiB",
			 (unsigned long long)bytes >> 10);
	o->ring_bytes = bytes;
	o->ring_given = true;
	return 0;
bad:
	return complain("-m: '%s' is not a number of pages, nor a size with K or M up to 4096M",
			text);
}

static int take_option(struct record_opts *o, int c)
{
	switch (c) {
	case 'e':
		return events_parse_option(&o->events, optarg);
	case 'F':
		return parse_u64("-F", optarg, &o->freq_hz);
	case 'c':
		return parse_u64("-c", optarg, &o->period);
	case 'g':
		o->chains = true;
		return 0;
	case 'a':
	case 'C':
	case 'p':
	case 't':
	case 'i':
		return target_take_option(&o->target, c, optarg, &o->cpus);
	case 'm':
		return parse_ring_size(o, optarg);
	case 'o':
		o->out_name = optarg;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	default:
		return -1;
	}
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct record_opts *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "freq", required_argument, NULL, 'F' },
		{ "count", required_argument, NULL, 'c' },
		{ "call-graph", no_argument, NULL, 'g' },
		TARGET_LONG_OPTIONS,
		{ "mmap", required_argument, NULL, 'm' },
		{ "output", required_argument, NULL, 'o' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "+e:F:c:gaC:p:t:im:o:qh", longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 1;
		}
		if (c == '?') {
			fputs("pcl: 'pcl record --help' shows the options\n", stderr);
			return -1;
		}
		if (take_option(o, c))
			return -1;
	}
	o->argv = optind < argc ? argv + optind : NULL;
	if (o->freq_hz && o->period)
		return complain("-F and -c: a rate or a period, not both");
	if (!strcmp(o->out_name, "-"))
		return complain("-o: writing to a pipe is not possible; name a file");
	return target_finish(&o->target, o->cpus, o->argv != NULL);
}

/* The rate of -F, or the default one, within what the kernel allows. */
static int settle_freq(struct record_opts *o)
{
	long max = file_read_long("/proc/sys/kernel/perf_event_max_sample_rate", 100000);

	if (o->period)
		return 0;
	if (o->freq_hz > (u64)max)
		return complain("-F: the kernel allows %ld samples a second; sysctl kernel.perf_event_max_sample_rate=%llu raises that",
				max, (unsigned long long)o->freq_hz);
	if (!o->freq_hz)
		o->freq_hz = max < DEFAULT_FREQ_HZ ? (u64)max : DEFAULT_FREQ_HZ;
	return 0;
}

static int default_event(struct record_opts *o)
{
	struct parse_error err;

	if (o->events.nr)
		return 0;
	if (core_pmu_present())
		return events_parse(&o->events, "cycles", &err);
	complain("note: no hardware PMU is visible here, so cpu-clock is sampled instead of cycles");
	return events_parse(&o->events, "cpu-clock", &err);
}

/* Does the kernel count for each event what did not fit into its ring? */
static bool kernel_counts_lost(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_LOST,
		.exclude_kernel = 1,
	};
	int fd = sys_perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Each event of a group samples on its own; the leader starts all. */
static void set_attr(struct record_opts *o, struct event *e, bool first)
{
	struct perf_event_attr *a = &e->attr;

	a->sample_type |= RECORD_SAMPLE_TYPE;
	if (o->period) {
		a->sample_period = o->period;
	} else if (!a->sample_period) {
		/* an event with a period of its own keeps it */
		a->freq = 1;
		a->sample_freq = o->freq_hz;
		/*
		 * Only here: with a fixed period that is asked for in samples,
		 * stock samples each software event instead of each Nth.
		 */
		a->sample_type |= PERF_SAMPLE_PERIOD;
	}
	if (o->chains)
		a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (a->type == PERF_TYPE_BREAKPOINT)
		a->sample_type |= PERF_SAMPLE_ADDR;
	a->exclude_callchain_kernel = o->chains && a->exclude_kernel;
	a->read_format = PERF_FORMAT_ID | (o->knows_lost ? PERF_FORMAT_LOST : 0);
	a->sample_id_all = 1;
	a->inherit = o->target.inherit && !o->target.system_wide;
	a->disabled = e->leader == e;
	a->enable_on_exec = e->leader == e && o->target.by_command;
	/* one event tells of names, mappings and tasks; it serves all */
	a->comm = a->comm_exec = a->mmap = a->mmap2 = a->task = first;
}

static int read_ids(struct event *e)
{
	unsigned int i, nr = e->nr_cpus * e->nr_tids;

	e->id = mem_zalloc(nr, sizeof(*e->id));
	for (i = 0; i < nr; i++)
		if (e->fd[i] >= 0 && ioctl(e->fd[i], PERF_EVENT_IOC_ID, &e->id[i]))
			return complain("event '%s' has no id: %s", e->name, strerror(errno));
	return 0;
}

static int open_events(struct record_opts *o)
{
	unsigned int i;
	int ret;

	if (events_open_or_explain(&o->events, &o->target))
		return -1;
	for (i = 0; i < o->events.nr; i++) {
		struct event *e = o->events.v[i];

		if (e->status != EVENT_COUNTED)
			return complain("event '%s': %s", e->name, e->reason);
		ret = read_ids(e);
		if (ret)
			return ret;
	}
	return 0;
}

static int explain_mmap(const struct record_opts *o, int err, u64 bytes)
{
	long kb = file_read_long("/proc/sys/kernel/perf_event_mlock_kb", 516);

	if (err == EPERM)
		return complain("the ring of %llu KiB for each of %u CPUs is more than may be locked (kernel.perf_event_mlock_kb is %ld for each CPU, plus ulimit -l); use a smaller -m, sysctl kernel.perf_event_mlock_kb=%llu, or run as root",
				(unsigned long long)bytes >> 10, o->target.cpus.nr, kb,
				(unsigned long long)(bytes >> 10) + 4);
	return complain("no ring of %llu KiB: %s; use a smaller -m",
			(unsigned long long)bytes >> 10, strerror(err));
}

/* Map a ring, a smaller one when the size was not the user's wish. */
static int map_ring(struct record_opts *o, int fd, int cpu)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	int ret;

	for (;;) {
		ret = ring_map(&o->rings[o->nr_rings], fd, cpu,
			       (unsigned int)(o->ring_bytes / page));
		if (!ret)
			break;
		if (ret != -EPERM || o->ring_given || o->ring_bytes <= 4 * page)
			return explain_mmap(o, -ret, o->ring_bytes);
		o->ring_bytes /= 2;
		complain("note: the limit on locked memory allows only a ring of %llu KiB; samples may get lost",
			 (unsigned long long)o->ring_bytes >> 10);
	}
	o->nr_rings++;
	return 0;
}

/* One ring for each CPU: the first descriptor maps it, the rest join. */
static int map_rings(struct record_opts *o)
{
	unsigned int c, t, i;

	o->rings = mem_zalloc(o->target.cpus.nr, sizeof(*o->rings));
	for (c = 0; c < o->target.cpus.nr; c++) {
		int owner = -1;

		for (i = 0; i < o->events.nr; i++)
			for (t = 0; t < o->target.tids.nr; t++) {
				int fd = o->events.v[i]->fd[c * o->target.tids.nr + t];

				if (fd < 0)
					continue;
				if (owner < 0) {
					owner = fd;
					if (map_ring(o, fd, o->target.cpus.v[c]))
						return -1;
				} else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, owner)) {
					return complain("event '%s' cannot share the ring of CPU %d: %s",
							o->events.v[i]->name,
							o->target.cpus.v[c],
							strerror(errno));
				}
			}
	}
	return 0;
}

static bool samples_kernel(const struct event_list *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (!l->v[i]->attr.exclude_kernel)
			return true;
	return false;
}

static void synthesise(struct record_opts *o, struct pd_writer *w)
{
	struct {
		struct perf_event_header h;
	} init = { { PD_RECORD_FINISHED_INIT, 0, sizeof(init) } };
	unsigned int i;

	synth_events(w, &o->events, &o->target);
	if (samples_kernel(&o->events))
		synth_kernel(w);
	if (o->target.system_wide)
		synth_all_processes(w);
	else if (o->target.by_command)
		synth_task(w, o->target.tids.v[0], "pcl-exec");
	else
		for (i = 0; i < o->target.tids.nr; i++)
			synth_process(w, o->target.tids.v[i]);
	pd_append(w, &init, sizeof(init));
}

static int drain_all(struct record_opts *o, struct pd_writer *w)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < o->nr_rings && !ret; i++)
		ret = ring_drain(&o->rings[i], w);
	return ret ? ret : pd_round(w);
}

static bool any_alive(const struct target *t)
{
	unsigned int i;

	for (i = 0; i < t->tids.nr; i++)
		if (!kill(t->tids.v[i], 0) || errno == EPERM)
			return true;
	return false;
}

/* Until the command ends, the target is gone, a signal came, or an error. */
static int record_loop(struct record_opts *o, struct pd_writer *w, struct child *child,
		       const sigset_t *unblocked)
{
	struct pollfd *pfd = mem_zalloc(o->nr_rings, sizeof(*pfd));
	struct timespec ts = { .tv_nsec = 200000000 };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < o->nr_rings; i++)
		pfd[i] = (struct pollfd){ .fd = o->rings[i].fd, .events = POLLIN };
	while (!got_signal && !ret) {
		ret = drain_all(o, w);
		if (o->argv ? got_child && child_poll(child) :
		    !o->target.system_wide && !any_alive(&o->target))
			break;
		got_child = 0;
		ppoll(pfd, o->nr_rings, &ts, unblocked);
		/* an event whose task has ended hangs up for ever: no more poll on it */
		for (i = 0; i < o->nr_rings; i++)
			if (pfd[i].revents & (POLLHUP | POLLERR | POLLNVAL))
				pfd[i].fd = -1;
	}
	free(pfd);
	return ret;
}

static void catch_signals(sigset_t *unblocked)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction sa = { .sa_handler = on_signal };
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], &sa, NULL);
		sigaddset(&block, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &block, unblocked);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigdelset(unblocked, signals[i]);
}

static void switch_events(struct record_opts *o, unsigned long request)
{
	unsigned int i;

	for (i = 0; i < o->events.nr; i++)
		if (request == PERF_EVENT_IOC_DISABLE ||
		    o->events.v[i]->leader == o->events.v[i])
			event_ioctl(o->events.v[i], request, 0);
}

/*
 * A LOST record comes only with the next record that fits, which may be never;
 * so the counts of the events themselves have the last word.
 */
static void record_lost(struct record_opts *o, struct pd_writer *w)
{
	struct { u64 value, id, lost; } r;
	unsigned int i, k;

	for (i = 0; i < o->events.nr && o->knows_lost; i++) {
		struct event *e = o->events.v[i];

		for (k = 0; k < e->nr_cpus * e->nr_tids; k++)
			if (e->fd[k] >= 0 && read(e->fd[k], &r, sizeof(r)) == sizeof(r) && r.lost)
				synth_lost(w, r.id, r.lost);
	}
}

static void print_totals(const struct record_opts *o, const struct pd_writer *w)
{
	const struct pd_totals *t = &w->totals;

	u64 lost = t->lost > t->lost_samples ? t->lost : t->lost_samples;

	if (o->quiet && !lost)
		return;
	fprintf(stderr, "pcl record: %llu samples, %llu lost, %.3f MB in %s\n",
		(unsigned long long)t->samples, (unsigned long long)lost,
		(double)(w->data_offset + w->data_size) / 1e6, o->out_name);
	if (lost)
		fprintf(stderr, "pcl record: the rings were full at times; a larger -m (now %lluK), or fewer samples (-F, -c), helps\n",
			(unsigned long long)o->ring_bytes >> 10);
	if (t->throttled)
		fprintf(stderr, "pcl record: the kernel throttled %llu times; kernel.perf_event_max_sample_rate and perf_cpu_time_max_percent limit sampling\n",
			(unsigned long long)t->throttled);
}

/* Events are open and rings mapped: the recording itself. */
static int record_run(struct record_opts *o, struct child *child, const sigset_t *unblocked,
		      int *status)
{
	struct pd_writer w;
	int ret;

	ret = pd_create(&w, o->out_name, &o->events);
	if (ret) {
		if (o->argv)
			child_abandon(child);
		return ret;
	}
	synthesise(o, &w);
	if (!o->target.by_command)
		switch_events(o, PERF_EVENT_IOC_ENABLE);
	if (o->argv && child_go(child)) {
		*status = child_exit_status(child);
		ret = -1;
	} else {
		ret = record_loop(o, &w, child, unblocked);
		if (o->argv && !child->reaped)
			kill(child->pid, SIGTERM);
		switch_events(o, PERF_EVENT_IOC_DISABLE);
		if (!ret)
			ret = drain_all(o, &w);
		record_lost(o, &w);
		if (o->argv) {
			child_wait(child);
			*status = child_exit_status(child);
		} else if (got_signal) {
			*status = 128 + got_signal;
		}
	}
	if (pd_finish(&w, &o->events, o->whole_argv))
		ret = -1;
	if (!ret)
		print_totals(o, &w);
	return ret;
}

static int record_main(struct record_opts *o)
{
	struct child child = { 0 };
	int status = 0, ret;
	sigset_t unblocked;
	unsigned int i;

	catch_signals(&unblocked);
	if (o->argv && child_prepare(&child, o->argv))
		return EXIT_PCL;
	if (o->target.by_command)
		int_list_add(&o->target.tids, child.pid);
	/* an inherited event has a ring only when it is bound to a CPU */
	if (o->target.cpus.nr == 1 && o->target.cpus.v[0] == -1) {
		o->target.cpus.nr = 0;
		cpus_online(&o->target.cpus);
	}
	if (open_events(o) || map_rings(o)) {
		if (o->argv)
			child_abandon(&child);
		ret = -1;
	} else {
		ret = record_run(o, &child, &unblocked, &status);
	}
	for (i = 0; i < o->nr_rings; i++)
		ring_unmap(&o->rings[i]);
	free(o->rings);
	return ret && !status ? EXIT_PCL : status;
}

int cmd_record(int argc, char **argv)
{
	struct record_opts o = {
		.target.inherit = true,
		.out_name = "perf.data",
		.whole_argv = argv - 1,
		.ring_bytes = DEFAULT_RING_BYTES,
	};
	int ret = parse_options(&o, argc, argv);
	unsigned int i;

	if (!ret)
		ret = settle_freq(&o);
	if (!ret)
		ret = default_event(&o);
	if (ret) {
		ret = ret > 0 ? 0 : EXIT_PCL;
		goto out;
	}
	o.knows_lost = kernel_counts_lost();
	for (i = 0; i < o.events.nr; i++)
		set_attr(&o, o.events.v[i], !i);
	ret = record_main(&o);
out:
	event_list_free(&o.events);
	int_list_free(&o.target.cpus);
	int_list_free(&o.target.tids);
	return ret;
}
