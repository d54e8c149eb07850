/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libpfm4's encoders of the three chips, behind one interface: what is asked, in terms that all have, and which
 * registers hold what then. Values of fields are the registers'. Built with either side's headers.
 */
#ifndef PCL_ENCODER_H
#define PCL_ENCODER_H

#define ENCODER_EVENTS	12	/* that can be asked for at once */
#define ENCODER_REGS	24	/* that are answered at most */

enum event_kind { EVENT_COUNTS, EVENT_FETCHES, EVENT_ACCESSES, EVENT_BRANCHES };

/* An event as an encoder knows it. Fetches and accesses: mode and unit mask are those of an event address register. */
struct event_facts {
	const char *name;
	enum event_kind kind;
	unsigned int code, umask, mode;
	unsigned int counters, incr;
	int opcodes, fetches, accesses;		/* it can be restricted to some */
	int states;				/* of lines: it has them */
	int group, set;				/* wires: 0, none */
};

struct ask {
	int bare;				/* events alone, and nothing else is said */
	unsigned int nr;			/* events */
	unsigned int event[ENCODER_EVENTS], plm[ENCODER_EVENTS], states[ENCODER_EVENTS];
	unsigned int threshold[ENCODER_EVENTS], ism[ENCODER_EVENTS];
	unsigned int levels;			/* of those that have no plm of their own */
	int privileged;				/* the gate is psr.pp */
	struct ear { int used; unsigned int mode, umask, ism, plm; } fetches, accesses;
	struct { int used; unsigned int plm, taken, target, path, kind; } branches;
	struct { int used; unsigned int plm, delay; } addresses;	/* of what retired */
	struct opcode { int used; unsigned long match, mask; int b, f, i, m; } opcode[2];
	struct range { int used, not_fine; unsigned long start, end; } fetch, access;
};

struct reg {
	unsigned int nr;
	unsigned long value;
};

/* A range: debug registers, and how far they go beyond it */
struct pairs {
	unsigned int nr;
	struct reg reg[8];
	unsigned long before, behind;
};

struct answer {
	int refused;				/* 0, or a number of libpfm4's */
	unsigned int nr;
	struct reg pmc[ENCODER_REGS];		/* those that count first, in the order of events */
	struct pairs fetch, access;
};

struct encoder {
	const char *name;
	const unsigned int *events;		/* how many */
	void (*facts)(unsigned int i, struct event_facts *facts);
	void (*encode)(const struct ask *ask, struct answer *answer);
};

extern const struct encoder encoder_itanium, encoder_itanium2, encoder_montecito;

#endif
