/* SPDX-License-Identifier: MPL-2.0 */
/*
 * All that is known of what is chosen, as labels and values. The longest lines come last: what an
 * agent chose must not push the rest out of sight.
 */

#include "grith/base/base.h"
#include "grith/log/log.h"
#include "grith/review/review.h"
#include "lib/base/base.h"
#include "view.h"

#define VALUE_LINES 4 /* of one value */

struct details {
	struct picture *picture;
	unsigned int columns;
};

static void add(struct details *details, const char *label, const struct text *value)
{
	if (value->length)
		picture_add_value(details->picture, label, value->data, details->columns,
				  VALUE_LINES);
}

/* A value that is made by printf() of what is harmless. */
static void addf(struct details *details, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void addf(struct details *details, const char *label, const char *format, ...)
{
	OWNED_MEM char *value = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&value, format, arguments) < 0) {
		value = NULL;
		details->picture->r = -ENOMEM;
	}
	va_end(arguments);
	if (value && *value)
		picture_add_value(details->picture, label, value, details->columns, VALUE_LINES);
}

static void add_bytes(struct details *details, const char *label, struct record_bytes bytes)
{
	OWNED_TEXT struct text value = { 0 };

	if (!bytes.length)
		return;
	if (text_add_escaped(&value, bytes.data, bytes.length) < 0)
		details->picture->r = -ENOMEM;
	add(details, label, &value);
}

static void add_when(struct details *details, const struct log_event *event)
{
	OWNED_TEXT struct text time = { 0 }, session = { 0 };

	if (moment_add(&time, (int64_t)(event->time / 1000000)) == 0)
		add(details, "time", &time);
	if (!event->session.length ||
	    text_add_escaped(&session, event->session.data, event->session.length) < 0)
		return;
	if (event->sequence != LOG_NO_NUMBER)
		text_addf(&session, ":%llu, for 'grith why'", (unsigned long long)event->sequence);
	add(details, "session", &session);
}

static void add_what(struct details *details, const struct log_event *event)
{
	const char *op = op_name(event->op), *verdict = verdict_name(event->verdict);
	const char *error = errno_name(event->error);

	addf(details, "operation", "%s%s%s%s%s",
	     op && event->op ? op : log_kind_name(event->kind) ?: "?",
	     event->decided && verdict ? ": " : "", event->decided && verdict ? verdict : "",
	     event->error ? ", " : "",
	     event->error ? error ?: "an error" : "");
}

static void add_who(struct details *details, const struct log_event *event)
{
	OWNED_TEXT struct text program = { 0 };

	if (!event->pid)
		return;
	if (event->program.length)
		text_add_escaped(&program, event->program.data, event->program.length);
	else if (event->comm.length)
		text_add_escaped(&program, event->comm.data, event->comm.length);
	text_addf(&program, " [%u], thread %u, uid %u", event->pid, event->tid, event->uid);
	add(details, "program", &program);
	program.length = 0;
	if (!event->ppid)
		return;
	if (event->parent.length)
		text_add_escaped(&program, event->parent.data, event->parent.length);
	text_addf(&program, " [%u]", event->ppid);
	add(details, "  of", &program);
}

static void add_why(struct details *details, const struct log_event *event)
{
	json_auto_t *parts = NULL;

	add_bytes(details, "rule", event->rule);
	add_bytes(details, "reason", event->reason);
	if (event->decided && event->context)
		addf(details, "score", "%.2f, %.2f of it for what the session did before",
		     event->score / 100.0, event->context / 100.0);
	else if (event->decided)
		addf(details, "score", "%.2f", event->score / 100.0);
	if (event->parts.length)
		parts = json_loadb(event->parts.data, event->parts.length, 0, NULL);
	if (parts)
		view_score_parts(parts, "", details->columns, details->picture);
	if (event->review)
		addf(details, "review", "%u", event->review);
}

static void add_flags(struct details *details, const struct log_event *event)
{
	OWNED_TEXT struct text flags = { 0 };

	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if (event->flags & bit && record_flag_name(bit))
			text_addf(&flags, "%s%s", flags.length ? ", " : "", record_flag_name(bit));
	add(details, "flags", &flags);
}

static void add_command(struct details *details, struct record_bytes argv)
{
	OWNED_TEXT struct text command = { 0 };
	int r = 0;

	for (size_t at = 0; at < argv.length && r == 0;) {
		size_t length = strnlen(argv.data + at, argv.length - at);

		if (at)
			r = text_add(&command, " ", 1);
		if (r == 0)
			r = shown_add_word(&command, argv.data + at, length);
		at += length + 1;
	}
	add(details, "command", &command);
}

static void add_log(struct details *details, const struct log_event *event)
{
	OWNED_TEXT struct text object = { 0 };
	struct line line = { .out = &object };

	add_when(details, event);
	add_what(details, event);
	add_who(details, event);
	add_why(details, event);
	add_flags(details, event);
	add_bytes(details, "state", event->state);
	add_bytes(details, "by", event->by);
	add_bytes(details, "directory", event->directory);
	if (event->inode)
		addf(details, "inode", "%llu", (unsigned long long)event->inode);
	if (event->kind == LOG_EXEC || event->kind == LOG_FILE || event->kind == LOG_UNIX) {
		add_bytes(details, "path", event->path);
		add_bytes(details, "  to", event->second);
	} else {
		view_object(event, &line);
		add(details, "object", &object);
	}
	add_command(details, event->argv);
}

static void add_rates(struct details *details, const struct top_rates *rates, int64_t now,
		      uint64_t operations, uint64_t refused)
{
	char rate[VIEW_NUMBER];

	view_rate(top_rates_tenths(rates, now / 1000), rate);
	addf(details, "operations", "%llu, %s a second now", (unsigned long long)operations, rate);
	addf(details, "refused", "%llu", (unsigned long long)refused);
}

static void add_session(struct details *details, const struct top_session *session, int64_t now)
{
	addf(details, "session", "%s", session->id);
	addf(details, "name", "%s", session->name);
	addf(details, "user", "%s", session->user);
	addf(details, "profile", "%s", session->profile);
	addf(details, "mode", "%s", session->mode);
	addf(details, "state", "%s", session->ended ? "ended" : session->state);
	addf(details, "project", "%s", session->project);
	add_rates(details, &session->rates, now, session->operations, session->refused);
	addf(details, "lost", "%llu", (unsigned long long)session->lost);
	if (top_session_is_tainted(session, now / 1000))
		addf(details, "tainted", "%s", "it has read a secret");
}

static void add_process(struct details *details, const struct top_session_row *row, int64_t now)
{
	const struct top_process *process = row->process;

	addf(details, "session", "%s", top_session_name(row->session));
	addf(details, "process", "%u, child of %u", process->pid, process->ppid);
	add_rates(details, &process->rates, now, process->operations, process->refused);
	addf(details, "command", "%s", process->label ? process->label : "");
}

static void add_count(struct details *details, const struct top_count *count)
{
	addf(details, "operations", "%llu", (unsigned long long)count->count);
	if (count->error)
		addf(details, "", "perhaps %llu less", (unsigned long long)count->error);
	addf(details, "refused", "%llu", (unsigned long long)count->refused);
	add_bytes(details, "object", (struct record_bytes) { count->key, count->length });
}

void view_top_detail(const struct top_model *model, unsigned int columns, int64_t now,
		     struct picture *picture)
{
	struct details details = { .picture = picture, .columns = columns };
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
