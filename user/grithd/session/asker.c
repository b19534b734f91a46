/* SPDX-License-Identifier: MPL-2.0 */
/* Process, uid and directory from the kernel, the rest from the password database. */
#include <pwd.h>
#include <stdarg.h>
#include "asker.h"

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

static int find_user(const struct peer *peer, struct asker *asker)
{
	const struct passwd *user = getpwuid(peer->uid);
	char number[16];

	snprintf(number, sizeof(number), "%u", peer->uid);
	asker->user = strdup(user ? user->pw_name : number);
	asker->home = strdup(user && user->pw_dir[0] == '/' ? user->pw_dir : NO_HOME);
	return asker->user && asker->home ? 0 : -ENOMEM;
}

/* How /proc marks a directory that has been removed. */
static bool is_deleted(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path), end = strlen(deleted);

	return length >= end && !strcmp(path + length - end, deleted);
}

int asker_find(const struct peer *peer, struct asker *ret_asker, char *why, size_t why_size)
{
	OWNED_ASKER struct asker asker = { 0 };
	int r = find_user(peer, &asker);

	if (r < 0)
		return refuse(why, why_size, r, "out of memory");
	r = peer_link(peer, "cwd", &asker.project);
	if (r < 0)
		return refuse(why, why_size, r, "cannot find the working directory: %s",
			      strerror(-r));
	if (asker.project[0] != '/' || is_deleted(asker.project))
		return refuse(why, why_size, -EINVAL, "the working directory has been removed");
	if (!strcmp(asker.project, "/"))
		return refuse(why, why_size, -EINVAL,
			      "the working directory is /, which would make every file the "
			      "project's: change to the project's directory first");
	r = repository_find(asker.project, asker.home, peer->uid, &asker.repository);
	if (r < 0)
		return refuse(why, why_size, r, "cannot find the project's repository: %s",
			      strerror(-r));
	*ret_asker = asker;
	asker = (struct asker) { 0 };
	return 0;
}

void asker_free(struct asker *asker)
{
	free(asker->user);
	free(asker->home);
	free(asker->project);
	repository_free(&asker->repository);
	*asker = (struct asker) { 0 };
}
