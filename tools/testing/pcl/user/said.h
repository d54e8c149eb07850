/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For a driver's test: what the driver said last, where the kernel's log would have it.
 */
#ifndef PCL_USER_SAID_H
#define PCL_USER_SAID_H

#include <stdarg.h>

static char said[256];

void shim_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(said, sizeof(said), format, arguments);
	va_end(arguments);
}

#endif
