/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The reference evaluator: which rules match an operation, one by one. It is the oracle that the
 * compiled image and the kernel must agree with, so it is written to be read, not to be fast: it
 * parses every glob anew each time. Which of the matching rules wins is precedence.c.
 */
#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "eval.h"

/* What rules are compared with: a path, an address or a new socket, by the section. */
struct object {
	enum policy_section section; /* FILES is for all that have paths, NETWORK, SOCKETS */
	const char *path;
	size_t length;
	const uint8_t *address;
	uint16_t port;
	const char *name; /* of the host; NULL: not known */
	int family;
	bool raw;
};

/* Whether one of the globs matches. A glob that cannot be read was refused when the policy was. */
static bool any_matches(char **globs, size_t n_globs, const struct object *o)
{
	for (size_t i = 0; i < n_globs; i++) {
		CLEANUP(glob_freep) struct glob *glob = NULL;
		const char *why;

		if (glob_parse(globs[i], &glob, &why) == 0 && glob_match(glob, o->path, o->length))
			return true;
	}
	return false;
}

bool policy_prefix_has(const struct policy_prefix *prefix, const uint8_t address[16])
{
	unsigned int bytes = prefix->bits / 8, rest = prefix->bits % 8;

	if (memcmp(prefix->address, address, bytes) != 0)
		return false;
	return !rest || (prefix->address[bytes] ^ address[bytes]) >> (8 - rest) == 0;
}

bool policy_host_matches(const char *pattern, const char *name)
{
	size_t length = strlen(name), suffix;

	if (strncmp(pattern, "*.", 2) != 0)
		return strcasecmp(pattern, name) == 0;
	suffix = strlen(pattern + 1);
	return length > suffix && strcasecmp(name + length - suffix, pattern + 1) == 0;
}

bool policy_rule_has_port(const struct policy_rule *rule, uint16_t port)
{
	for (size_t i = 0; i < rule->n_ports; i++)
		if (port >= rule->ports[i].low && port <= rule->ports[i].high)
			return true;
	return !rule->n_ports;
}

static bool matches_net(const struct policy_rule *rule, const struct object *o)
{
	if (!policy_rule_has_port(rule, o->port))
		return false;
	if (!rule->n_prefixes && !rule->n_hosts)
		return true;
	for (size_t i = 0; i < rule->n_prefixes; i++)
		if (policy_prefix_has(&rule->prefixes[i], o->address))
			return true;
	for (size_t i = 0; i < rule->n_hosts && o->name; i++)
		if (policy_host_matches(rule->hosts[i], o->name))
			return true;
	return false;
}

static bool matches(const struct policy_rule *rule, const struct object *o)
{
	switch (rule->section) {
	case POLICY_NETWORK:
		return o->section == POLICY_NETWORK && matches_net(rule, o);
	case POLICY_SOCKETS:
		return o->section == POLICY_SOCKETS && (o->raw ? rule->raw : rule->cooked) &&
		       o->family >= 0 && o->family < GRITH_FAMILIES &&
		       rule->families >> o->family & 1;
	default:
		return o->section == POLICY_FILES && any_matches(rule->globs, rule->n_globs, o) &&
		       !any_matches(rule->except, rule->n_except, o);
	}
}

/* The numbers of the rules that match, ascending; the caller frees. NULL: no memory. */
static uint32_t *find_matches(const struct policy *policy, const struct object *o, size_t *ret_n)
{
	uint32_t *rules = calloc(policy->n_rules + 1, sizeof(*rules));
	size_t n = 0;

	for (size_t i = 0; rules && i < policy->n_rules; i++)
		if (matches(&policy->rules[i], o))
			rules[n++] = i;
	*ret_n = n;
	return rules;
}

/* Fails closed: without memory the verdict is that for paths that nothing is known of. */
static struct grith_outcome evaluate(const struct policy *policy, const struct object *o,
				     unsigned int op)
{
	size_t n;
	OWNED_MEM uint32_t *rules = find_matches(policy, o, &n);

	if (!rules)
		return (struct grith_outcome) { .verdict = policy->unknown };
	return policy_resolve(policy, o->section, op, rules, n);
}

static int evaluate_parts(const struct policy *policy, const struct object *o, unsigned int op,
			  struct policy_parts *ret_parts)
{
	size_t n;
	OWNED_MEM uint32_t *rules = find_matches(policy, o, &n);

	return rules ? policy_resolve_parts(policy, o->section, op, rules, n, ret_parts) : -ENOMEM;
}

struct grith_outcome policy_eval_path(const struct policy *policy, enum grith_op_class class,
				      const char *path, size_t length)
{
	const struct object o = { .section = POLICY_FILES, .path = path, .length = length };

	return evaluate(policy, &o, class);
}

int policy_eval_parts(const struct policy *policy, enum grith_op_class class, const char *path,
		      size_t length, struct policy_parts *ret_parts)
{
	const struct object o = { .section = POLICY_FILES, .path = path, .length = length };

	return evaluate_parts(policy, &o, class, ret_parts);
}

struct grith_outcome policy_eval_net(const struct policy *policy, enum grith_net_op op,
				     const uint8_t address[16], uint16_t port, const char *name)
{
	const struct object o = {
		.section = POLICY_NETWORK, .address = address, .port = port, .name = name
	};

	return evaluate(policy, &o, op);
}

int policy_eval_net_parts(const struct policy *policy, enum grith_net_op op,
			  const uint8_t address[16], uint16_t port, const char *name,
			  struct policy_parts *ret_parts)
{
	const struct object o = {
		.section = POLICY_NETWORK, .address = address, .port = port, .name = name
	};

	return evaluate_parts(policy, &o, op, ret_parts);
}

struct grith_outcome policy_eval_socket(const struct policy *policy, int family, bool raw)
{
	const struct object o = { .section = POLICY_SOCKETS, .family = family, .raw = raw };

	return evaluate(policy, &o, 0);
}

enum grith_verdict policy_verdict(const struct policy *policy, const struct grith_outcome *outcome)
{
	if (outcome->verdict != GRITH_ALLOW || (!policy->threshold_hold && !policy->threshold_deny))
		return outcome->verdict;
	if (outcome->score > policy->threshold_deny)
		return GRITH_DENY;
	return outcome->score > policy->threshold_hold ? GRITH_HOLD : GRITH_ALLOW;
}
