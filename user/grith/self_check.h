/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Asking grithd what it lacks here, when it is not running.
 */
#ifndef GRITH_SELF_CHECK_H
#define GRITH_SELF_CHECK_H

#include <stdbool.h>

#include "text.h"

/* grithd next to this program, in the sbin next to it, in PATH, or in the system's sbin. */
int self_check_find(char **ret_program);

/*
 * Runs `grithd --check`. 0, what it printed and its exit status (128 + N for a signal), or a
 * negative errno. In JSON its messages on stderr are not part of the output.
 */
int self_check_run(const char *program, bool json, struct text *output, int *ret_status);

#endif
