/* SPDX-License-Identifier: MPL-2.0 */
/*
 * JSON files in the state directory, for grithd alone: readable by root only, and replaced whole.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

/* A directory that is made where it is not there. -EPERM: another user's. */
int state_directory_open(int parent, const char *name, int *ret_fd);
/* DIR/NAME, made where it is not there, of a directory that is (NULL: itself). */
int state_open(const char *directory, const char *name, int *ret_fd);

struct state_name {
	char text[SESSION_ID_LENGTH + sizeof(".json")];
};
struct state_name state_name(const char *id); /* "ID.json" */

/* `flags` as of json_dumps(). Whole or not at all, and on the disk when it returns. */
int state_save(int directory, const char *name, const json_t *json, size_t flags);
/* Takes the value over, of {"v":1, FIELD: value}. */
int state_save_field(int directory, const char *name, const char *field, json_t *value);

/* -ENOENT, or -EBADMSG where it is not JSON of root's; the caller owns what is returned. */
int state_load(int directory, const char *name, json_t **ret_json);
/* The value of {"v":1, FIELD: value}; NULL where there is no file. */
int state_load_field(int directory, const char *name, const char *field, json_t **ret_value);
