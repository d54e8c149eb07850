/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sample: what sample.c, which has the table of fields, takes from the files of single fields.
 *
 * fill: the value of a word that no driver has filled. measure: fill @data, and say how many bytes the field takes
 * beyond what was known at open; @size is what the sample takes without them. write: exactly as many as were measured.
 */
#ifndef _KERNEL_EVENTS_SAMPLE_H
#define _KERNEL_EVENTS_SAMPLE_H

#include "output.h"

/* The size of a record has 16 bits and is a multiple of 8. */
#define PCL_RECORD_LIMIT (U16_MAX & ~7U)

/* sample_memory.c */
u64 pcl_phys_addr_fill(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
u64 pcl_data_page_size_fill(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
u64 pcl_code_page_size_fill(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);

/* sample_user.c */
unsigned int pcl_regs_user_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				   unsigned int size);
void pcl_regs_user_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data);
unsigned int pcl_stack_user_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				    unsigned int size);
void pcl_stack_user_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data);
unsigned int pcl_regs_intr_known(const struct perf_event_attr *attr);	/* bytes, at open */
unsigned int pcl_regs_intr_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
				   unsigned int size);
void pcl_regs_intr_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data);

/* aux_group.c */
unsigned int pcl_aux_known(const struct perf_event_attr *attr);		/* bytes, at open */
unsigned int pcl_aux_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
			     unsigned int size);
void pcl_aux_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data);

#endif /* _KERNEL_EVENTS_SAMPLE_H */
