/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for libpfm3's header of this name, and goes before that which libpfm4 has: a chip as its encoder offers it,
 * and what the library around it has for it (library.c).
 */
#ifndef PCL_ENCODER_PFMLIB_PRIV_H
#define PCL_ENCODER_PFMLIB_PRIV_H

#include <perfmon/pfmlib.h>

typedef struct {
	char *pmu_name;
	int pmu_type;
	unsigned int pme_count, pmc_count, pmd_count, num_cnt;
	int (*get_event_code)(unsigned int i, unsigned int cnt, int *code);
	char *(*get_event_name)(unsigned int i);
	void (*get_event_counters)(unsigned int i, pfmlib_regmask_t *counters);
	int (*dispatch_events)(pfmlib_input_param_t *in, void *model_in, pfmlib_output_param_t *out, void *model_out);
	int (*pmu_detect)(void);
	void (*get_impl_pmcs)(pfmlib_regmask_t *pmcs);
	void (*get_impl_pmds)(pfmlib_regmask_t *pmds);
	void (*get_impl_counters)(pfmlib_regmask_t *counters);
	void (*get_hw_counter_width)(unsigned int *width);
	int (*get_event_desc)(unsigned int i, char **text);
	int (*get_cycle_event)(pfmlib_event_t *event);
	int (*get_inst_retired_event)(pfmlib_event_t *event);
	unsigned int (*get_num_event_masks)(unsigned int i);
	char *(*get_event_mask_name)(unsigned int i, unsigned int mask);
	int (*get_event_mask_desc)(unsigned int i, unsigned int mask, char **text);
	int (*get_event_mask_code)(unsigned int i, unsigned int mask, unsigned int *code);
} pfm_pmu_support_t;

extern pfm_pmu_support_t itanium_support, itanium2_support, montecito_support;

/* What the encoders ask of the library */
int pfm_get_event_code(unsigned int i, int *code);
void pfm_get_impl_counters(pfmlib_regmask_t *counters);

/* What they tell while they work: registers, as text */
void __pfm_vbprintf(const char *format, ...);
#define PFMLIB_DEBUG()		0
#define PFMLIB_VERBOSE()	0
#define DPRINT(...)		do { } while (0)

/* @bits of an address are cleared. */
#define ALIGN_DOWN(address, bits)	((address) & ~((1UL << (bits)) - 1))

static inline int pfm_regmask_isset(const pfmlib_regmask_t *mask, unsigned int nr)
{
	return mask->bits[0] >> nr & 1;
}

static inline void pfm_regmask_set(pfmlib_regmask_t *mask, unsigned int nr)
{
	mask->bits[0] |= 1UL << nr;
}

static inline void pfm_regmask_clr(pfmlib_regmask_t *mask, unsigned int nr)
{
	mask->bits[0] &= ~(1UL << nr);
}

static inline void pfm_regmask_andnot(pfmlib_regmask_t *to, const pfmlib_regmask_t *a, const pfmlib_regmask_t *b)
{
	to->bits[0] = a->bits[0] & ~b->bits[0];
}

#endif
