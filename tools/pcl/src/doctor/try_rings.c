// SPDX-License-Identifier: GPL-2.0
/*
 * Rings and limits: how much may be mapped, opened and sampled.
 *
 * Concepts: rings are mapped, twice as large each time, up to what pcl record
 * takes by default on each CPU and beyond, until the kernel refuses. A process
 * without CAP_IPC_LOCK has kernel.perf_event_mlock_kb for each CPU and what
 * RLIMIT_MEMLOCK gives.
 * Contexts: doctor, one thread; up to 64 MiB are locked for a moment.
 * Locks: none.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "doctor/doctor.h"

enum {
	USUAL_RING_KB = 512,	/* of pcl record */
	LARGEST_RING_KB = 65536,
	USUAL_HZ = 4000,
};

/* 0, or the errno. */
static int map_once(int fd, u64 bytes, int prot)
{
	size_t all = (size_t)(bytes + (u64)sysconf(_SC_PAGESIZE));
	void *p = mmap(NULL, all, prot, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return errno;
	munmap(p, all);
	return 0;
}

/* The largest ring that one descriptor gets. */
static void try_ring(struct findings *l)
{
	struct perf_event_attr attr = attr_sampling();
	struct trial t = TRIAL_SELF;
	struct finding *f = finding_try(l, "ring", &attr, &t);
	u64 kb, best = 0;
	int fd, err = 0;

	f->needed = true;
	if (f->verdict == FAILS)
		return;
	fd = trial_open(&attr, &t);
	if (fd < 0)
		return;
	for (kb = (u64)sysconf(_SC_PAGESIZE) >> 10; kb <= LARGEST_RING_KB; kb *= 2) {
		err = map_once(fd, kb << 10, PROT_READ | PROT_WRITE);
		if (err)
			break;
		best = kb;
	}
	close(fd);
	if (best < USUAL_RING_KB)
		f->verdict = best ? PARTLY : FAILS;
	finding_detail(f, "up to %llu KiB%s", (unsigned long long)best, err ? "" : " and more");
	if (best < USUAL_RING_KB)
		explain_ring(&f->x, err, USUAL_RING_KB << 10, 1);
}

/* A ring of the usual size on every CPU at once, as pcl record has them. */
static void try_all_rings(struct findings *l)
{
	struct perf_event_attr attr = attr_sampling();
	size_t all = (USUAL_RING_KB << 10) + (size_t)sysconf(_SC_PAGESIZE);
	struct int_list cpus = { 0 };
	struct trial t = TRIAL_SELF;
	struct finding *f = finding_try(l, "ring on each CPU", &attr, &t);
	unsigned int i, nr = 0;
	int *fd, err = 0;
	void **map;

	if (f->verdict == FAILS)
		return;
	cpus_online(&cpus);
	fd = mem_zalloc(cpus.nr, sizeof(*fd));
	map = mem_zalloc(cpus.nr, sizeof(*map));
	for (i = 0; i < cpus.nr && !err; i++) {
		t.cpu = cpus.v[i];
		fd[i] = trial_open(&attr, &t);
		map[i] = fd[i] < 0 ? MAP_FAILED :
			 mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, fd[i], 0);
		if (map[i] == MAP_FAILED)
			err = fd[i] < 0 ? -fd[i] : errno;
		nr += !err;
	}
	while (i--) {
		if (map[i] != MAP_FAILED)
			munmap(map[i], all);
		if (fd[i] >= 0)
			close(fd[i]);
	}
	finding_detail(f, "%u KiB on %u of %u CPUs", USUAL_RING_KB, nr, cpus.nr);
	if (nr < cpus.nr) {
		f->verdict = nr ? PARTLY : FAILS;
		explain_ring(&f->x, err, USUAL_RING_KB << 10, cpus.nr);
	}
	free(fd);
	free(map);
	int_list_free(&cpus);
}

/* Counts read in user space, without a call. */
static void try_rdpmc(struct findings *l)
{
	struct perf_event_attr attr = attr_user(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *p;
	struct trial t = TRIAL_SELF;
	struct finding *f;
	bool may;
	int fd;

	attr.disabled = 0;
	f = finding_try(l, "rdpmc", &attr, &t);
	finding_detail(f, "counts read in user space");
	if (f->verdict == FAILS)
		return;
	fd = trial_open(&attr, &t);
	if (fd < 0)
		return;
	p = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);
	may = p != MAP_FAILED && p->cap_user_rdpmc;
	if (p != MAP_FAILED)
		munmap(p, page);
	close(fd);
	if (may)
		return;
	f->verdict = FAILS;
	finding_explain(f, "rdpmc", "the kernel does not let user space read the counters (cap_user_rdpmc is 0)",
			"echo 1 | sudo tee /sys/bus/event_source/devices/cpu/rdpmc (arm64: sudo sysctl kernel.perf_user_access=1)");
}

/* One descriptor for each event and CPU: the default set of pcl stat -a, and those of pcl itself. */
static void try_files(struct findings *l)
{
	struct finding *f = finding_add(l, "open files", WORKS);
	unsigned long long limit = l->rights.nofile.rlim_cur, want;
	struct int_list cpus = { 0 };
	char *fix;

	cpus_online(&cpus);
	want = 16 + 16ull * cpus.nr;
	finding_detail(f, "limit %llu: %llu events on each of %u CPUs", limit,
		       limit > 16 ? (limit - 16) / cpus.nr : 0, cpus.nr);
	if (limit < want) {
		f->verdict = PARTLY;
		fix = str_printf("sudo prlimit --pid $$ --nofile=%llu", want * 4);
		finding_explain(f, "file-limit", "each event takes one open file for each CPU and thread, and few are allowed",
				fix);
		free(fix);
	}
	int_list_free(&cpus);
}

static void try_rate(struct findings *l)
{
	struct finding *f = finding_add(l, "sampling rate", WORKS);
	long rate = l->rights.max_rate;

	if (rate <= 0) {
		finding_detail(f, "/proc/sys/kernel/perf_event_max_sample_rate is not readable");
		return;
	}
	finding_detail(f, "up to %ld Hz", rate);
	if (rate < USUAL_HZ) {
		f->verdict = PARTLY;
		finding_explain(f, "rate", "kernel.perf_event_max_sample_rate is below the usual 4000; the kernel lowers it when samples take long (kernel.perf_cpu_time_max_percent)",
				"sudo sysctl kernel.perf_event_max_sample_rate=100000");
	}
}

static void try_watchdog(struct findings *l)
{
	struct finding *f;

	if (!l->rights.core_pmu)
		return;
	f = finding_add(l, "all counters", WORKS);
	if (file_read_long("/proc/sys/kernel/nmi_watchdog", 0) <= 0)
		return;
	f->verdict = PARTLY;
	finding_explain(f, "nmi-watchdog", "the NMI watchdog holds one hardware counter of each CPU",
			"sudo sysctl kernel.nmi_watchdog=0");
}

void try_rings(struct findings *l)
{
	try_ring(l);
	try_all_rings(l);
	try_rdpmc(l);
	try_files(l);
	try_rate(l);
	try_watchdog(l);
}
