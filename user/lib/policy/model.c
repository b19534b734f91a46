/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The memory of a policy, and the names of its rules.
 */

#include "model.h"

void policy_rule_clear(struct policy_rule *rule)
{
	for (size_t i = 0; i < rule->n_globs; i++)
		free(rule->globs[i]);
	for (size_t i = 0; i < rule->n_except; i++)
		free(rule->except[i]);
	for (size_t i = 0; i < rule->n_hosts; i++)
		free(rule->hosts[i]);
	free(rule->globs);
	free(rule->except);
	free(rule->prefixes);
	free(rule->hosts);
	free(rule->ports);
	free(rule->reason);
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->n_rules; i++)
		policy_rule_clear(&policy->rules[i]);
	for (size_t i = 0; i < policy->n_match; i++)
		free(policy->match[i]);
	for (size_t i = 0; i < policy->n_files; i++)
		free(policy->files[i]);
	for (size_t i = 0; i < policy->n_labels; i++)
		free(policy->labels[i]);
	free(policy->rules);
	free(policy->match);
	free(policy->files);
	free(policy->name);
	free(policy);
}

int policy_rule_name(const struct policy_rule *rule, struct text *out)
{
	const char *slash = strrchr(rule->file, '/');

	return text_addf(out, "%s:%u", slash ? slash + 1 : rule->file, rule->line);
}
