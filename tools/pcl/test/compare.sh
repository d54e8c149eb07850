# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl stat --vs, from end to end, and the JSON schema over all forms of output.

out=$work/compare
schema=$here/../schema/pcl-stat.schema.json
get() { "$helpers/json_get" "$1" <"$out"; }
number() { get "$1" | sed 's/^number //'; }
status_of() { "$@" >/dev/null 2>&1; echo $?; }
touch_pages="setarch -R $helpers/touch_pages"

# A program that faults as often as it says: 1.5 thousand pages and what its start takes, so the rest is known first.
"$fast" stat -j -o "$out" -e faults $touch_pages 0
"$fast" stat -j -o "$out" -e faults $touch_pages 0
base=$(number events.0.value)
more=$((2000 - base)) much=$((2040 - base))
"$fast" stat -j -o "$out" -e faults -r 8 --seed 7 --vs "$touch_pages $much" -- $touch_pages $more
expect "compare: 2 % more faults are found" "other" "$(get measures.0.effect.significant)"
within "compare: and are 2 %" "$(number measures.0.effect.percent)" 1.9 2.1
within "compare: the interval holds 2 %, from below" "$(number measures.0.effect.low_percent)" 1.5 2.05
within "compare: and from above" "$(number measures.0.effect.high_percent)" 1.95 2.5
within "compare: p is small" "$(number measures.0.effect.p_adjusted)" 0 0.01
expect "compare: all runs are there" "array 8 array 8" "$(get measures.0.a.values) $(get measures.0.b.values)"
expect "compare: the seed is told" "number 7" "$(get seed)"
contains "compare: significance is a truth value" "$out" '"p_adjusted":[0-9.e-]+,"significant":true'
# one comparison in twenty of what is equal finds a difference, should its faults differ by chance; three of five do not
equal=0
for try in 1 2 3 4 5; do
	"$fast" stat -x, -o "$out" -e faults -r 8 --vs "$touch_pages $more" -- $touch_pages $more
	equal=$((equal + $(grep -cE '^faults,,[0-9.]+,[0-9.]+,.*,~$' "$out")))
done
within "compare: equal programs are not found to differ" "$equal" 3 5
expect "compare -x: twelve fields a line" "12" "$(awk -F, '{ print NF }' "$out" | sort -u)"
"$fast" stat -o "$out" -e faults -r 8 --vs "$touch_pages $much" -- $touch_pages $more
contains "compare: the table has a verdict" "$out" '^ faults .* \+[0-9.]+% +\+[0-9.]+%\.\. +\+[0-9.]+% more'
contains "compare: and says how it was made" "$out" '8 pairs of runs, in random order \(--seed [0-9]+\), after 1 of each not measured'
# which of the two depends on how even the times were, and that is not ours to say
contains "compare: and what could have been found" "$out" \
	'^ (a difference of [0-9.e+]+% in elapsed would have been found with a chance of 90%|so few runs could show hardly any difference)'

vs() { status_of "$fast" stat -e faults -r 8 "$@" --vs "$touch_pages $much" -- $touch_pages $more; }
expect "compare --fail-if: 2 % is more than 1 %" 124 "$(vs --fail-if faults+1%)"
expect "compare --fail-if: but not more than 3 %" 0 "$(vs --fail-if faults+3%)"
expect "compare --fail-if: nor less" 0 "$(vs --fail-if faults-1%)"
expect "compare --fail-if: 2 % less is less by more than 1 %" 124 \
	"$(status_of "$fast" stat -e faults -r 8 --fail-if faults-1%@99% --vs "$touch_pages $more" -- $touch_pages $much)"
expect "compare --fail-if: any measure" 124 "$(vs --fail-if +1%@99%)"
expect "compare --fail-if: what is not measured is an error" 125 "$(vs --fail-if cs+1%)"
expect "compare --fail-if: and so is what could not be judged" 125 \
	"$(status_of "$fast" stat -e faults -r 1 --fail-if faults+1% --vs true -- true)"
expect "compare --fail-if: a rule that is none" 125 "$(vs --fail-if faults3%)"
expect "compare --fail-if: without --vs" 125 "$(status_of "$pcl" stat -e faults --fail-if faults+3% true)"

# Who runs when: A and B write their names.
order() {
	rm -f "$work/order"
	"$pcl" stat -e faults -o /dev/null -r 8 "$@" --vs "sh -c 'printf B >>$work/order'" -- sh -c "printf A >>$work/order"
	cat "$work/order"
}
expect "compare --order ab: A always first, after one warm-up each" ABABABABABABABABAB "$(order --order ab)"
expect "compare --order abba: first by turns" ABBAABBAABBAABBA "$(order --order abba --warmup 0)"
expect "compare: random pairs, the same for a seed" "$(order --seed 3)" "$(order --seed 3)"
expect "compare: every pair has both" 8 "$(order --warmup 0 --seed 5 | fold -w 2 | grep -Ecx 'AB|BA')"
expect "compare: another seed is another order" 1 \
	"$([ "$(order --seed 3 --warmup 0)" != "$(order --seed 4 --warmup 0)" ] && echo 1)"

# Splitting, failing, stopping.
"$pcl" stat -j -o "$out" -e faults -r 2 --vs "printf '%s|' 'a b' \"\$HOME\"" -- true >"$work/words"
expect "compare --vs: words, quotes and variables as in a shell" "string a b" "$(get command_b.2)"
expect "compare --vs: variables" "string $HOME" "$(get command_b.3)"
"$pcl" stat -e faults --vs 'true | cat' -- true 2>"$out"
expect "compare --vs: what needs a shell is refused" 125 $?
contains "compare --vs: and the way out is told" "$out" "needs a shell; write \"sh -c '...'\""
expect "compare --vs: a quote that is not closed" 125 "$(status_of "$pcl" stat -e faults --vs "a 'b" -- true)"
expect "compare --vs: without a command A" 125 "$(status_of "$pcl" stat -e faults --vs true)"
expect "compare --vs: a command that is not there" 127 "$(status_of "$pcl" stat -e faults --vs "$work/nonesuch" -- true)"
"$pcl" stat -o "$out" -e faults -r 2 --vs 'sh -c "exit 3"' -- true
expect "compare: a command that fails gives its status" 3 $?
contains "compare: and is told of" "$out" "2 of 2 runs of B ended with a status that is not 0 \(the first: 3\)"
"$fast" stat -j -o "$out" -e faults -r 1000 --order ab --warmup 0 --vs "sh -c 'echo >>$work/runs; sleep 0.2'" -- true 2>"$out.err" &
waiter=$!
for i in $(seq 2400); do [ "$(wc -l 2>/dev/null <"$work/runs")" -ge 3 ] 2>/dev/null && break; sleep 0.05; done
kill -INT "$waiter"
wait "$waiter"
contains "compare: ^C keeps the pairs that are whole" "$out.err" 'stopped by a signal: ([2-9]|[1-9][0-9]+) of 1000 pairs'
expect "compare: and prints them" "string comparison" "$(get form)"

# Cold runs: what was done is told; a file that nobody has open leaves the page cache.
cp "$helpers/touch_pages" "$work/cold"
"$fast" stat --cold -r 3 -j -o "$out" -e faults "$work/cold" 1
within "compare --cold: caches are walked over" "$(number cold.walked_bytes)" 65536 1e12
expect "compare --cold: the command's file" "string $work/cold" "$(get cold.files.0.file)"
if [ "$(stat -f -c %T "$work")" = tmpfs ]; then
	skip "compare --cold: the file leaves the page cache" "$work is a tmpfs, which lies in it"
else
	expect "compare --cold: the file leaves the page cache" "number 0" "$(get cold.files.0.pages_left)"
fi
"$fast" stat --cold -r 2 -e faults -o "$out" --vs "$work/cold 2" -- "$work/cold" 1
contains "compare --cold: says what it did" "$out" "cold: before each run [0-9.]+ MiB were walked over on [0-9]+ CPU"
expect "compare --cold: and warms nothing up before" 0 "$(grep -c "not measured" "$out")"
expect "compare --cold: needs a command" 125 "$(status_of "$pcl" stat --cold -a -e faults)"
expect "compare --cold: only all" 125 "$(status_of "$pcl" stat --cold=most -e faults true)"

# On a terminal: colour where there is a verdict, and only there.
on_terminal() { on_pty "env -u NO_COLOR TERM=xterm $*" >"$out"; }
if ! command -v script >/dev/null; then
	skip "compare: colours" "script(1) is not installed"
else
	on_terminal "$fast" stat -e faults -r 8 --vs "'$touch_pages $much'" -- $touch_pages $more
	contains "compare: colour on a terminal" "$out" "$(printf '\033\\[31m')"
	on_terminal NO_COLOR=1 "$fast" stat -e faults -r 8 --vs "'$touch_pages $much'" -- $touch_pages $more
	contains "compare: the table is there without colour, too" "$out" "more"
	expect "compare: NO_COLOR" 0 "$(grep -c "$(printf '\033\\[3')" "$out")"
fi

# Intervals: a curve on a terminal, as wide as it is; the whole at the end.
steps="$helpers/touch_pages 100; sleep 0.4; $helpers/touch_pages 5000; sleep 0.4"
curve() { on_pty "stty cols $1; env TERM=xterm LC_ALL=$2 $fast stat -I 50 -e faults sh -c '$steps'" >"$out"; }
if ! command -v script >/dev/null; then
	skip "compare -I: curves" "script(1) is not installed"
else
	curve 120 C
	contains "compare -I: a curve in ASCII" "$out" ' faults +[_.:=+*#-]*([_.:=+*-]#|#[_.:=+*-])'
	expect "compare -I: within the terminal" 0 "$(tr -d '\r' <"$out" | grep '^ *[0-9.]* .*faults' | awk 'length > 120' | wc -l)"
	curve 80 C
	expect "compare -I: within a narrow one" 0 "$(tr -d '\r' <"$out" | grep '^ *[0-9.]* .*faults' | awk 'length > 80' | wc -l)"
	contains "compare -I: with its curve" "$out" '^ +0\.[0-9]+ +[0-9,]+ +faults +[_.:=+*#-]+.?$'
	curve 120 C.UTF-8
	contains "compare -I: in blocks where the terminal has them" "$out" '█'
fi
"$fast" stat -I 50 -o "$out" -e faults sh -c "$steps"
contains "compare -I: the whole at the end" "$out" "Performance counters of 'sh"
expect "compare -I: no curve in a file" 0 "$(grep -c '#[_#]' "$out")"
"$fast" stat -I 50 -j -o "$out" -e faults sh -c "$steps"
tail -n 1 "$out" >"$out.last"
expect "compare -I -j: the last line is the whole" "string totals" "$("$helpers/json_get" form <"$out.last")"
expect "compare -I -j: and the sum of the others" 1 "$(python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
print(int(sum(l["events"][0]["value"] for l in lines[:-1]) == lines[-1]["events"][0]["value"]))' "$out")"

# Tables fit the terminal they are on.
if ! command -v script >/dev/null; then
	skip "compare: tables of 80 columns" "script(1) is not installed"
else
	for how in "-r 3" "-r 3 --vs sleep"; do
		on_pty "stty cols 80; env TERM=xterm $fast stat $how true" >"$out"
		contains "compare: stat $how: there is a table" "$out" '^ involuntary-switches +[0-9.]+ '
		expect "compare: stat $how: fits 80 columns" "" \
			"$(tr -d '\r' <"$out" | grep -E '^ (task|el|peak|soft|invol|page)' | awk 'length > 80')"
	done
fi

# Every form of output follows the schema; and the check can fail.
valid() { "$here/valid_json" "$schema" "$out"; }
if ! python3 -c 'import jsonschema' 2>/dev/null; then
	skip "compare: JSON follows its schema" "python3-jsonschema is not installed"
else
	follow() {
		"$fast" stat -j -o "$out" "${@:2}"
		expect "compare: schema: $1" "" "$(valid 2>&1)"
	}
	follow "the default events" true
	follow "one event" -e faults true
	follow "a group, and an event that is not there" -e '{faults,cs},cycles,L1-dcache-loads' true
	follow "several runs" -r 3 -M faults-per-sec true
	follow "metrics" -M ipc,cpus true
	follow "intervals" -I 50 -M cpus -e faults sleep 0.2
	follow "the whole machine" -a sleep 0.1
	follow "cold runs" --cold -r 2 true
	follow "cold pairs" --cold -r 2 --vs false -- true
	follow "each CPU" -a --per-cpu -M cpus -e faults sleep 0.1
	follow "a thread that sleeps" -t $$ -e faults sleep 0.1
	follow "a comparison" -r 3 -M cpus -e faults --fail-if elapsed+900% --vs 'sleep 0.01' -- true
	follow "a comparison of one pair" -r 1 --order ab --vs true -- true
	follow "a comparison of what is not counted" -r 2 -e cycles,faults --vs true -- true
	"$fast" stat -j -o "$out" -r 2 -e faults,cycles true
	cp "$out" "$out.good"
	while IFS='|' read -r name edit; do
		sed -E "$edit" "$out.good" >"$out"
		expect "compare: schema: refuses $name" "0 1" "$(cmp -s "$out" "$out.good"; echo $((!$?))) $(valid >/dev/null 2>&1; echo $?)"
	done <<-'ROWS'
		a number in quotes|s/"runs":2/"runs":"2"/
		a key that it does not know|s/"runs":2/"runs":2,"more":1/
		a missing key|s/"note":[^,]*("[^"]*")?,//
		a value that is not counted, as 0|s/"status":"counted","value":[0-9.]+/"status":"not counted","value":0/
		a counted one that is null|s/"status":"counted","value":[0-9.]+/"status":"counted","value":null/
		a status of its own making|s/"status":"counted"/"status":"fine"/
		another schema|s/pcl-stat-1/pcl-stat-0/
	ROWS
fi
