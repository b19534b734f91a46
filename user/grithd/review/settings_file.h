/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The files that a held rename is about, when they are settings of a git repository: what is in the
 * one that is renamed, and in the one it replaces.
 */
#pragma once

#include "subject.h"

/*
 * Reads both with the rights of `uid` and by the names that the held process has for them. What is
 * replaced may be missing, or not a file: empty. -EAGAIN: somebody has the new one open for
 * writing; -ESTALE: it is not the one of the record; -ETIMEDOUT: a file system does not answer,
 * and is not to be asked again; other -errno.
 */
int settings_file_read(const struct subject *subject, uint32_t uid, struct text *fresh,
		       struct text *old);
