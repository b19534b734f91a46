/* SPDX-License-Identifier: MPL-2.0 */
/* The keys of each request: type, limits, and what to say where a value is wrong. */
#include <stdarg.h>

#include "keys.h"

/* A key of one verb, and the field of the request that its value goes to. */
struct key {
	enum proto_verb verb;
	const char *name;
	int (*take)(struct reading *reading, const struct key *key, json_t *value);
	size_t offset;
	int64_t min, max; /* of a number */
};

static void *field_of(const struct reading *reading, const struct key *key)
{
	return (char *)reading->request + key->offset;
}

int proto_refuse(struct reading *reading, int r, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reading->why, reading->why_size, format, arguments);
	va_end(arguments);
	return r;
}

static int take_string(struct reading *reading, const struct key *key, json_t *value)
{
	const char **field = field_of(reading, key);

	if (!json_is_string(value))
		return proto_refuse(reading, -EINVAL, "\"%s\" must be a string", key->name);
	*field = json_string_value(value);
	return 0;
}

static int take_bool(struct reading *reading, const struct key *key, json_t *value)
{
	bool *field = field_of(reading, key);

	if (!json_is_boolean(value))
		return proto_refuse(reading, -EINVAL, "\"%s\" must be true or false", key->name);
	*field = json_is_true(value);
	return 0;
}

static int take_number(struct reading *reading, const struct key *key, json_t *value)
{
	json_int_t number = json_integer_value(value);
	int64_t *field = field_of(reading, key);

	if (!json_is_integer(value) || number < key->min || number > key->max)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be a whole number from %lld to %lld", key->name,
				    (long long)key->min, (long long)key->max);
	*field = number;
	return 0;
}

static int take_path(struct reading *reading, const struct key *key, json_t *value)
{
	if (!json_is_string(value) || !proto_path_valid(json_string_value(value)))
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be an absolute path of at most %d bytes, longer "
				    "than \"/\", without \"//\", \".\" or \"..\" in it and without "
				    "a slash at its end",
				    key->name, PROTO_DIRECTORY_MAX);
	return take_string(reading, key, value);
}

/* Seconds back from now, or a time in the form of the log. */
static int take_moment(struct reading *reading, const struct key *key, json_t *value)
{
	struct proto_request *request = reading->request;
	bool since = key->offset == offsetof(struct proto_request, since);
	uint64_t unused;

	if (!json_is_string(value))
		return take_number(reading, key, value);
	if (log_time_parse(json_string_value(value), json_string_length(value), &unused) < 0)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be seconds before now, or a time such as "
				    "\"2026-01-02T03:04:05.000000000Z\"",
				    key->name);
	*(since ? &request->since_time : &request->until_time) = json_string_value(value);
	return 0;
}

static int take_score(struct reading *reading, const struct key *key, json_t *value)
{
	double score = json_number_value(value);

	if (!json_is_number(value) || score < -PROTO_SCORE_MAX || score > PROTO_SCORE_MAX)
		return proto_refuse(reading, -EINVAL, "\"%s\" must be a number from -%d to %d",
				    key->name, PROTO_SCORE_MAX, PROTO_SCORE_MAX);
	reading->request->score = (int)(score * 100 + (score < 0 ? -0.5 : 0.5));
	reading->request->by_score = true;
	return 0;
}

static int take_command(struct reading *reading, const struct key *key, json_t *value)
{
	struct proto_request *request = reading->request;
	size_t count = json_array_size(value), i;
	json_t *word;

	if (!count)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be an array of strings, not empty", key->name);
	if (count > PROTO_COMMAND_MAX)
		return proto_refuse(reading, -E2BIG, "\"%s\" must have at most %d words", key->name,
				    PROTO_COMMAND_MAX);
	request->command = calloc(count, sizeof(*request->command));
	if (!request->command)
		return -ENOMEM;
	json_array_foreach (value, i, word) {
		if (!json_is_string(word))
			return proto_refuse(reading, -EINVAL, "\"%s\" must be an array of strings",
					    key->name);
		request->command[i] = json_string_value(word);
	}
	request->n_command = count;
	return 0;
}

static int take_policy(struct reading *reading, const struct key *key, json_t *value)
{
	struct proto_request *request = reading->request;
	json_t *name = json_object_get(value, "name"), *text = json_object_get(value, "text");

	if (!json_is_string(name) || !json_is_string(text) || json_object_size(value) != 2)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must have \"name\" and \"text\", both strings",
				    key->name);
	request->policy_name = json_string_value(name);
	request->policy_text = json_string_value(text);
	request->policy_length = json_string_length(text);
	if (strlen(request->policy_name) > 255 || !*request->policy_name)
		return proto_refuse(reading, -EINVAL, "the policy's name must have 1 to 255 bytes");
	return 0;
}

static int take_on_hold(struct reading *reading, const struct key *key, json_t *value)
{
	const char *word = json_string_value(value);

	if (!word || proto_on_hold_parse(word, field_of(reading, key)) < 0)
		return proto_refuse(reading, -EINVAL,
				    "\"on_hold\" must be \"wait\", \"deny\" or \"allow\"");
	return 0;
}

static int take_verdict(struct reading *reading, const struct key *key, json_t *value)
{
	const char *word = json_string_value(value);

	if (!word || (strcmp(word, "allow") != 0 && strcmp(word, "deny") != 0))
		return proto_refuse(reading, -EINVAL, "\"verdict\" must be \"allow\" or \"deny\"");
	reading->request->allow = !strcmp(word, "allow");
	return take_string(reading, key, value);
}

static int take_scope(struct reading *reading, const struct key *key, json_t *value)
{
	const char *word = json_string_value(value);

	if (!word || proto_scope_parse(word, field_of(reading, key)) < 0)
		return proto_refuse(reading, -EINVAL,
				    "\"for\" must be \"once\", \"session\" or \"always\"");
	return 0;
}

static int take_action(struct reading *reading, const struct key *key, json_t *value)
{
	const char *word = json_string_value(value);

	if (!word || proto_canary_action_parse(word, field_of(reading, key)) < 0)
		return proto_refuse(
			reading, -EINVAL,
			"\"action\" must be \"list\", \"add\", \"rotate\" or \"remove\"");
	return 0;
}

static int take_reset(struct reading *reading, const struct key *key, json_t *value)
{
	const char *word = json_string_value(value);

	if (!word || !*word || strlen(word) > PROTO_KEY_MAX)
		return proto_refuse(reading, -EINVAL,
				    "\"reset\" must be \"all\" or a key of 1 to %d bytes",
				    PROTO_KEY_MAX);
	return take_string(reading, key, value);
}

static int take_revoke(struct reading *reading, const struct key *key, json_t *value)
{
	const char *word = json_string_value(value);
	int64_t *field = field_of(reading, key);

	if (!word)
		return take_number(reading, key, value);
	if (strcmp(word, "all") != 0)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be \"all\" or the number of a review", key->name);
	*field = 0;
	return 0;
}

static int take_canary_value(struct reading *reading, const struct key *key, json_t *value)
{
	size_t length = json_string_length(value);

	if (!json_is_string(value) || length < PROTO_CANARY_MIN || length > PROTO_CANARY_MAX)
		return proto_refuse(reading, -EINVAL,
				    "\"value\" must be a string of %d to %d bytes",
				    PROTO_CANARY_MIN, PROTO_CANARY_MAX);
	return take_string(reading, key, value);
}

#define KEY(of, word, type, field, ...)                                      \
	{                                                                    \
		.verb = PROTO_##of, .name = (word), .take = take_##type,     \
		.offset = offsetof(struct proto_request, field), __VA_ARGS__ \
	}

static const struct key keys[] = {
	KEY(START, "command", command, command),
	KEY(START, "profile", string, profile),
	KEY(START, "policy", policy, policy_text),
	KEY(START, "observe", bool, observe),
	KEY(START, "name", string, name),
	KEY(START, "on_hold", on_hold, on_hold),
	KEY(START, "timeout", number, timeout, .min = 1, .max = PROTO_TIMEOUT_MAX),
	KEY(KILL, "session", string, session),
	KEY(FREEZE, "session", string, session),
	KEY(THAW, "session", string, session),
	KEY(LOG, "session", string, session),
	KEY(LOG, "op", string, op),
	KEY(LOG, "verdict", string, verdict),
	KEY(LOG, "program", string, program),
	KEY(LOG, "path", string, path),
	KEY(LOG, "rule", string, rule),
	KEY(LOG, "refused", bool, refused),
	KEY(LOG, "score", score, score),
	KEY(LOG, "since", moment, since, .max = INT32_MAX),
	KEY(LOG, "until", moment, until, .max = INT32_MAX),
	KEY(LOG, "last", number, last, .max = PROTO_LAST_MAX),
	KEY(LOG, "reverse", bool, reverse),
	KEY(LOG, "follow", bool, follow),
	KEY(REVIEWS, "session", string, session),
	KEY(REVIEWS, "all", bool, all),
	KEY(REVIEWS, "follow", bool, follow),
	KEY(ANSWER, "review", number, review, .min = 1, .max = PROTO_REVIEW_MAX),
	KEY(ANSWER, "verdict", verdict, verdict),
	KEY(ANSWER, "for", scope, scope),
	KEY(ANSWER, "directory", path, directory),
	KEY(ANSWERS, "session", string, session),
	KEY(ANSWERS, "revoke", revoke, revoke, .min = 1, .max = PROTO_REVIEW_MAX),
	KEY(WHY, "session", string, session),
	KEY(WHY, "event", number, event, .max = INT64_MAX),
	KEY(WHY, "last", bool, newest),
	KEY(TRUST, "reset", reset, reset),
	KEY(CANARY, "action", action, action),
	KEY(CANARY, "name", string, name),
	KEY(CANARY, "path", path, path),
	KEY(CANARY, "value", canary_value, value),
};

int proto_take_key(struct reading *reading, const char *name, json_t *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].verb == reading->request->verb && !strcmp(keys[i].name, name))
			return keys[i].take(reading, &keys[i], value);
	return proto_refuse(reading, -EINVAL, "unknown key \"%.64s\"", name);
}
