# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl script
pcl: perf.data: No such file or directory; 'pcl record' writes one
[status 125]
$ pcl record -q -g -e cpu-clock:u spin 200000000 2>/dev/null
$ pcl script --symbol hot | head -n 4
spin * cpu-clock:u:*
*hot+0x* (*spin)
*outer+0x* (*spin)
*main+0x* (*spin)
$ pcl script -G -F comm,event,ip,sym | grep -m 1 hot
*spin *cpu-clock:u: * hot*
$ pcl script --format folded | grep -c ';outer;hot '
1
$ pcl script -j | head -n 1 | python3 -c 'import json, sys; print(json.load(sys.stdin)["event"])'
cpu-clock:u
$ pcl script --header-only | head -n 1
# ========
$ pcl script --comm nonesuch
pcl: note: none of the * samples is of what is asked for
$ pcl script --header -j
pcl: --header is text; it does not go with json or folded
[status 125]
$ pcl script -F comm,addr
pcl: -F: the samples of 'cpu-clock:u' have no 'addr'; it was not recorded
[status 125]
$ pcl script -F comm,smybol
pcl: -F: there is no field 'smybol'*
...
[status 125]
$ pcl script --time 2,1
pcl: --time: '2,1' *
...
[status 125]
$ pcl script --kallsyms nonesuch
pcl: --kallsyms: nonesuch: No such file or directory
[status 125]
$ pcl script >/dev/full
pcl: standard output: *
[status 125]
$ pcl record -q -e cpu-clock:u -o - spin 20000000 2>/dev/null | pcl script -i - -F ip,sym | grep -m 1 -o hot
hot
$ pcl script --help
usage: pcl script [options] [FILE]
...
