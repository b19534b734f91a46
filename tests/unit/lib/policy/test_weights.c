/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The file of weights: every error with its place, who may write it, which policies get what of it,
 * and what of it reaches the kernel's image. What the filters say is in the table of scores.
 */
#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"

#define FILTERS "grith-weights: 1\nfilters:\n"

static const struct policy_context shipped = {
	.project = "/home/ann/project",
	.home = "/home/ann",
	.user = "ann",
	.uid = 1000,
	.directory = "policy",
};

static const char scoring[] = "grith: 1\ndefaults: {read: score, connect: score}\n"
			      "files: [{allow: read, path: \"/a/**\", class: project}]\n";

static void expect_error(const char *text, const char *expected)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	int r = policy_weights_check("w", text, strlen(text), &shipped, &diag);

	errors = diag_text(&diag);
	cr_expect_eq(r, -EINVAL, "not refused:\n%s", text);
	cr_expect(strstr(errors, expected), "expected \"%s\" and not \"%s\" of\n%s", expected,
		  errors, text);
}

Test(policy_weights, errors_have_places)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "w:1:1: expected weights" },
		{ "[a]", "w:1:1: expected weights" },
		{ "filters: {}", "w:1:1: `grith-weights` is missing" },
		{ "grith-weights: 1", "w:1:1: `filters` is missing" },
		{ "grith-weights: 2\nfilters: {}", "w:1:16: expected 1" },
		{ "grith-weights: 1\nfilters: {}\nrules: []", "w:3:1: unknown key \"rules\"" },
		{ "grith-weights: 1\nfilters: 3", "w:2:10: unknown mapping" },
		{ FILTERS "  path-mach: {enabled: true}",
		  "w:3:3: unknown filter \"path-mach\": did you mean \"path-match\"" },
		{ FILTERS "  path-match: yes", "w:3:15: expected a filter" },
		{ FILTERS "  path-match: {rules: []}", "w:3:15: `enabled: true` or" },
		{ FILTERS "  path-match: {enabled: 1}", "w:3:25: expected true or false" },
		{ FILTERS "  path-match: {enabled: true, numbers: {a: 1}}",
		  "w:3:31: unknown key \"numbers\"" },
		{ FILTERS "  canary: {enabled: true, rules: []}", "w:3:27: unknown key \"rules\"" },
		{ FILTERS "  canary: {enabled: true, numbers: 5}", "w:3:36: expected a mapping" },
		{ FILTERS "  canary: {enabled: true, numbers: {leaving: x}}",
		  "w:3:46: expected a number" },
		{ FILTERS "  canary: {enabled: true, numbers: {leaving: \"5\"}}",
		  "w:3:46: expected a number" },
		{ FILTERS "  canary: {enabled: true, numbers: {leaving: 1.234}}",
		  "w:3:46: expected a number" },
		{ FILTERS "  canary: {enabled: true, numbers: {leaving: 1e3}}",
		  "w:3:46: expected a number" },
		{ FILTERS "  canary: {enabled: true, lists: [a]}", "w:3:34: expected a mapping" },
		{ FILTERS "  canary: {enabled: true, lists: {a: b}}", "w:3:38: expected a list" },
		{ FILTERS "  canary: {enabled: true, lists: {a: [[b]]}}", "w:3:39: expected text" },
		{ FILTERS "  operation-risk: {enabled: true, operations: {raed: 1}}",
		  "w:3:48: unknown key \"raed\": did you mean \"read\"" },
		{ FILTERS "  operation-risk: {enabled: true, operations: {read: x}}",
		  "w:3:54: expected a number" },
		{ FILTERS "  mass: {enabled: true, numbers: {objects: 33}}",
		  "w:3:44: expected a whole number up to 32" },
		{ FILTERS "  mass: {enabled: true, numbers: {object: 3}}",
		  "w:3:35: unknown number \"object\": did you mean \"objects\"" },
		{ FILTERS "  mass: {enabled: true}",
		  "w:3:9: the number `objects` of mass is missing" },
		{ FILTERS "  taint: {enabled: true, numbers: {connect-high: 5}}",
		  "w:3:35: the number `lifetime-seconds` of taint is missing" },
		/* Rules are those of policies, and only scores. */
		{ FILTERS "  allowlist: {enabled: true, rules: {}}",
		  "w:3:37: expected a list of rules" },
		{ FILTERS "  allowlist: {enabled: true, rules: [x]}",
		  "w:3:38: expected a rule, such as {score: 4.0" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {allow: read, path: /a}",
		  "w:6:10: unknown key \"allow\"" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n      - {path: /a}",
		  "w:6:9: a rule of a filter needs a score" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {score: 1, path: /a}",
		  "w:6:9: a score needs `on: [operations]`" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {score: 1, on: raed, path: /a}",
		  "w:6:24: unknown operation \"raed\": did you mean \"read\"" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {score: 1, on: read, path: a}",
		  "w:6:36: \"a\" must start with" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {score: 1, on: connect, cidr: 10.0.0.1/8}",
		  "w:6:39: \"10.0.0.1/8\" has bits set behind its prefix" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {score: 1, on: connect, always: true}",
		  "w:6:33: unknown key \"always\"" },
		{ FILTERS "  allowlist:\n    enabled: true\n    rules:\n"
			  "      - {score: 1, on: read, path: /a, otherwise: 3}",
		  "w:6:51: expected true or false" },
		/* A filter that is not enabled is read all the same. */
		{ FILTERS "  allowlist: {enabled: false, rules: [{score: x}]}",
		  "w:3:47: expected a number" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_error(cases[i].text, cases[i].error);
}

Test(policy_weights, otherwise_is_not_for_policies)
{
	static const char text[] = "grith: 1\nfiles:\n"
				   "  - {score: 1, on: read, path: /a, otherwise: true}\n";
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };

	cr_expect_eq(policy_read_text("p", text, strlen(text), &shipped, &diag, &policy), -EINVAL);
}

static struct policy *read_with(const char *text, const struct policy_context *context)
{
	struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;

	policy_read_text("p", text, strlen(text), context, &diag, &policy);
	errors = diag_text(&diag);
	cr_assert(policy, "%s", errors);
	return policy;
}

static size_t count_filtered(const struct policy *policy, uint32_t *ret_operations)
{
	uint32_t operations = 0;
	size_t n = 0;

	while (n < policy->n_rules && policy->rules[n].filter) {
		if (policy->rules[n].section != POLICY_NETWORK)
			operations |= policy->rules[n].operations;
		n++;
	}
	for (size_t i = n; i < policy->n_rules; i++)
		cr_expect_eq(policy->rules[i].filter, FILTER_RULE, "rule %zu", i);
	*ret_operations = operations;
	return n;
}

Test(policy_weights, only_scored_operations_have_rules)
{
	CLEANUP(policy_freep) struct policy *with = read_with(scoring, &shipped);
	CLEANUP(policy_freep)
	struct policy *without = read_with("grith: 1\nfiles: [{deny: read, path: /a}]\n", &shipped);
	CLEANUP(policy_freep)
	struct policy *no_more = read_with("grith: 1\nextends: generic-cli\ndefaults: {read: deny, "
					   "write: hold}\n",
					   &shipped);
	uint32_t operations;

	cr_expect_gt(count_filtered(with, &operations), 20u);
	cr_expect_eq(operations, 1u << GRITH_OP_CLASS_READ);
	cr_expect_eq(count_filtered(without, &operations), 0u);
	cr_expect_eq(without->n_rules, 1u);
	count_filtered(no_more, &operations);
	cr_expect(operations >> GRITH_OP_CLASS_CREATE & 1);
	cr_expect_not(operations & (1u << GRITH_OP_CLASS_READ | 1u << GRITH_OP_CLASS_WRITE));
}

/* Numbers of rules that are remembered must move with the rules. */
Test(policy_weights, rules_behind_the_weights_keep_their_meaning)
{
	static const char text[] = "grith: 1\ndefaults: {read: score}\nfiles:\n"
				   "  - {deny: read, path: \"/a/b\", final: true}\n"
				   "  - {allow: read, path: \"/a/**\"}\n"
				   "  - {hold: read, path: \"/a/c\"}\n";
	CLEANUP(policy_freep) struct policy *policy = read_with(text, &shipped);
	uint32_t n = policy->n_rules - 3;

	cr_assert_gt(n, 20u);
	cr_expect_eq(policy->first_final[GRITH_OP_CLASS_READ][GRITH_DENY], n);
	cr_expect_eq(policy->first_final[GRITH_OP_CLASS_READ][GRITH_HIDE], UINT32_MAX);
	cr_expect_eq(policy->behind_last[GRITH_OP_CLASS_READ][GRITH_ALLOW], n + 2);
	cr_expect_eq(policy->behind_last[GRITH_OP_CLASS_READ][GRITH_HOLD], n + 3);
	cr_expect_eq(policy->behind_last[GRITH_OP_CLASS_READ][GRITH_HIDE], 0u);
}

static int16_t score_with(const char *weights, const char *path)
{
	char file[] = "/tmp/grith-weights-XXXXXX";
	int fd = mkstemp(file);
	const struct policy_context context = { .weights = file };
	CLEANUP(policy_freep) struct policy *policy = NULL;

	cr_assert(fd >= 0);
	cr_assert_eq(write(fd, weights, strlen(weights)), (ssize_t)strlen(weights));
	close(fd);
	policy = read_with(scoring, &context);
	unlink(file);
	return policy_eval_path(policy, GRITH_OP_CLASS_READ, path, strlen(path)).score;
}

Test(policy_weights, filters_can_be_disabled)
{
	cr_expect_eq(score_with(FILTERS
				"  operation-risk: {enabled: true, operations: {read: 1}}\n"
				"  path-match: {enabled: true, rules: [{score: 3, on: read, "
				"path: /x}]}\n",
				"/x"),
		     400);
	cr_expect_eq(score_with(FILTERS
				"  operation-risk: {enabled: false, operations: {read: 1}}\n"
				"  path-match: {enabled: true, rules: [{score: 3, on: read, "
				"path: /x}]}\n",
				"/x"),
		     300);
	cr_expect_eq(score_with(FILTERS "  operation-risk: {enabled: true, operations: {read: 1}}\n"
					"  path-match: {rules: [{score: 3, on: read, path: /x}], "
					"enabled: false}\n",
				"/x"),
		     100);
}

static int read_trusted(const char *file, bool trusted, char **ret_errors)
{
	const struct policy_context context = { .weights = file, .trusted = trusted };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	int r = policy_read_text("p", scoring, strlen(scoring), &context, &diag, &policy);

	*ret_errors = diag_text(&diag);
	return r;
}

Test(policy_weights, must_be_trusted_like_policies)
{
	char file[] = "/tmp/grith-weights-XXXXXX";
	int fd = mkstemp(file);
	OWNED_MEM char *loose = NULL;
	OWNED_MEM char *fine = NULL;
	OWNED_MEM char *missing = NULL;

	cr_assert(fd >= 0);
	cr_assert_gt(write(fd, FILTERS "  {}\n", strlen(FILTERS "  {}\n")), 0);
	cr_assert_eq(fchmod(fd, 0666), 0);
	close(fd);
	cr_expect_eq(read_trusted(file, false, &fine), 0, "%s", fine);
	cr_expect_eq(read_trusted(file, true, &loose), -EINVAL);
	cr_expect(strstr(loose, "must "), "%s", loose);
	unlink(file);
	/* One that was named must be there. */
	cr_expect_eq(read_trusted(file, false, &missing), -EINVAL);
	cr_expect(strstr(missing, "cannot be read"), "%s", missing);
}

/* What is scored without weights would all be allowed; what is not scored needs none. */
Test(policy_weights, none_in_the_directory_are_none)
{
	static const char plain[] = "grith: 1\ndefaults: {read: deny}\n";
	char directory[] = "/tmp/grith-weights-XXXXXX";
	CLEANUP(policy_freep) struct policy *scored = NULL;
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	struct policy_context context = shipped;

	cr_assert(mkdtemp(directory));
	context.directory = directory;
	cr_expect_eq(policy_read_text("p", scoring, strlen(scoring), &context, &diag, &scored),
		     -EINVAL);
	errors = diag_text(&diag);
	cr_expect(strstr(errors, "p: has a default of `score`, and there are no weights: /tmp/"),
		  "%s", errors);
	cr_expect_null(scored);
	policy = read_with(plain, &context);
	cr_expect_eq(policy->n_rules, 0u);
	rmdir(directory);
}

static struct policy_image *compile(const struct policy *policy)
{
	struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };

	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), 0);
	return image;
}

Test(policy_weights, kernel_gets_its_numbers)
{
	CLEANUP(policy_freep) struct policy *policy = read_with(scoring, &shipped);
	CLEANUP(policy_image_freep) struct policy_image *image = compile(policy);
	const struct grith_context_weights *w = &policy_image_header(image)->weights;

	cr_expect_eq(w->taint_high, 500);
	cr_expect_eq(w->taint_other, 300);
	cr_expect_eq(w->taint_seconds, 3600);
	cr_expect_eq(w->contained_egress, 350);
	cr_expect_eq(w->contained_spawn, 400);
	cr_expect_eq(w->contained_seconds, 600);
	cr_expect_eq(w->rate_near, 100);
	cr_expect_eq(w->rate_over, 200);
	cr_expect_eq(w->rate_burst, 300);
	cr_expect_eq(w->rate_minute[GRITH_RATE_READ], 60);
	cr_expect_eq(w->rate_second[GRITH_RATE_READ], 15);
	cr_expect_eq(w->rate_minute[GRITH_RATE_WRITE], 30);
	cr_expect_eq(w->rate_second[GRITH_RATE_WRITE], 10);
	cr_expect_eq(w->rate_minute[GRITH_RATE_DELETE], 20);
	cr_expect_eq(w->rate_second[GRITH_RATE_DELETE], 5);
	cr_expect_eq(w->rate_minute[GRITH_RATE_LIST], 60);
	cr_expect_eq(w->rate_second[GRITH_RATE_LIST], 15);
	cr_expect_eq(w->rate_minute[GRITH_RATE_SPAWN], 20);
	cr_expect_eq(w->rate_second[GRITH_RATE_SPAWN], 5);
	cr_expect_eq(w->egress_minute, 200);
	cr_expect_eq(w->egress_minute_limit, 30);
	cr_expect_eq(w->egress_hosts, 300);
	cr_expect_eq(w->egress_hosts_limit, 10);
	cr_expect_eq(w->egress_ports, 250);
	cr_expect_eq(w->egress_ports_limit, 8);
	cr_expect_eq(w->egress_burst, 400);
	cr_expect_eq(w->egress_burst_limit, 8);
	cr_expect_eq(w->egress_after_reads, 500);
	cr_expect_eq(w->reads_limit, 10);
	cr_expect_eq(w->connects_limit, 3);
	cr_expect_eq(w->mass_limit, 25);
}

static uint16_t classes_of(const struct policy *policy, const char *path)
{
	return policy_eval_path(policy, GRITH_OP_CLASS_READ, path, strlen(path)).labels;
}

Test(policy_weights, kernel_knows_classes_by_meaning)
{
	static const char text[] = "grith: 1\nfiles:\n"
				   "  - {allow: read, path: /none, class: other}\n"
				   "  - {allow: read, path: /p, class: project}\n"
				   "  - {allow: read, path: /c, class: credential}\n"
				   "  - {allow: read, path: /m, class: secret-medium}\n"
				   "  - {allow: read, path: /l, class: secret-low}\n"
				   "  - {allow: read, path: /h, class: secret-high}\n"
				   "  - {allow: read, path: /n, class: network-tool}\n";
	CLEANUP(policy_freep) struct policy *policy = read_with(text, &shipped);
	CLEANUP(policy_freep) struct policy *bare = read_with("grith: 1\n", &shipped);
	CLEANUP(policy_image_freep) struct policy_image *image = compile(policy);
	CLEANUP(policy_image_freep) struct policy_image *empty = compile(bare);
	const struct grith_image_header *header = policy_image_header(image);

	cr_expect_eq(header->project, classes_of(policy, "/p"));
	cr_expect_eq(header->source[GRITH_SOURCE_HIGH], classes_of(policy, "/h"));
	cr_expect_eq(header->source[GRITH_SOURCE_MEDIUM],
		     classes_of(policy, "/c") | classes_of(policy, "/m"));
	cr_expect_eq(header->source[GRITH_SOURCE_LOW], classes_of(policy, "/l"));
	cr_expect_eq(header->network_tool, classes_of(policy, "/n"));
	cr_expect_neq(header->project, 0);
	cr_expect_eq(policy_image_header(empty)->project, 0);
	cr_expect_eq(policy_image_header(empty)->source[GRITH_SOURCE_HIGH], 0);
}

Test(policy_weights, names_of_filters)
{
	cr_expect_str_eq(filter_name(FILTER_RULE), "rule");
	for (unsigned int i = 1; i < N_FILTERS; i++)
		cr_expect(filter_name(i), "%u", i);
	cr_expect_null(filter_name(N_FILTERS));
}
