// SPDX-License-Identifier: GPL-2.0
/*
 * Registers, branches and sources of data as text.
 *
 * Concepts: numbers of registers are those of the machine that was recorded;
 * names are known for x86, others are shown by their numbers.
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

void print_regs(const struct pd_file *f, u64 abi, u64 mask, struct cursor c)
{
	bool x86 = pd_is_of_arch(f, "x86_64") || pd_is_of_arch(f, "i686");
	char number[8];
	unsigned int i;

	if (!abi)
		return;
	printf(" ABI:%" PRIu64 " ", abi);
	for (i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		snprintf(number, sizeof(number), "r%u", i);
		printf("%5s:0x%" PRIx64 " ", x86 && i < ARRAY_SIZE(x86_regs) ? x86_regs[i] : number, cursor_u64(&c));
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
	printf("%s", visible(symbol_name(p.symbol)));
	if (p.symbol)
		printf("+0x%" PRIx64, p.addr - p.symbol->start);
}

/* PERF_BR_*, by the four bits from the twentieth on. */
static const char *const branch_kinds[16] = {
	"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL",
	"COND_RET", "ERET", "IRQ", "SERROR", "NO_TX", "",
};

/* A field of the flags of a branch, which are bit fields: they begin at the highest bit where the highest byte comes first. */
static unsigned int branch_field(u64 flags, unsigned int at, unsigned int bits, bool big)
{
	return (unsigned int)(flags >> (big ? 64 - at - bits : at) & ((1ull << bits) - 1));
}

/* From, to, then M or P (mispredicted or not), X (in a transaction), A (abort), cycles, kind. */
void print_branches(struct script *sc, const struct pd_sample *s, bool names)
{
	struct cursor c = s->branches;
	bool big = cursor_is_big(&c);
	u64 from, to, flags;

	while (cursor_left(&c)) {
		from = cursor_u64(&c);
		to = cursor_u64(&c);
		flags = cursor_u64(&c);
		fputs(names ? "" : " ", stdout);
		print_branch_end(sc, s->pid, from, names);
		putchar('/');
		print_branch_end(sc, s->pid, to, names);
		printf("/%c/%c/%c/%u/%s ", branch_field(flags, 0, 1, big) ? 'M' :
		       branch_field(flags, 1, 1, big) ? 'P' : '-', branch_field(flags, 2, 1, big) ? 'X' : '-',
		       branch_field(flags, 3, 1, big) ? 'A' : '-', branch_field(flags, 4, 16, big),
		       branch_kinds[branch_field(flags, 20, 4, big)]);
	}
}

/* In the largest unit that gives a whole number. */
void print_page_size(u64 size)
{
	static const char units[] = "BKMG";
	unsigned int i = 0;

	for (; size && size % 1024 == 0 && i + 1 < sizeof(units) - 1; i++)
		size /= 1024;
	printf(" %" PRIu64 "%c", size, units[i]);
}

/* The number alone: its parts are named in perf_event_open(2). */
void print_data_src(u64 v)
{
	printf("%16" PRIx64, v);
}
