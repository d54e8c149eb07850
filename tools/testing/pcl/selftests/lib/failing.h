/* SPDX-License-Identifier: GPL-2.0 */
/* Allocations of this thread that fail, one at a time, on kernels that can let them: the debug kernel. */
#ifndef PCL_TEST_FAILING_H
#define PCL_TEST_FAILING_H

#include <stdbool.h>

/* From here on, allocations that may wait can fail as well; the test is skipped where none can. */
void failing_begin(void);
/* The @nth allocation from here on fails; none for 0. */
void failing_at(unsigned int nth);
/* Has it come to the one that fails? */
bool failing_came(void);

#endif
