// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: random attrs: events that make sense for the theme, some fields more, now and then one that makes none.
 *
 * Concepts: what is opened is mostly good, so that what comes after has something to work on. slot_judge() says what
 *	is the same in each run of what such an event counts and writes.
 */
#include <stdio.h>
#include <linux/hw_breakpoint.h>

#include "differ.h"

enum kind {
	FAULTS, MINOR, MAJOR, DUMMIES, ALIGNMENT, EMULATION, OUTPUT, MIGRATIONS, SWITCHED, CGROUP_SWITCHED, TASK, CPU,
	HARDWARE, CACHE, RAW, CALLED, WATCHED, EXECUTED, PROBED,
	NR_KINDS
};

static const unsigned char kinds_of[NR_THEMES][NR_KINDS] = {
	[OPENS] =	{ 6, 2, 1, 4, 1, 1, 2, 2, 2, 1, 2, 2, 6, 3, 3, 2, 2, 1, 1 },
	[GROUPS] =	{ 6, 3, 1, 3, 1, 1, 0, 2, 2, 1, 2, 2, 4, 1, 1, 1, 2, 0, 0 },
	[RINGS] =	{ 12, 4, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0 },
	[SAMPLES] =	{ 12, 3, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 5, 5, 2, 0 },
	[HAPPENINGS] =	{ 3, 0, 0, 8, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0 },
	[CONTROLS] =	{ 10, 2, 0, 3, 0, 0, 1, 2, 1, 0, 1, 1, 2, 0, 0, 2, 2, 0, 0 },
	[FAMILIES] =	{ 10, 3, 0, 4, 0, 0, 0, 2, 1, 0, 1, 0, 2, 0, 0, 2, 2, 0, 0 },
	[PROCESSORS] =	{ 6, 2, 0, 3, 0, 0, 0, 3, 1, 1, 1, 2, 3, 0, 0, 2, 0, 0, 0 },
	[TRACEPOINTS] =	{ 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 1 },
	[BREAKPOINTS] =	{ 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 4, 0 },
	[CGROUPS] =	{ 8, 2, 0, 3, 0, 0, 0, 1, 1, 2, 0, 1, 3, 0, 0, 1, 0, 0, 0 },
	[USERS] =	{ 6, 1, 1, 3, 1, 1, 1, 2, 2, 1, 2, 2, 4, 1, 1, 3, 2, 1, 1 },
	[HOTPLUG] =	{ 6, 2, 0, 4, 0, 0, 0, 2, 0, 0, 0, 1, 2, 0, 0, 2, 0, 0, 0 },
};

#define FIELD(name) { #name, offsetof(struct perf_event_attr, name), sizeof(((struct perf_event_attr *)0)->name) }
#define FLAGS_AT	(offsetof(struct perf_event_attr, read_format) + 8)

/* All of an attr: fields are changed and printed by this table. */
static const struct field {
	const char *name;
	unsigned short offset, size;
} fields[] = {
	FIELD(type), FIELD(size), FIELD(config), FIELD(sample_period), FIELD(sample_type), FIELD(read_format),
	{ "flags", FLAGS_AT, 8 }, FIELD(wakeup_events), FIELD(bp_type), FIELD(config1), FIELD(config2),
	FIELD(branch_sample_type), FIELD(sample_regs_user), FIELD(sample_stack_user), FIELD(clockid),
	FIELD(sample_regs_intr), FIELD(aux_watermark), FIELD(sample_max_stack), FIELD(__reserved_2),
	FIELD(aux_sample_size), FIELD(aux_action), FIELD(sig_data), FIELD(config3),
};

#define NR_FIELDS (sizeof(fields) / sizeof(fields[0]))

static uint64_t field_get(const struct perf_event_attr *attr, const struct field *field)
{
	uint64_t value = 0;

	memcpy(&value, (const char *)attr + field->offset, field->size);
	return value;
}

static void field_set(struct perf_event_attr *attr, const struct field *field, uint64_t value)
{
	memcpy((char *)attr + field->offset, &value, field->size);
}

void attr_print(const struct perf_event_attr *attr)
{
	unsigned int i;

	for (i = 0; i < NR_FIELDS; i++)
		if (field_get(attr, &fields[i]) && !(fields[i].offset == 4 && attr->size == PERF_ATTR_SIZE_VER7))
			printf(" %s=%#llx", fields[i].name, (unsigned long long)field_get(attr, &fields[i]));
}

/* ---- what is counted ---- */

static void set_event(struct perf_event_attr *attr, uint32_t type, uint64_t config)
{
	attr->type = type;
	attr->config = config;
}

static void set_breakpoint(struct perf_event_attr *attr)
{
	static const unsigned char lengths[] = { HW_BREAKPOINT_LEN_1, HW_BREAKPOINT_LEN_2, HW_BREAKPOINT_LEN_4,
						 HW_BREAKPOINT_LEN_8 };

	set_event(attr, PERF_TYPE_BREAKPOINT, 0);
	attr->bp_type = odds(2) ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW;
	attr->bp_addr = (uintptr_t)&watched[roll(NR_WATCHED)];
	attr->bp_len = lengths[roll(4)];
	attr->exclude_kernel = !odds(8);
}

static void set_kind(struct perf_event_attr *attr, enum kind kind)
{
	static const unsigned char software[] = {
		[FAULTS] = PERF_COUNT_SW_PAGE_FAULTS, [MINOR] = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		[MAJOR] = PERF_COUNT_SW_PAGE_FAULTS_MAJ, [DUMMIES] = PERF_COUNT_SW_DUMMY,
		[ALIGNMENT] = PERF_COUNT_SW_ALIGNMENT_FAULTS, [EMULATION] = PERF_COUNT_SW_EMULATION_FAULTS,
		[OUTPUT] = PERF_COUNT_SW_BPF_OUTPUT, [MIGRATIONS] = PERF_COUNT_SW_CPU_MIGRATIONS,
		[SWITCHED] = PERF_COUNT_SW_CONTEXT_SWITCHES, [CGROUP_SWITCHED] = PERF_COUNT_SW_CGROUP_SWITCHES,
		[TASK] = PERF_COUNT_SW_TASK_CLOCK, [CPU] = PERF_COUNT_SW_CPU_CLOCK,
	};

	switch (kind) {
	case HARDWARE:
		set_event(attr, PERF_TYPE_HARDWARE, odds(3) ? roll(11) : roll(2));
		break;
	case CACHE:
		set_event(attr, PERF_TYPE_HW_CACHE, roll(8) | roll(4) << 8 | roll(3) << 16);
		break;
	case RAW:
		set_event(attr, PERF_TYPE_RAW, odds(2) ? 0xc0 : 0xc4 | chance() >> 40 << 8);
		break;
	case CALLED:
		set_event(attr, PERF_TYPE_TRACEPOINT, call_tracepoint);
		break;
	case WATCHED:
		set_breakpoint(attr);
		break;
	case EXECUTED:
		set_breakpoint(attr);
		attr->bp_type = HW_BREAKPOINT_X;
		attr->bp_addr = (uintptr_t)executed;
		attr->bp_len = sizeof(long);
		break;
	case PROBED:
		set_event(attr, probe_types[0], roll(2));
		attr->config1 = (uintptr_t)"__x64_sys_getpgid";
		break;
	default:
		set_event(attr, PERF_TYPE_SOFTWARE, software[kind]);
	}
}

static bool is_hardware(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE || attr->type == PERF_TYPE_RAW;
}

/* Each loop has some of it. */
static bool is_frequent(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE &&
	       (attr->config == PERF_COUNT_HW_CPU_CYCLES || attr->config == PERF_COUNT_HW_INSTRUCTIONS ||
		attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config <= PERF_COUNT_SW_TASK_CLOCK;
}

/* Counts what others do as well: switches, and on a CPU what moves there, the kernel's own threads among them. */
static bool is_shared(const struct slot *slot)
{
	const struct perf_event_attr *attr = &slot->attr;

	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						    attr->config == PERF_COUNT_SW_CGROUP_SWITCHES ||
						    (attr->config == PERF_COUNT_SW_CPU_MIGRATIONS && slot->any_task));
}

void slot_judge(struct slot *slot)
{
	const struct perf_event_attr *attr = &slot->attr;

	slot->sureness = is_hardware(attr) || is_clock(attr) ? SOME : EXACT;
	if (is_shared(slot) || slot->cpu > 0 ||
	    (is_hardware(attr) && (!is_frequent(attr) || now.exclusive || now.nr_hardware > 3)) ||
	    attr->type > PERF_TYPE_BREAKPOINT)
		slot->sureness = UNSURE;
	slot->noisy = attr->context_switch || attr->text_poke || slot->cpu >= 0 ||
		      (attr->sample_period && (slot->sureness != EXACT || attr->freq));
	slot->family = attr->inherit;
}

static bool overlap(const struct slot *one, const struct slot *other)
{
	return one->attr.type == PERF_TYPE_BREAKPOINT && other->attr.type == PERF_TYPE_BREAKPOINT && one->fd >= 0 &&
	       other->fd >= 0 && one->attr.bp_addr < other->attr.bp_addr + 8 && other->attr.bp_addr < one->attr.bp_addr + 8;
}

/* Of several at one place the emulator tells one, which depends on the order of the debug registers. */
void breakpoints_judge(void)
{
	struct slot *one, *other;

	for (one = now.slots; one < now.slots + NR_SLOTS; one++) {
		for (other = now.slots; other < one; other++) {
			if (!overlap(one, other))
				continue;
			one->sureness = other->sureness = UNSURE;
			one->noisy = other->noisy = true;
			now.unsure_signals |= one->attr.sigtrap || other->attr.sigtrap;
		}
	}
}

void others_judge(const struct slot *opened)
{
	const struct slot *leader = opened->group >= 0 ? &now.slots[opened->group] : NULL;
	struct slot *slot;
	bool joins = leader && is_hardware(&opened->attr);
	/* Hardware takes a group of software to another queue, and stock sets it on or off there as its attrs say. */
	bool may_be_on = joins && now.some_switched;
	/* There stock installs the members one by one, and their leader last: that long they wait. */
	bool moves = joins && !is_hardware(&leader->attr);
	/* It waits for those of hardware, or they for it. */
	bool may_wait = opened->attr.exclusive && is_hardware(&opened->attr);

	for (slot = now.slots; slot < now.slots + NR_SLOTS; slot++) {
		bool of_group = slot == leader || (leader && slot->group == opened->group);

		slot->waited |= moves && of_group && slot != leader;
		if ((may_be_on && of_group) || (may_wait && (slot->sureness == SOME || slot->group >= 0))) {
			slot->sureness = UNSURE;
			slot->noisy |= slot->attr.sample_period > 0;
		}
	}
}

/*
 * When members of what is off go on, on stock the next switch says; of a CPU's, what else comes or goes there. Those of
 * hardware may go on waiting for it there.
 */
void members_judge(const struct slot *leader)
{
	struct slot *slot;

	for (slot = now.slots; slot < now.slots + NR_SLOTS; slot++) {
		slot->waited |= slot->group == leader - now.slots;
		if (slot->group == leader - now.slots && (slot->any_task || slot->cgroup || now.nr_hardware)) {
			slot->sureness = UNSURE;
			slot->noisy |= slot->attr.sample_period > 0;
		}
	}
}

/* ---- what is said of it ---- */

static void add_flags(struct perf_event_attr *attr)
{
	attr->disabled = odds(3);
	attr->inherit = odds(now.theme == FAMILIES ? 2 : 8);
	attr->pinned = odds(12);
	attr->exclusive = odds(30);
	attr->exclude_user = odds(20);
	attr->exclude_hv = odds(6);
	attr->exclude_idle = odds(20);
	attr->enable_on_exec = odds(now.theme == FAMILIES ? 5 : 15);
	attr->remove_on_exec = !attr->enable_on_exec && odds(now.theme == FAMILIES ? 6 : 25);
	attr->exclude_guest = odds(20);
	attr->exclude_host = odds(60);
	attr->inherit_thread = attr->inherit && odds(10);
	attr->sample_id_all = odds(2);
	attr->exclude_callchain_kernel = odds(8);
	attr->exclude_callchain_user = odds(8);
}

static void add_records(struct perf_event_attr *attr)
{
	attr->mmap = odds(2);
	attr->comm = odds(2);
	attr->task = odds(2);
	attr->mmap_data = odds(4);
	attr->mmap2 = odds(2);
	attr->comm_exec = odds(3);
	attr->context_switch = odds(8);
	attr->namespaces = odds(8);
	attr->cgroup = odds(6);
	attr->build_id = odds(8);
	attr->ksymbol = odds(16);
	attr->bpf_event = odds(16);
	attr->inherit_stat = attr->inherit && odds(8);
}

static uint64_t sample_fields(void)
{
	static const uint64_t all[] = {
		PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR, PERF_SAMPLE_READ,
		PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD, PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_RAW, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_WEIGHT,
		PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_TRANSACTION, PERF_SAMPLE_REGS_INTR,
		PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_CGROUP, PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE,
		PERF_SAMPLE_WEIGHT_STRUCT,
	};
	uint64_t type = 0;
	unsigned int nr = roll(now.theme == SAMPLES ? 8 : 5);

	while (nr--)
		type |= all[roll(sizeof(all) / sizeof(all[0]))];
	if (type & PERF_SAMPLE_WEIGHT && !odds(20))
		type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
	return type;
}

/* An emulator gets nothing else done when clocks and hardware events overflow often. */
bool period_is_bearable(const struct perf_event_attr *attr, uint64_t period)
{
	if (!is_clock(attr) && !is_hardware(attr))
		return true;
	if (attr->freq)
		return period <= 1000 || period >> 32;
	return !period || period >= (is_hardware(attr) && attr->exclude_kernel ? 20000 : 1ULL << 36);
}

static void add_samples(struct perf_event_attr *attr)
{
	attr->sample_type = sample_fields();
	attr->freq = odds(12);
	attr->sample_period = 1 + roll(5);
	if (attr->freq)
		attr->sample_freq = 100 + roll(1000);
	else if (!period_is_bearable(attr, attr->sample_period))
		attr->sample_period = is_hardware(attr) && attr->exclude_kernel ? 20000 : 1ULL << 40;
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		attr->sample_regs_user = odds(4) ? 0xff0fff : 1 << roll(9) | 1 << roll(9);
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR)
		attr->sample_regs_intr = odds(4) ? 0xff0fff : 1 << roll(9) | 1 << roll(9);
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		attr->sample_stack_user = 8 * (1 + roll(64));
	if (odds(6))
		attr->sample_max_stack = 1 + roll(20);
	attr->write_backward = odds(10);
	attr->watermark = odds(5);
	attr->wakeup_events = attr->watermark ? 1 + roll(2000) : roll(4);
	attr->use_clockid = odds(8);
	if (attr->use_clockid)
		attr->clockid = odds(8) ? (int)roll(16) - 2 : (int)roll(2) * 3 + (int)odds(2);
	if (odds(now.theme == BREAKPOINTS ? 3 : 16)) {
		attr->sigtrap = attr->remove_on_exec = 1;
		attr->enable_on_exec = 0;
		attr->sig_data = chance();
	}
}

/* ---- what makes no sense ---- */

static void spoil_size(struct given *given)
{
	static const uint32_t sizes[] = { 0, 1, 63, 64, 65, 68, 72, 80, 96, 104, 112, 120, 127, 128, 129, 136, 137, 144, 256,
					  4095, 4096, 4097, 8192, 0x7fffffff, 0xffffffff };

	given->attr.size = sizes[roll(sizeof(sizes) / sizeof(sizes[0]))];
	if (odds(3))
		given->behind[roll(odds(2) ? 16 : 4000)] = 1;
}

static void spoil(struct given *given)
{
	const struct field *field = &fields[roll(NR_FIELDS)];
	uint64_t value = odd_number();

	if (odds(6))
		return spoil_size(given);
	/* One bit of what are bits */
	if (field->offset == FLAGS_AT || field->offset == offsetof(struct perf_event_attr, sample_type) ||
	    field->offset == offsetof(struct perf_event_attr, read_format))
		value = field_get(&given->attr, field) ^ 1ULL << roll(64 - 32 * odds(2));
	/* PMUs beyond the fixed ones have other numbers on each kernel. */
	if (!field->offset)
		value = odds(2) ? roll(6) : 0x10000 + roll(3);
	if (field->offset != offsetof(struct perf_event_attr, size))
		field_set(&given->attr, field, value);
}

#define BEYOND_KERNEL (1ULL << 30)	/* larger than a kernel's text */

void attr_random(struct given *given)
{
	struct perf_event_attr *attr = &given->attr;
	enum kind kind = weighted(kinds_of[now.theme], NR_KINDS);

	memset(given, 0, sizeof(*given));
	attr->size = PERF_ATTR_SIZE_VER7;
	attr->exclude_kernel = !odds(5);
	add_flags(attr);
	set_kind(attr, kind);
	if (attr->type == PERF_TYPE_TRACEPOINT && !odds(6))
		attr->exclude_kernel = 0;
	attr->read_format = odds(2) ? roll(32) : 0;
	if (attr->inherit && !odds(10))
		attr->read_format &= ~(uint64_t)PERF_FORMAT_GROUP;
	if (now.theme == HAPPENINGS || odds(6))
		add_records(attr);
	if (now.theme == RINGS || now.theme == SAMPLES || odds(3))
		add_samples(attr);
	if (attr->inherit && !odds(10))
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_READ;
	if (odds(now.theme == OPENS ? 2 : 12))
		spoil(given);
	if (now.theme == OPENS && odds(4))
		spoil(given);
	if (!period_is_bearable(attr, attr->sample_period))
		attr->sample_period = attr->freq ? 1000 : 1ULL << 40;
	/* What lies so far behind a function is another place on each kernel, or beyond its end. */
	if (attr->type == probe_types[0] && attr->config2 > 4096 && attr->config2 < BEYOND_KERNEL)
		attr->config2 = BEYOND_KERNEL;
	now.exclusive |= attr->exclusive || attr->pinned;
	now.nr_hardware += is_hardware(attr);
}
