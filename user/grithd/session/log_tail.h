/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which records of the sessions that go on are in the audit log already, so that a new grithd knows
 * which ones are missing.
 */
#pragma once

#include "sessions.h"

/*
 * Sets the next number of each session from the end of the log. A session that is not found there,
 * within a limit, starts with the first record that comes. -errno where the log cannot be read.
 */
int log_tail_sequences(struct daemon *daemon);
