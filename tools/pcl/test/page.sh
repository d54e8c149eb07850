# SPDX-License-Identifier: GPL-2.0
# Part of test/run: the page of pcl report --html; what it works out, and a reader's way through it.

export NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs
page() { node "$here/page_check.js" "$@"; }
data=$work/page.data
html=$work/page.html
"$fast" record -q -g -e cpu-clock:u,page-faults -o "$data" sh -c "'$helpers/spin' 400000000; printf '</script><b>' >/proc/self/comm;
	i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done" 2>"$work/page.err"

"$pcl" report -i "$data" --html "$html" >"$work/page.out" 2>/dev/null
expect "page: written: exit 0" 0 $?
expect "page: nothing on standard output" "" "$(cat "$work/page.out")"
"$pcl" report -i "$data" --html - 2>/dev/null | cmp -s - "$html"
expect "page: - is standard output" 0 $?
expect "page: nothing is fetched from elsewhere" 0 "$(grep -c '//[a-z]*\.[a-z]\|src=\|<link\|@import\|url(' "$html")"
contains "page: and nothing may be" "$html" "Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'\""
contains "page: how it was recorded, escaped" "$html" '<dd>.*record .*&lt;/script&gt;&lt;b&gt;'
contains "page: what was lost" "$html" '<dt>lost</dt><dd>nothing</dd>'
contains "page: a table without scripts" "$html" '<td class="number">[0-9.]+%</td>.*<td>hot</td>'
"$pcl" report -i "$data" --html "$work/one.html" --symbol hot 2>/dev/null
expect "page: what a filter leaves out is not in it" 0 "$(grep -c '"comms":.*script' "$work/one.html")"
contains "page: what it lets through is" "$work/one.html" '"name":\[.*"hot"'

if command -v node >/dev/null; then
	subtest "page" page model "$here/../src/report/page/model.js"
else
	skip "page: the model" "node is not installed"
fi
if node -e 'require("jsdom")' 2>/dev/null; then
	"$pcl" report -i "$data" --json --no-callers -s symbol,object >"$work/page.json" 2>/dev/null
	subtest "page" page totals "$html" "$work/page.json"
	subtest "page" page use "$html" main,outer,hot
	subtest "page" page comm "$html" '</script><b>'
else
	skip "page: as a reader uses it" "node or its module jsdom is not installed"
fi

# refused NAME PATTERN ARGUMENT...
refused() {
	local name=$1 pattern=$2

	shift 2
	"$pcl" report -i "$data" "$@" >/dev/null 2>"$work/page.err"
	expect "page: $name: 125" 125 $?
	contains "page: $name: says why" "$work/page.err" "$pattern"
}
refused "no such directory" "--html: $work/nowhere/x.html: No such file" --html "$work/nowhere/x.html"
refused "disk full" '--html: /dev/full: No space left' --html /dev/full
refused "with another form" 'one at a time' --html "$work/x.html" --json
refused "with a choice of views" 'the page has all views; -s' --html "$work/x.html" -s comm
expect "page: what is refused writes nothing" no "$([ -e "$work/x.html" ] && echo yes || echo no)"
