/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands: each takes its own arguments and returns the exit status.
 */
#ifndef PCL_COMMANDS_H
#define PCL_COMMANDS_H

int cmd_stat(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_annotate(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_script(int argc, char **argv);

#endif /* PCL_COMMANDS_H */
