/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "taint", as far as it is about arguments and about single processes: an execution that
 * names a source of secrets which was read, or a variable that holds one, and what is known of the
 * way that a secret took (lib/flow/flow.h). The kernel has the part about a session's connections;
 * this filter adds to that or explains it, and never lowers it.
 */
#include "lib/flow/flow.h"
#include "egress.h"
#include "evaluation.h"

#define LISTS(LIST) LIST(SECRET_VARIABLES, "secret-variables", SCORE_WORDS)
FILTER_INDICES(LISTS);

size_t score_taint_lifetime(const struct score_weights *weights)
{
	return score_count(weights, FILTER_TAINT, TAINT_LIFETIME);
}

bool eval_is_tainted(const struct evaluation *e)
{
	return score_source_is_recent(e->session, e->operation->time,
				      score_taint_lifetime(e->weights)) ||
	       e->session->armed;
}

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

static bool names_secret(const struct evaluation *e, const struct shell_word *word)
{
	const struct score_list *list = eval_list(e, SECRET_VARIABLES);
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

static bool names_tainted(const struct evaluation *e, const struct shell_word *word)
{
	const struct score_session *session = e->session;
	size_t lifetime = eval_count(e, TAINT_LIFETIME);

	for (size_t i = 0; i < SCORE_TAINTED_MAX; i++) {
		const struct score_tainted *tainted = &session->tainted[i];

		if (tainted->path && score_is_recent(tainted->time, e->operation->time, lifetime) &&
		    flow_argument_names(word->text, tainted->path, e->operation->home))
			return true;
	}
	return false;
}

static void evaluate_word(const struct evaluation *e, const struct shell_word *word, bool secrets)
{
	if (names_tainted(e, word))
		eval_add(e, TAINT_SPAWN, "names a secret file that was read");
	else if (secrets && names_secret(e, word))
		eval_add(e, TAINT_SPAWN, "names a variable for a secret");
}

/*
 * What it adds where it is known that the operation's own process has the secret: to where it
 * connects, as the kernel for the whole session; a program that sends, or that is to read a file
 * where the secret is, as if it named the secret.
 */
static int flow_points(const struct evaluation *e, const struct flow_chain *flow)
{
	const struct score_operation *o = e->operation;
	bool sends = flow->steps[flow->n_steps - 1].how == FLOW_NAMED;

	if (eval_is_net(e) && !o->trusted && !egress_is_local(e->weights, o))
		return eval_number(e, flow->source == GRITH_SOURCE_HIGH ? TAINT_CONNECT_HIGH
									: TAINT_CONNECT_OTHER);
	for (size_t i = 0; i < e->n_sections && !sends; i++)
		sends = e->sections[i].leaves;
	return o->op == GRITH_OP_EXEC && sends ? eval_number(e, TAINT_SPAWN) : 0;
}

/* The reason becomes the way of the secret, whatever has added to the part. */
static void evaluate_flow(const struct evaluation *e)
{
	const struct flow_chain *flow = e->operation->flow;
	char chain[SCORE_WHY_MAX - sizeof("this very process has it: ") + 1];
	struct score_part *part;
	int points;

	if (!flow || !flow->n_steps)
		return;
	points = flow_points(e, flow);
	if (points)
		score_add(e->score, e->filter, points, "a secret came here");
	flow_chain_short(flow, chain, sizeof(chain));
	part = score_part(e->score, e->filter);
	if (part && !part->failed)
		snprintf(part->why, sizeof(part->why), "this %s: %s",
			 flow->direct ? "very process has it" : "process may have it", chain);
}

static void evaluate(const struct evaluation *e)
{
	bool tainted = eval_is_tainted(e);

	for (size_t i = 0; i < e->n_sections; i++) {
		const struct score_section *section = &e->sections[i];
		const struct shell_command *command;
		bool secrets = tainted || section->leaves;

		if (section->kind != SECTION_ACTION)
			continue;
		command = section->action->command;
		/* What is sent counts also where no source was read: the value is in memory. */
		for (size_t w = 0; w < command->n_words; w++)
			evaluate_word(e, &command->words[w], secrets);
		for (size_t r = 0; r < command->n_redirects; r++)
			evaluate_word(e, &command->redirects[r].target, secrets);
	}
	evaluate_flow(e);
}

FILTER(taint, TAINT_NUMBERS, LISTS, .evaluate = evaluate);
