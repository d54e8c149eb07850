/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the model's pure files need of QEMU, to build them without it.
 */
#ifndef PMU_TEST_OSDEP_H
#define PMU_TEST_OSDEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))

#endif
