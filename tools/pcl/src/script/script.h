/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording as text: a line, and perhaps a stack, for each sample.
 */
#ifndef PCL_SCRIPT_H
#define PCL_SCRIPT_H

#include "profile/profile.h"

/* What of a sample is shown. A set of these is a mask. */
enum script_field {
	FIELD_COMM, FIELD_TID, FIELD_PID, FIELD_TIME, FIELD_CPU, FIELD_EVENT, FIELD_TRACE, FIELD_IP,
	FIELD_SYM, FIELD_DSO, FIELD_ADDR, FIELD_SYMOFF, FIELD_SRCLINE, FIELD_PERIOD, FIELD_IREGS,
	FIELD_UREGS, FIELD_BRSTACK, FIELD_BRSTACKSYM, FIELD_DATA_SRC, FIELD_WEIGHT, FIELD_PHYS_ADDR,
	FIELD_DATA_PAGE, FIELD_CODE_PAGE, NR_FIELDS
};

#define FIELD(f) (1u << FIELD_##f)

struct script_fields {
	bool given;		/* by -F, as a whole: what a sample lacks is then refused */
	u32 set, add, remove;
};

/* Longer chains are cut: they are recursion, or a damaged file. */
#define CHAIN_MAX 1024

struct script_frame {
	u64 ip;
	u64 in_file;		/* the same where a file is mapped: as it is there */
	struct place place;
	bool inlined;		/* name stands in for the place's symbol */
	const char *name;
	const char *file;
	unsigned int line;
};

enum script_form { FORM_TEXT, FORM_JSON, FORM_FOLDED };

struct script {
	const char *input, *kallsyms;
	enum script_form form;
	struct script_fields fields;
	u32 *shown;		/* for each event of the file */
	bool no_chains, inlines, nanoseconds, header, header_only;
	bool show_task, show_mmap, show_switch, show_lost;
	struct filter filter;
	const char *time_text;
	struct time_range time;

	struct pd_file file;
	struct session s;
	struct trace_formats *traces;
	int name_width;		/* of the longest event */
	struct script_frame frames[CHAIN_MAX];
	unsigned int nr_frames;
	struct folded *folded;
	struct samples_left left;
	u64 samples, nr_printed;	/* that were read; that passed the filters */
};

/* fields.c */
int fields_parse(struct script_fields *f, const char *text);
int fields_settle(struct script *sc);

/* frames_of.c */
void script_resolve(struct script *sc, const struct perf_event_attr *attr,
		    const struct pd_sample *s);
const char *frame_symbol(const struct script_frame *f);

/* print_sample.c */
void print_task(const struct script *sc, u32 shown, s32 pid, s32 tid, const char *comm,
		u32 cpu, u64 time_ns, bool wide);
void print_sample(struct script *sc, unsigned int event, const struct pd_sample *s);

/* print_extra.c */
void print_regs(const struct pd_file *f, u64 abi, u64 mask, struct cursor c);
void print_branches(struct script *sc, const struct pd_sample *s, bool names);
void print_page_size(u64 size);
void print_data_src(u64 v);

/* print_record.c */
bool wants_record(const struct script *sc, u32 type);
void print_record(struct script *sc, const struct perf_event_header *h, struct cursor body);

/* Bytes that may be read from a tracepoint's sample on; records are no longer than a quarter of it. */
#define TRACE_ROOM (4u << 16)

enum trace_way {
	TRACE_AS_TOLD,		/* as the format's "print fmt" says */
	TRACE_FIELDS,		/* field by field: what that says is not to be trusted with this sample */
	TRACE_NOT,		/* fields lie outside of it */
};

struct tep_event;

/* trace_grammar.c */
bool trace_print_sound(const char *format, const char *p);

/* trace_check.c */
bool trace_format_sound(const char *text, const char **print);
enum trace_way trace_sample_way(struct tep_event *event, const char *data, size_t size);

/* trace_formats.c */
struct trace_formats *trace_formats_new(struct cursor c);
void trace_formats_free(struct trace_formats *t);
void trace_print(struct trace_formats *t, FILE *out, const struct pd_sample *s);

/* out_script.c */
void json_sample(struct script *sc, unsigned int event, const struct pd_sample *s);
void folded_add(struct script *sc, const struct pd_sample *s);
void folded_print(struct script *sc);

/* head.c */
void print_head(const struct pd_file *f);

#endif /* PCL_SCRIPT_H */
