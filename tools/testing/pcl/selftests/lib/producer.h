/* SPDX-License-Identifier: GPL-2.0 */
/* The module pcl_producer (../../kernel/producer): PMUs whose events fill an AUX area, as many bytes as are asked for. */
#ifndef PCL_TEST_PRODUCER_H
#define PCL_TEST_PRODUCER_H

#include "event.h"

/* An attr of one of its PMUs; the module is loaded first. Opened disabled, counts the kernel as well. */
struct perf_event_attr producer_attr(const char *name);
/* So many bytes into the area of the event that runs on this CPU; -1: none runs, or it has no area, or no room. */
int produce(unsigned long nr);
/* How many areas there are. */
int producer_areas(void);
/* What stands at this position of the stream of bytes. */
unsigned char producer_byte(uint64_t at);

/* Where the event that runs on this CPU has been told to look; how many there are. */
struct producer_range {
	int action;			/* 0 stop, 1 start, 2 filter */
	uint64_t start, size;
};

unsigned int producer_ranges(struct producer_range ranges[2]);

/* Announces an AUX area of so many pages behind the ring, and maps it. */
void *aux_map(int fd, struct ring *ring, unsigned int pages, int prot);

#endif
