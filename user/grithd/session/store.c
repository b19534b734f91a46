/* SPDX-License-Identifier: MPL-2.0 */
/* DIR/lock, DIR/sessions/ID.json, DIR/ended/ID.json. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "store.h"

int session_store_open(struct session_store *store, const char *directory)
{
	OWNED_FD int parent = -1;
	int r = state_directory_open(AT_FDCWD, directory, &parent);

	if (r < 0)
		return r;
	store->lock = openat(parent, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (store->lock < 0)
		return -errno;
	if (flock(store->lock, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	return state_directory_open(parent, "sessions", &store->sessions)
		       ?: state_directory_open(parent, "ended", &store->ended);
}

void session_store_close(struct session_store *store)
{
	cleanup_close(&store->lock);
	cleanup_close(&store->sessions);
	cleanup_close(&store->ended);
	*store = SESSION_STORE_CLOSED;
}

static int save(int directory, const struct session_info *info)
{
	json_t *json = session_info_to_json(info);
	int r = state_save(directory, state_name(info->id).text, json, JSON_COMPACT);

	json_decref(json);
	return r;
}

int session_store_save(const struct session_store *store, const struct session_info *info)
{
	return save(store->sessions, info);
}

int session_store_end(const struct session_store *store, const struct session_info *info)
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

void session_store_drop(const struct session_store *store, const char *id)
{
	unlinkat(store->sessions, state_name(id).text, 0);
}

static int load(int directory, const char *id, struct session_info *ret_info)
{
	json_t *json = NULL;
	int r = state_load(directory, state_name(id).text, &json);

	r = r ?: session_info_from_json(json, ret_info);
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
		if (!session_id_valid(id) || strcmp(entry->d_name, state_name(id).text))
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

int session_store_load(const struct session_store *store, session_store_fn *fn, void *arg)
{
	struct loading loading = { fn, arg };

	return for_ids(store->sessions, load_one, &loading);
}

int session_store_find_ended(const struct session_store *store, const char *id,
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

int session_store_find_ended_name(const struct session_store *store, const char *name, uint32_t uid,
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
	struct state_name name = state_name(id);
	struct stat st;

	if (fstatat(directory, name.text, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_mtime < *oldest)
		unlinkat(directory, name.text, 0);
	return 0;
}

int session_store_prune(const struct session_store *store)
{
	time_t oldest = time(NULL) - SESSION_STORE_KEEP_DAYS * 24 * 60 * 60;

	return for_ids(store->ended, prune_one, &oldest);
}
