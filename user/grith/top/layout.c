/* SPDX-License-Identifier: MPL-2.0 */
/* The rows are dealt out from the most important pane to the least, and the rest is the events'. */
#include "layout.h"

#define HEAD 2 /* title and numbers */
#define FOOT 1

static unsigned int at_least(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static unsigned int at_most(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* The first rows of what is left. */
static struct picture_place take(struct picture_place *left, unsigned int rows)
{
	struct picture_place place = *left;

	place.rows = rows;
	left->row += rows;
	left->rows -= rows;
	return place;
}

static void lay_wide(struct top_layout *layout, struct picture_place left)
{
	struct picture_place right = left;

	left.columns = left.columns * 2 / 5;
	right.column = left.columns + 1;
	right.columns -= right.column;
	layout->panes[TOP_LOG] = right;
	layout->panes[TOP_TREE] = take(&left, at_least(left.rows / 2, 5));
	layout->panes[TOP_PATHS] = take(&left, (left.rows + 1) / 2);
	layout->panes[TOP_DESTINATIONS] = left;
}

static void lay_narrow(struct top_layout *layout, struct picture_place left)
{
	unsigned int counts = 1 + at_least(left.rows / 6, 2);
	struct picture_place below;

	layout->panes[TOP_TREE] = take(&left, 1 + at_least(left.rows * 3 / 10, 3));
	layout->panes[TOP_LOG] = take(&left, left.rows - counts);
	below = left;
	below.columns = left.columns * 3 / 5;
	layout->panes[TOP_PATHS] = below;
	below.column = below.columns + 1;
	below.columns = left.columns - below.column;
	layout->panes[TOP_DESTINATIONS] = below;
}

struct top_layout top_layout(const struct top_model *model, unsigned int rows, unsigned int columns)
{
	const unsigned int height = at_least(rows, TOP_ROWS);
	struct top_layout layout = {
		.body = { .row = HEAD,
			  .rows = height - HEAD - FOOT,
			  .columns = at_least(columns, TOP_COLUMNS) },
	};
	struct picture_place left = layout.body;
	size_t holds = model->reviews.count;

	if (model->zoomed) {
		layout.panes[model->pane] = left;
		return layout;
	}
	if (holds)
		layout.panes[TOP_HOLDS] =
			take(&left, 1 + (unsigned int)at_most(holds < height ? (unsigned int)holds
									     : height,
							      at_least(left.rows / 5, 2)));
	if (columns >= TOP_WIDE)
		lay_wide(&layout, left);
	else
		lay_narrow(&layout, left);
	return layout;
}
