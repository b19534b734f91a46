/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The verbs: each is a file of this folder that defines `const struct command cmd_NAME`, and a line
 * here, in the order of the help. What they share is in the rooms below.
 */
#pragma once

#include "grith/base/base.h"

#define VERBS(X)  \
	X(exec)   \
	X(top)    \
	X(review) \
	X(ps)     \
	X(kill)   \
	X(freeze) \
	X(thaw)   \
	X(log)    \
	X(report) \
	X(replay) \
	X(why)    \
	X(trust)  \
	X(canary) \
	X(policy) \
	X(audit)  \
	X(doctor)

#define DECLARE_VERB(name) extern const struct command cmd_##name;
VERBS(DECLARE_VERB)
#undef DECLARE_VERB
