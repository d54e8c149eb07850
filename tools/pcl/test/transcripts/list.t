# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl list software | cat
software events:
...
  yes * task-clock*
...
$ pcl list faults | grep -c 'page-faults'
1
$ pcl list --help
usage: pcl list *
...
$ pcl doctor >out; tail -n 1 out
What pcl stat and pcl record need, works.
$ pcl doctor --help
usage: pcl doctor *
...
$ pcl list nonesuch
pcl: no event here matches 'nonesuch'; *
[status 1]
