# SPDX-License-Identifier: GPL-2.0
# Part of test/run: threads that share memory without order, as ThreadSanitizer sees them.

# With more random bits than these, programs lie where the libtsan of GCC 12 knows no memory, and it ends them.
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null)
if [ "${bits:-0}" -gt 28 ]; then
	skip "threads" "vm.mmap_rnd_bits is $bits; ThreadSanitizer needs at most 28"
else
	build "$jobs" SANITIZE=thread thread-tests
	tsan=$(make -s --no-print-directory -C "$here/.." SANITIZE=thread print-dir)
	# the ways from rings to a file; top's tables; work for all CPUs
	for unit in record top profile batch; do
		subtest "threads: $unit" \
			env TSAN_OPTIONS="exitcode=66 suppressions=$here/threads.ignored" "$tsan/test/unit_$unit"
	done
fi
