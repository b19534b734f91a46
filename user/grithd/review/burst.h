/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions that are asked only because there were many of the kind lately: mass destruction, and
 * rates. They are one question for the session, not one for each object: "it deletes many files: go
 * on?" An answer of a person, or of time, is good for what follows of that kind for a minute, as
 * long as nothing else speaks against it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "grith_abi.h"

struct answer;
struct review;
struct session;

/* What was answered last for an operation. All zero: nothing. */
struct burst {
	uint64_t until; /* CLOCK_MONOTONIC, nanoseconds */
	uint32_t filters; /* GRITH_CONTEXT_*: those that spoke up when it was answered */
	enum grith_verdict verdict;
};

/* Bit set of GRITH_CONTEXT_*: the filters that alone are why it is asked. 0: it is another kind. */
uint32_t review_burst(const struct review *review);

/* The answer that was given for its burst. false: none. */
bool burst_recall(const struct review *review, struct answer *ret_answer);

/* Keeps the review's answer for its burst, where it is one of a burst. */
void burst_note(const struct review *review);

/* Its question, which is not about the object of the review. NULL: no memory. */
json_t *burst_to_json(const struct review *review);

/* Answers those of the session that wait and are covered by what was answered now. */
void burst_answer_waiting(struct session *session);
