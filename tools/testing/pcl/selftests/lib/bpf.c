// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: programs and maps of BPF, without a library.
 *
 * Concepts: a program tells its test what it saw in the words of a map that both have mapped.
 * Contexts: a test's child process, as root.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "bpf.h"

long bpf_call(int command, union bpf_attr *attr)
{
	long result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	if (result < -1) {	/* sparc64: an error above 515 is none to the C library */
		errno = -result;
		result = -1;
	}
	return result;
}

static char verifier[16384];

static int load(uint32_t type, const struct bpf_insn *code, unsigned int nr, bool tell)
{
	union bpf_attr attr = {
		.prog_type = type, .insns = (uintptr_t)code, .insn_cnt = nr, .license = (uintptr_t)"GPL",
		.prog_name = "test",
	};

	if (tell) {
		attr.log_buf = (uintptr_t)verifier;
		attr.log_size = sizeof(verifier);
		attr.log_level = 1;
	}
	return bpf_call(BPF_PROG_LOAD, &attr);
}

int program_try(uint32_t type, const struct bpf_insn *code, unsigned int nr)
{
	return load(type, code, nr, false);
}

int program_make(uint32_t type, const struct bpf_insn *code, unsigned int nr)
{
	int fd = program_try(type, code, nr);

	if (fd < 0 && errno == ENOSYS)
		test_skip("this kernel has no bpf(2)");
	if (fd < 0) {
		load(type, code, nr, true);
		FAIL("the program is refused: %s\n%s", strerror(errno), verifier);
	}
	return fd;
}

int program_counts(uint32_t type, int cells, int result)
{
	const struct bpf_insn code[] = {
		CELLS(R1, cells), SET(R2, 1), ADD_TO(R1, 0, R2), SET(R0, result), END,
	};

	return PROGRAM(type, code);
}

struct bpf_prog_info program_info(int program)
{
	static uint64_t ksym;
	struct bpf_prog_info info = { .jited_ksyms = (uintptr_t)&ksym, .nr_jited_ksyms = 1 };
	union bpf_attr attr = {
		.info.bpf_fd = program, .info.info_len = sizeof(info), .info.info = (uintptr_t)&info,
	};

	CHECK(!bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr));
	info.jited_ksyms = ksym;
	return info;
}

uint32_t program_id(int program)
{
	return program_info(program).id;
}

void program_set(int event, int program)
{
	if (!test_busted("program"))
		must_ioctl(event, PERF_EVENT_IOC_SET_BPF, program);
}

int link_try(int program, int event, uint64_t cookie)
{
	union bpf_attr attr = {
		.link_create.prog_fd = program, .link_create.target_fd = event,
		.link_create.attach_type = BPF_PERF_EVENT, .link_create.perf_event.bpf_cookie = cookie,
	};

	return bpf_call(BPF_LINK_CREATE, &attr);
}

int link_make(int program, int event, uint64_t cookie)
{
	int fd = link_try(program, event, cookie);

	if (fd < 0)
		FAIL("the link is refused: %s", strerror(errno));
	return fd;
}

struct perf_event_attr fault_attr(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR;
	return attr;
}

int program_answer(int result)
{
	return test_busted("keep") ? !result : result;
}

/* ---- maps ---- */

static int make(uint32_t type, unsigned int value_size, unsigned int nr, unsigned int flags)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = value_size, .max_entries = nr, .map_flags = flags,
	};
	int fd = bpf_call(BPF_MAP_CREATE, &attr);

	if (fd < 0 && errno == ENOSYS)
		test_skip("this kernel has no bpf(2)");
	CHECK(fd >= 0);
	return fd;
}

int cells_make(volatile uint64_t **cells)
{
	int fd = make(BPF_MAP_TYPE_ARRAY, NR_CELLS * sizeof(uint64_t), 1, BPF_F_MMAPABLE);

	*cells = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(*cells != MAP_FAILED);
	return fd;
}

int map_make(uint32_t type, unsigned int value_size, unsigned int nr)
{
	return make(type, value_size, nr, 0);
}

int map_try(int map, uint32_t key, const void *value)
{
	union bpf_attr attr = { .map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)value };

	return bpf_call(BPF_MAP_UPDATE_ELEM, &attr);
}

void map_set(int map, uint32_t key, const void *value)
{
	if (map_try(map, key, value))
		FAIL("entry %u of a map cannot be set: %s", key, strerror(errno));
}

bool map_get(int map, uint32_t key, void *value)
{
	union bpf_attr attr = { .map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)value };

	return !bpf_call(BPF_MAP_LOOKUP_ELEM, &attr);
}
