/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A child's beginning and end. Both sides of it are memory files: the child can write nothing that
 * grithd waits for, and what it left is copied when it is gone, so that nobody changes it while it
 * is checked.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "internal.h"

static int make_file(const char *name, const struct text *bytes, int *ret_fd)
{
	OWNED_FD int fd = memfd_create(name, MFD_CLOEXEC);
	int r;

	if (fd < 0)
		return -errno;
	r = bytes ? write_all(fd, bytes->data, bytes->length) : 0;
	if (r == 0 && lseek(fd, 0, SEEK_SET) < 0)
		r = -errno;
	if (r == 0)
		*ret_fd = TAKE_FD(fd);
	return r;
}

/* In a fresh process: nothing of grithd's but the two files, no signal blocked, no environment. */
static int spawn(const char *program, int in, int out, pid_t *ret_pid)
{
	char *const argv[] = { (char *)"grithd", (char *)COMPILE_ARGUMENT, NULL };
	char *const environment[] = { NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	r = posix_spawn_file_actions_adddup2(&actions, in, COMPILE_IN)
		    ?: posix_spawn_file_actions_adddup2(&actions, out, COMPILE_OUT)
		    ?: posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
							O_WRONLY, 0)
		    ?: posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
		    ?: posix_spawn(ret_pid, program, &actions, &attributes, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return -r;
}

int child_start(const char *program, const struct text *input, struct child *ret_child)
{
	CLEANUP(child_clear) struct child child = CHILD_NONE;
	OWNED_FD int in = -1;
	int r = make_file("grith-policy", input, &in) ?: make_file("grith-image", NULL, &child.out);

	r = r ?: spawn(program ? program : "/proc/self/exe", in, child.out, &child.pid);
	if (r < 0)
		return r;
	child.pidfd = pidfd_open(child.pid, 0);
	if (child.pidfd < 0)
		return -errno;
	*ret_child = child;
	child = (struct child)CHILD_NONE;
	return 0;
}

int child_end(struct child *child, int *ret_status)
{
	pid_t pid = child->pid;

	child->pid = 0;
	return waitpid(pid, ret_status, 0) < 0 ? -errno : 0;
}

int child_result(const struct child *child, struct text *out)
{
	if (lseek(child->out, 0, SEEK_SET) < 0)
		return -errno;
	return read_to_end(child->out, COMPILE_RESULT_MAX, out);
}

void child_clear(struct child *child)
{
	if (child->pid) {
		kill(child->pid, SIGKILL);
		waitpid(child->pid, NULL, 0);
	}
	cleanup_close(&child->pidfd);
	cleanup_close(&child->out);
	*child = (struct child)CHILD_NONE;
}
