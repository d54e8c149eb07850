// SPDX-License-Identifier: GPL-2.0
/*
 * Text of others on its way to a terminal.
 *
 * Concepts: names of tasks, files, functions and events come out of recordings
 * and programs, and may hold any bytes. What would do more to a terminal than
 * to show a character is shown as its bytes (\x1b): control characters, the
 * marks by which writing changes its direction, and what is no UTF-8.
 * Contexts: whoever prints.
 * Locks: none; each thread has texts of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* So many names at most are shown by one call of printf(). */
enum { NR_TEXTS = 8 };

static __thread char *texts[NR_TEXTS];
static __thread unsigned int next_text;

/* Bytes of the character of UTF-8 at p, in its one form; 0: it is none. */
unsigned int utf8_length(const char *text)
{
	const u8 *p = (const u8 *)text;
	unsigned int n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	unsigned int i;

	for (i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* longer than need be; half of a pair of UTF-16; behind the last one */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] >= 0xa0) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] >= 0x90))
		return 0;
	return n;
}

/* Does a terminal only show it? n bytes, one character. */
static bool harmless(const char *text, unsigned int n, bool tabs)
{
	const u8 *p = (const u8 *)text;

	switch (n) {
	case 0:
		return false;
	case 1:
		return (*p >= ' ' && *p != 127) || (tabs && *p == '\t');
	case 2:
		return *p != 0xc2 || p[1] >= 0xa0;
	case 3:
		/* U+200e to 200f, 2028 to 202e, 2066 to 2069 */
		if (p[0] == 0xe2 && p[1] == 0x80)
			return !(p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae));
		return !(p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
	default:
		return true;
	}
}

static const char *filter(const char *text, bool tabs)
{
	const char *p = text;
	unsigned int n = 0;
	char *out;

	if (!text)
		return NULL;
	/* nearly all are of these characters alone */
	while ((u8)(*p - ' ') < 127 - ' ')
		p++;
	while (*p && harmless(p, n = utf8_length(p), tabs))
		p += n;
	if (!*p)
		return text;
	next_text = (next_text + 1) % NR_TEXTS;
	free(texts[next_text]);
	texts[next_text] = out = mem_zalloc(4 * strlen(text) + 1, 1);
	for (p = text; *p; p += n) {
		n = utf8_length(p);
		if (harmless(p, n, tabs)) {
			memcpy(out, p, n);
			out += n;
		} else {
			n = 1;
			out += sprintf(out, "\\x%02x", (u8)*p);
		}
	}
	return texts[next_text];
}

/* A name as it may be printed: itself, or a text that is good until NR_TEXTS others were asked for. */
const char *visible(const char *text)
{
	return filter(text, false);
}

/* The same for a line of a file: its tabs stay. */
const char *visible_line(const char *text)
{
	return filter(text, true);
}
