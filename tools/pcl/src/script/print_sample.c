// SPDX-License-Identifier: GPL-2.0
/*
 * A sample as text, in the form of perf script.
 *
 * Concepts: other programs read this form, so the widths and blanks are those
 * of perf script. A sample with a chain is a line, then a line for each frame,
 * then an empty one; without a chain the one frame is at the end of its line.
 * In a chain an address is shown as it is in its file.
 * Contexts: script.
 * Locks: none.
 */
#include <inttypes.h>

#include "internal.h"
#include "script/script.h"

static void print_time(const struct script *sc, u64 time_ns)
{
	char text[32];

	if (sc->nanoseconds)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, time_ns / 1000000000,
			 time_ns % 1000000000);
	else
		snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, time_ns / 1000000000,
			 time_ns % 1000000000 / 1000);
	printf(sc->nanoseconds ? "%15s: " : "%12s: ", text);
}

/* Who, where and when. Before a chain the command's name is not padded. */
void print_task(const struct script *sc, u32 shown, s32 pid, s32 tid, const char *comm,
		u32 cpu, u64 time_ns, bool wide)
{
	if (shown & FIELD(COMM))
		printf(wide ? "%16s " : "%s ", visible(comm));
	if (shown & FIELD(PID) && shown & FIELD(TID))
		printf("%5d/%-5d ", pid, tid);
	else if (shown & FIELD(PID))
		printf("%5d ", pid);
	else if (shown & FIELD(TID))
		printf("%5d ", tid);
	if (shown & FIELD(CPU))
		printf("[%03u] ", cpu);
	if (shown & FIELD(TIME))
		print_time(sc, time_ns);
}

/* Symbol, offset and object, each with a blank before it. */
static void print_place(u32 shown, const struct place *p)
{
	if (shown & FIELD(SYM)) {
		printf(" %s", visible(symbol_name(p->symbol)));
		if (shown & FIELD(SYMOFF) && p->symbol)
			printf("+0x%" PRIx64, p->addr - p->symbol->start);
	}
	if (shown & FIELD(DSO))
		printf(" (%s)", visible(p->object->name));
}

static void print_line(const struct script_frame *f)
{
	const char *file = f->file;
	unsigned int line = f->line;

	if (!f->inlined && !object_line(f->place.object, f->place.addr, &file, &line))
		return;
	if (file)
		printf("\n  %s:%u", visible(file), line);
}

static void print_frame(u32 shown, const struct script_frame *f)
{
	if (shown & FIELD(SYM) && f->inlined)
		printf(" %s (inlined)", visible(frame_symbol(f)));
	else
		print_place(shown, &f->place);
	if (shown & FIELD(SRCLINE))
		print_line(f);
}

static void print_chain(const struct script *sc, u32 shown)
{
	unsigned int i;

	for (i = 0; i < sc->nr_frames; i++) {
		const struct script_frame *f = &sc->frames[i];

		printf("\t%16" PRIx64, f->in_file);
		print_frame(shown, f);
		putchar('\n');
	}
}

/* The data that the event is about. */
static void print_addr(struct script *sc, u32 shown, const struct pd_sample *s)
{
	struct place p;

	printf("%16" PRIx64, s->addr);
	if (!(shown & (FIELD(SYM) | FIELD(DSO))))
		return;
	p = session_resolve(&sc->s, s->pid, s->cpumode, s->addr);
	print_place(shown, &p);
}

static void print_numbers(u32 shown, const struct pd_sample *s)
{
	if (shown & FIELD(PHYS_ADDR))
		printf("%16" PRIx64, s->phys_addr);
	if (shown & FIELD(DATA_PAGE))
		print_page_size(s->data_page_size);
	if (shown & FIELD(CODE_PAGE))
		print_page_size(s->code_page_size);
}

static void print_ip(struct script *sc, u32 shown, bool chain)
{
	if (!(shown & FIELD(IP)))
		return;
	if (chain) {
		putchar('\n');
		print_chain(sc, shown);
	} else if (sc->nr_frames) {
		printf(" %16" PRIx64, sc->frames[0].ip);
		print_frame(shown, &sc->frames[0]);
	}
}

void print_sample(struct script *sc, unsigned int event, const struct pd_sample *s)
{
	const struct pd_event *e = &sc->file.events[event];
	u32 shown = sc->shown[event];
	bool chain = e->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !sc->no_chains;

	print_task(sc, shown, s->pid, s->tid, session_comm(&sc->s, s->tid), s->cpu,
		   s->time_ns, !chain || !(shown & FIELD(IP)));
	if (shown & FIELD(PERIOD))
		printf("%10" PRIu64 " ", s->period);
	if (shown & FIELD(EVENT))
		printf("%*s: ", sc->name_width, visible(e->name));
	if (shown & FIELD(TRACE))
		trace_print(sc->traces, stdout, s);
	if (shown & FIELD(ADDR))
		print_addr(sc, shown, s);
	if (shown & FIELD(DATA_SRC))
		print_data_src(s->data_src);
	if (shown & FIELD(WEIGHT))
		printf("%16" PRIu64, s->weight);
	print_ip(sc, shown, chain);
	if (shown & FIELD(IREGS))
		print_regs(&sc->file, s->intr_regs_abi, s->intr_regs_mask, s->intr_regs);
	if (shown & FIELD(UREGS))
		print_regs(&sc->file, s->regs_abi, s->regs_mask, s->regs);
	if (shown & FIELD(BRSTACK))
		print_branches(sc, s, false);
	if (shown & FIELD(BRSTACKSYM))
		print_branches(sc, s, true);
	print_numbers(shown, s);
	putchar('\n');
}
