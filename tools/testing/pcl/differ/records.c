// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: records, control pages and counts as text that is the same in each run.
 *
 * Concepts: lib/ring.c takes samples and trailers apart, and ends the sequence when one is not as long as its fields. Times are told
 *	as zero, forward or back. A ring to which a noisy event writes is read, and of its records only their form is
 *	looked at: how many there are is another number in each run.
 */
#include <stdio.h>

#include "differ.h"

#define CAP_USER_RDPMC 4	/* of a control page's capabilities */

static const char *const type_names[PERF_RECORD_MAX] = {
	[PERF_RECORD_MMAP] = "MMAP", [PERF_RECORD_LOST] = "LOST", [PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT", [PERF_RECORD_THROTTLE] = "THROTTLE", [PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK", [PERF_RECORD_READ] = "READ", [PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2", [PERF_RECORD_AUX] = "AUX", [PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES", [PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE", [PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL", [PERF_RECORD_BPF_EVENT] = "BPF_EVENT", [PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE", [PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[PERF_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
};

/* The time of the record before, in the ring that is printed. */
static uint64_t last_time;

static const char *time_form(uint64_t time)
{
	const char *form = !time ? "0" : time >= last_time ? "+" : "back";

	last_time = time;
	return form;
}

void count_print(const struct slot *slot, uint64_t count)
{
	if (slot->sureness == EXACT)
		printf(" %llu", (unsigned long long)count);
	else if (slot->sureness == SOME)
		printf(" %s", count ? "some" : "0");
	else
		printf(" ?");
}

static const struct slot *slot_of_id(uint64_t id)
{
	unsigned int i;

	for (i = 0; i < NR_SLOTS; i++)
		if (id && now.slots[i].id == id)
			return &now.slots[i];
	return NULL;
}

static void times_print(const struct slot *slot, uint64_t format, const uint64_t *words)
{
	bool both = (format & 3) == 3;

	/* Stock's clock of a cgroup may run while none of its tasks does. */
	if (slot->sureness == UNSURE || !(format & 3) || slot->cgroup || slot->waited)
		return;
	printf(" times %s", words[0] ? "+" : "0");
	if (both)
		printf("%s", words[1] == words[0] ? "=" : words[1] < words[0] ? ">" : "<");
}

void reading_print(const struct slot *slot, const uint64_t *words, unsigned int nr)
{
	uint64_t format = slot->attr.read_format;
	unsigned int nr_times = !!(format & 1) + !!(format & 2), i, nr_events = 1;
	bool group = format & PERF_FORMAT_GROUP;

	if (group && nr) {
		nr_events = words[0];
		printf(" nr %u", nr_events);
		words++;
	}
	if (!group && nr) {
		count_print(slot, *words);
		words++;
	}
	times_print(slot, format, words);
	words += nr_times;
	for (i = 0; i < nr_events && i < 16; i++) {
		/* Who it is stands behind the count; else nobody tells how sure that is. */
		const struct slot *event = !group ? slot : format & PERF_FORMAT_ID ? slot_of_id(words[1]) :
			i == 0 && slot->group < 0 ? slot : NULL;

		if (group) {
			if (event)
				count_print(event, *words);
			else
				printf(" ?");
			words++;
		}
		if (format & PERF_FORMAT_ID)
			printf(" id %s", name_of_id(*words++));
		if (format & PERF_FORMAT_LOST) {
			if (slot->noisy || !event || event->noisy)
				printf(" lost ?");
			else
				printf(" lost %llu", (unsigned long long)*words);
			words++;
		}
	}
}

void page_print(struct slot *slot)
{
	const struct perf_event_mmap_page *page = slot->ring.page;
	const struct slot *to = slot;
	uint64_t capabilities = page->capabilities;

	/* Of what is on no counter stock says at random that it can be read. */
	if (slot->attr.type == PERF_TYPE_SOFTWARE || slot->attr.type == PERF_TYPE_TRACEPOINT ||
	    slot->attr.type == PERF_TYPE_BREAKPOINT)
		capabilities &= ~CAP_USER_RDPMC;
	printf(" version %u compat %u size %u caps %#llx width %u data %#llx+%#llx aux %#llx+%#llx reserved %u",
	       page->version, page->compat_version, page->size, (unsigned long long)capabilities,
	       page->pmc_width, (unsigned long long)page->data_offset, (unsigned long long)page->data_size,
	       (unsigned long long)page->aux_offset, (unsigned long long)page->aux_size, page->__reserved_1);
	printf(" lock %s clock %d%d", page->lock & 1 ? "odd" : "even", !!page->time_mult, !!page->time_shift);
	/* What was redirected before it was mapped has a page that is kept for another. */
	if (slot->sureness != UNSURE && slot->writes_to < 0)
		printf(" enabled %s index %s", page->time_enabled ? "+" : "0", page->index ? "+" : "0");
	if (!to->noisy && !slot->attr.write_backward)
		printf(" head %#llx", (unsigned long long)page->data_head);
}

/* ---- fields ---- */

static void chain_print(const struct sample *sample)
{
	uint64_t i;
	bool kernel = false;

	printf(" chain");
	/* How many functions of the kernel there are is its own affair. */
	for (i = 0; i < sample->nr_chain; i++) {
		bool here = sample->chain[i] >> 47 == 0x1ffff && sample->chain[i] < (uint64_t)PERF_CONTEXT_MAX;

		if (!here || !kernel)
			printf(" %s", name_of_address(sample->chain[i]));
		kernel = here;
	}
}

static void registers_print(const char *name, const struct registers *registers)
{
	uint64_t i;

	printf(" %s abi %llu", name, (unsigned long long)registers->abi);
	for (i = 0; i < registers->nr; i++)
		printf(" %s", registers->at[i] < 4096 ? "small" : name_of_address(registers->at[i]));
}

static void raw_print(const struct slot *slot, const struct sample *sample)
{
	uint64_t i;

	printf(" raw %llu", (unsigned long long)sample->raw_size);
	/* The tracepoint's number and who it was stand in front. */
	for (i = 8; slot->attr.type == PERF_TYPE_TRACEPOINT && i + 8 <= sample->raw_size; i += 8)
		printf(" %llx", *(const unsigned long long *)(sample->raw + i));
}

static void sample_print(const struct slot *slot, const struct record *record)
{
	uint64_t type = slot->attr.sample_type;
	static struct sample s;

	sample_parse(record, &slot->attr, &s);
	if (type & PERF_SAMPLE_IDENTIFIER)
		printf(" identifier %s", name_of_id(s.identifier));
	if (type & PERF_SAMPLE_IP)
		printf(" ip %s", name_of_address(s.ip));
	if (type & PERF_SAMPLE_TID)
		printf(" task %s/%s", name_of_process(s.pid), name_of_process(s.tid));
	if (type & PERF_SAMPLE_TIME)
		printf(" time %s", time_form(s.time));
	if (type & PERF_SAMPLE_ADDR)
		printf(" addr %s", name_of_address(s.addr));
	if (type & PERF_SAMPLE_ID)
		printf(" id %s", name_of_id(s.id));
	if (type & PERF_SAMPLE_STREAM_ID)
		printf(" stream %s", slot->family ? "-" : name_of_id(s.stream_id));
	if (type & PERF_SAMPLE_CPU)
		printf(" cpu %u", s.cpu);
	if (type & PERF_SAMPLE_PERIOD)
		printf(" period %llu", slot->attr.freq ? !!s.period : (unsigned long long)s.period);
	if (type & PERF_SAMPLE_READ) {
		printf(" read");
		reading_print(slot, s.read, s.nr_read);
	}
	if (type & PERF_SAMPLE_CALLCHAIN)
		chain_print(&s);
	if (type & PERF_SAMPLE_RAW)
		raw_print(slot, &s);
	if (type & PERF_SAMPLE_REGS_USER)
		registers_print("user", &s.user);
	if (type & PERF_SAMPLE_STACK_USER)
		printf(" stack %llu/%llu", (unsigned long long)s.stack_copied, (unsigned long long)s.stack_size);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		printf(" weight %llu", (unsigned long long)s.weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		printf(" source %#llx", (unsigned long long)s.data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		printf(" transaction %llu", (unsigned long long)s.transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		registers_print("intr", &s.intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		printf(" physical %s", s.phys_addr ? "+" : "0");
	if (type & PERF_SAMPLE_CGROUP)
		printf(" cgroup %s", s.cgroup ? "+" : "0");
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		printf(" data-page %llu", (unsigned long long)s.data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		printf(" code-page %llu", (unsigned long long)s.code_page_size);
}

static void trailer_print(const struct slot *slot, const struct record *record)
{
	uint64_t type = slot->attr.sample_type;
	struct sample s;

	if (!slot->attr.sample_id_all)
		return;
	trailer_parse(record, &slot->attr, &s);
	if (type & PERF_SAMPLE_TID)
		printf(" : task %s/%s", name_of_process(s.pid), name_of_process(s.tid));
	if (type & PERF_SAMPLE_TIME)
		printf(" time %s", time_form(s.time));
	if (type & PERF_SAMPLE_ID)
		printf(" id %s", slot->family ? "-" : name_of_id(s.id));
	if (type & PERF_SAMPLE_STREAM_ID)
		printf(" stream %s", slot->family ? "-" : name_of_id(s.stream_id));
	if (type & PERF_SAMPLE_CPU)
		printf(" cpu %u", s.cpu);
	if (type & PERF_SAMPLE_IDENTIFIER)
		printf(" identifier %s", slot->family ? "-" : name_of_id(s.identifier));
}

/* ---- what happened ---- */

static void processes_print(uint64_t word)
{
	printf(" %s/%s", name_of_process((uint32_t)word), name_of_process(word >> 32));
}

/* The name without its directories, and how much room it has. */
static void name_print(const uint64_t *from, const uint64_t *end)
{
	const char *text = (const char *)from, *slash;

	if (from >= end || !memchr(text, 0, (end - from) * 8)) {
		printf(" no name");
		return;
	}
	slash = strrchr(text, '/');
	printf(" '%s'%s", slash && slash[1] ? slash + 1 : text, (size_t)(end - from) * 8 == (strlen(text) / 8 + 1) * 8 ? "" : " and more");
}

static void mmap_print(const struct record *record, const uint64_t *end)
{
	const uint64_t *at = record->body;
	bool build_id = record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID;

	processes_print(at[0]);
	printf(" at %s length %#llx from %#llx", name_of_address(at[1]), (unsigned long long)at[2],
	       (unsigned long long)(at[3] < 1UL << 40 && at[3] != at[1] / PAGE ? at[3] : 1));
	at += 4;
	if (record->header.type == PERF_RECORD_MMAP2) {
		if (build_id)
			printf(" build-id of %llu", (unsigned long long)(at[0] & 0xff));
		else
			printf(" device %d inode %d", !!at[0], !!at[1]);
		printf(" prot %llx", (unsigned long long)at[3]);
		at += 4;
	}
	name_print(at, end);
}

static void body_print(const struct slot *slot, const struct record *record)
{
	const uint64_t *at = record->body;
	const uint64_t *end = record->body + record->header.size / 8 - 1 - trailer_size(&slot->attr) / 8;
	unsigned int i;

	switch (record->header.type) {
	case PERF_RECORD_MMAP: case PERF_RECORD_MMAP2:
		mmap_print(record, end);
		break;
	case PERF_RECORD_LOST:
		printf(" of %s %llu", slot->family ? "-" : name_of_id(at[0]), (unsigned long long)at[1]);
		break;
	case PERF_RECORD_COMM:
		processes_print(at[0]);
		name_print(at + 1, end);
		break;
	case PERF_RECORD_FORK: case PERF_RECORD_EXIT:
		printf(" %s/%s of %s/%s", name_of_process((uint32_t)at[0]), name_of_process((uint32_t)at[1]),
		       name_of_process(at[0] >> 32), name_of_process(at[1] >> 32));
		printf(" time %s", time_form(at[2]));
		break;
	case PERF_RECORD_READ:
		processes_print(at[0]);
		reading_print(slot, at + 1, end - at - 1);
		break;
	case PERF_RECORD_NAMESPACES:
		processes_print(at[0]);
		printf(" nr %llu", (unsigned long long)at[1]);
		for (i = 0; i < 2 * at[1] && at + 2 + i < end; i++)
			printf(" %d", !!at[2 + i]);
		break;
	case PERF_RECORD_CGROUP:
		printf(" id %d", !!at[0]);
		name_print(at + 1, end);
		break;
	}
}

/* ---- rings ---- */

static bool tells(const struct slot *slot)
{
	const struct perf_event_attr *attr = &slot->attr;

	return attr->mmap || attr->mmap2 || attr->mmap_data || attr->comm || attr->task || attr->namespaces || attr->cgroup;
}

/* Whose attr tells how to read what stands in this ring; NULL: they do not agree, or it is not the same each time. */
static const struct slot *only_writer(const struct slot *owner, bool *noisy)
{
	const struct slot *writer = owner;
	unsigned int i, which = owner - now.slots;

	*noisy = owner->noisy;
	for (i = 0; i < NR_SLOTS; i++) {
		const struct slot *other = &now.slots[i];

		if (other == owner || other->writes_to != (int)which)
			continue;
		*noisy |= other->noisy;
		if (other->attr.sample_type != owner->attr.sample_type ||
		    other->attr.sample_id_all != owner->attr.sample_id_all ||
		    other->attr.read_format != owner->attr.read_format ||
		    other->attr.sample_regs_user != owner->attr.sample_regs_user ||
		    other->attr.sample_regs_intr != owner->attr.sample_regs_intr)
			writer = NULL;
		/* Who of several tells first what happened, nothing says. */
		*noisy |= tells(other) && tells(owner);
	}
	return writer;
}

static void record_print(const struct slot *writer, const struct record *record)
{
	uint32_t type = record->header.type;

	printf("  %s misc %#x size %u", type < PERF_RECORD_MAX && type_names[type] ? type_names[type] : "?",
	       record->header.misc, record->header.size);
	if (writer && type == PERF_RECORD_SAMPLE)
		sample_print(writer, record);
	else if (writer) {
		body_print(writer, record);
		trailer_print(writer, record);
	}
	printf("\n");
}

/* The records of a ring that is written downwards lie from the newest to the oldest: a view that ends where it began. */
static struct ring view_backward(const struct ring *ring, uint64_t head)
{
	static struct perf_event_mmap_page end;
	struct ring view = *ring;

	end.data_head = 0;
	view.page = &end;
	view.prot = PROT_READ;
	view.tail = head;
	return view;
}

static void records_print(struct ring *ring, const struct slot *writer, bool noisy)
{
	static struct record record;
	static struct sample sample;

	while (ring_take(ring, &record))
		if (!noisy)
			record_print(writer, &record);
		else if (writer && record.header.type == PERF_RECORD_SAMPLE)
			sample_parse(&record, &writer->attr, &sample);
}

void ring_print(struct slot *slot)
{
	struct ring *ring = &slot->ring, view;
	const struct slot *writer;
	uint64_t head;
	bool noisy;

	if (!ring->page || !ring->size) {
		printf(" = nothing\n");
		return;
	}
	writer = only_writer(slot, &noisy);
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	last_time = 0;
	if (slot->attr.write_backward) {
		printf(" = backward %lld\n", noisy ? 0 : -(long long)head);
		view = view_backward(ring, head);
		last_time = ~0ULL;
		if (-head <= ring->size)
			records_print(&view, writer, noisy);
	} else if (head - ring->tail > ring->size) {
		printf(" = overwritten\n");
		ring->tail = head;
	} else {
		printf(" =%s\n", noisy ? " some" : "");
		records_print(ring, writer, noisy);
	}
}
