// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the unwinder: tasks and their mappings over time, DWARF expressions, this program's own stack,
 * samples in their new form, and many threads at once.
 */
#include <dwarf.h>
#include <execinfo.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <ucontext.h>
#include <unistd.h>

#include "random.h"
#include "tap.h"
#include "unwind/private.h"

/* ---- records ---- */

static struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT,
	.sample_id_all = 1,
};

/* A record under construction. */
struct record {
	struct perf_event_header h;
	u8 body[60000];
};

static void add(struct record *r, const void *data, size_t size)
{
	memcpy((u8 *)r + r->h.size, data, size);
	r->h.size = (u16)(r->h.size + size);
}

static void add_u64(struct record *r, u64 v)
{
	add(r, &v, sizeof(v));
}

static void add_pair(struct record *r, u32 a, u32 b)
{
	add(r, &a, sizeof(a));
	add(r, &b, sizeof(b));
}

static void begin(struct record *r, u32 type, u16 misc)
{
	r->h = (struct perf_event_header){ .type = type, .misc = misc, .size = sizeof(r->h) };
}

static void add_text(struct record *r, const char *s)
{
	char padded[4096] = "";

	snprintf(padded, sizeof(padded), "%s", s);
	add(r, padded, (strlen(s) + 8) & ~7ull);
}

/* End a record that is no sample, and hand it in. */
static void hand_in(struct tasks *t, struct record *r, u64 time)
{
	add_pair(r, 0, 0);
	add_u64(r, time);
	tasks_record(t, &r->h, &attr);
}

static void record_mmap(struct tasks *t, s32 pid, u64 start, u64 end, u64 pgoff, u64 ino,
			const char *name, u64 time)
{
	struct record r;

	begin(&r, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	add_pair(&r, (u32)pid, (u32)pid);
	add_u64(&r, start);
	add_u64(&r, end - start);
	add_u64(&r, pgoff);
	add_pair(&r, 0, 0);
	add_u64(&r, ino);
	add_u64(&r, 0);
	add_pair(&r, 5, 0);
	add_text(&r, name);
	hand_in(t, &r, time);
}

static void record_fork(struct tasks *t, u32 type, s32 pid, s32 ppid, s32 tid, u64 time)
{
	struct record r;

	begin(&r, type, 0);
	add_pair(&r, (u32)pid, (u32)ppid);
	add_pair(&r, (u32)tid, (u32)ppid);
	add_u64(&r, time);
	hand_in(t, &r, time);
}

static void record_exec(struct tasks *t, s32 pid, u64 time)
{
	struct record r;

	begin(&r, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	add_pair(&r, (u32)pid, (u32)pid);
	add_text(&r, "name");
	hand_in(t, &r, time);
}

/* The name of what a process has mapped at an address and a time; "" when nothing. */
static const char *name_at(struct tasks *t, s32 pid, u64 addr, u64 time)
{
	const struct map_table *maps;
	const struct map *m;
	const char *name;

	rcu_thread();
	rcu_read_lock();
	maps = tasks_maps(t, pid, time);
	m = maps ? map_table_find(maps, addr) : NULL;
	name = m ? m->object->name : "";
	rcu_read_unlock();
	return name;
}

static void test_tasks(void)
{
	struct tasks *t = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	const s32 a = 0x7ffffff0, b = a + 1, c = a + 2;	/* no such processes */
	const u64 second = 1000000000;

	record_mmap(t, a, 0x1000, 0x3000, 0, 11, "/bin/a", 10);
	record_fork(t, PERF_RECORD_FORK, b, a, b, 20);
	tap_ok(!strcmp(name_at(t, b, 0x1500, 25), "/bin/a"), "tasks: a child has its parent's mappings");
	record_mmap(t, b, 0x5000, 0x6000, 0, 12, "/lib/b", 30);
	tap_ok(!*name_at(t, a, 0x5500, 35) && !strcmp(name_at(t, b, 0x5500, 35), "/lib/b") &&
	       !strcmp(name_at(t, b, 0x1500, 35), "/bin/a"), "tasks: what a child maps is its own");
	record_exec(t, b, 40);
	record_mmap(t, b, 0x1000, 0x2000, 0, 13, "/bin/new", 41);
	tap_ok(!strcmp(name_at(t, b, 0x1500, 50), "/bin/new") && !*name_at(t, b, 0x5500, 50),
	       "tasks: an exec begins a new table");
	tap_ok(!strcmp(name_at(t, b, 0x1500, 39), "/bin/a") && !strcmp(name_at(t, b, 0x5500, 39), "/lib/b"),
	       "tasks: samples of before the exec see the old table");
	/* the mapping of another CPU's ring arrives before the exec and the fork */
	record_mmap(t, c, 0x9000, 0xa000, 0, 14, "/bin/early", 62);
	record_fork(t, PERF_RECORD_FORK, c, a, c, 60);
	tap_ok(!strcmp(name_at(t, c, 0x9500, 70), "/bin/early") && !strcmp(name_at(t, c, 0x1500, 70), "/bin/a"),
	       "tasks: a fork that arrives late keeps what is newer");
	record_exec(t, c, 61);
	tap_ok(!strcmp(name_at(t, c, 0x9500, 70), "/bin/early") && !*name_at(t, c, 0x1500, 70),
	       "tasks: an exec that arrives late keeps what is newer");
	record_fork(t, PERF_RECORD_EXIT, b, a, b, 100);
	tap_ok(!strcmp(name_at(t, b, 0x1500, 100), "/bin/new"), "tasks: an ended process is kept for a while");
	record_fork(t, PERF_RECORD_EXIT, c, a, c, 30 * second);
	tap_ok(!*name_at(t, b, 0x1500, 100), "tasks: and is forgotten then");
	record_fork(t, PERF_RECORD_FORK, c, a, c, 31 * second);
	record_fork(t, PERF_RECORD_EXIT, a, 1, a, 50 * second);
	tap_ok(!strcmp(name_at(t, c, 0x1500, 51 * second), "/bin/a") &&
	       !strcmp(name_at(t, c, 0x9500, 29 * second), "/bin/early"),
	       "tasks: a number that is used again is another process");
	tasks_free(t);
}

/* ---- expressions ---- */

static bool read_nothing(void *arg, u64 addr, unsigned int size, u64 *value)
{
	*value = addr * 2 + size;
	return !arg;
}

static void test_locations(void)
{
	static const struct {
		const char *name;
		Dwarf_Op ops[8];
		size_t nr;
		bool good;
		u64 want;
	} rows[] = {
		{ "the rule of a PLT", { /* rsp + 8 + ((rip & 15) >= 11) * 8 */
			{ .atom = DW_OP_breg7, .number = 8 }, { .atom = DW_OP_breg16, .number = 0 },
			{ .atom = DW_OP_lit15 }, { .atom = DW_OP_and }, { .atom = DW_OP_lit11 },
			{ .atom = DW_OP_ge }, { .atom = DW_OP_lit3 }, { .atom = DW_OP_shl } }, 8, true, 8 },
		{ "memory", { { .atom = DW_OP_breg7, .number = 4 }, { .atom = DW_OP_deref } }, 2, true, 2 * 0x1004 + 8 },
		{ "minus and swap", { { .atom = DW_OP_lit9 }, { .atom = DW_OP_lit2 }, { .atom = DW_OP_swap },
			{ .atom = DW_OP_minus } }, 4, true, (u64)-7 },
		{ "rot", { { .atom = DW_OP_lit1 }, { .atom = DW_OP_lit2 }, { .atom = DW_OP_lit3 },
			{ .atom = DW_OP_rot }, { .atom = DW_OP_drop } }, 5, true, 1 },
		{ "a branch", { { .atom = DW_OP_lit1, .offset = 0 }, { .atom = DW_OP_bra, .number = 1, .offset = 1 },
			{ .atom = DW_OP_lit5, .offset = 4 }, { .atom = DW_OP_lit6, .offset = 5 } }, 4, true, 6 },
		{ "an endless loop", { { .atom = DW_OP_skip, .number = (u64)-3, .offset = 0 } }, 1, false, 0 },
		{ "division by 0", { { .atom = DW_OP_lit1 }, { .atom = DW_OP_lit0 }, { .atom = DW_OP_div } }, 3, false, 0 },
		{ "an empty stack", { { .atom = DW_OP_plus } }, 1, false, 0 },
		{ "a register that is not known", { { .atom = DW_OP_breg3 } }, 1, false, 0 },
		{ "a register that is not there", { { .atom = DW_OP_bregx, .number = 99 } }, 1, false, 0 },
		{ "the frame's address", { { .atom = DW_OP_call_frame_cfa }, { .atom = DW_OP_plus_uconst, .number = 5 } },
			2, true, 0x2005 },
		{ "an operation of other uses", { { .atom = DW_OP_piece, .number = 4 } }, 1, false, 0 },
	};
	struct regs r = { .known = 1u << REG_SP | 1u << REG_PC, .v = { [REG_SP] = 0x1000, [REG_PC] = 0x40000c } };
	struct location_memory mem = { .read = read_nothing };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct location l = { .ops = rows[i].ops, .nr = rows[i].nr };
		u64 v = 0;
		bool good = location_value(&l, &r, 0x2000, &mem, &v);

		tap_ok(good == rows[i].good && (!good || v == rows[i].want), "expressions: %s", rows[i].name);
	}
}

/* ---- this program's own stack ---- */

enum { COPY = 16384 };

/* What was seen at one moment of this program. */
struct snapshot {
	ucontext_t uc;
	u8 stack[COPY];
	u64 size, stack_end;
	void *by_libc[100];
	int nr_by_libc;
};

static struct snapshot snap;
static volatile int sink;

/* The stack is copied around the frames that are in use; sanitizers would see a trespass. */
__attribute__((no_sanitize("address"), noinline)) static void take_snapshot(void)
{
	const u8 *sp;
	u64 i;

	snap.nr_by_libc = backtrace(snap.by_libc, 100);
	/* a sanitizer puts itself in between: the caller is to be the second */
	while (snap.nr_by_libc > 1 && snap.by_libc[1] != __builtin_return_address(0))
		memmove(snap.by_libc, snap.by_libc + 1, (size_t)--snap.nr_by_libc * sizeof(void *));
	getcontext(&snap.uc);
	sp = (const u8 *)snap.uc.uc_mcontext.gregs[REG_RSP];
	snap.size = (snap.stack_end - (u64)(uintptr_t)sp) & ~7ull;
	if (snap.size > COPY)
		snap.size = COPY;
	for (i = 0; i < snap.size; i++)
		snap.stack[i] = sp[i];
}

__attribute__((noinline)) static int by_qsort(const void *a, const void *b)
{
	if (!snap.nr_by_libc)
		take_snapshot();
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int recurse(int depth)
{
	int v[2] = { depth, 1 };

	if (depth)
		return recurse(depth - 1) + 1;
	qsort(v, 2, sizeof(v[0]), by_qsort);
	return sink += v[0];
}

/* Hand in the mappings of this process, as a recording would. */
static void record_own_maps(struct tasks *t, s32 pid, u64 time, u64 ino_off)
{
	unsigned long long start, end, pgoff, ino;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[5000], name[4096], prot[8];

	while (f && fgets(line, sizeof(line), f)) {
		name[0] = 0;
		if (sscanf(line, "%llx-%llx %7s %llx %*s %llu %4095s", &start, &end, prot, &pgoff, &ino, name) < 5)
			continue;
		if (prot[2] == 'x')
			record_mmap(t, pid, start, end, pgoff, ino ? ino + ino_off : 0,
				    *name ? name : "//anon", time);
	}
	if (f)
		fclose(f);
}

/* The bits of the mask in the order the kernel numbers them, from the context. */
static void add_regs(struct record *r, const ucontext_t *uc)
{
	static const struct {
		int bit, greg;
	} regs[] = {
		{ 0, REG_RAX }, { 1, REG_RBX }, { 2, REG_RCX }, { 3, REG_RDX }, { 4, REG_RSI },
		{ 5, REG_RDI }, { 6, REG_RBP }, { 7, REG_RSP }, { 8, REG_RIP }, { 16, REG_R8 },
		{ 17, REG_R9 }, { 18, REG_R10 }, { 19, REG_R11 }, { 20, REG_R12 }, { 21, REG_R13 },
		{ 22, REG_R14 }, { 23, REG_R15 },
	};
	size_t i;

	add_u64(r, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		if (unwind_regs_mask() >> regs[i].bit & 1)
			add_u64(r, (u64)uc->uc_mcontext.gregs[regs[i].greg]);
}

/* The snapshot as a sample, with a kernel part of two entries. */
static void sample_of_snapshot(struct record *r, u64 stack_size)
{
	begin(r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	add_u64(r, (u64)snap.uc.uc_mcontext.gregs[REG_RIP]);
	add_pair(r, (u32)getpid(), (u32)getpid());
	add_u64(r, 5);
	add_u64(r, 2);
	add_u64(r, (u64)PERF_CONTEXT_KERNEL);
	add_u64(r, 0xffffffff81000000ull);
	add_regs(r, &snap.uc);
	add_u64(r, stack_size);
	add(r, snap.stack, stack_size);
	add_u64(r, stack_size);
	add_u64(r, 4711);	/* the weight */
}

static u64 stack_end(void)
{
	unsigned long long start, end, stack = 0;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[5000];

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "[stack]") && sscanf(line, "%llx-%llx", &start, &end) == 2)
			stack = end;
	if (f)
		fclose(f);
	return stack;
}

/* Whether a chain is that of the C library from its second entry on; its first lies in one function. */
static bool is_our_chain(const u64 *ips, u64 nr)
{
	u64 i;

	for (i = 1; i < nr && i < (u64)snap.nr_by_libc; i++)
		if (ips[i] != (u64)(uintptr_t)snap.by_libc[i])
			return false;
	return nr <= (u64)snap.nr_by_libc;
}

static void test_own_stack(void)
{
	struct tasks *t = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	struct unwinder *u = unwinder_new(t);
	struct unwind_stats sum = { 0 };
	static struct record r;
	static u64 out[8000];
	size_t size, cut;
	u64 nr;

	record_own_maps(t, getpid(), 1, 0);
	sample_of_snapshot(&r, snap.size);
	size = unwind_sample(u, &attr, &r.h, out, sizeof(out));
	nr = size ? out[4] : 0;
	tap_ok(size && (out[0] >> 48) == size && size == 8 * (6 + nr),
	       "samples: the new form has a chain in the place of registers and stack");
	tap_ok(size && out[1] == (u64)snap.uc.uc_mcontext.gregs[REG_RIP] && out[3] == 5 &&
	       out[size / 8 - 1] == 4711, "samples: the other fields are as they were");
	tap_ok(size && nr > 3 && out[5] == (u64)PERF_CONTEXT_KERNEL && out[6] == 0xffffffff81000000ull &&
	       out[7] == (u64)PERF_CONTEXT_USER && out[8] == out[1],
	       "samples: the kernel's part, then the user's, which begins with the sampled address");
	if (!tap_ok(size && (int)nr - 3 == snap.nr_by_libc && is_our_chain(out + 8, nr - 3),
		    "this program's own stack: the chain is that of backtrace(), %d frames", snap.nr_by_libc))
		for (cut = 8; cut < 5 + nr; cut++)
			printf("# %llx, and not %p\n", (unsigned long long)out[cut],
			       cut - 8 < (size_t)snap.nr_by_libc ? snap.by_libc[cut - 8] : NULL);
	unwind_stats_add(&sum, u);
	tap_ok(sum.whole == 1 && !sum.truncated && !sum.failed, "quality: the chain is whole");
	tap_ok(!unwind_sample(u, &attr, &r.h, out, size - 1), "samples: no room, no sample");
	for (cut = 8; cut < size; cut += 8)
		if (r.h.size = (u16)cut, unwind_sample(u, &attr, &r.h, out, sizeof(out)))
			break;
	tap_ok(cut >= size, "samples: cut ones are refused");
	unwind_stats_free(&sum);
	unwinder_free(u);

	u = unwinder_new(t);
	sample_of_snapshot(&r, 256);
	size = unwind_sample(u, &attr, &r.h, out, sizeof(out));
	tap_ok(size && is_our_chain(out + 8, out[4] - 3), "a short copy of the stack: the first frames are right");
	sum = (struct unwind_stats){ 0 };
	unwind_stats_add(&sum, u);
	tap_ok(sum.truncated == 1 && sum.ends[UNWIND_STACK_SHORT] == 1, "a short copy of the stack: the quality says so");
	unwind_stats_free(&sum);
	unwinder_free(u);
	tasks_free(t);
}

/* A sample of the call of execve(), when the mappings of its program have gone. */
static void test_loading(void)
{
	struct tasks *t = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	struct unwinder *u = unwinder_new(t);
	static struct record r;
	static u64 out[8000];
	size_t size;

	record_own_maps(t, getpid(), 1, 0);
	record_exec(t, getpid(), 3);
	sample_of_snapshot(&r, 256);
	size = unwind_sample(u, &attr, &r.h, out, sizeof(out));
	tap_ok(size && out[4] == 4 && out[8] == (u64)snap.uc.uc_mcontext.gregs[REG_RIP],
	       "a program is loaded: the chain is the call that loads it");
	tap_ok(u->stats.truncated == 1 && u->stats.ends[UNWIND_LOADING] == 1,
	       "a program is loaded: the quality says so");
	unwinder_free(u);
	tasks_free(t);
}

/* Files are believed by their inode only. */
static void test_other_files(void)
{
	struct tasks *t = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	struct unwinder *u = unwinder_new(t);
	static struct record r;
	static u64 out[8000];
	struct statfs fs;

	record_own_maps(t, getpid(), 1, 1);
	sample_of_snapshot(&r, snap.size);
	unwind_sample(u, &attr, &r.h, out, sizeof(out));
	if (!statfs("/proc/self/exe", &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC)
		tap_ok(true, "another file by the name of the mapped one # SKIP inodes tell nothing on overlayfs");
	else
		tap_ok(!u->stats.whole && u->stats.ends[UNWIND_NO_CFI] == 1,
		       "another file by the name of the mapped one is not believed");
	unwinder_free(u);
	tasks_free(t);
}

/* Stacks and registers of any content: chains end, and nothing outside the copy is read. */
static void test_damaged_stacks(void)
{
	struct tasks *t = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	struct unwinder *u = unwinder_new(t);
	struct record *r = malloc(sizeof(*r));
	unsigned int round, i, bad = 0;
	u64 *exact, stack = (u64)snap.uc.uc_mcontext.gregs[REG_RSP];

	record_own_maps(t, getpid(), 1, 0);
	for (round = 0; round < 4000; round++) {
		u64 size = 8 + next_random() % (snap.size / 8) * 8, word;
		struct pd_sample s;
		size_t used;

		sample_of_snapshot(r, size);
		used = r->h.size - sizeof(r->h);
		exact = malloc(used);
		memcpy(exact, r->body, used);
		for (i = 0; i < 1 + round % 8; i++) {
			/* behind the chain: registers, then the stack; not the size of the stack */
			word = 7 + next_random() % (used / 8 - 7);
			if (word == 7 + 17 || word == used / 8 - 2 || word == 6)
				continue;
			exact[word] = next_random() % 3 ? stack + next_random() % (snap.size + 64) :
				      next_random() % 2 ? (u64)(uintptr_t)snap.by_libc[next_random() % (u64)snap.nr_by_libc] :
							  next_random();
		}
		if (sample_decode(&attr, &r->h, cursor_of(exact, used), &s))
			bad++;
		else
			unwind_complete(u, &s);
		free(exact);
	}
	printf("# damaged stacks: %llu whole, %llu ended early, %.1f frames each\n",
	       (unsigned long long)u->stats.whole, (unsigned long long)u->stats.truncated,
	       (double)u->stats.frames / (double)(u->stats.whole + u->stats.truncated));
	tap_ok(!bad && u->stats.whole + u->stats.truncated + u->stats.failed == 4000 && u->stats.truncated,
	       "damaged stacks: every chain ends");
	unwinder_free(u);
	tasks_free(t);
	free(r);
}

/* ---- many threads ---- */

enum { FIRST_PID = 0x7fff0000, NR_PIDS = 6, READERS = 3 };

static atomic_bool writer_done;

struct reader {
	struct tasks *t;
	u64 whole, none, wrong;
};

static void *read_chains(void *arg)
{
	struct reader *me = arg;
	struct unwinder *u = unwinder_new(me->t);
	struct record *r = malloc(sizeof(*r));
	u64 ips[UNWIND_MAX_FRAMES], n = 0;
	struct pd_sample s;
	unsigned int nr;

	sample_of_snapshot(r, snap.size);
	sample_decode(&attr, &r->h, cursor_of(r->body, r->h.size - sizeof(r->h)), &s);
	while (!atomic_load(&writer_done) || n < 100) {
		s.pid = FIRST_PID + (s32)(n * 7 % NR_PIDS);
		s.time_ns = ~0ull;
		nr = unwind_chain(u, &s, ips, UNWIND_MAX_FRAMES);
		me->none += !nr;
		me->whole += (int)nr == snap.nr_by_libc;
		me->wrong += !is_our_chain(ips, nr);
		if (++n % 5 == 0)
			sched_yield();
	}
	unwinder_free(u);
	free(r);
	return NULL;
}

/* Processes come, exec, map, end and are forgotten, while others unwind their samples. */
static void write_records(struct tasks *t)
{
	u64 time = 1000, i;

	for (i = 0; i < 4000; i++) {
		s32 pid = FIRST_PID + (s32)(next_random() % NR_PIDS), other = FIRST_PID + (s32)(next_random() % NR_PIDS);

		time += next_random() % 1000000000;
		switch (next_random() % 8) {
		case 0:
			record_exec(t, pid, time);
			break;
		case 1:
			if (pid != other)
				record_fork(t, PERF_RECORD_FORK, pid, other, pid, time);
			break;
		case 2:
			record_fork(t, PERF_RECORD_EXIT, pid, 1, pid, time);
			break;
		case 3:
			time += 11000000000ull;
			break;
		case 4:
			record_mmap(t, pid, 0x1000, 0x2000 + next_random() % 9 * 4096, 0, 1, "/nonesuch", time);
			break;
		default:
			record_own_maps(t, pid, time, 0);
			break;
		}
		if (next_random() % 16 == 0)
			usleep((useconds_t)(next_random() % 50));
	}
}

static void test_threads(void)
{
	struct tasks *t = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	struct reader readers[READERS] = { { 0 } };
	pthread_t threads[READERS];
	u64 whole = 0, none = 0, wrong = 0;
	int i;

	for (i = 0; i < READERS; i++) {
		readers[i].t = t;
		pthread_create(&threads[i], NULL, read_chains, &readers[i]);
	}
	write_records(t);
	atomic_store(&writer_done, true);
	for (i = 0; i < READERS; i++) {
		pthread_join(threads[i], NULL);
		whole += readers[i].whole;
		none += readers[i].none;
		wrong += readers[i].wrong;
	}
	printf("# %llu chains whole, %llu of processes that were not known\n", (unsigned long long)whole,
	       (unsigned long long)none);
	tap_ok(!wrong && none && whole, "threads: chains of processes that come and go are right or none");
	tasks_free(t);
}

int main(void)
{
	attr.sample_regs_user = unwind_regs_mask();
	test_tasks();
	test_locations();
	if (!unwind_regs_mask()) {
		tap_ok(true, "this program's own stack # SKIP this machine's registers are not known");
		return tap_end();
	}
	snap.stack_end = stack_end();
	recurse(12);
	test_own_stack();
	test_loading();
	test_other_files();
	test_damaged_stacks();
	test_threads();
	return tap_end();
}
