/* SPDX-License-Identifier: MPL-2.0 */
/*
 * DIR/remembered/UID.json and DIR/answers/SESSION.json, as answers_json.c has them. A user's file
 * that is damaged is not used, and not overwritten: its owner hears of it when the next answer
 * cannot be kept.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "grithd/base/base.h"
#include "answers_json.h"
#include "remembered.h"

struct user {
	uint32_t uid;
	int r; /* of the reading of the file */
	struct answers answers;
};

struct remembered {
	int directory, sessions;
	struct user *users;
	size_t count;
};

struct file_name {
	char text[SESSION_ID_LENGTH + sizeof(".json")];
};

static struct file_name name_of_user(uint32_t uid)
{
	struct file_name name;

	snprintf(name.text, sizeof(name.text), "%u.json", uid);
	return name;
}

static struct file_name name_of_session(const char *id)
{
	struct file_name name;

	snprintf(name.text, sizeof(name.text), "%.*s.json", SESSION_ID_LENGTH, id);
	return name;
}

static int save(int directory, struct file_name name, const struct answers *answers)
{
	json_t *json = answers_to_json(answers);
	int r = json ? state_save(directory, name.text, json) : -ENOMEM;

	json_decref(json);
	return r;
}

static int load(int directory, struct file_name name, struct answers *answers)
{
	json_t *json = NULL;
	int r = state_load(directory, name.text, &json);

	if (r == 0)
		r = answers_from_json(json, answers);
	json_decref(json);
	return r == -ENOENT ? 0 : r;
}

static struct user *find_user(struct remembered *remembered, uint32_t uid)
{
	struct user *user;

	for (size_t i = 0; i < remembered->count; i++)
		if (remembered->users[i].uid == uid)
			return &remembered->users[i];
	if (ARRAY_GROW(remembered->users, remembered->count) < 0)
		return NULL;
	user = &remembered->users[remembered->count++];
	*user = (struct user) { .uid = uid };
	user->r = load(remembered->directory, name_of_user(uid), &user->answers);
	return user;
}

int remembered_open(const char *state_directory, struct remembered **ret_remembered)
{
	CLEANUP(remembered_freep) struct remembered *remembered = calloc(1, sizeof(*remembered));
	int r;

	if (!remembered)
		return -ENOMEM;
	remembered->directory = remembered->sessions = -1;
	r = state_open(state_directory, "remembered", &remembered->directory);
	if (r == 0)
		r = state_open(state_directory, "answers", &remembered->sessions);
	if (r < 0)
		return r;
	*ret_remembered = TAKE_PTR(remembered);
	return 0;
}

void remembered_free(struct remembered *remembered)
{
	if (!remembered)
		return;
	for (size_t i = 0; i < remembered->count; i++)
		answers_free(&remembered->users[i].answers);
	free(remembered->users);
	cleanup_close(&remembered->directory);
	cleanup_close(&remembered->sessions);
	free(remembered);
}

const struct answers *remembered_of(struct remembered *remembered, uint32_t uid)
{
	struct user *user = find_user(remembered, uid);

	return user && user->r == 0 ? &user->answers : NULL;
}

int remembered_keep(struct remembered *remembered, uint32_t uid, const struct subject *subject,
		    const struct keeping *keeping)
{
	struct user *user = find_user(remembered, uid);
	int r;

	if (!user)
		return -ENOMEM;
	if (user->r < 0)
		return user->r;
	r = answers_keep(&user->answers, subject, keeping);
	return r < 0 ? r : save(remembered->directory, name_of_user(uid), &user->answers);
}

int remembered_save_session(struct remembered *remembered, const char *id,
			    const struct answers *answers)
{
	return save(remembered->sessions, name_of_session(id), answers);
}

int remembered_load_session(struct remembered *remembered, const char *id, struct answers *answers)
{
	return load(remembered->sessions, name_of_session(id), answers);
}

void remembered_drop_session(struct remembered *remembered, const char *id)
{
	unlinkat(remembered->sessions, name_of_session(id).text, 0);
}
