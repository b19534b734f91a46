/* SPDX-License-Identifier: MPL-2.0 */
/* Values of any type, passed over: checked all the same, so that a line is JSON or is refused. */
#include "json.h"

/* At least one digit. */
static int pass_digits(struct log_json *json)
{
	const char *start = json->p;

	while (json->p < json->end && *json->p >= '0' && *json->p <= '9')
		json->p++;
	return json->p == start ? -EBADMSG : 0;
}

static int pass_number(struct log_json *json)
{
	const char *start;

	log_json_skip(json, '-');
	start = json->p;
	if (pass_digits(json) < 0 || (*start == '0' && json->p - start > 1))
		return -EBADMSG;
	if (log_json_skip(json, '.') && pass_digits(json) < 0)
		return -EBADMSG;
	if (!log_json_skip(json, 'e') && !log_json_skip(json, 'E'))
		return 0;
	if (!log_json_skip(json, '+'))
		log_json_skip(json, '-');
	return pass_digits(json);
}

static int pass_word(struct log_json *json, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(json->end - json->p) < length || memcmp(json->p, word, length))
		return -EBADMSG;
	json->p += length;
	return 0;
}

static int pass_text(struct log_json *json)
{
	char *room = json->room;
	struct record_bytes text;
	int r = log_json_text(json, &text);

	json->room = room; /* is not kept */
	return r;
}

static int pass_value(struct log_json *json, unsigned int depth);

static int pass_members(struct log_json *json, char close, unsigned int depth)
{
	if (depth == LOG_JSON_DEPTH)
		return -EBADMSG;
	if (log_json_skip(json, close))
		return 0;
	do {
		if (close == '}' && (pass_text(json) < 0 || !log_json_skip(json, ':')))
			return -EBADMSG;
		if (pass_value(json, depth + 1) < 0)
			return -EBADMSG;
	} while (log_json_skip(json, ','));
	return log_json_skip(json, close) ? 0 : -EBADMSG;
}

static int pass_value(struct log_json *json, unsigned int depth)
{
	if (json->p == json->end)
		return -EBADMSG;
	switch (*json->p) {
	case '"':
		return pass_text(json);
	case '[':
		json->p++;
		return pass_members(json, ']', depth);
	case '{':
		json->p++;
		return pass_members(json, '}', depth);
	case 't':
		return pass_word(json, "true");
	case 'f':
		return pass_word(json, "false");
	case 'n':
		return pass_word(json, "null");
	default:
		return pass_number(json);
	}
}

int log_json_raw(struct log_json *json, struct record_bytes *ret_raw)
{
	const char *start = json->p;
	int r = pass_value(json, 0);

	if (r < 0)
		return r;
	*ret_raw = (struct record_bytes) { start, json->p - start };
	return 0;
}
