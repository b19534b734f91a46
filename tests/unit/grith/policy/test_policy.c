/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What `grith policy` says: the score and its parts for people and programs, the thresholds, and
 * whether a file of weights is right.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "grith/policy/policy.h"

static const struct policy_context context = {
	.project = "/home/ann/project",
	.home = "/home/ann",
	.user = "ann",
	.uid = 1000,
};

static const char scored[] = "grith: 1\n"
			     "thresholds: {hold: 1, deny: 2.5}\n"
			     "defaults: {read: allow, connect: allow}\n"
			     "files:\n"
			     "  - {score: 1.15, on: read, path: \"/a/**\", reason: \"one\\e\"}\n"
			     "  - {score: 1.85, on: read, path: \"/a/b/**\"}\n"
			     "  - {score: -0.25, on: read, path: \"/a/c\"}\n"
			     "  - {deny: read, path: \"/no\", reason: never}\n"
			     "network:\n"
			     "  - {score: 1, on: connect, host: example.org}\n";

static struct policy *read_policy(const char *text)
{
	OWNED_DIAG struct diag diag = { 0 };
	struct policy *policy = NULL;

	cr_assert_eq(policy_read_text("p.yaml", text, strlen(text), &context, &diag, &policy), 0);
	return policy;
}

static void expect_answer(const struct policy *policy, const struct question *question,
			  enum grith_verdict verdict, const char *expected)
{
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	struct grith_outcome outcome = question_ask(question, policy);
	OWNED_TEXT struct text out = { 0 };

	outcome.verdict = policy_verdict(policy, &outcome);
	cr_expect_eq(outcome.verdict, verdict, "%s", expected);
	cr_assert_eq(question_ask_parts(question, policy, &parts), 0);
	cr_assert_eq(view_outcome(policy, &outcome, &parts, &out), 0);
	cr_expect_str_eq(out.data, expected);
}

Test(cli_policy, parts_and_thresholds)
{
	static const struct {
		const char *path;
		enum grith_verdict verdict;
		const char *expected;
	} cases[] = {
		{ "/x", GRITH_ALLOW, "allow  default\n" },
		{ "/a/c", GRITH_ALLOW,
		  "allow  default  (score 0.90)\n+1.15  rule  p.yaml:5  one\\e\n"
		  "-0.25  rule  p.yaml:7\n" },
		{ "/a/x", GRITH_HOLD,
		  "hold  default  (score 1.15)\n+1.15  rule  p.yaml:5  one\\e\n" },
		{ "/a/b/x", GRITH_DENY,
		  "deny  default  (score 3.00)\n+1.15  rule  p.yaml:5  one\\e\n"
		  "+1.85  rule  p.yaml:6\n" },
		{ "/no", GRITH_DENY, "deny  p.yaml:8  never\n" },
	};
	CLEANUP(policy_freep) struct policy *policy = read_policy(scored);
	struct question question;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		cr_assert_eq(question_path("read", cases[i].path, &question), 0);
		expect_answer(policy, &question, cases[i].verdict, cases[i].expected);
	}
	cr_assert_eq(question_net(GRITH_NET_CONNECT, "example.org:443", NULL, &question), 0);
	expect_answer(policy, &question, GRITH_ALLOW,
		      "allow  default  (score 1.00)\n+1.00  rule  p.yaml:10\n");
}

Test(cli_policy, thresholds_that_say_nothing)
{
	CLEANUP(policy_freep)
	struct policy *policy = read_policy("grith: 1\nthresholds: {hold: 0, deny: 0}\n"
					    "defaults: {read: allow}\nfiles:\n"
					    "  - {score: 100, on: read, path: /a}\n");
	struct question question;

	cr_assert_eq(question_path("read", "/a", &question), 0);
	expect_answer(policy, &question, GRITH_ALLOW,
		      "allow  default  (score 100.00)\n+100.00  rule  p.yaml:5\n");
}

Test(cli_policy, for_programs)
{
	CLEANUP(policy_freep) struct policy *policy = read_policy(scored);
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	json_auto_t *object = NULL, *expected = NULL;
	struct grith_outcome outcome;
	struct question question;

	cr_assert_eq(question_path("read", "/a/x", &question), 0);
	outcome = question_ask(&question, policy);
	cr_assert_eq(question_ask_parts(&question, policy, &parts), 0);
	object = view_outcome_json(policy, &outcome, &parts);
	expected =
		json_pack("{s:s, s:s, s:n, s:f, s:[{s:s, s:f, s:s, s:s}], s:b}", "verdict", "allow",
			  "rule", "default", "reason", "score", 1.15, "parts", "filter", "rule",
			  "score", 1.15, "rule", "p.yaml:5", "reason", "one\x1b", "final", false);
	cr_assert(expected);
	cr_expect(json_equal(object, expected));
}

Test(cli_policy, names_of_weights)
{
	cr_expect(weights_named("weights.yaml"));
	cr_expect(weights_named("/etc/grith/policy/weights.yaml"));
	cr_expect_not(weights_named("my-weights.yaml"));
	cr_expect_not(weights_named("weights.yaml/generic.yaml"));
	cr_expect_not(weights_named("weights.yaml/"));
}

/* The shipped weights with one text replaced; the caller frees. */
static char *shipped_but(const char *old, const char *new)
{
	OWNED_TEXT struct text text = { 0 };
	OWNED_FILE FILE *file = fopen("policy/weights.yaml", "re");
	char chunk[4096], *at, *changed = NULL;
	size_t n;

	cr_assert(file);
	while ((n = fread(chunk, 1, sizeof(chunk), file)) > 0)
		cr_assert_eq(text_add(&text, chunk, n), 0);
	at = strstr(text.data, old);
	cr_assert(at, "%s", old);
	cr_assert(asprintf(&changed, "%.*s%s%s", (int)(at - text.data), text.data, new,
			   at + strlen(old)) > 0);
	return changed;
}

/* One complaint, whoever of the two readers has it; none where it is NULL. */
static void expect_weights(const char *old, const char *new, const char *complaint)
{
	OWNED_MEM char *text = shipped_but(old, new), *errors = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	int r = weights_check("w", text, strlen(text), &context, &diag);

	errors = diag_text(&diag);
	cr_expect_eq(r, complaint ? -EINVAL : 0, "%s: %s", new, errors);
	cr_expect_eq(diag.count, complaint ? 1 : 0, "%s: %s", new, errors);
	cr_expect(!complaint || strstr(errors, complaint), "%s: %s", new, errors);
}

Test(cli_policy, weights)
{
	expect_weights("grith-weights: 1", "grith-weights: 1", NULL);
	/* both, once */
	expect_weights("grith-weights: 1", "grith-weights: 2", "expected 1");
	expect_weights("enabled: true", "enabled: 1", "expected true or false");
	/* only the compiler of policies knows rules */
	expect_weights("read: 0\n", "reed: 0\n", "reed");
	/* only the filter knows what it counts */
	expect_weights("trust-least:", "# trust-least:", "\"trust-least\" is missing");
}

Test(cli_policy, weights_that_are_too_large)
{
	OWNED_DIAG struct diag diag = { 0 };

	cr_expect_eq(weights_check("w", "", (1 << 20) + 1, &context, &diag), -E2BIG);
	cr_expect_eq(diag.count, 1);
}
