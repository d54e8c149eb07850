// SPDX-License-Identifier: GPL-2.0
/*
 * The library around libpfm4's encoders, as far as they need one.
 *
 * An encoder tells, as text for who wants to read it, each register that it is about to answer. That is kept, since of
 * one register it answers something else (merced.c).
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "library.h"
#include "pfmlib_priv_ia64.h"

static const struct library *here;

struct told library_told;

unsigned long ia64_get_cpuid(unsigned int nr)
{
	return nr == 3 ? here->cpuid3 : 0;
}

int pfm_get_event_code(unsigned int i, int *code)
{
	return here->support->get_event_code(i, PFMLIB_CNT_FIRST, code);
}

void pfm_get_impl_counters(pfmlib_regmask_t *counters)
{
	memset(counters, 0, sizeof(*counters));
	here->support->get_impl_counters(counters);
}

void __pfm_vbprintf(const char *format, ...)
{
	unsigned long value;
	unsigned int nr;
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (sscanf(text, "[PMC%u(pmc%*u)=%lx", &nr, &value) == 2 && nr < 64)
		library_told.pmc[nr] = value;
}

/* The chip whose encoder is asked from now on. It looks what the machine is, and some of what it does is by that. */
void library_enter(const struct library *library)
{
	if (here == library)
		return;
	here = library;
	if (library->support->pmu_detect() != PFMLIB_SUCCESS)
		printf("unexplained: %s does not know its chip\n", library->support->pmu_name);
}

/* What all chips' files can be asked */
void library_facts(unsigned int i, struct event_facts *facts)
{
	pfmlib_regmask_t counters;
	int code;

	here->support->get_event_code(i, PFMLIB_CNT_FIRST, &code);
	here->support->get_event_counters(i, &counters);
	facts->name = here->support->get_event_name(i);
	facts->code = code;
	facts->counters = counters.bits[0];
	facts->states = here->support->get_num_event_masks && here->support->get_num_event_masks(i);
}

static void set_event(const struct ask *ask, unsigned int i, pfmlib_event_t *event)
{
	unsigned int state;

	event->event = ask->event[i];
	event->plm = ask->plm[i];
	for (state = 0; state < 4; state++) {
		if (ask->states[i] >> state & 1)
			event->unit_masks[event->num_masks++] = state;
	}
}

/* Asks for the events, and for what @model_in has; NULL: for nothing more. */
int library_encode(const struct ask *ask, void *model_in, pfmlib_output_param_t *out, void *model_out)
{
	pfmlib_input_param_t in;
	unsigned int i;

	memset(&in, 0, sizeof(in));
	memset(out, 0, sizeof(*out));
	memset(&library_told, 0, sizeof(library_told));
	in.pfp_event_count = ask->nr;
	in.pfp_dfl_plm = ask->levels;
	in.pfp_flags = ask->privileged ? PFMLIB_PFP_SYSTEMWIDE : 0;
	for (i = 0; i < ask->nr; i++)
		set_event(ask, i, &in.pfp_events[i]);
	return here->support->dispatch_events(&in, model_in, out, model_out);
}

void library_counters(const struct ask *ask, struct shim_counter *counters)
{
	unsigned int i;

	for (i = 0; i < ask->nr && i < here->support->num_cnt; i++) {
		counters[i].thres = ask->threshold[i];
		counters[i].ism = ask->ism[i];
	}
}

void library_ear(const struct ear *ear, struct shim_ear *to)
{
	to->ear_used = ear->used;
	to->ear_plm = ear->plm;
	to->ear_umask = ear->umask;
	to->ear_ism = ear->ism;
	to->ear_mode = ear->mode;
}

/* @not_fine: the chip's flag that says so */
void library_range(const struct range *range, unsigned int not_fine, struct shim_ranges *to)
{
	to->rr_used = range->used;
	to->rr_flags = range->not_fine ? not_fine : 0;
	to->rr_limits[0].rr_start = range->start;
	to->rr_limits[0].rr_end = range->end;
}

static void answer_pairs(const struct shim_debug *debug, struct pairs *pairs)
{
	unsigned int i;

	for (i = 0; debug && i < debug->rr_nbr_used; i++)
		pairs->reg[pairs->nr++] = (struct reg){ debug->rr_br[i].reg_num, debug->rr_br[i].reg_value };
	pairs->before = debug ? debug->rr_infos[0].rr_soff : 0;
	pairs->behind = debug ? debug->rr_infos[0].rr_eoff : 0;
}

void library_answer(const pfmlib_output_param_t *out, const struct shim_debug *fetch, const struct shim_debug *access,
		    struct answer *answer)
{
	unsigned int i;

	for (i = 0; i < out->pfp_pmc_count && i < ENCODER_REGS; i++)
		answer->pmc[answer->nr++] = (struct reg){ out->pfp_pmcs[i].reg_num, out->pfp_pmcs[i].reg_value };
	answer_pairs(fetch, &answer->fetch);
	answer_pairs(access, &answer->access);
}
