/* SPDX-License-Identifier: MPL-2.0 */
/*
 * [{"profile"?,"op","kind","object","second"?,"verdict","time","review"?,"trust"?}]. Where an object
 * is not UTF-8 it is in "object_hex".
 */
#include "answers.h"

static const struct {
	const char *name;
	enum subject_kind kind;
	bool directory;
} kinds[] = {
	{ "path", SUBJECT_PATH, false },       { "directory", SUBJECT_PATH, true },
	{ "address", SUBJECT_ADDRESS, false }, { "command", SUBJECT_COMMAND, false },
	{ "other", SUBJECT_OTHER, false },
};

static const char *kind_of(const struct kept_answer *answer)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == answer->kind && kinds[i].directory == answer->directory)
			return kinds[i].name;
	return NULL;
}

json_t *kept_answer_to_json(const struct kept_answer *answer)
{
	json_t *json = json_pack("{s:s*, s:s, s:s, s:s, s:I}", "profile", answer->profile, "op",
				 op_name(answer->op), "kind", kind_of(answer), "verdict",
				 verdict_name(answer->verdict), "time", (json_int_t)answer->time);
	int r = json ? json_set_bytes(json, "object", answer->object.data, answer->object.length)
		     : -ENOMEM;

	if (r == 0 && answer->second.length)
		r = json_set_bytes(json, "second", answer->second.data, answer->second.length);
	if (r == 0 && answer->trust.length)
		r = json_set_bytes(json, "trust", answer->trust.data, answer->trust.length);
	if (r == 0 && answer->review)
		r = json_object_set_new(json, "review", json_integer(answer->review));
	if (r == 0)
		return json;
	json_decref(json);
	return NULL;
}

json_t *answers_to_json(const struct answers *answers)
{
	json_t *array = json_array();

	for (size_t i = 0; i < answers->count; i++)
		if (json_array_append_new(array, kept_answer_to_json(&answers->list[i])) < 0) {
			json_decref(array);
			return NULL;
		}
	return array;
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
	const char *profile = NULL, *op, *kind, *verdict;
	struct kept_answer answer = { 0 };
	json_int_t time, review = 0;
	int r;

	if (json_unpack(json, "{s?s, s:s, s:s, s:s, s:I, s?I}", "profile", &profile, "op", &op,
			"kind", &kind, "verdict", &verdict, "time", &time, "review", &review) < 0 ||
	    op_parse(op, &answer.op) < 0 || verdict_parse(verdict, &answer.verdict) < 0 ||
	    (answer.verdict != GRITH_ALLOW && answer.verdict != GRITH_DENY) ||
	    find_kind(kind, &answer) < 0)
		return -EBADMSG;
	answer.time = time;
	answer.review = (uint32_t)review;
	r = json_get_bytes(json, "object", &answer.object)
		?: json_get_bytes(json, "second", &answer.second)
		?: json_get_bytes(json, "trust", &answer.trust)
		?: text_copy(profile, &answer.profile);
	return answers_put(answers, &answer, r);
}

int answers_from_json(const json_t *array, struct answers *answers)
{
	int r = json_is_array(array) ? 0 : -EBADMSG;

	for (size_t i = 0; r == 0 && i < json_array_size(array); i++)
		r = answer_from_json(json_array_get(array, i), answers);
	if (r < 0)
		answers_free(answers);
	return r;
}
