/* SPDX-License-Identifier: MPL-2.0 */
/* Finding rows: those that pass a filter, and the next one with a text. */
#include "model.h"

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
