// SPDX-License-Identifier: GPL-2.0
/*
 * Reading bytes that are not trusted.
 *
 * Concepts: a cursor knows its end; reading past it yields zeros and marks the
 * cursor bad, so that a decoder checks once, at its end. It also knows the
 * byte order of its numbers, so that no decoder has to.
 * Contexts: all readers of files.
 * Locks: none.
 */
#include <string.h>

#include "base/base.h"

void cursor_skip(struct cursor *c, u64 n)
{
	if (n > cursor_left(c)) {
		c->bad = true;
		n = cursor_left(c);
	}
	c->p += n;
}

/* The next n bytes as a cursor of their own; none when there are fewer. */
struct cursor cursor_part(struct cursor *c, u64 n)
{
	struct cursor part = *c;

	if (n > cursor_left(c)) {
		c->bad = true;
		c->p = c->end;
		n = 0;
		part.p = c->p;
	}
	part.bad = false;
	part.end = part.p + n;
	c->p += n;
	return part;
}

void cursor_bytes(struct cursor *c, void *to, size_t n)
{
	if (n > cursor_left(c)) {
		c->bad = true;
		c->p = c->end;
		memset(to, 0, n);
		return;
	}
	memcpy(to, c->p, n);
	c->p += n;
}

u8 cursor_u8(struct cursor *c)
{
	u8 v;

	cursor_bytes(c, &v, sizeof(v));
	return v;
}

u16 cursor_u16(struct cursor *c)
{
	u16 v;

	cursor_bytes(c, &v, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

/* A number of this many bytes, up to eight. */
u64 cursor_number(struct cursor *c, unsigned int size)
{
	u64 v = 0, byte;
	unsigned int i;

	for (i = 0; i < size; i++) {
		byte = cursor_u8(c);
		v = cursor_is_big(c) ? v << 8 | byte : v | byte << 8 * i;
	}
	return v;
}

/* A number in LEB128 form; *bits: how many it was given, *top: its last byte. */
static u64 leb(struct cursor *c, unsigned int *bits, u8 *top)
{
	u64 v = 0;

	*bits = 0;
	do {
		if (c->p == c->end) {
			c->bad = true;
			*top = 0;
			return 0;
		}
		*top = *c->p++;
		if (*bits < 64)
			v |= (u64)(*top & 0x7f) << *bits;
		*bits += 7;
	} while (*top & 0x80);
	return v;
}

u64 cursor_long_uleb(struct cursor *c)
{
	unsigned int bits;
	u8 top;

	return leb(c, &bits, &top);
}

s64 cursor_sleb(struct cursor *c)
{
	unsigned int bits;
	u8 top;
	u64 v = leb(c, &bits, &top);

	if (bits < 64 && top & 0x40)
		v |= ~0ull << bits;
	return (s64)v;
}

/* A text of at most n bytes that ends with a zero among them; "" if not. */
const char *cursor_text(struct cursor *c, size_t n)
{
	const char *s = (const char *)c->p;

	if (n > cursor_left(c) || !n || !memchr(s, 0, n)) {
		c->bad = true;
		c->p = c->end;
		return "";
	}
	c->p += n;
	return s;
}

/* A text up to the next zero; "" when there is none. */
const char *cursor_string(struct cursor *c)
{
	const char *s = (const char *)c->p;
	const u8 *end = c->p < c->end ? memchr(c->p, 0, cursor_left(c)) : NULL;

	if (!end) {
		c->bad = true;
		c->p = c->end;
		return "";
	}
	c->p = end + 1;
	return s;
}
