# SPDX-License-Identifier: GPL-2.0
# Part of test/run: how a recording ends when something goes wrong; whatever it is, the file can be read.

if [ -n "$no_events" ]; then
	skip "record_ends" "$no_events"
	return
fi
. "$here/record_lib"
mkdir "$work/ended"
ln -s "$helpers/spin" "$work/ended"	# nobody else's is called so

record -e faults -c 1 sh -c "$helpers/touch_pages 1000; kill -KILL \$\$"
expect "the command is killed: 137" 137 $?
within "the command is killed: its samples are there" "$(recorded)" 1000 3000
both_read "the command is killed"
# pcl itself is killed, and nothing can be put in order: what readers cannot do without is in the file already
killed() {
	local name=$1 n

	shift
	"$work/ended/spin" 100000000000 &
	victim=$!
	rm -f "$data"
	"$fast" record "$@" -o "$data" -p "$victim" 2>"$said" &
	recorder=$!
	if ! wait_for read_so_far 200; then
		not_ok "$name: samples came"
		sed 's/^/# /' "$said"
	fi
	{ kill -KILL $recorder $victim; wait $recorder $victim; } 2>/dev/null
	n=$(by_pcl)
	within "$name: pcl report reads it" "$n" 100 100000000
	perf_check expect "$name: perf reads as many" "$n" "$(by_perf)"
	perf_check expect "$name: perf finds the names of the events" "$names" "$(perf evlist -i "$data" 2>/dev/null | grep -v '^#')"
}
names=cpu-clock:u
killed "killed" -e $names
killed "killed, compressed" -z -e $names
if "$fast" record -q -e sched:sched_process_exec -o "$data" true 2>"$said"; then
	names=$'cpu-clock:u\nsched:sched_stat_runtime'
	killed "killed, a tracepoint" -z -e cpu-clock:u,sched:sched_stat_runtime
	perf_check expect "killed, a tracepoint: the same fields" "$(perf script -i "$data" -F event,trace 2>/dev/null | tr -s ' ' | md5sum)" \
		"$("$pcl" script -i "$data" -F event,trace 2>/dev/null | tr -s ' ' | md5sum)"
else
	skip "killed, a tracepoint" "$(head -n 1 "$said")"
fi
# Twenty times what fits: however late the reader comes, and however much the ring has lost by then, the disk is full.
much="for i in $(seq -s ' ' 20); do $helpers/touch_pages 20000; done"
if [ "$(id -u)" = 0 ] && mkdir -p "$work/full" && mount -t tmpfs -o size=1M none "$work/full" 2>/dev/null; then
	"$pcl" record -e faults:u -c 1 -o "$work/full/data" sh -c "$much" 2>"$said"
	expect "full disk: 125" 125 $?
	contains "full disk: is told" "$said" "full/data: No space left on device"
	both_read "full disk" "$work/full/data"
	within "full disk: what fitted was kept" "$(recorded)" 5000 30000
	contains "full disk: the rest is counted" "$said" "^pcl record: [0-9]+ samples could not be written"
	perf_check contains "full disk: all features are there" <(perf report -i "$work/full/data" --header-only 2>/dev/null) 'time of last sample'
	rm "$work/full/data"
	head -c 1048576 /dev/zero >"$work/full/fill" 2>/dev/null
	"$pcl" record -e faults:u -c 1 -o "$work/full/data" "$helpers/touch_pages" 100 2>"$said"
	expect "full disk from the start: 125" 125 $?
	umount "$work/full"
else
	skip "full disk" "a tmpfs cannot be mounted here"
fi
(ulimit -f 600; exec "$pcl" record -e faults:u -c 1 -o "$data" sh -c "$much" 2>"$said")
expect "file size limit: 125" 125 $?
contains "file size limit: is told" "$said" "File too large"
both_read "file size limit"

# The reader of a pipe stops: when it goes on, all is there. The command fills the rings and ends meanwhile.
mkfifo "$work/pipe"
# ended PID: within ten minutes, or it is killed; its status.
ended() {
	timeout 600 tail --pid="$1" -s 0.1 -f /dev/null || kill -KILL "$1"
	wait "$1"
}
cat "$work/pipe" >"$data" &
reader=$!
kill -STOP $reader
"$pcl" record -m 16M -e faults -c 1 -o - sh -c "$helpers/touch_pages 20000; : >$work/touched" 2>"$said" >"$work/pipe" &
recorder=$!
wait_for test -e "$work/touched"
kill -CONT $reader
ended $recorder
expect "stopped reader: it goes on, and the recording ends: 0" 0 $?
wait $reader
within "stopped reader: written and lost make the whole" $(($(recorded) + $(lost))) 20000 24000
both_read "stopped reader"

# It never goes on: once SIGINT came, pcl has some patience and then none. The pipe is full before the recording
# begins, or gets so by what the command does, which runs on.
hears_sigint() { [ "$(cat "/proc/$1/comm")" = pcl ] && grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status"; }
# never_read NAME FILL BEGUN COMMAND...: so many bytes are in the pipe; BEGUN holds when SIGINT may be sent.
never_read() {
	local name="reader stopped for ever, $1" fill=$2 begun=$3

	shift 3
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	exec {held}<>"$work/pipe"
	head -c "$fill" /dev/zero >"$work/pipe"
	"$pcl" record -e faults -c 1 -o - "$@" 2>"$said" >"$work/pipe" &
	recorder=$!
	wait_for eval "$begun" || not_ok "$name: it begins"
	kill -INT $recorder
	ended $recorder 2>/dev/null
	expect "$name, SIGINT: 125" 125 $?
	contains "$name, SIGINT: why" "$said" '^pcl: the pipe: its reader takes nothing, and an end was asked for'
	exec {held}>&-
}
never_read "full from the start" 65536 'hears_sigint $recorder' true
rm -f "$work/runs_on"
never_read "the command runs on" 0 '[ -e "$work/runs_on" ]' \
	sh -c "$helpers/touch_pages 20000; : >$work/runs_on; exec $work/ended/spin 100000000000"

# A FIFO that nobody reads: its reader is waited for, and nothing has begun. A signal ends that, too.
rm -f "$work/pipe" "$work/ran"
mkfifo "$work/pipe"
"$pcl" record -e faults -c 1 -o "$work/pipe" touch "$work/ran" 2>"$said" &
recorder=$!
wait_for grep -q "^pcl: note: $work/pipe: waiting for its reader\$" "$said" || not_ok "FIFO without a reader: it is waited for"
expect "FIFO without a reader: the command waits, too" no "$([ -e "$work/ran" ] && echo yes || echo no)"
timeout 600 cat "$work/pipe" >"$data"
ended $recorder
expect "FIFO without a reader: when one comes, all is recorded: 0" 0 $?
both_read "FIFO without a reader"
rm -f "$work/ran" "$said"	# it said so already
"$pcl" record -e faults -c 1 -o "$work/pipe" touch "$work/ran" 2>"$said" &
recorder=$!
wait_for grep -q 'waiting for its reader$' "$said" || not_ok "FIFO without a reader, SIGINT: it is waited for"
kill -INT $recorder
ended $recorder 2>/dev/null
expect "FIFO without a reader, SIGINT: 130" 130 $?
contains "FIFO without a reader, SIGINT: why" "$said" "^pcl: $work/pipe: nobody reads it\$"
expect "FIFO without a reader, SIGINT: the command never starts" no "$([ -e "$work/ran" ] && echo yes || echo no)"

# SIGINT at each stage. Before the command starts: it came before pcl did, and waits.
if command -v perl >/dev/null; then
	rm -f "$data" "$work/ran"
	perl -MPOSIX -e 'POSIX::sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT)); kill "INT", $$; exec @ARGV' \
		"$pcl" record -e cpu-clock -o "$data" touch "$work/ran" 2>"$said"
	expect "SIGINT before the command starts: 130" 130 $?
	expect "SIGINT before the command starts: it never does" no "$([ -e "$work/ran" ] && echo yes || echo no)"
	both_read "SIGINT before the command starts"
else
	skip "SIGINT before the command starts" "perl is not installed"
fi
# At moments all over the run: while events are opened, processes described, samples taken, the file ended.
bad=
read_all=0
for i in $(seq 30); do
	rm -f "$data"
	"$fast" record -a -e cpu-clock -o "$data" "$work/ended/spin" 100000000 2>"$said" &
	recorder=$!
	sleep "$(awk -v i="$i" 'BEGIN { print i * 0.006 }')"
	kill -INT $recorder 2>/dev/null
	kill -INT $recorder 2>/dev/null
	wait $recorder
	status=$?
	case $status in
	0 | 130 | 143) ;;
	*) bad="$bad status $status" ;;
	esac
	[ -s "$data" ] || continue
	read_all=$((read_all + 1))
	[ -z "$(recorded)" ] || [ "$(by_pcl)" = "$(recorded)" ] || bad="$bad report $i"
	[ -z "$have_perf" ] || perf script -i "$data" >/dev/null 2>&1 || bad="$bad perf $i"
done
expect "SIGINT at 30 moments: status and file are right ($read_all files)" "" "$bad"
expect "nothing is left running" "" "$(pgrep -f "^$work/ended/spin")"
