/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One object for one look. Texts are escaped as on the screen; "operations" and "refused" of a
 * session are its own from its start on, the others count from the start of this program.
 */
#include "lib/base/base.h"
#include "json.h"

static double rate_of(const struct top_rates *rates, int64_t now)
{
	return top_rates_tenths(rates, now / 1000) / 10.0;
}

static json_t *process_to_json(const struct top_process *process, int64_t now)
{
	return json_pack("{s:I, s:I, s:s, s:f, s:I, s:I}", "pid", (json_int_t)process->pid, "ppid",
			 (json_int_t)process->ppid, "command", process->label ? process->label : "",
			 "per_second", rate_of(&process->activity.rates, now), "operations",
			 (json_int_t)process->activity.operations, "refused",
			 (json_int_t)process->activity.refused);
}

static json_t *session_to_json(const struct top_session *session, int64_t now)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:b, s:[]}", "id",
			 session->id, "name", session->name, "user", session->user, "profile",
			 session->profile, "state", session->ended ? "ended" : session->state,
			 "project", session->project, "per_second",
			 rate_of(&session->activity.rates, now), "operations",
			 (json_int_t)session->activity.operations, "refused",
			 (json_int_t)session->activity.refused, "lost", (json_int_t)session->lost,
			 "tainted", top_session_is_tainted(session, now / 1000), "processes");
}

/* The rows: each session is followed by its processes. */
static json_t *sessions_to_json(const struct top_model *model, int64_t now)
{
	json_t *array = json_array(), *session = NULL;

	for (size_t i = 0; i < model->n_rows; i++) {
		const struct top_session_row *row = &model->rows[i];

		if (row->process) {
			json_array_append_new(json_object_get(session, "processes"),
					      process_to_json(row->process, now));
			continue;
		}
		session = session_to_json(row->session, now);
		json_array_append_new(array, session);
	}
	return array;
}

static json_t *counts_to_json(const struct top_count **counts, size_t count, const char *name)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count && i < TOP_JSON_COUNTS; i++) {
		OWNED_TEXT struct text key = { 0 };

		if (text_add_escaped(&key, counts[i]->key, counts[i]->length) < 0)
			continue;
		json_array_append_new(array, json_pack("{s:s, s:I, s:I, s:I}", name, key.data,
						       "operations", (json_int_t)counts[i]->count,
						       "error", (json_int_t)counts[i]->error,
						       "refused", (json_int_t)counts[i]->refused));
	}
	return array;
}

static json_t *reviews_to_json(const struct review_model *model)
{
	json_t *array = json_array();

	for (size_t i = 0; i < model->count; i++)
		json_array_append(array, model->reviews[i]);
	return array;
}

json_t *top_json(const struct top_model *model, int64_t now)
{
	int64_t at = top_model_at(model, now);
	char time[JSON_TIME_SIZE];

	json_format_time((uint64_t)now * 1000000, time);
	return json_pack(
		"{s:s, s:f, s:f, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "time", time, "behind",
		(double)model->behind / 1000, "per_second", rate_of(&model->rates, at),
		"operations", (json_int_t)model->operations, "refused", (json_int_t)model->refused,
		"lost", (json_int_t)model->lost, "missed", (json_int_t)model->missed, "held",
		reviews_to_json(&model->reviews), "sessions", sessions_to_json(model, at), "paths",
		counts_to_json(model->counts[0], model->paths.count, "path"), "destinations",
		counts_to_json(model->counts[1], model->destinations.count, "address"));
}
