/* SPDX-License-Identifier: MPL-2.0 */
/*
 * DIR/UID-HASH: a hash of the bytes, and the bytes. The user is part of the name so that nobody
 * has others' results replaced. Nothing is synced: a file that was torn is compiled anew.
 */
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>

#include "internal.h"

#define SUM_BYTES 32
#define NAME_SIZE (10 + 1 + 2 * KEPT_KEY_BYTES + 1)

struct kept_name {
	char text[NAME_SIZE];
};

static struct kept_name name_of(uint32_t uid, const struct kept_key *key)
{
	struct kept_name name;
	int n = snprintf(name.text, sizeof(name.text), "%u-", uid);

	sodium_bin2hex(name.text + n, sizeof(name.text) - n, key->bytes, sizeof(key->bytes));
	return name;
}

static void sum(const char *bytes, size_t length, uint8_t ret_sum[SUM_BYTES])
{
	crypto_generichash(ret_sum, SUM_BYTES, (const uint8_t *)bytes, length, NULL, 0);
}

static int read_file(int directory, const char *name, struct text *out)
{
	OWNED_FD int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	uint8_t found[SUM_BYTES];
	struct stat st;
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return -EBADMSG;
	r = read_to_end(fd, COMPILE_RESULT_MAX, out);
	if (r < 0)
		return r == -ENOMEM ? r : -EBADMSG;
	if (out->length < SUM_BYTES)
		return -EBADMSG;
	sum(out->data + SUM_BYTES, out->length - SUM_BYTES, found);
	if (memcmp(found, out->data, SUM_BYTES) != 0)
		return -EBADMSG;
	futimens(fd, NULL); /* used now: the last to be removed */
	out->length -= SUM_BYTES;
	memmove(out->data, out->data + SUM_BYTES, out->length + 1);
	return 0;
}

int kept_read(int directory, uint32_t uid, const struct kept_key *key, struct text *out)
{
	struct kept_name name = name_of(uid, key);
	int r = read_file(directory, name.text, out);

	if (r == -EBADMSG)
		unlinkat(directory, name.text, 0);
	return r;
}

struct entry {
	char name[NAME_SIZE];
	struct timespec used;
	off_t size;
};

struct entries {
	struct entry *list;
	size_t count;
};

static void entries_clear(struct entries *entries)
{
	free(entries->list);
}

static int compare_used(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? 1 : -1;
	return x->used.tv_nsec < y->used.tv_nsec ? 1 : -(x->used.tv_nsec > y->used.tv_nsec);
}

/* The one that was used last comes first. */
static int list(int directory, struct entries *entries)
{
	OWNED_DIR DIR *dir = NULL;
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	dir = copy < 0 ? NULL : fdopendir(copy);
	if (!dir) {
		cleanup_close(&copy);
		return -errno;
	}
	for (struct dirent *d; (d = readdir(dir));) {
		struct entry entry;
		struct stat st;

		if (fstatat(directory, d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		if (snprintf(entry.name, sizeof(entry.name), "%s", d->d_name) >=
		    (int)sizeof(entry.name))
			continue;
		if (ARRAY_GROW(entries->list, entries->count) < 0)
			return -ENOMEM;
		entry.used = st.st_mtim;
		entry.size = st.st_size;
		entries->list[entries->count++] = entry;
	}
	qsort(entries->list, entries->count, sizeof(*entries->list), compare_used);
	return 0;
}

static void prune(int directory, uint32_t uid)
{
	CLEANUP(entries_clear) struct entries entries = { 0 };
	size_t own = 0, all = 0, length;
	off_t bytes = 0;
	char prefix[16];

	length = snprintf(prefix, sizeof(prefix), "%u-", uid);
	if (list(directory, &entries) < 0)
		return;
	for (size_t i = 0; i < entries.count; i++) {
		const struct entry *entry = &entries.list[i];
		bool is_own = strncmp(entry->name, prefix, length) == 0;

		own += is_own;
		all++;
		bytes += entry->size;
		if ((is_own && own > KEPT_PER_USER) || all > KEPT_MAX || bytes > KEPT_BYTES_MAX)
			unlinkat(directory, entry->name, 0);
	}
}

static int write_file(int directory, const char *name, const struct text *bytes)
{
	uint8_t found[SUM_BYTES];
	OWNED_FD int fd = -1;
	int r;

	unlinkat(directory, name, 0);
	fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	sum(bytes->data, bytes->length, found);
	r = write_all(fd, (const char *)found, sizeof(found))
		    ?: write_all(fd, bytes->data, bytes->length);
	if (r < 0)
		unlinkat(directory, name, 0);
	return r;
}

int kept_write(int directory, uint32_t uid, const struct kept_key *key, const struct text *bytes)
{
	struct kept_name name = name_of(uid, key);
	int r = write_file(directory, name.text, bytes);

	prune(directory, uid);
	return r;
}
