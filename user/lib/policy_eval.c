/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a policy says of one operation, rule by rule, and in which order rules beat each other. It
 * is written to be read, not to be fast: it parses every glob anew each time.
 */
#include <string.h>

#include "array.h"
#include "glob.h"
#include "policy_eval.h"

enum grith_class grith_class_of(enum grith_op op)
{
	switch (op) {
	case GRITH_OP_READ:
	case GRITH_OP_STAT:
	case GRITH_OP_RECEIVE: /* and write, where the descriptor is writable */
		return GRITH_CLASS_READ;
	case GRITH_OP_WRITE:
	case GRITH_OP_TRUNCATE:
		return GRITH_CLASS_WRITE;
	case GRITH_OP_CREATE:
		return GRITH_CLASS_CREATE;
	case GRITH_OP_DELETE:
		return GRITH_CLASS_DELETE;
	case GRITH_OP_RENAME:
		return GRITH_CLASS_RENAME;
	case GRITH_OP_LINK:
		return GRITH_CLASS_LINK;
	case GRITH_OP_METADATA:
		return GRITH_CLASS_METADATA;
	case GRITH_OP_OPENDIR:
	case GRITH_OP_LIST: /* never refused, but what the policy says of it is this */
		return GRITH_CLASS_LIST;
	case GRITH_OP_EXEC:
	case GRITH_OP_MAP:
		return GRITH_CLASS_EXEC;
	case GRITH_OP_CONNECT:
	case GRITH_OP_SEND:
		return GRITH_CLASS_CONNECT;
	case GRITH_OP_BIND:
		return GRITH_CLASS_BIND;
	default:
		return GRITH_CLASSES;
	}
}

static bool has_verdict(const struct policy_rule *rule)
{
	return !rule->is_score && !rule->judge_argv;
}

static enum grith_verdict default_of(const struct policy *policy, enum policy_section section,
				     unsigned int op)
{
	switch (section) {
	case POLICY_NETWORK:
		return policy->net_defaults[op];
	case POLICY_SOCKETS:
		return policy->socket_default;
	default:
		return policy->defaults[op];
	}
}

/* What scores and judges have added up to. */
struct extras {
	int32_t score;
	bool judge;
};

static void add_extra(struct extras *extras, const struct policy_rule *rule)
{
	extras->score += rule->score;
	extras->judge |= rule->judge_argv;
}

static int16_t clamp(int32_t score)
{
	return score > INT16_MAX ? INT16_MAX : score < INT16_MIN ? INT16_MIN : score;
}

struct grith_outcome policy_resolve(const struct policy *policy, enum policy_section section,
				    unsigned int op, const uint32_t *rules, size_t n_rules)
{
	const struct policy_rule *winner = NULL, *final = NULL;
	struct extras kept = { 0 }, before = { 0 }, after = { 0 }; /* the winner */
	struct grith_outcome outcome = { .verdict = default_of(policy, section, op) };

	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[rules[i]];

		if (!(rule->operations >> op & 1))
			continue;
		outcome.classes |= rule->classes;
		if (!has_verdict(rule)) {
			add_extra(rule->final ? &kept : &after, rule);
			continue;
		}
		if (final && rule->verdict <= final->verdict)
			continue;
		winner = rule;
		if (rule->final)
			final = rule;
		before.score += after.score;
		before.judge |= after.judge;
		after = (struct extras) { 0 };
	}
	if (winner) {
		outcome.rule = winner - policy->rules + 1;
		outcome.verdict = winner->verdict;
		outcome.flags |= winner->final ? GRITH_OUTCOME_FINAL : 0;
		outcome.flags |= winner->always ? GRITH_OUTCOME_ALWAYS : 0;
		if (winner->verdict == GRITH_ALLOW)
			before = (struct extras) { 0 };
	}
	if (kept.judge || before.judge || after.judge)
		outcome.flags |= GRITH_OUTCOME_JUDGE_ARGV;
	outcome.score = clamp(kept.score + before.score + after.score);
	return outcome;
}

/*
 * Whether a later rule with verdict `winner` always wins over rule `number`, which is not final, or
 * over what wins over that: only an earlier final verdict between the two can keep it from it.
 */
static bool wins_over(const struct policy *policy, unsigned int op, enum grith_verdict winner,
		      enum grith_verdict loser, uint32_t number)
{
	for (unsigned int v = winner; v < loser; v++)
		if (policy->first_final[op][v] < number)
			return false;
	return true;
}

/* Whether rule `a` says nothing about the operation that rule `b`, which always matches, does not. */
static bool is_beaten(const struct policy *policy, uint32_t a, uint32_t b, unsigned int op)
{
	const struct policy_rule *ra = &policy->rules[a], *rb = &policy->rules[b];

	if (!has_verdict(rb) || !(rb->operations >> op & 1))
		return false;
	/* A final verdict before it leaves no room for one that is not stricter. */
	if (b < a && rb->final && ra->verdict <= rb->verdict)
		return true;
	if (b < a || (ra->final && !rb->final))
		return false;
	/* Later and final itself: it must be stricter, or it would not win over the final `a`. */
	if (ra->final)
		return rb->verdict > ra->verdict;
	return wins_over(policy, op, rb->verdict, ra->verdict, a);
}

static bool is_needless(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			size_t index)
{
	const struct policy_rule *rule = &policy->rules[rules[index]];

	if (!has_verdict(rule))
		return false;
	for (unsigned int op = 0; op < GRITH_CLASSES; op++) {
		uint16_t classes = 0;
		bool beaten = false;

		if (!(rule->operations >> op & 1))
			continue;
		for (size_t i = 0; i < n_rules; i++) {
			if (i == index)
				continue;
			beaten = beaten || is_beaten(policy, rules[index], rules[i], op);
			if (policy->rules[rules[i]].operations >> op & 1)
				classes |= policy->rules[rules[i]].classes;
		}
		if (!beaten || rule->classes & ~classes)
			return false;
	}
	return true;
}

size_t policy_settle(const struct policy *policy, uint32_t *rules, size_t n_rules)
{
	size_t i = 0;

	while (i < n_rules) {
		if (!is_needless(policy, rules, n_rules, i)) {
			i++;
			continue;
		}
		n_rules--;
		memmove(&rules[i], &rules[i + 1], (n_rules - i) * sizeof(*rules));
	}
	return n_rules;
}

/* Bits of a weight: one for each operation and verdict, and one for rules that nothing beats. */
#define WEIGHT_BIT(op, verdict) (UINT64_C(1) << ((op)*GRITH_VERDICTS + (verdict)))
#define WEIGHT_SPECIAL (UINT64_C(1) << 63)
_Static_assert(GRITH_CLASSES *GRITH_VERDICTS < 63, "the bits of a weight");

uint64_t policy_weight(const struct policy *policy, uint32_t number)
{
	const struct policy_rule *rule = &policy->rules[number];
	uint64_t weight = 0;

	if (!has_verdict(rule) || rule->final || rule->classes)
		return WEIGHT_SPECIAL;
	for (unsigned int op = 0; op < GRITH_CLASSES; op++)
		if (rule->operations >> op & 1)
			weight |= WEIGHT_BIT(op, rule->verdict);
	return weight;
}

/* Whether one of the rules beats all others up to `top` that have this verdict or a milder one. */
static bool all_beaten(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		       uint32_t top, unsigned int op, enum grith_verdict strictest)
{
	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[rules[i]];

		if (rules[i] > top && has_verdict(rule) && rule->operations >> op & 1 &&
		    wins_over(policy, op, rule->verdict, strictest, top))
			return true;
	}
	return false;
}

bool policy_matters(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		    uint32_t top, uint64_t weight)
{
	if (weight & WEIGHT_SPECIAL)
		return true;
	for (unsigned int op = 0; op < GRITH_CLASSES; op++)
		for (unsigned int v = GRITH_VERDICTS; v-- > 0;)
			if (weight & WEIGHT_BIT(op, v) &&
			    !all_beaten(policy, rules, n_rules, top, op, v))
				return true;
	return false;
}

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

struct grith_outcome policy_eval_path(const struct policy *policy, enum grith_class class,
				      const char *path, size_t length)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n = 0;

	if (!matches)
		return unknown(policy);
	for (size_t i = 0; i < policy->n_rules; i++)
		if (matches_path(&policy->rules[i], path, length))
			matches[n++] = i;
	return policy_resolve(policy, POLICY_FILES, class, matches, n);
}

struct grith_outcome policy_eval_net(const struct policy *policy, enum grith_net_op op,
				     const uint8_t address[16], uint16_t port, const char *name)
{
	OWNED_MEM uint32_t *matches = new_matches(policy);
	size_t n = 0;

	if (!matches)
		return unknown(policy);
	for (size_t i = 0; i < policy->n_rules; i++)
		if (matches_net(&policy->rules[i], address, port, name))
			matches[n++] = i;
	return policy_resolve(policy, POLICY_NETWORK, op, matches, n);
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
