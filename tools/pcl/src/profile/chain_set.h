/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The chains of callers that samples had, each once.
 */
#ifndef PCL_CHAIN_SET_H
#define PCL_CHAIN_SET_H

#include "base/base.h"

/* One chain, behind the sampled function. Two that are alike in the first five have the same callers. */
struct chain {
	u64 user_layout, kernel_layout;	/* of session_layout() */
	u32 first_word, nr_words;
	u16 mode;		/* the level that its first address is of */
	bool exact;		/* that address is where the level was left */
	u32 first, nr;		/* frames of the batch that it was new in, innermost first */
	u32 stack;		/* of the profile; 0: it was not added yet */
};

struct chain_set {
	struct chain *v;
	u32 nr, room;
	u64 *words;
	u32 nr_words, room_words;
	struct hash_index index;
};

/* chain_set.c */
u32 chain_set_at(struct chain_set *s, struct chain *key, struct cursor words);
void chain_set_clear(struct chain_set *s);
void chain_set_free(struct chain_set *s);

#endif /* PCL_CHAIN_SET_H */
