// SPDX-License-Identifier: GPL-2.0
/*
 * Which fields of a sample are shown: the text of -F, and what is shown without it.
 *
 * Concepts: a list sets the fields; names with + or - before them change what
 * is shown by itself, which depends on the kind of event. A field that was
 * asked for and that the samples of an event do not have is refused; one that
 * is shown by itself is left out.
 * Contexts: start.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "script/script.h"

/* The names are perf script's; needs is what the samples must have, any of it. */
static const struct {
	const char *name;
	u64 needs;
} names[NR_FIELDS] = {
	[FIELD_COMM] = { "comm", PERF_SAMPLE_TID },
	[FIELD_TID] = { "tid", PERF_SAMPLE_TID },
	[FIELD_PID] = { "pid", PERF_SAMPLE_TID },
	[FIELD_TIME] = { "time", PERF_SAMPLE_TIME },
	[FIELD_CPU] = { "cpu", PERF_SAMPLE_CPU },
	[FIELD_EVENT] = { "event", 0 },
	[FIELD_TRACE] = { "trace", PERF_SAMPLE_RAW },
	[FIELD_IP] = { "ip", PERF_SAMPLE_IP },
	[FIELD_SYM] = { "sym", PERF_SAMPLE_IP | PERF_SAMPLE_ADDR },
	[FIELD_DSO] = { "dso", PERF_SAMPLE_IP | PERF_SAMPLE_ADDR },
	[FIELD_ADDR] = { "addr", PERF_SAMPLE_ADDR },
	[FIELD_SYMOFF] = { "symoff", PERF_SAMPLE_IP | PERF_SAMPLE_ADDR },
	[FIELD_SRCLINE] = { "srcline", PERF_SAMPLE_IP },
	[FIELD_PERIOD] = { "period", 0 },
	[FIELD_IREGS] = { "iregs", PERF_SAMPLE_REGS_INTR },
	[FIELD_UREGS] = { "uregs", PERF_SAMPLE_REGS_USER },
	[FIELD_BRSTACK] = { "brstack", PERF_SAMPLE_BRANCH_STACK },
	[FIELD_BRSTACKSYM] = { "brstacksym", PERF_SAMPLE_BRANCH_STACK },
	[FIELD_DATA_SRC] = { "data_src", PERF_SAMPLE_DATA_SRC },
	[FIELD_WEIGHT] = { "weight", PERF_SAMPLE_WEIGHT_TYPE },
	[FIELD_PHYS_ADDR] = { "phys_addr", PERF_SAMPLE_PHYS_ADDR },
	[FIELD_DATA_PAGE] = { "data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE },
	[FIELD_CODE_PAGE] = { "code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE },
};

enum {
	SHOWN = FIELD(COMM) | FIELD(TID) | FIELD(CPU) | FIELD(TIME) | FIELD(EVENT),
	SHOWN_CODE = FIELD(IP) | FIELD(SYM) | FIELD(SYMOFF) | FIELD(DSO),
};

static int find_field(const char *name)
{
	int i;

	for (i = 0; i < NR_FIELDS; i++)
		if (!strcmp(names[i].name, name))
			return i;
	return -1;
}

static int bad_name(const char *name)
{
	struct nearest n = { .text = name, .under = 3 };
	int i;

	if (strchr(name, ':'))
		return complain("-F: '%s': fields are not chosen by kind of event; each event shows those that it has", name);
	for (i = 0; i < NR_FIELDS; i++)
		nearest_see(&n, names[i].name);
	if (n.meant)
		return complain("-F: there is no field '%s'; did you mean '%s'?", name, n.meant);
	return complain("-F: there is no field '%s'; fields: comm, tid, pid, time, cpu, event, trace, ip, sym, dso, ... (man pcl-script)",
			name);
}

/* "comm,ip,sym", or "+addr,-cpu". */
int fields_parse(struct script_fields *f, const char *text)
{
	char *copy = str_dup(text), *word, *save;
	int ret = 0, i;
	char sign;

	for (word = strtok_r(copy, ",", &save); word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		sign = *word == '+' || *word == '-' ? *word++ : 0;
		i = find_field(word);
		if (i < 0)
			ret = bad_name(word);
		else if (sign == '+')
			f->add |= 1u << i;
		else if (sign == '-')
			f->remove |= 1u << i;
		else
			f->set |= 1u << i;
	}
	f->given = f->set != 0;
	if (!ret && f->given && (f->add || f->remove))
		ret = complain("-F: fields with + or - change what is shown by itself, and do not go with a list");
	if (!ret && f->given && f->set & (FIELD(SYM) | FIELD(DSO) | FIELD(SYMOFF)) &&
	    !(f->set & (FIELD(IP) | FIELD(ADDR) | FIELD(BRSTACKSYM))))
		ret = complain("-F: sym, symoff and dso tell where an address lies; ask for ip or addr, too");
	free(copy);
	return ret;
}

static u32 shown_by_itself(const struct script *sc, const struct perf_event_attr *a)
{
	if (a->type != PERF_TYPE_TRACEPOINT)
		return SHOWN | SHOWN_CODE | FIELD(PERIOD);
	if (a->sample_type & PERF_SAMPLE_CALLCHAIN && !sc->no_chains)
		return SHOWN | FIELD(TRACE) | SHOWN_CODE;
	return SHOWN | FIELD(TRACE);
}

/* What each event of the file shows. */
int fields_settle(struct script *sc)
{
	u32 asked = sc->fields.set | sc->fields.add;
	unsigned int i;
	int k;

	sc->shown = mem_zalloc(sc->file.nr_events, sizeof(*sc->shown));
	for (i = 0; i < sc->file.nr_events; i++) {
		const struct pd_event *e = &sc->file.events[i];

		sc->shown[i] = sc->fields.given ? sc->fields.set :
			(shown_by_itself(sc, &e->attr) | sc->fields.add) & ~sc->fields.remove;
		for (k = 0; k < NR_FIELDS; k++) {
			if (!(sc->shown[i] >> k & 1) || !names[k].needs ||
			    e->attr.sample_type & names[k].needs)
				continue;
			sc->shown[i] &= ~(1u << k);
			/* with several events it may be that of another */
			if (asked >> k & 1 && sc->file.nr_events == 1)
				return complain("-F: the samples of '%s' have no '%s'; it was not recorded",
						e->name, names[k].name);
		}
		/* what tells of an address is nothing without one */
		if (!(sc->shown[i] & (FIELD(IP) | FIELD(ADDR) | FIELD(BRSTACKSYM))))
			sc->shown[i] &= ~(FIELD(SYM) | FIELD(SYMOFF) | FIELD(DSO));
	}
	return 0;
}
