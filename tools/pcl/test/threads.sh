# SPDX-License-Identifier: GPL-2.0
# Part of test/run: threads that share memory without order, as ThreadSanitizer sees them.

build "$jobs" SANITIZE=thread thread-tests
tsan=$(make -s --no-print-directory -C "$here/.." SANITIZE=thread print-dir)
subtest "threads" env TSAN_OPTIONS="exitcode=66 suppressions=$here/threads.ignored" "$tsan/test/unit_record"
