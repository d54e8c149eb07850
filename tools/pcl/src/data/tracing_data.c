// SPDX-License-Identifier: GPL-2.0
/*
 * What the fields of the recorded tracepoints are: the feature TRACING_DATA.
 *
 * Concepts: a sample of a tracepoint holds bytes as the kernel laid them out;
 * what they mean stands in tracefs, in a format file for each tracepoint. The
 * recording has copies of these in the form of trace-cmd's files, version 0.6:
 * a head, the layout of ftrace's own pages, the formats by system, symbols of
 * the kernel (none: readers have them elsewhere), texts of printk, names of
 * tasks. Each text has its size before it.
 * Contexts: start of record.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

static void put_u32(struct blob *b, u32 v)
{
	blob_put(b, &v, sizeof(v));
}

/* A file of tracefs, with its size in so many bytes before it, 4 or 8; one that is not there is empty. */
static void put_file(struct blob *b, const char *name, size_t size_bytes)
{
	const char *root = tracefs_root();
	char *path = str_printf("%s/%s", root ? root : "", name), *text = file_read_text(path);
	u64 size = text && *text ? strlen(text) + 1 : 0;

	if (size_bytes == sizeof(u32))
		put_u32(b, (u32)size);
	else
		blob_put(b, &size, sizeof(size));
	if (size) {
		blob_put(b, text, size - 1);
		blob_put(b, "\n", 1);
	}
	free(text);
	free(path);
}

static void put_head(struct blob *b)
{
	static const char magic[10] = "\027\010\104tracing";
	const u8 kind[2] = { __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(long) };

	blob_put(b, magic, sizeof(magic));
	blob_put(b, "0.6", 4);
	blob_put(b, kind, sizeof(kind));
	put_u32(b, (u32)sysconf(_SC_PAGESIZE));
	blob_put(b, "header_page", sizeof("header_page"));
	put_file(b, "events/header_page", sizeof(u64));
	blob_put(b, "header_event", sizeof("header_event"));
	put_file(b, "events/header_event", sizeof(u64));
}

/* An event "SYSTEM:NAME", perhaps with modifiers, is the directory "SYSTEM/NAME". */
static void add_tracepoint(struct str_set *systems, struct str_set *dirs, const char *event)
{
	size_t system = strcspn(event, ":"), name = event[system] ? strcspn(event + system + 1, ":") : 0;
	char *text = str_printf("%.*s/%.*s", (int)system, event, (int)name, event + system + 1);
	char *path = str_printf("%s/events/%s/format", tracefs_root(), text);

	if (name && !access(path, R_OK)) {
		str_set_add(dirs, text);
		text[system] = '\0';
		str_set_add(systems, text);
	} else {
		complain("note: event '%s': %s cannot be read; readers of the recording will not know its fields",
			 event, path);
	}
	free(path);
	free(text);
}

static bool of_system(const char *dir, const char *system)
{
	size_t n = strlen(system);

	return !strncmp(dir, system, n) && dir[n] == '/';
}

static void put_system(struct blob *b, const char *system, const struct str_set *dirs)
{
	unsigned int i;
	u32 nr = 0;

	for (i = 0; i < dirs->nr; i++)
		nr += of_system(dirs->v[i], system);
	blob_put(b, system, strlen(system) + 1);
	put_u32(b, nr);
	for (i = 0; i < dirs->nr; i++) {
		char *file = str_printf("events/%s/format", dirs->v[i]);

		if (of_system(dirs->v[i], system))
			put_file(b, file, sizeof(u64));
		free(file);
	}
}

static bool is_tracepoint(const struct pd_out_event *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT && e->attr.sample_type & PERF_SAMPLE_RAW;
}

bool tracing_data_wanted(const struct pd_writer *w)
{
	unsigned int i;

	for (i = 0; i < w->events->nr; i++)
		if (is_tracepoint(&w->events->v[i]))
			return true;
	return false;
}

void tracing_data_fill(struct blob *b, const struct pd_writer *w)
{
	struct str_set systems = { 0 }, dirs = { 0 };
	unsigned int i;

	if (tracefs_root())
		for (i = 0; i < w->events->nr; i++)
			if (is_tracepoint(&w->events->v[i]))
				add_tracepoint(&systems, &dirs, w->events->v[i].name);
	put_head(b);
	put_u32(b, 0);			/* events of ftrace itself */
	put_u32(b, systems.nr);
	for (i = 0; i < systems.nr; i++)
		put_system(b, systems.v[i], &dirs);
	put_u32(b, 0);			/* symbols */
	put_file(b, "printk_formats", sizeof(u32));
	put_file(b, "saved_cmdlines", sizeof(u64));
	str_set_free(&systems);
	str_set_free(&dirs);
}
