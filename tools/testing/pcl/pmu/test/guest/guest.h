/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test guest: what its files share.
 */
#ifndef PMU_TEST_GUEST_H
#define PMU_TEST_GUEST_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

/* Event select, of both vendors */
#define SEL_USR		(1u << 16)
#define SEL_OS		(1u << 17)
#define SEL_EDGE	(1u << 18)
#define SEL_INT		(1u << 20)
#define SEL_EN		(1u << 22)
#define SEL_INV		(1u << 23)
#define SEL_CMASK(n)	((u32)(n) << 24)
#define SEL_ON		(SEL_EN | SEL_OS)

#define MSR_FIXED_CTRL		0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_RESET	0x390
#define MSR_GLOBAL_SET		0x391
#define MSR_GLOBAL_INUSE	0x392
#define MSR_DEBUGCTL		0x1d9
#define MSR_V2_STATUS		0xc0000300u
#define MSR_IBS_FETCH		0xc0011030u
#define MSR_IBS_OP		0xc0011033u
#define MSR_V2_CONTROL		0xc0000301u
#define MSR_V2_CLEAR		0xc0000302u
#define MSR_V2_SET		0xc0000303u

#define CPUS 2

/* What this CPU's PMU should be, from the command line. */
struct pmu {
	bool amd;
	u32 version, gp, fixed, width, full;
	u32 skid, stats, smp;
};

extern struct pmu pmu;

/* Event codes; an event of 0 is one that this CPU does not have. */
struct pmu_events {
	u32 insn, cycles, branches, misses;
	u32 taken, cond, calls, loads, stores, l1_loads, l1_refs, l1_misses;
};

extern struct pmu_events events;

/* main.c */
const char *guest_options(void);
void skip(const char *name, const char *why);

/* ../tap.c */
const char *option_text(const char *name);
u64 option(const char *name, u64 otherwise);
void ok(bool pass, const char *name);
void ok_equal(u64 got, u64 want, const char *name);

/* machine.c */
struct trap_frame {
	u32 edi, esi, ebp, esp, ebx, edx, ecx, eax;
	u32 vector, error, eip, cs, eflags;
};

extern volatile u32 nmi_count[CPUS], nmi_eip[CPUS];
extern volatile u32 fault_vector;

void machine_init(void);
void machine_init_local(void);
void machine_start_second(void);
u32 cpu_number(void);
void put_string(const char *s);
void put_number(u64 n);
void machine_exit(u32 status) __attribute__((noreturn));
void lvtpc_write(u32 value);
u32 lvtpc_read(void);
void ipi_send_nowhere(void);
u64 rdmsr(u32 msr);
void wrmsr(u32 msr, u64 value);
bool rdmsr_faults(u32 msr);
bool wrmsr_faults(u32 msr, u64 value);
bool rdpmc_faults(u32 index);
u64 rdpmc(u32 index);
void cpuid(u32 leaf, u32 subleaf, u32 out[4]);
void set_cr4_pce(bool on);

#define LVTPC_NMI	0x400
#define LVTPC_MASKED	0x10000

/* entry.S */
extern u32 fault_resume, measure_msr;
void measure(u32 msr, u32 low, u32 high, void (*body)(void));
void user_run(void (*body)(void));
void body_loop(void), body_memory(void), body_update(void), body_string(void);
void body_calls(void), body_lines(void), body_wide(void), body_sled(void), body_pause(void);
void user_nops(void), user_fault(void), user_rdpmc(void), user_sled(void);
extern char sled[], buffer[], ap_trampoline[], ap_trampoline_end[];
extern char stub_2[], stub_6[], stub_13[], stub_user_end[];

/* Instructions of measure() itself and the RET of its body. */
#define AROUND_INSN	5
#define AROUND_BRANCH	2
#define AROUND_LOADS	1
#define AROUND_STORES	1

/* count.c */
u32 select_msr(u32 counter);
u32 counter_msr(u32 counter);
u64 count_on(u32 counter, u32 select, void (*body)(void));
void count_tests(void);
bool count_is_exact_here(void);

/* errata.c */
void kick_tests(void);
void leak_tests(void);
void leak_second(void);
void foreign_tests(void);

/* regs.c, irq.c */
void regs_tests(void);
void irq_tests(void);
bool irq_works_here(void);

#endif
