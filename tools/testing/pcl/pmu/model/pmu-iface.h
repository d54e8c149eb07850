/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The little of the PMU model that cpu.h and the APIC need.
 */
#ifndef I386_TCG_PMU_IFACE_H
#define I386_TCG_PMU_IFACE_H

/* Private CPU properties; 0 means what that CPU really has. */
typedef struct PMUProperties {
    uint8_t version;            /* pmu-version: Intel 1 to 5 */
    uint8_t counters;           /* pmu-counters */
    uint8_t width;              /* pmu-width: of all counters, in bits */
    uint8_t fixed;              /* pmu-fixed, 255: what the CPU has */
    uint8_t amd_version;        /* pmu-amd-version: 1 or 2 */
    uint32_t skid;              /* pmu-skid */
    uint32_t late;              /* pmu-late */
    bool dirty;                 /* pmu-dirty */
    bool ibs;                   /* pmu-ibs */
    uint8_t half;               /* pmu-half: PMUHalf */
    uint8_t absent;             /* pmu-absent: CPUID.0AH:EBX */
    bool kick;                  /* pmu-kick */
    bool smt_leak;              /* pmu-smt-leak */
    uint32_t foreign;           /* pmu-foreign */
    bool stats;                 /* pmu-stats */
} PMUProperties;

struct X86PMU;

/* The guest wrote its LVTPC. */
void pmu_lvtpc_written(struct X86PMU *pmu);
/* The guest sent an interrupt between processors, or to itself. */
void pmu_ipi_sent(struct X86PMU *pmu);

#endif
