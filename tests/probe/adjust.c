/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Changing other processes without touching their memory: limits, priorities, their files in /proc,
 * and signals that the kernel sends for a file.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/ioprio.h>
#include <linux/sockios.h>

#include "lib/base/base.h"
#include "probe.h"

/* The limit that it has, once more: nothing is changed, and everybody may. */
static int set_limit(pid_t pid)
{
	struct rlimit limit;

	if (prlimit(pid, RLIMIT_CORE, NULL, &limit) < 0)
		return untried("prlimit: %s", strerror(errno));
	return outcome(prlimit(pid, RLIMIT_CORE, &limit, NULL));
}

static int set_nice(pid_t pid)
{
	return outcome(setpriority(PRIO_PROCESS, (id_t)pid, getpriority(PRIO_PROCESS, (id_t)pid)));
}

static int set_io_priority(pid_t pid)
{
	return outcome(syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, pid,
			       IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7)));
}

static int set_scheduler(pid_t pid)
{
	struct sched_param none = { 0 };

	return outcome(sched_setscheduler(pid, SCHED_BATCH, &none));
}

static int set_affinity(pid_t pid)
{
	cpu_set_t cpus;

	if (sched_getaffinity(pid, sizeof(cpus), &cpus) < 0)
		return untried("sched_getaffinity: %s", strerror(errno));
	return outcome(sched_setaffinity(pid, sizeof(cpus), &cpus));
}

static int run_adjust(int argc, char **argv)
{
	static const struct {
		const char *what;
		int (*set)(pid_t pid);
	} ways[] = {
		{ "limit", set_limit },
		{ "nice", set_nice },
		{ "io-priority", set_io_priority },
		{ "scheduler", set_scheduler },
		{ "affinity", set_affinity },
	};
	pid_t pid;
	int r = parse_pid(argv[2], &pid);

	(void)argc;
	for (size_t i = 0; !r && i < ARRAY_SIZE(ways); i++)
		if (strcmp(ways[i].what, argv[1]) == 0)
			return ways[i].set(pid);
	return r ? r : untried("nothing to adjust is called %s", argv[1]);
}

/* Writes TEXT to /proc/PID/NAME. */
static int run_proc_write(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	char path[64];

	(void)argc;
	snprintf(path, sizeof(path), "/proc/%s/%s", argv[1], argv[2]);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -errno : outcome(write(fd, argv[3], strlen(argv[3])));
}

/* Every signal but the usual end stays pending, for run_owner_signal() to see. */
static int run_block_signals(int argc, char **argv)
{
	sigset_t all;

	(void)argc;
	(void)argv;
	sigfillset(&all);
	sigdelset(&all, SIGTERM);
	sigprocmask(SIG_SETMASK, &all, NULL);
	puts("ready");
	fflush(stdout);
	while (pause() < 0)
		;
	return 0;
}

/* Whether it waits for the process. */
static bool is_pending(pid_t pid, int signal)
{
	OWNED_FILE FILE *status = NULL;
	char path[64], line[256];
	unsigned long long pending = 0, all = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "ShdPnd: %llx", &pending) == 1 ||
		    sscanf(line, "SigPnd: %llx", &pending) == 1)
			all |= pending;
	return all >> (signal - 1) & 1;
}

static int set_owner(int fd, const char *how, pid_t pid)
{
	struct f_owner_ex owner = { F_OWNER_PID, pid };

	if (strcmp(how, "fcntl") == 0 || strcmp(how, "urgent") == 0)
		return fcntl(fd, F_SETOWN, pid);
	if (strcmp(how, "fcntl-ex") == 0)
		return fcntl(fd, F_SETOWN_EX, &owner);
	if (strcmp(how, "ioctl") == 0)
		return ioctl(fd, FIOSETOWN, &pid);
	if (strcmp(how, "socket-ioctl") == 0)
		return ioctl(fd, SIOCSPGRP, &pid);
	errno = EINVAL;
	return -1;
}

/* The ends of a connection over loopback: only there is urgent data. */
static int tcp_pair(int ends[2])
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	OWNED_FD int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		return -1;
	ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(ends[0], (struct sockaddr *)&address, length) < 0)
		return -1;
	ends[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	return ends[1] < 0 ? -1 : 0;
}

/*
 * Has the kernel send SIGNAL to a process that blocks all, because something happens to a file of
 * ours. It comes before send() returns, or from the loopback device at once: what is not there in
 * a second was not sent.
 */
static int run_owner_signal(int argc, char **argv)
{
	bool urgent = strcmp(argv[1], "urgent") == 0;
	unsigned long signal;
	pid_t pid;
	int ends[2], r = parse_pid(argv[2], &pid);

	(void)argc;
	if (!r)
		r = parse_number(argv[3], 64, &signal);
	if (r)
		return r;
	if (urgent)
		signal = SIGURG;
	if (is_pending(pid, (int)signal))
		return untried("signal %lu is pending already", signal);
	if (urgent ? tcp_pair(ends) : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return untried("no pair of sockets: %s", strerror(errno));
	if (set_owner(ends[1], argv[1], pid) < 0)
		return -errno;
	if (!urgent && (fcntl(ends[1], F_SETSIG, (int)signal) < 0 ||
			fcntl(ends[1], F_SETFL, O_ASYNC | O_NONBLOCK) < 0))
		return untried("fcntl: %s", strerror(errno));
	if (send(ends[0], "x", 1, urgent ? MSG_OOB : 0) != 1)
		return untried("send: %s", strerror(errno));
	for (int tries = 0; tries < 20 && !is_pending(pid, (int)signal); tries++)
		usleep(50000);
	return is_pending(pid, (int)signal) ? 0 : PROBE_REFUSED;
}

const struct verb adjust_verbs[] = {
	{ "adjust", "limit|nice|io-priority|scheduler|affinity PID", 2, 2, run_adjust },
	{ "proc-write", "PID NAME TEXT", 3, 3, run_proc_write },
	{ "block-signals", "", 0, 0, run_block_signals },
	{ "owner-signal", "fcntl|fcntl-ex|ioctl|socket-ioctl|urgent PID SIGNAL", 3, 3,
	  run_owner_signal },
	{ 0 },
};
