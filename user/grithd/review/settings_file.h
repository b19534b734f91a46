/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The files that a held rename is about, when they are settings of a git repository: what is in the
 * one that is renamed, and in the one it replaces.
 */
#pragma once

#include "subject.h"

/*
 * Reads both with the rights of the session's user, in the mount namespace that the session started
 * in: that is where the record's names are true. What is replaced may be missing, or not a file:
 * empty. -EAGAIN: the new one is open for writing; -ESTALE: it is not the one of the record, or the
 * held process has mounts of its own; -ETIMEDOUT: a file system does not answer, and is not to be
 * asked again; other -errno.
 */
int settings_file_read(const struct subject *subject, const struct session_info *session,
		       struct text *fresh, struct text *old);
