/* SPDX-License-Identifier: MPL-2.0 */
/* Events, one a row. What there is no room for is in the details. */
#include "grith/log/log.h"
#include "view.h"

/* Columns of the cells, by the width of the pane. */
struct widths {
	unsigned int time, session, program, verdict, op, object, score, rule;
};

static struct widths widths_for(unsigned int columns)
{
	bool wide = columns >= 100;
	struct widths w = {
		.time = wide ? 12 : 8,
		.session = wide ? 12 : 8,
		.program = wide ? 20 : 14,
		.verdict = 5,
		.op = wide ? 8 : 7,
		.score = 5,
		.rule = columns >= 120 ? 20 : 0,
	};
	/* one column before each cell */
	unsigned int used = w.time + w.session + w.program + w.verdict + w.op + w.score + 7;

	if (w.rule)
		used += w.rule + 1;
	w.object = columns > used ? columns - used : 1;
	return w;
}

static void add_cell(struct picture *pane, unsigned int style, unsigned int reverse,
		     unsigned int columns, enum picture_fit fit, const char *text)
{
	if (!columns)
		return;
	picture_put(pane, reverse, " ");
	picture_cell(pane, style | reverse, columns, fit, text);
}

static unsigned int style_of(const struct log_event *event)
{
	if (event->kind == LOG_GAP)
		return PICTURE_ALERT;
	if (!event->decided)
		return PICTURE_PLAIN;
	if (event->verdict == GRITH_HOLD)
		return PICTURE_HELD;
	return event->verdict == GRITH_ALLOW ? PICTURE_DIM : PICTURE_ALERT;
}

/* "14:03:05.123", or so much of it as there is room for. */
static void add_time(struct picture *pane, const struct log_event *event, unsigned int reverse,
		     const struct widths *w)
{
	OWNED_TEXT struct text time = { 0 };
	char *clock;

	if (moment_add(&time, (int64_t)(event->time / 1000000)) < 0)
		return;
	clock = strchrnul(time.data, ' ');
	clock = *clock ? clock + 1 : time.data;
	if (strlen(clock) > w->time)
		clock[w->time] = '\0';
	add_cell(pane, PICTURE_DIM, reverse, w->time, PICTURE_LEFT, clock);
}

static void add_session(struct picture *pane, const struct top_model *model,
			const struct log_event *event, unsigned int reverse, const struct widths *w)
{
	const struct top_session *session = top_sessions_find(&model->sessions, event->session);
	OWNED_LINE struct line id = { .out = &id.own };

	line_add_bytes(&id, event->session);
	add_cell(pane, PICTURE_PLAIN, reverse, w->session, PICTURE_LEFT,
		 session ? top_session_name(session) : line_text(&id));
}

static void add_program(struct picture *pane, const struct log_event *event, unsigned int reverse,
			const struct widths *w)
{
	OWNED_LINE struct line program = { .out = &program.own }, cell = { .out = &cell.own };
	char pid[16] = "";

	if (event->pid)
		snprintf(pid, sizeof(pid), "[%u]", event->pid);
	line_add_bytes(&program, view_program(event));
	/* The number is never what is cut off. */
	line_add_cut(&cell, line_text(&program), w->program - (unsigned int)strlen(pid));
	line_add(&cell, pid);
	add_cell(pane, PICTURE_PLAIN, reverse, w->program, PICTURE_LEFT, line_text(&cell));
}

/* What happened, where it is no operation. */
static const char *op_of(const struct log_event *event, struct line *word)
{
	if (op_name(event->op) && event->op != GRITH_OP_NONE)
		return op_name(event->op);
	if (event->kind == LOG_SESSION)
		line_add_bytes(word, event->change);
	return *line_text(word) ? line_text(word) : log_kind_name(event->kind) ?: "?";
}

static void add_row(struct picture *pane, const struct top_model *model, size_t row,
		    unsigned int reverse, const void *arg)
{
	const struct log_event *event = top_model_log(model, row);
	const struct widths *w = arg;
	OWNED_LINE struct line object = { .out = &object.own }, rule = { .out = &rule.own };
	OWNED_LINE struct line word = { .out = &word.own };
	const char *verdict = event->decided ? verdict_name(event->verdict) : "";
	bool gap = event->kind == LOG_GAP;
	char score[16] = "";

	view_object(event, &object);
	if (event->kind == LOG_RESULT && event->error) {
		line_add(&object, " ");
		line_add(&object, errno_name(event->error) ?: "failed");
	}
	line_add_bytes(&rule, event->rule);
	if (event->score)
		snprintf(score, sizeof(score), "%.2f", event->score / 100.0);
	picture_begin(pane);
	add_time(pane, event, reverse, w);
	add_session(pane, model, event, reverse, w);
	add_program(pane, event, reverse, w);
	add_cell(pane, style_of(event), reverse, w->verdict, PICTURE_LEFT,
		 gap ? "lost" : verdict ?: "?");
	add_cell(pane, PICTURE_PLAIN, reverse, w->op, PICTURE_LEFT, op_of(event, &word));
	add_cell(pane, gap ? PICTURE_ALERT : PICTURE_PLAIN, reverse, w->object, PICTURE_MIDDLE,
		 line_text(&object));
	add_cell(pane, PICTURE_PLAIN, reverse, w->score, PICTURE_RIGHT, score);
	add_cell(pane, PICTURE_DIM, reverse, w->rule, PICTURE_LEFT, line_text(&rule));
	if (object.r | rule.r | word.r)
		pane->r = -ENOMEM;
}

static void add_heading(struct picture *pane, const struct top_model *model, const struct widths *w)
{
	unsigned int style = view_top_heading(model, TOP_LOG, pane);
	const struct {
		unsigned int columns;
		enum picture_fit fit;
		const char *text;
	} cells[] = {
		{ w->time - 1, PICTURE_LEFT, "TIME" },	 { w->session, PICTURE_LEFT, "SESSION" },
		{ w->program, PICTURE_LEFT, "PROGRAM" }, { w->verdict, PICTURE_LEFT, "WHAT" },
		{ w->op, PICTURE_LEFT, "OP" },		 { w->object, PICTURE_LEFT, "OBJECT" },
		{ w->score, PICTURE_RIGHT, "SCORE" },	 { w->rule, PICTURE_LEFT, "RULE" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		if (i && cells[i].columns)
			picture_put(pane, style, " ");
		picture_cell(pane, style, cells[i].columns, cells[i].fit, cells[i].text);
	}
}

void view_top_log(const struct top_model *model, const struct picture_place *place,
		  struct picture *pane)
{
	struct widths w = widths_for(place->columns);

	add_heading(pane, model, &w);
	view_top_rows(model, TOP_LOG, place, pane, add_row, &w,
		      model->filter_text.length ? "  no event passes the filter (f)"
						: "  no event yet");
}
