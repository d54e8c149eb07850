// SPDX-License-Identifier: GPL-2.0
/*
 * A program with call chains of many kinds, for the tests of unwinding:
 * recursion, callbacks through the C library and through an object that is
 * loaded at run time, calls that never return, signal handlers (one at the first instruction of a function), frames of variable size, threads, calls
 * through the PLT. The argument says how many rounds; with -DLIBRARY it becomes
 * that object.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "chains.h"

#ifdef LIBRARY
__attribute__((noinline)) static long library_inner(callback fn, long n, long depth)
{
	return depth ? library_inner(fn, n, depth - 1) + n : fn(n) + depth;
}

long library_call(callback fn, long n)
{
	return library_inner(fn, n, n % 5) ^ n;
}
#else

static __thread volatile long sink;
static long (*loaded_call)(callback fn, long n);

__attribute__((noinline)) static long spin(long n)
{
	long i;

	for (i = 0; i < 2000 + n; i++)
		sink += i * n;
	return sink;
}

static int compare(const void *a, const void *b)
{
	sink += spin(*(const int *)a % 7);
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static long sort(long n)
{
	int v[24], i;

	for (i = 0; i < 24; i++)
		v[i] = (int)((i * 7919 + n) % 101);
	qsort(v, 24, sizeof(v[0]), compare);
	return v[3] + n;
}

static void visit(const void *node, VISIT which, int depth)
{
	if (which == leaf)
		sink += spin(depth) + **(const long *const *)node;
}

__attribute__((noinline)) static long walk_tree(long n)
{
	static const long keys[] = { 5, 3, 8, 1, 4, 7, 9 };
	void *root = NULL;
	size_t i;

	for (i = 0; i < 7; i++)
		tsearch(&keys[i], &root, compare);
	twalk(root, visit);
	for (i = 0; i < 7; i++)
		tdelete(&keys[i], &root, compare);
	return n;
}

/* The frame has a size that only run time tells. */
__attribute__((noinline)) static long variable(long n)
{
	char *room = alloca((size_t)(n % 13) * 32 + 16);

	memset(room, (int)n, (size_t)(n % 13) * 32 + 16);
	return spin(n) + room[3];
}

static void handler(int sig)
{
	int i;

	for (i = 0; i < 20; i++)
		sink += spin(sig + i);
}

/*
 * A function whose very first instruction traps: the address before it is not
 * of this function, nor of any other.
 */
long trap(void);
__asm__(".text\n"
	"	.skip 16, 0x90\n"
	"trap:	.cfi_startproc\n"
	"	ud2\n"
	"	xorl %eax, %eax\n"
	"	ret\n"
	"	.cfi_endproc\n");

static void trap_handler(int sig, siginfo_t *info, void *context)
{
	(void)info;
	handler(sig);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

__attribute__((noinline)) static long interrupted(long n)
{
	raise(SIGUSR1);
	return n + trap() + sink;
}

__attribute__((noinline)) static long ask_time(long n)
{
	struct timespec ts;
	int i;

	for (i = 0; i < 60; i++) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		n += ts.tv_nsec;
	}
	return n;
}

/* Many values live across the calls, so that all saved registers are in use. */
__attribute__((noinline)) static long busy(long n, long a, long b, long c)
{
	long d = spin(n), e = spin(a), f = spin(b), g = spin(c);

	return spin(d & 7) + a * b + c * d + e * f + g * n;
}

static long busy_call(long n)
{
	return busy(n, n + 1, n + 2, n + 3) + 1;
}

__attribute__((noinline, noreturn)) static void leave(jmp_buf where, long n)
{
	int i;

	for (i = 0; i < 40; i++)
		sink += spin(n + i);
	longjmp(where, 1);
}

/* The call is the last instruction: it returns to the next function, if it ever does. */
__attribute__((noinline, noreturn)) static void no_return(jmp_buf where, long n)
{
	char room[64];

	memset(room, (int)n, sizeof(room));
	sink += room[n & 63];
	leave(where, n);
}

__attribute__((noinline)) static long escape(long n)
{
	jmp_buf where;

	if (!setjmp(where))
		no_return(where, n);
	return sink;
}

static long loaded(long n)
{
	return loaded_call(busy_call, n) + loaded_call(sort, n);
}

static long (*const kinds[])(long n) = {
	spin, sort, walk_tree, variable, interrupted, ask_time, busy_call, loaded, escape,
};

__attribute__((noinline)) static long descend(long n, long depth)
{
	if (depth)
		return descend(n, depth - 1) + n;
	return kinds[(size_t)n % (sizeof(kinds) / sizeof(kinds[0]))](n) + depth;
}

static void *thread(void *arg)
{
	long n, rounds = *(long *)arg;

	for (n = 0; n < rounds; n++)
		descend(n, n * 31 % 37);
	return NULL;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000;
	const struct sigaction on_trap = { .sa_sigaction = trap_handler, .sa_flags = SA_SIGINFO };
	pthread_t other;
	void *lib;

	lib = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;
	if (lib)
		loaded_call = (long (*)(callback, long))dlsym(lib, "library_call");
	if (!loaded_call) {
		fprintf(stderr, "chains: give the library: %s\n", dlerror());
		return 1;
	}
	signal(SIGUSR1, handler);
	sigaction(SIGILL, &on_trap, NULL);
	if (pthread_create(&other, NULL, thread, &rounds))
		return 1;
	thread(&rounds);
	pthread_join(other, NULL);
	return 0;
}
#endif
