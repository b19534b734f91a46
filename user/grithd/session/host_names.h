/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The host names of a policy that can be looked up, and what to tell of those that have no address.
 */
#pragma once

#include <jansson.h>

#include "lib/policy/policy.h"
#include "resolver.h"

/* Each name once; they are borrowed from the policy. */
struct host_names {
	const char *list[RESOLVER_NAMES_MAX];
	size_t count;
	size_t left_out; /* beyond the limit */
};

void host_names_of(const struct policy *policy, struct host_names *ret_names);

/* Adds a sentence to `notes` for the names that are not in `hosts`, and one for those left out. */
void host_names_note(const struct host_names *names, const struct policy_host *hosts,
		     size_t n_hosts, json_t *notes);
