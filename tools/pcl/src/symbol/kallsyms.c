// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of the kernel and its modules, from a kallsyms file.
 *
 * Concepts: the file holds addresses of the boot it was read in. A kernel that
 * moved since (another boot with address randomisation) is shifted by the
 * distance of its _text.
 * Contexts: report, when kernel code is first looked into.
 * Locks: none.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/symbol.h"

/* "ffffffff81000000 T _text" and perhaps "\t[module]". */
static bool parse_line(char *line, u64 *addr, char *type, char **name, bool *module)
{
	char *p, *end;

	*addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*type = end[1];
	p = end + 3;
	*name = p;
	p += strcspn(p, "\t\n ");
	*module = *p == '\t';
	*p = '\0';
	return **name != '\0';
}

/*
 * Fill o from path. recorded_text is where _text was when the samples were
 * taken (0: not known, no shift). o->note says why when nothing came of it.
 */
void kallsyms_load(struct object *o, const char *path, u64 recorded_text)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, *name, type;
	u64 addr, text = 0, shift = 0;
	unsigned int i, zeros = 0;
	size_t room = 0;
	bool module;

	if (!f) {
		o->note = str_printf("%s cannot be read", path);
		return;
	}
	while (getline(&line, &room, f) > 0) {
		if (!parse_line(line, &addr, &type, &name, &module))
			continue;
		if (!addr) {
			zeros++;
			continue;
		}
		if (!strcmp(name, "_text") || (!text && !strcmp(name, "_stext")))
			text = addr;
		if (!strchr("tTwW", type) || name[0] == '$')
			continue;
		symbols_add(&o->symbols, addr, 0, name);
		symbols_bind(&o->symbols, type == 'T' ? SYMBOL_GLOBAL :
			     type == 't' ? SYMBOL_LOCAL : SYMBOL_WEAK);
	}
	free(line);
	fclose(f);
	if (!o->symbols.nr && !zeros)
		o->note = str_printf("there are no functions in %s; it is not in the form of /proc/kallsyms", path);
	else if (!o->symbols.nr)
		o->note = str_printf("addresses in %s are hidden (kernel.kptr_restrict is %ld); run as root",
				    path, file_read_long("/proc/sys/kernel/kptr_restrict", 1));
	if (recorded_text && text)
		shift = recorded_text - text;
	for (i = 0; i < o->symbols.nr; i++) {
		o->symbols.v[i].start += shift;
		o->symbols.v[i].end += shift;
	}
	symbols_settle(&o->symbols);
}
