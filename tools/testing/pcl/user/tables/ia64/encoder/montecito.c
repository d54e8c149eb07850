// SPDX-License-Identifier: GPL-2.0
/*
 * What is asked, in the terms of libpfm4's encoder of Montecito.
 */
#include <string.h>

#include <perfmon/pfmlib_montecito.h>
#include "library.h"
#include "pfmlib_priv_ia64.h"

static const struct library montecito = { &montecito_support, 0x20000000 };

static void facts_of(unsigned int i, struct event_facts *facts)
{
	unsigned long umask;

	library_enter(&montecito);
	memset(facts, 0, sizeof(*facts));
	library_facts(i, facts);
	pfm_mont_get_event_umask(i, &umask);
	pfm_mont_get_event_maxincr(i, &facts->incr);
	pfm_mont_get_event_set(i, &facts->set);
	pfm_mont_get_event_group(i, &facts->group);
	if (facts->set == PFMLIB_MONT_EVT_NO_SET)
		facts->group = 0;
	facts->umask = umask;
	facts->opcodes = pfm_mont_support_opcm(i);
	facts->fetches = pfm_mont_support_iarr(i);
	facts->accesses = pfm_mont_support_darr(i);
	if (pfm_mont_is_etb(i)) {
		facts->kind = EVENT_BRANCHES;
	} else if (pfm_mont_is_iear(i) || pfm_mont_is_dear(i)) {
		pfmlib_mont_ear_mode_t mode;

		pfm_mont_get_ear_mode(i, &mode);
		facts->kind = pfm_mont_is_iear(i) ? EVENT_FETCHES : EVENT_ACCESSES;
		facts->mode = mode;
	}
}

static void set_opcode(const struct opcode *opcode, pfmlib_mont_opcm_t *to)
{
	*to = (pfmlib_mont_opcm_t){
		.opcm_used = opcode->used, .opcm_match = opcode->match, .opcm_mask = opcode->mask,
		.opcm_b = opcode->b, .opcm_f = opcode->f, .opcm_i = opcode->i, .opcm_m = opcode->m,
	};
}

static void set_all(const struct ask *ask, pfmlib_mont_input_param_t *in)
{
	memset(in, 0, sizeof(*in));
	library_counters(ask, in->pfp_mont_counters);
	library_ear(&ask->fetches, &in->pfp_mont_iear);
	library_ear(&ask->accesses, &in->pfp_mont_dear);
	in->pfp_mont_etb = (pfmlib_mont_etb_t){
		.etb_used = ask->branches.used, .etb_plm = ask->branches.plm, .etb_tm = ask->branches.taken,
		.etb_ptm = ask->branches.target, .etb_ppm = ask->branches.path, .etb_brt = ask->branches.kind,
	};
	in->pfp_mont_ipear = (pfmlib_mont_ipear_t){
		.ipear_used = ask->addresses.used, .ipear_plm = ask->addresses.plm, .ipear_delay = ask->addresses.delay,
	};
	set_opcode(&ask->opcode[0], &in->pfp_mont_opcm1);
	set_opcode(&ask->opcode[1], &in->pfp_mont_opcm2);
	library_range(&ask->fetch, PFMLIB_MONT_RR_NO_FINE_MODE, &in->pfp_mont_irange);
	library_range(&ask->access, 0, &in->pfp_mont_drange);
}

static void encode(const struct ask *ask, struct answer *answer)
{
	pfmlib_mont_input_param_t in;
	pfmlib_mont_output_param_t ranges;
	pfmlib_output_param_t out;

	library_enter(&montecito);
	memset(answer, 0, sizeof(*answer));
	memset(&ranges, 0, sizeof(ranges));
	set_all(ask, &in);
	answer->refused = library_encode(ask, ask->bare ? NULL : &in, &out, ask->bare ? NULL : &ranges);
	if (!answer->refused)
		library_answer(&out, &ranges.pfp_mont_irange, &ranges.pfp_mont_drange, answer);
}

const struct encoder encoder_montecito = {
	.name = "montecito", .events = &montecito_support.pme_count, .facts = facts_of, .encode = encode,
};
