# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl diff
pcl: perf.data.old: No such file or directory; *
...
[status 125]
$ mkdir a b; for i in 1 2 3; do pcl record -q -e cpu-clock:u -o a/$i spin 100000000; pcl record -q -e cpu-clock:u -o b/$i spin 100000000; done 2>/dev/null; ls a b | grep -c "^[123]$"
6
$ pcl diff --symbol hot a b
# event 'cpu-clock:u'
# A: a/1 and 2 more: * samples, * events a run
# B: b/1 and 2 more: * samples, * events a run
# in all, B has *% of the events of A
# * significant at 95%, corrected for all lines; few samples have no p
#
#       A        B    points    events         p  object                symbol
#
...
$ pcl diff a/1 a/1 | tail -n 1
# none of * line* differs enough to be shown
$ pcl diff --significant a a | tail -n 1
# none of * line* differs by more than noise
$ pcl diff --symbol nonesuch a b | tail -n 1
# no sample is of what is asked for
$ pcl diff --fail-if hto+1% --json a a >/dev/null
pcl: note: --fail-if hto+1%: neither side has samples of this name
$ for i in 1 2 3; do pcl record -q -e cpu-clock:u -o c-$i sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' 2>/dev/null; done; pcl diff --fail-if hot-10% a/1 a/2 a/3 : c-1 c-2 c-3 >out
pcl: --fail-if hot-10%: the share of 'hot' is 0.00%, and was *%
[status 124]
$ pcl diff --fail-if hot a b
pcl: --fail-if: 'hot': a rule is *
...
[status 125]
$ pcl diff a
pcl: diff compares two: A B, or with more files A1 A2 : B1 B2
[status 125]
$ pcl diff a nonesuch
pcl: nonesuch: No such file or directory; 'pcl record' writes one
[status 125]
$ pcl diff -e cycles a b
pcl: a/1: it has no event 'cycles'; its first one is 'cpu-clock:u'
[status 125]
$ pcl diff -s cpu a b
pcl: -s: runs are compared by comm, object, symbol; 'cpu' differs in each run
[status 125]
$ pcl diff a b >/dev/full
pcl: standard output: *
[status 125]
$ pcl diff --help
usage: pcl diff [options] A B
...
