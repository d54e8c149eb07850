// SPDX-License-Identifier: GPL-2.0
/*
 * Causes a known number of page faults: touch_pages N touches N fresh pages.
 * With a second argument "child", a child does; with "threads", a second
 * thread lives beside and both wait for standard input to end.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void *wait_for_end(void *arg)
{
	char c;

	while (read(0, &c, 1) > 0)
		;
	return arg;
}

static void touch(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	volatile char *p;

	if (!pages)
		return;
	p = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		exit(1);
	/* a huge page would be one fault; kernels without them refuse this */
	madvise((void *)p, pages * page, MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++)
		p[i * page] = 1;
}

int main(int argc, char **argv)
{
	size_t pages = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	const char *how = argc > 2 ? argv[2] : "";
	pthread_t t;

	if (!strcmp(how, "child")) {
		if (!fork()) {
			touch(pages);
			_exit(0);
		}
		wait(NULL);
	} else if (!strcmp(how, "threads")) {
		pthread_create(&t, NULL, wait_for_end, NULL);
		pthread_join(t, NULL);
	} else {
		touch(pages);
	}
	return 0;
}
