/* SPDX-License-Identifier: MPL-2.0 */
/* Sessions, and the trees of their processes. */
#include "view.h"

#define NUMBERS (1 + 6 + 1 + 6 + 1 + 7) /* columns of the three at the right */

/* The columns for names, and the time of the rates. */
struct tree_view {
	unsigned int columns;
	int64_t now;
};

static void add_numbers(struct picture *pane, unsigned int reverse,
			const struct top_activity *activity, int64_t now)
{
	char rate[VIEW_NUMBER], count[VIEW_NUMBER], not [VIEW_NUMBER];

	view_rate(top_rates_tenths(&activity->rates, now / 1000), rate);
	view_number(activity->operations, count);
	view_number(activity->refused, not );
	picture_cell(pane, reverse, 7, PICTURE_RIGHT, rate);
	picture_cell(pane, reverse, 7, PICTURE_RIGHT, count);
	picture_cell(pane, (activity->refused ? PICTURE_ALERT : PICTURE_DIM) | reverse, 8,
		     PICTURE_RIGHT, not );
}

/* "blue  claude-code  enforce, running 4m  tainted  /home/anna/project" */
static void add_session_label(struct line *label, const struct top_session *session, int64_t now)
{
	line_add(label, top_session_name(session));
	if (*session->profile)
		line_addf(label, "  %s", session->profile);
	if (*session->mode && strcmp(session->mode, "enforce") != 0)
		line_addf(label, "  %s", session->mode);
	if (session->ended || strcmp(session->state, "running") != 0)
		line_addf(label, "  %s",
			  session->ended    ? "ended"
			  : *session->state ? session->state
					    : "starting");
	if (session->started) {
		line_add(label, "  ");
		line_add_span(label, now - session->started);
	}
	if (top_session_is_tainted(session, now / 1000))
		line_add(label, "  tainted");
	if (session->lost)
		line_addf(label, "  %llu lost", (unsigned long long)session->lost);
	line_addf(label, "  %s", session->project);
}

static void add_row(struct picture *pane, const struct top_model *model, size_t row,
		    unsigned int reverse, const void *arg)
{
	const struct tree_view *view = arg;
	const struct top_session *session = model->rows[row].session;
	const struct top_process *process = model->rows[row].process;
	OWNED_LINE struct line label = { .out = &label.own };

	if (process) {
		process_tree_add_lines(&label, &model->rows[row].tree, model->utf8);
		line_addf(&label, "%u %s", process->pid, process->label ? process->label : "?");
	} else {
		add_session_label(&label, session, view->now);
	}
	if (label.r < 0)
		pane->r = label.r;
	picture_begin(pane);
	picture_put(pane, reverse, " ");
	picture_cell(pane, (process ? PICTURE_PLAIN : PICTURE_BOLD) | reverse, view->columns - 1,
		     PICTURE_LEFT, line_text(&label));
	add_numbers(pane, reverse, process ? &process->activity : &session->activity, view->now);
}

void view_top_tree(const struct top_model *model, const struct picture_place *place, int64_t now,
		   struct picture *pane)
{
	const struct tree_view view = {
		.columns = place->columns > NUMBERS ? place->columns - NUMBERS : 1,
		.now = now,
	};
	unsigned int style = view_top_heading(model, TOP_TREE, pane);

	picture_cell(pane, style, view.columns - 2, PICTURE_LEFT, "SESSIONS AND PROCESSES");
	picture_cell(pane, style, 7, PICTURE_RIGHT, "OPS/s");
	picture_cell(pane, style, 7, PICTURE_RIGHT, "OPS");
	picture_cell(pane, style, 8, PICTURE_RIGHT, "REFUSED");
	view_top_rows(model, TOP_TREE, place, pane, add_row, &view,
		      "  no session; 'grith exec -- COMMAND' starts one");
}
