# SPDX-License-Identifier: GPL-2.0
# Part of test/run: names that hold more than characters. None of it gets to a terminal, and JSON stays JSON.

# Who prints what a recording brings does it through visible() (text.c): statements that print such a name without it.
cat >"$work/printers.py" <<'SCAN'
import glob, re, sys
# what recordings, objects and debug information name
told = re.compile(r'(->|\.)(comm|name|short_name|target_name|function|hostname|osrelease|cmdline)\b(?!\()|'
                  r'\b(symbol_name|frame_symbol|cursor_text|entry_text|event_name|base_name|source_line)\(')
# stat counts events that its user has named; names of others are those of threads and cgroups
others = re.compile(r'(->|\.)(comm|part_name)\b(?!\()|\bparts_name\(')
prints = re.compile(r'\b(printf|fprintf|fputs|puts|put_limited|put_text|words_print)\(')
for path in sorted(sum((glob.glob(sys.argv[1] + '/' + d + '/*.c') for d in
                        ('report', 'script', 'annotate', 'diff', 'top', 'profile', 'session', 'stat')), [])):
    if 'html' in path or 'json' in path:
        continue
    text = re.sub(r'/\*.*?\*/', '', open(path).read(), flags=re.S)
    for statement in re.split(r'[;{}]\s*\n', text):
        call = prints.search(statement)
        # event_is_time() looks at a name, and a condition does; they do not print it
        rest = re.sub(r'event_is_time\([^()]*(\([^()]*\))?[^()]*\)|[]\[\w>.-]+ \?', '', statement[call.start():]) if call else ''
        # what is inside of visible() is taken out, brackets and all
        while 'visible(' in rest or 'visible_line(' in rest:
            at = re.search(r'visible(_line)?\(', rest)
            depth, end = 1, at.end()
            while depth and end < len(rest):
                depth += {'(': 1, ')': -1}.get(rest[end], 0)
                end += 1
            rest = rest[:at.start()] + rest[end:]
        if call and (others if '/stat/' in path else told).search(rest) and 'strcmp' not in rest:
            print(path.split('/')[-1] + ': ' + ' '.join(rest.split())[:150])
SCAN
expect "names: all that print what recordings name show it by visible()" "" "$(python3 "$work/printers.py" "$here/../src")"

if [ -z "$no_events" ]; then
	# a title for the window, a C1 control, a change of direction, half of a pair of UTF-16, a new line
	evil=$'e\033]0;x\007\302\233v\342\200\256i\355\240\200l\n\177'
	cp "$helpers/spin" "$work/spin-here"
	objcopy --redefine-sym hot=$'h\033[2Jot\302\205' "$work/spin-here"
	mkdir "$work/names"
	cp "$work/spin-here" "$work/names/$evil"
	record_names() { # FILE PROGRAM
		"$fast" record -g -e cpu-clock:u -o "$1" "$2" 3000000000 >"$work/names.out" 2>"$work/names.err"
		expect "names: ${1##*/}: status" 0 $?
		contains "names: ${1##*/}: samples" "$work/names.err" ': [1-9][0-9]* samples'
	}
	record_names "$work/names.1" "$work/names/$evil"
	record_names "$work/names.2" "$work/spin-here"
	clean() { # NAME ARGUMENT...
		local name=$1

		shift
		"$pcl" "$@" >"$work/names.out" 2>"$work/names.err"
		expect "names: $name: its status" 0 $?
		# but for tabs and ends of lines, and what is UTF-8
		expect "names: $name: nothing but characters" "" "$(python3 -c '
import re, sys
text = open(sys.argv[1], "rb").read() + open(sys.argv[2], "rb").read()
print("".join(sorted({repr(c) for c in re.findall("[^\t\n -~\u00a0-\u200d\u2010-\u2027\u202f-\u2065\u206a-\U0010ffff]",
                                                    text.decode("utf-8", "surrogateescape"))})), end="")' \
			"$work/names.out" "$work/names.err")"
		# lines of the header have them in the command that recorded
		contains "names: $name: and the bytes are told" <(grep -hv '^#' "$work/names.out" "$work/names.err") '\\x1b'
	}
	clean "report" report --stdio -i "$work/names.1"
	clean "report -g" report --stdio -g -s comm,dso,sym -i "$work/names.1"
	clean "script" script -i "$work/names.1" --show-task-events --show-mmap-events --header
	clean "script folded" script -i "$work/names.1" --format folded
	clean "annotate" annotate -i "$work/names.1"
	clean "diff" diff -s comm,sym "$work/names.1" "$work/names.2"
	json() { # NAME ARGUMENT...
		local name=$1

		shift
		"$pcl" "$@" >"$work/names.out" 2>/dev/null
		expect "names: $name is JSON, and no half of a pair" "good" "$(python3 -c '
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    text = json.dumps(json.loads(line), ensure_ascii=False)
    text.encode("utf-8")
print("good" if "\\u001b" in open(sys.argv[1]).read() else "not there")' "$work/names.out" 2>&1 | tail -n 1)"
	}
	# a thread's name is the file's that it was begun from, until it takes another
	"$work/names/$evil" 300000000000 &
	named=$!
	until grep -q $'\033' /proc/$named/comm || ! kill -0 $named; do
		sleep 0.05
	done
	clean "stat --per-thread" stat --per-thread -p $named -e task-clock -- sleep 0.1
	clean "stat -r --per-thread" stat -r 2 --per-thread -p $named -e task-clock -- sleep 0.1
	clean "stat -x --per-thread" stat -x , --per-thread -p $named -e task-clock -- sleep 0.1
	kill $named
	wait $named 2>/dev/null
	json "report --json" report --json -i "$work/names.1"
	json "script -j" script -j -i "$work/names.1"
	json "diff --json" diff --json -s comm,sym "$work/names.1" "$work/names.2"
else
	skip "names" "$no_events"
fi
