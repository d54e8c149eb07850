/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every file knows: numbers, lists of them, exit statuses.
 */
#ifndef PCL_TYPES_H
#define PCL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "abi.h"

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
typedef int64_t s64;
typedef int32_t s32;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Exit statuses of the tool itself, as env(1) and timeout(1) have them. */
enum {
	EXIT_RULE = 124,	/* a rule of --fail-if is broken */
	EXIT_PCL = 125,		/* pcl itself failed */
	EXIT_NOEXEC = 126,	/* the command was found but could not be run */
	EXIT_NOCMD = 127,	/* the command was not found */
};

/* Numbers, in ascending order: CPUs or thread ids. */
struct int_list {
	int *v;
	unsigned int nr;
};

#endif /* PCL_TYPES_H */
