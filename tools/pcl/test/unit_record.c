// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the way from rings to the file: nothing goes missing on it,
 * whatever waits for whom.
 *
 * Concepts: a ring is memory that the test fills as the kernel does; its
 * descriptors are eventfds and pipes. Samples carry a number, so that each that
 * is missing, doubled or out of order is seen. Threads meet in the last test
 * alone; for it the part "threads" builds this program for ThreadSanitizer.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"
#include "tap.h"

/* How long to wait for what must come; only what is broken takes so long. */
enum { PATIENCE_MS = 60000 };

struct sample {
	struct perf_event_header h;
	u64 id, ip, task, time_ns, cpu;
};

/* An empty ring; its descriptor is the caller's. */
static void ring_make(struct ring *r, u64 size, int cpu)
{
	*r = (struct ring){
		.page = mem_zalloc(1, sizeof(*r->page)), .data = mem_zalloc(size, 1), .size = size,
		.fd = -1, .cpu = cpu,
	};
}

static void ring_drop(struct ring *r)
{
	free(r->page);
	free(r->data);
}

/* As the kernel does: false when there is no room. */
static bool ring_put(struct ring *r, u64 number)
{
	struct sample s = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) }, 5, number, 1, number,
			    (u64)r->cpu };
	u64 head = r->page->data_head, tail, i;

	tail = __atomic_load_n(&r->page->data_tail, __ATOMIC_ACQUIRE);
	if (r->size - (head - tail) < sizeof(s))
		return false;
	for (i = 0; i < sizeof(s); i++)
		r->data[(head + i) & (r->size - 1)] = ((u8 *)&s)[i];
	__atomic_store_n(&r->page->data_head, head + sizeof(s), __ATOMIC_RELEASE);
	return true;
}

/* A reader of one ring, without a thread. */
struct bench {
	struct ring ring, *rings[1];
	struct mailbox box;
	struct reader reader;
	u32 pass;
};

static void bench_begin(struct bench *b, size_t limit)
{
	memset(b, 0, sizeof(*b));
	ring_make(&b->ring, 4096, 0);
	b->rings[0] = &b->ring;
	mailbox_init(&b->box);
	b->reader = (struct reader){
		.rings = b->rings, .nr_rings = 1, .to = &b->box, .wanted = &b->pass, .cpu = -1,
		.limit = limit,
	};
}

static void bench_end(struct bench *b)
{
	mailbox_free(&b->box);
	ring_drop(&b->ring);
}

/* What the writer finds: how many samples, and how many words that a reader is full. */
struct found {
	size_t samples;
	unsigned int full;
};

/* Take the message that is next, as the writer does. */
static bool take_one(struct bench *b, struct found *f, int wait_ms)
{
	struct message *m = mailbox_take(&b->box, wait_ms);
	struct chunk *c;

	if (!m)
		return false;
	if (m->kind == MESSAGE_CHUNK) {
		c = caa_container_of(m, struct chunk, msg);
		f->samples += c->size / sizeof(struct sample);
		chunk_free(c);
	} else if (m->kind == MESSAGE_FULL) {
		f->full++;
		reader_heard(&b->reader);
	}
	return true;
}

/*
 * A reader is full, gets its memory back, and is full again before the writer
 * comes to the word that it was: what lies in the mailbox must stay there.
 */
static void test_full_twice(void)
{
	struct found f = { 0 };
	struct bench b;
	int round, i;

	/* two samples are as much as it may hold */
	bench_begin(&b, 2 * sizeof(struct sample));
	pthread_mutex_init(&b.reader.lock, NULL);
	b.reader.wake = wakeup_new();
	for (round = 0; round < 3; round++) {
		for (i = 0; i < 2; i++)
			ring_put(&b.ring, (u64)round);
		reader_serve(&b.reader);
		/* it holds as much as it may, and says so */
		reader_serve(&b.reader);
		tap_ok(__atomic_load_n(&b.reader.stalled, __ATOMIC_RELAXED), "full, time %d: the reader waits",
		       round);
		/* the chunk, and of words that came before it no more */
		while (f.samples < 2 * (size_t)(round + 1) && take_one(&b, &f, 0))
			;
	}
	while (take_one(&b, &f, 0))
		;
	tap_ok(f.samples == 6, "full again before that was heard: all samples arrive (%zu of 6)",
	       f.samples);
	tap_ok(f.full >= 1 && f.full <= 3, "full again before that was heard: the writer hears of it (%u times)",
	       f.full);
	tap_ok(!b.reader.held, "full again before that was heard: all memory is given back (%zu bytes are not)",
	       b.reader.held);
	for (i = 0; i < 2; i++)
		ring_put(&b.ring, 9);
	f = (struct found){ 0 };
	reader_serve(&b.reader);
	reader_serve(&b.reader);
	while (take_one(&b, &f, 0))
		;
	tap_ok(f.samples == 2 && f.full == 1, "full once more behind that: is told again");
	close(b.reader.wake);
	bench_end(&b);
}

/*
 * The writer finds a ring empty whose records came into its mailbox while it began the pass: they belong to it, so it
 * must not be over before they are taken.
 */
static void test_idle_with_mail(void)
{
	struct found f = { 0 };
	struct message *m;
	struct bench b;

	bench_begin(&b, 1 << 20);
	pthread_mutex_init(&b.reader.lock, NULL);
	ring_put(&b.ring, 1);
	reader_serve(&b.reader);
	b.pass = 1;
	tap_ok(reader_pass_idle(&b.reader, 1), "an empty ring: the writer makes the pass");
	tap_ok(!reader_pass_idle(&b.reader, 1), "but once");
	tap_ok(take_one(&b, &f, 0) && f.samples == 1, "records on their way are taken first");
	m = mailbox_take(&b.box, 0);
	tap_ok(m && m->kind == MESSAGE_ACK && !mailbox_take(&b.box, 0), "and then the word that the pass is made");
	bench_end(&b);
}

/* The first event of a ring ends; others write into it, and wake who reads it. */
static void test_owner_gone(void)
{
	struct found f = { 0 };
	int gone[2], fds[2];
	struct bench b;
	u64 one = 1;

	bench_begin(&b, 1 << 20);
	if (pipe(gone) || close(gone[1]))
		exit(2);
	fds[0] = gone[0];
	fds[1] = wakeup_new();
	b.ring.fd = fds[0];
	b.ring.fds = fds;
	b.ring.nr_fds = 2;
	reader_start(&b.reader);
	/* a pass tells that it has polled, and so has seen the end of the first */
	__atomic_store_n(&b.pass, 1, __ATOMIC_RELEASE);
	wakeup_send(b.reader.wake);
	tap_ok(take_one(&b, &f, PATIENCE_MS) && !f.samples, "the first event of a ring has ended: a pass is made");
	ring_put(&b.ring, 1);
	if (write(fds[1], &one, sizeof(one)) != sizeof(one))
		exit(2);
	take_one(&b, &f, PATIENCE_MS);
	tap_ok(f.samples == 1, "the first event of a ring has ended: records of another are taken out when it says so");
	reader_stop(&b.reader);
	close(b.reader.wake);
	close(fds[0]);
	close(fds[1]);
	bench_end(&b);
}

enum { CPUS = 4, READERS = 2, SAMPLES = 50000 };

/* A CPU that takes samples: its ring is readable while it is more than half full. */
struct cpu {
	struct ring ring;
	pthread_t thread;
};

static void *cpu_main(void *arg)
{
	struct cpu *c = arg;
	struct ring *r = &c->ring;
	bool half = false, was;
	u64 n, tail;

	for (n = 1; n <= SAMPLES; n++) {
		while (!ring_put(r, n))
			sched_yield();
		tail = __atomic_load_n(&r->page->data_tail, __ATOMIC_RELAXED);
		was = half;
		half = r->page->data_head - tail > r->size / 2;
		if (half && !was)
			wakeup_send(r->fds[0]);
		else if (was && !half)
			wakeup_clear(r->fds[0]);
	}
	wakeup_clear(r->fds[0]);
	return NULL;
}

/* Who reads the pipe that is written to: not before all readers wait, and then all of it. */
struct drain {
	struct pipeline *p;
	int fd;
	struct blob got;
	bool all_waited;
	pthread_t thread;
};

static bool all_wait(const struct pipeline *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_readers; i++)
		if (!__atomic_load_n(&p->readers[i].stalled, __ATOMIC_ACQUIRE))
			return false;
	return true;
}

static void *drain_main(void *arg)
{
	u64 end_ns = clock_ns() + PATIENCE_MS * 1000000ull;
	struct drain *d = arg;
	u8 bytes[4096];
	ssize_t n;

	while (!(d->all_waited = all_wait(d->p)) && clock_ns() < end_ns)
		sched_yield();
	while ((n = read(d->fd, bytes, sizeof(bytes))) > 0)
		blob_put(&d->got, bytes, (size_t)n);
	return NULL;
}

/* The samples of each CPU are those from 1 on, in order; how many of them there are in all. */
static u64 count_in_order(const struct blob *b)
{
	u64 next[CPUS] = { 0 }, nr = 0;
	struct perf_event_header h;
	struct sample s;
	size_t at;

	for (at = PD_PIPE_HEADER_SIZE; at + sizeof(h) <= b->nr; at += h.size) {
		memcpy(&h, b->v + at, sizeof(h));
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(&s, b->v + at, sizeof(s));
		if (s.cpu >= CPUS || s.ip != ++next[s.cpu])
			return 0;
		nr++;
	}
	return nr;
}

/*
 * All threads together, into a pipe that nobody reads until each reader waits
 * for memory. The converter, where there is one, puts records in order of time.
 */
static void test_pipeline(bool converted)
{
	static char *argv[] = { "test", NULL };
	struct record_opts o = { .out_name = "-", .settings.argv = argv };
	struct pd_out_id id = { .id = 5, .cpu = -1, .tid = -1 };
	struct pd_out_event event = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS,
			  .sample_type = RECORD_SAMPLE_TYPE, .sample_id_all = 1 },
		.name = "mine", .ids = &id, .nr_ids = 1,
	};
	struct pd_out_events events = { .v = &event, .nr = 1 };
	struct output out = { .o = &o, .events = &events };
	const char *how = converted ? "in order of time" : "as they come";
	struct pipeline p = { .reader_bytes = 16384 };
	struct converter converter = { .out = &out };
	struct drain d = { .p = &p };
	struct cpu cpus[CPUS];
	struct ring rings[CPUS];
	int ends[2], i;
	u64 nr;

	if (pipe(ends) || pipeline_init(&p, &out, wakeup_new()))
		exit(2);
	out.w.fd = ends[1];
	out.w.pipe = true;
	d.fd = ends[0];
	if (pd_create(&out.w, "-", &events, &o.settings))
		exit(2);
	for (i = 0; i < CPUS; i++) {
		ring_make(&rings[i], 65536, i);
		rings[i].fd = wakeup_new();
		ring_add_fd(&rings[i], rings[i].fd);
	}
	p.converter = converted ? &converter : NULL;
	tap_ok(!pipeline_start(&p, rings, CPUS, READERS), "pipeline, %s: started", how);
	pthread_create(&d.thread, NULL, drain_main, &d);
	for (i = 0; i < CPUS; i++) {
		cpus[i].ring = rings[i];
		pthread_create(&cpus[i].thread, NULL, cpu_main, &cpus[i]);
	}
	for (i = 0; i < CPUS; i++)
		pthread_join(cpus[i].thread, NULL);
	pipeline_stop(&p);
	tap_ok(!pd_finish(&out.w), "pipeline, %s: ended", how);
	pthread_join(d.thread, NULL);
	close(d.fd);
	close(p.wake_main);
	tap_ok(d.all_waited && p.nr_stalls >= READERS, "pipeline, %s: each reader had to wait (%llu times in all)",
	       how, (unsigned long long)p.nr_stalls);
	nr = count_in_order(&d.got);
	tap_ok(nr == CPUS * SAMPLES && out.w.totals.samples == nr,
	       "pipeline, %s: all samples of each ring are there once and in order (%llu of %d)", how,
	       (unsigned long long)nr, CPUS * SAMPLES);
	for (i = 0; i < CPUS; i++) {
		close(rings[i].fd);
		free(rings[i].fds);
		ring_drop(&rings[i]);
	}
	timeline_free(&converter.timeline);
	free(d.got.v);
}

/* Each wait of this thread is counted. */
static __thread unsigned int nr_polls;

int poll(struct pollfd *fds, nfds_t nr, int timeout_ms)
{
	nr_polls++;
	return (int)syscall(SYS_poll, fds, nr, timeout_ms);
}

/* A mapping of process 1, as the kernel tells of it. */
struct mapping {
	struct perf_event_header h;
	u32 pid, tid;
	u64 start, len, pgoff;
	u32 major, minor;
	u64 inode, generation;
	u32 prot, flags;
	char name[8];
	u64 trailer[4];
};

/* How often the writer waits for the unwinders when a sample of the process is with them, and this comes. */
static unsigned int waits_for(const struct perf_event_header *told)
{
	struct pd_out_event event = { .attr.sample_type = RECORD_SAMPLE_TYPE, .attr.sample_id_all = 1 };
	struct pd_out_events events = { .v = &event, .nr = 1 };
	struct source source = { .attr = event.attr };
	struct output out = { .events = &events, .w.events = &events, .w.nr_events = 1, .w.failed = true };
	struct sample sample = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(sample) }, 5, 1, 1, 1, 0 };
	struct unwinders *u;
	struct mailbox box;
	struct chunk *c = mem_zalloc(1, sizeof(*c) + sizeof(sample));
	unsigned int before, waits;

	memcpy(c->records, &sample, sizeof(sample));
	c->users = 1;
	if (mailbox_init(&box))
		exit(2);
	u = unwinders_new(&out, &box, 1);
	if (unwinders_start(u))
		exit(2);
	unwinders_sample(u, &source, c, (const struct perf_event_header *)c->records);
	before = nr_polls;
	unwinders_tell(u, told);
	waits = nr_polls - before;
	unwinders_finish(u);
	unwinders_stop(u);
	unwinders_free(u);
	mailbox_free(&box);
	return waits;
}

/* Only what changes where code lies is worth a wait: mappings of data are the most, and nobody looks at them. */
static void test_waits(void)
{
	struct mapping m = {
		{ PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(m) }, 1, 1, 0x1000, 0x1000, 0,
		.prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .name = "/code",
	};
	struct {
		struct perf_event_header h;
		u32 pid, ppid, tid, ptid;
		u64 time_ns, trailer[4];
	} task = { { PERF_RECORD_FORK, 0, sizeof(task) }, 1, 1, 2, 1 };
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		char name[8];
		u64 trailer[4];
	} comm = { { PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(comm) }, 1, 1, "new" };

	tap_ok(waits_for(&m.h), "a mapping of code waits for the samples before it");
	m.prot = PROT_READ | PROT_WRITE;
	m.h.misc |= PERF_RECORD_MISC_MMAP_DATA;
	tap_ok(!waits_for(&m.h), "a mapping of data does not");
	tap_ok(waits_for(&comm.h), "an exec waits for the samples before it");
	comm.h.misc = 0;
	tap_ok(!waits_for(&comm.h), "another name does not");
	tap_ok(!waits_for(&task.h), "a thread that begins does not");
	task.h.type = PERF_RECORD_EXIT;
	tap_ok(!waits_for(&task.h), "a thread that ends does not");
	task.h.type = PERF_RECORD_FORK;
	task.ppid = 7;
	tap_ok(waits_for(&task.h), "a process that begins waits for samples of one that had its number");
}

int main(void)
{
	test_full_twice();
	test_idle_with_mail();
	test_owner_gone();
	test_pipeline(false);
	test_pipeline(true);
	test_waits();
	return tap_end();
}
