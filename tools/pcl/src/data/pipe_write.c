// SPDX-License-Identifier: GPL-2.0
/*
 * Writing to a pipe, whose reader may have stopped.
 *
 * Concepts: a reader that stops is waited for, since it may go on. Whoever wants
 * an end need not wait as long: asked once, the reader gets PATIENCE_MS for each
 * part that it takes; asked again, none. Parts are so small that a pipe with room
 * takes one at once.
 * Contexts: record's writer, and the main thread before it starts and after it ended.
 * Locks: none.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

enum { PATIENCE_MS = 10000 };

static int wait_for(struct pollfd *p, nfds_t nr, int timeout_ms)
{
	int n;

	do
		n = poll(p, nr, timeout_ms);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Has it room? Or an error, which a write tells. */
static bool pipe_has_room(int fd, const struct pd_end *end)
{
	struct pollfd p[] = {
		{ .fd = fd, .events = POLLOUT },
		{ .fd = end->insisted, .events = POLLIN },
		{ .fd = end->asked, .events = POLLIN },
	};

	wait_for(p, ARRAY_SIZE(p), -1);
	if (!p[0].revents && !p[1].revents)
		wait_for(p, 2, PATIENCE_MS);
	return p[0].revents;
}

/*
 * As write(), but of a part at most; -1 and ETIMEDOUT where the reader takes nothing
 * and an end was asked for. Without end: the descriptor is never waited for.
 */
ssize_t pipe_write(int fd, const void *data, size_t size, const struct pd_end *end)
{
	if (!end)
		return write(fd, data, size);
	if (!pipe_has_room(fd, end)) {
		errno = ETIMEDOUT;
		return -1;
	}
	return write(fd, data, size < PIPE_BUF ? size : PIPE_BUF);
}
