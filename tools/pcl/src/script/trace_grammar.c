// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the "print fmt" of a tracepoint is such as the kernel writes them.
 *
 * Concepts: a format string, and C expressions over the fields of REC, with the
 * functions that trace events have. The parser of libtraceevent goes astray on
 * what is not well formed, and calls itself for each operator; so it is only
 * given what this one, which keeps nothing, reads to its end.
 * Contexts: script.
 * Locks: none.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "script/script.h"

/* The library's parser calls itself for each operator; the kernel's longest have some hundred. */
enum { MAX_OPERATORS = 4096, MAX_DEPTH = 40, MAX_DIGITS = 3 };

struct grammar {
	const char *format;	/* with the fields that there are */
	const char *p;
	unsigned int operators, depth;
	bool (*expression)(struct grammar *g);	/* the rule that all others lead back to */
};

/* What the arguments of a function are: e an expression, n a name, s a text, t rows of {e, s}. */
static const struct function {
	const char *name, *args;
} functions[] = {
	{ "__print_flags", "est" },
	{ "__print_symbolic", "et" },
	{ "__print_hex", "ee" },
	{ "__print_hex_str", "ee" },
	{ "__print_array", "eee" },
	{ "__get_str", "n" },
	{ "__get_rel_str", "n" },
	{ "__get_bitmask", "n" },
	{ "__get_rel_bitmask", "n" },
	{ "__get_dynamic_array", "n" },
	{ "__get_rel_dynamic_array", "n" },
	{ "__get_dynamic_array_len", "n" },
	{ "__get_rel_dynamic_array_len", "n" },
};

static void blanks(struct grammar *g)
{
	g->p += strspn(g->p, " \t");
}

static bool token(struct grammar *g, const char *text)
{
	size_t n = strlen(text);

	blanks(g);
	if (strncmp(g->p, text, n))
		return false;
	g->p += n;
	return true;
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	if (isdigit((unsigned char)*p))
		return 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

/* Does a line "\tfield:type name[...];" declare this name? */
static bool declares(const char *line, const char *its_name, size_t n)
{
	const char *end = line + strcspn(line, ";\n"), *open = memchr(line, '[', (size_t)(end - line));

	/* brackets that are behind the name */
	if (open && end[-1] == ']')
		end = open;
	return (size_t)(end - line) > n && !strncmp(end - n, its_name, n) && strchr(" *", end[-n - 1]);
}

static bool declared(const struct grammar *g, const char *its_name, size_t n)
{
	const char *line = g->format;

	while ((line = strstr(line, "\tfield:")) && line < g->p) {
		line += 7;
		if (declares(line, its_name, n))
			return true;
	}
	return false;
}

/* The name of a field. */
static bool name(struct grammar *g)
{
	size_t n;

	blanks(g);
	n = name_length(g->p);
	g->p += n;
	return n && declared(g, g->p - n, n);
}

/* Widths of numbers are in the text; those of texts may come from the sample, which bounds them. */
static bool conversion(const char *p)
{
	size_t digits;

	p += strspn(p, "-+ #0");
	digits = strspn(p, "0123456789");
	if (digits > MAX_DIGITS)
		return false;
	p += digits;
	if (p[0] == '*')
		return p[1] == 'p';
	if (p[0] == '.' && p[1] == '*')
		return p[2] == 's';
	p += p[0] == '.';
	digits = strspn(p, "0123456789");
	p += digits;
	p += strspn(p, "hlzqLj");
	return digits <= MAX_DIGITS && *p && strchr("diouxXcspS", *p);
}

/* Texts in quotes, one or several in a row. */
static bool text(struct grammar *g, bool is_format)
{
	unsigned int nr = 0;

	for (; token(g, "\""); nr++) {
		for (; *g->p != '"'; g->p++) {
			if (!*g->p || *g->p == '\n')
				return false;
			if (*g->p == '\\' && g->p[1])
				g->p++;
			else if (is_format && g->p[0] == '%' && g->p[1] == '%')
				g->p++;
			else if (is_format && *g->p == '%' && !conversion(g->p + 1))
				return false;
		}
		g->p++;
	}
	return nr;
}

/* { 0x1, "READ" }, ... */
static bool rows(struct grammar *g)
{
	do {
		if (!token(g, "{") || !g->expression(g) || !token(g, ",") || !text(g, false) || !token(g, "}"))
			return false;
	} while (token(g, ","));
	return true;
}

static bool arguments(struct grammar *g, const char *kinds)
{
	const char *k;

	if (!token(g, "("))
		return false;
	for (k = kinds; *k; k++) {
		if (k > kinds && !token(g, ","))
			return false;
		if (!(*k == 'e' ? g->expression(g) : *k == 'n' ? name(g) : *k == 's' ? text(g, false) : rows(g)))
			return false;
	}
	return token(g, ")");
}

static bool function(struct grammar *g, const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (strlen(functions[i].name) == n && !strncmp(functions[i].name, p, n))
			return arguments(g, functions[i].args);
	return false;
}

/* REC->field, REC->field[n], or a function; what a constant's name stands for is not told. */
static bool named(struct grammar *g)
{
	const char *p = g->p;
	size_t n = name_length(p);

	g->p += n;
	if (n == 3 && !strncmp(p, "REC", 3)) {
		if (!token(g, "->") || !name(g))
			return false;
		return !token(g, "[") || (++g->operators <= MAX_OPERATORS && g->expression(g) && token(g, "]"));
	}
	return function(g, p, n);
}

/* "(unsigned long)": words and stars, and what they are for comes behind; p is then behind the bracket. */
static bool cast(struct grammar *g)
{
	const char *p = g->p;
	size_t n, words = 0;

	for (; (n = name_length(p)) != 0; words++) {
		if (!strncmp(p, "REC", n))
			return false;
		p += n;
		p += strspn(p, " ");
	}
	p += strspn(p, "* ");
	if (!words || *p != ')')
		return false;
	p++;
	p += strspn(p, " ");
	if (!isalnum((unsigned char)*p) && *p != '_' && *p != '(')
		return false;
	g->p = p;
	return true;
}

static bool primary(struct grammar *g)
{
	blanks(g);
	if (*g->p == '"')
		return text(g, false);
	if (isdigit((unsigned char)*g->p)) {
		g->p += strspn(g->p, "0123456789abcdefABCDEFxXuUlL");
		return true;
	}
	if (*g->p != '(')
		return (isalpha((unsigned char)*g->p) || *g->p == '_') && named(g);
	g->p++;
	if (cast(g))
		return primary(g);
	return g->expression(g) && token(g, ")");
}

static bool unary(struct grammar *g)
{
	blanks(g);
	while (*g->p && strchr("-!~", *g->p)) {
		if (++g->operators > MAX_OPERATORS)
			return false;
		g->p++;
		blanks(g);
	}
	return primary(g);
}

static bool operator(struct grammar *g)
{
	static const char *const all[] = {
		"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (!token(g, all[i]))
			continue;
		/* the library divides by whatever it is told to */
		return ++g->operators <= MAX_OPERATORS &&
		       (!strchr("/%", *all[i]) || strtoul(g->p, NULL, 0));
	}
	return false;
}

static bool expression(struct grammar *g)
{
	bool good = false;

	if (++g->depth > MAX_DEPTH || ++g->operators > MAX_OPERATORS)
		return false;
	do
		good = unary(g);
	while (good && operator(g));
	if (good && token(g, "?"))
		good = expression(g) && token(g, ":") && expression(g);
	g->depth--;
	return good;
}

/* p is behind "print fmt:" of the format. */
bool trace_print_sound(const char *format, const char *p)
{
	struct grammar g = { .format = format, .p = p, .expression = expression };

	if (!text(&g, true))
		return false;
	while (token(&g, ","))
		if (!expression(&g))
			return false;
	blanks(&g);
	return !g.p[strspn(g.p, "\n")];
}
