/* SPDX-License-Identifier: MPL-2.0 */
/* The numbers of `grith top` for programs. Pure. */
#pragma once

#include <jansson.h>

#include "model.h"

#define TOP_JSON_COUNTS 100 /* paths, and destinations, at most */

/* At `now`, ms since 1970; the model was refreshed. The caller's; NULL: no memory. */
json_t *top_json(const struct top_model *model, int64_t now);
