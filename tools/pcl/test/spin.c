// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose hot spot is known: all its time goes to hot(), called by
 * outer(), called by main(). With an argument it goes round that often; with a
 * second one, a child does it, which never execs.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void hot(unsigned long n)
{
	while (n--)
		sink += n;
}

__attribute__((noinline)) static void outer(unsigned long n)
{
	hot(n);
	sink++;
}

int main(int argc, char **argv)
{
	if (argc > 2 && fork() > 0) {
		wait(NULL);
		return 0;
	}
	outer(argc > 1 ? strtoul(argv[1], NULL, 0) : 100000000);
	return 0;
}
