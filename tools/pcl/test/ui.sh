# SPDX-License-Identifier: GPL-2.0
# Part of test/run: the browser of pcl report, on a terminal that tmux keeps.

if ! command -v tmux >/dev/null; then
	skip "ui" "tmux is not installed"
	return
fi
data=$work/ui.data
"$fast" record -q -g -e cpu-clock:u -o "$data" "$helpers/spin" 200000000
term() { tmux -L "pcltest$$" -f /dev/null "$@"; }
screen() { term capture-pane -p -t "$1"; }
# with the lines that have left the screen at its top
paper() { term capture-pane -p -S - -t "$1"; }

# sees NAME SESSION PATTERN [paper]: the screen comes to show it; a bound, not a measurement
sees() {
	local i

	for ((i = 0; i < 3000; i++)); do
		if "${4-screen}" "$2" 2>/dev/null | grep -Eq -- "$3"; then
			ok "$1"
			return
		fi
		sleep 0.1
	done
	not_ok "$1"
	echo "# no line of the screen matches '$3':"
	"${4-screen}" "$2" | sed 's/^/#   /' | grep . | head -n 20
}

# open_in SESSION ENVIRONMENT... : the browser, in a session that shows the exit status after it
open_in() {
	local name=$1

	shift
	term new-session -d -s "$name" -x 100 -y 30 \
		"env $* PCL_PAGER=cat $pcl report -i $data; echo \"left with \$?\"; exec sleep 1000"
}

open_in plain TERM=screen-256color LC_ALL=C NO_COLOR=1
sees "ui: the table" plain '^\+ +[0-9.]+% +[0-9]+ +spin +spin +\[\.\] hot'
sees "ui: the keys are named" plain '\? keys  q leave'
term send-keys -t plain Enter
sees "ui: Enter opens a line" plain '^ +\+ (100\.00|9[0-9]\.[0-9]+)% outer'
term send-keys -t plain e
sees "ui: e opens all below" plain '^ +- (100\.00|9[0-9]\.[0-9]+)% main'
term send-keys -t plain Left
sees "ui: Left closes" plain '^\+ .*\] hot'
term send-keys -t plain e / main Enter
sees "ui: / finds a name" plain ' line 3 of '
term send-keys -t plain / nonesuch Enter
sees "ui: / says when there is none" plain 'no line has that name'
term send-keys -t plain Home d
sees "ui: d: only that object" plain '  only: spin'
term send-keys -t plain Escape
sees "ui: Escape takes it away" plain 'samples *$'
term send-keys -t plain f outer Enter
sees "ui: f: nothing was sampled in that function" plain ' line 0 of 0 '
term send-keys -t plain c
sees "ui: c: with children there is a line for it" plain '^\+ +[0-9.]+% +[0-9.]+% +[0-9]+ +spin +spin +\[\.\] outer'
term send-keys -t plain BSpace c v
sees "ui: v: from the outside in" plain '(9[0-9]|100)\.[0-9]+% .*(__libc_start|_start|main)'
term send-keys -t plain v a
sees "ui: a: the code" plain '^# hot in '
term send-keys -t plain q
sees "ui: and back" plain '\? keys  q leave'
# where the symbol is still to be seen, also with a longer object in the table
term resize-window -t plain -x 66 -y 8
sees "ui: a smaller terminal" plain '\] hot'
expect "ui: lines end at its edge" 0 "$(screen plain | awk 'length > 66' | wc -l)"
term resize-window -t plain -x 100 -y 30
term send-keys -t plain '?'
sees "ui: ? has help" plain 'turn chains around'
term send-keys -t plain q
sees "ui: which q leaves" plain '\? keys  q leave'
term send-keys -t plain q
sees "ui: q leaves, with 0" plain 'left with 0'

open_in utf8 TERM=screen-256color LC_ALL=C.UTF-8
sees "ui: UTF-8 terminals have triangles" utf8 '▸ +[0-9.]+%'
pid=$(pgrep -f "^$pcl report -i $data\$" | head -n 1)
kill -TERM "$pid"
sees "ui: SIGTERM leaves" utf8 'left with 0'
sees "ui: and the screen is the shell's again" utf8 '^left with'

term new-session -d -s lines -x 100 -y 30 \
	"env TERM=screen-256color LC_ALL=C $pcl report -s srcline -i $data; exec sleep 1000"
sees "ui: lines that are not known" lines '% +[0-9]+ +\[unknown\]'
term send-keys -t lines q
sees "ui: are told after it" lines '(^| )information,'

open_in dumb TERM=dumb LC_ALL=C
sees "ui: a terminal that cannot move its cursor gets text" dumb '^# event .cpu-clock:u' paper
sees "ui: and comes to an end" dumb 'left with 0'

# text on a terminal ends at its edge, elsewhere names are whole
names=$(readlink -f /usr/lib/*/libstdc++.so.6 | head -n 1)
if [ -r "$names" ]; then
	"$helpers/million" "$work/names" 3000 0 "$names" >/dev/null
	wide=$("$pcl" report -s symbol -i "$work/names" 2>/dev/null | awk 'length > n { n = length } END { print n }')
	within "ui: names are whole without a terminal" "$wide" 100 1000000
	term new-session -d -s narrow -x 60 -y 30 \
		"env TERM=screen-256color LC_ALL=C PCL_PAGER=cat $pcl report --stdio -s symbol -l 0.4 -i $work/names 2>/dev/null; echo \"left with \$?\"; exec sleep 1000"
	sees "ui: --stdio on a terminal: text" narrow 'left with 0'
	expect "ui: and no line is longer than it is wide" 0 \
		"$(screen narrow | grep . | grep -Evc '^( +[0-9.]+% |#|left )')"
	within "ui: and some end there" "$(screen narrow | awk 'length == 60' | wc -l)" 1 30
	rm -f "$work/names"
else
	skip "ui: long names" "there is no libstdc++ here"
fi
term kill-server 2>/dev/null
"$pcl" report --tui -i "$data" </dev/null >"$work/ui.out" 2>"$work/ui.err"
expect "ui: --tui without a terminal: 125" 125 $?
contains "ui: and says why" "$work/ui.err" "--tui needs a terminal"
