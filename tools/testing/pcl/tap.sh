# SPDX-License-Identifier: GPL-2.0
# TAP for shell tests. Sourced, not run: ok/not_ok/skip print a line, check takes a name and a command.

tap_count=0
tap_failed=0

ok() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1"; }
not_ok() { tap_count=$((tap_count + 1)); tap_failed=$((tap_failed + 1)); echo "not ok $tap_count - $1"; }
skip() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1 # SKIP $2"; }

# check NAME COMMAND...: passes when the command does; its output is shown as comments when it does not.
check() {
	local name=$1 output

	shift
	if output=$("$@" 2>&1); then
		ok "$name"
	else
		not_ok "$name"
		printf '%s\n' "$output" | sed 's/^/# /'
	fi
}

# tap_end: the plan, and the status of the whole test.
tap_end() { echo "1..$tap_count"; [ "$tap_failed" = 0 ]; }
