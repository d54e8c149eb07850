# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl doctor, and that every command tells the same causes. PCL_TEST_OWN_MACHINE=1: this machine is
# the test's alone, so sysctls may be changed (the suite doctor-pcl sets it in its virtual machine).

out=$work/doctor
# [topics=TOPICS] doctor PREFIX...: what it found, as JSON; the status is kept
doctor() { "$@" doctor -j ${topics-} >"$out" 2>"$out.err"; echo $? >"$out.status"; }
# found NAME FIELD: of the finding of that name
found() { "$helpers/json_get" "findings.name=$1.$2" <"$out" | sed 's/^string //'; }
follows_schema() {
	if ! python3 -c 'import jsonschema' 2>/dev/null; then
		skip "doctor: $1 follows the schema" "python3-jsonschema is not installed"
		return
	fi
	expect "doctor: $1 follows the schema" "" "$("$here/valid_json" "$here/../schema/pcl-doctor.schema.json" "$out" 2>&1)"
}
have_refuser() { "$helpers/refuse_perf" 1 true 2>/dev/null; }

doctor "$pcl"
expect "doctor -j: is JSON" "string pcl-doctor-1" "$("$helpers/json_get" schema <"$out")"
follows_schema "what it finds here"
expect "doctor: each bit of sample_type is tried" 25 "$(grep -o '"topic":"samples","name":"[A-Z_]*"' "$out" | sort -u | wc -l)"
if [ -n "$no_events" ]; then
	expect "doctor: status 1 where no event can be opened" 1 "$(cat "$out.status")"
	expect "doctor: and the cause is told" fails "$(found "own tasks" status)"
else
	expect "doctor: status 0 where events can be opened" 0 "$(cat "$out.status")"
	for name in "own tasks" "their children" "ring" "IP" "CALLCHAIN" "mappings" "breakpoints on data"; do
		expect "doctor: '$name' works" works "$(found "$name" status)"
	done
	if have_pmu; then
		expect "doctor: hardware events work" works "$(found "hardware events" status)"
	else
		contains "doctor: no hardware events, for want of a PMU" <(found "hardware events" cause) '^no-pmu'
		contains "doctor: and the way out" <(found "hardware events" fix) 'pcl list software'
	fi
fi
"$pcl" doctor targets samples records rings >"$out.text" 2>"$out.err"
within "doctor: the text fits 80 columns" "$(sed 's|/[^ ]*||' "$out.text" | awk 'length > n { n = length } END { print n }')" 20 80
expect "doctor: every note that is referred to is there" "" "$(comm -23 <(sed -n '/^$/,/^$/p' "$out.text" | grep -oE '(no|partly) \[[0-9]+\]' |
	grep -oE '[0-9]+' | sort -u) <(grep -oE '^\[[0-9]+\]' "$out.text" | grep -oE '[0-9]+' | sort -u))"
if [ -z "$no_events" ]; then
	"$pcl" doctor -v DWARF >"$out.text" 2>"$out.err"
	expect "doctor: a word that no name has is looked for in what they are for" 1 "$(grep -c ' STACK_USER .*for$' "$out.text")"
	expect "doctor: and nothing else is shown" 1 "$(grep -cE '(works|partly|no)  +[A-Z]' "$out.text")"
fi
"$pcl" doctor nonesuch >"$out.text" 2>"$out.err"
expect "doctor: an unknown word gives 125" 125 $?
"$pcl" doctor --nonesuch >"$out.text" 2>"$out.err"
expect "doctor: an unknown option gives 125" 125 $?
"$pcl" doctor -v symbols >"$out.text"
expect "doctor TOPIC: it alone" "symbols" "$(grep -oE '^(targets|events|samples|records|rings|symbols)' "$out.text" | tr '\n' ' ' | sed 's/ $//')"

if [ -e /sys/kernel/pcl/version ]; then
	"$pcl" doctor samples records >"$out.text" 2>"$out.err"
	tr -s ' \n' ' ' <"$out.text" >"$out.line"
	contains "doctor: what a PCL kernel says" "$out.line" 'the kernel says: precise_ip is not built yet'
	expect "doctor: and no other words for the same" 0 "$(grep -c 'does not have that' "$out.line")"
else
	skip "doctor: what a PCL kernel says" "another kernel runs here"
fi

PCL_TRACEFS=$work/none topics=events doctor "$pcl"
expect "doctor: without tracefs" "tracefs-mount" "$(found tracepoints cause)"
contains "doctor: and the command that mounts it" <(found tracepoints fix) '^sudo mount -t tracefs'
PCL_TRACEFS=$work/none "$pcl" doctor tracepoints >/dev/null
expect "doctor: what was asked for and fails gives 1" 1 $?

if ! have_refuser; then
	skip "doctor: behind a seccomp filter" "seccomp filters cannot be set here"
else
	for err in 1 38; do
		topics=targets doctor "$helpers/refuse_perf" $err "$pcl"
		expect "doctor: a seccomp filter's errno $err gives 1" 1 "$(cat "$out.status")"
		expect "doctor: and is told from the kernel's" seccomp "$(found "own tasks" cause)"
		contains "doctor: and the way out" <(found "own tasks" fix) '--cap-add PERFMON'
		"$helpers/refuse_perf" $err "$pcl" stat -e task-clock true >"$out.text" 2>"$out.err"
		expect "stat: behind errno $err gives 125" 125 $?
		contains "stat: says the same behind errno $err" <(cat "$out.text" "$out.err") 'seccomp filter'
		"$helpers/refuse_perf" $err "$pcl" record -e task-clock -o "$work/doctor.data" true >"$out.text" 2>"$out.err"
		expect "record: behind errno $err gives 125" 125 $?
		contains "record: says the same behind errno $err" "$out.err" 'seccomp filter'
		"$helpers/refuse_perf" $err "$pcl" list software >"$out.text" 2>"$out.err"
		contains "list: says the same behind errno $err" "$out.text" 'seccomp'
	done
	follows_schema "what it finds behind a filter"
fi

# Debug information that is not there is not said to be: a directory that holds none, the file of another kernel.
mkdir -p "$work/no-debug/.build-id"
topics=symbols doctor env DEBUGINFOD_URLS=http://localhost PCL_DEBUG_DIR="$work/no-debug" "$pcl"
expect "doctor: no debug information of libraries" no-debug "$(found "debug information of libraries" cause)"
contains "doctor: and none is downloaded" <(found "debug information of libraries" reason) 'pcl downloads none'
if ! LC_ALL=C grep -qaP '\x03\0\0\0GNU\0' /sys/kernel/notes 2>/dev/null; then
	skip "doctor: a vmlinux of another kernel" "/sys/kernel/notes tells no build id of this one"
elif [ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs none /boot 2>/dev/null; then
	topics=symbols doctor env PCL_DEBUG_DIR="$work/no-debug" unshare -m sh -c '
		mount -t tmpfs none /boot && cp "$1" "/boot/vmlinux-$(uname -r)" && shift && exec "$@"' sh "$fast" "$pcl"
	expect "doctor: a vmlinux of another kernel is none of this" no \
		"$(found "kernel debug information" detail | grep -q ': /boot/vmlinux-' && echo yes || echo no)"
else
	skip "doctor: a vmlinux of another kernel" "needs root, /boot, and mounts of its own (unshare -m)"
fi

if [ -z "$no_events" ]; then
	topics=rings doctor bash -c 'ulimit -n 24 && exec "$0" "$@"' "$pcl"
	expect "doctor: few open files are told" file-limit "$(found "open files" cause)"
	(ulimit -n 24 && exec "$pcl" stat -e "$(printf 'faults,%.0s' $(seq 30))faults" true) >"$out.text" 2>"$out.err"
	expect "stat: too many open files give 125" 125 $?
	contains "stat: and the limit is told" "$out.err" 'too many open files \(limit 24'
fi

paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null)
user() { setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$@"; }
if [ -n "$no_events" ] || [ "$(id -u)" != 0 ] || [ "$paranoid" != 2 ] || ! command -v setpriv >/dev/null; then
	skip "doctor: without rights" "needs events, root, setpriv and kernel.perf_event_paranoid 2"
else
	cp "$fast" "$work/pcl-user"
	doctor user "$work/pcl-user"
	expect "doctor: without rights, what is needed works" 0 "$(cat "$out.status")"
	follows_schema "what a user without rights finds"
	while IFS='|' read -r name cause fix; do
		expect "doctor: without rights, '$name'" "$cause" "$(found "$name" cause)"
		contains "doctor: and how to have it" <(found "$name" fix) "$fix"
	done <<-'ROWS'
		the kernel level|paranoid-kernel|sysctl kernel.perf_event_paranoid=1$
		whole CPUs|paranoid-cpu|sysctl kernel.perf_event_paranoid=0$
		other users' tasks|other-task|setcap cap_perfmon\+ep .*/pcl-user
		software events|paranoid-switch|sysctl kernel.perf_event_paranoid=1$
	ROWS
	user "$work/pcl-user" stat -a -e faults true >"$out.text" 2>"$out.err"
	expect "stat -a: without rights gives 125" 125 $?
	contains "stat -a: says what doctor says" "$out.err" 'whole CPUs .*kernel\.perf_event_paranoid=0$'
	user "$work/pcl-user" stat -p 1 -e faults:u true >"$out.text" 2>"$out.err"
	expect "stat -p: of another user gives 125" 125 $?
	contains "stat -p: says what doctor says" "$out.err" 'task 1: it belongs to another user'
	# what the note promises of the capability is true
	topics="targets software" doctor setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+perfmon --ambient-caps=+perfmon "$work/pcl-user"
	for name in "the kernel level" "whole CPUs" "other users' tasks" "software events"; do
		if grep -q '"cap_perfmon":true' "$out"; then
			expect "doctor: with CAP_PERFMON, '$name'" works "$(found "$name" status)"
		else
			skip "doctor: with CAP_PERFMON, '$name'" "setpriv could not give that capability"
		fi
	done
	if user unshare -Ur true 2>/dev/null; then
		topics=targets doctor user unshare -Ur "$work/pcl-user"
		expect "doctor: root of a user namespace is told that it is none" user-namespace "$(found "whole CPUs" cause)"
	else
		skip "doctor: root of a user namespace" "users may not make namespaces here"
	fi
fi

if [ "${PCL_TEST_OWN_MACHINE-}" != 1 ]; then
	skip "doctor: sysctls at other values" "PCL_TEST_OWN_MACHINE is not 1"
else
	mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
	set_sysctl() { echo "$2" >"/proc/sys/kernel/$1"; }
	set_sysctl perf_event_paranoid 3
	doctor user "$work/pcl-user"
	expect "doctor: paranoid 3 allows nothing" 1 "$(cat "$out.status")"
	expect "doctor: and is the cause" paranoid-any "$(found "own tasks" cause)"
	user "$work/pcl-user" stat -e faults:u true >"$out.text" 2>"$out.err"
	expect "stat: paranoid 3 gives 125" 125 $?
	contains "stat: and says so" "$out.err" 'kernel\.perf_event_paranoid=2'
	set_sysctl perf_event_paranoid 2
	set_sysctl perf_event_mlock_kb 8
	topics=rings doctor bash -c 'ulimit -l 0 && exec setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$0" "$@"' "$work/pcl-user"
	expect "doctor: little memory for rings" "mlock" "$(found ring cause)"
	contains "doctor: and the size that would do" <(found ring fix) 'perf_event_mlock_kb=516'
	set_sysctl perf_event_mlock_kb 516
	topics=rings doctor bash -c 'ulimit -l 0 && exec setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$0" "$@"' "$work/pcl-user"
	expect "doctor: which is true" works "$(found ring status)"
	# each level that a note names is the greatest that will do
	while IFS='|' read -r name level; do
		set_sysctl perf_event_paranoid $((level + 1))
		doctor user "$work/pcl-user"
		expect "doctor: '$name' with paranoid $((level + 1))" fails "$(found "$name" status | sed s/partly/fails/)"
		set_sysctl perf_event_paranoid "$level"
		doctor user "$work/pcl-user"
		expect "doctor: '$name' with paranoid $level" works "$(found "$name" status)"
	done <<-'ROWS'
		the kernel level|1
		software events|1
		whole CPUs|0
	ROWS
	set_sysctl perf_event_paranoid 2
	set_sysctl kptr_restrict 2
	topics=symbols doctor "$pcl"
	expect "doctor: kptr_restrict 2 hides the kernel's symbols" kptr-restrict "$(found "kernel symbols" cause)"
	set_sysctl kptr_restrict 1
	topics=symbols doctor "$pcl"
	expect "doctor: 1 shows them to root" works "$(found "kernel symbols" status)"
	set_sysctl kptr_restrict 0
	if [ -e /sys/kernel/pcl/version ]; then
		doctor user "$work/pcl-user"
		contains "doctor: the kernel's own reason" <(found "the kernel level" kernel_reason) 'paranoid'
	fi
	if [ -e /sys/kernel/tracing/events/sched/sched_switch/id ]; then
		doctor user "$work/pcl-user"
		expect "doctor: tracefs that few may read" tracefs-access "$(found tracepoints cause)"
		fix=$(found tracepoints fix | sed 's/.*sudo //; s/\$(id -g)/65534/')
		$fix
		doctor user "$work/pcl-user"
		expect "doctor: and the command that opens it does" absent "$(found tracepoints cause)"
	else
		skip "doctor: tracefs that few may read" "tracefs cannot be mounted"
	fi
fi
