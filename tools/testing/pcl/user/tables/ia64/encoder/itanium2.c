// SPDX-License-Identifier: GPL-2.0
/*
 * What is asked, in the terms of libpfm4's encoder of Itanium 2.
 */
#include <string.h>

#include <perfmon/pfmlib_itanium2.h>
#include "library.h"
#include "pfmlib_priv_ia64.h"

static const struct library itanium2 = { &itanium2_support, 0x1f000000 };

static void facts_of(unsigned int i, struct event_facts *facts)
{
	unsigned long umask;

	library_enter(&itanium2);
	memset(facts, 0, sizeof(*facts));
	library_facts(i, facts);
	pfm_ita2_get_event_umask(i, &umask);
	pfm_ita2_get_event_maxincr(i, &facts->incr);
	pfm_ita2_get_event_set(i, &facts->set);
	pfm_ita2_get_event_group(i, &facts->group);
	if (facts->set == PFMLIB_ITA2_EVT_NO_SET)
		facts->group = 0;
	facts->umask = umask;
	facts->opcodes = pfm_ita2_support_opcm(i);
	facts->fetches = pfm_ita2_support_iarr(i);
	facts->accesses = pfm_ita2_support_darr(i);
	if (pfm_ita2_is_btb(i)) {
		facts->kind = EVENT_BRANCHES;
	} else if (pfm_ita2_is_iear(i) || pfm_ita2_is_dear(i)) {
		pfmlib_ita2_ear_mode_t mode;

		pfm_ita2_get_ear_mode(i, &mode);
		facts->kind = pfm_ita2_is_iear(i) ? EVENT_FETCHES : EVENT_ACCESSES;
		facts->mode = mode;
	}
}

/* PMC8 and PMC9, but for the bits that are the encoder's (libpfm4: pmc8_9_ita2_reg) */
static void set_opcode(const struct opcode *opcode, struct shim_opcode *to)
{
	pfm_ita2_pmc_reg_t reg = { .pmc_val = 0 };

	reg.pmc8_9_ita2_reg.opcm_mask = opcode->mask;
	reg.pmc8_9_ita2_reg.opcm_match = opcode->match;
	reg.pmc8_9_ita2_reg.opcm_b = opcode->b;
	reg.pmc8_9_ita2_reg.opcm_f = opcode->f;
	reg.pmc8_9_ita2_reg.opcm_i = opcode->i;
	reg.pmc8_9_ita2_reg.opcm_m = opcode->m;
	to->opcm_used = opcode->used;
	to->pmc_val = reg.pmc_val;
}

static void set_all(const struct ask *ask, pfmlib_ita2_input_param_t *in)
{
	memset(in, 0, sizeof(*in));
	library_counters(ask, in->pfp_ita2_counters);
	library_ear(&ask->fetches, &in->pfp_ita2_iear);
	library_ear(&ask->accesses, &in->pfp_ita2_dear);
	in->pfp_ita2_btb = (pfmlib_ita2_btb_t){
		.btb_used = ask->branches.used, .btb_plm = ask->branches.plm, .btb_tm = ask->branches.taken,
		.btb_ptm = ask->branches.target, .btb_ppm = ask->branches.path, .btb_brt = ask->branches.kind,
	};
	set_opcode(&ask->opcode[0], &in->pfp_ita2_pmc8);
	set_opcode(&ask->opcode[1], &in->pfp_ita2_pmc9);
	library_range(&ask->fetch, PFMLIB_ITA2_RR_NO_FINE_MODE, &in->pfp_ita2_irange);
	library_range(&ask->access, 0, &in->pfp_ita2_drange);
}

static void encode(const struct ask *ask, struct answer *answer)
{
	pfmlib_ita2_input_param_t in;
	pfmlib_ita2_output_param_t ranges;
	pfmlib_output_param_t out;

	library_enter(&itanium2);
	memset(answer, 0, sizeof(*answer));
	memset(&ranges, 0, sizeof(ranges));
	set_all(ask, &in);
	answer->refused = library_encode(ask, ask->bare ? NULL : &in, &out, ask->bare ? NULL : &ranges);
	if (!answer->refused)
		library_answer(&out, &ranges.pfp_ita2_irange, &ranges.pfp_ita2_drange, answer);
}

const struct encoder encoder_itanium2 = {
	.name = "itanium2", .events = &itanium2_support.pme_count, .facts = facts_of, .encode = encode,
};
