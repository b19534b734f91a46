/* SPDX-License-Identifier: MPL-2.0 */
/* Why a decision was made, in its line of the log: the rule, the score's parts, a secret's way. */
#include <limits.h>

#include "write_internal.h"

static void add_filters(struct json_writer *w, unsigned int filters)
{
	json_open_array(w, "filters");
	for (unsigned int bit = 1; context_filter_name(bit); bit <<= 1)
		if (filters & bit)
			json_text(w, NULL, context_filter_name(bit));
	json_close_array(w);
}

/* What a filter says may quote what an agent wrote, cut anywhere. */
void event_add_parts(struct json_writer *w, const char *name, const struct score *score)
{
	json_open_array(w, name);
	for (size_t i = 0; i < score->n_parts; i++) {
		const struct score_part *part = &score->parts[i];

		json_open(w, NULL);
		json_text(w, "filter", filter_name(part->filter));
		json_hundredths(w, "score", part->score);
		json_text(w, "why", part->why);
		json_close(w);
	}
	json_close_array(w);
}

/* A path may be cut at its beginning, and hold any bytes. */
static void add_bytes(struct json_writer *w, const char *name, const char *bytes)
{
	if (bytes)
		json_bytes(w, name, bytes, strlen(bytes));
}

static void add_gap(struct json_writer *w, const char *what)
{
	json_open(w, NULL);
	json_text(w, "what", what);
	json_close(w);
}

static void add_chain(struct json_writer *w, const struct event_head *head,
		      const struct flow_chain *chain)
{
	json_open_array(w, "chain");
	if (chain->forgotten)
		add_gap(w, "forgotten");
	for (size_t i = 0; i < chain->n_steps; i++) {
		const struct flow_step *step = &chain->steps[i];
		char time[JSON_TIME_SIZE];

		json_format_time(step->time + (head->time - head->mono), time);
		json_open(w, NULL);
		json_text(w, "time", time);
		json_text(w, "what", flow_how_name(step->how));
		add_bytes(w, "object", step->object);
		add_bytes(w, "program", step->program);
		json_u64(w, "pid", step->pid);
		json_close(w);
		if (i == 0 && chain->omitted)
			add_gap(w, "omitted");
	}
	json_close_array(w);
}

#define CLASS_WORD(name, number, word) [number] = (word),
static const char *const class_words[] = { GRITH_OP_CLASS_TABLE(CLASS_WORD) };

/* Which of a rename's two names was stricter than the other, and in what. */
static void add_move(struct json_writer *w, const struct record *record)
{
	unsigned int move = record->open_flags, class = GRITH_MOVE_CLASS(move);
	const char *name = GRITH_MOVE_WHY(move) == GRITH_MOVE_OLD ? "old" : "new";
	char text[64];

	if ((record->head.op != GRITH_OP_RENAME && record->head.op != GRITH_OP_LINK) || !move)
		return;
	if (GRITH_MOVE_WHY(move) == GRITH_MOVE_FAR || class >= ARRAY_SIZE(class_words) ||
	    !class_words[class]) {
		json_text(w, "move", "too much lies below to be compared");
		return;
	}
	snprintf(text, sizeof(text), "%sthe %s name restricts %s",
		 GRITH_MOVE_BELOW(move) ? "below it, " : "", name, class_words[class]);
	json_text(w, "move", text);
}

void event_add_why(struct json_writer *w, const struct event_operation *event)
{
	const struct grith_record *head = &event->record->head;
	char rule[NAME_MAX + 16];

	if (event->rule_file)
		snprintf(rule, sizeof(rule), "%s:%u", event->rule_file, event->rule_line);
	else
		snprintf(rule, sizeof(rule), "default");
	json_text(w, "rule", rule);
	json_text(w, "reason", event->reason);
	add_move(w, event->record);
	json_hundredths(w, "score", event->score ? event->score->total : head->score);
	if (head->context)
		json_hundredths(w, "context", head->context);
	if (head->filters)
		add_filters(w, head->filters);
	if (event->score)
		event_add_parts(w, "parts", event->score);
	if (event->chain)
		add_chain(w, &event->head, event->chain);
	if (head->review)
		json_u64(w, "review", head->review);
}
