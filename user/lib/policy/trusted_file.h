/* SPDX-License-Identifier: MPL-2.0 */
/* Files that decide what is allowed: nobody but root may have written them. */
#pragma once

#include "lib/base/base.h"

/*
 * The text of a file that may be a policy or its weights; `trusted`: that root wrote. 0, or a
 * negative errno with the reason in words. The checks are made on what was opened. file.c.
 */
int policy_file_load(const char *path, bool trusted, struct text *text, const char **ret_why);
