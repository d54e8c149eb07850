/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for libpfm3's header of this name: what can be asked of Itanium ("Merced") beyond events.
 */
#ifndef PCL_ENCODER_PFMLIB_ITANIUM_H
#define PCL_ENCODER_PFMLIB_ITANIUM_H

#include <perfmon/pfmlib.h>

/* PMC0 to PMC13, PMD0 to PMD17, of which PMD4 to PMD7 count in 32 bits (libpfm4: pmd_ita_counter_reg) */
#define PMU_ITA_NUM_PMCS	14
#define PMU_ITA_NUM_PMDS	18
#define PMU_ITA_FIRST_COUNTER	4
#define PMU_ITA_NUM_COUNTERS	4
#define PMU_ITA_COUNTER_WIDTH	32

#define PFMLIB_ITA_FL_EVT_NO_QUALCHECK	1
#define PFMLIB_ITA_ISM_BOTH		SHIM_ISM_BOTH
#define PFMLIB_ITA_EAR_CACHE_MODE	SHIM_EAR_CACHE
#define PFMLIB_ITA_EAR_TLB_MODE		SHIM_EAR_TLB

typedef enum shim_ear_mode pfmlib_ita_ear_mode_t;
typedef struct shim_range pfmlib_ita_input_rr_desc_t;
typedef struct shim_ranges pfmlib_ita_input_rr_t;
typedef struct shim_offsets pfmlib_ita_output_rr_desc_t;
typedef struct shim_debug pfmlib_ita_output_rr_t;

/* The branch trace buffer, by the fields of PMC12 (libpfm4: pmc12_ita_reg; tac is its bpt) */
typedef struct {
	unsigned int btb_used, btb_plm, btb_tar, btb_tm, btb_ptm, btb_ppm, btb_tac, btb_bac;
} pfmlib_ita_btb_t;

typedef struct {
	struct shim_counter pfp_ita_counters[PMU_ITA_NUM_COUNTERS];
	struct shim_opcode pfp_ita_pmc8, pfp_ita_pmc9;
	struct shim_ear pfp_ita_iear, pfp_ita_dear;
	pfmlib_ita_btb_t pfp_ita_btb;
	pfmlib_ita_input_rr_t pfp_ita_irange, pfp_ita_drange;
} pfmlib_ita_input_param_t;

typedef struct {
	pfmlib_ita_output_rr_t pfp_ita_irange, pfp_ita_drange;
} pfmlib_ita_output_param_t;

int pfm_ita_get_ear_mode(unsigned int i, pfmlib_ita_ear_mode_t *m);
int pfm_ita_get_event_maxincr(unsigned int i, unsigned int *maxincr);
int pfm_ita_get_event_umask(unsigned int i, unsigned long *umask);
int pfm_ita_is_iear(unsigned int i);
int pfm_ita_is_dear(unsigned int i);
int pfm_ita_is_btb(unsigned int i);
int pfm_ita_support_iarr(unsigned int i);
int pfm_ita_support_darr(unsigned int i);
int pfm_ita_support_opcm(unsigned int i);

#endif
