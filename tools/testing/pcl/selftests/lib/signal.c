// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: signals that events send, caught and counted.
 *
 * Contexts: a test's child process; the handler any of its threads.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "event.h"

volatile sig_atomic_t nr_signals;
siginfo_t last_signal;

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	last_signal = *info;
	nr_signals++;
}

void catch_signal(int number)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	CHECK(!sigaction(number, &action, NULL));
}

void want_signals(int fd, int number)
{
	catch_signal(number);
	CHECK(!fcntl(fd, F_SETOWN, getpid()));
	CHECK(!fcntl(fd, F_SETSIG, number));
	CHECK(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC));
}

void check_sigtrap(uint32_t type, uint64_t sig_data)
{
	const char *at = (const char *)&last_signal.si_addr;

	CHECK_EQ(last_signal.si_signo, SIGTRAP);
	CHECK_EQ(last_signal.si_code, 6 /* TRAP_PERF */);
	/* Behind si_addr: the event's data, then its type. */
	CHECK_EQ(*(const unsigned long *)(at + 8), sig_data);
	CHECK_EQ(*(const uint32_t *)(at + 16), type);
}
