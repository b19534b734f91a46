/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One request, one reply: what most verbs are. `socket` is the one that was given, or NULL; a
 * request that is NULL is one that there was no memory for.
 */
#pragma once

#include "grith/base/base.h"

/* COMMAND_OK and the reply, the caller's, or COMMAND_FAILED after a message. */
int ask_grithd(const char *socket, json_t *request, json_t **ret_reply);

/* A part of a reply for people: 0 or -ENOMEM. */
typedef int ask_view(const json_t *part, const struct term *term, struct text *out);

/* Asks, and prints what the reply has at `key`: as JSON, or what the view makes of it. */
int ask_and_print(const char *socket, json_t *request, const char *key, bool json, ask_view *view);
