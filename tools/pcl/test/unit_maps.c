// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of tables of mappings: against a naive model, and what many mappings cost.
 */
#include "random.h"
#include "tap.h"
#include "tasks/tasks.h"

enum { PAGES = 64 };

/* What each page belongs to, as whoever came first or last says. */
struct page {
	u64 since;
	u64 pgoff;
	const struct mapped_object *object;
};

static bool same_as_model(const struct map_table *t, const struct page *model)
{
	unsigned int i, k;
	u64 page;

	for (k = 0; k < t->nr_levels; k++) {
		const struct map_level *l = t->levels[k];

		if (k && l->nr * 2 > t->levels[k - 1]->nr)
			return false;
		for (i = 1; i < l->nr; i++)
			if (l->v[i].start < l->v[i - 1].end)
				return false;
	}
	for (page = 0; page < PAGES; page++) {
		const struct map *m = map_table_find(t, page * 4096 + page);

		if (!m != !model[page].object)
			return false;
		if (m && (m->object != model[page].object || m->since_ns != model[page].since ||
			  page * 4096 - m->start + m->pgoff != model[page].pgoff))
			return false;
	}
	return true;
}

static void model_insert(struct page *model, const struct map *m)
{
	u64 page;

	for (page = m->start / 4096; page < m->end / 4096; page++)
		if (!model[page].object || model[page].since <= m->since_ns)
			model[page] = (struct page){
				.since = m->since_ns, .object = m->object,
				.pgoff = page * 4096 - m->start + m->pgoff,
			};
}

static void test_maps(void)
{
	static const struct mapped_object objects[7];
	unsigned int round, i, wrong = 0, after_wrong = 0;

	for (round = 0; round < 3000; round++) {
		struct page model[PAGES] = { { 0 } };
		struct map_table *t = map_table_new(true), *next;
		u64 exec = next_random() % 8, page;

		for (i = 0; i < 20; i++) {
			u64 start = next_random() % PAGES, end = start + 1 + next_random() % 16;
			struct map m = {
				.start = start * 4096, .end = (end < PAGES ? end : PAGES) * 4096,
				.pgoff = next_random() % 64 * 4096, .since_ns = 1 + next_random() % 8,
				.object = &objects[next_random() % 7],
			};

			next = map_table_with(t, &m);
			map_table_put(t);
			t = next;
			model_insert(model, &m);
			wrong += !same_as_model(t, model);
		}
		next = map_table_after(t, exec + 1);
		for (page = 0; page < PAGES; page++)
			if (model[page].since < exec + 1)
				model[page].object = NULL;
		after_wrong += !same_as_model(next, model);
		map_table_put(next);
		map_table_put(t);
	}
	tap_ok(!wrong, "mappings: tables are as a page by page model has them, in any order of time");
	tap_ok(!after_wrong, "mappings: an exec leaves those that are newer");
}

/* The address of mapping i of n, in the orders in which programs map. */
static u64 place_of(unsigned int order, u64 i, u64 n)
{
	/* the step has no divisor in common with n, so that each place is met once */
	return 4096 * (1 + (order == 0 ? i : order == 1 ? n - i : i * 7919 % n));
}

/* What n mappings cost is told by how often a mapping is copied, not by time. */
static void test_maps_cost(void)
{
	static const char *const orders[] = {
		"upwards", "downwards", "anywhere", "each over half of the one before",
	};
	static const struct mapped_object object;
	enum { N = 20000 };
	unsigned int order, i, wrong;
	u64 before, cost;

	for (order = 0; order < ARRAY_SIZE(orders); order++) {
		struct map_table *t = map_table_new(true), *next;

		before = map_table_work();
		for (i = 0; i < N; i++) {
			u64 start = order == 3 ? (i + 1) * 2048ull : place_of(order, i, N);
			struct map m = {
				.start = start, .end = start + 4096, .since_ns = i, .object = &object,
			};

			next = map_table_with(t, &m);
			map_table_put(t);
			t = next;
		}
		cost = map_table_work() - before;
		for (wrong = 0, i = 0; order < 3 && i < N; i++) {
			const struct map *m = map_table_find(t, place_of(order, i, N));

			wrong += !m || m->since_ns != i;
		}
		/* levels grow by half at least: log(N) / log(1.5) is 25 */
		if (!tap_ok(cost < 30ull * N && !wrong,
			    "mappings: %d of them, %s, are copied at most 30 times each", N, orders[order]))
			printf("# %llu copies, %u wrong\n", (unsigned long long)cost, wrong);
		map_table_put(t);
	}
}

int main(void)
{
	test_maps();
	test_maps_cost();
	return tap_end();
}
