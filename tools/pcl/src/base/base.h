/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every chapter uses: memory, messages, lists, progress, JSON.
 */
#ifndef PCL_BASE_H
#define PCL_BASE_H

#include <string.h>

#include "types.h"

/* When a record was made; those of one time stay as they came. The first member of what is sorted. */
struct when {
	u64 time_ns;
	u64 number;
};

/* What was meant by a name that nobody knows: the nearest of those seen. */
struct nearest {
	const char *text;
	unsigned int under;	/* it takes fewer changes of letters than this */
	const char *meant;	/* NULL: none is so near */
};

/* util.c */
void *mem_zalloc(size_t nr, size_t size);
void *mem_resize(void *p, size_t nr, size_t size);
char *str_dup(const char *s);
char *str_ndup(const char *s, size_t n);
char *str_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_to(FILE *f, const char *head, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void int_list_add(struct int_list *l, int v);
void int_list_free(struct int_list *l);
bool int_list_has(const struct int_list *l, int v);
void int_list_sort(struct int_list *l);
int int_list_parse(struct int_list *l, const char *s);
char *fd_read_text(int fd);
char *file_read_text(const char *path);
int write_whole(int fd, const void *data, size_t size);
int file_check(const char *option, const char *path);
long file_read_long(const char *path, long dflt);
u64 clock_ns(void);
int when_cmp(const void *a, const void *b);
double share_percent(u64 part, u64 all);
unsigned int edit_distance(const char *a, const char *b);
void nearest_see(struct nearest *n, const char *name);
const char *format_thousands(char *buf, u64 v);
const char *format_hex(char *buf, const u8 *bytes, size_t n);

/* text.c: for all that is not the tool's own or the user's */
unsigned int utf8_length(const char *text);
const char *visible(const char *text);
const char *visible_line(const char *text);

/* term.c */
bool term_is(FILE *f);
unsigned int term_width(FILE *f);
unsigned int words_print_to(FILE *f, const char *text, unsigned int at, unsigned int indent,
			    unsigned int width);
unsigned int words_print(const char *text, unsigned int at, unsigned int indent, unsigned int width);
bool term_utf8(FILE *f);
bool colour_ok(FILE *f);
void pager_begin(void);

struct stat;

/* regular_file.c: for all that is named by others than the user */
int regular_file_open(const char *path, struct stat *st);
int regular_file_open_at(int dir, const char *name, int flags, struct stat *st);
int regular_file_open_below(const char *root, const char *path, struct stat *st);

/* Another program, and what it prints. */
struct program {
	FILE *out;
	pid_t pid;
};

/* run_program.c */
bool program_start(struct program *p, char *const *argv, int pass_fd);
int program_end(struct program *p);

/* perf_words.c */
const char *perf_option_instead(const char *command, const char *name, char letter);
bool perf_has_command(const char *name, const char **instead);

struct timeval;

/* own_cost.c */
double timeval_seconds(const struct timeval *tv);
void own_cost_print(FILE *f, const char *head, double command_s);

/* progress.c */
void progress_update(const char *what, u64 done, u64 all);
void progress_end(void);

/* json.c */
struct json {
	FILE *f;
	unsigned int depth;
	bool comma;
	bool in_html;		/* '<' is escaped, so that no text ends the element it is in */
};

void json_begin(struct json *j, const char *key, char bracket);
void json_end(struct json *j, char bracket);
void json_string(struct json *j, const char *key, const char *v);
void json_number(struct json *j, const char *key, double v);
void json_u64(struct json *j, const char *key, u64 v);
void json_null(struct json *j, const char *key);
void json_bool(struct json *j, const char *key, bool v);

/* Set of strings, in the order they came. */
struct str_set {
	char **v;
	unsigned int nr;
	unsigned int *hash;	/* open addressing, index + 1 */
	unsigned int hash_size;
};

/* str_set.c */
unsigned int str_set_add(struct str_set *s, const char *text);
void str_set_free(struct str_set *s);

/* From numbers to pointers. */
struct num_map {
	struct num_slot {
		u64 key;
		void *value;
	} *v;
	unsigned int nr, size;
};

/* num_map.c */
void **num_map_at(struct num_map *m, u64 key);
void **num_map_get(struct num_map *m, u64 key);
void num_map_sweep(struct num_map *m, bool (*keep)(void *value, void *arg), void *arg,
		   void (*free_value)(void *value));
void num_map_free(struct num_map *m, void (*free_value)(void *value));

/* vdso.c */
const u8 *vdso_image(size_t *size);

/* From keys to places in an array of the owner's. */
struct hash_index {
	struct hash_slot {
		u32 hash;
		u32 place;	/* + 1; 0: free */
	} *v;
	u32 nr, size;
};

typedef bool (*hash_same_fn)(const void *array, u32 i, const void *key);

/* hash_index.c */
void hash_index_grow(struct hash_index *x);
void hash_index_clear(struct hash_index *x);
void hash_index_free(struct hash_index *x);

static inline u64 hash_mix(u64 h, u64 v)
{
	/* the multiplier is 2^64 divided by the golden ratio (Knuth, vol. 3, 6.4) */
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static inline u32 hash_fold(u64 hash)
{
	return (u32)(hash >> 32) ^ (u32)hash;
}

/* This will be looked for soon: first the slot is fetched from memory, later what it leads to. */
static inline void hash_index_fetch(const struct hash_index *x, u64 hash)
{
	if (x->size)
		__builtin_prefetch(&x->v[hash_fold(hash) & (x->size - 1)]);
}

static inline void hash_index_fetch_more(const struct hash_index *x, u64 hash, const void *array, size_t size)
{
	const struct hash_slot *s = x->size ? &x->v[hash_fold(hash) & (x->size - 1)] : NULL;
	const u8 *at;

	if (!s || !s->place || s->hash != hash_fold(hash))
		return;
	at = (const u8 *)array + (s->place - 1) * size;
	__builtin_prefetch(at);
	__builtin_prefetch(at + size - 1);
}

/*
 * Where the key is in the array. When it is not there, that is the number of
 * entries so far, and the caller must append it. Here, so that same() is no call.
 */
static inline u32 hash_index_at(struct hash_index *x, u64 hash, hash_same_fn same, const void *array,
				const void *key)
{
	u32 h = hash_fold(hash), i;

	if ((u64)x->nr * 3 >= (u64)x->size * 2)
		hash_index_grow(x);
	for (i = h & (x->size - 1); x->v[i].place; i = (i + 1) & (x->size - 1))
		if (x->v[i].hash == h && same(array, x->v[i].place - 1, key))
			return x->v[i].place - 1;
	x->v[i] = (struct hash_slot){ h, ++x->nr };
	return x->nr - 1;
}

/* files.c */
void files_raise(void);
void files_restore(void);

/* parallel.c */
void parallel_for(u32 nr, void (*fn)(u32 i, void *arg), void *arg);

/* A part of the file. Reading past its end yields zeros and sets bad. */
struct cursor {
	const u8 *p;
	const u8 *end;
	bool bad;
	bool swap;		/* its numbers are in the other byte order */
};

/* cursor.c */
struct cursor cursor_part(struct cursor *c, u64 n);
void cursor_skip(struct cursor *c, u64 n);
void cursor_bytes(struct cursor *c, void *to, size_t n);
u8 cursor_u8(struct cursor *c);
u16 cursor_u16(struct cursor *c);
u64 cursor_number(struct cursor *c, unsigned int size);
u64 cursor_long_uleb(struct cursor *c);
s64 cursor_sleb(struct cursor *c);
const char *cursor_text(struct cursor *c, size_t n);
const char *cursor_string(struct cursor *c);

/* Are its numbers written with their highest byte first? */
static inline bool cursor_is_big(const struct cursor *c)
{
	return c->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline struct cursor cursor_of(const void *p, size_t size)
{
	return (struct cursor){ .p = p, .end = (const u8 *)p + size };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

static inline u32 cursor_u32(struct cursor *c)
{
	u32 v;

	if (cursor_left(c) < sizeof(v)) {
		cursor_bytes(c, &v, sizeof(v));
		return 0;
	}
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline u64 cursor_u64(struct cursor *c)
{
	u64 v;

	if (cursor_left(c) < sizeof(v)) {
		cursor_bytes(c, &v, sizeof(v));
		return 0;
	}
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	return c->swap ? __builtin_bswap64(v) : v;
}

/* A number in LEB128 form; nearly all have one byte. */
static inline u64 cursor_uleb(struct cursor *c)
{
	return c->p < c->end && *c->p < 0x80 ? *c->p++ : cursor_long_uleb(c);
}

#endif /* PCL_BASE_H */
