# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl doctor symbols >out; head -n 1 out
Linux * CPUs, user *
$ pcl doctor 'own tasks'
Linux *
...

targets   works       own tasks

All that was asked for works.
$ pcl doctor -v records | grep -c write_backward
1
$ refuse_perf 1 pcl doctor targets
Linux *
...

targets   no [1]  none of 6 works

[1]  a seccomp filter refuses perf_event_open *
...
     fix: docker run --cap-add PERFMON *
...

Not all that was asked for works.
[status 1]
$ refuse_perf 38 pcl stat -e task-clock true
pcl: event 'task-clock': a seccomp filter refuses perf_event_open*
...
[status 125]
$ pcl doctor nonesuch
pcl: no topic or thing is called 'nonesuch'; 'pcl doctor -v' shows them all
[status 125]
$ pcl doctor targets symbls
pcl: no topic or thing is called 'symbls'; did you mean 'symbols'?
[status 125]
