/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Looking without touching: whether this machine can enforce, and whether the policies are right.
 */
#pragma once

#include "lib/base/base.h"
#include "options.h"

#define EXIT_CANNOT_ENFORCE 2

/*
 * Reads every NAME.yaml of the directory as a session of nobody's would, and adds what is wrong to
 * `diag`. 0, -EINVAL where something is, or -errno where the directory cannot be read.
 */
int check_policies(const char *directory, struct diag *diag, size_t *ret_count);

/* `grithd --check`: prints what it finds. The exit status of the program. */
int check_run(const struct options *options);
