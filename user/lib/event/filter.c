/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Fast path: most lines are refused by their first fields; only the rest is parsed. The start can
 * be trusted to have no text of an agent in it: every field before the session is made by grithd.
 */
#include "filter.h"

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
	const char *start = *p;
	uint64_t number = 0;

	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(**p - '0'), &number))
			return false;
	*ret_number = number;
	return *p > start && skip(p, end, ",");
}

/* What a gap begins with, up to how much was lost. */
static bool take_gap(const char *p, const char *end, struct log_head *head)
{
	if (!skip(&p, end, "\"kind\":\"gap\","))
		return false;
	if (skip(&p, end, "\"next\":") && !take_number(&p, end, &head->next))
		return false;
	return skip(&p, end, "\"lost\":") && take_number(&p, end, &head->lost);
}

bool log_head_parse(const char *line, size_t length, struct log_head *ret_head)
{
	struct log_head head = { .sequence = LOG_NO_NUMBER };
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
		if (!skip(&p, end, "\","))
			return false;
		head.is_start = skip(&p, end, "\"kind\":\"session\",\"op\":\"start\"");
	}
	head.is_gap = take_gap(p, end, &head);
	*ret_head = head;
	return true;
}

bool log_pattern_matches(const char *pattern, struct record_bytes text)
{
	const char *star = NULL, *p = text.data, *end = p + text.length, *resume = p;

	/* Of several stars only the last one needs to be tried again. */
	while (p < end) {
		const char *literal = pattern[0] == '\\' && pattern[1] ? pattern + 1 : pattern;

		if (*pattern == '*') {
			star = ++pattern;
			resume = p;
		} else if (*pattern && (*pattern == '?' || *literal == *p)) {
			pattern = literal + 1;
			p++;
		} else if (star) {
			pattern = star;
			p = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* A pattern without a slash is for the last part of the path. */
static bool program_matches(const char *pattern, struct record_bytes program)
{
	const char *slash = strchr(pattern, '/') || !program.length
				    ? NULL
				    : memrchr(program.data, '/', program.length);

	if (slash) {
		program.length -= slash + 1 - program.data;
		program.data = slash + 1;
	}
	return log_pattern_matches(pattern, program);
}

static bool path_matches(const char *pattern, const struct log_event *event)
{
	return (event->path.length && log_pattern_matches(pattern, event->path)) ||
	       (event->second.length && log_pattern_matches(pattern, event->second)) ||
	       (event->view.length && log_pattern_matches(pattern, event->view));
}

bool log_filter_matches_event(const struct log_filter *filter, const struct log_event *event)
{
	if (filter->op != GRITH_OP_NONE && event->op != filter->op)
		return false;
	if (!event->decided && (filter->by_verdict || filter->by_score || filter->refused))
		return false;
	if (filter->by_verdict && event->verdict != filter->verdict)
		return false;
	if (filter->refused && event->verdict == GRITH_ALLOW)
		return false;
	if (filter->by_score && event->score < filter->score)
		return false;
	if (filter->program &&
	    (!event->program.length || !program_matches(filter->program, event->program)))
		return false;
	if (filter->rule &&
	    (!event->rule.length || !log_pattern_matches(filter->rule, event->rule)))
		return false;
	return !filter->path || path_matches(filter->path, event);
}

static bool needs_event(const struct log_filter *filter)
{
	return filter->op != GRITH_OP_NONE || filter->by_verdict || filter->by_score ||
	       filter->refused || filter->program || filter->path || filter->rule;
}

bool log_filter_matches(const struct log_filter *filter, struct log_event_reader *reader,
			const struct log_head *head, const char *line, size_t length)
{
	struct log_event event;

	if (filter->session[0] && strcmp(filter->session, head->session))
		return false;
	if (filter->since[0] && strcmp(head->time, filter->since) < 0)
		return false;
	if (filter->until[0] && strcmp(head->time, filter->until) >= 0)
		return false;
	if (!needs_event(filter))
		return true;
	return log_event_read(reader, line, length, &event) == 0 &&
	       log_filter_matches_event(filter, &event);
}

void log_filter_free(struct log_filter *filter)
{
	free(filter->program);
	free(filter->path);
	free(filter->rule);
	*filter = (struct log_filter) { 0 };
}
