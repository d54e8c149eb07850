// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: NMIs that no counter caused are left to those whose they may be, and disturb no count and no sample.
 *
 * Concepts: the emulator's pmu-foreign raises one for every EVERY instructions of what is counted. Who claims an NMI as
 *	the PMU's counts it in /proc/interrupts as PMI; all others are nobody's, and of each the kernel complains: that it
 *	does, `run` sees to.
 * Contexts: root; one CPU.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/event.h"

#define EVERY	1000003UL	/* as in `plans` */
#define FOREIGN	20UL		/* so many are to come */
#define N	(FOREIGN * EVERY / 2 + EVERY / 4)	/* two instructions each: half of EVERY is left over */
#define PERIOD	10000

/* How often this line of /proc/interrupts was, on all CPUs. */
static long times(const char *name)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[512];
	long sum = -1;

	CHECK(f);
	while (sum < 0 && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, name), *end;

		if (!at)
			continue;
		for (sum = 0, at += strlen(name); ; at = end) {
			long n = strtol(at, &end, 10);

			if (end == at)
				break;
			sum += n;
		}
	}
	fclose(f);
	CHECK(sum >= 0);
	return sum;
}

static long nobodys(void)
{
	return times("NMI:") - times("PMI:");
}

static bool is_amd(void)
{
	unsigned int eax, ebx, ecx, edx;

	CHECK(__get_cpuid(0, &eax, &ebx, &ecx, &edx));
	return ebx == signature_AMD_ebx;
}

static void run_loop(void)
{
	loop_run(test_busted("loop") ? N / 2 : N);
}

static void counting_claims_none(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	long before = nobodys();

	(void)unused;
	event_enable(fd);
	run_loop();
	event_disable(fd);
	CHECK_RANGE(nobodys() - before, FOREIGN, FOREIGN + 1);
	CHECK_RANGE(event_read(fd), 2 * N, 2 * N + 2000);
}

/* AMD's processors do not tell whose an NMI is: for some time after one of the PMU's, others are taken for it. */
static void sampling_loses_none(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	struct ring ring;
	long before;
	int fd;

	(void)unused;
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	before = nobodys();
	event_enable(fd);
	run_loop();
	event_disable(fd);
	CHECK_RANGE(event_read(fd), 2 * N, 2 * N + 2000);
	CHECK_RANGE(ring_count(&ring, PERF_RECORD_SAMPLE), 2 * N / PERIOD - 1, 2 * N / PERIOD + 1);
	/* Two of them may fall together with one of the PMU's. */
	if (!is_amd())
		CHECK_RANGE(nobodys() - before, FOREIGN - 2, FOREIGN + 1);
}

static const struct test tests[] = {
	TEST(counting_claims_none),
	TEST(sampling_loses_none),
};

int main(void)
{
	return TESTS_RUN(tests);
}
