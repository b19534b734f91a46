/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Requests are read strictly: every key known, every value of its type and within its limit, so
 * that what the server gets needs no further looking at.
 */
#include <string.h>

#include "read.h"

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

static int take_command(struct reading *reading, json_t *value)
{
	struct proto_request *request = reading->request;
	size_t count = json_array_size(value), i;
	json_t *word;

	if (!count)
		return proto_refuse(reading, -EINVAL,
				    "\"command\" must be an array of strings, not empty");
	if (count > PROTO_COMMAND_MAX)
		return proto_refuse(reading, -E2BIG, "\"command\" must have at most %d words",
				    PROTO_COMMAND_MAX);
	request->command = calloc(count, sizeof(*request->command));
	if (!request->command)
		return -ENOMEM;
	json_array_foreach (value, i, word) {
		if (!json_is_string(word))
			return proto_refuse(reading, -EINVAL,
					    "\"command\" must be an array of strings");
		request->command[i] = json_string_value(word);
	}
	request->n_command = count;
	return 0;
}

static int take_policy(struct reading *reading, json_t *value)
{
	struct proto_request *request = reading->request;
	json_t *name = json_object_get(value, "name"), *text = json_object_get(value, "text");

	if (!json_is_string(name) || !json_is_string(text) || json_object_size(value) != 2)
		return proto_refuse(reading, -EINVAL,
				    "\"policy\" must have \"name\" and \"text\", both strings");
	request->policy_name = json_string_value(name);
	request->policy_text = json_string_value(text);
	request->policy_length = json_string_length(text);
	if (strlen(request->policy_name) > 255 || !*request->policy_name)
		return proto_refuse(reading, -EINVAL, "the policy's name must have 1 to 255 bytes");
	return 0;
}

static int take_on_hold(struct reading *reading, json_t *value)
{
	const char *word = json_string_value(value);

	if (!word || proto_on_hold_parse(word, &reading->request->on_hold) < 0)
		return proto_refuse(reading, -EINVAL,
				    "\"on_hold\" must be \"wait\", \"deny\" or \"allow\"");
	return 0;
}

static int take_start(struct reading *reading, const char *key, json_t *value)
{
	struct proto_request *request = reading->request;

	if (!strcmp(key, "command"))
		return take_command(reading, value);
	if (!strcmp(key, "profile"))
		return proto_take_string(reading, key, value, &request->profile);
	if (!strcmp(key, "policy"))
		return take_policy(reading, value);
	if (!strcmp(key, "observe"))
		return proto_take_bool(reading, key, value, &request->observe);
	if (!strcmp(key, "name"))
		return proto_take_string(reading, key, value, &request->name);
	if (!strcmp(key, "on_hold"))
		return take_on_hold(reading, value);
	if (!strcmp(key, "timeout"))
		return proto_take_number(reading, key, value, 1, PROTO_TIMEOUT_MAX,
					 &request->timeout);
	return proto_refuse_key(reading, key);
}

static int take_key(struct reading *reading, const char *key, json_t *value)
{
	switch (reading->request->verb) {
	case PROTO_START:
		return take_start(reading, key, value);
	case PROTO_LOG:
		return proto_take_log_key(reading, key, value);
	case PROTO_KILL:
	case PROTO_FREEZE:
	case PROTO_THAW:
		if (!strcmp(key, "session"))
			return proto_take_string(reading, key, value, &reading->request->session);
		break;
	case PROTO_REVIEWS:
	case PROTO_ANSWER:
	case PROTO_WHY:
	case PROTO_TRUST:
	case PROTO_CANARY:
		return proto_take_review_key(reading, key, value);
	default:
		break;
	}
	return proto_refuse_key(reading, key);
}

/* What is right in itself, but not together. */
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
		return proto_check_log(reading);
	default:
		return proto_check_review(reading);
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
		r = take_key(reading, key, value);
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
	request->since = request->until = request->last = request->event = -1;
	request->timeout = PROTO_TIMEOUT_DEFAULT;
	request->json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	if (!request->json)
		return proto_refuse(&reading, -EINVAL, "not JSON: %s", error.text);

	reading.request = request;
	snprintf(why, why_size, "out of memory");
	r = read_object(&reading, length);
	if (r < 0)
		return r;
	*ret_request = TAKE_PTR(request);
	return 0;
}

void proto_request_free(struct proto_request *request)
{
	if (!request)
		return;
	free(request->command);
	json_decref(request->json);
	free(request);
}
