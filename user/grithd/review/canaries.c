/* SPDX-License-Identifier: MPL-2.0 */
/*
 * canaries.json: {"v":1,"canaries":[{"uid","name","path"?,"value","since","seen"}]}, for root only.
 * The values are in the memory of grithd alone.
 */
#include "lib/proto/proto.h"
#include "lib/score/score.h"
#include "canaries.h"

#define FILE_NAME "canaries.json"

struct canary {
	uint32_t uid;
	char *name, *value;
	char *path; /* of a planted file; NULL: a value */
	uint64_t since, seen; /* nanoseconds since 1970; seen 0: never */
};

static void clear_value(char *value)
{
	if (value)
		explicit_bzero(value, strlen(value));
	free(value);
}

static void canary_free(struct canary *canary)
{
	free(canary->name);
	free(canary->path);
	clear_value(canary->value);
}

static int save(const struct canaries *canaries)
{
	json_t *array = json_array();

	for (size_t i = 0; i < canaries->count; i++) {
		const struct canary *canary = &canaries->list[i];

		if (json_array_append_new(array,
					  json_pack("{s:I, s:s, s:s*, s:s, s:I, s:I}", "uid",
						    (json_int_t)canary->uid, "name", canary->name,
						    "path", canary->path, "value", canary->value,
						    "since", (json_int_t)canary->since, "seen",
						    (json_int_t)canary->seen)) < 0) {
			json_decref(array);
			return -ENOMEM;
		}
	}
	return state_save_field(canaries->directory, FILE_NAME, "canaries", array);
}

/* Takes over the strings where it succeeds. */
static int put(struct canaries *canaries, const struct canary *canary)
{
	if (ARRAY_GROW(canaries->list, canaries->count) < 0)
		return -ENOMEM;
	canaries->list[canaries->count++] = *canary;
	return 0;
}

static int fill_in(struct canary *canary, const char *name, const char *path, const char *value)
{
	return text_copy(name, &canary->name)
		?: text_copy(path, &canary->path)
		?: text_copy(value, &canary->value);
}

static int load_one(struct canaries *canaries, json_t *json)
{
	const char *name, *value, *path = NULL;
	struct canary canary = { 0 };
	json_int_t uid, since, seen;
	int r;

	if (json_unpack(json, "{s:I, s:s, s?s, s:s, s:I, s:I}", "uid", &uid, "name", &name, "path",
			&path, "value", &value, "since", &since, "seen", &seen) < 0 ||
	    uid < 0 || uid > UINT32_MAX || !proto_name_valid(name) ||
	    (path && !proto_path_valid(path)))
		return -EBADMSG;
	canary.uid = (uint32_t)uid;
	canary.since = (uint64_t)since;
	canary.seen = (uint64_t)seen;
	r = fill_in(&canary, name, path, value) ?: put(canaries, &canary);
	if (r < 0)
		canary_free(&canary);
	return r;
}

int canaries_open(struct canaries *canaries, const char *state_directory)
{
	json_t *array = NULL;
	int r = state_open(state_directory, NULL, &canaries->directory)
			?: state_load_field(canaries->directory, FILE_NAME, "canaries", &array);

	if (array && !json_is_array(array))
		r = -EBADMSG;
	for (size_t i = 0; r == 0 && i < json_array_size(array); i++)
		r = load_one(canaries, json_array_get(array, i));
	json_decref(array);
	return r;
}

void canaries_free(struct canaries *canaries)
{
	for (size_t i = 0; i < canaries->count; i++)
		canary_free(&canaries->list[i]);
	free(canaries->list);
	cleanup_close(&canaries->directory);
	*canaries = CANARIES_CLOSED;
}

static struct canary *find(const struct canaries *canaries, uint32_t uid, const char *name)
{
	for (size_t i = 0; i < canaries->count; i++)
		if (canaries->list[i].uid == uid && !strcmp(canaries->list[i].name, name))
			return &canaries->list[i];
	return NULL;
}

void canary_change_clear(struct canary_change *change)
{
	free(change->name);
	free(change->path);
	clear_value(change->old);
	clear_value(change->fresh);
	*change = (struct canary_change) { 0 };
}

static int check_new(const struct canaries *canaries, const struct canary_change *change)
{
	size_t count = 0;

	if (find(canaries, change->uid, change->name))
		return -EEXIST;
	for (size_t i = 0; i < canaries->count; i++)
		count += canaries->list[i].uid == change->uid;
	return count < CANARIES_PER_USER ? 0 : -E2BIG;
}

static int check_old(const struct canary *canary, enum proto_canary_action action,
		     const char *value)
{
	if (!canary)
		return -ENOENT;
	return action == PROTO_CANARY_ROTATE && !canary->path == !value ? -EINVAL : 0;
}

int canaries_prepare(const struct canaries *canaries, enum proto_canary_action action, uint32_t uid,
		     const char *name, const char *path, const char *value,
		     struct canary_change *change)
{
	const struct canary *canary = find(canaries, uid, name);
	char made[PLANT_VALUE_SIZE];
	int r = text_copy(name, &change->name);

	change->action = action;
	change->uid = uid;
	if (r == 0 && action == PROTO_CANARY_ADD)
		r = check_new(canaries, change);
	else if (r == 0)
		r = check_old(canary, action, value) ?: text_copy(canary->value, &change->old);
	if (r == 0)
		r = text_copy(action == PROTO_CANARY_ADD ? path : canary->path, &change->path);
	if (r < 0 || action == PROTO_CANARY_REMOVE)
		return r;
	r = change->path ? plant_value(made) : 0;
	r = r ?: text_copy(change->path ? made : value, &change->fresh);
	explicit_bzero(made, sizeof(made));
	return r;
}

static int add(struct canaries *canaries, struct canary_change *change)
{
	const struct canary canary = {
		.uid = change->uid,
		.name = change->name,
		.path = change->path,
		.value = change->fresh,
		.since = clock_real(),
	};
	int r = check_new(canaries, change) ?: put(canaries, &canary);

	if (r == 0)
		change->name = change->path = change->fresh = NULL;
	return r;
}

int canaries_apply(struct canaries *canaries, struct canary_change *change)
{
	struct canary *canary = find(canaries, change->uid, change->name);
	int r;

	if (change->action == PROTO_CANARY_ADD) {
		r = add(canaries, change);
		if (r < 0)
			return r;
	} else if (!canary || strcmp(canary->value, change->old)) {
		return -ENOENT;
	} else if (change->action == PROTO_CANARY_ROTATE) {
		clear_value(canary->value);
		canary->value = TAKE_PTR(change->fresh);
		canary->since = clock_real();
	} else {
		canary_free(canary);
		*canary = canaries->list[--canaries->count];
	}
	return save(canaries);
}

static json_t *canary_to_json(const struct canary *canary)
{
	char since[JSON_TIME_SIZE], seen[JSON_TIME_SIZE];

	json_format_time(canary->since, since);
	json_format_time(canary->seen, seen);
	return json_pack("{s:s, s:s*, s:s, s:s, s:s*}", "name", canary->name, "path", canary->path,
			 "kind", canary->path ? "file" : "value", "since", since, "seen",
			 canary->seen ? seen : NULL);
}

json_t *canaries_to_json(const struct canaries *canaries, uint32_t uid)
{
	json_t *array = json_array();

	for (size_t i = 0; i < canaries->count; i++)
		if (!uid || canaries->list[i].uid == uid)
			json_array_append_new(array, canary_to_json(&canaries->list[i]));
	return array;
}

/* Its name for the filters: the path of its file, by which a read is recognised, else its own. */
static const char *known_as(const struct canary *canary)
{
	return canary->path ? canary->path : canary->name;
}

void canaries_arm(const struct canaries *canaries, const char *id, uint32_t uid,
		  struct score_session *score)
{
	for (size_t i = 0; i < canaries->count; i++) {
		const struct canary *canary = &canaries->list[i];
		int r = 0;

		if (canary->uid == uid)
			r = score_session_add_canary(score, known_as(canary), canary->value);
		if (r < 0)
			log_line(LOG_WARNING, "session %s: canary %s cannot be watched for: %s", id,
				 canary->name, strerror(-r));
	}
}

/* Whether it is the one that the filter named. */
static bool is_named(const struct canary *canary, const struct score_part *part)
{
	char why[SCORE_WHY_MAX];

	snprintf(why, sizeof(why), SCORE_CANARY_WHY, known_as(canary));
	return part->filter == FILTER_CANARY && !strcmp(part->why, why);
}

void canaries_saw(struct canaries *canaries, uint32_t uid, const struct score *score)
{
	bool seen = false;

	for (size_t i = 0; i < score->n_parts; i++)
		for (size_t k = 0; k < canaries->count; k++)
			if (canaries->list[k].uid == uid &&
			    is_named(&canaries->list[k], &score->parts[i])) {
				canaries->list[k].seen = clock_real();
				seen = true;
			}
	if (seen && save(canaries) < 0)
		log_line(LOG_WARNING, "cannot write down that a canary was seen");
}
