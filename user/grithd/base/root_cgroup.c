/* SPDX-License-Identifier: MPL-2.0 */
/* What systemd delegates, it marks with an extended attribute; nothing else is taken for that. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "root_cgroup.h"

#define TRUE_ROOT_ID 1 /* of the hierarchy; in a cgroup namespace the mount shows another one */

static int complain(struct diag *diag, int r, const char *what, const char *object)
{
	diag_add(diag, NULL, 0, 0, "%s %s: %s", what, object, strerror(-r));
	return r;
}

static int find_mount(struct diag *diag, char **ret_mount)
{
	OWNED_MEM char *mount = NULL;
	struct stat st;
	int r = cgroup_find_mount(&mount);

	if (r == -ENOENT) {
		diag_add(diag, NULL, 0, 0,
			 "cgroup2 is not mounted: mount -t cgroup2 none /sys/fs/cgroup");
		return r;
	}
	if (r < 0)
		return complain(diag, r, "cannot read", "/proc/self/mountinfo");
	if (stat(mount, &st) < 0)
		return complain(diag, -errno, "cannot look at", mount);
	if (st.st_ino != TRUE_ROOT_ID) {
		diag_add(diag, NULL, 0, 0,
			 "%s does not show the whole cgroup2 hierarchy: run grithd outside of "
			 "containers and cgroup namespaces",
			 mount);
		return -EXDEV;
	}
	*ret_mount = TAKE_PTR(mount);
	return 0;
}

static bool is_delegated(const char *directory)
{
	char value[2];

	return getxattr(directory, "trusted.delegate", value, sizeof(value)) >= 1 &&
	       value[0] == '1';
}

/* The default path of the root cgroup in the hierarchy. */
static int choose_path(const char *mount, char **ret_path)
{
	OWNED_MEM char *own = NULL, *directory = NULL;
	int r = cgroup_of(0, &own);

	if (r < 0)
		return r;
	directory = text_format("%s%s", mount, own);
	if (!directory)
		return -ENOMEM;
	*ret_path = text_format("%s/grith", strcmp(own, "/") && is_delegated(directory) ? own : "");
	return *ret_path ? 0 : -ENOMEM;
}

/* The same of a directory that was named. */
static int locate(const char *mount, const char *wanted, struct diag *diag, char **ret_path)
{
	size_t length = strlen(mount), end = strlen(wanted);

	while (end > 1 && wanted[end - 1] == '/')
		end--;
	if (strncmp(wanted, mount, length) || wanted[length] != '/' || end <= length + 1 ||
	    strstr(wanted, "//") || strstr(wanted, "/.")) {
		diag_add(diag, NULL, 0, 0, "the root cgroup must be a directory below %s, not %s",
			 mount, wanted);
		return -EINVAL;
	}
	*ret_path = strndup(wanted + length, end - length);
	return *ret_path ? 0 : -ENOMEM;
}

/* Whether the cgroup's children can be limited by it: a word of cgroup.controllers. */
static bool has_pids(int directory)
{
	char words[256] = "";
	OWNED_FD int fd = openat(directory, "cgroup.controllers", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, words, sizeof(words) - 1);

	for (char *rest = words, *word; n > 0 && (word = strsep(&rest, " \n"));)
		if (!strcmp(word, "pids"))
			return true;
	return false;
}

/* From the hierarchy's root down, each cgroup has to hand the controller to its children. */
static bool hand_down_pids(const struct root_cgroup *root)
{
	OWNED_MEM char *directory = strdup(root->directory);
	char *path = directory ? directory + strlen(directory) - strlen(root->path) : NULL;

	for (char *at = path; at; at = strchr(at + 1, '/')) {
		OWNED_FD int fd = -1;

		*at = '\0';
		fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		*at = '/';
		if (fd < 0 || cgroup_write(fd, "cgroup.subtree_control", "+pids") < 0)
			return false;
	}
	return path && has_pids(root->fd);
}

bool root_cgroup_limits_pids(const struct root_cgroup *root)
{
	return (has_pids(root->fd) || hand_down_pids(root)) &&
	       cgroup_write(root->fd, "cgroup.subtree_control", "+pids") == 0;
}

int root_cgroup_open(const char *wanted, struct diag *diag, struct root_cgroup *ret_root)
{
	OWNED_ROOT_CGROUP struct root_cgroup root = { .fd = -1 };
	OWNED_MEM char *mount = NULL;
	int r = find_mount(diag, &mount);

	if (r < 0)
		return r;
	r = wanted ? locate(mount, wanted, diag, &root.path) : choose_path(mount, &root.path);
	if (r < 0)
		return r;
	root.directory = text_format("%s%s", mount, root.path);
	if (!root.directory)
		return -ENOMEM;
	if (mkdir(root.directory, 0755) < 0 && errno != EEXIST)
		return complain(diag, -errno, "cannot make the cgroup", root.directory);
	root.fd = open(root.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root.fd < 0)
		return complain(diag, -errno, "cannot open the cgroup", root.directory);
	r = cgroup_id(root.fd, &root.id);
	if (r < 0)
		return complain(diag, r, "cannot look at", root.directory);
	root.level = cgroup_level(root.path);

	*ret_root = root;
	root = (struct root_cgroup) { .fd = -1 };
	return 0;
}

bool root_cgroup_has(const struct root_cgroup *root, const char *name, uint32_t pid)
{
	OWNED_TEXT struct text own = { 0 };
	OWNED_MEM char *cgroup = NULL;

	return cgroup_of((pid_t)pid, &cgroup) == 0 &&
	       text_addf(&own, "%s/%s", root->path, name) == 0 &&
	       path_text_is_below(cgroup, own.data);
}

void root_cgroup_close(struct root_cgroup *root)
{
	free(root->directory);
	free(root->path);
	cleanup_close(&root->fd);
	*root = (struct root_cgroup) { .fd = -1 };
}
