/* SPDX-License-Identifier: MPL-2.0 */
/* The request about the audit log. */

#include "lib/base/base.h"
#include "read.h"

/* Seconds back from now, or a time in the form of the log. */
static int take_moment(struct reading *reading, const char *key, json_t *value, int64_t *seconds,
		       const char **time)
{
	uint64_t unused;

	if (!json_is_string(value))
		return proto_take_number(reading, key, value, 0, INT32_MAX, seconds);
	if (log_time_parse(json_string_value(value), json_string_length(value), &unused) < 0)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be seconds before now, or a time such as "
				    "\"2026-01-02T03:04:05.000000000Z\"",
				    key);
	*time = json_string_value(value);
	return 0;
}

static int take_score(struct reading *reading, json_t *value)
{
	double score = json_number_value(value);

	if (!json_is_number(value) || score < -PROTO_SCORE_MAX || score > PROTO_SCORE_MAX)
		return proto_refuse(reading, -EINVAL, "\"score\" must be a number from -%d to %d",
				    PROTO_SCORE_MAX, PROTO_SCORE_MAX);
	reading->request->score = (int)(score * 100 + (score < 0 ? -0.5 : 0.5));
	reading->request->by_score = true;
	return 0;
}

static int take_string(struct reading *reading, const char *key, json_t *value, bool *ret_taken)
{
	struct proto_request *request = reading->request;
	const struct {
		const char *key, **field;
	} strings[] = {
		{ "session", &request->session }, { "op", &request->op },
		{ "verdict", &request->verdict }, { "program", &request->program },
		{ "path", &request->path },	  { "rule", &request->rule },
	};

	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		if (strcmp(key, strings[i].key) != 0)
			continue;
		*ret_taken = true;
		return proto_take_string(reading, key, value, strings[i].field);
	}
	return 0;
}

int proto_take_log_key(struct reading *reading, const char *key, json_t *value)
{
	struct proto_request *request = reading->request;
	bool taken = false;
	int r = take_string(reading, key, value, &taken);

	if (r < 0 || taken)
		return r;
	if (!strcmp(key, "refused"))
		return proto_take_bool(reading, key, value, &request->refused);
	if (!strcmp(key, "score"))
		return take_score(reading, value);
	if (!strcmp(key, "since"))
		return take_moment(reading, key, value, &request->since, &request->since_time);
	if (!strcmp(key, "until"))
		return take_moment(reading, key, value, &request->until, &request->until_time);
	if (!strcmp(key, "last"))
		return proto_take_number(reading, key, value, 0, PROTO_LAST_MAX, &request->last);
	if (!strcmp(key, "reverse"))
		return proto_take_bool(reading, key, value, &request->reverse);
	if (!strcmp(key, "follow"))
		return proto_take_bool(reading, key, value, &request->follow);
	return proto_refuse_key(reading, key);
}

int proto_check_log(struct reading *reading)
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
