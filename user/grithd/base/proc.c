/* SPDX-License-Identifier: MPL-2.0 */
/* Files of /proc, none of which is trusted to have a form. */
#include <fcntl.h>

#include "grith_abi.h"
#include "proc.h"

static int open_file(uint32_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* The third field and what follows; the second one may hold anything, in parentheses. */
static bool read_stat(uint32_t pid, char *ret_state, uint32_t *ret_parent)
{
	OWNED_FD int fd = open_file(pid, "stat");
	char text[1024];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *end;

	if (n <= 0)
		return false;
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %c %u", ret_state, ret_parent) == 2;
}

bool proc_is_stopped(uint32_t pid)
{
	uint32_t parent;
	char state;

	return read_stat(pid, &state, &parent) && state == 'T';
}

uint32_t proc_parent(uint32_t pid)
{
	uint32_t parent;
	char state;

	return read_stat(pid, &state, &parent) ? parent : 0;
}

bool proc_has_thread(uint32_t pid, uint32_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/task/%u", pid, tid);
	return access(path, F_OK) == 0;
}

int proc_arguments(uint32_t pid, size_t max, struct text *arguments, bool *ret_cut)
{
	OWNED_FD int fd = open_file(pid, "cmdline");
	char chunk[4096];
	ssize_t n;

	if (fd < 0)
		return -errno;
	*ret_cut = false;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0) {
		size_t room = max - arguments->length, part = (size_t)n;

		*ret_cut = part > room;
		if (text_add(arguments, chunk, *ret_cut ? room : part) < 0)
			return -ENOMEM;
		if (*ret_cut)
			return 0;
	}
	return n < 0 ? -errno : 0;
}

int proc_link(uint32_t pid, const char *link, char **ret_path)
{
	char name[64], target[GRITH_PATH_MAX + 1];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%u/%s", pid, link);
	n = readlink(name, target, sizeof(target));
	if (n < 0)
		return -errno;
	if (n == (ssize_t)sizeof(target))
		return -ENAMETOOLONG;
	*ret_path = strndup(target, (size_t)n);
	return *ret_path ? 0 : -ENOMEM;
}
