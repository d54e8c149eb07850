# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl report on a million samples beside perf report: equal totals, time and memory side by side.

samples=${PCL_TEST_SAMPLES:-1000000}
cp "$plain/pcl" "$work/subject"
objects=("$work/subject")
# large objects with many functions, where they are installed
for object in /usr/lib/*/libLLVM-14.so.1 /usr/lib/*/libclang-14.so.1? /usr/lib/*/libstdc++.so.6 /usr/lib/*/libpython3.11.so.1.0 /usr/bin/perf; do
	[ -r "$object" ] && objects+=("$(readlink -f "$object")")
done

# by_symbol FILE COLUMN: "samples symbol" for each symbol, of a table with this column of samples
by_symbol() {
	awk -v c="$2" '!/^#/ && $c ~ /^[0-9]+$/ {
		n = $c
		sub(/^.*\[[.k]\] /, "")
		sub(/ +$/, "")
		count[$0] += n
	} END { for (s in count) print count[s], s }' "$1" | sort
}

# measured NAME COMMAND...: run it; "seconds KiB" into NAME.cost, what it prints into NAME.out
measured() {
	local name=$1

	shift
	"$helpers/cost" "$work/$name.cost" "$@" >"$work/$name.out" 2>"$work/$name.err"
}

# beside FILE NAME: the ratios of the two runs
beside() {
	local perf pcl

	read -r -a perf <"$work/perf.cost"
	read -r -a pcl <"$work/pcl.cost"
	awk -v n="$1" -v a="${perf[0]}" -v b="${pcl[0]}" -v x="${perf[1]}" -v y="${pcl[1]}" 'BEGIN {
		printf "# %s: perf %.2f s of CPU, %d MiB; pcl %.2f s, %d MiB: %.1f times as fast, %.2f of the memory\n",
			n, a, x / 1024, b, y / 1024, a / b, y / x }'
}

for depth in 0 20; do
	"$helpers/million" "$work/million" "$samples" "$depth" "${objects[@]}" >/dev/null
	measured pcl "$fast" report --stdio -i "$work/million"
	within "million: depth $depth: all samples are in the table" "$(by_symbol "$work/pcl.out" 2 | awk '{ n += $1 } END { print n }')" \
		"$samples" "$samples"
	if ! command -v perf >/dev/null; then
		skip "million: depth $depth: beside perf" "perf is not installed"
		continue
	fi
	measured perf perf report --stdio --no-children -s comm,dso,sym -F overhead,sample,comm,dso,sym -i "$work/million"
	by_symbol "$work/perf.out" 2 >"$work/perf.by"
	by_symbol "$work/pcl.out" 2 >"$work/pcl.by"
	expect "million: depth $depth: as many symbols as perf finds" "$(wc -l <"$work/perf.by")" "$(wc -l <"$work/pcl.by")"
	expect "million: depth $depth: the same total for every symbol" "" "$(comm -3 "$work/perf.by" "$work/pcl.by" | head -n 4)"
	beside "$samples samples, chains of $depth"
	# memory is no matter of how busy the machine is; what a file of fewer samples takes is mostly symbols
	[ "$samples" -lt 1000000 ] || within "million: depth $depth: half of perf's memory at most" \
		"$(cut -d ' ' -f 2 "$work/pcl.cost")" 1 "$(($(cut -d ' ' -f 2 "$work/perf.cost") / 2))"
done
rm -f "$work/million" "$work/subject"
