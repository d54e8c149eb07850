# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl report on files that Debian's perf wrote, and its options.

data=$work/report.data
out=$work/report.out
report() { "$pcl" report -i "$data" "$@" >"$out" 2>"$work/report.err"; }
samples() { awk -v p="$1" '!/^#/ && $1 ~ /%$/ && $2 ~ /^[0-9]+$/ && $0 ~ p { n += $2 } END { print n + 0 }' "$out"; }
refused() {
	"$pcl" report -i "$2" >"$out" 2>"$work/report.err"
	expect "report: $1 gives 125" 125 $?
	contains "report: $1: the message says so" "$work/report.err" "$3"
}

refused "a file that is not there" "$work/nonesuch" "No such file.*pcl record"
: >"$work/empty"
refused "an empty file" "$work/empty" "empty"
echo "this is some text, no recording" >"$work/text"
refused "a text file" "$work/text" "not a perf.data file"
refused "a directory" "$work" "directory without the file .data."
refused "a device" /dev/null "not a file"
{ printf 2ELIFREP; head -c 200 /dev/zero; } >"$work/swapped"
refused "a file of the other byte order, damaged" "$work/swapped" "header has a wrong size"

"$fast" record -e cpu-clock -o "$data" sh -c "$helpers/spin 50000000; $helpers/touch_pages 10" 2>/dev/null
report -s comm
contains "report -s comm: both commands" "$out" '% +[0-9]+  spin$'
expect "report -s comm: no symbol column" 0 "$(grep -c '\[\.\]' "$out")"
report
all=$(samples .)
no_cache() {
	PCL_CACHE_DIR=$work/no-cache "$pcl" "$@" --no-cache >"$out" 2>&1
	expect "$1 --no-cache: keeps nothing" "0 no" "$? $(test -e "$work/no-cache" && echo yes || echo no)"
}
no_cache report "$data"
no_cache script "$data"
no_cache annotate -i "$data"
no_cache diff "$data" "$data"
PCL_CACHE_DIR=$work/no-cache "$pcl" report "$data" >"$out" 2>&1
within "report: without it, something is kept" "$(find "$work/no-cache" -type f 2>/dev/null | wc -l)" 1 1000
report --comm spin
spin=$(samples .)
within "report --comm: only that command" "$spin" 1 $((all - 1))
report --symbol hot
within "report --symbol: only that function" "$(samples .)" 1 "$spin"
report --object spin
within "report --object: only that object" "$(samples .)" "$(samples '\] hot$')" "$spin"
share=$(awk '/\] hot$/ { print $1 + 0 }' "$out")
within "report: shares are of all samples, filters or not" "$share" 1 99.99
report -l 50
expect "report -l: small lines are left out" 1 "$(grep -c '^ .*%' "$out")"
report -s nonesuch
expect "report -s: a bad key gives 125" 125 $?
contains "report -s: and names the good ones" "$work/report.err" "keys: comm, object"
report -s pid,tid,cpu
within "report -s pid,tid,cpu: lines" "$(grep -c '^ .*%' "$out")" 2 100000
expect "report: the file may be an argument" "$(report; cat "$out")" "$("$pcl" report "$data" 2>/dev/null)"

if ! command -v perf >/dev/null; then
	skip "report: files of perf" "perf is not installed"
else
	perf record -q -e cpu-clock -o "$data" "$helpers/spin" 300000000 2>/dev/null >&2
	n=$(perf script -i "$data" -F ip 2>/dev/null | grep -c .)
	report
	expect "report: of perf's file, as many samples as perf finds" "$n" "$(samples .)"
	expect "report: of perf's file, as many in the hot function" \
		"$(perf script -i "$data" -F ip,sym 2>/dev/null | grep -c ' hot *$')" "$(samples '\] hot$')"
	perf report -i "$data" --stdio 2>/dev/null >"$work/perf.out"
	expect "report: of perf's file, the same event count" \
		"$(sed -n 's/^# Event count (approx.): //p' "$work/perf.out")" \
		"$(sed -n "s/^# event .*, \([0-9]*\) events/\1/p" "$out")"
	expect "report: of perf's file, the same share of the hot function" \
		"$(awk '/\[\.\] hot *$/ { print $1 }' "$work/perf.out")" "$(awk '/\] hot$/ { print $1 }' "$out")"

	perf record -q -g -e cpu-clock:u -o "$data" "$helpers/spin" 200000000 2>/dev/null >&2
	report -g
	contains "report -g: callers from perf's file" <(tr '\n' ' ' <"$out" | tr -s ' ') "$hot_chain"

	# every symbol of a system-wide recording with children, by name and number
	perf record -q -a -F 1000 -e cpu-clock -o "$data" sh -c \
		"for i in 1 2 3 4 5; do $helpers/touch_pages 2000 child; done; $helpers/spin 30000000" 2>/dev/null >&2
	perf script -i "$data" -F comm 2>/dev/null | sed 's/^ *//; s/ *$//' | grep -E '^(touch_pages|spin)$' | sort | uniq -c |
		awk '{ print $1, $2 }' | sort >"$work/by-perf"
	"$pcl" report -i "$data" -s comm 2>/dev/null | awk '!/^#/ && $3 ~ /^(touch_pages|spin)$/ { print $2, $3 }' | sort >"$work/by-pcl"
	expect "report -s comm: the same as perf in a recording of the whole machine" "$(cat "$work/by-perf")" "$(cat "$work/by-pcl")"
	# what else the machine runs may have gone since; of our own, name by name, what both tell of
	perf script --comms touch_pages,spin -i "$data" -F ip,sym 2>/dev/null | awk 'NF { print $2 }' |
		grep -vx '\[unknown\]' | sort | uniq -c | awk '{ print $2, $1 }' | sort >"$work/by-perf"
	"$pcl" report --comm touch_pages,spin -i "$data" --no-callers -s symbol 2>/dev/null |
		awk '!/^#/ && NF >= 4 && $4 != "[unknown]" { print $4, $2 }' | sort >"$work/by-pcl"
	same=$(join "$work/by-perf" "$work/by-pcl" | awk '{ n += $2 < $3 ? $2 : $3 } END { print n + 0 }')
	total=$(awk '{ n += $2 } END { print n }' "$work/by-perf")
	within "report -s symbol: 90 % of the samples have the name that perf gives" \
		"$same" $((total * 9 / 10)) "$total"

	perf record -q -e cpu-clock,page-faults -o "$data" "$helpers/spin" 100000000 2>/dev/null >&2
	report
	expect "report: perf's file of two events has two sections" 2 "$(grep -c "^# event '" "$out")"
	expect "report: with as many samples" "$(perf script -i "$data" -F ip 2>/dev/null | grep -c .)" "$(samples .)"
fi

"$fast" record -e cpu-clock:u -o "$data" "$helpers/spin" 100000000 child 2>/dev/null
report --comm spin
within "report: a forked task has the mappings of its parent" "$(samples '\] hot$')" $(($(samples .) * 9 / 10)) 100000

# Stripped: no name, but told apart.
hot=$(nm "$helpers/spin" | sed -n 's/^0*\([0-9a-f]*\) t hot$/\1/p')
strip -o "$work/stripped" "$helpers/spin"
"$fast" record -e cpu-clock:u -o "$data" "$work/stripped" 100000000 2>/dev/null
report --object stripped
within "report: a function of a stripped file is shown by its address" "$(samples "\\] func@0x$hot\$")" \
	$(($(samples .) * 9 / 10)) 100000
contains "report: and the note says why" "$work/report.err" "stripped: stripped, and no debug file"

# A file that changed since.
cp "$helpers/spin" "$work/changing"
"$fast" record -e cpu-clock:u -o "$data" "$work/changing" 50000000 2>/dev/null
cp "$helpers/touch_pages" "$work/changing"
report
contains "report: an object of another build is not believed" "$work/report.err" "changing: the file is of another build"
expect "report: and gives no names" 0 "$(samples '\] hot$')"
