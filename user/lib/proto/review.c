/* SPDX-License-Identifier: MPL-2.0 */
/* The requests about what is held and what was learned: reviews, answer, why, trust, canary. */
#include <string.h>

#include "read.h"

static int take_reviews(struct reading *reading, const char *key, json_t *value)
{
	struct proto_request *request = reading->request;

	if (!strcmp(key, "session"))
		return proto_take_string(reading, key, value, &request->session);
	if (!strcmp(key, "all"))
		return proto_take_bool(reading, key, value, &request->all);
	if (!strcmp(key, "follow"))
		return proto_take_bool(reading, key, value, &request->follow);
	return proto_refuse_key(reading, key);
}

static int take_review_number(struct reading *reading, const char *key, json_t *value)
{
	int64_t number;
	int r = proto_take_number(reading, key, value, 1, PROTO_REVIEW_MAX, &number);

	if (r == 0)
		reading->request->review = number;
	return r;
}

static int take_answer(struct reading *reading, const char *key, json_t *value)
{
	struct proto_request *request = reading->request;
	const char *word = json_string_value(value);

	if (!strcmp(key, "review"))
		return take_review_number(reading, key, value);
	if (!strcmp(key, "verdict")) {
		if (!word || (strcmp(word, "allow") != 0 && strcmp(word, "deny") != 0))
			return proto_refuse(reading, -EINVAL,
					    "\"verdict\" must be \"allow\" or \"deny\"");
		request->verdict = word;
		request->allow = !strcmp(word, "allow");
		return 0;
	}
	if (!strcmp(key, "for"))
		return word && proto_scope_parse(word, &request->scope) == 0
			       ? 0
			       : proto_refuse(reading, -EINVAL,
					      "\"for\" must be \"once\", \"session\" or "
					      "\"always\"");
	if (!strcmp(key, "directory"))
		return proto_take_path(reading, key, value, &request->directory);
	return proto_refuse_key(reading, key);
}

static int take_why(struct reading *reading, const char *key, json_t *value)
{
	struct proto_request *request = reading->request;

	if (!strcmp(key, "session"))
		return proto_take_string(reading, key, value, &request->session);
	if (!strcmp(key, "event"))
		return proto_take_number(reading, key, value, 0, INT64_MAX, &request->event);
	if (!strcmp(key, "last"))
		return proto_take_bool(reading, key, value, &request->newest);
	return proto_refuse_key(reading, key);
}

static int take_trust(struct reading *reading, const char *key, json_t *value)
{
	const char *word = json_string_value(value);

	if (strcmp(key, "reset") != 0)
		return proto_refuse_key(reading, key);
	if (!word || !*word || strlen(word) > PROTO_KEY_MAX)
		return proto_refuse(reading, -EINVAL,
				    "\"reset\" must be \"all\" or a key of 1 to %d bytes",
				    PROTO_KEY_MAX);
	reading->request->reset = word;
	return 0;
}

static int take_canary_value(struct reading *reading, json_t *value)
{
	size_t length = json_string_length(value);

	if (!json_is_string(value) || length < PROTO_CANARY_MIN || length > PROTO_CANARY_MAX)
		return proto_refuse(reading, -EINVAL,
				    "\"value\" must be a string of %d to %d bytes",
				    PROTO_CANARY_MIN, PROTO_CANARY_MAX);
	reading->request->value = json_string_value(value);
	return 0;
}

static int take_canary(struct reading *reading, const char *key, json_t *value)
{
	struct proto_request *request = reading->request;
	const char *word = json_string_value(value);

	if (!strcmp(key, "action"))
		return word && proto_canary_action_parse(word, &request->action) == 0
			       ? 0
			       : proto_refuse(reading, -EINVAL,
					      "\"action\" must be \"list\", \"add\", \"rotate\" or "
					      "\"remove\"");
	if (!strcmp(key, "name"))
		return proto_take_string(reading, key, value, &request->name);
	if (!strcmp(key, "path"))
		return proto_take_path(reading, key, value, &request->path);
	if (!strcmp(key, "value"))
		return take_canary_value(reading, value);
	return proto_refuse_key(reading, key);
}

int proto_take_review_key(struct reading *reading, const char *key, json_t *value)
{
	switch (reading->request->verb) {
	case PROTO_REVIEWS:
		return take_reviews(reading, key, value);
	case PROTO_ANSWER:
		return take_answer(reading, key, value);
	case PROTO_WHY:
		return take_why(reading, key, value);
	case PROTO_TRUST:
		return take_trust(reading, key, value);
	case PROTO_CANARY:
		return take_canary(reading, key, value);
	default:
		return proto_refuse_key(reading, key);
	}
}

static int check_answer(struct reading *reading)
{
	const struct proto_request *request = reading->request;

	if (!request->review)
		return proto_refuse(reading, -EINVAL, "\"review\" is missing");
	if (!request->verdict)
		return proto_refuse(reading, -EINVAL, "\"verdict\" is missing");
	if (request->directory && request->scope == PROTO_ONCE)
		return proto_refuse(reading, -EINVAL,
				    "\"directory\" needs \"for\" to be \"session\" or \"always\"");
	return 0;
}

static int check_why(struct reading *reading)
{
	const struct proto_request *request = reading->request;

	if (request->event >= 0 && request->newest)
		return proto_refuse(reading, -EINVAL, "\"event\" and \"last\" exclude each other");
	if (request->event < 0 && !request->newest)
		return proto_refuse(reading, -EINVAL, "\"event\" or \"last\" is missing");
	return 0;
}

static int check_canary(struct reading *reading)
{
	const struct proto_request *request = reading->request;
	enum proto_canary_action action = request->action;

	if (!json_object_get(request->json, "action"))
		return proto_refuse(reading, -EINVAL, "\"action\" is missing");
	if (action == PROTO_CANARY_LIST)
		return request->name || request->path || request->value
			       ? proto_refuse(reading, -EINVAL, "\"list\" takes nothing else")
			       : 0;
	if (!request->name || !proto_name_valid(request->name))
		return proto_refuse(reading, -EINVAL,
				    "\"name\" must be that of the canary: 1 to %d letters, digits, "
				    "'-', '_' or '.', the first one a letter or digit",
				    PROTO_NAME_MAX);
	if (action == PROTO_CANARY_ADD && !request->path == !request->value)
		return proto_refuse(reading, -EINVAL, "\"add\" takes either \"path\" or \"value\"");
	if (action != PROTO_CANARY_ADD && request->path)
		return proto_refuse(reading, -EINVAL, "only \"add\" takes \"path\"");
	if (action == PROTO_CANARY_REMOVE && request->value)
		return proto_refuse(reading, -EINVAL, "\"remove\" takes no \"value\"");
	return 0;
}

int proto_check_review(struct reading *reading)
{
	switch (reading->request->verb) {
	case PROTO_ANSWER:
		return check_answer(reading);
	case PROTO_WHY:
		return check_why(reading);
	case PROTO_CANARY:
		return check_canary(reading);
	default:
		return 0;
	}
}
