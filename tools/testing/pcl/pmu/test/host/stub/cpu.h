/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types that pmu.h names, for a build without QEMU.
 */
#ifndef PMU_TEST_CPU_H
#define PMU_TEST_CPU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct X86CPU X86CPU;
typedef struct CPUX86State CPUX86State;
typedef struct DeviceState DeviceState;

#endif
