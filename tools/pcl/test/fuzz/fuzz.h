/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fuzz targets share: bytes become a file that commands can read, and
 * names in those bytes lead to no other file of the machine.
 */
#ifndef PCL_FUZZ_H
#define PCL_FUZZ_H

#include <sys/stat.h>

#include "symbol/debug.h"

const char *__lsan_default_suppressions(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* fuzz_input.c */
void fuzz_named_file(const char *name, const void *bytes, size_t size);
const char *fuzz_file(const void *bytes, size_t size);
void fuzz_no_file(const char *name);
void fuzz_command(int (*command)(int argc, char **argv), const char *const *args);
/* ... in the place of the tool's own; complain() and parallel_for(), too */
int fuzz_open(const char *name, int flags, ...);
int fuzz_openat(int dir, const char *name, int flags, ...);
FILE *fuzz_fopen(const char *name, const char *mode);
int fuzz_stat(const char *name, struct stat *st);

/* A section to be put into an ELF file. */
struct fuzz_section {
	const char *name;
	const u8 *bytes;
	size_t size;
	u32 type;		/* 0: bytes */
	u64 addr;
};

#define FUZZ_BUILD_ID	"\1\2\3\4\5\6\7\10"	/* of all that fuzz_elf() makes */

/* fuzz_objects.c */
size_t fuzz_elf(u8 *to, size_t room, const struct fuzz_section *v, unsigned int nr);
void fuzz_check_symbols(const struct symbols *t);
void fuzz_check_debug(struct debug_info *d);
void fuzz_use_object(struct object *o);

#endif /* PCL_FUZZ_H */
