/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Events and lists go to the tables. A selection is kept by its identity, not by its row, because
 * rows move all the time.
 */
#include "grith/log/log.h"
#include "model.h"

void top_model_say(struct top_model *model, const char *text, const char *name)
{
	struct line line = { .out = &model->message };

	model->message.length = 0;
	line_addf(&line, " %s", text);
	line_add_bytes(&line, bytes_of(name));
}

int top_model_init(struct top_model *model, bool utf8)
{
	*model = (struct top_model) { .utf8 = utf8, .following = true, .pane = TOP_LOG };
	model->events = top_events_new();
	return model->events ? 0 : -ENOMEM;
}

static void clear_rows(struct top_model *model)
{
	free(model->rows);
	model->rows = NULL;
	model->n_rows = 0;
	for (size_t i = 0; i < ARRAY_SIZE(model->counts); i++) {
		free(model->counts[i]);
		model->counts[i] = NULL;
	}
}

void top_model_free(struct top_model *model)
{
	clear_rows(model);
	top_events_free(model->events);
	model->events = NULL;
	top_matches_free(&model->matches);
	top_sessions_free(&model->sessions);
	top_counts_free(&model->paths);
	top_counts_free(&model->destinations);
	review_model_free(&model->reviews);
	top_filter_free(&model->filter);
	text_free(&model->input);
	text_free(&model->filter_text);
	text_free(&model->search);
	text_free(&model->message);
}

static int count_object(struct top_model *model, const struct log_event *event, bool refused)
{
	OWNED_TEXT struct text address = { 0 };
	struct line line = { .out = &address };

	if (event->kind == LOG_FILE && event->path.length)
		return top_counts_add(&model->paths, event->path, refused);
	if (event->kind != LOG_NET || !event->address.length || !op_is_egress(event->op))
		return 0;
	view_object(event, &line);
	if (line.r < 0)
		return line.r;
	return top_counts_add(&model->destinations,
			      (struct record_bytes) { address.data, address.length }, refused);
}

int top_model_event(struct top_model *model, const struct log_event *event)
{
	bool refused = log_event_is_refused(event);
	uint64_t number = top_events_add(model->events, event);
	int r = 0;

	top_matches_trim(&model->matches, top_events_first(model->events));
	if (top_model_passes(model, event))
		r = top_matches_add(&model->matches, number);
	if (event->kind == LOG_GAP)
		model->lost += event->lost;
	if (r == 0)
		r = top_sessions_event(&model->sessions, event);
	if (r < 0 || event->sequence == LOG_NO_NUMBER)
		return r;
	model->operations++;
	model->refused += refused;
	top_rates_add(&model->rates, (int64_t)(event->time / 1000000000));
	return count_object(model, event, refused);
}

int top_model_missed(struct top_model *model, uint64_t count, int64_t now, const char *reason)
{
	const struct log_event gap = {
		.kind = LOG_GAP,
		.time = (uint64_t)now * 1000000,
		.sequence = LOG_NO_NUMBER,
		.lost = count,
		.reason = { reason, strlen(reason) },
	};

	model->missed += count;
	model->lost -= count; /* what top_model_event() will add */
	return top_model_event(model, &gap);
}

int64_t top_model_at(const struct top_model *model, int64_t now)
{
	return now - model->behind;
}

void top_model_lost(struct top_model *model)
{
	model->behind = 0;
	clear_rows(model);
	top_sessions_free(&model->sessions);
	review_model_clear(&model->reviews);
}

/* What was chosen in the tree, wherever it is now. */
static void find_chosen(struct top_model *model)
{
	struct top_cursor *cursor = &model->cursors[TOP_TREE];

	for (size_t i = 0; i < model->n_rows; i++) {
		const struct top_session_row *row = &model->rows[i];

		if ((row->process ? row->process->pid : 0) == model->chosen_pid &&
		    !strcmp(row->session->id, model->chosen_session)) {
			cursor->row = i;
			return;
		}
	}
	top_model_choose(model, TOP_TREE,
			 cursor->row < model->n_rows ? cursor->row
						     : model->n_rows - !!model->n_rows);
}

static int count_rows(struct top_model *model, size_t i, const struct top_counts *counts)
{
	model->counts[i] = calloc(counts->count + 1, sizeof(*model->counts[i]));
	if (!model->counts[i])
		return -ENOMEM;
	top_counts_rows(counts, model->count_order[i], model->counts[i]);
	return 0;
}

int top_model_refresh(struct top_model *model, int64_t now)
{
	int r;

	clear_rows(model);
	r = top_sessions_rows(&model->sessions, model->session_order,
			      top_model_at(model, now) / 1000, &model->rows, &model->n_rows);
	if (r == 0)
		r = count_rows(model, 0, &model->paths);
	if (r == 0)
		r = count_rows(model, 1, &model->destinations);
	if (r < 0)
		return r;
	find_chosen(model);
	if (model->pane == TOP_HOLDS && !model->reviews.count)
		model->pane = TOP_LOG;
	return 0;
}

size_t top_model_count(const struct top_model *model, enum top_pane pane)
{
	switch (pane) {
	case TOP_HOLDS:
		return model->reviews.count;
	case TOP_TREE:
		return model->n_rows;
	case TOP_LOG:
		return model->paused ? top_matches_row(&model->matches, model->paused_at)
				     : top_matches_count(&model->matches);
	case TOP_PATHS:
		return model->paths.count;
	default:
		return model->destinations.count;
	}
}

const struct log_event *top_model_log(const struct top_model *model, size_t row)
{
	return top_events_get(model->events, top_matches_at(&model->matches, row));
}

size_t top_model_row(const struct top_model *model, enum top_pane pane)
{
	size_t count = top_model_count(model, pane), row = model->cursors[pane].row;

	if (pane == TOP_LOG)
		row = model->following ? count : top_matches_row(&model->matches, model->chosen);
	if (pane == TOP_HOLDS)
		row = review_model_row(&model->reviews);
	return row < count ? row : count - !!count;
}

size_t top_model_first(const struct top_model *model, enum top_pane pane)
{
	return pane == TOP_LOG ? top_matches_row(&model->matches, model->window)
			       : model->cursors[pane].first;
}

void top_model_choose(struct top_model *model, enum top_pane pane, size_t row)
{
	model->cursors[pane].row = row;
	if (pane == TOP_LOG && row < top_model_count(model, pane)) {
		model->following = row + 1 == top_model_count(model, pane);
		model->chosen = top_matches_at(&model->matches, row);
	} else if (pane == TOP_TREE && row < model->n_rows) {
		const struct top_session_row *chosen = &model->rows[row];

		model->chosen_pid = chosen->process ? chosen->process->pid : 0;
		snprintf(model->chosen_session, sizeof(model->chosen_session), "%s",
			 chosen->session->id);
	}
}

void top_model_fit(struct top_model *model, const unsigned int heights[TOP_PANES])
{
	for (enum top_pane pane = 0; pane < TOP_PANES; pane++) {
		size_t count = top_model_count(model, pane), row = top_model_row(model, pane);
		size_t first = top_model_first(model, pane), height = heights[pane];

		if (!height)
			continue;
		if (first > row)
			first = row;
		if (row >= first + height)
			first = row - height + 1;
		if (first + height > count)
			first = count > height ? count - height : 0;
		model->cursors[pane].first = first;
		if (pane == TOP_LOG && count)
			model->window = top_matches_at(&model->matches, first);
	}
}

static int log_text(const struct log_event *event, struct text *out)
{
	const struct record_bytes *const texts[] = { &event->session, &event->program, &event->comm,
						     &event->rule, &event->reason };
	struct line line = { .out = out };

	view_object(event, &line);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		line_add(&line, " ");
		line_add_bytes(&line, *texts[i]);
	}
	line_add(&line, " ");
	line_add(&line, op_name(event->op) ?: "");
	line_add(&line, " ");
	line_add(&line, event->decided ? verdict_name(event->verdict) ?: "" : "");
	return line.r;
}

int top_model_row_text(const struct top_model *model, enum top_pane pane, size_t row,
		       struct text *out)
{
	const struct top_session_row *tree;
	const struct top_count *count;

	if (row >= top_model_count(model, pane))
		return 0;
	switch (pane) {
	case TOP_HOLDS:
		return view_review_line(model->reviews.reviews[row], 0, out);
	case TOP_LOG:
		return log_text(top_model_log(model, row), out);
	case TOP_TREE:
		tree = &model->rows[row];
		return text_addf(out, "%s %s %s", tree->session->id, tree->session->name,
				 tree->process && tree->process->label ? tree->process->label : "");
	default:
		count = model->counts[pane == TOP_DESTINATIONS][row];
		return text_add_escaped(out, count->key, count->length);
	}
}

bool top_model_passes(const struct top_model *model, const struct log_event *event)
{
	const struct top_session *session = NULL;

	if (model->filter.session)
		session = top_sessions_find(&model->sessions, event->session);
	return top_filter_matches(&model->filter, event, session ? session->name : "");
}

int top_model_filter(struct top_model *model, const char *text)
{
	OWNED_TEXT struct text why = { 0 };
	struct top_filter filter;
	int r = top_filter_parse(text, &filter, &why);

	if (r < 0) {
		top_model_say(model, why.data ? why.data : "no memory", "");
		return r;
	}
	top_filter_free(&model->filter);
	model->filter = filter;
	model->filter_text.length = 0;
	r = text_add(&model->filter_text, text, strlen(text));
	top_matches_clear(&model->matches);
	for (uint64_t i = top_events_first(model->events);
	     i < top_events_next(model->events) && r == 0; i++)
		if (top_model_passes(model, top_events_get(model->events, i)))
			r = top_matches_add(&model->matches, i);
	return r;
}

static bool has(const struct top_model *model, size_t row, const char *what)
{
	OWNED_TEXT struct text text = { 0 };

	return top_model_row_text(model, model->pane, row, &text) == 0 && text.data &&
	       strcasestr(text.data, what);
}

void top_model_search(struct top_model *model, bool back)
{
	size_t count = top_model_count(model, model->pane);
	size_t row = top_model_row(model, model->pane);

	if (!model->search.length) {
		top_model_say(model, "nothing to search for; / asks for it", "");
		return;
	}
	/* Around the end, as far as the row where it began. */
	for (size_t i = 0; i < count; i++) {
		row = back ? (row + count - 1) % count : (row + 1) % count;
		if (has(model, row, model->search.data)) {
			top_model_choose(model, model->pane, row);
			return;
		}
	}
	top_model_say(model, "not here: ", model->search.data);
}
