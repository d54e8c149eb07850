// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a tracepoint's format, which a recording brings, may be given to libtraceevent.
 *
 * Concepts: the library believes formats: it reads where they say, and as much
 * as they say. So the text is looked at before it is parsed, and what follows
 * from it before each sample is printed. A sample and all that may be read
 * behind it lies in a room of TRACE_ROOM bytes: a field ends within the first
 * quarter, what a field leads to within the second, elements of it and what
 * lists of numbers hold within the third.
 * Contexts: script.
 * Locks: none.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "internal.h"
#include "script/script.h"

/* Bytes that fields and what they lead to may span. */
#define SPAN (TRACE_ROOM / 4)

/* "\toffset:8;" and the like: the number, and p behind it; false: it is something else. */
static bool take_number(const char **p, const char *key, u32 *v)
{
	size_t n = strlen(key), digits;

	*p += strspn(*p, " \t");
	if (strncmp(*p, key, n))
		return false;
	*p += n;
	digits = strspn(*p, "0123456789");
	if (!digits || digits > 6 || (*p)[digits] != ';')
		return false;
	*v = (u32)strtoul(*p, NULL, 10);
	*p += digits + 1;
	return true;
}

/* "char comm[16]": a type, a name, and perhaps how many. */
static bool declaration_ok(const char *p, size_t n)
{
	const char *open = memchr(p, '[', n), *end = p + n;
	size_t before = (size_t)((open ? open : end) - p), i, words = 0;

	for (i = 0; i < before; i++) {
		if (!isalnum((unsigned char)p[i]) && !strchr("_ *():,.", p[i]))
			return false;
		words += (isalnum((unsigned char)p[i]) || p[i] == '_') && (!i || p[i - 1] == ' ' || p[i - 1] == '*');
	}
	/* a list of unknown length has its name behind the brackets, or none in them */
	if (open && open + 1 < end && open[1] == ']' && open + 2 < end)
		return words && open[2] == ' ' && isalpha((unsigned char)open[3] | (open[3] == '_' ? 'a' : 0));
	for (i = before + 1; i + 1 < n; i++)
		if (!isalnum((unsigned char)p[i]) && !strchr("_ ()+*/", p[i]))
			return false;
	return words > 1 && (!open || (end[-1] == ']' && end - open >= 2));
}

/* A field that tells where its contents lie: two halves of a word, no more and no less. */
static bool leads_elsewhere(const char *p)
{
	return !strncmp(p, "__data_loc", 10) || !strncmp(p, "__rel_loc", 9);
}

/* One line that begins with "field:", which p is behind. */
static bool field_ok(const char *p, const char *end)
{
	const char *semicolon = memchr(p, ';', (size_t)(end - p));
	bool elsewhere = leads_elsewhere(p);
	u32 offset, size;

	if (!semicolon || !declaration_ok(p, (size_t)(semicolon - p)))
		return false;
	p = semicolon + 1;
	return take_number(&p, "offset:", &offset) && take_number(&p, "size:", &size) && p <= end &&
	       offset <= SPAN && size <= SPAN - offset && (!elsewhere || size == sizeof(u32));
}

/*
 * The text of a format file, up to its zero. *print is the text behind "print fmt:", which
 * has to be looked at by itself.
 */
bool trace_format_sound(const char *text, const char **print)
{
	const char *p = text, *end, *head = "name: ";
	unsigned int line = 0;

	for (; *p; p = end + 1, line++) {
		end = p + strcspn(p, "\n");
		if (line == 1)
			head = "ID: ";
		if (line < 2 && strncmp(p, head, strlen(head)))
			return false;
		if (line >= 2 && !strncmp(p, "print fmt:", 10)) {
			*print = p + 10;
			return true;
		}
		if (line == 2 ? strncmp(p, "format:", 7) : line > 2 && p < end &&
		    (strncmp(p, "\tfield:", 7) || !field_ok(p + 7, end)))
			return false;
		if (!*end)
			break;
	}
	return false;
}

static const struct tep_format_field *field_of(const struct tep_print_arg *a, struct tep_event *event)
{
	if (a->type == TEP_PRINT_FIELD)
		return a->field.field ? a->field.field : tep_find_any_field(event, a->field.name);
	return a->type == TEP_PRINT_DYNAMIC_ARRAY ? a->dynarray.field : NULL;
}

/* The most that a number among the arguments can be with this sample; ~0: that is not known. */
static u64 most(const struct tep_print_arg *a, struct tep_event *event, const char *data)
{
	const struct tep_format_field *f;
	u64 left, right;

	switch (a ? a->type : TEP_PRINT_NULL) {
	case TEP_PRINT_ATOM:
		return isdigit((unsigned char)*a->atom.atom) ? strtoull(a->atom.atom, NULL, 0) : ~0ull;
	case TEP_PRINT_FIELD:
		f = field_of(a, event);
		return f ? tep_read_number(event->tep, data + f->offset, f->size) : ~0ull;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return SPAN;
	case TEP_PRINT_TYPE:
		return most(a->typecast.item, event, data);
	case TEP_PRINT_OP:
		left = most(a->op.left, event, data);
		right = most(a->op.right, event, data);
		if (left > SPAN || right > SPAN)
			return ~0ull;
		if (!strcmp(a->op.op, "*"))
			return left * right;
		if (!strcmp(a->op.op, "+"))
			return left + right;
		return !strcmp(a->op.op, "/") || !strcmp(a->op.op, ">>") || !strcmp(a->op.op, "&") ?
			left : ~0ull;
	default:
		return ~0ull;
	}
}

static bool arg_ok(const struct tep_print_arg *a, struct tep_event *event, const char *data)
{
	const struct tep_format_field *f;
	const struct tep_print_arg *one;
	u64 n, each;

	switch (a ? a->type : TEP_PRINT_NULL) {
	case TEP_PRINT_FLAGS:
		return arg_ok(a->flags.field, event, data);
	case TEP_PRINT_SYMBOL:
		return arg_ok(a->symbol.field, event, data);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return arg_ok(a->hex.field, event, data) && most(a->hex.size, event, data) <= SPAN;
	case TEP_PRINT_INT_ARRAY:
		n = most(a->int_array.count, event, data);
		each = most(a->int_array.el_size, event, data);
		return arg_ok(a->int_array.field, event, data) && n <= SPAN && each <= 8 && n * each <= SPAN;
	case TEP_PRINT_TYPE:
		return arg_ok(a->typecast.item, event, data);
	case TEP_PRINT_FUNC:
		for (one = a->func.args; one; one = one->next)
			if (!arg_ok(one, event, data))
				return false;
		return true;
	case TEP_PRINT_DYNAMIC_ARRAY:
		return !a->dynarray.index || most(a->dynarray.index, event, data) <= SPAN / 8;
	case TEP_PRINT_OP:
		if (!strcmp(a->op.op, "[")) {
			f = a->op.left ? field_of(a->op.left, event) : NULL;
			each = f && f->elementsize > 8 ? f->elementsize : 8;
			n = most(a->op.right, event, data);
			return f && n <= SPAN && n * each <= SPAN;
		}
		/* a division by nothing ends the tool */
		if ((!strcmp(a->op.op, "/") || !strcmp(a->op.op, "%")) &&
		    (!a->op.right || a->op.right->type != TEP_PRINT_ATOM || !strtoull(a->op.right->atom.atom, NULL, 0)))
			return false;
		return arg_ok(a->op.left, event, data) && arg_ok(a->op.right, event, data);
	default:
		return true;
	}
}

static bool list_ok(const struct tep_print_arg *a, struct tep_event *event, const char *data)
{
	for (; a; a = a->next)
		if (!arg_ok(a, event, data))
			return false;
	return true;
}

/* Does the sample hold all that is at a fixed place? */
static bool fields_within(const struct tep_event *event, size_t size)
{
	const struct tep_format_field *f;

	for (f = event->format.common_fields; f; f = f->next)
		if ((size_t)f->offset + (size_t)f->size > size)
			return false;
	for (f = event->format.fields; f; f = f->next)
		if ((size_t)f->offset + (size_t)f->size > size)
			return false;
	return true;
}

/* How this sample, in a room of TRACE_ROOM bytes, may be printed. */
enum trace_way trace_sample_way(struct tep_event *event, const char *data, size_t size)
{
	if (!fields_within(event, size))
		return TRACE_NOT;
	if (!event->print_fmt.format || !*event->print_fmt.format)
		return TRACE_FIELDS;
	return list_ok(event->print_fmt.args, event, data) ? TRACE_AS_TOLD : TRACE_FIELDS;
}
