# SPDX-License-Identifier: GPL-2.0
# Part of test/run: the views of pcl report: chains turned around, children, filters, columns, JSON.

data=$work/views.data
out=$work/views.out
view() { "$pcl" report -i "$data" "$@" >"$out" 2>"$work/views.err"; }
# samples [PATTERN]: those of the lines
samples() { awk -v p="${1:-.}" '!/^#/ && $1 ~ /%$/ && $2 ~ /^[0-9]+$/ && $0 ~ p { n += $2 } END { print n + 0 }' "$out"; }
# below PATTERN: what stands below the first such line, on one line
below() { awk -v p="$1" 'on && !NF { exit } on { print } $0 ~ p { on = 1 }' "$out" | tr -s ' \n' ' '; }

"$fast" record -q -g -e cpu-clock:u -o "$data" "$helpers/spin" 300000000
view -g
all=$(samples)
contains "views: callers, from the inside out" <(below '\] hot$') '^ ([0-9.]+% )?outer main '
view -g callees
expect "views: callees: as many samples" "$all" "$(samples)"
contains "views: callees, from the outside in" <(below '%.*\[\.\]') 'main .*outer .*hot'
mv "$out" "$work/views.callees"
view --inverted
expect "views: --inverted is -g callees" "" "$(cmp "$out" "$work/views.callees" 2>&1)"
view --call-graph=none
expect "views: without chains: lines only" 0 "$(grep -c '^ \{12\}' "$out")"
view -g --no-callers
expect "views: -g and --no-callers contradict: 125" 125 $?
view --call-graph=nonsense
expect "views: a mode that is none: 125" 125 $?

# A sample in hot's first two instructions, before its frame, has no outer: one is allowed for.
view --children -s symbol
hot=$(awk '/\] hot$/ { print $1 }' "$out")
outer=$(awk '/\] outer$/ { print $1 }' "$out")
within "views: children: a caller has at least its callee's share" "${outer%\%}" \
	"$(awk -v hot="${hot%\%}" -v all="$all" 'BEGIN { print hot - 100 / all - 0.01 }')" 100
within "views: children: what only calls has nothing of its own" "$(awk '/\] outer$/ { print $2 + 0 }' "$out")" 0 5
expect "views: children: self samples are all samples" "$all" \
	"$(awk '!/^#/ && $1 ~ /%$/ && $2 ~ /%$/ { n += $3 } END { print n + 0 }' "$out")"
if command -v perf >/dev/null; then
	perf report --stdio --children -i "$data" -s sym -g none 2>/dev/null | awk '$1 ~ /%$/ && $2 ~ /%$/ { print $1, $2, $4 }' |
		grep -E ' (hot|outer|main)$' | sort >"$work/views.perf"
	view --children --no-callers -s symbol
	awk '$1 ~ /%$/ && $2 ~ /%$/ { print $1, $2, $5 }' "$out" | grep -E ' (hot|outer|main)$' | sort >"$work/views.pcl"
	expect "views: children and self of each function as perf has them" "$(cat "$work/views.perf")" "$(cat "$work/views.pcl")"
else
	skip "views: children as perf has them" "perf is not installed"
fi

view --no-callers -F symbol,samples,share
contains "views: -F: columns in the order that was asked for" "$out" '^  \[\.\] hot  .* [0-9]+ +[0-9.]+%$'
view --no-callers -F symbol,overhead,symbol
contains "views: -F: perf's name of the share, and each column once" "$out" '^#  symbol +share$'
view --no-callers -F +period,pid
contains "views: -F +LIST: behind those that are shown by themselves" "$out" '^# +share +samples  command +object +symbol +period +pid$'
view --no-callers -s +cpu
contains "views: -s +KEY: with the keys that make lines by themselves" "$out" '^# +share +samples  command +object +symbol +cpu$'
view --no-callers -n --no-children --sort=dso,sym --stdio --percent-limit 50
contains "views: options as perf's users write them" "$out" '% +[0-9]+  spin +\[\.\] hot$'
expect "views: --percent-limit leaves out small lines" 1 "$(grep -c '^ .*%' "$out")"
view -F share,samples
expect "views: -F without a key: 125" 125 $?
view -F share,nonsense
expect "views: -F: an unknown column: 125" 125 $?
contains "views: -F: the message names the columns" "$work/views.err" "share, children, self, samples, period"
view --no-callers -s srcfile
contains "views: -s srcfile" "$out" '% +[0-9]+  (spin\.c|\[unknown\])$'

# filters: what is left, and its counterpart
"$fast" record -q -a -e cpu-clock -o "$data" sh -c "$helpers/spin 100000000; $helpers/spin 100000000"
view -s comm
all=$(samples)
sum=0
for cpu in $("$pcl" report -i "$data" -s cpu 2>/dev/null | awk '$1 ~ /%$/ { print $3 }'); do
	view -s cpu --cpu "$cpu"
	sum=$((sum + $(samples)))
done
expect "views: --cpu: the CPUs' samples are all samples" "$all" "$sum"
for key in pid tid; do
	view -s $key
	read -r n id < <(awk '$1 ~ /%$/ { print $2, $3; exit }' "$out")
	view -s comm --$key "$id"
	expect "views: --$key: as many samples as its line has" "$n" "$(samples)"
done
view -s comm --pid nonsense
expect "views: --pid: no number: 125" 125 $?
sum=0
for slice in 1 2 3 4 5; do
	view -s comm --time "20%/$slice"
	n=$(samples)
	sum=$((sum + n))
done
expect "views: --time: five slices are the whole" "$all" "$sum"
view -s comm --time 0%-50%
half=$(samples)
view -s comm --time 50%-100%
expect "views: --time: two halves are the whole" "$all" "$((half + $(samples)))"
within "views: --time: a half is less than all" "$half" 1 $((all - 1))
if command -v perf >/dev/null; then
	# the time of a sample in the middle, and of the last one before it
	perf script -i "$data" --ns -F time 2>/dev/null | tr -d ' :' | sort -n >"$work/times"
	middle=$(sed -n $((all / 2))p "$work/times")
	view -s comm --time "$middle,"
	expect "views: --time: START, as many as perf has from there on" \
		"$(awk -v m="$middle" '$1 >= m' "$work/times" | wc -l)" "$(samples)"
	view -s comm --time ",$middle"
	expect "views: --time: ,STOP as well" "$(awk -v m="$middle" '$1 <= m' "$work/times" | wc -l)" "$(samples)"
else
	skip "views: --time in seconds" "perf is not installed"
fi
for bad in 5 2,1 x,y 50%-40% 10%/0 10%/x 120%-130%; do
	view --time "$bad"
	expect "views: --time $bad: 125" 125 $?
done

# two events, side by side
"$fast" record -q -e cpu-clock,page-faults -o "$data" "$helpers/touch_pages" 25000
view --group -s comm
contains "views: --group: a column of shares for each event" "$out" '^ +100\.00% +100\.00% +[0-9]+  touch_pages$'
expect "views: --group: one table" 1 "$(grep -c 'share    share' "$out")"
expect "views: without it one for each event" 2 "$("$pcl" report -i "$data" -s comm 2>/dev/null | grep -c '^# event ')"

# JSON has what the text has
view -s comm,symbol
all=$(samples)
view --json -s comm,symbol
contains "views: --json names its form" <("$helpers/json_get" schema <"$out") '^string pcl-report$'
expect "views: --json: the same samples" "$all" \
	"$(python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(sum(e["samples"] for t in d["tables"] for e in t["entries"]))' "$out")"
view --header
contains "views: --header: how events were opened" "$out" "^# event 0: 'cpu-clock', type 1, config 0x0, "

# samples at the very edge of a slice: 4004 of them, one each at the middle of the time they took
cp "$plain/pcl" "$work/subject"
"$helpers/million" "$data" 4004 0 "$work/subject" >/dev/null
view -s comm --time 0%-50%
half=$(samples)
view -s comm --time 50%-100%
expect "views: --time: a sample at the edge is in one of the slices" 4004 "$((half + $(samples)))"

# time off the CPU is time
"$fast" record -q --off-cpu -e cpu-clock -o "$data" sleep 1.1 2>/dev/null
if "$pcl" report --header -i "$data" 2>/dev/null | grep -q "^# event [0-9]*: 'offcpu-time"; then
	view --no-callers -s comm -F share,samples,period,comm
	contains "views: time off the CPU is shown in seconds" "$out" "^# event 'offcpu-time.*': [0-9]+ samples, [1-9][0-9]*\.[0-9]+ s$"
	contains "views: and that of each line" "$out" '% +[0-9]+ +[1-9][0-9]*\.[0-9]+ s  sleep$'
else
	skip "views: time off the CPU" "record --off-cpu has no event here"
fi
