/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts of -e that are refused, as rows.
 */
#ifndef PCL_TEST_BAD_TEXTS_H
#define PCL_TEST_BAD_TEXTS_H

#include <string.h>

#include "event/event.h"
#include "tap.h"

/* Where a text is wrong, and what the message or the hint must hold. */
struct bad_text {
	int line;
	const char *text;
	size_t pos;
	const char *says;
};

static inline void test_bad_texts(const struct bad_text *rows, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		struct event_list l = { 0 };
		struct parse_error err;
		int ret = events_parse(&l, rows[i].text, &err);

		if (!tap_ok(ret && err.pos == rows[i].pos &&
			    (strstr(err.text, rows[i].says) || strstr(err.hint, rows[i].says)),
			    "line %d: refused: '%s'", rows[i].line, rows[i].text))
			printf("# %d at %zu: %s (%s)\n", ret, err.pos, err.text, err.hint);
		event_list_free(&l);
	}
}

#endif /* PCL_TEST_BAD_TEXTS_H */
