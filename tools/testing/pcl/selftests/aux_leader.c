// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what the members of a group have of their leader's AUX area: its last bytes in their samples
 *	(aux_sample_size), and the right to write to it (aux_output).
 *
 * Concepts: the leader is an event of the module pcl_producer, whose bytes are known; members are page faults, one
 *	sample each, or "producer_echo".
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "lib/producer.h"

#define RING_PAGES	32

/* A group: a producer with an area that is overwritten, and who samples it. */
struct group {
	int leader, fd;
	struct perf_event_attr attr;	/* of the member */
	struct ring leader_ring, ring;
	const unsigned char *area;
	uint64_t area_size;
};

/* ---- groups ---- */

static struct perf_event_attr sampler_attr(unsigned int bytes)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_AUX;
	attr.aux_sample_size = bytes;
	attr.sample_period = 1;
	attr.disabled = 0;
	return attr;
}

static struct perf_event_attr hardware_attr(void)
{
	struct perf_event_attr attr = event_attr(CYCLES);

	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_AUX;
	attr.aux_sample_size = 512;
	attr.sample_period = 100000;
	attr.disabled = 0;
	return attr;
}

/* @pages: of the area; 0: none. It is of one CPU, so that its rings can be mapped where it is inherited. */
static struct group group_of(const struct perf_event_attr *attr, unsigned int pages)
{
	struct perf_event_attr leader = producer_attr("producer");
	struct group g = { .attr = *attr, .area_size = pages * PAGE };

	leader.inherit = attr->inherit;
	pin_to_cpu(0);
	g.leader = must_open(&leader, 0, 0, -1);
	g.leader_ring = ring_map(g.leader, 1, PROT_READ | PROT_WRITE);
	if (pages)
		g.area = aux_map(g.leader, &g.leader_ring, pages, PROT_READ);
	g.fd = must_open(attr, 0, 0, g.leader);
	g.ring = ring_map(g.fd, RING_PAGES, PROT_READ | PROT_WRITE);
	event_enable(g.leader);
	return g;
}

static void fault(void)
{
	touch_fresh_pages(1);
}

static void take_sample(struct group *g, struct sample *sample)
{
	static struct record record;

	if (!ring_find(&g->ring, PERF_RECORD_SAMPLE, &record))
		FAIL("there is no sample");
	sample_parse(&record, &g->attr, sample);
}

/* A sample with the @bytes that end the first @head of the stream; before its beginning is nothing. */
static void check_bytes(const struct sample *sample, uint64_t head, uint64_t bytes)
{
	uint64_t i;

	CHECK_EQ(sample->aux_size, bytes + test_busted("aux_sample"));
	for (i = 0; i < bytes; i++) {
		uint64_t at = head - bytes + i;

		if (sample->aux[i] != (at > head ? 0 : producer_byte(at)))
			FAIL("byte %llu of %llu is %u, not that at %lld", (unsigned long long)i,
			     (unsigned long long)bytes, sample->aux[i], (long long)at);
	}
}

static void take_bytes(struct group *g, uint64_t head, uint64_t bytes)
{
	struct sample sample;

	fault();
	take_sample(g, &sample);
	CHECK_EQ(sample.tid, getpid());
	check_bytes(&sample, head, bytes);
}

/* ---- bytes in samples ---- */

static void samples_have_the_last_bytes(long asked)
{
	struct perf_event_attr attr = sampler_attr(asked);
	uint64_t whole = asked & ~7UL, head = 0;
	struct group g = group_of(&attr, 4);
	int i;

	if (whole > g.area_size)
		whole = g.area_size;
	take_bytes(&g, 0, whole);
	for (i = 0; i < 8; i++) {
		CHECK(!produce(3000 + i));
		head += 3000 + i;
		ring_count(&g.ring, PERF_RECORD_SAMPLE);
		take_bytes(&g, head, whole);
	}
}

/* The size of a record has 16 bits: the other fields come first. */
static void a_record_is_full_at_64_kib(long stack)
{
	struct perf_event_attr attr = sampler_attr(1 << 20);
	struct sample sample;
	uint64_t others;
	struct group g;

	if (stack) {
		if (!(ARCH_FIELDS & PERF_SAMPLE_STACK_USER))
			test_skip("no stack in samples of this architecture");
		attr.sample_type |= PERF_SAMPLE_STACK_USER;
		attr.sample_stack_user = stack;
	}
	g = group_of(&attr, 32);
	CHECK(!produce(100000));
	ring_count(&g.ring, PERF_RECORD_SAMPLE);
	fault();
	take_sample(&g, &sample);
	others = 8 + 8 + 8 + (stack ? 8 + sample.stack_size + (sample.stack_size ? 8 : 0) : 0);
	check_bytes(&sample, 100000, 65528 - others);
}

/* The field is there, and has no bytes. */
static void no_area_no_bytes(long bytes)
{
	struct perf_event_attr attr = sampler_attr(bytes);
	struct group g = group_of(&attr, bytes ? 0 : 4);

	take_bytes(&g, 0, 0);
}

static void no_leader_no_bytes(long unused)
{
	struct perf_event_attr attr = sampler_attr(0);
	struct group g = { .attr = attr, .fd = must_open_self(&attr) };

	(void)unused;
	g.ring = ring_map(g.fd, RING_PAGES, PROT_READ | PROT_WRITE);
	take_bytes(&g, 0, 0);
}

static void the_area_comes_and_goes(long unused)
{
	struct perf_event_attr attr = sampler_attr(64);
	struct group g = group_of(&attr, 4);

	(void)unused;
	CHECK(!produce(1000));
	ring_count(&g.ring, PERF_RECORD_SAMPLE);
	take_bytes(&g, 1000, 64);
	CHECK(!munmap((void *)g.area, g.area_size));
	ring_count(&g.ring, PERF_RECORD_SAMPLE);
	take_bytes(&g, 1000, 0);
	g.area = aux_map(g.leader, &g.leader_ring, 4, PROT_READ);
	event_disable(g.leader);
	event_enable(g.leader);
	CHECK(!produce(500));
	ring_count(&g.ring, PERF_RECORD_SAMPLE);
	take_bytes(&g, 1500, 64);
}

/* The counters' interrupt comes amidst anything; in user mode no bytes are being produced. */
static void interrupts_have_the_last_bytes(long unused)
{
	struct perf_event_attr attr = hardware_attr();
	struct group g = group_of(&attr, 4);
	static struct record record;
	struct sample sample;
	uint64_t head = 0;
	int i, nr = 0;

	(void)unused;
	for (i = 0; i < 50; i++) {
		CHECK(!produce(1500));
		head += 1500;
		while (ring_take(&g.ring, &record))
			;	/* of what the program did meanwhile */
		loop_run(200000);
		while (ring_take(&g.ring, &record)) {
			if (record.header.type != PERF_RECORD_SAMPLE)
				continue;
			sample_parse(&record, &g.attr, &sample);
			check_bytes(&sample, head, 512);
			nr++;
		}
	}
	CHECK(nr >= 50);
}

static void children_have_their_own_bytes(long unused)
{
	struct perf_event_attr attr = sampler_attr(64);
	struct sample sample;
	struct group g;
	int status;
	pid_t pid;

	(void)unused;
	attr.inherit = !test_busted("aux_sample");
	g = group_of(&attr, 4);
	CHECK(!produce(700));
	pid = fork();
	if (!pid) {
		if (produce(300))
			_exit(1);
		fault();
		_exit(0);
	}
	CHECK(pid > 0);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	event_disable(g.leader);
	do
		take_sample(&g, &sample);
	while (sample.tid != (uint32_t)pid || sample.aux[63] != producer_byte(999));
	check_bytes(&sample, 1000, 64);
}

/* ---- who may be whose ---- */

static int member(const struct perf_event_attr *attr, const struct perf_event_attr *leader)
{
	return event_open(attr, 0, -1, leader ? must_open_self(leader) : -1, 0);
}

static void only_areas_can_be_sampled(long unused)
{
	struct perf_event_attr attr = sampler_attr(64), producer = producer_attr("producer");
	struct perf_event_attr unsampled = producer_attr("producer_alone"), software = event_attr(DUMMY);

	(void)unused;
	CHECK_ERRNO(member(&attr, NULL), EINVAL);
	CHECK_ERRNO(member(&attr, &software), EINVAL);
	CHECK_ERRNO(member(&attr, &unsampled), EINVAL);
	CHECK(member(&attr, &producer) >= 0);
	attr.sample_type = PERF_SAMPLE_TID;	/* a size alone is one, too */
	CHECK_ERRNO(member(&attr, NULL), EINVAL);
	CHECK(member(&attr, test_busted("aux_sample") ? &software : &producer) >= 0);
	producer.aux_sample_size = 64;		/* of its own */
	CHECK_ERRNO(member(&producer, NULL), EINVAL);
}

static void only_an_echo_writes_to_an_area(long unused)
{
	struct perf_event_attr attr = producer_attr("producer_echo"), producer = producer_attr("producer");
	struct perf_event_attr other = producer_attr("producer_one"), software = event_attr(DUMMY);

	(void)unused;
	CHECK(member(&attr, NULL) >= 0);
	attr.aux_output = 1;
	CHECK_ERRNO(member(&attr, NULL), EINVAL);
	CHECK_ERRNO(member(&attr, &software), EINVAL);
	CHECK_ERRNO(member(&attr, &other), EINVAL);
	CHECK(member(&attr, test_busted("aux_sample") ? &other : &producer) >= 0);
	attr.aux_sample_size = 64;
	CHECK_ERRNO(member(&attr, &producer), EINVAL);
	software.aux_output = 1;
	CHECK_ERRNO(member(&software, &producer), EOPNOTSUPP);
	CHECK_ERRNO(member(&software, NULL), EOPNOTSUPP);
}

static void an_echo_tells_who_it_is(long unused)
{
	struct perf_event_attr attr = producer_attr("producer_echo"), producer = producer_attr("producer");
	static struct record record;
	int leader, fd;
	struct ring ring;

	(void)unused;
	attr.aux_output = 1;
	attr.config1 = 0x1234567890;
	attr.disabled = 0;
	leader = must_open_self(&producer);
	fd = must_open(&attr, 0, -1, leader);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	event_enable(leader);
	CHECK(ring_find(&ring, PERF_RECORD_AUX_OUTPUT_HW_ID, &record));
	CHECK_EQ(record.body[0], 0x1234567890 + test_busted("aux_sample"));
	CHECK_EQ(record.header.size, 16);
}

/* A member whose leader goes can no more have what it was opened for: it stops. Enabled again, it does without. */
static void without_its_leader_it_stops(long echo)
{
	struct perf_event_attr attr = sampler_attr(64);
	struct group g;
	uint64_t count;

	if (echo) {
		attr = producer_attr("producer_echo");
		attr.aux_output = 1;
		attr.disabled = 0;
	}
	g = group_of(&attr, 4);
	CHECK_EQ(read(g.fd, &count, sizeof(count)), 8);
	munmap((void *)g.leader_ring.page, 2 * PAGE);
	munmap((void *)g.area, g.area_size);
	if (!test_busted("aux_sample"))
		close(g.leader);
	CHECK_EQ(read(g.fd, &count, sizeof(count)), 0);
	event_enable(g.fd);
	CHECK_EQ(read(g.fd, &count, sizeof(count)), 8);
	if (echo)
		return;
	ring_count(&g.ring, PERF_RECORD_SAMPLE);
	take_bytes(&g, 0, 0);
}

/* One that asks nothing of the area goes on. */
static void others_go_on_without_it(long unused)
{
	struct perf_event_attr attr = sampler_attr(0);
	struct group g;
	uint64_t count;

	(void)unused;
	g = group_of(&attr, 4);
	close(g.leader);
	munmap((void *)g.area, g.area_size);
	munmap((void *)g.leader_ring.page, test_busted("aux_sample") ? 1 : 2 * PAGE);
	CHECK_EQ(read(g.fd, &count, sizeof(count)), 8);
	ring_count(&g.ring, PERF_RECORD_SAMPLE);
	take_bytes(&g, 0, 0);
}

static const struct test tests[] = {
	TEST_WITH(samples_have_the_last_bytes, "(8)", 8),
	TEST_WITH(samples_have_the_last_bytes, "(an odd size)", 1005),
	TEST_WITH(samples_have_the_last_bytes, "(less than a word)", 7),
	TEST_WITH(samples_have_the_last_bytes, "(a page)", 4096),
	TEST_WITH(samples_have_the_last_bytes, "(more than there is)", 40000),
	TEST_WITH(a_record_is_full_at_64_kib, "(bytes alone)", 0),
	TEST_WITH(a_record_is_full_at_64_kib, "(and a stack)", 512),
	TEST_WITH(no_area_no_bytes, "(no area)", 64),
	TEST_WITH(no_area_no_bytes, "(no size)", 0),
	TEST(no_leader_no_bytes),
	TEST(the_area_comes_and_goes),
	TEST(interrupts_have_the_last_bytes),
	TEST(children_have_their_own_bytes),
	TEST(only_areas_can_be_sampled),
	TEST(only_an_echo_writes_to_an_area),
	TEST(an_echo_tells_who_it_is),
	TEST_WITH(without_its_leader_it_stops, "(a sampler)", false),
	TEST_WITH(without_its_leader_it_stops, "(an echo)", true),
	TEST(others_go_on_without_it),
};

int main(void)
{
	return TESTS_RUN(tests);
}
