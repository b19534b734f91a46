/* SPDX-License-Identifier: MPL-2.0 */
/*
 * JSON files in the state directory, for grithd alone: readable by root only, and replaced whole.
 */
#pragma once

#include <jansson.h>

/* Opens DIR/NAME, made if it is not there (NULL: DIR itself). -EPERM: somebody else's. */
int state_open(const char *directory, const char *name, int *ret_fd);

/* Written whole or not at all, and on the disk when it returns. */
int state_save(int directory, const char *name, const json_t *json);

/* -ENOENT, or -EBADMSG where it is not JSON; the caller owns what is returned. */
int state_load(int directory, const char *name, json_t **ret_json);
