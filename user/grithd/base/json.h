/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What becomes JSON in several rooms. Bytes of an agent are as they are where they are UTF-8; else
 * escaped, for people, with all of them in hexadecimal digits under NAME_hex, for programs.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

/* 0 or -ENOMEM. */
int json_set_bytes(json_t *object, const char *name, const char *bytes, size_t length);

/* What json_set_bytes() wrote; empty where there is nothing. -EBADMSG, -ENOMEM. */
int json_get_bytes(json_t *object, const char *name, struct text *ret_bytes);

/* A string for each line of all entries. */
json_t *json_of_diag(const struct diag *diag);
