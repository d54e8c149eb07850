// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of tracepoints' formats that a recording brings: sound ones are shown as they
 * say, all others never read outside of the sample (the sanitizers see to that).
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "script/script.h"
#include "tap.h"
#include "trace_file.h"

#define HEAD "name: thing\nID: 7\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
#define FIELD_LINE(decl, off, size) "\tfield:" decl ";\toffset:" off ";\tsize:" size ";\tsigned:0;\n"
#define COMM FIELD_LINE("char comm[16]", "8", "16")
#define NUMBERS FIELD_LINE("unsigned long v[2]", "8", "16")
#define LIST FIELD_LINE("__data_loc u8[] list", "24", "4")
#define COUNT FIELD_LINE("u32 count", "28", "4")
#define PRINT(text) "\nprint fmt: " text "\n"

/* The sample: type 7, at 8 "command", at 24 a list (offset and length), at 28 a count. */
enum { SAMPLE = 40 };

static const struct format_row {
	int line;
	const char *name;
	const char *format;
	u32 list, count;
	size_t cut;		/* bytes of the sample that are left out */
	const char *want;	/* "": nothing is shown of it; NULL: anything may be */
} rows[] = {
	{ __LINE__, "a sound format", HEAD COMM PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "comm=command" },
	{ __LINE__, "an element of a list", HEAD NUMBERS PRINT("\"%lx\", REC->v[1]"), 0, 0, 0, "0" },
	{ __LINE__, "bytes, as many as a field says", HEAD NUMBERS LIST COUNT
	  PRINT("\"%s\", __print_hex(__get_dynamic_array(list), REC->count)"), 4 << 16 | 8, 4, 0, "63 6f 6d 6d" },
	{ __LINE__, "a field far outside", HEAD FIELD_LINE("char comm[16]", "999999999", "16")
	  PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "" },
	{ __LINE__, "a field that is too long", HEAD FIELD_LINE("char comm[16]", "8", "999999999")
	  PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "" },
	{ __LINE__, "a negative place", HEAD FIELD_LINE("char comm[16]", "-999999", "16")
	  PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "" },
	{ __LINE__, "a number behind 32 bits", HEAD FIELD_LINE("char comm[16]", "4294967296", "16")
	  PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "" },
	{ __LINE__, "a field behind the sample's end", HEAD FIELD_LINE("char comm[16]", "32", "16")
	  PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "[the sample is shorter than its format]" },
	{ __LINE__, "a sample that was cut", HEAD COMM PRINT("\"comm=%s\", REC->comm"), 0, 0, 20,
	  "[the sample is shorter than its format]" },
	{ __LINE__, "a list without a size", HEAD FIELD_LINE("char comm[", "8", "16")
	  PRINT("\"comm=%s\", REC->comm"), 0, 0, 0, "" },
	{ __LINE__, "brackets and no name", HEAD FIELD_LINE("[16]", "8", "16") PRINT("\"x\""), 0, 0, 0, "" },
	{ __LINE__, "a type and no name", HEAD FIELD_LINE("char[]", "8", "16") PRINT("\"x\""), 0, 0, 0, "" },
	{ __LINE__, "an element far behind", HEAD NUMBERS PRINT("\"%lx\", REC->v[99999999]"), 0, 0, 0, NULL },
	{ __LINE__, "an element that the sample chooses", HEAD NUMBERS COUNT PRINT("\"%lx\", REC->v[REC->count]"),
	  0, 0xfffffff, 0, NULL },
	{ __LINE__, "a list far behind", HEAD NUMBERS LIST PRINT("\"%s\", __get_str(list)"), 0xffffffff, 0, 0, NULL },
	{ __LINE__, "more bytes than there are", HEAD NUMBERS LIST COUNT
	  PRINT("\"%s\", __print_hex(__get_dynamic_array(list), REC->count)"), 4 << 16 | 8, 0x7fffffff, 0, NULL },
	{ __LINE__, "more numbers than there are", HEAD NUMBERS LIST COUNT
	  PRINT("\"%s\", __print_array(__get_dynamic_array(list), REC->count, 8)"), 4 << 16 | 8, 0x7fffffff, 0, NULL },
	{ __LINE__, "a division by nothing", HEAD NUMBERS COUNT PRINT("\"%d\", 5 / REC->count"), 0, 0, 0, NULL },
	{ __LINE__, "a width without bounds", HEAD COMM PRINT("\"%999999999d\", 5"), 0, 0, 0, "comm=command" },
	{ __LINE__, "flags of a field that is not there", HEAD COUNT
	  PRINT("\"%s\", __print_flags(REC->nonesuch, \"|\", { 1, \"A\" })"), 0, 4, 0, "count=4" },
	{ __LINE__, "flags", HEAD COUNT PRINT("\"%s\", __print_flags(REC->count, \"|\", { 1, \"A\" }, { 4, \"B\" })"),
	  0, 5, 0, "A|B" },
	{ __LINE__, "an expression that does not end", HEAD COUNT PRINT("\"%d\", (REC->count"), 0, 4, 0, "count=4" },
	{ __LINE__, "a width from the sample", HEAD COUNT PRINT("\"%*d\", REC->count, 5"), 0, 4, 0, "count=4" },
	{ __LINE__, "no fields at all", "name: thing\nID: 7\nprint fmt: \"%d\", REC->x\n", 0, 0, 0, "" },
	{ __LINE__, "no text", "", 0, 0, 0, "" },
};

static char *show(const char *format, size_t format_size, u32 list, u32 count, size_t size)
{
	char *file = malloc(format_size + 128), *text = NULL;
	struct trace_formats *t;
	struct pd_sample s = { 0 };
	u8 *sample = calloc(1, size);
	const u8 whole[SAMPLE] = { 7, 0, 0, 0, 0, 0, 0, 0, 'c', 'o', 'm', 'm', 'a', 'n', 'd' };
	size_t n;
	FILE *out = open_memstream(&text, &n);

	memcpy(sample, whole, size);
	if (size >= 32) {
		memcpy(sample + 24, &list, 4);
		memcpy(sample + 28, &count, 4);
	}
	t = trace_formats_new(cursor_of(file, trace_file_of(file, format, format_size)));
	s.raw = cursor_of(sample, size);
	trace_print(t, out, &s);
	trace_formats_free(t);
	fclose(out);
	free(sample);
	free(file);
	return text;
}

/* Operators that follow each other without end are parsed by calls within calls. */
static void test_deep(void)
{
	static const char *const repeated[] = { "(", "!", "- ", "1 ? 1 : ", "1 + ", "REC->comm[" };
	unsigned int i, k, wrong = 0, nr = 200000;
	size_t room = sizeof(HEAD) + sizeof(COMM) + nr * 10 + 100;
	char *format = malloc(room), *text, *p;

	for (i = 0; i < ARRAY_SIZE(repeated); i++) {
		p = format + sprintf(format, "%s%s\nprint fmt: \"%%d\", ", HEAD, COMM);
		for (k = 0; k < nr; k++)
			p = stpcpy(p, repeated[i]);
		text = show(format, strlen(format), 0, 0, SAMPLE);
		wrong += strcmp(text, "comm=command") != 0;
		free(text);
	}
	free(format);
	tap_ok(!wrong, "operators without end are not followed (%u kinds)", i);
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct format_row *r = &rows[i];
		char *text = show(r->format, strlen(r->format), r->list, r->count, SAMPLE - r->cut), *end;
		bool good;

		/* nothing is what the library says of an event without a format */
		end = text + strlen(text);
		while (end > text && end[-1] == ' ')
			*--end = '\0';
		good = !r->want || (*r->want ? !strcmp(text, r->want) : !strstr(text, "comm") && strlen(text) < 40);
		if (!tap_ok(good && strlen(text) < 600000, "%s", r->name))
			printf("# line %d: '%s'\n", r->line, text);
		free(text);
	}
	test_deep();
	return tap_end();
}
