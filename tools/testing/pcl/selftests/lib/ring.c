// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: taking records from rings, and samples and trailers apart.
 *
 * Concepts: a record may wrap at the ring's end, so it is copied. A sample must be used up by its fields to the byte:
 *	a field too many or of a wrong size is seen at once.
 * Contexts: a test's child process.
 */
#include <unistd.h>
#include <sys/mman.h>

#include "event.h"

struct ring ring_map(int fd, unsigned int pages, int prot)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct ring ring = { .prot = prot };
	void *base = mmap(NULL, (pages + 1) * page, prot, MAP_SHARED, fd, 0);
	size_t at;

	if (base == MAP_FAILED)
		FAIL("mmap of %u pages is refused: %s", pages, strerror(errno));
	ring.page = base;
	ring.data = (unsigned char *)base + page;
	ring.size = pages * page;
	if (pages && (ring.page->data_offset != page || ring.page->data_size != ring.size))
		FAIL("the control page tells of data at %llu, %llu bytes", (unsigned long long)ring.page->data_offset,
		     (unsigned long long)ring.page->data_size);
	/* No faults later: they might be what is counted. */
	for (at = 0; at < ring.size; at += page)
		(void)*(volatile const unsigned char *)(ring.data + at);
	if (prot & PROT_WRITE)
		ring.page->data_tail = 0;
	return ring;
}

void ring_unmap(struct ring *ring)
{
	CHECK(!munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->size));
}

static void copy_out(const struct ring *ring, uint64_t at, void *to, size_t length)
{
	uint64_t offset = at & (ring->size - 1);
	size_t first = ring->size - offset < length ? ring->size - offset : length;

	memcpy(to, ring->data + offset, first);
	memcpy((char *)to + first, ring->data, length - first);
}

/*
 * What fills memory of the debug kernel that nobody has written yet, or any more: variables on the stack, objects of
 * slabs, new and freed (gcc's -ftrivial-auto-var-init=pattern; include/linux/poison.h).
 */
static bool is_poison(uint32_t half)
{
	static const uint32_t patterns[] = { 0xfefefefe, 0xaaaaaaaa, 0x5a5a5a5a, 0x6b6b6b6b };
	unsigned int i;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (half == patterns[i])
			return true;
	return false;
}

static void fail_for_poison(uint64_t word, unsigned int i, const char *what)
{
	FAIL("word %u of %s is %#llx: what lay in the kernel's memory", i, what, (unsigned long long)word);
}

/* A count of nanoseconds that is read all the time has a half that looks so sooner or later: both halves must. */
void check_written(const uint64_t *words, unsigned int nr, const char *what)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (is_poison(words[i] >> 32) && is_poison(words[i]))
			fail_for_poison(words[i], i, what);
}

/* Of a record, a half may be a number by itself: a process, a CPU, what is reserved. */
static void check_halves_written(const uint64_t *words, unsigned int nr, const char *what)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (is_poison(words[i] >> 32) || is_poison(words[i]))
			fail_for_poison(words[i], i, what);
}

uint32_t half_of(uint64_t word, unsigned int i)
{
	uint32_t halves[2];

	memcpy(halves, &word, sizeof(word));
	return halves[i];
}

uint16_t quarter_of(uint64_t word, unsigned int i)
{
	uint16_t quarters[4];

	memcpy(quarters, &word, sizeof(word));
	return quarters[i];
}

bool ring_take(struct ring *ring, struct record *record)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	if (ring->tail == ring->head)
		return false;
	copy_out(ring, ring->tail, &record->header, sizeof(record->header));
	if (record->header.size < sizeof(record->header) || record->header.size % 8)
		FAIL("a record of type %u has size %u", record->header.type, record->header.size);
	copy_out(ring, ring->tail, record, record->header.size);
	ring->tail += record->header.size;
	if (ring->prot & PROT_WRITE)
		__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	/* Samples hold registers and stacks, which may be anything: sample_parse() knows where. */
	if (record->header.type != PERF_RECORD_SAMPLE)
		check_halves_written(record->body, record->header.size / 8 - 1, "a record");
	return true;
}

void ring_rewind(struct ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	ring->tail = ring->head;
}

unsigned int ring_count(struct ring *ring, uint32_t type)
{
	static struct record record;
	unsigned int nr = 0;

	while (ring_take(ring, &record))
		nr += record.header.type == type;
	return nr;
}

bool ring_find(struct ring *ring, uint32_t type, struct record *record)
{
	while (ring_take(ring, record))
		if (record->header.type == type)
			return true;
	return false;
}

/* ---- samples ---- */

/* What is left of a record. */
struct cursor {
	const uint64_t *at, *end;
};

/* A word that may be anything. */
static uint64_t next_of_anything(struct cursor *cursor)
{
	if (cursor->at >= cursor->end)
		FAIL("a record ends before its fields do");
	return *cursor->at++;
}

static uint64_t next(struct cursor *cursor)
{
	uint64_t word = next_of_anything(cursor);

	check_written(&word, 1, "a record's fields");
	return word;
}

static uint64_t next_of_halves(struct cursor *cursor)
{
	uint64_t word = next_of_anything(cursor);

	check_halves_written(&word, 1, "a record's fields");
	return word;
}

static void next_halves(struct cursor *cursor, uint32_t *first, uint32_t *second)
{
	uint64_t word = next_of_halves(cursor);

	*first = half_of(word, 0);
	if (second)
		*second = half_of(word, 1);
	else
		CHECK_EQ(half_of(word, 1), 0);
}

static void parse_read(struct cursor *cursor, uint64_t format, struct sample *sample)
{
	uint64_t nr_each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	uint64_t nr_times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t i, nr = nr_each + nr_times;

	if (format & PERF_FORMAT_GROUP) {
		CHECK(cursor->at < cursor->end);
		nr = 1 + nr_times + *cursor->at * nr_each;
	}
	CHECK_RANGE(nr, 1, 64);
	sample->nr_read = nr;
	for (i = 0; i < nr; i++)
		sample->read[i] = next(cursor);
}

static void parse_chain(struct cursor *cursor, struct sample *sample)
{
	uint64_t i;

	sample->nr_chain = next(cursor);
	CHECK_RANGE(sample->nr_chain, 0, 512);
	for (i = 0; i < sample->nr_chain; i++)
		sample->chain[i] = next(cursor);
}

/* A size of 32 bits, so many bytes; with both, whole words. */
static void parse_raw(struct cursor *cursor, struct sample *sample)
{
	uint64_t words = (uint64_t)half_of(next_of_halves(cursor), 0) + 4;

	sample->raw_size = words - 4;
	sample->raw = (const unsigned char *)(cursor->at - 1) + 4;
	CHECK_EQ(words % 8, 0);
	for (words = words / 8 - 1; words; words--)
		next_of_halves(cursor);
}

static void parse_registers(struct cursor *cursor, uint64_t mask, struct registers *registers)
{
	uint64_t i;

	registers->abi = next(cursor);
	CHECK_RANGE(registers->abi, PERF_SAMPLE_REGS_ABI_NONE, PERF_SAMPLE_REGS_ABI_64);
	registers->nr = registers->abi ? __builtin_popcountll(mask) : 0;
	for (i = 0; i < registers->nr; i++)
		registers->at[i] = next_of_anything(cursor);
}

static void parse_stack(struct cursor *cursor, struct sample *sample)
{
	uint64_t words;

	sample->stack_size = next(cursor);
	if (!sample->stack_size)
		return;
	CHECK_EQ(sample->stack_size % 8, 0);
	sample->stack = cursor->at;
	for (words = sample->stack_size / 8; words; words--)
		next_of_anything(cursor);
	sample->stack_copied = next(cursor);
	CHECK_RANGE(sample->stack_copied, 0, sample->stack_size);
}

static void parse_aux(struct cursor *cursor, struct sample *sample)
{
	uint64_t words;

	sample->aux_size = next(cursor);
	CHECK_EQ(sample->aux_size % 8, 0);
	sample->aux = (const unsigned char *)cursor->at;
	for (words = sample->aux_size / 8; words; words--)
		next_of_anything(cursor);
}

void sample_parse(const struct record *record, const struct perf_event_attr *attr, struct sample *sample)
{
	struct cursor cursor = { record->body, record->body + record->header.size / 8 - 1 };
	uint64_t type = attr->sample_type;

	memset(sample, 0, sizeof(*sample));
	CHECK_EQ(record->header.type, PERF_RECORD_SAMPLE);
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->identifier = next(&cursor);
	if (type & PERF_SAMPLE_IP)
		sample->ip = next(&cursor);
	if (type & PERF_SAMPLE_TID)
		next_halves(&cursor, &sample->pid, &sample->tid);
	if (type & PERF_SAMPLE_TIME)
		sample->time = next(&cursor);
	if (type & PERF_SAMPLE_ADDR)
		sample->addr = next(&cursor);
	if (type & PERF_SAMPLE_ID)
		sample->id = next(&cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample->stream_id = next(&cursor);
	if (type & PERF_SAMPLE_CPU)
		next_halves(&cursor, &sample->cpu, NULL);
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = next(&cursor);
	if (type & PERF_SAMPLE_READ)
		parse_read(&cursor, attr->read_format, sample);
	if (type & PERF_SAMPLE_CALLCHAIN)
		parse_chain(&cursor, sample);
	if (type & PERF_SAMPLE_RAW)
		parse_raw(&cursor, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		parse_registers(&cursor, attr->sample_regs_user, &sample->user);
	if (type & PERF_SAMPLE_STACK_USER)
		parse_stack(&cursor, sample);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		sample->weight = next_of_halves(&cursor);
	if (type & PERF_SAMPLE_DATA_SRC)
		sample->data_src = next(&cursor);
	if (type & PERF_SAMPLE_TRANSACTION)
		sample->transaction = next(&cursor);
	if (type & PERF_SAMPLE_REGS_INTR)
		parse_registers(&cursor, attr->sample_regs_intr, &sample->intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->phys_addr = next(&cursor);
	if (type & PERF_SAMPLE_CGROUP)
		sample->cgroup = next(&cursor);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		sample->data_page_size = next(&cursor);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		sample->code_page_size = next(&cursor);
	if (type & PERF_SAMPLE_AUX)
		parse_aux(&cursor, sample);
	if (cursor.at != cursor.end)
		FAIL("a sample has %td words too many", cursor.end - cursor.at);
}

unsigned int trailer_size(const struct perf_event_attr *attr)
{
	return attr->sample_id_all ? 8 * __builtin_popcountll(attr->sample_type & TRAILER) : 0;
}

void trailer_parse(const struct record *record, const struct perf_event_attr *attr, struct sample *sample)
{
	const uint64_t *end = record->body + record->header.size / 8 - 1;
	struct cursor cursor = { end - trailer_size(attr) / 8, end };
	uint64_t type = attr->sample_type;

	memset(sample, 0, sizeof(*sample));
	CHECK(cursor.at >= record->body);
	if (type & PERF_SAMPLE_TID)
		next_halves(&cursor, &sample->pid, &sample->tid);
	if (type & PERF_SAMPLE_TIME)
		sample->time = next(&cursor);
	if (type & PERF_SAMPLE_ID)
		sample->id = next(&cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample->stream_id = next(&cursor);
	if (type & PERF_SAMPLE_CPU)
		next_halves(&cursor, &sample->cpu, NULL);
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->identifier = next(&cursor);
}

/* ---- records of what happens ---- */

struct perf_event_attr dummy_attr(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.sample_type = TRAILER;
	attr.sample_id_all = 1;
	attr.disabled = 0;
	return attr;
}

struct ring ring_open(const struct perf_event_attr *attr, int *fd)
{
	*fd = must_open_self(attr);
	return ring_map(*fd, 8, PROT_READ | PROT_WRITE);
}

void trailer_check(const struct record *record, const struct perf_event_attr *attr, int fd, pid_t pid, pid_t tid)
{
	struct sample trailer;

	trailer_parse(record, attr, &trailer);
	CHECK_EQ(trailer.pid, pid);
	CHECK_EQ(trailer.tid, tid);
	CHECK(trailer.time);
	CHECK_EQ(trailer.id, event_id(fd));
	CHECK_EQ(trailer.identifier, event_id(fd));
	CHECK_EQ(trailer.stream_id, event_id(fd));
	CHECK_RANGE(trailer.cpu, 0, cpus_online() - 1);
}
