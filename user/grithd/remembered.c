/* SPDX-License-Identifier: MPL-2.0 */
/*
 * DIR/remembered/UID.json: {"v":1,"answers":[{"profile","op","kind","object","verdict","time"}]}.
 * Where an object is not UTF-8 it is in "object_hex". A file that is damaged is not used, and not
 * overwritten: its owner hears of it when the next answer cannot be kept.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "names.h"
#include "remembered.h"
#include "review_file.h"
#include "review_hex.h"

#define VERSION 1

struct user {
	uint32_t uid;
	int r; /* of the reading of the file */
	struct answers answers;
};

struct remembered {
	int directory;
	struct user *users;
	size_t count;
};

static const struct {
	const char *name;
	enum subject_kind kind;
	bool directory;
} kinds[] = {
	{ "path", SUBJECT_PATH, false },
	{ "directory", SUBJECT_PATH, true },
	{ "address", SUBJECT_ADDRESS, false },
	{ "command", SUBJECT_COMMAND, false },
};

static const char *kind_of(const struct kept_answer *answer)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == answer->kind && kinds[i].directory == answer->directory)
			return kinds[i].name;
	return NULL;
}

static json_t *answer_to_json(const struct kept_answer *answer)
{
	json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:I}", "profile", answer->profile, "op",
				 op_name(answer->op), "kind", kind_of(answer), "verdict",
				 verdict_name(answer->verdict), "time", (json_int_t)answer->time);
	int r = json ? json_set_bytes(json, "object", answer->object.data, answer->object.length)
		     : -ENOMEM;

	if (r == 0 && answer->second.length)
		r = json_set_bytes(json, "second", answer->second.data, answer->second.length);
	if (r == 0)
		return json;
	json_decref(json);
	return NULL;
}

static int save(const struct remembered *remembered, const struct user *user)
{
	json_t *array = json_array(), *json = NULL;
	char name[32];
	int r = 0;

	for (size_t i = 0; r == 0 && i < user->answers.count; i++)
		if (json_array_append_new(array, answer_to_json(&user->answers.list[i])) < 0)
			r = -ENOMEM;
	if (r == 0)
		json = json_pack("{s:i, s:O}", "v", VERSION, "answers", array);
	snprintf(name, sizeof(name), "%u.json", user->uid);
	r = json ? state_save(remembered->directory, name, json) : -ENOMEM;
	json_decref(array);
	json_decref(json);
	return r;
}

static int find_kind(const char *name, struct kept_answer *answer)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name)) {
			answer->kind = kinds[i].kind;
			answer->directory = kinds[i].directory;
			return 0;
		}
	return -EBADMSG;
}

static int answer_from_json(json_t *json, struct answers *answers)
{
	const char *profile, *op, *kind, *verdict;
	struct kept_answer answer = { 0 };
	json_int_t time;
	int r;

	if (json_unpack(json, "{s:s, s:s, s:s, s:s, s:I}", "profile", &profile, "op", &op, "kind",
			&kind, "verdict", &verdict, "time", &time) < 0 ||
	    op_parse(op, &answer.op) < 0 || verdict_parse(verdict, &answer.verdict) < 0 ||
	    (answer.verdict != GRITH_ALLOW && answer.verdict != GRITH_DENY) ||
	    find_kind(kind, &answer) < 0)
		return -EBADMSG;
	answer.time = time;
	r = json_get_bytes(json, "object", &answer.object);
	if (r == 0)
		r = json_get_bytes(json, "second", &answer.second);
	if (r == 0) {
		answer.profile = strdup(profile);
		r = answer.profile ? 0 : -ENOMEM;
	}
	if (r < 0) {
		text_free(&answer.object);
		text_free(&answer.second);
		return r;
	}
	return answers_put(answers, &answer);
}

static int load(const struct remembered *remembered, struct user *user)
{
	char name[32];
	json_t *json = NULL, *array, *entry;
	size_t i;
	int r;

	snprintf(name, sizeof(name), "%u.json", user->uid);
	r = state_load(remembered->directory, name, &json);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return r;
	array = json_object_get(json, "answers");
	if (json_integer_value(json_object_get(json, "v")) != VERSION || !json_is_array(array))
		r = -EBADMSG;
	for (i = 0; r == 0 && i < json_array_size(array); i++) {
		entry = json_array_get(array, i);
		r = answer_from_json(entry, &user->answers);
	}
	json_decref(json);
	if (r < 0)
		answers_free(&user->answers);
	return r;
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
	user->r = load(remembered, user);
	return user;
}

int remembered_open(const char *state_directory, struct remembered **ret_remembered)
{
	CLEANUP(remembered_freep) struct remembered *remembered = calloc(1, sizeof(*remembered));
	int r;

	if (!remembered)
		return -ENOMEM;
	remembered->directory = -1;
	r = state_open(state_directory, "remembered", &remembered->directory);
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
	return r < 0 ? r : save(remembered, user);
}
