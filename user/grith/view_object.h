/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What an entry of the log is about, for people. Pure.
 */
#ifndef GRITH_VIEW_OBJECT_H
#define GRITH_VIEW_OBJECT_H

#include <jansson.h>

#include "text.h"

/* Adds the path, the command, the address, ..., escaped. 0 or -ENOMEM. */
int view_object(const json_t *event, struct text *out);

#endif
