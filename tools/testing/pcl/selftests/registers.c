// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: samples show the registers and the stack that the code had: REGS_USER, STACK_USER, REGS_INTR.
 *
 * Concepts: known_state() runs a loop with known registers on a stack of known bytes. A sample comes from a page fault in
 *	it, or from the PMU, whose interrupt is an NMI. known_call() makes a system call with known registers, so that a
 *	sample in the kernel can tell those of the user. The words of a stack hold their addresses.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <asm/perf_regs.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "lib/event.h"

#define NR		8
#define STACK_PAGES	40UL		/* more than a record can hold */
#define LONGEST		0xfff8U		/* the greatest size of 16 bits that is a multiple of 8 */
#define USER_END	0x7ffffffff000UL /* of addresses that a 64-bit program can map */
#define KERNEL_ADDRESS	0xffff888000000000UL

#define ALL_REGS	0xff0fffULL	/* all but the four segments that 64-bit code does not have */
#define SP_AND_IP	(1ULL << PERF_REG_X86_SP | 1ULL << PERF_REG_X86_IP)

#define KNOWN(reg)	(0x5a17000000000000ULL + (reg))

extern const char known_begin[], known_end[], call_end[];
/* Writes to @page, then to @stride behind it, and so forth: @nr times, on another stack. */
void known_state(volatile char *page, unsigned long nr, unsigned long stride, unsigned long stack);
/* The system call @number, @nr times. */
void known_call(unsigned long number, unsigned long a, unsigned long b, unsigned long c, unsigned long nr,
		unsigned long stack);

#define LOAD(reg, number) "movabs $0x5a17000000000000 + " #number ", %" #reg "\n"

__asm__(".text\n"
	".globl known_state, known_begin, known_end, known_call, call_end\n"
	".type known_state, @function\n"
	"known_state:\n"
	"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
	"	mov %rsp, own_stack(%rip)\n"
	"	mov %rcx, %rsp\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
		LOAD(rbx, 1) LOAD(rcx, 2) LOAD(rdx, 3) LOAD(rbp, 6) LOAD(r8, 16) LOAD(r9, 17) LOAD(r10, 18)
		LOAD(r11, 19) LOAD(r12, 20) LOAD(r13, 21) LOAD(r14, 22) LOAD(r15, 23)
	"known_begin:\n"
	"	movb $1, (%rax)\n"
	"	add %rsi, %rax\n"
	"	dec %rdi\n"
	"	jnz known_begin\n"
	"known_end:\n"
	"	mov own_stack(%rip), %rsp\n"
	"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
	"	ret\n"
	".type known_call, @function\n"
	"known_call:\n"
	"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
	"	mov %rsp, own_stack(%rip)\n"
	"	mov %r9, %rsp\n"
	"	mov %rdi, %rbp\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	mov %rcx, %rdx\n"
		LOAD(rbx, 1) LOAD(r9, 17) LOAD(r10, 18) LOAD(r12, 20) LOAD(r13, 21) LOAD(r14, 22) LOAD(r15, 23)
	"1:	mov %rbp, %rax\n"
	"	syscall\n"
	"call_end:\n"
	"	dec %r8\n"
	"	jnz 1b\n"
	"	mov own_stack(%rip), %rsp\n"
	"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
	"	ret\n"
	".local own_stack\n"
	".comm own_stack, 8, 8\n");

/* ---- stacks ---- */

/* The word that stands at an address. */
static uint64_t word_at(uint64_t address)
{
	return address ^ 0x57ac0000ULL ^ test_busted("stack");
}

static char *memory(unsigned long pages)
{
	char *at = fresh_pages(pages);
	uint64_t i;

	for (i = 0; i < pages * PAGE; i += 8)
		*(uint64_t *)(at + i) = (uint64_t)(uintptr_t)(at + i) ^ 0x57ac0000ULL;
	return at;
}

static void stack_must_hold(const struct sample *sample, uint64_t sp, uint64_t size, uint64_t copied)
{
	uint64_t i;

	CHECK_EQ(sample->stack_size, size);
	CHECK_EQ(sample->stack_copied, copied);
	for (i = 0; i < copied / 8; i++)
		CHECK_EQ(sample->stack[i], word_at(sp + 8 * i));
}

/* ---- sampling ---- */

/* So that what these touch themselves faults no more. */
static void warm_up(void)
{
	static char dummy[2 * PAGE];

	known_state(dummy, 1, 0, (uintptr_t)dummy + PAGE);
	known_call(SYS_getppid, 0, 0, 0, 1, (uintptr_t)dummy + PAGE);
}

static struct perf_event_attr fault_attr(uint64_t sample_type)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | sample_type;
	attr.sample_regs_user = ALL_REGS;
	attr.sample_regs_intr = ALL_REGS;
	return attr;
}

static struct record records[NR + 1];
static struct sample samples[NR + 1];

static unsigned int take_samples(struct ring *ring, const struct perf_event_attr *attr)
{
	unsigned int nr = 0;

	while (nr <= NR && ring_take(ring, &records[nr])) {
		sample_parse(&records[nr], attr, &samples[nr]);
		nr++;
	}
	return nr;
}

/* Samples NR faults of the loop with known registers; the first of the pages. */
static char *sample_known_faults(struct perf_event_attr *attr, uint64_t stack)
{
	char *pages = fresh_pages(NR);
	int fd = must_open_self(attr);
	struct ring ring = ring_map(fd, 256, PROT_READ | PROT_WRITE);

	warm_up();
	event_enable(fd);
	known_state(pages, NR, PAGE, stack);
	event_disable(fd);
	CHECK_EQ(take_samples(&ring, attr), NR);
	close(fd);
	ring_unmap(&ring);
	return pages;
}

/* The value of a register, of a set that has those of the mask. */
static uint64_t value_of(const struct registers *registers, uint64_t mask, unsigned int reg)
{
	unsigned int i = __builtin_popcountll(mask & ((1ULL << reg) - 1));

	CHECK(mask >> reg & 1 && i < registers->nr);
	return registers->at[i];
}

#define VALUE(registers, name) value_of(registers, ALL_REGS, PERF_REG_X86_##name)

/* What known_state() never changes. */
static void registers_must_be_known(const struct registers *registers, uint64_t stack)
{
	static const unsigned int known[] = {
		PERF_REG_X86_BX, PERF_REG_X86_CX, PERF_REG_X86_DX, PERF_REG_X86_BP, PERF_REG_X86_R8, PERF_REG_X86_R9,
		PERF_REG_X86_R10, PERF_REG_X86_R11, PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14,
		PERF_REG_X86_R15,
	};
	unsigned int i;

	CHECK_EQ(registers->abi, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		CHECK_EQ(value_of(registers, ALL_REGS, known[i]), KNOWN(known[i] + test_busted("registers")));
	CHECK_EQ(VALUE(registers, SP), stack);
	CHECK_EQ(VALUE(registers, CS), 0x33);
	CHECK_EQ(VALUE(registers, SS), 0x2b);
	CHECK_EQ(VALUE(registers, FLAGS) & 0x202, 0x202);	/* interrupts on, and the bit that always is */
}

/* ---- registers ---- */

static void registers_are_those_of_the_code(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR);
	uint64_t stack = (uintptr_t)memory(1);
	char *pages = sample_known_faults(&attr, stack);
	unsigned int i;

	(void)unused;
	for (i = 0; i < NR; i++) {
		struct sample *sample = &samples[i];

		registers_must_be_known(&sample->user, stack);
		CHECK_EQ(VALUE(&sample->user, IP), (uintptr_t)known_begin);
		CHECK_EQ(VALUE(&sample->user, AX), (uintptr_t)pages + i * PAGE);
		CHECK_EQ(VALUE(&sample->user, DI), NR - i);
		CHECK_EQ(VALUE(&sample->user, SI), PAGE);
		/* The fault was in user code, so both are the same. */
		CHECK(!memcmp(&sample->user, &sample->intr, sizeof(sample->user)));
	}
}

/* The order is that of the bits, and no other registers are there. */
static void only_registers_of_the_mask_are_shown(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR);
	uint64_t stack = (uintptr_t)memory(1);
	char *pages;

	(void)unused;
	attr.sample_regs_user = SP_AND_IP | (test_busted("registers") ? 1 : 0);
	attr.sample_regs_intr = 1ULL << PERF_REG_X86_AX;
	pages = sample_known_faults(&attr, stack);
	CHECK_EQ(samples[1].user.nr, 2);
	CHECK_EQ(samples[1].user.at[0], stack);
	CHECK_EQ(samples[1].user.at[1], (uintptr_t)known_begin);
	CHECK_EQ(samples[1].intr.nr, 1);
	CHECK_EQ(samples[1].intr.at[0], (uintptr_t)pages + PAGE);
}

/* From an NMI, in the loop. */
static void registers_are_those_of_the_code_in_an_nmi(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR |
						 PERF_SAMPLE_STACK_USER);
	uint64_t stack = (uintptr_t)memory(2);
	char *page = fresh_pages(1);
	struct ring ring;
	unsigned int i, nr;
	int fd;

	(void)unused;
	*page = 1;
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.sample_period = 10000;
	attr.sample_stack_user = 4096;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 32, PROT_READ | PROT_WRITE);
	warm_up();
	event_enable(fd);
	known_state(page, 20000, 0, stack);
	event_disable(fd);
	nr = take_samples(&ring, &attr);
	CHECK_RANGE(nr, 7, 8);
	for (i = 0; i < nr; i++) {
		struct sample *sample = &samples[i];

		registers_must_be_known(&sample->user, stack);
		CHECK_RANGE(sample->ip, (uintptr_t)known_begin, (uintptr_t)known_end - 1);
		CHECK_EQ(VALUE(&sample->user, IP), sample->ip);
		CHECK_EQ(VALUE(&sample->user, AX), (uintptr_t)page);
		CHECK_RANGE(VALUE(&sample->user, DI), 0, 20000);
		CHECK(!memcmp(&sample->user, &sample->intr, sizeof(sample->user)));
		stack_must_hold(sample, stack, 4096, 4096);
	}
}

/* A fault in the kernel, which writes for the user: one set is the kernel's, one that of the call. */
static void registers_in_the_kernel_are_both(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR |
						 PERF_SAMPLE_STACK_USER);
	uint64_t stack = (uintptr_t)memory(2);
	int fd, zero = open("/dev/zero", O_RDONLY);
	char *page = fresh_pages(1);
	struct sample *sample = &samples[0];
	struct ring ring;

	(void)unused;
	attr.exclude_kernel = 0;
	attr.sample_stack_user = 1024;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 32, PROT_READ | PROT_WRITE);
	warm_up();
	event_enable(fd);
	known_call(SYS_read, zero, (uintptr_t)page, 8, 1, stack);
	event_disable(fd);
	CHECK_EQ(take_samples(&ring, &attr), 1);
	CHECK_EQ(sample->addr, (uintptr_t)page);
	CHECK_EQ(records[0].header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);

	CHECK_EQ(sample->intr.abi, PERF_SAMPLE_REGS_ABI_64);
	CHECK_EQ(VALUE(&sample->intr, IP), sample->ip);
	CHECK((int64_t)sample->ip < 0 && (int64_t)VALUE(&sample->intr, SP) < 0);
	CHECK_EQ(VALUE(&sample->intr, CS), 0x10);

	CHECK_EQ(sample->user.abi, PERF_SAMPLE_REGS_ABI_64);
	CHECK_EQ(VALUE(&sample->user, IP), (uintptr_t)call_end);
	CHECK_EQ(VALUE(&sample->user, SP), stack);
	CHECK_EQ(VALUE(&sample->user, DI), zero);
	CHECK_EQ(VALUE(&sample->user, SI), (uintptr_t)page);
	CHECK_EQ(VALUE(&sample->user, DX), 8);
	CHECK_EQ(VALUE(&sample->user, BP), SYS_read);
	CHECK_EQ(VALUE(&sample->user, BX), KNOWN(1 + test_busted("registers")));
	CHECK_EQ(VALUE(&sample->user, R12), KNOWN(20));
	CHECK_EQ(VALUE(&sample->user, R15), KNOWN(23));
	stack_must_hold(sample, stack, 1024, 1024);
}

/*
 * From an NMI in a system call: what the entry code may not have stored yet is all ones. An NMI in the midst of that
 * code knows nothing of the user; then there is no stack either.
 */
static void registers_in_an_nmi_in_the_kernel_are_the_call_s(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	uint64_t stack = (uintptr_t)memory(2);
	unsigned int nr = 0, seen = 0;
	static struct record record;
	static struct sample sample;
	struct ring ring;
	int fd;

	(void)unused;
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.sample_period = 10007;
	attr.exclude_user = 1;
	attr.exclude_kernel = 0;
	attr.sample_stack_user = 256;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 256, PROT_READ | PROT_WRITE);
	warm_up();
	event_enable(fd);
	known_call(SYS_getppid, 1, 2, 3, 2000, stack);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;	/* a kernel with more to do fills the ring: LOST */
		sample_parse(&record, &attr, &sample);
		nr++;
		if (!sample.user.abi) {
			CHECK_EQ(sample.stack_size, 0);
			continue;
		}
		if (VALUE(&sample.user, IP) != (uintptr_t)call_end)
			continue;	/* an interrupt, or the ioctls around */
		if ((record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
			continue;	/* counted by the return itself: taken behind it, where all registers are known */
		seen++;
		CHECK_EQ(VALUE(&sample.user, SP), stack);
		CHECK_EQ(VALUE(&sample.user, DI), 1);
		CHECK_EQ(VALUE(&sample.user, SI), 2);
		CHECK_EQ(VALUE(&sample.user, DX), 3 + test_busted("registers"));
		CHECK_EQ(VALUE(&sample.user, BP), SYS_getppid);
		CHECK_EQ(VALUE(&sample.user, BX), -1);
		CHECK_EQ(VALUE(&sample.user, R12), -1);
		stack_must_hold(&sample, stack, 256, 256);
	}
	test_note("%u samples, %u of them in the calls", nr, seen);
	CHECK(seen > 5);
}

/* The idle task gives way to us each time. */
static void kernel_threads_have_none(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_TID);
	unsigned int idle = 0, others = 0;
	static struct record record;
	static struct sample sample;
	struct ring ring;
	int i, fd;

	(void)unused;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr.exclude_kernel = 0;
	attr.sample_stack_user = 64;
	pin_to_cpu(0);
	fd = must_open(&attr, -1, 0, -1);
	ring = ring_map(fd, 256, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (i = 0; i < 20; i++)
		usleep(1000);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		if (sample.pid == (uint32_t)getpid()) {
			CHECK_EQ(sample.user.abi, PERF_SAMPLE_REGS_ABI_64);
			CHECK_EQ(sample.stack_size, 64);
			others++;
		} else if (!sample.pid && !test_busted("registers")) {
			CHECK_EQ(sample.user.abi, PERF_SAMPLE_REGS_ABI_NONE);
			CHECK_EQ(sample.user.nr, 0);
			CHECK_EQ(sample.stack_size, 0);
			idle++;
		}
	}
	test_note("%u switches by the idle task, %u by this", idle, others);
	CHECK(idle && others);
}

/* ---- stacks ---- */

static void stack_is_copied_from_its_pointer(long size)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_STACK_USER);
	uint64_t stack = (uintptr_t)memory(STACK_PAGES) + 1000 * 8;
	unsigned int i;

	attr.sample_stack_user = size;
	sample_known_faults(&attr, stack);
	for (i = 0; i < NR; i++)
		stack_must_hold(&samples[i], stack, size, size);
}

/* Behind 64 bytes of it nothing is mapped. */
static void stack_ends_where_nothing_is_mapped(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_STACK_USER);
	char *at = memory(2);
	uint64_t stack = (uintptr_t)at + PAGE - 64;
	unsigned int i;

	(void)unused;
	CHECK(!munmap(at + PAGE, PAGE));
	attr.sample_stack_user = 512;
	sample_known_faults(&attr, stack);
	for (i = 0; i < NR; i++)
		stack_must_hold(&samples[i], stack, 512, 64);
}

/* Nothing is faulted in for a sample. */
static void stack_that_is_not_there_is_not_copied(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER);
	uint64_t stack = (uintptr_t)(test_busted("stack") ? memory(2) : fresh_pages(2));
	unsigned int i;

	(void)unused;
	attr.sample_stack_user = 512;
	sample_known_faults(&attr, stack);
	for (i = 0; i < NR; i++) {
		stack_must_hold(&samples[i], stack, 512, 0);
		CHECK_EQ(VALUE(&samples[i].user, SP), stack);
	}
}

static void stack_ends_where_user_addresses_do(long unused)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_STACK_USER);
	uint64_t stack = USER_END - 64, i;
	char *at = mmap((void *)(USER_END - PAGE), PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	(void)unused;
	CHECK(at == (char *)(USER_END - PAGE));
	for (i = stack; i < USER_END; i += 8)
		*(uint64_t *)i = i ^ 0x57ac0000ULL;
	attr.sample_stack_user = 512;
	sample_known_faults(&attr, stack);
	for (i = 0; i < NR; i++)
		stack_must_hold(&samples[i], stack, 64, 64);
}

/* A stack pointer may be anything. */
static void stack_outside_user_addresses_has_no_bytes(long odd)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER);
	uint64_t stack = odd ? USER_END - 60 : KERNEL_ADDRESS;
	unsigned int i;

	if (!is_pcl())
		test_skip("stock writes more than it has room for, or odd sizes");
	attr.sample_stack_user = 512;
	sample_known_faults(&attr, test_busted("stack") ? (uintptr_t)memory(1) : stack);
	for (i = 0; i < NR; i++) {
		CHECK_EQ(samples[i].stack_size, odd ? 56 : 0);
		CHECK_EQ(samples[i].stack_copied, 0);
		CHECK_EQ(VALUE(&samples[i].user, SP), stack);
	}
}

/* ---- the longest samples ---- */

static const struct {
	uint64_t fields, regs;
	unsigned int others;	/* bytes beside the stack's; 0: depends on the call chain */
} longest[] = {
	{ 0, 0, 8 + 16 },
	{ PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID, 0, 8 + 16 + 24 },
	{ PERF_SAMPLE_REGS_USER, ALL_REGS, 8 + 16 + 8 + 20 * 8 },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR |
	  PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_CGROUP, 0, 8 + 16 + 56 },
	{ PERF_SAMPLE_RAW, 0, 8 + 16 + 8 },
	{ PERF_SAMPLE_CALLCHAIN, 0, 0 },
	{ PERF_SAMPLE_REGS_INTR, ALL_REGS, 8 + 16 + 8 + 20 * 8 },
};

/* The stack takes what the other fields leave of 64 KiB: @more bytes more are asked for than there are. */
static void longest_must_fit(unsigned int which, int more)
{
	struct perf_event_attr attr = fault_attr(PERF_SAMPLE_STACK_USER | longest[which].fields);
	uint64_t stack = (uintptr_t)memory(STACK_PAGES);
	unsigned int i, room, want;

	attr.sample_type &= ~(uint64_t)(PERF_SAMPLE_IP | PERF_SAMPLE_ADDR);
	attr.sample_regs_user = longest[which].regs;
	attr.sample_regs_intr = longest[which].regs;
	room = LONGEST - longest[which].others;
	attr.sample_stack_user = longest[which].others ? room + more : LONGEST;
	if (attr.sample_stack_user > LONGEST)
		attr.sample_stack_user = LONGEST;
	sample_known_faults(&attr, stack);
	for (i = 0; i < NR; i++) {
		want = LONGEST + (more < 0 && longest[which].others ? more : 0);
		CHECK_EQ(records[i].header.size, want - 8 * test_busted("stack"));
		if (longest[which].others)
			stack_must_hold(&samples[i], stack, room + (more < 0 ? more : 0), room + (more < 0 ? more : 0));
		CHECK_EQ(samples[i].stack_copied, samples[i].stack_size);
	}
}

static void longest_sample_has_no_more_than_64_kib(long which)
{
	if (longest[which].fields & PERF_SAMPLE_REGS_INTR && !is_pcl())
		test_skip("stock writes a size that lacks its upper bits");
	longest_must_fit(which, -8);
	longest_must_fit(which, 0);
	longest_must_fit(which, 8);
	longest_must_fit(which, LONGEST);
}

static const struct test tests[] = {
	TEST(registers_are_those_of_the_code),
	TEST(only_registers_of_the_mask_are_shown),
	TEST(registers_are_those_of_the_code_in_an_nmi),
	TEST(registers_in_the_kernel_are_both),
	TEST(registers_in_an_nmi_in_the_kernel_are_the_call_s),
	TEST(kernel_threads_have_none),
	TEST_WITH(stack_is_copied_from_its_pointer, "(8 bytes)", 8),
	TEST_WITH(stack_is_copied_from_its_pointer, "(8 KiB)", 8192),
	TEST_WITH(stack_is_copied_from_its_pointer, "(60,000 bytes)", 60000),
	TEST(stack_ends_where_nothing_is_mapped),
	TEST(stack_that_is_not_there_is_not_copied),
	TEST(stack_ends_where_user_addresses_do),
	TEST_WITH(stack_outside_user_addresses_has_no_bytes, "(the kernel's)", 0),
	TEST_WITH(stack_outside_user_addresses_has_no_bytes, "(odd, at the end)", 1),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(alone)", 0),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(with words before)", 1),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(with registers)", 2),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(with words behind)", 3),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(with raw data)", 4),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(with a call chain)", 5),
	TEST_WITH(longest_sample_has_no_more_than_64_kib, "(with registers behind)", 6),
};

int main(void)
{
	return TESTS_RUN(tests);
}
