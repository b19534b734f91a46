/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Names that grithd gives to sessions: the key in the log, the name of the cgroup and of the state
 * file. Short enough to type.
 */
#pragma once

#include <stdbool.h>

#define SESSION_ID_LENGTH 10

/*
 * A new one: a letter, so that it is never taken for a number, and nine letters or digits, 49
 * random bits in all. Uniqueness is the caller's: mkdir() of the name fails with EEXIST. -errno
 * where the kernel has no random bytes.
 */
int session_id_make(char ret_id[SESSION_ID_LENGTH + 1]);

bool session_id_valid(const char *id);
