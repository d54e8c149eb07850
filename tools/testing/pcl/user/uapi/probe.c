// SPDX-License-Identifier: GPL-2.0
/*
 * One header's side of the comparison: built once with stock's header and once with ours, each a program of its own.
 *
 * Prints a line for each item of the list: its name, then what must be the same.
 */
#include HEADER
#include <stdio.h>
#include <stddef.h>
#include <string.h>

/* Up to the last that is not 0, however long the whole is: that is another line. */
static void print_bytes(const char *name, const unsigned char *bytes, size_t size)
{
	size_t i;

	while (size && !bytes[size - 1])
		size--;
	printf("%s ", name);
	for (i = 0; i < size; i++)
		printf("%02x", bytes[i]);
	printf("\n");
}

#define VALUE(name)									\
	printf("%s %llx, %zu bytes, %s\n", #name, (unsigned long long)(name), sizeof(name), \
	       (__typeof__(name))-1 < (__typeof__(name))1 ? "signed" : "unsigned");
#define SIZE(type)									\
	printf("%s size %zu, alignment %zu\n", #type, sizeof(type), _Alignof(type));
#define MEMBER(type, member)								\
	printf("%s.%s at %zu, %zu bytes, %s\n", #type, #member, offsetof(type, member), \
	       sizeof(((type *)0)->member),						\
	       _Generic(&((type *)0)->member, __s32 *: "signed", __s64 *: "signed", default: "other"));
#define FLEXIBLE(type, member)								\
	printf("%s.%s at %zu, elements of %zu\n", #type, #member, offsetof(type, member), \
	       sizeof(((type *)0)->member[0]));
/* A bit-field has no address: set it, and look. */
#define BITS(type, member) {								\
	union { type object; unsigned char bytes[sizeof(type)]; } u;			\
											\
	memset(&u, 0, sizeof(u));							\
	u.object.member = -1;								\
	print_bytes(#type "." #member, u.bytes, sizeof(u));				\
}

int main(void)
{
#include "items.h"
	/* the one macro with arguments, by each of its values */
	VALUE(PERF_MEM_S(OP, EXEC))
	VALUE(PERF_MEM_S(LVL, UNC))
	VALUE(PERF_MEM_S(SNOOP, HITM))
	VALUE(PERF_MEM_S(LOCK, LOCKED))
	VALUE(PERF_MEM_S(TLB, OS))
	VALUE(PERF_MEM_S(LVLNUM, NA))
	VALUE(PERF_MEM_S(REMOTE, REMOTE))
	VALUE(PERF_MEM_S(SNOOPX, PEER))
	VALUE(PERF_MEM_S(BLK, ADDR))
	VALUE(PERF_MEM_S(HOPS, 3))
	return 0;
}
