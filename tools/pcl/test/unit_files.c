// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of opening files that recordings, debug information and processes name.
 *
 * Concepts: the tool's open() and openat() come here, which sees what was opened. What is no
 * regular file may only be looked at. A file is also replaced by a pipe between the look and
 * the opening. Usage: unit_files DIRECTORY
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "data/read.h"
#include "symbol/debug.h"
#include "tap.h"
#include "unwind/private.h"

static const char *dir;
static const char *swapped;	/* this name leads to a pipe from the first opening on */
static unsigned int nr_wrong;	/* openings of what is neither a regular file nor a directory */

static char *path_of(const char *name)
{
	return str_printf("%s/%s", dir, name);
}

static int see(int at, const char *name, int flags, mode_t mode)
{
	struct stat st;
	int fd;

	if (swapped && !(flags & O_PATH)) {
		char *fifo = path_of("fifo2");

		rename(fifo, swapped);
		free(fifo);
		swapped = NULL;
	}
	/* whoever waits here waits for ever */
	fd = (int)syscall(SYS_openat, at, name, flags & O_PATH ? flags : flags | O_NONBLOCK, mode);
	if (fd >= 0 && !(flags & O_PATH) && !fstat(fd, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		nr_wrong++;
	return fd;
}

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

int open(const char *name, int flags, ...)
{
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return see(AT_FDCWD, name, flags, mode);
}

int openat(int at, const char *name, int flags, ...)
{
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return see(at, name, flags, mode);
}

/* Each way to a file that is named by others: did it come to an end, with what is in the file? */
static bool open_elf(const char *path)
{
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd);
	if (!elf)
		return false;
	elf_end(elf);
	close(fd);
	return true;
}

static bool open_symbols(const char *path)
{
	struct object o = { .name = (char *)path };
	bool good;

	elf_symbols_load(&o);
	good = o.symbols.nr != 0;
	symbols_free(&o.symbols);
	debug_info_free(o.debug);
	free(o.symbols_path);
	free(o.segments);
	free(o.note);
	return good;
}

static bool open_jit_map(const char *path)
{
	struct object o = { .name = (char *)path };

	jit_map_load(&o);
	free(o.note);
	symbols_free(&o.symbols);
	return false;
}

static bool open_source(const char *path)
{
	struct sources s = { 0 };
	bool good = source_line(&s, path, 1) != NULL;

	sources_free(&s);
	return good;
}

static bool open_module(const char *path, bool live)
{
	const struct map map = { .start = 4096, .end = 8192 };
	struct mapped_object o = { .name = path };
	struct module *m = module_new(&o);
	bool good = module_ready(m, getpid(), &map, live);

	module_free(m);
	return good;
}

static bool open_module_live(const char *path)
{
	return open_module(path, true);
}

static bool open_module_later(const char *path)
{
	return open_module(path, false);
}

static bool open_code(const char *path)
{
	struct object o = { .name = (char *)path };
	struct code c = { 0 };
	char *why = NULL;
	bool good = object_code(&o, 0, 16, &c, &why);

	free(why);
	free(c.bytes);
	return good;
}

static bool open_mapped(const char *path)
{
	const struct pd_mmap m = { .pid = getpid(), .start = 4096, .end = 8192, .exec = true, .name = path };
	struct mapped_files files = { 0 };
	u32 file = mapped_file_add(&files, &m);
	bool good = files.v[file].len > 0;

	mapped_files_free(&files);
	return good;
}

static const struct opener {
	const char *name;
	bool (*open)(const char *path);
	bool reads_elf;		/* and is true for one */
} openers[] = {
	{ "ELF files", open_elf, true },
	{ "symbols", open_symbols, true },
	{ "objects to unwind, while they are mapped", open_module_live, true },
	{ "objects to unwind, later", open_module_later, true },
	{ "code", open_code, true },
	{ "files whose mapping is told", open_mapped, true },
	{ "names of made code", open_jit_map, false },
	{ "source files", open_source, false },
};

static void copy_self(const char *to)
{
	char *command = str_printf("cp /proc/%d/exe '%s'", getpid(), to);

	if (system(command))
		printf("Bail out! %s\n", command);
	free(command);
}

static void test_opener(const struct opener *o)
{
	char *fifo = path_of("fifo"), *again = path_of("fifo2"), *file = path_of("file");
	bool good;

	mkfifo(fifo, 0600);
	nr_wrong = 0;
	good = !o->open(fifo) && !o->open("/dev/zero");
	tap_ok(good && !nr_wrong, "files: %s: what is no file is not opened", o->name);
	copy_self(file);
	good = o->open(file) == o->reads_elf || !o->reads_elf;
	tap_ok(good && !nr_wrong, "files: %s: a file is", o->name);
	mkfifo(again, 0600);
	swapped = file;
	o->open(file);
	swapped = NULL;
	tap_ok(!nr_wrong, "files: %s: one that becomes a pipe meanwhile", o->name);
	unlink(fifo);
	unlink(again);
	unlink(file);
	free(fifo);
	free(again);
	free(file);
}

static char *first_line(int fd)
{
	char *text = fd_read_text(fd);

	return text ? text : str_printf("errno %d", errno);
}

static void write_text(const char *name, const char *text)
{
	char *path = path_of(name);
	FILE *f = fopen(path, "we");

	fputs(text, f);
	fclose(f);
	free(path);
}

/* Links of another root directory are followed from there, and do not lead out of it. */
static void test_below(void)
{
	static const struct {
		const char *name, *want;
	} rows[] = {
		{ "/etc/name", "inside" }, { "etc/name", "inside" }, { "/absolute", "inside" },
		{ "/../../../../etc/name", "inside" }, { "/up", "errno 2" }, { "/fifo", "errno 6" },
		{ "/self", "errno 40" },
	};
	char *root = path_of("root"), *at = path_of("root/etc"), *link = path_of("root/absolute");
	char *up = path_of("root/up"), *fifo = path_of("root/fifo"), *self = path_of("root/self"), *got;
	struct stat st;
	size_t i;

	mkdir(root, 0700);
	mkdir(at, 0700);
	write_text("root/etc/name", "inside\n");
	write_text("outside", "outside\n");
	if (symlink("/etc/name", link) || symlink("../outside", up) || mkfifo(fifo, 0600) || symlink("self", self))
		printf("Bail out! %s cannot be filled\n", root);
	nr_wrong = 0;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		got = first_line(regular_file_open_below(root, rows[i].name, &st));
		if (!tap_ok(!strcmp(got, rows[i].want), "files: below a directory: %s", rows[i].name))
			printf("# '%s'\n", got);
		free(got);
	}
	tap_ok(!nr_wrong, "files: below a directory, only files are opened");
	free(root);
	free(at);
	free(link);
	free(up);
	free(fifo);
	free(self);
}

/* A file that a process has mapped may lose all that it holds while its build id is read. */
static void test_truncated(void)
{
	char *path = path_of("shrinks");
	u8 id[PD_BUILD_ID_MAX];
	Elf *elf;
	int fd;

	copy_self(path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	elf = elf_open_read(fd);
	tap_ok(elf && !truncate(path, 0) && !build_id_of_elf(elf, id), "files: a mapped file that is truncated is no SIGBUS");
	elf_end(elf);
	close(fd);
	unlink(path);
	free(path);
}

/*
 * A mapping on a file system whose server never answers: its file is not looked at, or the alarm
 * ends this. In a child, as the mount table is to be that of the mapping's process.
 */
static int look_at_fuse(const char *at)
{
	struct pd_mmap m = { .pid = getpid(), .start = 4096, .end = 8192, .exec = true, .inode = 2 };
	struct mapped_files files = { 0 };
	bool found = false;
	char line[4096];
	int fuse;
	FILE *f;
	u32 file;

	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fuse < 0 || unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return 2;
	snprintf(line, sizeof(line), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
	if (mount("none", at, "fuse", 0, line))
		return 2;
	f = fopen("/proc/self/mountinfo", "re");
	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, at))
			found = sscanf(line, "%*d %*d %u:%u", &m.major, &m.minor) == 2;
	if (!found)
		return 1;
	m.name = str_printf("%s/program", at);
	alarm(60);
	file = mapped_file_add(&files, &m);
	return files.v[file].len != 0;
}

static void test_fuse(void)
{
	char *at = path_of("fuse");
	int status = -1;
	pid_t pid;

	mkdir(at, 0700);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(look_at_fuse(at));
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		printf("ok %d - files: mappings on FUSE wait for nobody # SKIP nothing can be mounted here, or not FUSE\n",
		       ++tap_nr);
	else
		tap_ok(!status, "files: mappings on FUSE wait for nobody");
	free(at);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return 2;
	dir = argv[1];
	symbol_cache_off();
	for (i = 0; i < ARRAY_SIZE(openers); i++)
		test_opener(&openers[i]);
	test_below();
	test_truncated();
	test_fuse();
	return tap_end();
}
