/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fuzz targets share: bytes become a file that commands can read, and
 * names in those bytes lead to no other file of the machine.
 */
#ifndef PCL_FUZZ_H
#define PCL_FUZZ_H

#include "internal.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_input.c */
const char *fuzz_file(const void *bytes, size_t size);
void fuzz_command(int (*command)(int argc, char **argv), const char *const *args);

#endif /* PCL_FUZZ_H */
