// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: kprobes and uprobes as events: the PMUs "kprobe" and "uprobe".
 *
 * Concepts: a function of the kernel that nothing but a test's call runs, and a function of this program.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "lib/trace.h"

#define NR		60
#define RETURN		1	/* config */

static void hit(void)
{
	hit_with(PID, test_busted("hits") ? NR - 1 : NR);
}

/* ---- kprobes ---- */

static void a_kprobe_counts(long config)
{
	struct perf_event_attr attr = kprobe_attr(config);
	int fd = must_open_self(&attr), second = must_open_self(&attr);

	hit();
	event_enable(fd);
	hit();
	event_enable(second);
	hit_with(PID, NR);
	event_disable(fd);
	hit_with(PID, 1);
	CHECK_EQ(event_read(fd), 2 * NR);
	CHECK_EQ(event_read(second), NR + 1);
}

static uint64_t address_of(const char *function)
{
	unsigned long long address;
	char name[256], kind;
	FILE *f = fopen("/proc/kallsyms", "r");

	CHECK(f);
	while (fscanf(f, "%llx %c %255s%*[^\n]", &address, &kind, name) == 3) {
		if (!strcmp(name, function)) {
			fclose(f);
			return address;
		}
	}
	FAIL("the kernel has no function %s", function);
}

/* Where it is, is in the record, and in the registers. */
static void a_kprobe_at_an_address_samples(long unused)
{
	struct perf_event_attr attr = kprobe_attr(0);
	static struct record record;
	static struct sample sample;
	unsigned int nr = 0;
	uint64_t ip;
	struct ring ring;
	int fd;

	(void)unused;
	attr.kprobe_func = 0;
	attr.kprobe_addr = address_of(CALL_FUNCTION);
	attr.sample_period = 2;
	attr.sample_type = OF_A_HIT;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	hit();
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.tid, gettid());
		CHECK_RANGE(sample.ip, attr.kprobe_addr, attr.kprobe_addr + ARCH_PROBE_SKID);
		CHECK(sample.raw_size >= 16);
		memcpy(&ip, sample.raw + 8, sizeof(ip));	/* __probe_ip */
		CHECK_EQ(ip, attr.kprobe_addr);
		nr++;
	}
	CHECK_EQ(nr, NR / 2);
}

/* Of its own fields a probe that belongs to an event has none that a filter knows. */
static void a_kprobe_takes_a_filter(long unused)
{
	struct perf_event_attr attr = kprobe_attr(0);
	int none = must_open_self(&attr), all = must_open_self(&attr);

	(void)unused;
	CHECK(!ioctl(none, PERF_EVENT_IOC_SET_FILTER, test_busted("filter") ? "common_pid != 1" : "common_pid == 1"));
	CHECK(!ioctl(all, PERF_EVENT_IOC_SET_FILTER, "common_pid != 1"));
	CHECK_ERRNO(ioctl(all, PERF_EVENT_IOC_SET_FILTER, "common_pid != 1"), EEXIST);
	event_enable(none);
	event_enable(all);
	hit_with(PID, NR);
	CHECK_EQ(event_read(none), 0);
	CHECK_EQ(event_read(all), NR);
}

static void a_kprobe_is_inherited(long unused)
{
	struct perf_event_attr attr = kprobe_attr(0);
	int fd, i;

	(void)unused;
	attr.inherit = !test_busted("inherit");
	fd = must_open_self(&attr);
	event_enable(fd);
	for (i = 0; i < 3; i++) {
		if (!fork()) {
			hit_with(PID, NR);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	CHECK_EQ(event_read(fd), 3 * NR);
}

/* ---- uprobes ---- */

static void call(int times)
{
	while (times--)
		probed();
}

/* As much as the program wants to know of who counts here */
static volatile unsigned short watched __attribute__((section(".data")));

/* User mode alone: that is where it is. */
static struct perf_event_attr uprobe(uint64_t config)
{
	return uprobe_attr(config);
}

static void a_uprobe_counts(long config)
{
	struct perf_event_attr attr = uprobe(config);
	int fd = must_open_self(&attr);

	call(1);
	event_enable(fd);
	call(test_busted("hits") ? NR - 1 : NR);
	event_disable(fd);
	call(1);
	CHECK_EQ(event_read(fd), NR);
	event_reset(fd);
	if (!fork()) {
		call(NR);
		_exit(0);
	}
	CHECK(wait(NULL) > 0);
	CHECK_EQ(event_read(fd), 0);
}

static void a_uprobe_samples(long unused)
{
	struct perf_event_attr attr = uprobe(0);
	static struct record record;
	static struct sample sample;
	unsigned int nr = 0;
	struct ring ring;
	int fd;

	(void)unused;
	attr.sample_period = 1;
	attr.sample_type = OF_A_HIT;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	call(test_busted("hits") ? NR - 1 : NR);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
		CHECK_EQ(sample.ip, (uintptr_t)probed);
		nr++;
	}
	CHECK_EQ(nr, NR);
}

/* Each child has the probe in its own memory. */
static void a_uprobe_is_inherited(long unused)
{
	struct perf_event_attr attr = uprobe(0);
	int fd, i;

	(void)unused;
	attr.inherit = !test_busted("inherit");
	fd = must_open_self(&attr);
	event_enable(fd);
	for (i = 0; i < 3; i++) {
		if (!fork()) {
			call(NR);
			_exit(0);
		}
		CHECK(wait(NULL) > 0);
	}
	if (!is_pcl())
		test_skip("stock loses the hits of some children: %llu", (unsigned long long)event_read(fd));
	CHECK_EQ(event_read(fd), 3 * NR);
}

static void a_uprobe_of_a_cpu_counts_all(long unused)
{
	struct perf_event_attr attr = uprobe(0);
	int fd;

	(void)unused;
	pin_to_cpu(0);
	fd = must_open(&attr, -1, test_busted("hits") && cpus_online() > 1, -1);
	event_enable(fd);
	call(NR);
	if (!fork()) {
		call(NR);
		_exit(0);
	}
	CHECK(wait(NULL) > 0);
	CHECK_EQ(event_read(fd), 2 * NR);
}

/* A program can see that somebody counts. */
static void a_counter_says_who_watches(long unused)
{
	struct perf_event_attr attr = uprobe(test_busted("hits") ? 0 : offset_in_program(&watched) << 32);
	int fd;

	(void)unused;
	CHECK_EQ(watched, 0);
	fd = must_open_self(&attr);
	CHECK_EQ(watched, 1);
	event_enable(fd);
	call(NR);
	CHECK_EQ(event_read(fd), NR);
	close(fd);
	CHECK_EQ(watched, 0);
}

/* ---- sysfs ---- */

static void formats_are_told(long unused)
{
	static const char *const formats[][2] = {
		{ "kprobe/format/retprobe", "config:0\n" },
		{ "uprobe/format/retprobe", "config:0\n" },
		{ "uprobe/format/ref_ctr_offset", "config:32-63\n" },
	};
	char path[128], text[64];
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		ssize_t length;
		int fd;

		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", formats[i][0]);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			FAIL("cannot open %s", path);
		length = read(fd, text, sizeof(text) - 1);
		CHECK(length > 0);
		text[length] = '\0';
		if (strcmp(text, formats[i][1]))
			FAIL("%s says %s", path, text);
		close(fd);
	}
}

static const struct test tests[] = {
	TEST_WITH(a_kprobe_counts, "(calls)", 0),
	TEST_WITH(a_kprobe_counts, "(returns)", RETURN),
	TEST(a_kprobe_at_an_address_samples),
	TEST(a_kprobe_takes_a_filter),
	TEST(a_kprobe_is_inherited),
	TEST_WITH(a_uprobe_counts, "(calls)", 0),
	TEST_WITH(a_uprobe_counts, "(returns)", RETURN),
	TEST(a_uprobe_samples),
	TEST(a_uprobe_is_inherited),
	TEST(a_uprobe_of_a_cpu_counts_all),
	TEST(a_counter_says_who_watches),
	TEST(formats_are_told),
};

int main(void)
{
	return TESTS_RUN(tests);
}
