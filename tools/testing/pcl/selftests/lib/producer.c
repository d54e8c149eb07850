// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: loads the module that fills AUX areas, and tells it to.
 *
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "producer.h"

#define MODULE		"pcl_producer"
#define PARAMETER	"/sys/module/" MODULE "/parameters/"

static void load_module(void)
{
	const char *directory = getenv("PCL_MODULES");
	char path[512];
	int fd;

	if (!access(PARAMETER, F_OK))
		return;
	if (!directory)
		FAIL("PCL_MODULES does not tell where the kernel's modules lie");
	snprintf(path, sizeof(path), "%s/" MODULE ".ko", directory);
	fd = open(path, O_RDONLY);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		FAIL("cannot load %s: %s", path, strerror(errno));
	close(fd);
}

struct perf_event_attr producer_attr(const char *name)
{
	struct perf_event_attr attr;

	load_module();
	attr = event_attr(pmu_type(name), 0);
	attr.exclude_kernel = 0;
	return attr;
}

int produce(unsigned long nr)
{
	int fd = open(PARAMETER "produce", O_WRONLY), len, ret;
	char text[32];

	CHECK(fd >= 0);
	len = snprintf(text, sizeof(text), "%lu", nr);
	ret = write(fd, text, len);
	close(fd);
	return ret == len ? 0 : -1;
}

int producer_areas(void)
{
	FILE *f = fopen(PARAMETER "areas", "r");
	int nr;

	CHECK(f && fscanf(f, "%d", &nr) == 1);
	fclose(f);
	return nr;
}

unsigned int producer_ranges(struct producer_range ranges[2])
{
	FILE *f = fopen(PARAMETER "ranges", "r");
	unsigned int nr = 0;

	CHECK(f);
	while (nr < 2 && fscanf(f, "%d %lx %lx", &ranges[nr].action, &ranges[nr].start, &ranges[nr].size) == 3)
		nr++;
	fclose(f);
	return nr;
}

unsigned char producer_byte(uint64_t at)
{
	return at ^ at >> 8 ^ at >> 16;
}

void *aux_map(int fd, struct ring *ring, unsigned int pages, int prot)
{
	uint64_t offset = PAGE + ring->size;
	void *area;

	ring->page->aux_offset = offset;
	ring->page->aux_size = pages * PAGE;
	area = mmap(NULL, pages * PAGE, prot, MAP_SHARED, fd, offset);
	if (area == MAP_FAILED)
		FAIL("an AUX area of %u pages cannot be mapped: %s", pages, strerror(errno));
	return area;
}
