// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: why PCL refused a call, also one that has no place to say it: each refusal is told to the tracepoint
 *	pcl:refuse.
 *
 * Concepts: the trace is cleared before a call; the first refusal in it is the nearest to the cause.
 * Contexts: root at first; who has dropped privileges since reads on, and clears no more.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "event.h"

#define TRACING "/sys/kernel/tracing/"

static int trace = -1;

void trace_refusals(void)
{
	int fd = open(TRACING "events/pcl/refuse/enable", O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, "1", 1) != 1)
		FAIL("cannot enable the tracepoint pcl:refuse");
	close(fd);
	trace = open(TRACING "trace", O_RDONLY);
	if (trace < 0)
		FAIL("cannot open the trace");
}

void watch_refusals(void)
{
	int fd;

	if (trace < 0)
		return;
	/* Opening with O_TRUNC clears. */
	fd = open(TRACING "trace", O_WRONLY | O_TRUNC);
	if (fd >= 0)
		close(fd);
}

struct refusal first_refusal(void)
{
	struct refusal refusal = { .reason = PCL_REASON_NONE };
	static char text[65536];
	ssize_t length;
	char *at;

	if (trace < 0)
		return refusal;
	length = pread(trace, text, sizeof(text) - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	at = strstr(text, "reason=");
	if (at && sscanf(at, "reason=%u errno=%d", &refusal.reason, &refusal.err) != 2)
		FAIL("pcl:refuse says what nobody understands: %.60s", at);
	return refusal;
}
