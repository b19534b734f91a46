/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "session-containment", as far as it is about arguments: a network tool that is started
 * soon after a secret was read. The kernel sees the program only, so what it adds to one that is
 * stopped once more with its arguments is left to here, where the destination is known. A tool that
 * stays on this machine is none.
 */
#include "egress.h"
#include "evaluation.h"

#define LISTS(LIST) LIST(NETWORK_PROGRAMS, "network-programs", SCORE_WORDS)
FILTER_INDICES(LISTS);

/* Options with which a program goes elsewhere than to what its operands name. */
static const struct {
	const char *programs, *letters;
} leading_away[] = { { "curl", "xK" }, { "wget", "ie" }, { "nc ncat netcat", "xXce" } };

static const char *const leading_away_long[] = {
	"--proxy",	     "--preproxy", "--socks4",	"--socks4a", "--socks5",
	"--socks5-hostname", "--resolve",  "--config",	"--url",     "--input-file",
	"--connect-to",	     "--exec",	   "--sh-exec",
};

/* True also for a program whose options are not known. */
static bool leads_away(const struct action *action)
{
	const char *letter = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(leading_away); i++)
		if (words_have(leading_away[i].programs, action->program))
			letter = leading_away[i].letters;
	if (!letter)
		return true;
	for (; *letter; letter++)
		if (action_has(action, *letter, NULL))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(leading_away_long); i++)
		if (action_has(action, '\0', leading_away_long[i]))
			return true;
	return false;
}

/* A port beside its host, as nc has it. */
static bool is_number(const struct shell_word *word)
{
	return !word->unknown && word->length && strspn(word->text, "0123456789") == word->length;
}

static bool is_here(const struct evaluation *e, const struct shell_word *word)
{
	size_t length = 0;
	const char *host = egress_authority(word->text, &length);

	return !word->unknown && egress_is_local_name(e->weights, host, length);
}

/* Whether it names destinations, and all of them are this machine. */
static bool stays_here(const struct evaluation *e, const struct action *action)
{
	struct action_cursor cursor = { 0 };
	const struct shell_word *word;
	bool named = false;

	while ((word = action_next(action, &cursor))) {
		if (is_number(word))
			continue;
		if (!is_here(e, word))
			return false;
		named = true;
	}
	return named && !leads_away(action);
}

static void evaluate(const struct evaluation *e)
{
	const struct score_list *programs = eval_list(e, NETWORK_PROGRAMS);

	if (!e->actions ||
	    !score_source_is_recent(e->session, e->operation->time, eval_count(e, CONTAIN_SECONDS)))
		return;
	for (size_t i = 0; i < e->actions->count; i++) {
		const struct action *action = &e->actions->list[i];

		if (!score_list_has(programs, action->program) || stays_here(e, action))
			continue;
		if (action->outer)
			eval_add(e, CONTAIN_SPAWN, "a network tool, soon after a secret was read");
		else
			eval_add(e, CONTAIN_SHELL,
				 "a shell with a network tool, soon after a secret was read");
	}
}

FILTER(containment, CONTAIN_NUMBERS, LISTS, .evaluate = evaluate);
