// SPDX-License-Identifier: GPL-2.0
/*
 * Stock's tables, as cut.py has cut them, behind look-ups that know how stock reads them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/perf_event.h>

#include "stock.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#include "stock_cut.h"

static const struct {
	const char *name;
	const struct sparc_pmu *pmu;
	const struct perf_event_map *generic;
} chips[] = {
#define CHIP(name, map)	{ #name, &name##_pmu, map },
	STOCK_PMUS(CHIP)
};

static unsigned int chip_of(const char *name)
{
	unsigned int i = 0;

	while (strcmp(chips[i].name, name))
		i++;
	return i;
}

static struct stock_code code_of(const struct perf_event_map *map, const struct sparc_pmu *pmu)
{
	struct stock_code code = { .code = map->encoding };

	if (map->encoding == CACHE_OP_UNSUPPORTED)
		return (struct stock_code){ .none = 'u' };
	if (map->encoding == CACHE_OP_NONSENSE)
		return (struct stock_code){ .none = 's' };
	if (!(pmu->flags & SPARC_PMU_HAS_CONFLICTS)) {
		code.counters = (1U << pmu->max_hw_events) - 1;
		return code;
	}
	if (map->pic_mask & PIC_LOWER)
		code.counters |= 1;
	if (map->pic_mask & PIC_UPPER)
		code.counters |= 2;
	if (!code.counters)
		code.none = 'u';
	return code;
}

/* Beyond the end of its table stock says EINVAL. */
struct stock_code stock_generic(const char *chip, unsigned int id)
{
	unsigned int i = chip_of(chip);

	if (id >= (unsigned int)chips[i].pmu->max_events)
		return (struct stock_code){ .none = 'u' };
	return code_of(&chips[i].generic[id], chips[i].pmu);
}

struct stock_code stock_cache(const char *chip, unsigned int unit, unsigned int op, unsigned int result)
{
	const struct sparc_pmu *pmu = chips[chip_of(chip)].pmu;

	return code_of(&(*pmu->cache_map)[unit][op][result], pmu);
}

struct stock_layout stock_layout(const char *chip)
{
	const struct sparc_pmu *pmu = chips[chip_of(chip)].pmu;

	return (struct stock_layout){
		.pics = pmu->max_hw_events, .pcrs = pmu->num_pcrs,
		.user = pmu->user_bit, .system = pmu->priv_bit, .hypervisor = pmu->hv_bit, .interrupts = pmu->irq_bit,
		.field = pmu->event_mask, .shift = { pmu->lower_shift, pmu->upper_shift },
		.nop = { pmu->lower_nop, pmu->upper_nop },
	};
}
