/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Other ways to run a verb: through a symbolic link, from a cgroup of one's own, from another
 * thread, and many one after the other.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

#define BATCH_WORDS 16
#define ATTEMPT_SECONDS 60

/* argv: via-symlink DIRECTORY VERB FILE: makes a link to FILE in DIRECTORY and gives that. */
static int run_via_symlink(int argc, char **argv)
{
	char link[256];
	char *verb[] = { argv[2], link, NULL };
	int r;

	(void)argc;
	snprintf(link, sizeof(link), "%s/probe-%d", argv[1], getpid());
	if (symlink(argv[3], link) < 0)
		return untried("symlink %s: %s", link, strerror(errno));
	r = run_verb(2, verb);
	unlink(link);
	return r;
}

/* The directory of this process's cgroup, where cgroup2 is mounted at its usual place. */
static int own_cgroup(char *ret_path, size_t size)
{
	OWNED_FILE FILE *file = fopen("/proc/self/cgroup", "re");
	OWNED_MEM char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		if (strncmp(line, "0::", 3) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(ret_path, size, "/sys/fs/cgroup%s", line + 3);
		return 0;
	}
	return untried("this process has no cgroup");
}

static int join_cgroup(const char *directory)
{
	char path[512];
	OWNED_FD int fd = -1;

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) < 0)
		return untried("%s: %s", path, strerror(errno));
	return 0;
}

static void run_in_cgroup(const char *directory, int argc, char **argv, int report)
{
	int r = join_cgroup(directory);

	if (!r)
		r = run_verb(argc, argv);
	if (write(report, &r, sizeof(r)) != sizeof(r))
		_exit(2);
	_exit(0);
}

/* Runs the verb in a child that has moved into a new cgroup below its own. */
static int run_nested_cgroup(int argc, char **argv)
{
	char directory[448], own[400];
	int ends[2], r = own_cgroup(own, sizeof(own));
	pid_t pid;

	if (r)
		return r;
	snprintf(directory, sizeof(directory), "%s/probe-%d", own, getpid());
	if (mkdir(directory, 0755) < 0)
		return untried("mkdir %s: %s", directory, strerror(errno));
	if (pipe2(ends, O_CLOEXEC) < 0)
		return untried("pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		run_in_cgroup(directory, argc - 1, argv + 1, ends[1]);
	close(ends[1]);
	if (pid < 0 || read(ends[0], &r, sizeof(r)) != sizeof(r))
		r = untried("no child in %s", directory);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	rmdir(directory);
	return r;
}

struct thread_call {
	int argc;
	char **argv;
	int result;
};

static void *thread_main(void *arg)
{
	struct thread_call *call = arg;

	call->result = run_verb(call->argc, call->argv);
	return NULL;
}

static int run_in_thread(int argc, char **argv)
{
	struct thread_call call = { argc - 1, argv + 1, 0 };
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_main, &call) != 0)
		return untried("no thread");
	pthread_join(thread, NULL);
	return call.result;
}

/* A child whose parent is gone, in a session and process group of its own. */
static int run_as_daemon(int argc, char **argv)
{
	int ends[2], r;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return untried("pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		r = run_verb(argc - 1, argv + 1);
		_exit(write(ends[1], &r, sizeof(r)) != sizeof(r));
	}
	close(ends[1]);
	if (pid < 0 || read(ends[0], &r, sizeof(r)) != sizeof(r))
		r = untried("no child");
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return r;
}

/*
 * One attempt of a batch in a child, so that attempts do not disturb each other. Prints its exit
 * status and what it said.
 */
static int print_attempt(int argc, char **argv)
{
	OWNED_FD int said = memfd_create("said", MFD_CLOEXEC);
	char message[512];
	ssize_t size;
	int status;
	pid_t pid;

	if (said < 0)
		return untried("memfd_create: %s", strerror(errno));
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (dup2(said, STDERR_FILENO) < 0)
			_exit(2);
		alarm(ATTEMPT_SECONDS);
		/* exit() would move the batch's place in standard input back. */
		_exit(attempt(argc, argv));
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return untried("no child: %s", strerror(errno));
	size = pread(said, message, sizeof(message), 0);
	if (size < 0)
		size = 0;
	while (size > 0 && message[size - 1] == '\n')
		size--;
	for (ssize_t i = 0; i < size; i++)
		if (message[i] == '\n')
			message[i] = ' ';
	printf("%d %.*s\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
	       (int)size, message);
	return 0;
}

/*
 * Reads attempts from standard input, each word ended by a NUL and each attempt by an empty word,
 * and prints one line for each.
 */
static int run_batch(int argc, char **argv)
{
	char *words[BATCH_WORDS + 1] = { NULL };
	int count = 0, r = 0;

	(void)argc;
	(void)argv;
	while (!r) {
		char *word = NULL;
		size_t room = 0;
		ssize_t length = getdelim(&word, &room, '\0', stdin);

		if (length > 1 && count < BATCH_WORDS) {
			words[count++] = word;
			continue;
		}
		free(word);
		if (length < 0)
			break;
		r = length > 1 ? untried("more than %d words", BATCH_WORDS)
			       : print_attempt(count, words);
		while (count > 0) {
			free(words[--count]);
			words[count] = NULL;
		}
	}
	return r;
}

const struct verb way_verbs[] = {
	{ "via-symlink", "DIRECTORY VERB FILE", 3, 3, run_via_symlink },
	{ "nested-cgroup", "VERB [ARGUMENT]...", 1, -1, run_nested_cgroup },
	{ "in-thread", "VERB [ARGUMENT]...", 1, -1, run_in_thread },
	{ "as-daemon", "VERB [ARGUMENT]...", 1, -1, run_as_daemon },
	{ "batch", "", 0, 0, run_batch },
	{ 0 },
};
