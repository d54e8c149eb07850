// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the test guests of all architectures share: options, and results as TAP
 * lines without numbers, which the runner joins into one report.
 *
 * A guest's guest.h declares all this; it has put_string(), put_number() and
 * guest_options(), a text "name=hexadecimal name=name".
 */
#include "guest.h"

const char *option_text(const char *name)
{
	const char *options = guest_options(), *p, *q, *n;

	for (p = options; *p; p++) {
		if (p != options && p[-1] != ' ')
			continue;
		for (q = p, n = name; *n && *q == *n; n++)
			q++;
		if (!*n && *q == '=')
			return q + 1;
	}
	return 0;
}

u64 option(const char *name, u64 otherwise)
{
	const char *text = option_text(name);
	u64 value = 0;

	if (!text)
		return otherwise;
	for (; *text && *text != ' '; text++)
		value = value << 4 | (*text <= '9' ? *text - '0' : *text - 'a' + 10);
	return value;
}

void ok(bool pass, const char *name)
{
	put_string(pass ? "ok - " : "not ok - ");
	put_string(name);
	put_string("\n");
}

void ok_equal(u64 got, u64 want, const char *name)
{
	ok(got == want, name);
	if (got != want) {
		put_string("# got ");
		put_number(got);
		put_string(", want ");
		put_number(want);
		put_string("\n");
	}
}
