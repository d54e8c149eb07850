// SPDX-License-Identifier: GPL-2.0
/*
 * A file of any bytes, read by pcl script, which shows every field there is.
 *
 * Concepts: as fuzz_report.c. Formats of tracepoints, which libtraceevent
 * parses, are among the bytes, too.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include "internal.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	const char *const ways[][16] = {
		{ "script", "-i", path, "--header", "--show-task-events", "--show-mmap-events",
		  "--show-switch-events", "--show-lost-events", "-F",
		  "+pid,+addr,+iregs,+uregs,+brstacksym,+brstack,+data_src,+weight,+phys_addr,+trace",
		  NULL },
		{ "script", "-i", path, "--format", "json", "-F", "+trace", NULL },
		{ "script", "-i", path, "--format", "folded", "--time", "10%-90%", NULL },
	};

	fuzz_command(cmd_script, ways[size % 3]);
	return 0;
}
