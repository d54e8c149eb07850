/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the two halves of chains.c, the program and its library.
 */
#ifndef PCL_TEST_CHAINS_H
#define PCL_TEST_CHAINS_H

typedef long (*callback)(long n);

/* Calls fn with n, through frames of the library. */
long library_call(callback fn, long n);

#endif /* PCL_TEST_CHAINS_H */
