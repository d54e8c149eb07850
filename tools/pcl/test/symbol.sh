# SPDX-License-Identifier: GPL-2.0
# Part of test/run: functions, inlined calls and lines of addresses, beside those of addr2line.

frames=$asan/test/frames
say_same() { # NAME FILE: the frames of every fourth address of the code
	local start size

	read -r start size < <(objdump -h "$2" | awk '$2 == ".text" { print "0x" $4, "0x" $3 }')
	seq $((start)) 4 $((start + size - 1)) | awk '{ printf "%x\n", $1 }' >"$work/addrs"
	# twice: see compare_frames
	cat "$work/addrs" "$work/addrs" | addr2line -a -i -f -e "$2" 2>"$work/a2l.err" |
		sed 's/ (discriminator [0-9]*)//' >"$work/theirs"
	"$frames" "$2" <"$work/addrs" >"$work/ours" 2>"$work/ours.err"
	"$here/compare_frames" "$work/ours" "$work/theirs" >"$work/compared"
	within "symbol: $1: frames equal to addr2line's" "$(awk '/^equal/ { print $2 / $4 }' "$work/compared")" 0.995 1 ||
		head -n 20 "$work/compared" | sed 's/^/# /'
	within "symbol: $1: inlined frames are among them" "$(awk '/^equal/ { print $6 + 0 }' "$work/compared")" 20 1000000
}

subtest "symbol" "$asan/test/unit_symbol"

way() { # NAME FLAGS...
	local name=$1

	shift
	if ! "${CXX:-g++}" -O2 "$@" -o "$work/inlined" "$here/inlined.cc" 2>"$work/cxx.err"; then
		skip "symbol: $name" "the compiler refuses: $(head -n 1 "$work/cxx.err")"
		return
	fi
	say_same "$name" "$work/inlined"
}
way "DWARF 5" -gdwarf-5
way "DWARF 4" -gdwarf-4
way "DWARF 4, types apart" -gdwarf-4 -fdebug-types-section
way "compressed sections" -g -gz
way "not position independent" -g -no-pie
way "link time optimisation" -g -flto

# addr2line of binutils finds no lines there; the code is the same as without
(cd "$work" && cp "$here/inlined.cc" . && "${CXX:-g++}" -O2 -g -o together inlined.cc &&
	"${CXX:-g++}" -O2 -g -gsplit-dwarf -o split inlined.cc)
nm "$work/together" | awk '/ t _ZL4work| T main/ { print $1 }' | while read -r start; do
	seq $((0x$start)) $((0x$start + 200)) | awk '{ printf "%x\n", $1 }'
done >"$work/addrs"
"$frames" "$work/together" <"$work/addrs" >"$work/want" 2>&1
"$frames" "$work/split" <"$work/addrs" >"$work/got" 2>&1
expect "symbol: split DWARF gives the frames of whole" "$(md5sum <"$work/want")" "$(md5sum <"$work/got")"
within "symbol: split DWARF: inlined frames are among them" "$(grep -c 'inlined.cc:' "$work/got")" 200 1000000

# stubs by which others are called, of both kinds that x86 has
for flags in -Wl,-z,lazy "-fcf-protection -Wl,-z,ibtplt" "-Wl,-z,now -fno-plt"; do
	"${CXX:-g++}" -O2 -g $flags -o "$work/stubs" "$here/inlined.cc"
	objdump -d "$work/stubs" | sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' >"$work/stubs.theirs"
	while read -r start name; do
		echo "$start" | "$frames" "$work/stubs" 2>/dev/null | sed -n "2s/^/$start /p"
	done <"$work/stubs.theirs" >"$work/stubs.ours"
	expect "symbol: stubs with $flags are named as objdump does" "$(cat "$work/stubs.theirs")" "$(cat "$work/stubs.ours")"
done

# dwz moves what two files share into a third one; what is left refers to it
if command -v dwz >/dev/null; then
	cp "$work/together" "$work/dwz1"
	"${CXX:-g++}" -O3 -g -Wl,--build-id -o "$work/dwz2" "$work/inlined.cc"
	(cd "$work" && dwz -m dwz.shared -M "$work/dwz.shared" dwz1 dwz2)
	contains "symbol: dwz made a shared file" <(readelf -SW "$work/dwz1") '\.gnu_debugaltlink'
	"$frames" "$work/dwz1" <"$work/addrs" >"$work/got" 2>&1
	expect "symbol: after dwz, the frames are as before" "$(md5sum <"$work/want")" "$(md5sum <"$work/got")"
else
	skip "symbol: dwz" "dwz is not installed"
fi

# what debug information refers to may be anything: a pipe is not opened, which would be waited for
named() { # NAME ARGUMENT...: frames come, without those of the file that is not there
	local status

	timeout 60 "$frames" "${@:2}" <"$work/addrs" >"$work/got" 2>&1
	status=$?
	expect "symbol: $1 is not waited for" "0 yes" "$status $(grep -q work "$work/got" && echo yes)"
}
for dwo in "$work"/*.dwo; do
	rm "$dwo"
	mkfifo "$dwo"
done
PCL_CACHE_DIR=$work/none named "a pipe in the place of split DWARF" "$work/split"
rm "$work"/*.dwo
if command -v dwz >/dev/null; then
	mv "$work/dwz.shared" "$work/dwz.kept"
	mkfifo "$work/dwz.shared"
	PCL_CACHE_DIR=$work/none named "a pipe in the place of what dwz shared" "$work/dwz1"
	rm "$work/dwz.shared"
	cp "$work/dwz2" "$work/dwz.shared"
	mv "$work/got" "$work/got-without"
	PCL_CACHE_DIR=$work/none "$frames" "$work/dwz1" <"$work/addrs" >"$work/got" 2>&1
	expect "symbol: a file of another build is not what dwz shared" "$(md5sum <"$work/got-without")" "$(md5sum <"$work/got")"
fi

# files that shrink while they are read: of two units, the second is read then
sed 's/\bmain\b/second/' "$here/inlined.cc" >"$work/second.cc"
cut_file() { # NAME FILE...
	subtest "symbol: $1" env PCL_CACHE_DIR="$work/none" "$asan/test/unit_truncate" "${@:2}"
}
two_units() { (cd "$work" && "${CXX:-g++}" -g -Wl,--build-id "${@:2}" -o "$1" inlined.cc second.cc); }
two_units units -O2
cut_file "a file" "$work/units"
two_units units -O2 -gsplit-dwarf
cut_file "split DWARF" "$work/units" "$work"/*.dwo
if command -v dwz >/dev/null; then
	two_units units -O2
	two_units units2 -O3
	(cd "$work" && dwz -m units.shared -M "$work/units.shared" units units2)
	cut_file "dwz" "$work/units" "$work/units.shared"
fi

# a separate file, found by its build id, by a debug link, and not at all
"${CXX:-g++}" -O2 -g -Wl,--build-id -o "$work/whole" "$here/inlined.cc"
objcopy --only-keep-debug "$work/whole" "$work/apart.debug"
id=$(readelf -n "$work/whole" 2>/dev/null | awk '/Build ID/ { print $3 }')
mkdir -p "$work/debug/.build-id/${id:0:2}" "$work/linked"
cp "$work/apart.debug" "$work/debug/.build-id/${id:0:2}/${id:2}.debug"
objcopy --strip-all "$work/whole" "$work/bare"
start=$(nm "$work/whole" | awk '/ t _ZL4work/ { print $1 }')
echo "$start" >"$work/addrs"
"$frames" "$work/whole" <"$work/addrs" >"$work/want" 2>&1
PCL_DEBUG_DIR=$work/debug "$frames" "$work/bare" <"$work/addrs" >"$work/got" 2>&1
expect "symbol: a debug file by build id" "$(cat "$work/want")" "$(cat "$work/got")"
contains "symbol: which has the line" "$work/got" 'inlined\.cc:[0-9]+$'
PCL_CACHE_DIR=$work/none PCL_DEBUG_DIR=$work/none "$frames" "$work/bare" <"$work/addrs" >"$work/got" 2>&1
contains "symbol: without it, that is said" "$work/got" "no debug information, and no debug file"
(cd "$work/linked" && cp ../apart.debug . && objcopy --strip-all --remove-section=.note.gnu.build-id \
	--add-gnu-debuglink=apart.debug ../whole bare)
PCL_CACHE_DIR=$work/none "$frames" "$work/linked/bare" <"$work/addrs" >"$work/got" 2>&1
expect "symbol: a debug file by link and checksum" "$(cat "$work/want")" "$(cat "$work/got")"
printf x >>"$work/linked/apart.debug"
PCL_CACHE_DIR=$work/none "$frames" "$work/linked/bare" <"$work/addrs" >"$work/got" 2>&1
contains "symbol: a wrong checksum is not believed" "$work/got" "no debug file"

# the cache: what it gives is what was there, until a file changes
cache=$work/cache-here
cached() { PCL_CACHE_DIR=$cache PCL_DEBUG_DIR=$work/debug "$frames" "$work/bare" <"$work/addrs"; }
debug=$work/debug/.build-id/${id:0:2}/${id:2}.debug
rm -f "$work/linked/bare"
PCL_CACHE_DIR=$cache PCL_DEBUG_DIR=$work/debug "$frames" "$work/bare" <"$work/addrs" >"$work/got" 2>&1
# a stripped copy is told apart from what it was made of
PCL_CACHE_DIR=$work/cache-two "$frames" "$work/whole" <"$work/addrs" >/dev/null
PCL_CACHE_DIR=$work/cache-two PCL_DEBUG_DIR=$work/none "$frames" "$work/bare" <"$work/addrs" >"$work/got2" 2>&1
contains "symbol: the cache of another file of the same build is not used" "$work/got2" "no debug information"
expect "symbol: a first reading fills the cache" "$(cat "$work/want")|$id" "$(cat "$work/got")|$(ls "$cache")"
expect "symbol: nobody else may read it" "700 600" "$(stat -c %a "$cache") $(stat -c %a "$cache/$id")"
# the same size and time, but nothing to be found in it
cp -p "$debug" "$work/kept.debug"
objdump -h "$debug" | awk '$2 ~ /^\.debug_(info|line|abbrev)$/ { print "0x" $6, "0x" $3 }' | while read -r at size; do
	dd if=/dev/zero of="$debug" bs=1 seek=$((at)) count=$((size)) conv=notrunc 2>/dev/null
done
touch -r "$work/kept.debug" "$debug"
expect "symbol: the second one reads the cache alone" "$(cat "$work/want")" "$(cached 2>&1)"
touch -d "2001-01-01" "$debug"
within "symbol: a debug file of another time is read anew" "$(cached 2>&1 | diff - "$work/want" | wc -l)" 1 1000
cp -p "$work/kept.debug" "$debug"
rm -rf "$cache"
mkdir -m 777 "$cache"
chmod 777 "$cache"
expect "symbol: a cache that others may write is not used" "$(cat "$work/want")|" "$(cached 2>&1)|$(ls "$cache")"
rm -rf "$cache"
mkdir -m 700 "$cache"
# what is ours has a build id for its name, and our first bytes; a writer that was killed leaves its pid in it as well
old=$(printf %040d 7)
for file in "$old" "$old.123" notes.txt "${old}x" "$old.part" 0a1b2c3d; do
	{ printf 'PCLSYMS\n' && head -c 3000000 /dev/zero; } >"$cache/$file"
done
# a name like ours, as git has them, but not our first bytes
head -c 3000000 /dev/zero >"$cache/0a1b2c3d"
touch -d "2001-01-01" "$cache"/*
PCL_CACHE_MAX=2 cached >/dev/null 2>&1
others=$(printf '%s\n' 0a1b2c3d "${old}x" "$old.part" notes.txt | sort)
expect "symbol: when the cache is too large, the oldest files go" "$id" "$(ls "$cache" | sort | comm -23 - <(echo "$others"))"
expect "symbol: files that are not of the cache stay" "$others" "$(ls "$cache" | grep -vx "$id" | sort)"
(cd "$cache" && rm 0a1b2c3d "${old}x" "$old.part" notes.txt)
subtest "symbol: damaged cache" env PCL_CACHE_DIR="$cache" PCL_DEBUG_DIR="$work/debug" "$asan/test/unit_symbol" "$work/bare"
