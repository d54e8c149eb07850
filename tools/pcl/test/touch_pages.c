// SPDX-License-Identifier: GPL-2.0
/*
 * Causes a known number of page faults: touch_pages N touches N fresh pages.
 * With a second argument "child", a child does; with "threads", a second
 * thread lives beside and both wait for standard input to end. With "storm GO
 * DONE", a hundred threads start one after the other; when the file GO is
 * there each touches N pages, then the file DONE is made.
 */
#include <fcntl.h>
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

enum { THREADS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;
static size_t storm_pages;

static void *touch_later(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!go)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	touch(storm_pages);
	return arg;
}

static void storm(size_t pages, const char *go_file, const char *done_file)
{
	pthread_t t[THREADS];
	int i;

	storm_pages = pages;
	for (i = 0; i < THREADS; i++) {
		if (pthread_create(&t[i], NULL, touch_later, NULL))
			exit(1);
		usleep(300);
	}
	while (access(go_file, F_OK))
		usleep(10000);
	pthread_mutex_lock(&lock);
	go = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	close(creat(done_file, 0600));
	wait_for_end(NULL);
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
	} else if (!strcmp(how, "storm") && argc > 4) {
		storm(pages, argv[3], argv[4]);
	} else {
		touch(pages);
	}
	return 0;
}
