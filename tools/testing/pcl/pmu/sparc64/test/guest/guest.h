/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test guest: what its files share.
 */
#ifndef PMU_SPARC64_GUEST_H
#define PMU_SPARC64_GUEST_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;
typedef _Bool bool;
#define true 1
#define false 0

#define PCR_PRIV	(1ul << 0)
#define PCR_ST		(1ul << 1)
#define PCR_UT		(1ul << 2)
#define PCR_HT		(1ul << 3)	/* T2 */

#define TT_ILLEGAL		0x10
#define TT_PRIVILEGED_OPCODE	0x11
#define TT_PRIVILEGED_ACTION	0x37

/* What measure() adds to a body's events */
#define AROUND_INSN	2
#define AROUND_BRANCH	1

/* Codes of events; none: this chip does not have it. */
#define NO_EVENT	0xffffu

struct event {
	u32 code;
	u32 idx;		/* the counter */
};

/* What the chip under test is; a row of the table in main.c. */
struct chip {
	const char *name;
	bool interrupts, held;
	u32 early;
	u64 misses_again;	/* of body_lines, when it runs once more */
	u32 shift[2], field[2];	/* of the selections in PCR */
	u64 overflow[2], trap[2];
	u64 writable;
	u64 idle;		/* of PCR: what keeps both counters still */
	struct event insn[2], cycles, branches, taken, untaken, loads, stores, atomics, fp, software, other;
	struct event rd_misses, dtlb_misses, wrong;
};

extern const struct chip *chip;

/* main.c */
const char *guest_options(void);
void put_string(const char *text);
void put_number(u64 value);
void machine_lost(void) __attribute__((__noreturn__));

/* ../../../test/tap.c */
const char *option_text(const char *name);
u64 option(const char *name, u64 otherwise);
void ok(bool pass, const char *name);
void ok_equal(u64 got, u64 want, const char *name);

/* start.S */
struct irq {
	u64 tpc, pic, pcr;	/* the latest: where it came, and the registers then */
	u64 number;
	u64 patience;		/* from which on PCR is written */
	u64 pcr_next;
};
extern volatile struct irq irq;
/* Traps that test nothing by themselves: how many, the latest; without the end of user level */
extern volatile u64 traps, last_trap, lost_trap, user_value;
void user_run(void (*body)(void));
void measure(u64 pcr, void (*body)(void));

/* bodies.S */
void body_loop(void), body_annul(void), body_always(void), body_states(void), body_memory(void), body_atomic(void), body_fp(void);
void body_software(void), body_traps(void), body_lines(void), body_near(void), body_near_stores(void);
void body_far_stores(void), body_misses(void), body_sled(void);
void user_nops(void), user_faults(void), user_sled(void);
void user_rdpic(void), user_wrpic(void), user_rdpcr(void), user_wrpcr(void);
extern u32 sled[];

/* count.c */
u64 select(struct event event);
u64 count(struct event event, u64 levels, void (*body)(void));
void count_tests(void);
/* regs.c */
void regs_tests(void);
void absent_tests(void);
/* irq.c */
void irq_tests(void);

static inline u64 rdpcr(void)
{
	u64 value;

	asm volatile("rd %%pcr, %0" : "=r" (value));
	return value;
}

static inline void wrpcr(u64 value)
{
	asm volatile("wr %0, 0, %%pcr" : : "r" (value) : "memory");
}

static inline u64 rdpic(void)
{
	u64 value;

	asm volatile("rd %%pic, %0" : "=r" (value) : : "memory");
	return value;
}

static inline void wrpic(u64 value)
{
	asm volatile("wr %0, 0, %%pic" : : "r" (value) : "memory");
}

static inline u32 pic(u32 idx)
{
	return rdpic() >> (32 * idx);
}

static inline u64 softint(void)
{
	u64 value;

	asm volatile("rd %%softint, %0" : "=r" (value));
	return value;
}

static inline void set_softint(u64 value)
{
	asm volatile("wr %0, 0, %%set_softint" : : "r" (value) : "memory");
}

static inline void clear_softint(u64 value)
{
	asm volatile("wr %0, 0, %%clear_softint" : : "r" (value) : "memory");
}

static inline u64 tick(void)
{
	u64 value;

	asm volatile("rd %%tick, %0" : "=r" (value));
	return value & ~(1ul << 63);	/* NPT */
}

/* SOFTINT's bit 0 is set when TICK is that; a value with bit 63: never. */
static inline void set_tick_compare(u64 value)
{
	asm volatile("wr %0, 0, %%tick_cmpr" : : "r" (value) : "memory");
}

static inline void set_pil(u64 level)
{
	/* The branch is where the emulator looks for interrupts. */
	asm volatile("wrpr %0, 0, %%pil; ba,a,pt %%xcc, 1f; nop; 1:" : : "r" (level) : "memory");
}

#endif
