/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Numbers of reviews: none is used twice, by whatever grithd, so that an answer to an old question
 * is never one to another. They are taken from a block that was reserved on the disk before.
 */
#pragma once

#include "grithd/base/base.h"

/* Starts as REVIEW_NUMBERS_CLOSED. */
struct review_numbers {
	int directory;
	uint32_t next; /* the lowest that was never used */
	uint32_t reserved; /* those below it may be used */
	bool failing; /* nothing could be reserved, and that was logged */
};
#define REVIEW_NUMBERS_CLOSED ((struct review_numbers) { .directory = -1 })

/* -errno where the state directory cannot be used. */
int review_numbers_open(struct review_numbers *numbers, const char *state_directory);
void review_numbers_close(struct review_numbers *numbers);

/*
 * Where they go on. Without the file, or with a damaged one, that is only known if there never was
 * a review (`first_start`); else they go on from a number that grows with time.
 */
void review_numbers_begin(struct review_numbers *numbers, bool first_start);

/* The next one; 0: there is none left. */
uint32_t review_numbers_take(struct review_numbers *numbers);
