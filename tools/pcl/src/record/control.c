// SPDX-License-Identifier: GPL-2.0
/*
 * Commands to a running recording, through a descriptor or a FIFO.
 *
 * Concepts: the protocol of perf: a command is a line; when it was carried out
 * "ack" and a newline go back, where there is a way back. A command that is
 * not known gets no ack, and is told on standard error.
 * Contexts: record's main thread.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"

static const char *const names[] = {
	[CONTROL_ENABLE] = "enable",
	[CONTROL_DISABLE] = "disable",
	[CONTROL_SNAPSHOT] = "snapshot",
	[CONTROL_STOP] = "stop",
	[CONTROL_PING] = "ping",
};

/* "3", a descriptor that we were started with. */
static int take_fd(const char *text)
{
	char *end;
	long fd = strtol(text, &end, 10);

	if (end == text || *end || fd < 0 || fd > 1 << 20 || fcntl((int)fd, F_GETFD) < 0)
		return complain("--control: '%s' is not an open descriptor", text);
	/* the command under measurement must not get it */
	fcntl((int)fd, F_SETFD, FD_CLOEXEC);
	return (int)fd;
}

static int open_fifo(const char *path)
{
	struct stat st;
	/* for both ways, so that it neither waits for the other end nor ends with it */
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return complain("--control: %s: %s", path, strerror(errno));
	if (!fstat(fd, &st) && S_ISFIFO(st.st_mode))
		return fd;
	close(fd);
	return complain("--control: %s is not a FIFO; mkfifo makes one", path);
}

/* "fd:N[,ACK]" or "fifo:PATH[,ACK]". */
int control_open(struct control *c, const char *where)
{
	bool fifo = !strncmp(where, "fifo:", 5);
	char *text, *ack;
	int ret = 0;

	if (!fifo && strncmp(where, "fd:", 3))
		return complain("--control: '%s' is neither fd:N nor fifo:PATH", where);
	text = str_dup(strchr(where, ':') + 1);
	ack = strchr(text, ',');
	if (ack)
		*ack++ = '\0';
	c->opened = fifo;
	c->fd = fifo ? open_fifo(text) : take_fd(text);
	if (c->fd >= 0 && ack)
		c->ack_fd = fifo ? open_fifo(ack) : take_fd(ack);
	if (c->fd < 0 || (ack && c->ack_fd < 0))
		ret = -1;
	free(text);
	return ret;
}

static void take_line(struct control *c,
		      void (*fn)(enum control_command what, void *arg), void *arg)
{
	size_t i;

	c->line[c->used] = '\0';
	c->used = 0;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(c->line, names[i]))
			break;
	if (i == ARRAY_SIZE(names)) {
		if (c->line[0])
			complain("note: the control knows no command '%s'; enable, disable, snapshot, stop, ping",
				 c->line);
		return;
	}
	fn((enum control_command)i, arg);
	if (c->ack_fd >= 0 && write(c->ack_fd, "ack\n", 4) != 4)
		complain("note: the control could not be acknowledged: %s", strerror(errno));
}

/* Read what is there, and carry out each whole line. */
void control_read(struct control *c,
		  void (*fn)(enum control_command what, void *arg), void *arg)
{
	char buf[256];
	ssize_t n = read(c->fd, buf, sizeof(buf)), i;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	for (i = 0; i < n; i++) {
		if (buf[i] == '\n' || !buf[i])
			take_line(c, fn, arg);
		else if (c->used < sizeof(c->line) - 1)
			c->line[c->used++] = buf[i];
	}
	if (n > 0)
		return;
	/* the other end was closed: no more will come */
	if (c->used)
		take_line(c, fn, arg);
	control_close(c);
}

void control_close(struct control *c)
{
	if (c->opened && c->fd >= 0)
		close(c->fd);
	if (c->opened && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = c->ack_fd = -1;
}
