/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Looks up the host names of a policy, without waiting: a child process asks the system's resolver,
 * with no rights and for a limited time.
 */
#pragma once

#include <jansson.h>
#include <systemd/sd-event.h>

#include "grithd/base/base.h"
#include "lib/policy/policy.h"

struct resolver;

/*
 * Called once. `hosts` (with the names they were asked by) is the resolver's; a name without an
 * address is not in it. `complete` is false where the time was over or something failed. The
 * callee may free the resolver.
 */
typedef void resolver_fn(void *arg, const struct policy_host *hosts, size_t n_hosts, bool complete);

/* Copies the names. With none, `fn` is still called from the event loop. */
int resolver_new(sd_event *event, const char *const *names, size_t n_names, resolver_fn *fn,
		 void *arg, struct resolver **ret_resolver);
void resolver_free(struct resolver *resolver);
DEFINE_CLEANUP(struct resolver, resolver_free)
