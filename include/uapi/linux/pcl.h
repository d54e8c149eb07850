/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The user ABI of PCL, complete on its own.
 *
 * Part one is the perf_event ABI as Linux 6.1 has it, bit for bit, and of what later ones added what PCL has, under the
 * include guard of <linux/perf_event.h>: a program may include both headers in either order and gets one of them. Part
 * two, under a guard of its own, is what PCL adds: perf_event_open(2) with PCL_FLAG_OPEN and struct pcl_open, and the
 * reasons for refusals.
 *
 * In the layouts below a field is written "type name"; [CONDITION] before fields says when they are there.
 */
/* Headers that were installed for programs have lost the _UAPI of their guards. */
#if !defined(__KERNEL__) && defined(_LINUX_PERF_EVENT_H) && !defined(_UAPI_LINUX_PERF_EVENT_H)
#define _UAPI_LINUX_PERF_EVENT_H
#endif

#ifndef _UAPI_LINUX_PERF_EVENT_H
#define _UAPI_LINUX_PERF_EVENT_H

#ifndef __KERNEL__
#define _LINUX_PERF_EVENT_H
#endif

#include <asm/byteorder.h>
#include <linux/types.h>
#include <linux/ioctl.h>

/* ---- what to count: perf_event_attr::type and ::config ----------------------------------------------------------- */

/* Types from PERF_TYPE_MAX upward are given to PMUs as they register; sysfs shows each in its file "type". */
enum perf_type_id {
	PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT, PERF_TYPE_HW_CACHE,
	PERF_TYPE_RAW, PERF_TYPE_BREAKPOINT,
	PERF_TYPE_MAX	/* not ABI */
};

/*
 * PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE may name a PMU in the upper half of config, where several PMUs know the
 * generic events; 0 there leaves the choice to the kernel. The lower half is the event: for HARDWARE an
 * enum perf_hw_id; for HW_CACHE cache | operation << 8 | result << 16.
 */
#define PERF_HW_EVENT_MASK	0xffffffff
#define PERF_PMU_TYPE_SHIFT	32

/* Generic hardware events */
enum perf_hw_id {
	PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES,
	PERF_COUNT_HW_BUS_CYCLES,
	PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	PERF_COUNT_HW_REF_CPU_CYCLES,
	PERF_COUNT_HW_MAX	/* not ABI */
};

/* Generic cache events: which cache ... */
enum perf_hw_cache_id {
	PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_L1I, PERF_COUNT_HW_CACHE_LL,
	PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_ITLB,
	PERF_COUNT_HW_CACHE_BPU, PERF_COUNT_HW_CACHE_NODE,
	PERF_COUNT_HW_CACHE_MAX	/* not ABI */
};

/* ... doing what ... */
enum perf_hw_cache_op_id {
	PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_OP_PREFETCH,
	PERF_COUNT_HW_CACHE_OP_MAX	/* not ABI */
};

/* ... with which result */
enum perf_hw_cache_op_result_id {
	PERF_COUNT_HW_CACHE_RESULT_ACCESS, PERF_COUNT_HW_CACHE_RESULT_MISS,
	PERF_COUNT_HW_CACHE_RESULT_MAX	/* not ABI */
};

/* What the kernel itself counts, with or without hardware */
enum perf_sw_ids {
	PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK,		/* ns */
	PERF_COUNT_SW_PAGE_FAULTS,					/* both kinds below */
	PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS,
	PERF_COUNT_SW_PAGE_FAULTS_MIN, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	PERF_COUNT_SW_ALIGNMENT_FAULTS, PERF_COUNT_SW_EMULATION_FAULTS,
	PERF_COUNT_SW_DUMMY,						/* nothing: for its records */
	PERF_COUNT_SW_BPF_OUTPUT, PERF_COUNT_SW_CGROUP_SWITCHES,
	PERF_COUNT_SW_MAX	/* not ABI */
};

/* ---- what a sample holds: perf_event_attr::sample_type ----------------------------------------------------------- */

/* The order of the fields in a sample is told at PERF_RECORD_SAMPLE. */
enum perf_event_sample_format {
	PERF_SAMPLE_IP = 0x1, PERF_SAMPLE_TID = 0x2, PERF_SAMPLE_TIME = 0x4, PERF_SAMPLE_ADDR = 0x8,
	PERF_SAMPLE_READ = 0x10, PERF_SAMPLE_CALLCHAIN = 0x20, PERF_SAMPLE_ID = 0x40, PERF_SAMPLE_CPU = 0x80,
	PERF_SAMPLE_PERIOD = 0x100, PERF_SAMPLE_STREAM_ID = 0x200, PERF_SAMPLE_RAW = 0x400,
	PERF_SAMPLE_BRANCH_STACK = 0x800,
	PERF_SAMPLE_REGS_USER = 0x1000, PERF_SAMPLE_STACK_USER = 0x2000,
	PERF_SAMPLE_WEIGHT = 0x4000, PERF_SAMPLE_DATA_SRC = 0x8000,
	PERF_SAMPLE_IDENTIFIER = 0x10000, PERF_SAMPLE_TRANSACTION = 0x20000,
	PERF_SAMPLE_REGS_INTR = 0x40000, PERF_SAMPLE_PHYS_ADDR = 0x80000,
	PERF_SAMPLE_AUX = 0x100000, PERF_SAMPLE_CGROUP = 0x200000,
	PERF_SAMPLE_DATA_PAGE_SIZE = 0x400000, PERF_SAMPLE_CODE_PAGE_SIZE = 0x800000,
	PERF_SAMPLE_WEIGHT_STRUCT = 0x1000000,
	PERF_SAMPLE_MAX = 0x2000000	/* not ABI */
};

/* The two forms of a weight; an event has at most one. */
#define PERF_SAMPLE_WEIGHT_TYPE	(PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT)

/*
 * Which branches a branch stack holds, and what is told of each: perf_event_attr::branch_sample_type. Kinds add up, and
 * ANY includes them all. Without one of the three privilege bits the event's own exclude_* bits decide.
 */
enum perf_branch_sample_type_shift {
	/* privilege */
	PERF_SAMPLE_BRANCH_USER_SHIFT, PERF_SAMPLE_BRANCH_KERNEL_SHIFT, PERF_SAMPLE_BRANCH_HV_SHIFT,
	/* kind */
	PERF_SAMPLE_BRANCH_ANY_SHIFT, PERF_SAMPLE_BRANCH_ANY_CALL_SHIFT, PERF_SAMPLE_BRANCH_ANY_RETURN_SHIFT,
	PERF_SAMPLE_BRANCH_IND_CALL_SHIFT, PERF_SAMPLE_BRANCH_ABORT_TX_SHIFT, PERF_SAMPLE_BRANCH_IN_TX_SHIFT,
	PERF_SAMPLE_BRANCH_NO_TX_SHIFT, PERF_SAMPLE_BRANCH_COND_SHIFT, PERF_SAMPLE_BRANCH_CALL_STACK_SHIFT,
	PERF_SAMPLE_BRANCH_IND_JUMP_SHIFT, PERF_SAMPLE_BRANCH_CALL_SHIFT,
	/* what is left out or added */
	PERF_SAMPLE_BRANCH_NO_FLAGS_SHIFT, PERF_SAMPLE_BRANCH_NO_CYCLES_SHIFT, PERF_SAMPLE_BRANCH_TYPE_SAVE_SHIFT,
	PERF_SAMPLE_BRANCH_HW_INDEX_SHIFT, PERF_SAMPLE_BRANCH_PRIV_SAVE_SHIFT,
	PERF_SAMPLE_BRANCH_MAX_SHIFT	/* not ABI */
};

enum perf_branch_sample_type {
	PERF_SAMPLE_BRANCH_USER = 0x1, PERF_SAMPLE_BRANCH_KERNEL = 0x2, PERF_SAMPLE_BRANCH_HV = 0x4,
	PERF_SAMPLE_BRANCH_ANY = 0x8, PERF_SAMPLE_BRANCH_ANY_CALL = 0x10, PERF_SAMPLE_BRANCH_ANY_RETURN = 0x20,
	PERF_SAMPLE_BRANCH_IND_CALL = 0x40, PERF_SAMPLE_BRANCH_ABORT_TX = 0x80,	PERF_SAMPLE_BRANCH_IN_TX = 0x100,
	PERF_SAMPLE_BRANCH_NO_TX = 0x200, PERF_SAMPLE_BRANCH_COND = 0x400, PERF_SAMPLE_BRANCH_CALL_STACK = 0x800,
	PERF_SAMPLE_BRANCH_IND_JUMP = 0x1000, PERF_SAMPLE_BRANCH_CALL = 0x2000,
	PERF_SAMPLE_BRANCH_NO_FLAGS = 0x4000, PERF_SAMPLE_BRANCH_NO_CYCLES = 0x8000,
	PERF_SAMPLE_BRANCH_TYPE_SAVE = 0x10000, PERF_SAMPLE_BRANCH_HW_INDEX = 0x20000,
	PERF_SAMPLE_BRANCH_PRIV_SAVE = 0x40000,
	PERF_SAMPLE_BRANCH_MAX = 0x80000	/* not ABI */
};

#define PERF_SAMPLE_BRANCH_PLM_ALL	\
	(PERF_SAMPLE_BRANCH_HV | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_USER)

/* perf_branch_entry::type */
enum {
	PERF_BR_UNKNOWN, PERF_BR_COND, PERF_BR_UNCOND, PERF_BR_IND, PERF_BR_CALL, PERF_BR_IND_CALL, PERF_BR_RET,
	PERF_BR_SYSCALL, PERF_BR_SYSRET, PERF_BR_COND_CALL, PERF_BR_COND_RET, PERF_BR_ERET, PERF_BR_IRQ,
	PERF_BR_SERROR,		/* system error */
	PERF_BR_NO_TX,		/* outside a transaction */
	PERF_BR_EXTEND_ABI,	/* see new_type */
	PERF_BR_MAX
};

/* perf_branch_entry::new_type, with PERF_BR_EXTEND_ABI */
enum {
	PERF_BR_NEW_FAULT_ALGN, PERF_BR_NEW_FAULT_DATA, PERF_BR_NEW_FAULT_INST,
	PERF_BR_NEW_ARCH_1, PERF_BR_NEW_ARCH_2, PERF_BR_NEW_ARCH_3, PERF_BR_NEW_ARCH_4, PERF_BR_NEW_ARCH_5,
	PERF_BR_NEW_MAX
};

/* What arm64 uses its five for */
#define PERF_BR_ARM64_DEBUG_DATA	PERF_BR_NEW_ARCH_5
#define PERF_BR_ARM64_DEBUG_INST	PERF_BR_NEW_ARCH_4
#define PERF_BR_ARM64_DEBUG_EXIT	PERF_BR_NEW_ARCH_3
#define PERF_BR_ARM64_DEBUG_HALT	PERF_BR_NEW_ARCH_2
#define PERF_BR_ARM64_FIQ		PERF_BR_NEW_ARCH_1

/* perf_branch_entry::spec */
enum {
	PERF_BR_SPEC_NA,		/* not known */
	PERF_BR_SPEC_WRONG_PATH, PERF_BR_NON_SPEC_CORRECT_PATH, PERF_BR_SPEC_CORRECT_PATH,
	PERF_BR_SPEC_MAX
};

/* perf_branch_entry::priv */
enum { PERF_BR_PRIV_UNKNOWN, PERF_BR_PRIV_USER, PERF_BR_PRIV_KERNEL, PERF_BR_PRIV_HV };

/* One taken branch, newest first in a stack. Neither mispred nor predicted: the hardware does not tell. */
struct perf_branch_entry {
	__u64 from, to;
	__u64 mispred:1, predicted:1;
	__u64 in_tx:1, abort:1;		/* inside a transaction; the transaction aborted here */
	__u64 cycles:16;		/* since the branch before, 0: unknown */
	__u64 type:4, spec:2, new_type:4, priv:3;
	__u64 reserved:31;
};

/* The first word of a dump of registers: how wide were they? */
enum perf_sample_regs_abi { PERF_SAMPLE_REGS_ABI_NONE, PERF_SAMPLE_REGS_ABI_32, PERF_SAMPLE_REGS_ABI_64 };

/* PERF_SAMPLE_TRANSACTION: how it was run, and why it aborted; the upper half is the abort's code. */
enum {
	PERF_TXN_ELISION = 0x1, PERF_TXN_TRANSACTION = 0x2,
	PERF_TXN_SYNC = 0x4, PERF_TXN_ASYNC = 0x8,	/* is the sampled instruction the cause? */
	PERF_TXN_RETRY = 0x10, PERF_TXN_CONFLICT = 0x20,
	PERF_TXN_CAPACITY_WRITE = 0x40, PERF_TXN_CAPACITY_READ = 0x80,
	PERF_TXN_MAX = 0x100,	/* not ABI */
	PERF_TXN_ABORT_SHIFT = 32, PERF_TXN_ABORT_MASK = (0xffffffffULL << 32)
};

/* PERF_SAMPLE_WEIGHT: one number; PERF_SAMPLE_WEIGHT_STRUCT: three */
union perf_sample_weight {
	__u64 full;
#if defined(__LITTLE_ENDIAN_BITFIELD)
	struct { __u32 var1_dw; __u16 var2_w, var3_w; };
#elif defined(__BIG_ENDIAN_BITFIELD)
	struct { __u16 var3_w, var2_w; __u32 var1_dw; };
#else
#error "Neither endianness of bit-fields is defined"
#endif
};

/*
 * PERF_SAMPLE_DATA_SRC: where the data of a memory access came from. op, snoop, lock, tlb, lvl, blk are sets of the
 * bits below; lvl_num and hops are numbers.
 */
union perf_mem_data_src {
	__u64 val;
#if defined(__LITTLE_ENDIAN_BITFIELD)
	struct {
		__u64 mem_op:5, mem_lvl:14, mem_snoop:5, mem_lock:2, mem_dtlb:7;
		__u64 mem_lvl_num:4, mem_remote:1, mem_snoopx:2, mem_blk:3, mem_hops:3;
		__u64 mem_rsvd:18;
	};
#else
	struct {
		__u64 mem_rsvd:18;
		__u64 mem_hops:3, mem_blk:3, mem_snoopx:2, mem_remote:1, mem_lvl_num:4;
		__u64 mem_dtlb:7, mem_lock:2, mem_snoop:5, mem_lvl:14, mem_op:5;
	};
#endif
};

/* The value @s of field @a, in place: PERF_MEM_S(OP, LOAD) */
#define PERF_MEM_S(a, s)	(((__u64)PERF_MEM_##a##_##s) << PERF_MEM_##a##_SHIFT)

#define PERF_MEM_OP_SHIFT	0
#define PERF_MEM_OP_NA		0x0001
#define PERF_MEM_OP_LOAD	0x0002
#define PERF_MEM_OP_STORE	0x0004
#define PERF_MEM_OP_PFETCH	0x0008
#define PERF_MEM_OP_EXEC	0x0010

/* The older way to tell the level; new code reads lvl_num, remote and snoopx. */
#define PERF_MEM_LVL_SHIFT	5
#define PERF_MEM_LVL_NA		0x0001
#define PERF_MEM_LVL_HIT	0x0002
#define PERF_MEM_LVL_MISS	0x0004
#define PERF_MEM_LVL_L1		0x0008
#define PERF_MEM_LVL_LFB	0x0010	/* line fill buffer */
#define PERF_MEM_LVL_L2		0x0020
#define PERF_MEM_LVL_L3		0x0040
#define PERF_MEM_LVL_LOC_RAM	0x0080
#define PERF_MEM_LVL_REM_RAM1	0x0100	/* other memory, one hop */
#define PERF_MEM_LVL_REM_RAM2	0x0200
#define PERF_MEM_LVL_REM_CCE1	0x0400	/* other cache, one hop */
#define PERF_MEM_LVL_REM_CCE2	0x0800
#define PERF_MEM_LVL_IO		0x1000
#define PERF_MEM_LVL_UNC	0x2000	/* uncached */

#define PERF_MEM_SNOOP_SHIFT	19
#define PERF_MEM_SNOOP_NA	0x0001
#define PERF_MEM_SNOOP_NONE	0x0002
#define PERF_MEM_SNOOP_HIT	0x0004
#define PERF_MEM_SNOOP_MISS	0x0008
#define PERF_MEM_SNOOP_HITM	0x0010	/* hit a modified line */

#define PERF_MEM_LOCK_SHIFT	24
#define PERF_MEM_LOCK_NA	0x0001
#define PERF_MEM_LOCK_LOCKED	0x0002

#define PERF_MEM_TLB_SHIFT	26
#define PERF_MEM_TLB_NA		0x0001
#define PERF_MEM_TLB_HIT	0x0002
#define PERF_MEM_TLB_MISS	0x0004
#define PERF_MEM_TLB_L1		0x0008
#define PERF_MEM_TLB_L2		0x0010
#define PERF_MEM_TLB_WK		0x0020	/* the hardware walked the tables */
#define PERF_MEM_TLB_OS		0x0040	/* the fault handler filled it */

#define PERF_MEM_LVLNUM_SHIFT		33
#define PERF_MEM_LVLNUM_L1		0x0001
#define PERF_MEM_LVLNUM_L2		0x0002
#define PERF_MEM_LVLNUM_L3		0x0003
#define PERF_MEM_LVLNUM_L4		0x0004
#define PERF_MEM_LVLNUM_CXL		0x0009
#define PERF_MEM_LVLNUM_IO		0x000a
#define PERF_MEM_LVLNUM_ANY_CACHE	0x000b
#define PERF_MEM_LVLNUM_LFB		0x000c
#define PERF_MEM_LVLNUM_RAM		0x000d
#define PERF_MEM_LVLNUM_PMEM		0x000e
#define PERF_MEM_LVLNUM_NA		0x000f

#define PERF_MEM_REMOTE_SHIFT	37
#define PERF_MEM_REMOTE_REMOTE	0x0001

#define PERF_MEM_SNOOPX_SHIFT	38
#define PERF_MEM_SNOOPX_FWD	0x0001
#define PERF_MEM_SNOOPX_PEER	0x0002

#define PERF_MEM_BLK_SHIFT	40
#define PERF_MEM_BLK_NA		0x0001
#define PERF_MEM_BLK_DATA	0x0002	/* the data could not be forwarded */
#define PERF_MEM_BLK_ADDR	0x0004	/* the addresses conflict */

#define PERF_MEM_HOPS_SHIFT	43
#define PERF_MEM_HOPS_0		0x0001	/* another core of the node */
#define PERF_MEM_HOPS_1		0x0002	/* another node of the socket */
#define PERF_MEM_HOPS_2		0x0003	/* another socket of the board */
#define PERF_MEM_HOPS_3		0x0004	/* another board */

/* ---- what read(2) gives: perf_event_attr::read_format ------------------------------------------------------------ */

/*
 * One event:	u64 value, [TOTAL_TIME_ENABLED] u64 ns, [TOTAL_TIME_RUNNING] u64 ns, [ID] u64 id, [LOST] u64 lost
 * GROUP:	u64 nr, [TOTAL_TIME_ENABLED] u64 ns, [TOTAL_TIME_RUNNING] u64 ns, then for the leader and each sibling
 *		u64 value, [ID] u64 id, [LOST] u64 lost
 *
 * An event that shared its counter ran for a part of the time: value * enabled / running estimates the whole.
 */
enum perf_event_read_format {
	PERF_FORMAT_TOTAL_TIME_ENABLED = 0x1, PERF_FORMAT_TOTAL_TIME_RUNNING = 0x2,
	PERF_FORMAT_ID = 0x4, PERF_FORMAT_GROUP = 0x8,
	PERF_FORMAT_LOST = 0x10,
	PERF_FORMAT_MAX = 0x20	/* not ABI */
};

/* ---- struct perf_event_attr: all about one event ----------------------------------------------------------------- */

/* Its sizes over the years, each named with the fields it ends with */
#define PERF_ATTR_SIZE_VER8	136	/* config3 */
#define PERF_ATTR_SIZE_VER7	128	/* sig_data */
#define PERF_ATTR_SIZE_VER6	120	/* aux_sample_size */
#define PERF_ATTR_SIZE_VER5	112	/* aux_watermark, sample_max_stack */
#define PERF_ATTR_SIZE_VER4	104	/* sample_regs_intr */
#define PERF_ATTR_SIZE_VER3	96	/* sample_regs_user, sample_stack_user, clockid */
#define PERF_ATTR_SIZE_VER2	80	/* branch_sample_type */
#define PERF_ATTR_SIZE_VER1	72	/* config2 */
#define PERF_ATTR_SIZE_VER0	64	/* as first published */

struct perf_event_attr {
	__u32 type;			/* enum perf_type_id, or a PMU's number from sysfs */
	__u32 size;			/* PERF_ATTR_SIZE_VER*; a size unknown here is written back with E2BIG */
	__u64 config;
	union { __u64 sample_period, sample_freq; };	/* events between samples; with freq: samples per second */
	__u64 sample_type;		/* PERF_SAMPLE_* */
	__u64 read_format;		/* PERF_FORMAT_* */

	/* one word of flags */
	__u64 disabled:1, inherit:1;	/* opened stopped; children of the task get one, too */
	__u64 pinned:1, exclusive:1;	/* always on its counter, or in error; alone on the PMU */
	__u64 exclude_user:1, exclude_kernel:1, exclude_hv:1, exclude_idle:1;
	__u64 mmap:1, comm:1;		/* records: executable mappings; names */
	__u64 freq:1;			/* sample_freq, not sample_period */
	__u64 inherit_stat:1;		/* a READ record for each task that ends */
	__u64 enable_on_exec:1;
	__u64 task:1;			/* records: FORK and EXIT */
	__u64 watermark:1;		/* wakeup_watermark, not wakeup_events */
	__u64 precise_ip:2;		/* skid: 0 any, 1 constant, 2 none asked for, 3 none at all */
	__u64 mmap_data:1;		/* records: other mappings, too */
	__u64 sample_id_all:1;		/* every record tells who and when */
	__u64 exclude_host:1, exclude_guest:1;
	__u64 exclude_callchain_kernel:1, exclude_callchain_user:1;
	__u64 mmap2:1, comm_exec:1;	/* MMAP2 instead of MMAP; COMM tells an exec */
	__u64 use_clockid:1;		/* times by clockid */
	__u64 context_switch:1;		/* records: SWITCH */
	__u64 write_backward:1;		/* the ring is written from its end downwards */
	__u64 namespaces:1, ksymbol:1, bpf_event:1;	/* records of these names */
	__u64 aux_output:1;		/* samples go to the AUX area */
	__u64 cgroup:1, text_poke:1;	/* records of these names */
	__u64 build_id:1;		/* MMAP2 tells the build id instead of the inode */
	__u64 inherit_thread:1;		/* only threads inherit */
	__u64 remove_on_exec:1;
	__u64 sigtrap:1;		/* SIGTRAP to the task at each overflow, synchronously */
	__u64 defer_callchain:1;	/* call chains have a cookie for their user part, which */
	__u64 defer_output:1;		/* records tell: CALLCHAIN_DEFERRED, with this bit */
	__u64 __reserved_1:24;

	union { __u32 wakeup_events, wakeup_watermark; };	/* wake the reader after so many samples, or bytes */
	__u32 bp_type;						/* breakpoints: HW_BREAKPOINT_* */
	union { __u64 bp_addr, kprobe_func, uprobe_path, config1; };
	union { __u64 bp_len, kprobe_addr, probe_offset, config2; };
	__u64 branch_sample_type;	/* PERF_SAMPLE_BRANCH_* */
	__u64 sample_regs_user;		/* which registers, see asm/perf_regs.h */
	__u32 sample_stack_user;	/* bytes of user stack in a sample, a multiple of 8 */
	__s32 clockid;
	__u64 sample_regs_intr;		/* registers at the interrupt, or at the sampled instruction if precise */
	__u32 aux_watermark;		/* bytes */
	__u16 sample_max_stack;		/* addresses in a call chain, 0: kernel.perf_event_max_stack */
	__u16 __reserved_2;
	__u32 aux_sample_size;		/* bytes of AUX data in a sample */
	union {
		__u32 aux_action;
		struct {
			__u32 aux_start_paused:1;	/* fills no AUX area until who resumes it overflows */
			__u32 aux_pause:1;		/* its overflows pause the group leader ... */
			__u32 aux_resume:1;		/* ... or let it go on */
			__u32 __reserved_3:29;
		};
	};
	__u64 sig_data;			/* sigtrap: siginfo_t::si_perf_data, cut to a long */
	__u64 config3;
};

/* ---- perf_event_open(2) and ioctl(2) ----------------------------------------------------------------------------- */

#define PERF_FLAG_FD_CLOEXEC	(1UL << 3)
#define PERF_FLAG_PID_CGROUP	(1UL << 2)	/* pid is a file descriptor of a cgroup's directory */
#define PERF_FLAG_FD_OUTPUT	(1UL << 1)	/* write to group_fd's ring */
#define PERF_FLAG_FD_NO_GROUP	(1UL << 0)	/* group_fd is not the leader */

#define PERF_EVENT_IOC_ENABLE		_IO('$', 0)
#define PERF_EVENT_IOC_DISABLE		_IO('$', 1)
#define PERF_EVENT_IOC_REFRESH		_IO('$', 2)	/* so many overflows more, then disable */
#define PERF_EVENT_IOC_RESET		_IO('$', 3)
#define PERF_EVENT_IOC_PERIOD		_IOW('$', 4, __u64)
#define PERF_EVENT_IOC_SET_OUTPUT	_IO('$', 5)	/* fd whose ring to write to, or -1 */
#define PERF_EVENT_IOC_SET_FILTER	_IOW('$', 6, char *)
#define PERF_EVENT_IOC_ID		_IOR('$', 7, __u64 *)
#define PERF_EVENT_IOC_SET_BPF		_IOW('$', 8, __u32)
#define PERF_EVENT_IOC_PAUSE_OUTPUT	_IOW('$', 9, __u32)
#define PERF_EVENT_IOC_QUERY_BPF	_IOWR('$', 10, struct perf_event_query_bpf *)
#define PERF_EVENT_IOC_MODIFY_ATTRIBUTES _IOW('$', 11, struct perf_event_attr *)

/* The argument of ENABLE, DISABLE and RESET */
enum perf_event_ioc_flags { PERF_IOC_FLAG_GROUP = 0x1 };

/* QUERY_BPF: the programs attached to the event's tracepoint */
struct perf_event_query_bpf {
	__u32 ids_len;		/* room in ids[] */
	__u32 prog_cnt;		/* out: how many there are */
	__u32 ids[];		/* out */
};

/* ---- the control page: the first page of an event's mapping ------------------------------------------------------ */

/*
 * Reading a counter without a system call, by a thread that counts itself: read @lock; compiler barrier; take a copy of
 * the fields; if @index is not zero and cap_user_rdpmc is set, read counter @index - 1 and sign-extend it from
 * @pmc_width bits; compiler barrier; if @lock has changed, do it all again. The count is @offset plus the counter.
 *
 * With cap_user_time a cycle counter value cyc becomes ns by  cyc * time_mult >> time_shift  (split to avoid overflow:
 * whole part cyc >> time_shift, rest below). With @time_offset added it is what has passed since @time_enabled was
 * written (likewise @time_running, while @index is not zero); with @time_zero added instead (cap_user_time_zero) it is
 * the time that samples show. cap_user_time_short: cyc is narrower than 64 bits; first widen it to
 * time_cycles + ((cyc - time_cycles) & time_mask).
 *
 * The ring lies @data_offset bytes into the mapping. Its reader reads data_head, then a read barrier, then the records;
 * when done, a full barrier, then writes data_tail, up to where the kernel may overwrite. A mapping without PROT_WRITE
 * is overwritten freely. The AUX area is announced by its reader in aux_offset and aux_size before it maps it; its
 * positions work as the ring's.
 */
struct perf_event_mmap_page {
	__u32 version, compat_version;
	__u32 lock;			/* changes when what follows does */
	__u32 index;			/* 0: not on a counter now */
	__s64 offset;
	__u64 time_enabled, time_running;
	union {
		__u64 capabilities;
		struct {
			__u64 cap_bit0:1;		/* always 0 ... */
			__u64 cap_bit0_is_deprecated:1;	/* ... as this says, always 1 */
			__u64 cap_user_rdpmc:1;
			__u64 cap_user_time:1, cap_user_time_zero:1, cap_user_time_short:1;
			__u64 cap_____res:58;
		};
	};
	__u16 pmc_width, time_shift;
	__u32 time_mult;
	__u64 time_offset, time_zero;
	__u32 size;			/* of all this, up to __reserved */
	__u32 __reserved_1;
	__u64 time_cycles, time_mask;
	__u8 __reserved[928];		/* up to 1 KiB */
	__u64 data_head, data_tail, data_offset, data_size;
	__u64 aux_head, aux_tail, aux_offset, aux_size;
};

/* ---- records in the ring ----------------------------------------------------------------------------------------- */

/* Each record begins with this; @size includes it. */
struct perf_event_header { __u32 type; __u16 misc, size; };

/* perf_event_header::misc, bits 0-2: what ran */
#define PERF_RECORD_MISC_CPUMODE_UNKNOWN	0
#define PERF_RECORD_MISC_KERNEL			1
#define PERF_RECORD_MISC_USER			2
#define PERF_RECORD_MISC_HYPERVISOR		3
#define PERF_RECORD_MISC_GUEST_KERNEL		4
#define PERF_RECORD_MISC_GUEST_USER		5
#define PERF_RECORD_MISC_CPUMODE_MASK		7
/* bit 12: written by tools, which did not finish reading /proc/PID/maps in time */
#define PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT	0x1000
/* bit 13, by type of record: MMAP and MMAP2; COMM; FORK (tools alone); SWITCH and SWITCH_CPU_WIDE */
#define PERF_RECORD_MISC_MMAP_DATA		0x2000
#define PERF_RECORD_MISC_COMM_EXEC		0x2000
#define PERF_RECORD_MISC_FORK_EXEC		0x2000
#define PERF_RECORD_MISC_SWITCH_OUT		0x2000
/* bit 14, by type of record: SAMPLE (the ip is that of the event); MMAP2; SWITCH (was still runnable) */
#define PERF_RECORD_MISC_EXACT_IP		0x4000
#define PERF_RECORD_MISC_MMAP_BUILD_ID		0x4000
#define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT	0x4000
/* bit 15: kept free */
#define PERF_RECORD_MISC_EXT_RESERVED		0x8000

/*
 * The types of records, with what follows the header. With sample_id_all each record but SAMPLE ends with the trailer
 *
 *	[TID] u32 pid, tid  [TIME] u64 time  [ID] u64 id  [STREAM_ID] u64 id  [CPU] u32 cpu, 0  [IDENTIFIER] u64 id
 *
 * as far as sample_type asks. "name" is a string, padded with zeros to a multiple of 8.
 */
enum perf_event_type {
	/* u32 pid, tid; u64 addr, len, pgoff; name */
	PERF_RECORD_MMAP = 1,
	/* u64 id, lost: so many records found no room */
	PERF_RECORD_LOST,
	/* u32 pid, tid; name */
	PERF_RECORD_COMM,
	/* u32 pid, ppid, tid, ptid; u64 time */
	PERF_RECORD_EXIT,
	/* u64 time, id, stream_id */
	PERF_RECORD_THROTTLE, PERF_RECORD_UNTHROTTLE,
	/* as EXIT */
	PERF_RECORD_FORK,
	/* u32 pid, tid; what read(2) would give */
	PERF_RECORD_READ,
	/*
	 * [IDENTIFIER] u64 id  [IP] u64 ip  [TID] u32 pid, tid  [TIME] u64 time  [ADDR] u64 addr  [ID] u64 id
	 * [STREAM_ID] u64 id  [CPU] u32 cpu, 0  [PERIOD] u64 period  [READ] what read(2) would give
	 * [CALLCHAIN] u64 nr, u64 ips[nr]  [RAW] u32 size, bytes
	 * [BRANCH_STACK] u64 nr, [BRANCH_HW_INDEX] u64 index, struct perf_branch_entry[nr]
	 * [REGS_USER] u64 abi, u64 regs[bits set in the mask]  [STACK_USER] u64 size, bytes, u64 valid
	 * [WEIGHT or WEIGHT_STRUCT] union perf_sample_weight  [DATA_SRC] u64 source  [TRANSACTION] u64 txn
	 * [REGS_INTR] as REGS_USER  [PHYS_ADDR] u64 addr  [CGROUP] u64 id  [DATA_PAGE_SIZE] u64 size
	 * [CODE_PAGE_SIZE] u64 size  [AUX] u64 size, bytes
	 */
	PERF_RECORD_SAMPLE,
	/*
	 * u32 pid, tid; u64 addr, len, pgoff; u32 maj, min; u64 ino, ino_generation; u32 prot, flags; name
	 * with MISC_MMAP_BUILD_ID the 24 bytes from maj on are: u8 size, 0; u16 0; u8 build_id[20]
	 */
	PERF_RECORD_MMAP2,
	/* u64 aux_offset, aux_size, flags: PERF_AUX_FLAG_* */
	PERF_RECORD_AUX,
	/* u32 pid, tid */
	PERF_RECORD_ITRACE_START,
	/* u64 lost: samples that the hardware dropped */
	PERF_RECORD_LOST_SAMPLES,
	/* nothing: the task comes, or (MISC_SWITCH_OUT) goes */
	PERF_RECORD_SWITCH,
	/* the same in an event of a CPU: u32 pid, tid of the other task */
	PERF_RECORD_SWITCH_CPU_WIDE,
	/* u32 pid, tid; u64 nr; struct perf_ns_link_info[nr] */
	PERF_RECORD_NAMESPACES,
	/* u64 addr; u32 len; u16 type, flags; name */
	PERF_RECORD_KSYMBOL,
	/* u16 type, flags; u32 id; u8 tag[8] */
	PERF_RECORD_BPF_EVENT,
	/* u64 id; name */
	PERF_RECORD_CGROUP,
	/* u64 addr; u16 old_len, new_len; the old bytes, the new bytes */
	PERF_RECORD_TEXT_POKE,
	/* u64 hw_id */
	PERF_RECORD_AUX_OUTPUT_HW_ID,
	/* u64 cookie, nr, ips[nr]: what belongs behind PERF_CONTEXT_USER_DEFERRED and this cookie in samples before */
	PERF_RECORD_CALLCHAIN_DEFERRED,
	PERF_RECORD_MAX	/* not ABI */
};

/* NAMESPACES: what lies at each index */
struct perf_ns_link_info { __u64 dev, ino; };

enum {
	NET_NS_INDEX, UTS_NS_INDEX, IPC_NS_INDEX, PID_NS_INDEX, USER_NS_INDEX, MNT_NS_INDEX, CGROUP_NS_INDEX,
	NR_NAMESPACES
};

/* KSYMBOL: type and flags. OOL is code out of line: of kprobes and ftrace. */
enum perf_record_ksymbol_type {
	PERF_RECORD_KSYMBOL_TYPE_UNKNOWN, PERF_RECORD_KSYMBOL_TYPE_BPF, PERF_RECORD_KSYMBOL_TYPE_OOL,
	PERF_RECORD_KSYMBOL_TYPE_MAX	/* not ABI */
};

#define PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER	0x1

/* BPF_EVENT: type */
enum perf_bpf_event_type {
	PERF_BPF_EVENT_UNKNOWN, PERF_BPF_EVENT_PROG_LOAD, PERF_BPF_EVENT_PROG_UNLOAD,
	PERF_BPF_EVENT_MAX	/* not ABI */
};

/* AUX: flags */
#define PERF_AUX_FLAG_TRUNCATED			0x0001	/* did not fit */
#define PERF_AUX_FLAG_OVERWRITE			0x0002	/* a snapshot */
#define PERF_AUX_FLAG_PARTIAL			0x0004	/* has gaps */
#define PERF_AUX_FLAG_COLLISION			0x0008	/* met another sample */
#define PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK	0xff00	/* the PMU's own format: */
#define PERF_AUX_FLAG_CORESIGHT_FORMAT_CORESIGHT 0x0000
#define PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW	0x0100

/* Call chains: the defaults of the two sysctls, and the marks that say what the addresses after them are */
#define PERF_MAX_CONTEXTS_PER_STACK	8
#define PERF_MAX_STACK_DEPTH		127

enum perf_callchain_context {
	PERF_CONTEXT_HV = -32ULL, PERF_CONTEXT_KERNEL = -128ULL, PERF_CONTEXT_USER = -512ULL,
	PERF_CONTEXT_USER_DEFERRED = -640ULL,	/* a cookie follows, and nothing more: see CALLCHAIN_DEFERRED */
	PERF_CONTEXT_GUEST = -2048ULL, PERF_CONTEXT_GUEST_KERNEL = -2176ULL, PERF_CONTEXT_GUEST_USER = -2560ULL,
	PERF_CONTEXT_MAX = -4095ULL
};

#endif /* _UAPI_LINUX_PERF_EVENT_H */

/* ================================================================================================================== */

#ifndef _UAPI_LINUX_PCL_H
#define _UAPI_LINUX_PCL_H

#include <linux/types.h>

/* ---- the extension of perf_event_open(2) ------------------------------------------------------------------------- */

/* In flags: the first argument points at a struct pcl_open. A kernel without PCL refuses the bit with EINVAL. */
#define PCL_FLAG_OPEN	(1UL << 30)

/*
 * @size is the caller's sizeof. A larger one than the kernel knows is accepted if all bytes beyond are zero; else, or
 * if it is smaller than PCL_OPEN_SIZE_VER0, the call fails with E2BIG and the kernel's size is written to @size.
 *
 * Whenever the struct could be read, the kernel writes @why_reason and @why_field before the call returns: after
 * success PCL_REASON_NONE and -1. A failure that no row of the table below explains (no memory, no such task) leaves
 * them so, too. The text, ending with a zero and cut to @why_text_size bytes, goes to @why_text, if given.
 */
struct pcl_open {
	__u32 size;
	__u32 flags;			/* 0 */
	__aligned_u64 attr;		/* address of a struct perf_event_attr */
	__aligned_u64 why_text;		/* address of a buffer, or 0 */
	__u32 why_text_size;		/* bytes */
	__u32 why_reason;		/* out: enum pcl_reason */
	__s32 why_field;		/* out: offset of the field at fault in struct perf_event_attr, or -1 */
	__u32 reserved[3];		/* 0 */
};

#define PCL_OPEN_SIZE_VER0	48

/* ---- reasons ----------------------------------------------------------------------------------------------------- */

/* The field at fault: a member of struct perf_event_attr, its word of flags, its aux_action, or none of them */
#define PCL_AT(field)	((__s32)__builtin_offsetof(struct perf_event_attr, field))
#define PCL_AT_FLAGS	((__s32)(PCL_AT(read_format) + sizeof(__u64)))
#define PCL_AT_ACTION	((__s32)(PCL_AT(aux_sample_size) + sizeof(__u32)))	/* aux_action, if the header has it */
#define PCL_NOWHERE	(-1)

/*
 * Why a call is refused: X(NAME, errno, field, text), one row for each place that refuses. A program that wants texts
 * or errnos includes <errno.h> and expands the table; numbers come from enum pcl_reason. Rows are added at the end of
 * their part, so that numbers stay; each part begins at a multiple of 100.
 */

/* 100: the attr itself (attr.c) */
#define PCL_REASONS_ATTR(X)										\
	X(ATTR_SIZE_SMALL, E2BIG, PCL_AT(size), "size is smaller than the first published attr")	\
	X(ATTR_SIZE_LARGE, E2BIG, PCL_AT(size), "size is larger than a page")				\
	X(ATTR_UNKNOWN_BYTES, E2BIG, PCL_AT(size), "the attr is newer than this kernel and uses what it added") \
	X(ATTR_RESERVED_FLAGS, EINVAL, PCL_AT_FLAGS, "a reserved flag is set")				\
	X(ATTR_RESERVED_2, EINVAL, PCL_AT(__reserved_2), "reserved bytes after sample_max_stack are not zero") \
	X(ATTR_RESERVED_3, EINVAL, PCL_AT_ACTION, "aux_action has a bit that nobody knows")	\
	X(SAMPLE_TYPE_UNKNOWN, EINVAL, PCL_AT(sample_type), "sample_type has a bit that nobody knows")	\
	X(READ_FORMAT_UNKNOWN, EINVAL, PCL_AT(read_format), "read_format has a bit that nobody knows")	\
	X(BRANCH_UNKNOWN, EINVAL, PCL_AT(branch_sample_type), "branch_sample_type has a bit that nobody knows") \
	X(BRANCH_NO_KIND, EINVAL, PCL_AT(branch_sample_type), "branch_sample_type names no kind of branch") \
	X(REGS_USER_MASK, EINVAL, PCL_AT(sample_regs_user), "sample_regs_user is empty or names an unknown register") \
	X(STACK_USER_NO_DUMP, ENOSYS, PCL_AT(sample_type), "this architecture cannot dump user stacks")	\
	X(STACK_USER_LARGE, EINVAL, PCL_AT(sample_stack_user), "sample_stack_user must be below 65535")	\
	X(STACK_USER_ALIGN, EINVAL, PCL_AT(sample_stack_user), "sample_stack_user must be a multiple of 8") \
	X(REGS_INTR_MASK, EINVAL, PCL_AT(sample_regs_intr), "sample_regs_intr is empty or names an unknown register") \
	X(SAMPLE_CGROUP_CONFIG, EINVAL, PCL_AT(sample_type), "CGROUP: this kernel is built without cgroup events") \
	X(WEIGHT_TWICE, EINVAL, PCL_AT(sample_type), "WEIGHT and WEIGHT_STRUCT exclude each other")	\
	X(INHERIT_THREAD_ALONE, EINVAL, PCL_AT_FLAGS, "inherit_thread needs inherit")			\
	X(EXEC_REMOVE_ENABLE, EINVAL, PCL_AT_FLAGS, "remove_on_exec and enable_on_exec exclude each other") \
	X(SIGTRAP_STAYS, EINVAL, PCL_AT_FLAGS, "sigtrap needs remove_on_exec")				\
	X(BRANCH_PRIVILEGE, EACCES, PCL_AT(branch_sample_type), \
	  "branches of kernel or hypervisor: kernel.perf_event_paranoid forbids them")

/* 200: finding the PMU (pmu.c, software.c, trace.c, probe.c) */
#define PCL_REASONS_PMU(X)										\
	X(TYPE_UNKNOWN, ENOENT, PCL_AT(type), "no PMU has this type, or none knows this event")		\
	X(PMU_MODULE_GOING, ENODEV, PCL_AT(type), "the PMU's module is being unloaded")			\
	X(PMU_GOING, ENODEV, PCL_AT(type), "the PMU is being removed")					\
	X(PMU_NO_EXCLUDE, EINVAL, PCL_AT_FLAGS, "this PMU cannot honour exclude_* flags")		\
	X(SW_BRANCH_STACK, EOPNOTSUPP, PCL_AT(branch_sample_type), "software events have no branch stack") \
	X(CLOCK_BRANCH_STACK, EOPNOTSUPP, PCL_AT(branch_sample_type), "cpu-clock and task-clock have no branch stack") \
	X(PMU_NO_REGS, EOPNOTSUPP, PCL_AT(sample_type), "this PMU cannot record these registers")	\
	X(TRACE_BRANCH_STACK, EOPNOTSUPP, PCL_AT(branch_sample_type), "tracepoints have no branch stack")	 \
	X(TRACE_UNKNOWN, EINVAL, PCL_AT(config), "no tracepoint has this number")			\
	X(TRACE_PRIVILEGE, EPERM, PCL_AT(sample_type), \
	  "data of tracepoints takes CAP_PERFMON or kernel.perf_event_paranoid below 0")		\
	X(TRACE_COUNTS_ONLY, EPERM, PCL_AT(sample_period), "this tracepoint can be counted, not sampled") \
	X(TRACE_FUNCTION, EINVAL, PCL_AT_FLAGS, \
	  "sampling kernel functions takes exclude_callchain_user, and no user stacks")		\
	X(KPROBE_PRIVILEGE, EACCES, PCL_AT(type), "kprobes take CAP_PERFMON")				\
	X(KPROBE_BRANCH_STACK, EOPNOTSUPP, PCL_AT(branch_sample_type), "kprobes have no branch stack")	\
	X(KPROBE_PLACE, EINVAL, PCL_AT(kprobe_func), "there can be no kprobe at that place")		\
	X(UPROBE_PRIVILEGE, EACCES, PCL_AT(type), "uprobes take CAP_SYS_ADMIN")			\
	X(UPROBE_BRANCH_STACK, EOPNOTSUPP, PCL_AT(branch_sample_type), "uprobes have no branch stack")	\
	X(UPROBE_PLACE, EINVAL, PCL_AT(uprobe_path), "there can be no uprobe at that place")		\
	X(KPROBE_LOCKDOWN, EPERM, PCL_AT(type), "the kernel is locked down: no kprobes")

/* 300: opening: permission, target, group (open.c, event.c, bind.c) */
#define PCL_REASONS_OPEN(X)										\
	X(FLAGS_UNKNOWN, EINVAL, PCL_NOWHERE, "flags has a bit that nobody knows")	\
	X(OPEN_SIZE, E2BIG, PCL_NOWHERE, "struct pcl_open has a size that this kernel does not know")	\
	X(OPEN_FLAGS, EINVAL, PCL_NOWHERE, "pcl_open.flags has a bit that nobody knows")			\
	X(OPEN_RESERVED, EINVAL, PCL_NOWHERE, "reserved bytes of struct pcl_open are not zero")		\
	X(PARANOID_ANY, EACCES, PCL_NOWHERE, "kernel.perf_event_paranoid above 2 allows nobody without CAP_SYS_ADMIN") \
	X(PARANOID_KERNEL, EACCES, PCL_AT_FLAGS, \
	  "counting the kernel takes CAP_PERFMON or kernel.perf_event_paranoid below 2; exclude_kernel needs neither") \
	X(PARANOID_CPU, EACCES, PCL_NOWHERE, \
	  "counting a whole CPU takes CAP_PERFMON or kernel.perf_event_paranoid below 1") \
	X(SECURITY_MODULE, EACCES, PCL_NOWHERE, "the security module forbids it")				\
	X(FREQ_ABOVE_RATE, EINVAL, PCL_AT(sample_freq), "sample_freq is above kernel.perf_event_max_sample_rate") \
	X(PERIOD_BIT_63, EINVAL, PCL_AT(sample_period), "sample_period has bit 63 set")			\
	X(CGROUP_NEEDS_CPU, EINVAL, PCL_NOWHERE, "a cgroup's event needs both a cgroup and a CPU")		\
	X(GROUP_FD, EBADF, PCL_NOWHERE, "group_fd is no open event")					\
	X(NO_SUCH_TASK, ESRCH, PCL_NOWHERE, "no task has this pid")					\
	X(GROUP_INHERIT, EINVAL, PCL_AT_FLAGS, "inherit differs from the group leader's")			\
	X(CPU_NUMBER, EINVAL, PCL_NOWHERE, "no such CPU; -1, for any, needs a task")			\
	X(SIGTRAP_NEEDS_TASK, EINVAL, PCL_AT_FLAGS, "sigtrap needs a task to signal")			\
	X(INHERIT_READ, EINVAL, PCL_AT(sample_type), "inherit with SAMPLE_READ needs SAMPLE_TID")		\
	X(PMU_EXCLUSIVE_KIND, EBUSY, PCL_AT(type), "this PMU serves either tasks or CPUs, and is taken by the others") \
	X(MAX_STACK, EOVERFLOW, PCL_AT(sample_max_stack), "sample_max_stack is above kernel.perf_event_max_stack") \
	X(PMU_CANNOT_SAMPLE, EOPNOTSUPP, PCL_AT(sample_period), "this PMU has no interrupt, so it cannot sample") \
	X(CLOCK_NOT_NMI_SAFE, EINVAL, PCL_AT(clockid), "this clock cannot be read in the PMU's interrupt") \
	X(CLOCK_UNKNOWN, EINVAL, PCL_AT(clockid), "clockid is not a clock that samples can show")		\
	X(PMU_CPU_ONLY, EINVAL, PCL_AT(type), "this PMU counts CPUs, not tasks")				\
	X(TASK_EXITING, ESRCH, PCL_NOWHERE, "the task is exiting")					\
	X(GROUP_OF_SIBLING, EINVAL, PCL_NOWHERE, "group_fd is not the leader of its group")		\
	X(GROUP_CLOCK, EINVAL, PCL_AT(clockid), "clockid differs from the group leader's")		\
	X(GROUP_CPU, EINVAL, PCL_NOWHERE, "the CPU differs from the group leader's")			\
	X(GROUP_TARGET, EINVAL, PCL_NOWHERE, "the target differs from the group leader's")		\
	X(GROUP_PMU, EINVAL, PCL_AT(type), "the group counts on another hardware PMU")			\
	X(GROUP_EXCLUSIVE, EINVAL, PCL_AT_FLAGS, "only a group leader can be exclusive")			\
	X(GROUP_PINNED, EINVAL, PCL_AT_FLAGS, "only a group leader can be pinned")			\
	X(PTRACE, EACCES, PCL_NOWHERE, \
	  "the task is not yours to watch: that takes CAP_PERFMON or the right to trace it") \
	X(PMU_EXCLUSIVE, EBUSY, PCL_AT(type), "this PMU takes one event per target, and has it")		\
	X(TASK_GONE, ESRCH, PCL_NOWHERE, "the task exited meanwhile")					\
	X(READ_TOO_LARGE, E2BIG, PCL_AT(read_format), "reading or sampling the group would take more than 16 KiB") \
	X(CPU_OFFLINE, ENODEV, PCL_NOWHERE, "the CPU is offline")						\
	X(PMU_WENT, ENODEV, PCL_AT(type), "the PMU was removed meanwhile")	\
	X(NAMESPACES_PRIVILEGE, EACCES, PCL_AT_FLAGS, "NAMESPACES records take CAP_PERFMON, whatever the sysctls say") \
	X(TEXT_POKE_PRIVILEGE, EACCES, PCL_AT_FLAGS, \
	  "TEXT_POKE records take CAP_PERFMON or kernel.perf_event_paranoid below 2")	\
	X(PHYS_ADDR_PRIVILEGE, EACCES, PCL_AT(sample_type), \
	  "physical addresses take CAP_PERFMON or kernel.perf_event_paranoid below 2")			\
	X(REGS_INTR_LOCKDOWN, EPERM, PCL_AT(sample_type), \
	  "the kernel is locked down: registers at the interrupt could tell its secrets")		\
	X(CGROUP_CONFIG, EINVAL, PCL_NOWHERE, "this kernel is built without cgroup events")		\
	X(CGROUP_PMU, EINVAL, PCL_AT(type), "this PMU counts for several CPUs, not for cgroups")		\
	X(CGROUP_FD, EBADF, PCL_NOWHERE, "pid is no open descriptor, as that of a cgroup should be")		\
	X(CGROUP_DIRECTORY, EBADF, PCL_NOWHERE, "pid is no descriptor of a cgroup's directory")		\
	X(CGROUP_ABSENT, ENOENT, PCL_NOWHERE, \
	  "the cgroup was removed, or perf_event is not on in its hierarchy")				\
	X(GROUP_CGROUP, EINVAL, PCL_NOWHERE, "the cgroup differs from the group leader's")		\
	X(AUX_ALONE, EINVAL, PCL_NOWHERE, \
	  "aux_output, aux_sample_size, aux_pause and aux_resume need a leader that fills an AUX area")	\
	X(AUX_BOTH, EINVAL, PCL_AT_FLAGS, "aux_output and aux_sample_size exclude each other")		\
	X(AUX_OUTPUT_PMU, EOPNOTSUPP, PCL_AT_FLAGS, "this PMU cannot write to an AUX area: aux_output")	\
	X(AUX_OUTPUT_LEADER, EINVAL, PCL_AT_FLAGS, "this PMU cannot write to the group leader's AUX area: aux_output") \
	X(AUX_SAMPLE_LEADER, EINVAL, PCL_AT(aux_sample_size), \
	  "the group leader has no AUX area from which samples could be taken")			\
	X(AUX_PAUSE_BOTH, EINVAL, PCL_AT_ACTION, "aux_pause and aux_resume exclude each other")	\
	X(AUX_PAUSE_OUTPUT, EOPNOTSUPP, PCL_AT_ACTION, "aux_output excludes aux_pause and aux_resume") \
	X(AUX_PAUSE_LEADER, EINVAL, PCL_AT_ACTION, "the group leader's PMU cannot be paused")	\
	X(AUX_START_PAUSED_PMU, EOPNOTSUPP, PCL_AT_ACTION, "this PMU cannot be paused: aux_start_paused")

/* 400: using what is open: rings, ioctls, reads, mappings (file.c, attach.c, read.c, mmap.c, buffer.c, control.c) */
#define PCL_REASONS_USE(X)										\
	X(REFRESH_INHERIT, EINVAL, PCL_AT_FLAGS, "REFRESH of an inherited event")				\
	X(REFRESH_COUNTING, EINVAL, PCL_AT(sample_period), "REFRESH of an event that does not sample")	\
	X(PERIOD_COUNTING, EINVAL, PCL_AT(sample_period), "PERIOD of an event that does not sample")	\
	X(PERIOD_ZERO, EINVAL, PCL_AT(sample_period), "PERIOD of zero")					\
	X(PERIOD_RATE, EINVAL, PCL_AT(sample_freq), "PERIOD: a frequency above kernel.perf_event_max_sample_rate") \
	X(PERIOD_PMU, EINVAL, PCL_AT(sample_period), "PERIOD: the PMU cannot do it")			\
	X(PERIOD_RANGE, EINVAL, PCL_AT(sample_period), "PERIOD with bit 63 set")				\
	X(MMAP_NO_AUX, EOPNOTSUPP, PCL_NOWHERE, "the event's PMU has no AUX area to map")			\
	X(MMAP_PLACE, EINVAL, PCL_NOWHERE, "a mapping begins at offset 0, or where the control page announces AUX") \
	X(READ_SMALL, ENOSPC, PCL_AT(read_format), "the buffer is smaller than what read_format asks for") \
	X(READ_GROUP_DIFFERS, ECHILD, PCL_NOWHERE, "a child's group has other members than its parent's") \
	X(IOCTL_UNKNOWN, ENOTTY, PCL_NOWHERE, "events have no such ioctl")				\
	X(OUTPUT_FD, EBADF, PCL_NOWHERE, "SET_OUTPUT: the descriptor is no open event's")		\
	X(NO_FILTER, EINVAL, PCL_NOWHERE, "SET_FILTER: this event has no filter")			\
	X(MODIFY_TYPE, EINVAL, PCL_AT(type), "MODIFY_ATTRIBUTES cannot change the type")		\
	X(MODIFY_FIXED, EOPNOTSUPP, PCL_AT(type), "MODIFY_ATTRIBUTES is for breakpoints only")		\
	X(MODIFY_BREAKPOINT, EINVAL, PCL_AT(bp_addr), "MODIFY_ATTRIBUTES: the breakpoint cannot be so") \
	X(OUTPUT_SELF, EINVAL, PCL_NOWHERE, "an event cannot be redirected to itself") \
	X(OUTPUT_CPU, EINVAL, PCL_NOWHERE, "the two events are not of the same CPU") \
	X(OUTPUT_TASK, EINVAL, PCL_NOWHERE, "the two events are not of the same task") \
	X(OUTPUT_CLOCK, EINVAL, PCL_AT(clockid), "the two events use different clocks") \
	X(OUTPUT_BACKWARD, EINVAL, PCL_AT_FLAGS, "one of the two events writes backward, the other does not") \
	X(OUTPUT_MAPPED, EINVAL, PCL_NOWHERE, "the event's own ring is mapped") \
	X(OUTPUT_NO_RING, EINVAL, PCL_NOWHERE, "the other event has no ring") \
	X(OUTPUT_RING_GONE, EINVAL, PCL_NOWHERE, "the other event's ring is being unmapped") \
	X(PAUSE_NO_RING, EINVAL, PCL_NOWHERE, "the event has no ring with room for records") \
	X(MMAP_INHERITED, EINVAL, PCL_NOWHERE, "an inherited event must be confined to a CPU to be mapped") \
	X(MMAP_PRIVATE, EINVAL, PCL_NOWHERE, "the mapping must be shared") \
	X(MMAP_PAGES, EINVAL, PCL_NOWHERE, "the mapping must be one page and, for records, a power of two more") \
	X(MMAP_OTHER_SIZE, EINVAL, PCL_NOWHERE, "the event's ring has another size") \
	X(MMAP_MLOCK, EPERM, PCL_NOWHERE, "kernel.perf_event_mlock_kb and RLIMIT_MEMLOCK allow no more locked memory") \
	X(FILTER_TWICE, EEXIST, PCL_NOWHERE, "SET_FILTER: the event has a filter already") \
	X(FILTER_TEXT, EINVAL, PCL_NOWHERE, "SET_FILTER: no filter that this tracepoint's fields allow") \
	X(BPF_FD, EBADF, PCL_NOWHERE, "SET_BPF: the descriptor is no BPF program's")			\
	X(BPF_TWICE, EEXIST, PCL_NOWHERE, "the event has a BPF program already")			\
	X(BPF_TYPE, EINVAL, PCL_NOWHERE, "only BPF programs of the type PERF_EVENT run at overflows")	\
	X(BPF_PRECISE_STACK, EPROTO, PCL_AT_FLAGS, \
	  "with precise_ip, a BPF program can have stacks only if the samples have the whole call chain") \
	X(BPF_NO_PLACE, EINVAL, PCL_NOWHERE, "BPF programs run at tracepoints, system calls and probes; this is none") \
	X(BPF_TRACE_TYPE, EINVAL, PCL_NOWHERE, \
	  "probes run BPF programs of the type KPROBE, tracepoints and system calls those of TRACEPOINT") \
	X(BPF_SLEEPS, EINVAL, PCL_NOWHERE, "BPF programs that sleep run at uprobes only")		\
	X(BPF_OVERRIDES, EINVAL, PCL_NOWHERE, "BPF programs that override a function run at kprobes only") \
	X(BPF_FIELDS, EACCES, PCL_NOWHERE, "the BPF program reads beyond the fields of this tracepoint") \
	X(BPF_TRACE_TWICE, EEXIST, PCL_NOWHERE, \
	  "the event has a BPF program already, or its tracepoint has this one with this cookie")	\
	X(BPF_TRACE_FULL, E2BIG, PCL_NOWHERE, "the tracepoint has as many BPF programs as it can")	\
	X(BPF_TRACE_PLACE, EINVAL, PCL_NOWHERE, "the BPF program cannot override this function")	\
	X(MMAP_AUX_ALONE, EINVAL, PCL_NOWHERE, "an AUX area is mapped behind a ring, which is not mapped") \
	X(MMAP_OTHER_AUX, EINVAL, PCL_NOWHERE, "the event's AUX area has another place or size") \
	X(ADDR_FILTER_TEXT, EINVAL, PCL_NOWHERE, \
	  "an address filter is the word filter, start or stop, then ADDRESS[/SIZE][@FILE]")			\
	X(ADDR_FILTER_NUMBER, ERANGE, PCL_NOWHERE, "an address filter has a number above 64 bits")	\
	X(ADDR_FILTER_SIZE, EINVAL, PCL_NOWHERE, "an address filter with the word filter needs a size")	\
	X(ADDR_FILTER_CPU, EOPNOTSUPP, PCL_NOWHERE, "address filters of files are for events of tasks")	\
	X(ADDR_FILTER_FILE, ENOENT, PCL_NOWHERE, "the file of an address filter cannot be found")		\
	X(ADDR_FILTER_REGULAR, EINVAL, PCL_NOWHERE, "the file of an address filter is none that holds code") \
	X(ADDR_FILTER_MANY, EOPNOTSUPP, PCL_NOWHERE, "there are more address filters than the PMU has")	\
	X(ADDR_FILTER_PMU, EOPNOTSUPP, PCL_NOWHERE, "the PMU cannot do these address filters")

/* 500: PMU drivers (arch) */
#define PCL_REASONS_DRIVER(X)										\
	X(X86_PERIOD_SHORT, EINVAL, PCL_AT(sample_period), "the period is shorter than this processor can do") \
	X(X86_XMM_USER, EINVAL, PCL_AT(sample_regs_user), "vector registers of user code cannot be sampled") \
	X(X86_XMM_INTR, EINVAL, PCL_AT(sample_regs_intr), "vector registers cannot be sampled here") \
	X(X86_EXTRA_BITS, EINVAL, PCL_AT(config1), "config1 has bits that the register it is for does not have") \
	X(X86_GENERIC_UNKNOWN, EINVAL, PCL_AT(config), "no generic hardware event has this number") \
	X(X86_GENERIC_ABSENT, ENOENT, PCL_AT(config), "this processor does not have that generic event") \
	X(X86_CACHE_UNIT, EINVAL, PCL_AT(config), "config names no cache (bits 7:0)") \
	X(X86_CACHE_OP, EINVAL, PCL_AT(config), "config names no cache operation (bits 15:8)") \
	X(X86_CACHE_RESULT, EINVAL, PCL_AT(config), "config names no cache result (bits 23:16)") \
	X(X86_CACHE_ABSENT, ENOENT, PCL_AT(config), "this processor does not count that cache event") \
	X(X86_CACHE_SENSELESS, EINVAL, PCL_AT(config), "this cache has no such operation") \
	X(X86_ANY_ABSENT, EINVAL, PCL_AT(config), "this processor cannot count any thread of the core") \
	X(X86_ANY_PRIVILEGE, EACCES, PCL_AT(config), \
	  "any thread: kernel.perf_event_paranoid forbids to watch the whole CPU") \
	X(X86_TX_ANY, EOPNOTSUPP, PCL_AT(config), "in_tx and in_tx_cp do not go with any thread") \
	X(X86_TX_SAMPLING, EOPNOTSUPP, PCL_AT(sample_period), "in_tx_cp can be counted, not sampled") \
	X(X86_NO_COUNTER, EINVAL, PCL_AT(config), "no counter of this processor can count that event") \
	X(X86_GROUP_NEVER_FITS, EINVAL, PCL_NOWHERE, "the group needs more counters than this processor has") \
	X(X86_PERIOD_TO_ONE, EINVAL, PCL_AT(sample_period), "the new period would make it branch tracing") \
	X(X86_PERIOD_TO_SHORT, EINVAL, PCL_AT(sample_period), "the new period is shorter than this processor can do") \
	X(X86_AUX_OUTPUT_IMPRECISE, EINVAL, PCL_AT_FLAGS, \
	  "aux_output is for precise samples alone, and precise_ip is 0")

/* 600: SPARC's PMU driver */
#define PCL_REASONS_SPARC(X)										\
	X(SPARC_BRANCH_STACK, EOPNOTSUPP, PCL_AT(branch_sample_type), "this processor does not record branches") \
	X(SPARC_PRECISE, EOPNOTSUPP, PCL_AT_FLAGS, \
	  "this processor does not tell which instruction made a counter overflow: precise_ip must be 0") \
	X(SPARC_GENERIC_UNKNOWN, EINVAL, PCL_AT(config), "there is no generic event of this number")	\
	X(SPARC_GENERIC_ABSENT, ENOENT, PCL_AT(config), "no event of this processor is that generic event") \
	X(SPARC_CACHE_UNIT, EINVAL, PCL_AT(config), "the lowest byte of config names no cache")		\
	X(SPARC_CACHE_OP, EINVAL, PCL_AT(config), "the second byte of config names no cache operation")	\
	X(SPARC_CACHE_RESULT, EINVAL, PCL_AT(config), "the third byte of config names no cache result")	\
	X(SPARC_CACHE_SENSELESS, EINVAL, PCL_AT(config), "nothing writes to an instruction cache")	\
	X(SPARC_CACHE_ABSENT, ENOENT, PCL_AT(config), "no event of this processor is that cache event")	\
	X(SPARC_RAW_BITS, EINVAL, PCL_AT(config), \
	  "config has a bit that is neither of an event's code nor of its counters on this processor")	\
	X(SPARC_RAW_NO_COUNTER, EINVAL, PCL_AT(config), "config names no counter: bit 0 is PIC1, bit 1 is PIC0") \
	X(SPARC_RAW_UNKNOWN, EINVAL, PCL_AT(config), \
	  "this processor has no event of that code on each of the counters that config names")		\
	X(SPARC_WRAPS, EOPNOTSUPP, PCL_AT(sample_period), \
	  "the counters of this processor wrap without an interrupt: they can count, and not sample")	\
	X(SPARC_ERRATUM_108, EOPNOTSUPP, PCL_AT(sample_period), \
	  "erratum 108: loads that miss the second level cache can be counted, and not sampled")	\
	X(SPARC_GROUP_LEVELS, EINVAL, PCL_NOWHERE, \
	  "the counters share their privilege levels: events of a group must have the same exclude bits") \
	X(SPARC_GROUP_NEVER_FITS, EINVAL, PCL_NOWHERE, "the group has more events than counters for them")

/* 700: IA-64's PMU driver */
#define PCL_REASONS_IA64(X)										\
	X(IA64_BRANCH_KIND, EOPNOTSUPP, PCL_AT(branch_sample_type), \
	  "the branch trace buffer captures all taken branches; since Itanium 2 also returns, or both indirect kinds") \
	X(IA64_PRECISE, EOPNOTSUPP, PCL_AT_FLAGS, \
	  "precise_ip is for the events of event address registers, or with ip_ear: no other tells where it happened") \
	X(IA64_OPCODE_BITS, EINVAL, PCL_AT(config1), \
	  "config1 or config2 has a bit that belongs to no field of this processor's opcode matchers")	\
	X(IA64_OPCODE_EVENT, EINVAL, PCL_AT(config1), "the event counts the same whatever the opcode matchers say") \
	X(IA64_OPCODE_TYPES, EINVAL, PCL_AT(config1), "config1 names no type of slot, so no instruction matches") \
	X(IA64_GENERIC_UNKNOWN, EINVAL, PCL_AT(config), "config is the number of no generic event")	\
	X(IA64_GENERIC_ABSENT, ENOENT, PCL_AT(config), "no counter of this processor counts that generic event") \
	X(IA64_CACHE_UNIT, EINVAL, PCL_AT(config), "bits 7:0 of config name no cache")			\
	X(IA64_CACHE_OP, EINVAL, PCL_AT(config), "bits 15:8 of config name no cache operation")		\
	X(IA64_CACHE_RESULT, EINVAL, PCL_AT(config), "bits 23:16 of config name no cache result")	\
	X(IA64_CACHE_SENSELESS, EINVAL, PCL_AT(config), "instruction caches are not written")		\
	X(IA64_CACHE_ABSENT, ENOENT, PCL_AT(config), "no counter of this processor counts that cache event") \
	X(IA64_RAW_BITS, EINVAL, PCL_AT(config), \
	  "config has a bit that is of no field: this PMU's directory format in sysfs names them")	\
	X(IA64_RAW_UNKNOWN, EINVAL, PCL_AT(config), "this processor has no event of that number and unit mask") \
	X(IA64_BOTH_THREADS, EOPNOTSUPP, PCL_AT(config), "all: both threads of a core are not counted together") \
	X(IA64_UP_NO_TASK, EINVAL, PCL_AT(config), \
	  "up: psr.up is each program's own, so events that it starts and stops are for tasks, not for CPUs") \
	X(IA64_THRESHOLD, EINVAL, PCL_AT(config), \
	  "the event does not happen more often than that in one cycle: the threshold would count nothing") \
	X(IA64_ISM_NONE, EINVAL, PCL_AT(config), "ism: 3 names no instruction set")			\
	X(IA64_ISM_IA32, EOPNOTSUPP, PCL_AT(config), "ism: this processor does not execute IA-32 instructions itself") \
	X(IA64_STATES, EINVAL, PCL_AT(config), "mesi: the event does not tell states of lines apart")	\
	X(IA64_GROUP_OPCODES, EINVAL, PCL_NOWHERE, \
	  "events of the group look at the same opcode matcher, and want different opcodes")		\
	X(IA64_GROUP_CANCELS, EINVAL, PCL_NOWHERE, \
	  "events of two kinds of cancelled requests of the second level's queue cannot be counted together") \
	X(IA64_GROUP_UMASK, EINVAL, PCL_NOWHERE, \
	  "the group's events of one set of the second level cache have different unit masks, and share one") \
	X(IA64_GROUP_SETS, EINVAL, PCL_NOWHERE, \
	  "a cache's events are in more sets than can be counted together, or none can be on the set's own counter") \
	X(IA64_GROUP_NEVER_FITS, EINVAL, PCL_NOWHERE, "the group's events find no place on these counters")	\
	X(IA64_PRECISE_DEGREE, EOPNOTSUPP, PCL_AT_FLAGS, \
	  "precise_ip: data's event address register is precise to degree 2, that of instructions and ip_ear to 1") \
	X(IA64_EAR_EVENT, EINVAL, PCL_AT(config), \
	  "ear_mode and ear_umask are for the events of event address registers")			\
	X(IA64_EAR_MODE, EINVAL, PCL_AT(config), "ear_mode: this event address register has no such mode") \
	X(IA64_EAR_UMASK, EINVAL, PCL_AT(config), "ear_umask names no latency or level of this mode")	\
	X(IA64_EAR_TRACE, EINVAL, PCL_AT(sample_type), \
	  "while a data event address register looks at TLB or ALAT, the branch trace buffer must be off") \
	X(IA64_GROUP_IEAR, EINVAL, PCL_NOWHERE, \
	  "events of the group want other settings of the instruction event address register")		\
	X(IA64_GROUP_DEAR, EINVAL, PCL_NOWHERE, \
	  "events of the group want other settings of the data event address register")			\
	X(IA64_GROUP_TRACE, EINVAL, PCL_NOWHERE, \
	  "events of the group want other branches in the branch trace buffer, or at other privilege levels") \
	X(IA64_GROUP_EAR_TRACE, EINVAL, PCL_NOWHERE, \
	  "the group has a data event address register that looks at TLB or ALAT, and the branch trace buffer on") \
	X(IA64_IPEAR_CHIP, EOPNOTSUPP, PCL_AT(config), "ip_ear: this processor has no such register")	\
	X(IA64_IPEAR_COUNTS, EINVAL, PCL_AT(config), "ip_ear: an event that is not sampled has no use for it") \
	X(IA64_IPEAR_TRACE, EINVAL, PCL_AT(config), \
	  "ip_ear: the addresses come into the execution trace buffer, which then has no branches")	\
	X(IA64_GROUP_IPEAR, EINVAL, PCL_NOWHERE, \
	  "events of the group want the execution trace buffer for addresses and for branches, or other delays") \
	X(IA64_RANGE_BOTH, EINVAL, PCL_AT(config), "irange and drange: config1 and config2 are the ends of one") \
	X(IA64_RANGE_CHIP, EOPNOTSUPP, PCL_AT(config), \
	  "drange: this processor has that in its data event address register, where it is not driven")	\
	X(IA64_RANGE_EVENT, EINVAL, PCL_AT(config), "the event counts the same whatever the address range says") \
	X(IA64_RANGE_PAIR, EOPNOTSUPP, PCL_AT(config), \
	  "irange: the event looks at other debug registers than the first, which have no range here")	\
	X(IA64_RANGE_SHAPE, EINVAL, PCL_AT(config1), \
	  "debug registers have no such range: a power of two, aligned, or for irange pairs of bundles in a page") \
	X(IA64_RANGE_NO_TASK, EINVAL, PCL_AT(config), \
	  "the debug registers are each task's own, so address ranges are for events of tasks, not of CPUs")	\
	X(IA64_RANGE_PTRACE, EBUSY, PCL_AT(config), "the task's debug registers are in use: a debugger has set them") \
	X(IA64_GROUP_RANGE, EINVAL, PCL_NOWHERE, \
	  "an address range restricts all events that can be restricted: those of the group want other ranges, or none")

/*
 * 901, 908: what stock has and PCL does not have yet. The numbers before, between and up to 913 that are free were of
 * such as are built by now, and are not given again.
 */
#define PCL_REASONS_UNBUILT(X)										\
	X(UNBUILT_BRANCH_STACK, EOPNOTSUPP, PCL_AT(sample_type), "this driver cannot sample branch stacks yet")

#define PCL_REASONS_UNBUILT_2(X)									\
	X(UNBUILT_PRECISE, EOPNOTSUPP, PCL_AT_FLAGS, "precise_ip is not built yet") \
	X(UNBUILT_EXTRA_REG, EINVAL, PCL_AT(config), \
	  "events with a second register (offcore response, load latency, frontend) are not built yet") \
	X(UNBUILT_BTS, EOPNOTSUPP, PCL_AT(sample_period), \
	  "branch tracing (branches with a period of 1) is not built yet") \
	X(UNBUILT_TOPDOWN, EINVAL, PCL_AT(config), "top-down metrics are not built yet") \
	X(UNBUILT_PAIR, EINVAL, PCL_AT(config), "events that need a pair of counters are not built yet")

#define PCL_REASONS(X)											\
	PCL_REASONS_ATTR(X) PCL_REASONS_PMU(X) PCL_REASONS_OPEN(X) PCL_REASONS_USE(X)			\
	PCL_REASONS_DRIVER(X) PCL_REASONS_SPARC(X) PCL_REASONS_IA64(X) PCL_REASONS_UNBUILT(X) PCL_REASONS_UNBUILT_2(X)

#define PCL_REASON_NUMBER(name, errnum, field, text) PCL_REASON_##name,

enum pcl_reason {
	PCL_REASON_NONE,
	PCL_REASON_PART_ATTR = 99, PCL_REASONS_ATTR(PCL_REASON_NUMBER)
	PCL_REASON_PART_PMU = 199, PCL_REASONS_PMU(PCL_REASON_NUMBER)
	PCL_REASON_PART_OPEN = 299, PCL_REASONS_OPEN(PCL_REASON_NUMBER)
	PCL_REASON_PART_USE = 399, PCL_REASONS_USE(PCL_REASON_NUMBER)
	PCL_REASON_PART_DRIVER = 499, PCL_REASONS_DRIVER(PCL_REASON_NUMBER)
	PCL_REASON_PART_SPARC = 599, PCL_REASONS_SPARC(PCL_REASON_NUMBER)
	PCL_REASON_PART_IA64 = 699, PCL_REASONS_IA64(PCL_REASON_NUMBER)
	PCL_REASON_PART_UNBUILT = 900, PCL_REASONS_UNBUILT(PCL_REASON_NUMBER)
	PCL_REASON_PART_UNBUILT_2 = 907, PCL_REASONS_UNBUILT_2(PCL_REASON_NUMBER)
	PCL_REASON_MAX	/* not ABI */
};

#undef PCL_REASON_NUMBER

#endif /* _UAPI_LINUX_PCL_H */
