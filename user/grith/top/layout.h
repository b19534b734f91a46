/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where the panes are. Pure.
 *
 *   +--------------------+   narrow: below each other, the last two side by side
 *   | title, numbers     |   wide: the holds across, events to the right of the rest
 *   | holds, if any      |
 *   | sessions | events  |   a pane's first row is its heading
 *   | paths    |         |
 *   | destin.  |         |
 *   | keys               |
 *   +--------------------+
 */
#pragma once

#include "grith/screen/screen.h"
#include "model.h"

#define TOP_ROWS 16 /* a smaller screen shows a request for a larger one */
#define TOP_COLUMNS 60
#define TOP_WIDE 160 /* columns from which on panes are side by side */

struct top_layout {
	struct picture_place panes[TOP_PANES]; /* 0 rows: not to be seen */
	struct picture_place body; /* between numbers and keys */
};

/* A smaller screen has no panes, but their keys work as if it had. */
struct top_layout top_layout(const struct top_model *model, unsigned int rows,
			     unsigned int columns);
