/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Asking grithd what it lacks here, when it is not running.
 */
#pragma once

#include <jansson.h>

/* grithd next to this program, in the sbin next to it, in PATH, or in the system's sbin. */
int self_check_find(char **ret_program);

/*
 * Runs `grithd --check --json`. 0 and its report, the caller's, or a negative errno: -EBADMSG where
 * it printed something else.
 */
int self_check_run(const char *program, json_t **ret_report);
