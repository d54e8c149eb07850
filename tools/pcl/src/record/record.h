/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pcl record: from the rings to the file.
 *
 * Readers take records out of the rings, in passes; one writer puts them into
 * the file. In between, where that is asked for, records are put in order of
 * time, time off the CPU is made into samples, and stacks into call chains.
 */
#ifndef PCL_RECORD_H
#define PCL_RECORD_H

#include <pthread.h>

#include "data/perfdata.h"
#include "event/event.h"
#include "record/mailbox.h"
#include "record/ring.h"

enum chain_mode {
	CHAINS_NONE,
	CHAINS_FP,		/* the kernel follows frame pointers */
	CHAINS_LBR,		/* the CPU remembers the calls */
	CHAINS_DWARF,		/* the stack is copied, and unwound by us */
};

enum rotation {
	ROTATE_NEVER,
	ROTATE_SIZE,
	ROTATE_TIME,
	ROTATE_SIGNAL,
};

/* For -F max. */
#define FREQ_MAX	(~0ull)

/* What the command line asks for. */
struct record_opts {
	struct event_list events;
	struct target target;
	const char *cpus;
	char **argv;		/* the command; NULL: none */
	const char *out_name;
	bool out_is_pipe;	/* written from front to back: standard output, a FIFO, a device */
	u64 freq_hz;		/* FREQ_MAX: what the kernel allows */
	bool freq_given;
	u64 period;
	u64 ring_bytes;
	bool ring_given;
	enum chain_mode chains;
	u32 stack_bytes;	/* of the stack that a sample copies */
	bool raw;		/* copied stacks go to the file as they are */
	bool off_cpu;
	bool quiet;
	bool overhead;		/* tell what recording cost */
	bool snapshot;
	enum rotation rotation;
	u64 rotate_at;		/* bytes or nanoseconds */
	unsigned int max_files;	/* 0: any number */
	long delay_ms;		/* -1: until 'enable' comes */
	const char *control;
	int readers;		/* 0: our choice; -1: one for each CPU */
	struct pd_settings settings;
};

/* record_options.c */
int record_parse_options(struct record_opts *o, int argc, char **argv);

struct reader;

/* Records of one ring, on their way to the file. */
struct chunk {
	struct message msg;
	struct chunk *next;	/* of the writer */
	struct reader *reader;	/* whose memory it takes; NULL: nobody's */
	u32 pass;
	unsigned int users;	/* of the writer: records that wait */
	size_t size;
	u8 records[] __attribute__((aligned(8)));
};

/* A thread that takes records out of some rings. */
struct reader {
	pthread_t thread;
	struct ring **rings;	/* [I] */
	unsigned int nr_rings;	/* [I] */
	struct mailbox *to;	/* [I] */
	const u32 *wanted;	/* [A] the pass that the writer asks for */
	int wake;		/* [I] eventfd */
	int cpu;		/* [I] to run on; -1: any */
	pthread_mutex_t lock;	/* held while records are taken out */
	u32 acked;		/* [M] the last pass it has made */
	bool stop;		/* [A] */
	bool stalled;		/* [A] holds as much as it may, and waits for the writer */
	bool full_sent;		/* [A] the message full is in the writer's mailbox */
	size_t held;		/* [A] bytes of its chunks that live */
	size_t limit;		/* [I] of held */
	u64 nr_stalls;
	u64 nr_wakeups;		/* how often it waited, and was woken */
	struct message ack, full;
};

/* reader.c */
int reader_start(struct reader *r);
void reader_stop(struct reader *r);
void reader_serve(struct reader *r);
void reader_heard(struct reader *r);
bool reader_pass_idle(struct reader *r, u32 pass);
void chunk_free(struct chunk *c);

/* Ids of our own making in the file: of the event offcpu-time, and of samples kept raw. */
#define OFF_CPU_ID	(1ull << 62)
#define RAW_ID_BIT	(1ull << 63)

/* What samples of an id are, and what the file makes of them. */
struct source {
	struct perf_event_attr attr;	/* as the kernel writes them */
	enum {
		SOURCE_EVENT,		/* an event of the file */
		SOURCE_SWITCH,		/* the stack of a task that leaves its CPU */
		SOURCE_OFF_CPU,		/* time off the CPU, made here */
	} kind;
};

/* Records of a few passes, until it is sure which is the oldest. */
struct timeline {
	struct moment {
		struct when when;
		struct chunk *chunk;
		const struct perf_event_header *h;
	} *v;
	unsigned int nr, room;
	u64 number;
	u64 latest_ns;			/* of all so far */
	u64 limit_ns;			/* the latest when the pass before ended */
};

/* timeline.c */
void timeline_add(struct timeline *t, struct chunk *c);
void timeline_take(struct timeline *t, bool all,
		   void (*fn)(void *arg, struct chunk *c, const struct perf_event_header *h,
			      u64 time_ns), void *arg);
void timeline_free(struct timeline *t);
void chunk_put(struct chunk *c);
u64 record_time_ns(const struct perf_event_header *h);
u64 *record_trailer_id(const struct perf_event_header *h);

/* Who is off the CPU, since when, and where it left. */
struct off_cpu {
	struct num_map tasks;		/* tid -> struct off_task */
	bool exact;			/* by the stack of the switch, not of the nearest sample */
	unsigned int empty_words;	/* behind the period, of a sample without stack */
	u64 last_ns;
	void (*emit)(void *arg, struct chunk *c);
	void *arg;
};

/* off_cpu.c */
void off_cpu_stack(struct off_cpu *o, const struct source *s, const struct perf_event_header *h);
void off_cpu_record(struct off_cpu *o, const struct perf_event_header *h, u64 time_ns);
void off_cpu_end(struct off_cpu *o);
void off_cpu_free(struct off_cpu *o);

struct output;
struct tasks;
struct unwinders;

/* unwinders.c */
struct unwinders *unwinders_new(struct output *out, struct mailbox *done, unsigned int nr);
int unwinders_start(struct unwinders *u);
void unwinders_tell(struct unwinders *u, const struct perf_event_header *h);
void unwinders_pass(struct unwinders *u, struct chunk *c, const struct perf_event_header *h);
void unwinders_sample(struct unwinders *u, const struct source *s, struct chunk *c,
		      const struct perf_event_header *h);
void unwinders_flush(struct unwinders *u);
int unwinders_done(struct unwinders *u, struct message *m);
int unwinders_finish(struct unwinders *u);
void unwinders_stop(struct unwinders *u);
void unwinders_report(const struct unwinders *u);
void unwinders_free(struct unwinders *u);

/* Records in order of time, made into what the file has. NULL where nothing is to be made. */
struct converter {
	struct timeline timeline;
	struct off_cpu *off_cpu;	/* NULL: not asked for */
	struct unwinders *unwinders;	/* NULL: stacks are not ours to unwind */
	struct num_map sources;		/* id -> struct source */
	u64 first_id;			/* of an event that the file knows */
	struct output *out;
	bool failed;
};

/* converter.c */
void converter_off_cpu(void *arg, struct chunk *c);
void converter_source(struct converter *s, u64 id, const struct source *what);
int converter_pass_end(struct converter *s, bool last);
void converter_free(struct converter *s);

/* The files being written, one after the other. */
struct output {
	const struct record_opts *o;
	const struct pd_out_events *events;
	struct pd_writer w;
	struct unwinders *unwinders;	/* to be told of the past; or NULL */
	struct blob past;		/* of a series: records that each file needs */
	bool forgot;			/* there were too many of them */
	struct tasks *tasks;		/* of a series: who lives; NULL: nothing is known yet */
	u64 opened_ns;
	unsigned int nr_files;
	struct pd_totals before;	/* of the files already closed */
	u64 bytes_before;
	char **paths;			/* of the files that are kept */
	unsigned int nr_paths;
	int pipe_fd;			/* of out_is_pipe; once the file is open, that has it */
	bool open;
};

/* output.c */
int output_claim(struct output *out);
int output_learn(struct output *out);
int output_open(struct output *out);
void output_note(struct output *out, const struct perf_event_header *h);
int output_close(struct output *out);
int output_next(struct output *out);
bool output_is_over(const struct output *out);
const char *output_path(const struct output *out);
struct pd_totals output_totals(const struct output *out);
u64 output_bytes(const struct output *out);
void output_free(struct output *out);

/* The newest records, in rings that overwrite; what they need is kept beside. */
struct snapshot {
	struct output *out;
	struct ring *rings;
	unsigned int nr_rings;
};

/* snapshot.c */
void snapshot_keep(struct snapshot *s, struct chunk *c);
int snapshot_write(struct snapshot *s);

/* Commands from outside: an open pipe, and what came of a line so far. */
struct control {
	int fd;			/* -1: none */
	int ack_fd;
	bool opened;		/* by us */
	char line[64];
	size_t used;
};

enum control_command {
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
};

/* control.c */
int control_open(struct control *c, const char *where);
void control_read(struct control *c, void (*fn)(enum control_command what, void *arg), void *arg);
void control_close(struct control *c);

/* The writer, and the readers it asks for passes. */
struct pipeline {
	pthread_t thread;
	struct mailbox box;
	struct output *out;	/* [I] */
	struct converter *converter;	/* [I] NULL: records go to the file as they come */
	struct snapshot *snapshot;	/* [I] NULL: there is one file, all the time */
	struct reader *readers;
	unsigned int nr_readers;
	size_t reader_bytes;	/* [I] that each may hold; 0: by their number */
	u32 pass;		/* [A] asked for; readers look at it */
	u32 closed;		/* the last that all have made */
	unsigned int nr_acks;
	u64 pass_start_ns;
	struct chunk *next_pass;	/* of the pass after this one, last first */
	bool last_pass;
	bool hurry;		/* a reader holds as much as it may, or a new file is wanted */
	bool cut;		/* with the end of cut_pass, end the file too */
	u32 cut_pass;
	int cut_done;		/* eventfd: that was done */
	bool stopping;
	bool failed;		/* [A] the file takes no more */
	u64 nr_stalls;		/* how often readers had to leave records in the rings */
	u64 nr_wakeups;		/* of all readers, once they are stopped */
	int wake_main;		/* [I] eventfd for the above */
	struct message stop, want_cut;
};

/* pipeline.c */
void pipeline_cut(struct pipeline *p);
int pipeline_init(struct pipeline *p, struct output *out, int wake_main);
int pipeline_start(struct pipeline *p, struct ring *rings, unsigned int nr_rings, int nr_readers);
void pipeline_stop(struct pipeline *p);

/* One recording. */
struct recording {
	struct record_opts *o;
	bool knows_lost;	/* the kernel counts what did not fit (6.0 on) */
	struct event_list all;	/* the user's events, then those of our own */
	struct event_list own;
	struct event *switches;	/* of our own: its samples are the stacks of tasks that leave a CPU; or NULL */
	struct event *tracker;	/* of our own: it tells of tasks when the others may be off; or NULL */
	struct pd_out_events out_events;
	struct ring *rings;
	unsigned int nr_rings;
	struct ring *overwriting;	/* that overwrite; only for --snapshot */
	unsigned int nr_overwriting;
	struct snapshot snapshot;
	struct output output;
	struct pipeline pipeline;
	struct child child;
	struct control control;
	u64 enable_at_ns;	/* 0: nothing to do then */
	bool stop;		/* the control said so */
	int wake;		/* eventfd: the writer has something to tell */
};

/* prepare.c */
int record_settle(struct record_opts *o);
int record_open_events(struct recording *r);
int record_convert(struct recording *r);
void record_switch_events(struct recording *r, unsigned long request);
void record_switch_tracker(struct recording *r, unsigned long request);
void record_describe_lost(struct recording *r);
void record_events_free(struct recording *r);

/* rings.c */
int record_map_rings(struct recording *r);
void record_skip_samples(struct recording *r);
void record_unmap_rings(struct recording *r);

#endif /* PCL_RECORD_H */
