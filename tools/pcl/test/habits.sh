# SPDX-License-Identifier: GPL-2.0
# Part of test/run: completion and the pager.

# complete WORD...: what bash would offer for the last word
complete_words() {
	PATH=$plain:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pcl; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$here/../completion/pcl" "$@" | sort | tr '\n' ' '
}
contains "completion: commands" <(complete_words pcl re) '^record report $'
contains "completion: options of a command" <(complete_words pcl stat --re) '^--repeat $'
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
