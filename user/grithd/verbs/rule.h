/* SPDX-License-Identifier: MPL-2.0 */
/* The words of a rule as they stand in its file now. */
#pragma once

#include "lib/base/base.h"

/*
 * The line that `rule` ("FILE:LINE") names, in a file of the directory. -ENOENT where the rule is
 * of another place, such as a text that the session was started with.
 */
int rule_text_read(const char *directory, const char *rule, struct text *ret_text);
