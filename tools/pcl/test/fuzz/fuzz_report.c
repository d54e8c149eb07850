// SPDX-License-Identifier: GPL-2.0
/*
 * A file of any bytes, read by pcl report.
 *
 * Concepts: the whole way of a report: opening, order, session, adding up,
 * printing. What the bytes are a hash of chooses the options.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include "internal.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	const char *const ways[][8] = {
		{ "report", "-i", path, "-s", "comm,dso,sym,pid,tid,cpu", "-g", NULL },
		{ "report", "-i", path, "--json", NULL },
	};

	fuzz_command(cmd_report, ways[size & 1]);
	return 0;
}
