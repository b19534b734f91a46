/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The policy model's memory, and reading a policy from text.
 */

#include "model.h"
#include "read.h"

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
	for (size_t i = 0; i < policy->n_classes; i++)
		free(policy->classes[i]);
	free(policy->rules);
	free(policy->match);
	free(policy->files);
	free(policy->name);
	free(policy);
}

const char *keep_file_name(struct reader *reader, const char *name)
{
	struct policy *policy = reader->policy;
	char *copy = strdup(name);

	if (!copy || ARRAY_GROW(policy->files, policy->n_files) < 0) {
		free(copy);
		reader->no_memory = true;
		return NULL;
	}
	policy->files[policy->n_files++] = copy;
	return copy;
}

/* What holds where a policy says nothing: everything that a rule can allow is refused. */
static struct policy *policy_new(void)
{
	struct policy *policy = calloc(1, sizeof(*policy));

	if (!policy)
		return NULL;
	policy->mode = GRITH_ENFORCE;
	policy->threshold_hold = 300;
	policy->threshold_deny = 800;
	for (size_t i = 0; i < ARRAY_SIZE(policy->defaults); i++)
		policy->defaults[i] = GRITH_DENY;
	for (size_t i = 0; i < ARRAY_SIZE(policy->net_defaults); i++)
		policy->net_defaults[i] = GRITH_DENY;
	memset(policy->first_final, 0xff, sizeof(policy->first_final));
	policy->socket_default = GRITH_DENY;
	policy->unknown = GRITH_HOLD;
	policy->touch = GRITH_DENY;
	policy->signal = GRITH_DENY;
	policy->ring = GRITH_ALLOW;
	return policy;
}

int policy_read_text(const char *name, const char *text, size_t length,
		     const struct policy_context *context, struct diag *diag,
		     struct policy **ret_policy)
{
	CLEANUP(policy_freep) struct policy *policy = policy_new();
	struct reader reader = { .context = context, .diag = diag, .policy = policy };
	size_t before = diag->count + diag->dropped;

	if (!policy)
		return -ENOMEM;
	reader.file = keep_file_name(&reader, name);
	if (!reader.file)
		return -ENOMEM;
	read_policy(&reader, text, length);
	if (!reader.no_memory)
		read_weights(&reader);
	if (reader.no_memory)
		return -ENOMEM;
	if (diag->count + diag->dropped > before)
		return -EINVAL;
	*ret_policy = TAKE_PTR(policy);
	return 0;
}

int policy_rule_name(const struct policy_rule *rule, struct text *out)
{
	const char *slash = strrchr(rule->file, '/');

	return text_addf(out, "%s:%u", slash ? slash + 1 : rule->file, rule->line);
}
