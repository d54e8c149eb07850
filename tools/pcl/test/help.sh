# SPDX-License-Identifier: GPL-2.0
# Part of test/run: help texts fit a screen and agree with the manual pages.

# the table, as unit_options prints it: what option_next() takes
"$helpers/unit_options" rows >"$work/option.rows"
# the options of a manual page: what stands at the head of each
page_options() {
	awk '/^\.SH/ { inside = $2 == "OPTIONS" } inside && /^\.T[PQ]/ { getline; print }' "$1" | sed 's/\\-/-/g; s/\\f[A-Z]//g' |
		grep -oE -- '(^|[ "])(--[a-z][a-z-]*|-[A-Za-z])\b' | tr -d ' "' | sort -u
}
commands=$("$pcl" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p')
for command in $commands; do
	"$pcl" "$command" --help >"$work/help" 2>"$work/help.err"
	expect "help: pcl $command --help gives 0 and nothing on stderr" "0 0" "$? $(wc -c <"$work/help.err")"
	within "help: pcl $command --help fits 80 columns" "$(awk 'length > n { n = length } END { print n }' "$work/help")" 20 80
	within "help: pcl $command --help fits a screen" "$(wc -l <"$work/help")" 5 32
	page=$here/../man/pcl-$command.1
	if [ ! -e "$page" ]; then
		not_ok "help: pcl-$command.1 exists"
		continue
	fi
	expect "help: pcl-$command.1 has the options of pcl $command, and no others" \
		"$(awk -v c="$command" '$1 == c { if ($3 != "-") print "-" $3; if ($4 != "-") print "--" $4 }' "$work/option.rows" | sort -u)" \
		"$(page_options "$page")"
	if command -v man >/dev/null; then
		expect "help: pcl-$command.1 is without warnings" "" "$(man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 >/dev/null)"
	else
		skip "help: pcl-$command.1 is without warnings" "man is not installed"
	fi
done
expect "help: pcl --help names all commands" "$(cd "$here/../man" && ls pcl-*.1 | sed 's/pcl-\(.*\).1/\1/')" "$(sort <<<"$commands")"
"$pcl" nonesuch >"$work/help" 2>"$work/help.err"
expect "help: an unknown command gives 125" 125 $?
contains "help: and says so" "$work/help.err" "no command 'nonesuch'.*--help"
expect "help: a slip gets the command meant" "pcl: there is no command 'recrod'; did you mean 'record'?" "$("$pcl" recrod 2>&1)"
contains "help: --version" <("$pcl" --version) '^pcl [0-9]+\.[0-9]+'
expect "help: pcl help COMMAND is its --help" "$("$pcl" doctor --help)" "$("$pcl" help doctor)"
expect "help: an option that is none" "pcl: there is no option '--nonesuch'; 'pcl stat --help' shows them" "$("$pcl" stat --nonesuch true 2>&1)"
expect "help: the beginning of more than one option" "pcl: more than one option begins with '--per-c'; 'pcl stat --help' shows them" \
	"$("$pcl" stat --per-c true 2>&1)"
"$pcl" --versoin >"$work/help" 2>"$work/help.err"
expect "help: an unknown option before a command gives 125" 125 $?
contains "help: and is called an option" "$work/help.err" "no option '--versoin' before a command"
for words in --version 'stat --help' 'list software' 'doctor -j symbols' 'stat -M list'; do
	# shellcheck disable=SC2086
	"$pcl" $words >/dev/full 2>"$work/help.err"
	expect "help: pcl $words on a full disk gives 125" "125 pcl: standard output: No space left on device" "$? $(cat "$work/help.err")"
done
