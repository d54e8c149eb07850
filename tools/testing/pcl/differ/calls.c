// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the calls of a sequence, one at random after the other, each printed with what came of it.
 *
 * Concepts: a line begins with the call; what stands behind " = " is the kernel's. Nothing of another process runs
 *	beside the sequence's: members are waited for, and asleep when the next call comes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "../selftests/lib/cgroup.h"
#include "../selftests/lib/trace.h"
#include "differ.h"

static void result(long value)
{
	if (value < 0)
		printf(" = %s\n", name_of_error(errno));
	else
		printf(" = %ld\n", value);
}

void leave_cpu(void)
{
	struct rusage usage;
	long before;

	getrusage(RUSAGE_THREAD, &usage);
	before = usage.ru_nvcsw;
	do {
		usleep(100);
		getrusage(RUSAGE_THREAD, &usage);
	} while (usage.ru_nvcsw == before);
}

/* One of the slots; mostly one that is open. */
static struct slot *any_slot(void)
{
	unsigned int which = roll(NR_SLOTS), i;
	bool closed = odds(25);

	for (i = 0; !closed && i < NR_SLOTS; i++)
		if (now.slots[(which + i) % NR_SLOTS].fd >= 0)
			return &now.slots[(which + i) % NR_SLOTS];
	return &now.slots[which];
}

static int number_of(const struct slot *slot)
{
	return slot - now.slots;
}

static struct slot *free_slot(void)
{
	unsigned int i;

	for (i = 0; i < NR_SLOTS; i++)
		if (now.slots[i].fd < 0 && !now.slots[i].mapped)
			return &now.slots[i];
	return NULL;
}

/* ---- open, close ---- */

struct target {
	pid_t pid;
	int cpu, dir;
	unsigned long flags;
	char text[32];
};

static struct target any_target(void)
{
	static const unsigned char own[] = { 20, 1, 1, 1, 4, 0 }, others[] = { 8, 1, 3, 1, 10, 0 },
				   cpus[] = { 3, 1, 10, 1, 2, 0 }, cgroups[] = { 3, 1, 2, 1, 2, 10 };
	static const char *const names[] = { ".", "a", "a/b", "c" };
	struct target t = { .cpu = -1, .dir = -1, .text = "self" };
	unsigned int which = roll(NR_MEMBERS), name = roll(4);
	bool cpu_too = odds(6);
	int cpu = odds(4);

	switch (weighted(now.theme == FAMILIES ? others : now.theme == PROCESSORS || now.theme == HOTPLUG ? cpus :
			 now.theme == CGROUPS ? cgroups : own, 6)) {
	case 1:
		t.pid = odds(2) ? 0x3fffffff : -1 - (int)roll(2);
		snprintf(t.text, sizeof(t.text), "%d", t.pid);
		break;
	case 2:
		t.pid = -1;
		t.cpu = cpu;
		strcpy(t.text, "any");
		break;
	case 3:
		t.cpu = odds(2) ? -2 : (int)(2 + roll(1000));
		break;
	case 4:
		if (now.members[which].pid) {
			t.pid = now.members[which].pid;
			snprintf(t.text, sizeof(t.text), "member%u", which);
		}
		break;
	case 5:
		t.pid = t.dir = cgroup_open(names[name]);
		t.cpu = cpu;
		t.flags = PERF_FLAG_PID_CGROUP;
		snprintf(t.text, sizeof(t.text), "cgroup %s", names[name]);
		break;
	}
	if (cpu_too)
		t.cpu = cpu;
	return t;
}

static void open_event(void)
{
	static struct given given;
	struct slot *slot = free_slot(), *group = odds(now.theme == GROUPS ? 2 : 6) ? any_slot() : NULL;
	unsigned long flags = (odds(2) ? PERF_FLAG_FD_CLOEXEC : 0) | (odds(12) ? PERF_FLAG_FD_NO_GROUP : 0) |
			      (odds(10) ? PERF_FLAG_FD_OUTPUT : 0);
	unsigned long odd = odds(40) ? odd_number() : 0;
	const void *at = odds(80) ? (void *)(uintptr_t)(1 + roll(3) * 4096) : &given;
	struct target t = any_target();
	int error;

	attr_random(&given);
	/* On stock the event that its descriptor means may have ended with a task that inherited it. */
	if (group && group->family && now.member_ended)
		group = NULL;
	/* The bit of PCL's own form of the call means another thing there. */
	flags |= t.flags | (odd & ~PCL_FLAG_OPEN);
	printf("open");
	if (!slot) {
		printf(" = no slot\n");
	} else {
		memset(slot, 0, sizeof(*slot));
		slot->writes_to = -1;
		slot->attr = given.attr;
		slot->cpu = t.cpu;
		slot->any_task = t.pid == -1;
		slot->group = group ? number_of(group) : -1;
		slot->cgroup = t.dir >= 0;
		slot_judge(slot);
		printf(" %d of %s cpu %d group %d flags %#lx%s:", number_of(slot), t.text, t.cpu,
		       group ? number_of(group) : -1, flags, at == &given ? "" : " nowhere");
		attr_print(&given.attr);
		slot->fd = event_open(at, t.pid, t.cpu, group ? group->fd : -1, flags);
		error = errno;
		printf(" = %s", slot->fd < 0 ? name_of_error(error) : "open");
		if (slot->fd < 0 && error == E2BIG)
			printf(" size %u", given.attr.size);
		if (slot->fd >= 0) {
			if (ioctl(slot->fd, PERF_EVENT_IOC_ID, &slot->id))
				slot->id = 0;
			if (fcntl(slot->fd, F_GETFD) & FD_CLOEXEC)
				printf(" cloexec");
			if (group && flags & PERF_FLAG_FD_OUTPUT)
				slot->writes_to = number_of(group);
			breakpoints_judge();
			others_judge(slot);
			now.unsure_signals |= slot->noisy && slot->attr.sigtrap;
		}
		printf("\n");
	}
	if (t.dir >= 0)
		close(t.dir);
}

static void close_event(void)
{
	struct slot *slot = any_slot();

	printf("close %d", number_of(slot));
	members_judge(slot);
	result(close(slot->fd));
	slot->fd = -1;
	/* Members that waited for their leader, stock lets go on at the next switch. */
	leave_cpu();
}

/* ---- ioctl ---- */

static void control_event(void)
{
	static const struct {
		const char *name;
		unsigned long request;
	} requests[] = {
		{ "ENABLE", PERF_EVENT_IOC_ENABLE }, { "DISABLE", PERF_EVENT_IOC_DISABLE },
		{ "RESET", PERF_EVENT_IOC_RESET }, { "REFRESH", PERF_EVENT_IOC_REFRESH },
		{ "PAUSE_OUTPUT", PERF_EVENT_IOC_PAUSE_OUTPUT },
	};
	static const unsigned char weights[] = { 5, 3, 2, 2, 2 };
	unsigned int which = weighted(weights, 5);
	struct slot *slot = any_slot();
	unsigned long argument = odds(20) ? odd_number() : which == 3 ? roll(6) : odds(4);

	now.some_switched |= which == 0 || which == 1 || which == 3;
	printf("%s %d of %#lx", requests[which].name, number_of(slot), argument);
	result(ioctl(slot->fd, requests[which].request, argument));
}

static void set_period(void)
{
	struct slot *slot = any_slot();
	uint64_t period = odds(4) ? odd_number() : 1 + roll(9);
	bool nowhere = odds(20);

	printf("PERIOD %d of %#llx%s", number_of(slot), (unsigned long long)period, nowhere ? " nowhere" : "");
	if (slot->fd >= 0 && !period_is_bearable(&slot->attr, period)) {
		printf(" = not done\n");
		return;
	}
	result(ioctl(slot->fd, PERF_EVENT_IOC_PERIOD, nowhere ? NULL : &period));
	/* The first sample comes at once, or a period after the next switch, if there is one before: let there be one. */
	leave_cpu();
}

static void set_output(void)
{
	struct slot *slot = any_slot(), *to = any_slot();
	bool none = odds(5), odd = odds(25);
	long fd = odd ? (long)roll(3) - 2 : none ? -1 : to->fd;

	printf("SET_OUTPUT %d to %d", number_of(slot), none ? -1 : number_of(to));
	errno = 0;
	if (ioctl(slot->fd, PERF_EVENT_IOC_SET_OUTPUT, fd) < 0) {
		result(-1);
		return;
	}
	slot->writes_to = fd == -1 ? -1 : number_of(to);
	result(0);
}

static void set_filter(void)
{
	static const char *const filters[] = {
		"pid > 5", "pid == 1193046", "common_pid > 0", "", "no such field", "pid ==", "nonsense == 1",
		"0", "start 0x1000/0x10", "filter 0x1000/0x10@/bin/true", "pid > 5 && pid < 3",
	};
	struct slot *slot = any_slot();
	unsigned int which = roll(sizeof(filters) / sizeof(filters[0]));
	bool nowhere = odds(20);

	printf("SET_FILTER %d '%s'%s", number_of(slot), filters[which], nowhere ? " nowhere" : "");
	result(ioctl(slot->fd, PERF_EVENT_IOC_SET_FILTER, nowhere ? NULL : filters[which]));
}

static void modify_attr(void)
{
	static struct given given;
	struct slot *slot = any_slot();
	bool other = odds(3);
	int error;

	attr_random(&given);
	if (!other)
		given.attr = slot->attr;
	if (!other && given.attr.type == PERF_TYPE_BREAKPOINT) {
		given.attr.bp_addr = (uintptr_t)&watched[roll(NR_WATCHED)];
		given.attr.disabled = odds(3);
	}
	printf("MODIFY_ATTRIBUTES %d to", number_of(slot));
	attr_print(&given.attr);
	error = ioctl(slot->fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &given.attr);
	result(error);
	if (!error)
		slot->attr.bp_addr = given.attr.bp_addr;
	breakpoints_judge();
}

static void ask(void)
{
	struct slot *slot = any_slot();
	uint64_t id = 0;
	struct { uint32_t room, nr, ids[2]; } programs = { 2, 7, { 0 } };
	unsigned int odd = roll(20);

	switch (roll(4)) {
	case 0:
		printf("ID %d", number_of(slot));
		result(ioctl(slot->fd, PERF_EVENT_IOC_ID, &id));
		printf("  %s\n", name_of_id(id));
		break;
	case 1:
		printf("ID %d nowhere", number_of(slot));
		result(ioctl(slot->fd, PERF_EVENT_IOC_ID, (void *)1));
		break;
	case 2:
		printf("QUERY_BPF %d", number_of(slot));
		result(ioctl(slot->fd, PERF_EVENT_IOC_QUERY_BPF, &programs));
		printf("  nr %u\n", programs.nr);
		break;
	default:
		printf("ioctl %d nr %u", number_of(slot), odd);
		if (odd < 12)
			result(ioctl(slot->fd, PERF_EVENT_IOC_SET_BPF, -1 - (int)odd));
		else
			result(ioctl(slot->fd, _IO('$', odd), 0));
	}
}

/* ---- mappings ---- */

static size_t any_length(bool odd)
{
	size_t length = (1 + (1UL << roll(5))) * PAGE;

	if (!odd)
		return length;
	switch (roll(5)) {
	case 0:
		return PAGE;
	case 1:
		return (1 + roll(12)) * PAGE;
	case 2:
		return 1 + roll(5 * PAGE);
	case 3:
		return (1 + (1UL << roll(12))) * PAGE;
	default:
		return 2 * PAGE;
	}
}

static void map_ring(void)
{
	static const int prots[] = { PROT_READ | PROT_WRITE, PROT_READ, PROT_WRITE, PROT_NONE, PROT_READ | PROT_EXEC };
	static const unsigned char weights[] = { 20, 6, 1, 1, 1 };
	struct slot *slot = any_slot();
	int prot = prots[weighted(weights, 5)], flags = odds(25) ? MAP_PRIVATE : MAP_SHARED;
	size_t length = any_length(odds(4)), page;
	off_t offset = odds(25) ? (off_t)roll(20) * PAGE : 0;
	void *at;

	printf("mmap %d %#zx prot %d %s from %#lx", number_of(slot), length, prot,
	       flags == MAP_SHARED ? "shared" : "private", (long)offset);
	at = mmap(NULL, length, prot, flags, slot->fd, offset);
	result(at == MAP_FAILED ? -1 : 0);
	if (at == MAP_FAILED)
		return;
	if (slot->mapped) {
		munmap(at, length);
		return;
	}
	slot->mapped = length;
	slot->ring = (struct ring){ .page = at, .data = (unsigned char *)at + PAGE, .prot = prot };
	if (!(prot & PROT_READ)) {
		slot->ring.page = NULL;
		munmap(at, length);
		slot->mapped = 0;
		return;
	}
	slot->ring.size = (length + PAGE - 1) / PAGE * PAGE - PAGE;
	/* Who reads records writes there how far it came, if there are any. */
	if (prot & PROT_WRITE)
		__atomic_store_n(&slot->ring.page->data_tail, slot->ring.page->data_tail, __ATOMIC_RELAXED);
	for (page = 0; page < slot->ring.size; page += PAGE)
		(void)*(volatile const unsigned char *)(slot->ring.data + page);
}

static void unmap_slot(struct slot *slot)
{
	if (slot->mapped)
		munmap(slot->ring.page, slot->mapped);
	slot->mapped = 0;
	slot->ring.page = NULL;
}

static void unmap_ring(void)
{
	struct slot *slot = any_slot();

	printf("munmap %d = %s\n", number_of(slot), slot->mapped ? "done" : "nothing");
	unmap_slot(slot);
}

static void drain(void)
{
	struct slot *slot = any_slot();

	printf("records %d", number_of(slot));
	ring_print(slot);
}

static void look_at_page(void)
{
	struct slot *slot = any_slot();

	printf("page %d =", number_of(slot));
	if (slot->ring.page)
		page_print(slot);
	printf("\n");
}

/* ---- reading ---- */

static void read_slot(struct slot *slot, size_t size, bool nowhere)
{
	static uint64_t words[512];
	ssize_t length;

	printf("read %d %zu%s", number_of(slot), size, nowhere ? " nowhere" : "");
	length = read(slot->fd, nowhere ? (void *)8 : words, size);
	if (length < 0) {
		result(-1);
		return;
	}
	printf(" = %zd", length);
	if (length)
		reading_print(slot, words, length / 8);
	printf("\n");
}

static void read_event(void)
{
	struct slot *slot = any_slot();
	size_t odd = roll(48);

	read_slot(slot, odds(6) ? odd : 4096, odds(40));
}

static void poll_event(void)
{
	struct slot *slot = any_slot();
	struct pollfd ask = { .fd = slot->fd, .events = POLLIN | POLLOUT | POLLPRI };
	bool unsure = slot->noisy;
	unsigned int i;
	int ready = poll(&ask, 1, 0);

	for (i = 0; i < NR_SLOTS; i++)
		unsure |= now.slots[i].noisy && now.slots[i].writes_to >= 0;
	if (unsure)
		printf("poll %d = ?\n", number_of(slot));
	else
		printf("poll %d = %d %#x\n", number_of(slot), ready, ask.revents);
}

/* ---- what is counted ---- */

static void touch(void)
{
	unsigned long nr = 1 + roll(6);
	char *at = fresh_pages(nr);

	region_add(at, nr * PAGE);
	touch_pages(at, 0, nr);
	printf("touch %lu\n", nr);
}

static void loop(void)
{
	unsigned long nr = 1 + roll(30000);

	loop_run(nr);
	printf("loop %lu\n", nr);
}

static void hit(void)
{
	unsigned int nr = 1 + roll(4);

	hit_with(PID, nr);
	printf("hit %u\n", nr);
}

__attribute__((noinline))
void executed(void)
{
	__asm__ volatile("" ::: "memory");
}

static void watch(void)
{
	unsigned int which = roll(NR_WATCHED);
	long value = 0;

	switch (roll(3)) {
	case 0:
		watched[which] = which;
		break;
	case 1:
		value = watched[which];
		break;
	default:
		executed();
	}
	printf("watched %u %ld = signals %d\n", which, value, now.unsure_signals ? 0 : (int)nr_signals);
}

static void rename_self(void)
{
	char name[20] = "renamed";
	unsigned int nr = roll(14);

	while (nr--)
		strcat(name, strlen(name) < 15 ? "x" : "");
	printf("name %s", name);
	result(prctl(PR_SET_NAME, name));
}

static void map_memory(void)
{
	int fd = odds(3) ? -1 : open("/proc/self/exe", O_RDONLY), prot = PROT_READ | (odds(2) ? PROT_EXEC : 0);
	size_t nr = 1 + roll(3);
	void *at = mmap(NULL, nr * PAGE, prot, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (fd >= 0)
		close(fd);
	region_add(at, nr * PAGE);
	printf("memory %zu prot %d %s\n", nr, prot, fd < 0 ? "anonymous" : "of the program");
}

static void switch_events(void)
{
	bool on = odds(2);

	printf("prctl %s", on ? "ENABLE" : "DISABLE");
	now.some_switched = true;
	result(prctl(on ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE));
}

static void move(void)
{
	if (now.theme != HOTPLUG) {
		now.moved = !now.moved;
		pin_to_cpu(now.moved);
	}
	printf("on cpu %d\n", now.moved);
}

/* ---- members ---- */

/* Until it waits for the next order, so that it does not run beside us. */
static void await_member(const struct member *m)
{
	char path[32], text[256], *end;
	unsigned int i;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", m->pid);
	for (i = 0; i < 20000; i++) {
		fd = open(path, O_RDONLY);
		length = read(fd, text, sizeof(text) - 1);
		close(fd);
		CHECK(length > 0);
		text[length] = '\0';
		end = strrchr(text, ')');
		if (end && (end[2] == 'S' || end[2] == 'Z'))
			return;
		sched_yield();
	}
	FAIL("a member does not sleep: %s", text);
}

static void start_member(void)
{
	unsigned int i = roll(NR_MEMBERS);

	printf("start %u", i);
	if (now.members[i].pid) {
		printf(" = is there\n");
		return;
	}
	fflush(stdout);
	now.members[i] = member_start();
	await_member(&now.members[i]);
	printf(" = done\n");
}

static void tell_member(void)
{
	static const struct {
		const char *name;
		unsigned long what;
	} orders[] = {
		{ "loop", 1000 }, { "touch", TOLD_TO_TOUCH }, { "exec", TOLD_TO_EXEC }, { "fork", TOLD_TO_FORK },
		{ "rename", TOLD_TO_RENAME }, { "map", TOLD_TO_MAP },
	};
	static const unsigned char weights[] = { 2, 6, 2, 3, 1, 1 };
	unsigned int order = weighted(weights, 6), i = roll(NR_MEMBERS);
	struct member *m = &now.members[i];

	printf("member %u %s", i, orders[order].name);
	if (!m->pid) {
		printf(" = is not there\n");
		return;
	}
	if (orders[order].what == TOLD_TO_EXEC) {
		/* Nobody says that it is done: the next thing. */
		member_tell(m, TOLD_TO_EXEC);
		member_do(m, 1);
	} else {
		member_do(m, orders[order].what);
	}
	await_member(m);
	printf(" = done\n");
}

static void end_member(void)
{
	unsigned int i = roll(NR_MEMBERS);

	printf("end %u\n", i);
	if (now.members[i].pid)
		member_end(&now.members[i]);
	now.member_ended = true;
	now.members[i].pid = 0;
}

/* ---- cgroups, CPUs ---- */

static void enter_cgroup(void)
{
	static const char *const names[] = { ".", "a", "a/b", "c" };
	unsigned int name = roll(4), i = roll(NR_MEMBERS);
	bool other = odds(3);

	cgroup_put_in(other && now.members[i].pid ? now.members[i].pid : getpid(), names[name]);
	printf("%s to cgroup %s\n", other && now.members[i].pid ? "a member" : "self", names[name]);
}

static void set_cpu1(void)
{
	bool online = odds(2);

	printf("cpu 1 %s = %d\n", online ? "on" : "off", cpu1_set(online));
}

/* ---- all of them ---- */

enum call {
	OPEN, CLOSE, CONTROL, PERIOD, REDIRECT, FILTER, MODIFY, ASK, MAP_RING, UNMAP, DRAIN, LOOK, READ, POLL,
	FRESH, LOOP, HIT, WATCH, NAME, MAP_MEMORY, SWITCH_EVENTS, MOVE, START, ORDER, END_ONE, ENTER, SET_CPU,
	NR_CALLS
};

static void (*const calls[NR_CALLS])(void) = {
	[OPEN] = open_event, [CLOSE] = close_event, [CONTROL] = control_event, [PERIOD] = set_period,
	[REDIRECT] = set_output, [FILTER] = set_filter, [MODIFY] = modify_attr, [ASK] = ask, [MAP_RING] = map_ring,
	[UNMAP] = unmap_ring, [DRAIN] = drain, [LOOK] = look_at_page, [READ] = read_event, [POLL] = poll_event,
	[FRESH] = touch, [LOOP] = loop, [HIT] = hit, [WATCH] = watch, [NAME] = rename_self, [MAP_MEMORY] = map_memory,
	[SWITCH_EVENTS] = switch_events, [MOVE] = move, [START] = start_member, [ORDER] = tell_member,
	[END_ONE] = end_member, [ENTER] = enter_cgroup, [SET_CPU] = set_cpu1,
};

static const unsigned char calls_of[NR_THEMES][NR_CALLS] = {
	/*		  op cl co pe re fi mo as mr um dr lo re po  to lo hi wa na ma sw mo st or en en cp */
	[OPENS] =	{ 30, 4, 2, 0, 0, 0, 0, 1, 2, 0, 1, 0, 4, 1,  2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	[GROUPS] =	{ 20, 5, 9, 1, 1, 0, 0, 1, 2, 0, 2, 1, 8, 1,  6, 2, 1, 2, 0, 0, 3, 1, 0, 0, 0, 0, 0 },
	[RINGS] =	{ 10, 2, 6, 1, 6, 0, 0, 0, 12, 3, 9, 3, 2, 6, 14, 0, 2, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0 },
	[SAMPLES] =	{ 10, 1, 4, 2, 2, 0, 0, 0, 9, 1, 9, 1, 2, 2, 10, 2, 6, 5, 0, 0, 1, 1, 0, 0, 0, 0, 0 },
	[HAPPENINGS] =	{ 10, 1, 3, 0, 2, 0, 0, 0, 9, 1, 9, 0, 1, 2,  2, 0, 0, 0, 5, 6, 1, 0, 2, 4, 1, 0, 0 },
	[CONTROLS] =	{ 10, 1, 14, 5, 3, 2, 2, 4, 3, 1, 3, 2, 6, 2, 8, 2, 2, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0 },
	[FAMILIES] =	{ 10, 2, 5, 1, 1, 0, 0, 1, 3, 1, 4, 1, 7, 1,  3, 1, 1, 1, 1, 1, 2, 0, 6, 9, 3, 0, 0 },
	[PROCESSORS] =	{ 12, 2, 5, 0, 2, 0, 0, 0, 4, 1, 4, 1, 6, 2,  6, 2, 2, 0, 1, 1, 1, 5, 0, 0, 0, 0, 0 },
	[TRACEPOINTS] =	{ 10, 1, 4, 2, 1, 5, 0, 1, 6, 1, 7, 1, 5, 2,  2, 0, 12, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0 },
	[BREAKPOINTS] =	{ 12, 2, 5, 2, 1, 0, 4, 0, 4, 1, 5, 1, 5, 2,  1, 0, 0, 14, 0, 0, 1, 0, 0, 0, 0, 0, 0 },
	[CGROUPS] =	{ 12, 2, 4, 0, 1, 0, 0, 0, 3, 1, 3, 0, 7, 1,  6, 1, 1, 0, 0, 0, 1, 0, 1, 2, 1, 6, 0 },
	[USERS] =	{ 16, 2, 4, 2, 2, 2, 1, 1, 6, 1, 2, 1, 5, 1,  4, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0 },
	[HOTPLUG] =	{ 12, 2, 4, 0, 1, 0, 0, 0, 3, 1, 3, 1, 6, 2,  5, 1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4 },
};

void call_random(unsigned int number)
{
	/* Something must be there for the others. */
	if (number < 2 && now.theme != FAMILIES && now.theme != CGROUPS)
		open_event();
	else if (number < 2)
		number ? open_event() : start_member();
	else if (number == 2 && calls_of[now.theme][MAP_RING] > 5)
		map_ring();
	else
		calls[weighted(calls_of[now.theme], NR_CALLS)]();
}

void calls_end(void)
{
	unsigned int i;

	for (i = 0; i < NR_MEMBERS; i++)
		if (now.members[i].pid)
			member_end(&now.members[i]);
	for (i = 0; i < NR_SLOTS; i++)
		if (now.slots[i].fd >= 0)
			read_slot(&now.slots[i], 4096, false);
	for (i = 0; i < NR_SLOTS; i++)
		if (now.slots[i].mapped) {
			printf("records %u", i);
			ring_print(&now.slots[i]);
			unmap_slot(&now.slots[i]);
		}
}
