/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The selection is the id of a review, not an index, so that reviews that come and go never change
 * what a key would answer.
 */
#include "grith/base/base.h"
#include "model.h"

#define SCROLL 5 /* lines that a page key moves the details */

bool review_waits(const json_t *review)
{
	return !strcmp(member_string(review, "state"), proto_state_name(PROTO_WAITING));
}

static int64_t id_of(const json_t *review)
{
	return member_integer(review, "id");
}

/* The index of the review, or the count where it is not there. */
static size_t find(const struct review_model *model, int64_t id)
{
	size_t i = 0;

	while (i < model->count && id_of(model->reviews[i]) != id)
		i++;
	return i;
}

size_t review_model_row(const struct review_model *model)
{
	return find(model, model->chosen);
}

static void choose(struct review_model *model, size_t i)
{
	model->chosen = i < model->count ? id_of(model->reviews[i]) : 0;
	model->scroll = 0;
	model->mode = REVIEW_CHOOSE;
}

static void drop(struct review_model *model, size_t i)
{
	json_decref(model->reviews[i]);
	model->count--;
	memmove(model->reviews + i, model->reviews + i + 1,
		(model->count - i) * sizeof(*model->reviews));
}

const json_t *review_model_chosen(const struct review_model *model)
{
	size_t i = review_model_row(model);

	return model->chosen && i < model->count ? model->reviews[i] : NULL;
}

void review_model_clear(struct review_model *model)
{
	for (size_t i = 0; i < model->count; i++)
		json_decref(model->reviews[i]);
	model->count = 0;
	choose(model, 0);
}

void review_model_free(struct review_model *model)
{
	review_model_clear(model);
	free(model->reviews);
	model->reviews = NULL;
	text_free(&model->message);
}

/* The chosen review is gone, and a pending confirmation with it. */
static void ended(struct review_model *model, size_t i)
{
	if (id_of(model->reviews[i]) != model->chosen)
		drop(model, i);
	else if (model->mode != REVIEW_HELP)
		model->mode = REVIEW_CHOOSE;
}

int review_model_put(struct review_model *model, json_t *review, int64_t now)
{
	size_t i = find(model, id_of(review));
	int r;

	if (id_of(review) <= 0)
		return 0;
	if (i < model->count) {
		json_decref(model->reviews[i]);
		model->reviews[i] = json_incref(review);
		if (!review_waits(review))
			ended(model, i);
		return 0;
	}
	if (!review_waits(review))
		return 0;
	r = ARRAY_GROW(model->reviews, model->count);
	if (r < 0)
		return r;
	model->reviews[model->count++] = json_incref(review);
	if (!model->chosen || !review_waits(review_model_chosen(model)))
		review_model_next(model, now);
	return 0;
}

void review_model_next(struct review_model *model, int64_t now)
{
	size_t from = review_model_row(model), i;

	/* The ones after it first, then those before. */
	for (i = from + 1; i < model->count && !review_waits(model->reviews[i]); i++)
		;
	if (i >= model->count)
		for (i = 0; i < model->count; i++)
			if (i != from && review_waits(model->reviews[i]))
				break;
	if (i >= model->count)
		return;
	choose(model, i);
	model->changed = now;
	if (from < model->count && !review_waits(model->reviews[from]))
		drop(model, from);
}

static void move(struct review_model *model, int key)
{
	size_t from = review_model_row(model), to;

	if (from >= model->count || key < SCREEN_KEY_UP ||
	    !screen_key_moves(key, from, 0, model->count - 1, &to) || to == from)
		return;
	choose(model, to);
	if (!review_waits(model->reviews[from]))
		drop(model, from);
}

static enum review_event answer(const struct review_model *model, bool allow,
				enum proto_scope scope, struct review_answer *ret_answer)
{
	*ret_answer = (struct review_answer) {
		.review = model->chosen,
		.allow = allow,
		.scope = scope,
	};
	return REVIEW_ANSWER;
}

static const char *directory_of(const struct review_model *model)
{
	const json_t *covers = json_object_get(review_model_chosen(model), "covers");

	return json_string_value(json_object_get(covers, "directory"));
}

/* The keys while a question is open; any other one means no. */
static enum review_event confirm(struct review_model *model, int key,
				 struct review_answer *ret_answer)
{
	enum review_mode mode = model->mode;

	model->mode = REVIEW_CHOOSE;
	if (mode == REVIEW_CONFIRM_ALWAYS)
		return key == 'y' ? answer(model, true, PROTO_ALWAYS, ret_answer) : REVIEW_NOTHING;
	if (key != 's' && key != 'A')
		return REVIEW_NOTHING;
	answer(model, true, key == 's' ? PROTO_SESSION : PROTO_ALWAYS, ret_answer);
	ret_answer->directory = directory_of(model);
	return ret_answer->directory ? REVIEW_ANSWER : REVIEW_NOTHING;
}

static enum review_event decide(struct review_model *model, int key, int64_t now,
				struct review_answer *ret_answer)
{
	static const struct {
		int key;
		bool allow;
		enum proto_scope scope;
	} answers[] = { { 'a', true, PROTO_ONCE },
			{ 's', true, PROTO_SESSION },
			{ 'd', false, PROTO_ONCE },
			{ 'x', false, PROTO_SESSION } };
	const json_t *review = review_model_chosen(model);

	if (!review || !review_waits(review) || now - model->changed < REVIEW_SETTLE_MS)
		return REVIEW_NOTHING;
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (key == answers[i].key)
			return answer(model, answers[i].allow, answers[i].scope, ret_answer);
	if (key == 'A')
		model->mode = REVIEW_CONFIRM_ALWAYS;
	if (key == 'D' && directory_of(model))
		model->mode = REVIEW_CONFIRM_DIRECTORY;
	return REVIEW_NOTHING;
}

enum review_event review_model_key(struct review_model *model, int key, int64_t now,
				   struct review_answer *ret_answer)
{
	if (key == SCREEN_KEY_RESIZE)
		return REVIEW_NOTHING;
	model->message.length = 0;
	if (model->mode == REVIEW_HELP) {
		model->mode = REVIEW_CHOOSE;
		return REVIEW_NOTHING;
	}
	if (model->mode != REVIEW_CHOOSE)
		return confirm(model, key, ret_answer);
	switch (key) {
	case 'q':
		return REVIEW_QUIT;
	case '?':
		model->mode = REVIEW_HELP;
		return REVIEW_NOTHING;
	case 'v':
		model->whole = !model->whole;
		return REVIEW_NOTHING;
	case SCREEN_KEY_PAGE_UP:
	case SCREEN_KEY_PAGE_DOWN: /* the view limits it */
		screen_key_moves(key, model->scroll, SCROLL, SIZE_MAX / 2, &model->scroll);
		return REVIEW_NOTHING;
	default:
		move(model, key);
		return decide(model, key, now, ret_answer);
	}
}
