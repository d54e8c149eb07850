# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl top, as text and on a terminal that tmux keeps.

out=$work/top.out
"$helpers/spin" 100000000000000 &
target=$!
# a bound, for one that would wait for ever
top() { timeout 600 "$pcl" top -F 500 -e cpu-clock:u -p "$target" "$@" >"$out" 2>"$work/top.err"; }
# the same, until a table has a line: in one interval a busy machine may not have run the target at all
top_seen() {
	local i

	for ((i = 0; i < 100; i++)); do
		top "$@"
		grep -q '% ' "$out" && return
	done
}
wait_for ran_long "$target" || not_ok "top: its target runs"

top -d 0.5 --iterations 2
expect "top: --iterations 2 ends with 0" 0 $?
expect "top: two tables" 2 "$(grep -c '^# event ' "$out")"
top_seen -d 0.5 --iterations 2
contains "top: the function that runs has nearly all samples" "$out" '^ +(9[0-9]|100)\.[0-9]+% +[0-9]+ +spin +\[\.\] hot$'
contains "top: the title tells what was lost" "$out" "^# event 'cpu-clock:u': [0-9]+ samples, [0-9]+/s of all events, lost 0"
top_seen -d 0.5 --iterations 1 -g
contains "top: -g: who called, from the inside out" <(tr '\n' ' ' <"$out" | tr -s ' ') 'hot 100\.00% outer 100\.00% main'
timeout 600 "$pcl" top -F max -e cpu-clock:u -p "$target" -d 0.3 --iterations 1 >"$out" 2>"$work/top.err"
expect "top: -F max: what the kernel allows" "0 1" "$? $(grep -c '^# event ' "$out")"
top_seen -d 0.3 --iterations 1 --call-graph fp --percent-limit 50
contains "top: --call-graph fp is -g" <(tr '\n' ' ' <"$out" | tr -s ' ') 'hot 100\.00% outer'
PCL_CACHE_DIR=$work/no-cache-top top_seen -d 0.3 --iterations 1 --no-cache
expect "top: --no-cache keeps nothing" no "$(test -e "$work/no-cache-top" && echo yes || echo no)"
PCL_CACHE_DIR=$work/no-cache-top top_seen -d 0.3 --iterations 1 -s srcline
expect "top: without it, something is kept" yes "$(test -e "$work/no-cache-top" && echo yes || echo no)"
top_seen -d 0.5 --iterations 1 -s comm,pid
contains "top: -s: other keys" "$out" "% +[0-9]+ +spin +$target *$"
top -d 0.2 --iterations 1 --object nonesuch
expect "top: a filter that lets nothing through" 0 "$(grep -c '%' "$out")"

for signal in INT TERM; do
	# what is waited for below must not be that of before
	: >"$out"
	"$pcl" top -e cpu-clock:u -p "$target" -d 0.2 >"$out" 2>"$work/top.err" &
	pid=$!
	# the shell ignores SIGINT for what it puts behind; top takes it back
	for ((i = 0; i < 3000; i++)); do
		grep -q '^# event' "$out" && break
		sleep 0.1
	done
	kill -$signal "$pid"
	wait "$pid"
	expect "top: SIG$signal: a clean end" 0 $?
done
"$pcl" top true >"$out" 2>"$work/top.err"
expect "top: runs no command: 125" 125 $?
"$pcl" top -d 0 >"$out" 2>"$work/top.err"
expect "top: -d 0: 125" 125 $?
"$pcl" top -p 99999999 >"$out" 2>"$work/top.err"
expect "top: a process that is not there: 125" 125 $?

if command -v tmux >/dev/null; then
	tmux -L "pcltop$$" -f /dev/null new-session -d -s t -x 100 -y 20 \
		"env TERM=screen-256color LC_ALL=C $pcl top -g -e cpu-clock:u -p $target -d 0.3 2>$work/top.err; echo \"left with \$?\"; exec sleep 1000"
	# shows NAME PATTERN: the screen comes to show it
	shows() {
		local i

		for ((i = 0; i < 3000; i++)); do
			if tmux -L "pcltop$$" capture-pane -p -t t | grep -Eq -- "$2"; then
				ok "$1"
				return
			fi
			sleep 0.1
		done
		not_ok "$1"
		tmux -L "pcltop$$" capture-pane -p -t t | grep . | sed 's/^/#   /' | head
	}
	press() { tmux -L "pcltop$$" send-keys -t t "$@"; }
	shows "top: on a terminal: the table" '\[\.\] hot$'
	shows "top: on a terminal: chains below" '100\.00% outer'
	shows "top: on a terminal: it goes on" '^ table [3-9]'
	press p
	shows "top: on a terminal: p holds it" ', paused'
	press p Down
	shows "top: on a terminal: scrolled" '^ +100\.00% (outer|main)'
	tmux -L "pcltop$$" resize-window -t t -x 60 -y 10
	shows "top: on a smaller terminal" '^ table [0-9]+ +arrows'
	press Home
	kill "$target"
	wait "$target" 2>/dev/null
	shows "top: on a terminal: the target has ended" 'has ended'
	press q
	shows "top: on a terminal: q leaves, with 0" 'left with 0'
	tmux -L "pcltop$$" kill-server 2>/dev/null
else
	skip "top: on a terminal" "tmux is not installed"
	kill "$target"
	wait "$target" 2>/dev/null
fi
