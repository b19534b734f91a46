/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The form of a configuration file: `key = value` lines, empty lines, and comments from a '#' at
 * the start of a line. Which keys there are is the caller's matter.
 */
#pragma once

#include <stddef.h>

#include "diag.h"

#define CONFIG_TEXT_MAX (64u << 10)

/* NULL, or what is wrong with the key or its value. The strings are valid during the call only. */
typedef const char *config_set_fn(void *arg, const char *key, const char *value);

/*
 * Calls `set` for every line. 0, or -EINVAL with an entry in `diag` for each line that is wrong;
 * lines after a wrong one are still read.
 */
int config_parse(const char *name, const char *text, size_t length, config_set_fn *set, void *arg,
		 struct diag *diag);

/* The same for a file; -errno where it cannot be read, with nothing in `diag`. */
int config_read(const char *path, config_set_fn *set, void *arg, struct diag *diag);
