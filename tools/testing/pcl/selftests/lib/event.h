/* SPDX-License-Identifier: GPL-2.0 */
/* Opening, reading and mapping events, as short as a test wants it. What cannot fail in a test fails the test. */
#ifndef PCL_TEST_EVENT_H
#define PCL_TEST_EVENT_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "abi.h"
#if defined(__x86_64__)
#include "x86_64/arch.h"
#elif defined(__sparc__) && defined(__arch64__)
#include "sparc64/arch.h"
#endif
#include "tap.h"

#define INSTRUCTIONS	PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS
#define BRANCHES	PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS
#define CYCLES		PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES
#define PAGE_FAULTS	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS
#define TASK_CLOCK	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK
#define CPU_CLOCK	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK
#define SWITCHES	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES
#define DUMMY		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY

/* The loops of loop.S, and the faults of touch.S, of the architecture's directory. */
void loop_run(unsigned long n);
void loop_memory(unsigned long n, long p[2]);
void touch_loop(volatile char *at, unsigned long nr);
extern const char loop_begin[], loop_end[], memory_begin[], memory_end[], touch_begin[], touch_end[];

/* An attr that counts in user mode and starts disabled. */
struct perf_event_attr event_attr(uint32_t type, uint64_t config);

/* The system call. */
int event_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags);
/* Fails the test, or skips it when there is no PMU for a hardware event. */
int must_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* On this task and any CPU, alone. */
int must_open_self(const struct perf_event_attr *attr);
/* Why an event was refused with @err: skips the test where the machine has nothing of the kind. */
void skip_absent(const struct perf_event_attr *attr, int err);
void must_ioctl(int fd, unsigned long request, unsigned long argument);
void event_enable(int fd);
void event_disable(int fd);
void event_reset(int fd);
/* The count, of an event without a read_format. */
uint64_t event_read(int fd);
/* Reads words of any read_format; returns how many. */
unsigned int event_read_words(int fd, uint64_t *words, unsigned int nr);
uint64_t event_id(int fd);

/* Of CPU 0, after what was sampled there; skips the test where nobody can look. */
uint64_t overflows_standing(void);

/* The control page's rdpmc protocol: the count, false if it may not be read so. */
bool event_rdpmc(const volatile struct perf_event_mmap_page *page, uint64_t *count);

/*
 * What loop_run(@n) adds to the count that is read so. A read that had to be done once more would be in it as well: such
 * a window is measured anew.
 */
uint64_t event_loop_by_rdpmc(const volatile struct perf_event_mmap_page *page, unsigned long n);
/* How many events of instructions fit at once. */
int counters_alike(void);
/* Skips the test where fewer do. */
void need_counters(int nr);
/* Skips the test where user code cannot read counters. */
void need_user_reads(void);

/* ---- rings ---- */

struct ring {
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t size;
	uint64_t head;		/* as last read */
	uint64_t tail;		/* next record to take */
	int prot;
};

/* Also PROT_READ alone: then the kernel overwrites. */
struct ring ring_map(int fd, unsigned int pages, int prot);
void ring_unmap(struct ring *ring);

struct record {
	struct perf_event_header header;
	uint64_t body[8191];
};

/* Fails the test if one of these numbers of 64 bits is what memory that nobody wrote holds. */
void check_written(const uint64_t *words, unsigned int nr, const char *what);
/* One of the numbers of 32, or of 16 bits, that share a word of a record, in the order in which they lie in memory. */
uint32_t half_of(uint64_t word, unsigned int i);
uint16_t quarter_of(uint64_t word, unsigned int i);
/* The next record, false when there is none; all of it must have been written. */
bool ring_take(struct ring *ring, struct record *record);
/* Backward rings: start at the newest record. */
void ring_rewind(struct ring *ring);
/* Takes all; returns how many of this type there were. */
unsigned int ring_count(struct ring *ring, uint32_t type);
/* The first record of a type; false when there is none. */
bool ring_find(struct ring *ring, uint32_t type, struct record *record);

/* ---- samples ---- */

struct registers {
	uint64_t abi, nr;	/* PERF_SAMPLE_REGS_ABI_*, how many there are */
	uint64_t at[64];	/* in the order of the mask's bits */
};

struct sample {
	uint64_t identifier, ip, time, addr, id, stream_id, period, cgroup;
	uint64_t weight, data_src, transaction, phys_addr, data_page_size, code_page_size;
	uint32_t pid, tid, cpu;
	uint64_t nr_read, read[64];	/* the words of READ */
	uint64_t nr_chain, chain[512];
	uint64_t raw_size;
	const unsigned char *raw;	/* in the record */
	struct registers user, intr;
	const uint64_t *stack;		/* in the record; NULL: none */
	uint64_t stack_size, stack_copied;
	uint64_t aux_size;
	const unsigned char *aux;	/* in the record */
};

/* Takes a SAMPLE apart; fails the test unless its size is exactly what the fields need. */
void sample_parse(const struct record *record, const struct perf_event_attr *attr, struct sample *sample);
/* The trailer that sample_id_all adds to other records. */
void trailer_parse(const struct record *record, const struct perf_event_attr *attr, struct sample *sample);
/* How long that trailer is. */
unsigned int trailer_size(const struct perf_event_attr *attr);

/* ---- records of what happens ---- */

#define TRAILER	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
		 PERF_SAMPLE_IDENTIFIER)

/* Of an event that never counts, whose records end with all that a trailer may hold. */
struct perf_event_attr dummy_attr(void);
/* Opens it on this task, with a ring. */
struct ring ring_open(const struct perf_event_attr *attr, int *fd);
/* The trailer of a record of event @fd, written by @tid of @pid. */
void trailer_check(const struct record *record, const struct perf_event_attr *attr, int fd, pid_t pid, pid_t tid);

/* ---- signals ---- */

extern volatile sig_atomic_t nr_signals;	/* that came, of those that are caught */
extern siginfo_t last_signal;

void catch_signal(int number);
/* Catches it, and has event @fd send it. */
void want_signals(int fd, int number);
/* The last is the SIGTRAP of an event of @type, with its @sig_data. */
void check_sigtrap(uint32_t type, uint64_t sig_data);

/* ---- page faults, one by one ---- */

/* Memory of small pages that nobody has touched. */
char *fresh_pages(unsigned long nr);
/* A fault for each of @nr fresh pages, from the page @first on. */
void touch_pages(volatile char *at, unsigned long first, unsigned long nr);
/* The same with pages of its own. */
void touch_fresh_pages(unsigned long nr);

/* ---- why PCL refused ---- */

struct refusal {
	unsigned int reason;	/* PCL_REASON_NONE: nothing was refused */
	int err;		/* negative */
};

/* Refusals are traced from here on, where the kernel knows how. */
void trace_refusals(void);
/* From here on, a refusal is that of the call that comes next. */
void watch_refusals(void);
/* The first since then. */
struct refusal first_refusal(void);

/* ---- the machine ---- */

long sysctl_get(const char *name);	/* below kernel. */
void sysctl_set(const char *name, long value);
void lift_throttling(void);	/* Done before each test. */
unsigned int cpus_online(void);
void need_two_cpus(void);	/* or the test is skipped */
void pin_to_cpu(int cpu);
uint64_t clock_ns(clockid_t clock);
/* Mounts the first version's hierarchy of perf_event, with a group, on whose directory @group ends. */
void cgroup_mount(const char *hierarchy, const char *group);
void cgroup_unmount(const char *hierarchy, const char *group);
/* 0: the caller. */
void cgroup_enter(const char *directory, pid_t pid);
/* How often this task was switched out. */
uint64_t switches(void);
/* Gives the CPU to another task and gets it back, so many times at least. Pins to CPU 0. */
void switch_away(unsigned int times);
/* The same; the other task, which is made for it, calls @prepare first. */
void switch_with(unsigned int times, void (*prepare)(void));
/* Until task @pid waits for something. It is off its CPU for certain when that CPU is the one that runs us. */
void await_sleep(pid_t pid);
bool have_pmu(void);
bool have_pmu_of(const char *name);	/* in sysfs */
bool have_tracepoint(const char *name);
/* The type of a PMU by its name in sysfs; the number of a tracepoint, system/name. */
uint32_t pmu_type(const char *name);
uint64_t tracepoint_number(const char *name);
bool is_pcl(void);
/* Of what waitpid() gave; a signal is 128 + its number. */
int exit_status(int status);
/* Runs @function in a child and returns its exit status. */
int in_child(int (*function)(void *), void *argument);
/* The system call alone, which fork(3) is not; the child ends at once. */
long fork_bare(void);
/* clone(2) with the caller's stack: 0 in the child, or -1 and errno. */
long clone_bare(unsigned long flags, int *parent_tid);
/* Numbers of system calls of 32-bit programs: perf_event_open(2), read(2), ioctl(2). */
#define OPEN32	336
#define READ32	3
#define IOCTL32	54
/* Such a call, whose pointers are below 4 GiB: its result, or -1 and errno. */
long call32(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e);
/* Become an ordinary user without capabilities. */
void drop_privileges(void);
/* Makes a copy of this program that runs as root whoever starts it. */
void setuid_copy(const char *path);
/* Takes CPU 1 offline or brings it back; false when the kernel refuses. Skips the test where that cannot be. */
bool cpu1_set(bool online);

#endif
