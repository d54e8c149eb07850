// SPDX-License-Identifier: GPL-2.0
/*
 * Record kinds: what stands in each record but the sample, and who wants it: one table.
 *
 * Concepts: a record begins with a head of a few words, which may differ from event to event: numbers as its opener
 * sees them, its own id (the kind's @fill). What is the same for all follows (the parts of struct pcl_record), and the
 * sample_id trailer ends it, which says whose it is and when it was written. record.c decides who gets a record and
 * writes it; LOST alone is written by output.c, in the room of the record that comes after it.
 *
 * Contexts: any, NMI included.
 * Locks: none.
 */
#include <linux/mman.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>

#include "output.h"
#include "record.h"

/* ---- who is who ---- */

/*
 * The number of @task in the namespace of who opened the event; 0 for what cannot be seen from there, ~0 for a task
 * that has given its number back.
 */
static u32 pid_number(struct perf_event *event, struct task_struct *task, enum pid_type type)
{
	struct perf_event *origin = event->parent ? event->parent : event;
	u32 number;

	/* Mostly the first name space, whose numbers a task that has them keeps beside it. */
	if (likely(origin->ns == &init_pid_ns && pid_alive(task)))
		return type == PIDTYPE_TGID ? task->tgid : READ_ONCE(task->pid);
	number = __task_pid_nr_ns(task, type, origin->ns);
	return number || pid_alive(task) ? number : ~0U;
}

u32 pcl_output_pid(struct perf_event *event, struct task_struct *task)
{
	return pid_number(event, task, PIDTYPE_TGID);
}

u32 pcl_output_tid(struct perf_event *event, struct task_struct *task)
{
	return pid_number(event, task, PIDTYPE_PID);
}

/* The words of the sample_id trailer, in the order of the ABI. @task: whom the record is about, mostly current. */
unsigned int pcl_output_trailer(struct perf_event *event, struct task_struct *task, u64 *words)
{
	u64 type = event->attr.sample_type;
	unsigned int n = 0;

	if (!event->attr.sample_id_all)
		return 0;
	if (type & PERF_SAMPLE_TID)
		words[n++] = pcl_pair(pcl_output_pid(event, task), pcl_output_tid(event, task));
	if (type & PERF_SAMPLE_TIME)
		words[n++] = pcl_event_clock(event);
	if (type & PERF_SAMPLE_ID)
		words[n++] = pcl_output_id(event);
	if (type & PERF_SAMPLE_STREAM_ID)
		words[n++] = event->id;
	if (type & PERF_SAMPLE_CPU)
		words[n++] = pcl_pair(raw_smp_processor_id(), 0);
	if (type & PERF_SAMPLE_IDENTIFIER)
		words[n++] = pcl_output_id(event);
	return n;
}

/* ---- who wants what ---- */

static bool wants_task(const struct perf_event_attr *attr)
{
	return attr->task || attr->comm || attr->mmap || attr->mmap2 || attr->mmap_data;
}

static bool wants_comm(const struct perf_event_attr *attr)
{
	return attr->comm;
}

static bool wants_namespaces(const struct perf_event_attr *attr)
{
	return attr->namespaces;
}

static bool wants_mmap(const struct perf_event_attr *attr)
{
	return attr->mmap || attr->mmap2 || attr->mmap_data;
}

static bool suits_mmap(const struct perf_event_attr *attr, const struct pcl_record *what)
{
	return what->map.prot & PROT_EXEC ? attr->mmap || attr->mmap2 : attr->mmap_data;
}

static bool wants_switch(const struct perf_event_attr *attr)
{
	return attr->context_switch;
}

static bool wants_ksymbol(const struct perf_event_attr *attr)
{
	return attr->ksymbol;
}

static bool wants_bpf_event(const struct perf_event_attr *attr)
{
	return attr->bpf_event;
}

static bool wants_cgroup(const struct perf_event_attr *attr)
{
	return attr->cgroup;
}

static bool wants_text_poke(const struct perf_event_attr *attr)
{
	return attr->text_poke;
}

static bool wants_deferred(const struct perf_event_attr *attr)
{
	return attr->defer_output;
}

/* ---- what stands in it ---- */

static void put(struct pcl_record_head *head, u64 word)
{
	head->words[head->nr++] = word;
}

static void put_task(struct pcl_record_head *head, struct perf_event *event, struct task_struct *task)
{
	put(head, pcl_pair(pcl_output_pid(event, task), pcl_output_tid(event, task)));
}

/* pid, ppid, tid, ptid, time */
static void fill_task(struct pcl_record_head *head, struct perf_event *event, struct task_struct *task, u32 ppid,
		      u32 ptid)
{
	put(head, pcl_pair(pcl_output_pid(event, task), ppid));
	put(head, pcl_pair(pcl_output_tid(event, task), ptid));
	put(head, pcl_event_clock(event));
}

static void fill_fork(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	fill_task(head, event, what->task, pcl_output_pid(event, current), pcl_output_tid(event, current));
}

/* The parent of a dying task is a process; no thread of it is meant. */
static void fill_exit(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	u32 parent = pcl_output_pid(event, rcu_dereference(what->task->real_parent));

	fill_task(head, event, what->task, parent, parent);
}

/* COMM, NAMESPACES, READ: whose they are */
static void fill_whose(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	put_task(head, event, what->task);
}

static void put_inode(struct pcl_record_head *head, const struct pcl_record *what)
{
	put(head, pcl_pair(what->map.major, what->map.minor));
	put(head, what->map.inode);
	put(head, what->map.generation);
}

static void put_build_id(struct pcl_record_head *head, const struct pcl_build_id *build_id)
{
	BUILD_BUG_ON(sizeof(*build_id) != 3 * sizeof(u64));
	memcpy(head->words + head->nr, build_id, sizeof(*build_id));
	head->nr += 3;
	head->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
}

static void fill_mmap(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	put_task(head, event, current);
	put(head, what->map.start);
	put(head, what->map.len);
	put(head, what->map.offset);
	if (!event->attr.mmap2)
		return;
	head->header.type = PERF_RECORD_MMAP2;
	if (event->attr.build_id && what->map.build_id)
		put_build_id(head, what->map.build_id);
	else
		put_inode(head, what);
	put(head, pcl_pair(what->map.prot, what->map.flags));
}

/* Only who may see the whole CPU learns who comes after, or came before. */
static void fill_switch(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	if (event->ctx->cpu < 0)
		return;
	head->header.type = PERF_RECORD_SWITCH_CPU_WIDE;
	put_task(head, event, what->other);
}

static void fill_throttle(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	if (!what->value)
		head->header.type = PERF_RECORD_UNTHROTTLE;
	put(head, pcl_event_clock(event));
	put(head, pcl_output_id(event));
	put(head, event->id);
}

static void fill_lost(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	put(head, event->id);
	put(head, what->value);
}

static void fill_lost_samples(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	put(head, what->value);
}

const struct pcl_record_row pcl_record_rows[PCL_RECORD_KINDS] = {
	[PCL_RECORD_FORK]	  = { PERF_RECORD_FORK, wants_task, NULL, fill_fork },
	[PCL_RECORD_EXIT]	  = { PERF_RECORD_EXIT, wants_task, NULL, fill_exit },
	[PCL_RECORD_COMM]	  = { PERF_RECORD_COMM, wants_comm, NULL, fill_whose },
	[PCL_RECORD_NAMESPACES]	  = { PERF_RECORD_NAMESPACES, wants_namespaces, NULL, fill_whose },
	[PCL_RECORD_MMAP]	  = { PERF_RECORD_MMAP, wants_mmap, suits_mmap, fill_mmap },
	[PCL_RECORD_SWITCH]	  = { PERF_RECORD_SWITCH, wants_switch, NULL, fill_switch },
	[PCL_RECORD_KSYMBOL]	  = { PERF_RECORD_KSYMBOL, wants_ksymbol },
	[PCL_RECORD_BPF_EVENT]	  = { PERF_RECORD_BPF_EVENT, wants_bpf_event },
	[PCL_RECORD_CGROUP]	  = { PERF_RECORD_CGROUP, wants_cgroup },
	[PCL_RECORD_TEXT_POKE]	  = { PERF_RECORD_TEXT_POKE, wants_text_poke },
	[PCL_RECORD_CALLCHAIN_DEFERRED] = { PERF_RECORD_CALLCHAIN_DEFERRED, wants_deferred },
	[PCL_RECORD_THROTTLE]	  = { PERF_RECORD_THROTTLE, NULL, NULL, fill_throttle },
	[PCL_RECORD_LOST]	  = { PERF_RECORD_LOST, NULL, NULL, fill_lost },
	[PCL_RECORD_LOST_SAMPLES] = { PERF_RECORD_LOST_SAMPLES, NULL, NULL, fill_lost_samples },
	[PCL_RECORD_READ]	  = { PERF_RECORD_READ, NULL, NULL, fill_whose },
	[PCL_RECORD_AUX]	  = { PERF_RECORD_AUX },
	[PCL_RECORD_ITRACE_START] = { PERF_RECORD_ITRACE_START, NULL, NULL, fill_whose },
	[PCL_RECORD_OUTPUT_ID]	  = { PERF_RECORD_AUX_OUTPUT_HW_ID },
};

/* ---- whole ---- */

/**
 * pcl_record_make - make of a record what differs from event to event
 * @head: filled in
 * @event: whose record it is
 * @what: what happened
 *
 * Return: the bytes of head and trailer.
 */
unsigned int pcl_record_make(struct pcl_record_head *head, struct perf_event *event, const struct pcl_record *what)
{
	const struct pcl_record_row *kind = &pcl_record_rows[what->kind];
	struct task_struct *whose = what->kind == PCL_RECORD_READ ? what->task : current;

	head->header = (struct perf_event_header){ .type = kind->type, .misc = what->misc };
	head->nr = 0;
	if (kind->fill)
		kind->fill(head, event, what);
	head->nr_trailer = pcl_output_trailer(event, whose, head->trailer);
	return sizeof(head->header) + (head->nr + head->nr_trailer) * sizeof(u64);
}
