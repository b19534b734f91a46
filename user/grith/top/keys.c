/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Keys, as in htop and less. Those that answer what is held are grith/review/model.h's, and only
 * work in that pane.
 */
#include "model.h"

static void move(struct top_model *model, size_t page, int key)
{
	size_t count = top_model_count(model, model->pane);
	size_t row = top_model_row(model, model->pane), to;

	if (count && screen_key_moves(key, row, page, count - 1, &to))
		top_model_choose(model, model->pane, to);
}

/* To the next pane that has something, or that can have: holds only where there are some. */
static void next_pane(struct top_model *model, int step)
{
	do
		model->pane = (model->pane + TOP_PANES + step) % TOP_PANES;
	while (model->pane == TOP_HOLDS && !model->reviews.count);
}

static void sort(struct top_model *model)
{
	static const char *const trees[] = {
		[TOP_BY_RATE] = "sessions and processes: most operations a second first",
		[TOP_BY_OPERATIONS] = "sessions and processes: most operations first",
		[TOP_BY_REFUSALS] = "sessions and processes: most refusals first",
		[TOP_BY_AGE] = "sessions and processes: oldest first",
	};
	static const char *const counts[] = {
		[TOP_BY_COUNT] = "most operations first",
		[TOP_BY_REFUSED] = "most refusals first",
		[TOP_BY_KEY] = "by name",
	};
	size_t i = model->pane == TOP_DESTINATIONS;

	switch (model->pane) {
	case TOP_TREE:
		model->session_order = (model->session_order + 1) % TOP_SESSION_ORDERS;
		top_model_say(model, trees[model->session_order], "");
		break;
	case TOP_PATHS:
	case TOP_DESTINATIONS:
		model->count_order[i] = (model->count_order[i] + 1) % TOP_COUNT_ORDERS;
		top_model_say(model, counts[model->count_order[i]], "");
		break;
	default:
		top_model_say(model,
			      "this stays in the order of time; Tab goes to what can be sorted",
			      "");
		break;
	}
}

static void pause_events(struct top_model *model)
{
	model->paused = !model->paused;
	model->paused_at = top_events_next(model->events);
}

static void type(struct top_model *model, enum top_mode mode, const struct text *before)
{
	model->mode = mode;
	model->input.length = 0;
	text_add(&model->input, before->data ? before->data : "", before->length);
}

static void backspace(struct text *input)
{
	while (input->length && (input->data[input->length - 1] & 0xc0) == 0x80)
		input->length--;
	input->length -= !!input->length;
	if (input->data)
		input->data[input->length] = '\0';
}

static void enter(struct top_model *model)
{
	const char *text = model->input.data ? model->input.data : "";

	if (model->mode == TOP_FILTERING) {
		if (top_model_filter(model, text) == 0)
			model->mode = TOP_LOOK;
		return;
	}
	model->mode = TOP_LOOK;
	model->search.length = 0;
	if (text_add(&model->search, text, strlen(text)) == 0 && *text)
		top_model_search(model, false);
}

static void input_key(struct top_model *model, int key)
{
	char byte = (char)key;

	if (key == SCREEN_KEY_ESCAPE)
		model->mode = TOP_LOOK;
	else if (key == SCREEN_KEY_ENTER)
		enter(model);
	else if (key == SCREEN_KEY_BACKSPACE)
		backspace(&model->input);
	else if (key >= ' ' && key < 256 && model->input.length < TOP_INPUT)
		text_add(&model->input, &byte, 1);
}

static void reading_key(struct top_model *model, size_t page, int key)
{
	size_t last = SIZE_MAX / 2; /* the view limits it */

	if (screen_key_moves(key == ' ' ? SCREEN_KEY_PAGE_DOWN : key, model->scroll, page, last,
			     &model->scroll))
		return;
	switch (key) {
	case SCREEN_KEY_ESCAPE:
	case SCREEN_KEY_ENTER:
	case SCREEN_KEY_HELP:
	case SCREEN_KEY_QUIT:
	case 'q':
	case '?':
		model->mode = TOP_LOOK;
		break;
	default:
		break;
	}
}

static void read_about(struct top_model *model, enum top_mode mode)
{
	if (mode == TOP_DETAIL && !top_model_count(model, model->pane))
		return;
	/* The selection stays while its details are open. */
	if (mode == TOP_DETAIL && model->pane == TOP_LOG)
		top_model_choose(model, TOP_LOG, top_model_row(model, TOP_LOG));
	model->following &= mode != TOP_DETAIL;
	model->mode = mode;
	model->scroll = 0;
}

static enum top_event hold_key(struct top_model *model, int key, int64_t now,
			       struct review_answer *ret_answer)
{
	if (key == 'q' || key == '?')
		key = SCREEN_KEY_OTHER;
	return review_model_key(&model->reviews, key, now, ret_answer) == REVIEW_ANSWER
		       ? TOP_ANSWER
		       : TOP_NOTHING;
}

/* A key of grith/review/model.h's that works while the details are in sight. */
static bool answers(int key)
{
	return key > 0 && key < 128 && strchr("asdxADv", key);
}

/* false: nothing is bound to it here. */
static bool look_key(struct top_model *model, int key)
{
	switch (key) {
	case SCREEN_KEY_TAB:
	case SCREEN_KEY_BACK_TAB:
		next_pane(model, key == SCREEN_KEY_TAB ? 1 : -1);
		return true;
	case 'h':
		model->pane = model->reviews.count ? TOP_HOLDS : model->pane;
		return true;
	case SCREEN_KEY_ENTER:
		read_about(model, TOP_DETAIL);
		return true;
	case SCREEN_KEY_HELP:
	case '?':
		read_about(model, TOP_HELP);
		return true;
	case '/':
		type(model, TOP_SEARCHING, &(struct text) { 0 });
		return true;
	case 'n':
	case 'N':
		top_model_search(model, key == 'N');
		return true;
	case 'f':
		type(model, TOP_FILTERING, &model->filter_text);
		return true;
	case SCREEN_KEY_SORT:
	case '>':
		sort(model);
		return true;
	case ' ':
		pause_events(model);
		return true;
	case 'z':
		model->zoomed = !model->zoomed;
		return true;
	default:
		return false;
	}
}

enum top_event top_model_key(struct top_model *model, int key, size_t page, int64_t now,
			     struct review_answer *ret_answer)
{
	if (key == SCREEN_KEY_RESIZE)
		return TOP_NOTHING;
	model->message.length = 0;
	/* A pending confirmation takes the key, whatever it is. */
	if (model->pane == TOP_HOLDS && model->reviews.mode != REVIEW_CHOOSE)
		return hold_key(model, key, now, ret_answer);
	if (model->pane == TOP_HOLDS && model->mode == TOP_DETAIL && answers(key))
		return hold_key(model, key, now, ret_answer);
	switch (model->mode) {
	case TOP_SEARCHING:
	case TOP_FILTERING:
		input_key(model, key);
		return TOP_NOTHING;
	case TOP_DETAIL:
	case TOP_HELP:
		reading_key(model, page, key);
		return TOP_NOTHING;
	default:
		break;
	}
	if (key == 'q' || key == SCREEN_KEY_QUIT)
		return TOP_QUIT;
	if (look_key(model, key))
		return TOP_NOTHING;
	if (model->pane == TOP_HOLDS)
		return hold_key(model, key, now, ret_answer);
	move(model, page, key);
	return TOP_NOTHING;
}
