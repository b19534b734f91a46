/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The reference: the outcome of a policy for one operation, computed from the rules one by one. The
 * compiled image must agree with it in every case. Pure.
 */
#pragma once

#include "model.h"

/*
 * Path operations and unix sockets. `path` is absolute, or "@name" for an abstract socket, or
 * "fstype:name" for an object without a path (a pipe, a memfd).
 */
struct grith_outcome policy_eval_path(const struct policy *policy, enum grith_op_class class,
				      const char *path, size_t length);

/*
 * Addresses. `name` is the host name the address was resolved from, NULL where there is none; host
 * rules match it and nothing else.
 */
struct grith_outcome policy_eval_net(const struct policy *policy, enum grith_net_op op,
				     const uint8_t address[16], uint16_t port, const char *name);

/* A family beyond GRITH_FAMILIES is one that no rule names. */
struct grith_outcome policy_eval_socket(const struct policy *policy, int family, bool raw);

/*
 * The verdict of an outcome in a session that has done nothing yet: what is allowed is held or
 * denied where its score is above a threshold. Thresholds that are both 0 change nothing.
 */
enum grith_verdict policy_verdict(const struct policy *policy, const struct grith_outcome *outcome);

/* Whether a rule is for the port. */
bool policy_rule_has_port(const struct policy_rule *rule, uint16_t port);

/* Whether an address is in the network. */
bool policy_prefix_has(const struct policy_prefix *prefix, const uint8_t address[16]);

/* Whether a host of a rule is that name: the same but for case, or below what follows "*". */
bool policy_host_matches(const char *pattern, const char *name);

/*
 * The outcome of one operation from the rules known to match its object, in the policy's order.
 * The evaluator and the compiler both ask here, so this is the one definition of precedence:
 *
 * - Of the rules with a verdict that name the operation the last one wins. After a `final` one
 *   only a stricter verdict does (allow < hold < deny < hide), and then that one's if it is final.
 * - Without such a rule it is the policy's default, and `rule` is 0.
 * - Under a `deny` or `hide`, be it a rule's or the default, the score is 0: it changes nothing.
 * - An `allow` that wins cancels the scores and inspections before it, except from rules marked
 *   `final`. Rules of filters come before all others.
 * - What is left of the policy's own scores is added up. Each filter adds its highest score, of
 *   its `otherwise` rules only where no others are left. `judge: argv` sets its flag.
 * - Where the default is `score` and no `allow` wins, the operation's own risk is added.
 * - The object's labels are those of all the rules; of filters' rules only of those whose scores
 *   are left.
 *
 * `op` is an enum grith_op_class for POLICY_FILES, POLICY_EXEC and POLICY_UNIX, which share one
 * automaton; an enum grith_net_op for POLICY_NETWORK; 0 for POLICY_SOCKETS. `rules` holds
 * ascending indices into policy->rules, all of the section or of those that share with it.
 */
struct grith_outcome policy_resolve(const struct policy *policy, enum policy_section section,
				    unsigned int op, const uint32_t *rules, size_t n_rules);

/* One part of a static score, and the rule or the line that it comes from; borrowed. */
struct policy_part {
	enum filter_id filter;
	int16_t score; /* hundredths; the parts' sum is the outcome's score, but for its limits */
	const char *file;
	unsigned int line, column;
	const char *reason; /* NULL: none given */
};

/* Starts as {0}. The parts belong to the policy they are of. */
struct policy_parts {
	struct policy_part *all;
	size_t count;
};

void policy_parts_clear(struct policy_parts *parts);

/* The score of policy_resolve() taken apart. 0 or -ENOMEM. */
int policy_resolve_parts(const struct policy *policy, enum policy_section section, unsigned int op,
			 const uint32_t *rules, size_t n_rules, struct policy_parts *ret_parts);

/* The scores of policy_eval_path() and policy_eval_net() taken apart. 0 or -ENOMEM. */
int policy_eval_parts(const struct policy *policy, enum grith_op_class class, const char *path,
		      size_t length, struct policy_parts *ret_parts);
int policy_eval_net_parts(const struct policy *policy, enum grith_net_op op,
			  const uint8_t address[16], uint16_t port, const char *name,
			  struct policy_parts *ret_parts);

/*
 * Drops those of the rules that cannot change any outcome, whatever other rules match as well, and
 * returns how many are left. The compiler keeps its automaton small with it. Only for sections with
 * paths.
 */
size_t policy_drop_shadowed(const struct policy *policy, uint32_t *rules, size_t n_rules);

/*
 * The same for rules that may or may not match yet. The influence of several rules is the bits of
 * all of them. policy_can_change() is whether rules of that influence, none of them behind rule
 * `top`, can still change an outcome when those of `rules` match.
 */
uint64_t policy_influence(const struct policy *policy, uint32_t rule);
bool policy_can_change(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		       uint32_t top, uint64_t influence);
