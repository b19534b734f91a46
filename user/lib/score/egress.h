/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Hosts and schemes in the arguments of programs that send. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The host of the first URL in an argument, or the argument's beginning where that may be the name
 * of one ("user@host.example:path"). Borrowed from it. NULL: none.
 */
const char *egress_host(const char *argument, size_t *ret_length, bool *ret_is_url);

/*
 * The host of the first URL in an argument, or else what stands where one would; it may be anything
 * and has length 0 where there is nothing.
 */
const char *egress_authority(const char *argument, size_t *ret_length);

/* The scheme of the first URL in an argument. NULL: none. */
const char *egress_scheme(const char *argument, size_t *ret_length);
