/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The rules of a section: from mappings in the text to the policy's list. What a rule's keys mean
 * together is checked here; the keys themselves are rule_keys.c.
 */
#include "lib/base/base.h"
#include "draft.h"

static void draft_clear(struct draft *draft)
{
	policy_rule_clear(&draft->rule);
}

/* A unix rule without an object is for every socket, as a network rule is for every address. */
static void add_every_socket(struct reader *reader, struct draft *d)
{
	static const char *const every[] = { "**", "@*" };

	for (size_t i = 0; i < ARRAY_SIZE(every); i++) {
		char *copy = strdup(every[i]);

		if (!copy || ARRAY_GROW(d->rule.globs, d->rule.n_globs) < 0) {
			free(copy);
			reader->no_memory = true;
			return;
		}
		d->rule.globs[d->rule.n_globs++] = copy;
	}
}

/* What depends on several keys. */
static void check_draft(struct reader *reader, struct draft *d)
{
	const struct policy_rule *rule = &d->rule;

	if (!d->action && d->weights)
		reader_error(reader, d->node, "a rule of a filter needs a score");
	else if (!d->action)
		reader_error(reader, d->node, "a rule needs allow, deny, hide, hold%s",
			     rule->section == POLICY_EXEC      ? ", score or judge"
			     : rule->section != POLICY_SOCKETS ? " or score"
							       : "");
	if (rule->is_score && !d->on)
		reader_error(reader, d->node, "a score needs `on: [operations]`");
	if (!rule->is_score && d->on && d->action)
		reader_error(reader, d->on,
			     "`on` belongs to score; \"%s\" has its operations itself",
			     d->action->text);
	if (rule_is_final(rule) && d->action && rule_has_verdict(rule) &&
	    rule->verdict == GRITH_ALLOW)
		reader_error(reader, d->node,
			     "`final` has no meaning with allow: a later rule may always be "
			     "stricter");
	if (!d->has_object && (rule->section == POLICY_FILES || rule->section == POLICY_EXEC))
		reader_error(reader, d->node, "a path is missing (path: \"**\" is every path)");
	if (!rule->families)
		d->rule.families = UINT64_MAX;
	if (!d->has_object && rule->section == POLICY_UNIX)
		add_every_socket(reader, d);
}

/* What shadow.c looks up for every state of the automaton. */
static void note_rule(struct policy *policy, const struct policy_rule *rule)
{
	if (!(PATHS & BIT(rule->section)))
		return;
	if (!rule_has_verdict(rule)) {
		policy->final_scores |= rule_is_final(rule) ? rule->operations : 0;
		return;
	}
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++) {
		if (!(rule->operations >> op & 1))
			continue;
		policy->behind_last[op][rule->verdict] = policy->n_rules + 1;
		if (rule_is_final(rule) && policy->first_final[op][rule->verdict] == UINT32_MAX)
			policy->first_final[op][rule->verdict] = policy->n_rules;
	}
}

static void keep_rule(struct reader *reader, struct draft *d)
{
	struct policy *policy = reader->policy;

	if (policy->n_rules - reader->first_rule == POLICY_RULES_MAX) {
		reader_error(reader, d->node,
			     "too many rules (POLICY_RULES_MAX, 60000): "
			     "put several globs into one rule");
		return;
	}
	if (ARRAY_GROW(policy->rules, policy->n_rules) < 0) {
		reader->no_memory = true;
		return;
	}
	note_rule(policy, &d->rule);
	policy->rules[policy->n_rules++] = d->rule;
	d->rule = (struct policy_rule) { 0 };
}

static void read_rule(struct reader *reader, enum policy_section section, enum filter_id filter,
		      const struct yaml_node *node)
{
	CLEANUP(draft_clear)
	struct draft d = {
		.node = node,
		.weights = filter != FILTER_RULE,
		.rule = { .section = section,
			  .filter = filter,
			  .file = reader->file,
			  .line = node->line,
			  .column = node->column,
			  .raw = true,
			  .cooked = true },
	};

	for (size_t i = 0; i < node->count; i += 2)
		draft_key(reader, &d, node->items[i], node->items[i + 1]);
	check_draft(reader, &d);
	if (!d.left_out)
		keep_rule(reader, &d);
}

static bool is_rule(struct reader *reader, const struct yaml_node *node, const char *example)
{
	if (node->kind == YAML_MAP)
		return true;
	reader_error(reader, node, "expected a rule, such as %s", example);
	return false;
}

static bool is_list(struct reader *reader, const struct yaml_node *node)
{
	if (node->kind == YAML_LIST)
		return true;
	reader_error(reader, node, "expected a list of rules");
	return false;
}

void read_section(struct reader *reader, const struct yaml_node *node, size_t section)
{
	for (size_t i = 0; is_list(reader, node) && i < node->count && !reader->no_memory; i++)
		if (is_rule(reader, node->items[i], "{allow: read, path: /usr/**}"))
			read_rule(reader, section, FILTER_RULE, node->items[i]);
}

/* Whether a filter's rule is for paths or for addresses: its keys decide. */
static enum policy_section section_of(const struct yaml_node *node)
{
	for (size_t i = 0; i < node->count; i += 2)
		if (strcmp(node->items[i]->text, "path") == 0 ||
		    strcmp(node->items[i]->text, "abstract") == 0)
			return POLICY_FILES;
	return POLICY_NETWORK;
}

void read_filter_rules(struct reader *reader, enum filter_id filter, const struct yaml_node *node)
{
	static const char example[] = "{score: 4.0, on: read, path: \"**/*.key\"}";

	for (size_t i = 0; is_list(reader, node) && i < node->count && !reader->no_memory; i++)
		if (is_rule(reader, node->items[i], example))
			read_rule(reader, section_of(node->items[i]), filter, node->items[i]);
}
