/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a policy and the score would have said of operations that have happened: the same image,
 * context filters and score as in a session, without a kernel. Pure, but for what it remembers of
 * the session.
 *
 * Everything has happened, also what would have been refused and what came of that; but a secret
 * whose reading would have been refused does not taint the session. A person's answers are not
 * guessed: what only a person could have answered is `hold`.
 */
#pragma once

#include "lib/policy/policy.h"
#include "lib/report/report.h"
#include "lib/score/score.h"

/* Borrowed. */
struct replay_rules {
	const struct policy *policy;
	const struct policy_image *image; /* of that policy */
	const struct score_weights *weights; /* NULL: there are none */
	const char *home, *project, *user; /* NULL: not known */
};

struct replay_evaluator;

/* 0 or -ENOMEM. */
int replay_evaluator_new(const struct replay_rules *rules, struct replay_evaluator **ret_evaluator);
void replay_evaluator_free(struct replay_evaluator *evaluator);
DEFINE_CLEANUP(struct replay_evaluator, replay_evaluator_free)

/*
 * Fills verdict, rule, reason, score and parts of an operation that could have been decided; the
 * texts are valid until the next call. `rates`: its time means something, so that many operations
 * in a short time are what they seem. 0 or -ENOMEM.
 */
int replay_evaluate(struct replay_evaluator *evaluator, bool rates, struct log_event *event);
