// SPDX-License-Identifier: GPL-2.0
/*
 * Small helpers: memory, messages, lists of numbers, reading small files.
 *
 * Concepts: allocation never fails here; a tool that is out of memory says so
 * and ends. Messages go to stderr and start with "pcl: "; on a terminal they
 * are wrapped at its width, elsewhere each is one line.
 * Contexts: any.
 * Locks: none; nothing is shared but the standard streams.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

static void out_of_memory(void)
{
	fputs("pcl: out of memory\n", stderr);
	exit(EXIT_PCL);
}

void *mem_zalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *mem_resize(void *p, size_t nr, size_t size)
{
	void *q = reallocarray(p, nr ? nr : 1, size ? size : 1);

	if (!q)
		out_of_memory();
	return q;
}

char *str_dup(const char *s)
{
	return str_ndup(s, strlen(s));
}

char *str_ndup(const char *s, size_t n)
{
	char *p = strndup(s, n);

	if (!p)
		out_of_memory();
	return p;
}

char *str_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	return s;
}

/* One line for f; as several behind head, where f is a terminal that is not as wide. */
static void say(FILE *f, const char *head, const char *fmt, va_list ap)
{
	unsigned int width = term_width(f), indent = (unsigned int)strlen(head);
	char *line = NULL, *text;
	const char *safe;
	size_t size;
	FILE *out;

	if (vasprintf(&text, fmt, ap) < 0)
		out_of_memory();
	/* names in it may be anybody's */
	safe = visible(text);
	/* written at once, so that it stays together beside what others write */
	out = open_memstream(&line, &size);
	if (!out)
		out_of_memory();
	fputs(head, out);
	if (width)
		words_print_to(out, safe, indent, indent, width);
	else
		fputs(safe, out);
	fputc('\n', out);
	if (fclose(out))
		out_of_memory();
	fflush(stdout);
	fputs(line, f);
	free(line);
	free(text);
}

/* A message that begins with head. */
void say_to(FILE *f, const char *head, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(f, head, fmt, ap);
	va_end(ap);
}

/* Say what is wrong; returns -1 so that a caller can return it at once. */
int complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(stderr, "pcl: ", fmt, ap);
	va_end(ap);
	return -1;
}

void int_list_add(struct int_list *l, int v)
{
	l->v = mem_resize(l->v, l->nr + 1, sizeof(*l->v));
	l->v[l->nr++] = v;
}

void int_list_free(struct int_list *l)
{
	free(l->v);
	l->v = NULL;
	l->nr = 0;
}

bool int_list_has(const struct int_list *l, int v)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (l->v[i] == v)
			return true;
	return false;
}

static int cmp_int(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Sort, and drop what occurs twice. */
void int_list_sort(struct int_list *l)
{
	unsigned int i, n = 0;

	if (!l->nr)
		return;
	qsort(l->v, l->nr, sizeof(*l->v), cmp_int);
	for (i = 0; i < l->nr; i++)
		if (!n || l->v[n - 1] != l->v[i])
			l->v[n++] = l->v[i];
	l->nr = n;
}

/* "0-3,5" as the kernel writes CPU lists; also thread ids. 0 or -EINVAL. */
int int_list_parse(struct int_list *l, const char *s)
{
	char *end;
	long a, b;

	while (*s && *s != '\n') {
		errno = 0;
		a = b = strtol(s, &end, 10);
		if (end == s || a < 0 || errno || a > 0x7ffffffe)
			goto bad;
		if (*end == '-') {
			s = end + 1;
			b = strtol(s, &end, 10);
			if (end == s || b < a || errno || b - a > 65535)
				goto bad;
		}
		for (; a <= b; a++)
			int_list_add(l, (int)a);
		if (*end == ',' && end[1] && end[1] != '\n')
			end++;
		else if (*end && *end != '\n')
			goto bad;
		s = end;
	}
	if (!l->nr)
		goto bad;
	int_list_sort(l);
	return 0;
bad:
	int_list_free(l);
	return -EINVAL;
}

/*
 * Read a whole small file as text, without its last newline; fd is closed. NULL
 * when it cannot be read, or is -1; errno says why.
 */
char *fd_read_text(int fd)
{
	size_t len = 0, room = 4096;
	char *buf;
	ssize_t n;

	if (fd < 0)
		return NULL;
	buf = mem_zalloc(1, room + 1);
	while ((n = read(fd, buf + len, room - len)) > 0) {
		len += (size_t)n;
		if (len == room) {
			room *= 2;
			buf = mem_resize(buf, room + 1, 1);
		}
	}
	close(fd);
	if (n < 0) {
		free(buf);
		return NULL;
	}
	if (len && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
	return buf;
}

/* The same for a file of the machine's, or one that the user named. */
char *file_read_text(const char *path)
{
	return fd_read_text(open(path, O_RDONLY | O_CLOEXEC));
}

/* 0, or -1 with errno. */
int write_whole(int fd, const void *data, size_t size)
{
	const u8 *p = data;
	ssize_t n;

	for (; size; p += n, size -= (size_t)n) {
		n = write(fd, p, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -1;
	}
	return 0;
}

/* A file that an option names must be there before work begins on it. */
int file_check(const char *option, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = errno;
	struct stat st;

	if (fd < 0)
		return complain("%s: %s: %s", option, path, strerror(err));
	err = fstat(fd, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
	close(fd);
	return err ? complain("%s: %s: %s", option, path, strerror(err)) : 0;
}

/* The number in a small file, or dflt when there is none to be had. */
long file_read_long(const char *path, long dflt)
{
	char *text = file_read_text(path), *end;
	long v;

	if (!text)
		return dflt;
	v = strtol(text, &end, 0);
	if (end == text)
		v = dflt;
	free(text);
	return v;
}

u64 clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* For qsort() of what begins with a struct when. */
int when_cmp(const void *a, const void *b)
{
	const struct when *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Of nothing, everything is nothing. */
double share_percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* How many single-letter edits turn a into b; letters of any case are equal. */
unsigned int edit_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i, j;
	unsigned int row[128], diag, up, best;

	if (la > 120 || lb > 120)
		return 1000;
	for (j = 0; j <= lb; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= la; i++) {
		diag = row[0];
		row[0] = (unsigned int)i;
		for (j = 1; j <= lb; j++) {
			up = row[j];
			best = diag + ((a[i - 1] | 32) != (b[j - 1] | 32));
			if (up + 1 < best)
				best = up + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
			diag = up;
		}
	}
	return row[lb];
}

/* One of the names there are, which lives as long as n. */
void nearest_see(struct nearest *n, const char *name)
{
	unsigned int d = edit_distance(n->text, name);

	/* where every letter changes, nothing of it was meant */
	if (d >= n->under || d >= strlen(name))
		return;
	n->under = d;
	n->meant = name;
}

/* 1234567 -> "1,234,567", the same in every locale. buf has 32 bytes. */
const char *format_thousands(char *buf, u64 v)
{
	char digits[24];
	int n, i, o = 0;

	n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v);
	for (i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[o++] = ',';
		buf[o++] = digits[i];
	}
	buf[o] = '\0';
	return buf;
}

/* Two digits for each byte; buf has room for them and one more. */
const char *format_hex(char *buf, const u8 *bytes, size_t n)
{
	size_t i;

	*buf = '\0';
	for (i = 0; i < n; i++)
		sprintf(buf + 2 * i, "%02x", bytes[i]);
	return buf;
}
