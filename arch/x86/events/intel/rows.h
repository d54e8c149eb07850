/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows that the tables of several Intel families share.
 */
#ifndef _X86_EVENTS_INTEL_ROWS_H
#define _X86_EVENTS_INTEL_ROWS_H

#include "../family.h"

/* Constraints: instructions, cycles and reference cycles have fixed counters. */
#define INTEL_ON_FIXED_3	X86_ON_FIXED(0x00c0, 0), X86_ON_FIXED(0x003c, 1), X86_ON_FIXED(0x0300, 2)

/* Extra registers: OFFCORE_RESPONSE_0 and _1, which take the same bits. */
#define INTEL_OFFCORE(bits)										\
	{ .code = 0x01b7, .msr = 0x1a6, .valid = (bits) }, { .code = 0x01bb, .msr = 0x1a7, .valid = (bits) }
/* Extra register: the threshold of MEM_TRANS_RETIRED.LOAD_LATENCY. */
#define INTEL_LOAD_LATENCY	{ .code = 0x01cd, .msr = 0x3f6, .valid = 0xffff }

/* Names: the slots of top-down analysis, before there were counters for them; @recovery is INT_MISC's unit mask. */
#define INTEL_TOPDOWN(recovery)										\
	{ "topdown-slots-issued", "event=0xe,umask=0x1" },						\
	{ "topdown-slots-retired", "event=0xc2,umask=0x2" },						\
	{ "topdown-fetch-bubbles", "event=0x9c,umask=0x1" },						\
	{ "topdown-total-slots", "event=0x3c,umask=0x0", "event=0x3c,umask=0x0,any=1" },		\
	{ "topdown-total-slots.scale", "4", "2" },							\
	{ "topdown-recovery-bubbles", "event=0xd,umask=" recovery ",cmask=1",				\
	  "event=0xd,umask=" recovery ",cmask=1,any=1" },						\
	{ "topdown-recovery-bubbles.scale", "4", "2" }

/* Names: transactional memory; cycles-t within transactions, cycles-ct within those that were committed. */
#define INTEL_TX											\
	{ "tx-start", "event=0xc9,umask=0x1", NULL, true },						\
	{ "tx-commit", "event=0xc9,umask=0x2", NULL, true },						\
	{ "tx-abort", "event=0xc9,umask=0x4", NULL, true },						\
	{ "tx-conflict", "event=0x54,umask=0x1", NULL, true },						\
	{ "cycles-t", "event=0x3c,in_tx=1", NULL, true },						\
	{ "cycles-ct", "event=0x3c,in_tx=1,in_tx_cp=1", NULL, true }
#define INTEL_CAPACITY											\
	{ "tx-capacity", "event=0x54,umask=0x2", NULL, true },						\
	{ "el-capacity", "event=0x54,umask=0x2", NULL, true }
#define INTEL_TX_CAPACITY_READ_WRITE									\
	{ "tx-capacity-read", "event=0x54,umask=0x80", NULL, true },					\
	{ "tx-capacity-write", "event=0x54,umask=0x2", NULL, true }
/* Names: elided locks */
#define INTEL_EL											\
	{ "el-start", "event=0xc8,umask=0x1", NULL, true },						\
	{ "el-commit", "event=0xc8,umask=0x2", NULL, true },						\
	{ "el-abort", "event=0xc8,umask=0x4", NULL, true },						\
	{ "el-conflict", "event=0x54,umask=0x1", NULL, true }

/* Cache events: Skylake's, which Ice Lake has, too, but for the accesses of the ITLB. */
#define INTEL_SKYLAKE_CACHE										\
	X86_CACHE(L1D, READ, 0x81d0, 0x0151),								\
	X86_CACHE(L1D, WRITE, 0x82d0, X86_ABSENT),							\
	X86_CACHE(L1I, READ, X86_ABSENT, 0x0283),							\
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x3fc0010001, 0x3ffc020001),					\
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x3fc0010002, 0x3ffc020002),					\
	X86_CACHE(DTLB, READ, 0x81d0, 0x0e08),								\
	X86_CACHE(DTLB, WRITE, 0x82d0, 0x0e49),								\
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),								\
	X86_CACHE_EXTRA(NODE, READ, 0x01b7, 0x1fc4000001, 0x1ff8000001),				\
	X86_CACHE_EXTRA(NODE, WRITE, 0x01b7, 0x1fc4000002, 0x1ff8000002),				\
	X86_CACHE_NO_SUCH_OPS

#endif
