// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions as text.
 *
 * Concepts: capstone does it; where it does not know an instruction, objdump is
 * asked for the rest of the function, from that instruction on, and for all of it
 * where capstone was built without the machine. Without objdump the byte is shown
 * as such, or the word where all instructions are words, and it goes on behind
 * it. None of this is hidden: the list's note tells.
 * Contexts: annotate.
 * Locks: none.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "annotate/annotate.h"

static const struct machine {
	u16 elf;
	cs_arch arch;
	cs_mode mode;
	const char *objdump;	/* its name for -m */
	bool words;		/* each instruction is one of 32 bits */
	bool big;		/* with its highest byte first, whatever its data are */
} machines[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64, "i386:x86-64", false, false },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, "i386", false, false },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, "aarch64", true, false },
	{ EM_SPARCV9, CS_ARCH_SPARC, CS_MODE_BIG_ENDIAN | CS_MODE_V9, "sparc:v9", true, true },
};

static bool is_jump(const char *mnemonic, u16 machine)
{
	if (machine == EM_X86_64 || machine == EM_386)
		return mnemonic[0] == 'j' || !strncmp(mnemonic, "call", 4) ||
		       !strncmp(mnemonic, "loop", 4) || !strncmp(mnemonic, "xbegin", 6);
	return mnemonic[0] == 'b' || !strncmp(mnemonic, "cb", 2) || !strncmp(mnemonic, "tb", 2) ||
	       !strncmp(mnemonic, "call", 4);
}

/* Where the last operand leads, when it is an address. */
static u64 target_of(const char *mnemonic, const char *operands, u16 machine)
{
	const char *last = strrchr(operands, ' ');
	char *end;
	u64 v;

	if (!is_jump(mnemonic, machine))
		return 0;
	last = last ? last + 1 : operands;
	last += *last == '#';
	if (strncmp(last, "0x", 2))
		return 0;
	v = strtoull(last, &end, 16);
	return *end ? 0 : v;
}

static void add_insn(struct insn_list *l, u64 addr, unsigned int size, const char *mnemonic,
		     const char *operands, u16 machine)
{
	if (l->nr == l->room) {
		l->room = l->room ? l->room * 2 : 64;
		l->v = mem_resize(l->v, l->room, sizeof(*l->v));
	}
	l->v[l->nr++] = (struct insn){
		.addr = addr,
		.size = size,
		.text = *operands ? str_printf("%-7s %s", mnemonic, operands) : str_dup(mnemonic),
		.target = target_of(mnemonic, operands, machine),
	};
}

/* "  40113a:\tmov    %rsp,%rbp": its address and text; false for other lines. */
static bool parse_objdump(char *line, u64 *addr, char **mnemonic, char **operands)
{
	char *end, *p;

	*addr = strtoull(line, &end, 16);
	if (end == line || *end != ':')
		return false;
	p = end + 1 + strspn(end + 1, " \t");
	p[strcspn(p, "\n#<")] = '\0';
	for (end = p + strlen(p); end > p && (end[-1] == ' ' || end[-1] == '\t'); )
		*--end = '\0';
	*mnemonic = p;
	p += strcspn(p, " ");
	if (*p)
		*p++ = '\0';
	*operands = p + strspn(p, " ");
	return **mnemonic != '\0';
}

/* The rest of the code, from this offset on, by objdump; false: it cannot be had. */
static bool by_objdump(struct insn_list *l, const struct code *c, u64 from, const struct machine *m,
		       bool intel)
{
	char vma[40], style[24], *line = NULL, *mnemonic, *operands;
	char machine[24], order[4], *const argv[] = {
		"objdump", "-D", "-b", "binary", order, "-m", machine, "-M", style, "--no-show-raw-insn",
		"-w", vma, "/proc/self/fd/3", NULL,
	};
	u64 addr, at = c->start + from, end = c->start + c->size;
	unsigned int first = l->nr;
	struct program p;
	size_t room = 0;
	int fd;

	fd = memfd_create("code", MFD_CLOEXEC);
	if (fd < 0)
		return false;
	snprintf(vma, sizeof(vma), "--adjust-vma=0x%llx", (unsigned long long)at);
	snprintf(machine, sizeof(machine), "%s", m->objdump);
	snprintf(order, sizeof(order), "-E%c", m->big ? 'B' : 'L');
	snprintf(style, sizeof(style), "%s", m->arch != CS_ARCH_X86 ? "" : intel ? "intel" : "att");
	if (write(fd, c->bytes + from, c->size - from) != (ssize_t)(c->size - from) ||
	    !program_start(&p, argv, fd)) {
		close(fd);
		return false;
	}
	close(fd);
	while (getline(&line, &room, p.out) > 0) {
		if (!parse_objdump(line, &addr, &mnemonic, &operands) || addr < at || addr >= end)
			continue;
		if (l->nr > first)
			l->v[l->nr - 1].size = (unsigned int)(addr - l->v[l->nr - 1].addr);
		add_insn(l, addr, (unsigned int)(end - addr), mnemonic, operands, c->machine);
	}
	free(line);
	return !program_end(&p) && l->nr > first;
}

static void remark(struct insn_list *l, u64 addr, bool objdump)
{
	if (l->note)
		return;
	l->note = objdump ?
		str_printf("capstone does not know the instruction at %llx; from there on it is objdump's text",
			   (unsigned long long)addr) :
		str_printf("the instruction at %llx is not known (objdump, package binutils, may know it)",
			   (unsigned long long)addr);
}

/* What nobody knows, as a number; its size. */
static unsigned int add_unknown(struct insn_list *l, u64 addr, const u8 *p, size_t left, const struct machine *m)
{
	unsigned int size = m->words && left >= 4 ? 4 : 1;
	struct cursor c = cursor_of(p, size);
	char number[16];

	c.swap = m->big != cursor_is_big(&c);
	snprintf(number, sizeof(number), "0x%0*llx", (int)size * 2, (unsigned long long)cursor_number(&c, size));
	add_insn(l, addr, size, size == 4 ? ".word" : ".byte", number, m->elf);
	return size;
}

static void by_capstone(struct insn_list *l, const struct code *c, const struct machine *m, bool intel, csh cs)
{
	const u8 *p = c->bytes;
	size_t left = c->size;
	u64 addr = c->start;
	unsigned int size;
	cs_insn *insn;

	if (m->arch == CS_ARCH_X86 && !intel)
		cs_option(cs, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	insn = cs_malloc(cs);
	while (left) {
		if (cs_disasm_iter(cs, &p, &left, &addr, insn)) {
			add_insn(l, insn->address, insn->size, insn->mnemonic, insn->op_str, c->machine);
			continue;
		}
		if (by_objdump(l, c, addr - c->start, m, intel)) {
			remark(l, addr, true);
			break;
		}
		remark(l, addr, false);
		size = add_unknown(l, addr, p, left, m);
		p += size;
		left -= size;
		addr += size;
	}
	cs_free(insn, 1);
}

/* The instructions of this code. */
void disassemble(struct insn_list *l, const struct code *c, bool intel)
{
	const struct machine *m = NULL;
	size_t i;
	csh cs;

	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == c->machine)
			m = &machines[i];
	if (m && cs_open(m->arch, m->mode, &cs) == CS_ERR_OK) {
		by_capstone(l, c, m, intel, cs);
		cs_close(&cs);
	} else if (m && by_objdump(l, c, 0, m, intel)) {
		l->note = str_dup("it is objdump's text");
	} else {
		l->note = str_printf("no disassembler for machine %u of ELF%s", c->machine,
				     m ? " (objdump, package binutils, may be one)" : "");
	}
}

void insn_list_free(struct insn_list *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		free(l->v[i].text);
	free(l->v);
	free(l->note);
	*l = (struct insn_list){ 0 };
}
