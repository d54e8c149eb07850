// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the records of what happens to the kernel itself: KSYMBOL, BPF_EVENT, TEXT_POKE, CGROUP.
 *
 * Concepts: the test makes it happen, so it is told to a dummy event of the test's task, and to one of its CPU. A kprobe
 *	changes text, and the first brings a page of code that has a name. A BPF program needs a kernel with bpf(2).
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "lib/bpf.h"

#define TRACING "/sys/kernel/tracing/"

static struct record record;

/* Whose events want to know. */
enum { TASK = 1, CPU = 2, BOTH = 3 };

/* Their rings, and that of an event which wants to know nothing of the kind. */
struct told {
	struct perf_event_attr attr;
	unsigned int nr;
	int fds[2];
	struct ring rings[2], other;
};

static void told_add(struct told *told, const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	told->fds[told->nr] = must_open(attr, pid, cpu, -1);
	told->rings[told->nr] = ring_map(told->fds[told->nr], 8, PROT_READ | PROT_WRITE);
	told->nr++;
}

/* Only what is told between these two is looked at. */
static void told_begin(struct told *told, struct perf_event_attr attr, long who)
{
	struct perf_event_attr other = dummy_attr();
	int fd;

	pin_to_cpu(0);
	told->attr = attr;
	told->nr = 0;
	if (who & TASK)
		told_add(told, &attr, 0, -1);
	/* Something else that stock tells to the events of a CPU: it forgets those that want CGROUP alone. */
	attr.comm = 1;
	if (who & CPU)
		told_add(told, &attr, -1, 0);
	other.comm = 1;
	told->other = ring_open(&other, &fd);
}

/* Where stock makes the second record longer than it is. */
static void skip_both_on_stock(long who)
{
	if (who == BOTH && !is_pcl())
		test_skip("stock tells the second event a size with the first's trailer added");
}

static void told_end(struct told *told)
{
	CHECK_EQ(prctl(PR_SET_NAME, "end"), 0);
	CHECK(ring_take(&told->other, &record));
	CHECK_EQ(record.header.type, PERF_RECORD_COMM);
	CHECK(!ring_take(&told->other, &record));
	while (told->nr)
		ring_unmap(&told->rings[--told->nr]);
}

/* The next record of this type in a ring. */
static bool told_next(struct told *told, unsigned int i, uint32_t type)
{
	if (!ring_find(&told->rings[i], type, &record))
		return false;
	trailer_check(&record, &told->attr, told->fds[i], getpid(), getpid());
	return true;
}

static unsigned int body_size(const struct told *told)
{
	return record.header.size - sizeof(record.header) - trailer_size(&told->attr);
}

/* Behind @size bytes of a record there are zeros up to the next whole word, and nothing else. */
static void check_size(const struct told *told, unsigned int size)
{
	const unsigned char *body = (const unsigned char *)record.body;

	CHECK_EQ(body_size(told), (size + 7) / 8 * 8);
	for (; size % 8; size++)
		CHECK_EQ(body[size], 0);
}

static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		FAIL("cannot write %s to %s: %s", text, path, strerror(errno));
	close(fd);
}

/* ---- kprobes ---- */

/* The address of a symbol of the kernel; 0: there is none. */
static uint64_t address_of(const char *symbol)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long at, found = 0;
	char name[512];

	CHECK(f);
	while (!found && fscanf(f, "%llx %*c %511s%*[^\n]", &at, name) == 2)
		if (!strcmp(name, symbol))
			found = at;
	fclose(f);
	return found;
}

#define PROBED "do_sys_openat2"

/* Where a probe becomes a jump some time later, by the hand of another task. */
static void optimize(const char *whether)
{
	if (ARCH_KPROBES_TELL)
		write_to("/proc/sys/debug/kprobes-optimization", whether);
}

static void need_kprobes_that_tell(void)
{
	if (!ARCH_KPROBES_TELL)
		test_skip("kprobes write text untold here, and need no page");
}

static void probe_make(void)
{
	if (access(TRACING "kprobe_events", F_OK))
		test_skip("this kernel has no kprobe events");
	optimize("0");
	write_to(TRACING "kprobe_events", "p:pcl_changes " PROBED);
}

static void probe_enable(const char *enable)
{
	write_to(TRACING "events/kprobes/pcl_changes/enable", enable);
}

static void probe_remove(void)
{
	write_to(TRACING "kprobe_events", "-:pcl_changes");
	optimize("1");
}

/* The name that the record ends with, from that word on */
static void check_name(unsigned int word, const char *name)
{
	if (strcmp((const char *)&record.body[word], name))
		FAIL("told as %s, not %s", (const char *)&record.body[word], name);
}

/* KSYMBOL: {addr, u32 len, u16 type, u16 flags, name} */
static void check_page(struct told *told, unsigned int i, const char *name)
{
	CHECK(told_next(told, i, PERF_RECORD_KSYMBOL));
	CHECK_EQ(record.body[0], address_of(name));
	CHECK_EQ(half_of(record.body[1], 0), PAGE);
	CHECK_EQ(quarter_of(record.body[1], 2), PERF_RECORD_KSYMBOL_TYPE_OOL);
	CHECK_EQ(quarter_of(record.body[1], 3), 0);
	check_name(2, name);
	check_size(told, 16 + strlen(name) + 1);
	CHECK_EQ(record.header.misc, 0);
}

/* The first kprobe needs a page for the instructions it replaces, and one for the code that it may become. */
static void ksymbol_tells_pages_of_kprobes(long unused)
{
	static const char *const names[2] = { "kprobe_insn_page", "kprobe_optinsn_page" };
	struct perf_event_attr attr = dummy_attr();
	struct told told;
	unsigned int i;

	(void)unused;
	need_kprobes_that_tell();
	if (address_of(names[0]))
		test_skip("there has been a kprobe, and its page stays");
	attr.ksymbol = !test_busted("ksymbol");
	told_begin(&told, attr, is_pcl() ? BOTH : TASK);	/* there is no second time */
	probe_make();
	for (i = 0; i < told.nr; i++) {
		check_page(&told, i, names[0]);
		if (address_of(names[1]))
			check_page(&told, i, names[1]);
		CHECK(!told_next(&told, i, PERF_RECORD_KSYMBOL));
	}
	told_end(&told);
	probe_remove();
}

/* TEXT_POKE: {addr, u16 old_len, u16 new_len, old bytes, new bytes} */
struct poke {
	uint64_t addr;
	unsigned int old_len, new_len;
	unsigned char bytes[1024];	/* the old, then the new */
};

static struct poke poke_next(struct told *told, unsigned int i)
{
	struct poke poke;

	CHECK(told_next(told, i, PERF_RECORD_TEXT_POKE));
	CHECK_EQ(record.header.misc, PERF_RECORD_MISC_KERNEL);
	poke.addr = record.body[0];
	poke.old_len = quarter_of(record.body[1], 0);
	poke.new_len = quarter_of(record.body[1], 1);
	CHECK_RANGE(poke.old_len + poke.new_len, 1, sizeof(poke.bytes));
	memcpy(poke.bytes, (const char *)record.body + 12, poke.old_len + poke.new_len);
	check_size(told, 12 + poke.old_len + poke.new_len);
	return poke;
}

/* The next at @addr. There are others, of the code that the probe may become. */
static struct poke poke_at(struct told *told, unsigned int i, uint64_t addr)
{
	struct poke poke;

	do
		poke = poke_next(told, i);
	while (poke.addr != addr);
	return poke;
}

/* The replaced instruction goes elsewhere, a breakpoint takes its place; then all as it was. */
static void text_poke_tells_a_kprobe(long who)
{
	struct perf_event_attr attr = dummy_attr();
	struct poke made, armed, disarmed, gone;
	uint64_t at = address_of(PROBED);
	struct told told;
	unsigned int i;

	need_kprobes_that_tell();
	skip_both_on_stock(who);
	attr.text_poke = !test_busted("poke");
	told_begin(&told, attr, who);
	probe_make();
	probe_enable("1");
	probe_enable("0");
	probe_remove();
	for (i = 0; i < told.nr; i++) {
		made = poke_next(&told, i);
		armed = poke_at(&told, i, at);
		disarmed = poke_at(&told, i, at);
		gone = poke_at(&told, i, made.addr);
		CHECK(made.addr != at);
		CHECK_EQ(made.old_len, 0);
		CHECK(armed.old_len == 1 && armed.new_len == 1);
		CHECK_EQ(armed.bytes[0], made.bytes[0]);
		CHECK_EQ(armed.bytes[1], ARCH_BREAKPOINT);
		CHECK(disarmed.old_len == 1 && disarmed.new_len == 1);
		CHECK_EQ(disarmed.bytes[0], ARCH_BREAKPOINT);
		CHECK_EQ(disarmed.bytes[1], armed.bytes[0]);
		CHECK_EQ(gone.old_len, made.new_len);
		CHECK_EQ(gone.new_len, 0);
		CHECK(!memcmp(gone.bytes, made.bytes, made.new_len));
	}
	told_end(&told);
}

/* ---- CGROUP: {id, path} ---- */

static void cgroup_tells_a_new_one(long who)
{
	static const char hierarchy[] = "/run/pcl-perf_event", name[] = "/some group";
	struct perf_event_attr attr = dummy_attr();
	char path[64];
	struct stat stat_;
	struct told told;
	unsigned int i;

	snprintf(path, sizeof(path), "%s%s", hierarchy, name);
	mkdir(hierarchy, 0700);
	if (mount("cgroup", hierarchy, "cgroup", 0, "perf_event"))
		FAIL("cannot mount the hierarchy of perf_event: %s", strerror(errno));
	attr.cgroup = !test_busted("cgroup");
	told_begin(&told, attr, who);
	CHECK(!mkdir(path, 0700) && !stat(path, &stat_));
	for (i = 0; i < told.nr; i++) {
		CHECK(told_next(&told, i, PERF_RECORD_CGROUP));
		CHECK_EQ(record.body[0], stat_.st_ino);
		check_name(1, name);
		check_size(&told, 8 + sizeof(name));
		CHECK_EQ(record.header.misc, 0);
	}
	CHECK(!rmdir(path));
	for (i = 0; i < told.nr; i++)
		CHECK(!told_next(&told, i, PERF_RECORD_CGROUP));
	told_end(&told);
	CHECK(!umount(hierarchy));
}

/* ---- BPF_EVENT: {u16 type, u16 flags, u32 id, u8 tag[8]}, and KSYMBOL of its code ---- */

static int program_load(void)
{
	/* return 0 */
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insns = (uintptr_t)code, .insn_cnt = 2,
		.license = (uintptr_t)"GPL", .prog_name = "changes",
	};
	int fd = bpf_call(BPF_PROG_LOAD, &attr);

	if (fd < 0 && errno == ENOSYS)
		test_skip("this kernel has no bpf(2)");
	CHECK(fd >= 0);
	return fd;
}

static void check_program(struct told *told, unsigned int i, const struct bpf_prog_info *info, unsigned int type)
{
	char name[64];
	unsigned int j, at;

	at = snprintf(name, sizeof(name), "bpf_prog_");
	for (j = 0; j < sizeof(info->tag); j++)
		at += snprintf(name + at, sizeof(name) - at, "%02x", info->tag[j]);
	snprintf(name + at, sizeof(name) - at, "_changes");
	if (!info->jited_prog_len)
		name[0] = 0;	/* the interpreter's function, which is not its own */
	if (info->nr_jited_ksyms) {
		CHECK(told_next(told, i, PERF_RECORD_KSYMBOL));
		CHECK_EQ(record.body[0], info->jited_ksyms);
		CHECK_EQ(half_of(record.body[1], 0), info->jited_prog_len);
		CHECK_EQ(quarter_of(record.body[1], 2), PERF_RECORD_KSYMBOL_TYPE_BPF);
		CHECK_EQ(quarter_of(record.body[1], 3), type == PERF_BPF_EVENT_PROG_UNLOAD);
		check_name(2, name);
	}
	CHECK(told_next(told, i, PERF_RECORD_BPF_EVENT));
	CHECK_EQ(quarter_of(record.body[0], 0), type);
	CHECK_EQ(quarter_of(record.body[0], 1), 0);
	CHECK_EQ(half_of(record.body[0], 1), info->id);
	CHECK(!memcmp(&record.body[1], info->tag, sizeof(info->tag)));
	check_size(told, 16);
}

static void bpf_event_tells_a_program(long who)
{
	struct perf_event_attr attr = dummy_attr();
	struct bpf_prog_info info;
	struct told told;
	unsigned int i;
	int fd;

	skip_both_on_stock(who);
	attr.ksymbol = 1;
	attr.bpf_event = 1;
	close(program_load());		/* or there is nothing to test */
	told_begin(&told, attr, who);
	fd = program_load();
	info = program_info(fd);
	close(fd);
	for (i = 0; i < told.nr; i++) {
		check_program(&told, i, &info, PERF_BPF_EVENT_PROG_LOAD);
		check_program(&told, i, &info, PERF_BPF_EVENT_PROG_UNLOAD);
		CHECK(!told_next(&told, i, PERF_RECORD_BPF_EVENT));
	}
	told_end(&told);
}

static const struct test tests[] = {
	TEST(ksymbol_tells_pages_of_kprobes),	/* before any other that makes a kprobe */
	TEST_WITH(text_poke_tells_a_kprobe, "(a task's event)", TASK),
	TEST_WITH(text_poke_tells_a_kprobe, "(a CPU's)", CPU),
	TEST_WITH(text_poke_tells_a_kprobe, "(both)", BOTH),
	TEST_WITH(cgroup_tells_a_new_one, "(both)", BOTH),
	TEST_WITH(bpf_event_tells_a_program, "(a task's event)", TASK),
	TEST_WITH(bpf_event_tells_a_program, "(a CPU's)", CPU),
	TEST_WITH(bpf_event_tells_a_program, "(both)", BOTH),
};

int main(void)
{
	return TESTS_RUN(tests);
}
