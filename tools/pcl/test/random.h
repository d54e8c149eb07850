/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers for tests: the same on every run.
 */
#ifndef PCL_TEST_RANDOM_H
#define PCL_TEST_RANDOM_H

#include "types.h"

static u64 random_state = 88172645463325252ull;

/* xorshift64 (Marsaglia 2003) */
static inline u64 next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

#endif /* PCL_TEST_RANDOM_H */
