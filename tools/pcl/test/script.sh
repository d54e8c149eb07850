# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl script, its form held against perf's, its fields and filters.

data=$work/script.data
out=$work/script.out
script() { "$pcl" script -i "$data" "$@" >"$out" 2>"$work/script.err"; }

"$fast" record -g -e cpu-clock:u,page-faults:u -o "$data" sh -c "$helpers/spin 200000000; $helpers/touch_pages 50" 2>/dev/null
script
expect "script: exit status" 0 $?
# the first line as the Firefox Profiler looks for it, then frames, then an empty line
contains "script: a sample" "$out" '^[^ ].* +[0-9]+ .*[0-9]+\.[0-9]{6}: +[0-9]+ +cpu-clock:u: $'
contains "script: a frame" "$out" '^	 +[0-9a-f]+ hot\+0x[0-9a-f]+ \(.*/spin\)$'
expect "script: an empty line ends each sample" "$(grep -c '^[^ 	#]' "$out")" "$(grep -c '^$' "$out")"
n=$(grep -c '^[^ 	#]' "$out")
within "script: samples" "$n" 20 100000
script -G -F comm,event,ip,sym
expect "script -G: a line for each sample" "$n" "$(wc -l <"$out")"
script -G --no-inline --comms spin
spin=$(wc -l <"$out")
within "script --comm: only that command" "$spin" 1 $((n - 1))
expect "script --comm: no other" 0 "$(grep -cv '^ *spin ' "$out")"
script -G --symbol hot -F ip,sym
within "script --symbol: only that function" "$(wc -l <"$out")" 1 "$spin"
expect "script --symbol: no other" 0 "$(grep -cv ' hot$' "$out")"
script -G --dso spin -F ip,dso
within "script --dso: only that file" "$(grep -c '/spin)$' "$out")" 1 "$spin"
expect "script --dso: no other" 0 "$(grep -cv '/spin)$' "$out")"
script -G --time 0,1
expect "script --time: nothing was at boot" 0 "$(wc -l <"$out")"
script -G -F time --ns
middle=$(sed -n "$((n / 2))s/^ *\([0-9.]*\): */\1/p" "$out")
behind=$(awk -v m="$middle" '$1 + 0 >= m + 0' "$out" | wc -l)
cp "$out" "$work/times"
script -G -F time --time "$middle,"
expect "script --time: from a moment on" "$behind" "$(wc -l <"$out")"
script -G -F time --time "  $middle,"
expect "script --time: a moment as the column of a machine just started has it, with blanks before" "$behind" "$(wc -l <"$out")"
script -G -F time --time "0, 	$middle"
expect "script --time: blanks before its end" "$(awk -v m="$middle" 'END { print n + 0 } $1 + 0 <= m + 0 { n++ }' "$work/times")" \
	"$(wc -l <"$out")"
script --time "18446744074,"
expect "script --time: more seconds than there are nanoseconds for" 125 $?
tid=$(script -G -F tid --comm spin; awk 'NR == 1 { print $1 }' "$out")
# not all of them have the name that the thread got by its exec
script -G -F tid
spin=$(grep -cx " *$tid *" "$out")
script -G --tid "$tid"
expect "script --tid: that thread" "$spin" "$(wc -l <"$out")"
script -G -F comm,tid,time,ip --tid "$tid,999999"
expect "script --tid: a list" "$spin" "$(wc -l <"$out")"
script -F addr,phys_addr
expect "script -F: what was not recorded, for one event of several, is left out" "0 $n" "$? $(wc -l <"$out")"
script -F sym
expect "script -F: names without an address are refused" 125 $?
script -F nonesuch
expect "script -F: an unknown field gives 125" 125 $?
script -F perod
contains "script -F: and the one that was meant" "$work/script.err" "did you mean 'period'"
script --time 5
expect "script --time: a bad time gives 125" 125 $?
script --format folded
contains "script --format folded: a stack from the outside in" "$out" '^spin;.*main;outer;hot [0-9]+$'
expect "script --format folded: the sums are those of the samples" \
	"$("$fast" script -i "$data" -G -F period | awk '{ n += $1 } END { print n }')" "$(awk '{ n += $NF } END { print n }' "$out")"
script -j
expect "script -j: an object for each sample" "$n" "$(wc -l <"$out")"
expect "script -j: each line is JSON" "$n" "$(python3 -c '
import json, sys
print(sum(isinstance(json.loads(l)["frames"], list) for l in sys.stdin))' <"$out")"
script --header-only
contains "script --header: the machine" "$out" "^# hostname : $(uname -n)$"
script --show-task-events --show-mmap-events
contains "script --show-task-events: an exec" "$out" 'PERF_RECORD_COMM exec: spin:'
contains "script --show-mmap-events: its mapping" "$out" 'PERF_RECORD_MMAP2 [0-9/]+: \[0x.* r-xp .*/spin$'
expect "script: from a pipe, the same" "$("$pcl" script -i "$data" 2>&1 | md5sum)" "$("$pcl" script -i - <"$data" 2>&1 | md5sum)"
expect "script: from another command, the same" "$("$pcl" script -i "$data" 2>&1 | md5sum)" "$(cat "$data" | "$pcl" script -i - 2>&1 | md5sum)"
mkfifo "$work/fifo"
cat "$data" >"$work/fifo" &
expect "script: from a named pipe, the same" "$("$pcl" script -i "$data" 2>&1 | md5sum)" "$("$pcl" script -i "$work/fifo" 2>&1 | md5sum)"
wait $!
head -c $(($(stat -c %s "$data") / 2)) "$data" >"$work/cut"
"$pcl" script -i "$work/cut" >/dev/null 2>&1
expect "script: a cut file gives 125" 125 $?

if command -v perf >/dev/null; then
	# line for line: all fields but the names, which may be others of the same function
	only=
	# perf names stubs in the order of the relocations, which is not that of libc's; symbol.sh holds ours against objdump
	no_stubs() { sed -E 's/ ([^ ]*@plt\+0x[0-9a-f]+|\[unknown\]) \(/ - (/'; }
	same() {
		local what=$1

		shift
		perf script -i "$data" "$@" 2>/dev/null | grep -E "$only" | no_stubs >"$work/by-perf"
		"$pcl" script -i "$data" "$@" 2>/dev/null | grep -E "$only" | no_stubs >"$work/by-pcl"
		within "script: $what: perf finds something" "$(wc -l <"$work/by-perf")" 3 10000000
		expect "script: $what: every line as perf has it" "$(md5sum <"$work/by-perf")" "$(md5sum <"$work/by-pcl")"
		diff "$work/by-perf" "$work/by-pcl" | head -n 6 | sed 's/^/# /'
	}
	same "our file" -F comm,pid,tid,time,event,period,ip,dso
	only=' (hot|outer|main)\+0x'
	same "our file, functions of our program" -G -F comm,tid,time,event,period,sym,symoff,ip,dso
	same "our file, chains through our program" -F comm,tid,time,event,period,sym,symoff,ip,dso
	only=
	perf record -q -e cpu-clock:u -o "$data" "$helpers/spin" 200000000 2>/dev/null >&2
	same "perf's file" -F comm,tid,time,event,period,ip,dso
	same "perf's file, by itself" --comm spin --time "$("$pcl" script -i "$data" -F time | sed -n '8s/: *$//p'),"
	perf record -q -g -a -e cpu-clock -o "$data" "$helpers/spin" 100000000 2>/dev/null >&2
	# from the first sample of its loop on: during its exec perf still finds the files of before
	same "perf's file of the machine, one command" --comm spin -F comm,pid,tid,cpu,time,event,ip,dso \
		--time "$("$pcl" script -i "$data" -G -F time,sym --comm spin | sed -n '/ hot$/{s/:.*//p;q}'),"
	perf record -q --switch-events -e cpu-clock:u -o "$data" sh -c "$helpers/spin 30000000; :" 2>/dev/null >&2
	same "perf's file, all records" --show-task-events --show-mmap-events --show-switch-events -F comm,tid,time,event
	# what no PMU here records, made by hand
	python3 - "$data" <<'PY'
import struct, sys
IP, TID, TIME, BRANCHES, WEIGHT, DATA_SRC, PHYS, DATA_PAGE, CODE_PAGE = (1 << b for b in (0, 1, 2, 11, 14, 15, 19, 22, 23))
def record(kind, misc, body): return struct.pack('<IHH', kind, misc, 8 + len(body)) + body
kinds = IP | TID | TIME | BRANCHES | WEIGHT | DATA_SRC | PHYS | DATA_PAGE | CODE_PAGE
attr = struct.pack('<IIQQQQQIIQQQ', 1, 128, 0, 1, kinds, 0, 1 << 18, 0, 0, 0, 0, 9).ljust(128, b'\0')
flags = [1 | 17 << 4, 2 | 4, 8 | 1 << 20, 3 << 20 | 1000 << 4, 6 << 20 | 2, 12 << 20]
data = record(3, 1 << 13, struct.pack('<II', 7, 7) + b'name\0\0\0\0' + struct.pack('<IIQ', 7, 7, 5))
for time in range(1000, 6000, 1000):
    branches = b''.join(struct.pack('<QQQ', 0x400000 + i, 0x500000 + i, f) for i, f in enumerate(flags))
    data += record(9, 2, struct.pack('<QIIQQ', 0x1000, 7, 7, time, len(flags)) + branches +
                   struct.pack('<QQQQQ', 77, 0x68100142, 0xabc000, 4096, 2 << 20))
data += record(68, 0, b'')
head = b'PERFILE2' + struct.pack('<QQQQQQQQ', 104, 144, 112, 144, 256, len(data), 0, 0) + bytes(32)
open(sys.argv[1], 'wb').write(head + struct.pack('<Q', 9) + attr + struct.pack('<QQ', 104, 8) + data)
PY
	same "a file of branches" -F comm,tid,time,brstack
	same "a file of branches, with names" -F comm,tid,time,brstacksym,ip
	same "a file of memory accesses" -F comm,tid,time,ip,weight,phys_addr,data_page_size,code_page_size
	if perf record -q -e sched:sched_switch -e cpu-clock -o "$data" sh -c 'sleep 0.01; sleep 0.01' 2>/dev/null >&2; then
		same "perf's file of a tracepoint" -F comm,tid,time,event,trace
		same "perf's file of a tracepoint, all records" --show-task-events --show-mmap-events -F comm,tid,time,event
	else
		skip "script: fields of tracepoints" "perf cannot record tracepoints here"
	fi
else
	skip "script: as perf has it" "perf is not installed"
fi
