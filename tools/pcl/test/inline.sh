# SPDX-License-Identifier: GPL-2.0
# Part of test/run: 10,000 random addresses with inlined frames of large Debian binaries, beside addr2line. Equal means
# that the name of each function and the file and line of each frame are. Times are told, and judge nothing.

# Debug files lie by build id; the file itself will do for both programs.
debug_of() {
	local id

	id=$(readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }')
	[ -n "$id" ] && [ -e "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ] &&
		echo "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
}
text_of() { objdump -h "$1" | awk '$2 == ".text" { print "0x" $4, "0x" $3 }'; }
seconds_of() { # FILE COMMAND...: the least of five
	local out=$1 i start

	shift
	for i in 1 2 3 4 5; do
		start=$(date +%s%N)
		"$@" <"$work/addrs" >"$out" 2>"$work/inline.err"
		echo $(($(date +%s%N) - start))
	done | sort -n | awk 'NR == 1 { printf "%.4f", $1 / 1e9 }'
}

# 10,000 of the addresses that addr2line finds inlined frames at; always the same ones.
pick_addresses() {
	local start size

	read -r start size < <(text_of "$1")
	awk -v s=$((start)) -v n=$((size)) 'BEGIN { srand(11); for (i = 0; i < 150000; i++) printf "%x\n", s + int(rand() * n) }' |
		addr2line -a -i -f -e "$1" 2>"$work/inline.err" |
		awk '/^0x/ { if (n > 2 && !seen[a]++ && found++ < 10000) print a; a = $0; n = 0; next } { n++ }' >"$work/addrs"
}

# NAME FILE LEAST: the share that must be equal
inline_proof() {
	local n theirs cold warm

	pick_addresses "$2"
	n=$(wc -l <"$work/addrs")
	theirs=$(seconds_of "$work/theirs.once" addr2line -a -i -f -e "$2")
	cat "$work/addrs" "$work/addrs" | addr2line -a -i -f -e "$2" 2>"$work/inline.err" |
		sed 's/ (discriminator [0-9]*)//' >"$work/theirs"
	cold=$(PCL_CACHE_DIR=/dev/null seconds_of "$work/ours" "$helpers/frames" "$2")
	PCL_CACHE_DIR=$work/inline-cache "$helpers/frames" "$2" <"$work/addrs" >/dev/null
	warm=$(PCL_CACHE_DIR=$work/inline-cache seconds_of "$work/warm" "$helpers/frames" "$2")
	"$here/compare_frames" "$work/ours" "$work/theirs" >"$work/compared"
	echo "# $1: $(head -n 1 "$work/compared")"
	sed -n 's/^differ/# &/p' "$work/compared"
	awk -v name="$1" -v a="$theirs" -v b="$cold" -v c="$warm" 'BEGIN {
		printf "# %s: addr2line %s s; without a cache %s s, %.1f times as fast; with it %s s, %.1f times\n",
			name, a, b, a / b, c, a / c }'
	expect "inline: $1: addresses with inlined frames" 10000 "$n"
	expect "inline: $1: the same out of the cache" "$(md5sum <"$work/ours")" "$(md5sum <"$work/warm")"
	within "inline: $1: share with equal frames, names, files and lines" \
		"$(awk '/^equal/ { print $2 / $4 }' "$work/compared")" "$3" 1
}

if [ -x /usr/bin/python3.11d ]; then
	inline_proof "python3.11d" /usr/bin/python3.11d 0.995
else
	skip "inline: python3.11d" "python3.11-dbg is not installed"
fi
# Optimised while linking. Where addr2line 2.40 says that a line is in the file "<artificial>", which that step makes up,
# libdw and LLVM agree on the real one; about 1 % of the addresses.
debug=$(debug_of /usr/bin/python3.11)
if [ -n "$debug" ]; then
	inline_proof "python3.11" "$debug" 0.985
	expect "inline: python3.11: nothing differs but by the artificial file" "$(sed -n 's/^differ in //p' "$work/compared" | grep -v 'artificial file')" ""
else
	skip "inline: python3.11" "python3.11-dbg is not installed"
fi
