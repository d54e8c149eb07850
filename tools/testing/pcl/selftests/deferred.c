// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the user's part of a call chain, left for the return to user mode (attr.defer_callchain), and the records
 *	that tell it (attr.defer_output).
 *
 * Concepts: a sample has PERF_CONTEXT_USER_DEFERRED and a cookie where the user's part would be; a record with that
 *	cookie follows, whose chain is what an event beside it, which does not defer, finds at once. Stock 6.1 has none
 *	of this; what is expected is what Linux 6.19 says of it.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/event.h"
#include "lib/member.h"
#include "lib/trace.h"

#define NR_FAULTS	6
#define MOST		4096

/* What a ring held, in order: samples with their cookies, and chains that were told. */
struct entry {
	uint32_t type;			/* PERF_RECORD_SAMPLE, _CALLCHAIN_DEFERRED, _COMM */
	uint32_t tid;
	uint64_t cookie, ip;
	uint64_t nr, chain[16];		/* of user code: behind the mark */
};

static struct entry entries[MOST];
static unsigned int nr_entries;

static struct perf_event_attr deferring_attr(uint32_t type, uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = event_attr(type, config);

	if (!is_pcl())
		test_skip("stock has deferred call chains since 6.19");
	attr.sample_period = period;
	attr.exclude_kernel = 0;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN;
	attr.sample_id_all = 1;
	attr.defer_callchain = !test_busted("deferred");
	attr.defer_output = 1;
	return attr;
}

/* The user's part of a chain: the cookie, or addresses. */
static void entry_of_chain(struct entry *entry, const uint64_t *chain, uint64_t nr)
{
	uint64_t i = 0;

	while (i < nr && chain[i] != (uint64_t)PERF_CONTEXT_USER && chain[i] != (uint64_t)PERF_CONTEXT_USER_DEFERRED)
		i++;
	if (i == nr)
		return;
	if (chain[i] == (uint64_t)PERF_CONTEXT_USER_DEFERRED) {
		CHECK_EQ(nr, i + 2);	/* nothing comes behind a cookie */
		CHECK(chain[i + 1]);
		entry->cookie = chain[i + 1];
		return;
	}
	for (i++; i < nr && entry->nr < 16; i++)
		entry->chain[entry->nr++] = chain[i];
}

static void take_entries(struct ring *ring, const struct perf_event_attr *attr)
{
	static struct record record;
	static struct sample sample;

	for (nr_entries = 0; ring_take(ring, &record); nr_entries++) {
		struct entry *entry = &entries[nr_entries];

		CHECK(nr_entries < MOST);
		*entry = (struct entry){ .type = record.header.type };
		switch (record.header.type) {
		case PERF_RECORD_SAMPLE:
			sample_parse(&record, attr, &sample);
			entry->ip = sample.ip;
			entry_of_chain(entry, sample.chain, sample.nr_chain);
			break;
		case PERF_RECORD_CALLCHAIN_DEFERRED:
			CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
			CHECK_EQ(record.header.size, 8 + 8 * (2 + record.body[1]) + trailer_size(attr));
			trailer_parse(&record, attr, &sample);
			CHECK_EQ(record.body[2], PERF_CONTEXT_USER);
			entry_of_chain(entry, record.body + 2, record.body[1]);
			entry->cookie = record.body[0];
			CHECK(entry->cookie);
			break;
		case PERF_RECORD_COMM:
		case PERF_RECORD_EXIT:
			trailer_parse(&record, attr, &sample);
			break;
		default:
			FAIL("a record of type %u", record.header.type);
		}
		entry->tid = sample.tid;
	}
}

/* The chain that is told for entry @at: the first behind it with its cookie; NULL: none is. */
static struct entry *told_for(unsigned int at)
{
	unsigned int i;

	for (i = at + 1; i < nr_entries; i++)
		if (entries[i].type == PERF_RECORD_CALLCHAIN_DEFERRED && entries[i].cookie == entries[at].cookie)
			return &entries[i];
	return NULL;
}

static unsigned int count_entries(uint32_t type)
{
	unsigned int i, nr = 0;

	for (i = 0; i < nr_entries; i++)
		nr += entries[i].type == type;
	return nr;
}

/* Each sample's cookie is told, once. */
static void all_are_told(void)
{
	unsigned int i, j;

	for (i = 0; i < nr_entries; i++) {
		struct entry *told = &entries[i];

		if (entries[i].type == PERF_RECORD_SAMPLE) {
			CHECK(entries[i].cookie);
			told = told_for(i);
			if (!told)
				FAIL("nothing is told of entry %u of %u", i, nr_entries);
			CHECK_EQ(told->tid, entries[i].tid);
		}
		for (j = told - entries + 1; j < nr_entries; j++)
			CHECK(entries[j].cookie != told->cookie);
	}
}

__attribute__((noipa)) static void touch_here(void)
{
	touch_fresh_pages(NR_FAULTS);
	__asm__ volatile("" ::: "memory");
}

/* Of faults of user code, beside an event that walks at once. */
static void chains_are_those_of_the_faults(long unused)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1), plain = attr;
	struct ring ring, other;
	unsigned int i, at = 0;
	struct entry now[2 * NR_FAULTS];
	int fd, beside;

	(void)unused;
	plain.defer_callchain = 0;
	plain.defer_output = 0;
	fd = must_open_self(&attr);
	beside = must_open_self(&plain);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	other = ring_map(beside, 16, PROT_READ | PROT_WRITE);
	touch_here();
	event_enable(beside);
	event_enable(fd);
	touch_here();
	event_disable(fd);
	event_disable(beside);

	take_entries(&other, &plain);
	CHECK_EQ(nr_entries, NR_FAULTS);
	memcpy(now, entries, sizeof(*now) * NR_FAULTS);
	take_entries(&ring, &attr);
	CHECK_EQ(nr_entries, 2 * NR_FAULTS);
	all_are_told();
	for (i = 0; i < nr_entries; i++) {
		if (entries[i].type != PERF_RECORD_CALLCHAIN_DEFERRED)
			continue;
		CHECK(entries[i].nr > 2);
		CHECK_EQ(entries[i].nr, now[at].nr);
		CHECK(!memcmp(entries[i].chain, now[at].chain, sizeof(now[at].chain)));
		at++;
	}
	CHECK_EQ(at, NR_FAULTS);
}

/* The kernel faults for a system call: page by page, and the stack of the user stays as it is. */
static void one_stay_in_the_kernel_has_one_chain(long unused)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1);
	int fd = must_open_self(&attr), zero = open("/dev/zero", O_RDONLY);
	struct ring ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	char *pages = fresh_pages(NR_FAULTS);
	unsigned int i;

	(void)unused;
	CHECK(zero >= 0);
	event_enable(fd);
	CHECK_EQ(read(zero, pages, NR_FAULTS * PAGE), NR_FAULTS * PAGE);
	event_disable(fd);
	take_entries(&ring, &attr);
	CHECK_EQ(count_entries(PERF_RECORD_SAMPLE), NR_FAULTS);
	CHECK_EQ(nr_entries, NR_FAULTS + 1);
	for (i = 0; i < NR_FAULTS; i++) {
		CHECK((int64_t)entries[i].ip < 0);
		CHECK_EQ(entries[i].cookie, entries[NR_FAULTS].cookie);
	}
	all_are_told();
	CHECK(entries[NR_FAULTS].nr > 1 && (int64_t)entries[NR_FAULTS].chain[0] > 0);
}

static char *guarded;

static void let_in(int unused)
{
	(void)unused;
	if (mprotect(guarded, PAGE, PROT_READ | PROT_WRITE))
		_exit(1);
}

/* A store that a signal answers: the handler, where the task returns to, is not where the sample was. */
static void a_handler_is_not_the_place(long unused)
{
	struct sigaction action = { .sa_handler = let_in };
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	struct entry *told;

	(void)unused;
	CHECK(!sigaction(SIGSEGV, &action, NULL));
	guarded = fresh_pages(1);
	CHECK(!mprotect(guarded, PAGE, PROT_NONE));
	event_enable(fd);
	*(volatile char *)guarded = 1;
	event_disable(fd);
	take_entries(&ring, &attr);
	CHECK(count_entries(PERF_RECORD_SAMPLE) >= 2);
	all_are_told();
	told = told_for(0);
	CHECK_EQ(told->chain[0], entries[0].ip);
}

/* A probed instruction is executed elsewhere: behind it, or out of line, is not where the sample was. */
static void a_probe_is_the_place(long unused)
{
	struct perf_event_attr probe = uprobe_attr(0), attr = deferring_attr(probe.type, 0, 1);
	unsigned int i;
	struct ring ring;
	int fd;

	(void)unused;
	attr.uprobe_path = probe.uprobe_path;
	attr.probe_offset = probe.probe_offset;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (i = 0; i < 3; i++)
		probed();
	event_disable(fd);
	take_entries(&ring, &attr);
	CHECK_EQ(count_entries(PERF_RECORD_SAMPLE), 3);
	for (i = 0; i < nr_entries; i++) {
		struct entry *told = entries[i].cookie ? told_for(i) : &entries[i];

		if (entries[i].type != PERF_RECORD_SAMPLE)
			continue;
		CHECK_EQ(entries[i].ip, (uintptr_t)probed);
		CHECK(told && told->nr > 1);
		CHECK_EQ(told->chain[0], test_busted("probe") ? 0 : (uintptr_t)probed);
	}
}

#define CONTEXTS	"perf_event_max_contexts_per_stack"

/* Where there is room for two marks alone, a mark of the user's part has none for its cookie: it is walked at once. */
static void a_cookie_has_its_mark(long unused)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1);
	int zero = open("/dev/zero", O_RDONLY), fd;
	char *pages = fresh_pages(NR_FAULTS);
	long before = sysctl_get(CONTEXTS);
	struct ring ring;
	unsigned int i;

	(void)unused;
	CHECK(zero >= 0);
	sysctl_set(CONTEXTS, test_busted("contexts") ? before : 2);
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	event_enable(fd);
	CHECK_EQ(read(zero, pages, NR_FAULTS * PAGE), NR_FAULTS * PAGE);
	event_disable(fd);
	take_entries(&ring, &attr);
	ring_unmap(&ring);
	close(fd);
	sysctl_set(CONTEXTS, before);
	CHECK_EQ(count_entries(PERF_RECORD_SAMPLE), NR_FAULTS);
	for (i = 0; i < nr_entries; i++)
		CHECK(entries[i].type != PERF_RECORD_SAMPLE || (!entries[i].cookie && entries[i].nr > 1));
}

#define RETURN_ADDRESS	0x1234567UL

/* Writes to @page with the frame pointer at @frame. */
__attribute__((noipa)) static void touch_with_frame(volatile char *page, void *frame)
{
	__asm__ volatile("push %%rbp\n"
			 "mov %1, %%rbp\n"
			 "movb $1, (%0)\n"
			 "pop %%rbp" :: "r" (page), "r" (frame) : "memory");
}

/* A frame in a file that nobody has looked at. */
static void what_is_not_there_is_paged_in(long unused)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1), plain = attr;
	uint64_t frame[2] = { 0, RETURN_ADDRESS };
	int file = memfd_create("frames", 0), fd, beside;
	struct ring ring, other;
	struct entry *told;
	char *page;
	void *at;

	(void)unused;
	CHECK(file >= 0 && write(file, frame, sizeof(frame)) == sizeof(frame) && !ftruncate(file, PAGE));
	at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	CHECK(at != MAP_FAILED);
	plain.defer_callchain = 0;
	plain.defer_output = 0;
	fd = must_open_self(&attr);
	beside = must_open_self(&plain);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	other = ring_map(beside, 16, PROT_READ | PROT_WRITE);
	page = fresh_pages(1);
	event_enable(beside);
	event_enable(fd);
	touch_with_frame(page, at);
	event_disable(fd);
	event_disable(beside);

	take_entries(&ring, &attr);
	all_are_told();
	/* The fault, those of the walk, which belong to the same (that after the last frame as well), and the chain. */
	CHECK_EQ(count_entries(PERF_RECORD_SAMPLE), 3);
	CHECK_EQ(nr_entries, 4);
	told = &entries[3];
	CHECK_EQ(told->nr, 2);
	CHECK_EQ(told->chain[0], entries[0].ip);
	CHECK_EQ(told->chain[1], RETURN_ADDRESS);
	take_entries(&other, &plain);
	CHECK(nr_entries);
	CHECK_EQ(entries[0].nr, 1);
}

/* From NMIs in user mode, where nobody is on the way back; they raise an interrupt for it. */
static void samples_in_user_mode_are_told_at_once(long unused)
{
	struct perf_event_attr attr = deferring_attr(INSTRUCTIONS, 20011);
	struct ring ring;
	unsigned int i;
	int fd;

	(void)unused;
	attr.exclude_kernel = 1;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(500000);
	event_disable(fd);
	take_entries(&ring, &attr);
	CHECK_RANGE(nr_entries, 2 * 48, 2 * 51);
	for (i = 0; i < nr_entries; i += 2) {
		CHECK_EQ(entries[i].type, PERF_RECORD_SAMPLE);
		CHECK_EQ(entries[i + 1].type, PERF_RECORD_CALLCHAIN_DEFERRED);
		CHECK_EQ(entries[i].cookie, entries[i + 1].cookie);
		/* The one in the loop, the other soon behind. */
		if (entries[i].ip >= (uintptr_t)loop_begin && entries[i].ip < (uintptr_t)loop_end)
			CHECK_RANGE(entries[i + 1].chain[0], (uintptr_t)loop_begin, (uintptr_t)loop_end + 64);
	}
	all_are_told();
}

/* Counts the kernel's instructions for @m, from outside. */
static struct ring watch(struct member *m, struct perf_event_attr *attr, int *fd)
{
	*attr = deferring_attr(INSTRUCTIONS, test_count(5003, 300007));
	attr->exclude_user = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	*m = member_start();
	*fd = must_open(attr, m->pid, -1, -1);
	return ring_map(*fd, 256, PROT_READ | PROT_WRITE);
}

/* The stack of before an exec is gone; that of the new program is none of the old samples'. */
static void an_exec_forgets_the_old_stack(long unused)
{
	unsigned int i, j, comm = 0;
	struct perf_event_attr attr;
	struct member m;
	struct ring ring;
	int fd;

	(void)unused;
	ring = watch(&m, &attr, &fd);
	event_enable(fd);
	member_tell(&m, TOLD_TO_EXEC);
	member_do(&m, MEMBER_LOOP);
	event_disable(fd);
	member_end(&m);
	take_entries(&ring, &attr);
	while (comm < nr_entries && entries[comm].type != PERF_RECORD_COMM)
		comm++;
	CHECK(comm < nr_entries);
	for (i = 0; i < comm; i++) {
		if (entries[i].type != PERF_RECORD_SAMPLE)
			continue;
		CHECK(entries[i].cookie);
		for (j = i + 1; j < comm; j++)
			if (entries[j].type == PERF_RECORD_CALLCHAIN_DEFERRED && entries[j].cookie == entries[i].cookie)
				break;
		if (j == comm)
			break;
	}
	/* The first of the exec itself. Those behind the new memory's coming are already the new program's. */
	CHECK(i < comm);
	CHECK(!told_for(i));
	for (i = comm; i < nr_entries; i++)
		if (entries[i].type == PERF_RECORD_CALLCHAIN_DEFERRED)
			break;
	CHECK(i < nr_entries);
	CHECK((int64_t)entries[i].chain[0] > 0);
}

#define LONG_READ	(8192 * PAGE)

/* Killed in the midst of a long stay in the kernel, it does not return to user mode. */
static void who_exits_is_told_of(long unused)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 16);
	char *memory = fresh_pages(LONG_READ / PAGE);
	int zero = open("/dev/zero", O_RDONLY), go[2], fd;
	struct ring ring;
	pid_t pid;
	char c;

	(void)unused;
	CHECK(zero >= 0 && !pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &c, 1) == 1);
		for (;;)
			CHECK(read(zero, memory, LONG_READ) == LONG_READ);
	}
	fd = must_open(&attr, pid, -1, -1);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	CHECK(write(go[1], "", 1) == 1);
	while (__atomic_load_n(&ring.page->data_head, __ATOMIC_ACQUIRE) < 1024)
		sched_yield();
	CHECK(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid);
	take_entries(&ring, &attr);
	CHECK(count_entries(PERF_RECORD_SAMPLE) > 1);
	all_are_told();
}

/* A fork in the midst of a stay: the child's first return is not the parent's. */
static void a_child_has_cookies_of_its_own(long unused)
{
	struct perf_event_attr attr = deferring_attr(INSTRUCTIONS, test_count(5003, 300007));
	unsigned int i, j, tids = 0;
	struct ring ring;
	pid_t pid;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.exclude_user = 1;
	attr.inherit = 1;
	fd = must_open(&attr, 0, 0, -1);
	ring = ring_map(fd, 256, PROT_READ | PROT_WRITE);
	event_enable(fd);
	pid = fork();
	if (!pid) {
		touch_fresh_pages(200);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	event_disable(fd);
	take_entries(&ring, &attr);
	for (i = 0; i < nr_entries; i++) {
		tids += entries[i].cookie && entries[i].tid == (uint32_t)pid;
		for (j = 0; j < i; j++)
			CHECK(!entries[i].cookie || entries[i].cookie != entries[j].cookie || entries[i].tid == entries[j].tid);
	}
	CHECK(tids && tids < nr_entries);
}

#define MOST_COOKIES	2000

/* The cookies of @n samples on @cpu */
static void take_cookies(int cpu, uint64_t *cookies, unsigned int n)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 256, PROT_READ | PROT_WRITE);
	static struct record record;
	static struct sample sample;
	unsigned int nr = 0;

	pin_to_cpu(cpu);
	event_enable(fd);
	touch_fresh_pages(n);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE || nr == n)
			continue;
		sample_parse(&record, &attr, &sample);
		cookies[nr++] = sample.chain[sample.nr_chain - 1];
	}
	CHECK_EQ(nr, n);
	ring_unmap(&ring);
	close(fd);
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

/* Two CPUs, and one that is come back to, give as many different ones. */
static void cpus_give_different_cookies(long unused)
{
	static uint64_t cookies[4 * MOST_COOKIES];
	unsigned int n = test_count(MOST_COOKIES, 300), i;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("this machine has one CPU");
	for (i = 0; i < 4; i++)
		take_cookies(i % 2, cookies + i * n, n);
	if (test_busted("cookies"))
		cookies[0] = cookies[n];
	qsort(cookies, 4 * n, sizeof(*cookies), compare);
	for (i = 1; i < 4 * n; i++)
		CHECK(cookies[i] != cookies[i - 1]);
}

/* Who asks for the records gets those of others; who does not gets none, not even of its own samples. */
static void who_asks_is_told(long whole_cpu)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1), side = dummy_attr();
	struct ring ring, told;
	int fd, beside;

	pin_to_cpu(0);
	attr.defer_output = test_busted("deferred");
	side.defer_output = 1;
	side.disabled = 1;
	side.sample_type = attr.sample_type;
	fd = must_open_self(&attr);
	beside = whole_cpu ? must_open(&side, -1, 0, -1) : must_open_self(&side);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	told = ring_map(beside, 16, PROT_READ | PROT_WRITE);
	event_enable(beside);
	event_enable(fd);
	touch_here();
	event_disable(fd);
	event_disable(beside);
	take_entries(&told, &side);
	CHECK_EQ(nr_entries, NR_FAULTS);
	CHECK_EQ(count_entries(PERF_RECORD_CALLCHAIN_DEFERRED), NR_FAULTS);
	take_entries(&ring, &attr);
	CHECK_EQ(nr_entries, NR_FAULTS);
	CHECK_EQ(count_entries(PERF_RECORD_SAMPLE), NR_FAULTS);
	CHECK(entries[0].cookie);
}

/* Chains without a user's part have no cookie, and nothing is told. */
static void without_a_user_part_nothing_is_told(long unused)
{
	struct perf_event_attr attr = deferring_attr(PAGE_FAULTS, 1);
	struct ring ring;
	unsigned int i;
	int fd;

	(void)unused;
	attr.exclude_callchain_user = !test_busted("deferred");
	attr.defer_callchain = 1;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	event_enable(fd);
	touch_here();
	event_disable(fd);
	take_entries(&ring, &attr);
	CHECK_EQ(nr_entries, NR_FAULTS);
	for (i = 0; i < nr_entries; i++)
		CHECK(entries[i].type == PERF_RECORD_SAMPLE && !entries[i].cookie && !entries[i].nr);
}

static const struct test tests[] = {
	TEST(chains_are_those_of_the_faults),
	TEST(one_stay_in_the_kernel_has_one_chain),
	TEST(a_handler_is_not_the_place),
	TEST(a_probe_is_the_place),
	TEST(a_cookie_has_its_mark),
	TEST(what_is_not_there_is_paged_in),
	TEST(samples_in_user_mode_are_told_at_once),
	TEST(an_exec_forgets_the_old_stack),
	TEST(who_exits_is_told_of),
	TEST(a_child_has_cookies_of_its_own),
	TEST(cpus_give_different_cookies),
	TEST_WITH(who_asks_is_told, "(of the task)", false),
	TEST_WITH(who_asks_is_told, "(of the CPU)", true),
	TEST(without_a_user_part_nothing_is_told),
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
