/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Files of cgroupfs and procfs are read whole with one read where they are small; cgroup.procs,
 * which may be long, through stdio.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "cgroup.h"
#include "small_file.h"

#define MOUNTINFO_MAX (16u << 20)

_Static_assert(sizeof(ino_t) == sizeof(uint64_t), "a cgroup's id is its inode number");

/* Reads at most size - 1 bytes and ends them with a NUL. */
static int read_small(int at, const char *path, char *buffer, size_t size)
{
	OWNED_FD int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, buffer, size - 1);
	if (n < 0)
		return -errno;
	buffer[n] = '\0';
	return 0;
}

int cgroup_find_mount(char **ret_mount)
{
	OWNED_FD int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	OWNED_TEXT struct text text = { 0 };
	int r = fd < 0 ? -errno : read_to_end(fd, MOUNTINFO_MAX, &text);

	return r < 0 ? r : cgroup_parse_mountinfo(text.data, ret_mount);
}

int cgroup_of(pid_t pid, char **ret_path)
{
	OWNED_MEM char *text = malloc(16384);
	char path[64] = "/proc/self/cgroup";
	int r;

	if (!text)
		return -ENOMEM;
	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
	r = read_small(AT_FDCWD, path, text, 16384);
	if (r == -ENOENT)
		return -ESRCH;
	return r < 0 ? r : cgroup_parse_membership(text, ret_path);
}

int cgroup_id(int fd, uint64_t *ret_id)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_id = st.st_ino;
	return 0;
}

int cgroup_write(int fd, const char *file, const char *value)
{
	OWNED_FD int out = openat(fd, file, O_WRONLY | O_CLOEXEC);

	return out < 0 ? -errno : write_all(out, value, strlen(value));
}

int cgroup_kill(int fd)
{
	return cgroup_write(fd, "cgroup.kill", "1");
}

int cgroup_freeze(int fd, bool freeze)
{
	return cgroup_write(fd, "cgroup.freeze", freeze ? "1" : "0");
}

/* What cgroup.freeze was set to; the processes may not have stopped yet. */
int cgroup_is_frozen(int fd, bool *ret_frozen)
{
	char text[16];
	int r = read_small(fd, "cgroup.freeze", text, sizeof(text));

	if (r < 0)
		return r;
	*ret_frozen = text[0] == '1';
	return 0;
}

int cgroup_is_populated(int fd, bool *ret_populated)
{
	char text[256];
	int r = read_small(fd, "cgroup.events", text, sizeof(text));

	return r < 0 ? r : cgroup_parse_event(text, "populated", ret_populated);
}

struct pids {
	pid_t *pids;
	size_t count;
};

static int add_pid(struct pids *list, pid_t pid)
{
	if (list->count >= CGROUP_PIDS_MAX)
		return -E2BIG;
	if (ARRAY_GROW(list->pids, list->count) < 0)
		return -ENOMEM;
	list->pids[list->count++] = pid;
	return 0;
}

static int add_pids_of(int fd, struct pids *list)
{
	OWNED_FILE FILE *file = NULL;
	int procs = openat(fd, "cgroup.procs", O_RDONLY | O_CLOEXEC), pid, r;

	if (procs < 0)
		return -errno;
	file = fdopen(procs, "r");
	if (!file) {
		close(procs);
		return -ENOMEM;
	}
	while (fscanf(file, "%d", &pid) == 1) {
		r = add_pid(list, pid);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Calls `each` for every cgroup directly below `fd`, until one fails. */
static int for_children(int fd, int depth,
			int (*each)(int fd, const char *name, int depth, void *arg), void *arg)
{
	OWNED_DIR DIR *dir = NULL;
	int copy, r;

	if (depth >= CGROUP_DEPTH_MAX)
		return -ELOOP;
	copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (copy < 0)
		return -errno;
	dir = fdopendir(copy);
	if (!dir) {
		close(copy);
		return -ENOMEM;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		r = each(fd, entry->d_name, depth + 1, arg);
		if (r < 0)
			return r;
	}
	return 0;
}

static int collect(int fd, const char *name, int depth, void *arg)
{
	OWNED_FD int child = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int r;

	if (child < 0)
		return errno == ENOENT ? 0 : -errno; /* removed since it was listed */
	r = add_pids_of(child, arg);
	if (r == -ENODEV || r == -EOPNOTSUPP) /* removed just now, or threaded: its root has them */
		r = 0;
	return r < 0 ? r : for_children(child, depth, collect, arg);
}

int cgroup_pids(int fd, pid_t **ret_pids, size_t *ret_count)
{
	struct pids list = { 0 };
	int r = collect(fd, ".", 0, &list);

	if (r < 0) {
		free(list.pids);
		return r;
	}
	*ret_pids = list.pids;
	*ret_count = list.count;
	return 0;
}

static int remove_tree(int fd, const char *name, int depth, void *arg)
{
	OWNED_FD int child = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int r;

	if (child < 0)
		return errno == ENOENT ? 0 : -errno;
	r = for_children(child, depth, remove_tree, arg);
	if (r < 0)
		return r;
	if (unlinkat(fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		return -errno;
	return 0;
}

int cgroup_remove(int parent, const char *name)
{
	return remove_tree(parent, name, 0, NULL);
}
