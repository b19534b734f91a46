/* SPDX-License-Identifier: MPL-2.0 */
/* Hosts and schemes in the arguments of programs that send, and which of them are this machine. */
#pragma once

#include "operation.h"
#include "weights.h"

/*
 * The host of the first URL in an argument, or the argument's beginning where that may be the name
 * of one ("user@host.example:path"). Borrowed from it. NULL: none.
 */
const char *egress_host(const char *argument, size_t *ret_length, bool *ret_is_url);

/*
 * The host of the first URL in an argument, or else what is in the place of one; it may be anything
 * and has length 0 where there is nothing.
 */
const char *egress_authority(const char *argument, size_t *ret_length);

/* The scheme of the first URL in an argument. NULL: none. */
const char *egress_scheme(const char *argument, size_t *ret_length);

bool egress_is_address(const char *host, size_t length);
bool egress_is_local_name(const struct score_weights *weights, const char *host, size_t length);

/* Whether a connection stays on this machine: a loopback or unspecified address, or its name. */
bool egress_is_local(const struct score_weights *weights, const struct score_operation *operation);
