/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The files of a policy directory as values: so a policy can be read where no file can be opened,
 * and a hash of them says all that a policy can be made of.
 */
#pragma once

#include "lib/base/base.h"

#define POLICY_DIRECTORY_MAX (16u << 20) /* bytes of all files together */

struct policy_file {
	char *name; /* "NAME.yaml" */
	struct text text;
	int error; /* 0, or -errno with `why` it cannot be used */
	char *why;
};

/* In the order of their names. Starts as {0}. */
struct policy_directory {
	struct policy_file *files;
	size_t count;
};

/*
 * All *.yaml. `trusted` as in struct policy_context: what breaks it is kept with the file, whose
 * text then is empty. -errno where the directory cannot be read, -EFBIG.
 */
int policy_directory_read(const char *path, bool trusted, struct policy_directory *ret_directory);

/* The name is kept with its text; takes over both, and `why`. 0 or -ENOMEM. */
int policy_directory_add(struct policy_directory *directory, struct policy_file *file);

/* NULL: there is none. */
const struct policy_file *policy_directory_find(const struct policy_directory *directory,
						const char *name);
void policy_directory_free(struct policy_directory *directory);

#define OWNED_POLICY_DIRECTORY CLEANUP(policy_directory_free)
