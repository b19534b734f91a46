/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Sessions as a table for people, each with the tree of its processes. Pure.
 */
#pragma once

#include "grith/base/base.h"

/*
 * Adds the "sessions" of a "list" reply as they are at `now` (ms since 1970). 0 or -ENOMEM.
 */
int view_sessions(const json_t *sessions, int64_t now, const struct term *term, struct text *out);
