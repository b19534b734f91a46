/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A linked work tree has a file .git that names a directory of its own, REPOSITORY/worktrees/NAME.
 * That directory names the work tree in turn, and only who could write to the repository can have
 * made it do so: a link is believed when both ends agree (gitrepository-layout(5)).
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "repository.h"

#define LINK_MAX_BYTES (PATH_MAX + 16) /* "gitdir: " and a path */

static bool is_mine(const char *path, uint32_t uid, mode_t type)
{
	struct stat st;

	return lstat(path, &st) == 0 && (st.st_mode & S_IFMT) == type && st.st_uid == uid;
}

static bool has(const char *directory, const char *name, uint32_t uid, mode_t type)
{
	OWNED_MEM char *path = text_format("%s/%s", directory, name);

	return path && is_mine(path, uid, type);
}

static bool is_git_directory(const char *path, uint32_t uid)
{
	return is_mine(path, uid, S_IFDIR) && has(path, "HEAD", uid, S_IFREG) &&
	       has(path, "objects", uid, S_IFDIR) && has(path, "refs", uid, S_IFDIR);
}

/* The path in a small file of the user's, resolved against `directory`; NULL: not such a file. */
static char *read_link_file(const char *directory, const char *name, const char *prefix)
{
	char text[LINK_MAX_BYTES + 1], resolved[PATH_MAX];
	OWNED_MEM char *path = text_format("%s/%s", directory, name), *target = NULL;
	OWNED_FD int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	ssize_t n = fd < 0 ? -1 : read(fd, text, LINK_MAX_BYTES);
	const char *value;

	if (n <= 0)
		return NULL;
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	if (strncmp(text, prefix, strlen(prefix)))
		return NULL;
	value = text + strlen(prefix);
	target = value[0] == '/' ? strdup(value) : text_format("%s/%s", directory, value);
	return target && realpath(target, resolved) ? strdup(resolved) : NULL;
}

/* The repository of a linked work tree, if both ends of the link agree; else NULL. */
static char *linked_git_directory(const char *worktree, uint32_t uid)
{
	OWNED_MEM char *own = NULL, *back = NULL, *common = NULL, *dot_git = NULL;
	const char *last;

	own = read_link_file(worktree, ".git", "gitdir: ");
	if (!own || !is_mine(own, uid, S_IFDIR))
		return NULL;
	back = read_link_file(own, "gitdir", "");
	common = read_link_file(own, "commondir", "");
	if (!back || !common || !is_git_directory(common, uid))
		return NULL;
	dot_git = text_format("%s/.git", worktree);
	last = strrchr(own, '/');
	if (!dot_git || strcmp(back, dot_git) || strncmp(own, common, strlen(common)) ||
	    strncmp(own + strlen(common), "/worktrees/", strlen("/worktrees/")) ||
	    last != own + strlen(common) + strlen("/worktrees"))
		return NULL;
	return TAKE_PTR(common);
}

/* The git directory of a work tree's top; NULL: it is none. */
static char *git_directory_of(const char *directory, uint32_t uid)
{
	OWNED_MEM char *dot_git = text_format("%s/.git", directory);

	if (!dot_git)
		return NULL;
	if (is_git_directory(dot_git, uid))
		return TAKE_PTR(dot_git);
	if (is_mine(dot_git, uid, S_IFREG))
		return linked_git_directory(directory, uid);
	return NULL;
}

/* The work tree of REPOSITORY/worktrees/NAME, if both ends agree; NULL: there is none. */
static char *linked_worktree(const char *git_directory, const char *name, uint32_t uid)
{
	OWNED_MEM char *own = text_format("%s/worktrees/%s", git_directory, name);
	OWNED_MEM char *worktree = NULL, *common = NULL;
	char *end;

	worktree = own && is_mine(own, uid, S_IFDIR) ? read_link_file(own, "gitdir", "") : NULL;
	end = worktree ? strrchr(worktree, '/') : NULL;
	if (!end || end == worktree || strcmp(end, "/.git") != 0)
		return NULL;
	*end = 0;
	common = linked_git_directory(worktree, uid);
	return common && !strcmp(common, git_directory) ? TAKE_PTR(worktree) : NULL;
}

static void find_others(const char *project, const char *home, uint32_t uid,
			struct repository *repository)
{
	OWNED_MEM char *path = text_format("%s/worktrees", repository->git_directory);
	OWNED_DIR DIR *directory = path ? opendir(path) : NULL;
	size_t bytes = 0;

	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		OWNED_MEM char *other = NULL;

		if (repository->n_worktrees == REPOSITORY_WORKTREES_MAX)
			return;
		if (entry->d_name[0] == '.')
			continue;
		other = linked_worktree(repository->git_directory, entry->d_name, uid);
		if (!other || path_text_is_below(home, other) ||
		    path_text_is_below(project, other) ||
		    bytes + strlen(other) > REPOSITORY_WORKTREES_BYTES)
			continue;
		bytes += strlen(other);
		repository->worktrees[repository->n_worktrees++] = TAKE_PTR(other);
	}
}

int repository_find(const char *project, const char *home, uint32_t uid,
		    struct repository *ret_repository)
{
	OWNED_MEM char *directory = strdup(project), *git = NULL;
	char *slash;
	bool found;

	if (!directory)
		return -ENOMEM;
	while (directory[0] && strcmp(directory, home) &&
	       !(git = git_directory_of(directory, uid)) && (slash = strrchr(directory, '/')))
		*slash = 0;
	found = git;
	if (!found) {
		free(directory);
		directory = strdup(project);
		git = text_format("%s/.git", project);
	}
	if (!directory || !git)
		return -ENOMEM;
	*ret_repository = (struct repository) {
		.worktree = TAKE_PTR(directory),
		.git_directory = TAKE_PTR(git),
	};
	if (found)
		find_others(project, home, uid, ret_repository);
	return 0;
}

void repository_free(struct repository *repository)
{
	free(repository->worktree);
	free(repository->git_directory);
	for (size_t i = 0; i < repository->n_worktrees; i++)
		free(repository->worktrees[i]);
	*repository = (struct repository) { 0 };
}
