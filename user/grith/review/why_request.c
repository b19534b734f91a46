/* SPDX-License-Identifier: MPL-2.0 */
/* A session's name has no colon, so the last one ends it. */

#include "lib/base/base.h"
#include "lib/proto/proto.h"
#include "why_request.h"

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
