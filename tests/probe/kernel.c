/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The kernel itself and the machine: what root may do to them. Each is done so that it changes
 * nothing where it is allowed.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sys/io.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

/* Whether the call came as far as looking at what it was given. */
static int outcome_but(long r, int expected)
{
	return r < 0 && errno == expected ? 0 : outcome(r);
}

static int try_bpf(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 1,
	};

	return outcome_fd((int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)));
}

/* A program is no module. */
static int try_module_file(void)
{
	OWNED_FD int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	return outcome_but(syscall(SYS_finit_module, fd, "", 0), ENOEXEC);
}

static int try_module(void)
{
	static char nothing[4096];

	return outcome_but(syscall(SYS_init_module, nothing, sizeof(nothing), ""), ENOEXEC);
}

/* No image: takes away the one that there is not. */
static int try_kexec(void)
{
	return outcome(syscall(SYS_kexec_load, 0, 0, NULL, 0));
}

static int try_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return outcome(clock_settime(CLOCK_REALTIME, &now));
}

static int try_adjtime(void)
{
	struct timex t = { .modes = ADJ_SETOFFSET };

	return outcome(adjtimex(&t));
}

static int try_log(void)
{
	char line[256];

	return outcome(klogctl(3, line, sizeof(line)));
}

static int try_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};

	return outcome_fd((int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0));
}

static int try_ports(void)
{
#ifdef __x86_64__
	return outcome(ioperm(0x80, 1, 1));
#else
	return untried("this architecture has no ports");
#endif
}

static int try_reboot(void)
{
	return outcome_but(syscall(SYS_reboot, 0, 0, 0, NULL), EINVAL);
}

static int try_network(void)
{
	OWNED_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int size = 65536;

	return outcome(setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)));
}

static int run_kernel(int argc, char **argv)
{
	static const struct {
		const char *what;
		int (*run)(void);
	} ways[] = {
		{ "bpf", try_bpf },
		{ "module", try_module },
		{ "module-file", try_module_file },
		{ "kexec", try_kexec },
		{ "time", try_time },
		{ "adjtime", try_adjtime },
		{ "log", try_log },
		{ "perf", try_perf },
		{ "ports", try_ports },
		{ "reboot", try_reboot },
		{ "network", try_network },
	};

	(void)argc;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (strcmp(ways[i].what, argv[1]) == 0)
			return ways[i].run();
	return untried("nothing of the kernel is called %s", argv[1]);
}

static int run_device(int argc, char **argv)
{
	mode_t type = strcmp(argv[0], "mknod-block") == 0 ? S_IFBLK : S_IFCHR;
	unsigned long major, minor;
	int r = parse_number(argv[2], 4095, &major) ?: parse_number(argv[3], 1048575, &minor);

	(void)argc;
	return r ? r : outcome(mknod(argv[1], type | 0600, makedev(major, minor)));
}

/* A child that is born in another control group. */
static int run_clone_into(int argc, char **argv)
{
	OWNED_FD int cgroup = open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = (uint64_t)cgroup,
	};
	long pid;

	(void)argc;
	if (cgroup < 0)
		return untried("%s: %s", argv[1], strerror(errno));
	pid = syscall(SYS_clone3, &args, sizeof(args));
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, 0);
	return outcome(pid);
}

static int run_write_file(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_WRONLY | O_CLOEXEC);

	(void)argc;
	return fd < 0 ? -errno : outcome(write(fd, argv[2], strlen(argv[2])));
}

const struct verb kernel_verbs[] = {
	{ "kernel", "bpf|module|module-file|kexec|time|adjtime|log|perf|ports|reboot|network", 1, 1,
	  run_kernel },
	{ "mknod-block", "FILE MAJOR MINOR", 3, 3, run_device },
	{ "mknod-char", "FILE MAJOR MINOR", 3, 3, run_device },
	{ "clone-into", "CGROUP", 1, 1, run_clone_into },
	{ "write-file", "FILE TEXT", 2, 2, run_write_file },
	{ 0 },
};
