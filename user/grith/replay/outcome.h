/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The look-up of one event's object in a policy's image, as the kernel's hooks do it: which classes
 * of rules decide it, and the stricter of two where there are two. Pure.
 */
#pragma once

#include "lib/event/event.h"
#include "lib/policy/policy.h"

/*
 * false: the event is none that would have been decided, such as a call that failed before it came
 * to that. *ret_address is the address, where it has one.
 */
bool replay_outcome(const struct policy_image *image, const struct log_event *event,
		    uint8_t ret_address[16], struct grith_outcome *ret_outcome);

/* Of two outcomes for one operation the stricter verdict, then the higher score. */
struct grith_outcome replay_stricter(struct grith_outcome a, struct grith_outcome b);

/* The rule that an outcome names; NULL: the policy's default. */
const struct policy_rule *replay_rule(const struct policy *policy,
				      const struct grith_outcome *outcome);
