// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: its machine, its options, its chips, and its results, as TAP
 * without numbers on the serial port.
 */
#include "guest.h"

#define PCI_CONFIG	0x1fe01000000ul
#define PCI_IO		0x1fe02000000ul
#define BRIDGE_A	(1 << 11 | 1 << 8)
#define IO_LIMIT	0x1d

volatile u64 traps, last_trap, lost_trap;
volatile struct irq irq;
const struct chip *chip;

#define NONE	{ NO_EVENT, 0 }

static const struct chip chips[] = {
	{
		.name = "us12",
		.shift = { 4, 11 }, .field = { 0xf, 0xf },
		.writable = 0x78f7,
		.idle = 0x7 << 4 | 0x7 << 11,
		.insn = { { 1, 0 }, { 1, 1 } }, .cycles = { 0, 0 },
		.branches = NONE, .taken = NONE, .untaken = NONE, .loads = { 9, 0 }, .stores = { 0xa, 0 },
		.atomics = NONE, .fp = NONE, .software = NONE, .other = NONE,
		.rd_misses = NONE, .dtlb_misses = NONE, .wrong = { 0xc, 0 },
	},
	{
		.name = "us3",
		.interrupts = true,
		.shift = { 4, 11 }, .field = { 0x3f, 0x3f },
		.writable = 0x1fbf7,
		.idle = 0x14 << 4 | 0x1c << 11,
		.insn = { { 1, 0 }, { 1, 1 } }, .cycles = { 0, 1 },
		.branches = NONE, .taken = { 0x16, 0 }, .untaken = { 0x1e, 1 },
		.loads = { 9, 0 }, .stores = { 0xa, 0 },
		.atomics = NONE, .fp = NONE, .software = { 0x14, 0 }, .other = NONE,
		.rd_misses = { 9, 1 }, .dtlb_misses = { 0x12, 1 }, .wrong = { 0x16, 1 },
	},
	{
		.name = "t1",
		.misses_again = 256,
		.interrupts = true,
		.shift = { 4, 0 }, .field = { 0x7, 0 },
		.writable = 0x377,
		.overflow = { 1 << 8, 1 << 9 },
		.insn = { NONE, { 0, 1 } }, .cycles = NONE,
		.branches = NONE, .taken = NONE, .untaken = NONE, .loads = NONE, .stores = NONE,
		.atomics = NONE, .fp = { 1, 0 }, .software = NONE, .other = NONE,
		.rd_misses = { 3, 0 }, .dtlb_misses = { 5, 0 }, .wrong = { 0, 0 },
	},
	{
		.name = "t2",
		.misses_again = 256,
		.interrupts = true, .held = true,
		.early = 16,
		.shift = { 6, 19 }, .field = { 0xfff, 0xfff },
		.writable = 0xfffffff7,
		.overflow = { 1 << 18, 1ul << 31 }, .trap = { 1 << 4, 1 << 5 },
		.idle = 0x220 << 6 | 0x220 << 19,
		.insn = { { 0x2fd, 0 }, { 0x2fd, 1 } }, .cycles = NONE,
		.branches = { 0x201, 0 }, .taken = { 0x202, 1 }, .untaken = NONE,
		.loads = { 0x208, 0 }, .stores = { 0x210, 1 },
		.atomics = { 0x280, 0 }, .fp = { 0x204, 1 }, .software = { 0x220, 0 }, .other = { 0x240, 0 },
		.rd_misses = { 0x302, 0 }, .dtlb_misses = { 0xb08, 1 }, .wrong = { 0x300, 0 },
	},
};

static void put(char c)
{
	*(volatile u8 *)(PCI_IO + 0x3f8) = c;
}

void put_string(const char *text)
{
	while (*text)
		put(*text++);
}

void put_number(u64 value)
{
	int shift;

	put_string("0x");
	for (shift = 60; shift > 0 && !(value >> shift); shift -= 4)
		;
	for (; shift >= 0; shift -= 4)
		put("0123456789abcdef"[value >> shift & 15]);
}

static void machine_off(void)
{
	*(volatile u8 *)(PCI_CONFIG + BRIDGE_A + IO_LIMIT) = 0xf1;
	*(volatile u32 *)(PCI_IO + 0x7240) = 0x1000000;
	for (;;)
		;
}

/* A trap within a trap */
void machine_lost(void)
{
	put_string("# lost in trap ");
	put_number(lost_trap);
	put_string("\n");
	machine_off();
	for (;;)
		;
}

/* Options stand where the image says. */
const char *guest_options(void)
{
	extern const char options[];

	return options;
}

static const struct chip *find_chip(void)
{
	const char *text = option_text("chip"), *n;
	u32 i;

	for (i = 0; text && i < sizeof(chips) / sizeof(chips[0]); i++) {
		for (n = chips[i].name; *n && *n == text[n - chips[i].name]; n++)
			;
		if (!*n)
			return &chips[i];
	}
	return 0;
}

void guest_main(void)
{
	chip = find_chip();
	if (chip) {
		regs_tests();
		count_tests();
		irq_tests();
	} else {
		absent_tests();
	}
	put_string("END\n");
	machine_off();
}
