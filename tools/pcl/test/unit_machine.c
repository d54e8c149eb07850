// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of what another machine recorded, or is: byte orders, registers, its code, its kernel.
 *
 * Concepts: files and records of SPARC are made by hand, so that they are looked at on a machine of the other byte
 * order; what needs a SPARC machine itself is in sparc64/run. capstone and objdump are those of this program where it
 * says so.
 * Usage: unit_machine SCRATCH-DIRECTORY
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <capstone/capstone.h>
#include <dlfcn.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "internal.h"
#include "annotate/annotate.h"
#include "script/script.h"
#include "tap.h"
#include "unwind/private.h"

/* capstone was built without the machine */
static bool capstone_lacks_it;

cs_err CAPSTONE_API cs_open(cs_arch arch, cs_mode mode, csh *handle)
{
	cs_err (*next)(cs_arch arch, cs_mode mode, csh *handle);

	*(void **)&next = dlsym(RTLD_NEXT, "cs_open");
	return capstone_lacks_it ? CS_ERR_ARCH : next(arch, mode, handle);
}

/* ---- numbers whose highest byte comes first ---- */

static u8 *big(u8 *to, u64 v, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[i] = (u8)(v >> 8 * (size - 1 - i));
	return to + size;
}

/* Any order to read in, whatever this machine's is. */
static struct cursor cursor_in_order(const void *p, size_t size, bool big_end)
{
	struct cursor c = cursor_of(p, size);

	c.swap = big_end != cursor_is_big(&c);
	return c;
}

static void test_numbers(void)
{
	static const u8 bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const u64 bigs[] = { 0, 0x1, 0x102, 0x10203, 0x1020304, 0x102030405, 0x10203040506, 0x1020304050607,
				    0x102030405060708 };
	static const u64 littles[] = { 0, 0x1, 0x201, 0x30201, 0x4030201, 0x504030201, 0x60504030201, 0x7060504030201,
				       0x807060504030201 };
	unsigned int size, bad = 0;

	for (size = 0; size < ARRAY_SIZE(bigs); size++) {
		struct cursor b = cursor_in_order(bytes, sizeof(bytes), true);
		struct cursor l = cursor_in_order(bytes, sizeof(bytes), false);

		bad += cursor_number(&b, size) != bigs[size] || cursor_number(&l, size) != littles[size];
	}
	tap_ok(!bad, "numbers of each size, the highest byte first or last (%u wrong)", bad);
}

/* ---- text of samples ---- */

static FILE *real_out;
static char *printed;
static size_t printed_size;

static void print_begin(void)
{
	real_out = stdout;
	stdout = open_memstream(&printed, &printed_size);
}

static bool print_was(const char *want)
{
	bool same;

	fclose(stdout);
	stdout = real_out;
	same = !strcmp(printed, want);
	if (!same)
		printf("# '%s', not '%s'\n", printed, want);
	free(printed);
	return same;
}

/* Bit fields begin at the highest bit there: mispredicted, 4660 cycles, kind 4; and predicted, aborted. */
static void test_branches(void)
{
	static struct script sc;
	static const char want[] = " 0x1000/0x2000/M/-/-/4660/CALL  0x3000/0x4000/P/X/A/1/RET ";
	u64 fields[] = { 1ull << 63 | 0x1234ull << 44 | 4ull << 40, 7ull << 60 | 1ull << 44 | 6ull << 40 };
	u64 little[] = { 1 | 0x1234 << 4 | 4 << 20, 0xe | 1 << 4 | 6 << 20 };
	u8 bytes[48], *to = bytes;
	struct pd_sample s = { 0 };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		to = big(to, 0x1000 + 0x2000 * i, 8);
		to = big(to, 0x2000 + 0x2000 * i, 8);
		to = big(to, fields[i], 8);
	}
	s.branches = cursor_in_order(bytes, sizeof(bytes), true);
	print_begin();
	print_branches(&sc, &s, false);
	tap_ok(print_was(want), "branches: the flags of a machine whose highest byte comes first");
	for (i = 0; i < 2; i++) {
		const u64 words[] = { 0x1000 + 0x2000 * i, 0x2000 + 0x2000 * i, little[i] };

		memcpy(bytes + 24 * i, words, sizeof(words));
	}
	s.branches = cursor_of(bytes, sizeof(bytes));
	if (cursor_is_big(&s.branches)) {
		tap_ok(true, "branches: the flags of the other # SKIP not of this machine");
		return;
	}
	print_begin();
	print_branches(&sc, &s, false);
	tap_ok(print_was(want), "branches: and those of the other");
}

static void test_registers(void)
{
	const u64 words[] = { 5, 6 };
	struct pd_file x86 = { .arch = "x86_64" }, sparc = { .arch = "sparc64" }, none = { 0 };

	print_begin();
	print_regs(&x86, 2, 1 | 1 << 8, cursor_of(words, sizeof(words)));
	print_regs(&none, 2, 1 | 1 << 8, cursor_of(words, sizeof(words)));
	tap_ok(print_was(" ABI:2    AX:0x5    IP:0x6  ABI:2    AX:0x5    IP:0x6 "), "registers have the names of x86");
	print_begin();
	print_regs(&sparc, 2, 1 | 1 << 8, cursor_of(words, sizeof(words)));
	tap_ok(print_was(" ABI:2    r0:0x5    r8:0x6 "), "registers: those of others are shown by their numbers");
}

/* ---- code ---- */

/* A word that no SPARC knows, between two that all do: retl; nop. */
static const u8 sparc_code[] = { 0x81, 0xc3, 0xe0, 0x08, 0xff, 0xff, 0xff, 0xff, 0x01, 0, 0, 0, 0xff, 0xff };

static bool text_is(const struct insn_list *l, unsigned int i, u64 addr, unsigned int size, const char *text)
{
	if (i >= l->nr)
		return false;
	if (l->v[i].addr == addr && l->v[i].size == size && !strncmp(l->v[i].text, text, strlen(text)))
		return true;
	printf("# %llx, %u bytes: '%s'\n", (unsigned long long)l->v[i].addr, l->v[i].size, l->v[i].text);
	return false;
}

/* An objdump that tells what it was asked for, and knows one instruction. */
static void objdump_make(const char *scratch)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/objdump", scratch);
	f = fopen(path, "we");
	if (!f)
		return;
	fprintf(f, "#!/bin/sh\necho \"$*\" >%s/asked\nprintf '  1000:\\tits text\\n'\n", scratch);
	fclose(f);
	chmod(path, 0755);
}

static bool objdump_was_asked(const char *scratch, const char *words)
{
	char path[300], *text;
	bool asked;

	snprintf(path, sizeof(path), "%s/asked", scratch);
	text = file_read_text(path);
	remove(path);
	asked = text && strstr(text, words);
	if (!asked)
		printf("# objdump was asked: %s\n", text ? text : "nothing");
	free(text);
	return asked;
}

static void test_code(const char *scratch)
{
	struct code c = { .bytes = (u8 *)sparc_code, .size = sizeof(sparc_code), .start = 0x1000, .machine = EM_SPARCV9 };
	struct insn_list l = { 0 };

	setenv("PATH", "/nonexistent", 1);
	disassemble(&l, &c, false);
	tap_ok(l.nr == 5 && text_is(&l, 0, 0x1000, 4, "retl") && text_is(&l, 1, 0x1004, 4, ".word   0xffffffff") &&
	       text_is(&l, 2, 0x1008, 4, "nop") && text_is(&l, 3, 0x100c, 1, ".byte   0xff") && l.note,
	       "code: what no one knows of a machine of words is a word (%u)", l.nr);
	insn_list_free(&l);
	capstone_lacks_it = true;
	disassemble(&l, &c, false);
	tap_ok(!l.nr && l.note && strstr(l.note, "objdump"), "code: without a disassembler, objdump is named");
	insn_list_free(&l);
	setenv("PATH", scratch, 1);
	objdump_make(scratch);
	disassemble(&l, &c, false);
	tap_ok(l.nr == 1 && text_is(&l, 0, 0x1000, sizeof(sparc_code), "its     text"),
	       "code: a machine that capstone lacks is objdump's");
	tap_ok(objdump_was_asked(scratch, "-EB -m sparc:v9"), "code: which is told the order of its bytes");
	insn_list_free(&l);
	c.machine = EM_X86_64;
	disassemble(&l, &c, false);
	tap_ok(objdump_was_asked(scratch, "-EL -m i386:x86-64"), "code: and that of another");
	insn_list_free(&l);
	capstone_lacks_it = false;
}

/* ---- files ---- */

/* An ELF file with one load segment, and the table of unwind information: functions at 0x11000 and 0x12000. */
static size_t elf_make(u8 *to, u16 machine, bool big_end)
{
	const u32 table[] = { 0, 2, 0x1000, 0, 0x2000, 0 };
	const u8 head[4] = { 1, 0x1b, 0x03, 0x3b };
	Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, big_end ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = machine, .e_version = EV_CURRENT, .e_phoff = sizeof(eh),
		.e_ehsize = sizeof(eh), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
	};
	u64 at = sizeof(eh) + 2 * sizeof(Elf64_Phdr);
	Elf64_Phdr ph[2] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x10000, .p_filesz = 0x3000, .p_memsz = 0x3000 },
		{ .p_type = PT_GNU_EH_FRAME, .p_offset = at, .p_vaddr = 0x10000, .p_filesz = 4 + sizeof(table) },
	};
	unsigned int encode = big_end ? ELFDATA2MSB : ELFDATA2LSB;
	Elf_Data in = { .d_buf = &eh, .d_type = ELF_T_EHDR, .d_size = sizeof(eh), .d_version = EV_CURRENT };
	Elf_Data out = { .d_buf = to, .d_size = sizeof(eh), .d_version = EV_CURRENT };

	elf_version(EV_CURRENT);
	elf64_xlatetof(&out, &in, encode);
	in = (Elf_Data){ .d_buf = ph, .d_type = ELF_T_PHDR, .d_size = sizeof(ph), .d_version = EV_CURRENT };
	out.d_buf = to + sizeof(eh);
	out.d_size = sizeof(ph);
	elf64_xlatetof(&out, &in, encode);
	memcpy(to + at, head, sizeof(head));
	in = (Elf_Data){ .d_buf = (void *)table, .d_type = ELF_T_WORD, .d_size = sizeof(table), .d_version = EV_CURRENT };
	out.d_buf = to + at + sizeof(head);
	out.d_size = sizeof(table);
	elf64_xlatetof(&out, &in, encode);
	return at + sizeof(head) + sizeof(table);
}

static bool table_is_read(u16 machine, bool big_end)
{
	static u8 bytes[512];
	struct symbols t = { 0 };
	Elf *elf = elf_memory((char *)bytes, elf_make(bytes, machine, big_end));
	bool good;

	eh_frame_add(&t, elf);
	symbols_settle(&t);
	good = t.nr == 2 && t.v[0].start == 0x11000 && t.v[1].start == 0x12000;
	symbols_free(&t);
	elf_end(elf);
	return good;
}

/* Is its call frame information looked for, whose registers are taken for those of x86-64? */
static bool unwinder_takes(const char *path, u16 machine, bool big_end)
{
	const struct mapped_object o = { .name = path };
	const struct map map = { .end = 0x1000, .object = &o };
	static u8 bytes[512];
	struct module *m = module_new(&o);
	size_t size = elf_make(bytes, machine, big_end);
	FILE *f = fopen(path, "we");
	bool ready;

	if (f) {
		fwrite(bytes, 1, size, f);
		fclose(f);
	}
	ready = module_ready(m, 1, &map, false);
	module_free(m);
	return ready;
}

static void test_files(const char *scratch)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/object", scratch);
	tap_ok(table_is_read(EM_X86_64, false) && table_is_read(EM_SPARCV9, true),
	       "files: the table of unwind information, in either byte order");
	tap_ok(unwinder_takes(path, EM_X86_64, false), "files: the unwinder takes one of x86-64");
	tap_ok(!unwinder_takes(path, EM_SPARCV9, true) && !unwinder_takes(path, EM_AARCH64, false),
	       "files: and none of another machine by the same name");
}

/* ---- recordings ---- */

static void test_arch(void)
{
	struct pd_file f = { 0 };
	struct utsname u;

	uname(&u);
	tap_ok(pd_is_of_arch(&f, "x86_64") && pd_is_of_own_arch(&f), "machines: one that is not told may be any");
	f.arch = u.machine;
	tap_ok(pd_is_of_own_arch(&f) && pd_is_of_arch(&f, u.machine) && !pd_is_of_arch(&f, "x86"), "machines: this one");
	f.arch = "pdp11";
	tap_ok(!pd_is_of_own_arch(&f) && !pd_is_of_arch(&f, u.machine) && !pd_chains_hold_calls(&f), "machines: another");
	f.arch = "sparc64";
	tap_ok(pd_chains_hold_calls(&f), "machines: one whose chains hold calls");
}

static struct object *mapped_at(struct session *s, u64 addr, const char *name)
{
	struct {
		u32 pid, tid;
		u64 start, len, pgoff;
		char name[16];
	} body = { 1, 1, addr, 0x1000, 0, "" };
	struct perf_event_header h = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_USER };

	strncpy(body.name, name, sizeof(body.name) - 1);
	session_record(s, &h, cursor_of(&body, sizeof(body)));
	return session_find(s, 1, PERF_RECORD_MISC_USER, addr).object;
}

static bool no_code(struct object *o, const char *why)
{
	char *why_not = NULL;
	struct code c;
	bool none = !object_code(o, 0x100, 0x110, &c, &why_not);

	if (!none)
		free(c.bytes);
	none = none && why_not && strstr(why_not, why);
	if (!none)
		printf("# %s\n", why_not ? why_not : "there is code");
	free(why_not);
	return none;
}

static void test_session(void)
{
	struct pd_event event = { .attr.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER };
	struct pd_file f = { .events = &event, .nr_events = 1, .path = "none", .arch = "sparc64" };
	struct object *kernel, *vdso;
	struct utsname u;
	struct session s;

	uname(&u);
	f.arch = strcmp(u.machine, f.arch) ? f.arch : "pdp11";
	session_init(&s, &f, NULL, false);
	tap_ok(!s.unwinder, "another machine's stacks are not unwound");
	kernel = session_find(&s, 1, PERF_RECORD_MISC_KERNEL, 0x1000).object;
	session_load(&s, kernel);
	tap_ok(!kernel->symbols.nr && kernel->note && strstr(kernel->note, "another machine"),
	       "another machine's kernel is not looked up in this one");
	vdso = mapped_at(&s, 0x5000, "[vdso]");
	session_load(&s, vdso);
	tap_ok(!vdso->symbols.nr && vdso->note && strstr(vdso->note, "another machine"), "nor its vdso in ours");
	tap_ok(no_code(kernel, "another machine") && no_code(vdso, "another machine"), "and their code is not ours");
	session_free(&s);
	f.arch = NULL;
	session_init(&s, &f, NULL, false);
	tap_ok(s.unwinder, "where the machine is not told, stacks are unwound");
	vdso = mapped_at(&s, 0x5000, "[vdso]");
	session_load(&s, vdso);
	tap_ok(!vdso->note || !strstr(vdso->note, "another"), "and the vdso is ours");
	session_free(&s);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	test_numbers();
	test_branches();
	test_registers();
	test_code(argv[1]);
	test_files(argv[1]);
	test_arch();
	test_session();
	return tap_end();
}
