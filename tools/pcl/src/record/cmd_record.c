// SPDX-License-Identifier: GPL-2.0
/*
 * pcl record: sample events into a perf.data file.
 *
 * Concepts: the main thread prepares everything, starts the pipeline that
 * writes the file, lets the command go, and waits for what ends the recording:
 * the command, the last task, a signal, the control, a full disk. Then the
 * events stop, the pipeline empties the rings, and the file is closed; all
 * ways out go the same way, so the file is whole after each. What was lost is
 * counted and always told.
 * Contexts: the main thread; signal handlers only set flags and ring eventfds,
 * and run only while it waits, and while it or the writer may wait for the
 * reader of a pipe. The other threads block all signals.
 * Locks: none.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"

enum { LOOK_MS = 200 };	/* how often to see whether the tasks of -p are alive */

static volatile sig_atomic_t got_signal;
static volatile sig_atomic_t got_child;
static volatile sig_atomic_t got_cut;
static struct pd_end wanted_end = { -1, -1 };

static void on_signal(int sig)
{
	int err = errno;

	if (sig == SIGCHLD) {
		got_child = 1;
	} else if (sig == SIGUSR2) {
		got_cut = 1;
	} else {
		wakeup_send(got_signal == sig ? wanted_end.insisted : wanted_end.asked);
		got_signal = sig;
	}
	errno = err;
}

/* A failed write says more than these do. */
static void on_failed_write(int sig)
{
	(void)sig;
}

/* SIGUSR2 only where it has a meaning; elsewhere it does what it does to all. */
static void catch_signals(const struct record_opts *o, sigset_t *unblocked)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR2 };
	size_t nr = ARRAY_SIZE(signals) - !(o->snapshot || o->rotation == ROTATE_SIGNAL);
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < nr; i++)
		sigaddset(&block, signals[i]);
	/* first: what a handler hears before wanted_end is there would be heard by nobody else */
	sigprocmask(SIG_BLOCK, &block, unblocked);
	for (i = 0; i < nr; i++) {
		sigaction(signals[i], &sa, NULL);
		sigdelset(unblocked, signals[i]);
	}
	/* handled, not ignored: the command would inherit that */
	sa.sa_handler = on_failed_write;
	sigaction(SIGPIPE, &sa, NULL);
	sigaction(SIGXFSZ, &sa, NULL);
}

/* From here on a signal ends the tool at once, as it ends any other. */
static void release_signals(const sigset_t *unblocked)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	sigprocmask(SIG_SETMASK, unblocked, NULL);
}

/* Did a signal come while all were blocked? */
static bool signal_waits(const sigset_t *unblocked)
{
	static const struct timespec now = { 0 };

	ppoll(NULL, 0, &now, unblocked);
	return got_signal;
}

static void on_command(enum control_command what, void *arg)
{
	struct recording *r = arg;

	switch (what) {
	case CONTROL_ENABLE:
		record_switch_events(r, PERF_EVENT_IOC_ENABLE);
		r->enable_at_ns = 0;
		break;
	case CONTROL_DISABLE:
		record_switch_events(r, PERF_EVENT_IOC_DISABLE);
		break;
	case CONTROL_STOP:
		r->stop = true;
		break;
	case CONTROL_SNAPSHOT:
		if (r->o->snapshot || r->o->rotation)
			pipeline_cut(&r->pipeline);
		else
			complain("note: the control asks for a snapshot; that needs --snapshot or --switch-output");
		break;
	case CONTROL_PING:
		break;
	}
}

/* Enable when the time of --delay is over. Returns how long to wait at most. */
static struct timespec look_at_clock(struct recording *r)
{
	u64 now_ns = clock_ns(), wait_ns = LOOK_MS * 1000000ull;

	if (r->enable_at_ns && now_ns >= r->enable_at_ns) {
		record_switch_events(r, PERF_EVENT_IOC_ENABLE);
		r->enable_at_ns = 0;
	}
	if (r->enable_at_ns && r->enable_at_ns - now_ns < wait_ns)
		wait_ns = r->enable_at_ns - now_ns;
	return (struct timespec){ .tv_nsec = (long)wait_ns };
}

static bool target_gone(struct recording *r)
{
	bool looked = got_child;

	got_child = 0;
	if (r->o->argv)
		return looked && child_poll(&r->child);
	return !r->o->target.system_wide && !target_alive(&r->o->target);
}

/* Until the command ends, the target is gone, a signal came, or an error. */
static void wait_for_end(struct recording *r, const sigset_t *unblocked)
{
	struct pollfd pfd[2];
	struct timespec ts;

	while (!got_signal && !r->stop) {
		if (target_gone(r) ||
		    __atomic_load_n(&r->pipeline.failed, __ATOMIC_ACQUIRE))
			return;
		pfd[0] = (struct pollfd){ .fd = r->wake, .events = POLLIN };
		pfd[1] = (struct pollfd){ .fd = r->control.fd, .events = POLLIN };
		ts = look_at_clock(r);
		if (ppoll(pfd, ARRAY_SIZE(pfd), &ts, unblocked) > 0 && pfd[1].revents)
			control_read(&r->control, on_command, r);
		if (got_cut) {
			got_cut = 0;
			pipeline_cut(&r->pipeline);
		}
	}
}

/* Where it went, and how much that is. */
static void print_place(const struct recording *r)
{
	const struct output *out = &r->output;
	double mb = (double)output_bytes(out) / 1e6;

	if (!strcmp(r->o->out_name, "-"))
		fprintf(stderr, "%.3f MB in a pipe\n", mb);
	else if (out->nr_files == 1)
		fprintf(stderr, "%.3f MB in %s\n", mb, output_path(out));
	else
		fprintf(stderr, "%.3f MB in %u files\n", mb, out->nr_files);
}

static void print_totals(const struct recording *r)
{
	struct pd_totals t = output_totals(&r->output);
	u64 lost = t.lost > t.lost_samples ? t.lost : t.lost_samples;
	u64 stalls = r->pipeline.nr_stalls;

	if (r->o->quiet && !lost && !t.unwritten)
		return;
	fprintf(stderr, "pcl record: %llu sample%s, %llu lost, ", (unsigned long long)t.samples,
		t.samples == 1 ? "" : "s", (unsigned long long)(lost + t.unwritten));
	print_place(r);
	if (!t.samples && !lost && !t.unwritten)
		say_to(stderr, "pcl record: ", "nothing happened that these events count, or too little for a sample");
	if (t.unwritten)
		fprintf(stderr, "pcl record: %llu samples could not be written\n",
			(unsigned long long)t.unwritten);
	if (lost)
		say_to(stderr, "pcl record: ", "the rings were full at times; a larger -m (now %lluK), or fewer samples (-F, -c), helps",
		       (unsigned long long)r->o->ring_bytes >> 10);
	if (stalls)
		say_to(stderr, "pcl record: ", "the file was written more slowly than the rings filled, %llu times",
		       (unsigned long long)stalls);
	if (r->pipeline.converter && r->pipeline.converter->unwinders)
		unwinders_report(r->pipeline.converter->unwinders);
	if (t.throttled)
		say_to(stderr, "pcl record: ", "the kernel throttled %llu times; kernel.perf_event_max_sample_rate and perf_cpu_time_max_percent limit sampling",
		       (unsigned long long)t.throttled);
}

/* After the command was waited for: what recording cost, in what can be looked up elsewhere. */
static void print_overhead(const struct recording *r)
{
	struct pd_totals t = output_totals(&r->output);
	const struct rusage *u = &r->child.usage;
	u64 lost = (t.lost > t.lost_samples ? t.lost : t.lost_samples) + t.unwritten;
	u64 woken = r->pipeline.nr_wakeups;
	unsigned int nr = r->pipeline.nr_readers;

	own_cost_print(stderr, "pcl record: ",
		       r->o->argv ? timeval_seconds(&u->ru_utime) + timeval_seconds(&u->ru_stime) : 0);
	fprintf(stderr, "pcl record: overhead: %llu bytes and %llu record%s written, %llu sample%s lost, "
		"%u thread%s woken %llu time%s\n",
		(unsigned long long)output_bytes(&r->output), (unsigned long long)t.records, t.records == 1 ? "" : "s",
		(unsigned long long)lost, lost == 1 ? "" : "s", nr, nr == 1 ? "" : "s",
		(unsigned long long)woken, woken == 1 ? "" : "s");
}

/* Start the events, and the command. 0, or -1 when it could not be run. */
static int start_target(struct recording *r)
{
	struct record_opts *o = r->o;

	if (o->delay_ms > 0)
		r->enable_at_ns = clock_ns() + (u64)o->delay_ms * 1000000;
	return o->argv ? child_go(&r->child) : 0;
}

/* Do that while signals are heard: a FIFO may have no reader, a pipe may be full and its reader stopped. */
static int output_heard(struct recording *r, int (*what)(struct output *out), const sigset_t *unblocked)
{
	sigset_t blocked;
	int ret;

	pthread_sigmask(SIG_SETMASK, unblocked, &blocked);
	ret = what(&r->output);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	return ret;
}

/*
 * Events are open and rings mapped: the recording itself. Returns the exit
 * status.
 */
static int record_run(struct recording *r, const sigset_t *unblocked)
{
	struct record_opts *o = r->o;
	bool failed, opened, started = false;
	int status = 0;

	/* before the past is described: tasks that come meanwhile are told of by the events */
	if (!o->target.by_command)
		record_switch_tracker(r, PERF_EVENT_IOC_ENABLE);
	if (!o->target.by_command && !o->delay_ms)
		record_switch_events(r, PERF_EVENT_IOC_ENABLE);
	if (o->snapshot) {
		r->snapshot = (struct snapshot){ &r->output, r->overwriting, r->nr_overwriting };
		r->pipeline.snapshot = &r->snapshot;
	}
	failed = pipeline_init(&r->pipeline, &r->output, r->wake) || record_convert(r) ||
		 output_heard(r, o->snapshot ? output_learn : output_open, unblocked);
	if (!failed && o->target.system_wide)
		record_skip_samples(r);
	failed = failed ||
		 pipeline_start(&r->pipeline, r->rings, r->nr_rings, o->readers);
	opened = !failed;
	if (opened && !signal_waits(unblocked)) {
		started = true;
		if (start_target(r))
			status = child_exit_status(&r->child);
		else
			wait_for_end(r, unblocked);
	}
	if (started && o->argv && !r->child.reaped)
		kill(r->child.pid, SIGTERM);
	record_switch_events(r, PERF_EVENT_IOC_DISABLE);
	record_switch_tracker(r, PERF_EVENT_IOC_DISABLE);
	pthread_sigmask(SIG_SETMASK, unblocked, NULL);
	pipeline_stop(&r->pipeline);
	if (r->pipeline.converter && r->pipeline.converter->unwinders)
		unwinders_stop(r->pipeline.converter->unwinders);
	record_describe_lost(r);
	failed |= r->output.w.failed;
	failed |= output_close(&r->output) != 0;
	if (!status && opened)
		print_totals(r);
	release_signals(unblocked);
	if (started && o->argv) {
		child_wait(&r->child);
		status = child_exit_status(&r->child);
	} else {
		if (o->argv)
			child_abandon(&r->child);
		status = got_signal ? 128 + got_signal : 0;
	}
	if (started && o->overhead)
		print_overhead(r);
	return failed ? EXIT_PCL : status;
}

static int record_main(struct recording *r)
{
	struct record_opts *o = r->o;
	sigset_t unblocked;
	int status;

	catch_signals(o, &unblocked);
	r->wake = wakeup_new();
	wanted_end = (struct pd_end){ wakeup_new(), wakeup_new() };
	if (r->wake < 0 || wanted_end.asked < 0 || wanted_end.insisted < 0)
		return EXIT_PCL;
	if (output_heard(r, output_claim, &unblocked))
		return got_signal ? 128 + got_signal : EXIT_PCL;
	if (o->control && control_open(&r->control, o->control))
		return EXIT_PCL;
	if (o->argv && child_prepare(&r->child, o->argv))
		return EXIT_PCL;
	if (o->target.by_command)
		int_list_add(&o->target.tids, r->child.pid);
	/* an inherited event has a ring only when it is bound to a CPU */
	if (o->target.cpus.nr == 1 && o->target.cpus.v[0] == -1) {
		o->target.cpus.nr = 0;
		cpus_online(&o->target.cpus);
	}
	if (record_open_events(r) || record_map_rings(r)) {
		if (o->argv)
			child_abandon(&r->child);
		status = EXIT_PCL;
	} else {
		status = record_run(r, &unblocked);
	}
	record_unmap_rings(r);
	control_close(&r->control);
	output_free(&r->output);
	if (r->pipeline.converter)
		converter_free(r->pipeline.converter);
	return status;
}

/* The command line as it was given; argv[0] is "pcl record", for messages. */
static char **whole_command(int argc, char **argv)
{
	char **whole = mem_zalloc((size_t)argc + 2, sizeof(*whole));

	whole[0] = argv[-1];
	memcpy(whole + 1, argv, (size_t)argc * sizeof(*whole));
	whole[1] = "record";
	return whole;
}

int cmd_record(int argc, char **argv)
{
	struct mapped_files files = { 0 };
	struct record_opts o = {
		.target.inherit = true,
		.out_name = "perf.data",
		.settings = { .argv = whole_command(argc, argv), .end = &wanted_end, .files = &files },
	};
	struct recording r = {
		.o = &o,
		.control = { .fd = -1, .ack_fd = -1 },
		.wake = -1,
	};
	int ret = record_parse_options(&o, argc, argv);

	r.output.o = &o;
	r.output.events = &r.out_events;
	if (!ret && record_settle(&o))
		ret = -1;
	if (!ret)
		ret = record_main(&r);
	else
		ret = ret > 0 ? 0 : EXIT_PCL;
	record_events_free(&r);
	if (r.wake >= 0)
		close(r.wake);
	if (wanted_end.asked >= 0)
		close(wanted_end.asked);
	if (wanted_end.insisted >= 0)
		close(wanted_end.insisted);
	event_list_free(&o.events);
	target_free(&o.target);
	free(o.settings.argv);
	mapped_files_free(&files);
	return ret;
}
