# SPDX-License-Identifier: GPL-2.0
# Part of test/run: threads that share memory without order, as ThreadSanitizer sees them.

build "$jobs" SANITIZE=thread thread-tests
tsan=$(make -s --no-print-directory -C "$here/.." SANITIZE=thread print-dir)
subtest "threads" env TSAN_OPTIONS="halt_on_error=0 exitcode=66" "$tsan/test/unit_record"
