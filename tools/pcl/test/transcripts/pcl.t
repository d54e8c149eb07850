$ pcl
usage: pcl COMMAND [options]

  stat * count events *
  record * sample *
...
'pcl COMMAND --help' shows its options; 'pcl --version' the version.
[status 125]
$ pcl --version
pcl 0.*
$ pcl recrod true
pcl: there is no command 'recrod'; did you mean 'record'?
[status 125]
$ pcl frobnicate
pcl: there is no command 'frobnicate'; 'pcl --help' names them all
[status 125]
$ pcl stat -e task-clokc true
pcl: *task-clokc*
...
*did you mean*task-clock*
...
[status 125]
$ pcl help list
usage: pcl list *
...
$ pcl --versoin
pcl: there is no option '--versoin' before a command; options stand behind it: *
[status 125]
$ pcl --help >/dev/full
pcl: standard output: No space left on device
[status 125]
