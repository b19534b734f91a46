/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Order of the fields: time, session, operation, verdict, object, rule and score, process, flags.
 */
#include "write_internal.h"

static const char *const changes[] = { EVENT_CHANGE_TABLE(WORD_OF) };

const char *event_change_name(enum event_change change)
{
	return WORDS_NAME(changes, change);
}

static const char *kind_name(const struct record *record)
{
	if (record->head.kind == GRITH_KIND_PATH)
		return record->head.flags & (GRITH_RECORD_UNIX | GRITH_RECORD_ABSTRACT) ? "unix"
											: "file";
	return record_kind_name(record->head.kind == GRITH_KIND_ARGV ? GRITH_KIND_EXEC
								     : record->head.kind);
}

static void add_head(struct json_writer *w, const struct event_head *head, const __u64 *sequence)
{
	char time[JSON_TIME_SIZE];

	json_format_time(head->time, time);
	json_open(w, NULL);
	json_u64(w, "v", EVENT_VERSION);
	json_text(w, "time", time);
	json_u64(w, "mono", head->mono);
	if (sequence)
		json_u64(w, "seq", *sequence);
	json_text(w, "session", head->session);
}

static void add_flags(struct json_writer *w, unsigned int flags)
{
	json_open_array(w, "flags");
	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if (flags & bit)
			json_text(w, NULL, record_flag_name(bit));
	json_close_array(w);
}

/* An exit and the result of a connect are facts: there is no rule that could have refused them. */
static bool was_decided(const struct record *record)
{
	return record->head.kind != GRITH_KIND_EXIT && record->head.kind != GRITH_KIND_RESULT;
}

static int finish(struct json_writer *w, size_t start)
{
	json_close(w);
	if (w->r == 0)
		w->r = text_add(w->text, "\n", 1);
	if (w->r < 0 && w->text->data) {
		w->text->length = start;
		w->text->data[start] = '\0';
	}
	return w->r;
}

int event_add_operation(struct text *out, const struct event_operation *event)
{
	struct json_writer w = { .text = out };
	const struct record *record = event->record;
	const struct grith_record *head = &record->head;
	size_t start = out->length;

	add_head(&w, &event->head, &head->sequence);
	json_text(&w, "kind", kind_name(record));
	json_text(&w, "op", op_name(head->op));
	if (was_decided(record))
		json_text(&w, "verdict", verdict_name(head->verdict));
	/* ERESTARTNOINTR of a held call is internal to the kernel: no program sees it. */
	if (head->kind != GRITH_KIND_EXIT && head->error < 0 && !(head->flags & GRITH_RECORD_HELD))
		event_add_number_or_name(&w, "errno", errno_name(-head->error), -head->error);
	event_add_object(&w, event);
	if (was_decided(record))
		event_add_why(&w, event);
	json_u64(&w, "pid", head->pid);
	json_u64(&w, "tid", head->tid);
	json_u64(&w, "ppid", head->ppid);
	json_u64(&w, "uid", head->uid);
	json_text(&w, "comm", record->comm);
	json_text(&w, "program", event->program);
	json_text(&w, "parent", event->parent);
	json_text(&w, "attach", event->attach);
	if (head->flags & ~GRITH_RECORD_MORE)
		add_flags(&w, head->flags & ~GRITH_RECORD_MORE);
	event_add_inode(&w, record);
	return finish(&w, start);
}

static void add_review(struct json_writer *w, const struct event_review *review)
{
	json_text(w, "kind", "review");
	json_text(w, "op", review->op);
	json_text(w, "state", review->state);
	json_u64(w, "review", review->review);
	json_text(w, "verdict", review->verdict);
	event_add_path(w, "path", review->object);
	event_add_path(w, "path2", review->second);
	json_text(w, "for", review->scope);
	json_text(w, "by", review->by);
	json_text(w, "directory", review->directory);
	json_text(w, "rule", review->rule ? review->rule : "default");
	json_text(w, "reason", review->reason);
	json_hundredths(w, "score", review->score->total);
	event_add_parts(w, "parts", review->score);
	json_u64(w, "pid", review->pid);
	json_text(w, "program", review->program);
}

/* Left out where it is empty. */
static void add_strings(struct json_writer *w, const char *name, const char *const *strings,
			size_t count)
{
	if (!count)
		return;
	json_open_array(w, name);
	for (size_t i = 0; i < count; i++)
		json_text(w, NULL, strings[i]);
	json_close_array(w);
}

int event_add_session(struct text *out, const struct event_session *event)
{
	struct json_writer w = { .text = out };
	size_t start = out->length;

	add_head(&w, &event->head, NULL);
	if (event->review) {
		add_review(&w, event->review);
		return finish(&w, start);
	}
	json_text(&w, "kind", "session");
	json_text(&w, "op", event_change_name(event->change));
	json_text(&w, "reason", event->reason);
	json_u64(&w, "uid", event->uid);
	json_text(&w, "name", event->name);
	json_text(&w, "user", event->user);
	json_text(&w, "profile", event->profile);
	json_text(&w, "mode", event->mode);
	json_text(&w, "home", event->home);
	json_text(&w, "project", event->project);
	add_strings(&w, "worktrees", event->worktrees, event->n_worktrees);
	add_strings(&w, "command", event->command, event->n_command);
	return finish(&w, start);
}

int event_add_gap(struct text *out, const struct event_gap *event)
{
	struct json_writer w = { .text = out };
	size_t start = out->length;

	add_head(&w, &event->head, NULL);
	json_text(&w, "kind", "gap");
	if (event->next)
		json_u64(&w, "next", event->next);
	json_u64(&w, "lost", event->lost);
	json_text(&w, "reason", event->reason);
	return finish(&w, start);
}
