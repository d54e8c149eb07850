# SPDX-License-Identifier: GPL-2.0
# needs events
$ pcl annotate
pcl: perf.data: No such file or directory; 'pcl record' writes one
[status 125]
$ pcl record -q -e cpu-clock:u spin 200000000 2>/dev/null
$ pcl annotate hot
# hot in *spin, event 'cpu-clock:u': * samples, *% of*
...
#   share  samples     address  code
#
...
 *%  *
...
...
pcl: note: *
...
$ pcl annotate 2>/dev/null | head -n 1
# hot in *
...
$ pcl annotate --asm -M intel hot | grep -c 'rbp'
*
$ pcl annotate hto
pcl: no sample fell into 'hto'; did you mean 'hot'?
[status 125]
$ pcl annotate perf.data
pcl: 'perf.data' is a recording, and the argument is a function; -i perf.data reads it
[status 125]
$ pcl annotate --object nonesuch hot
pcl: no sample fell into a function of --object nonesuch; *
...
[status 125]
$ pcl annotate -e cycles hot
pcl: the recording has no event 'cycles'; 'pcl report' shows which it has
[status 125]
$ pcl annotate --limit 100.5
pcl: --limit: '100.5' is not a percentage
[status 125]
$ pcl annotate -M arm hot
pcl: -M: there is no style 'arm'; styles: att, intel
[status 125]
$ pcl annotate --asm hot >/dev/full
pcl: standard output: *
[status 125]
$ pcl record -q -e alignment-faults:u true 2>/dev/null; pcl annotate
pcl: the recording has no samples
[status 125]
$ pcl annotate --help
usage: pcl annotate [options] [SYMBOL]
...
