// SPDX-License-Identifier: GPL-2.0
/*
 * A guest that counts: KVM makes its counters of kernel events, whose owner is the thread that runs it.
 *
 *	kvm counts	instructions of a known loop, read by RDMSR and by RDPMC
 *	kvm overflows	interrupts of a counter, in the guest
 *	kvm beside	what the host counts of the thread: the guest alone, or all but the guest
 *	kvm leaves	a guest is gone while its counters run
 *
 * The guest runs in 32 bits, without paging. It has AMD's counters 0 and 1 (APM volume 2, 13.2.1), and its own local
 * APIC. 77: there is no hypervisor.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOPS		1000000
#define PERIOD		20000
#define NEAR		64			/* instructions around the loop, and those that KVM emulates */

/* The guest's memory: where things are */
#define MEMORY		0x10000
#define AT_CODE		0x1000
#define AT_GDT		0x4000
#define AT_IDT		0x5000
#define AT_STACK	0x8000
#define AT_WORDS	0x9000			/* what it tells; see enum */
#define VECTOR		0x40

/* START: what counter 0 begins with; LEFT_ON: it is not to be switched off */
enum { BY_RDMSR, BY_RDPMC, INTERRUPTS, OUTSIDE, START, LEFT_ON };

/* %esi: where it tells. Interrupts that hit another place than the loop are told apart. */
asm(".pushsection .rodata\n"
    ".code32\n"
    "guest_code:\n"
    "	movl	$0xfee000f0, %ebx\n"	/* local APIC: on, with spurious vector 0xff */
    "	movl	$0x1ff, (%ebx)\n"
    "	movl	$0xfee00340, %ebx\n"	/* LVTPC */
    "	movl	$0x40, (%ebx)\n"
    "	sti\n"
    "	movl	$0xc0010004, %ecx\n"
    "	movl	16(%esi), %eax\n"
    "	xorl	%edx, %edx\n"
    "	testl	%eax, %eax\n"
    "	jz	1f\n"
    "	movl	$0xffff, %edx\n"
    "1:	wrmsr\n"
    "	movl	$0xc0010000, %ecx\n"
    "	movl	$0x5300c0, %eax\n"	/* retired instructions, user and system, with interrupts */
    "	xorl	%edx, %edx\n"
    "	wrmsr\n"
    "	movl	$1000000, %ecx\n"
    "guest_loop:\n"
    "	decl	%ecx\n"
    "	jnz	guest_loop\n"
    "guest_loop_end:\n"
    "	cmpl	$0, 20(%esi)\n"		/* to be left on? */
    "	jne	2f\n"
    "	movl	$0xc0010000, %ecx\n"
    "	xorl	%eax, %eax\n"
    "	xorl	%edx, %edx\n"
    "	wrmsr\n"
    "2:	movl	$0xc0010004, %ecx\n"
    "	rdmsr\n"
    "	movl	%eax, (%esi)\n"
    "	xorl	%ecx, %ecx\n"
    "	rdpmc\n"
    "	movl	%eax, 4(%esi)\n"
    "	cli\n"
    "	outb	%al, $0x10\n"		/* the end, for KVM and for us */
    "guest_interrupt:\n"
    "	pushal\n"
    "	incl	8(%esi)\n"
    "	movl	32(%esp), %eax\n"	/* where it came from */
    "	subl	$guest_loop - guest_code + 0x1000, %eax\n"
    "	cmpl	$guest_loop_end - guest_loop + 1, %eax\n"
    "	jb	3f\n"
    "	incl	12(%esi)\n"
    "3:	movl	$0xc0010004, %ecx\n"
    "	movl	16(%esi), %eax\n"
    "	movl	$0xffff, %edx\n"
    "	wrmsr\n"
    "	movl	$0xfee00340, %ebx\n"	/* the interrupt masks itself */
    "	movl	$0x40, (%ebx)\n"
    "	movl	$0xfee000b0, %ebx\n"	/* end of interrupt */
    "	movl	$0, (%ebx)\n"
    "	popal\n"
    "	iret\n"
    "guest_code_end:\n"
    ".code64\n"
    ".popsection\n");

extern const char guest_code[], guest_interrupt[], guest_code_end[];

struct machine {
	int kvm, vm, vcpu;
	char *memory;
	volatile uint32_t *words;
	struct kvm_run *run;
	size_t run_size;
};

static void fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(int good, const char *what)
{
	if (!good)
		fail(what);
}

static void expect(int good, const char *what)
{
	if (good)
		return;
	printf("wrong: %s\n", what);
	exit(1);
}

/* Flat segments, and one gate for the interrupt. */
static void fill_memory(struct machine *m)
{
	static const uint64_t gdt[] = { 0, 0x00cf9b000000ffff, 0x00cf93000000ffff };
	uint32_t handler = AT_CODE + (uint32_t)(guest_interrupt - guest_code);
	uint64_t gate = (handler & 0xffff) | 8 << 16 | 0x8e00ull << 32 | (uint64_t)(handler >> 16) << 48;

	memcpy(m->memory + AT_CODE, guest_code, (size_t)(guest_code_end - guest_code));
	memcpy(m->memory + AT_GDT, gdt, sizeof(gdt));
	memcpy(m->memory + AT_IDT + 8 * VECTOR, &gate, sizeof(gate));
}

static void set_cpuid(struct machine *m)
{
	struct kvm_cpuid2 *cpuid = calloc(1, sizeof(*cpuid) + 200 * sizeof(cpuid->entries[0]));

	check(!!cpuid, "calloc");
	cpuid->nent = 200;
	check(!ioctl(m->kvm, KVM_GET_SUPPORTED_CPUID, cpuid), "KVM_GET_SUPPORTED_CPUID");
	check(!ioctl(m->vcpu, KVM_SET_CPUID2, cpuid), "KVM_SET_CPUID2");
	free(cpuid);
}

static void set_registers(struct machine *m)
{
	struct kvm_segment flat = { .limit = ~0u, .present = 1, .db = 1, .s = 1, .g = 1 };
	struct kvm_regs regs = { .rip = AT_CODE, .rsp = AT_STACK, .rsi = AT_WORDS, .rflags = 2 };
	struct kvm_sregs sregs;

	check(!ioctl(m->vcpu, KVM_GET_SREGS, &sregs), "KVM_GET_SREGS");
	flat.selector = 16;
	flat.type = 3;
	sregs.ds = sregs.es = sregs.ss = sregs.fs = sregs.gs = flat;
	flat.selector = 8;
	flat.type = 11;
	sregs.cs = flat;
	sregs.cr0 |= 1;
	sregs.gdt = (struct kvm_dtable){ .base = AT_GDT, .limit = 23 };
	sregs.idt = (struct kvm_dtable){ .base = AT_IDT, .limit = 8 * VECTOR + 7 };
	check(!ioctl(m->vcpu, KVM_SET_SREGS, &sregs), "KVM_SET_SREGS");
	check(!ioctl(m->vcpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
}

static struct machine machine_make(void)
{
	struct machine m = { .kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC) };
	struct kvm_userspace_memory_region region = { .memory_size = MEMORY };
	int size;

	if (m.kvm < 0) {
		printf("no hypervisor: /dev/kvm: %s\n", strerror(errno));
		exit(77);
	}
	check((m.vm = ioctl(m.kvm, KVM_CREATE_VM, 0)) >= 0, "KVM_CREATE_VM");
	m.memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	check(m.memory != MAP_FAILED, "mmap of the memory");
	region.userspace_addr = (uintptr_t)m.memory;
	check(!ioctl(m.vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");
	check(!ioctl(m.vm, KVM_CREATE_IRQCHIP, 0), "KVM_CREATE_IRQCHIP");
	check((m.vcpu = ioctl(m.vm, KVM_CREATE_VCPU, 0)) >= 0, "KVM_CREATE_VCPU");
	check((size = ioctl(m.kvm, KVM_GET_VCPU_MMAP_SIZE, 0)) > 0, "KVM_GET_VCPU_MMAP_SIZE");
	m.run_size = (size_t)size;
	m.run = mmap(NULL, m.run_size, PROT_READ | PROT_WRITE, MAP_SHARED, m.vcpu, 0);
	check(m.run != MAP_FAILED, "mmap of the vcpu");
	m.words = (volatile uint32_t *)(m.memory + AT_WORDS);
	fill_memory(&m);
	set_cpuid(&m);
	set_registers(&m);
	return m;
}

static void machine_run(struct machine *m)
{
	check(!ioctl(m->vcpu, KVM_RUN, 0), "KVM_RUN");
	printf("exit %u, by RDMSR %u, by RDPMC %u, %u interrupts, %u outside of the loop\n", m->run->exit_reason,
	       m->words[BY_RDMSR], m->words[BY_RDPMC], m->words[INTERRUPTS], m->words[OUTSIDE]);
	expect(m->run->exit_reason == KVM_EXIT_IO, "the guest has not come to its end");
}

static int near(uint64_t value, uint64_t wanted)
{
	return value >= wanted && value < wanted + NEAR;
}

static void counts(void)
{
	struct machine m = machine_make();

	machine_run(&m);
	expect(near(m.words[BY_RDMSR], 2 * LOOPS), "what the guest reads of its counter");
	expect(m.words[BY_RDPMC] == m.words[BY_RDMSR], "RDPMC, of a counter that stands");
	expect(m.words[INTERRUPTS] == 0, "an interrupt of a counter that has not overflown");
}

static void overflows(void)
{
	struct machine m = machine_make();

	m.words[START] = -(uint32_t)PERIOD;
	machine_run(&m);
	/* Its handler counts, too: some instructions an interrupt. */
	expect(m.words[INTERRUPTS] >= 2 * LOOPS / PERIOD && m.words[INTERRUPTS] <= 2 * LOOPS / PERIOD + 3,
	       "the number of interrupts");
	expect(m.words[OUTSIDE] <= 1, "interrupts outside of the loop");
}

static int host_event(int guest)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_guest = !guest, .exclude_host = guest,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	check(fd >= 0, "perf_event_open");
	return fd;
}

static uint64_t value_of(int fd)
{
	uint64_t value;

	check(read(fd, &value, sizeof(value)) == sizeof(value), "read");
	return value;
}

static void beside(void)
{
	struct machine m = machine_make();
	int guest = host_event(1), host = host_event(0);
	uint64_t in_guest, in_host;

	in_guest = value_of(guest);
	in_host = value_of(host);
	expect(in_guest == 0, "the guest before it runs");
	machine_run(&m);
	in_guest = value_of(guest) - in_guest;
	in_host = value_of(host) - in_host;
	printf("the host counted %llu of the guest, %llu of itself\n", (unsigned long long)in_guest,
	       (unsigned long long)in_host);
	expect(near(in_guest, 2 * LOOPS), "the guest as the host counts it");
	expect(in_host > 1000 && in_host < 2 * LOOPS, "the host without its guest");
	expect(near(m.words[BY_RDMSR], 2 * LOOPS), "the guest as it counts itself, meanwhile");
}

/* How many events there are, in a kernel that tells; -1: it does not. */
static long events(void)
{
	FILE *f = fopen("/sys/kernel/pcl/objects/events", "r");
	long nr = -1;

	if (f && fscanf(f, "%ld", &nr) != 1)
		nr = -1;
	if (f)
		fclose(f);
	return nr;
}

static void leaves(void)
{
	long before = events();
	struct machine m = machine_make();
	int tries;

	m.words[LEFT_ON] = 1;
	machine_run(&m);
	expect(near(m.words[BY_RDMSR], 2 * LOOPS), "what the guest reads of a counter that runs");
	expect(before < 0 || events() > before, "the guest's counter is an event");
	munmap(m.run, m.run_size);
	close(m.vcpu);
	close(m.vm);
	for (tries = 0; tries < 100 && events() != before; tries++)
		usleep(100000);
	expect(events() == before, "events are left of a guest that is gone");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = { { "counts", counts }, { "overflows", overflows }, { "beside", beside }, { "leaves", leaves } };
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (argc == 2 && !strcmp(argv[1], all[i].name)) {
			all[i].run();
			return 0;
		}
	}
	fprintf(stderr, "usage: kvm counts|overflows|beside|leaves\n");
	return 2;
}
