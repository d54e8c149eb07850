/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The little of the PMU model that cpu.h needs.
 */
#ifndef SPARC_PMU_IFACE_H
#define SPARC_PMU_IFACE_H

/* Private CPU properties */
typedef struct PMUProperties {
    char *chip;                 /* pmu: us12, us3, t1, t2; NULL: no PMU */
    uint32_t skid;              /* pmu-skid */
    uint32_t late;              /* pmu-late */
    uint8_t dirty;              /* pmu-dirty */
    uint8_t stats;              /* pmu-stats */
} PMUProperties;

/* Levels whose retirements the model wants to see: CPUSPARCState.pmu_levels */
#define PMU_LEVEL_USER      1
#define PMU_LEVEL_SYSTEM    2

/* The alternate address space of the statistics; see pmu-stats-abi.h. */
#define ASI_PMU_STATS       0xb8

#endif
