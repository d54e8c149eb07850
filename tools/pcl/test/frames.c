// SPDX-License-Identifier: GPL-2.0
/*
 * frames FILE: the frames of each address on standard input, in the
 * form of "addr2line -a -i -f": the address, then a line with the function and
 * one with its place for each frame, innermost first. What they need is read
 * before, as the report does.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/symbol.h"

int main(int argc, char **argv)
{
	struct object *o = mem_zalloc(1, sizeof(*o));
	struct unit_list wanted = { 0 };
	struct frame f[256];
	char line[64];
	unsigned int n, i;
	u64 *addrs = NULL, addr;
	u32 nr = 0, room = 0, at;

	if (argc < 2)
		return complain("usage: frames FILE < ADDRESSES"), EXIT_PCL;
	o->name = realpath(argv[1], NULL);
	if (!o->name)
		return complain("%s: %s", argv[1], strerror(errno)), EXIT_PCL;
	elf_symbols_load(o);
	while (fgets(line, sizeof(line), stdin)) {
		if (nr == room) {
			room = room ? room * 2 : 1024;
			addrs = mem_resize(addrs, room, sizeof(*addrs));
		}
		addrs[nr] = strtoull(line, NULL, 16);
		units_want(&wanted, o, addrs[nr++]);
	}
	units_read(&wanted);
	for (at = 0; at < nr; at++) {
		addr = addrs[at];
		n = object_frames(o, addr, f, ARRAY_SIZE(f));
		printf("0x%016" PRIx64 "\n", addr);
		if (!n)
			puts("??\n??:0");
		for (i = 0; i < n; i++) {
			puts(f[i].linked ? f[i].linked : "??");
			printf("%s:", f[i].file ? f[i].file : "??");
			/* so does addr2line */
			if (f[i].line)
				printf("%u\n", f[i].line);
			else
				puts("?");
		}
	}
	if (o->debug_note)
		complain("%s: %s", o->name, o->debug_note);
	free(addrs);
	free(o->name);
	object_free(o);
	return 0;
}
