/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The perf.data file: layout, record types and the writer.
 *
 * The layout is that of tools/perf/Documentation/perf.data-file-format.txt:
 * header, ids, attrs, data, then a table of feature sections and the features.
 * Everything is in the byte order of the machine that wrote it.
 */
#ifndef PCL_PERFDATA_H
#define PCL_PERFDATA_H

#include "base/base.h"

#define PD_MAGIC	"PERFILE2"
#define PD_MAGIC_SWAPPED "2ELIFREP"
#define PD_HEADER_SIZE	104
#define PD_PIPE_HEADER_SIZE 16
/* the attr is written as its version of 6.1, which every reader knows */
#define PD_ATTR_SIZE	128

struct pd_section {
	u64 offset;
	u64 size;
};

struct pd_header {
	char magic[8];
	u64 size;
	u64 attr_size;
	struct pd_section attrs;
	struct pd_section data;
	struct pd_section event_types;
	u64 features[4];
};

enum pd_feature {
	PD_TRACING_DATA = 1,
	PD_BUILD_ID = 2,
	PD_HOSTNAME = 3,
	PD_OSRELEASE = 4,
	PD_VERSION = 5,
	PD_ARCH = 6,
	PD_NRCPUS = 7,
	PD_CPUDESC = 8,
	PD_CPUID = 9,
	PD_TOTAL_MEM = 10,
	PD_CMDLINE = 11,
	PD_EVENT_DESC = 12,
	PD_PMU_MAPPINGS = 16,
	PD_GROUP_DESC = 17,
	PD_SAMPLE_TIME = 21,
	PD_CLOCKID = 23,
	PD_DIR_FORMAT = 24,
	PD_COMPRESSED = 27,
	PD_CLOCK_DATA = 29,
	PD_NR_FEATURES = 256,
};

/* Record types that tools write, beside those of the kernel. */
enum {
	PD_RECORD_USER_FIRST = 64,
	PD_RECORD_HEADER_ATTR = 64,
	PD_RECORD_TRACING_DATA = 66,
	PD_RECORD_BUILD_ID = 67,
	PD_RECORD_FINISHED_ROUND = 68,
	PD_RECORD_ID_INDEX = 69,
	PD_RECORD_AUXTRACE = 71,
	PD_RECORD_EVENT_UPDATE = 78,
	PD_RECORD_HEADER_FEATURE = 80,
	PD_RECORD_COMPRESSED = 81,
	PD_RECORD_FINISHED_INIT = 82,
	PD_RECORD_COMPRESSED2 = 83,
};

/* newer than the header of the ABI that is used here */
#define PD_SAMPLE_BRANCH_COUNTERS (1 << 19)

#define PD_MISC_BUILD_ID_SIZE (1 << 15)
#define PD_BUILD_ID_MAX 20

/* What a recording adds up to; always printed at its end. */
struct pd_totals {
	u64 samples;
	u64 lost;		/* as LOST records say */
	u64 lost_samples;	/* as LOST_SAMPLES say: the same losses, told at the end */
	u64 throttled;
	u64 first_ns;
	u64 last_ns;
};

/* One file being written. */
struct pd_writer {
	int fd;
	const char *path;
	u64 data_offset;
	u64 data_size;
	u64 round_size;		/* data_size at the last FINISHED_ROUND */
	struct pd_totals totals;
	struct str_set objects;	/* executable files that were mapped */
	bool failed;		/* said so already */
};

/* perfdata_write.c */
int pd_create(struct pd_writer *w, const char *path, const struct event_list *l);
int pd_append(struct pd_writer *w, const void *data, size_t size);
void pd_account(struct pd_writer *w, const struct perf_event_header *h);
int pd_round(struct pd_writer *w);
int pd_finish(struct pd_writer *w, const struct event_list *l, char **argv);
int pd_write_at(struct pd_writer *w, const void *data, size_t size, u64 at);

/* features.c */
struct blob {
	u8 *v;
	size_t nr;
	size_t room;
};

void blob_put(struct blob *b, const void *data, size_t size);
void feature_fill(struct blob *b, enum pd_feature f, const struct pd_writer *w,
		  const struct event_list *l, char **argv);

/* build_id.c */
int build_id_of_file(const char *path, u8 id[PD_BUILD_ID_MAX]);
int build_id_of_kernel(u8 id[PD_BUILD_ID_MAX]);

/* synth.c */

void synth_kernel(struct pd_writer *w);
void synth_task(struct pd_writer *w, int tid, const char *comm);
void synth_process(struct pd_writer *w, int pid);
void synth_all_processes(struct pd_writer *w);
void synth_lost(struct pd_writer *w, u64 id, u64 lost);
void synth_events(struct pd_writer *w, const struct event_list *l, const struct target *t);

/* ring.c */
struct ring {
	struct perf_event_mmap_page *page;
	u8 *data;
	u64 size;		/* of data, a power of two */
	int fd;
	int cpu;
};

int ring_map(struct ring *r, int fd, int cpu, unsigned int pages);
void ring_unmap(struct ring *r);
int ring_drain(struct ring *r, struct pd_writer *w);

/* The sample_type every event is recorded with, beside what it adds. */
#define RECORD_SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
/* TID, TIME, CPU and IDENTIFIER behind each record that is no sample. */
#define RECORD_TRAILER 32

#endif /* PCL_PERFDATA_H */
