/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Reaching into other processes. Each takes the process id of the other.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

/* The file /proc/PID/NAME, to be read; argv[0] is the name of file and verb. */
static int run_proc_file(int argc, char **argv)
{
	char path[64], byte;
	OWNED_FD int fd = -1;
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (r)
		return r;
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, argv[0]);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* What lies at address 0 of mem cannot be read by anybody. */
	return strcmp(argv[0], "mem") == 0 ? 0 : outcome(read(fd, &byte, 1));
}

/* The link /proc/PID/NAME. */
static int run_proc_link(int argc, char **argv)
{
	char path[64], target[PATH_MAX];
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (r)
		return r;
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, argv[0]);
	return outcome(readlink(path, target, sizeof(target)));
}

static int run_ptrace(int argc, char **argv)
{
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (r)
		return r;
	/* The tracer's end detaches it. */
	return outcome(ptrace(PTRACE_SEIZE, pid, 0, 0));
}

/* An address that is not mapped there has passed the check for access, which comes first. */
static int run_vm_read(int argc, char **argv)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)4096, 1 };
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (r)
		return r;
	r = outcome(process_vm_readv(pid, &here, 1, &there, 1, 0));
	return r == -EFAULT ? 0 : r;
}

static int run_pidfd_getfd(int argc, char **argv)
{
	OWNED_FD int process = -1;
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (r)
		return r;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return untried("pidfd_open: %s", strerror(errno));
	return outcome_fd((int)syscall(SYS_pidfd_getfd, process, 1, 0));
}

static int run_kill(int argc, char **argv)
{
	unsigned long signal;
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (!r)
		r = parse_number(argv[2], 64, &signal);
	return r ? r : outcome(kill(pid, (int)signal));
}

static int run_pidfd_signal(int argc, char **argv)
{
	OWNED_FD int process = -1;
	unsigned long signal;
	pid_t pid;
	int r = parse_pid(argv[1], &pid);

	(void)argc;
	if (!r)
		r = parse_number(argv[2], 64, &signal);
	if (r)
		return r;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return untried("pidfd_open: %s", strerror(errno));
	return outcome(syscall(SYS_pidfd_send_signal, process, (int)signal, NULL, 0));
}

/* One of many: waits for the others, opens, reads a byte. */
static int open_together(int start, const char *path)
{
	OWNED_FD int fd = -1;
	char byte;

	if (read(start, &byte, 1) < 0)
		return 1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 || read(fd, &byte, 1) != 1;
}

/* So many processes open a file at the same moment. Allowed when all of them have read from it. */
static int run_open_many(int argc, char **argv)
{
	unsigned long count, failed = 0;
	int pipe_fds[2], status;

	(void)argc;
	if (parse_number(argv[1], 10000, &count))
		return PROBE_UNTRIED;
	if (pipe(pipe_fds) < 0)
		return untried("pipe: %s", strerror(errno));
	for (unsigned long i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return untried("fork: %s", strerror(errno));
		if (!pid) {
			close(pipe_fds[1]);
			_exit(open_together(pipe_fds[0], argv[2]));
		}
	}
	close(pipe_fds[0]);
	close(pipe_fds[1]); /* the end of the pipe is what they wait for */
	for (unsigned long i = 0; i < count; i++)
		failed += wait(&status) < 0 || status;
	if (failed)
		fprintf(stderr, "%lu of %lu have not read\n", failed, count);
	return failed ? -EACCES : 0;
}

const struct verb process_verbs[] = {
	{ "environ", "PID", 1, 1, run_proc_file },
	{ "mem", "PID", 1, 1, run_proc_file },
	{ "maps", "PID", 1, 1, run_proc_file },
	{ "cwd", "PID", 1, 1, run_proc_link },
	{ "root", "PID", 1, 1, run_proc_link },
	{ "fd/0", "PID", 1, 1, run_proc_link },
	{ "ptrace", "PID", 1, 1, run_ptrace },
	{ "vm-read", "PID", 1, 1, run_vm_read },
	{ "pidfd-getfd", "PID", 1, 1, run_pidfd_getfd },
	{ "kill", "PID SIGNAL", 2, 2, run_kill },
	{ "open-many", "COUNT FILE", 2, 2, run_open_many },
	{ "pidfd-signal", "PID SIGNAL", 2, 2, run_pidfd_signal },
	{ 0 },
};
