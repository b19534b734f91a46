/* SPDX-License-Identifier: MPL-2.0 */
/* Policies at and over a limit: refused by its name, and soon. */
#include "lib/policy/policy.h"
#include "test_policy.h"

/* Ten aliases of ten aliases of ...: refused by weight, and soon. */
Test(policy_limits, aliases_do_not_multiply)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 12; i++)
		text_addf(&body, "b%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i,
			  i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	expect_error(body.data, "YAML_NODES_MAX");
}

Test(policy_limits, keys)
{
	OWNED_TEXT struct text body = { 0 };

	for (int i = 0; i < 70; i++)
		text_addf(&body, "k%d: x\n", i);
	expect_error(body.data, "too many keys");
}

Test(policy_limits, classes)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "files:\n");
	for (int i = 0; i < POLICY_LABELS_MAX; i++)
		text_addf(&body, "  - {deny: read, path: /x, class: c%d}\n", i);
	policy_free(expect_ok(body.data));
	text_addf(&body, "  - {deny: read, path: /x, class: [c0, more]}\n");
	expect_error(body.data, "p:19:40: \"more\": too many classes (POLICY_LABELS_MAX");
}

Test(policy_limits, rules)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "sockets:\n");
	for (int i = 0; i < POLICY_RULES_MAX; i++)
		text_addf(&body, " - {deny: socket}\n");
	policy_free(expect_ok(body.data));
	text_addf(&body, " - {deny: socket}\n");
	expect_error(body.data, "p:60003:4: too many rules (POLICY_RULES_MAX");
}

Test(policy_limits, globs)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "files:\n");
	for (int i = 0; i < POLICY_GLOBS_MAX / 64 + 1; i++)
		text_addf(&body, " - {deny: read, path: \"/{,a}{,b}{,c}{,d}{,e}{,f}\"}\n");
	expect_error(body.data, "too many globs (POLICY_GLOBS_MAX");
}

Test(policy_limits, ports_of_one_address)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "network:\n");
	for (int i = 0; i < 40; i++)
		text_addf(&body, "  - {allow: connect, port: %d}\n", 2 * i + 1);
	policy = expect_ok(body.data);
	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), -E2BIG);
	cr_assert_eq(diag.count, 1u);
	cr_expect(strstr(diag.entries[0].message, "GRITH_PORT_RANGES"));
}

/* The rule that made the automaton too large is named, wherever it stands. */
Test(policy_limits, the_rule_that_explodes_is_named)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "files:\n");
	for (int i = 0; i < 20; i++)
		text_addf(&body, "  - {deny: read, path: \"/srv/data/%d/**/*.txt\"}\n", i);
	text_addf(&body, "  - {deny: read, path: \"**/*a????????????????????????\"}\n");
	for (int i = 0; i < 20; i++)
		text_addf(&body, "  - {allow: read, path: \"**/name-%d/*.md\"}\n", i);
	policy = expect_ok(body.data);
	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), -E2BIG);
	cr_assert_eq(diag.count, 1u);
	cr_expect_eq(diag.entries[0].line, 23, "line %u", diag.entries[0].line);
	cr_expect_str_eq(diag.entries[0].file, "p");
	cr_expect(strstr(diag.entries[0].message, "_MAX"), "%s", diag.entries[0].message);
}
