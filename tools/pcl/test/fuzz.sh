# SPDX-License-Identifier: GPL-2.0
# Part of test/run: the fuzz targets run their corpus, then search for a minute in all (FUZZ_SECONDS).

subtest "fuzz" "$here/fuzz/run" "${FUZZ_SECONDS:-50}"
