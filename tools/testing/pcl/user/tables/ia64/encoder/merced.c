// SPDX-License-Identifier: GPL-2.0
/*
 * What is asked, in the terms of libpfm4's encoder of Itanium ("Merced").
 *
 * It answers 12 for the value of PMC12, having overwritten it by the number. What it tells that it would write is
 * answered here beside that, as PMC12 once more.
 */
#include <string.h>

#include <perfmon/pfmlib_itanium.h>
#include "library.h"
#include "pfmlib_priv_ia64.h"

static const struct library merced = { &itanium_support, 0x07000000 };

static void facts_of(unsigned int i, struct event_facts *facts)
{
	unsigned long umask;

	library_enter(&merced);
	memset(facts, 0, sizeof(*facts));
	library_facts(i, facts);
	pfm_ita_get_event_umask(i, &umask);
	pfm_ita_get_event_maxincr(i, &facts->incr);
	facts->umask = umask;
	facts->opcodes = pfm_ita_support_opcm(i);
	facts->fetches = pfm_ita_support_iarr(i);
	facts->accesses = pfm_ita_support_darr(i);
	if (pfm_ita_is_btb(i)) {
		facts->kind = EVENT_BRANCHES;
	} else if (pfm_ita_is_iear(i) || pfm_ita_is_dear(i)) {
		pfmlib_ita_ear_mode_t mode;

		pfm_ita_get_ear_mode(i, &mode);
		facts->kind = pfm_ita_is_iear(i) ? EVENT_FETCHES : EVENT_ACCESSES;
		facts->mode = mode;
	}
}

/* PMC8 and PMC9, whole: the encoder adds nothing */
static void set_opcode(const struct opcode *opcode, struct shim_opcode *to)
{
	pfm_ita_pmc_reg_t reg = { .pmc_val = 0 };

	reg.pmc8_9_ita_reg.mask = opcode->mask;
	reg.pmc8_9_ita_reg.match = opcode->match;
	reg.pmc8_9_ita_reg.b = opcode->b;
	reg.pmc8_9_ita_reg.f = opcode->f;
	reg.pmc8_9_ita_reg.i = opcode->i;
	reg.pmc8_9_ita_reg.m = opcode->m;
	to->opcm_used = opcode->used;
	to->pmc_val = reg.pmc_val;
}

static void set_all(const struct ask *ask, pfmlib_ita_input_param_t *in)
{
	memset(in, 0, sizeof(*in));
	library_counters(ask, in->pfp_ita_counters);
	library_ear(&ask->fetches, &in->pfp_ita_iear);
	library_ear(&ask->accesses, &in->pfp_ita_dear);
	in->pfp_ita_btb = (pfmlib_ita_btb_t){
		.btb_used = ask->branches.used, .btb_plm = ask->branches.plm, .btb_tm = ask->branches.taken,
		.btb_ptm = ask->branches.target, .btb_ppm = ask->branches.path,
		.btb_tar = 1, .btb_tac = 1, .btb_bac = 1,	/* from wherever a prediction was */
	};
	set_opcode(&ask->opcode[0], &in->pfp_ita_pmc8);
	set_opcode(&ask->opcode[1], &in->pfp_ita_pmc9);
	library_range(&ask->fetch, 0, &in->pfp_ita_irange);
	library_range(&ask->access, 0, &in->pfp_ita_drange);
}

static void encode(const struct ask *ask, struct answer *answer)
{
	pfmlib_ita_input_param_t in;
	pfmlib_ita_output_param_t ranges;
	pfmlib_output_param_t out;

	library_enter(&merced);
	memset(answer, 0, sizeof(*answer));
	memset(&ranges, 0, sizeof(ranges));
	set_all(ask, &in);
	answer->refused = library_encode(ask, ask->bare ? NULL : &in, &out, ask->bare ? NULL : &ranges);
	if (answer->refused)
		return;
	library_answer(&out, &ranges.pfp_ita_irange, &ranges.pfp_ita_drange, answer);
	if (library_told.pmc[12])
		answer->pmc[answer->nr++] = (struct reg){ 12, library_told.pmc[12] };
}

const struct encoder encoder_itanium = {
	.name = "itanium", .events = &itanium_support.pme_count, .facts = facts_of, .encode = encode,
};
