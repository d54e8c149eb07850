// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: tracepoints, and what their records hold; probes.
 *
 * Concepts: where a field lies is read from the tracepoint's format in tracefs.
 * Contexts: a test's child process.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "trace.h"

struct perf_event_attr trace_attr(const char *tracepoint)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_TRACEPOINT, tracepoint_number(tracepoint));

	attr.exclude_kernel = 0;
	attr.exclude_hv = 0;
	return attr;
}

struct perf_event_attr kprobe_attr(uint64_t config)
{
	struct perf_event_attr attr = event_attr(pmu_type("kprobe"), config);

	attr.exclude_kernel = 0;
	attr.kprobe_func = (uintptr_t)CALL_FUNCTION;
	return attr;
}

uint64_t offset_in_program(const volatile void *at)
{
	unsigned long long start, end, offset;
	FILE *f = fopen("/proc/self/maps", "r");

	CHECK(f);
	while (fscanf(f, "%llx-%llx %*s %llx%*[^\n]", &start, &end, &offset) == 3) {
		if ((uintptr_t)at >= start && (uintptr_t)at < end) {
			fclose(f);
			return (uintptr_t)at - start + offset;
		}
	}
	FAIL("%p is not mapped", at);
}

/*
 * By the file's own name: a child's probe is looked up by name again, during the fork, and what is below /proc/PID takes
 * a lock there that must not be taken then (design.rst).
 */
__attribute__((noipa)) void probed(void)
{
	__asm__ volatile("nop");
}

struct perf_event_attr uprobe_attr(uint64_t config)
{
	struct perf_event_attr attr = event_attr(pmu_type("uprobe"), config);
	static char path[4096];

	CHECK(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	attr.uprobe_path = (uintptr_t)path;
	attr.probe_offset = offset_in_program((void *)probed);
	return attr;
}

void hit_with(long pid, int times)
{
	while (times--)
		syscall(SYS_getpgid, pid);
}

static void read_format(const char *tracepoint, char *text, size_t size)
{
	char path[256];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/format", tracepoint);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		FAIL("cannot open %s: %s", path, strerror(errno));
	length = read(fd, text, size - 1);
	CHECK(length > 0);
	text[length] = '\0';
	close(fd);
}

uint64_t field_of(const char *tracepoint, const char *name, const struct sample *sample)
{
	unsigned int offset, size;
	char text[8192], want[64];
	union {
		uint64_t all;
		uint32_t half;
		uint16_t quarter;
		uint8_t byte;
	} value = { 0 };
	char *at;

	read_format(tracepoint, text, sizeof(text));
	snprintf(want, sizeof(want), " %s;", name);
	at = strstr(text, want);
	if (!at || sscanf(at + strlen(want), " offset:%u; size:%u;", &offset, &size) != 2)
		FAIL("%s has no field %s", tracepoint, name);
	CHECK(size <= 8 && offset + size <= sample->raw_size);
	memcpy(&value, sample->raw + offset, size);
	switch (size) {
	case 1:
		return value.byte;
	case 2:
		return value.quarter;
	case 4:
		return value.half;
	default:
		return value.all;
	}
}
