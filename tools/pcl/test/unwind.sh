# SPDX-License-Identifier: GPL-2.0
# Part of test/run: call chains from registers and stacks are those that Debian's perf unwinds from the same file.

data=$work/unwind.data

# whole NAME FILE LOW: the share of whole stacks, as pcl record told it on stderr.
whole() {
	within "$1: of the stacks, $3 % are whole at least" \
		"$(awk '/% of [0-9]+ stacks are whole$/ { print $1 }' "$2")" "$3" 100
}

# copies NAME COMMAND...: record copies of stacks with perf, into $data.
copies() {
	local name=$1

	shift
	if ! perf record -q -F 997 -e cpu-clock --call-graph dwarf,16384 -o "$data" "$@" >"$work/unwind.out" 2>&1; then
		skip "$name: chains" "perf cannot record here: $(head -n 1 "$work/unwind.out")"
		return 1
	fi
}

# chains_of_perf NAME COMMAND...: record, let both unwind, compare; the figures of the rest are told.
chains_of_perf() {
	local name=$1 line share

	copies "$@" || return
	perf script -F tid,time,ip --ns --no-inline --max-stack 1000 -i "$data" >"$work/unwind.perf" 2>/dev/null
	"$asan/test/unwind_file" -c "$work/unwind.perf" "$data" >"$work/unwind.ours" 2>"$work/unwind.err"
	expect "$name: unwound" 0 $?
	line=$(tail -n 1 "$work/unwind.ours")
	echo "# $name: $line"
	head -n -1 "$work/unwind.ours" | cut -c 1-400 | sed 's/^/# /'
	sed 's/^/# /' "$work/unwind.err"
	within "$name: samples" "$(awk '{ print $2 }' <<<"$line")" 20 1000000
	share=$(awk '$2 { print 100 * $4 / $2 }' <<<"$line")
	within "$name: of their chains, 98 % are those that perf unwinds ($share)" "$share" 98 100
}

if ! command -v perf >/dev/null; then
	skip "chains equal perf's" "there is no perf here"
else
	chains_of_perf "fixed addresses" "$helpers/chains_fixed" 4000 "$helpers/libchains.so"
	"$pcl" report -i "$data" --no-children -g callers >"$work/unwind.report" 2>"$work/unwind.err"
	expect "report: reads a file with copied stacks" 0 $?
	contains "report: shows the chains they come to" "$work/unwind.report" '^ +([0-9.]+% )?main$'
	"$pcl" report -i "$data" --children -s symbol --json >"$work/unwind.json" 2>"$work/unwind.err"
	expect "report: and what functions called" 0 $?
	# perf does not look there
	if copies "information for debuggers" "$helpers/chains_debug" 2000 "$helpers/libchains.so"; then
		"$asan/test/unwind_file" "$data" >/dev/null 2>"$work/unwind.err"
		whole "information for debuggers" "$work/unwind.err" 95
	fi
	if copies "no call frame information" "$helpers/chains_blind" 2000 "$helpers/libchains.so"; then
		"$asan/test/unwind_file" "$data" >/dev/null 2>"$work/unwind.err"
		contains "no call frame information: the object is named" "$work/unwind.err" \
			'% of stacks end early in .*chains_blind: it has no call frame information'
	fi
	# several programs one after the other, where perf itself often ends early: the chains are judged by the code
	if copies "a build" gcc -O2 -D_GNU_SOURCE -o "$work/unwind.built" "$here/chains.c" "$here/touch_pages.c" -DLIBRARY; then
		line=$("$asan/test/unwind_file" -r - "$data" 2>"$work/unwind.err")
		echo "# a build: $line"
		sed 's/^/# /' "$work/unwind.err"
		within "a build: return addresses" "$(awk '{ print $6 }' <<<"$line")" 100 100000000
		within "a build: of the chains, in 95 % each of them lies behind a call" \
			"$(awk '$2 { print 100 * $4 / $2 }' <<<"$line")" 95 100
	fi
	chains_of_perf "position independent" "$helpers/chains" 4000 "$helpers/libchains.so"
	# unwound while it is recorded; the chains of the last file of the same program, unwound by perf, are in unwind.perf
	"$pcl" record -e cpu-clock -F 997 --call-graph dwarf -o "$data" "$helpers/chains" 8000 \
		"$helpers/libchains.so" 2>"$work/unwind.err"
	expect "online: recorded" 0 $?
	sed 's/^/# /' "$work/unwind.err"
	whole "online" "$work/unwind.err" 95
	line=$("$asan/test/unwind_file" -s "$work/unwind.perf" "$data" 2>/dev/null)
	echo "# online: $line"
	within "online: samples" "$(awk '{ print $2 }' <<<"$line")" 20 1000000
	within "online: of the chains, 95 % go from caller to caller to the end as perf's do" \
		"$(awk '$2 { print 100 * $4 / $2 }' <<<"$line")" 95 100
	# a large program: the compiler itself
	cc1=$(gcc -print-prog-name=cc1)
	chains_of_perf "a compiler" "$cc1" -quiet -O2 -imultiarch "$(gcc -print-multiarch)" -D_GNU_SOURCE \
		-o /dev/null "$here/chains.c"
	"$plain/test/unwind_file" -b 5 "$data" 2>/dev/null | sed 's/^/# warm, on one CPU, reading included: /'
fi

# A program whose files are gone, and others are in their places.
if [ -n "$no_events" ]; then
	skip "deleted files" "$no_events"
elif [ "$(id -u)" != 0 ]; then
	skip "deleted files" "only root may open what a process maps, where its name is gone"
else
	mkdir "$work/gone"
	cp "$helpers/chains" "$helpers/libchains.so" "$work/gone/"
	"$work/gone/chains" 1000000000 "$work/gone/libchains.so" &
	gone=$!
	until grep -q libchains "/proc/$gone/maps" || ! kill -0 "$gone"; do :; done
	for file in chains libchains.so; do
		rm "$work/gone/$file"
		cp /bin/true "$work/gone/$file"
	done
	"$pcl" record -e cpu-clock --call-graph dwarf -o "$data" -p "$gone" sleep 1 2>"$work/unwind.err"
	expect "deleted files: recorded" 0 $?
	kill "$gone"
	wait "$gone" 2>/dev/null
	whole "deleted files" "$work/unwind.err" 95
fi

# Programs that are loaded all the time. The first samples are of pcl's own call of execve(), and do not stay raw; one in
# a hundred may: once two of a thousand did, and it is not known why. The shell waits in vfork(), which keeps its return
# address in a register: no chain ends there.
if [ -n "$no_events" ]; then
	skip "loading" "$no_events"
else
	# rings that a busy machine does not fill: with a record of what was mapped, stacks would be lost
	"$pcl" record -m 4M --call-graph dwarf -c 50000 -e cpu-clock -o "$data" \
		sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done' 2>"$work/unwind.err"
	expect "loading: recorded" 0 $?
	sed 's/^/# /' "$work/unwind.err"
	within "loading: but for two, or one in a hundred, no stack stays as it was copied" "$(awk '
		/stacks could not be unwound, and/ { failed = $3 }
		/stacks are whole/ { all = $4 }
		END { print (!all ? "no stack" : failed > 2 ? 100 * failed / (all + failed) : 0) }' "$work/unwind.err")" 0 1
	stranger=$(sed -n 's/.* not known (of process \([0-9]*\),.*/\1/p' "$work/unwind.err")
	if [ -n "$stranger" ]; then
		"$pcl" script -i "$data" -F comm,pid,tid,cpu,time,event --show-task-events --show-mmap-events --pid "$stranger" \
			2>/dev/null | sed "s/^/# of process $stranger: /"
	fi
	"$pcl" script -i "$data" -F ip,sym,dso 2>/dev/null >"$work/unwind.loaded"
	contains "loading: the call that loads is named" "$work/unwind.loaded" ' .*execve'
	if grep -q vfork "$work/unwind.loaded"; then
		expect "loading: no chain ends in vfork()" 0 "$(awk '/^\t/ { last = $2; next }
			NF == 0 { n += last ~ /vfork/; last = "" } END { print n + 0 }' "$work/unwind.loaded")"
	else
		skip "loading: vfork()" "no sample fell into it, or the shell does not use it"
	fi
fi
