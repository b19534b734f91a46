/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The screen of `grith top`, from its model. Pure: `now` is ms since 1970.
 */
#pragma once

#include "grith/screen/screen.h"
#include "layout.h"

/* Refreshes and fits the model. Exactly `rows` lines, none wider than `columns`. 0 or -ENOMEM. */
int view_top_look(struct top_model *model, unsigned int rows, unsigned int columns, int64_t now,
		  struct picture *ret_picture);

/* Each pane as lines of so many columns: a heading and what there is room for. */
void view_top_tree(const struct top_model *model, const struct picture_place *place, int64_t now,
		   struct picture *pane);
void view_top_log(const struct top_model *model, const struct picture_place *place,
		  struct picture *pane);
void view_top_counts(const struct top_model *model, enum top_pane which,
		     const struct picture_place *place, struct picture *pane);

/* All that is known of what is chosen. */
void view_top_detail(const struct top_model *model, unsigned int columns, int64_t now,
		     struct picture *details);

/* The style of a heading, and what it starts with: keys are for one of them. */
unsigned int view_top_heading(const struct top_model *model, enum top_pane pane,
			      struct picture *picture);

/*
 * The rows of a pane below its heading, as many as fit, each added by `add` with the style that
 * marks the chosen one, or the text where there is none.
 */
typedef void top_row_fn(struct picture *pane, const struct top_model *model, size_t row,
			unsigned int reverse, const void *arg);
void view_top_rows(const struct top_model *model, enum top_pane which,
		   const struct picture_place *place, struct picture *pane, top_row_fn *add,
		   const void *arg, const char *empty);

/* "12.3k": at most 5 columns. */
#define VIEW_NUMBER 8
void view_number(uint64_t number, char ret_text[VIEW_NUMBER]);
void view_rate(uint32_t tenths, char ret_text[VIEW_NUMBER]);
