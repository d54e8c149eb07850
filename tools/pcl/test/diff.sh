# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl diff on generated recordings, whose difference is known.

out=$work/diff.out
mkdir -p "$work/before" "$work/after" "$work/same"
# Two hundred functions that are the same in every build and on every machine: what is significant here is so everywhere.
for i in $(seq 200); do
	printf '.globl work_%d\n.type work_%d, @function\nwork_%d: .fill %d, 1, 0x90\nret\n.size work_%d, . - work_%d\n' \
		"$i" "$i" "$i" $((15 + i * 37 % 480)) "$i" "$i"
done | gcc -nostdlib -shared -Wl,--build-id -x assembler - -o "$work/subject"
# make_run FILE SEED PERCENT: samples of a program; so many per cent of them more in one function. The same file for the
# same seed: of the pairs of the same, one in twenty is found to differ at 95 %, and these are not.
make_run() { MILLION_SEED=$2 MILLION_BOOST=$3 "$helpers/million" "$1" 10000 0 "$work/subject" >/dev/null; }
for i in 1 2 3 4; do
	make_run "$work/before/$i" "$i" 0
	make_run "$work/same/$i" "3$i" 0
	make_run "$work/after/$i" "2$i" 5
done
compare() { "$pcl" diff "$@" >"$out" 2>"$work/diff.err"; }
marked() { awk '!/^#/ && /\*/ { n++ } END { print n + 0 }' "$out"; }

compare "$work/before/1" "$work/same/1"
expect "diff: two runs of the same: exit 0" 0 $?
expect "diff: two runs of the same: nothing is significant" 0 "$(marked)"
compare "$work/before/1" "$work/after/1"
name=$(awk '!/^#/ { print $NF; exit }' "$out")
within "diff: the function that grew is the first, by 5 points" "$(awk '!/^#/ { print $3; exit }' "$out")" 4 6
contains "diff: and is marked" "$out" '<0\.0001\* '
contains "diff: single runs: it says what p does not know" "$out" 'noise of sampling only'
compare "$work/after/1" "$work/before/1"
within "diff: the other way round it shrinks" "$(awk '!/^#/ { print $3; exit }' "$out")" -6 -4

compare "$work/before" "$work/after"
expect "diff: directories: the same function is first" "$name" "$(awk '!/^#/ { print $NF; exit }' "$out")"
within "diff: directories: marked lines" "$(marked)" 1 100
expect "diff: sets: no word of sampling noise" 0 "$(grep -c 'noise of sampling' "$out")"
mv "$out" "$work/diff.dirs"
compare "$work"/before/* : "$work"/after/*
expect "diff: files on both sides of a colon: the same" "" "$(diff "$work/diff.dirs" "$out")"
compare --baseline "$work/before/1,$work/before/2,$work/before/3,$work/before/4" "$work"/after/*
expect "diff: --baseline: the same" "" "$(diff "$work/diff.dirs" "$out")"
compare "$work/before" "$work/same"
expect "diff: sets of the same: nothing is significant" 0 "$(marked)"

compare --fail-if "$name+3%" "$work/before" "$work/after"
expect "diff: --fail-if: a broken rule gives 124" 124 $?
contains "diff: --fail-if: and is told" "$work/diff.err" "the share of '$name' is [0-9.]+%, and was"
compare --fail-if "$name+8%" "$work/before" "$work/after"
expect "diff: --fail-if: a rule that holds gives 0" 0 $?
compare --fail-if +3% "$work/before/1" "$work/after/1"
expect "diff: --fail-if without a name: any function, also of single runs" 124 $?
compare --fail-if +1% "$work/before" "$work/same"
expect "diff: --fail-if: no difference breaks nothing" 0 $?
compare --fail-if nonsense "$work/before" "$work/same"
expect "diff: --fail-if: no rule gives 125" 125 $?

compare --json "$work/before" "$work/after"
contains "diff: --json names its form" <("$helpers/json_get" schema <"$out") 'pcl-diff'
contains "diff: --json: the function" <("$helpers/json_get" lines.0.symbol <"$out") "$name"
within "diff: --json: its difference" "$("$helpers/json_get" lines.0.difference_points <"$out" | cut -d' ' -f2)" 4 6
compare --significant "$work/before" "$work/same"
expect "diff: --significant leaves the noise out" 0 "$(grep -vc '^#' "$out")"
compare "$work/before/1"
expect "diff: one file is too few: 125" 125 $?
compare "$work/before/1" "$work/nonesuch"
expect "diff: a file that is not there: 125" 125 $?
compare -e instructions "$work/before/1" "$work/after/1"
expect "diff: an event that is not there: 125" 125 $?
contains "diff: and its name" "$work/diff.err" "no event 'instructions'"
rm -rf "$work/before" "$work/after" "$work/same"
