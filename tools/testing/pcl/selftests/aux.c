// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: AUX areas: how they are mapped, filled, told of in the ring, and how they end.
 *
 * Concepts: the module pcl_producer, which is built beside each kernel, has PMUs whose events fill an AUX area with a
 *	known pattern, as many bytes as are written to its parameter "produce" on the CPU of the event.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/producer.h"

#define RING_PAGES	8

/* An event of a producer with its ring and AUX area. */
struct producer {
	int fd;
	struct ring ring;
	const unsigned char *area;
	uint64_t size;
};

/* ---- events ---- */

static struct perf_event_attr told_attr(const char *name)
{
	struct perf_event_attr attr = producer_attr(name);

	attr.sample_type = PERF_SAMPLE_TID;
	attr.sample_id_all = 1;
	return attr;
}

static void announce(struct ring *ring, uint64_t offset, uint64_t size)
{
	ring->page->aux_offset = offset;
	ring->page->aux_size = size;
}

static void *map_at(int fd, uint64_t offset, uint64_t size, int prot)
{
	return mmap(NULL, size, prot, MAP_SHARED, fd, offset);
}

/*
 * Of any task's event the CPU is the last: on CPU 0, stock 6.1 does not disable an event that is out of room, since it
 * notes the CPU's number for that.
 */
static struct producer producer_open_on(const struct perf_event_attr *attr, int cpu, unsigned int pages, int prot)
{
	struct producer p = { .size = pages * PAGE };

	pin_to_cpu(cpu < 0 ? (int)cpus_online() - 1 : cpu);
	p.fd = must_open(attr, 0, cpu, -1);
	p.ring = ring_map(p.fd, RING_PAGES, PROT_READ | PROT_WRITE);
	p.area = aux_map(p.fd, &p.ring, pages, prot);
	return p;
}

static struct producer producer_open(const struct perf_event_attr *attr, unsigned int pages, int prot)
{
	return producer_open_on(attr, -1, pages, prot);
}

/* The next AUX record: fails the test when there is none. */
static void take_aux(struct producer *p, uint64_t offset, uint64_t size, uint64_t flags)
{
	static struct record record;

	if (!ring_find(&p->ring, PERF_RECORD_AUX, &record))
		FAIL("no AUX record of %llu bytes at %llu", (unsigned long long)size, (unsigned long long)offset);
	CHECK_EQ(record.body[0], offset);
	CHECK_EQ(record.body[1], size + test_busted("aux"));
	CHECK_EQ(record.body[2], flags);
	CHECK_EQ(record.header.size, 8 + 3 * 8 + 8);
	CHECK_EQ(half_of(record.body[3], 0), getpid());
}

static bool has_record(struct producer *p, uint32_t type)
{
	static struct record record;

	return ring_find(&p->ring, type, &record);
}

static void check_bytes(struct producer *p, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		if (p->area[from & (p->size - 1)] != (unsigned char)(producer_byte(from) + test_busted("aux")))
			FAIL("byte %llu is not that of the pattern", (unsigned long long)from);
}

static uint64_t aux_head(struct producer *p)
{
	return __atomic_load_n(&p->ring.page->aux_head, __ATOMIC_ACQUIRE);
}

/* ---- mapping ---- */

#define CHECK_MAP(error, fd, offset, size, prot)	CHECK_ERRNO(refused(fd, offset, size, prot, MAP_SHARED), error)

static int refused(int fd, uint64_t offset, uint64_t size, int prot, int flags)
{
	return mmap(NULL, size, prot, flags, fd, offset) == MAP_FAILED ? -1 : 0;
}

static void an_area_is_mapped_where_it_is_announced(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	uint64_t at = (1 + RING_PAGES) * PAGE;
	int fd = must_open_self(&attr), rw = PROT_READ | PROT_WRITE;
	struct ring ring;
	void *area, *second;

	(void)unused;
	CHECK_MAP(EINVAL, fd, at, 4 * PAGE, rw);		/* no ring yet */
	ring = ring_map(fd, RING_PAGES, rw);
	CHECK_MAP(EINVAL, fd, at, 4 * PAGE, rw);		/* nothing is announced */
	announce(&ring, at, 4 * PAGE);
	CHECK_MAP(EINVAL, fd, at + PAGE, 4 * PAGE, rw);
	CHECK_MAP(EINVAL, fd, at, 2 * PAGE, rw);
	CHECK_ERRNO(refused(fd, at, 4 * PAGE, rw, MAP_PRIVATE), EINVAL);
	announce(&ring, at, 3 * PAGE);
	CHECK_MAP(EINVAL, fd, at, 3 * PAGE, rw);		/* no power of two */
	announce(&ring, at - PAGE, 4 * PAGE);
	CHECK_MAP(EINVAL, fd, at - PAGE, 4 * PAGE, rw);		/* within the ring */
	CHECK_EQ(producer_areas(), 0);

	announce(&ring, at, 4 * PAGE);
	area = map_at(fd, at, test_busted("aux") ? 3 * PAGE : 4 * PAGE, rw);
	CHECK(area != MAP_FAILED);
	CHECK_EQ(producer_areas(), 1);
	second = map_at(fd, at, 4 * PAGE, PROT_READ);		/* the same once more */
	CHECK(second != MAP_FAILED);
	CHECK_EQ(producer_areas(), 1);
	announce(&ring, at, 8 * PAGE);
	CHECK_MAP(EINVAL, fd, at, 8 * PAGE, rw);		/* it has another size */
	announce(&ring, at + 8 * PAGE, 4 * PAGE);
	CHECK_MAP(EINVAL, fd, at + 8 * PAGE, 4 * PAGE, rw);	/* and place */
	CHECK(!munmap(area, 4 * PAGE));
	CHECK_EQ(producer_areas(), 1);
	CHECK(!munmap(second, 4 * PAGE));
	CHECK_EQ(producer_areas(), 0);

	announce(&ring, at + 8 * PAGE, 16 * PAGE);		/* anew, elsewhere */
	area = map_at(fd, at + 8 * PAGE, 16 * PAGE, rw);
	CHECK(area != MAP_FAILED);
	CHECK_EQ(producer_areas(), 1);
	CHECK(!munmap(area, 16 * PAGE));
	ring_unmap(&ring);
	close(fd);
}

static void others_have_no_area(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	uint64_t at = (1 + RING_PAGES) * PAGE;
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, RING_PAGES, PROT_READ | PROT_WRITE);

	(void)unused;
	announce(&ring, at, test_busted("aux") ? 3 * PAGE : 4 * PAGE);
	CHECK_MAP(EOPNOTSUPP, fd, at, 4 * PAGE, PROT_READ | PROT_WRITE);
	CHECK(!munmap((void *)ring.page, (1 + RING_PAGES) * PAGE));
}

static sigjmp_buf after_write;

static void no_write(int signal)
{
	(void)signal;
	siglongjmp(after_write, 1);
}

/* The program reads what hardware wrote, and writes nothing. */
static void an_area_is_for_reading(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p = producer_open(&attr, 2, PROT_READ | PROT_WRITE);

	(void)unused;
	CHECK_EQ(p.area[PAGE], 0);
	signal(SIGBUS, no_write);
	if (!sigsetjmp(after_write, 1)) {
		if (!test_busted("aux"))
			*(volatile unsigned char *)p.area = 1;
		FAIL("the area can be written");
	}
}

static int map_as_a_user(void *argument)
{
	struct perf_event_attr *attr = argument;
	uint64_t at = (1 + RING_PAGES) * PAGE;
	struct rlimit none = { 0, 0 };
	struct ring ring;
	int fd, i;

	drop_privileges();
	setrlimit(RLIMIT_MEMLOCK, &none);
	fd = must_open_self(attr);
	ring = ring_map(fd, RING_PAGES, PROT_READ | PROT_WRITE);
	announce(&ring, at, 64 * PAGE);
	CHECK_MAP(test_busted("aux") ? EINVAL : EPERM, fd, at, 64 * PAGE, PROT_READ);
	announce(&ring, at, 4 * PAGE);
	for (i = 0; i < 100; i++) {		/* what is unmapped is given back */
		void *area = map_at(fd, at, 4 * PAGE, PROT_READ);

		CHECK(area != MAP_FAILED);
		CHECK(!munmap(area, 4 * PAGE));
	}
	return 0;
}

/* The area is charged like the ring. */
static void locked_memory_is_charged(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	long before = sysctl_get("perf_event_mlock_kb"), paranoid = sysctl_get("perf_event_paranoid");
	int status;

	(void)unused;
	attr.exclude_kernel = 1;
	sysctl_set("perf_event_paranoid", 1);
	sysctl_set("perf_event_mlock_kb", ((1 + RING_PAGES + 8) / cpus_online() + 1) * PAGE / 1024);
	status = in_child(map_as_a_user, &attr);
	sysctl_set("perf_event_mlock_kb", before);
	sysctl_set("perf_event_paranoid", paranoid);
	CHECK_EQ(status, 0);
}

/* ---- data ---- */

static void bytes_come_in_order(long unused)
{
	static const unsigned int sizes[] = { 1, 1000, 4096, 3, 2500 };
	struct perf_event_attr attr = told_attr("producer");
	struct producer p = producer_open(&attr, 4, PROT_READ | PROT_WRITE);
	uint64_t head = 0;
	unsigned int i;

	(void)unused;
	CHECK(produce(1) < 0);		/* it is off */
	event_enable(p.fd);
	for (i = 0; i < 5; i++) {
		CHECK(!produce(sizes[i]));
		CHECK_EQ(aux_head(&p), head + sizes[i]);
		take_aux(&p, head, sizes[i], 0);
		head += sizes[i];
	}
	CHECK(!produce(0));
	CHECK(!has_record(&p, PERF_RECORD_AUX));	/* nothing is no news */
	event_disable(p.fd);
	check_bytes(&p, 0, head);
}

/* The reader makes room, and the area goes round. */
static void an_area_goes_round(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p = producer_open(&attr, 2, PROT_READ | PROT_WRITE);
	uint64_t head = 0;
	int i;

	(void)unused;
	event_enable(p.fd);
	for (i = 0; i < 20; i++) {
		CHECK(!produce(3000));
		take_aux(&p, head, 3000, 0);
		check_bytes(&p, head, head + 3000);
		head += 3000;
		__atomic_store_n(&p.ring.page->aux_tail, head, __ATOMIC_RELEASE);
	}
	event_disable(p.fd);
	CHECK_EQ(aux_head(&p), head);
}

/* After it was turned on anew. */
static void produce_again(unsigned long nr)
{
	if (!produce(nr))
		return;
	CHECK(!is_pcl());
	test_skip("stock had not turned it off: it does so in an interrupt, which comes late here");
}

/* What does not fit is cut off, the reader is told and woken, and the event is off until it is enabled again. */
static void what_does_not_fit_is_told(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p = producer_open(&attr, 2, PROT_READ | PROT_WRITE);
	struct pollfd fds = { .fd = p.fd, .events = POLLIN };

	(void)unused;
	event_enable(p.fd);
	CHECK(!produce(2 * PAGE + 1808));
	take_aux(&p, 0, 2 * PAGE - 1, PERF_AUX_FLAG_TRUNCATED);
	CHECK_EQ(poll(&fds, 1, 0), 1);
	CHECK(produce(1) < 0);
	event_enable(p.fd);		/* without room it is off again at once */
	CHECK(produce(1) < 0);
	__atomic_store_n(&p.ring.page->aux_tail, 5000, __ATOMIC_RELEASE);
	CHECK(produce(1) < 0);
	event_enable(p.fd);
	produce_again(4000);
	take_aux(&p, 2 * PAGE - 1, 4000, 0);
	check_bytes(&p, 5000, 2 * PAGE - 1 + 4000);
}

/* aux_tail is the user's: nonsense in it makes no room, and harms nobody. */
static void a_tail_that_cannot_be_is_no_room(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p = producer_open(&attr, 2, PROT_READ | PROT_WRITE);

	(void)unused;
	p.ring.page->aux_tail = test_busted("aux") ? 0 : 1;		/* nothing came yet */
	event_enable(p.fd);
	CHECK(produce(1) < 0);
	p.ring.page->aux_tail = ~0ULL << 40;
	event_enable(p.fd);
	CHECK(produce(1) < 0);
	p.ring.page->aux_tail = 0;
	event_enable(p.fd);
	produce_again(1);
	take_aux(&p, 0, 1, 0);
}

static void readers_are_woken_at_the_watermark(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct pollfd fds = { .events = POLLIN };
	struct producer p;

	(void)unused;
	attr.watermark = 1;		/* of the ring: not by its records */
	attr.wakeup_watermark = RING_PAGES * PAGE;
	attr.aux_watermark = test_busted("aux") ? 100 : 1024;
	p = producer_open(&attr, 4, PROT_READ | PROT_WRITE);
	fds.fd = p.fd;
	event_enable(p.fd);
	CHECK(!produce(1000));
	CHECK_EQ(poll(&fds, 1, 0), 0);
	CHECK(!produce(100));
	CHECK_EQ(poll(&fds, 1, 0), 1);
	CHECK_EQ(poll(&fds, 1, 0), 0);
	CHECK(!produce(900));
	CHECK_EQ(poll(&fds, 1, 0), 0);
	CHECK(!produce(48));		/* 2048 */
	CHECK_EQ(poll(&fds, 1, 0), 1);
	event_disable(p.fd);
}

/* A mapping that cannot be written asks for the last bytes, however many there were. */
static void the_last_bytes_are_kept(long in_one_piece)
{
	struct perf_event_attr attr = told_attr(in_one_piece ? "producer_one" : "producer");
	struct producer p = producer_open(&attr, 4, PROT_READ);
	uint64_t head = 0;
	int i;

	event_enable(p.fd);
	for (i = 0; i < 10; i++) {
		CHECK(!produce(3000));
		head += 3000;
		take_aux(&p, head, 3000, PERF_AUX_FLAG_OVERWRITE);
		CHECK_EQ(aux_head(&p), head);
	}
	event_disable(p.fd);
	check_bytes(&p, head - 4 * PAGE, head);
}

/* ---- beside others ---- */

static void a_start_is_told_once(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p = producer_open(&attr, 2, PROT_READ | PROT_WRITE);
	static struct record record;

	(void)unused;
	event_enable(p.fd);
	CHECK(ring_find(&p.ring, PERF_RECORD_ITRACE_START, &record));
	CHECK_EQ(half_of(record.body[0], 0), getpid() + test_busted("aux"));
	CHECK_EQ(half_of(record.body[0], 1), getpid());
	event_disable(p.fd);
	event_enable(p.fd);
	CHECK(!has_record(&p, PERF_RECORD_ITRACE_START));
}

/* Without an area it runs, and produces nothing. */
static void without_an_area_there_are_no_bytes(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, RING_PAGES, PROT_READ | PROT_WRITE);

	(void)unused;
	pin_to_cpu(0);
	event_enable(fd);
	CHECK(produce(1) < 0);
	event_disable(fd);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_AUX), test_busted("aux"));
}

static void produce_on(int cpu, unsigned long nr, bool succeeds)
{
	pin_to_cpu(cpu);
	CHECK_EQ(produce(nr), succeeds ? 0 : -1);
	pin_to_cpu(0);
}

/* The area goes while an event of another CPU fills it; mapped anew, it is filled after the next start. */
static void aux_unmapped__who_fills_it_is_stopped(long times)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p;
	int fd, i;

	if (cpus_online() < 2)
		test_skip("takes two CPUs");
	pin_to_cpu(0);
	fd = must_open(&attr, -1, 1, -1);
	p.ring = ring_map(fd, RING_PAGES, PROT_READ | PROT_WRITE);
	for (i = 0; i < times; i++) {
		p.area = aux_map(fd, &p.ring, 4, PROT_READ | PROT_WRITE);
		p.ring.page->aux_tail = aux_head(&p);	/* which goes on where it was */
		event_enable(fd);
		produce_on(1, 2000, true);
		CHECK_EQ(producer_areas(), 1);
		CHECK(!munmap((void *)p.area, test_busted("aux") ? PAGE : 4 * PAGE));
		CHECK_EQ(producer_areas(), 0);
		produce_on(1, 1, false);
		event_disable(fd);
		CHECK(ring_count(&p.ring, PERF_RECORD_AUX) >= 1);
	}
	ring_unmap(&p.ring);
	close(fd);
}

/* A child's event fills the area of its parent's, one after the other. */
static void children_fill_the_same_area(long unused)
{
	struct perf_event_attr attr = told_attr("producer");
	struct producer p;
	int status;
	pid_t pid;

	(void)unused;
	attr.inherit = !test_busted("aux");
	p = producer_open_on(&attr, 0, 4, PROT_READ | PROT_WRITE);
	event_enable(p.fd);
	CHECK(!produce(1000));
	pid = fork();
	if (!pid)
		_exit(!!produce(500));
	CHECK(pid > 0);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK(!produce(700));
	event_disable(p.fd);
	CHECK_EQ(aux_head(&p), 2200);
	check_bytes(&p, 0, 2200);
}

/* Whoever is redirected while it fills an area has left it. */
static void redirecting_ends_the_filling(long unused)
{
	struct perf_event_attr attr = told_attr("producer"), side = dummy_attr();
	struct producer p = producer_open(&attr, 4, PROT_READ | PROT_WRITE);
	int other, filler;

	(void)unused;
	other = must_open_self(&side);
	ring_map(other, 1, PROT_READ | PROT_WRITE);
	filler = must_open_self(&attr);
	must_ioctl(filler, PERF_EVENT_IOC_SET_OUTPUT, p.fd);
	event_enable(filler);
	CHECK(!produce(300));
	CHECK_EQ(aux_head(&p), 300 + test_busted("aux"));
	must_ioctl(filler, PERF_EVENT_IOC_SET_OUTPUT, other);
	CHECK(produce(1) < 0);
	CHECK(!munmap((void *)p.area, 4 * PAGE));
	CHECK_EQ(producer_areas(), 0);
	event_disable(filler);
}

static void an_exclusive_producer_is_alone(long unused)
{
	struct perf_event_attr attr = told_attr("producer_alone");
	int fd = must_open_self(&attr);

	(void)unused;
	CHECK_ERRNO(test_busted("aux") ? 0 : event_open(&attr, 0, -1, -1, 0), EBUSY);
	CHECK_ERRNO(event_open(&attr, -1, 0, -1, 0), EBUSY);
	close(fd);
	fd = must_open(&attr, -1, 0, -1);
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), EBUSY);
	close(fd);
}

static const struct test tests[] = {
	TEST(an_area_is_mapped_where_it_is_announced),
	TEST(others_have_no_area),
	TEST(an_area_is_for_reading),
	TEST(locked_memory_is_charged),
	TEST(bytes_come_in_order),
	TEST(an_area_goes_round),
	TEST(what_does_not_fit_is_told),
	TEST(a_tail_that_cannot_be_is_no_room),
	TEST(readers_are_woken_at_the_watermark),
	TEST_WITH(the_last_bytes_are_kept, "(any pieces)", false),
	TEST_WITH(the_last_bytes_are_kept, "(one piece)", true),
	TEST(a_start_is_told_once),
	TEST(without_an_area_there_are_no_bytes),
	TEST_WITH(aux_unmapped__who_fills_it_is_stopped, "(once)", 1),
	TEST_WITH(aux_unmapped__who_fills_it_is_stopped, "(again and again)", 50),
	TEST(children_fill_the_same_area),
	TEST(redirecting_ends_the_filling),
	TEST(an_exclusive_producer_is_alone),
};

int main(void)
{
	return TESTS_RUN(tests);
}
