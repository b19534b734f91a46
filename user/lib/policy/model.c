/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The memory of a policy, and the names of its rules.
 */
#include "model.h"

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

void policy_rule_clear(struct policy_rule *rule)
{
	free_texts(rule->globs, rule->n_globs);
	free_texts(rule->except, rule->n_except);
	free_texts(rule->hosts, rule->n_hosts);
	free(rule->prefixes);
	free(rule->ports);
	free(rule->reason);
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->n_rules; i++)
		policy_rule_clear(&policy->rules[i]);
	for (size_t i = 0; i < policy->n_labels; i++)
		free(policy->labels[i]);
	free_texts(policy->match, policy->n_match);
	free_texts(policy->files, policy->n_files);
	free(policy->rules);
	free(policy->name);
	free(policy);
}

int policy_rule_name(const struct policy_rule *rule, struct text *out)
{
	const char *slash = strrchr(rule->file, '/');

	return text_addf(out, "%s:%u", slash ? slash + 1 : rule->file, rule->line);
}
