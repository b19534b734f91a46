/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A title, a line of numbers, the panes or what is read instead of them, and a line that says which
 * keys there are, or what the last one came to.
 */
#include "view.h"

#define SPARKS 8

void view_number(uint64_t number, char ret_text[VIEW_NUMBER])
{
	static const char units[] = "kMGTPE";
	double scaled = (double)number;
	size_t unit = 0;

	if (number < 100000) {
		snprintf(ret_text, VIEW_NUMBER, "%u", (unsigned int)number);
		return;
	}
	for (scaled /= 1000; scaled >= 9999.5 && units[unit + 1]; unit++)
		scaled /= 1000;
	snprintf(ret_text, VIEW_NUMBER, "%.0f%c", scaled, units[unit]);
}

void view_rate(uint32_t tenths, char ret_text[VIEW_NUMBER])
{
	if (tenths < 1000)
		snprintf(ret_text, VIEW_NUMBER, "%u.%u", tenths / 10, tenths % 10);
	else
		view_number(tenths / 10, ret_text);
}

unsigned int view_top_heading(const struct top_model *model, enum top_pane pane,
			      struct picture *picture)
{
	bool focused = model->pane == pane;
	unsigned int style = focused ? PICTURE_BAR : PICTURE_BOLD;

	picture_begin(picture);
	picture_put(picture, style, focused ? "> " : "  ");
	return style;
}

void view_top_rows(const struct top_model *model, enum top_pane which,
		   const struct picture_place *place, struct picture *pane, top_row_fn *add,
		   const void *arg, const char *empty)
{
	size_t count = top_model_count(model, which), chosen = top_model_row(model, which);

	for (size_t i = top_model_first(model, which);
	     i < count && pane->count < place->rows && pane->r == 0; i++)
		add(pane, model, i, i == chosen && model->pane == which ? PICTURE_CHOSEN : 0, arg);
	if (!count && place->rows > 1)
		picture_add(pane, PICTURE_DIM, 0, empty);
}

static void view_holds(const struct top_model *model, const struct picture_place *place,
		       int64_t now, struct picture *pane)
{
	unsigned int style = view_top_heading(model, TOP_HOLDS, pane);
	OWNED_LINE struct line heading = { .out = &heading.own };

	line_addf(&heading, "HELD: %zu waiting for an answer%s",
		  view_review_waiting(&model->reviews),
		  model->pane == TOP_HOLDS ? "" : "; h goes there");
	picture_cell(pane, style == PICTURE_BAR ? style : PICTURE_HELD, place->columns - 2,
		     PICTURE_LEFT, line_text(&heading));
	view_review_rows(&model->reviews, place->rows - 1, place->columns, now, pane);
	/* Only where keys are for it does the chosen one stand out. */
	for (size_t i = 1; i < pane->count && model->pane != TOP_HOLDS; i++)
		for (size_t j = 0; j < pane->lines[i].n_spans; j++)
			pane->lines[i].spans[j].style &= ~(unsigned int)PICTURE_REVERSE;
}

/* The last seconds, oldest first, against the most of them. */
static void add_sparks(struct picture *picture, const struct top_model *model, int64_t second,
		       unsigned int columns)
{
	static const char *const drawn[2][SPARKS] = {
		{ "_", ".", "-", "=", "+", "*", "#", "@" },
		{ "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
	};
	uint32_t most = 1;

	for (unsigned int i = 1; i <= columns; i++)
		if (top_rates_at(&model->rates, second - i) > most)
			most = top_rates_at(&model->rates, second - i);
	for (unsigned int i = columns; i > 0; i--) {
		uint64_t count = top_rates_at(&model->rates, second - i);
		uint64_t level = (count * (SPARKS - 1) + most - 1) / most;

		picture_put(picture, PICTURE_DIM, drawn[model->utf8][level]);
	}
}

static void add_count(struct picture *picture, const char *what, uint64_t count, unsigned int style)
{
	picture_putf(picture, PICTURE_PLAIN, "  %s ", what);
	picture_putf(picture, count ? style : PICTURE_DIM, "%llu", (unsigned long long)count);
}

/* "tainted blue": the sessions that have read secrets. */
static void add_taint(struct picture *picture, const struct top_model *model, int64_t second)
{
	size_t tainted = 0, which = 0;

	for (size_t i = 0; i < model->sessions.count; i++)
		if (top_session_is_tainted(model->sessions.list[i], second) && !tainted++)
			which = i;
	picture_put(picture, PICTURE_PLAIN, "  tainted ");
	if (tainted == 1)
		picture_put(picture, PICTURE_ALERT, top_session_name(model->sessions.list[which]));
	else
		picture_putf(picture, tainted ? PICTURE_ALERT : PICTURE_DIM, "%zu", tainted);
}

static void add_numbers(struct picture *picture, const struct top_model *model,
			unsigned int columns, int64_t now)
{
	int64_t second = now / 1000;
	char rate[VIEW_NUMBER];

	view_rate(top_rates_tenths(&model->rates, second), rate);
	picture_begin(picture);
	picture_putf(picture, PICTURE_BOLD, " %5s ops/s ", rate);
	add_sparks(picture, model, second,
		   columns >= 120  ? TOP_SECONDS - 4
		   : columns >= 80 ? 10
				   : 4);
	add_count(picture, "refused", model->refused, PICTURE_ALERT);
	add_count(picture, "held", view_review_waiting(&model->reviews), PICTURE_HELD);
	add_count(picture, "lost", model->lost + model->missed, PICTURE_ALERT);
	add_taint(picture, model, second);
}

/* How many events are hidden or were lost, and why. */
static void add_state(struct line *out, const struct top_model *model)
{
	uint64_t more = top_events_next(model->events) - model->paused_at;

	if (model->behind)
		line_addf(out, "%lld s BEHIND  ", (long long)(model->behind / 1000));
	if (model->paused)
		line_addf(out, "PAUSED, %llu more (keeps %d)  ", (unsigned long long)more,
			  TOP_EVENTS);
	if (!model->filter_text.length)
		return;
	line_add(out, "filter: ");
	line_add_bytes(
		out, (struct record_bytes) { model->filter_text.data, model->filter_text.length });
	line_add(out, "  ");
}

static void add_title(struct picture *picture, const struct top_model *model, unsigned int columns)
{
	OWNED_LINE struct line left = { .out = &left.own }, state = { .out = &state.own };
	OWNED_LINE struct line right = { .out = &right.own };
	size_t sessions = model->sessions.count, processes = model->sessions.n_processes;
	unsigned int used;

	line_addf(&left, " grith top: %zu session%s, %zu process%s ", sessions,
		  sessions == 1 ? "" : "s", processes, processes == 1 ? "" : "es");
	add_state(&state, model);
	used = (unsigned int)left.own.length + 8;
	line_add_cut(&right, line_text(&state), columns > used ? columns - used : 1);
	line_add(&right, "? help ");
	if (left.r | state.r | right.r)
		picture->r = -ENOMEM;
	picture_add_bar(picture, columns, line_text(&left), line_text(&right));
}

static void add_input(struct picture *picture, const struct top_model *model, unsigned int columns)
{
	OWNED_LINE struct line line = { .out = &line.own };

	line_add(&line, model->mode == TOP_FILTERING ? " filter: " : " search: ");
	line_add_bytes(&line, (struct record_bytes) { model->input.data, model->input.length });
	line_add(&line, "_");
	picture_add_bar(picture, columns, line_text(&line),
			model->message.length ? model->message.data
					      : "Enter applies, Esc does not ");
}

static void add_bottom(struct picture *picture, const struct top_model *model, unsigned int columns)
{
	if (model->mode == TOP_SEARCHING || model->mode == TOP_FILTERING)
		add_input(picture, model, columns);
	else if (model->message.length)
		picture_add_bar(picture, columns, model->message.data, "");
	else if (model->pane == TOP_HOLDS && model->mode != TOP_HELP)
		view_review_bottom(&model->reviews, columns, picture);
	else if (model->mode != TOP_LOOK)
		picture_add_bar(picture, columns, " Esc back  up, down, PgUp, PgDn scroll", "");
	else
		picture_add_bar(picture, columns,
				" Tab pane  Enter details  / search  f filter  > sort  space pause",
				"q quit ");
}

_Static_assert(TOP_EVENTS == 65536 && TOP_EVENT_BYTES == 16 << 20, "the help says so");

static const char *const help[] = {
	"  Tab, Shift-Tab  the next pane, the one before; h: what is held",
	"  up, down, PgUp, PgDn, Home, End",
	"                  move; from the end on the newest event is followed",
	"  Enter           all that is known, the score taken apart",
	"  /  n  N         search in the pane; the next one, the one before",
	"  f               filter the events: session= program= op= verdict= path= rule=",
	"                  score= (at least) refused, or parts of the object. All must",
	"                  apply; * and ? as in 'grith log'; empty: all events again",
	"  F6 or >         sort the pane by something else",
	"  space           pause the events; what comes meanwhile is kept, up to",
	"                  65536 events or 16 MiB, then the oldest go",
	"  z               only this pane, or all of them",
	"  a s A D  d x    in the pane of what is held: allow once, for the session,",
	"                  always, below the directory; deny once, for the session",
	"  q or F10        quit; what is held goes on waiting",
	"",
	"  refused   above: since this program was started; below: since they were",
	"  lost      records the kernel had no room for, entries that were not sent here",
	"  BEHIND    events come faster than they are shown; rates are those of then",
	"  tainted   sessions that have read secrets within the last hour",
	"  ~         an estimate: the true count may be smaller",
};

/* Instead of the panes. */
static void add_reading(struct picture *picture, const struct top_model *model,
			const struct top_layout *layout, int64_t now)
{
	OWNED_PICTURE struct picture details = { 0 };
	size_t scroll;

	if (model->mode == TOP_HELP)
		picture_add_lines(&details, help, ARRAY_SIZE(help));
	else
		view_top_detail(model, layout->body.columns, top_model_at(model, now), &details);
	picture->scroll_max =
		details.count > layout->body.rows ? details.count - layout->body.rows : 0;
	scroll = model->scroll < picture->scroll_max ? model->scroll : picture->scroll_max;
	picture_copy(picture, &layout->body, &details, scroll);
}

static void add_pane(struct picture *picture, const struct top_model *model, enum top_pane which,
		     const struct picture_place *place, int64_t now)
{
	OWNED_PICTURE struct picture pane = { 0 };

	if (!place->rows)
		return;
	switch (which) {
	case TOP_HOLDS:
		view_holds(model, place, now, &pane);
		break;
	case TOP_TREE:
		view_top_tree(model, place, top_model_at(model, now), &pane);
		break;
	case TOP_LOG:
		view_top_log(model, place, &pane);
		break;
	default:
		view_top_counts(model, which, place, &pane);
		break;
	}
	picture_copy(picture, place, &pane, 0);
}

static void add_panes(struct picture *picture, const struct top_model *model,
		      const struct top_layout *layout, int64_t now)
{
	/* From the left to the right: nothing is put before what is there. */
	static const enum top_pane order[] = { TOP_HOLDS, TOP_TREE, TOP_PATHS, TOP_DESTINATIONS,
					       TOP_LOG };

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		add_pane(picture, model, order[i], &layout->panes[order[i]], now);
}

static int view_top(const struct top_model *model, unsigned int rows, unsigned int columns,
		    int64_t now, struct picture *ret_picture)
{
	OWNED_PICTURE struct picture picture = { 0 };
	char larger[80];

	if (rows < TOP_ROWS || columns < TOP_COLUMNS) {
		snprintf(larger, sizeof(larger), "grith top needs %d columns and %d rows; q quits",
			 TOP_COLUMNS, TOP_ROWS);
		picture_fill(&picture, rows, columns, larger);
	} else {
		struct top_layout layout = top_layout(model, rows, columns);
		struct picture_place all = { .rows = rows - 1, .columns = columns };
		OWNED_PICTURE struct picture body = { 0 };

		add_title(&body, model, columns);
		add_numbers(&body, model, columns, top_model_at(model, now));
		if (model->mode == TOP_DETAIL || model->mode == TOP_HELP)
			add_reading(&body, model, &layout, now);
		else
			add_panes(&body, model, &layout, now);
		picture_copy(&picture, &all, &body, 0);
		picture.scroll_max = body.scroll_max;
		add_bottom(&picture, model, columns);
	}
	if (picture.r < 0)
		return picture.r;
	*ret_picture = picture;
	picture = (struct picture) { 0 };
	return 0;
}

int view_top_look(struct top_model *model, unsigned int rows, unsigned int columns, int64_t now,
		  struct picture *ret_picture)
{
	unsigned int heights[TOP_PANES];
	struct top_layout layout;
	int r = top_model_refresh(model, now);

	if (r < 0)
		return r;
	layout = top_layout(model, rows, columns);
	for (size_t i = 0; i < TOP_PANES; i++)
		heights[i] = layout.panes[i].rows ? layout.panes[i].rows - 1 : 0; /* the heading */
	top_model_fit(model, heights);
	return view_top(model, rows, columns, now, ret_picture);
}
