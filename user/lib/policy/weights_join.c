/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Puts the weights into a policy: the rules of the static filters, for those operations whose
 * default is `score`, before its own rules; and the numbers for the kernel, whatever its defaults.
 */
#include "lib/base/base.h"
#include "reader.h"
#include "trusted_file.h"
#include "weights.h"

#define WEIGHTS_RULES_MAX 4000 /* with POLICY_RULES_MAX still a number of 16 bits */

/* What an operation adds by itself. */
static void set_risk(struct reader *reader, const struct yaml_node *value, size_t number)
{
	const struct op_word *word = &op_words[number];
	struct policy *policy = reader->policy;
	unsigned int op = __builtin_ctz(word->operations);
	int16_t score;

	if (value_score(reader, value, &score))
		*(word->section == POLICY_NETWORK ? &policy->net_risk[op] : &policy->risk[op]) =
			(struct policy_risk) { score, reader->file, value->line, value->column };
}

/* A filter that is not enabled is read all the same, for what is wrong in it. */
static void read_filter(struct reader *reader, const struct weights_filter *filter)
{
	struct policy *policy = reader->policy;
	size_t n_rules = policy->n_rules;

	if (filter->rules && !reader->numbers_only)
		read_filter_rules(reader, filter->id, filter->rules);
	if (filter->operations)
		read_op_settings(reader, OPS_RISK, filter->operations, set_risk);
	if (policy->n_rules - reader->first_rule > WEIGHTS_RULES_MAX)
		reader_error(reader, filter->node,
			     "too many rules of filters (WEIGHTS_RULES_MAX, 4000): "
			     "put several globs into one rule");
	if (filter->enabled)
		return;
	while (policy->n_rules > n_rules)
		policy_rule_clear(&policy->rules[--policy->n_rules]);
	if (filter->id == FILTER_OPERATION_RISK) {
		memset(policy->risk, 0, sizeof(policy->risk));
		memset(policy->net_risk, 0, sizeof(policy->net_risk));
	}
}

static void read_weights_text(struct reader *reader, const char *text, size_t length)
{
	CLEANUP(weights_file_clear) struct weights_file file = { 0 };
	int r = weights_parse(reader->file, text, length, reader->diag, &file);

	reader->no_memory |= r == -ENOMEM;
	reader->policy->weights = file.weights;
	for (size_t i = 0; i < file.n_filters && !reader->no_memory; i++)
		read_filter(reader, &file.filters[i]);
}

int policy_weights_check(const char *name, const char *text, size_t length,
			 const struct policy_context *context, struct diag *diag)
{
	CLEANUP(policy_freep) struct policy *policy = calloc(1, sizeof(*policy));
	struct reader reader = { .context = context, .diag = diag, .policy = policy };
	size_t before = diag->count + diag->dropped;

	if (!policy)
		return -ENOMEM;
	reader.file = keep_file_name(&reader, name);
	if (reader.file)
		read_weights_text(&reader, text, length);
	if (reader.no_memory)
		return -ENOMEM;
	return diag->count + diag->dropped > before ? -EINVAL : 0;
}

/* Leaves the filters' rules, from `first` on, only the operations that are scored. */
static void drop_unscored(struct policy *policy, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < policy->n_rules; i++) {
		struct policy_rule *rule = &policy->rules[i];

		rule->operations &=
			rule->section == POLICY_NETWORK ? policy->net_scored : policy->scored;
		if (rule->operations)
			policy->rules[kept++] = *rule;
		else
			policy_rule_clear(rule);
	}
	policy->n_rules = kept;
}

/* Moves the first rules, the policy's own, behind those of the weights; their numbers change. */
static int move_behind(struct policy *policy, size_t n_own)
{
	size_t n = policy->n_rules - n_own;
	OWNED_MEM struct policy_rule *own = calloc(n_own + 1, sizeof(*own));

	if (!own)
		return -ENOMEM;
	if (!n)
		return 0;
	memcpy(own, policy->rules, n_own * sizeof(*own));
	memmove(policy->rules, policy->rules + n_own, n * sizeof(*own));
	memcpy(policy->rules + n, own, n_own * sizeof(*own));
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++) {
		for (unsigned int v = 0; v < GRITH_VERDICTS; v++) {
			if (policy->first_final[op][v] != UINT32_MAX)
				policy->first_final[op][v] += n;
			if (policy->behind_last[op][v])
				policy->behind_last[op][v] += n;
		}
	}
	return 0;
}

/* The limits of a policy hold for the weights by themselves. */
static void read_weights_into(struct reader *reader, const struct text *text)
{
	struct reader inner = *reader;

	inner.first_rule = reader->policy->n_rules;
	inner.n_globs = 0;
	inner.numbers_only = !reader->policy->scored && !reader->policy->net_scored;
	inner.file = keep_file_name(&inner, POLICY_WEIGHTS_FILE);
	if (inner.file)
		read_weights_text(&inner, text->data, text->length);
	drop_unscored(reader->policy, inner.first_rule);
	if (move_behind(reader->policy, inner.first_rule) < 0)
		inner.no_memory = true;
	reader->no_memory |= inner.no_memory;
}

/* A default of `score` with nothing to score by would allow everything. */
static void need_no_weights(struct reader *reader, const char *path)
{
	if (reader->policy->scored || reader->policy->net_scored)
		diag_add(reader->diag, reader->file, 0, 0,
			 "has a default of `score`, and there are no weights: %s is missing; put "
			 "it there, or say allow, deny or hold",
			 path);
}

void read_weights(struct reader *reader)
{
	OWNED_TEXT struct text text = { 0 };
	const struct policy_context *c = reader->context;
	OWNED_MEM char *path = NULL;
	const char *why;
	int r;

	if (!c->weights && !c->directory) {
		need_no_weights(reader, POLICY_WEIGHTS_FILE);
		return;
	}
	path = c->weights ? strdup(c->weights)
			  : text_format("%s/%s", c->directory, POLICY_WEIGHTS_FILE);
	if (!path) {
		reader->no_memory = true;
		return;
	}
	r = load_file(c, path, &text, &why);
	if (r == -ENOENT && !c->weights) {
		need_no_weights(reader, path);
		return;
	}
	if (r < 0) {
		diag_add(reader->diag, path, 0, 0, "cannot be read: %s", why);
		return;
	}
	read_weights_into(reader, &text);
}
