# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl record -e cpu-clock spin 200000000
pcl record: * samples, 0 lost, * MB in perf.data
...
$ pcl report | cat
# recorded by: pcl record -e cpu-clock spin 200000000
...
# event 'cpu-clock': * samples, * events
...
   *%  *  spin     spin  * [.] hot
...
$ pcl report -s symbol | sed -n 's/.*\[.\] hot$/hot is there/p'
hot is there
$ pcl script -F comm,tid,event,ip,sym | tail -n 1
            spin *cpu-clock:*
$ pcl annotate --stdio hot 2>/dev/null | head -n 3
# hot in *spin, event 'cpu-clock': * samples, *% of all
#   share  samples     address  code
...
$ pcl record -e cpu-clock --call-graph dwarf -o dwarf.data spin 200000000
...
pcl record: * samples, 0 lost, * MB in dwarf.data
...
$ pcl report -g -i dwarf.data | grep -A 3 '\[.\] hot$'
*hot
*outer
*main
...
$ pcl report -i nonesuch
pcl: nonesuch: No such file or directory*
...
[status 125]
$ echo this is no recording >bad; pcl report -i bad
pcl: bad: *
[status 125]
$ pcl record -e nonesuch true
pcl: -e: unknown event 'nonesuch'
...
[status 125]
$ pcl report nonesuch.data
pcl: nonesuch.data: *
...
[status 125]
$ pcl record -e cpu-clock -z=3 -q true
$ pcl record -e cpu-clock -z=99 true
pcl: -z: '99' is not a level from 1, fast, to 22, small
[status 125]
$ pcl record --threads many true
pcl: --threads: 'many' is neither a number of threads up to 4096, nor 'cpu'
[status 125]
$ pcl record -e cpu-clock -o nonesuch/x true
pcl: nonesuch/x: No such file or directory
[status 125]
