// SPDX-License-Identifier: GPL-2.0
/*
 * Where an object's debug information is: in itself, or in a separate file.
 *
 * Concepts: distributions keep debug files below one directory, by build id
 * (.build-id/12/3456.debug); a section .gnu_debuglink names a file and the
 * checksum of its contents. A file is believed only when its build id is the
 * object's, or, where there is none, when the checksum is right.
 * Contexts: report, when an object is first looked into.
 * Locks: none.
 */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "internal.h"
#include "symbol/debug.h"

/* PCL_DEBUG_DIR takes the place of /usr/lib/debug. */
const char *debug_dir(void)
{
	const char *dir = getenv("PCL_DEBUG_DIR");

	return dir && *dir ? dir : "/usr/lib/debug";
}

/* Below the debug directory, the file of this build id. To be freed. */
char *debug_path_of_id(const u8 *id, size_t len)
{
	char hex[2 * PD_BUILD_ID_MAX + 1];

	if (len < 2 || len > PD_BUILD_ID_MAX)
		return NULL;
	format_hex(hex, id, len);
	return str_printf("%s/.build-id/%.2s/%s.debug", debug_dir(), hex, hex + 2);
}

static bool has_id(const char *path, const u8 *id, size_t len)
{
	u8 its_id[PD_BUILD_ID_MAX];
	int n = build_id_of_file(path, its_id);

	return n > 0 && (size_t)n == len && !memcmp(id, its_id, len);
}

static bool has_checksum(const char *path, u32 crc)
{
	u8 buf[65536];
	uLong sum = crc32(0, NULL, 0);
	struct stat st;
	ssize_t n;
	int fd;

	fd = regular_file_open(path, &st);
	if (fd < 0)
		return false;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		sum = crc32(sum, buf, (uInt)n);
	close(fd);
	return !n && sum == crc;
}

/* The file that .gnu_debuglink names, in the three places where it may be. */
static char *find_by_link(const char *object, Elf *elf, const u8 *id, size_t len)
{
	char *copy, *dir, *paths[3], *found = NULL;
	const char *link;
	GElf_Word crc;
	size_t i;

	link = dwelf_elf_gnu_debuglink(elf, &crc);
	if (!link || !*link || strchr(link, '/'))
		return NULL;
	copy = str_dup(object);
	dir = dirname(copy);
	paths[0] = str_printf("%s/%s", dir, link);
	paths[1] = str_printf("%s/.debug/%s", dir, link);
	paths[2] = str_printf("%s%s/%s", debug_dir(), dir, link);
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		if (!found && strcmp(paths[i], object) &&
		    (len ? has_id(paths[i], id, len) : has_checksum(paths[i], crc)))
			found = paths[i];
		else
			free(paths[i]);
	}
	free(copy);
	return found;
}

/* The separate debug file of an object, to be freed; NULL: there is none. */
char *debug_file_find(const char *object, Elf *elf)
{
	const void *bits;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &bits);
	char *path;

	if (len < 0 || len > PD_BUILD_ID_MAX)
		len = 0;
	path = debug_path_of_id(bits, (size_t)len);
	if (path && strcmp(path, object) && has_id(path, bits, (size_t)len))
		return path;
	free(path);
	return find_by_link(object, elf, bits, (size_t)len);
}

/* o->debug from where it is to be found; o->debug_note when nowhere. */
static void load_debug(struct object *o)
{
	const char *path = o->image ? o->image : o->name;
	char *separate;
	Elf *elf;
	int fd;

	if (!o->image && o->kernel) {
		o->debug_note = str_dup("the kernel's lines are in its file with debug information: give it with --vmlinux FILE");
		return;
	}
	if (!o->image && (path[0] != '/' || path[1] == '/' || o->distrusted)) {
		o->debug_note = str_dup("there is no file to look for it in");
		return;
	}
	elf = elf_open(path, &fd);
	if (!elf) {
		o->debug_note = str_dup("the file cannot be read as ELF");
		return;
	}
	if (elf_has_section(elf, ".debug_info")) {
		o->debug = debug_info_open(path, &o->debug_note);
	} else {
		separate = debug_file_find(path, elf);
		if (separate)
			o->debug = debug_info_open(separate, &o->debug_note);
		else
			o->debug_note = str_dup("it has no debug information, and no debug file is installed");
		free(separate);
	}
	elf_end(elf);
	close(fd);
}

/* The object's debug information, looked for at the first call; NULL: there is none. */
struct debug_info *object_debug(struct object *o)
{
	if (!o->debug_tried) {
		o->debug_tried = true;
		load_debug(o);
	}
	return o->debug;
}
