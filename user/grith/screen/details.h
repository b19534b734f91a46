/* SPDX-License-Identifier: MPL-2.0 */
/* What is known of one thing, as labels and values onto a picture. Values are escaped already. */
#pragma once

#include "grith/base/base.h"
#include "picture.h"

/* Failures stick in picture->r. */
struct details {
	struct picture *picture;
	unsigned int columns;
	unsigned int most; /* lines of one value; what is more is cut from its middle */
};

/* Nothing where the value is empty. */
void details_add(struct details *details, const char *label, const struct line *value);
void details_take(struct details *details, const char *label, char *value); /* frees it */
#define details_addf(details, label, ...) details_take(details, label, text_format(__VA_ARGS__))
void details_add_bytes(struct details *details, const char *label, struct record_bytes value);
void details_add_member(struct details *details, const char *label, const json_t *object,
			const char *key);
