/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Requests are read strictly: every key known, every value of its type and within its limit, so
 * that what the server gets needs no further looking at.
 */
#include "keys.h"

/*
 * The JSON parser takes about a hundred bytes for each value, so that a few megabytes of "[[[["
 * would become very many. Counts what starts or separates values outside of strings.
 */
static bool too_many_values(const char *line, size_t length)
{
	size_t count = 0;
	bool inside = false;

	for (size_t i = 0; i < length; i++) {
		if (inside) {
			if (line[i] == '\\')
				i++;
			else if (line[i] == '"')
				inside = false;
			continue;
		}
		switch (line[i]) {
		case '"':
			inside = true;
			break;
		case ',':
		case ':':
		case '[':
		case '{':
			if (++count > PROTO_VALUES_MAX)
				return true;
		}
	}
	return false;
}

static int check_log(struct reading *reading)
{
	const struct proto_request *request = reading->request;
	enum grith_op op;
	enum grith_verdict verdict;

	if (request->op && op_parse(request->op, &op) < 0)
		return proto_refuse(reading, -EINVAL, "unknown operation \"%.64s\"", request->op);
	if (request->verdict && verdict_parse(request->verdict, &verdict) < 0)
		return proto_refuse(reading, -EINVAL, "unknown verdict \"%.64s\"",
				    request->verdict);
	if (request->reverse && request->follow)
		return proto_refuse(reading, -EINVAL,
				    "\"reverse\" and \"follow\" exclude each other");
	return 0;
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

/* Checks combinations of keys that are valid one by one. */
static int check_whole(struct reading *reading)
{
	const struct proto_request *request = reading->request;

	switch (request->verb) {
	case PROTO_START:
		if (!request->command)
			return proto_refuse(reading, -EINVAL, "\"command\" is missing");
		if (request->profile && request->policy_text)
			return proto_refuse(reading, -EINVAL,
					    "\"profile\" and \"policy\" exclude each other");
		if (request->name && !proto_name_valid(request->name))
			return proto_refuse(
				reading, -EINVAL,
				"a session's name has 1 to %d letters, digits, '-', '_' or '.', "
				"the first one a letter or digit",
				PROTO_NAME_MAX);
		return 0;
	case PROTO_KILL:
	case PROTO_FREEZE:
	case PROTO_THAW:
		return request->session ? 0
					: proto_refuse(reading, -EINVAL, "\"session\" is missing");
	case PROTO_LOG:
		return check_log(reading);
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

static int find_verb(struct reading *reading, json_t *value)
{
	const char *name = json_string_value(value);

	if (!name)
		return proto_refuse(reading, -EINVAL, "\"do\" must say what is wanted");
	if (proto_verb_parse(name, &reading->request->verb) == 0)
		return 0;
	return proto_refuse(reading, -EINVAL, "unknown request \"%.64s\"", name);
}

static int read_object(struct reading *reading, size_t length)
{
	struct proto_request *request = reading->request;
	json_t *version = json_object_get(request->json, "v"), *value;
	const char *key;
	int r;

	if (!json_is_object(request->json))
		return proto_refuse(reading, -EINVAL, "a request must be a JSON object");
	if (!json_is_integer(version) || json_integer_value(version) != PROTO_VERSION)
		return proto_refuse(reading, -EPROTONOSUPPORT, "this grithd speaks version %d",
				    PROTO_VERSION);
	r = find_verb(reading, json_object_get(request->json, "do"));
	if (r < 0)
		return r;
	if (request->verb != PROTO_START && length > PROTO_REQUEST_MAX)
		return proto_refuse(reading, -E2BIG, "a request must have at most %u bytes",
				    PROTO_REQUEST_MAX);
	json_object_foreach (request->json, key, value) {
		if (!strcmp(key, "v") || !strcmp(key, "do"))
			continue;
		r = proto_take_key(reading, key, value);
		if (r < 0)
			return r;
	}
	return check_whole(reading);
}

int proto_request_parse(const char *line, size_t length, char *why, size_t why_size,
			struct proto_request **ret_request)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	struct reading reading = { .why = why, .why_size = why_size };
	json_error_t error;
	int r;

	if (length > PROTO_START_MAX)
		return proto_refuse(&reading, -E2BIG, "a request must have at most %u bytes",
				    PROTO_START_MAX);
	if (too_many_values(line, length))
		return proto_refuse(&reading, -E2BIG, "a request must have at most %d values",
				    PROTO_VALUES_MAX);
	request = calloc(1, sizeof(*request));
	if (!request)
		return proto_refuse(&reading, -ENOMEM, "out of memory");
	request->since = request->until = request->last = request->event = request->revoke = -1;
	request->timeout = PROTO_TIMEOUT_DEFAULT;
	request->json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	if (!request->json)
		return proto_refuse(&reading, -EINVAL, "not JSON: %s", error.text);

	reading.request = request;
	snprintf(why, why_size, "out of memory");
	r = read_object(&reading, length);
	if (r == 0)
		*ret_request = TAKE_PTR(request);
	return r;
}

void proto_request_free(struct proto_request *request)
{
	if (!request)
		return;
	free(request->command);
	json_decref(request->json);
	free(request);
}
