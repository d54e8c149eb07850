/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test guest's assembly: boot, traps, user mode, the second CPU, and the
 * pieces of code whose events are known by counting their instructions.
 */

#define KERNEL_CS	0x08
#define KERNEL_DS	0x10
#define USER_CS		0x1b
#define USER_DS		0x23
#define TSS_SELECTOR	0x28

	.section .multiboot, "a"
	.align 4
	.long 0x1badb002, 0, -0x1badb002

	.text
	.globl _start
_start:
	cli
	movl $boot_stack_top, %esp
	movl 16(%ebx), %ebx		/* multiboot information: command line */
	call load_segments
	movl $tss, %eax
	movw %ax, gdt + TSS_SELECTOR + 2
	shrl $16, %eax
	movb %al, gdt + TSS_SELECTOR + 4
	movb %ah, gdt + TSS_SELECTOR + 7
	movl $trap_stack_top, tss + 4	/* esp0 */
	movl $KERNEL_DS, tss + 8	/* ss0 */
	movw $TSS_SELECTOR, %ax
	ltr %ax
	pushl %ebx
	call guest_main
1:	hlt
	jmp 1b

load_segments:
	lgdt gdt_pointer
	ljmp $KERNEL_CS, $1f
1:	movw $KERNEL_DS, %ax
	movw %ax, %ds
	movw %ax, %es
	movw %ax, %ss
	ret

/* The second CPU: copied to 0x8000, which the startup interrupt names. */
	.globl ap_trampoline, ap_trampoline_end
	.code16
ap_trampoline:
	cli
	xorw %ax, %ax
	movw %ax, %ds
	lgdtl 0x8000 + (ap_gdt_pointer - ap_trampoline)
	movl %cr0, %eax
	orb $1, %al
	movl %eax, %cr0
	ljmpl $KERNEL_CS, $ap_start
	.align 4
ap_gdt_pointer:
	.word gdt_end - gdt - 1
	.long gdt
ap_trampoline_end:
	.code32

ap_start:
	movw $KERNEL_DS, %ax
	movw %ax, %ds
	movw %ax, %es
	movw %ax, %ss
	movl $ap_stack_top, %esp
	call guest_second
1:	hlt
	jmp 1b

/* Traps: every stub leaves {registers, vector, error, eip, cs, eflags}. */
	.macro stub vector, error
	.globl stub_\vector
stub_\vector:
	.if !\error
	pushl $0
	.endif
	pushl $\vector
	jmp trap_common
	.endm

	stub 2, 0
	stub 6, 0
	stub 13, 1

trap_common:
	pushal
	pushl %esp
	call guest_trap
	addl $4, %esp
	popal
	addl $8, %esp
	iretl

/* void user_run(void (*body)(void)): run @body at CPL 3 until its int $0x80. */
	.globl user_run
user_run:
	pushal
	movl 36(%esp), %eax
	movl %esp, user_return_stack
	pushl $USER_DS
	pushl $user_stack_top
	pushl $2			/* eflags */
	pushl $USER_CS
	pushl %eax
	movw $USER_DS, %cx
	movw %cx, %ds
	movw %cx, %es
	.globl user_enter
user_enter:
	iretl

	.globl stub_user_end
stub_user_end:
	.fill 8, 1, 0x90		/* room for a skid */
	movw $KERNEL_DS, %cx
	movw %cx, %ds
	movw %cx, %es
	movl user_return_stack, %esp
	popal
	ret

/*
 * void measure(u32 msr, u32 low, u32 high, void (*body)(void)): write the MSR
 * to start counting, call @body, write zero to stop. Neither WRMSR counts, so
 * what counts is @body with its RET and: 4 more instructions, 1 taken branch,
 * 1 store.
 */
	.globl measure
measure:
	pushl %ebx
	pushl %esi
	pushl %edi
	movl 16(%esp), %edi
	movl 20(%esp), %eax
	movl 24(%esp), %edx
	movl 28(%esp), %esi
	movl %edi, %ecx
	wrmsr
	call *%esi
	movl %edi, %ecx
	xorl %eax, %eax
	xorl %edx, %edx
	wrmsr
	popl %edi
	popl %esi
	popl %ebx
	ret

/* 2,001 instructions, 1,000 conditional branches of which 999 are taken. */
	.globl body_loop
body_loop:
	movl $1000, %ecx
1:	decl %ecx
	jnz 1b
	ret

/* 100 rounds: 1 load, 2 stores of which one is a push, 1 pop. */
	.globl body_memory
body_memory:
	movl $100, %ecx
1:	movl buffer, %eax
	movl %eax, buffer + 4
	pushl %eax
	popl %eax
	decl %ecx
	jnz 1b
	ret

/* Read-modify-write, plain and locked: 2 loads, 2 stores. */
	.globl body_update
body_update:
	incl buffer
	lock incl buffer
	ret

/* 3 string instructions: of 100 iterations, of none, and not repeated. */
	.globl body_string
body_string:
	movl $buffer, %esi
	movl $buffer + 256, %edi
	movl $100, %ecx
	rep movsb
	rep movsb
	movsb
	movl measure_msr, %edi
	ret

/* Calls, returns, jumps of each kind: 4 calls (2 indirect), 2 jumps. */
	.globl body_calls
body_calls:
	call 2f
	movl $2f, %eax
	call *%eax
	call *%eax
	call 2f
	jmp 1f
	nop
1:	movl $3f, %eax
	jmp *%eax
2:	ret
3:	ret

/* Reads 256 lines of 64 bytes, twice: 16 KB fit the first level. */
	.globl body_lines
body_lines:
	movl $2, %edx
1:	movl $big_buffer, %eax
	movl $256, %ecx
2:	movl (%eax), %ebx
	addl $64, %eax
	decl %ecx
	jnz 2b
	decl %edx
	jnz 1b
	ret

/* Reads 1,024 lines: 64 KB do not fit the first level, so each misses. */
	.globl body_wide
body_wide:
	movl $big_buffer, %eax
	movl $1024, %ecx
1:	movl (%eax), %ebx
	addl $64, %eax
	decl %ecx
	jnz 1b
	ret

	.globl body_sled, sled
body_sled:
sled:
	.fill 256, 1, 0x90
	ret

	.globl body_pause
body_pause:
	pause
	pause
	ret

/* User mode: 50 + 1 instructions; the INT counts, at CPL 3. */
	.globl user_nops
user_nops:
	.fill 50, 1, 0x90
	int $0x80

/* 10 instructions retire; the UD2 between them faults and is skipped. */
	.globl user_fault
user_fault:
	.fill 4, 1, 0x90
	ud2
	.fill 5, 1, 0x90
	int $0x80

	.globl user_rdpmc
user_rdpmc:
	xorl %ecx, %ecx
	movl $1f, %eax
	movl %eax, fault_resume
	rdpmc
1:	movl $0, fault_resume
	int $0x80

	.globl user_sled
user_sled:
	.fill 256, 1, 0x90
	int $0x80

	.data
	.align 8
gdt:
	.quad 0
	.quad 0x00cf9a000000ffff
	.quad 0x00cf92000000ffff
	.quad 0x00cffa000000ffff
	.quad 0x00cff2000000ffff
	.quad 0x0000890000000067	/* TSS: base filled in at boot */
gdt_end:
gdt_pointer:
	.word gdt_end - gdt - 1
	.long gdt

	.globl fault_resume, measure_msr
fault_resume:		.long 0
measure_msr:		.long 0
user_return_stack:	.long 0

	.bss
	.align 64
	.globl buffer, big_buffer
buffer:		.skip 512
	.align 4096
big_buffer:	.skip 65536
tss:		.skip 104
	.align 16
		.skip 16384
boot_stack_top:
		.skip 8192
trap_stack_top:
		.skip 4096
user_stack_top:
		.skip 8192
ap_stack_top:
