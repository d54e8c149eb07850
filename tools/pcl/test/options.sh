# SPDX-License-Identifier: GPL-2.0
# Part of test/run: options are what the table of options, the manual and perf's users say.

subtest "options" "$asan/test/unit_options" "$here/perf_options"
# and that list is whole
if [[ $(perf --version 2>/dev/null) == "perf version 6.1."* ]]; then
	for command in stat record report script annotate diff top; do
		{
			perf $command --list-opts | tr ' ' '\n' | grep -e '^--'
			perf $command -h 2>&1 | sed -n 's/^ \{4\}\(-[A-Za-z]\)[, ].*/\1/p'
		} | sort -u >"$work/perf.options"
		expect "options: perf $command has those of the list" "" \
			"$(sed -n "s/^$command //p" "$here/perf_options" | sed 's/ as .*//' | tr ' ' '\n' | sed 's/^[!~]//; s/[=[].*//' |
				sort -u | diff - "$work/perf.options" | grep '^[<>]')"
	done
else
	skip "options: the list is that of perf" "perf 6.1 is not installed"
fi
