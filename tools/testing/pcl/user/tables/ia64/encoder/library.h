/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the three chips' files share: the library around an encoder, and what is copied to and from its structs.
 */
#ifndef PCL_ENCODER_LIBRARY_H
#define PCL_ENCODER_LIBRARY_H

#include <perfmon/pfmlib.h>
#include "pfmlib_priv.h"
#include "encoder.h"

/* A chip as encoders of libpfm4 see it */
struct library {
	pfm_pmu_support_t *support;
	unsigned long cpuid3;
};

/* The last register that an encoder said it would write, by number: as text, which is made before the answer */
struct told {
	unsigned long pmc[64];
};

extern struct told library_told;

void library_enter(const struct library *library);
void library_facts(unsigned int i, struct event_facts *facts);
int library_encode(const struct ask *ask, void *model_in, pfmlib_output_param_t *out, void *model_out);
void library_counters(const struct ask *ask, struct shim_counter *counters);
void library_ear(const struct ear *ear, struct shim_ear *to);
void library_range(const struct range *range, unsigned int not_fine, struct shim_ranges *to);
void library_answer(const pfmlib_output_param_t *out, const struct shim_debug *fetch, const struct shim_debug *access,
		    struct answer *answer);

#endif
