/* SPDX-License-Identifier: MPL-2.0 */
/* Which host names of a policy are looked up, and what to say of those without an address. */
#pragma once

#include <jansson.h>

#include "result.h"

/* Fills the names. 0 or -ENOMEM. */
int host_names_find(const struct policy *policy, struct compile_result *result);

/* Adds a sentence to `notes` for the names that are not in `hosts`, and one for those left out. */
void host_names_note(const struct compile_result *result, const struct policy_host *hosts,
		     size_t n_hosts, json_t *notes);
