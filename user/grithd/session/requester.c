/* SPDX-License-Identifier: MPL-2.0 */
/* Process, uid and directory from the kernel, the rest from the password database. */
#include <inttypes.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include "requester.h"

/* Where a user without a home directory has none: rules with ~ match nothing. */
#define NO_HOME "/nonexistent"

static __attribute__((format(printf, 4, 5))) int refuse(char *why, size_t size, int r,
							const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, size, format, arguments);
	va_end(arguments);
	return r;
}

/*
 * The user's home directory as the kernel names it, whatever symbolic links and slashes the entry
 * has: paths are compared by that. The entry as it is where the directory cannot be found, e.g. is
 * not made yet. To be freed; NULL: out of memory.
 */
static char *find_home(const struct passwd *user)
{
	char resolved[PATH_MAX];

	if (!user || user->pw_dir[0] != '/')
		return strdup(NO_HOME);
	if (!realpath(user->pw_dir, resolved))
		snprintf(resolved, sizeof(resolved), "%s", user->pw_dir);
	return strdup(strcmp(resolved, "/") != 0 ? resolved : NO_HOME);
}

static int find_user(const struct peer *peer, struct requester *requester)
{
	const struct passwd *user = getpwuid(peer->uid);
	char number[16];

	snprintf(number, sizeof(number), "%u", peer->uid);
	requester->user = strdup(user ? user->pw_name : number);
	requester->home = find_home(user);
	return requester->user && requester->home ? 0 : -ENOMEM;
}

/* How /proc marks a directory that has been removed. */
static bool is_deleted(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path), end = strlen(deleted);

	return length >= end && !strcmp(path + length - end, deleted);
}

static int find_mounts(const struct peer *peer, uint64_t *ret_inode)
{
	OWNED_MEM char *name = NULL;
	int r = peer_link(peer, "ns/mnt", &name);

	if (r < 0)
		return r;
	return sscanf(name, "mnt:[%" SCNu64 "]", ret_inode) == 1 ? 0 : -EBADMSG;
}

int requester_find(const struct peer *peer, struct requester *ret_requester, char *why,
		   size_t why_size)
{
	OWNED_REQUESTER struct requester requester = { 0 };
	int r = find_user(peer, &requester);

	if (r < 0)
		return refuse(why, why_size, r, "out of memory");
	r = peer_link(peer, "cwd", &requester.project);
	if (r < 0)
		return refuse(why, why_size, r, "cannot find the working directory: %s",
			      strerror(-r));
	if (requester.project[0] != '/' || is_deleted(requester.project))
		return refuse(why, why_size, -EINVAL, "the working directory has been removed");
	if (!strcmp(requester.project, "/"))
		return refuse(why, why_size, -EINVAL,
			      "the working directory is /, which would make every file the "
			      "project's: change to the project's directory first");
	r = find_mounts(peer, &requester.mounts);
	if (r < 0)
		return refuse(why, why_size, r, "cannot find the mount namespace: %s",
			      strerror(-r));
	r = repository_find(requester.project, requester.home, peer->uid, &requester.repository);
	if (r < 0)
		return refuse(why, why_size, r, "cannot find the project's repository: %s",
			      strerror(-r));
	resolvers_find(&requester.resolvers);
	*ret_requester = requester;
	requester = (struct requester) { 0 };
	return 0;
}

void requester_free(struct requester *requester)
{
	free(requester->user);
	free(requester->home);
	free(requester->project);
	repository_free(&requester->repository);
	*requester = (struct requester) { 0 };
}
