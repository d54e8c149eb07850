/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fuzz targets share: bytes become a file that commands can read, and
 * names in those bytes lead to no other file of the machine.
 */
#ifndef PCL_FUZZ_H
#define PCL_FUZZ_H

#include <sys/stat.h>

#include "internal.h"

const char *__lsan_default_suppressions(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_input.c */
const char *fuzz_file(const void *bytes, size_t size);
void fuzz_command(int (*command)(int argc, char **argv), const char *const *args);
/* ... in the place of the tool's own */
int fuzz_open(const char *name, int flags, ...);
int fuzz_openat(int dir, const char *name, int flags, ...);
FILE *fuzz_fopen(const char *name, const char *mode);
int fuzz_stat(const char *name, struct stat *st);
int __wrap_complain(const char *fmt, ...);
void __wrap_parallel_for(u32 nr, void (*fn)(u32 i, void *arg), void *arg);

#endif /* PCL_FUZZ_H */
