// SPDX-License-Identifier: GPL-2.0
/*
 * Sideband: what happens to tasks and their memory, collected so that samples can be understood later.
 *
 * Concepts: the rest of the kernel calls the hooks here. Each asks whether some event wants the record; if so, what it
 * needs is collected once, names included (tell_*), and record.c writes it for each event that wants it. What is told
 * of the kernel itself (symbols, BPF programs, changed text) may come from any task: it goes to the events of that task
 * and of its CPU.
 *
 * Contexts: hooks in process context of the task concerned; perf_event_mmap() with mm->mmap_lock held, and may
 * allocate. Those of the kernel itself do not sleep; perf_event_text_poke() is called with text_mutex, between two
 * steps of a change of code.
 * Locks: none of ours.
 */
#include <linux/bpf.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/path.h>
#include <linux/proc_ns.h>
#include <linux/slab.h>

#include "record.h"

/* ---- names ---- */

static void tell_comm(struct task_struct *task, bool exec)
{
	struct pcl_record what = { .kind = PCL_RECORD_COMM, .task = task };
	char name[TASK_COMM_LEN];

	strscpy(name, task->comm, sizeof(name));
	pcl_record_add_name(&what, name);
	what.misc = exec ? PERF_RECORD_MISC_COMM_EXEC : 0;
	pcl_record_send(&what, NULL);
}

/* @task has a new name; @exec: because it runs another program. */
void perf_event_comm(struct task_struct *task, bool exec)
{
	if (pcl_record_wanted(PCL_RECORD_COMM))
		tell_comm(task, exec);
}

/* ---- namespaces ---- */

/* By the numbers of the ABI; NULL: this kernel has none of the kind. */
static const struct proc_ns_operations *const namespaces[NR_NAMESPACES] = {
	[NET_NS_INDEX]	  = IS_ENABLED(CONFIG_NET_NS) ? &netns_operations : NULL,
	[UTS_NS_INDEX]	  = IS_ENABLED(CONFIG_UTS_NS) ? &utsns_operations : NULL,
	[IPC_NS_INDEX]	  = IS_ENABLED(CONFIG_IPC_NS) ? &ipcns_operations : NULL,
	[PID_NS_INDEX]	  = IS_ENABLED(CONFIG_PID_NS) ? &pidns_operations : NULL,
	[USER_NS_INDEX]	  = IS_ENABLED(CONFIG_USER_NS) ? &userns_operations : NULL,
	[MNT_NS_INDEX]	  = &mntns_operations,
	[CGROUP_NS_INDEX] = IS_ENABLED(CONFIG_CGROUPS) ? &cgroupns_operations : NULL,
};

/* Device and inode as stat(2) tells them of a file in /proc/PID/ns; zeros if there is none. */
static struct perf_ns_link_info namespace_link(struct task_struct *task, const struct proc_ns_operations *ops)
{
	struct perf_ns_link_info link = {};
	struct path path;

	if (!ops || ns_get_path(&path, task, ops))
		return link;
	link.dev = new_encode_dev(d_inode(path.dentry)->i_sb->s_dev);
	link.ino = d_inode(path.dentry)->i_ino;
	path_put(&path);
	return link;
}

static void tell_namespaces(struct task_struct *task)
{
	struct pcl_record what = { .kind = PCL_RECORD_NAMESPACES, .task = task };
	struct {
		u64 nr;
		struct perf_ns_link_info links[NR_NAMESPACES];
	} body = { .nr = NR_NAMESPACES };
	int i;

	for (i = 0; i < NR_NAMESPACES; i++)
		body.links[i] = namespace_link(task, namespaces[i]);
	pcl_record_add(&what, &body, sizeof(body));
	pcl_record_send(&what, NULL);
}

/* @task, the current one or one that it has just made, is in other namespaces now, or has begun to be in some. */
void perf_event_namespaces(struct task_struct *task)
{
	if (pcl_record_wanted(PCL_RECORD_NAMESPACES))
		tell_namespaces(task);
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

/* The mapping's name, in @path if it is a file's. */
static const char *name_of(struct vm_area_struct *vma, char *path)
{
	const char *name;

	if (!vma->vm_file)
		return name_of_anonymous(vma);
	if (!path)
		return "//enomem";
	name = file_path(vma->vm_file, path, PATH_MAX);
	return IS_ERR(name) ? "//toolong" : name;
}

/* Of an ELF file of which the first page is in memory. */
static int find_build_id(struct vm_area_struct *vma, struct pcl_build_id *build_id)
{
	u32 size = 0;
	int err = build_id_parse(vma, build_id->id, &size);

	build_id->size = size;
	return err;
}

static void tell_mmap(struct vm_area_struct *vma)
{
	struct pcl_record what = { .kind = PCL_RECORD_MMAP, .misc = PERF_RECORD_MISC_USER };
	struct pcl_build_id build_id = {};
	char *path = NULL;

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
	if (pcl_record_wanted_build_id() && !find_build_id(vma, &build_id))
		what.map.build_id = &build_id;
	pcl_record_add_name(&what, name_of(vma, path));
	pcl_record_send(&what, NULL);
	kfree(path);
}

/* The current process has mapped @vma, or made it executable. */
void perf_event_mmap(struct vm_area_struct *vma)
{
	if (atomic_read(&pcl_nr_file_filters))
		pcl_addr_filters_mapped(vma);
	if (pcl_record_wanted(PCL_RECORD_MMAP))
		tell_mmap(vma);
}

/* ---- the kernel itself ---- */

static void tell_ksymbol(u16 ksym_type, u64 addr, u32 len, bool unregister, const char *sym)
{
	struct pcl_record what = { .kind = PCL_RECORD_KSYMBOL };
	struct {
		u64 addr;
		u32 len;
		u16 type;
		u16 flags;
	} body = { addr, len, ksym_type, unregister ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0 };

	if (WARN_ONCE(ksym_type == PERF_RECORD_KSYMBOL_TYPE_UNKNOWN || ksym_type >= PERF_RECORD_KSYMBOL_TYPE_MAX,
		      "a kernel symbol of type %u, which nobody knows", ksym_type))
		return;
	pcl_record_add(&what, &body, sizeof(body));
	pcl_record_add_name(&what, sym);
	pcl_record_send(&what, NULL);
}

/* Code made at run time: @len bytes at @addr, to be called @sym, come, or go (@unregister). */
void perf_event_ksymbol(u16 ksym_type, u64 addr, u32 len, bool unregister, const char *sym)
{
	if (pcl_record_wanted(PCL_RECORD_KSYMBOL))
		tell_ksymbol(ksym_type, addr, len, unregister, sym);
}

static void tell_symbol_of(const struct bpf_prog *prog, bool unregister)
{
	tell_ksymbol(PERF_RECORD_KSYMBOL_TYPE_BPF, (unsigned long)prog->bpf_func, prog->jited_len, unregister,
		     prog->aux->ksym.name);
}

/* The program and its functions, of which it is the first itself. */
static void tell_symbols_of(const struct bpf_prog *prog, bool unregister)
{
	u32 i;

	tell_symbol_of(prog, unregister);
	for (i = 1; i < prog->aux->func_cnt; i++)
		tell_symbol_of(prog->aux->func[i], unregister);
}

static void tell_program(const struct bpf_prog *prog, enum perf_bpf_event_type type, u16 flags)
{
	struct pcl_record what = { .kind = PCL_RECORD_BPF_EVENT };
	struct {
		u16 type;
		u16 flags;
		u32 id;
		u8 tag[BPF_TAG_SIZE];
	} body = { type, flags, prog->aux->id };

	memcpy(body.tag, prog->tag, sizeof(body.tag));
	pcl_record_add(&what, &body, sizeof(body));
	pcl_record_send(&what, NULL);
}

/* @prog was loaded or is being unloaded. */
void perf_event_bpf_event(struct bpf_prog *prog, enum perf_bpf_event_type type, u16 flags)
{
	if (type != PERF_BPF_EVENT_PROG_LOAD && type != PERF_BPF_EVENT_PROG_UNLOAD)
		return;
	if (pcl_record_wanted(PCL_RECORD_KSYMBOL))
		tell_symbols_of(prog, type == PERF_BPF_EVENT_PROG_UNLOAD);
	if (pcl_record_wanted(PCL_RECORD_BPF_EVENT))
		tell_program(prog, type, flags);
}

static void tell_text_poke(const void *addr, const void *old_bytes, size_t old_len, const void *new_bytes,
			   size_t new_len)
{
	struct pcl_record what = { .kind = PCL_RECORD_TEXT_POKE, .misc = PERF_RECORD_MISC_KERNEL };
	struct {
		u64 addr;
		u16 old_len;
		u16 new_len;
	} __packed body = { (unsigned long)addr, old_len, new_len };

	pcl_record_add(&what, &body, sizeof(body));
	pcl_record_add(&what, old_bytes, old_len);
	pcl_record_add(&what, new_bytes, new_len);
	pcl_record_send(&what, NULL);
}

/* At @addr the kernel's code is about to change, or has just changed. A length of 0: there was, or will be, no code. */
void perf_event_text_poke(const void *addr, const void *old_bytes, size_t old_len, const void *new_bytes,
			  size_t new_len)
{
	if (pcl_record_wanted(PCL_RECORD_TEXT_POKE))
		tell_text_poke(addr, old_bytes, old_len, new_bytes, new_len);
}
