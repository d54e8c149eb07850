// SPDX-License-Identifier: GPL-2.0
/*
 * Sample: what stands in one, how it is planned, measured and written.
 *
 * Concepts: one table has a row for each field a sample can have, in the order of the ABI; it serves sizing and writing
 * alike. When an event is opened, its plan picks the rows it asked for (decision 5). Most are words: 8 bytes that
 * struct perf_sample_data has a place for. The words up to the first field of variable size form a block together with
 * the header, which is written into the ring in one go; the other fields follow one by one.
 *
 * Whatever is known of the size is known by the plan, also of fields that come last. So a field whose size depends on
 * what the others leave of a record, as STACK_USER's, is told what they take, and one check holds for all.
 *
 * A driver may have filled words already (perf_sample_data::sample_flags says which); the rest is filled here.
 *
 * Contexts: overflow handlers, NMI included; plans are made and freed in process context.
 * Locks: none. Callchain buffers and plans are kept by RCU.
 */
#include <linux/slab.h>

#include "buffer.h"
#include "sample.h"

struct sample_field {
	u64 bits;				/* of attr.sample_type; a second bit is another name of the same */
	unsigned int word;			/* a word: its place in struct perf_sample_data; 0: variable */
	/* a word that no driver has filled; NULL: 0 */
	u64 (*fill)(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
	unsigned int (*known)(const struct perf_event_attr *attr);	/* bytes that are known at open; NULL: none */
	/* variable fields: fill @data if need be, and say how many bytes more beside @size; write exactly so many */
	unsigned int (*measure)(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				unsigned int size);
	void (*write)(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data);
};

/* ---- words ---- */

static u64 fill_id(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return pcl_output_id(event);
}

static u64 fill_tid(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return pcl_pair(pcl_output_pid(event, current), pcl_output_tid(event, current));
}

static u64 fill_time(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return pcl_event_clock(event);
}

static u64 fill_stream_id(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return event->id;
}

static u64 fill_cpu(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return pcl_pair(raw_smp_processor_id(), 0);
}

static u64 fill_data_src(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return PERF_MEM_NA;
}

#ifdef CONFIG_CGROUP_PERF
/* RCU read section, which keeps the cgroup of the running task. */
static u64 fill_cgroup(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return cgroup_id(perf_cgroup_from_task(current, NULL)->css.cgroup);
}
#else
static u64 fill_cgroup(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return 0;	/* refused at open: SAMPLE_CGROUP_CONFIG */
}
#endif

/* ---- READ ---- */

/* Words before the first count, and words per count, in a read_format. */
static unsigned int read_head_words(u64 format)
{
	return hweight64(format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				   PERF_FORMAT_GROUP));
}

static unsigned int read_entry_words(u64 format)
{
	return 1 + hweight64(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));
}

static unsigned int read_bytes(struct perf_event *event, unsigned int nr_siblings)
{
	u64 format = event->attr.read_format;
	unsigned int entries = format & PERF_FORMAT_GROUP ? 1 + nr_siblings : 1;

	return (read_head_words(format) + entries * read_entry_words(format)) * sizeof(u64);
}

/* Recompute what read() and READ fields of each member need. ctx->mutex held, the group is as it shall be. */
void pcl_event_read_size(struct perf_event *leader)
{
	struct perf_event *sibling;

	leader = leader->group_leader;
	leader->read_size = read_bytes(leader, leader->nr_siblings);
	list_for_each_entry(sibling, &leader->sibling_list, sibling_list)
		sibling->read_size = read_bytes(sibling, leader->nr_siblings);
}

/* A quarter of the largest record, so that there is room for the other fields of a sample. */
#define READ_LIMIT (16 * 1024)

/* Would everybody's READ still fit if @event joined @leader (or leads, if they are the same)? */
bool pcl_read_size_fits(struct perf_event *event, struct perf_event *leader)
{
	unsigned int nr_siblings = leader->nr_siblings + 1;
	struct perf_event *sibling;

	if (read_bytes(event, nr_siblings) > READ_LIMIT || read_bytes(leader, nr_siblings) > READ_LIMIT)
		return false;
	if (event == leader)
		return true;
	list_for_each_entry(sibling, &leader->sibling_list, sibling_list) {
		if (read_bytes(sibling, nr_siblings) > READ_LIMIT)
			return false;
	}
	return true;
}

/* What stands behind a count. */
static unsigned int put_marks(u64 *words, struct perf_event *event, u64 format)
{
	unsigned int n = 0;

	if (format & PERF_FORMAT_ID)
		words[n++] = pcl_output_id(event);
	if (format & PERF_FORMAT_LOST)
		words[n++] = atomic64_read(&event->lost_samples);
	return n;
}

/*
 * Fold the counter of another member of the group into its count, if it runs here. The event that overflows was folded
 * by its driver; and a driver that says that it read the group itself is spared.
 */
static void refresh_count(struct perf_output_handle *handle, struct perf_event *event, struct perf_event *self)
{
	if (event == self || handle->skip_read)
		return;
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE && pcl_event_counts_here(event))
		event->pmu->read(event);
}

/*
 * Of what is inherited, a sample tells what its own task counted: the TID that it must have says which. All else tells
 * what children that are gone counted as well; those that live cannot be asked from here.
 */
static bool tells_own(struct perf_event *event)
{
	return event->attr.inherit && event->attr.sample_type & PERF_SAMPLE_READ;
}

static u64 told_count(struct perf_event *event, bool own)
{
	return own ? local64_read(&event->count) : pcl_event_count(event);
}

static void write_entry(struct perf_output_handle *handle, struct perf_event *event, u64 format, bool own)
{
	u64 words[3];
	unsigned int n = 0;

	words[n++] = told_count(event, own);
	n += put_marks(words + n, event, format);
	perf_output_copy(handle, words, n * sizeof(u64));
}

/* IRQs off, or NMI: the group does not change here. @entries were announced, so many are written. */
static void write_group(struct perf_output_handle *handle, struct perf_event *event, unsigned int entries)
{
	struct perf_event *leader = event->group_leader, *sibling;
	u64 format = event->attr.read_format;
	bool own = tells_own(event);

	pcl_assert_irqs_off_or_nmi();
	refresh_count(handle, leader, event);
	write_entry(handle, leader, format, own);
	entries--;

	list_for_each_entry(sibling, &leader->sibling_list, sibling_list) {
		if (!entries)
			return;
		refresh_count(handle, sibling, event);
		write_entry(handle, sibling, format, own);
		entries--;
	}

	/* In NMI, a member may be on its way out: gone from the list, but still in the size. */
	while (entries--) {
		static const u64 nothing[3];

		perf_output_copy(handle, nothing, read_entry_words(format) * sizeof(u64));
	}
}

/*
 * The values in read_format, as of now, @bytes of them: event->read_size as it was when the record was begun. For a
 * group IRQs are off from then on.
 */
void pcl_read_write(struct perf_output_handle *handle, struct perf_event *event, unsigned int bytes)
{
	u64 format = event->attr.read_format, words[5], enabled, running;
	bool group = format & PERF_FORMAT_GROUP, own = tells_own(event);
	unsigned int n = 0, entries;

	entries = (bytes / sizeof(u64) - read_head_words(format)) / read_entry_words(format);
	pcl_event_times_now(event, &enabled, &running);
	if (!group && !own) {
		enabled += atomic64_read(&event->child_total_time_enabled);
		running += atomic64_read(&event->child_total_time_running);
	}

	words[n++] = group ? entries : told_count(event, own);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		words[n++] = enabled;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		words[n++] = running;
	if (!group)
		n += put_marks(words + n, event, format);
	perf_output_copy(handle, words, n * sizeof(u64));
	if (group)
		write_group(handle, event, entries);
}

static unsigned int measure_read(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				 unsigned int size)
{
	return event->read_size;
}

static void write_read(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	handle->skip_read = !!(data->sample_flags & PERF_SAMPLE_READ);
	pcl_read_write(handle, event, event->read_size);
}

/* ---- CALLCHAIN ---- */

static unsigned int measure_callchain(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				      unsigned int size)
{
	if (!(data->sample_flags & PERF_SAMPLE_CALLCHAIN))
		data->callchain = perf_callchain(event, regs);
	return (1 + data->callchain->nr) * sizeof(u64);
}

static void write_callchain(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	perf_output_copy(handle, data->callchain, (1 + data->callchain->nr) * sizeof(u64));
}

/* ---- RAW: a size of 32 bits, then so many bytes, padded so that the next field is aligned ---- */

static unsigned int measure_raw(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				unsigned int size)
{
	struct perf_raw_frag *frag;
	u32 used = sizeof(u32), bytes;

	if (!data->raw || !(data->sample_flags & PERF_SAMPLE_RAW)) {
		data->raw = NULL;
		return sizeof(u64);
	}
	for (frag = &data->raw->frag; ; frag = frag->next) {
		used += frag->size;
		if (perf_raw_frag_last(frag))
			break;
	}
	bytes = round_up(used, sizeof(u64));
	data->raw->size = bytes - sizeof(u32);
	frag->pad = bytes - used;
	return bytes;
}

static void write_raw(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	struct perf_raw_frag *frag;
	u64 none = pcl_pair(sizeof(u32), 0);

	if (!data->raw) {
		perf_output_put(handle, none);
		return;
	}
	perf_output_put(handle, data->raw->size);
	for (frag = &data->raw->frag; ; frag = frag->next) {
		if (frag->copy)
			pcl_output_custom(handle, frag->copy, frag->data, frag->size);
		else
			perf_output_copy(handle, frag->data, frag->size);
		if (perf_raw_frag_last(frag))
			break;
	}
	perf_output_skip(handle, frag->pad);
}

/* ---- BRANCH_STACK: what the driver has seen, if it has ---- */

static bool has_branches(const struct perf_sample_data *data)
{
	return data->sample_flags & PERF_SAMPLE_BRANCH_STACK;
}

static unsigned int known_branch_stack(const struct perf_event_attr *attr)
{
	return sizeof(u64);
}

static unsigned int measure_branch_stack(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
					 unsigned int size)
{
	if (!has_branches(data))
		return 0;
	return (branch_sample_hw_index(event) ? sizeof(u64) : 0) +
	       data->br_stack->nr * sizeof(struct perf_branch_entry);
}

static void write_branch_stack(struct perf_output_handle *handle, struct perf_event *event,
			       struct perf_sample_data *data)
{
	u64 nr = has_branches(data) ? data->br_stack->nr : 0;

	perf_output_put(handle, nr);
	if (!has_branches(data))
		return;
	if (branch_sample_hw_index(event))
		perf_output_put(handle, data->br_stack->hw_idx);
	perf_output_copy(handle, data->br_stack->entries, nr * sizeof(struct perf_branch_entry));
}

/* ---- the table ---- */

#define WORD(bit, member, how) \
	{ .bits = PERF_SAMPLE_##bit, .word = offsetof(struct perf_sample_data, member), .fill = (how) }
#define VARIABLE(bit, how, ...) \
	{ .bits = PERF_SAMPLE_##bit, .measure = measure_##how, .write = write_##how, ##__VA_ARGS__ }
/* Of a file of its own */
#define OTHER(bit, name, ...) \
	{ .bits = PERF_SAMPLE_##bit, .measure = pcl_##name##_measure, .write = pcl_##name##_write, ##__VA_ARGS__ }

/* In the order of the ABI. */
static const struct sample_field sample_fields[] = {
	WORD(IDENTIFIER,	id,		fill_id),
	WORD(IP,		ip,		NULL),	/* from the registers, filled first */
	WORD(TID,		tid_entry,	fill_tid),
	WORD(TIME,		time,		fill_time),
	WORD(ADDR,		addr,		NULL),
	WORD(ID,		id,		fill_id),
	WORD(STREAM_ID,		stream_id,	fill_stream_id),
	WORD(CPU,		cpu_entry,	fill_cpu),
	WORD(PERIOD,		period,		NULL),
	VARIABLE(READ,		read),
	VARIABLE(CALLCHAIN,	callchain),
	VARIABLE(RAW,		raw),
	VARIABLE(BRANCH_STACK,	branch_stack,	.known = known_branch_stack),
	OTHER(REGS_USER,	regs_user),
	OTHER(STACK_USER,	stack_user),
	WORD(WEIGHT_TYPE,	weight,		NULL),
	WORD(DATA_SRC,		data_src,	fill_data_src),
	WORD(TRANSACTION,	txn,		NULL),
	OTHER(REGS_INTR,	regs_intr,	.known = pcl_regs_intr_known),
	WORD(PHYS_ADDR,		phys_addr,	pcl_phys_addr_fill),
	WORD(CGROUP,		cgroup,		fill_cgroup),
	WORD(DATA_PAGE_SIZE,	data_page_size,	pcl_data_page_size_fill),
	WORD(CODE_PAGE_SIZE,	code_page_size,	pcl_code_page_size_fill),
	OTHER(AUX,		aux,		.known = pcl_aux_known),
};

static u64 *word_of(const struct sample_field *field, struct perf_sample_data *data)
{
	return (void *)data + field->word;
}

/* ---- plans ---- */

/* A plan and what it takes to free it under readers. */
struct plan_memory {
	struct pcl_plan plan;
	struct rcu_head rcu;
};

static unsigned int trailer_bytes(const struct perf_event_attr *attr)
{
	u64 in_trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
			 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return attr->sample_id_all ? hweight64(attr->sample_type & in_trailer) * sizeof(u64) : 0;
}

/* Of all events whose samples hold nothing: those that only count, most of them. */
static const struct pcl_plan bare_plan = {
	.fixed_size = sizeof(struct perf_event_header),
	.known_size = sizeof(struct perf_event_header),
};

static unsigned int field_known(const struct sample_field *field, const struct perf_event_attr *attr)
{
	if (field->word)
		return sizeof(u64);
	return field->known ? field->known(attr) : 0;
}

/* At open. A child uses its parent's plan, which outlives it. */
int pcl_plan_make(struct perf_event *event, struct pcl_why *why)
{
	struct plan_memory *memory;
	struct pcl_plan *plan;
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(sample_fields) > PCL_PLAN_FIELDS);
	if (event->parent) {
		event->plan = event->parent->plan;
		return 0;
	}
	if (!event->attr.sample_type) {
		event->plan = &bare_plan;
		return 0;
	}
	memory = kzalloc(sizeof(*memory), GFP_KERNEL);
	if (!memory)
		return -ENOMEM;

	plan = &memory->plan;
	plan->sample_type = event->attr.sample_type;
	plan->branch_sample_type = event->attr.branch_sample_type;
	plan->id_size = trailer_bytes(&event->attr);
	plan->fixed_size = sizeof(struct perf_event_header);
	plan->known_size = sizeof(struct perf_event_header);
	for (i = 0; i < ARRAY_SIZE(sample_fields); i++) {
		if (!(event->attr.sample_type & sample_fields[i].bits))
			continue;
		plan->fields[plan->nr_fields++] = i;
		plan->known_size += field_known(&sample_fields[i], &event->attr);
		if (sample_fields[i].word && plan->nr_fixed == plan->nr_fields - 1) {
			plan->nr_fixed++;
			plan->fixed_size += sizeof(u64);
		}
	}
	event->plan = plan;
	return 0;
}

/* Writers of side-band records may still look at it. */
void pcl_plan_free(struct perf_event *event)
{
	struct plan_memory *memory = container_of(event->plan, struct plan_memory, plan);

	if (!event->parent && event->plan != &bare_plan)
		kfree_rcu(memory, rcu);
}

/* ---- one sample ---- */

static void word_fill(const struct sample_field *field, struct perf_event *event, struct perf_sample_data *data,
		      struct pt_regs *regs)
{
	if (!(data->sample_flags & field->bits))
		*word_of(field, data) = field->fill ? field->fill(event, data, regs) : 0;
}

/*
 * A sample of @size bytes is too long: it loses so many of the outermost callers as it must. How long it is then; 0: it
 * has too few of them.
 */
static unsigned int sample_shorten(const struct pcl_plan *plan, struct perf_sample_data *data, unsigned int size)
{
	unsigned int words = (size - PCL_RECORD_LIMIT) / sizeof(u64);

	if (!(plan->sample_type & PERF_SAMPLE_CALLCHAIN) || data->callchain->nr < words)
		return 0;
	data->callchain->nr -= words;
	return PCL_RECORD_LIMIT;
}

/**
 * perf_prepare_sample - fill what the driver left open, and measure the sample
 * @header: of the record, made here; a size of 0 says that the sample is too long, and perf_output_begin() says no
 * @data: what is known of the sample
 * @event: whose sample it is
 * @regs: where it happened
 *
 * RCU read section, which must last until the sample is written: the callchain lies in a buffer that it keeps.
 */
void perf_prepare_sample(struct perf_event_header *header, struct perf_sample_data *data, struct perf_event *event,
			 struct pt_regs *regs)
{
	const struct pcl_plan *plan = event->plan;
	unsigned int i, size = plan->known_size;

	if (plan->sample_type & PERF_SAMPLE_IP) {
		data->ip = perf_instruction_pointer(regs);
		data->sample_flags |= PERF_SAMPLE_IP;
	}
	for (i = 0; i < plan->nr_fields; i++) {
		const struct sample_field *field = &sample_fields[plan->fields[i]];

		if (field->word)
			word_fill(field, event, data, regs);
		else
			size += field->measure(event, data, regs, size);
	}
	if (unlikely(size > PCL_RECORD_LIMIT))
		size = sample_shorten(plan, data, size);
	data->type = plan->sample_type;
	*header = (struct perf_event_header){
		.type = PERF_RECORD_SAMPLE, .misc = perf_misc_flags(regs), .size = size,
	};
}
EXPORT_SYMBOL_GPL(perf_prepare_sample);

/* attr.wakeup_events: wake the reader at each so many samples, not by the amount of data. */
static void sample_count(struct perf_output_handle *handle, struct perf_event *event)
{
	if (!event->attr.watermark && event->attr.wakeup_events)
		pcl_ring_sampled(&handle->rb->ring, event->attr.wakeup_events);
}

/* The header, and the words before the first field of variable size. @to may be the ring, which its user writes. */
static __always_inline void write_block(u64 *to, const struct pcl_plan *plan, const struct perf_event_header *header,
					struct perf_sample_data *data)
{
	unsigned int i;

	memcpy(to++, header, sizeof(*header));
	for (i = 0; i < plan->nr_fixed; i++)
		*to++ = *word_of(&sample_fields[plan->fields[i]], data);
}

static noinline void write_block_in_pieces(struct perf_output_handle *handle, const struct pcl_plan *plan,
					   const struct perf_event_header *header, struct perf_sample_data *data)
{
	u64 block[1 + PCL_PLAN_FIELDS];

	write_block(block, plan, header, data);
	perf_output_copy(handle, block, plan->fixed_size);
}

/* Between perf_output_begin() and perf_output_end(), header->size bytes. */
void perf_output_sample(struct perf_output_handle *handle, struct perf_event_header *header,
			struct perf_sample_data *data, struct perf_event *event)
{
	const struct pcl_plan *plan = event->plan;
	u64 *block = pcl_ring_claim(&handle->rb->ring, handle, plan->fixed_size);
	unsigned int i;

	if (likely(block))
		write_block(block, plan, header, data);
	else
		write_block_in_pieces(handle, plan, header, data);

	for (i = plan->nr_fixed; i < plan->nr_fields; i++) {
		const struct sample_field *field = &sample_fields[plan->fields[i]];

		if (field->word)
			perf_output_copy(handle, word_of(field, data), sizeof(u64));
		else
			field->write(handle, event, data);
	}
	sample_count(handle, event);
}
EXPORT_SYMBOL_GPL(perf_output_sample);

typedef int (*output_begin_fn)(struct perf_output_handle *handle, struct perf_sample_data *data,
			       struct perf_event *event, unsigned int size);

static __always_inline int output_sample(struct perf_event *event, struct perf_sample_data *data,
					 struct pt_regs *regs, output_begin_fn begin)
{
	bool group_read = event->attr.sample_type & PERF_SAMPLE_READ && event->attr.read_format & PERF_FORMAT_GROUP;
	struct perf_output_handle handle;
	struct perf_event_header header;
	unsigned long flags;
	int err;

	rcu_read_lock();
	if (group_read)
		local_irq_save(flags);	/* the group stays as it was measured */
	perf_prepare_sample(&header, data, event, regs);
	err = begin(&handle, data, event, header.size);
	if (!err) {
		perf_output_sample(&handle, &header, data, event);
		perf_output_end(&handle);
	}
	if (group_read)
		local_irq_restore(flags);
	rcu_read_unlock();
	return err;
}

void perf_event_output_forward(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	output_sample(event, data, regs, perf_output_begin_forward);
}

void perf_event_output_backward(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	output_sample(event, data, regs, perf_output_begin_backward);
}

int perf_event_output(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return output_sample(event, data, regs, perf_output_begin);
}
EXPORT_SYMBOL_GPL(perf_event_output);

/* ---- the trailer, for drivers that write records of their own ---- */

/* Room for the trailer; its content is taken when it is written. */
void perf_event_header__init_id(struct perf_event_header *header, struct perf_sample_data *data,
				struct perf_event *event)
{
	data->type = event->attr.sample_type;
	header->size += event->plan->id_size;
}
EXPORT_SYMBOL_GPL(perf_event_header__init_id);

void perf_event__output_id_sample(struct perf_event *event, struct perf_output_handle *handle,
				  struct perf_sample_data *sample)
{
	u64 words[PCL_ID_WORDS];

	perf_output_copy(handle, words, pcl_output_trailer(event, current, words) * sizeof(u64));
}
EXPORT_SYMBOL_GPL(perf_event__output_id_sample);
