/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: why both sides refuse an event. libpfm4 has few errors, so this is coarse: which of our reasons may go
 * with each. Where two things are wrong either side may name another of them; such a row says what must have been asked
 * for.
 */
#ifndef PCL_ENCODER_REASONS_H
#define PCL_ENCODER_REASONS_H

#define OPCODE		BIT(0)
#define RANGE		BIT(1)
#define BRANCHES	BIT(2)
#define ADDRESSES	BIT(3)

static const struct {
	int error;
	enum pcl_reason reason;
	unsigned int asked;		/* all of that */
} alike[] = {
	{ PFMLIB_ERR_EVTINCOMP, PCL_REASON_IA64_EAR_TRACE, BRANCHES },
	{ PFMLIB_ERR_FEATCOMB, PCL_REASON_IA64_IPEAR_TRACE, ADDRESSES | BRANCHES },
	{ PFMLIB_ERR_FEATCOMB, PCL_REASON_IA64_OPCODE_EVENT, OPCODE },
	{ PFMLIB_ERR_FEATCOMB, PCL_REASON_IA64_RANGE_EVENT, RANGE },
	/* No coarse range for such an event; ours takes none of that shape, or of any. */
	{ PFMLIB_ERR_FEATCOMB, PCL_REASON_IA64_RANGE_SHAPE, RANGE },
	{ PFMLIB_ERR_IRRFLAGS, PCL_REASON_IA64_RANGE_PAIR, RANGE },
	{ PFMLIB_ERR_IRRINVAL, PCL_REASON_IA64_RANGE_PAIR, RANGE },
	{ PFMLIB_ERR_IRRINVAL, PCL_REASON_IA64_RANGE_SHAPE, RANGE },
	{ PFMLIB_ERR_IRRALIGN, PCL_REASON_IA64_RANGE_SHAPE, RANGE },
	/* Ours looks at the event first, and at the shape before what there is one buffer for. */
	{ PFMLIB_ERR_IRRALIGN, PCL_REASON_IA64_RANGE_PAIR, RANGE },
	{ PFMLIB_ERR_FEATCOMB, PCL_REASON_IA64_RANGE_PAIR, RANGE | BRANCHES | ADDRESSES },
	{ PFMLIB_ERR_EVTINCOMP, PCL_REASON_IA64_RANGE_SHAPE, RANGE | BRANCHES },
	/* A range that libpfm4 does not take, ours does, and the buffer is wanted twice. */
	{ PFMLIB_ERR_FEATCOMB, PCL_REASON_IA64_EAR_TRACE, RANGE | BRANCHES },
	{ PFMLIB_ERR_IRRINVAL, PCL_REASON_IA64_IPEAR_TRACE, RANGE | BRANCHES | ADDRESSES },
};

static unsigned int what_is_asked(void)
{
	const struct ask *ask = &trial.ask;

	return (ask->opcode[0].used || ask->opcode[1].used ? OPCODE : 0) |
	       (ask->fetch.used || ask->access.used ? RANGE : 0) | (ask->addresses.used ? ADDRESSES : 0) |
	       (ask->branches.used || first_that_counts_branches() < ask->nr ? BRANCHES : 0);
}

static void compare_reasons(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(alike); i++) {
		if (alike[i].error == trial.answer.refused && alike[i].reason == trial.refused &&
		    !(alike[i].asked & ~what_is_asked()))
			return;
	}
	unexplained("reasons", -trial.answer.refused, trial.refused);
}

#endif
