/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What stands in a file of weights: its filters with their rules, operations, numbers and lists.
 * How they get into a policy is weights_join.c.
 */

#include "lib/base/base.h"
#include "read.h"
#include "weights.h"

#define WEIGHTS_TEXT_MAX 1024 /* bytes of one text of a list */
#define WEIGHTS_RULES_MAX 4000 /* with POLICY_RULES_MAX still a number of 16 bits */

/* What a filter has besides `enabled`. */
#define HAS_RULES 0x1
#define HAS_OPERATIONS 0x2
#define HAS_NUMBERS 0x4
#define HAS_LISTS 0x8
#define HAS_BOTH (HAS_NUMBERS | HAS_LISTS)

static const struct known_filter {
	const char *name;
	enum policy_filter filter; /* POLICY_OWN: none that is known from the object alone */
	unsigned int has;
} known_filters[] = {
	{ "operation-risk", POLICY_OPERATION_RISK, HAS_OPERATIONS | HAS_NUMBERS },
	{ "path-match", POLICY_PATH_MATCH, HAS_RULES },
	{ "sensitive-path", POLICY_SENSITIVE_PATH, HAS_RULES },
	{ "allowlist", POLICY_ALLOWLIST, HAS_RULES },
	{ "argument", POLICY_OWN, HAS_BOTH },
	{ "capability", POLICY_OWN, HAS_BOTH },
	{ "secret-scan", POLICY_OWN, HAS_BOTH },
	{ "command", POLICY_OWN, HAS_BOTH },
	{ "destructive-action", POLICY_OWN, HAS_BOTH },
	{ "egress-policy", POLICY_EGRESS, HAS_RULES | HAS_BOTH },
	{ "dlp-gate", POLICY_OWN, HAS_BOTH },
	{ "canary", POLICY_OWN, HAS_BOTH },
	{ "reputation", POLICY_OWN, HAS_BOTH },
	{ "behavioural", POLICY_OWN, HAS_BOTH },
	{ "taint", POLICY_OWN, HAS_BOTH },
	{ "session-containment", POLICY_OWN, HAS_BOTH },
	{ "rate-limit", POLICY_OWN, HAS_BOTH },
	{ "egress-rate", POLICY_OWN, HAS_BOTH },
	{ "combination", POLICY_COMBINATION, HAS_RULES | HAS_BOTH },
	{ "mass", POLICY_OWN, HAS_BOTH },
	{ "delegation", POLICY_OWN, HAS_BOTH },
	{ "trust", POLICY_OWN, HAS_BOTH },
};

const char *policy_filter_name(unsigned int filter)
{
	if (filter == POLICY_OWN)
		return "rule";
	for (size_t i = 0; i < ARRAY_SIZE(known_filters); i++)
		if (known_filters[i].filter == filter)
			return known_filters[i].name;
	return NULL;
}

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
		{ "read", set_risk, GRITH_CLASS_READ },
		{ "write", set_risk, GRITH_CLASS_WRITE },
		{ "create", set_risk, GRITH_CLASS_CREATE },
		{ "delete", set_risk, GRITH_CLASS_DELETE },
		{ "rename", set_risk, GRITH_CLASS_RENAME },
		{ "link", set_risk, GRITH_CLASS_LINK },
		{ "metadata", set_risk, GRITH_CLASS_METADATA },
		{ "list", set_risk, GRITH_CLASS_LIST },
		{ "exec", set_risk, GRITH_CLASS_EXEC },
		{ "unix-connect", set_risk, GRITH_CLASS_CONNECT },
		{ "unix-bind", set_risk, GRITH_CLASS_BIND },
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
static void forget_filter(struct policy *policy, const struct known_filter *known, size_t n_rules,
			  const struct grith_context_weights *before)
{
	policy->weights = *before;
	while (policy->n_rules > n_rules)
		policy_rule_clear(&policy->rules[--policy->n_rules]);
	if (known->filter != POLICY_OPERATION_RISK)
		return;
	memset(policy->risk, 0, sizeof(policy->risk));
	memset(policy->net_risk, 0, sizeof(policy->net_risk));
}

static void read_filter_key(struct reader *reader, const struct known_filter *known,
			    const struct yaml_node *key, const struct yaml_node *value)
{
	static const struct word words[] = {
		{ "enabled", 0 },
		{ "rules", HAS_RULES },
		{ "operations", HAS_OPERATIONS },
		{ "numbers", HAS_NUMBERS },
		{ "lists", HAS_LISTS },
	};
	struct word has[ARRAY_SIZE(words)] = { { NULL, 0 } };
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!words[i].value || words[i].value & known->has)
			has[n++] = words[i];
	for (size_t i = 0; i < n; i++) {
		if (strcmp(has[i].text, key->text) != 0)
			continue;
		if (has[i].value == HAS_RULES && !reader->numbers_only)
			read_filter_rules(reader, known->filter, value);
		else if (has[i].value == HAS_OPERATIONS)
			read_operations(reader, value);
		else if (has[i].value == HAS_NUMBERS)
			read_numbers(reader, known->name, value);
		else if (has[i].value == HAS_LISTS)
			check_lists(reader, value);
		return;
	}
	unknown_word(reader, key, "key", has, n);
}

static void read_filter(struct reader *reader, const struct known_filter *known,
			const struct yaml_node *node)
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
		read_filter_key(reader, known, node->items[i], node->items[i + 1]);
	}
	if (enabled)
		need_numbers(reader, known->name, numbers);
	if (reader->policy->n_rules > WEIGHTS_RULES_MAX)
		reader_error(reader, node,
			     "too many rules of filters (WEIGHTS_RULES_MAX, 4000): "
			     "put several globs into one rule");
	if (!said)
		reader_error(reader, node, "`enabled: true` or `enabled: false` is missing");
	if (!enabled)
		forget_filter(reader->policy, known, n_rules, &weights);
}

static void read_filters(struct reader *reader, const struct yaml_node *node)
{
	struct word words[ARRAY_SIZE(known_filters)];

	for (size_t i = 0; i < ARRAY_SIZE(known_filters); i++)
		words[i] = (struct word) { known_filters[i].name, i };
	if (node->kind != YAML_MAP) {
		unknown_word(reader, node, "mapping with some of these filters", words,
			     ARRAY_SIZE(words));
		return;
	}
	for (size_t i = 0; i < node->count && !reader->no_memory; i += 2) {
		unsigned int index;

		if (known_word(node->items[i], words, ARRAY_SIZE(words), &index))
			read_filter(reader, &known_filters[index], node->items[i + 1]);
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
