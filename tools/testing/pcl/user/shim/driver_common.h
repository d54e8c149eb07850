/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands in for include/linux/perf_event.h and the kernel around a driver, whatever its architecture; what is one
 * architecture's stands in a header of that name in a directory of its own.
 *
 * The structs that the engine and a driver share are cut out of the real header by the runner (perf_driver_structs.h);
 * struct perf_event has the members that a driver may touch. What the files call is answered by the test, which is the
 * machine around them.
 */
#ifndef PCL_SHIM_DRIVER_COMMON_H
#define PCL_SHIM_DRIVER_COMMON_H

#include <uapi/linux/pcl.h>

#define CONFIG_PERF_EVENTS	1

void shim_say(const char *format, ...);

#define __initconst
#define __ro_after_init
#define NOKPROBE_SYMBOL(name)	struct pcl_shim_export
#define pr_info(...)		shim_say(__VA_ARGS__)
#define pr_info_once(...)	shim_say(__VA_ARGS__)
#define pr_warn_once(...)	shim_say(__VA_ARGS__)
#define pr_err(...)		shim_complain(__VA_ARGS__)
#define GFP_KERNEL		0
#define kcalloc(n, size, flags)	calloc(n, size)
#define kfree(p)		free(p)
#define array_index_nospec(i, n) (i)
#define clamp_t(type, v, lo, hi) clamp((type)(v), (type)(lo), (type)(hi))
/* Somebody else may come right before. */
#define cmpxchg(p, old, new) ({							\
	__typeof__(*(p)) found_;						\
										\
	pcl_shim_step();							\
	found_ = *(p);								\
	if (found_ == (old))							\
		*(p) = (new);							\
	found_; })
#define DEFINE_MUTEX(name)	struct mutex name
#define mutex_lock(m)		((void)(m))
#define mutex_unlock(m)		((void)(m))
#define cpus_read_lock()	do { } while (0)
#define cpus_read_unlock()	do { } while (0)
#define local_irq_save(flags)	((flags) = 0)
#define local_irq_restore(flags) ((void)(flags))

/* CPUs 0 and 1, threads of one core. The linker gathers what each has of its own; CPU 1's is a copy of that. */
#define SHIM_CPUS	2
extern unsigned int shim_cpu;	/* the one that runs */
extern char shim_second_cpu[];
extern char __start_shim_percpu[], __stop_shim_percpu[];

static inline void *shim_per_cpu_ptr(void *p, unsigned int cpu)
{
	return cpu ? shim_second_cpu + ((char *)p - __start_shim_percpu) : p;
}

#define SHIM_PER_CPU				__attribute__((__section__("shim_percpu")))
#define DEFINE_PER_CPU(type, name)		SHIM_PER_CPU type name
#define DEFINE_PER_CPU_PAGE_ALIGNED(type, name)	SHIM_PER_CPU type name
#define per_cpu_ptr(p, cpu)	((__typeof__(p))shim_per_cpu_ptr(p, cpu))
#define per_cpu(var, cpu)	(*per_cpu_ptr(&(var), cpu))
#undef this_cpu_ptr
#define this_cpu_ptr(p)		per_cpu_ptr(p, shim_cpu)
#define this_cpu_read(var)	(*this_cpu_ptr(&(var)))
#define smp_processor_id()	shim_cpu
#define on_each_cpu(function, data, wait) (function)(data)
#define smp_call_function_single(cpu, function, data, wait) do {		\
	unsigned int was_ = shim_cpu;						\
										\
	shim_cpu = (cpu);							\
	(function)(data);							\
	shim_cpu = was_;							\
} while (0)

/* Time: jiffies are the test's; a microsecond passes when the driver says so. */
extern unsigned long jiffies;
#define msecs_to_jiffies(ms)	((unsigned long)(ms))
#define time_before(a, b)	((long)((a) - (b)) < 0)
#define sched_clock()		0ULL
void udelay(unsigned long us);
bool in_nmi(void);

/* Initcalls are noted with their level; the test runs them in the kernel's order. */
enum { SHIM_PURE, SHIM_EARLY, SHIM_CORE, SHIM_POSTCORE, SHIM_DEVICE, SHIM_LEVELS };
void shim_initcall(unsigned int level, int (*call)(void));
#define SHIM_INITCALL(level, call) \
	static void __attribute__((__constructor__)) shim_##call(void) { shim_initcall(level, call); } \
	struct pcl_shim_export
#define pure_initcall(call)	SHIM_INITCALL(SHIM_PURE, call)
#define early_initcall(call)	SHIM_INITCALL(SHIM_EARLY, call)
#define postcore_initcall(call)	SHIM_INITCALL(SHIM_POSTCORE, call)
#define device_initcall(call)	SHIM_INITCALL(SHIM_DEVICE, call)

int cpuhp_setup_state(int state, const char *name, int (*up)(unsigned int cpu), int (*down)(unsigned int cpu));

static inline int atomic_read(const atomic_t *a)
{
	return a->counter;
}

static inline void atomic_inc(atomic_t *a)
{
	a->counter++;
}

static inline void atomic_dec(atomic_t *a)
{
	a->counter--;
}

static inline bool atomic_add_unless(atomic_t *a, int n, int unless)
{
	if (a->counter == unless)
		return false;
	a->counter += n;
	return true;
}

/* local64_t: interrupted at each access, as local_t in shim/kernel.h */
static inline s64 local64_read(const local64_t *l)
{
	s64 value;

	pcl_shim_step();
	value = READ_ONCE(l->counter);
	pcl_shim_step();
	return value;
}

static inline void local64_set(local64_t *l, s64 value)
{
	l->counter = value;
}

static inline void local64_add(s64 n, local64_t *l)
{
	pcl_shim_step();
	l->counter = (s64)((u64)l->counter + (u64)n);
	pcl_shim_step();
}

static inline void local64_sub(s64 n, local64_t *l)
{
	local64_add((s64)(0 - (u64)n), l);
}

static inline s64 local64_cmpxchg(local64_t *l, s64 old, s64 new)
{
	s64 found;

	pcl_shim_step();
	found = l->counter;
	if (found == old)
		l->counter = new;
	pcl_shim_step();
	return found;
}

#define sign_extend64(value, bit) ((s64)((u64)(value) << (63 - (bit))) >> (63 - (bit)))

struct attribute_group;
struct device;
struct kmem_cache;
struct mm_struct;
struct module;
struct perf_event;
struct perf_event_context;
struct perf_output_handle;
struct pt_regs;
struct task_struct;

#define PERF_ATTACH_TASK	BIT(2)
#define PERF_EV_CAP_TASK	BIT(3)

enum { perf_hw_context = 0 };
enum { PERF_EVENT_STATE_ACTIVE = 1, PERF_EVENT_STATE_INACTIVE = 0, PERF_EVENT_STATE_OFF = -1, PERF_EVENT_STATE_ERROR = -2 };

struct perf_callchain_entry;
struct perf_raw_record;
struct perf_regs {
	u64 abi;
	struct pt_regs *regs;
};
#define ____cacheline_aligned

/* Nothing known of a memory access */
#define PERF_MEM_NA	(PERF_MEM_S(TLB, NA) | PERF_MEM_S(LOCK, NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LVL, NA) | \
			 PERF_MEM_S(OP, NA))

#include "perf_driver_structs.h"

struct perf_event {
	struct perf_event_attr attr;
	struct pmu *pmu;
	struct hw_perf_event hw;
	void (*destroy)(struct perf_event *event);
	struct perf_event *group_leader;
	struct perf_event *parent;	/* of a copy: what it is a copy of */
	struct list_head sibling_list;
	int state;
	unsigned int attach_state;
	int event_caps;
	local64_t count;
	enum pcl_reason refused;	/* the last reason given */
};

#define for_each_sibling_event(sibling, leader) \
	if ((leader)->group_leader == (leader)) \
		list_for_each_entry(sibling, &(leader)->sibling_list, sibling_list)

static inline void perf_sample_data_init(struct perf_sample_data *data, u64 addr, u64 period)
{
	data->period = period;
	data->sample_flags = PERF_SAMPLE_PERIOD;
	if (addr) {
		data->sample_flags |= PERF_SAMPLE_ADDR;
		data->addr = addr;
	}
}

static inline void perf_clear_branch_entry_bitfields(struct perf_branch_entry *entry)
{
	u64 from = entry->from, to = entry->to;

	*entry = (struct perf_branch_entry){ .from = from, .to = to };
}

static inline bool is_sampling_event(struct perf_event *event)
{
	return event->attr.sample_period != 0;
}

static inline bool has_branch_stack(struct perf_event *event)
{
	return event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK;
}

int perf_event_allow_cpu(struct perf_event *event, enum pcl_reason reason);
int perf_pmu_register(struct pmu *pmu, const char *name, int type);
int perf_event_refuse(struct perf_event *event, enum pcl_reason reason);
int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
void perf_event_update_userpage(struct perf_event *event);
void perf_event_update_usercounter(struct perf_event *event);
struct perf_callchain_entry *perf_callchain(struct perf_event *event, struct pt_regs *regs);
void perf_sample_event_took(u64 ns);
void perf_pmu_resched(struct pmu *pmu);
void shim_complain(const char *format, ...);

#endif
