/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The files that a held rename is about, when they are settings of a git repository: what is in the
 * one that is renamed, and in the one it replaces.
 */
#pragma once

#include "subject.h"

struct settings_read;

/*
 * Called from the event loop, once, and never before settings_read_start() returned. `fresh` and
 * `old` are valid until it returns; what is replaced may be missing, or not a file: empty. -EAGAIN:
 * the new one is open for writing; -ESTALE: it is not the one of the record; -ETIMEDOUT: a file
 * system does not answer; other -errno. The callee may free the reading.
 */
typedef void settings_fn(void *arg, int r, const struct text *fresh, const struct text *old);

/*
 * Reads both with the rights of the session's user, in the mount namespace that the session started
 * in: that is where the record's names are true. 0; -ESTALE: the held process has mounts of its
 * own; other -errno.
 */
int settings_read_start(sd_event *event, const struct subject *subject,
			const struct session_info *session, settings_fn *fn, void *arg,
			struct settings_read **ret_reading);
void settings_read_free(struct settings_read *reading);
DEFINE_CLEANUP(struct settings_read, settings_read_free)
