# SPDX-License-Identifier: GPL-2.0
# needs events
$ spin 100000000000 & pcl top --stdio -e cpu-clock:u -p $! -d 0.3 | grep -m 1 -o '\[.\] hot$'; { kill $!; wait $!; } 2>/dev/null; true
[.] hot
terminal: $ spin 100000000000 & pcl top -e cpu-clock:u -p $! -d 0.3 -s object,symbol; { kill $!; wait $!; } 2>/dev/null; true
terminal:  event 'cpu-clock:u': * samples, */s of all events, lost *
terminal:    share   samples  object * symbol
terminal: *%  *  spin  * [.] hot
terminal: ...
terminal:  table *
press p
terminal: ...
terminal:  table *, paused   arrows scroll *
press q
$ sleep 0.2 & pcl top --stdio -e cpu-clock:u -p $! -d 0.1 2>&1 | grep ended
pcl: note: what was looked at has ended
$ pcl top --iterations 1 -d 0.2 --stdio -e cpu-clock:u --comm nonesuch
# event 'cpu-clock:u': *
...
$ pcl top --iterations 2 -d 0.1 -e cpu-clock:u -s comm | grep -c "event 'cpu-clock:u'"
2
$ pcl top spin
pcl: top runs no command; 'spin' is too much
[status 125]
$ pcl top -p 999999999
pcl: -p: *999999999*
[status 125]
$ pcl top -d 0
pcl: -d: '0' is no number from 0.1 to 3600
[status 125]
$ pcl top -s symbl
pcl: -s: there is no key 'symbl'; keys: comm, object, symbol,*
...
[status 125]
$ pcl top --iterations 1 -d 0.1 --stdio -e cpu-clock:u >/dev/full
pcl: *No space left on device*
...
[status 125]
$ pcl top --help
usage: pcl top [options]
...
