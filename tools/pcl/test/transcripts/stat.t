# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl stat -e task-clock,page-faults true

 Performance counters of 'true':

    * msec  task-clock * CPUs utilized
    *   page-faults    *
...
    * seconds elapsed
    * seconds user
    * seconds sys
...
$ pcl stat -e page-faults sh -c 'echo out; exit 3' 2>table; s=$?; grep -c page-faults table; exit $s
out
1
[status 3]
$ pcl stat -x, -e page-faults true
*,,page-faults,*,100.00,*
$ pcl stat -j -e page-faults true 2>&1 | python3 -m json.tool
{
    "schema": *
...
$ pcl stat -r 3 -e page-faults true

 Performance counters of 'true', 3 runs:

    *mean *
 page-faults *+-*
...
$ pcl stat -I 50 -e task-clock -- spin 100000000
...
    *task-clock*
...
$ pcl stat -r 5 -e page-faults --vs 'touch_pages 2000' touch_pages 1000

 Performance counters of 'touch_pages 1000' (A)
 and of 'touch_pages 2000' (B), 5 runs of each:

...
pipe:  page-faults * more*
terminal:  page-faults *
...
$ pcl stat -r 5 -e page-faults --fail-if page-faults+3% --vs 'touch_pages 2000' touch_pages 1000 >out 2>&1
[status 124]
$ pcl stat /nonesuch
pcl: */nonesuch*No such file*
[status 127]
$ pcl stat --repaet 3 true
pcl: there is no option '--repaet'; did you mean '--repeat'?
[status 125]
$ pcl stat -e '{task-clock,page-faultz}' true
pcl: -e: unknown event 'page-faultz'
...
     did you mean 'page-faults'?
[status 125]
$ pcl stat --help
usage: pcl stat [options] [--] [command [argument...]]
...
$ pcl stat --order ab true
pcl: --order is about the pairs of --vs
[status 125]
$ pcl stat --seed 1 true
pcl: --seed is about the pairs of --vs
[status 125]
