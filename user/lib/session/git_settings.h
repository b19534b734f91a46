/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The settings of a git repository, from the text of its file (git-config(1), "Syntax"): what they
 * are, not what they do. Pure. The text is an agent's: what git itself might read in another way is
 * an error here.
 */
#pragma once

#include "lib/base/base.h"

struct git_setting {
	char *name; /* "core.bare", "remote.*.url": without the subsection; lower case */
	char *subsection; /* NULL: it has none */
	char *value; /* NULL: the name alone, which means true */
};

/* Starts as {0}. */
struct git_settings {
	struct git_setting *all;
	size_t count;
};

/* -EINVAL: not certain what git reads; -ENOMEM. git_settings_clear() in any case. */
int git_settings_read(const char *text, size_t length, struct git_settings *settings);
void git_settings_clear(struct git_settings *settings);

/* Whether one with the same name, subsection and value is among them. */
bool git_settings_have(const struct git_settings *settings, const struct git_setting *setting);
