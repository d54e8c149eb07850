# SPDX-License-Identifier: GPL-2.0
# Part of test/run: what users see of each command, with a terminal and without.

for file in "$here"/transcripts/*.t; do
	name=$(basename "$file" .t)
	if [ -n "$no_events" ] && grep -q '^# needs events' "$file"; then
		skip "transcript of $name" "$no_events"
		continue
	fi
	transcript() { env PATH="$plain:$helpers:$PATH" TERM=screen-256color "$here/transcript" "$@"; }
	mkdir -p "$work/t"
	cd "$work/t" || exit
	subtest "transcript of $name" transcript "$file"
	rm -rf "$work/t"/*
	if command -v tmux >/dev/null; then
		subtest "transcript of $name, on a terminal" transcript --terminal "$file"
	else
		skip "transcript of $name, on a terminal" "tmux is not installed"
	fi
	rm -rf "$work/t"
	cd "$here" || exit
done
