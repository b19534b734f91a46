/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a policy says of one operation, rule by rule. It is written to be read, not to be fast: it
 * parses every glob anew each time. In which order rules beat each other is precedence.c.
 */

#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "eval.h"

/* Whether one of the globs matches. A glob that cannot be read was refused when the policy was. */
static bool any_matches(char **globs, size_t n_globs, const char *path, size_t length)
{
	for (size_t i = 0; i < n_globs; i++) {
		CLEANUP(glob_freep) struct glob *glob = NULL;
		const char *why;

		if (glob_parse(globs[i], &glob, &why) == 0 && glob_match(glob, path, length))
			return true;
	}
	return false;
}

static bool is_path_section(enum policy_section section)
{
	return section == POLICY_FILES || section == POLICY_EXEC || section == POLICY_UNIX;
}

static bool matches_path(const struct policy_rule *rule, const char *path, size_t length)
{
	return is_path_section(rule->section) &&
	       any_matches(rule->globs, rule->n_globs, path, length) &&
	       !any_matches(rule->except, rule->n_except, path, length);
}

static bool has_prefix(const struct policy_prefix *prefix, const uint8_t address[16])
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

static bool matches_net(const struct policy_rule *rule, const uint8_t address[16], uint16_t port,
			const char *name)
{
	bool found = !rule->n_ports;

	if (rule->section != POLICY_NETWORK)
		return false;
	for (size_t i = 0; i < rule->n_ports && !found; i++)
		found = port >= rule->ports[i].low && port <= rule->ports[i].high;
	if (!found)
		return false;
	if (!rule->n_prefixes && !rule->n_hosts)
		return true;
	for (size_t i = 0; i < rule->n_prefixes; i++)
		if (has_prefix(&rule->prefixes[i], address))
			return true;
	for (size_t i = 0; i < rule->n_hosts && name; i++)
		if (policy_host_matches(rule->hosts[i], name))
			return true;
	return false;
}

/*
 * Room for the rules that match. Without memory there is no answer that could be given: what the
 * policy says of unknown paths is the safest there is.
 */
static uint32_t *new_matches(const struct policy *policy)
{
	return calloc(policy->n_rules + 1, sizeof(uint32_t));
}

static struct grith_outcome unknown(const struct policy *policy)
{
	return (struct grith_outcome) { .verdict = policy->unknown };
}

static size_t match_path(const struct policy *policy, const char *path, size_t length,
			 uint32_t *matches)
{
	size_t n = 0;

	for (size_t i = 0; i < policy->n_rules; i++)
		if (matches_path(&policy->rules[i], path, length))
			matches[n++] = i;
	return n;
}

static size_t match_net(const struct policy *policy, const uint8_t address[16], uint16_t port,
			const char *name, uint32_t *matches)
{
	size_t n = 0;

	for (size_t i = 0; i < policy->n_rules; i++)
		if (matches_net(&policy->rules[i], address, port, name))
			matches[n++] = i;
	return n;
}

struct grith_outcome policy_eval_path(const struct policy *policy, enum grith_op_class class,
				      const char *path, size_t length)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n;

	if (!matches)
		return unknown(policy);
	n = match_path(policy, path, length, matches);
	return policy_resolve(policy, POLICY_FILES, class, matches, n);
}

struct grith_outcome policy_eval_net(const struct policy *policy, enum grith_net_op op,
				     const uint8_t address[16], uint16_t port, const char *name)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n;

	if (!matches)
		return unknown(policy);
	n = match_net(policy, address, port, name, matches);
	return policy_resolve(policy, POLICY_NETWORK, op, matches, n);
}

enum grith_verdict policy_verdict(const struct policy *policy, const struct grith_outcome *outcome)
{
	if (outcome->verdict != GRITH_ALLOW || (!policy->threshold_hold && !policy->threshold_deny))
		return outcome->verdict;
	if (outcome->score > policy->threshold_deny)
		return GRITH_DENY;
	return outcome->score > policy->threshold_hold ? GRITH_HOLD : GRITH_ALLOW;
}

int policy_eval_parts(const struct policy *policy, enum grith_op_class class, const char *path,
		      size_t length, struct policy_parts *ret_parts)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n;

	if (!matches)
		return -ENOMEM;
	n = match_path(policy, path, length, matches);
	return policy_resolve_parts(policy, POLICY_FILES, class, matches, n, ret_parts);
}

int policy_eval_net_parts(const struct policy *policy, enum grith_net_op op,
			  const uint8_t address[16], uint16_t port, const char *name,
			  struct policy_parts *ret_parts)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n;

	if (!matches)
		return -ENOMEM;
	n = match_net(policy, address, port, name, matches);
	return policy_resolve_parts(policy, POLICY_NETWORK, op, matches, n, ret_parts);
}

struct grith_outcome policy_eval_socket(const struct policy *policy, int family, bool raw)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n = 0;

	if (!matches)
		return unknown(policy);
	for (size_t i = 0; i < policy->n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[i];

		if (rule->section == POLICY_SOCKETS && (raw ? rule->raw : rule->cooked) &&
		    family >= 0 && family < GRITH_FAMILIES && rule->families >> family & 1)
			matches[n++] = i;
	}
	return policy_resolve(policy, POLICY_SOCKETS, 0, matches, n);
}
