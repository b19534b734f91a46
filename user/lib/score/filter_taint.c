/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "taint", as far as it is about arguments and about single processes: an execution that
 * names a source of secrets which was read, or a variable that holds one, and what is known of the
 * way that a secret took (lib/flow/flow.h). The kernel has the part about a session's connections;
 * what is said here adds to that or explains it, and never lowers it.
 */
#include <string.h>

#include "lib/flow/flow.h"
#include "internal.h"

static const char *const numbers[] = {
	[TAINT_CONNECT_HIGH] = "connect-high",
	[TAINT_CONNECT_OTHER] = "connect-other",
	[TAINT_SPAWN] = "spawn",
	[TAINT_EGRESS_SOON] = "egress-soon",
	[TAINT_EGRESS_SECONDS] = "egress-seconds",
	[TAINT_LIFETIME] = "lifetime-seconds",
};
static const struct score_list_kind lists[] = {
	[TAINT_SECRET_VARIABLES] = { "secret-variables", SCORE_WORDS },
};

/* Whether a variable's name has the words between its beginning, its end and underscores. */
static bool has_words(const char *name, size_t length, const char *words)
{
	const size_t n = strlen(words);
	const char *end = name + length;

	for (const char *p = name; (p = memmem(p, end - p, words, n)); p++)
		if ((p == name || p[-1] == '_') && (p + n == end || p[n] == '_'))
			return true;
	return false;
}

static bool names_secret(const struct judged *judged, const struct shell_word *word)
{
	const struct score_list *list =
		score_list(judged->weights, FILTER_TAINT, TAINT_SECRET_VARIABLES);
	const char *name = word->variables;

	while (*name) {
		size_t length = strcspn(name, " ");

		for (size_t i = 0; i < list->count; i++)
			if (has_words(name, length, list->items[i].text))
				return true;
		name += length;
		name += strspn(name, " ");
	}
	return false;
}

static bool names_tainted(const struct judged *judged, const struct shell_word *word)
{
	const struct score_session *session = judged->session;
	size_t lifetime = score_count(judged->weights, FILTER_TAINT, TAINT_LIFETIME);

	for (size_t i = 0; i < SCORE_TAINTED_MAX; i++) {
		const struct score_tainted *tainted = &session->tainted[i];

		if (tainted->path &&
		    score_is_recent(tainted->time, judged->operation->time, lifetime) &&
		    flow_argument_names(word->text, tainted->path, judged->operation->home))
			return true;
	}
	return false;
}

static void judge_word(const struct judged *judged, const struct shell_word *word, bool secrets,
		       struct score *score)
{
	int points = score_number(judged->weights, FILTER_TAINT, TAINT_SPAWN);

	if (names_tainted(judged, word))
		score_add(score, FILTER_TAINT, points, "names a secret file that was read");
	else if (secrets && names_secret(judged, word))
		score_add(score, FILTER_TAINT, points, "names a variable for a secret");
}

/*
 * What it adds where it is known that the operation's own process has the secret: to where it
 * connects, as the kernel for the whole session; a program that sends, or that is to read a file
 * where the secret is, as if it named the secret.
 */
static int flow_points(const struct judged *judged, const struct flow_chain *flow)
{
	const struct score_operation *o = judged->operation;
	bool sends = flow->steps[flow->n_steps - 1].how == FLOW_NAMED;

	if (judged_is_net(judged) && !o->trusted && !score_is_local(judged->weights, o))
		return score_number(judged->weights, FILTER_TAINT,
				    flow->source == GRITH_SOURCE_HIGH ? TAINT_CONNECT_HIGH
								      : TAINT_CONNECT_OTHER);
	for (size_t i = 0; i < judged->n_sections && !sends; i++)
		sends = judged->sections[i].leaves;
	return o->op == GRITH_OP_EXEC && sends
		       ? score_number(judged->weights, FILTER_TAINT, TAINT_SPAWN)
		       : 0;
}

/* The part says how it came here, whoever has added to it. */
static void judge_flow(const struct judged *judged, struct score *score)
{
	const struct flow_chain *flow = judged->operation->flow;
	char chain[SCORE_WHY_MAX - sizeof("this very process has it: ") + 1];
	int points;

	if (!flow || !flow->n_steps)
		return;
	points = flow_points(judged, flow);
	if (points)
		score_add(score, FILTER_TAINT, points, "a secret came here");
	flow_chain_short(flow, chain, sizeof(chain));
	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].filter == FILTER_TAINT && !score->parts[i].failed)
			snprintf(score->parts[i].why, sizeof(score->parts[i].why),
				 flow->direct ? "this very process has it: %s"
					      : "this process may have it: %s",
				 chain);
}

size_t score_taint_seconds(const struct score_weights *weights)
{
	return weights ? score_count(weights, FILTER_TAINT, TAINT_LIFETIME) : FLOW_SECONDS_DEFAULT;
}

static void judge(const struct judged *judged, struct score *score)
{
	bool tainted = score_is_tainted(judged);

	for (size_t i = 0; i < judged->n_sections; i++) {
		const struct score_section *section = &judged->sections[i];
		const struct shell_command *command;

		if (section->kind != SECTION_ACTION)
			continue;
		command = section->action->command;
		/* What is sent counts also where no source was read: the value is in memory. */
		for (size_t w = 0; w < command->n_words; w++)
			judge_word(judged, &command->words[w], tainted || section->leaves, score);
		for (size_t r = 0; r < command->n_redirects; r++)
			judge_word(judged, &command->redirects[r].target,
				   tainted || section->leaves, score);
	}
	judge_flow(judged, score);
}

const struct filter filter_taint = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
