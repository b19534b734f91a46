/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Running programs, and mapping files executable, which is the same by another way.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

#ifdef __x86_64__
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#else
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif

/* What the child executes: a path, or a descriptor with an empty path. */
struct program {
	int fd;
	const char *path;
	char **argv;
	int flags;
};

static void execute(const struct program *program, int report)
{
	int error;

	execveat(program->fd, program->path, program->argv, environ, program->flags);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/*
 * Executes in a child and waits for its end. The report pipe closes at a successful exec; otherwise
 * the errno comes through it.
 */
static int run_program(const struct program *program, int *ret_status)
{
	OWNED_FD int read_end = -1;
	OWNED_FD int write_end = -1;
	int ends[2], error, status;
	ssize_t size;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return untried("pipe: %s", strerror(errno));
	read_end = ends[0];
	write_end = ends[1];
	pid = fork();
	if (pid < 0)
		return untried("fork: %s", strerror(errno));
	if (pid == 0)
		execute(program, write_end);
	close(TAKE_FD(write_end));
	size = read(read_end, &error, sizeof(error));
	if (waitpid(pid, &status, 0) < 0)
		return untried("waitpid: %s", strerror(errno));
	if (size == sizeof(error))
		return -error;
	if (ret_status)
		*ret_status = status;
	return 0;
}

static int run_exec(int argc, char **argv)
{
	struct program program = { AT_FDCWD, argv[1], argv + 1, 0 };

	(void)argc;
	return run_program(&program, NULL);
}

static int run_execveat(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_PATH | O_CLOEXEC);
	struct program program = { fd, "", argv + 1, AT_EMPTY_PATH };

	(void)argc;
	if (fd < 0)
		return untried("O_PATH of %s: %s", argv[1], strerror(errno));
	return run_program(&program, NULL);
}

/* A copy in a memory file, which has no path at all. */
static int run_memfd_exec(int argc, char **argv)
{
	OWNED_FD int file = open(argv[1], O_RDONLY | O_CLOEXEC);
	OWNED_FD int copy = memfd_create("probe", MFD_CLOEXEC);
	struct program program = { copy, "", argv + 1, AT_EMPTY_PATH };
	struct stat st;

	(void)argc;
	if (file < 0 || fstat(file, &st) < 0)
		return untried("%s: %s", argv[1], strerror(errno));
	if (copy < 0)
		return untried("memfd_create: %s", strerror(errno));
	while (st.st_size > 0) {
		ssize_t size = sendfile(copy, file, NULL, (size_t)st.st_size);

		if (size <= 0)
			return untried("copying %s: %s", argv[1], strerror(errno));
		st.st_size -= size;
	}
	return run_program(&program, NULL);
}

/*
 * The program as an argument of the loader. The loader's own message is the only place where the
 * errno can be found, and for a mapping not even there.
 */
static int run_loader(int argc, char **argv)
{
	char message[512] = "", path[] = LOADER;
	char *arguments[] = { path, argv[1], NULL };
	struct program program = { AT_FDCWD, path, arguments, 0 };
	OWNED_FD int said = memfd_create("stderr", MFD_CLOEXEC);
	OWNED_FD int old = dup(STDERR_FILENO);
	int status = 0, r;

	(void)argc;
	if (said < 0 || old < 0 || dup2(said, STDERR_FILENO) < 0)
		return untried("cannot take the loader's message: %s", strerror(errno));
	r = run_program(&program, &status);
	if (dup2(old, STDERR_FILENO) < 0)
		return untried("stderr: %s", strerror(errno));
	if (r)
		return r == PROBE_UNTRIED ? r : untried("%s: %s", LOADER, strerror(-r));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (pread(said, message, sizeof(message) - 1, 0) < 0)
		return untried("the loader's message: %s", strerror(errno));
	if (strstr(message, "failed to map segment"))
		return PROBE_REFUSED;
	if (strstr(message, strerror(EACCES)))
		return -EACCES;
	if (strstr(message, strerror(ENOENT)))
		return -ENOENT;
	return untried("the loader failed: %s", message);
}

static int run_mmap_exec(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_RDONLY | O_CLOEXEC);

	(void)argc;
	if (fd < 0)
		return untried("%s: %s", argv[1], strerror(errno));
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return -errno;
	return 0;
}

/* First readable, then executable: the mapping itself asks for nothing unusual. */
static int run_mprotect_exec(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	void *map;

	(void)argc;
	if (fd < 0)
		return untried("%s: %s", argv[1], strerror(errno));
	map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return untried("mmap %s: %s", argv[1], strerror(errno));
	return outcome(mprotect(map, 4096, PROT_READ | PROT_EXEC));
}

const struct verb exec_verbs[] = {
	{ "exec", "PROGRAM [ARGUMENT]...", 1, -1, run_exec },
	{ "execveat", "PROGRAM [ARGUMENT]...", 1, -1, run_execveat },
	{ "memfd-exec", "PROGRAM [ARGUMENT]...", 1, -1, run_memfd_exec },
	{ "loader", "PROGRAM", 1, 1, run_loader },
	{ "mmap-exec", "FILE", 1, 1, run_mmap_exec },
	{ "mprotect-exec", "FILE", 1, 1, run_mprotect_exec },
	{ 0 },
};
