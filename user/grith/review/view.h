/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Reviews for people: a table, a line as they come, and the full screen; an explained decision.
 * Pure: `now` is of the log's clock, ms since 1970.
 */
#pragma once

#include "grith/base/base.h"
#include "grith/screen/screen.h"
#include "model.h"

#define VIEW_REVIEW_ROWS 10 /* a smaller screen shows a request for a larger one */
#define VIEW_REVIEW_COLUMNS 40

/* Exactly `rows` lines, none wider than `columns`. 0 or -ENOMEM. */
int view_review_screen(const struct review_model *model, unsigned int rows, unsigned int columns,
		       int64_t now, struct picture *ret_picture);

/* How many wait. */
size_t view_review_waiting(const struct review_model *model);

/* Its parts: at most `rows` of the list, the chosen one among them; the last line, the keys. */
int view_review_rows(const struct review_model *model, size_t rows, unsigned int columns,
		     int64_t now, struct picture *picture);
int view_review_bottom(const struct review_model *model, unsigned int columns,
		       struct picture *picture);

/* Everything that is known of one, as lines of at most `columns`. 0 or -ENOMEM. */
int view_review_details(const json_t *review, unsigned int columns, bool whole, int64_t now,
			struct picture *picture);

/* A table with its heading, or one line where there are none. 0 or -ENOMEM. */
int view_reviews(const json_t *reviews, int64_t now, const struct term *term, struct text *out);

/* One line: "12  blue  write /home/me/x  git[123]  5.00 ...". 0 or -ENOMEM. */
int view_review_line(const json_t *review, int64_t now, struct text *out);

/* Pieces of them. */
void view_review_object(struct line *out, const json_t *review); /* with the second one */
void view_review_program(struct line *out, const json_t *process); /* "git[123]" */
void view_review_left(struct line *out, const json_t *review, int64_t now); /* "4m", "denied" */
void view_review_session(struct line *out, const json_t *review); /* its name, else its id */

/* "why" of grithd's reply: a few lines. What is missing is left out. 0 or -ENOMEM. */
int view_why(const json_t *why, const struct term *term, struct text *out);

/* "cat[12] read /home/me/.env", for an entry of "chain", see grithd(8). */
void view_chain_step(struct line *out, const json_t *step);

/* A part of a score, with its reason: "+3.00  taint  .env was read"; and all of them. */
void view_score_part(struct line *out, const json_t *part);
void view_score_parts(const json_t *parts, struct details *details);
