# SPDX-License-Identifier: GPL-2.0
# Part of test/run: what pcl record does beside recording into one file until the command ends.

if [ -n "$no_events" ]; then
	skip "record_more" "$no_events"
	return
fi
. "$here/record_lib"

# --- threads: order of time must hold whatever number of threads reads
for threads in 1 2 cpu; do
	record -a --threads $threads -e cpu-clock,context-switches bash -c busy
	expect "--threads $threads: recorded" 0 $?
	both_read "--threads $threads"
	# what else perf has to say, of lost records for one, is no time
	perf_check expect "--threads $threads: perf finds nothing out of order" "0 0" \
		"$(perf script -i "$data" -F time 2>"$work/more.err" | awk '{ t = $1 + 0; if (t < last) bad++; last = t } END { print bad + 0 }') \
$(grep -ciE 'out of order|below last' "$work/more.err")"
done

# --- the whole machine, while tasks come and go: all have names. -1 is a task at its very end. What tells of names is
# lost like any record when a ring is full, so this one holds a minute of it, should the reader have to wait.
(while :; do for i in 1 2 3 4 5 6 7 8; do "$(type -P true)" & done; wait; done) 2>/dev/null &
churn=$!
record -a -m 32M -e cpu-clock sleep 0.3
kill $churn
wait $churn 2>/dev/null
both_read "-a"
expect "-a: nothing is lost" 0 "$(lost)"
expect "-a: samples of tasks without a name" 0 "$("$pcl" script -i "$data" -F comm 2>/dev/null | grep -cE '^ *:[0-9]')"

# --- tracepoints: each occurrence, unless a rate is named
traced() { "$pcl" script -i "$data" -F event,trace 2>"$work/more.err"; }
execs="for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $(type -P true); done; :"
if "$fast" record -q -e sched:sched_process_exec -o "$data" true 2>"$said"; then
	record -e sched:sched_process_exec sh -c "$execs"
	both_read "tracepoint"
	expect "tracepoint: every exec is sampled" 20 "$(traced | grep -c "sched_process_exec: filename=$(type -P true) ")"
	if record -e raw_syscalls:sys_enter dd if=/dev/zero of=/dev/null bs=1 count=10000; then
		# a read and a write each
		within "tracepoint: so are 20000 system calls" $(($(recorded) + $(lost))) 20000 21000
	else
		skip "tracepoint: 20000 system calls" "$(head -n 1 "$said")"
	fi
	record --call-graph dwarf -e sched:sched_process_fork sh -c "$execs"
	within "tracepoint, unwound: recorded" "$(recorded)" 20 21
	expect "tracepoint, unwound: whole, also where the return address is in a register (vfork)" "" "$(grep 'end early' "$said")"
	# each task counts on each CPU for itself
	record -i -c 5 -e sched:sched_process_fork taskset -c "$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')" sh -c "$execs"
	expect "tracepoint -c 5: every fifth" 4 "$(recorded)"
	record -F 50 -e sched:sched_process_exec sh -c "$execs"
	perf_check contains "tracepoint -F 50: by frequency" <(perf evlist -v -i "$data" 2>/dev/null) 'sample_freq }: 50.* freq: 1'
	record -e 'sched:sched_process_[ef]*' sh -c "$execs"
	both_read "tracepoints by a pattern"
	expect "tracepoints by a pattern: each has its name" 20 "$(traced | grep -c "sched_process_fork: .*child_pid=")"
	rm -f "$data".*
	record --switch-output 1K -e sched:sched_process_exec,sched:sched_process_fork sh -c "$execs; sleep 0.5; $execs"
	both_read "tracepoint --switch-output" "$data".*
	expect "tracepoint --switch-output: fields in each file" 40 \
		"$(for data in "$data".*; do traced; done | grep -c "sched_process_exec: filename=$(type -P true) ")"
	rm -f "$data".*
	record --snapshot -e sched:sched_process_exec sh -c "$execs"
	data=$(echo "$data".*)
	both_read "tracepoint --snapshot" "$data"
	expect "tracepoint --snapshot: fields" 20 "$(traced | grep -c "sched_process_exec: filename=$(type -P true) ")"
	rm -f "$data"
	data=$work/more.data
	record --off-cpu -e sched:sched_process_exec sh -c "$execs"
	both_read "tracepoint --off-cpu"
	expect "tracepoint --off-cpu: fields" 20 "$(traced | grep -c "sched_process_exec: filename=$(type -P true) ")"
else
	skip "tracepoints" "$(head -n 1 "$said")"
fi

# --- compressed, and through a pipe
record -z -g -e cpu-clock "$helpers/spin" 300000000
both_read "-z"
perf_check contains "-z: perf knows how" <(perf report -i "$data" --header-only 2>/dev/null) '^# compressed : Zstd, level = 1'
"$pcl" record -z19 -e faults:u -c 1 -o "$data" "$helpers/touch_pages" 5000 2>"$said"
both_read "-z19"
small=$(stat -c %s "$data")
record -e faults:u -c 1 "$helpers/touch_pages" 5000
within "-z: the file is at most half as large" "$((small * 100 / $(stat -c %s "$data")))" 1 50
for how in "" -z; do
	"$pcl" record $how -g -e cpu-clock,faults -o - sh -c "echo of the command; exec $helpers/spin 300000000" \
		2>"$said" >"$data"
	expect "-o - $how: status" 0 $?
	both_read "-o - $how"
	contains "-o - $how: what the command prints is on stderr" "$said" '^of the command$'
	perf_check expect "-o - $how: perf reads it through a pipe" "$(recorded)" "$(perf script -i - -F pid,event <"$data" 2>/dev/null | grep -cE '^ *-?[0-9]')"
done
perf_check contains "-o -: with build ids" <("$pcl" record -e cpu-clock -o - "$helpers/spin" 2>/dev/null | perf buildid-list -i - 2>/dev/null) \
	"$(file -L "$helpers/spin" 2>/dev/null | sed -n 's/.*sha1]=\([0-9a-f]*\).*/\1/p').*spin"
# a name is padded to a multiple of 64, and its record to one of 8
for rest in 0 1 2 3 4; do
	name=$work/$(printf '%0*d' $((64 + (rest + 126 - ${#work}) % 64)) 0)
	cp "$helpers/touch_pages" "$name"
	"$pcl" record -e faults:u -c 1 -o - "$name" 2000 2>"$said" >"$data"
	expect "-o -: a name of 64 n + $rest: status" 0 $?
	perf_check contains "-o -: a name of 64 n + $rest: its build id" <(perf buildid-list -i - <"$data" 2>/dev/null) "^[0-9a-f]{40} $name\$"
	rm "$name"
done
set -o pipefail
{ "$pcl" record -e faults -c 1 -o - "$helpers/touch_pages" 50000 2>"$said"; echo $? >"$work/more.status"; } | head -c 100 >/dev/null
expect "-o -: a closed pipe gives 125" 125 "$(cat "$work/more.status")"
contains "-o -: and is told" "$said" "the pipe: Broken pipe"

# --- what has a name and is no file is written as a pipe is
"$pcl" record -e faults:u -c 1 -o /dev/null "$helpers/touch_pages" 2000 2>"$said"
expect "-o /dev/null: status" 0 $?
contains "-o /dev/null: what went there" "$said" '^pcl record: 2[0-9]{3} samples, 0 lost, 0\.[0-9]+ MB in /dev/null$'
expect "-o /dev/null: it stays what it was, and has no other name" "character special file" \
	"$(stat -c %F /dev/null /dev/null.old 2>/dev/null)"
"$pcl" record -e faults:u -c 1 -o /dev/full "$helpers/touch_pages" 2000 2>"$said"
expect "-o /dev/full: status" 125 $?
contains "-o /dev/full: is told" "$said" '^pcl: /dev/full: No space left on device$'
fifo=$work/more.fifo
mkfifo "$fifo"
for how in "" -z; do
	timeout 600 cat "$fifo" >"$data" &
	reader=$!
	"$pcl" record $how -g -e cpu-clock,faults -o "$fifo" sh -c "echo of the command; exec $helpers/spin 300000000" \
		2>"$said" >"$work/more.stdout"
	expect "-o FIFO $how: status" 0 $?
	wait $reader
	both_read "-o FIFO $how"
	contains "-o FIFO $how: where it went" "$said" ", 0 lost, [0-9.]+ MB in $fifo\$"
	expect "-o FIFO $how: what the command prints goes where it did" "of the command" "$(cat "$work/more.stdout")"
done
expect "-o FIFO: it stays one" fifo "$(stat -c %F "$fifo")"
"$pcl" script -i - -F pid,event <"$fifo" >"$work/more.script" 2>"$work/more.err" &
reader=$!
"$pcl" record -e faults:u -c 1 -o "$fifo" "$helpers/touch_pages" 2000 2>"$said"
wait $reader
expect "-o FIFO: pcl script reads all while it is written" "$(recorded)" "$(grep -c . "$work/more.script")"
# standard output by a name
"$pcl" record -e faults:u -c 1 -o /dev/stdout sh -c "echo of the command; exec $helpers/touch_pages 2000" 2>"$said" | cat >"$data"
both_read "-o /dev/stdout"
contains "-o /dev/stdout: what the command prints is on stderr" "$said" '^of the command$'
ln -s /proc/self/fd/1 "$work/more.link"		# as /dev/stdout is, which a broken program would move
for name in "$work/more.link" "$work/more.file"; do
	echo kept >"$work/more.file"
	"$pcl" record -e faults:u -c 1 -o "$name" "$helpers/touch_pages" 2000 2>"$said" >>"$work/more.file"
	expect "-o ${name##*.}, where standard output is a file: nothing is moved away" "kept, none" \
		"$(head -n 1 "$work/more.file" | tr -d '\0'), $(ls -d "$name.old" 2>/dev/null || echo none)"
	tail -c +6 "$work/more.file" >"$data"
	both_read "-o ${name##*.}, where standard output is a file"
done
timeout 600 head -c 100 "$fifo" >/dev/null &
"$pcl" record -e faults -c 1 -o "$fifo" "$helpers/touch_pages" 50000 2>"$said"
expect "-o FIFO: its reader goes: 125" 125 $?
contains "-o FIFO: its reader goes: is told" "$said" "^pcl: $fifo: Broken pipe\$"
refused() { # NAME WORDS ARGUMENT...
	local name=$1 words=$2

	shift 2
	rm -f "$work/ran"
	timeout 60 "$pcl" record -e faults "$@" touch "$work/ran" 2>"$said"
	expect "$name: is refused" "125, and the command does not run" "$?, and the command $([ -e "$work/ran" ] && echo runs || echo does not run)"
	contains "$name: why" "$said" "$words"
}
refused "-o FIFO --snapshot" "^pcl: -o $fifo: --snapshot makes several files; " -o "$fifo" --snapshot
refused "-o FIFO --switch-output" "^pcl: -o $fifo: --switch-output makes several files; " -o "$fifo" --switch-output=1M
refused "-o DIRECTORY" "^pcl: -o $work: this is a directory; name a file\$" -o "$work"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$work/more.socket"
refused "-o SOCKET" "^pcl: -o $work/more.socket: this is a socket; " -o "$work/more.socket"
if mknod "$work/more.block" b 0 0 2>/dev/null; then
	refused "-o BLOCK DEVICE" "^pcl: -o $work/more.block: this is a block device; " -o "$work/more.block"
else
	skip "-o BLOCK DEVICE" "block devices cannot be made here"
fi
on_pty "$pcl record -e faults -o /dev/tty true" >"$said"
contains "-o TERMINAL: is refused" "$said" '^pcl: -o /dev/tty: this is a terminal; '

# --- build ids are those of what was mapped, whatever has the name here. Two programs, of which a process among other
# mounts has one in the place of the other.
build_id() { file -L "$1" | sed -n 's/.*sha1]=\([0-9a-f]*\).*/\1/p'; }
told_id() { perf buildid-list -i "$1" 2>/dev/null | awk -v name="$2" '$2 == name { print $1 }'; }
if [ -z "$have_perf" ] || ! command -v file >/dev/null || [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	skip "build ids among other mounts" "needs root, perf, file, and mounts of its own (unshare -m)"
else
	cp "$helpers/spin" "$work/here"
	cp "$helpers/touch_pages" "$work/there"
	here_id=$(build_id "$work/here") there_id=$(build_id "$work/there")
	expect "build ids: the two programs differ" yes "$([ -n "$here_id" ] && [ "$here_id" != "$there_id" ] && echo yes)"
	mkfifo "$work/stays"
	exec {hold}<>"$work/stays"
	unshare -m sh -c "mount --bind $work/there $work/here && exec $work/here 0 threads" <"$work/stays" &
	lives=$!
	wait_for grep -q "$work/here" "/proc/$lives/maps"
	"$pcl" record -e faults -c 1 -o "$data" -p $lives true 2>"$said"
	expect "build ids: of a process among other mounts" "$there_id" "$(told_id "$data" "$work/here")"
	kill $lives
	wait $lives 2>/dev/null
	exec {hold}>&-
	# one that may be gone when its mapping is looked at: its own, or none
	"$pcl" record -e faults -c 1 -o "$data" \
		unshare -m sh -c "mount --bind $work/there $work/here && exec $work/here 1000" 2>"$said"
	within "build ids: of one that is soon gone: its mapping is told" \
		"$("$pcl" script -i "$data" --show-mmap-events 2>/dev/null | grep -c "MMAP2.*$work/here")" 1 100
	expect "build ids: of one that is soon gone: never that of another file" no \
		"$([ "$(told_id "$data" "$work/here")" = "$here_id" ] && echo yes || echo no)"
	# Its file system is covered by another, where that inode is another file; without the right to map_files.
	mkdir "$work/covered"
	cat >"$work/cover.sh" <<-'EOF'
		mount -t tmpfs none "$work/covered" && cp "$work/there" "$work/covered/program" || exit 9
		"$work/covered/program" 0 threads <"$work/stays" &
		until grep -q "$work/covered" "/proc/$!/maps"; do kill -0 $! || exit 1; sleep 0.05; done
		before=$(stat -c %i "$work/covered/program")
		mount -t tmpfs none "$work/covered" && cp "$helpers/spin" "$work/covered/program"
		[ "$before" = "$(stat -c %i "$work/covered/program")" ] || exit 9
		"$pcl" record -e faults -c 1 -o "$data.seen" -p $! true
		setpriv --bounding-set -sys_admin,-checkpoint_restore "$pcl" record -e faults -c 1 -o "$data" -p $! true
		kill $!
	EOF
	exec {hold}<>"$work/stays"
	if work=$work helpers=$helpers pcl=$pcl data=$data unshare -m sh "$work/cover.sh" 2>"$said"; then
		expect "build ids: of a file system that is covered by another" "$there_id" "$(told_id "$data.seen" "$work/covered/program")"
		expect "build ids: the same inode of another device is another file" "" "$(told_id "$data" "$work/covered/program")"
		contains "build ids: and the recording was one" "$said" "pcl record: "
	else
		skip "build ids: the same inode of another device" "two tmpfs have no file with the same inode, or cannot be mounted"
	fi
	exec {hold}>&-
	# the file is replaced while it runs
	"$work/here" 100000000000 &
	lives=$!
	wait_for grep -q "$work/here" "/proc/$lives/maps"
	cp "$work/there" "$work/new"
	"$pcl" record -e cpu-clock -o "$data" -p $lives mv "$work/new" "$work/here" 2>"$said"
	expect "build ids: of a file that is replaced meanwhile" "$here_id" "$(told_id "$data" "$work/here")"
	kill $lives
	wait $lives 2>/dev/null
fi

# --- clocks
for clock in mono raw boot real tai; do
	before=$(date +%s)
	record -k $clock -e cpu-clock "$helpers/spin" 100000000
	both_read "-k $clock"
done
perf_check within "-k tai: times are those of the wall" \
	"$("$pcl" record -k real -e cpu-clock -o "$data" "$helpers/spin" 100000000 2>/dev/null; perf script -i "$data" -F time 2>/dev/null | awk '{ print int($1); exit }')" \
	"$before" $(($(date +%s) + 1))
perf_check contains "-k: perf knows the clock" <(perf report -i "$data" --header-only 2>/dev/null) '^# clockid: realtime'

# --- control and delay
mkfifo "$work/ctl" "$work/ack"
say() { timeout 300 sh -c "exec 3<>$work/ack; echo $1 >$work/ctl; head -n 1 <&3" >"$work/acked"; expect "control: '$1' is acknowledged" ack "$(cat "$work/acked")"; }
"$pcl" record -D -1 --control "fifo:$work/ctl,$work/ack" -e cpu-clock -o "$data" sh -c "$helpers/spin 400000000; exec sleep 600" 2>"$said" &
recorder=$!
say ping
say enable
say disable
say stop
wait $recorder
expect "control: stop ends the command, too" 143 $?
both_read "control"
exec {out}<>"$work/ctl"
printf 'nonesuch\nping\nstop\n' >&$out
"$pcl" record --control "fd:$out,2" -p $$ -e cpu-clock -o "$data" 2>"$said"
expect "control: a descriptor; stop without a command gives 0" 0 $?
contains "control: a command that is not known is told" "$said" "knows no command 'nonesuch'"
expect "control: and has no ack" 2 "$(grep -c '^ack$' "$said")"
exec {out}>&-
mkdir "$work/controlled"
ln -s "$helpers/spin" "$work/controlled"	# nobody else's is called so
"$pcl" record -D -1 --control "fifo:$work/ctl,$work/ack" -e cpu-clock -o "$data" sh -c "sleep 0.01; exec $work/controlled/spin 100000000000" 2>"$said" &
recorder=$!
say ping
wait_for pgrep -f "^$work/controlled/spin" >/dev/null
say enable
wait_for read_so_far 100
say stop
wait $recorder
within "control: names of what began while the events were off" "$("$pcl" script -i "$data" -F comm,ip,sym 2>/dev/null | grep -c '^ *spin .* hot$')" 50 1000000
record -D -1 -e cpu-clock true
expect "-D -1 without a control is refused" 125 $?
record --control fifo:/dev/null -e cpu-clock true
contains "control: what is no FIFO is refused" "$said" "not a FIFO"
record -D 100000 -e cpu-clock "$helpers/spin"
expect "-D: nothing before the delay is over" 0 "$(recorded)"
record -D 1 -e cpu-clock "$helpers/spin" 1000000000
within "-D: samples behind it" "$(recorded)" 50 1000000
both_read "-D"
# what the command maps while the events are off is told of all the same
for target in "" -a; do
	record $target -m 16M -D 100 -g -e cpu-clock "$helpers/spin" 2000000000
	n=$(recorded)
	both_read "-D $target, chains"
	within "-D $target: names of what was mapped before" "$("$pcl" script -i "$data" -G --comm spin -F ip,sym 2>/dev/null | grep -c ' hot$')" 50 1000000
done

# --- snapshots: the newest samples when asked
rm -f "$data".*
mkdir "$work/snapped"
ln -s "$helpers/spin" "$work/snapped"		# nobody else's is called so
"$pcl" record --snapshot -m 4 --control "fifo:$work/ctl,$work/ack" -g -e cpu-clock -o "$data" "$work/snapped/spin" 100000000000 2>"$said" &
recorder=$!
# the newest samples are of its loop
wait_for eval 'ran_long "$(pgrep -f "^$work/snapped/spin")"'
say snapshot
say snapshot
kill -USR2 $recorder
wait_for eval '[ "$(ls "$data".* | wc -l)" = 3 ]'
say stop
wait $recorder
expect "--snapshot: a file for each request, and one at the end" 4 "$(ls "$data".* | wc -l)"
both_read "--snapshot" "$data".*
within "--snapshot: only what the ring holds" "$(recorded)" 4 $((4 * 16384 / 64 * $(nproc)))
for file in "$data".*; do report "$file"; grep -qE '\] hot$' "$work/more.report" && echo; done >"$work/named"
expect "--snapshot: names are known in each" 4 "$(wc -l <"$work/named")"
perf_check within "--snapshot: the last is the newest" \
	"$(for file in "$data".*; do perf script -i "$file" -F time 2>/dev/null | sed -n '$p'; done | awk '{ if ($1 + 0 < last) bad++; last = $1 + 0 } END { print bad + 0 }')" 0 0
record --snapshot --off-cpu -e cpu-clock true
expect "--snapshot with --off-cpu is refused" 125 $?

# --- rotation
rm -f "$data".*
record --switch-output 4K -F 997 -g -e cpu-clock "$helpers/spin" 1500000000 child
within "--switch-output SIZE: several files" "$(ls "$data".* | wc -l)" 2 1000
both_read "--switch-output SIZE" "$data".*
expect "--switch-output: the command is named in each" 0 "$(for file in "$data".*; do "$pcl" report -i "$file" -s comm 2>/dev/null; done | grep -cE '%.* :[0-9]+')"
rm -f "$data".*
record --switch-output 4K --max-files 2 -F 997 -g -e cpu-clock "$helpers/spin" 1500000000 child
expect "--max-files: only so many are kept" 2 "$(ls "$data".* | wc -l)"
rm -f "$data".*
"$pcl" record --switch-output signal -e cpu-clock -o "$data" "$helpers/spin" 100000000000 2>"$said" &
recorder=$!
wait_for eval 'larger_than 5000 "$(ls "$data".* | tail -n 1)"'
kill -USR2 $recorder
wait_for eval '[ "$(ls "$data".* | wc -l)" = 2 ]'
kill -INT $recorder
wait $recorder
expect "--switch-output signal: SIGUSR2 begins a file" 2 "$(ls "$data".* | wc -l)"
both_read "--switch-output signal" "$data".*
for name in "$work/more.link" "$work/more.file"; do
	rm -f "$name".*
	"$pcl" record --switch-output signal -e faults -o "$name" true 2>"$said" >"$work/more.file"
	echo "$? $(ls "$name".* 2>/dev/null | wc -l)"
done >"$work/more.series"
expect "--switch-output, standard output by a link: is refused; by the file's own name it is not: status, files" "125 0 0 1" \
	"$(tr '\n' ' ' <"$work/more.series" | sed 's/ $//')"
record --switch-output 1q -e cpu-clock true
expect "--switch-output: nonsense is refused" 125 $?
record --max-files 2 -e cpu-clock true
expect "--max-files alone is refused" 125 $?

# --- time off the CPU. A sleep is not shorter than it was asked to be, but it is of another clock than the samples, and
# what passes between its beginning and the switch is on the CPU.
off_ms() {
	"$pcl" report -i "$1" 2>/dev/null | sed -n "s/^# event '$2': .* samples, \([0-9.]*\) \(m*s\)\$/\1 \2/p" |
		awk '{ printf "%.3f\n", $2 == "s" ? $1 * 1000 : $1 }'
}
if "$fast" stat -e context-switches -o "$work/probe" true 2>/dev/null; then
	for chains in "" -g "--call-graph dwarf"; do
		record $chains --off-cpu -e cpu-clock sleep 0.3
		within "--off-cpu $chains: a sleep is there in full" "$(off_ms "$data" offcpu-time)" 250 60000
		both_read "--off-cpu $chains"
	done
	report
	contains "--off-cpu: with the stack of the sleep" "$work/more.report" 'nanosleep'
	perf_check expect "--off-cpu: perf shows the same sum" "$(off_ms "$data" offcpu-time)" \
		"$(perf report -i "$data" --stdio 2>/dev/null | sed -n "/offcpu-time'/,\$p" | awk '
			/Event count/ { printf "%.3f", $NF < 1e9 ? $NF / 1e6 : sprintf("%.3f", $NF / 1e9) * 1000; exit }')"
	# a period of its own must not change what switches count
	record -c 1000000 --off-cpu -e cpu-clock sh -c 'sleep 0.1; sleep 0.1; sleep 0.1'
	within "--off-cpu -c: every switch counts" "$(off_ms "$data" offcpu-time)" 250 60000
else
	skip "--off-cpu: exact" "switches cannot be counted here"
fi
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] && command -v setpriv >/dev/null; then
	cp "$fast" "$work/pcl-user"
	mkdir -m 777 -p "$work/user"
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$work/pcl-user" record --off-cpu -e cpu-clock \
		-o "$work/user/off" sleep 0.3 2>"$said"
	expect "--off-cpu: without rights" 0 $?
	contains "--off-cpu: that the stacks are near only is told" "$said" "offcpu-time-approx"
	within "--off-cpu: but the time is there in full" "$(off_ms "$work/user/off" offcpu-time-approx)" 250 60000
	chown root "$work/user/off"
	both_read "--off-cpu without rights" "$work/user/off"
else
	skip "--off-cpu: without rights" "needs root, setpriv and kernel.perf_event_paranoid 2"
fi

# --- stacks unwound at once
record --call-graph dwarf -F 997 -e cpu-clock "$helpers/spin" 1000000000
expect "dwarf: recorded" 0 $?
both_read "dwarf"
dwarf_size=$(stat -c %s "$data") dwarf_samples=$(recorded)
report
contains "dwarf: chains from main to hot" <(tr '\n' ' ' <"$work/more.report" | tr -s ' ') '\] hot outer main '
perf_check expect "dwarf: the file's event has chains and no stacks" "" \
	"$(perf evlist -v -i "$data" 2>/dev/null | grep -E 'STACK_USER|REGS_USER' || perf evlist -v -i "$data" | grep -v CALLCHAIN)"
record -g -F 997 -e cpu-clock "$helpers/spin" 1000000000
within "dwarf: bytes for a sample, in hundredths of those by frame pointers" \
	"$((dwarf_size * 100 * $(recorded) / dwarf_samples / $(stat -c %s "$data")))" 50 120
# what it costs, beside perf: the recorder's own time, for the same task and as long
"$helpers/spin" 100000000000 &
victim=$!
cost() {
	local name=$1 out=$2 times

	shift 2
	TIMEFORMAT='%U %S'
	times=$({ time "$@" -F 997 -e cpu-clock -o "$out" -p "$victim" sleep 2 >/dev/null 2>"$said"; } 2>&1)
	echo "# $name: $times s of CPU, $(perf script -i "$out" -F pid 2>/dev/null | grep -cE '^ *-?[0-9]') samples, $(stat -c %s "$out") bytes"
}
if [ -n "$have_perf" ]; then
	cost "pcl, dwarf, unwound at once" "$data" "$fast" record --call-graph dwarf
	echo "# $(sed -n 's/^pcl record: //p' "$said" | head -n 1)"
	cost "perf, dwarf, to be unwound later" "$work/perf.data" perf record --call-graph dwarf
	cost "pcl, frame pointers" "$data" "$fast" record -g
fi
kill "$victim"
wait "$victim" 2>/dev/null
record --call-graph dwarf --raw -F 997 -e cpu-clock "$helpers/spin" 300000000
both_read "dwarf --raw"
perf_check contains "dwarf --raw: perf unwinds it" <(perf script -i "$data" -F ip,sym 2>/dev/null | awk 'NF { $1 = ""; printf "%s", $0 } !NF { print "" }') \
	'^ hot outer main '
# far more than can be unwound at once: some stays as it was copied, and nothing goes missing
record -m 64M --call-graph dwarf,65000 -e faults:u -c 1 "$helpers/touch_pages" 10000
expect "dwarf under load: recorded" 0 $?
contains "dwarf under load: what was not unwound is told" "$said" '^pcl record: [0-9]+ stacks came faster than they could be unwound'
within "dwarf under load: unwound, kept and lost make the whole" $(($(recorded) + $(lost))) 10000 12000
both_read "dwarf under load"
raw=$(sed -n 's/^pcl record: \([0-9]*\) stacks came faster.*/\1/p' "$said")
contains "dwarf under load: as samples of an event of their own" "$work/more.report" "^# event 'faults:u-raw': $raw samples"
# all but those from before main()
perf_check within "dwarf under load: which perf unwinds" \
	"$(perf script -i "$data" -F event,ip,sym 2>/dev/null | awk '/-raw/ { r = 1 } !NF { r = 0 } r && $2 == "main" { n++ } END { print n + 0 }')" \
	$((raw * 9 / 10)) "$raw"
record --raw -e cpu-clock true
expect "--raw alone is refused" 125 $?
if ! have_pmu; then
	record --call-graph lbr -e cpu-clock true
	expect "--call-graph lbr: refused where the CPU keeps no calls" 125 $?
	contains "--call-graph lbr: and why" "$said" "event 'cpu-clock': "
fi
