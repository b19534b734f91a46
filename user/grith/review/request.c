/* SPDX-License-Identifier: MPL-2.0 */
/* A session's name has no colon, so the last one of an event ends it. */
#include "request.h"

json_t *review_request(const char *session, bool all, bool follow)
{
	json_auto_t *request =
		json_pack("{s:s, s:s*}", "do", proto_verb_name(PROTO_REVIEWS), "session", session);
	int r = 0;

	if (all)
		r |= json_object_set_new(request, "all", json_true());
	if (follow)
		r |= json_object_set_new(request, "follow", json_true());
	return r < 0 ? NULL : TAKE_PTR(request);
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
	json_auto_t *request =
		json_pack("{s:s, s:s*}", "do", proto_verb_name(PROTO_WHY), "session", session);
	uint64_t number = 0;
	int r;

	if (!request)
		return -ENOMEM;
	if (event && text_parse_u64(event, INT64_MAX, &number) < 0)
		return -EINVAL;
	if (event)
		r = json_object_set_new(request, "event", json_integer((json_int_t)number));
	else
		r = json_object_set_new(request, "last", json_true());
	if (r < 0)
		return -ENOMEM;
	*ret_request = TAKE_PTR(request);
	return 0;
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
