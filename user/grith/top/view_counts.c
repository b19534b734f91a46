/* SPDX-License-Identifier: MPL-2.0 */
/* What there was most of: paths, and where connections go. */
#include "view.h"

#define NUMBERS (7 + 8)

/* What is counted, and the columns for its name. */
struct counted {
	const struct top_count **counts;
	unsigned int columns;
};

static void add_row(struct picture *pane, const struct top_model *model, size_t row,
		    unsigned int reverse, const void *arg)
{
	const struct counted *counted = arg;
	const struct top_count *count = counted->counts[row];
	char number[VIEW_NUMBER], refused[VIEW_NUMBER];
	OWNED_LINE struct line key = { .out = &key.own };

	(void)model;
	line_add_bytes(&key, (struct record_bytes) { count->key, count->length });
	if (key.r < 0)
		pane->r = key.r;
	view_number(count->count, number);
	view_number(count->refused, refused);
	picture_begin(pane);
	picture_put(pane, reverse, " ");
	picture_cell(pane, reverse, counted->columns - 1, PICTURE_MIDDLE, line_text(&key));
	/* An estimate is marked as one. */
	picture_cell(pane, reverse, 1, PICTURE_LEFT, count->error ? "~" : "");
	picture_cell(pane, reverse, 6, PICTURE_RIGHT, number);
	picture_cell(pane, (count->refused ? PICTURE_ALERT : PICTURE_DIM) | reverse, 8,
		     PICTURE_RIGHT, refused);
}

void view_top_counts(const struct top_model *model, enum top_pane which,
		     const struct picture_place *place, struct picture *pane)
{
	const struct counted counted = {
		.counts = model->counts[which == TOP_DESTINATIONS],
		.columns = place->columns > NUMBERS + 2 ? place->columns - NUMBERS : 3,
	};
	unsigned int style = view_top_heading(model, which, pane);

	picture_cell(pane, style, counted.columns - 2, PICTURE_LEFT,
		     which == TOP_PATHS ? "PATHS" : "DESTINATIONS");
	picture_cell(pane, style, 7, PICTURE_RIGHT, "OPS");
	picture_cell(pane, style, 8, PICTURE_RIGHT, "REFUSED");
	view_top_rows(model, which, place, pane, add_row, &counted, "  none yet");
}
