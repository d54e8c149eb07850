/* SPDX-License-Identifier: GPL-2.0 */
/* Programs and maps of BPF by bpf(2) alone: instructions by name, and what a test does with programs. */
#ifndef PCL_TEST_BPF_H
#define PCL_TEST_BPF_H

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include "event.h"

/* ---- instructions ---- */

#define INSN(op, dst, src, offset, value) \
	{ .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (offset), .imm = (value) }
#define MOVE(dst, src)			INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, value)			INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define ADD(dst, value)			INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value)
#define AND(dst, value)			INSN(BPF_ALU64 | BPF_AND | BPF_K, dst, 0, 0, value)
#define LOAD(dst, src, offset)		INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define STORE(dst, offset, src)		INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define STORE_VALUE(dst, offset, value)	INSN(BPF_ST | BPF_MEM | BPF_DW, dst, 0, offset, value)
#define ADD_TO(dst, offset, src)	INSN(BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, offset, BPF_ADD)
#define CALL_HELPER(helper)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##helper)
#define END				INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define LONG(dst, kind, low, high)	INSN(BPF_LD | BPF_DW | BPF_IMM, dst, kind, 0, low), INSN(0, 0, 0, 0, high)
#define MAP(dst, fd)			LONG(dst, BPF_PSEUDO_MAP_FD, fd, 0)
/* The address of the cells of a map that cells_make() made */
#define CELLS(dst, fd)			LONG(dst, BPF_PSEUDO_MAP_VALUE, fd, 0)

#define R0	BPF_REG_0
#define R1	BPF_REG_1
#define R2	BPF_REG_2
#define R3	BPF_REG_3
#define R4	BPF_REG_4
#define R5	BPF_REG_5
#define R6	BPF_REG_6
#define R7	BPF_REG_7
#define FRAME	BPF_REG_10

/* Of what a program at an event sees */
#define SEEN_IP		offsetof(struct bpf_perf_event_data, regs.ARCH_REGS_IP)
#define SEEN_PERIOD	offsetof(struct bpf_perf_event_data, sample_period)
#define SEEN_ADDR	offsetof(struct bpf_perf_event_data, addr)

/* ---- programs ---- */

#define AT_EVENT	BPF_PROG_TYPE_PERF_EVENT
#define AT_POINT	BPF_PROG_TYPE_TRACEPOINT
#define AT_PROBE	BPF_PROG_TYPE_KPROBE

/* What one says of a sample, or a hit */
enum { DROP, KEEP };

long bpf_call(int command, union bpf_attr *attr);
/* -1 and errno: it was refused. */
int program_try(uint32_t type, const struct bpf_insn *code, unsigned int nr);
/* Fails the test, with the verifier's words, or skips it where there is no bpf(2). */
int program_make(uint32_t type, const struct bpf_insn *code, unsigned int nr);
#define PROGRAM(type, code)	program_make(type, code, sizeof(code) / sizeof((code)[0]))
/* Adds one to the first cell and returns @result. */
int program_counts(uint32_t type, int cells, int result);
struct bpf_prog_info program_info(int program);
uint32_t program_id(int program);
/* SET_BPF; with the fault "program" nothing is done. */
void program_set(int event, int program);
/* A link: the descriptor, or -1 and errno. */
int link_try(int program, int event, uint64_t cookie);
int link_make(int program, int event, uint64_t cookie);

/* What a program shall answer; with the fault "keep" the opposite. */
int program_answer(int result);
/* An attr that samples each of the user's page faults. */
struct perf_event_attr fault_attr(void);

/* ---- maps ---- */

#define NR_CELLS 64

/* A map of words that program and test see alike; no other. */
int cells_make(volatile uint64_t **cells);
int map_make(uint32_t type, unsigned int value_size, unsigned int nr);
/* 0, or -1 and errno */
int map_try(int map, uint32_t key, const void *value);
void map_set(int map, uint32_t key, const void *value);
bool map_get(int map, uint32_t key, void *value);

#endif
