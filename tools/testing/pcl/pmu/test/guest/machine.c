// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest's machine: debug port, traps, local APIC, the second CPU.
 */
#include "guest.h"

#define DEBUG_PORT	0xe9
#define EXIT_PORT	0xf4
#define APIC		0xfee00000u
#define APIC_SPURIOUS	0x0f0
#define APIC_ICR	0x300
#define APIC_ICR_HIGH	0x310
#define APIC_LVTPC	0x340

volatile u32 nmi_count[CPUS], nmi_eip[CPUS];
volatile u32 fault_vector;

static u64 idt[256];

static void outb(u16 port, u8 value)
{
	asm volatile("outb %0, %1" : : "a" (value), "Nd" (port));
}

void put_string(const char *s)
{
	while (*s)
		outb(DEBUG_PORT, *s++);
}

void put_number(u64 n)
{
	int shift;

	put_string("0x");
	for (shift = 60; shift > 0 && !(n >> shift); shift -= 4)
		;
	for (; shift >= 0; shift -= 4)
		outb(DEBUG_PORT, "0123456789abcdef"[(n >> shift) & 15]);
}

void machine_exit(u32 status)
{
	asm volatile("outl %0, %1" : : "a" (status), "Nd" ((u16)EXIT_PORT));
	for (;;)
		asm volatile("hlt");
}

static volatile u32 *apic(u32 offset)
{
	return (volatile u32 *)(APIC + offset);
}

void lvtpc_write(u32 value)
{
	*apic(APIC_LVTPC) = value;
}

u32 lvtpc_read(void)
{
	return *apic(APIC_LVTPC);
}

/* To a processor that is not there. */
void ipi_send_nowhere(void)
{
	*apic(APIC_ICR_HIGH) = 0x77u << 24;
	*apic(APIC_ICR) = 0x40;
}

void cpuid(u32 leaf, u32 subleaf, u32 out[4])
{
	asm volatile("cpuid" : "=a" (out[0]), "=b" (out[1]), "=c" (out[2]), "=d" (out[3])
		     : "a" (leaf), "c" (subleaf));
}

u32 cpu_number(void)
{
	u32 regs[4];

	cpuid(1, 0, regs);
	return regs[1] >> 24;
}

u64 rdmsr(u32 msr)
{
	u32 low, high;

	asm volatile("rdmsr" : "=a" (low), "=d" (high) : "c" (msr));
	return (u64)high << 32 | low;
}

void wrmsr(u32 msr, u64 value)
{
	asm volatile("wrmsr" : : "a" ((u32)value), "d" ((u32)(value >> 32)), "c" (msr));
}

u64 rdpmc(u32 index)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (index));
	return (u64)high << 32 | low;
}

/* Execute an instruction that may fault; true if it did, with #GP. */
#define FAULTS(insn, msr, value) ({					\
	u32 a_ = (u32)(value), d_ = (u32)((value) >> 32);		\
									\
	fault_vector = 0;						\
	asm volatile("movl $1f, fault_resume\n\t"			\
		     insn "\n1:\tmovl $0, fault_resume"			\
		     : "+a" (a_), "+d" (d_) : "c" (msr) : "memory");	\
	fault_vector == 13;						\
})

bool rdmsr_faults(u32 msr)
{
	return FAULTS("rdmsr", msr, 0ULL);
}

bool wrmsr_faults(u32 msr, u64 value)
{
	return FAULTS("wrmsr", msr, value);
}

bool rdpmc_faults(u32 index)
{
	return FAULTS("rdpmc", index, 0ULL);
}

void set_cr4_pce(bool on)
{
	u32 cr4;

	asm volatile("movl %%cr4, %0" : "=r" (cr4));
	cr4 = on ? cr4 | 0x100 : cr4 & ~0x100u;
	asm volatile("movl %0, %%cr4" : : "r" (cr4));
}

/* Called by every trap stub. A fault resumes where its cause said, or two bytes on. */
void guest_trap(struct trap_frame *frame)
{
	if (frame->vector == 2) {
		u32 cpu = cpu_number();

		nmi_eip[cpu] = frame->eip;
		nmi_count[cpu]++;
		return;
	}
	fault_vector = frame->vector;
	if (fault_resume) {
		frame->eip = fault_resume;
		fault_resume = 0;
	} else if (frame->vector == 6) {
		frame->eip += 2;
	} else {
		put_string("not ok - a fault nobody expected, at ");
		put_number(frame->eip);
		put_string("\n");
		machine_exit(1);
	}
}

static void set_gate(u32 vector, char *handler, u32 dpl)
{
	u32 address = (u32)handler;

	idt[vector] = (address & 0xffff) | 0x08 << 16 |
		      (u64)((address & 0xffff0000) | 0x8e00 | dpl << 13) << 32;
}

void machine_init_local(void)
{
	struct { u16 limit; u32 base; } __attribute__((packed)) pointer = {
		sizeof(idt) - 1, (u32)idt
	};

	asm volatile("lidt %0" : : "m" (pointer));
	*apic(APIC_SPURIOUS) = 0x1ff;
	lvtpc_write(LVTPC_NMI | LVTPC_MASKED);
}

void machine_init(void)
{
	set_gate(2, stub_2, 0);
	set_gate(6, stub_6, 0);
	set_gate(13, stub_13, 0);
	set_gate(0x80, stub_user_end, 3);
	machine_init_local();
}

void machine_start_second(void)
{
	char *to = (char *)0x8000;
	char *from;

	for (from = ap_trampoline; from < ap_trampoline_end; from++)
		*to++ = *from;
	*apic(APIC_ICR_HIGH) = 1u << 24;
	*apic(APIC_ICR) = 0x4500;		/* INIT */
	*apic(APIC_ICR_HIGH) = 1u << 24;
	*apic(APIC_ICR) = 0x4608;		/* startup at 0x8000 */
}
