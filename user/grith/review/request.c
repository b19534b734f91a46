/* SPDX-License-Identifier: MPL-2.0 */
/* A session's name has no colon, so the last one of an event ends it. */
#include "request.h"

json_t *review_request(const char *session, bool all, bool follow)
{
	return json_pack("{s:s, s:s*, s:o*, s:o*}", "do", proto_verb_name(PROTO_REVIEWS), "session",
			 session, "all", all ? json_true() : NULL, "follow",
			 follow ? json_true() : NULL);
}

json_t *review_answer_request(const struct review_answer *given)
{
	return json_pack("{s:s, s:I, s:s, s:s, s:s*}", "do", proto_verb_name(PROTO_ANSWER),
			 "review", (json_int_t)given->review, "verdict",
			 given->allow ? "allow" : "deny", "for", proto_scope_name(given->scope),
			 "directory", given->directory);
}

static int whole_request(const char *event, const char *session, json_t **ret_request)
{
	const char *verb = proto_verb_name(PROTO_WHY);
	uint64_t number = 0;

	if (event && text_parse_u64(event, INT64_MAX, &number) < 0)
		return -EINVAL;
	*ret_request =
		event ? json_pack("{s:s, s:s*, s:I}", "do", verb, "session", session, "event",
				  (json_int_t)number)
		      : json_pack("{s:s, s:s*, s:b}", "do", verb, "session", session, "last", 1);
	return *ret_request ? 0 : -ENOMEM;
}

int why_request(const char *event, const char *session, json_t **ret_request)
{
	const char *colon = event ? strrchr(event, ':') : NULL;
	OWNED_MEM char *named = NULL;

	if (!event || (!colon && session))
		return whole_request(event, session, ret_request);
	if (!colon || colon == event)
		return -EINVAL;
	named = strndup(event, colon - event);
	if (!named)
		return -ENOMEM;
	if (!proto_name_valid(named))
		return -EINVAL;
	return whole_request(colon + 1, named, ret_request);
}
