/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a replayed session did so far, as far as it weighs on what it does next: the kernel's part
 * of that (grith_context.h), in user space. Pure.
 */
#pragma once

#include "lib/event/event.h"
#include "lib/policy/policy.h"

struct replay_context {
	const struct policy_image *image; /* borrowed */
	struct grith_context state;
	struct grith_context_weights weights, without_rates;
};

/* One operation on the way to its verdict. */
struct replay_decision {
	const struct log_event *event;
	struct grith_outcome outcome;
	uint8_t address[16];
	int added; /* to the outcome's score, by the context */
	uint32_t filters; /* GRITH_CONTEXT_*: which of its filters added it */
};

struct replay_context replay_context_of(const struct policy_image *image);

/*
 * Counts an operation that the policy allows, and adds to its score. `rates`: its time means
 * something, so that many operations in a short time are what they seem.
 */
void replay_context_add(struct replay_context *context, bool rates, struct replay_decision *asking);

/* The operation has happened: a source that was read counts from now on. */
void replay_context_read(struct replay_context *context, const struct replay_decision *asking);
