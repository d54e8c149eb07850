/* SPDX-License-Identifier: GPL-2.0 */
/* Who may do what: the table of Documentation/events/permissions.rst, those who ask, and what they ask. */
#ifndef PCL_TEST_PERMISSIONS_H
#define PCL_TEST_PERMISSIONS_H

#include "../lib/event.h"

/* ---- table.c: the document, which is built in ---- */

enum { MOST_COLUMNS = 24, MOST_ROWS = 64, MOST_CODES = 40, NAME_SIZE = 24 };

struct code {
	char name[NAME_SIZE];
	int error;			/* 0: it is done */
	unsigned int reason;		/* PCL_REASON_NONE: somebody else than the engine refuses */
};

struct row {
	char name[NAME_SIZE];
	const struct code *cells[MOST_COLUMNS];
};

struct table {
	struct row rows[MOST_ROWS];
	unsigned int nr_rows;
	char columns[MOST_COLUMNS][NAME_SIZE];
	unsigned int nr_columns;
	struct code codes[MOST_CODES];
	unsigned int nr_codes;
};

/* Ends the program when the document is not to be understood, or contradicts itself. */
void table_read(struct table *table);
/* Has the document's table with this heading a line for this name? */
bool table_explains(const char *heading, const char *name);
/* ... and how many lines? */
unsigned int table_lines(const char *heading);
const char *reason_name(unsigned int reason);

/* ---- who.c ---- */

enum kernel_state { OPEN_TO_ROOT, LOCKED_INTEGRITY, LOCKED_CONFIDENTIALITY, MODULE_REFUSES };

struct who {
	const char *name;
	long paranoid;
	uint64_t capabilities;
	bool is_root, has_namespace;
	bool also_small;	/* walked on slow kernels, too */
	enum kernel_state kernel;
};

enum { ORDINARY_USER = 65534, ANOTHER_USER = 65533 };

const struct who *who_called(const char *name);
unsigned int nr_who(void);
/* Once, before the others. */
void whos_begin(void);
/* Can there be such a kernel here? */
bool who_can_be(const struct who *who);
/* Sysctl, lockdown, module: as root, before the caller is made; and afterwards. */
void kernel_prepare(const struct who *who);
void kernel_restore(void);
/* With the fault "privilege" the caller stays what it is. */
void become(const struct who *who);

/* ---- asks.c ---- */

struct ask {
	const char *name;
	struct perf_event_attr (*attr)(void);	/* of an event that is opened; NULL: it is not about that */
	int target;
	void (*prepare)(void);			/* as root, who opens what is passed */
	int (*use)(void);			/* as whoever asks: -1 and errno */
	bool pcl_only;
	void (*need)(void);			/* skips the cell where the machine lacks what it is about */
};

extern const struct ask asks[];
extern const unsigned int nr_asks;

struct answer {
	int error;				/* 0: it was done */
	bool told;				/* the reason as well, by the call itself */
	unsigned int reason;
};

const struct ask *ask_called(const char *name);
/* As root, once: what cannot be found out by everybody, or later. */
void asks_begin(void);
void asks_end(void);
/* As root, before the caller is made. */
void ask_prepare(const struct ask *ask);
/* As the caller. */
void ask_make(const struct ask *ask, struct answer *answer);

#endif
