// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what Itanium's chips record of one task is not there for another: spies, with events and without, beside
 *	events of the CPU and alone.
 *
 * Concepts: a spy is a child on the same CPU. What it can see are the registers that record, as "mov r=pmd" reads them.
 * Contexts: as recorders.c.
 */
#define _GNU_SOURCE
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "recorders.h"

enum what { LOADS, FETCHES, BRANCHES_TAKEN, BUNDLES };
/*
 * The spy: a new task, which may not look; one that may, without an event; with an event; with a recorder of its own; with
 * one that it has inherited
 */
enum spy { MAY_NOT, MAY_LOOK, HAS_EVENT, HAS_RECORDER, HAS_INHERITED, SPIES };
/* How a task comes to read what an event of the CPU recorded of others: it may already, and comes; it maps a page */
enum reader { COMES, MAPS, READERS };

/* What parent and spy tell each other */
static struct {
	uint64_t seen[IA64_ORDER_PMDS];		/* by the parent, of its own */
	unsigned int nr;			/* of what it did last */
	unsigned int spies;			/* how often the same happened to the spy */
} *shared;

static struct spying {
	const struct chip *chip;
	enum what what;
	enum spy spy;
	bool cpu_records;			/* an event of the CPU's has the same setting */
	enum reader reader;
	int ready[2], go[2];
} spying;

/* What happens to the parent (0) or to the spy (1). No word that it leaves in a register is one that the other's leaves. */
static void happen(unsigned int whose, unsigned int nr)
{
	uint64_t place = WHERE + 0x1000000 * whose + 32 * nr;

	switch (spying.what) {
	case LOADS:
		order_at(IA64_ORDER_DATA, OF_CACHE, 200 + nr % 100 + 1000 * whose, DATA + 0x1000000 * whose + 8 * nr, place);
		break;
	case FETCHES:
		order_at(IA64_ORDER_FETCH, OF_CACHE, 200 + nr % 100 + 1000 * whose, place, 0);
		break;
	case BRANCHES_TAKEN:
		order_at(IA64_ORDER_BRANCH, 3, 0, place + 0x100000, place - 16 * whose);
		break;
	case BUNDLES:
		order_at(IA64_ORDER_BUNDLE, 0, 3, 0, place);
		break;
	}
}

static struct perf_event_attr spied_attr(void)
{
	switch (spying.what) {
	case LOADS:
		return recorder(spying.chip->data_ear | EAR_LATENCY(3), 2, 2);
	case FETCHES:
		return recorder(spying.chip->fetch_ear | spying.chip->slow_fetch, 2, 1);
	case BUNDLES:
		return recorder(CYCLE | IP_EAR, 10, 1);
	default:
		return brancher();
	}
}

/* Words of the buffer's index and of its flags are small, and the same for all. */
#define SMALL	0x3f

/* Has a recorder, as it is seen now, anything, or with @of: any word that the parent saw? */
static bool sees(bool of_parent)
{
	uint64_t pmds[IA64_ORDER_PMDS], seen = look(pmds) & spying.chip->recorders;
	unsigned int nr, other;

	if (!of_parent)
		return seen;
	for (nr = 0; nr < IA64_ORDER_PMDS; nr++) {
		if (!(seen >> nr & 1) || pmds[nr] <= SMALL)
			continue;
		for (other = 0; other < IA64_ORDER_PMDS; other++) {
			if ((spying.chip->recorders >> other & 1) && shared->seen[other] == pmds[nr])
				return true;
		}
	}
	return false;
}

static void say(const int *pipe)
{
	CHECK(write(pipe[1], "", 1) == 1);
}

static void hear(const int *pipe)
{
	char byte;

	CHECK(read(pipe[0], &byte, 1) == 1);
}

/* What it has seen that it should not: 0, or which look it was */
static int spy(void)
{
	struct perf_event_attr attr = spied_attr();
	unsigned int round;
	int fd;

	order(IA64_ORDER_BEGIN, 0, 0);
	if (spying.spy != MAY_NOT && spying.spy != HAS_INHERITED) {
		fd = open_raw(INSTRUCTION | UP, -1);
		order(IA64_ORDER_USER, INSTRUCTION, 1);	/* counts nothing: psr.up is 0; it may look from now on */
		if (spying.spy == MAY_LOOK)
			close(fd);
	}
	if (spying.spy == HAS_RECORDER)
		must_open(&attr, 0, -1, -1);
	say(spying.ready);
	hear(spying.go);
	if (sees(false))
		return 1;
	for (round = 0; round < ROUNDS; round++) {
		happen(!test_busted("recorded"), shared->nr);
		shared->spies++;
		if (sees(true))
			return 2;
		if (sees(false))
			break;
	}
	/* What it has recorded itself it sees, and what the CPU's event has of it. */
	return (round < ROUNDS) == (spying.spy >= HAS_RECORDER || (spying.cpu_records && spying.spy != MAY_NOT)) ? 0 : 3;
}

/* Until the parent sees all that was recorded, and a period is half over. A switch of tasks wipes it out. */
static unsigned int record_and_look(unsigned int nr)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		happen(0, nr++);
		if ((look(shared->seen) & spying.chip->recorders) && nr % 2)
			break;
	}
	CHECK(round < ROUNDS);
	shared->nr = nr - 1;
	return nr;
}

/* What a recorder says of a miss: where the load is from, or which line (of two bundles) the instruction is in */
static uint64_t missed_at(unsigned int whose, unsigned int nr)
{
	return spying.what == LOADS ? DATA + 0x1000000 * whose + 8 * nr : WHERE - 16 + 0x1000000 * whose + 32 * nr;
}

/* Each second miss of the parent's, and of a spy's that has inherited the event, and nothing else */
static void check_misses(struct ring *ring, const struct perf_event_attr *attr, int fd, unsigned int nr)
{
	unsigned int spies = spying.spy == HAS_INHERITED ? shared->spies : 0, left = spies / 2, i;

	CHECK_EQ(event_read(fd), nr + spies);
	for (i = 1; i < nr; i += 2) {
		struct sample sample = take_any(ring, attr, spying.what == LOADS);

		if (sample.pid != (uint32_t)getpid()) {
			CHECK(left);
			CHECK_EQ(sample.addr, missed_at(1, shared->nr));
			left--;
			i -= 2;
			continue;
		}
		CHECK_EQ(sample.addr, missed_at(0, i));
		CHECK_EQ(sample.ip, WHERE - (spying.what == LOADS ? 0 : 16) + 32 * i);
		CHECK_EQ(sample.weight, 200 + i % 100);
	}
	CHECK_EQ(left, 0);
}

/* Branches of the parent's, if any */
static void check_branches(struct ring *ring, unsigned int nr)
{
	struct perf_branch_entry branches[16];
	unsigned int i, found = take_branches(ring, branches, 16);

	for (i = 0; i < found; i++) {
		CHECK_RANGE(branches[i].from, WHERE, WHERE + 32 * nr);
		CHECK_EQ(branches[i].to, branches[i].from + 0x100000);
	}
}

/* The same; or a bundle of the parent's, or where the interrupt was, in this program */
static void check_place(struct ring *ring, const struct perf_event_attr *attr, unsigned int nr)
{
	if (spying.what == BRANCHES_TAKEN)
		check_branches(ring, nr);
	else
		CHECK(take(ring, attr, false).ip < WHERE + 32 * nr);
}

/* A spy begins, and waits; then it goes on, and must have nothing to say. */
static pid_t spy_begin(int (*spies)(void))
{
	pid_t pid;

	CHECK(!pipe(spying.ready) && !pipe(spying.go));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		_exit(spies());
	hear(spying.ready);
	return pid;
}

static void spy_go(pid_t pid)
{
	int status;

	say(spying.go);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(exit_status(status), 0);
	close(spying.ready[0]);
	close(spying.ready[1]);
	close(spying.go[0]);
	close(spying.go[1]);
}

static void spy_on(struct ring *ring, int fd, const struct perf_event_attr *attr)
{
	unsigned int nr;
	pid_t pid;

	shared->spies = 0;
	pid = spy_begin(spy);
	nr = record_and_look(0);
	spy_go(pid);
	if (spying.what >= BRANCHES_TAKEN)
		order(IA64_ORDER_USER, CYCLE, 10);
	happen(0, nr++);
	if (spying.what >= BRANCHES_TAKEN) {
		order(IA64_ORDER_USER, CYCLE, 10);
		check_place(ring, attr, nr);
		check_place(ring, attr, nr);
	} else {
		check_misses(ring, attr, fd, nr);
	}
}

/* The parent has the recorder, and an event under psr.up, for who has one may look. */
static void check_spy(void)
{
	struct perf_event_attr attr = spied_attr(), up = raw(INSTRUCTION | UP);
	int cpu = -1, of_cpu = -1, fd_up, fd;
	struct ring ring;

	if (spying.cpu_records)
		of_cpu = must_open(&attr, -1, 0, -1);
	if (spying.spy == HAS_INHERITED) {
		attr.inherit = up.inherit = 1;
		cpu = 0;		/* else there is no ring for it */
	}
	fd_up = must_open(&up, 0, cpu, -1);
	fd = must_open(&attr, 0, cpu, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	spy_on(&ring, fd, &attr);
	close_recorder(fd, &ring);
	close(fd_up);
	if (spying.cpu_records)
		close(of_cpu);
}

/* Nothing that was recorded for a task is there for the next one on its CPU, nor the other way round. */
static void check_private(long nr, enum what what)
{
	int i;

	machine_begin(&chips[nr]);
	pin_to_cpu(0);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(shared != MAP_FAILED);
	spying.chip = &chips[nr];
	spying.what = what;
	for (spying.spy = 0; spying.spy < SPIES; spying.spy++) {
		for (i = 0; i < 2; i++) {
			spying.cpu_records = i;
			check_spy();
		}
	}
	munmap(shared, sizeof(*shared));
	machine_end();
}

void loads_are_not_anothers(long nr)
{
	check_private(nr, LOADS);
}

void fetches_are_not_anothers(long nr)
{
	check_private(nr, FETCHES);
}

void branches_are_not_anothers(long nr)
{
	check_private(nr, BRANCHES_TAKEN);
}

void bundles_are_not_anothers(long nr)
{
	check_private(nr, BUNDLES);
}

/* Until that is seen; returns how often, or ROUNDS. */
static unsigned int happen_until_seen(unsigned int whose)
{
	unsigned int round;

	for (round = 0; round < ROUNDS && !sees(false); round++)
		happen(whose, round);
	return round;
}

/* What it has seen that it should not, or not seen that it should: 0, or which look it was */
static int reader(void)
{
	struct perf_event_attr up = raw(INSTRUCTION | UP);
	int fd;

	order(IA64_ORDER_BEGIN, 0, 0);
	up.disabled = spying.reader == MAPS;
	fd = must_open(&up, 0, -1, -1);
	order(IA64_ORDER_USER, INSTRUCTION, 1);
	if (spying.reader == COMES)
		close(fd);
	say(spying.ready);
	hear(spying.go);
	if (spying.reader == MAPS && mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		return 1;
	if (sees(false) != test_busted("recorded"))
		return 2;
	/* Of itself it sees it, as the same program. */
	if (happen_until_seen(1) == ROUNDS)
		return 3;
	if (spying.reader == MAPS)
		return 0;
	must_open(&up, 0, -1, -1);
	order(IA64_ORDER_EXEC, 0, 0);
	return sees(false) ? 4 : 0;
}

/* Of a task that has no event an event of the CPU records. That it did the task sees itself: it may look, of an earlier one. */
static void check_reader(void)
{
	struct perf_event_attr attr = spied_attr();
	int fd = must_open(&attr, -1, 0, -1), up = open_raw(INSTRUCTION | UP, -1);
	pid_t pid;

	order(IA64_ORDER_USER, INSTRUCTION, 1);
	close(up);
	pid = spy_begin(reader);
	CHECK_RANGE(happen_until_seen(0), 1, ROUNDS - 1);
	spy_go(pid);
	close(fd);
}

void the_cpus_records_are_not_for_who_may_read(long nr)
{
	machine_begin(&chips[nr]);
	pin_to_cpu(0);
	spying.chip = &chips[nr];
	for (spying.what = LOADS; spying.what <= (chips[nr].has_bundles ? BUNDLES : BRANCHES_TAKEN); spying.what++) {
		for (spying.reader = 0; spying.reader < READERS; spying.reader++)
			check_reader();
	}
	machine_end();
}
