/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Answers and holds of the kernel that only pretends: empty files below "answers", "holds" and
 * "stopped" whose names say it all, so that a test can make them and look at them. What is a
 * question of one map element in a kernel is one of one file here.
 *
 *   answers/SESSION-OBJECT-PID   holds "VERDICT ONCE EXPIRES REVIEW"
 *   holds/PID-TID                holds "SESSION OBJECT OP TIME", and " tell" behind where it was told
 *   stopped/PID                  somebody else has stopped it
 *   tainted/SESSION              holds "SOURCE"
 */
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>

#include "fake_kernel.h"

char *fake_path(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

static char *path_in(const struct kernel *kernel, const char *part, const char *name)
{
	OWNED_MEM char *directory = fake_path(kernel->directory, part);

	mkdir(directory, 0700);
	return fake_path(directory, name);
}

static char *answer_path(const struct kernel *kernel, const struct grith_answer_key *key)
{
	char name[80];

	snprintf(name, sizeof(name), "%llx-%llx-%u", (unsigned long long)key->session,
		 (unsigned long long)key->object, key->pid);
	return path_in(kernel, "answers", name);
}

static char *hold_path(const struct kernel *kernel, const struct grith_hold_key *key)
{
	char name[32];

	snprintf(name, sizeof(name), "%u-%u", key->pid, key->tid);
	return path_in(kernel, "holds", name);
}

/* Renamed into place: a test that waits for it finds it whole. */
static int put(const char *path, const char *text)
{
	OWNED_MEM char *fresh = fake_path(path, "");
	FILE *file;

	fresh[strlen(path)] = '~';
	file = fopen(fresh, "we");
	if (!file)
		return -errno;
	fputs(text, file);
	fclose(file);
	return rename(fresh, path) < 0 ? -errno : 0;
}

int kernel_answer_set(struct kernel *kernel, const struct grith_answer_key *key,
		      const struct grith_answer *answer)
{
	OWNED_MEM char *path = answer_path(kernel, key);
	char text[64];

	snprintf(text, sizeof(text), "%u %u %llu %u", answer->verdict, answer->once,
		 (unsigned long long)answer->expires, answer->review);
	return put(path, text);
}

int kernel_answer_remove(struct kernel *kernel, const struct grith_answer_key *key)
{
	OWNED_MEM char *path = answer_path(kernel, key);

	return unlink(path) < 0 ? -errno : 0;
}

int kernel_answers_expire(struct kernel *kernel, uint64_t now)
{
	(void)kernel;
	(void)now;
	return 0;
}

int kernel_answers_forget(struct kernel *kernel, uint64_t session)
{
	OWNED_MEM char *directory = fake_path(kernel->directory, "answers");
	OWNED_DIR DIR *dir = opendir(directory);
	char prefix[32];

	snprintf(prefix, sizeof(prefix), "%llx-", (unsigned long long)session);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			unlinkat(dirfd(dir), entry->d_name, 0);
	return 0;
}

int kernel_answers_revoke(struct kernel *kernel, const uint32_t *reviews, size_t count)
{
	OWNED_MEM char *directory = fake_path(kernel->directory, "answers");
	OWNED_DIR DIR *dir = opendir(directory);

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		OWNED_MEM char *path = fake_path(directory, entry->d_name);
		OWNED_FILE FILE *file = fopen(path, "re");
		const char *pid = strrchr(entry->d_name, '-');
		unsigned int review;

		if (!file || !pid || strcmp(pid, "-0") != 0 ||
		    fscanf(file, "%*s %*s %*s %u", &review) != 1)
			continue;
		for (size_t i = 0; i < count; i++)
			if (reviews[i] == review)
				unlink(path);
	}
	return 0;
}

static int read_hold(const char *path, struct grith_hold *ret_hold)
{
	OWNED_FILE FILE *file = fopen(path, "re");
	unsigned long long session, object, time;
	unsigned int op;

	if (!file || fscanf(file, "%llx %llx %u %llu", &session, &object, &op, &time) != 4)
		return -ENOENT;
	*ret_hold = (struct grith_hold) {
		.session = session,
		.object = object,
		.time = time,
		.op = op,
	};
	return 0;
}

int kernel_hold_get(struct kernel *kernel, const struct grith_hold_key *key,
		    struct grith_hold *ret_hold)
{
	OWNED_MEM char *path = hold_path(kernel, key);

	return read_hold(path, ret_hold);
}

int kernel_holds(struct kernel *kernel, struct kernel_hold **ret_holds, size_t *ret_count)
{
	OWNED_MEM char *directory = fake_path(kernel->directory, "holds");
	OWNED_DIR DIR *dir = opendir(directory);
	size_t count = 0;

	*ret_holds = calloc(GRITH_MAX_HOLDS, sizeof(**ret_holds));
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct kernel_hold *hold = &(*ret_holds)[count];

		if (sscanf(entry->d_name, "%u-%u", &hold->key.pid, &hold->key.tid) == 2) {
			OWNED_MEM char *path = fake_path(directory, entry->d_name);

			count += read_hold(path, &hold->hold) == 0;
		}
	}
	*ret_count = count;
	return 0;
}

int kernel_hold_tell(struct kernel *kernel, const struct grith_hold_key *key)
{
	OWNED_MEM char *path = hold_path(kernel, key);
	struct grith_hold hold;
	char text[96];

	if (read_hold(path, &hold) < 0)
		return -ENOENT;
	snprintf(text, sizeof(text), "%llx %llx %u %llu tell", (unsigned long long)hold.session,
		 (unsigned long long)hold.object, hold.op, (unsigned long long)hold.time);
	return put(path, text);
}

int kernel_hold_remove(struct kernel *kernel, const struct grith_hold_key *key)
{
	OWNED_MEM char *path = hold_path(kernel, key);

	return unlink(path) < 0 ? -errno : 0;
}

int kernel_inspected(struct kernel *kernel, uint32_t pid)
{
	return kernel_hold_remove(kernel, &(const struct grith_hold_key) { pid, 0 });
}

int kernel_continue(struct kernel *kernel, uint32_t pid, int pidfd)
{
	OWNED_MEM char *path = NULL;
	char name[16];
	int r;

	snprintf(name, sizeof(name), "%u", pid);
	path = path_in(kernel, "stopped", name);
	if (access(path, F_OK) == 0)
		return -EBUSY;
	r = pidfd < 0 ? kill((pid_t)pid, SIGCONT) : pidfd_send_signal(pidfd, SIGCONT, NULL, 0);
	return r < 0 ? -errno : 0;
}

int kernel_session_taint(struct kernel *kernel, uint64_t cgroup, enum grith_source source,
			 uint64_t time)
{
	OWNED_MEM char *path = NULL;
	char name[32], text[16];

	(void)time;
	snprintf(name, sizeof(name), "%llx", (unsigned long long)cgroup);
	path = path_in(kernel, "tainted", name);
	snprintf(text, sizeof(text), "%u", source);
	return put(path, text);
}
