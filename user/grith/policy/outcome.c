/* SPDX-License-Identifier: MPL-2.0 */
/* A line of words, or an object. A rule is called FILE:LINE, as everywhere. */
#include "grith/base/base.h"
#include "outcome.h"

/* Two spaces and the text, escaped; nothing where there is none. */
static void add_column(struct line *line, const char *text)
{
	if (!text)
		return;
	line_add(line, "  ");
	line_add_bytes(line, bytes_of(text));
}

static void add_place(struct line *line, const char *file, unsigned int number)
{
	add_column(line, file);
	line_addf(line, ":%u", number);
}

static const struct policy_rule *rule_of(const struct policy *policy,
					 const struct grith_outcome *outcome)
{
	return outcome->rule ? &policy->rules[outcome->rule - 1] : NULL;
}

int view_outcome(const struct policy *policy, const struct grith_outcome *outcome,
		 const struct policy_parts *parts, struct text *out)
{
	const struct policy_rule *rule = rule_of(policy, outcome);
	struct line line = { .out = out };

	line_add(&line, verdict_name(outcome->verdict));
	if (rule)
		add_place(&line, rule->file, rule->line);
	add_column(&line, rule ? rule->reason : "default");
	if (outcome->score || parts->count)
		line_addf(&line, "  (score %.2f)", outcome->score / 100.0);
	line_add(&line, "\n");
	for (size_t i = 0; i < parts->count; i++) {
		const struct policy_part *part = &parts->all[i];

		line_addf(&line, "%+.2f  %s", part->score / 100.0, filter_name(part->filter));
		add_place(&line, part->file, part->line);
		add_column(&line, part->reason);
		line_add(&line, "\n");
	}
	return line.r;
}

static json_t *place_to_json(const char *file, unsigned int line)
{
	OWNED_TEXT struct text place = { 0 };

	if (text_addf(&place, "%s:%u", file, line) < 0)
		return NULL;
	return json_of_bytes(place.data, place.length);
}

static json_t *parts_to_json(const struct policy_parts *parts)
{
	json_t *array = json_array();

	for (size_t i = 0; i < parts->count; i++) {
		const struct policy_part *part = &parts->all[i];
		json_t *object =
			json_pack("{s:s, s:f, s:o, s:s?}", "filter", filter_name(part->filter),
				  "score", part->score / 100.0, "rule",
				  place_to_json(part->file, part->line), "reason", part->reason);

		if (json_array_append_new(array, object) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *view_outcome_json(const struct policy *policy, const struct grith_outcome *outcome,
			  const struct policy_parts *parts)
{
	const struct policy_rule *rule = rule_of(policy, outcome);

	return json_pack(
		"{s:s, s:o, s:s?, s:f, s:o, s:b}", "verdict", verdict_name(outcome->verdict),
		"rule", rule ? place_to_json(rule->file, rule->line) : json_string("default"),
		"reason", rule ? rule->reason : NULL, "score", outcome->score / 100.0, "parts",
		parts_to_json(parts), "final", !!(outcome->flags & GRITH_OUTCOME_FINAL));
}
