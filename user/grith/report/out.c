/* SPDX-License-Identifier: MPL-2.0 */
/* The page is written whole or not at all. */
#include "out.h"
#include "view.h"

int report_failed(const char *what, int r)
{
	message("%s: %s", what, strerror(-r));
	return COMMAND_FAILED;
}

int report_take_rows(const struct option_entry *entry, const char *value)
{
	uint64_t rows;

	if (text_parse_u64(value, REPORT_ROWS_MAX, &rows) < 0) {
		message("--rows must be a number up to %d, 0 for all", REPORT_ROWS_MAX);
		return -EINVAL;
	}
	*(size_t *)entry->to = rows;
	return 0;
}

int report_add_policy(struct report *report, const struct policy *policy)
{
	OWNED_TEXT struct text name = { 0 };
	int r = 0;

	for (size_t i = 0; i < policy->n_rules && r == 0; i++) {
		const struct policy_rule *rule = &policy->rules[i];

		if (rule->filter != FILTER_RULE)
			continue;
		name.length = 0;
		r = policy_rule_name(rule, &name);
		if (r == 0)
			r = report_add_rule(report, name.data, rule->reason);
	}
	return r;
}

static int write_html(const struct report_output *output, const struct report_result *result)
{
	OWNED_TEXT struct text out = { 0 };
	int r = view_report_html(result, &out);

	if (r == 0)
		r = file_replace(output->html, out.data, out.length);
	if (r < 0)
		return report_failed(output->html, r);
	if (!output->json)
		message("wrote %s", output->html);
	return COMMAND_OK;
}

int report_print(const struct report_output *output, const struct report_result *result)
{
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text out = { 0 };
	int r = 0;

	if (output->html && write_html(output, result) != COMMAND_OK)
		return COMMAND_FAILED;
	if (output->json)
		r = view_report_json(result, &out);
	else if (!output->html)
		r = view_report_text(result, &term, output->rows, &out);
	if (r < 0)
		return report_failed("report", r);
	fwrite(out.data ? out.data : "", 1, out.length, stdout);
	return COMMAND_OK;
}
