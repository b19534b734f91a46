/* SPDX-License-Identifier: MPL-2.0 */
/* The requests of `grith review` and `grith why`. Pure. */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"
#include "lib/proto/proto.h"

/* `directory` is borrowed, NULL where there is none. */
struct review_answer {
	int64_t review;
	bool allow;
	enum proto_scope scope;
	const char *directory;
};

/* Each is the caller's; NULL: no memory, or `directory` is not UTF-8. `session` may be NULL. */
json_t *review_request(const char *session, bool all, bool follow);
json_t *review_answer_request(const struct review_answer *answer);

/*
 * `event` is SESSION:NUMBER as the log shows it, or a number alone where `session` is given; NULL:
 * the last one, of `session` or, where that is NULL, of all. 0 and the request, the caller's, or
 * -EINVAL where the event is not one, -ENOMEM.
 */
int why_request(const char *event, const char *session, json_t **ret_request);
