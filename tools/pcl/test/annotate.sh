# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl annotate beside what objdump, perf and the sources say.

data=$work/annotate.data
out=$work/annotate.out
annotate() { "$pcl" annotate -i "$data" "$@" >"$out" 2>"$work/annotate.err"; }
# offset from the function's start and samples, of the instructions that have some; $1 is the start
by_offset() { awk -v s="$((0x$1))" '/^ *[0-9.]+% / { print strtonum("0x" $3) - s, $2 }' "$out" | sort -n; }
gawk_there() { awk 'BEGIN { exit strtonum("0x10") != 16 }' 2>/dev/null; }
# mawk has no strtonum: then the shell counts
if ! gawk_there; then
	by_offset() { sed -n 's/^ *[0-9.]*% *\([0-9]*\) *\([0-9a-f]*\) .*/\2 \1/p' "$out" | while read -r a n; do
		echo $((0x$a - 0x$1)) "$n"
	done | sort -n; }
fi
cc=${CC:-gcc}
"$cc" -O0 -g -o "$work/spin" "$here/spin.c"
start=$(nm "$work/spin" | sed -n 's/^0*\([0-9a-f]*\) t hot$/\1/p')

# as often as is allowed, which may be less the next time
rate() { awk '{ print $1 < 2000 ? $1 : 2000 }' /proc/sys/kernel/perf_event_max_sample_rate; }
"$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/spin" 300000000 2>/dev/null
annotate hot
expect "annotate: exits with 0" 0 $?
all=$("$pcl" report -i "$data" --no-callers --symbol hot 2>/dev/null | awk '/\] hot$/ { print $2 }')
contains "annotate: the head has the function, its object and as many samples as the report" "$out" \
	"^# hot in $work/spin, event 'cpu-clock:u': $all samples, [0-9.]+% of all\$"
expect "annotate: the instructions' samples add up" "$all" "$(awk '/^ *[0-9.]+% / { n += $2 } END { print n }' "$out")"
within "annotate: their shares are of the function" "$(awk '/^ *[0-9.]+% / { n += $1 } END { print n }' "$out")" 99 101
objdump -d --no-show-raw-insn "$work/spin" | awk '/<hot>:$/ { on = 1; next } !NF { on = 0 } on { sub(":", "", $1); print $1, $2 }' >"$work/insns"
# objdump leaves the suffix of the operand size away
sed -n 's/^.\{18\}  *\([0-9a-f]*\)  \([a-z]\)\([a-z]*\).*/\1 \2\3/p' "$out" | grep -E '^[0-9a-f]+ ' >"$work/ours"
expect "annotate: the instructions are where objdump finds them" "$(cut -d' ' -f1 "$work/insns")" "$(cut -d' ' -f1 "$work/ours")"
contains "annotate: with the source above them" "$out" '^ +spin\.c:[0-9]+  	*sink \+= n;$'
contains "annotate: a jump's target is told" "$out" 'j[a-z]+ .*<hot\+0x[0-9a-f]+>$'
annotate --lines hot
within "annotate --lines: nearly all is in the loop" "$(awk '/^ *[0-9.]+% / && /sink \+= n;|while \(n--\)/ { n += $1 } END { print n }' "$out")" 90 101
expect "annotate --lines: no instructions" 0 "$(grep -c '%rbp' "$out")"
contains "annotate --lines: lines without samples are there" "$out" '^ {18}  +[0-9]+  \{$'
annotate --asm -M intel hot
expect "annotate --asm: no source" 0 "$(grep -c 'spin\.c' "$out")"
contains "annotate -M intel" "$out" 'mov +(qword ptr )?\[rbp'
annotate
contains "annotate: without a symbol, the largest function" <(head -n 1 "$out") '^# hot in '
annotate --limit much
expect "annotate --limit: what is no percentage gives 125" 125 $?
annotate hto
expect "annotate: no such function gives 125" 125 $?
contains "annotate: and the one meant" "$work/annotate.err" "no sample fell into 'hto'; did you mean 'hot'"
annotate -e nonesuch
contains "annotate -e: an event that is not there" "$work/annotate.err" "no event 'nonesuch'"
annotate --object nonesuch
expect "annotate --object: nothing of others" 125 $?

if command -v perf >/dev/null; then
	perf record -q -e cpu-clock:u -F "$(rate)" -o "$data" "$work/spin" 300000000 2>/dev/null >&2
	annotate --asm hot
	expect "annotate: of perf's file, at each instruction as many samples as perf script has" \
		"$(perf script -i "$data" -F ip,sym,symoff 2>/dev/null | sed -n 's/.* hot+\(0x[0-9a-f]*\).*/\1/p' | sort | uniq -c |
			while read -r n offset; do echo $((offset)) "$n"; done | sort -n)" "$(by_offset "$start")"
else
	skip "annotate: beside perf script" "perf is not installed"
fi

# inlined calls
"${CXX:-g++}" -O2 -g -o "$work/inlined" "$here/inlined.cc"
"$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/inlined" 2>/dev/null
annotate work
line=$(grep -n 'sink += (unsigned long)v' "$here/inlined.cc" | cut -d: -f1)
contains "annotate: inlined code is under its own line, with its callers" "$out" \
	"inlined\\.cc:$line square<.*> .*sink \\+= .*\\[in .*adder::add \\(inlined\\.cc:[0-9]+\\) < work"
mkdir -p "$work/moved"
(cd "$work/moved" && cp "$here/inlined.cc" moved.cc && "${CXX:-g++}" -O2 -g -o moved moved.cc && mkdir src && mv moved.cc src)
"$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/moved/moved" 2>/dev/null
annotate work
contains "annotate: sources that are not there are told" "$work/annotate.err" "note: .*not found: .*--source DIR"
expect "annotate: and not shown" 0 "$(grep -c 'sink +=' "$out")"
annotate --source "$work/moved/src" work
contains "annotate --source finds them" "$out" 'sink \+='

# without debug information
strip -o "$work/stripped" "$work/spin"
"$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/stripped" 300000000 2>/dev/null
annotate "func@0x$start"
expect "annotate: a stripped function has its instructions" "$(cut -d' ' -f1 "$work/insns" | head -n 5)" \
	"$(sed -n 's/^.\{18\}  *\([0-9a-f][0-9a-f]*\)  .*/\1/p' "$out" | head -n 5)"
contains "annotate: and a note says why there is no more" "$work/annotate.err" \
	"stripped: instructions only: it has no debug information, and no debug file is installed; compile it with -g"
for command in "report -s srcline" "report -F share,srcfile" "script -F +srcline"; do
	# shellcheck disable=SC2086
	"$pcl" $command -i "$data" >"$out" 2>"$work/annotate.err"
	expect "$command: that an object has no lines is told once" 1 "$(grep -c "stripped: no source lines: it has no debug information, and no debug file is installed; compile it with -g" "$work/annotate.err")"
done
"$pcl" report -i "$data" >"$out" 2>"$work/annotate.err"
expect "report: and not where none are wanted" 0 "$(grep -c 'no source lines' "$work/annotate.err")"
cp "$work/stripped" "$work/changed"
"$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/changed" 100000000 2>/dev/null
cp "$work/inlined" "$work/changed"
annotate --limit 1 --object changed
expect "annotate: another build's code is not shown" "125 0" "$? $(grep -c '%rbp' "$out")"

# an instruction that is newer than the disassembler, where it is never reached
cat >"$work/new.c" <<'SOURCE'
static volatile unsigned long sink;
__attribute__((noinline)) static void hot(unsigned long n)
{
	while (n--)
		sink += n;
	if (sink == 1)
		__asm__ volatile("vaddph %zmm0, %zmm1, %zmm2");
}
int main(void)
{
	hot(200000000);
	return 0;
}
SOURCE
if [ "$(uname -m)" = x86_64 ] && "$cc" -O0 -g -o "$work/new" "$work/new.c" 2>/dev/null; then
	"$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/new" 2>/dev/null
	annotate --asm hot
	contains "annotate: objdump is asked where capstone does not know" "$out" '  vaddph'
	contains "annotate: which a note says" "$work/annotate.err" "note: hot: capstone does not know .* objdump"
	contains "annotate: and all of the function is there" "$out" '  retq?$'
	PATH=$work annotate --asm hot
	contains "annotate: without objdump, bytes" "$out" '  \.byte   0x62'
	contains "annotate: and that is said" "$work/annotate.err" "note: hot: the instruction at .* is not known"
else
	skip "annotate: new instructions" "the assembler does not know one"
fi

# code made at run time, told in /tmp/perf-PID.map
cat >"$work/jit.c" <<'SOURCE'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) static void original(unsigned long n)
{
	volatile unsigned long sum = 0;

	while (n--)
		sum += n;
}
int main(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	memcpy(p + 256, (void *)original, 256);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	fprintf(f, "%lx 10 made before\n%lx 100 old\n%lx 100 made at run time\n", (long)p, (long)p + 256, (long)p + 256);
	fclose(f);
	puts(path);
	((void (*)(unsigned long))(p + 256))(200000000);
	return 0;
}
SOURCE
"$cc" -O0 -o "$work/jit" "$work/jit.c"
map=$("$fast" record -e cpu-clock:u -F "$(rate)" -o "$data" "$work/jit" 2>/dev/null)
"$pcl" report -i "$data" >"$out" 2>"$work/jit.err"
contains "jit: a function made at run time has its name" "$out" "% +[0-9]+ +jit +perf-[0-9]+\.map +\[\.\] made at run time\$"
annotate "made at run time"
contains "jit: and its code is not to be had" "$work/annotate.err" "its code cannot be shown"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$map"
	"$pcl" report -i "$data" >"$out" 2>"$work/jit.err"
	expect "jit: what somebody else says is not believed" 0 "$(grep -c 'made at run time' "$out")"
	contains "jit: and that is said" "$work/jit.err" "perf-[0-9]+\.map is neither yours nor root's"
else
	skip "jit: a file of somebody else" "needs root"
fi
rm -f "$map"

# the kernel
"$fast" record -e cpu-clock:k -F "$(rate)" -o "$data" dd if=/dev/zero of=/dev/null bs=1M count=3000 2>/dev/null
top=$("$pcl" report -i "$data" --no-callers 2>/dev/null | awk '/\[k\]/ && $NF != "[unknown]" { print $NF; exit }')
if [ -z "$top" ]; then
	skip "annotate: kernel code" "no kernel function was sampled here"
elif [ -r /proc/kcore ]; then
	annotate "$top"
	contains "annotate: kernel code, out of memory" "$out" "^ .*%.* +[0-9a-f]{16}  [a-z]"
else
	annotate "$top"
	contains "annotate: kernel code that cannot be read" "$work/annotate.err" "$top in \[kernel.kallsyms\]: its code cannot be shown: .*kcore.*--vmlinux"
fi
