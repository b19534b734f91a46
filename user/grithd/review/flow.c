/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How the process of a review came by a secret, in the shape of the log: "chain" in grith-audit(5).
 */

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "lib/base/base.h"
#include "reviews.h"

static json_t *step_to_json(const struct flow_step *step)
{
	struct event_head now = event_now(NULL);
	char time[JSON_TIME_SIZE];
	json_t *json;

	json_format_time(step->time + (now.time - now.mono), time);
	json = json_pack("{s:s, s:s, s:I}", "time", time, "what", flow_how_name(step->how), "pid",
			 (json_int_t)step->pid);
	if (json && step->object)
		json_set_bytes(json, "object", step->object, strlen(step->object));
	if (json && step->program)
		json_set_bytes(json, "program", step->program, strlen(step->program));
	return json;
}

json_t *review_chain_to_json(const struct review *review)
{
	const struct grith_record *head = &review->subject.record.head;
	size_t seconds = score_taint_seconds(review->daemon->weights);
	struct flow_chain chain;
	json_t *array;

	if (!review->session ||
	    flow_ask(review->session->flow, head->pid, head->time, seconds, &chain) != FLOW_KNOWN)
		return NULL;
	array = json_array();
	if (chain.forgotten)
		json_array_append_new(array, json_pack("{s:s}", "what", "forgotten"));
	for (size_t i = 0; i < chain.n_steps; i++) {
		json_array_append_new(array, step_to_json(&chain.steps[i]));
		if (i == 0 && chain.omitted)
			json_array_append_new(array, json_pack("{s:s}", "what", "omitted"));
	}
	return array;
}
