/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for libpfm3's header of this name: what can be asked of Itanium 2 beyond events.
 */
#ifndef PCL_ENCODER_PFMLIB_ITANIUM2_H
#define PCL_ENCODER_PFMLIB_ITANIUM2_H

#include <perfmon/pfmlib.h>

/* PMC0 to PMC15, PMD0 to PMD17, of which PMD4 to PMD7 count in 47 bits (libpfm4: pmd_ita2_counter_reg) */
#define PMU_ITA2_NUM_PMCS	16
#define PMU_ITA2_NUM_PMDS	18
#define PMU_ITA2_FIRST_COUNTER	4
#define PMU_ITA2_NUM_COUNTERS	4
#define PMU_ITA2_COUNTER_WIDTH	47

#define PFMLIB_ITA2_ISM_BOTH		SHIM_ISM_BOTH
#define PFMLIB_ITA2_EAR_CACHE_MODE	SHIM_EAR_CACHE
#define PFMLIB_ITA2_EAR_TLB_MODE	SHIM_EAR_TLB
#define PFMLIB_ITA2_EAR_ALAT_MODE	SHIM_EAR_ALAT

typedef enum shim_ear_mode pfmlib_ita2_ear_mode_t;
typedef struct shim_range pfmlib_ita2_input_rr_desc_t;
typedef struct shim_ranges pfmlib_ita2_input_rr_t;
typedef struct shim_offsets pfmlib_ita2_output_rr_desc_t;
typedef struct shim_debug pfmlib_ita2_output_rr_t;

/* The branch trace buffer, by the fields of PMC12 (libpfm4: pmc12_ita2_reg) */
typedef struct {
	unsigned int btb_used, btb_plm, btb_ds, btb_tm, btb_ptm, btb_ppm, btb_brt;
} pfmlib_ita2_btb_t;

typedef struct {
	struct shim_counter pfp_ita2_counters[PMU_ITA2_NUM_COUNTERS];
	struct shim_opcode pfp_ita2_pmc8, pfp_ita2_pmc9;
	struct shim_ear pfp_ita2_iear, pfp_ita2_dear;
	pfmlib_ita2_btb_t pfp_ita2_btb;
	pfmlib_ita2_input_rr_t pfp_ita2_irange, pfp_ita2_drange;
} pfmlib_ita2_input_param_t;

typedef struct {
	pfmlib_ita2_output_rr_t pfp_ita2_irange, pfp_ita2_drange;
} pfmlib_ita2_output_param_t;

int pfm_ita2_get_ear_mode(unsigned int i, pfmlib_ita2_ear_mode_t *m);
int pfm_ita2_get_event_maxincr(unsigned int i, unsigned int *maxincr);
int pfm_ita2_get_event_umask(unsigned int i, unsigned long *umask);
int pfm_ita2_get_event_group(unsigned int i, int *grp);
int pfm_ita2_get_event_set(unsigned int i, int *set);
int pfm_ita2_is_iear(unsigned int i);
int pfm_ita2_is_dear(unsigned int i);
int pfm_ita2_is_btb(unsigned int i);
int pfm_ita2_support_iarr(unsigned int i);
int pfm_ita2_support_darr(unsigned int i);
int pfm_ita2_support_opcm(unsigned int i);

#endif
