/* SPDX-License-Identifier: GPL-2.0 */
/* Children that live as long as a test wants, and do one thing after the other as they are told. */
#ifndef PCL_TEST_MEMBER_H
#define PCL_TEST_MEMBER_H

#include <stdint.h>
#include <sys/types.h>

struct member {
	pid_t pid;
	int to, from;
};

/* What a member is told, one word each: a length of the loop, or one of these. */
#define TOLD_TO_EXEC	(~0UL)		/* this program, as a member: its main() calls member_serve() */
#define TOLD_TO_FORK	(~1UL)		/* a child, which runs the loop MEMBER_LOOP long and ends */
#define TOLD_TO_MOVE	(~2UL)		/* from CPU to CPU, with a loop of that length on each */
#define TOLD_TO_RENAME	(~3UL)		/* itself: MEMBER_NAME */
#define TOLD_TO_MAP	(~4UL)		/* MEMBER_PAGES of this program, executable */
#define TOLD_TO_TOUCH	(~5UL)		/* MEMBER_PAGES that are fresh */

#define MEMBER_LOOP	1000UL
#define MEMBER_NAME	"member-renamed"
#define MEMBER_PAGES	3
#define MOST_MEMBERS	8

struct member member_start(void);
void member_tell(struct member *m, unsigned long what);
void member_wait(struct member *m);	/* until it has done what it was told */
void member_do(struct member *m, unsigned long what);	/* both */
void member_end(struct member *m);
/* ns of CPU time that it has used */
uint64_t member_clock(const struct member *m);

/* A parent of members that is not the test, and waits: what counts it and its children does not count the test. */
struct parent {
	pid_t pid;
	int go, from;
};

struct parent parent_start(void);				/* it has no children yet */
void parent_bears(struct parent *p, struct member *m, int nr);	/* now it has */
void parent_end(struct parent *p, struct member *m, int nr);	/* and they as well */

/* What a member does; ends with it. */
__attribute__((noreturn))
void member_serve(void);

#endif
