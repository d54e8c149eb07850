# SPDX-License-Identifier: GPL-2.0
# What the shell scripts share: where things are, and how to fail. Sourced, not run.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pcl
me=$(basename "$0")

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$@"; exit 1; }

# The tarball that BASE names; PCL_TARBALL stands in for it.
base_tarball() {
	local path=${PCL_TARBALL:-$(awk '$1 == "package" { print $3 }' "$top/BASE")}

	[ -r "$path" ] || die "$path is missing: run scripts/deps, or set PCL_TARBALL"
	echo "$path"
}

# sha256 of a big file, remembered by name, size and time.
file_sha256() {
	local memo sum

	memo=$cache/sums/$(stat -c '%n %s %Y' "$1" | tr -c 'A-Za-z0-9.\n' _)
	if [ ! -s "$memo" ]; then
		mkdir -p "$cache/sums"
		sum=$(sha256sum <"$1" | cut -d' ' -f1)
		echo "$sum" >"$memo.$$" && mv "$memo.$$" "$memo"
	fi
	cat "$memo"
}

# Version of a tarball with that sha256: from BASE when tested, else what dpkg says is installed.
base_version() {
	local version

	version=$(awk -v s="$1" '$1 == "tested" && $4 == s { print $2 }' "$top/BASE")
	if [ -z "$version" ]; then
		version=$(dpkg-query -W -f '${Version}' "$(awk '$1 == "package" { print $2 }' "$top/BASE")" \
			2>/dev/null) || version=unknown
		say "notice: $version is not a point release that PCL was tested on (see BASE)"
	fi
	echo "$version"
}
