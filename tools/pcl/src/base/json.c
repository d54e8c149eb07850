// SPDX-License-Identifier: GPL-2.0
/*
 * A streaming JSON writer: no tree, only a depth and a comma.
 *
 * Concepts: numbers are numbers, absent values are null, strings are escaped
 * and bytes that are no UTF-8 are replaced. Always in the "C" locale.
 * Contexts: machine output.
 * Locks: none.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"

static void put_string(const struct json *j, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	FILE *f = j->f;
	unsigned int n;

	fputc('"', f);
	while (*p) {
		n = utf8_length((const char *)p);
		if (!n) {
			fputs("\\ufffd", f);
			p++;
		} else if (*p == '"' || *p == '\\') {
			fprintf(f, "\\%c", *p++);
		} else if (*p < 0x20 || (*p == '<' && j->in_html)) {
			fprintf(f, "\\u%04x", *p++);
		} else {
			fwrite(p, 1, n, f);
			p += n;
		}
	}
	fputc('"', f);
}

static void put_key(struct json *j, const char *key)
{
	if (j->comma)
		fputc(',', j->f);
	j->comma = true;
	if (!key)
		return;
	put_string(j, key);
	fputc(':', j->f);
}

void json_begin(struct json *j, const char *key, char bracket)
{
	put_key(j, key);
	fputc(bracket, j->f);
	j->depth++;
	j->comma = false;
}

void json_end(struct json *j, char bracket)
{
	fputc(bracket, j->f);
	j->comma = true;
	if (!--j->depth)
		fputc('\n', j->f);
}

void json_string(struct json *j, const char *key, const char *v)
{
	if (!v) {
		json_null(j, key);
		return;
	}
	put_key(j, key);
	put_string(j, v);
}

void json_number(struct json *j, const char *key, double v)
{
	if (!isfinite(v)) {
		json_null(j, key);
		return;
	}
	put_key(j, key);
	if (v == floor(v) && fabs(v) < 9e15)
		fprintf(j->f, "%.0f", v);
	else
		fprintf(j->f, "%.9g", v);
}

void json_u64(struct json *j, const char *key, u64 v)
{
	put_key(j, key);
	fprintf(j->f, "%llu", (unsigned long long)v);
}

void json_null(struct json *j, const char *key)
{
	put_key(j, key);
	fputs("null", j->f);
}

void json_bool(struct json *j, const char *key, bool v)
{
	put_key(j, key);
	fputs(v ? "true" : "false", j->f);
}
