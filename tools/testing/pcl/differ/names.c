// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: names for what differs from run to run: addresses, processes, ids; and errnos by name.
 *
 * Concepts: an address in the program, or in memory that a sequence made, is told by its place there. Processes that
 *	the sequence did not start itself, and ids that no descriptor told, have numbers in the order they are met.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
#include <sys/auxv.h>

#include "differ.h"

#define NR_NAMES	64

static struct region {
	uintptr_t at;
	size_t size;
} regions[NR_NAMES];
static unsigned int nr_regions;

static uint32_t strangers[NR_NAMES];
static unsigned int nr_strangers;
static uint64_t copies[NR_NAMES];
static unsigned int nr_copies;

extern const char __executable_start[], _end[];

void names_begin(void)
{
	nr_regions = nr_strangers = nr_copies = 0;
}

void region_add(const void *at, size_t size)
{
	if (nr_regions < NR_NAMES)
		regions[nr_regions++] = (struct region){ (uintptr_t)at, size };
}

/* One of a few texts, so that a line may hold several. */
static char *text_take(void)
{
	static char texts[8][48];
	static unsigned int next;

	return texts[next++ % 8];
}

const char *name_of_address(uint64_t address)
{
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
	char *text = text_take();
	uint64_t here = (uintptr_t)&text;
	unsigned int i;

	if (!address)
		return "0";
	for (i = nr_regions; i--;)
		if (address - regions[i].at < regions[i].size) {
			snprintf(text, 48, "memory%u+%#lx", i, (unsigned long)(address - regions[i].at));
			return text;
		}
	if (address >= (uintptr_t)__executable_start && address < (uintptr_t)_end) {
		snprintf(text, 48, "program+%#lx", (unsigned long)(address - (uintptr_t)__executable_start));
		return text;
	}
	if (address >= (uint64_t)PERF_CONTEXT_MAX) {
		snprintf(text, 48, "mark%lld", (long long)address);
		return text;
	}
	if (address >> 47)
		return address >> 47 == 0x1ffff ? "kernel" : "noncanonical";
	if (address - vdso < 2 * PAGE)
		return "vdso";
	if (address > here - (8UL << 20))
		return "stack";
	return "elsewhere";
}

const char *name_of_process(uint32_t pid)
{
	char *text = text_take();
	unsigned int i;

	if (!pid)
		return "idle";
	if (pid == ~0U)
		return "none";
	if (pid == (uint32_t)getpid())
		return "self";
	if (pid == (uint32_t)getppid())
		return "parent";
	for (i = 0; i < NR_MEMBERS; i++)
		if (pid == (uint32_t)now.members[i].pid) {
			snprintf(text, 48, "member%u", i);
			return text;
		}
	for (i = 0; i < nr_strangers && strangers[i] != pid; i++)
		;
	if (i == nr_strangers && nr_strangers < NR_NAMES)
		strangers[nr_strangers++] = pid;
	snprintf(text, 48, "stranger%u", i);
	return text;
}

const char *name_of_id(uint64_t id)
{
	char *text = text_take();
	unsigned int i;

	if (!id)
		return "0";
	for (i = 0; i < NR_SLOTS; i++)
		if (now.slots[i].id == id) {
			snprintf(text, 48, "event%u", i);
			return text;
		}
	for (i = 0; i < nr_copies && copies[i] != id; i++)
		;
	if (i == nr_copies && nr_copies < NR_NAMES)
		copies[nr_copies++] = id;
	snprintf(text, 48, "copy%u", i);
	return text;
}

const char *name_of_error(int error)
{
	const char *name = strerrorname_np(error);

	return name ? name : "an unknown error";
}
