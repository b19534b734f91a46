/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Most lines are refused by what stands at their start; JSON is parsed for the rest. The start can
 * be trusted to have no text of an agent in it: every field before the session is made by grithd.
 */
#include <string.h>

#include <jansson.h>

#include "log_filter.h"

#define TIME_LENGTH (JSON_TIME_SIZE - 1)

/* Moves on over `text` if it is there. */
static bool skip(const char **p, const char *end, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(end - *p) < length || memcmp(*p, text, length))
		return false;
	*p += length;
	return true;
}

/* Digits and a comma. */
static bool take_number(const char **p, const char *end, uint64_t *ret_number)
{
	char digits[24];
	size_t n = 0;

	while (*p + n < end && n < sizeof(digits) - 1 && (*p)[n] >= '0' && (*p)[n] <= '9') {
		digits[n] = (*p)[n];
		n++;
	}
	digits[n] = '\0';
	*p += n;
	return text_parse_u64(digits, UINT64_MAX, ret_number) == 0 && skip(p, end, ",");
}

bool log_head_parse(const char *line, size_t length, struct log_head *ret_head)
{
	struct log_head head = { .sequence = UINT64_MAX };
	const char *p = line, *end = line + length;
	uint64_t mono;

	if (!skip(&p, end, "{\"v\":1,\"time\":\"") || (size_t)(end - p) < TIME_LENGTH)
		return false;
	memcpy(head.time, p, TIME_LENGTH);
	p += TIME_LENGTH;
	if (!skip(&p, end, "\",\"mono\":") || !take_number(&p, end, &mono))
		return false;
	if (skip(&p, end, "\"seq\":") && !take_number(&p, end, &head.sequence))
		return false;
	if (skip(&p, end, "\"session\":\"")) {
		if (end - p < SESSION_ID_LENGTH)
			return false;
		memcpy(head.session, p, SESSION_ID_LENGTH);
		p += SESSION_ID_LENGTH;
		if (!session_id_valid(head.session))
			return false;
		head.is_start = skip(&p, end, "\",\"kind\":\"session\",\"op\":\"start\"");
	}
	*ret_head = head;
	return true;
}

bool log_pattern_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	/* Of several stars only the last one needs to be tried again. */
	while (*text) {
		const char *literal = pattern[0] == '\\' && pattern[1] ? pattern + 1 : pattern;

		if (*pattern == '*') {
			star = ++pattern;
			resume = text;
		} else if (*pattern && (*pattern == '?' || *literal == *text)) {
			pattern = literal + 1;
			text++;
		} else if (star) {
			pattern = star;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool is_equal(json_t *event, const char *key, const char *wanted)
{
	const char *value = json_string_value(json_object_get(event, key));

	return !wanted || (value && !strcmp(value, wanted));
}

static bool path_matches(json_t *event, const char *key, const char *pattern)
{
	const char *value = json_string_value(json_object_get(event, key));

	return value && log_pattern_matches(pattern, value);
}

static bool program_matches(json_t *event, const char *pattern)
{
	const char *value = json_string_value(json_object_get(event, "program")), *slash;

	if (!value)
		return false;
	slash = strrchr(value, '/');
	return log_pattern_matches(pattern, slash && !strchr(pattern, '/') ? slash + 1 : value);
}

static bool was_refused(json_t *event)
{
	const char *verdict = json_string_value(json_object_get(event, "verdict"));

	return verdict && strcmp(verdict, "allow");
}

static bool event_matches(const struct log_filter *filter, json_t *event)
{
	if (!is_equal(event, "op", filter->op) || !is_equal(event, "verdict", filter->verdict))
		return false;
	if (filter->refused && !was_refused(event))
		return false;
	if (filter->program && !program_matches(event, filter->program))
		return false;
	return !filter->path || path_matches(event, "path", filter->path) ||
	       path_matches(event, "path2", filter->path);
}

bool log_filter_matches(const struct log_filter *filter, const struct log_head *head,
			const char *line, size_t length)
{
	json_t *event;
	bool matches;

	if (filter->session[0] && strcmp(filter->session, head->session))
		return false;
	if (filter->since[0] && strcmp(head->time, filter->since) < 0)
		return false;
	if (!filter->op && !filter->verdict && !filter->program && !filter->path &&
	    !filter->refused)
		return true;
	event = json_loadb(line, length, 0, NULL);
	matches = event && event_matches(filter, event);
	json_decref(event);
	return matches;
}

void log_filter_free(struct log_filter *filter)
{
	free(filter->op);
	free(filter->verdict);
	free(filter->program);
	free(filter->path);
	*filter = (struct log_filter) { 0 };
}
