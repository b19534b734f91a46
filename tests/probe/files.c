/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Opening, making, removing and renaming files.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

static int run_open(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_RDONLY | O_CLOEXEC));
}

static int run_openat2(int argc, char **argv)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS };

	(void)argc;
	return outcome_fd(syscall(SYS_openat2, AT_FDCWD, argv[1], &how, sizeof(how)));
}

/* Through the magic link of a descriptor that was opened without opening anything. */
static int run_open_proc_fd(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_PATH | O_CLOEXEC);
	char link[40];

	(void)argc;
	if (fd < 0)
		return untried("O_PATH of %s: %s", argv[1], strerror(errno));
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return outcome_fd(open(link, O_RDONLY | O_CLOEXEC));
}

static int run_open_by_handle(int argc, char **argv)
{
	OWNED_MEM struct file_handle *handle = calloc(1, sizeof(*handle) + MAX_HANDLE_SZ);
	OWNED_FD int mount = -1;
	int id;

	(void)argc;
	if (!handle)
		return untried("out of memory");
	handle->handle_bytes = MAX_HANDLE_SZ;
	if (name_to_handle_at(AT_FDCWD, argv[1], handle, &id, 0) < 0)
		return untried("name_to_handle_at %s: %s", argv[1], strerror(errno));
	mount = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mount < 0)
		return untried("%s: %s", argv[2], strerror(errno));
	return outcome_fd(open_by_handle_at(mount, handle, O_RDONLY | O_CLOEXEC));
}

/* A 32-bit system call from a 64-bit program: its numbers differ. */
static int run_open_int80(int argc, char **argv)
{
#ifdef __x86_64__
	size_t size = strlen(argv[1]) + 1;
	char *low = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long r;

	(void)argc;
	if (low == MAP_FAILED)
		return untried("no memory below 4 GiB: %s", strerror(errno));
	memcpy(low, argv[1], size);
	asm volatile("int $0x80"
		     : "=a"(r)
		     : "a"(5 /* open */), "b"(low), "c"(O_RDONLY), "d"(0)
		     : "memory", "r8", "r9", "r10", "r11");
	munmap(low, size);
	return r < 0 ? (int)r : outcome_fd((int)r);
#else
	(void)argc;
	(void)argv;
	return untried("only x86-64 has such calls");
#endif
}

static int run_open_write(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_WRONLY | O_CLOEXEC));
}

static int run_open_rw(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_RDWR | O_CLOEXEC));
}

static int run_open_append(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_WRONLY | O_APPEND | O_CLOEXEC));
}

static int run_open_trunc(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_WRONLY | O_TRUNC | O_CLOEXEC));
}

/* Empties the file all the same. */
static int run_open_trunc_read(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_RDONLY | O_TRUNC | O_CLOEXEC));
}

static int run_open_create(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static int run_create_excl(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

static int run_creat(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(creat(argv[1], 0600));
}

static int run_truncate(int argc, char **argv)
{
	(void)argc;
	return outcome(truncate(argv[1], 0));
}

/* On a descriptor that was there before the probe. */
static int run_ftruncate(int argc, char **argv)
{
	unsigned long fd;
	int r;

	(void)argc;
	r = parse_number(argv[1], 1024, &fd);
	if (r)
		return r;
	if (fcntl((int)fd, F_GETFD) < 0)
		return untried("descriptor %lu is not open", fd);
	return outcome(ftruncate((int)fd, 0));
}

/* A file that gets its name only when it is complete. */
static int run_tmpfile_link(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	char link[40];

	(void)argc;
	if (fd < 0)
		return untried("O_TMPFILE in %s: %s", argv[1], strerror(errno));
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return outcome(linkat(AT_FDCWD, link, AT_FDCWD, argv[2], AT_SYMLINK_FOLLOW));
}

static int run_tmpfile(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(open(argv[1], O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
}

static int run_mkdir(int argc, char **argv)
{
	(void)argc;
	return outcome(mkdir(argv[1], 0700));
}

static int run_rmdir(int argc, char **argv)
{
	(void)argc;
	return outcome(rmdir(argv[1]));
}

static int run_unlink(int argc, char **argv)
{
	(void)argc;
	return outcome(unlink(argv[1]));
}

static int run_rename(int argc, char **argv)
{
	(void)argc;
	return outcome(rename(argv[1], argv[2]));
}

static int run_rename_exchange(int argc, char **argv)
{
	(void)argc;
	return outcome(renameat2(AT_FDCWD, argv[1], AT_FDCWD, argv[2], RENAME_EXCHANGE));
}

static int run_link(int argc, char **argv)
{
	(void)argc;
	return outcome(link(argv[1], argv[2]));
}

static int run_symlink(int argc, char **argv)
{
	(void)argc;
	return outcome(symlink(argv[1], argv[2]));
}

static int run_mknod(int argc, char **argv)
{
	(void)argc;
	return outcome(mknod(argv[1], S_IFIFO | 0600, 0));
}

static int run_list(int argc, char **argv)
{
	OWNED_DIR DIR *directory = opendir(argv[1]);

	(void)argc;
	if (!directory)
		return -errno;
	errno = 0;
	while (readdir(directory))
		;
	return errno ? -errno : 0;
}

const struct verb file_verbs[] = {
	{ "open", "FILE", 1, 1, run_open },
	{ "openat2", "FILE", 1, 1, run_openat2 },
	{ "open-proc-fd", "FILE", 1, 1, run_open_proc_fd },
	{ "open-by-handle", "FILE MOUNT-POINT", 2, 2, run_open_by_handle },
	{ "open-int80", "FILE", 1, 1, run_open_int80 },
	{ "open-write", "FILE", 1, 1, run_open_write },
	{ "open-rw", "FILE", 1, 1, run_open_rw },
	{ "open-append", "FILE", 1, 1, run_open_append },
	{ "open-trunc", "FILE", 1, 1, run_open_trunc },
	{ "open-trunc-read", "FILE", 1, 1, run_open_trunc_read },
	{ "open-create", "FILE", 1, 1, run_open_create },
	{ "create-excl", "FILE", 1, 1, run_create_excl },
	{ "creat", "FILE", 1, 1, run_creat },
	{ "truncate", "FILE", 1, 1, run_truncate },
	{ "ftruncate", "DESCRIPTOR", 1, 1, run_ftruncate },
	{ "tmpfile", "DIRECTORY", 1, 1, run_tmpfile },
	{ "tmpfile-link", "DIRECTORY FILE", 2, 2, run_tmpfile_link },
	{ "mkdir", "DIRECTORY", 1, 1, run_mkdir },
	{ "rmdir", "DIRECTORY", 1, 1, run_rmdir },
	{ "unlink", "FILE", 1, 1, run_unlink },
	{ "rename", "OLD NEW", 2, 2, run_rename },
	{ "rename-exchange", "ONE OTHER", 2, 2, run_rename_exchange },
	{ "link", "OLD NEW", 2, 2, run_link },
	{ "symlink", "TARGET NEW", 2, 2, run_symlink },
	{ "mknod", "FIFO", 1, 1, run_mknod },
	{ "list", "DIRECTORY", 1, 1, run_list },
	{ 0 },
};
