# SPDX-License-Identifier: GPL-2.0
# Part of test/run: completion and the pager.

# complete WORD...: what bash would offer for the last word
complete_words() {
	PATH=$plain:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pcl; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$here/../completion/pcl" "$@" | sort | tr '\n' ' '
}
contains "completion: commands" <(complete_words pcl re) '^record report $'
contains "completion: options of a command" <(complete_words pcl stat --re) '^--repeat $'
contains "completion: options that are told in brackets" <(complete_words pcl report --no-ch) '^--no-children $'
for c in report script annotate diff top; do
	contains "completion: pcl $c --no-cache" <(complete_words pcl $c --no-cac) '^--no-cache $'
done
contains "completion: events" <(complete_words pcl stat -e task-cl) '^task-clock $'
contains "completion: events behind a comma" <(complete_words pcl stat -e faults,cpu-cl) '^faults,cpu-clock $'
contains "completion: kinds of events" <(complete_words pcl list tr) '^tracepoint $'
contains "completion: topics of doctor" <(complete_words pcl doctor s) '^samples symbols $'
contains "completion: commands to measure" <(complete_words pcl stat -- tru) '(^| )true '

# the pager gets what is longer than the screen, and only on a terminal
cat >"$work/pager" <<'PAGER'
#!/bin/sh
echo "paged $(wc -l) lines"
PAGER
chmod +x "$work/pager"
expect "pager: has the limit of open files that pcl was started with" 64 \
	"$(ulimit -Sn 64; on_pty "env TERM=xterm PCL_PAGER='ulimit -Sn; cat >/dev/null' $pcl list" | tr -d '\r' | grep -x '[0-9]*')"
expect "pager: none without a terminal" 0 "$(PCL_PAGER=$work/pager "$pcl" list 2>/dev/null | grep -c '^paged')"

# options that are wrong: refuse NAME TEXT ARGUMENT...
refuse() {
	local name=$1 text=$2

	shift 2
	"$pcl" "$@" >"$work/out" 2>"$work/err" </dev/null
	expect "options: $name gives 125" 125 $?
	expect "options: $name is told" "pcl: $text" "$(cat "$work/err")"
	expect "options: $name prints nothing else" "" "$(cat "$work/out")"
}
refuse "a slip" "there is no option '--repaet'; did you mean '--repeat'?" stat --repaet 3 true
refuse "an unknown letter" "there is no option '-Y'; 'pcl report --help' shows them" report -Y
refuse "an unknown word" "there is no option '--frobnicate'; 'pcl script --help' shows them" script --frobnicate
refuse "a missing argument" "-o needs an argument; 'pcl record --help' tells which" record -o
refuse "a missing argument of a word" "--output needs an argument; 'pcl record --help' tells which" record --output
refuse "an argument too many" "--json takes no argument" list --json=3
for c in report script diff annotate; do
	refuse "$c, names of a kernel that are not there" "--kallsyms: $work/nonesuch: No such file or directory" \
		$c --kallsyms "$work/nonesuch"
done
refuse "a kernel that is not there" "--vmlinux: $work: Is a directory" annotate --vmlinux "$work"

# what users of perf type: each row of the tables in perf_words.c is told, and what it names is there
words=$here/../src/base/perf_words.c
told() { "$pcl" "$@" 2>&1 >/dev/null </dev/null | head -n 1; }
rows=0
while IFS='|' read -r command letter name instead; do
	rows=$((rows + 1))
	if [ "$name" != NULL ]; then
		expect "habits: pcl $command --$name" "pcl: there is no option '--$name'; $instead" "$(told "$command" "--$name")"
	fi
	if [ "$letter" != 0 ]; then
		expect "habits: pcl $command -$letter" "pcl: there is no option '-$letter'; $instead" "$(told "$command" "-$letter")"
	fi
done < <(sed -n "s/^	{ \"\([a-z]*\)\", '*\([0A-Za-z]\)'*, \"*\([a-zA-Z0-9_-]*\)\"*, \"\(.*\)\" },\$/\1|\2|\3|\4/p" "$words" | sed 's/\\"/"/g')
options=$rows
rows=0
while IFS='|' read -r command instead; do
	rows=$((rows + 1))
	expect "habits: pcl $command" "pcl: there is no command '$command' as perf has it; ${instead:-"'pcl --help' names those of pcl"}" \
		"$(told "$command")"
done < <(sed -n 's/^	{ "\([a-z0-9-]*\)", \(NULL\|"\(.*\)"\) },$/\1|\3/p' "$words")
commands=$rows
# those of no command in particular: one of them tells it
rows=0
missing=
while IFS='|' read -r letter name instead; do
	rows=$((rows + 1))
	for option in ${letter:+"-$letter"} "--$name"; do
		for command in report record stat annotate top script diff; do
			[ "$("$fast" "$command" "$option" 2>&1 >/dev/null </dev/null | head -n 1)" = "pcl: there is no option '$option'; $instead" ] && continue 2
		done
		missing+="$option "
	done
done < <(sed -n "s/^	{ NULL, \(0\|'\(.\)'\), \"\([a-zA-Z0-9_-]*\)\", \"\(.*\)\" },\$/\2|\3|\4/p" "$words" | sed 's/\\"/"/g')
expect "habits: what means the same for all commands is told by some" "" "$missing"
expect "habits: all rows were tried" "$(grep -c '^	{ ["N]' "$words")" "$((options + commands + rows))"
while read -r command option; do
	contains "habits: there is a pcl $command $option" <("$pcl" "$command" --help) "(^|[ ,(])$option([ ,=[)]|\$)"
done < <(grep -oE "'pcl [a-z]+ -[^']*" "$words" | sed "s/^'pcl //" | awk '{ for (i = 2; i <= NF; i++) if ($i ~ /^-/) print $1, $i }' | sort -u)
refuse "perf's words for chains" "-g: 'graph,0.5,caller' is as perf has it; here: callers (who called, perf's callee), callees (whom it called, perf's caller), none; -l has the limit" \
	report -g graph,0.5,caller
refuse "a source that is no directory" "--source: there is no directory 'hot' to look for source files in; they are shown by themselves where they are found" \
	annotate --source hot
refuse "perf's scripts" "'flamegraph': pcl runs no scripts; --format folded prints what flame graphs are drawn from, -j what programs read" \
	script flamegraph
refuse "fields of a kind of event" "-F: 'trace:comm': fields are not chosen by kind of event; each event shows those that it has" script -F trace:comm
refuse "a column as a key" "-s: 'overhead' is a column, and not what makes a line; -F takes columns and keys" report --sort=overhead,sym
refuse "chains that top has not" "--call-graph: top follows frame pointers (fp); 'pcl record --call-graph dwarf' and 'pcl report' have others" \
	top --call-graph dwarf

# messages are wrapped on a terminal, and only there
"$pcl" report -s nonesuch 2>"$work/said"
expect "messages: one line without a terminal" 1 "$(wc -l <"$work/said")"
on_pty "stty cols 44; '$pcl' report -s nonesuch" | tr -d '\r' >"$work/wrapped"
within "messages: wrapped at the terminal's width" "$(awk 'length > n { n = length } END { print n + 0 }' "$work/wrapped")" 30 44
expect "messages: nothing is lost of them" "$(cat "$work/said")" "$(sed 's/^     //' "$work/wrapped" | tr '\n' ' ' | sed 's/ $//')"
expect "messages: further lines are indented" "$(($(wc -l <"$work/wrapped") - 1))" "$(grep -c '^     [^ ]' "$work/wrapped")"
