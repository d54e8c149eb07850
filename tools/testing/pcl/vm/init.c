// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's first process: makes the host's root file system the guest's, runs one command, reports its status.
 *
 * Concepts: the runner hands over a specification, /spec in the initramfs: strings "key=value", each ended by a zero
 * byte. Three virtio ports lead to the runner: control (status and acknowledgement), output and error. A port can be
 * open only once, so the command writes into pipes and this process relays them; nobody else can write to control.
 * The guest does not power off: once the runner has the status and every byte of output, it ends the emulator.
 *
 * Contexts: process 1 of the guest, one thread. Every failure here is reported on the control port, and ends the run.
 * Locks: none.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define PORT_CONTROL	"/dev/vport0p1"
#define PORT_OUTPUT	"/dev/vport0p2"
#define PORT_ERROR	"/dev/vport0p3"
#define TERMINAL	"/dev/hvc0"
#define MOUNT_9P	"trans=virtio,version=9p2000.L,msize=512000"
#define MAX_STRINGS	65536

/* What to run, from the specification. */
static struct {
	char *argv[MAX_STRINGS];
	char *env[MAX_STRINGS];
	char *shares[64];
	int nr_args, nr_env, nr_shares;
	char *cwd;
	int interactive, rows, columns;
} spec;

/* One stream of the command: read from its pipe, written to its port. */
struct relay {
	int from;
	int to;
	unsigned long long bytes;
};

static int control = -1;

static void write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (n > 0) {
			data += n;
			size -= n;
		}
	}
}

/* Nothing can follow: tells the runner why, and waits to be ended by it. */
__attribute__((noreturn, format(printf, 1, 2)))
static void fail(const char *format, ...)
{
	char text[512] = "fail ";
	int error = errno;
	va_list args;

	va_start(args, format);
	vsnprintf(text + 5, sizeof(text) - 5, format, args);
	va_end(args);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), ": %s\n", strerror(error));
	dprintf(2, "init: %s", text);
	if (control >= 0)
		write_all(control, text, strlen(text));
	for (;;)
		pause();
}

/* Device nodes of virtio ports appear a little after the first process starts. */
static int open_wait(const char *path, int flags)
{
	for (int tries = 0; tries < 10000; tries++) {
		int fd = open(path, flags | O_CLOEXEC);

		if (fd >= 0)
			return fd;
		usleep(1000);
	}
	fail("cannot open %s", path);
}

static void mount_at(const char *what, const char *where, const char *type, unsigned long flags, const char *options)
{
	mkdir(where, 0755);
	if (mount(what, where, type, flags, options) < 0)
		fail("cannot mount %s (%s) on %s", what, type, where);
}

/* Optional in a guest kernel: a missing file system type is no error. */
static void mount_if_known(const char *what, const char *where, const char *type, const char *options)
{
	mkdir(where, 0755);
	mount(what, where, type, 0, options);
}

static void read_spec(void)
{
	struct stat st;
	int fd = open("/spec", O_RDONLY | O_CLOEXEC);
	char *text, *end;

	if (fd < 0 || fstat(fd, &st) < 0)
		fail("no specification");
	text = malloc(st.st_size + 1);
	if (!text || read(fd, text, st.st_size) != st.st_size)
		fail("cannot read the specification");
	close(fd);
	end = text + st.st_size;
	for (char *s = text; s < end; s += strlen(s) + 1) {
		if (spec.nr_args >= MAX_STRINGS - 1 || spec.nr_env >= MAX_STRINGS - 1 || spec.nr_shares >= 64)
			fail("specification too long");
		if (!strncmp(s, "arg=", 4))
			spec.argv[spec.nr_args++] = s + 4;
		else if (!strncmp(s, "env=", 4))
			spec.env[spec.nr_env++] = s + 4;
		else if (!strncmp(s, "share=", 6))
			spec.shares[spec.nr_shares++] = s + 6;
		else if (!strncmp(s, "cwd=", 4))
			spec.cwd = s + 4;
		else if (sscanf(s, "winsize=%d,%d", &spec.rows, &spec.columns) == 2)
			spec.interactive = 1;
	}
	if (!spec.nr_args || !spec.cwd)
		fail("specification incomplete");
}

/* Missing parents of a shared directory appear in the guest's own upper layer. */
static void make_path(char *path)
{
	for (char *s = path + 1; *s; s++) {
		if (*s != '/')
			continue;
		*s = 0;
		mkdir(path, 0755);
		*s = '/';
	}
	mkdir(path, 0755);
}

/* The host's root below, a tmpfs above; the guest's own kernel file systems in it. */
static void build_root(void)
{
	static const char * const links[][2] = {
		{ "/proc/self/fd", "/dev/fd" }, { "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" }, { "/proc/self/fd/2", "/dev/stderr" },
	};
	char path[4096];

	mount_at("root", "/lower", "9p", MS_RDONLY, MOUNT_9P ",cache=loose");
	mount_at("upper", "/upper", "tmpfs", 0, "size=75%,mode=755");
	mkdir("/upper/data", 0755);
	mkdir("/upper/work", 0755);
	mount_at("root", "/root", "overlay", 0, "lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work");
	for (int i = 0; i < spec.nr_shares; i++) {
		char tag[16];

		snprintf(tag, sizeof(tag), "share%d", i);
		snprintf(path, sizeof(path), "/root%s", spec.shares[i]);
		make_path(path);
		mount_at(tag, path, "9p", 0, MOUNT_9P ",cache=mmap");
	}
	mount_at("/dev", "/root/dev", NULL, MS_MOVE, NULL);
	mount_at("/proc", "/root/proc", NULL, MS_MOVE, NULL);
	mount_at("/sys", "/root/sys", NULL, MS_MOVE, NULL);
	/* Who is in a chroot may make no user namespace, so it becomes the root of all mounts. */
	if (chdir("/root") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0)
		fail("cannot enter the new root");
	mount_at("run", "/run", "tmpfs", 0, "mode=755");
	mount_if_known("devpts", "/dev/pts", "devpts", "gid=5,mode=620,ptmxmode=666");
	mount_if_known("shm", "/dev/shm", "tmpfs", "mode=1777");
	mount_if_known("debugfs", "/sys/kernel/debug", "debugfs", NULL);
	mount_if_known("tracefs", "/sys/kernel/tracing", "tracefs", NULL);
	mount_if_known("cgroup2", "/sys/fs/cgroup", "cgroup2", NULL);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		symlink(links[i][0], links[i][1]);
	symlink("/dev/pts/ptmx", "/dev/ptmx");
}

static void loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
}

/*
 * The first reader of random bytes would otherwise wait while the kernel gathers them from timers, which costs millions
 * of instructions and differs from run to run. The guest has nothing to protect, so the same bytes always do.
 */
static void seed_random(void)
{
	struct {
		struct rand_pool_info info;
		char bytes[64];
	} seed = { .info = { .entropy_count = 512, .buf_size = sizeof(seed.bytes) } };
	int fd = open("/dev/random", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	ioctl(fd, RNDADDENTROPY, &seed);
	close(fd);
}

/* In the child: never returns. 127 and 126 as a shell has them. */
__attribute__((noreturn))
static void run_command(int in, int out, int err)
{
	setsid();
	if (spec.interactive)
		ioctl(in, TIOCSCTTY, 0);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	signal(SIGPIPE, SIG_DFL);
	if (chdir(spec.cwd) < 0) {
		dprintf(2, "init: cannot enter %s: %s\n", spec.cwd, strerror(errno));
		_exit(126);
	}
	environ = spec.env;
	execvp(spec.argv[0], spec.argv);
	dprintf(2, "init: cannot run %s: %s\n", spec.argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Moves what is there; false once the stream has ended. */
static int relay_some(struct relay *relay)
{
	static char data[65536];
	ssize_t n = read(relay->from, data, sizeof(data));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (!n)
		return 0;
	write_all(relay->to, data, n);
	relay->bytes += n;
	return 1;
}

static void child_ended(int signal)
{
	(void)signal;	/* only there to interrupt ppoll() */
}

/* True once the command itself has ended; orphans are reaped on the way. */
static int reap(pid_t command, int *status)
{
	int one, ended = 0;
	pid_t pid;

	while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
		if (pid == command) {
			*status = one;
			ended = 1;
		}
	}
	return ended;
}

/*
 * Relays until the command has ended and its pipes hold nothing more. What it left running may keep a pipe open; it is
 * not waited for.
 */
static int supervise(pid_t command, struct relay *relays, int nr_relays)
{
	struct timespec no_time = { 0 };
	sigset_t blocked, open_set;
	int status = 0, ended = 0;

	sigemptyset(&open_set);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	for (;;) {
		struct pollfd polls[2];
		int ready, moved = 0;

		for (int i = 0; i < nr_relays; i++)
			polls[i] = (struct pollfd){ .fd = relays[i].from, .events = POLLIN };
		ended |= reap(command, &status);
		ready = ppoll(polls, nr_relays, ended ? &no_time : NULL, &open_set);
		for (int i = 0; ready > 0 && i < nr_relays; i++) {
			if (!polls[i].revents)
				continue;
			if (relay_some(&relays[i]))
				moved = 1;
			else
				relays[i].from = -1;
		}
		if (ended && !moved)
			return status;
	}
}

static pid_t start_interactive(void)
{
	struct winsize size = { .ws_row = spec.rows, .ws_col = spec.columns };
	int terminal = open_wait(TERMINAL, O_RDWR | O_NOCTTY);
	pid_t pid;

	ioctl(terminal, TIOCSWINSZ, &size);
	pid = fork();
	if (!pid)
		run_command(terminal, terminal, terminal);
	close(terminal);
	return pid;
}

static pid_t start_piped(struct relay *relays)
{
	int out[2], err[2], null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		fail("cannot make pipes");
	pid = fork();
	if (!pid)
		run_command(null, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	close(null);
	relays[0].from = out[0];
	relays[1].from = err[0];
	return pid;
}

int main(void)
{
	struct sigaction action = { .sa_handler = child_ended };
	struct relay relays[2] = { 0 };
	char report[128];
	pid_t command;
	int status;

	mount_at("dev", "/dev", "devtmpfs", 0, NULL);
	mount_at("proc", "/proc", "proc", 0, NULL);
	mount_at("sys", "/sys", "sysfs", 0, NULL);
	control = open_wait(PORT_CONTROL, O_RDWR);
	relays[0].to = open_wait(PORT_OUTPUT, O_WRONLY);
	relays[1].to = open_wait(PORT_ERROR, O_WRONLY);
	read_spec();
	build_root();
	loopback_up();
	seed_random();
	sethostname("pcl", 3);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGCHLD, &action, NULL);
	command = spec.interactive ? start_interactive() : start_piped(relays);
	if (command < 0)
		fail("cannot fork");
	status = supervise(command, relays, spec.interactive ? 0 : 2);
	sync();
	snprintf(report, sizeof(report), "exit %d %llu %llu\n",
		 WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		 relays[0].bytes, relays[1].bytes);
	write_all(control, report, strlen(report));
	for (;;)
		pause();
}
