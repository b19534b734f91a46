/* SPDX-License-Identifier: MPL-2.0 */
/* What there was most of: paths, and where connections go. */
#include "view.h"

#define NUMBERS (7 + 8)

static void add_row(struct picture *pane, const struct top_count *count, unsigned int reverse,
		    unsigned int columns)
{
	char number[VIEW_NUMBER], refused[VIEW_NUMBER];
	OWNED_LINE struct line key = { .out = &key.own };

	line_add_bytes(&key, (struct record_bytes) { count->key, count->length });
	if (key.r < 0)
		pane->r = key.r;
	view_number(count->count, number);
	view_number(count->refused, refused);
	picture_begin(pane);
	picture_put(pane, reverse, " ");
	picture_cell(pane, reverse, columns - 1, PICTURE_MIDDLE, line_text(&key));
	/* An estimate is marked as one. */
	picture_cell(pane, reverse, 1, PICTURE_LEFT, count->error ? "~" : "");
	picture_cell(pane, reverse, 6, PICTURE_RIGHT, number);
	picture_cell(pane, (count->refused ? PICTURE_ALERT : PICTURE_DIM) | reverse, 8,
		     PICTURE_RIGHT, refused);
}

void view_top_counts(const struct top_model *model, enum top_pane which,
		     const struct picture_place *place, struct picture *pane)
{
	unsigned int columns = place->columns > NUMBERS + 2 ? place->columns - NUMBERS : 3;
	unsigned int style = view_top_heading(model, which, pane);
	size_t count = top_model_count(model, which), first = top_model_first(model, which);
	size_t chosen = top_model_row(model, which);

	picture_cell(pane, style, columns - 2, PICTURE_LEFT,
		     which == TOP_PATHS ? "PATHS" : "DESTINATIONS");
	picture_cell(pane, style, 7, PICTURE_RIGHT, "OPS");
	picture_cell(pane, style, 8, PICTURE_RIGHT, "REFUSED");
	for (size_t i = first; i < count && pane->count < place->rows && pane->r == 0; i++)
		add_row(pane, model->counts[which == TOP_DESTINATIONS][i],
			i == chosen && model->pane == which ? PICTURE_CHOSEN : 0, columns);
	if (!count && place->rows > 1)
		picture_add(pane, PICTURE_DIM, 0, "  none yet");
}
