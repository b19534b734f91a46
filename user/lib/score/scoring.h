/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How doubtful an operation is: the sum of what the filters add, each with its reason. What depends
 * on a path alone is summed into the policy's automaton when it is compiled (lib/policy/weights.h);
 * what must not lose a race is kept in the kernel (grith_context.h); the rest is here. A filter
 * that fails does not count as zero: the operation is at least held.
 *
 * Pure but for struct score_session, which the caller owns.
 */
#pragma once

#include "operation.h"
#include "parts.h"
#include "session.h"
#include "weights.h"

/* The reason of the filter `canary`, with the name that score_session_add_canary() was given. */
#define SCORE_CANARY_WHY "the canary %s leaves"

/*
 * Evaluates an operation that waits. `ret_score` is filled whole. Never fails: what goes wrong
 * inside is a hold, with a part that has the reason.
 */
void score_evaluate(const struct score_weights *weights, struct score_session *session,
		    const struct score_operation *operation, struct score *ret_score);

/*
 * Takes in an operation that was recorded, so that later ones are evaluated by it. Cheap: it is
 * called for every record. True where it is suspicious enough by itself for the session to be held
 * tighter from now on; then `ret_score` has the reason.
 */
bool score_track(const struct score_weights *weights, struct score_session *session,
		 const struct score_operation *operation, struct score *ret_score);

/*
 * Whether the operation gives a git repository new settings: then the caller reads the file that is
 * renamed into `settings`, and what it replaces into `settings_before`.
 */
bool score_wants_settings(const struct score_operation *operation);

/* Seconds that what was read counts; without weights, the usual. */
size_t score_taint_seconds(const struct score_weights *weights);
