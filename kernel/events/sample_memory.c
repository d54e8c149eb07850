// SPDX-License-Identifier: GPL-2.0
/*
 * Memory in a sample: PHYS_ADDR, DATA_PAGE_SIZE, CODE_PAGE_SIZE.
 *
 * Concepts: a sample knows a virtual address, that of the data it tells of or that of the instruction. Here it becomes
 * a physical one, or the size of the page that maps it. 0 says that there is no such address, or that nothing maps it
 * now: nothing is faulted in for the sake of a sample.
 *
 * The page tables that translate are those of the running task, the kernel's own if it has none. With IRQs off they
 * stay where they are, whatever other CPUs do: who frees a page table first waits for all CPUs that may be looking at
 * it. So each entry is read once, and what it points to is there; what it says may be out of date a moment later.
 *
 * Contexts: any, NMI included. Locks: none.
 */
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/uaccess.h>

#include "sample.h"

/* ---- virtual to physical ---- */

/* What is mapped at a fixed distance: not vmalloc's, not a module. */
static u64 kernel_phys_addr(u64 addr)
{
	bool is_vmalloc = addr >= VMALLOC_START && addr < VMALLOC_END;
	void *at = (void *)(unsigned long)addr;

	return !is_vmalloc && virt_addr_valid(at) ? virt_to_phys(at) : 0;
}

/* The reference is for a moment only: the page may be another's when the reader sees the address. */
static u64 user_phys_addr(u64 addr)
{
	struct page *page;
	u64 phys_addr = 0;

	if (!current->mm)
		return 0;
	pagefault_disable();
	if (get_user_page_fast_only(addr, 0, &page)) {
		phys_addr = page_to_phys(page) + offset_in_page(addr);
		put_page(page);
	}
	pagefault_enable();
	return phys_addr;
}

/* The address of the data, if there is one. */
static u64 data_addr(const struct perf_sample_data *data)
{
	return data->sample_flags & PERF_SAMPLE_ADDR ? data->addr : 0;
}

u64 pcl_phys_addr_fill(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	u64 addr = data_addr(data);

	if (!addr)
		return 0;
	return addr < TASK_SIZE ? user_phys_addr(addr) : kernel_phys_addr(addr);
}

/* ---- the size of a page ---- */

#ifdef CONFIG_HAVE_FAST_GUP
static u64 size_by_pte(pmd_t pmd, unsigned long addr)
{
	pte_t *ptep = pte_offset_map(&pmd, addr);
	pte_t pte = ptep_get_lockless(ptep);
	u64 size = pte_present(pte) ? pte_leaf_size(pte) : 0;

	pte_unmap(ptep);
	return size;
}

static u64 size_by_pmd(pud_t *pudp, pud_t pud, unsigned long addr)
{
	pmd_t pmd = READ_ONCE(*pmd_offset_lockless(pudp, pud, addr));

	if (!pmd_present(pmd))
		return 0;
	return pmd_leaf(pmd) ? pmd_leaf_size(pmd) : size_by_pte(pmd, addr);
}

static u64 size_by_pud(p4d_t *p4dp, p4d_t p4d, unsigned long addr)
{
	pud_t *pudp = pud_offset_lockless(p4dp, p4d, addr);
	pud_t pud = READ_ONCE(*pudp);

	if (!pud_present(pud))
		return 0;
	return pud_leaf(pud) ? pud_leaf_size(pud) : size_by_pmd(pudp, pud, addr);
}

static u64 size_by_p4d(pgd_t *pgdp, pgd_t pgd, unsigned long addr)
{
	p4d_t *p4dp = p4d_offset_lockless(pgdp, pgd, addr);
	p4d_t p4d = READ_ONCE(*p4dp);

	if (!p4d_present(p4d))
		return 0;
	return p4d_leaf(p4d) ? p4d_leaf_size(p4d) : size_by_pud(p4dp, p4d, addr);
}

/* IRQs off */
static u64 size_by_tables(struct mm_struct *mm, unsigned long addr)
{
	pgd_t *pgdp = pgd_offset(mm, addr);
	pgd_t pgd = READ_ONCE(*pgdp);

	lockdep_assert_irqs_disabled();
	if (pgd_none(pgd))
		return 0;
	return pgd_leaf(pgd) ? pgd_leaf_size(pgd) : size_by_p4d(pgdp, pgd, addr);
}
#else
static u64 size_by_tables(struct mm_struct *mm, unsigned long addr)
{
	return 0;	/* this architecture's tables may go while they are looked at */
}
#endif

static u64 size_of_page_at(u64 addr)
{
	unsigned long flags;
	u64 size;

	if (!addr)
		return 0;
	local_irq_save(flags);
	size = size_by_tables(current->mm ? current->mm : &init_mm, addr);
	local_irq_restore(flags);
	return size;
}

u64 pcl_data_page_size_fill(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return size_of_page_at(data_addr(data));
}

u64 pcl_code_page_size_fill(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return size_of_page_at(perf_instruction_pointer(regs));
}
