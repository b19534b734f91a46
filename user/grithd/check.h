/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What grithd does instead of running: looking whether this machine can enforce and whether the
 * policies are right, and the end of enforcement.
 */
#pragma once

#include "options.h"

#define EXIT_CANNOT_ENFORCE 2

/*
 * Reads every NAME.yaml of the directory as the start of a session would, and adds what is wrong to
 * `diag`. 0, -EINVAL where something is, or -errno where the directory cannot be read.
 */
int check_policies(const char *directory, struct diag *diag, size_t *ret_count);

/* `grithd --check`: prints what it finds. The exit status of the program, as of all here. */
int check_run(const struct options *options);

/*
 * `grithd --unload`: takes the programs out of the kernel, the end of enforcement. Refuses while a
 * grithd runs, and, unless forced, while there are sessions.
 */
int unload_run(const struct options *options);
