/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What stands in a file of weights: its filters with their rules, operations, numbers and lists.
 * How they get into a policy is weights_join.c.
 */

#include "lib/base/base.h"
#include "reader.h"
#include "weights.h"

#define WEIGHTS_TEXT_MAX 1024 /* bytes of one text of a list */
#define WEIGHTS_RULES_MAX 4000 /* with POLICY_RULES_MAX still a number of 16 bits */

static void set_points(struct reader *reader, const struct yaml_node *value,
		       struct policy_risk *risk)
{
	int16_t score;

	if (value_score(reader, value, &score))
		*risk = (struct policy_risk) { score, reader->file, value->line, value->column };
}

static void set_risk(struct reader *reader, const struct yaml_node *value, size_t class)
{
	set_points(reader, value, &reader->policy->risk[class]);
}

static void set_net_risk(struct reader *reader, const struct yaml_node *value, size_t op)
{
	set_points(reader, value, &reader->policy->net_risk[op]);
}

static void read_operations(struct reader *reader, const struct yaml_node *node)
{
	static const struct setting settings[] = {
		{ "read", set_risk, GRITH_OP_CLASS_READ },
		{ "write", set_risk, GRITH_OP_CLASS_WRITE },
		{ "create", set_risk, GRITH_OP_CLASS_CREATE },
		{ "delete", set_risk, GRITH_OP_CLASS_DELETE },
		{ "rename", set_risk, GRITH_OP_CLASS_RENAME },
		{ "link", set_risk, GRITH_OP_CLASS_LINK },
		{ "metadata", set_risk, GRITH_OP_CLASS_METADATA },
		{ "list", set_risk, GRITH_OP_CLASS_LIST },
		{ "exec", set_risk, GRITH_OP_CLASS_EXEC },
		{ "unix-connect", set_risk, GRITH_OP_CLASS_CONNECT },
		{ "unix-bind", set_risk, GRITH_OP_CLASS_BIND },
		{ "connect", set_net_risk, GRITH_NET_CONNECT },
		{ "bind", set_net_risk, GRITH_NET_BIND },
		{ "listen", set_net_risk, GRITH_NET_LISTEN },
	};

	read_settings(reader, node, settings, ARRAY_SIZE(settings));
}

static void check_lists(struct reader *reader, const struct yaml_node *node)
{
	const char *ignored;

	if (node->kind != YAML_MAP)
		reader_error(reader, node, "expected a mapping of names to lists");
	for (size_t i = 1; node->kind == YAML_MAP && i < node->count; i += 2) {
		const struct yaml_node *list = node->items[i];

		if (list->kind != YAML_LIST)
			reader_error(reader, list, "expected a list of texts");
		for (size_t k = 0; list->kind == YAML_LIST && k < list->count; k++)
			value_text(reader, list->items[k], WEIGHTS_TEXT_MAX, &ignored);
	}
}

/* Undoes what a filter that is not enabled has added. */
static void forget_filter(struct policy *policy, enum filter_id filter, size_t n_rules,
			  const struct grith_context_weights *before)
{
	policy->weights = *before;
	while (policy->n_rules > n_rules)
		policy_rule_clear(&policy->rules[--policy->n_rules]);
	if (filter != FILTER_OPERATION_RISK)
		return;
	memset(policy->risk, 0, sizeof(policy->risk));
	memset(policy->net_risk, 0, sizeof(policy->net_risk));
}

static void read_filter_key(struct reader *reader, enum filter_id filter,
			    const struct yaml_node *key, const struct yaml_node *value)
{
	static const struct word words[] = {
		{ "enabled", 0 },
		{ "rules", FILTER_HAS_RULES },
		{ "operations", FILTER_HAS_OPERATIONS },
		{ "numbers", FILTER_HAS_NUMBERS },
		{ "lists", FILTER_HAS_LISTS },
	};
	struct word has[ARRAY_SIZE(words)] = { { NULL, 0 } };
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!words[i].value || words[i].value & filter_has(filter))
			has[n++] = words[i];
	for (size_t i = 0; i < n; i++) {
		if (strcmp(has[i].text, key->text) != 0)
			continue;
		if (has[i].value == FILTER_HAS_RULES && !reader->numbers_only)
			read_filter_rules(reader, filter, value);
		else if (has[i].value == FILTER_HAS_OPERATIONS)
			read_operations(reader, value);
		else if (has[i].value == FILTER_HAS_NUMBERS)
			read_numbers(reader, filter_name(filter), value);
		else if (has[i].value == FILTER_HAS_LISTS)
			check_lists(reader, value);
		return;
	}
	unknown_word(reader, key, "key", has, n);
}

static void read_filter(struct reader *reader, enum filter_id filter, const struct yaml_node *node)
{
	const struct grith_context_weights weights = reader->policy->weights;
	size_t n_rules = reader->policy->n_rules;
	const struct yaml_node *numbers = node;
	bool enabled = false, said = false;

	if (node->kind != YAML_MAP) {
		reader_error(reader, node, "expected a filter, such as {enabled: true}");
		return;
	}
	for (size_t i = 0; i < node->count && !reader->no_memory; i += 2) {
		if (strcmp(node->items[i]->text, "enabled") == 0) {
			said = true;
			value_bool(reader, node->items[i + 1], &enabled);
			continue;
		}
		if (strcmp(node->items[i]->text, "numbers") == 0)
			numbers = node->items[i + 1];
		read_filter_key(reader, filter, node->items[i], node->items[i + 1]);
	}
	if (enabled)
		need_numbers(reader, filter_name(filter), numbers);
	if (reader->policy->n_rules > WEIGHTS_RULES_MAX)
		reader_error(reader, node,
			     "too many rules of filters (WEIGHTS_RULES_MAX, 4000): "
			     "put several globs into one rule");
	if (!said)
		reader_error(reader, node, "`enabled: true` or `enabled: false` is missing");
	if (!enabled)
		forget_filter(reader->policy, filter, n_rules, &weights);
}

static void read_filters(struct reader *reader, const struct yaml_node *node)
{
	struct word words[N_FILTERS - 1];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = (struct word) { filter_name(i + 1), i + 1 };
	if (node->kind != YAML_MAP) {
		unknown_word(reader, node, "mapping with some of these filters", words,
			     ARRAY_SIZE(words));
		return;
	}
	for (size_t i = 0; i < node->count && !reader->no_memory; i += 2) {
		unsigned int filter;

		if (known_word(node->items[i], words, ARRAY_SIZE(words), &filter))
			read_filter(reader, filter, node->items[i + 1]);
		else
			unknown_word(reader, node->items[i], "filter", words, ARRAY_SIZE(words));
	}
}

static void read_top(struct reader *reader, const struct yaml_node *root)
{
	static const struct word words[] = { { "grith-weights", 0 }, { "filters", 1 } };
	bool found[ARRAY_SIZE(words)] = { false };

	for (size_t i = 0; i < root->count; i += 2) {
		const struct yaml_node *key = root->items[i], *value = root->items[i + 1];
		unsigned int word;

		if (!known_word(key, words, ARRAY_SIZE(words), &word)) {
			unknown_word(reader, key, "key", words, ARRAY_SIZE(words));
			continue;
		}
		found[word] = true;
		if (word == 1)
			read_filters(reader, value);
		else if (value->kind != YAML_SCALAR || value->quoted ||
			 strcmp(value->text, "1") != 0)
			reader_error(reader, value, "expected 1, the only version of this file");
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!found[i])
			reader_error(reader, root, "`%s` is missing", words[i].text);
}

void read_weights_text(struct reader *reader, const char *text, size_t length)
{
	CLEANUP(yaml_freep) struct yaml *yaml = NULL;
	const struct yaml_node *root;
	int r = yaml_read(reader->file, text, length, reader->diag, &yaml);

	if (r == -ENOMEM)
		reader->no_memory = true;
	if (r < 0)
		return;
	root = yaml_root(yaml);
	if (root && root->kind == YAML_MAP)
		read_top(reader, root);
	else
		diag_add(reader->diag, reader->file, 1, 1,
			 "expected weights, which start with `grith-weights: 1`");
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
	if (!reader.file)
		return -ENOMEM;
	read_weights_text(&reader, text, length);
	if (reader.no_memory)
		return -ENOMEM;
	return diag->count + diag->dropped > before ? -EINVAL : 0;
}
