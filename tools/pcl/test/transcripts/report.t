# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl report
pcl: perf.data: No such file or directory; 'pcl record' writes one
[status 125]
$ pcl record -q -g -e cpu-clock:u spin 200000000 2>/dev/null
$ pcl report
pipe: # recorded by: pcl record -q -g -e cpu-clock:u spin 200000000
pipe: # on: *
pipe: ...
pipe: # event 'cpu-clock:u': * samples, * events
pipe: #
pipe: #    share   samples  command  object * symbol
pipe: #
pipe:   *%  *  spin     spin  * [.] hot
pipe:             outer
pipe:             main
pipe: ...
terminal:  perf.data  event 'cpu-clock:u'  * samples
terminal:     share   samples  *  symbol
terminal: *%  *  spin     spin  * [.] hot
terminal: ...
terminal:  line 1 of * q leave
press Enter
terminal: ...
terminal: *% outer
terminal: ...
press e
terminal: ...
terminal: *% outer
terminal: *% main
terminal: ...
press ?
terminal:  keys
terminal: ...
terminal:   q                     leave
terminal: ...
press q
terminal:  perf.data  event*
terminal: ...
press f
terminal: ...
terminal: only functions whose name has: _
press nonesuch Enter
terminal: * only: nonesuch
terminal: *  symbol
terminal: no sample is of what is asked for
terminal: ...
press Escape
terminal:  perf.data  event 'cpu-clock:u'  * samples
terminal: ...
terminal: *[.] hot*
terminal: ...
press a
terminal:  hot
terminal: # hot in *
terminal: ...
terminal: *%  *
terminal: ...
terminal:  line 1 of * q back
press q
terminal: ...
terminal:  line 1 of * q leave
press q
$ pcl report --no-callers -s symbol | sed -n 's/.*\[.\] hot$/hot is there/p'
hot is there
$ pcl report -g callees --symbol hot | grep -A 2 '^ *main$'
*main
*outer
*hot
...
$ pcl report --symbol hto | tail -n 2
# no sample is of what is asked for

$ pcl report --comm nonesuch | grep 'in view'
# of them in view: 0 samples, 0.00%
$ pcl report --json | python3 -m json.tool | head -n 3
{
    "schema": "pcl-report",
    "version": 1,
$ pcl report -i - <perf.data | grep -c '\] hot$'
1
$ pcl report -s symbl
pcl: -s: there is no key 'symbl'; keys: comm, object, symbol,*
...
[status 125]
$ pcl report --tui | cat
pcl: --tui needs a terminal, for input and output; --stdio prints text
$ pcl report >/dev/full --stdio
pcl: standard output: *
[status 125]
$ pcl report --kallsyms nonesuch
pcl: --kallsyms: nonesuch: No such file or directory
[status 125]
$ head -c 1000 perf.data >cut; pcl report cut
pcl: cut: the data section is longer than the file; *
...
[status 125]
$ pcl report --help
usage: pcl report [options] [FILE]
...
