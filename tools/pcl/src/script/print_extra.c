// SPDX-License-Identifier: GPL-2.0
/*
 * Registers, branches and sources of data as text.
 *
 * Concepts: numbers of registers are those of the machine that was recorded;
 * names are known for x86.
 * Contexts: script.
 * Locks: none.
 */
#include <inttypes.h>

#include "internal.h"
#include "script/script.h"

static const char *const x86_regs[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES",
	"FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

void print_regs(u64 abi, u64 mask, struct cursor c)
{
	unsigned int i;

	if (!abi)
		return;
	printf(" ABI:%" PRIu64 " ", abi);
	for (i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		if (i < ARRAY_SIZE(x86_regs))
			printf("%5s:0x%" PRIx64 " ", x86_regs[i], cursor_u64(&c));
		else
			printf("%5u:0x%" PRIx64 " ", i, cursor_u64(&c));
	}
}

static void print_branch_end(struct script *sc, s32 pid, u64 addr, bool names)
{
	/* the level of each end is not told; no address of users has its highest bit set */
	u16 mode = addr >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct place p;

	if (!names) {
		printf("0x%" PRIx64, addr);
		return;
	}
	p = session_resolve(&sc->s, pid, mode, addr);
	printf("%s", symbol_name(p.symbol));
	if (p.symbol)
		printf("+0x%" PRIx64, p.addr - p.symbol->start);
}

/* From, to, then M or P (mispredicted or not), X (in a transaction), A (abort), cycles. */
void print_branches(struct script *sc, const struct pd_sample *s, bool names)
{
	struct cursor c = s->branches;
	u64 from, to, flags;

	while (cursor_left(&c)) {
		from = cursor_u64(&c);
		to = cursor_u64(&c);
		flags = cursor_u64(&c);
		putchar(' ');
		print_branch_end(sc, s->pid, from, names);
		putchar('/');
		print_branch_end(sc, s->pid, to, names);
		printf("/%c/%c/%c/%u", flags & 1 ? 'M' : flags & 2 ? 'P' : '-',
		       flags & 4 ? 'X' : '-', flags & 8 ? 'A' : '-',
		       (unsigned int)(flags >> 4 & 0xffff));
	}
}

/* The number alone: its parts are named in perf_event_open(2). */
void print_data_src(u64 v)
{
	printf("%16" PRIx64, v);
}
