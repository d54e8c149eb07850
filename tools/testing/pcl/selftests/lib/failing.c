// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: allocations that fail, by /proc/thread-self/fail-nth.
 *
 * Contexts: root, on a kernel with CONFIG_FAULT_INJECTION.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "tap.h"

#define DEBUG "/sys/kernel/debug/"

static int fail_nth = -1;

static void setting(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), DEBUG "%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		FAIL("cannot write %s to %s: %s", value, path, strerror(errno));
	close(fd);
}

/* Also what may wait, and that is not worth a word in the kernel's log. */
void failing_begin(void)
{
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_nth < 0)
		test_skip("this kernel cannot let allocations fail");
	setting("failslab/ignore-gfp-wait", "N");
	setting("failslab/verbose", "0");
	setting("fail_page_alloc/ignore-gfp-wait", "N");
	setting("fail_page_alloc/min-order", "0");
	setting("fail_page_alloc/verbose", "0");
}

void failing_at(unsigned int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nth);

	CHECK_EQ(pwrite(fail_nth, text, length, 0), length);
}

bool failing_came(void)
{
	char text[16] = "";

	CHECK(pread(fail_nth, text, sizeof(text) - 1, 0) > 0);
	return atoi(text) == 0;
}
