/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function's code beside its samples: what is known of it, apart from how it
 * is shown.
 */
#ifndef PCL_ANNOTATE_H
#define PCL_ANNOTATE_H

#include "session/session.h"

/* An instruction, as text. */
struct insn {
	u64 addr;
	unsigned int size;
	char *text;
	u64 target;		/* of a direct jump or call; 0: none */
};

struct insn_list {
	struct insn *v;
	unsigned int nr, room;
	char *note;		/* what there is to say of it, or NULL */
};

/* Samples at one address, of one event. */
struct hit {
	u64 addr, period, samples;
};

/* The samples of one function and one event. */
struct hits {
	struct object *object;
	struct symbol *symbol;
	struct num_map at;	/* address -> struct hit */
	u64 period, samples;
};

/* An instruction with its samples and its place in the source. */
struct code_line {
	struct insn insn;
	char *target_name;	/* "function+0x10", or NULL */
	u64 period, samples;
	const char *file;	/* innermost; NULL: not known */
	unsigned int line;
	const char *function;	/* innermost: may be inlined */
	unsigned int depth;	/* how many calls were inlined here */
};

/* A function; what the printers and browsers show. Owner: who built it. */
struct annotation {
	struct object *object;
	struct symbol *symbol;
	struct code_line *v;
	unsigned int nr;
	u64 period, samples;	/* of all its instructions */
	bool has_lines;
	char *note;		/* what is missing and why, or NULL */
};

/* Source files that were read. */
struct sources {
	const char *dir;	/* also look below here */
	struct str_set paths;
	struct source_file {
		char *text;	/* NULL: not found */
		char **lines;
		unsigned int nr;
	} *v;			/* same index as paths */
};

/* disasm.c */
void disassemble(struct insn_list *l, const struct code *c, bool intel);
void insn_list_free(struct insn_list *l);

/* source.c */
const char *source_line(struct sources *s, const char *path, unsigned int line);
void sources_free(struct sources *s);

/* annotation.c */
void hits_add(struct hits *h, u64 addr, u64 period);
void hits_free(struct hits *h);
bool annotation_build(struct annotation *a, const struct hits *h, bool intel, char **why_not);
void annotation_free(struct annotation *a);

/* annotate_text.c */
struct annotate_look {
	bool lines;		/* source lines only */
	bool no_source;		/* instructions only */
	bool colour;
};
void annotation_print(const struct annotation *a, const struct annotate_look *look,
		      struct sources *s);

#endif /* PCL_ANNOTATE_H */
