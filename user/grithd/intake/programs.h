/* SPDX-License-Identifier: MPL-2.0 */
/* Which programs the processes of a session run. */
#pragma once

#include "grithd/session/session.h"

/*
 * Enters the process of a record, and gives its program and its parent's. They are the session's
 * and valid until the next record. NULL: not known.
 */
void programs_of(struct session *session, const struct record *record, const char **ret_program,
		 const char **ret_parent);
