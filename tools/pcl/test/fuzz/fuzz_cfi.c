// SPDX-License-Identifier: GPL-2.0
/*
 * Chains of calls through an object with call frame information of any bytes.
 *
 * Concepts: the input is the registers by their numbers in DWARF, the length of
 * the stack, the stack, a byte that says what follows: an object, the address
 * and the bytes of .eh_frame or .debug_frame of one, or an expression. The object
 * is mapped where MAPPED says. The chain is followed from the place where the
 * registers say, and from some behind it.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "unwind/private.h"

enum { OBJECT, EH_FRAME, DEBUG_FRAME, EXPRESSION, NR_KINDS };
enum { PID = 7, PLACES = 8, STEP = 5, LENGTH = 1 << 16 };
#define MAPPED 0x400000ull

static struct unwind_tasks *tasks_with(const char *name)
{
	struct {
		u32 pid, tid;
		u64 start, length, offset;
		char name[16];
	} body = { PID, PID, MAPPED, LENGTH, 0, "" };
	struct perf_event_header h = {
		.type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_USER, .size = sizeof(h) + sizeof(body),
	};
	struct unwind_tasks *t = unwind_tasks_new();

	snprintf(body.name, sizeof(body.name), "%s", name);
	unwind_tasks_take(t, &h, cursor_of(&body, sizeof(body)), 1);
	return t;
}

/* From the kernel's order of registers to that of DWARF, which the input has. */
static void put_registers(struct pd_sample *s, u64 *to, const u64 *regs)
{
	static const u8 dwarf_of[24] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 0, 0, 0, 0, 0, 0, 0, 8, 9, 10, 11, 12, 13, 14, 15 };
	unsigned int bit, n = 0;

	s->regs_abi = PERF_SAMPLE_REGS_ABI_64;
	s->regs_mask = unwind_regs_mask();
	for (bit = 0; bit < ARRAY_SIZE(dwarf_of); bit++)
		if (s->regs_mask >> bit & 1)
			to[n++] = regs[dwarf_of[bit]];
	s->regs = cursor_of(to, n * sizeof(*to));
}

static void make_object(struct cursor c, u8 kind)
{
	static u8 elf[1 << 17];
	struct fuzz_section v = { .name = kind == EH_FRAME ? ".eh_frame" : ".debug_frame" };

	if (kind == OBJECT) {
		fuzz_named_file("/object", c.p, cursor_left(&c));
		return;
	}
	v.addr = cursor_u16(&c);
	v.bytes = c.p;
	v.size = cursor_left(&c);
	fuzz_named_file("/object", elf, fuzz_elf(elf, sizeof(elf), &v, 1));
}

/* Memory that holds what its addresses are. */
static bool read_memory(void *arg, u64 addr, unsigned int size, u64 *value)
{
	(void)arg;
	*value = size == 8 ? addr : addr & ((1ull << 8 * size) - 1);
	return addr & 1;
}

/* Operations as libdw would have unpacked them, three bytes each. */
static void try_expression(struct cursor c, const u64 *values)
{
	const struct location_memory mem = { .read = read_memory };
	struct regs regs = { .known = (u32)values[0] & ((1u << NR_REGS) - 1) };
	struct location l = { .nr = cursor_left(&c) / 3 };
	Dwarf_Op *ops = mem_zalloc(l.nr, sizeof(*ops));
	size_t i;
	u64 value;

	memcpy(regs.v, values, sizeof(regs.v));
	for (i = 0; i < l.nr; i++) {
		ops[i].atom = cursor_u8(&c);
		ops[i].number = (Dwarf_Word)(s64)(int16_t)cursor_u16(&c);
		ops[i].number2 = ops[i].number;
		ops[i].offset = 3 * i;
	}
	l.ops = ops;
	location_value(&l, &regs, values[1], &mem, &value);
	free(ops);
}

/* Mostly what is behind the registers and the stack is to be changed. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	size_t head = NR_REGS * sizeof(u64);
	u16 stack;

	if (size > head + sizeof(stack) && seed % 8) {
		memcpy(&stack, data + head, sizeof(stack));
		head += sizeof(stack) + stack + 1;
		if (head < size)
			return head + LLVMFuzzerMutate(data + head, size - head, max_size - head);
	}
	return LLVMFuzzerMutate(data, size, max_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_of(data, size), from;
	struct pd_sample s = { .pid = PID, .tid = PID, .time_ns = 2 };
	u64 regs[NR_REGS], kernels[64], *ips, start;
	static struct unwind_tasks *t;
	struct unwinder *u;
	u8 *stack, kind;
	unsigned int i, nr;

	cursor_bytes(&c, regs, sizeof(regs));
	s.stack_room = 1 + cursor_u16(&c);
	from = cursor_part(&c, s.stack_room - 1);
	kind = cursor_u8(&c) % NR_KINDS;
	if (c.bad || size > LENGTH)
		return 0;
	if (kind == EXPRESSION) {
		try_expression(c, regs);
		return 0;
	}
	s.stack_room -= regs[0] & 1;
	stack = malloc(cursor_left(&from) + 1);
	memcpy(stack, from.p, cursor_left(&from));
	s.stack = cursor_of(stack, cursor_left(&from));
	make_object(c, kind);
	ips = malloc(UNWIND_MAX_FRAMES * sizeof(*ips));
	/* the same for all inputs: what changes is the file, which each unwinder opens anew */
	if (!t)
		t = tasks_with("/object");
	u = unwinder_new(t);
	start = regs[REG_PC];
	for (i = 0; i < PLACES; i++) {
		regs[REG_PC] = start + i * STEP;
		put_registers(&s, kernels, regs);
		nr = unwind_chain(u, &s, ips, UNWIND_MAX_FRAMES);
		if (nr > UNWIND_MAX_FRAMES || (nr && ips[0] != regs[REG_PC]))
			abort();
	}
	unwinder_free(u);
	free(ips);
	free(stack);
	return 0;
}
