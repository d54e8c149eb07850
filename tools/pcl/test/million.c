// SPDX-License-Identifier: GPL-2.0
/*
 * Write a large recording: samples in the functions of real objects.
 *
 * Concepts: some processes map the given ELF files; each sample lies in a
 * function that has one name and shares no byte with another, so that every
 * reader must name it alike. A few functions get most of the samples. CPUs
 * take turns as rings do, so that records must be sorted. The same arguments
 * give the same file.
 * Usage: million OUT SAMPLES CHAIN-DEPTH FILE...
 * MILLION_SEED=N other samples; MILLION_BOOST=PERCENT of them in one function, beside its own.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t u64;
typedef uint32_t u32;

enum { CPUS = 4, PROCESSES = 16, TURN = 5000, MAX_FILES = 16, MAX_DEPTH = 64 };

#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define ID 77

struct function {
	u64 offset, size;	/* in the file */
	u32 file;
};

struct file {
	const char *path;
	u64 start, size;	/* where every process has it */
};

static struct file files[MAX_FILES];
static u32 nr_files;
static struct function *functions;
static size_t nr_functions;
static u64 now = 1000000000, state = 88172645463325252ull;
static u32 depth;
static double boost;
static FILE *out;

/* xorshift64 (Marsaglia 2003) */
static u64 next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int cmp_sym(const void *a, const void *b)
{
	const GElf_Sym *x = a, *y = b;

	return (x->st_value > y->st_value) - (x->st_value < y->st_value);
}

/* Every symbol that could name code, sorted. */
static GElf_Sym *read_symbols(Elf *elf, GElf_Word kind, size_t *nr)
{
	Elf_Scn *scn = NULL;
	GElf_Sym *v = NULL;
	GElf_Shdr sh;
	size_t i;

	*nr = 0;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != kind)
			continue;
		data = elf_getdata(scn, NULL);
		v = realloc(v, (*nr + sh.sh_size / sh.sh_entsize) * sizeof(*v));
		for (i = 0; data && i < sh.sh_size / sh.sh_entsize; i++)
			if (gelf_getsym(data, (int)i, &v[*nr]) && v[*nr].st_shndx != SHN_UNDEF &&
			    GELF_ST_TYPE(v[*nr].st_info) <= STT_FUNC &&
			    GELF_ST_TYPE(v[*nr].st_info) != STT_OBJECT)
				++*nr;
	}
	if (*nr)
		qsort(v, *nr, sizeof(*v), cmp_sym);
	return v;
}

static u64 file_offset(Elf *elf, u64 addr)
{
	GElf_Phdr ph;
	size_t n, i;

	if (elf_getphdrnum(elf, &n))
		return 0;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_flags & PF_X &&
		    addr - ph.p_vaddr < ph.p_filesz)
			return addr - ph.p_vaddr + ph.p_offset;
	return 0;
}

/* Functions whose bytes are theirs alone. */
static void add_functions(const char *path)
{
	int fd = open(path, O_RDONLY);
	size_t nr, i;
	GElf_Sym *v;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (!elf)
		fail(path);
	v = read_symbols(elf, SHT_SYMTAB, &nr);
	if (!nr) {
		free(v);
		v = read_symbols(elf, SHT_DYNSYM, &nr);
	}
	functions = realloc(functions, (nr_functions + nr) * sizeof(*functions));
	for (i = 0; i < nr; i++) {
		struct function f = { file_offset(elf, v[i].st_value), v[i].st_size, nr_files };

		if (GELF_ST_TYPE(v[i].st_info) == STT_FUNC && f.size > 1 && f.offset &&
		    (!i || v[i - 1].st_value + v[i - 1].st_size <= v[i].st_value) &&
		    (!i || v[i - 1].st_value != v[i].st_value) &&
		    (i + 1 == nr || v[i + 1].st_value >= v[i].st_value + f.size))
			functions[nr_functions++] = f;
	}
	files[nr_files] = (struct file){
		.path = path,
		.start = 0x7f0000000000ull + ((u64)nr_files << 32),
		.size = ((u64)lseek(fd, 0, SEEK_END) + 4095) & ~4095ull,
	};
	nr_files++;
	free(v);
	elf_end(elf);
	close(fd);
}

static void put(const void *p, size_t n)
{
	if (fwrite(p, 1, n, out) != n)
		fail("write");
}

static u32 pid_of(u32 process)
{
	return 1000 + 10 * process;
}

static void put_trailer(u32 pid, u32 cpu)
{
	u64 v[4] = { (u64)pid << 32 | pid, now++, cpu, ID };

	put(v, sizeof(v));
}

static void put_process(u32 process)
{
	struct { struct perf_event_header h; u32 pid, tid; char comm[16]; } c = {
		{ PERF_RECORD_COMM, 0, sizeof(c) + 32 }, pid_of(process), pid_of(process), "",
	};
	u32 i;

	snprintf(c.comm, sizeof(c.comm), "worker%02u", process);
	put(&c, sizeof(c));
	put_trailer(c.pid, 0);
	for (i = 0; i < nr_files; i++) {
		struct { struct perf_event_header h; u32 pid, tid; u64 addr, len, pgoff; } m = {
			{ PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, 0 }, c.pid, c.tid,
			files[i].start, files[i].size, 0,
		};
		char name[PATH_MAX + 8] = "";
		size_t n = (strlen(files[i].path) + 8) & ~7ul;

		snprintf(name, sizeof(name), "%s", files[i].path);
		m.h.size = (uint16_t)(sizeof(m) + n + 32);
		put(&m, sizeof(m));
		put(name, n);
		put_trailer(c.pid, 0);
	}
}

/* Few functions often, most of them seldom; never their first byte, so that it can be a return address. */
static u64 random_ip(void)
{
	double r = (double)(next_random() >> 11) / 9007199254740992.0;
	/* neighbours in the file are not neighbours in frequency */
	size_t i = (size_t)((double)nr_functions * r * r * r * r) * 7919 % nr_functions;
	const struct function *f = &functions[i];

	if (boost > 0 && (double)(next_random() >> 11) / 9007199254740992.0 * 100 < boost)
		f = &functions[nr_functions / 2];
	return files[f->file].start + f->offset + 1 + next_random() % (f->size - 1);
}

static void put_sample(u32 cpu, u64 time)
{
	u32 pid = pid_of((u32)(next_random() >> 8) % PROCESSES), n = 0;
	u64 v[8 + MAX_DEPTH + 2];
	struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0 };

	u64 path = next_random() % 512, save = state;

	/* a way to get somewhere calls one of 64 functions there */
	if (depth)
		state = 0x9e3779b97f4a7c15ull * (path * 64 + save % 64 + 1);
	v[n++] = ID;
	v[n++] = random_ip();
	state = save;
	v[n++] = (u64)pid << 32 | pid;
	v[n++] = time;
	v[n++] = cpu;
	v[n++] = 900000 + next_random() % 200000;
	if (depth) {
		u32 i;

		v[n++] = depth + 1;
		v[n++] = (u64)PERF_CONTEXT_USER;
		v[n++] = v[1];
		/* one of 512 ways to get here, the same in its outer half for 16 of them */
		for (i = 1; i < depth; i++) {
			state = 0x9e3779b97f4a7c15ull * ((i > depth / 2 ? path / 16 : path) * 64 + i + 1);
			v[n++] = random_ip();
		}
		state = save;
	}
	h.size = (uint16_t)(sizeof(h) + n * 8);
	put(&h, sizeof(h));
	put(v, n * 8);
}

/* Each CPU's ring of one pass, and the mark that ends the pass. */
static void put_samples(u64 nr)
{
	struct perf_event_header round = { 68, 0, 8 };
	u64 done, i, cpu;

	for (done = 0; done < nr; done += i * CPUS) {
		for (cpu = 0; cpu < CPUS; cpu++)
			for (i = 0; i < TURN && done + i * CPUS < nr; i++)
				put_sample((u32)cpu, now + (done + i * CPUS) * 10 + cpu);
		put(&round, sizeof(round));
	}
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER7,
		.config = PERF_COUNT_SW_CPU_CLOCK, .sample_freq = 4000, .freq = 1,
		.sample_type = SAMPLE_TYPE, .sample_id_all = 1, .comm = 1, .mmap = 1,
	};
	u64 header[13] = { 0 }, id = ID, ids[2] = { 104, 8 };
	int i;

	if (argc < 5 || argc > 4 + MAX_FILES)
		return 2;
	depth = (u32)atoi(argv[3]) % MAX_DEPTH;
	state ^= strtoull(getenv("MILLION_SEED") ?: "0", NULL, 0) * 0x9e3779b97f4a7c15ull;
	boost = strtod(getenv("MILLION_BOOST") ?: "0", NULL);
	if (depth)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	for (i = 4; i < argc; i++)
		add_functions(argv[i]);
	out = fopen(argv[1], "wb");
	if (!out || !nr_functions)
		fail(argv[1]);
	memcpy(header, "PERFILE2", 8);
	header[1] = sizeof(header);
	header[2] = PERF_ATTR_SIZE_VER7 + 16;
	header[3] = 112;
	header[4] = header[2];
	header[5] = header[3] + header[4];
	put(header, sizeof(header));
	put(&id, sizeof(id));
	put(&attr, PERF_ATTR_SIZE_VER7);
	put(ids, sizeof(ids));
	for (i = 0; i < PROCESSES; i++)
		put_process((u32)i);
	put_samples(strtoull(argv[2], NULL, 0));
	header[6] = (u64)ftell(out) - header[5];
	if (fseek(out, 0, SEEK_SET))
		fail(argv[1]);
	put(header, sizeof(header));
	if (fclose(out))
		fail(argv[1]);
	printf("%zu functions\n", nr_functions);
	return 0;
}
