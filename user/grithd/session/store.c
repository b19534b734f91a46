/* SPDX-License-Identifier: MPL-2.0 */
/* DIR/lock, DIR/sessions/ID.json, DIR/ended/ID.json. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "store.h"

#define FILE_MAX (64u << 20) /* bytes of a session's file that are read */

struct session_store {
	int lock, sessions, ended;
};

static int open_directory(int parent, const char *name, int *ret_fd)
{
	OWNED_FD int fd = -1;
	struct stat st;

	if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
		return -errno;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_uid != geteuid() || (st.st_mode & 022))
		return -EPERM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int session_store_open(const char *directory, struct session_store **ret_store)
{
	CLEANUP(session_store_freep) struct session_store *store = NULL;
	OWNED_FD int parent = -1;
	int r = open_directory(AT_FDCWD, directory, &parent);

	if (r < 0)
		return r;
	store = malloc(sizeof(*store));
	if (!store)
		return -ENOMEM;
	*store = (struct session_store) { -1, -1, -1 };
	store->lock = openat(parent, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (store->lock < 0)
		return -errno;
	if (flock(store->lock, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	r = open_directory(parent, "sessions", &store->sessions);
	if (r < 0)
		return r;
	r = open_directory(parent, "ended", &store->ended);
	if (r < 0)
		return r;
	*ret_store = TAKE_PTR(store);
	return 0;
}

void session_store_free(struct session_store *store)
{
	if (!store)
		return;
	cleanup_close(&store->lock);
	cleanup_close(&store->sessions);
	cleanup_close(&store->ended);
	free(store);
}

struct file_name {
	char text[SESSION_ID_LENGTH + sizeof(".json")];
};

static struct file_name name_of(const char *id, const char *suffix)
{
	struct file_name name;

	snprintf(name.text, sizeof(name.text), "%.*s%s", SESSION_ID_LENGTH, id, suffix);
	return name;
}

static int save(int directory, const struct session_info *info)
{
	json_t *json = session_info_to_json(info);
	OWNED_MEM char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

	json_decref(json);
	if (!text)
		return -ENOMEM;
	return small_file_write(directory, name_of(info->id, ".json").text, 0600, text,
				strlen(text));
}

int session_store_save(struct session_store *store, const struct session_info *info)
{
	return save(store->sessions, info);
}

int session_store_end(struct session_store *store, const struct session_info *info)
{
	struct session_info brief = *info;
	int r;

	/* Its rules are in the log where they mattered; they may be many. */
	brief.n_files = brief.n_rules = 0;
	brief.hosts = (struct session_hosts) { 0 };
	r = save(store->ended, &brief);
	if (r == 0)
		session_store_drop(store, info->id);
	return r;
}

void session_store_drop(struct session_store *store, const char *id)
{
	unlinkat(store->sessions, name_of(id, ".json").text, 0);
}

static int load(int directory, const char *id, struct session_info *ret_info)
{
	OWNED_FD int fd =
		openat(directory, name_of(id, ".json").text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	json_t *json;
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		return -EBADMSG;
	json = json_loadfd(fd, JSON_REJECT_DUPLICATES, NULL);
	if (!json)
		return -EBADMSG;
	r = session_info_from_json(json, ret_info);
	json_decref(json);
	return r;
}

/* Calls `fn` with the id of each file ID.json. */
static int for_ids(int directory, int (*fn)(int directory, const char *id, void *arg), void *arg)
{
	OWNED_DIR DIR *dir = NULL;
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (copy < 0)
		return -errno;
	dir = fdopendir(copy);
	if (!dir) {
		close(copy);
		return -ENOMEM;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		char id[SESSION_ID_LENGTH + 1];

		snprintf(id, sizeof(id), "%.*s", SESSION_ID_LENGTH, entry->d_name);
		if (!session_id_valid(id) || strcmp(entry->d_name, name_of(id, ".json").text))
			continue;
		r = fn(directory, id, arg);
		if (r < 0)
			return r;
	}
	return 0;
}

struct loading {
	session_store_fn *fn;
	void *arg;
};

static int load_one(int directory, const char *id, void *arg)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	const struct loading *loading = arg;
	int r = load(directory, id, &info);

	if (r == 0 && strcmp(info.id, id))
		r = -EBADMSG;
	return loading->fn(loading->arg, id, r, &info);
}

int session_store_load(struct session_store *store, session_store_fn *fn, void *arg)
{
	struct loading loading = { fn, arg };

	return for_ids(store->sessions, load_one, &loading);
}

int session_store_find_ended(struct session_store *store, const char *id,
			     struct session_info *ret_info)
{
	return session_id_valid(id) ? load(store->ended, id, ret_info) : -ENOENT;
}

struct searching {
	const char *name;
	uint32_t uid;
	struct session_info best;
};

static int compare_one(int directory, const char *id, void *arg)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	struct searching *searching = arg;

	if (load(directory, id, &info) < 0 || strcmp(info.name, searching->name) ||
	    (searching->uid && info.uid != searching->uid) || info.ended <= searching->best.ended)
		return 0;
	session_info_free(&searching->best);
	searching->best = info;
	info = (struct session_info) { 0 };
	return 0;
}

int session_store_find_ended_name(struct session_store *store, const char *name, uint32_t uid,
				  struct session_info *ret_info)
{
	struct searching searching = { .name = name, .uid = uid };
	int r = for_ids(store->ended, compare_one, &searching);

	if (r < 0 || !searching.best.name) {
		session_info_free(&searching.best);
		return r < 0 ? r : -ENOENT;
	}
	*ret_info = searching.best;
	return 0;
}

static int prune_one(int directory, const char *id, void *arg)
{
	const time_t *oldest = arg;
	struct file_name name = name_of(id, ".json");
	struct stat st;

	if (fstatat(directory, name.text, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_mtime < *oldest)
		unlinkat(directory, name.text, 0);
	return 0;
}

int session_store_prune(struct session_store *store)
{
	time_t oldest = time(NULL) - SESSION_STORE_KEEP_DAYS * 24 * 60 * 60;

	return for_ids(store->ended, prune_one, &oldest);
}
