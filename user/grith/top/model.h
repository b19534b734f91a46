/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What `grith top` shows and what its keys do. Pure but for its own state; knows no terminal, no
 * clock and no connection. Times are ms since 1970 of the clock that the log has.
 */
#pragma once

#include "grith/review/review.h"
#include "counts.h"
#include "events.h"
#include "filter.h"
#include "rates.h"
#include "sessions.h"
#include "matches.h"

#define TOP_INPUT 240 /* bytes of a search or a filter */

enum top_pane {
	TOP_HOLDS = 0,
	TOP_TREE, /* sessions and processes */
	TOP_LOG, /* events */
	TOP_PATHS,
	TOP_DESTINATIONS,
	TOP_PANES,
};

enum top_mode {
	TOP_LOOK = 0,
	TOP_DETAIL, /* of what is chosen */
	TOP_HELP,
	TOP_SEARCHING, /* text is being typed */
	TOP_FILTERING,
};

/* The chosen row of a pane and the first one that is to be seen. */
struct top_cursor {
	size_t row, first;
};

struct top_model {
	/* what there is */
	struct top_events *events;
	struct top_matches matches; /* those that pass the filter */
	struct top_rates rates;
	struct top_sessions sessions;
	struct top_counts paths, destinations;
	struct review_model reviews;
	uint64_t operations, refused; /* since the start of this program */
	uint64_t lost; /* records of the kernel or lines of the log that do not exist */
	uint64_t missed; /* places of the log that could not be read */
	int64_t behind; /* ms: events come so late */

	/* how it is looked at */
	enum top_pane pane; /* that keys are for */
	enum top_mode mode;
	bool zoomed; /* only that pane */
	struct top_cursor cursors[TOP_PANES]; /* TOP_LOG: see below */
	size_t scroll; /* lines of details above the window */
	bool utf8; /* what is not ASCII may be drawn */

	bool following; /* the newest event is the chosen one */
	uint64_t chosen; /* numbers of events: the chosen one, the first to be seen */
	uint64_t window;
	bool paused;
	uint64_t paused_at; /* the number of the first event that came later */

	struct top_filter filter;
	struct text input; /* what is being typed */
	struct text filter_text, search; /* what was */
	struct text message; /* for the last line; escaped */

	enum top_session_order session_order;
	enum top_count_order count_order[2]; /* of paths, of destinations */

	/* the rows of the panes, by top_model_refresh() */
	struct top_session_row *rows;
	size_t n_rows;
	uint32_t chosen_pid; /* of the tree: 0: the session itself */
	char chosen_session[TOP_LABEL];
	const struct top_count **counts[2];
};

enum top_event {
	TOP_NOTHING,
	TOP_ANSWER,
	TOP_QUIT,
};

/* 0 or -ENOMEM. A model is freed in any case. */
int top_model_init(struct top_model *model, bool utf8);
void top_model_free(struct top_model *model);

/* One event, in the order of the log. 0 or -ENOMEM. */
int top_model_event(struct top_model *model, const struct log_event *event);

/* So many entries are missing here: a gap event takes their row. */
int top_model_missed(struct top_model *model, uint64_t count, int64_t now, const char *reason);

/*
 * The time that events and rates are of, which is before `now` where events come faster than they
 * are sent and taken.
 */
int64_t top_model_at(const struct top_model *model, int64_t now);

/* Everything that is known of grithd's side is gone: the connection was lost. Events stay. */
void top_model_lost(struct top_model *model);

/* Makes the rows anew. Needed before a picture is made and before keys are given. 0 or -ENOMEM. */
int top_model_refresh(struct top_model *model, int64_t now);

/* Each pane's height: moves what is to be seen so that what is chosen is. */
void top_model_fit(struct top_model *model, const unsigned int heights[TOP_PANES]);

size_t top_model_count(const struct top_model *model, enum top_pane pane);
size_t top_model_row(const struct top_model *model, enum top_pane pane); /* the chosen one */
size_t top_model_first(const struct top_model *model, enum top_pane pane);
void top_model_choose(struct top_model *model, enum top_pane pane, size_t row);

/* The event of a row of TOP_LOG. */
const struct log_event *top_model_log(const struct top_model *model, size_t row);

/* The message: a text and a name, which is escaped. */
void top_model_say(struct top_model *model, const char *text, const char *name);

/* What a search looks through. Nothing is added where there is no such row. 0 or -ENOMEM. */
int top_model_row_text(const struct top_model *model, enum top_pane pane, size_t row,
		       struct text *out);

/* Parses and applies a filter; an error becomes the message. 0, -EINVAL or -ENOMEM. */
int top_model_filter(struct top_model *model, const char *text);

/* Whether an event passes the filter. */
bool top_model_passes(const struct top_model *model, const struct log_event *event);

/* The next row after the chosen one that has the search's text, or before it. */
void top_model_search(struct top_model *model, bool back);

/*
 * What a key does. `page` is how many rows the pane has that keys are for, `now` ms of any clock,
 * the same as for reviews. Only with TOP_ANSWER, *ret_answer is set.
 */
enum top_event top_model_key(struct top_model *model, int key, size_t page, int64_t now,
			     struct review_answer *ret_answer);
