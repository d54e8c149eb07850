/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's environment for engine files that are built in user space: included before everything else.
 *
 * Types that the data layer handles are real; those that it only names in structs it never touches are empty.
 */
#ifndef PCL_SHIM_KERNEL_H
#define PCL_SHIM_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <linux/types.h>
#include <linux/list.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define __user
#define __percpu
#define __rcu
#define __force
#define __iomem
#define __init
#define __read_mostly
#define __always_unused	__attribute__((__unused__))
#define __maybe_unused	__attribute__((__unused__))
#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define fallthrough	__attribute__((__fallthrough__))
#define noinline	__attribute__((__noinline__))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define GENMASK(h, l)	(((~0UL) << (l)) & (~0UL >> (sizeof(long) * 8 - 1 - (h))))
#define GENMASK_ULL(h, l) (((~0ULL) << (l)) & (~0ULL >> (63 - (h))))
#define min(a, b)	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b)	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define swap(a, b)	do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define ALIGN(x, a)	(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define IS_ENABLED(option) 1	/* whatever the sources can have */
#define EXPORT_SYMBOL(name) struct pcl_shim_export
#define EXPORT_SYMBOL_GPL(name) struct pcl_shim_export
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), "BUILD_BUG_ON(" #condition ")")
/* One thread, and who calls from where is up to the model. */
#define lockdep_assert_irqs_disabled()	do { } while (0)

#define WARN_ON_ONCE(condition) ({						\
	int warned_ = !!(condition);						\
	if (warned_) {								\
		fprintf(stderr, "# %s:%d: warning: %s\n", __FILE__, __LINE__, #condition); \
		abort();							\
	}									\
	warned_; })
#define hweight64(x)	((unsigned int)__builtin_popcountll(x))
#define hweight32(x)	((unsigned int)__builtin_popcount(x))
#define fls(x)		((x) ? 32 - __builtin_clz(x) : 0)

#define READ_ONCE(x)	(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define rcu_dereference_protected(p, condition) (p)
#define barrier()	__asm__ __volatile__("" ::: "memory")
#define smp_wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define this_cpu_ptr(p)	(p)
#define DECLARE_PER_CPU(type, name) extern type name

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;
typedef struct { s64 counter; } atomic64_t;
typedef struct { s64 counter; } local64_t;
typedef struct { int refs; } refcount_t;
typedef struct { char none; } raw_spinlock_t;
typedef struct { char none; } spinlock_t;
typedef unsigned int __poll_t;
typedef int (*pcl_shim_function)(void);

struct mutex { char none; };
struct rcu_head { char none; };
struct hrtimer { unsigned int (*function)(struct hrtimer *timer); };
struct irq_work { char none; };
struct callback_head { char none; };
typedef struct { char none; } wait_queue_head_t;

/*
 * local_t. A test may interrupt the code at each access by setting pcl_shim_interrupt, as an interrupt or NMI would:
 * that is how nested writers are tested without threads or chance.
 */
typedef struct { long counter; } local_t;

extern void (*pcl_shim_interrupt)(void);

static inline void pcl_shim_step(void)
{
	if (pcl_shim_interrupt)
		pcl_shim_interrupt();
}

static inline long local_read(const local_t *l)
{
	long value;

	pcl_shim_step();
	value = READ_ONCE(l->counter);
	pcl_shim_step();
	return value;
}

static inline void local_set(local_t *l, long value)
{
	l->counter = value;
}

static inline long local_cmpxchg(local_t *l, long old, long new)
{
	long found;

	pcl_shim_step();
	found = l->counter;
	if (found == old)
		l->counter = new;
	pcl_shim_step();
	return found;
}

static inline long local_xchg(local_t *l, long new)
{
	long found = l->counter;

	l->counter = new;
	pcl_shim_step();
	return found;
}

/* Two's complement, as in the kernel: overflow wraps. */
static inline void local_add(long n, local_t *l)
{
	pcl_shim_step();
	l->counter = (long)((unsigned long)l->counter + (unsigned long)n);
	pcl_shim_step();
}

static inline void local_sub(long n, local_t *l)
{
	local_add((long)(0 - (unsigned long)n), l);
}

static inline void local_inc(local_t *l)
{
	local_add(1, l);
}

static inline long local_inc_return(local_t *l)
{
	long value = l->counter + 1;

	l->counter = value;
	pcl_shim_step();
	return value;
}

#endif
