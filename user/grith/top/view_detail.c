/* SPDX-License-Identifier: MPL-2.0 */
/*
 * All that is known of what is chosen, as labels and values. The longest lines come last: what an
 * agent chose must not push the rest out of sight.
 */
#include "grith/log/log.h"
#include "view.h"

#define VALUE_LINES 4 /* of one value */

static void add_when(struct details *details, const struct log_event *event)
{
	OWNED_LINE struct line time = { .out = &time.own }, session = { .out = &session.own };

	line_add_moment(&time, (int64_t)(event->time / 1000000));
	details_add(details, "time", &time);
	if (!event->session.length)
		return;
	line_add_bytes(&session, event->session);
	if (event->sequence != LOG_NO_NUMBER)
		line_addf(&session, ":%llu, for 'grith why'", (unsigned long long)event->sequence);
	details_add(details, "session", &session);
}

static void add_what(struct details *details, const struct log_event *event)
{
	const char *op = op_name(event->op), *verdict = verdict_name(event->verdict);
	const char *error = errno_name(event->error);

	details_addf(details, "operation", "%s%s%s%s%s",
		     op && event->op ? op : log_kind_name(event->kind) ?: "?",
		     event->decided && verdict ? ": " : "",
		     event->decided && verdict ? verdict : "", event->error ? ", " : "",
		     event->error ? error ?: "an error" : "");
}

static void add_who(struct details *details, const struct log_event *event)
{
	OWNED_LINE struct line program = { .out = &program.own }, parent = { .out = &parent.own };

	if (!event->pid)
		return;
	line_add_bytes(&program, event->program.length ? event->program : event->comm);
	line_addf(&program, " [%u], thread %u, uid %u", event->pid, event->tid, event->uid);
	details_add(details, "program", &program);
	if (!event->ppid)
		return;
	line_add_bytes(&parent, event->parent);
	line_addf(&parent, " [%u]", event->ppid);
	details_add(details, "  of", &parent);
}

static void add_why(struct details *details, const struct log_event *event)
{
	json_auto_t *parts = NULL;

	details_add_bytes(details, "rule", event->rule);
	details_add_bytes(details, "reason", event->reason);
	if (event->decided && event->context)
		details_addf(details, "score", "%.2f, %.2f of it for what the session did before",
			     event->score / 100.0, event->context / 100.0);
	else if (event->decided)
		details_addf(details, "score", "%.2f", event->score / 100.0);
	if (event->parts.length)
		parts = json_loadb(event->parts.data, event->parts.length, 0, NULL);
	view_score_parts(parts, details);
	if (event->review)
		details_addf(details, "review", "%u", event->review);
}

static void add_log(struct details *details, const struct log_event *event)
{
	OWNED_LINE struct line object = { .out = &object.own }, command = { .out = &command.own };
	OWNED_LINE struct line flags = { .out = &flags.own };

	add_when(details, event);
	add_what(details, event);
	add_who(details, event);
	add_why(details, event);
	line_add_flags(&flags, event->flags, ", ");
	details_add(details, "flags", &flags);
	details_add_bytes(details, "state", event->state);
	details_add_bytes(details, "by", event->by);
	details_add_bytes(details, "directory", event->directory);
	if (event->inode)
		details_addf(details, "inode", "%llu", (unsigned long long)event->inode);
	if (event->kind == LOG_EXEC || event->kind == LOG_FILE || event->kind == LOG_UNIX) {
		details_add_bytes(details, "path", event->path);
		details_add_bytes(details, "  to", event->second);
	} else {
		view_object(event, &object);
		details_add(details, "object", &object);
	}
	line_add_argv(&command, event->argv);
	details_add(details, "command", &command);
}

static void add_activity(struct details *details, const struct top_activity *activity, int64_t now)
{
	char rate[VIEW_NUMBER];

	view_rate(top_rates_tenths(&activity->rates, now / 1000), rate);
	details_addf(details, "operations", "%llu, %s a second now",
		     (unsigned long long)activity->operations, rate);
	details_addf(details, "refused", "%llu", (unsigned long long)activity->refused);
}

static void add_session(struct details *details, const struct top_session *session, int64_t now)
{
	const struct {
		const char *label, *value;
	} texts[] = {
		{ "session", session->id },
		{ "name", session->name },
		{ "user", session->user },
		{ "profile", session->profile },
		{ "mode", session->mode },
		{ "state", session->ended ? "ended" : session->state },
		{ "project", session->project },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		details_addf(details, texts[i].label, "%s", texts[i].value);
	add_activity(details, &session->activity, now);
	details_addf(details, "lost", "%llu", (unsigned long long)session->lost);
	if (top_session_is_tainted(session, now / 1000))
		details_addf(details, "tainted", "%s", "it has read a secret");
}

static void add_process(struct details *details, const struct top_session_row *row, int64_t now)
{
	const struct top_process *process = row->process;

	details_addf(details, "session", "%s", top_session_name(row->session));
	details_addf(details, "process", "%u, child of %u", process->pid, process->ppid);
	add_activity(details, &process->activity, now);
	details_addf(details, "command", "%s", process->label ? process->label : "");
}

static void add_count(struct details *details, const struct top_count *count)
{
	details_addf(details, "operations", "%llu", (unsigned long long)count->count);
	if (count->error)
		details_addf(details, "", "perhaps %llu less", (unsigned long long)count->error);
	details_addf(details, "refused", "%llu", (unsigned long long)count->refused);
	details_add_bytes(details, "object", (struct record_bytes) { count->key, count->length });
}

void view_top_detail(const struct top_model *model, unsigned int columns, int64_t now,
		     struct picture *picture)
{
	struct details details = { picture, columns, VALUE_LINES };
	size_t row = top_model_row(model, model->pane);
	const json_t *review = review_model_chosen(&model->reviews);

	if (row >= top_model_count(model, model->pane))
		return;
	switch (model->pane) {
	case TOP_HOLDS:
		if (review)
			view_review_details(review, columns, model->reviews.whole, now, picture);
		break;
	case TOP_TREE:
		if (model->rows[row].process)
			add_process(&details, &model->rows[row], now);
		else
			add_session(&details, model->rows[row].session, now);
		break;
	case TOP_LOG:
		add_log(&details, top_model_log(model, row));
		break;
	default:
		add_count(&details, model->counts[model->pane == TOP_DESTINATIONS][row]);
		break;
	}
}
