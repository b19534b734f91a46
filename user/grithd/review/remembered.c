/* SPDX-License-Identifier: MPL-2.0 */
/*
 * DIR/remembered/UID.json and DIR/answers/SESSION.json, as answers_json.c has them. A user's file
 * that is damaged is not used, and not overwritten: its owner hears of it when the next answer
 * cannot be kept.
 */
#include <fcntl.h>

#include "remembered.h"

struct remembered_user {
	uint32_t uid;
	int r; /* of the reading of the file */
	struct answers answers;
};

static int save(int directory, struct state_name name, const struct answers *answers)
{
	return state_save_field(directory, name.text, "answers", answers_to_json(answers));
}

static int load(int directory, struct state_name name, struct answers *answers)
{
	json_t *json = NULL;
	int r = state_load_field(directory, name.text, "answers", &json);

	if (json)
		r = answers_from_json(json, answers);
	json_decref(json);
	return r;
}

static struct state_name name_of(uint32_t uid)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", uid);
	return state_name(text);
}

static struct remembered_user *find_user(struct remembered *remembered, uint32_t uid)
{
	struct remembered_user *user;

	for (size_t i = 0; i < remembered->count; i++)
		if (remembered->users[i].uid == uid)
			return &remembered->users[i];
	if (ARRAY_GROW(remembered->users, remembered->count) < 0)
		return NULL;
	user = &remembered->users[remembered->count++];
	*user = (struct remembered_user) { .uid = uid };
	user->r = load(remembered->directory, name_of(uid), &user->answers);
	return user;
}

int remembered_open(struct remembered *remembered, const char *state_directory)
{
	return state_open(state_directory, "remembered", &remembered->directory)
		       ?: state_open(state_directory, "answers", &remembered->sessions);
}

void remembered_free(struct remembered *remembered)
{
	for (size_t i = 0; i < remembered->count; i++)
		answers_free(&remembered->users[i].answers);
	free(remembered->users);
	cleanup_close(&remembered->directory);
	cleanup_close(&remembered->sessions);
	*remembered = REMEMBERED_CLOSED;
}

const struct answers *remembered_of(struct remembered *remembered, uint32_t uid)
{
	struct remembered_user *user = find_user(remembered, uid);

	return user && user->r == 0 ? &user->answers : NULL;
}

/* Those that were not asked for yet, too. */
static void find_all(struct remembered *remembered)
{
	int fd = openat(remembered->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	OWNED_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		cleanup_close(&fd);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char *end;
		unsigned long uid = strtoul(entry->d_name, &end, 10);

		if (end != entry->d_name && uid <= UINT32_MAX && !strcmp(end, ".json"))
			find_user(remembered, (uint32_t)uid);
	}
}

const struct answers *remembered_at(struct remembered *remembered, size_t index, uint32_t *ret_uid)
{
	if (!index)
		find_all(remembered);
	if (index >= remembered->count)
		return NULL;
	*ret_uid = remembered->users[index].uid;
	return &remembered->users[index].answers;
}

int remembered_revoke(struct remembered *remembered, uint32_t uid, uint32_t review, answers_fn *fn,
		      void *arg, size_t *count)
{
	int r = 0;

	find_all(remembered);
	for (size_t i = 0; i < remembered->count; i++) {
		struct remembered_user *user = &remembered->users[i];
		size_t revoked;
		int saved;

		if (uid && user->uid != uid)
			continue;
		revoked = answers_revoke(&user->answers, review, fn, arg);
		*count += revoked;
		saved = revoked ? save(remembered->directory, name_of(user->uid), &user->answers)
				: 0;
		r = r ?: saved;
	}
	return r;
}

int remembered_keep(struct remembered *remembered, uint32_t uid, const struct subject *subject,
		    const struct keeping *keeping)
{
	struct remembered_user *user = find_user(remembered, uid);

	if (!user)
		return -ENOMEM;
	return user->r ?: answers_keep(&user->answers, subject, keeping)
		       ?: save(remembered->directory, name_of(uid), &user->answers);
}

int remembered_save_session(const struct remembered *remembered, const char *id,
			    const struct answers *answers)
{
	return save(remembered->sessions, state_name(id), answers);
}

int remembered_load_session(const struct remembered *remembered, const char *id,
			    struct answers *answers)
{
	return load(remembered->sessions, state_name(id), answers);
}

void remembered_drop_session(const struct remembered *remembered, const char *id)
{
	unlinkat(remembered->sessions, state_name(id).text, 0);
}
