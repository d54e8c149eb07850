/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: ranges of addresses that the sides see otherwise. libpfm4 takes more than was asked for, in one pair
 * of debug registers or several, and says so; ours takes a range as it is, or not at all.
 */
#ifndef PCL_ENCODER_SHAPES_H
#define PCL_ENCODER_SHAPES_H

#define IS_FINE		BIT_ULL(13)	/* of PMC14, on Montecito PMC38 */

static bool is_power_of_two(const struct range *range)
{
	u64 size = range->end - range->start;

	return range->start < range->end && !(size & (size - 1)) && !(range->start & (size - 1));
}

static u64 page_size(void)
{
	return trial.side->kind == MONTECITO ? 0x10000 : 0x1000;
}

/* Is it within a page, of which it has the end? */
static bool ends_with_page(const struct range *range)
{
	return range->start < range->end && !(range->end & (page_size() - 1)) &&
	       range->start / page_size() == (range->end - 1) / page_size();
}

static bool is_fine_theirs(void)
{
	return trial.side->kind != MERCED && (theirs_of(trial.side->fetch_reg, 0) & IS_FINE);
}

/* Does it begin and end at the same place of two pages? libpfm4 compares 32 bits of their numbers. */
static bool is_in_two_pages(void)
{
	const struct range *range = &trial.ask.fetch;

	return (range->start ^ range->end) >> 32 && !((range->start ^ range->end) & 0xffffffff & ~(page_size() - 1));
}

/* A shape that ours refuses, and libpfm4 does not; NULL: ours should have it, too */
static const char *other_shape(void)
{
	const struct range *range = trial.ask.fetch.used ? &trial.ask.fetch : &trial.ask.access;
	const struct pairs *pairs = trial.ask.fetch.used ? &trial.answer.fetch : &trial.answer.access;

	if (trial.ask.fetch.used && is_fine_theirs() && is_in_two_pages())
		return "fine ranges: libpfm4 takes two pages for one, 4 GB apart";
	if (range->end - range->start > BIT_ULL(56))
		return "ranges of more than 2^56: libpfm4 takes them";
	if (pairs->before || pairs->behind)
		return "ranges that do not fit: libpfm4 takes more than was asked for";
	if (pairs->nr > 2 && !(trial.ask.fetch.used && is_fine_theirs()))
		return "ranges that do not fit: libpfm4 takes several pairs";
	return NULL;
}

/* Events that look at another pair than the first */
static const char *other_pair(void)
{
	if (trial.answer.fetch.reg[0].nr == 2)
		return "prefetches: libpfm4 takes the second pair";
	if (facts_of(0)->code == 0x08 && facts_of(0)->umask && is_fine_theirs())
		return "tagged instructions: libpfm4 takes a fine range in the first pair for all of them";
	return NULL;
}

/* A range that libpfm4 refuses, and ours does not */
static const char *lenient_range(void)
{
	const struct range *range = &trial.ask.fetch;
	int refused = trial.answer.refused;

	if (!range->used || trial.side->kind == MERCED || !facts_of(0)->fetches)
		return NULL;
	/* On these chips this event alone can have several pairs, and is refused if others lack that have them, too. */
	if (facts_of(0)->code == 0x08)
		return refused == PFMLIB_ERR_IRRINVAL && ends_with_page(range) && !is_power_of_two(range) ?
		       "fine ranges: libpfm4 takes none that ends with its page" : NULL;
	if (trial.side->kind == MONTECITO && refused == PFMLIB_ERR_FEATCOMB &&
	    (ends_with_page(range) || is_power_of_two(range)))
		return "coarse ranges: libpfm4 has them for retired instructions and prefetches alone";
	return NULL;
}

/* A control register of a range that only ours takes in this mode: as after power-up, but for @clear and @set */
static void check_own_control(unsigned int nr, u64 clear, u64 set)
{
	u64 own = (power_up_of(nr)->reset & ~clear) | set;

	if (model.pmc[nr] != own)
		unexplained("a control register of a range of ours alone", own, model.pmc[nr]);
}

/*
 * The registers of a range that only ours takes in this mode: there is nothing to hold them against but the range, and
 * what libpfm4 has for others of its kind (pmc14_ita2_reg, pmc38_mont_reg: bit 1 for the first pair, bit 7 for the
 * third).
 */
static void check_own_range(void)
{
	const struct range *range = &trial.ask.fetch;
	bool fine = model.pmc[trial.side->fetch_reg] & IS_FINE;
	u64 mask = fine ? ~(page_size() - 1) : ~(range->end - range->start - 1), own[8] = { 0 };
	unsigned int i;

	check_own_control(trial.side->fetch_reg, fine ? 0x82 : 0x02, fine ? IS_FINE : 0);
	own[0] = range->start;
	own[1] = (mask & 0xffffffffffffff) | (u64)trial.ask.levels << 56;
	own[4] = fine ? range->end - 16 : 0;
	own[5] = fine ? own[1] : 0;
	for (i = 0; i < 8; i++) {
		if (model.ibr[i] != own[i])
			unexplained("a range of ours alone", own[i], model.ibr[i]);
	}
}

/* Both take it, but in another mode; the registers of such ranges cannot be compared. */
static const char *other_mode(void)
{
	const struct range *range = &trial.ask.fetch;
	bool fine = trial.side->kind != MERCED && (model.pmc[trial.side->fetch_reg] & IS_FINE);

	if (!range->used || fine == is_fine_theirs())
		return NULL;
	if (!fine && is_power_of_two(range))
		return is_in_two_pages() ? "fine ranges: libpfm4 takes two pages for one, 4 GB apart" :
		       "coarse ranges: libpfm4 takes a fine one if that can be";
	if (fine && ends_with_page(range))
		return "fine ranges: libpfm4 takes none that ends with its page";
	return NULL;
}

#endif
