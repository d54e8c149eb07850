// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the records of mappings: MMAP, MMAP2, with inodes and with build ids.
 *
 * Concepts: a dummy event writes records and never counts. Each record's body is held against what the test mapped.
 *	Files with build ids are made in memory.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "lib/event.h"

static struct record record;

/* ---- MMAP and MMAP2: {pid, tid, addr, len, pgoff, ...} ---- */

static void *map_own_file(struct stat *stat, size_t length, off_t offset)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void *at;

	CHECK(fd >= 0 && !fstat(fd, stat));
	at = mmap(NULL, length, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, offset);
	CHECK(at != MAP_FAILED);
	close(fd);
	return at;
}

static void check_name(const void *name)
{
	char path[4096] = "";

	CHECK(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	if (strcmp(name, path))
		FAIL("the record names %s, the file is %s", (const char *)name, path);
}

static void mmap_tells_executable_mappings(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct stat stat;
	struct ring ring;
	void *at;
	int fd;

	(void)unused;
	attr.mmap = 1;
	ring = ring_open(&attr, &fd);
	at = map_own_file(&stat, 2 * PAGE, PAGE);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP, &record));
	CHECK_EQ(half_of(record.body[0], 0), getpid());
	CHECK_EQ(half_of(record.body[0], 1), syscall(SYS_gettid));
	CHECK_EQ(record.body[1], (uintptr_t)at);
	CHECK_EQ(record.body[2], 2 * PAGE);
	CHECK_EQ(record.body[3], PAGE);
	check_name(&record.body[4]);
	CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	trailer_check(&record, &attr, fd, getpid(), syscall(SYS_gettid));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_MMAP), 0);
}

static void mmap2_tells_the_file_too(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct stat stat;
	struct ring ring;
	void *at;
	int fd;

	(void)unused;
	attr.mmap = 1;
	attr.mmap2 = 1;
	ring = ring_open(&attr, &fd);
	at = map_own_file(&stat, PAGE, 0);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	CHECK_EQ(record.body[1], (uintptr_t)at);
	CHECK_EQ(record.body[2], PAGE);
	CHECK_EQ(record.body[3], 0);
	/* maj, min, ino, ino_generation, prot, flags */
	CHECK_EQ(half_of(record.body[7], 0), PROT_READ | PROT_EXEC);
	CHECK_EQ(half_of(record.body[7], 1), MAP_PRIVATE);
	check_name(&record.body[8]);
	trailer_check(&record, &attr, fd, getpid(), syscall(SYS_gettid));
}

/* Of a file in memory, as stat() tells of it; and its name is padded with zeros. */
static void mmap2_tells_inode_and_device(long unused)
{
	static const char name[24] = "/memfd:pcl (deleted)";
	struct perf_event_attr attr = dummy_attr();
	struct stat stat;
	struct ring ring;
	int fd, file;

	(void)unused;
	attr.mmap = 1;
	attr.mmap2 = 1;
	file = memfd_create("pcl", 0);
	CHECK(file >= 0 && !ftruncate(file, PAGE) && !fstat(file, &stat));
	ring = ring_open(&attr, &fd);
	CHECK(mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	CHECK_EQ(half_of(record.body[4], 0), major(stat.st_dev));
	CHECK_EQ(half_of(record.body[4], 1), minor(stat.st_dev));
	CHECK_EQ(record.body[5], stat.st_ino);
	CHECK(!memcmp(&record.body[8], name, sizeof(name)));
}

/* A file's generation, as a handle of the file has it in memory's file system. */
static uint32_t generation_of(int file)
{
	struct {
		struct file_handle head;
		uint32_t words[32];
	} handle = { .head.handle_bytes = sizeof(handle.words) };
	int mount;

	CHECK(!name_to_handle_at(file, "", &handle.head, &mount, AT_EMPTY_PATH));
	return handle.words[0];
}

/* The last two words: how it may be used, and who sees what is written. */
static void mmap2_tells_generation_and_sharing(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	int fd, file = memfd_create("pcl", 0);
	struct ring ring;

	(void)unused;
	CHECK(file >= 0 && !ftruncate(file, 2 * PAGE));
	attr.mmap = 1;
	attr.mmap2 = 1;
	attr.mmap_data = 1;
	ring = ring_open(&attr, &fd);
	CHECK(mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, file, 0) != MAP_FAILED);
	CHECK(mmap(NULL, PAGE, PROT_WRITE, MAP_PRIVATE | MAP_LOCKED, file, PAGE) != MAP_FAILED);
	do
		CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	while (!(half_of(record.body[7], 0) & PROT_EXEC));
	CHECK_EQ(record.body[6], test_busted("generation") ? 0 : generation_of(file));
	CHECK_EQ(half_of(record.body[7], 0), PROT_READ | PROT_WRITE | PROT_EXEC);
	CHECK_EQ(half_of(record.body[7], 1), MAP_SHARED);
	CHECK(!(record.header.misc & PERF_RECORD_MISC_MMAP_DATA));
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	CHECK(record.header.misc & PERF_RECORD_MISC_MMAP_DATA);
	CHECK_EQ(record.body[3], PAGE);
	CHECK_EQ(record.body[6], generation_of(file));
	CHECK_EQ(half_of(record.body[7], 0), PROT_WRITE);
	CHECK_EQ(half_of(record.body[7], 1), MAP_PRIVATE | MAP_LOCKED);
}

/* Where the heap lies, which is one mapping until a fork's child grows it. */
static char *heap_find(size_t *size)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[4400];

	CHECK(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "[heap]"))
			continue;
		CHECK(sscanf(line, "%lx-%lx", &start, &end) == 2);
		fclose(f);
		*size = end - start;
		return (char *)start;
	}
	FAIL("this process has no heap");
}

/* What a process has from the beginning has a name. */
static void heap_and_stack_have_names(long unused)
{
	char *stack = (char *)((uintptr_t)environ & ~(PAGE - 1)) - PAGE, *heap;
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	size_t size;
	int fd;

	(void)unused;
	heap = heap_find(&size);
	/* Where the data of a program can be executed, so can its heap. */
	CHECK(!mprotect(heap, size, PROT_READ | PROT_WRITE));
	attr.mmap = 1;
	ring = ring_open(&attr, &fd);
	CHECK(!mprotect(heap, size, PROT_READ | PROT_WRITE | PROT_EXEC));
	CHECK(ring_find(&ring, PERF_RECORD_MMAP, &record));
	CHECK(!strcmp((char *)&record.body[4], test_busted("heap") ? "//anon" : "[heap]"));
	CHECK_EQ(record.body[1], (uintptr_t)heap);
	CHECK(!mprotect(stack, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
	CHECK(ring_find(&ring, PERF_RECORD_MMAP, &record));
	CHECK(!strcmp((char *)&record.body[4], "[stack]"));
	CHECK_EQ(record.body[1], (uintptr_t)stack);
}

/* What cannot be executed is told only where mmap_data asks for it. */
static void mmap_data_tells_other_mappings(long with)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	bool found;
	void *at;
	int fd;

	attr.mmap = 1;
	attr.mmap_data = with;
	ring = ring_open(&attr, &fd);
	at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(at != MAP_FAILED);
	/* The ring's own mapping may be told, too. */
	do
		found = ring_find(&ring, PERF_RECORD_MMAP, &record);
	while (found && record.body[1] != (uintptr_t)at);
	CHECK_EQ(found, with);
	if (!with)
		return;
	CHECK(record.header.misc & PERF_RECORD_MISC_MMAP_DATA);
	CHECK(!strcmp((char *)&record.body[4], "//anon"));
}

static void mprotect_to_executable_is_told(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	void *at;
	int fd;

	(void)unused;
	at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	attr.mmap = 1;
	ring = ring_open(&attr, &fd);
	CHECK(!mprotect(at, PAGE, PROT_READ | PROT_EXEC));
	CHECK(ring_find(&ring, PERF_RECORD_MMAP, &record));
	CHECK_EQ(record.body[1], (uintptr_t)at);
}

/* ---- MMAP2 with a build id: {..., u8 size, 3 bytes 0, u8 id[20], prot, flags, name} ---- */

#define ID_MAX 20

/* A file in memory that is an ELF file as far as its build id, of @size bytes from @first on; 0: it has none. */
static int elf_file(unsigned int size, unsigned char first)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr segment;
		Elf64_Nhdr note;
		char name[4];
		unsigned char id[ID_MAX];
	} elf = {
		.head = { .e_ident = ELFMAG, .e_type = ET_DYN, .e_phoff = sizeof(elf.head), .e_phnum = 1 },
		.segment = { .p_type = PT_NOTE, .p_offset = offsetof(typeof(elf), note) },
		.note = { .n_namesz = sizeof(elf.name), .n_type = NT_GNU_BUILD_ID, .n_descsz = size },
		.name = "GNU",
	};
	int file = memfd_create("pcl", 0);
	unsigned int i;

	elf.head.e_ident[EI_CLASS] = ELFCLASS64;
	elf.segment.p_filesz = sizeof(elf.note) + sizeof(elf.name) + size;
	for (i = 0; i < size; i++)
		elf.id[i] = first + i;
	CHECK(file >= 0 && !ftruncate(file, PAGE));
	CHECK(pwrite(file, &elf, sizeof(elf), 0) == sizeof(elf));
	return file;
}

static void map_executable(int file)
{
	CHECK(mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED);
}

static struct perf_event_attr build_id_attr(void)
{
	struct perf_event_attr attr = dummy_attr();

	attr.mmap = 1;
	attr.mmap2 = 1;
	attr.build_id = !test_busted("buildid");
	return attr;
}

static void check_build_id(const unsigned char *id, unsigned int size)
{
	unsigned char want[24] = { size };

	memcpy(want + 4, id, size);
	CHECK(record.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	CHECK(!memcmp(&record.body[4], want, sizeof(want)));
	CHECK_EQ(half_of(record.body[7], 0), PROT_READ | PROT_EXEC);
	CHECK_EQ(half_of(record.body[7], 1), MAP_PRIVATE);
}

/* The whole of it, and what is shorter is filled up with zeros. */
static void mmap2_tells_a_build_id(long size)
{
	struct perf_event_attr attr = build_id_attr();
	unsigned char id[ID_MAX];
	struct ring ring;
	unsigned int i;
	int fd;

	for (i = 0; i < ID_MAX; i++)
		id[i] = 0xb1 + i;
	ring = ring_open(&attr, &fd);
	map_executable(elf_file(size, id[0]));
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	check_build_id(id, size);
	CHECK(!strcmp((char *)&record.body[8], "/memfd:pcl (deleted)"));
	CHECK_EQ(record.header.size, sizeof(record.header) + 64 + 24 + trailer_size(&attr));
	trailer_check(&record, &attr, fd, getpid(), getpid());
}

/* A build id of none or of too many bytes, and what is no ELF file, are told by their inodes. */
static void mmap2_tells_the_inode_where_there_is_no_build_id(long size)
{
	struct perf_event_attr attr = build_id_attr();
	struct stat stat;
	struct ring ring;
	int fd, file = elf_file(0, 0);

	if (size < 0)
		CHECK(pwrite(file, "no ELF", 6, 0) == 6);
	CHECK(!fstat(file, &stat));
	ring = ring_open(&attr, &fd);
	map_executable(file);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	CHECK(!(record.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID));
	CHECK_EQ(record.body[5], stat.st_ino);
}

static int own_note(struct dl_phdr_info *info, size_t size, void *unused)
{
	static unsigned char id[ID_MAX];
	int i;

	(void)size;
	(void)unused;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const char *at = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		const Elf64_Nhdr *note = (const Elf64_Nhdr *)at;

		if (info->dlpi_phdr[i].p_type != PT_NOTE || note->n_type != NT_GNU_BUILD_ID)
			continue;
		CHECK_RANGE(note->n_descsz, 1, ID_MAX);
		memcpy(id, at + sizeof(*note) + 4, note->n_descsz);
		check_build_id(id, note->n_descsz);
		return 1;
	}
	return 0;
}

/* As the linker wrote it; looked for where the program itself has it in memory. */
static void mmap2_tells_the_build_id_of_a_program(long unused)
{
	struct perf_event_attr attr = build_id_attr();
	struct stat stat;
	struct ring ring;
	int fd;

	(void)unused;
	ring = ring_open(&attr, &fd);
	map_own_file(&stat, PAGE, 0);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	check_name(&record.body[8]);
	CHECK(dl_iterate_phdr(own_note, NULL) == 1);
}

/* Of two events each is told what it asked for. On stock, the one that is told last has the other's misc. */
static void build_ids_are_for_who_asks(long plain_first)
{
	struct perf_event_attr attrs[2] = { build_id_attr(), build_id_attr() };
	struct ring rings[2];
	static const unsigned char told[8] = { 16, 0, 0, 0, 1, 2, 3, 4 };
	int fds[2], i;

	if (plain_first && !is_pcl())
		test_skip("stock tells whoever comes after the one who asked that there is a build id");
	attrs[!plain_first].build_id = 0;
	for (i = 0; i < 2; i++)
		rings[i] = ring_open(&attrs[i], &fds[i]);
	map_executable(elf_file(16, 1));
	for (i = 0; i < 2; i++) {
		CHECK(ring_find(&rings[i], PERF_RECORD_MMAP2, &record));
		CHECK_EQ(!!(record.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID), i == plain_first);
		CHECK_EQ(!memcmp(&record.body[4], told, sizeof(told)), i == plain_first);
	}
}

static const struct test tests[] = {
	TEST(mmap_tells_executable_mappings),
	TEST(mmap2_tells_the_file_too),
	TEST(mmap2_tells_inode_and_device),
	TEST(mmap2_tells_generation_and_sharing),
	TEST(heap_and_stack_have_names),
	TEST_WITH(mmap_data_tells_other_mappings, "(asked for)", 1),
	TEST_WITH(mmap_data_tells_other_mappings, "(not asked for)", 0),
	TEST(mprotect_to_executable_is_told),
	TEST_WITH(mmap2_tells_a_build_id, "(20 bytes)", 20),
	TEST_WITH(mmap2_tells_a_build_id, "(8 bytes)", 8),
	TEST_WITH(mmap2_tells_the_inode_where_there_is_no_build_id, "(ELF)", 0),
	TEST_WITH(mmap2_tells_the_inode_where_there_is_no_build_id, "(no ELF)", -1),
	TEST(mmap2_tells_the_build_id_of_a_program),
	TEST_WITH(build_ids_are_for_who_asks, "(before others)", 0),
	TEST_WITH(build_ids_are_for_who_asks, "(after others)", 1),
};

int main(void)
{
	return TESTS_RUN(tests);
}
