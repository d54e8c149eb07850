# SPDX-License-Identifier: GPL-2.0
# Part of test/run: files of Debian's perf read by pcl, files of pcl read by perf; what other readers need of ours.

if [ -n "$no_events" ]; then
	skip "roundtrip" "$no_events"
	return
fi
if ! command -v perf >/dev/null; then
	skip "roundtrip" "perf is not installed"
	return
fi
data=$work/trip.data
load="for i in 1 2; do $helpers/touch_pages 300 child; done; $helpers/spin 60000000; sed -n '\$p' /etc/passwd"

# A line for each sample: the start of the function it fell into, and the file. Names differ where a function has
# several; starts do not. Functions that only pcl names (of stripped files) have none by perf: "?".
functions() {
	"$@" -G -F ip,sym,symoff,dso 2>/dev/null | python3 -c '
import re, sys
for line in sys.stdin:
    # generated code: perf shows the file that would name it
    line = re.sub(r"\(/tmp/perf-\d+\.map\)$", "(//anon)", line.rstrip())
    m = re.match(r" +([0-9a-f]+) (?:(.*)\+0x([0-9a-f]+)|\[unknown\]) (\(.*\))$", line)
    if not m:
        print("not understood:", line)
    elif m[2] is None or m[2].startswith("func@"):
        print("?", m[4])
    else:
        print("%x" % (int(m[1], 16) - int(m[3], 16)), m[4])'
}

# Both read the file: the same samples in the same order, and the same totals for each function.
both_read() {
	local what=$1 input=$2 fields=${3:-comm,tid,time,event,period,ip} same all

	perf script -i "$input" -G -F "$fields" >"$work/by-perf" 2>/dev/null
	"$fast" script -i "$input" -G -F "$fields" >"$work/by-pcl" 2>"$work/trip.err"
	all=$(wc -l <"$work/by-perf")
	within "$what: perf finds samples" "$all" 1 100000000
	# two CPUs may have samples of the same moment: their order means nothing
	sort -o "$work/by-perf" "$work/by-perf"
	sort -o "$work/by-pcl" "$work/by-pcl"
	expect "$what: every sample equal" "$(md5sum <"$work/by-perf")" "$(md5sum <"$work/by-pcl")"
	"$fast" script -i "$input" -G -F time 2>/dev/null | tr -d ' :' >"$work/times"
	expect "$what: in order of time" "$(sort -n "$work/times" | md5sum)" "$(md5sum <"$work/times")"
	diff "$work/by-perf" "$work/by-pcl" | head -n 6 | sed 's/^/# /'
	chains "$what" "$input"
	perf report -i "$input" --stdio --no-group -g none -F sample,period -s comm -w 64,64,64 -t ';' 2>/dev/null | sed '/^#/d; /^$/d; s/ //g' |
		awk -F ';' '{ s[$3] += $1; p[$3] += $2 } END { for (c in s) print c, s[c], p[c] }' | sort >"$work/by-perf"
	"$fast" script -i "$input" -G -F comm,period 2>/dev/null |
		awk '{ p = $NF; NF--; gsub(/ /, "", $0); s[$0]++; t[$0] += p } END { for (c in s) print c, s[c], t[c] }' | sort >"$work/by-pcl"
	if [ -s "$work/by-perf" ]; then
		expect "$what: the totals of perf report" "$(cat "$work/by-perf")" "$(cat "$work/by-pcl")"
	else
		skip "$what: the totals of perf report" "perf report prints nothing of this file"
	fi
	functions perf script -i "$input" | sort >"$work/by-perf"
	functions "$fast" script -i "$input" | sort >"$work/by-pcl"
	all=$(wc -l <"$work/by-perf")
	same=$(comm -12 "$work/by-perf" "$work/by-pcl" | wc -l)
	# 1 %: labels without a size in assembly, which only one of the two takes for functions
	within "$what: the same totals for each function ($same of $all)" "$same" $((all - all / 100 - 1)) "$all"
	comm -3 "$work/by-perf" "$work/by-pcl" | uniq -c | sort -nr | head -n 4 | sed 's/^/# /'
	rm -rf "$input" "$input.old"
}

# Frame for frame. Where a chain follows what is no frame pointer, one of the two may know a file there: 1 of 100 may
# differ, and be missing: those behind it are compared all the same.
chains() {
	local all same

	perf script -i "$2" -F ip,sym 2>/dev/null | awk '/^\t/ { print $1 }' >"$work/by-perf"
	[ -s "$work/by-perf" ] || return
	"$fast" script -i "$2" -F ip,sym 2>/dev/null | awk '/^\t/ { print $1 }' >"$work/by-pcl"
	all=$(wc -l <"$work/by-perf")
	within "$1: as many frames" "$(wc -l <"$work/by-pcl")" $((all * 99 / 100)) $((all + 1 + all / 100))
	same=$((all - $(diff "$work/by-perf" "$work/by-pcl" | grep -c '^<')))
	within "$1: the same frames ($same of $all)" "$same" $((all * 99 / 100)) "$all"
}

by_perf() {
	local what=$1

	shift
	if ! perf record -q -o "$data" "$@" sh -c "$load" >/dev/null 2>"$work/trip.err"; then
		skip "roundtrip: perf $what" "perf cannot record this: $(head -n 1 "$work/trip.err")"
		return
	fi
	both_read "roundtrip: perf $what" "$data"
}
by_perf "one event" -e cpu-clock
by_perf "three events" -e cpu-clock,page-faults,task-clock
by_perf "a group" -e '{cpu-clock,page-faults}'
by_perf "a group read as one" -e '{cpu-clock,page-faults}:S'
by_perf "chains" -g -e cpu-clock,page-faults
# most of it is the loading of programs, where the caller's side is still that of the program before
load="for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; sed -n 1p /etc/passwd; done" by_perf "many short commands" -g -c 50000 -e cpu-clock
by_perf "every tenth" -c 10 -e page-faults
by_perf "compressed" -z -g -e cpu-clock
by_perf "compressed, three events" -z -e cpu-clock,page-faults,task-clock
by_perf "the whole machine" -a -e cpu-clock
# the shell itself must have something to do
load='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' by_perf "without inheritance" -i -e cpu-clock
by_perf "addresses" -d -e page-faults -c 1
by_perf "switches" --switch-events -e cpu-clock
by_perf "a directory of threads" --threads -a -e cpu-clock
perf record -q -o - -e cpu-clock sh -c "$load" 2>/dev/null >"$data"
both_read "roundtrip: perf through a pipe" "$data"
perf record -q -z -o - -g -e cpu-clock,page-faults sh -c "$load" 2>/dev/null >"$data"
both_read "roundtrip: perf through a pipe, compressed" "$data"

# raw copies of stacks: the same samples, whatever each makes of the stacks
if perf record -q --call-graph dwarf,4096 -e cpu-clock -o "$data" "$helpers/spin" 60000000 2>/dev/null >&2; then
	expect "roundtrip: perf with copies of stacks: as many samples" \
		"$(perf script -i "$data" -G -F ip 2>/dev/null | grep -c .)" "$("$fast" script -i "$data" -G -F ip 2>/dev/null | grep -c .)"
	expect "roundtrip: perf with copies of stacks: the same registers" \
		"$(perf script -i "$data" -G -F uregs 2>/dev/null | md5sum)" "$("$fast" script -i "$data" -G -F uregs 2>/dev/null | md5sum)"
else
	skip "roundtrip: perf with copies of stacks" "perf cannot record them here"
fi
if perf record -q -a -e sched:sched_switch,sched:sched_waking -o "$data" sleep 0.1 2>/dev/null >&2; then
	tracepoints=yes
	both_read "roundtrip: perf's tracepoints" "$data" comm,tid,cpu,time,event,trace
else
	tracepoints=
	skip "roundtrip: perf's tracepoints" "perf cannot record them here"
fi

# ours, by perf, and by what other readers need
by_pcl() {
	local what=$1

	shift
	if ! "$fast" record -q -o "$data" "$@" sh -c "$load" >/dev/null 2>"$work/trip.err"; then
		not_ok "roundtrip: pcl $what is recorded"
		sed 's/^/# /' "$work/trip.err" | head -n 5
		return
	fi
	subtest "roundtrip: pcl $what" python3 "$here/perfdata_check.py" "$data"
	cp "$data" "$work/kept.data"
	both_read "roundtrip: pcl $what" "$data" $fields
}
fields=
by_pcl "one event" -e cpu-clock
by_pcl "two events, chains" -g -e cpu-clock,page-faults
subtest "roundtrip: a check" python3 "$here/perfdata_check.py" --self "$work/kept.data"
load="for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; sed -n 1p /etc/passwd; done" by_pcl "many short commands" -g -c 50000 -e cpu-clock
by_pcl "a group" -e '{cpu-clock,page-faults}'
by_pcl "the whole machine" -a -e cpu-clock,page-faults
by_pcl "every tenth" -c 10 -e page-faults
by_pcl "compressed" -z -g -e cpu-clock,page-faults
by_pcl "unwound" --call-graph dwarf -e cpu-clock
"$fast" record -q -g -e cpu-clock,page-faults -o - sh -c "$load" 2>/dev/null >"$data"
both_read "roundtrip: pcl through a pipe" "$data"
# the fields of tracepoints, behind each form of what stands before them in a sample
if [ -n "$tracepoints" ]; then
	fields=comm,tid,cpu,time,event,period,trace
	traced=sched:sched_switch,sched:sched_waking,sched:sched_process_exec
	by_pcl "tracepoints of the machine, compressed" -z -a -e $traced
	by_pcl "tracepoints, chains" -g -e $traced,cpu-clock
	by_pcl "tracepoints, unwound" --call-graph dwarf -e $traced
	"$fast" record -q --call-graph dwarf --raw -e $traced -o "$data" sh -c "$load" >/dev/null 2>&1
	expect "roundtrip: pcl tracepoints, stacks copied: the same fields" "$(perf script -i "$data" -G -F $fields 2>/dev/null | md5sum)" \
		"$("$fast" script -i "$data" -G -F $fields 2>/dev/null | md5sum)"
	for how in "" -z; do
		"$pcl" record $how -q -e $traced -o - sh -c "$load" 2>/dev/null >"$data"
		both_read "roundtrip: pcl's tracepoints through a pipe $how" "$data" $fields
	done
else
	skip "roundtrip: pcl's tracepoints" "perf cannot record them here"
fi
rm -f "$data" "$work/kept.data"
