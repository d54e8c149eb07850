// SPDX-License-Identifier: GPL-2.0
/*
 * Sideband: what happens to tasks and their memory, collected so that samples can be understood later.
 *
 * Concepts: the rest of the kernel calls the hooks here. If some event wants the record, what it needs is collected
 * once, names included, and record.c writes it for each event that wants it. Not built yet: records of namespaces,
 * kernel symbols, BPF programs and changed kernel text; their hooks do nothing.
 *
 * Contexts: hooks in process context of the task concerned; perf_event_mmap() with mm->mmap_lock held, and may
 * allocate.
 * Locks: none of ours.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>

#include "record.h"

/* Names are padded with zeros to whole words. */
static u16 padded_size(char *name)
{
	size_t size = strlen(name) + 1;

	while (size % sizeof(u64))
		name[size++] = 0;
	return size;
}

/* @task has a new name; @exec: because it runs another program. */
void perf_event_comm(struct task_struct *task, bool exec)
{
	struct pcl_record what = { .kind = PCL_RECORD_COMM, .task = task };
	char name[ALIGN(TASK_COMM_LEN, sizeof(u64))];

	if (!pcl_record_wanted(PCL_RECORD_COMM))
		return;
	strscpy(name, task->comm, sizeof(name));
	what.name = name;
	what.name_size = padded_size(name);
	what.misc = exec ? PERF_RECORD_MISC_COMM_EXEC : 0;
	pcl_record_send(&what, NULL);
}

/* The current task has made @task, which has not run yet. */
void perf_event_fork(struct task_struct *task)
{
	pcl_record_task(task, NULL, true);
	perf_event_namespaces(task);
}

/* ---- mappings ---- */

static u32 prot_of(const struct vm_area_struct *vma)
{
	return (vma->vm_flags & VM_READ ? PROT_READ : 0) | (vma->vm_flags & VM_WRITE ? PROT_WRITE : 0) |
	       (vma->vm_flags & VM_EXEC ? PROT_EXEC : 0);
}

static u32 flags_of(struct vm_area_struct *vma)
{
	return (vma->vm_flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE) |
	       (vma->vm_flags & VM_LOCKED ? MAP_LOCKED : 0) | (is_vm_hugetlb_page(vma) ? MAP_HUGETLB : 0);
}

/* What a mapping without a file is called. */
static const char *name_of_anonymous(struct vm_area_struct *vma)
{
	const struct mm_struct *mm = vma->vm_mm;
	const char *name = NULL;

	if (vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name(vma);
	if (!name)
		name = arch_vma_name(vma);
	if (name)
		return name;
	if (vma->vm_start <= mm->start_brk && vma->vm_end >= mm->brk)
		return "[heap]";
	if (vma->vm_start <= mm->start_stack && vma->vm_end >= mm->start_stack)
		return "[stack]";
	return "//anon";
}

/* The mapping's name, in @path if it is long, else copied to @small, so that either can be padded. */
static char *name_of(struct vm_area_struct *vma, char *path, char *small, size_t small_size)
{
	const char *name;
	char *found;

	if (!vma->vm_file) {
		name = name_of_anonymous(vma);
	} else if (!path) {
		name = "//enomem";
	} else {
		found = file_path(vma->vm_file, path, PATH_MAX - sizeof(u64));
		if (!IS_ERR(found))
			return found;
		name = "//toolong";
	}
	strscpy_pad(small, name, small_size);
	return small;
}

/* The current process has mapped @vma, or made it executable. */
void perf_event_mmap(struct vm_area_struct *vma)
{
	struct pcl_record what = { .kind = PCL_RECORD_MMAP, .misc = PERF_RECORD_MISC_USER };
	char *path = NULL, *name, small[16];

	if (!pcl_record_wanted(PCL_RECORD_MMAP))
		return;

	what.map.start = vma->vm_start;
	what.map.len = vma->vm_end - vma->vm_start;
	what.map.offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	what.map.prot = prot_of(vma);
	what.map.flags = flags_of(vma);
	if (!(vma->vm_flags & VM_EXEC))
		what.misc |= PERF_RECORD_MISC_MMAP_DATA;

	if (vma->vm_file)
		path = kmalloc(PATH_MAX, GFP_KERNEL);
	if (path) {
		struct inode *inode = file_inode(vma->vm_file);

		what.map.major = MAJOR(inode->i_sb->s_dev);
		what.map.minor = MINOR(inode->i_sb->s_dev);
		what.map.inode = inode->i_ino;
		what.map.generation = inode->i_generation;
	}
	name = name_of(vma, path, small, sizeof(small));
	what.name = name;
	what.name_size = padded_size(name);
	pcl_record_send(&what, NULL);
	kfree(path);
}

/* ---- not built yet: accepted at open or refused there, see the table of reasons ---- */

void perf_event_namespaces(struct task_struct *task)
{
}

void perf_event_ksymbol(u16 ksym_type, u64 addr, u32 len, bool unregister, const char *sym)
{
}

void perf_event_bpf_event(struct bpf_prog *prog, enum perf_bpf_event_type type, u16 flags)
{
}

void perf_event_text_poke(const void *addr, const void *old_bytes, size_t old_len, const void *new_bytes,
			  size_t new_len)
{
}
