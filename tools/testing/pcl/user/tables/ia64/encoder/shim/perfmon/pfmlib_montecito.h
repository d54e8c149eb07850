/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for libpfm3's header of this name: what can be asked of Montecito beyond events.
 */
#ifndef PCL_ENCODER_PFMLIB_MONTECITO_H
#define PCL_ENCODER_PFMLIB_MONTECITO_H

#include <perfmon/pfmlib.h>

/*
 * PMC0 to PMC15 and PMC32 to PMC42; PMD4 to PMD15, PMD32 to PMD39 and PMD48 to PMD63 (pfm_mont_get_impl_pmds), of which
 * the first twelve count in 47 bits (libpfm4: pmd_mont_counter_reg)
 */
#define PMU_MONT_NUM_PMCS	27
#define PMU_MONT_NUM_PMDS	36
#define PMU_MONT_FIRST_COUNTER	4
#define PMU_MONT_NUM_COUNTERS	12
#define PMU_MONT_COUNTER_WIDTH	47

#define PFMLIB_MONT_EAR_CACHE_MODE	SHIM_EAR_CACHE
#define PFMLIB_MONT_EAR_TLB_MODE	SHIM_EAR_TLB
#define PFMLIB_MONT_EAR_ALAT_MODE	SHIM_EAR_ALAT

typedef enum shim_ear_mode pfmlib_mont_ear_mode_t;
typedef struct shim_range pfmlib_mont_input_rr_desc_t;
typedef struct shim_ranges pfmlib_mont_input_rr_t;
typedef struct shim_offsets pfmlib_mont_output_rr_desc_t;
typedef struct shim_debug pfmlib_mont_output_rr_t;

/* An opcode matcher: types of slots, 41 bits to match, and as many that do not matter (libpfm4: pmc32_34_mont_reg) */
typedef struct {
	unsigned int opcm_used, opcm_m, opcm_i, opcm_f, opcm_b;
	unsigned long opcm_match, opcm_mask;
} pfmlib_mont_opcm_t;

/* The execution trace buffer, by the fields of PMC39 (libpfm4: pmc39_mont_reg) */
typedef struct {
	unsigned int etb_used, etb_plm, etb_tm, etb_ptm, etb_ppm, etb_brt;
} pfmlib_mont_etb_t;

/* The same for addresses of what retired: PMC42 (libpfm4: pmc42_mont_reg) */
typedef struct {
	unsigned int ipear_used, ipear_plm, ipear_delay;
} pfmlib_mont_ipear_t;

typedef struct {
	struct shim_counter pfp_mont_counters[PMU_MONT_NUM_COUNTERS];
	pfmlib_mont_opcm_t pfp_mont_opcm1, pfp_mont_opcm2;
	struct shim_ear pfp_mont_iear, pfp_mont_dear;
	pfmlib_mont_etb_t pfp_mont_etb;
	pfmlib_mont_ipear_t pfp_mont_ipear;
	pfmlib_mont_input_rr_t pfp_mont_irange, pfp_mont_drange;
} pfmlib_mont_input_param_t;

typedef struct {
	pfmlib_mont_output_rr_t pfp_mont_irange, pfp_mont_drange;
} pfmlib_mont_output_param_t;

int pfm_mont_get_ear_mode(unsigned int i, pfmlib_mont_ear_mode_t *m);
int pfm_mont_get_event_maxincr(unsigned int i, unsigned int *maxincr);
int pfm_mont_get_event_umask(unsigned int i, unsigned long *umask);
int pfm_mont_get_event_group(unsigned int i, int *grp);
int pfm_mont_get_event_set(unsigned int i, int *set);
int pfm_mont_is_iear(unsigned int i);
int pfm_mont_is_dear(unsigned int i);
int pfm_mont_is_etb(unsigned int i);
int pfm_mont_support_iarr(unsigned int i);
int pfm_mont_support_darr(unsigned int i);
int pfm_mont_support_opcm(unsigned int i);

#endif
