/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The taking of one value from a request, for request.c, log.c and
 * review.c only. Each
 * function checks the value's type and limit, and returns 0 or a negative errno with a sentence
 * for the asker.
 */
#pragma once

#include "proto.h"

/* A request on its way, and where to say what is wrong with it. */
struct reading {
	struct proto_request *request;
	char *why;
	size_t why_size;
};

/* Writes the reason to `why`, and returns `r`. */
int proto_refuse(struct reading *reading, int r, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int proto_refuse_key(struct reading *reading, const char *key); /* an unknown one */

int proto_take_string(struct reading *reading, const char *key, json_t *value, const char **field);
int proto_take_bool(struct reading *reading, const char *key, json_t *value, bool *field);
int proto_take_number(struct reading *reading, const char *key, json_t *value, int64_t min,
		      int64_t max, int64_t *field);
/* A string that proto_path_valid() accepts. */
int proto_take_path(struct reading *reading, const char *key, json_t *value, const char **field);

/* log.c: a key of PROTO_LOG, and what is not right together. */
int proto_take_log_key(struct reading *reading, const char *key, json_t *value);
int proto_check_log(struct reading *reading);

/* review.c: a key of PROTO_REVIEWS or a later verb, and what is not right together. */
int proto_take_review_key(struct reading *reading, const char *key, json_t *value);
int proto_check_review(struct reading *reading);
