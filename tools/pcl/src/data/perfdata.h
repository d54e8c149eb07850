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

/* a number, as everything else: its bytes read as a word where the lowest byte comes first */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PD_MAGIC	"2ELIFREP"
#define PD_MAGIC_SWAPPED "PERFILE2"
#else
#define PD_MAGIC	"PERFILE2"
#define PD_MAGIC_SWAPPED "2ELIFREP"
#endif
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
	PD_CPU_TOPOLOGY = 13,
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
	u64 records;		/* that were written, samples among them */
	u64 samples;
	u64 lost;		/* as LOST records say */
	u64 lost_samples;	/* as LOST_SAMPLES say: the same losses, told at the end */
	u64 unwritten;		/* samples for which there was no room in the file */
	u64 throttled;
	u64 first_ns;
	u64 last_ns;
};

/* The id of one descriptor of an event, and where it counts. */
struct pd_out_id {
	u64 id;
	u32 cpu_index;
	s32 cpu, tid;
};

/* An event as the file describes it; it need not be one that was opened. */
struct pd_out_event {
	struct perf_event_attr attr;
	char *name;
	const char *unit;	/* NULL: a plain number */
	double scale;
	struct pd_out_id *ids;
	unsigned int nr_ids;
	unsigned int leader;	/* index */
	unsigned int nr_members;/* leader only */
};

/* All events of a file. The deferred ones are told of only when a sample of theirs comes. */
struct pd_out_events {
	struct pd_out_event *v;
	unsigned int nr;
	unsigned int nr_deferred;	/* behind the first nr */
};

/* Eventfds that are readable once a recording is to end: for who waits for the reader of a pipe. */
struct pd_end {
	int asked;
	int insisted;		/* asked again */
};

/* What tells a mapped file from others; see file_key.c. */
struct file_key {
	const char *name;
	u8 build_id[PD_BUILD_ID_MAX];
	u8 build_id_len;	/* 0: not told */
	u64 device, inode, generation;
};

/* Files, in the order in which they were told of. */
struct file_keys {
	struct file_key *v;
	u32 nr, room;
	struct hash_index index;
};

/* Files that are mapped, with the build ids that they had when they appeared. */
struct mapped_files {
	struct file_keys keys;
	struct mapped_file {
		u8 id[PD_BUILD_ID_MAX];
		int len;	/* 0: none, or not to be had */
	} *v;			/* same index */
};

/* What else the header tells, and how to write. */
struct pd_settings {
	char **argv;		/* the command line */
	int level;		/* of zstd; 0: not compressed */
	bool data_maps;		/* tell of mappings of data, too */
	bool clock_given;
	int clock;
	const struct pd_end *end; /* NULL: the reader of a pipe is waited for, come what may */
	struct mapped_files *files; /* for all files of a series; NULL: each learns anew */
};

struct compressor;

/* Features that lie before the data, so that they are there whatever ends the tool. */
#define PD_MOST_LEADING 3

/* Bytes that grow. */
struct blob {
	u8 *v;
	size_t nr;
	size_t room;
};

/* One file being written. */
struct pd_writer {
	int fd;
	const char *path;
	bool pipe;		/* written from front to back, never sought in */
	const struct pd_out_events *events;
	unsigned int nr_events;	/* told of so far */
	const struct pd_settings *settings;
	const struct pd_end *end; /* of a pipe; NULL: writing never waits for a reader, or for ever */
	u64 data_offset;
	u64 data_size;
	u64 round_size;		/* data_size as the header has it */
	struct pd_section leading[PD_MOST_LEADING];
	unsigned int nr_leading;
	u64 leading_bits;		/* of features[0] */
	struct blob displaced;	/* data whose place the table of leading features has */
	u64 allocated;		/* the file system holds room up to here; 0: it cannot say */
	struct compressor *zip;	/* NULL: not compressed */
	struct pd_totals totals;
	struct int_list objects; /* the files that were mapped, by number, as they appeared */
	struct num_map objects_seen; /* the same: number -> this */
	struct mapped_files own_files, *files;
	struct blob deferred_maps;	/* mappings of data, until a reader may need them */
	struct blob build_ids;	/* of these, gathered at the end */
	void (*seen)(void *arg, const struct perf_event_header *h); /* NULL, or called for each record */
	void *seen_arg;
	bool failed;		/* said so already */
};

/* perfdata_write.c */
int pd_create(struct pd_writer *w, const char *path, const struct pd_out_events *l,
	      const struct pd_settings *s);
int pd_append(struct pd_writer *w, const void *data, size_t size);
int pd_records(struct pd_writer *w, const void *data, size_t size);
int pd_use_deferred(struct pd_writer *w, u64 time_ns);
int pd_round(struct pd_writer *w);
int pd_finish(struct pd_writer *w);
u64 pd_file_size(const struct pd_writer *w);

/* pipe_write.c */
ssize_t pipe_write(int fd, const void *data, size_t size, const struct pd_end *end);

/* tracing_data.c */
bool tracing_data_wanted(const struct pd_writer *w);
void tracing_data_fill(struct blob *b, const struct pd_writer *w);

/* compress.c */
/* bytes before compression that one COMPRESSED record stands for, at most */
#define PD_ZIP_BYTES (128 * 1024)
struct compressor *zip_new(int level);
void zip_free(struct compressor *z);
int zip_append(struct compressor *z, const void *data, size_t size,
	       int (*put)(void *arg, const void *data, size_t size), void *arg);
int zip_flush(struct compressor *z, int (*put)(void *arg, const void *data, size_t size),
	      void *arg);
u32 zip_ratio(const struct compressor *z);

/* features.c */
void blob_put(struct blob *b, const void *data, size_t size);
void attr_on_disk(const struct perf_event_attr *attr, u8 out[PD_ATTR_SIZE]);
bool feature_wanted(unsigned int f, const struct pd_writer *w);
void feature_fill(struct blob *b, enum pd_feature f, const struct pd_writer *w);
void build_ids_gather(struct pd_writer *w);

/* elf_file.c */
typedef struct Elf Elf;
Elf *elf_open(const char *path, int *fd);
Elf *elf_open_read(int fd);
/* the byte order of this machine, as ELF files say it */
#define ELFDATA_OWN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB)
bool elf_is_swapped(Elf *elf);
bool elf_has_section(Elf *elf, const char *name);

/* build_id.c */
int build_id_of_elf(Elf *elf, u8 id[PD_BUILD_ID_MAX]);
int build_id_of_file(const char *path, u8 id[PD_BUILD_ID_MAX]);
int build_id_of_kernel(u8 id[PD_BUILD_ID_MAX]);

/* file_key.c */
struct pd_mmap;
u32 file_keys_add(struct file_keys *s, const struct pd_mmap *m);
void file_keys_free(struct file_keys *s);

/* mapped_files.c */
u32 mapped_file_add(struct mapped_files *files, const struct pd_mmap *m);
void mapped_files_free(struct mapped_files *files);

/* synth.c */
void synth_kernel(struct pd_writer *w);
void synth_process(struct pd_writer *w, int pid, const char *comm);
void synth_processes(struct pd_writer *w, const struct int_list *tids);
void synth_all_processes(struct pd_writer *w);
void synth_lost(struct pd_writer *w, u64 id, u64 lost);
void synth_events(struct pd_writer *w);
void synth_init_end(struct pd_writer *w);

/* The sample_type every event is recorded with, beside what it adds. */
#define RECORD_SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
/* TID, TIME, CPU and IDENTIFIER behind each record that is no sample. */
#define RECORD_TRAILER 32

/* The word of a sample's or trailer's TID is two numbers, whose places are the same in either byte order. */
static inline u32 task_word_pid(const u64 *word)
{
	return ((const u32 *)(const void *)word)[0];
}

static inline u32 task_word_tid(const u64 *word)
{
	return ((const u32 *)(const void *)word)[1];
}

#endif /* PCL_PERFDATA_H */
