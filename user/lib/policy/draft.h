/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A rule while it is read: what its keys fill and what is checked once all are there. Only for
 * rules.c, rule_keys.c and rule_globs.c.
 */
#pragma once

#include "reader.h"

/* Sections whose rules are for paths. */
#define PATHS (BIT(POLICY_FILES) | BIT(POLICY_EXEC) | BIT(POLICY_UNIX))

struct draft {
	struct policy_rule rule;
	const struct yaml_node *node;
	const struct yaml_node *action; /* allow, deny, hide, hold, score or judge */
	const struct yaml_node *on; /* value of `on` */
	bool has_object; /* path, abstract, host or cidr */
	bool weights; /* a rule of a filter, not of a policy */
	bool left_out; /* by `unless`: read for its errors only */
};

/* Adds what a glob stands for to an array of the draft. Names of abstract sockets get their '@'. */
void draft_glob(struct reader *reader, const struct yaml_node *node, bool abstract, char ***array,
		size_t *count);

/* Reads the value of one key, or complains of the key. */
void draft_key(struct reader *reader, struct draft *draft, const struct yaml_node *key,
	       const struct yaml_node *value);
