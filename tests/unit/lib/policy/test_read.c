/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a policy says once it is read: settings, what extending does to them, the place and the
 * reason of a rule, and YAML's ways to write a text. What rules mean is in the table of policy
 * cases.
 */
#include "test_policy.h"

Test(policy_read, settings)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("name: n\nmode: observe\nmatch: [a, b]\n"
				     "thresholds: {hold: 1.5, deny: 2.25}\n"
				     "defaults: {read: allow, unix: hold}\n"
				     "unknown: hide\n");

	cr_expect_str_eq(p->name, "n");
	cr_expect_eq(p->mode, GRITH_OBSERVE);
	cr_expect_eq(p->n_match, 2u);
	cr_expect_eq(p->threshold_hold, 150);
	cr_expect_eq(p->threshold_deny, 225);
	cr_expect_eq(p->defaults[GRITH_OP_CLASS_READ], GRITH_ALLOW);
	cr_expect_eq(p->defaults[GRITH_OP_CLASS_WRITE], GRITH_DENY);
	cr_expect_eq(p->defaults[GRITH_OP_CLASS_CONNECT], GRITH_HOLD);
	cr_expect_eq(p->defaults[GRITH_OP_CLASS_BIND], GRITH_HOLD);
	cr_expect_eq(p->net_defaults[GRITH_NET_CONNECT], GRITH_DENY);
	cr_expect_eq(p->unknown, GRITH_HIDE);
	cr_expect_eq(p->ring, GRITH_ALLOW);
	cr_expect_eq(p->outside, GRITH_DENY);
}

Test(policy_read, what_extending_takes_over)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("name: mine\nextends: parent\nthresholds: {hold: 1}\n"
				     "processes: {outside: deny}\n");

	cr_expect_str_eq(p->name, "mine");
	cr_expect_eq(p->n_match, 0u); /* a parent's commands are not its children's */
	cr_expect_eq(p->mode, GRITH_OBSERVE);
	cr_expect_eq(p->threshold_hold, 100);
	cr_expect_eq(p->threshold_deny, 600);
	cr_expect_eq(p->outside, GRITH_DENY);
	cr_expect_eq(p->signal, GRITH_DENY); /* follows `outside` of the same mapping */
	cr_expect_eq(p->unknown, GRITH_DENY);
	cr_expect_eq(p->n_rules, 3u);
	cr_expect_str_eq(p->rules[0].file, "parent.yaml");
	cr_expect_eq(p->rules[0].line, 11u);
	cr_expect_eq(p->n_labels, 1u);
	cr_expect_str_eq(p->labels[0], "credential");
}

Test(policy_read, reason_and_place_of_a_rule)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("files:\n"
				     "  # a comment\n"
				     "  - allow: read\n"
				     "    path: /x\n"
				     "    reason: \"why, indeed\"\n");

	cr_assert_eq(p->n_rules, 1u);
	cr_expect_eq(p->rules[0].line, 4u);
	cr_expect_str_eq(p->rules[0].file, "p");
	cr_expect_str_eq(p->rules[0].reason, "why, indeed");
}

/* A scalar of many pieces, in each style; sanitizers see what is lost. */
Test(policy_read, scalars_of_many_pieces)
{
	OWNED_TEXT struct text body = { 0 };
	CLEANUP(policy_freep) struct policy *p = NULL;

	text_addf(&body, "files:\n - {deny: read, path: /a, reason: '");
	for (int i = 0; i < 50; i++)
		text_addf(&body, "x''");
	text_addf(&body, "'}\n - {deny: read, path: /a, reason: \"");
	for (int i = 0; i < 50; i++)
		text_addf(&body, "x\\x41");
	text_addf(&body, "\"}\n - deny: read\n   path: /a\n   reason: >-\n");
	for (int i = 0; i < 50; i++)
		text_addf(&body, "     x\n");
	p = expect_ok(body.data);
	cr_assert_eq(p->n_rules, 3u);
	cr_expect_eq(strlen(p->rules[0].reason), 100u);
	cr_expect_eq(strncmp(p->rules[0].reason, "x'x'x'", 6), 0);
	cr_expect_eq(strlen(p->rules[1].reason), 100u);
	cr_expect_eq(strncmp(p->rules[1].reason, "xAxAxA", 6), 0);
	cr_expect_eq(strlen(p->rules[2].reason), 99u);
	cr_expect_eq(strncmp(p->rules[2].reason, "x x x ", 6), 0);
}

Test(policy_read, anchors)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("files:\n"
				     "  - {allow: &ops [read, list], path: &dirs [/a, /b]}\n"
				     "  - {deny: *ops, path: *dirs}\n");

	cr_assert_eq(p->n_rules, 2u);
	cr_expect_eq(p->rules[1].n_globs, 2u);
	cr_expect_eq(p->rules[1].operations, p->rules[0].operations);
}
