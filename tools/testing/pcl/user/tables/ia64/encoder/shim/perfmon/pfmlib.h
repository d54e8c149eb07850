/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for libpfm3's header of this name, which libpfm4 does not have: what is asked of the encoders of Itanium's
 * chips, and what they answer. Names are those that libpfm4's files use; what they mean follows from the use.
 *
 * Numbers that only these files know are any. Those that reach a register are the register's, and say where from.
 */
#ifndef PCL_ENCODER_PFMLIB_H
#define PCL_ENCODER_PFMLIB_H

/* More than any chip has: PMC42, PMD63, and what is written beside those that count */
#define PFMLIB_MAX_PMCS		64
#define PFMLIB_MAX_PMDS		64
#define PFMLIB_MAX_EVENTS	16

#define PFMLIB_PFP_SYSTEMWIDE	1	/* flags: the gate is psr.pp */
#define PFMLIB_CNT_FIRST	(-1)	/* any counter */

enum {
	PFMLIB_SUCCESS, PFMLIB_ERR_NOTSUPP = -1, PFMLIB_ERR_INVAL = -2, PFMLIB_ERR_TOOMANY = -3,
	PFMLIB_ERR_NOASSIGN = -4, PFMLIB_ERR_EVTSET = -5, PFMLIB_ERR_EVTINCOMP = -6, PFMLIB_ERR_FEATCOMB = -7,
	PFMLIB_ERR_IRRINVAL = -8, PFMLIB_ERR_IRRALIGN = -9, PFMLIB_ERR_IRRTOOMANY = -10, PFMLIB_ERR_IRRTOOBIG = -11,
	PFMLIB_ERR_IRRFLAGS = -12, PFMLIB_ERR_DRRINVAL = -13, PFMLIB_ERR_DRRTOOMANY = -14,
};

enum { PFMLIB_ITANIUM_PMU, PFMLIB_ITANIUM2_PMU, PFMLIB_MONTECITO_PMU };

/* Registers, by number */
typedef struct { unsigned long bits[1]; } pfmlib_regmask_t;

typedef struct {
	unsigned int event;		/* its place in the chip's table */
	unsigned int plm;		/* privilege levels, as in a PMC; 0: those of the whole */
	unsigned int unit_masks[4], num_masks;	/* Montecito: line states, 0 invalid to 3 modified */
} pfmlib_event_t;

typedef struct {
	unsigned int reg_num, reg_addr, reg_alt_addr;
	unsigned long reg_value;
} pfmlib_reg_t;

typedef struct {
	unsigned int pfp_event_count, pfp_dfl_plm, pfp_flags;
	pfmlib_event_t pfp_events[PFMLIB_MAX_EVENTS];
	pfmlib_regmask_t pfp_unavail_pmcs;
} pfmlib_input_param_t;

typedef struct {
	unsigned int pfp_pmc_count, pfp_pmd_count;
	pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS], pfp_pmds[PFMLIB_MAX_PMDS];
} pfmlib_output_param_t;

/*
 * ---- what every chip has under names of its own ------------------------------------------------------------------
 */

/* Instruction sets, as PMC[n].ism has them on Itanium and Itanium 2 (libpfm4: pmc_ita2_counter_reg) */
#define SHIM_ISM_BOTH		0

/* What was missed, as the data register's mode has it (the .c files print what 0 and 1 mean; 2 is what is left) */
enum shim_ear_mode { SHIM_EAR_CACHE, SHIM_EAR_TLB, SHIM_EAR_ALAT };

struct shim_counter {
	unsigned int flags, thres, ism;
};

struct shim_ear {
	unsigned int ear_used, ear_plm, ear_umask, ear_ism;
	enum shim_ear_mode ear_mode;
};

/* An opcode matcher that is one register, as that has it */
struct shim_opcode {
	unsigned int opcm_used;
	unsigned long pmc_val;
};

/* Ranges of addresses: up to four, the first that is empty ends them */
struct shim_range {
	unsigned long rr_start, rr_end;
	unsigned int rr_plm;
};

struct shim_ranges {
	unsigned int rr_used, rr_flags;
	struct shim_range rr_limits[4];
};

/* How far what a range became begins before it, and ends behind it */
struct shim_offsets {
	unsigned long rr_soff, rr_eoff;
};

/* Debug registers, IBR or DBR */
struct shim_debug {
	unsigned int rr_nbr_used;
	pfmlib_reg_t rr_br[8];
	struct shim_offsets rr_infos[4];
};

#endif
