// SPDX-License-Identifier: GPL-2.0
/*
 * Names for addresses: the kernel's symbols, its debug information, libraries'.
 *
 * Concepts: kallsyms shows zeros to who may not know addresses; who may is a
 * matter of kernel.kptr_restrict, CAP_SYSLOG and, at 0, of
 * kernel.perf_event_paranoid. Debug information lies by build id or by the
 * release's name, in the places that Debian puts it; a file of another kernel is none.
 * Contexts: doctor, one thread.
 * Locks: none.
 */
#include <libelf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "symbol/debug.h"

static const char *kallsyms_fix(long restrict_to)
{
	if (restrict_to == 0)
		return "run as root or with CAP_SYSLOG, or sudo sysctl kernel.perf_event_paranoid=1";
	if (restrict_to == 1)
		return "run as root or with CAP_SYSLOG, or sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1";
	return "sudo sysctl kernel.kptr_restrict=1 and run as root or with CAP_SYSLOG";
}

static void try_kallsyms(struct findings *l)
{
	struct finding *f = finding_add(l, "kernel symbols", WORKS);
	long restrict_to = file_read_long("/proc/sys/kernel/kptr_restrict", 1);
	FILE *in = fopen("/proc/kallsyms", "re");
	char *line = NULL, *why;
	size_t room = 0;
	unsigned long nr = 0, known = 0;

	while (in && getline(&line, &room, in) > 0 && nr < 1000) {
		nr++;
		known += strtoull(line, NULL, 16) != 0;
	}
	free(line);
	if (in)
		fclose(in);
	if (known)
		return;
	f->verdict = FAILS;
	if (!nr) {
		finding_explain(f, "no-kallsyms", "/proc/kallsyms is not there or not readable",
				"boot a kernel that was built with CONFIG_KALLSYMS=y");
		return;
	}
	why = str_printf("the addresses in /proc/kallsyms are hidden (kernel.kptr_restrict is %ld, kernel.perf_event_paranoid is %ld); kernel code stays without names",
			 restrict_to, l->rights.paranoid);
	finding_explain(f, "kptr-restrict", why, kallsyms_fix(restrict_to));
	free(why);
}

/* Has this file debug information, and that of the kernel that runs? */
static bool is_debug_of_kernel(const char *path)
{
	u8 id[PD_BUILD_ID_MAX], its_id[PD_BUILD_ID_MAX];
	int len = build_id_of_kernel(id), its_len, fd;
	Elf *elf = elf_open(path, &fd);
	bool good;

	if (!elf)
		return false;
	its_len = build_id_of_elf(elf, its_id);
	/* where the kernel does not tell its own, the name must do */
	good = elf_has_section(elf, ".debug_info") &&
	       (!len || (len == its_len && !memcmp(id, its_id, (size_t)len)));
	elf_end(elf);
	close(fd);
	return good;
}

static void try_kernel_debug(struct findings *l)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/lib/modules/%s/build/vmlinux", "/boot/vmlinux-%s",
	};
	struct finding *f = finding_add(l, "kernel debug information", WORKS);
	char path[4096], *by_id, *fix;
	u8 id[PD_BUILD_ID_MAX];
	struct utsname u;
	size_t i;

	uname(&u);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), places[i], u.release);
		if (is_debug_of_kernel(path)) {
			finding_detail(f, "for pcl annotate --vmlinux: %s", path);
			return;
		}
	}
	by_id = debug_path_of_id(id, (size_t)build_id_of_kernel(id));
	if (by_id && is_debug_of_kernel(by_id)) {
		finding_detail(f, "for pcl annotate --vmlinux: %s", by_id);
	} else {
		f->verdict = FAILS;
		fix = str_printf("sudo apt install linux-image-%s-dbg (Debian), or keep the vmlinux of your build as /usr/lib/debug/boot/vmlinux-%s, for pcl annotate --vmlinux",
				 u.release, u.release);
		finding_explain(f, "no-kernel-debug", "no debug information of this kernel in the places where it usually lies: no source lines of kernel code",
				fix);
		free(fix);
	}
	free(by_id);
}

static int take_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char **path = arg;

	(void)size;
	if (strstr(info->dlpi_name, "/libc.so"))
		*path = info->dlpi_name;
	return *path != NULL;
}

/* The library that all have stands for the others. */
static void try_library_debug(struct findings *l)
{
	struct finding *f = finding_add(l, "debug information of libraries", WORKS);
	const char *urls = getenv("DEBUGINFOD_URLS"), *libc = NULL;
	u8 id[PD_BUILD_ID_MAX];
	char *path;

	dl_iterate_phdr(take_libc, &libc);
	path = libc ? debug_path_of_id(id, (size_t)build_id_of_file(libc, id)) : NULL;
	if (path && !access(path, R_OK)) {
		finding_detail(f, "of libc: %s", path);
	} else {
		f->verdict = FAILS;
		finding_explain(f, "no-debug", urls && *urls ?
				"that of libc is not installed, and pcl downloads none (DEBUGINFOD_URLS is not looked at): functions have names, but no source lines and no inlined ones" :
				"that of libc is not installed: functions have names, but no source lines and no inlined ones",
				"sudo apt install libc6-dbg, and the -dbgsym packages of what you measure");
	}
	free(path);
}

void try_symbols(struct findings *l)
{
	try_kallsyms(l);
	try_kernel_debug(l);
	try_library_debug(l);
}
