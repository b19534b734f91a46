/* SPDX-License-Identifier: MPL-2.0 */
/* What request.c and keys.c share. */
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

/*
 * Takes the value of a key of the request's verb. 0, or a negative errno and a sentence for the
 * asker where there is no such key, or the value is not of its type or beyond its limit.
 */
int proto_take_key(struct reading *reading, const char *name, json_t *value);
