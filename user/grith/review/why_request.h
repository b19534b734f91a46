/* SPDX-License-Identifier: MPL-2.0 */
/* From the words of `grith why` to the request. Pure. */
#pragma once

#include <jansson.h>

/*
 * `event` is SESSION:NUMBER as the log shows it, or a number alone where `session` is given; NULL:
 * the last one, of `session` or, where that is NULL, of all. 0 and the request, the caller's, or
 * -EINVAL where the event is not one, -ENOMEM.
 */
int why_request(const char *event, const char *session, json_t **ret_request);
