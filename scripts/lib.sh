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

# Version of a tarball with that sha256, if BASE says that PCL was tested on it
base_tested() {
	awk -v s="$1" '$1 == "tested" && $4 == s { print $2 }' "$top/BASE"
}

# The same of any: what dpkg says is installed, where BASE does not know it.
base_version() {
	local version

	version=$(base_tested "$1")
	[ -n "$version" ] ||
		version=$(dpkg-query -W -f '${Version}' "$(awk '$1 == "package" { print $2 }' "$top/BASE")" \
			2>/dev/null) || version=unknown
	echo "$version"
}

# For who builds from it, and not for who only asks where it is.
base_notice() {
	[ -n "$(base_tested "$1")" ] ||
		say "notice: $(base_version "$1") is not a point release that PCL was tested on (see BASE)"
}

# fetch_sources DIRECTORY PACKAGE[=VERSION]...: Debian's source packages, as they come and with their signatures checked,
# from wherever this machine has its Debian packages. In the directory, which is made, apt leaves its lists, too.
fetch_sources() {
	local dir=$1 key=/usr/share/keyrings/debian-archive-keyring.gpg options

	shift
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	# what several have is taken from the first; that of security fixes lists files that it has no longer
	apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
		sed -n "s,^Debian main \\(.*\\),deb-src [signed-by=$key] \\1 main,p" |
		awk '{ print /-security main$/, $0 }' | sort -u | cut -d' ' -f2- >"$dir/sources.list"
	[ -s "$dir/sources.list" ] || die "apt knows no Debian archive: run apt-get update"
	mapfile -t options < <(source_options "$dir")
	apt-get "${options[@]}" update >&2
	(cd "$dir" && apt-get "${options[@]}" source --download-only --only-source "$@" >&2)
}

# What apt is told so that it knows the lists of DIRECTORY, one option a line.
source_options() {
	printf -- '%s\n' -q -oDir::Etc::sourcelist="$1/sources.list" -oDir::Etc::sourceparts=/nonexistent \
		-oDir::State::lists="$1/lists" -oDir::Cache="$1/cache" -oAPT::Sandbox::User="$(id -un)"
}

# source_versions DIRECTORY PACKAGE: the versions of a source package that the lists of fetch_sources() have, newest first.
source_versions() {
	local options

	mapfile -t options < <(source_options "$1")
	apt-cache "${options[@]}" showsrc --only-source "$2" | sed -n 's/^Version: //p' | sort -ruV
}
