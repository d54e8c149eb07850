// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: an Itanium's PMU for tests, by the module pcl_ia64 (itanium.h).
 *
 * Contexts: root, in boots whose emulator has no PMU.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "itanium.h"

#define ITANIUM2(name_)										\
	.name = (name_), .width = 47, .pmds = 0x3ffff, .recorders = 0x3ff0f,			\
	.data_ear = CODE_OF(0xc8), .fetch_ear = CODE_OF(0x43), .slow_fetch = EAR_UMASK(0xf0),	\
	.first = { CODE_OF(0xc0), CODE_OF(0xc1) }, .second = { CODE_OF(0xc4), CODE_OF(0xc5) }

#define DUAL_CORE(name_)									\
	.name = (name_), .width = 47, .pmds = 0xffff00df0000fff0, .recorders = 0xffff00df00000000, \
	.data_ear = CODE_OF(0xc8), .fetch_ear = CODE_OF(0x43), .slow_fetch = EAR_UMASK(0xf0),	\
	.first = { CODE_OF(0xcd), CODE_OF(0xce) }, .second = { CODE_OF(0xd0), CODE_OF(0xd2) }, .has_bundles = true

/* PMDs: Merced and Itanium 2 have 0 to 17, of which 4 to 7 count; Montecito's counters are 4 to 15. */
const struct chip chips[] = {
	[MERCED] = {
		.name = "Merced", .width = 32, .pmds = 0x3ffff, .recorders = 0x3ff0f,
		.data_ear = CODE_OF(0x67), .fetch_ear = CODE_OF(0x23), .slow_fetch = EAR_UMASK(5),
		.first = { CODE_OF(0x08), CODE_OF(0x2d) }, .second = { CODE_OF(0x30), CODE_OF(0x31) },
	},
	[MCKINLEY] = { ITANIUM2("McKinley") },
	[MADISON] = { ITANIUM2("Madison") },
	[MONTECITO] = { DUAL_CORE("Montecito") },
	[MONTVALE] = { DUAL_CORE("Montvale") },
};

static int machine = -1;
static const struct chip *machine_chip;

void machine_begin(const struct chip *chip)
{
	char path[512], argument[64];
	int fd;

	machine_chip = chip;
	if (!is_pcl())
		test_skip("a driver of PCL's");
	snprintf(path, sizeof(path), "%s/pcl_ia64.ko", getenv("PCL_MODULES") ?: "");
	snprintf(argument, sizeof(argument), "chip=%s", chip->name);
	syscall(SYS_delete_module, "pcl_ia64", O_NONBLOCK);	/* of a test that failed */
	fd = open(path, O_RDONLY);
	if (fd < 0 || syscall(SYS_finit_module, fd, argument, 0))
		FAIL("cannot load %s: %s", path, strerror(errno));
	close(fd);
	machine = open("/dev/pcl_ia64", O_RDWR);
	CHECK(machine >= 0);
}

int machine_file(void)
{
	return machine;
}

void machine_join(const struct chip *chip, int file)
{
	machine_chip = chip;
	machine = file;
}

static long machine_number(const char *name)
{
	char path[128];
	long number;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/pcl_ia64/parameters/%s", name);
	f = fopen(path, "r");
	CHECK(f && fscanf(f, "%ld", &number) == 1);
	fclose(f);
	return number;
}

void machine_end(void)
{
	CHECK_EQ(machine_number("faults"), 0);
	close(machine);
	if (syscall(SYS_delete_module, "pcl_ia64", O_NONBLOCK))
		FAIL("the module is still in use: %s", strerror(errno));
}

static void give(struct ia64_order order)
{
	CHECK(write(machine, &order, sizeof(order)) == sizeof(order));
}

void order_at(uint32_t what_to_do, uint32_t what, uint64_t n, uint64_t address, uint64_t ip)
{
	give((struct ia64_order){ .order = what_to_do, .what = what, .n = n, .address = address, .ip = ip });
}

void order(uint32_t what_to_do, uint32_t what, uint64_t n)
{
	order_at(what_to_do, what, n, 0, 0);
}

void order_tlb_miss(bool data, unsigned int level, uint64_t address, uint64_t ip)
{
	give((struct ia64_order){
		.order = data ? IA64_ORDER_DATA : IA64_ORDER_FETCH, .what = OF_TLB, .n = 50, .level = level,
		.address = address, .ip = ip,
	});
}

void set_up(bool up)
{
	order(IA64_ORDER_UP, 0, up);
}

uint64_t look(uint64_t pmds[IA64_ORDER_PMDS])
{
	ssize_t size = IA64_ORDER_PMDS * sizeof(pmds[0]);
	uint64_t seen = 0;
	int nr;

	CHECK(read(machine, pmds, size) == size);
	for (nr = 0; nr < IA64_ORDER_PMDS; nr++)
		seen |= (uint64_t)!!pmds[nr] << nr;
	return seen & machine_chip->pmds;
}

struct perf_event_attr raw(uint64_t config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_RAW, config);

	attr.disabled = 0;
	return attr;
}

int open_raw(uint64_t config, int leader)
{
	struct perf_event_attr attr = raw(config);

	return must_open(&attr, 0, -1, leader);
}

void must_be_refused(struct perf_event_attr attr, int leader, int error, enum pcl_reason reason)
{
	watch_refusals();
	errno = 0;
	CHECK(event_open(&attr, 0, -1, leader, 0) < 0);
	CHECK_EQ(errno, error);
	CHECK_EQ(first_refusal().reason, reason);
}
