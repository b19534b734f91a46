/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What `grith review` shows and what its keys do: the reviews that wait, the chosen one, a question
 * that was asked back. Pure but for its own state; knows no terminal, no clock and no connection.
 */
#pragma once

#include <jansson.h>

#include "grith/screen/screen.h"
#include "request.h"

/*
 * After the chosen review changed by itself, for so long no key answers: the second press of a key
 * must not answer a review that was not read.
 */
#define REVIEW_SETTLE_MS 400

enum review_mode {
	REVIEW_CHOOSE = 0,
	REVIEW_CONFIRM_ALWAYS, /* "A" was pressed: y, or not */
	REVIEW_CONFIRM_DIRECTORY, /* "D" was pressed: for the session, always, or not */
	REVIEW_HELP,
};

/* Starts as {0}. */
struct review_model {
	json_t **reviews; /* in the order they came in; owned */
	size_t count;
	int64_t chosen; /* id of a review; 0: there is none */
	int64_t changed; /* when the choice changed by itself, ms of the caller's clock */
	enum review_mode mode;
	size_t scroll; /* lines of the chosen one's details that are above the window */
	bool whole; /* long values are shown whole */
	struct text message; /* what the last answer came to, for the last line; escaped */
};

enum review_event {
	REVIEW_NOTHING,
	REVIEW_ANSWER,
	REVIEW_QUIT,
};

void review_model_free(struct review_model *model);

#define OWNED_REVIEW_MODEL CLEANUP(review_model_free)

/*
 * A review that is new or has changed. One that no longer waits is kept for as long as it is the
 * chosen one. `now` is ms of any clock, the same as for keys. 0 or -ENOMEM.
 */
int review_model_put(struct review_model *model, json_t *review, int64_t now);

/* Forgets all of them: the connection was lost. */
void review_model_clear(struct review_model *model);

/* The chosen review, borrowed, or NULL; and its index, the count where there is none. */
const json_t *review_model_chosen(const struct review_model *model);
size_t review_model_row(const struct review_model *model);

bool review_waits(const json_t *review);

/* What a key does. Only with REVIEW_ANSWER, *ret_answer is set. */
enum review_event review_model_key(struct review_model *model, int key, int64_t now,
				   struct review_answer *ret_answer);

/* After the answer was given: on to the next one that waits, if there is one. */
void review_model_next(struct review_model *model, int64_t now);
