/* SPDX-License-Identifier: MPL-2.0 */
/* A line of words, or an object. A rule is called FILE:LINE, as everywhere. */

#include "outcome.h"

/* Two spaces and the text, escaped; nothing where there is none. */
static int add_column(struct text *out, const char *text)
{
	int r;

	if (!text)
		return 0;
	r = text_addf(out, "  ");
	return r < 0 ? r : text_add_escaped(out, text, strlen(text));
}

static int add_place(struct text *out, const char *file, unsigned int line)
{
	int r = add_column(out, file);

	return r < 0 ? r : text_addf(out, ":%u", line);
}

static int add_part(struct text *out, const struct policy_part *part)
{
	int r = text_addf(out, "%+.2f  %s", part->score / 100.0, filter_name(part->filter));

	if (r == 0)
		r = add_place(out, part->file, part->line);
	if (r == 0)
		r = add_column(out, part->reason);
	return r < 0 ? r : text_addf(out, "\n");
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
	int r = text_addf(out, "%s", verdict_name(outcome->verdict));

	if (r == 0)
		r = rule ? add_place(out, rule->file, rule->line) : add_column(out, "default");
	if (r == 0 && rule)
		r = add_column(out, rule->reason);
	if (r == 0 && (outcome->score || parts->count))
		r = text_addf(out, "  (score %.2f)", outcome->score / 100.0);
	if (r == 0)
		r = text_addf(out, "\n");
	for (size_t i = 0; i < parts->count && r == 0; i++)
		r = add_part(out, &parts->all[i]);
	return r;
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
