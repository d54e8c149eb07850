/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TAP for the unit tests: a row is a condition with a name.
 */
#ifndef PCL_TEST_TAP_H
#define PCL_TEST_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_nr, tap_failed;

__attribute__((format(printf, 2, 3)))
static inline bool tap_ok(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tap_nr);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	tap_failed += !good;
	return good;
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_nr);
	return tap_failed != 0;
}

#endif /* PCL_TEST_TAP_H */
