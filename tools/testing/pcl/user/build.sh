# SPDX-License-Identifier: GPL-2.0
# Build the files of a noun in user space, for `run` and for who holds a driver against something else. Sourced, with
# $top, $work, $cc and flags set: objects and headers that are made here go to $work.

user=$top/tools/testing/pcl/user

# The structs that the data layer shares with drivers, cut from the header that has them.
cut_structs() {
	awk '
	/^(struct (pcl_times|pcl_group|perf_output_handle)|enum perf_event_state) \{$/ { on = 1; n++ }
	on { print }
	/^};$/ { on = 0 }
	/^#define PERF_NR_CONTEXTS/
	END { exit n != 4 }' "$top/include/linux/perf_event.h" >"$work/perf_event_structs.h" ||
		{ echo "Bail out! include/linux/perf_event.h lacks a struct of the data layer"; exit 1; }
}

# The same for what the engine shares with a driver, beside the words that go with it.
cut_driver_structs() {
	awk '
	/^#define PERF_(EF|HES|PMU_TXN|PMU_CAP|EVENT_FLAG)_/
	/^struct (hw_perf_event_extra|hw_perf_event|pmu|perf_branch_stack|perf_sample_data) \{$/ { on = 1; n++ }
	on { print }
	/^}( ____cacheline_aligned)?;$/ { on = 0 }
	END { exit n != 5 }' "$top/include/linux/perf_event.h" >"$work/perf_driver_structs.h" ||
		{ echo "Bail out! include/linux/perf_event.h lacks a struct that drivers know"; exit 1; }
}

# A noun may have a kernel around it of its own, shim/NOUN, or that of what stands before its "_": its headers go first,
# and those that it only names lead to its linux/perf_event.h.
own_headers() {
	local dir=$work/include-${1%%_*} name

	grep -v '^#' "$user/shim/${1%%_*}/headers" | while read -r name; do
		mkdir -p "$dir/$(dirname "$name")"
		echo '#include <linux/perf_event.h>' >"$dir/$name"
	done
}

# The object that a source becomes
object() {
	local name=${1#"$top"/}

	echo "${name//\//-}.o"
}

# compile NOUN SOURCE OBJECT FLAGS...
compile() {
	local own=${1%%_*} source=$2 object=$3
	local includes=(-I "$user/shim" -I "$work" -I "$top/include" -I "$top/kernel/events" -I "$user")

	shift 3
	[ ! -e "$user/shim/$own/headers" ] || includes=(-I "$user/shim/$own" -I "$work/include-$own" "${includes[@]}")
	"$cc" "${flags[@]}" "${includes[@]}" -include "$user/shim/kernel.h" "$@" -c -o "$object" "$source"
}

# build_objects NOUN SOURCE...: what they become is kept for the broken variants. A header becomes nothing: the test
# includes it, by its name alone.
build_objects() {
	local noun=$1 objects=$work/$1.objects source status=0 pids=() headers=()

	shift
	for source; do
		[[ $source != *.h ]] || headers+=(-iquote "${source%/*}")
	done
	[ ! -e "$user/shim/${noun%%_*}/headers" ] || own_headers "$noun"
	rm -rf "$objects"
	mkdir -p "$objects"
	for source; do
		[[ $source != *.h ]] || continue
		compile "$noun" "$source" "$objects/$(object "$source")" "${headers[@]}" >"$objects/$(object "$source").log" 2>&1 &
		pids+=($!)
	done
	for source in "${pids[@]}"; do
		wait "$source" || status=1
	done
	cat "$objects"/*.log >"$work/$noun.build"
	return $status
}

# build_program NOUN: of all objects that it has
build_program() {
	"$cc" "${flags[@]}" -o "$work/$1" "$work/$1.objects"/*.o >>"$work/$1.build" 2>&1
}

# build_busted NOUN VARIANT SOURCE COPY: the same with COPY in the place of SOURCE. Of a header it is the test that is compiled
# anew: it finds the copy where it looks for the name alone; else the copy comes first, and its guard keeps the original out.
build_busted() {
	local noun=$1 variant=$2 source=$3 copy=$4 object objects=() replaced=$3 compiled=$4 how

	how=(-iquote "${source%/*}")
	if [[ $source == *.h ]]; then
		replaced=$user/${noun}_test.c
		compiled=$replaced
		how=(-include "$copy")
		! grep -qx "#include \"${source##*/}\"" "$replaced" || how=(-iquote "${copy%/*}")
	fi
	replaced=$work/$noun.objects/$(object "$replaced")
	for object in "$work/$noun.objects"/*.o; do
		[ "$object" = "$replaced" ] || objects+=("$object")
	done
	{
		compile "$noun" "$compiled" "$work/$variant.o" "${how[@]}" &&
			"$cc" "${flags[@]}" -o "$work/$variant" "$work/$variant.o" "${objects[@]}"
	} >"$work/$variant.build" 2>&1
}
